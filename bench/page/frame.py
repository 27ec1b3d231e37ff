"""What a frame of Yikerz! costs: twenty pieces that all move, drawn for some seconds. `make bench-page`.

Counted is the processor time of the page's scripts, not the drawing of the graphics card, which this machine may not have.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from playwright.sync_api import CDPSession, Page, sync_playwright

from page.site import PROJECT, chromium, free_port, launch

AIM_MS = 4.0
ROUNDS = 5
SECONDS = 3.0
COUNT_FRAMES = """() => {
  window.frames_drawn = 0;
  const next = () => { window.frames_drawn += 1; requestAnimationFrame(next) };
  next();
}"""


def _script_seconds(tools: CDPSession) -> float:
    told = tools.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in told if one["name"] == "ScriptDuration"))


def _measure(page: Page) -> list[float]:
    """Milliseconds of script a frame, once for each round."""
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(COUNT_FRAMES)
    page.wait_for_timeout(2000)  # compiled and warm
    told = []
    for _ in range(ROUNDS):
        before, frames = _script_seconds(tools), page.evaluate("window.frames_drawn")
        page.wait_for_timeout(SECONDS * 1000)
        drawn = page.evaluate("window.frames_drawn") - frames
        told.append((_script_seconds(tools) - before) * 1000 / max(1, drawn))
    print(f"  {drawn / SECONDS:.0f} frames a second on this machine")
    return told


def main() -> int:
    """Exit status 1 when the middle of the rounds is over the aim."""
    executable = chromium()
    assert executable is not None, "no Chromium here"
    port = free_port()
    vite = ["node", "node_modules/vite/bin/vite.js", "--port", str(port), "--strictPort", "--host", "127.0.0.1"]
    server = subprocess.Popen(vite, cwd=PROJECT / "web", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    worst = 0.0
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright, executable)
            page = browser.new_page(viewport={"width": 640, "height": 420})
            for attempt in range(60):
                try:
                    page.goto(f"http://127.0.0.1:{port}/gallery.html?game=yikerz&show=bench")
                    break
                except Exception:  # the server is on its way
                    if attempt == 59:
                        raise
                    time.sleep(0.5)
            page.locator(".viewport .tool").last.wait_for(timeout=60_000)
            page.wait_for_function("!document.querySelector('.viewport .lost')", timeout=60_000)
            for what in ("twenty pieces", "twenty pieces and the field"):
                if what.endswith("field"):
                    page.locator(".viewport .tool").last.click()
                told = _measure(page)
                worst = max(worst, statistics.median(told))
                print(
                    f"{what}: {statistics.median(told):.2f} ms of script a frame ({min(told):.2f} to {max(told):.2f})"
                )
            browser.close()
    finally:
        server.terminate()
        server.wait(timeout=20)
    return int(worst > AIM_MS)


if __name__ == "__main__":
    sys.exit(main())
