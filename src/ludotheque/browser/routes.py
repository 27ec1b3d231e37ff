"""Answers the page's questions as the server does over HTTP: the same addresses, the same JSON. docs/network.md has them.

What concerns other people and other devices is not here: it needs a server.
"""

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

from ludotheque.analysis import advise, puzzle_numbered, puzzle_of_the_day, read_puzzles, reviewable
from ludotheque.answers import positions, results
from ludotheque.answers.games import game_card, rules_page, shown_examples, site_card, words_for_page
from ludotheque.answers.language import choose_language
from ludotheque.answers.problems import not_found, status_of
from ludotheque.answers.tables import glance_at
from ludotheque.bots import bot
from ludotheque.browser.archive import read_archive, write_archive
from ludotheque.browser.host import Host
from ludotheque.browser.people import Person, become, keep, person_of, read_name
from ludotheque.browser.question import read_question
from ludotheque.browser.session import HINT_SECONDS, now, with_all_settings
from ludotheque.browser.storage import BODIES, ENTRIES, RECORDS, REVIEWS, TABLES, Change, entry_key
from ludotheque.core import BadJson, BadRequest, Game, Json, JsonObject, Problem, Reader, parse
from ludotheque.core.jsons import write
from ludotheque.table import WhoAreYou
from ludotheque.table.state import TableState

JSON: Final = "application/json"
MARKDOWN: Final = "text/markdown; charset=utf-8"
RECORDS_AT_ONCE: Final = 50
TABLES_AT_ONCE: Final = 100
FOR_EVER: Final = 36_500  # days that tables are kept: nobody deletes them but their owner


@dataclass(frozen=True)
class Asked:
    """A question: what stands in the address, the body, and who asks in which language."""

    method: str
    parts: tuple[str, ...]
    query: Mapping[str, str]
    body: str | None
    secret: str | None
    language: str
    base: str
    """The page's address, with which invitations would begin."""

    def json(self) -> Json:
        """The body."""
        return parse(self.body or "")


class Answer(NamedTuple):
    """What is answered."""

    status: int
    text: str
    kind: str = JSON


Route: TypeAlias = Callable[["Routes", Asked], Awaitable[Answer]]
_ROUTES: Final[list[tuple[str, re.Pattern[str], Route]]] = []


def _route(method: str, pattern: str) -> Callable[[Route], Route]:
    """Register a route. A star in the pattern is one part of the address, which `Asked.parts` has."""
    compiled = re.compile("/api" + re.escape(pattern).replace(r"\*", "([^/]+)"))

    def register(route: Route) -> Route:
        _ROUTES.append((method, compiled, route))
        return route

    return register


def told(value: JsonObject, status: int = 200) -> Answer:
    """An answer in JSON."""
    return Answer(status, write(value))


NOTHING: Final = Answer(204, "")


