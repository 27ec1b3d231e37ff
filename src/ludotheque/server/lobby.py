"""The lobby over HTTP: games, people, tables, records, questions. docs/network.md lists every address.

What is done at a table goes over its socket.
"""

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import orjson
from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response
from sqlalchemy.engine import Connection

from ludotheque import __version__
from ludotheque.core import LANGUAGES, BadJson, Game, JsonObject, find_game, game_names
from ludotheque.players import LEVELS
from ludotheque.server import analysis, store
from ludotheque.server.address import qr, urls
from ludotheque.server.hall import Hall
from ludotheque.server.leases import Elsewhere
from ludotheque.server.page import board_file
from ludotheque.server.phrases import PHRASES
from ludotheque.server.problems import WhoAreYou, come_later, not_found, slow_down
from ludotheque.server.referee import runs_here
from ludotheque.server.schemas.base import VERSION, ErrorBody, Person, Words
from ludotheque.server.schemas.document import schema
from ludotheque.server.schemas.positions import Advice, Answer, Question, Thought
from ludotheque.server.schemas.records import RecordCard, RecordCards, Story, Verdict
from ludotheque.server.schemas.site import (
    Address,
    Addresses,
    GameCard,
    Games,
    Identity,
    Link,
    LiveCard,
    Me,
    Names,
    NewPerson,
    OptionCard,
    Phrase,
    Sentences,
    Site,
)
from ludotheque.server.schemas.tables import Card, Cards, NewTable, Opened, Table
from ludotheque.server.security import Gate, address_of
from ludotheque.server.workers import WorkFailed, WorkLost

LINK_SECONDS: Final = 600
SHORT_QUESTION: Final = 100  # actions that are replayed here; longer ones go to a worker
WORK_SECONDS: Final = 20.0
ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 413, 429, 503)
}

router = APIRouter(prefix="/api", responses=ERRORS)
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


# The site and its games


@router.get("/site")
async def site(hall: AHall) -> Site:
    """What this server offers."""
    return Site(
        name="ludotheque",
        version=__version__,
        protocol=VERSION,
        languages=list(LANGUAGES),
        levels=list(LEVELS),
        programs=sorted(hall.operator.programs),
        phrases=[
            Phrase(phrase=phrase, words=Words(en=english, fr=french)) for phrase, (english, french) in PHRASES.items()
        ],
        table_days=hall.operator.table_days,
    )


@router.get("/address")
async def address(hall: AHall) -> Addresses:
    """Where this server is in the local network."""
    operator = hall.operator
    found = urls(operator.host, operator.port, operator.address)
    return Addresses(addresses=[Address(url=url, qr=qr(url)) for url in found])


@router.get("/schemas")
async def all_schemas() -> dict[str, Any]:
    """One JSON Schema document with every model, those of the socket included."""
    return schema()


@router.get("/games")
async def games() -> Games:
    """All games."""
    return Games(games=[_game_card(find_game(name)) for name in game_names()])


@router.get("/games/{game}")
async def one_game(game: GameName) -> GameCard:
    """One game."""
    return _game_card(find_game(game))


@router.get("/games/{game}/rules", response_class=Response, responses={200: {"content": {"text/markdown": {}}}})
async def rules(game: GameName, language: Annotated[str, Query(max_length=35)] = "en") -> Response:
    """The rules as players read them."""
    found = find_game(game)
    try:
        return Response(found.rules_page(language[:2]), media_type="text/markdown")
    except FileNotFoundError as error:
        raise not_found("rules page", "page de règles") from error


@router.get(
    "/games/{game}/board/{path:path}",
    response_class=Response,
    responses={200: {"content": {"text/javascript": {}}}},
)
async def board(game: GameName, path: Annotated[str, InPath(max_length=200)]) -> Response:
    """A file of a game's own board."""
    folder: Path | None = find_game(game).board
    if folder is None:
        raise not_found("board", "plateau")
    return board_file(folder, path)


def _game_card(game: Game) -> GameCard:
    words = {language: dict(game.words.templates(language)) for language in LANGUAGES}
    options = []
    for option in game.declared_options:
        said = {language: words[language].get(f"option.{option.name}", option.name) for language in LANGUAGES}
        options.append(OptionCard.model_validate({**option.describe(), "words": said}))
    names = {
        language: [words[language].get(f"seat.{seat}", str(seat + 1)) for seat in range(max(game.seats))]
        for language in LANGUAGES
    }
    try:
        has_rules = bool(game.rules_page("en"))
    except FileNotFoundError:
        has_rules = False
    return GameCard(
        name=game.name,
        title=game.title,
        rules_version=game.rules_version,
        seats=list(game.seats),
        options=options,
        seat_names=Names.model_validate(names),
        words=Sentences.model_validate(words),
        live=None if game.live is None else LiveCard(rate=game.live.rate),
        board=None if game.board is None else f"/api/games/{game.name}/board/board.js",
        rules=has_rules,
    )


# People


@router.post("/people", status_code=201, dependencies=[limit("new")])
async def new_person(wanted: NewPerson, hall: AHall) -> Identity:
    """Give oneself a name."""
    name = _name(wanted.name)
    person, secret = await hall.writer.do(lambda connection: store.add_person(connection, name))
    return Identity(person=Person.model_validate(person), secret=secret)


