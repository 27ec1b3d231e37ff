"""A real server in its own process, and guests that talk to it over real sockets: no mocks."""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from ludotheque.server.schemas.messages import MESSAGES

PATIENCE = 180.0
Result = TypeVar("Result")
COMPILED = Path(tempfile.gettempdir()) / f"ludotheque-compiled-{os.getuid()}"


PORTS = range(10_000, 32_000)
"""Below those that systems give to outgoing connections: one of a client's cannot take a port before its server starts."""


def free_port() -> int:
    """A port at which nobody listens."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as sock, contextlib.suppress(OSError):
            sock.bind(("127.0.0.1", port))
            return port


def command(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """A command of the program, in a process of its own and in English."""
    settings = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "en", "COLUMNS": "1000", **environment}
    line = [sys.executable, "-m", "ludotheque", *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, check=False, env=settings)


def refused(done: "subprocess.CompletedProcess[str]", *words: str) -> None:
    """A problem is told in words on standard error, with exit status 2."""
    assert done.returncode == 2, done
    assert all(one in done.stderr for one in words), done.stderr
    assert "Traceback" not in done.stderr


class House:
    """A server process on a port of its own."""

    def __init__(
        self,
        database: str,
        *options: str,
        port: int | None = None,
        environment: dict[str, str] | None = None,
        host: str = "127.0.0.1",
        program: Sequence[str] = (sys.executable, "-m", "ludotheque"),
    ):
        self.database = database
        self.options = options
        self.host = host
        self.program = program
        self.port = port or free_port()
        self.environment = environment or {}
        self.process: subprocess.Popen[bytes] | None = None
        self.log: Path | None = None  # where its log goes; to this process's standard error if nowhere else

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def start(self) -> None:
        """Start it without waiting until it answers."""
        command = [*self.program, "serve", "--no-browser", "--host", self.host, "--port", str(self.port)]
        command += ["--database", self.database, "--workers", "1", "--no-warm", *self.options]
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(COMPILED), **self.environment}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # dozens of servers: only the first one reads all sources
        with open(os.devnull if self.log is None else self.log, "ab") as log:  # noqa: PTH123 - either
            errors = None if self.log is None else log
            self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors)

    def open(self) -> "House":
        self.start()
        return self.wait()

    def wait(self) -> "House":
        """Wait until it answers."""
        assert self.process is not None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            log = "" if self.log is None else self.log.read_text("utf-8")[-2000:]
            assert self.process.poll() is None, f"the server ended while starting {log}"
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return self
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def close(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(PATIENCE)
                raise


@contextlib.contextmanager
def house(database: str, *options: str, environment: dict[str, str] | None = None) -> Iterator[House]:
    one = House(database, *options, environment=environment).open()
    try:
        yield one
    finally:
        one.close()


class Guest:
    """A person with a secret."""

    def __init__(self, home: House, name: str) -> None:
        self.home = home
        answer = httpx.post(f"{home.url}/api/people", json={"name": name}, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        self.secret = str(answer.json()["secret"])
        self.id = str(answer.json()["person"]["id"])
        self.name = name

    @classmethod
    def known(cls, home: House, person: dict[str, str]) -> "Guest":
        """Somebody who got id and secret earlier."""
        guest = cls.__new__(cls)
        guest.home, guest.name, guest.id, guest.secret = home, person["name"], person["id"], person["secret"]
        return guest

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.secret}", **more.pop("headers", {})}
        return httpx.request(method, self.home.url + path, json=body, headers=headers, timeout=PATIENCE, **more)

    def opens(self, game: str = "yam-master", *, contributes: bool = True, **wanted: Any) -> str:
        """Open a table and, as the page does, look at its commitment and send a number for the dice."""
        answer = self.ask("POST", "/api/tables", {"game": game, **wanted})
        assert answer.status_code == 201, answer.text
        table = str(answer.json()["table"]["id"])
        if contributes and answer.json()["table"]["dice"]["awaited"]:
            chair = self.enters(table)
            chair.until("table", why="contributed")
            chair.leaves()
        return table

    def enters(self, table: str, **hello: Any) -> "Chair":
        return Chair(self.home, table, self.secret, **hello)


def eventually(work: Callable[[], Result]) -> Result:
    """Do something at a site that may be away for a moment; try again until it succeeds."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except (AssertionError, ConnectionClosed, InvalidHandshake, OSError, httpx.HTTPError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