class Routes:
    """All questions that this host answers."""

    def __init__(self, host: Host) -> None:
        self.host = host

    async def ask(
        self, method: str, address: str, body: str | None, secret: str | None, accepted: str, base: str
    ) -> Answer:
        """Answer a question; a Problem becomes an error with its sentence."""
        url = urlsplit(address)
        language = choose_language(accepted)
        try:
            for wanted, pattern, route in _ROUTES:
                found = pattern.fullmatch(url.path)
                if found is not None and wanted == method:
                    parts = tuple(unquote(part) for part in found.groups())
                    asked = Asked(method, parts, dict(parse_qsl(url.query)), body, secret, language, base)
                    return await route(self, asked)
            raise not_found("address")
        except Problem as problem:
            said: JsonObject = {"error": {"code": problem.code, "sentence": problem.sentence(language)}}
            return told(said, status_of(problem))

    # People

    async def who(self, asked: Asked) -> Person | None:
        """The person who asks; WhoAreYou if the secret is unknown."""
        if asked.secret is None:
            return None
        person = await person_of(self.host.storage, asked.secret)
        if person is None:
            raise WhoAreYou("server.unknown-secret")
        return person

    async def me(self, asked: Asked) -> Person:
        """The person who asks; WhoAreYou without a secret."""
        person = await self.who(asked)
        if person is None:
            raise WhoAreYou("server.name-needed")
        return person

    @_route("POST", "/people")
    async def new_person(self, asked: Asked) -> Answer:
        """Give oneself a name; whoever was here before is still the same."""
        person = await become(self.host.storage, read_name(asked.json()))
        return told({"person": person.json(), "secret": person.secret}, 201)

    @_route("GET", "/people/me")
    async def read_me(self, asked: Asked) -> Answer:
        """Who I am."""
        return told(_me(await self.me(asked)))

    @_route("PATCH", "/people/me")
    async def rename_me(self, asked: Asked) -> Answer:
        """Another name from now on."""
        person = await self.me(asked)
        return told(_me(await keep(self.host.storage, replace(person, name=read_name(asked.json())))))

    @_route("DELETE", "/people/me")
    async def forget_me(self, asked: Asked) -> Answer:
        """Forget everything that this browser keeps."""
        await self.me(asked)
        storage, host = self.host.storage, self.host
        tables = [str(_object(text)["id"]) for text in await storage.list(TABLES)]
        records = [str(_object(text)["id"]) for text in await storage.list(RECORDS)]
        changes: list[Change] = [Change("people", "me", None)]
        for table in tables:
            host.forget(table)
            changes += await self._without_table(table)
        changes += [Change(kind, record, None) for record in records for kind in (RECORDS, BODIES, REVIEWS)]
        await storage.write(changes)
        return NOTHING

    async def _without_table(self, table: str) -> list[Change]:
        lines = await self.host.storage.list(ENTRIES, f"{table}/")
        numbers = [_object(text)["number"] for text in lines]
        return [
            Change(TABLES, table, None),
            *(Change(ENTRIES, entry_key(table, one), None) for one in numbers if isinstance(one, int)),
        ]

    @_route("DELETE", "/people/me/devices")
    async def forget_devices(self, asked: Asked) -> Answer:
        """There are no other devices."""
        await self.me(asked)
        return NOTHING

    @_route("POST", "/people/me/links")
    async def new_link(self, asked: Asked) -> Answer:
        """What is kept in this browser stays there."""
        await self.me(asked)
        raise BadRequest("browser.devices")

    @_route("GET", "/archive")
    async def archive(self, asked: Asked) -> Answer:
        """Everything that this browser keeps. Only this host has it: a server has a database."""
        return told(await write_archive(self.host.storage, await self.me(asked), self.host.games))

    @_route("POST", "/archive")
    async def bring_archive(self, asked: Asked) -> Answer:
        """Keep what another browser has kept."""
        person = await self.me(asked)
        return told(await read_archive(asked.json(), self.host.storage, person, self.host.games), 201)

    @_route("GET", "/people/me/results")
    async def my_results(self, asked: Asked) -> Answer:
        """How my finished games went, and what reviews say of my play."""
        await self.me(asked)
        before = asked.query.get("before")
        last = None if before is None else _number(before)
        cards = sorted(map(_object, await self.host.storage.list(RECORDS)), key=_ended, reverse=True)
        wanted = [card for card in cards if not card["uploaded"] and (last is None or _ended(card) < last)]
        found = []
        for card in wanted[: results.AT_ONCE]:
            kinds = [one.key("kind").text() for one in Reader(card, BadJson).key("players").items()]
            seats = [seat for seat, kind in enumerate(kinds) if kind == "human"]  # whoever plays here is this person
            found.append(results.result_of(card, seats, await self.host.storage.read(REVIEWS, str(card["id"]))))
        return told(results.page_of(found))

    @_route("POST", "/people/me/opponent")
    async def find_opponent(self, asked: Asked) -> Answer:
        """Nobody else comes here."""
        await self.me(asked)
        raise BadRequest("browser.friends")

    @_route("DELETE", "/people/me/opponent")
    async def stop_search(self, asked: Asked) -> Answer:
        """Nobody is looked for."""
        await self.me(asked)
        return NOTHING

    # The site and its games

    @_route("GET", "/site")
    async def site(self, asked: Asked) -> Answer:
        """What there is here."""
        del asked
        return told(site_card((), FOR_EVER, None, read_only=False))

    @_route("GET", "/address")
    async def address(self, asked: Asked) -> Answer:
        """No other device reaches this host."""
        del asked
        return told({"addresses": []})

    @_route("GET", "/games")
    async def games(self, asked: Asked) -> Answer:
        """All games that are played here. The page has their cards, and those of games that need a server, from a file."""
        del asked
        return told({"games": [_playable(self.host.games[name]) for name in sorted(self.host.games)]})

    @_route("GET", "/games/*")
    async def one_game(self, asked: Asked) -> Answer:
        """One game."""
        return told(_playable(self.game(asked)))

    def game(self, asked: Asked) -> Game:
        """The game that the address names."""
        return self.host.find_game(asked.parts[0])

    @_route("GET", "/games/*/rules")
    async def rules(self, asked: Asked) -> Answer:
        """The rules as players read them."""
        return Answer(200, rules_page(self.game(asked), asked.query.get("language", "en")), MARKDOWN)

    @_route("GET", "/games/*/examples")
    async def examples(self, asked: Asked) -> Answer:
        """The positions that the rules page shows."""
        return told(shown_examples(self.game(asked)))

    @_route("GET", "/games/*/words")
    async def words(self, asked: Asked) -> Answer:
        """What the page says of a game."""
        return told(words_for_page(self.game(asked), asked.query.get("language", "en")))

    # Learning

    @_route("GET", "/games/*/puzzle")
    async def puzzle_today(self, asked: Asked) -> Answer:
        """The puzzle of a day, the same for everybody."""
        game, day = self.game(asked), asked.query.get("day")
        return self._task(game, puzzle_of_the_day(game, _date(day) if day else datetime.now(UTC).date()).number)

    @_route("GET", "/games/*/puzzles")
    async def puzzles(self, asked: Asked) -> Answer:
        """All puzzles of a game."""
        some = read_puzzles(self.game(asked))
        return told({"puzzles": [{"number": one.number, "kind": one.kind, "grade": one.grade} for one in some]})

    @_route("GET", "/games/*/puzzles/*")
    async def one_puzzle(self, asked: Asked) -> Answer:
        """A puzzle by its number."""
        game = self.game(asked)
        return self._task(game, puzzle_numbered(game, _number(asked.parts[1])).number)

    def _task(self, game: Game, number: int) -> Answer:
        return told(positions.puzzle_task(game.name, number))

    @_route("POST", "/games/*/puzzles/*/answer")
    async def answer_puzzle(self, asked: Asked) -> Answer:
        """Is that the best?"""
        game, number = self.game(asked), _number(asked.parts[1])
        puzzle_numbered(game, number)
        action = Reader(asked.json(), BadJson).key("action").text(20_000)
        return told(positions.puzzle_verdict(game.name, number, action))

    @_route("POST", "/games/*/ask")
    async def ask_game(self, asked: Asked) -> Answer:
        """A game's own requests that need no match."""
        return told(positions.ask(self.game(asked).name, Reader(asked.json(), BadJson).object()))

    # Any position

    @_route("POST", "/position")
    async def position(self, asked: Asked) -> Answer:
        """Any position, with the real rules."""
        return told(positions.answer(read_question(asked.json())))

    @_route("POST", "/drawing")
    async def drawing(self, asked: Asked) -> Answer:
        """Any position drawn in letters."""
        return told(positions.drawing_of(read_question(asked.json())))

    @_route("POST", "/odds")
    async def odds(self, asked: Asked) -> Answer:
        """What a player may hope for there."""
        return told(positions.odds_of(read_question(asked.json())))

    @_route("POST", "/hint")
    async def hint(self, asked: Asked) -> Answer:
        """What a bot would do there."""
        question = read_question(asked.json())
        position = positions.position_of(question)
        if not isinstance(position.to_move, int):
            raise BadJson("server.question.nothing-to-decide")
        player = bot(position.game, question.level)
        try:
            decision = advise(position, player, question.seconds or HINT_SECONDS)
        finally:
            player.close()
        return told(positions.advice(question, decision))

    # Tables

    @_route("GET", "/tables")
    async def tables(self, asked: Asked) -> Answer:
        """My tables; there are no others."""
        if "mine" not in asked.query:
            return told({"tables": []})
        await self.me(asked)
        cards = [self._card(text) for text in await self.host.storage.list(TABLES)]
        wanted = [
            card
            for card in cards
            if asked.query.get("game", card["game"]) == card["game"]
            and asked.query.get("status", card["status"]) == card["status"]
        ]
        return told({"tables": sorted(wanted, key=_touched, reverse=True)[:TABLES_AT_ONCE]})

    def _card(self, text: str) -> JsonObject:
        """A stored card, with who is present."""
        card = _object(text)
        session = self.host.present(str(card["id"]))
        seats = card["seats"] if session is None else session.state.inside(session.table.room.present)["seats"]
        return {**card, "seats": seats}

    @_route("POST", "/tables")
    async def open_table(self, asked: Asked) -> Answer:
        """Open a table."""
        session = await self.host.open(asked.json(), await self.me(asked))
        inside = {"closed": None, **with_all_settings(session.state.inside(session.table.room.present))}
        return told({"table": inside, "url": f"{asked.base}t/{session.state.id}"}, 201)

    @_route("GET", "/tables/*")
    async def one_table(self, asked: Asked) -> Answer:
        """A table from outside."""
        text = await self.host.storage.read(TABLES, asked.parts[0])
        if text is None:
            raise not_found("table")
        return told(self._card(text))

    @_route("DELETE", "/tables/*")
    async def delete_table(self, asked: Asked) -> Answer:
        """Forget a table of mine. Only this host has it: on a server a table is not one person's."""
        await self.me(asked)
        self.host.forget(asked.parts[0])
        await self.host.storage.write(await self._without_table(asked.parts[0]))
        return NOTHING

    @_route("GET", "/tables/*/glance")
    async def glance(self, asked: Asked) -> Answer:
        """The position of the match, for a small board."""
        return told(glance_at((await self.host.find(asked.parts[0])).state))

    @_route("GET", "/tables/*/record")
    async def table_record(self, asked: Asked) -> Answer:
        """The record of the current match so far."""
        state: TableState = (await self.host.find(asked.parts[0])).state
        if state.match is None:
            raise not_found("match")
        return told(state.record(reveal=state.ended is not None))

    # Records

    @_route("GET", "/records")
    async def records(self, asked: Asked) -> Answer:
        """My finished games; there are no others."""
        if "mine" not in asked.query:
            return told({"records": [], "before": None})
        await self.me(asked)
        game, before = asked.query.get("game"), asked.query.get("before")
        last = None if before is None else _number(before)
        cards = sorted(map(_object, await self.host.storage.list(RECORDS)), key=_ended, reverse=True)
        wanted: Sequence[JsonObject] = [
            card for card in cards if (game is None or card["game"] == game) and (last is None or _ended(card) < last)
        ][:RECORDS_AT_ONCE]
        return told({"records": wanted, "before": _ended(wanted[-1]) if len(wanted) == RECORDS_AT_ONCE else None})

    @_route("POST", "/records")
    async def upload_record(self, asked: Asked) -> Answer:
        """Keep a record of one's own; it is replayed, and refused where it is not legal."""
        person, content = await self.me(asked), (asked.body or "").encode()
        facts, body = positions.check_record(content)
        identity = "u-" + hashlib.sha256(person.id.encode() + content).hexdigest()[:24]
        card = {"id": identity, **facts, "ended": now().moment, "how": "played", "uploaded": True}
        if await self.host.storage.read(RECORDS, identity) is None:
            await self.host.storage.write([Change(RECORDS, identity, write(card)), Change(BODIES, identity, body)])
        return told(card, 201)

    async def _record(self, asked: Asked) -> str:
        text = await self.host.storage.read(BODIES, asked.parts[0])
        if text is None:
            raise not_found("record")
        return text

    @_route("GET", "/records/*")
    async def one_record(self, asked: Asked) -> Answer:
        """A record."""
        return Answer(200, await self._record(asked))

    @_route("DELETE", "/records/*")
    async def delete_record(self, asked: Asked) -> Answer:
        """Remove a record of mine."""
        await self.me(asked)
        await self._record(asked)
        await self.host.storage.write([Change(kind, asked.parts[0], None) for kind in (RECORDS, BODIES, REVIEWS)])
        return NOTHING

    @_route("GET", "/records/*/story")
    async def story(self, asked: Asked) -> Answer:
        """A whole game in words and positions."""
        return told(positions.story(await self._record(asked)))

    @_route("GET", "/records/*/verdict")
    async def verdict(self, asked: Asked) -> Answer:
        """Were the dice fair?"""
        return told(positions.verdict(await self._record(asked)))

    @_route("POST", "/verdict")
    async def any_verdict(self, asked: Asked) -> Answer:
        """Were these dice fair?"""
        return told(positions.verdict(asked.body or ""))

    @_route("GET", "/records/*/review")
    async def look_at_review(self, asked: Asked) -> Answer:
        """How far the review of a record has come."""
        return told(await self.host.reviews.look(asked.parts[0], await self._record(asked)))

    @_route("POST", "/records/*/review")
    async def ask_for_review(self, asked: Asked) -> Answer:
        """Have a record reviewed, between other things."""
        await self.me(asked)
        text = await self._record(asked)
        game = self.host.find_game(positions.game_of(text))
        if not reviewable(game):
            raise BadRequest("server.review.by-hand", title=game.title)
        if await self.host.storage.read(REVIEWS, asked.parts[0]) is None:
            self.host.reviews.ask(asked.parts[0], text)
        return told(await self.host.reviews.look(asked.parts[0], text), 202)

    @_route("DELETE", "/records/*/review")
    async def stop_review(self, asked: Asked) -> Answer:
        """Stop a review."""
        await self.me(asked)
        self.host.reviews.stop(asked.parts[0])
        return NOTHING


def _playable(game: Game) -> JsonObject:
    return {**game_card(game), "playable": True}


def _me(person: Person) -> JsonObject:
    return {"person": person.json(), "devices": 1}


def _object(text: str) -> JsonObject:
    """A stored object."""
    return Reader(parse(text), BadJson).object()


def _touched(card: JsonObject) -> int:
    return Reader(card, BadJson).key("touched").integer(0, 2**53)


def _ended(card: JsonObject) -> int:
    return Reader(card, BadJson).key("ended").integer(0, 2**53)


def _number(text: str) -> int:
    """A whole number in an address."""
    if not (text.isascii() and text.isdigit()) or len(text) > 16:
        raise BadRequest("browser.number", text=text[:40])
    return int(text)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadRequest("browser.date", text=text[:40]) from error
