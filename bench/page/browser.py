"""The browser edition in Chromium beside native code in the same run: start, decisions, long tasks, memory. `make bench-browser`.

The site is served by this process, compressed; the first visit comes over a line of 10 Mbit/s that all connections share.
"""

import asyncio
import json
import statistics
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from websockets.sync.client import connect

from ludotheque.bots import bot
from ludotheque.browser.host import Host
from ludotheque.browser.routes import Routes
from ludotheque.browser.storage import MemoryStorage
from ludotheque.core import Dice, Match, find_game
from page.site import FLAGS, chromium, free_port, play_to_the_end, until
from page.static import StaticSite
from tools.edition.host_files import ROOT

SITE: Final = ROOT / "out" / "site"
LINE: Final = 10e6 / 8
ROUNDS: Final = 5
POSITIONS: Final = 6
GAMES: Final = ("twisty", "wykersham", "yam-master")
PLAY: Final = "Play now: Twisty against a bot"
MINE: Final = "document.title.startsWith('●') && document.querySelector('.board-room[aria-busy=false]')"
WATCH: Final = """
window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask", buffered: true });
const Real = Worker;
window.workers = [];
window.Worker = class extends Real { constructor(...all) { super(...all); window.workers.push(this); } };
"""
IN_WORKER: Final = """
self.memories = new Set();
const note = ({ exports }) => Object.values(exports).forEach((one) => one instanceof WebAssembly.Memory && memories.add(one));
for (const name of ["instantiate", "instantiateStreaming"]) {
  const real = WebAssembly[name];
  WebAssembly[name] = async (...all) => { const made = await real(...all); note(made.instance ?? made); return made; };
}
const Real = WebAssembly.Instance;
WebAssembly.Instance = function (...all) { const made = new Real(...all); note(made); return made; };
WebAssembly.Instance.prototype = Real.prototype;
"""
WASM_BYTES: Final = "() => [...(self.memories ?? [])].map((one) => one.buffer.byteLength)"
ASK: Final = """([path, body]) => new Promise((resolve) => {
  const worker = window.workers.at(-1), id = 1e9 + Math.random();
  const hear = ({ data }) => {
    if (data.what !== "answer" || data.id !== id) return;
    worker.removeEventListener("message", hear);
    resolve([performance.now() - began, data.status]);
  };
  worker.addEventListener("message", hear);
  const began = performance.now();
  worker.postMessage({ do: "ask", id, method: "POST", path, body, secret: null, language: "en", base: "/" });
})"""


def visitor(browser: Browser, service_workers: Literal["allow", "block"] = "allow") -> BrowserContext:
    """A fresh profile."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", service_workers=service_workers)
    context.set_default_timeout(600_000)
    context.add_init_script(WATCH)
    return context


def until_a_move(page: Page, site: StaticSite) -> float:
    """Seconds from opening the page to the first possible move."""
    began = time.perf_counter()
    page.goto(site.page("/"))
    page.get_by_role("button", name=PLAY).click()
    until(page, MINE, 600)
    return time.perf_counter() - began


def questions(game: str) -> list[dict[str, Any]]:
    """Some positions of a match between bots, as questions for a hint of level 5."""
    asked: list[dict[str, Any]] = []
    match = Match(find_game(game), 2, dice=Dice("bench"))
    player = bot(match.game, 1)
    while match.position.to_move is not None and len(asked) < POSITIONS:
        if not isinstance(match.to_move, int):
            match.draw()
            continue
        if len(match.position.legal().actions) > 1:
            actions = [entry.action for entry in match.log]
            asked.append({"game": game, "players": 2, "options": dict(match.options), "actions": actions, "level": 5})
        match.play(player.choose(match.position, seed=len(match.log)).action)
    return asked


def natively(body: str) -> float:
    """Milliseconds of the same answer in this process: the same host, with native kernels."""
    routes = Routes(Host(MemoryStorage(), lambda *_: None, lambda *_: None, {game: find_game(game) for game in GAMES}))
    elapsed = 0.0
    for _ in range(2):  # once to compile and load
        began = time.perf_counter()
        status = asyncio.run(routes.ask("POST", "/api/hint", body, None, "en", "/")).status
        elapsed = time.perf_counter() - began
        assert status == 200, status
    return elapsed * 1000


def heaps(port: int) -> int:
    """Bytes in use in the JavaScript heaps of all pages and workers, as the developer's tools count them."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version", timeout=30) as answer:
        address = json.load(answer)["webSocketDebuggerUrl"]
    with connect(address, proxy=None) as tools:

        def ask(method: str, session: str | None = None, **parameters: Any) -> Any:
            """Ask the browser; whatever else it tells meanwhile is passed over."""
            ask.number += 1  # type: ignore[attr-defined]
            number = ask.number  # type: ignore[attr-defined]
            request = {"id": number, "method": method, "params": parameters}
            tools.send(json.dumps({**request, "sessionId": session} if session else request))
            while (told := json.loads(tools.recv(30))).get("id") != number:
                pass
            return told["result"]

        ask.number = 0  # type: ignore[attr-defined]
        total = 0
        for target in ask("Target.getTargets", filter=[{}])["targetInfos"]:
            if target["type"] in ("page", "worker"):
                session = ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
                total += int(ask("Runtime.getHeapUsage", session)["usedSize"])
        return total


