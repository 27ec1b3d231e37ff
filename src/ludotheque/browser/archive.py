"""Everything that a browser keeps, as one document: to save it, and to bring it into another browser or to a server.

A server takes the records and opens the tables of `next`; another browser takes the logs as they are.
"""

import re
from collections.abc import Mapping
from typing import Final, get_args

from ludotheque.answers.positions import check_record
from ludotheque.browser.people import Person
from ludotheque.browser.session import now, read_line, read_log, shown_card, write_line
from ludotheque.browser.storage import BODIES, ENTRIES, RECORDS, TABLES, Change, Storage, entry_key
from ludotheque.core import BadJson, Game, Json, JsonObject, Reader, parse
from ludotheque.core.jsons import write
from ludotheque.table import LogEntry, Table
from ludotheque.table.entries import EndedHow
from ludotheque.table.state import TableState

FORMAT: Final = "ludotheque_archive"
VERSION: Final = 1
NAME: Final = re.compile(r"[\w-]{1,64}")
LARGEST_NUMBER: Final = 2**53


async def write_archive(storage: Storage, person: Person, games: Mapping[str, Game]) -> JsonObject:
    """All tables with their logs, and all records. What one takes from here to a server is in `next`."""
    tables: list[Json] = []
    for card in await storage.list(TABLES):
        name = Reader(parse(card), BadJson).key("id").text()
        log = await read_log(storage, name)
        state = Table.restore(name, log, now(), games=games).state
        tables.append({"id": name, "log": [parse(write_line(line)) for line in log], "next": _onward(state)})
    records: list[Json] = []
    for text in await storage.list(RECORDS):
        record = await storage.read(BODIES, Reader(parse(text), BadJson).key("id").text())
        records.append({"card": parse(text), "record": None if record is None else parse(record)})
    return {FORMAT: VERSION, "person": person.json(), "tables": tables, "records": records}


def _onward(state: TableState) -> JsonObject | None:
    """A table that goes on where this one is, as one asks a server for it; None where there is nothing to go on with."""
    if state.status != "playing" or state.match is None or state.rules_gone:
        return None
    seats: list[Json] = [
        {"kind": "bot", "level": seat.level} if seat.kind == "bot" else {"kind": "me", "name": seat.name}
        for seat in state.seats
    ]
    return {
        "game": state.game.name,
        "options": dict(state.match.options),
        "seats": seats,
        "private": True,
        "settings": state.settings.json(),
        "setup": state.match.position.view(),
    }


async def read_archive(archive: Json, storage: Storage, person: Person, games: Mapping[str, Game]) -> JsonObject:
    """Store what is not here yet, all of it or, with a Problem, nothing. Logs and records are replayed first.

    What was the other browser's person is this one's now. Returns how many tables and records have come.
    """
    reader = Reader(archive, BadJson)
    if not reader.has(FORMAT) or reader.key(FORMAT).value != VERSION:
        reader.fail("browser.archive", version=VERSION)
    before = reader.key("person").key("id").text()
    tables = [change for one in reader.key("tables").items() for change in _table(one, before, person, games)]
    records = [change for one in reader.key("records").items() for change in _record(one)]
    known = {
        kind: {Reader(parse(text), BadJson).key("id").text() for text in await storage.list(kind)}
        for kind in (TABLES, RECORDS)
    }
    new_tables = [change for change in tables if change.key.partition("/")[0] not in known[TABLES]]
    new_records = [change for change in records if change.key not in known[RECORDS]]
    await storage.write([*new_tables, *new_records])
    return {
        "tables": sum(change.kind == TABLES for change in new_tables),
        "records": sum(change.kind == RECORDS for change in new_records),
    }


def _table(reader: Reader, before: str, person: Person, games: Mapping[str, Game]) -> list[Change]:
    """A table's log and card."""
    name = _name(reader.key("id"))
    lines: list[LogEntry] = []
    for number, one in enumerate(reader.key("log").items(), start=1):
        one.key("number").integer(number, number)
        one.key("kind").text()
        one.key("at").integer(0, LARGEST_NUMBER)
        one.key("body").object()
        lines.append(read_line(write(_renamed(one.value, before, person.id))))
    if not lines:
        reader.key("log").fail("json.missing", name="opened")
    state = Table.restore(name, lines, now(), games=games).state
    entries = [Change(ENTRIES, entry_key(name, line.number), write_line(line)) for line in lines]
    return [Change(TABLES, name, write(shown_card(state))), *entries]


def _record(reader: Reader) -> list[Change]:
    """A record and its card, whose facts are those of the record."""
    card = reader.key("card")
    facts, body = check_record(write(reader.key("record").value).encode())
    name = _name(card.key("id"))
    told: JsonObject = {
        "id": name,
        **facts,
        "ended": card.key("ended").integer(0, LARGEST_NUMBER),
        "how": card.key("how").one_of(get_args(EndedHow)),
        "uploaded": card.key("uploaded").boolean(),
    }
    return [Change(RECORDS, name, write(told)), Change(BODIES, name, body)]


def _name(reader: Reader) -> str:
    """What something is stored under."""
    name = reader.text()
    if not NAME.fullmatch(name):
        reader.fail("browser.archive-id", name=name[:40])
    return name


def _renamed(value: Json, before: str, after: str) -> Json:
    """The same with another person's id."""
    if isinstance(value, Mapping):
        return {key: _renamed(one, before, after) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, before, after) for one in value]
    return after if value == before else value
