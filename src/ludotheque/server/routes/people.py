"""Routes for people: names, devices, and being forgotten. Secrets are hashed in `store`."""

from collections.abc import Sequence
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlalchemy.engine import Connection

from ludotheque.core import BadJson, JsonObject, Problem, readable_name
from ludotheque.server import store
from ludotheque.server.address import qr
from ludotheque.server.registry import TableRegistry
from ludotheque.server.routes.dependencies import Id, KnownPerson, TheRegistry, base_of, limit, secret_of
from ludotheque.server.schemas.base import Person
from ludotheque.server.schemas.site import (
    Identity,
    Link,
    Me,
    NewPerson,
)

router = APIRouter()
LINK_SECONDS: Final = 600


@router.post("/people", status_code=201, dependencies=[limit("new")])
async def new_person(wanted: NewPerson, registry: TheRegistry) -> Identity:
    """Give oneself a name."""
    name = _name(wanted.name)
    person, secret = await registry.writer.do(lambda connection: store.add_person(connection, name))
    return Identity(person=Person.model_validate(person), secret=secret)


def _name(given: str) -> str:
    """A name as it is shown; BadJson if nothing of it can be seen."""
    if not (name := readable_name(given)):
        raise BadJson("server.empty-name")
    return name


async def _me(registry: TableRegistry, person: JsonObject) -> Me:
    count = await registry.read(lambda connection: store.count_devices(connection, str(person["id"])))
    return Me(person=Person.model_validate(person), devices=count)


@router.get("/people/me")
async def read_me(person: KnownPerson, registry: TheRegistry) -> Me:
    """Who I am."""
    return await _me(registry, person)


@router.patch("/people/me", dependencies=[limit("new")])
async def rename_me(wanted: NewPerson, person: KnownPerson, registry: TheRegistry) -> Me:
    """Another name from now on."""
    identity, name = str(person["id"]), _name(wanted.name)
    await registry.writer.do(lambda connection: store.rename(connection, identity, name))
    registry.forget_person(identity)
    return await _me(registry, {"id": identity, "name": name})


@router.delete("/people/me", status_code=204)
async def forget_me(person: KnownPerson, registry: TheRegistry) -> Response:
    """Forget everything about me."""
    identity = str(person["id"])
    for session in list(registry.sessions.values()):
        await session.forget(identity)

    def forget(connection: Connection) -> Sequence[str]:
        concerned = store.forget_person(connection, identity)
        registry.leases.revoke(connection, registry.sessions, concerned)
        return concerned

    concerned = await registry.writer.do(forget)
    await registry.close_revoked()
    for table in concerned:  # those that were not in memory: loading one takes the person out
        try:
            await registry.find(table)
        except Problem:  # whoever loads it later takes the person out
            continue
    return Response(status_code=204)


@router.delete("/people/me/devices", status_code=204)
async def forget_devices(request: Request, person: KnownPerson, registry: TheRegistry) -> Response:
    """My other devices' secrets stop working."""
    identity, secret = str(person["id"]), secret_of(request)
    assert secret is not None
    await registry.writer.do(lambda connection: store.forget_other_devices(connection, identity, secret))
    await registry.close_revoked()
    return Response(status_code=204)


@router.post("/people/me/links", status_code=201, dependencies=[limit("new")])
async def new_link(request: Request, person: KnownPerson, registry: TheRegistry) -> Link:
    """A one-time link for another device."""
    identity = str(person["id"])
    code, expires = await registry.writer.do(lambda connection: store.add_link(connection, identity, LINK_SECONDS))
    url = f"{base_of(request, registry)}d/{code}"
    return Link(code=code, url=url, qr=qr(url), expires=expires)


@router.post("/people/links/{code}", dependencies=[limit("new")])
async def use_link(code: Id, registry: TheRegistry) -> Identity:
    """On the other device: become the person of that link."""
    person, secret = await registry.writer.do(lambda connection: store.use_link(connection, code))
    return Identity(person=Person.model_validate(person), secret=secret)
