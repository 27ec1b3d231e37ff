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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ludotheque.server.schemas.messages import MESSAGES

PATIENCE = 180.0
COMPILED = Path(tempfile.gettempdir()) / f"ludotheque-compiled-{os.getuid()}"


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class House:
    """A server process on a port of its own."""

    def __init__(
        self, database: str, *options: str, port: int | None = None, environment: dict[str, str] | None = None
    ):
        self.database = database
        self.options = options
        self.port = port or free_port()
        self.environment = environment or {}
        self.process: subprocess.Popen[bytes] | None = None
        self.log = Path(os.devnull)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self) -> "House":
        command = [sys.executable, "-m", "ludotheque", "serve", "--no-browser", "--port", str(self.port)]
        command += ["--database", self.database, "--workers", "1", "--no-warm", *self.options]
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(COMPILED), **self.environment}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # dozens of servers: only the first one reads all sources
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self.process.poll() is None, "the server ended while starting"
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return self
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def close(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)


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

    def opens(self, game: str = "yam-master", **wanted: Any) -> str:
        answer = self.ask("POST", "/api/tables", {"game": game, **wanted})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["table"]["id"])

    def enters(self, table: str, **hello: Any) -> "Chair":
        return Chair(self.home, table, self.secret, **hello)


CHAIRS: "list[Chair]" = []
"""Every connection that a test has opened. Each has threads that use the global `random`: none may outlive its test."""


class Chair:
    """One connection to a table. Every message that comes is checked against the published schema."""

    def __init__(self, home: House, table: str, secret: str | None, *, last: int | None = None, language: str = "en"):
        self.socket: ClientConnection = connect(
            f"ws://127.0.0.1:{home.port}/api/tables/{table}/socket",
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
        if message["what"] == "state":
            self.seats = message["you"]["seats"]
        if message["what"] in ("state", "step", "table"):
            if message["what"] != "state" and self.number:
                assert message["number"] == self.number + 1, "numbered messages come without gaps"
            self.number = message["number"]
            self.position = message["position"]
            if message["table"] is not None:
                self.table = message["table"]
        return message

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