class Figure(NamedTuple):
    """Something measured, and the most that it may be."""

    name: str
    value: float
    unit: str
    goal: float
    beside: str = ""

    def told(self) -> str:
        """One line."""
        kept = "kept" if self.value <= self.goal else "MISSED"
        return f"{self.name}: {self.value:g} {self.unit} (goal {self.goal:g}: {kept}){self.beside}"


def main() -> int:
    """Print the figures and write them to out/bench-browser.json."""
    executable = chromium()
    assert executable is not None, "no Chromium here"
    with sync_playwright() as playwright:
        port = free_port()
        flags = [*FLAGS, f"--remote-debugging-port={port}"]
        browser = playwright.chromium.launch(executable_path=executable, chromium_sandbox=False, args=flags)
        figures = list(measure(browser, port))
        browser.close()
    for figure in figures:
        print(figure.told())
    content = json.dumps([figure._asdict() for figure in figures], indent=2)
    (ROOT / "out" / "bench-browser.json").write_text(content, "utf-8")
    return 0


def measure(browser: Browser, port: int) -> Iterator[Figure]:
    """All figures, one after the other."""
    slow = StaticSite(SITE, bytes_per_second=LINE)
    context = visitor(browser)
    first = until_a_move(context.new_page(), slow)
    loaded = slow.sent / 1e6
    yield Figure("first visit over 10 Mbit/s", round(first, 2), "s", 12, f"; the aim is 8; {loaded:.1f} MB until then")
    context.close()
    slow.stop()

    site = StaticSite(SITE)
    context = visitor(browser)
    page = context.new_page()
    until_a_move(page, site)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.close()
    cached = []
    for _ in range(ROUNDS):
        page = context.new_page()
        cached.append(until_a_move(page, site))
        page.close()
    every = ", ".join(f"{one:.2f}" for one in sorted(cached))
    yield Figure("start when cached, median", round(statistics.median(cached), 2), "s", 3, f"; {every}")

    watched = visitor(browser, "block")  # what a service worker answers cannot be changed on its way
    watched.route("**/worker-*.js", _with_memories)
    for game in GAMES:
        page = watched.new_page()
        until_a_move(page, site)
        here, native = [], []
        for question in questions(game):
            body = json.dumps({**question, "seconds": 5})
            page.evaluate(ASK, ["/api/hint", body])
            elapsed, status = page.evaluate(ASK, ["/api/hint", body])
            assert status == 200, (game, status)
            here.append(elapsed)
            native.append(natively(body))
        page.close()
        ratio = statistics.median(one / other for one, other in zip(here, native, strict=True))
        beside = f"; native {statistics.median(native):.0f} ms"
        yield Figure(f"level 5 of {game}, longest of {len(here)}", round(max(here)), "ms", 1000, beside)
        yield Figure(f"level 5 of {game}, beside native", round(ratio, 2), "times", 3)

    page = watched.new_page()
    until_a_move(page, site)
    page.evaluate("() => (window.longTasks.length = 0)")
    play_to_the_end(page, seconds=600)
    longest = max([0.0, *page.evaluate("() => window.longTasks")])
    yield Figure("longest task of the page during play", round(longest), "ms", 50)
    memories = [size for worker in page.workers for size in worker.evaluate(WASM_BYTES)]
    assert len(memories) == 1 + len(GAMES), memories  # Python's, and each game's
    wasm, heap = sum(memories) / 1e6, heaps(port) / 1e6
    yield Figure("memory", round(wasm + heap, 1), "MB", 200, f"; {wasm:.0f} of WASM, {heap:.0f} of JavaScript")

    watched.close()
    site.stop()
    page = context.new_page()
    yield Figure("start with the server gone", round(until_a_move(page, site), 2), "s", 3)


def _with_memories(route: Any) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=IN_WORKER + answer.text())


if __name__ == "__main__":
    sys.exit(main())