CHAIRS: "list[Chair]" = []
"""Every connection that a test has opened. Each has threads that use the global `random`: none may outlive its test."""


class Chair:
    """One connection to a table. Every message that comes is checked against the published schema.

    As the page does, it sends the number that the table awaits of this person; a `silent` one does not.
    """

    def __init__(
        self,
        home: House,
        table: str,
        secret: str | None,
        *,
        last: int | None = None,
        language: str = "en",
        silent: bool = False,
    ):
        self.socket: ClientConnection = connect(
            f"ws://{home.address}/api/tables/{table}/socket",
            max_size=None,
            max_queue=None,  # whoever is not listened to for a while still answers the server's pings
            open_timeout=PATIENCE,
            proxy=None,
        ).__enter__()
        self.heard: list[dict[str, Any]] = []
        self.number = 0
        self.position: dict[str, Any] | None = None
        self.table: dict[str, Any] = {}
        self.seats: list[int] = []
        self.person: str | None = None
        self.silent = silent
        hello: dict[str, Any] = {"do": "hello", "version": 1, "language": language}
        if secret is not None:
            hello["secret"] = secret
        if last is not None:
            hello["last"] = last
        CHAIRS.append(self)
        self.sends(**hello)

    def sends(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def asks(self, do: str, **more: Any) -> str:
        request = str(more.pop("id", secrets.token_hex(8)))
        self.sends(do=do, id=request, at=more.pop("at", self.number), **more)
        return request

    def hears(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message; what it says of the table is remembered."""
        text = self.socket.recv(seconds)
        assert isinstance(text, str)
        MESSAGES.validate_json(text)
        message: dict[str, Any] = json.loads(text)
        self.heard.append(message)
        if message["what"] == "welcome" and message["person"] is not None:
            self.person = message["person"]["id"]
        if message["what"] == "state":
            self.seats = message["you"]["seats"]
        if message["what"] in ("state", "step", "table"):
            if message["what"] != "state" and self.number:
                assert message["number"] == self.number + 1, "numbered messages come without gaps"
            self.number = message["number"]
            self.position = message["position"]
            if message["table"] is not None:
                self.table = message["table"]
                self._contribute()
        return message

    def _contribute(self) -> None:
        """Send a number for the dice, once."""
        seats = [self.table["seats"][seat]["person"]["id"] for seat in self.table["dice"]["awaited"]]
        if self.person in seats and not self.silent:
            self.silent = True
            self.asks("contribute", number=f"number {secrets.token_hex(4)}")

    def until(self, what: str, seconds: float = PATIENCE, **like: Any) -> dict[str, Any]:
        """Listen until a message of that kind, with these values, comes."""
        deadline = time.monotonic() + seconds
        while True:
            message = self.hears(max(0.01, deadline - time.monotonic()))
            if message["what"] == what and all(message.get(key) == value for key, value in like.items()):
                return message

    def quiet(self, seconds: float = 0.3) -> list[dict[str, Any]]:
        """Whatever still comes within a moment."""
        heard = []
        with contextlib.suppress(TimeoutError):
            while True:
                heard.append(self.hears(seconds))
        return heard

    def closed(self, seconds: float = PATIENCE) -> int | None:
        """The code with which the server ends the connection."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.hears(seconds)
        return self.socket.close_code

    def leaves(self) -> None:
        self.socket.close()
