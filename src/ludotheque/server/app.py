"""The ASGI application: HTTP routes and WebSockets around one registry of tables, started and stopped in order.

How the process is run is in `run`.
"""

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

from ludotheque import __version__
from ludotheque.answers.language import choose_language
from ludotheque.answers.problems import not_found, status_of
from ludotheque.core import BadJson, BadRequest, Problem, game_names
from ludotheque.server import garbage, store
from ludotheque.server.admin.operator import Operator
from ludotheque.server.admin.state import OperatorState, refusal
from ludotheque.server.admission import Admission
from ludotheque.server.connections import refuse_websocket, serve_websocket
from ludotheque.server.crash_reports import install_loop_handler
from ludotheque.server.database import exclusive, open_database
from ludotheque.server.link_preview import tags_for
from ludotheque.server.page import serve_page
from ludotheque.server.problems import (
    Later,
    TooMany,
    busy,
    draining,
    read_only,
    slow_down,
)
from ludotheque.server.registry import TableRegistry
from ludotheque.server.relay_server import serve_relay
from ludotheque.server.routes import router
from ludotheque.server.schemas.base import ErrorBody
from ludotheque.server.schemas.site import Health
from ludotheque.server.security import (
    Application,
    RateLimits,
    Receive,
    Scope,
    SecurityMiddleware,
    Send,
    address_of,
    client_of,
    host_is_ours,
    origin_is_ours,
)
from ludotheque.server.settings import ServerSettings
from ludotheque.server.warm_up import warm_up

LOG: Final = logging.getLogger("ludotheque.server")
LONG_BODY: Final = 8192  # bytes from which an answer is compressed in a thread
HEALTH_SECONDS: Final = 5.0  # after which a write counts as failed: the database is locked or away
MOST_SOCKETS: Final = 1_000_000
MOST_SOCKETS_OF_A_NETWORK: Final = 200  # open at the same time, also through a proxy
CHANGING: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
CHANGED: Final = ("/api/people", "/api/tables", "/api/records")  # what such requests change; others only ask
SOCKET: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,64})/socket")


def _answer(request: Request, problem: Problem, status: int | None = None) -> JSONResponse:
    status = status or status_of(problem)
    language = choose_language(request.headers.get("accept-language", ""))
    body = {"error": {"code": problem.code, "sentence": problem.sentence(language)}}
    wait = problem.retry_after if isinstance(problem, TooMany | Later) else None
    return JSONResponse(body, status, None if wait is None else {"retry-after": str(wait)})