def _name(given: str) -> str:
    """A name as it is shown: printable, without blanks around it."""
    name = " ".join("".join(letter for letter in given if letter.isprintable()).split())
    if not name:
        raise BadJson("A name needs at least one letter.", "Un nom a besoin d'au moins une lettre.")
    return name


async def _me(hall: Hall, person: JsonObject) -> Me:
    count = await hall.read(lambda connection: store.count_devices(connection, str(person["id"])))
    return Me(person=Person.model_validate(person), devices=count)


@router.get("/people/me")
async def read_me(person: Someone, hall: AHall) -> Me:
    """Who I am."""
    return await _me(hall, person)


@router.patch("/people/me", dependencies=[limit("new")])
async def rename_me(wanted: NewPerson, person: Someone, hall: AHall) -> Me:
    """Another name from now on."""
    identity, name = str(person["id"]), _name(wanted.name)
    await hall.writer.do(lambda connection: store.rename(connection, identity, name))
    hall.forget_faces(identity)
    return await _me(hall, {"id": identity, "name": name})


@router.delete("/people/me", status_code=204)
async def forget_me(person: Someone, hall: AHall) -> Response:
    """Forget everything about me."""
    identity = str(person["id"])
    hall.forget_faces(identity)
    for session in list(hall.sessions.values()):
        await session.forget(identity)

    def forget(connection: Connection) -> None:
        concerned = store.forget_person(connection, identity)
        hall.leases.call_in(connection, hall.sessions, concerned)

    await hall.writer.do(forget)
    hall.forget_faces(identity)
    return Response(status_code=204)


@router.delete("/people/me/devices", status_code=204)
async def forget_devices(request: Request, person: Someone, hall: AHall) -> Response:
    """My other devices' secrets stop working."""
    identity, secret = str(person["id"]), secret_of(request)
    assert secret is not None
    await hall.writer.do(lambda connection: store.forget_other_devices(connection, identity, secret))
    hall.forget_faces(identity)
    return Response(status_code=204)


@router.post("/people/me/links", status_code=201, dependencies=[limit("new")])
async def new_link(request: Request, person: Someone, hall: AHall) -> Link:
    """A one-time link for another device."""
    identity = str(person["id"])
    code, expires = await hall.writer.do(lambda connection: store.add_link(connection, identity, LINK_SECONDS))
    url = f"{_base(request, hall)}d/{code}"
    return Link(code=code, url=url, qr=qr(url), expires=expires)


@router.post("/people/links/{code}", dependencies=[limit("new")])
async def use_link(code: Id, hall: AHall) -> Identity:
    """On the other device: become the person of that link."""
    person, secret = await hall.writer.do(lambda connection: store.use_link(connection, code))
    return Identity(person=Person.model_validate(person), secret=secret)


def _base(request: Request, hall: Hall) -> str:
    public = hall.operator.address
    base = public if public is not None else str(request.base_url)
    return base if base.endswith("/") else base + "/"


# Tables


@router.get("/tables")
async def list_tables(
    hall: AHall,
    person: Anyone,
    game: Annotated[str | None, Query(max_length=100)] = None,
    status: Literal["waiting", "playing", "over"] | None = None,
    mine: bool = False,
) -> Cards:
    """Public tables, or mine."""
    whose = str(store.must_be(person)["id"]) if mine else None
    cards = await hall.read(lambda connection: store.list_tables(connection, game, status, whose))
    return Cards(tables=[Card.model_validate(_fresh(hall, card)) for card in cards])


def _fresh(hall: Hall, card: JsonObject) -> JsonObject:
    """A card with what this process knows better: who is present."""
    session = hall.sessions.get(str(card["id"]))
    if session is None:
        return card
    inside = session.table.inside(session.present)
    return {**card, "seats": inside["seats"], "touched": session.table.touched}


@router.post("/tables", status_code=201, dependencies=[limit("new")])
async def open_table(wanted: NewTable, request: Request, person: Someone, hall: AHall) -> Opened:
    """Open a table."""
    session = await hall.open(wanted, person)
    table = Table.model_validate(session.table.inside(session.present))
    return Opened(table=table, url=f"{_base(request, hall)}t/{table.id}")


@router.get("/tables/{table}")
async def one_table(table: Id, hall: AHall) -> Card:
    """A table from outside."""
    card = await hall.read(lambda connection: store.table_card(connection, table))
    return Card.model_validate(_fresh(hall, card))


