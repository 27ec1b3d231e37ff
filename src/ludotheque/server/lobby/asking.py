"""What every address shares: who asks, how often they may, and where work that takes long is done.

The addresses themselves are in the module of their subject.
"""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import Depends, Request
from fastapi import Path as InPath

from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.hall import Hall
from ludotheque.server.problems import WhoAreYou, come_later, slow_down
from ludotheque.server.schemas.base import ErrorBody
from ludotheque.server.security import Gate, address_of
from ludotheque.server.workers import WorkFailed, WorkLost

WORK_SECONDS: Final = 20.0

ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 413, 429, 503)
}

Id = Annotated[str, InPath(max_length=64, pattern="^[A-Za-z0-9_-]+$")]
GameName = Annotated[str, InPath(max_length=100)]


def the_hall(request: Request) -> Hall:
    """This server's hall."""
    hall: Hall = request.app.state.hall
    return hall


def the_gate(request: Request) -> Gate:
    """This server's limits."""
    gate: Gate = request.app.state.gate
    return gate


AHall = Annotated[Hall, Depends(the_hall)]


def limit(kind: str) -> Any:
    """So often and no more, for each address."""

    async def check(request: Request) -> AsyncIterator[None]:
        if not the_gate(request).lets(kind, address_of(request.scope)):
            raise slow_down()
        yield

    return Depends(check)


def secret_of(request: Request) -> str | None:
    """The secret that came with a request."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" and secret.strip() else None


async def who(request: Request, hall: AHall) -> JsonObject | None:
    """Who asks, if they say so; WhoAreYou if what they say is unknown."""
    secret = secret_of(request)
    if secret is None:
        return None
    person = await hall.recognise(secret)
    if person is None:
        raise WhoAreYou(
            "This secret is unknown here; choose a name again.",
            "Ce secret est inconnu ici ; choisissez à nouveau un nom.",
        )
    return person


async def me(person: Annotated[JsonObject | None, Depends(who)]) -> JsonObject:
    """Who asks, and they must say so."""
    return store.must_be(person)


Anyone = Annotated[JsonObject | None, Depends(who)]
Someone = Annotated[JsonObject, Depends(me)]


def base_of(request: Request, hall: Hall) -> str:
    """Where the page is, as whoever asks sees it."""
    public = hall.operator.address
    base = public if public is not None else str(request.base_url)
    return base if base.endswith("/") else base + "/"


async def in_worker(hall: Hall, function: Any, *arguments: Any) -> Any:
    """Have a worker do something that takes long or may go wrong."""
    try:
        return await hall.workers.run(WORK_SECONDS, function, *arguments)
    except (WorkLost, WorkFailed) as error:
        raise come_later() from error
