"""The browser edition in Chromium beside native code in the same run: start, decisions, long tasks, memory. `make bench-browser`.

The site is served by this process, compressed; the first visit comes over a line of 10 Mbit/s that all connections share.
"""

import io
import json
import statistics
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from websockets.sync.client import connect

from ludotheque.bots import bot
from ludotheque.browser import session
from ludotheque.core import Match, find_game
from page.moments import middle
from page.site import FLAGS, chromium, free_port, play_to_the_end, until
from page.static import StaticSite
from tools.edition.host_files import ROOT

SITE: Final = ROOT / "out" / "site"
LINE: Final = 10e6 / 8
ROUNDS: Final = 5
DECISIONS: Final = 10
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
TIMED: Final = """
_untimed = _choose
def _choose(work):
    began = time.perf_counter()
    chosen = _untimed(work)
    print("decided", (time.perf_counter() - began) * 1000)
    return chosen
"""
WASM_BYTES: Final = "() => [...(self.memories ?? [])].map((one) => one.buffer.byteLength)"
PLAY_ON: Final = """([wanted, many]) => new Promise((resolve, reject) => {
  const worker = window.workers.at(-1), socket = 1e6, steps = [];
  const send = (message) => worker.postMessage({ do: "send", socket, text: JSON.stringify(message) });
  const ask = (path, body, secret) => new Promise((done) => {
    const id = 1e9 + Math.random();
    worker.addEventListener("message", ({ data }) => data.what === "answer" && data.id === id && done(JSON.parse(data.text)));
    worker.postMessage({ do: "ask", id, method: "POST", path, body: JSON.stringify(body), secret, language: "en", base: "/" });
  });
  worker.addEventListener("message", ({ data }) => {
    if (data.socket !== socket) return;
    if (data.what === "opened") send({ do: "hello", version: 1 });
    if (data.what === "closed") reject(new Error(data.reason));
    const told = data.what === "message" ? JSON.parse(data.text) : {};
    if (told.what === "state") steps.push(...told.log.map(({ by, action }) => [by, action]));
    if (told.what === "step") steps.push([told.by, told.action]);
    if (steps.filter(([by]) => typeof by === "number").length <= many) return;
    worker.postMessage({ do: "shut", socket });
    resolve(steps);
  });
  ask("/api/people", { name: "Anna" }, null)
    .then(({ secret }) => ask("/api/tables", wanted, secret))
    .then(({ table }) => worker.postMessage({ do: "open", socket, table: table.id }), reject);
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


def decisions(page: Page, game: str) -> tuple[list[float], list[float]]:
    """Milliseconds that level 5 takes for each decision of a match against itself: in the worker, and for the same positions
    in this process, with native kernels. The first one, which loads weights and reserves memory, does not count."""
    setup = middle(game)
    bots = [{"kind": "bot", "level": 5}] * 2
    here: list[float] = []
    page.on(
        "console", lambda said: here.append(float(said.text.split()[1])) if said.text.startswith("decided ") else None
    )
    steps = page.evaluate(PLAY_ON, [{"game": game, "seats": bots, "setup": setup, "settings": {"pace": 0}}, DECISIONS])
    match, native = Match(find_game(game), setup=setup), list[float]()
    for by, action in steps:
        if isinstance(by, int):
            began = time.perf_counter()
            chosen = bot(match.game, 5).choose(match.position)
            native.append((time.perf_counter() - began) * 1000)
            assert chosen.action == action, (game, chosen.action, action)
        match.play(action)
    return here[1 : len(native)], native[1:]


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
    """Print the figures and write them to out/bench-browser.json. Exit status 1 when a goal is missed."""
    executable = chromium()
    assert executable is not None, "no Chromium here"
    with sync_playwright() as playwright:
        port = free_port()
        flags = [*FLAGS, f"--remote-debugging-port={port}"]
        browser = playwright.chromium.launch(executable_path=executable, chromium_sandbox=False, args=flags)
        figures = []
        for figure in measure(browser, port):
            print(figure.told(), flush=True)
            figures.append(figure)
        browser.close()
    content = json.dumps([figure._asdict() for figure in figures], indent=2)
    (ROOT / "out" / "bench-browser.json").write_text(content, "utf-8")
    return int(any(figure.value > figure.goal for figure in figures))


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
    watched.route("**/ludotheque.zip", _with_times)
    for game in GAMES:
        page = watched.new_page()
        until_a_move(page, site)
        here, native = decisions(page, game)
        page.close()
        beside = (
            f"; median {statistics.median(here):.0f}, native {statistics.median(native):.0f}, at most {max(native):.0f}"
        )
        yield Figure(f"level 5 of {game}, longest of {len(here)}", round(max(here)), "ms", 1000, beside)
        yield Figure(f"level 5 of {game}, beside native", round(sum(here) / sum(native), 2), "times", 3)

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


def _with_times(route: Any) -> None:
    """Python's code with a bot's choice that tells how long it took: sources come before compiled modules."""
    archive = io.BytesIO(route.fetch().body())
    with zipfile.ZipFile(archive, "a") as added:
        added.writestr("ludotheque/browser/session.py", Path(session.__file__).read_text("utf-8") + TIMED)
    route.fulfill(body=archive.getvalue(), content_type="application/zip")


if __name__ == "__main__":
    sys.exit(main())
