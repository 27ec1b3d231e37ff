"""Routes for people: names, devices, being forgotten, results, and finding an opponent. Secrets are hashed in `store`."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from ludotheque.answers import results
from ludotheque.core import BadJson, BadRequest, JsonObject, readable_name, text
from ludotheque.server import store
from ludotheque.server.address import qr
from ludotheque.server.opponents import look_for_opponent, stop_looking
from ludotheque.server.problems import slow_down
from ludotheque.server.registry import TableRegistry
from ludotheque.server.routes.dependencies import (
    Id,
    KnownPerson,
    QuickRoute,
    TheRegistry,
    answer_in_thread,
    base_of,
    limit,
    secret_of,
    the_limits,
)
from ludotheque.server.schemas.base import Person, Words
from ludotheque.server.schemas.people import GameResults, NewSearch, Search
from ludotheque.server.schemas.site import (
    Identity,
    Link,
    Me,
    NewPerson,
    Report,
    Thanks,
)
from ludotheque.server.security import address_of
from ludotheque.server.store.seekers import is_seeking

router = APIRouter(route_class=QuickRoute)
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
    await registry.delete_person(str(person["id"]))
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
    now = registry.clock.moment()
    code, expires = await registry.writer.do(lambda connection: store.add_link(connection, identity, LINK_SECONDS, now))
    url = f"{base_of(request, registry)}d/{code}"
    return Link(code=code, url=url, qr=await asyncio.to_thread(qr, url), expires=expires)


@router.get("/people/me/results", response_model=GameResults)
async def my_results(
    person: KnownPerson, registry: TheRegistry, before: Annotated[int | None, Query(ge=0, le=2**53)] = None
) -> Response:
    """How my finished games went, and what reviews say of my play."""
    identity = str(person["id"])
    rows = await registry.read(lambda connection: store.list_results(connection, identity, before, results.AT_ONCE))
    return await answer_in_thread(
        lambda: GameResults.model_validate(results.page_of([results.result_of(*row) for row in rows]))
    )


@router.post("/people/me/opponent")
async def find_opponent(wanted: NewSearch, request: Request, person: KnownPerson, registry: TheRegistry) -> Search:
    """Look for an opponent; asked again every few seconds, until there is one."""
    identity, now = str(person["id"]), registry.clock.moment()
    known = await registry.read(lambda connection: is_seeking(connection, identity, now))
    if not known and not the_limits(request).allows("new", address_of(request.scope)):
        raise slow_down()
    found = await look_for_opponent(registry, person, wanted.game)
    return Search(state="waiting" if found.table is None else "found", table=found.table, others=found.others)


@router.delete("/people/me/opponent", status_code=204)
async def stop_search(person: KnownPerson, registry: TheRegistry) -> Response:
    """Look for nobody any longer."""
    await stop_looking(registry, person)
    return Response(status_code=204)


@router.post("/people/links/{code}", dependencies=[limit("new")])
async def use_link(code: Id, registry: TheRegistry) -> Identity:
    """On the other device: become the person of that link."""
    now = registry.clock.moment()
    person, secret = await registry.writer.do(lambda connection: store.use_link(connection, code, now))
    return Identity(person=Person.model_validate(person), secret=secret)


@router.post("/people/{person}/report", dependencies=[limit("new")])
async def report_name(person: Id, report: Report, reporter: KnownPerson, registry: TheRegistry) -> Thanks:
    """Tell the operator that somebody's name is out of place."""
    mine = str(reporter["id"])
    if person == mine:
        raise BadRequest("server.report.oneself")
    name, now = readable_name(report.name or "") or None, registry.clock.moment()
    await registry.writer.do(lambda connection: store.add_report(connection, mine, person, name, now))
    return Thanks(words=Words(text("server.report.thanks").translations()))
