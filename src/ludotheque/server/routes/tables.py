"""Routes for tables: lists, opening one, its invitation. Play goes over the table's socket."""

import asyncio
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from ludotheque.answers.problems import not_found
from ludotheque.answers.tables import glance_at
from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.address import qr
from ludotheque.server.leases import Elsewhere
from ludotheque.server.registry import TableRegistry
from ludotheque.server.routes.dependencies import (
    Id,
    KnownPerson,
    OptionalPerson,
    QuickRoute,
    TheRegistry,
    answer_in_thread,
    base_of,
    json_response,
    limit,
)
from ludotheque.server.schemas.tables import Card, Cards, Glance, NewTable, Opened, Table
from ludotheque.table import NotAllowed, TableState
from ludotheque.table.rights import may_enter

router = APIRouter(route_class=QuickRoute)


@router.get("/tables", response_model=Cards)
async def list_tables(
    registry: TheRegistry,
    person: OptionalPerson,
    game: Annotated[str | None, Query(max_length=100)] = None,
    status: Literal["waiting", "playing", "over"] | None = None,
    mine: bool = False,
) -> Response:
    """Public tables, or mine."""
    whose = str(store.require_person(person)["id"]) if mine else None
    cards = await registry.read(lambda connection: store.list_tables(connection, game, status, whose))
    fresh = [_fresh(registry, card, person) for card in cards]
    return await answer_in_thread(lambda: Cards(tables=[Card.model_validate(card) for card in fresh]))


def _fresh(registry: TableRegistry, card: JsonObject, person: JsonObject | None) -> JsonObject:
    """A card with what this process knows better: who is present, and whether the person who asks is to act."""
    session = registry.sessions.get(str(card["id"]))
    if session is None or not registry.leases.valid:
        return {**card, "your_turn": person is not None and card.get(store.AWAITS) == person["id"]}
    state = session.state
    return {
        **card,
        "seats": state.inside(session.present)["seats"],
        "touched": state.touched,
        "your_turn": person is not None and state.acting_person == person["id"],
    }


@router.post("/tables", status_code=201, dependencies=[limit("new")])
async def open_table(wanted: NewTable, request: Request, person: KnownPerson, registry: TheRegistry) -> Opened:
    """Open a table."""
    session = await registry.open(wanted, person)
    table = Table.model_validate(session.state.inside(session.present))
    return Opened(table=table, url=f"{base_of(request, registry)}t/{table.id}")


@router.get("/tables/{table}")
async def one_table(table: Id, registry: TheRegistry, person: OptionalPerson) -> Card:
    """A table from outside; not for whoever was removed from a private one."""
    return Card.model_validate(_fresh(registry, await _card(registry, table, person), person))


async def _card(registry: TableRegistry, table: str, person: JsonObject | None) -> JsonObject:
    """The card of a table for somebody; NotAllowed as on its socket."""
    card = await registry.read(lambda connection: store.table_card(connection, table))
    removed = card.get(store.REMOVED)
    if card["private"] and isinstance(removed, list):
        if person is None:
            raise NotAllowed("table.names-only")
        if person["id"] in removed:
            raise NotAllowed("table.removed")
    return card


@router.get("/tables/{table}/qr.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def table_code(table: Id, request: Request, registry: TheRegistry) -> Response:
    """The invitation as a QR code: the address that was asked for, as a picture."""
    await registry.read(lambda connection: store.table_card(connection, table))
    code = await asyncio.to_thread(qr, f"{base_of(request, registry)}t/{table}")
    return Response(code, media_type="image/svg+xml")


@router.get("/tables/{table}/glance", dependencies=[limit("expensive")])
async def glance_at_table(table: Id, registry: TheRegistry, person: OptionalPerson) -> Glance:
    """The position of the match, for a small board. A table that is in no memory stays so: nobody has come to it."""
    session = registry.sessions.get(table)
    here = session is not None and registry.leases.valid
    if not here:
        await _card(registry, table, person)  # NotFound or NotAllowed before a log is replayed
    state = session.state if session is not None and here else await registry.read_state(table)
    may_enter(state, None if person is None else str(person["id"]))
    return Glance.model_validate(glance_at(state))


@router.get("/tables/{table}/record", response_model=dict[str, Any])
async def table_record(table: Id, registry: TheRegistry, person: OptionalPerson) -> Response:
    """The record of the current match so far, for whoever may watch it; the seed stays secret until it has ended."""
    session = await registry.find(table)
    reader = None if person is None else str(person["id"])
    if isinstance(session, Elsewhere):
        return json_response(await asyncio.to_thread(_write_record, await registry.read_state(table), reader))
    async with session.lock:  # it does not change meanwhile
        return json_response(await asyncio.to_thread(_write_record, session.state, reader))


def _write_record(state: TableState, reader: str | None) -> bytes:
    may_enter(state, reader)
    if state.match is None:
        raise not_found("match")
    return orjson.dumps(state.record(reveal=state.ended is not None))
