"""Routes for tables: lists, opening one, its invitation. Play goes over the table's socket."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.address import qr
from ludotheque.server.leases import Elsewhere
from ludotheque.server.problems import not_found
from ludotheque.server.registry import TableRegistry
from ludotheque.server.routes.dependencies import Id, KnownPerson, OptionalPerson, TheRegistry, base_of, limit
from ludotheque.server.schemas.tables import Card, Cards, NewTable, Opened, Table

router = APIRouter()


@router.get("/tables")
async def list_tables(
    registry: TheRegistry,
    person: OptionalPerson,
    game: Annotated[str | None, Query(max_length=100)] = None,
    status: Literal["waiting", "playing", "over"] | None = None,
    mine: bool = False,
) -> Cards:
    """Public tables, or mine."""
    whose = str(store.require_person(person)["id"]) if mine else None
    cards = await registry.read(lambda connection: store.list_tables(connection, game, status, whose))
    return Cards(tables=[Card.model_validate(_fresh(registry, card)) for card in cards])


def _fresh(registry: TableRegistry, card: JsonObject) -> JsonObject:
    """A card with what this process knows better: who is present."""
    session = registry.sessions.get(str(card["id"]))
    if session is None:
        return card
    inside = session.state.inside(session.present)
    return {**card, "seats": inside["seats"], "touched": session.state.touched}


@router.post("/tables", status_code=201, dependencies=[limit("new")])
async def open_table(wanted: NewTable, request: Request, person: KnownPerson, registry: TheRegistry) -> Opened:
    """Open a table."""
    session = await registry.open(wanted, person)
    table = Table.model_validate(session.state.inside(session.present))
    return Opened(table=table, url=f"{base_of(request, registry)}t/{table.id}")


@router.get("/tables/{table}")
async def one_table(table: Id, registry: TheRegistry) -> Card:
    """A table from outside."""
    card = await registry.read(lambda connection: store.table_card(connection, table))
    return Card.model_validate(_fresh(registry, card))


@router.get("/tables/{table}/qr.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def table_code(table: Id, request: Request, registry: TheRegistry) -> Response:
    """The invitation as a QR code."""
    await registry.read(lambda connection: store.table_card(connection, table))
    return Response(qr(f"{base_of(request, registry)}t/{table}"), media_type="image/svg+xml")


@router.get("/tables/{table}/record")
async def table_record(table: Id, registry: TheRegistry) -> dict[str, Any]:
    """The record of the current match so far; the seed stays secret until it has ended."""
    session = await registry.find(table)
    if isinstance(session, Elsewhere):
        found = await registry.read_state(table)
    else:
        async with session.lock:
            found = session.state
    if found.match is None:
        raise not_found("match")
    return dict(found.record(reveal=found.ended is not None))