@router.get("/tables/{table}/qr.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def table_code(table: Id, request: Request, hall: AHall) -> Response:
    """The invitation as a QR code."""
    await hall.read(lambda connection: store.table_card(connection, table))
    return Response(qr(f"{_base(request, hall)}t/{table}"), media_type="image/svg+xml")


@router.get("/tables/{table}/record")
async def table_record(table: Id, hall: AHall) -> dict[str, Any]:
    """The record of the current match so far; the seed stays secret until it has ended."""
    session = await hall.find(table)
    if isinstance(session, Elsewhere):
        lines = await hall.read(lambda connection: store.read_lines(connection, table))
        found = await hall.rebuild(table, lines)
    else:
        async with session.lock:
            found = session.table
    if found.match is None:
        raise not_found("record: the match has not begun", "partie : elle n'a pas commencé")
    return dict(found.record(reveal=found.ended is not None))


# Records


@router.get("/records")
async def list_records(
    hall: AHall,
    person: Anyone,
    game: Annotated[str | None, Query(max_length=100)] = None,
    mine: bool = False,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> RecordCards:
    """Finished games, or mine."""
    whose = str(store.must_be(person)["id"]) if mine else None
    cards = await hall.read(lambda connection: store.list_records(connection, game, before, whose))
    found = [RecordCard.model_validate(card) for card in cards]
    return RecordCards(records=found, before=found[-1].ended if len(found) == 50 else None)


async def _in_worker(hall: Hall, function: Any, *arguments: Any) -> Any:
    try:
        return await hall.workers.run(WORK_SECONDS, function, *arguments)
    except (WorkLost, WorkFailed) as error:
        raise come_later() from error


RECORD_BODY: Final = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
}


@router.post("/records", status_code=201, dependencies=[limit("thought")], openapi_extra=RECORD_BODY)
async def upload_record(request: Request, person: Someone, hall: AHall) -> RecordCard:
    """Keep a record of one's own; it is replayed, and refused where it is not legal."""
    content = await request.body()
    facts = await _in_worker(hall, analysis.check_record, content)
    identity = str(person["id"])
    digest = hashlib.sha256(identity.encode() + content).hexdigest()[:24]
    card = {"id": f"u-{digest}", **facts, "ended": store.moment(), "how": "played", "uploaded": True}
    body = orjson.loads(content)
    await hall.writer.do(lambda connection: store.add_upload(connection, card, body, identity))
    return RecordCard.model_validate(card)


@router.get("/records/{record}")
async def one_record(record: Id, hall: AHall, download: bool = False) -> Response:
    """A record."""
    text = await hall.read(lambda connection: store.read_record_text(connection, record))
    headers = {"content-disposition": f'attachment; filename="ludotheque-{record}.json"'} if download else None
    return Response(text, media_type="application/json", headers=headers)


@router.get("/records/{record}/story", dependencies=[limit("thought")])
async def record_story(record: Id, hall: AHall) -> Story:
    """A whole game in words and positions."""
    text = await hall.read(lambda connection: store.read_record_text(connection, record))
    return Story.model_validate(await _in_worker(hall, analysis.story, text))


@router.get("/records/{record}/verdict", dependencies=[limit("thought")])
async def record_verdict(record: Id, hall: AHall) -> Verdict:
    """Were the dice fair?"""
    text = await hall.read(lambda connection: store.read_record_text(connection, record))
    return Verdict.model_validate(await _in_worker(hall, analysis.verdict, text))


@router.delete("/records/{record}", status_code=204)
async def delete_record(record: Id, person: Someone, hall: AHall) -> Response:
    """Remove an upload of mine."""
    identity = str(person["id"])
    await hall.writer.do(lambda connection: store.delete_record(connection, record, identity))
    return Response(status_code=204)


@router.post("/verdict", dependencies=[limit("thought")], openapi_extra=RECORD_BODY)
async def any_verdict(request: Request, hall: AHall) -> Verdict:
    """Were these dice fair?"""
    return Verdict.model_validate(await _in_worker(hall, analysis.verdict, await request.body()))


# Questions


@router.post("/position", dependencies=[limit("any")])
async def any_position(question: Question, request: Request, hall: AHall) -> Answer:
    """Any position, with the real rules."""
    game = find_game(question.game)
    if runs_here(game) and len(question.actions) <= SHORT_QUESTION:
        return Answer.model_validate(analysis.answer(question))
    if not the_gate(request).lets("thought", address_of(request.scope)):
        raise slow_down()
    return Answer.model_validate(await _in_worker(hall, analysis.answer, question))


@router.post("/games/{game}/ask", dependencies=[limit("thought")])
async def ask_game(game: GameName, request: dict[str, Any], hall: AHall) -> dict[str, Any]:
    """A game's own requests of the engine protocol that need no match: Yikerz's shapes and its magnet lab."""
    answer: dict[str, Any] = await _in_worker(hall, analysis.ask, game, request)
    return answer


@router.post("/hint", dependencies=[limit("thought")])
async def any_hint(question: Question, hall: AHall) -> Advice:
    """What a bot would do there."""
    game = find_game(question.game)
    if runs_here(game) and len(question.actions) <= SHORT_QUESTION:
        position = analysis.position_of(question)
    else:
        position = await _in_worker(hall, analysis.position_of, question)
    if not isinstance(position.to_move, int):
        raise BadJson("There is nothing to decide there.", "Il n'y a rien à décider là.")
    decision = await hall.bots.choose(position, question.level, seconds=question.seconds or 1.0)
    return Advice(
        action=decision.action,
        value=decision.value,
        considered=[Thought(action=one.action, value=one.value) for one in decision.considered[:50]],
        level=question.level,
    )
