"""The browser edition in Chromium beside native code in the same run: start, decisions, long tasks, memory. `make bench-browser`.

The site is served by this process, compressed; the first visit comes over a line of 10 Mbit/s that all connections share.
Other programs make a start longer: beside its seconds stands the processor time of all of Chromium's processes, which they
do not change. Long tasks of the page are counted in processor time.
"""

import io
import json
import os
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
from page.moments import MIDDLE, middle
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


class Start(NamedTuple):
    """Seconds from opening the page to the first possible move, and of processor time that Chromium spent on it."""

    seconds: float
    processor: float


def until_a_move(page: Page, site: StaticSite, port: int) -> Start:
    """Open the page and sit down against a bot."""
    began, before = time.perf_counter(), processor_seconds(port)
    page.goto(site.page("/"))
    page.get_by_role("button", name=PLAY).click()
    until(page, MINE, 600)
    seconds, after = time.perf_counter() - began, processor_seconds(port)
    return Start(seconds, sum(spent - before.get(process, 0.0) for process, spent in after.items()))


def processor_seconds(port: int) -> dict[int, float]:
    """Of the browser that listens there and of all processes that it started, by process."""
    parents: dict[int, int] = {}
    spent: dict[int, int] = {}
    root = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        number = int(folder.name)
        parents[number], spent[number] = int(fields[1]), int(fields[11]) + int(fields[12])
        if f"--remote-debugging-port={port}\0".encode() in command and b"--type=" not in command:
            root = number
    assert root, "the browser is gone"
    ours = {root}
    while more := {one for one, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return {one: spent[one] / os.sysconf("SC_CLK_TCK") for one in ours}


def decisions(page: Page, game: str) -> tuple[list[float], list[float]]:
    """Milliseconds that level 5 takes for each decision of a match against itself: in the worker, and for the same positions
    in this process, with native kernels. The first one, which loads weights and reserves memory, does not count."""
    bot(find_game(game), 5).choose(Match(find_game(game), setup=middle(game, MIDDLE[game][1] - 20)).position)
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
    while len(here) < len(native):  # what the worker says comes a moment later
        page.wait_for_timeout(20)
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
    first = until_a_move(context.new_page(), slow, port)
    beside = f"; the aim is 8; {slow.sent / 1e6:.1f} MB until then, {first.processor:.1f} s of processor"
    yield Figure("first visit over 10 Mbit/s", round(first.seconds, 2), "s", 12, beside)
    context.close()
    slow.stop()

    site = StaticSite(SITE)
    context = visitor(browser)
    page = context.new_page()
    until_a_move(page, site, port)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.close()
    cached = []
    for _ in range(ROUNDS):
        page = context.new_page()
        cached.append(until_a_move(page, site, port))
        page.close()
    every = ", ".join(f"{one.seconds:.2f} ({one.processor:.2f})" for one in sorted(cached))
    median = statistics.median(one.seconds for one in cached)
    yield Figure("start when cached, median", round(median, 2), "s", 3, f"; {every} (processor)")

    watched = visitor(browser, "block")  # what a service worker answers cannot be changed on its way
    watched.route("**/worker-*.js", _with_memories)
    watched.route("**/ludotheque.zip", _with_times)
    for game in GAMES:
        page = watched.new_page()
        until_a_move(page, site, port)
        here, native = decisions(page, game)
        page.close()
        beside = (
            f"; median {statistics.median(here):.0f}, native {statistics.median(native):.0f}, at most {max(native):.0f}"
        )
        yield Figure(f"level 5 of {game}, longest of {len(here)}", round(max(here)), "ms", 1000, beside)
        yield Figure(f"level 5 of {game}, beside native", round(sum(here) / sum(native), 2), "times", 3)

    page = watched.new_page()
    until_a_move(page, site, port)
    browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
    play_to_the_end(page, seconds=600)
    longest = longest_task(json.loads(browser.stop_tracing()))
    yield Figure("longest task of the page during play", round(longest, 1), "ms", 50)
    memories = [size for worker in page.workers for size in worker.evaluate(WASM_BYTES)]
    assert len(memories) == 1 + len(GAMES), memories  # Python's, and each game's
    wasm, heap = sum(memories) / 1e6, heaps(port) / 1e6
    yield Figure("memory", round(wasm + heap, 1), "MB", 200, f"; {wasm:.0f} of WASM, {heap:.0f} of JavaScript")

    watched.close()
    site.stop()
    page = context.new_page()
    gone = until_a_move(page, site, port)
    yield Figure("start with the server gone", round(gone.seconds, 2), "s", 3, f"; {gone.processor:.2f} s of processor")


def longest_task(trace: dict[str, Any]) -> float:
    """Milliseconds of processor time that the longest task of a page's main thread took."""
    events = trace["traceEvents"]
    main = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    tasks = [one["tdur"] for one in events if (one["pid"], one["tid"]) in main and "tdur" in one]
    assert tasks, "the trace has no tasks"
    return float(max(tasks)) / 1000


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
