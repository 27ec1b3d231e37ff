"""A real server with the built page, and real browsers with people in front of them."""

import contextlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Playwright
from websockets.sync.client import connect

PROJECT = Path(__file__).parent.parent.parent
FLAGS = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # WebGL without a graphics card: slow, and the same everywhere
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
PATIENCE = 60_000  # milliseconds; the machines that run this may be busy


def builder() -> Any:
    """web/build_page.py, which is no part of a package: it builds the page and knows where Node is."""
    spec = importlib.util.spec_from_file_location("build_page", PROJECT / "web" / "build_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chromium() -> str | None:
    """A Chromium: the one that is named, the machine's, or the npm package's where there is none."""
    named = os.environ.get("LUDOTHEQUE_CHROMIUM")
    if named:
        return named
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    folder = PROJECT / "out" / "chromium"
    folder.mkdir(parents=True, exist_ok=True)
    environment, npm = builder().node_tools()
    script = 'import("@sparticuz/chromium").then(async (m) => console.log(await m.default.executablePath()))'
    install = [*npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "@sparticuz/chromium@153"]
    if subprocess.run(install, env=environment, capture_output=True, check=False).returncode:
        return None
    node = shutil.which("node", path=environment["PATH"]) or "node"
    told = subprocess.run(
        [node, "-e", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or None


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Site:
    """One server on this machine."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def page(self, address: str) -> str:
        """Where the server has one of the page's addresses."""
        return self.url + address

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "ludotheque",
            "serve",
            "--port",
            str(self.port),
            "--no-browser",
            "--no-limits",
            "--workers",
            "1",
        ]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--database", f"sqlite:///{self.folder / 'tables.db'}"],
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
            )
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.2)
        self.stop()
        raise AssertionError((self.folder / "server.log").read_text()[-3000:])

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=30)
            self.process = None

    def ask(self, method: str, path: str, body: object = None, secret: str | None = None) -> Any:
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {secret}"} if secret else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


class Wire:
    """The network between a browser and the server: a plain relay that can be cut, hushed and mended."""

    def __init__(self, site: Site) -> None:
        self._far = site.port
        self.port = free_port()
        self._ends: list[socket.socket] = []
        self._whole = True
        self._flows = threading.Event()
        self._flows.set()
        self._door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._far))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._relay, args=(one, other), daemon=True).start()

    def _relay(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                self._flows.wait()
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        self._whole = False
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def hush(self) -> None:
        """Let nothing pass, and tell nobody: all connections stay open."""
        self._flows.clear()

    def mend(self) -> None:
        self._whole = True
        self._flows.set()

    def close(self) -> None:
        self.cut()
        self._flows.set()
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        for end in [self._door, *self._ends]:
            end.close()


def launch(playwright: Playwright, executable: str) -> Browser:
    return playwright.chromium.launch(executable_path=executable, chromium_sandbox=False, args=FLAGS)


@dataclass
class People:
    """Makes people: a browser profile each, with a language, a screen and an identity; their mishaps are collected."""

    browser: Browser
    site: Any
    """The server, or the static site where everything is hosted in the browser."""
    mishaps: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)
    address: str | None = None

    def come(self, path: str = "/", *, name: str | None = None, language: str = "en-GB", **screen: Any) -> Page:
        usual: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}, "reduced_motion": "reduce"}
        context = self.browser.new_context(locale=language, **(usual | screen))
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if name is not None:
            secret = self.site.ask("POST", "/api/people", {"name": name})["secret"]
            context.add_init_script(
                f"if (!localStorage['ludotheque.secret']) localStorage['ludotheque.secret'] = {json.dumps(secret)}"
            )
        context.on("request", self._watch)
        page = context.new_page()
        page.on("pageerror", lambda error: self.mishaps.append(f"{page.url}: {error}"))
        page.goto(self.address + path if self.address else self.site.page(path))
        return page

    def _watch(self, request: Any) -> None:
        """No address outside the server is contacted."""
        if not request.url.startswith((self.address or self.site.url, "data:", "blob:")):
            self.mishaps.append(f"a request to {request.url}")

    def leave(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()


def open_table(site: Site, game: str, **more: Any) -> tuple[str, str]:
    """A table opened by a program, with its host's secret: the page comes to it by its link."""
    secret = site.ask("POST", "/api/people", {"name": "Host"})["secret"]
    table = site.ask("POST", "/api/tables", {"game": game, **more}, secret)["table"]
    if table["dice"]["awaited"]:
        with connect(f"ws://127.0.0.1:{site.port}/api/tables/{table['id']}/socket", proxy=None) as socket:
            socket.send(json.dumps({"do": "hello", "version": 1, "secret": secret}))
            socket.send(json.dumps({"do": "contribute", "id": "number", "at": 1, "number": "of the host"}))
            while json.loads(socket.recv(PATIENCE / 1000)).get("why") != "contributed":
                pass
    return table["id"], secret


def sit_against_bot(people: People, game: str, **more: Any) -> Page:
    """Anna at a table of two with a quick bot: the window in which she has taken her seat."""
    seats = [{"kind": "open"}, {"kind": "bot", "level": 1}]
    table, _ = open_table(people.site, game, **{"seats": seats, "settings": {"pace": 0}, **more})
    page = people.come(f"/t/{table}", name="Anna")
    page.get_by_role("button", name="Sit here").click()
    return page


def upload(site: Site, record: Any) -> str:
    """A record that somebody brings along; its name at the server."""
    secret = site.ask("POST", "/api/people", {"name": "Host"})["secret"]
    return str(site.ask("POST", "/api/records", record, secret)["id"])


def serious(page: Page, only: str | None = None) -> list[str]:
    """What axe finds that keeps somebody from using the page."""
    options = {"runOnly": {"type": "rule", "values": [only]}} if only else None
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['any'][:1]}"
        for one in Axe().run(page, options=options).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def until(page: Page, expression: str, seconds: float = PATIENCE / 1000) -> None:
    """Wait until something is so on the page. (Playwright's own way needs `eval`, which our pages do not allow.)"""
    deadline = time.monotonic() + seconds
    while not page.evaluate(f"() => !!({expression})"):
        assert time.monotonic() < deadline, f"not so after {seconds} s: {expression} on {page.url}, {page.title()}"
        page.wait_for_timeout(30)


