"""Routes for records: finished games, uploads, their stories, and whether dice were fair. `ludotheque.answers` replays them."""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from ludotheque.answers import positions
from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.routes.dependencies import (
    RECORD_SECONDS,
    Asker,
    Id,
    KnownPerson,
    OptionalPerson,
    QuickRoute,
    TheRegistry,
    answer_in_thread,
    answer_in_worker,
    in_worker,
    limit,
)
from ludotheque.server.schemas.records import RecordCard, RecordCards, Story, Verdict

router = APIRouter(route_class=QuickRoute)
RECORD_BODY: Final = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
}


@router.get("/records", response_model=RecordCards)
async def list_records(
    registry: TheRegistry,
    person: OptionalPerson,
    game: Annotated[str | None, Query(max_length=100)] = None,
    mine: bool = False,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> Response:
    """Finished games, or mine."""
    whose = str(store.require_person(person)["id"]) if mine else None
    cards = await registry.read(lambda connection: store.list_records(connection, game, before, whose))
    return await answer_in_thread(lambda: _page_of(cards))


def _page_of(cards: Sequence[JsonObject]) -> RecordCards:
    found = [RecordCard.model_validate(card) for card in cards]
    return RecordCards(records=found, before=found[-1].ended if len(found) == 50 else None)


@router.post("/records", status_code=201, dependencies=[limit("expensive")], openapi_extra=RECORD_BODY)
async def upload_record(request: Request, person: KnownPerson, registry: TheRegistry, asker: Asker) -> RecordCard:
    """Keep a record of one's own; it is replayed, and refused where it is not legal."""
    content = await request.body()
    facts, body = await in_worker(registry, asker, positions.check_record, content, seconds=RECORD_SECONDS)
    identity = str(person["id"])
    digest = await asyncio.to_thread(lambda: hashlib.sha256(identity.encode() + content).hexdigest()[:24])
    card = {"id": f"u-{digest}", **facts, "ended": store.moment(), "how": "played", "uploaded": True}
    await registry.writer.do(lambda connection: store.add_upload(connection, card, body, identity))
    return RecordCard.model_validate(card)


@router.get("/records/{record}")
async def one_record(record: Id, registry: TheRegistry, download: bool = False) -> Response:
    """A record."""
    text = await registry.read(lambda connection: store.read_record_text(connection, record).encode())  # megabytes
    headers = {"content-disposition": f'attachment; filename="ludotheque-{record}.json"'} if download else None
    return Response(text, media_type="application/json", headers=headers)


@router.get("/records/{record}/story", response_model=Story, dependencies=[limit("expensive")])
async def record_story(record: Id, registry: TheRegistry, asker: Asker) -> Response:
    """A whole game in words and positions."""
    text = await registry.read(lambda connection: store.read_record_text(connection, record))
    return await answer_in_worker(registry, asker, Story, positions.story, text, seconds=RECORD_SECONDS)


@router.get("/records/{record}/verdict", dependencies=[limit("expensive")])
async def record_verdict(record: Id, registry: TheRegistry, asker: Asker) -> Verdict:
    """Were the dice fair?"""
    text = await registry.read(lambda connection: store.read_record_text(connection, record))
    return Verdict.model_validate(await in_worker(registry, asker, positions.verdict, text, seconds=RECORD_SECONDS))


@router.delete("/records/{record}", status_code=204)
async def delete_record(record: Id, person: KnownPerson, registry: TheRegistry) -> Response:
    """Remove an upload of mine."""
    identity = str(person["id"])
    await registry.writer.do(lambda connection: store.delete_record(connection, record, identity))
    return Response(status_code=204)


@router.post("/verdict", dependencies=[limit("expensive")], openapi_extra=RECORD_BODY)
async def any_verdict(request: Request, registry: TheRegistry, asker: Asker) -> Verdict:
    """Were these dice fair?"""
    return Verdict.model_validate(
        await in_worker(registry, asker, positions.verdict, await request.body(), seconds=RECORD_SECONDS)
    )
