"""FastAPI dependencies of the routes: the person who asks, rate limits, and answers made in workers and threads."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any, Final

import orjson
from fastapi import Depends, Request
from fastapi import Path as InPath
from fastapi.responses import Response
from fastapi.routing import APIRoute

from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.admin.state import refusal
from ludotheque.server.costs import Payer
from ludotheque.server.problems import busy, slow_down
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.base import ErrorBody, Model
from ludotheque.server.security import RateLimits, address_of
from ludotheque.server.workers import WorkFailed, WorkLost
from ludotheque.table import WhoAreYou

WORK_SECONDS: Final = 20.0
RECORD_SECONDS: Final = 60.0  # a whole match of physics may have to be computed

ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 413, 429, 503)
}

Id = Annotated[str, InPath(max_length=64, pattern="^[A-Za-z0-9_-]+$")]
GameName = Annotated[str, InPath(max_length=100)]


class QuickRequest(Request):
    """A request whose JSON body orjson reads: the largest one takes the standard library long enough to hold up the loop."""

    async def json(self) -> Any:
        """The body's value."""
        return orjson.loads(await self.body())


class QuickRoute(APIRoute):
    """A route that reads bodies quickly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's own handler, for a quick request."""
        handle = super().get_route_handler()

        async def handler(request: Request) -> Response:
            return await handle(QuickRequest(request.scope, request.receive))

        return handler


def the_registry(request: Request) -> TableRegistry:
    """The tables of this process."""
    registry: TableRegistry = request.app.state.registry
    return registry


def the_limits(request: Request) -> RateLimits:
    """The rate limits of this process."""
    limits: RateLimits = request.app.state.limits
    return limits


TheRegistry = Annotated[TableRegistry, Depends(the_registry)]


def the_asker(request: Request, registry: TheRegistry) -> Payer:
    """The network that a question's processor time is charged to."""
    return registry.costs.payer("question", address_of(request.scope))


Asker = Annotated[Payer, Depends(the_asker)]


def limit(kind: str) -> Any:
    """A rate limit for each address."""

    async def check(request: Request) -> AsyncIterator[None]:
        if not the_limits(request).allows(kind, address_of(request.scope)):
            raise slow_down()
        yield

    return Depends(check)


def secret_of(request: Request) -> str | None:
    """The secret in a request's Authorization header."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" and secret.strip() else None


async def who(request: Request, registry: TheRegistry) -> JsonObject | None:
    """The person who asks, if the request has a secret; WhoAreYou if it is unknown."""
    secret = secret_of(request)
    if secret is None:
        return None
    person = await registry.authenticate(secret)
    if person is None:
        raise WhoAreYou("server.unknown-secret")
    if (ban := registry.operation.bans.of_person(str(person["id"]))) is not None:
        raise refusal(ban)
    return person


async def me(person: Annotated[JsonObject | None, Depends(who)]) -> JsonObject:
    """The person who asks; WhoAreYou without a secret."""
    return store.require_person(person)


OptionalPerson = Annotated[JsonObject | None, Depends(who)]
KnownPerson = Annotated[JsonObject, Depends(me)]


def base_of(request: Request, registry: TableRegistry) -> str:
    """The site's address as the client sees it."""
    public = registry.settings.address
    base = public if public is not None else str(request.base_url)
    return base if base.endswith("/") else base + "/"


async def in_worker(
    registry: TableRegistry, asker: Payer, function: Any, *arguments: Any, seconds: float = WORK_SECONDS
) -> Any:
    """Call a function in a worker for questions; TooMany or Later if it cannot be served now."""
    try:
        return await registry.questions.ask(asker, seconds, function, *arguments)
    except (WorkLost, WorkFailed) as error:
        raise busy() from error


async def answer_in_worker(
    registry: TableRegistry,
    asker: Payer,
    model: type[Model],
    function: Any,
    *arguments: Any,
    seconds: float = WORK_SECONDS,
) -> Response:
    """Answer with what a function finds in a worker. The worker checks and writes it too: a long answer takes long to write."""
    content = await in_worker(registry, asker, _write_found, model, function, *arguments, seconds=seconds)
    return json_response(content)


def _write_found(model: type[Model], function: Any, *arguments: Any) -> bytes:
    return write_model(model.model_validate(function(*arguments)))


async def answer_in_thread(make: Callable[[], Model]) -> Response:
    """Answer with what a function makes, in a thread, where it does not hold up the event loop."""
    return json_response(await asyncio.to_thread(lambda: write_model(make())))


def write_model(model: Model) -> bytes:
    """A model as FastAPI writes it."""
    return model.model_dump_json(by_alias=True).encode()


def json_response(content: bytes) -> Response:
    """JSON that is written already."""
    return Response(content, media_type="application/json")
