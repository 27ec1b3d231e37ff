"""Runs the server: one process, or several that share a PostgreSQL and one port. The application is in `app`."""

import asyncio
import dataclasses
import json
import logging
import logging.config
import os
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import Final

import segno
import uvicorn
from uvicorn.supervisors import Multiprocess

from ludotheque.answers.language import DEFAULT
from ludotheque.core import BadRequest, text
from ludotheque.core.problems import reason
from ludotheque.server.address import urls
from ludotheque.server.admission import (
    MOST_FROM_A_NETWORK,
    RESERVED_FILES,
    Admission,
    HttpConnection,
    raise_file_limit,
)
from ludotheque.server.app import make_app
from ludotheque.server.crash_reports import install_crash_handlers
from ludotheque.server.database import check_database
from ludotheque.server.environment import SETTINGS, remove_secrets, with_password
from ludotheque.server.logging_setup import logging_config
from ludotheque.server.schemas.base import LARGEST_MESSAGE
from ludotheque.server.security import Application
from ludotheque.server.settings import ServerSettings
from ludotheque.server.transport import AsgiHandshake

LOG: Final = logging.getLogger("ludotheque.server")


def from_environment() -> Application:
    """The application of a server process that a supervisor started."""
    chosen = json.loads(os.environ[SETTINGS])
    chosen["origins"] = tuple(chosen["origins"])
    chosen["database"] = with_password(chosen["database"], os.environ)
    remove_secrets(os.environ)
    logging.config.dictConfig(logging_config())
    install_crash_handlers()
    return make_app(ServerSettings(**chosen))


def websocket_class() -> Callable[..., asyncio.Protocol]:
    """What serves WebSockets: picows, or uvicorn's own way where picows is not what we know. That one is slower."""
    try:
        from ludotheque.server.websocket import WebSocketHandshake, check_picows  # noqa: PLC0415 - may be missing
    except (ImportError, AttributeError) as error:
        problem: str | None = type(error).__name__
    else:
        problem = check_picows()
        if problem is None:
            return WebSocketHandshake
    LOG.warning("picows is not as expected: WebSockets take the slower way", extra={"error": problem})
    return AsgiHandshake


def _configured(settings: ServerSettings, forwarded: str | None, processes: int) -> uvicorn.Config:
    most = max(RESERVED_FILES, raise_file_limit() - RESERVED_FILES)
    admission = Admission(most, MOST_FROM_A_NETWORK if settings.rate_limits else most, forwarded)
    return uvicorn.Config(
        "ludotheque.server.run:from_environment",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=processes,
        loop="asyncio",  # on every system; uvloop is no faster here: docs/decisions/picows.md
        log_config=None,
        access_log=False,  # addresses of tables are invitations
        server_header=False,
        proxy_headers=forwarded is not None,
        forwarded_allow_ips=forwarded,
        http=partial(HttpConnection, admission=admission),  # type: ignore[arg-type] # any callable will do
        ws=partial(websocket_class(), admission=admission),  # type: ignore[arg-type]
        ws_max_size=LARGEST_MESSAGE,  # this and the following for AsgiHandshake; ours has its own
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        limit_concurrency=50_000,
        h11_max_incomplete_event_size=65_536,
    )


def serve(
    settings: ServerSettings,
    *,
    processes: int = 1,
    browser: bool = False,
    forwarded: str | None = None,
    language: str = DEFAULT,
) -> None:
    """Serve until told to stop. `language` is that of the terminal."""
    if processes > 1 and settings.database.startswith("sqlite"):
        raise BadRequest("server.run.needs-postgresql")
    check_database(settings.database, seed_key=settings.seed_key, forget_seeds=settings.forget_seeds)
    logging.config.dictConfig(logging_config())
    install_crash_handlers()
    os.environ[SETTINGS] = json.dumps(dataclasses.asdict(settings))
    config = _configured(settings, forwarded, processes)
    sock = _bind(settings)
    port = sock.getsockname()[1]
    _announce(settings, port, browser, language)
    if processes == 1:
        uvicorn.Server(config).run(sockets=[sock])
    else:
        Multiprocess(config, sockets=[sock]).run()


def _bind(settings: ServerSettings) -> socket.socket:
    """The port, taken before anything else, so that a mistake is told at once."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    sock = socket.socket(family)
    if sys.platform != "win32":  # there it would let two servers take the same port
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((settings.host, settings.port))
    except OSError as error:
        sock.close()
        raise BadRequest("server.run.port", address=f"{settings.host}:{settings.port}", why=reason(error)) from error
    sock.set_inheritable(True)
    return sock


def _announce(settings: ServerSettings, port: int, browser: bool, language: str) -> None:
    """Say where the page is; when the server answers, open it."""
    here = settings.address or f"http://{'localhost' if settings.host in ('0.0.0.0', '::') else settings.host}:{port}/"  # noqa: S104 - compared
    sys.stdout.write(f"Ludothèque: {here}\n")
    for url in urls(settings.host, port, None):
        sys.stdout.write(f"  {text('server.run.in-your-network', url=url).sentence(language)}\n")
        if sys.stdout.isatty():  # to be scanned by a phone in the living room
            segno.make(url, error="m", micro=False).terminal(compact=True)
    if sys.stdout.isatty():
        sys.stdout.write(f"{text('server.run.stop').sentence(language)}\n")
    sys.stdout.flush()
    if browser:
        threading.Thread(target=_open_page, args=(here,), daemon=True).start()


def _open_page(url: str) -> None:
    for _ in range(100):
        try:
            with urllib.request.urlopen(url + "healthz", timeout=1):  # noqa: S310 - our own
                webbrowser.open(url)
                return
        except OSError:
            time.sleep(0.2)