def make_app(settings: ServerSettings) -> Application:
    """The whole server as one ASGI application."""
    limits = RateLimits(settings.rate_limits)
    sockets = Admission(MOST_SOCKETS, MOST_SOCKETS_OF_A_NETWORK if settings.rate_limits else MOST_SOCKETS)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = open_database(settings.database, seed_key=settings.seed_key, forget_seeds=settings.forget_seeds)
        with exclusive(engine):
            relay = None
            address = ""
            shares = engine.dialect.name == "postgresql"
            registry = TableRegistry(engine, settings, address)
            registry.key = await registry.writer.do(lambda connection: store.key(connection, "link"))
            if shares:
                host = settings.link_host
                relay = await serve_relay(registry, registry.key, host)
                port = next(iter(relay.sockets)).getsockname()[1]
                await registry.writer.do(lambda connection: registry.leases.set_address(connection, f"{host}:{port}"))
            app.state.registry, app.state.limits = registry, limits
            install_loop_handler(asyncio.get_running_loop())
            operator = Operator(registry, limits.hits)
            await operator.start()
            if settings.warm_up:
                registry.keep(asyncio.ensure_future(warm_up((registry.workers, registry.questions), registry.live)))
                registry.keep(asyncio.ensure_future(garbage.tend(lambda: registry.gone)))
            LOG.info("open", extra={"database": engine.dialect.name})
            try:
                yield
            finally:
                LOG.info("closing", extra={"tables": len(registry.sessions)})
                operator.stop()
                await registry.close()
                if relay is not None:
                    relay.close()

    app = FastAPI(
        title="Ludothèque", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=6, thread_minimum_size=LONG_BODY)
    app.include_router(router)
    _add_site(app)
    _add_problems(app)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign] # as FastAPI's manual has it
    secured = SecurityMiddleware(app)

    async def http(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not host_is_ours(scope, settings.address):
            await _answer(Request(scope), BadRequest("server.http.host"))(scope, receive, send)
        elif scope["type"] == "http" and not limits.allows("any", address_of(scope)):
            await _answer(Request(scope), slow_down())(scope, receive, send)
        elif scope["type"] == "http" and (refused := _refused_by_operator(app, scope)) is not None:
            await _answer(Request(scope), refused)(scope, receive, send)
        else:
            await secured(scope, receive, send)

    shared = _with_origins(http, settings)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await _websocket(app, settings, limits, sockets, scope, receive, send)
        else:
            await shared(scope, receive, send)

    return serve


def _refused_by_operator(app: FastAPI, scope: Scope) -> Problem | None:
    """Why the operator does not let this request through. The page itself is always served, to show the sentence."""
    path = scope["path"]
    if not path.startswith("/api/"):
        return None
    operation: OperatorState = app.state.registry.operation
    if (ban := operation.bans.of_address(client_of(scope))) is not None:
        return refusal(ban)
    if operation.read_only and scope["method"] in CHANGING and path.startswith(CHANGED):
        return read_only()
    return None


def _with_origins(http: Application, settings: ServerSettings) -> Application:
    """Let pages of the other origins that the operator allows read answers (CORS)."""
    if not settings.origins:
        return http
    return CORSMiddleware(
        http,
        allow_origins=settings.origins,
        allow_methods=("GET", "POST", "PATCH", "DELETE"),
        allow_headers=("authorization", "content-type"),
        expose_headers=("retry-after",),
    )


async def _websocket(
    app: FastAPI,
    settings: ServerSettings,
    limits: RateLimits,
    sockets: Admission,
    scope: Scope,
    receive: Receive,
    send: Send,
) -> None:
    found = SOCKET.fullmatch(scope["path"])
    ours = host_is_ours(scope, settings.address) and origin_is_ours(scope, settings.origins)
    if found is None or not ours or not limits.allows("socket", address_of(scope)):
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": "not here"})
        return
    address = address_of(scope)
    try:
        if sockets.enter(address):
            await serve_websocket(app.state.registry, scope, receive, send, found.group(1))
        else:
            await refuse_websocket(scope, receive, send)
    finally:
        sockets.leave(address)


def _add_site(app: FastAPI) -> None:
    @app.get("/healthz", responses={503: {"model": ErrorBody}}, include_in_schema=True)
    async def healthz(request: Request) -> Health:
        """Whether the server is well and its database takes a write."""
        registry: TableRegistry = request.app.state.registry
        if registry.closing or not registry.leases.valid:
            raise busy()
        if registry.operation.draining:
            raise draining()
        try:
            await asyncio.wait_for(registry.writer.do(store.write_health), HEALTH_SECONDS)
        except TimeoutError as error:
            raise busy() from error
        return Health(ok=True, read_only=registry.operation.read_only)

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        """For Prometheus."""
        registry: TableRegistry = request.app.state.registry
        registry.metrics.add_played()
        text = await asyncio.to_thread(registry.metrics.text)
        return Response(text, media_type="text/plain; version=0.0.4")

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        """This server's OpenAPI document."""
        return Response(await asyncio.to_thread(document), media_type="application/json")

    @cache
    def document() -> bytes:
        return json.dumps(app.openapi(), ensure_ascii=False).encode()

    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        """The page."""
        tags = await tags_for(request, path)
        return serve_page(request, path) if tags is None else await asyncio.to_thread(serve_page, request, path, tags)


def _add_problems(app: FastAPI) -> None:
    @app.exception_handler(Problem)
    async def problem(request: Request, error: Problem) -> JSONResponse:
        return _answer(request, error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first: Any = error.errors()[0]
        place = ".".join(str(part)[:40] for part in first["loc"][:6])
        what = str(first["msg"])[:200]
        return _answer(request, BadJson("json.at", place=place, what=what))

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 404:
            return _answer(request, not_found("address"))
        answer = _answer(request, BadRequest("server.http.method"), error.status_code)
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        LOG.error("a request failed", exc_info=error, extra={"route": _route(request)})
        return _answer(request, Problem("server.http.failed"), status=500)


def _route(request: Request) -> str:
    """The pattern of an address, without its ids: those are invitations."""
    route = request.scope.get("route")
    return str(getattr(route, "path", "?"))


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with this server's games; an invalid body is answered with 400, not 422."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, routes=app.routes)
        for path in document["paths"].values():
            for operation in path.values():
                operation.get("responses", {}).pop("422", None)
                for parameter in operation.get("parameters", ()):
                    if parameter["name"] == "game" and parameter["in"] == "path":
                        parameter["schema"]["enum"] = game_names()
        for model in ("NewTable", "Question"):
            document["components"]["schemas"][model]["properties"]["game"]["enum"] = game_names()
        app.openapi_schema = document
    return app.openapi_schema