def at_rest(page: Page) -> None:
    """Wait until it is one's turn, or the end, and everything that was played has been answered and shown."""
    mine = "document.title.startsWith('●') && document.querySelector('.board-room[aria-busy=false]')"
    until(page, f"({mine}) || document.querySelector('.ended')")


def with_a_clock_in_hand(
    page: Page, ready: str = "document.querySelector('.board-room[aria-busy=false], .seats')"
) -> None:
    """The page's time stands still from now on, and moves on by `page.clock.run_for` alone."""
    page.clock.install()
    page.reload()
    until(page, ready)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)


def becomes_so(page: Page, expression: str, seconds: float = 3) -> bool:
    """Whether something comes to be so soon: a board that is given another size is laid out a moment later."""
    try:
        until(page, expression, seconds)
    except AssertionError:
        return False
    return True


# In Twisty, a square that one tap goes to; a square at the end of a chain shows the chain first.
A_STEP = '[data-spot][aria-disabled="false"][aria-label*="go there"]'

DO_SOMETHING = """() => {
  if (document.querySelector('.ended')) return 'over';
  if (!document.title.startsWith('●')) return 'waiting';
  const pick = (some) => some[Math.floor(Math.random() * some.length)];
  const spots = [...document.querySelectorAll('[data-spot][aria-disabled="false"]')];
  const buttons = [...document.querySelectorAll('.hand .actions button:not([disabled])')];
  const choices = spots.length && buttons.length ? (Math.random() < 0.6 ? spots : buttons) : spots.length ? spots : buttons;
  if (!choices.length) return 'nothing';
  pick(choices).click();
  return 'played';
}"""


def play_to_the_end(*pages: Page, seconds: float = 100, each: Callable[[], None] | None = None) -> None:
    """Everybody plays whatever can be tapped until all see the end."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        told = [page.evaluate(DO_SOMETHING) for page in pages]
        if all(one == "over" for one in told):
            return
        if each is not None:
            each()
        if "played" not in told:
            pages[0].wait_for_timeout(30)
        else:
            pages[0].wait_for_timeout(8)
    raise AssertionError(f"nobody saw the end: {told}, {[page.title() for page in pages]}")
