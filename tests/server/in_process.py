"""The whole application in this very process, for tests that look inside: it is called without a network or a client library."""

import asyncio
import contextlib
import gzip
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ludotheque.server.app import make_app
from ludotheque.server.security import Application
from ludotheque.server.settings import ServerSettings


@dataclass
class Answer:
    """What a request was answered with."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> bytes:
        return gzip.decompress(self.raw) if self.headers.get("content-encoding") == "gzip" else self.raw

    def json(self) -> Any:
        return json.loads(self.body)


class InProcess:
    """The application, started."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def ask(
        self, method: str, path: str, body: bytes | dict[str, Any] = b"", headers: dict[str, str] | None = None
    ) -> Answer:
        """Make a request, as a browser would that reads gzip."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"host": "localhost", "accept-encoding": "gzip", "content-type": "application/json", **(headers or {})}
        url = urlsplit(path)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": url.path,
            "raw_path": url.path.encode(),
            "query_string": url.query.encode(),
            "root_path": "",
            "headers": [
                (name.encode(), value.encode())
                for name, value in {**given, "content-length": str(len(content))}.items()
            ],
            "client": ("127.0.0.1", 50_000),
            "server": ("localhost", 80),
        }
        told: list[Any] = []
        read = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if read.is_set():
                await asyncio.Event().wait()  # a client that stays: answers with files listen for its going away
            read.set()
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Any) -> None:
            told.append(message)

        await self._app(scope, receive, send)
        start = next(one for one in told if one["type"] == "http.response.start")
        answered = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
        parts = [one.get("body", b"") for one in told if one["type"] == "http.response.body"]
        return Answer(start["status"], answered, b"".join(parts))


@contextlib.asynccontextmanager
async def serving(settings: ServerSettings) -> AsyncIterator[InProcess]:
    """Start the application, and stop it in the end."""
    app = make_app(settings)
    inbox: asyncio.Queue[Any] = asyncio.Queue()
    outbox: asyncio.Queue[Any] = asyncio.Queue()
    life = asyncio.ensure_future(app({"type": "lifespan", "asgi": {"version": "3.0"}}, inbox.get, outbox.put))
    await inbox.put({"type": "lifespan.startup"})
    assert (await outbox.get())["type"] == "lifespan.startup.complete"
    try:
        yield InProcess(app)
    finally:
        await inbox.put({"type": "lifespan.shutdown"})
        await life
