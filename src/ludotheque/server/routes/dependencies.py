"""FastAPI dependencies of the routes: the person who asks, rate limits, and calls in workers."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import Depends, Request
from fastapi import Path as InPath

from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.problems import busy, slow_down
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.base import ErrorBody
from ludotheque.server.security import RateLimits, address_of
from ludotheque.server.workers import WorkFailed, WorkLost
from ludotheque.table import WhoAreYou

WORK_SECONDS: Final = 20.0

ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 413, 429, 503)
}

Id = Annotated[str, InPath(max_length=64, pattern="^[A-Za-z0-9_-]+$")]
GameName = Annotated[str, InPath(max_length=100)]


def the_registry(request: Request) -> TableRegistry:
    """The tables of this process."""
    registry: TableRegistry = request.app.state.registry
    return registry


def the_limits(request: Request) -> RateLimits:
    """The rate limits of this process."""
    limits: RateLimits = request.app.state.limits
    return limits


TheRegistry = Annotated[TableRegistry, Depends(the_registry)]


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


async def in_worker(registry: TableRegistry, function: Any, *arguments: Any) -> Any:
    """Call a function in a worker for questions; Later if that fails or too many wait."""
    try:
        return await registry.questions.ask(WORK_SECONDS, function, *arguments)
    except (WorkLost, WorkFailed) as error:
        raise busy() from error
