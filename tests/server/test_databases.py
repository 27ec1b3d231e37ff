"""Databases of earlier versions open, migrate and play on. server/databases/make.py makes the data of a version."""

import contextlib
import json
import shlex
import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ludotheque.core import BadRequest
from ludotheque.server.database import open_database
from ludotheque.server.migrations import versions
from server.databases.dumps import FOLDER, key_option, read_dump
from server.databases.playing import Company, told, watched
from server.guests import Guest, House, house

VERSIONS = sorted(folder.name for folder in FOLDER.glob("v*"))
BOTS = {
    "yam-master": ["Colette", "Anselme", "Rosalie", "Basile", "Octavie"],
    "wykersham": ["Percy", "Mabel", "Edgar", "Winifred", "Ambrose"],
    "twisty": ["Lou", "Nils", "Carmen", "Igor", "Salomé"],
    "yikerz": ["Gus", "Iris", "Otto", "Greta", "Viktor"],
}
PROGRAM = f"Firmin=python {shlex.quote(str(FOLDER.parent / 'first_action.py'))}"


@pytest.fixture
def address(database: str, version: str) -> str:
    """A database as the old version left it."""
    if database.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection:
            connection.executescript(read_dump(version, "sqlite"))
    else:
        with psycopg.connect(database) as connection:
            connection.execute(read_dump(version, "postgresql"))
    return database


def expectations(version: str) -> Any:
    """What the old version told of its database. A number that a person gave before the commitment counts no more, and bots
    at tables are called by the names that they have today."""
    expected = json.loads((FOLDER / version / "expected.json").read_text())
    for before in expected["tables"].values():
        for seat in before["table"]["seats"]:
            if seat["kind"] == "bot":
                seat["name"] = BOTS[before["table"]["game"]][seat["level"] - 1]
        if before["table"]["status"] == "waiting":
            numbers = before["table"]["dice"]["numbers"]
            people = [seat["kind"] == "person" for seat in before["table"]["seats"]]
            before["table"]["dice"]["numbers"] = [
                None if person else number for person, number in zip(people, numbers, strict=True)
            ]
    return expected


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_database_opens_shows_what_it_showed_and_plays_on_to_the_end(version: str, address: str) -> None:
    """All tables of the oldest version are played to their own end; those of the others, whose rest is the same, are resigned."""
    expected = expectations(version)
    options = ("--no-limits", "--lease", "60", "--program", PROGRAM, *key_option(version))
    with house(address, *options) as home:
        guests = [Guest.known(home, person) for person in expected["people"]]
        for name, before in expected["tables"].items():
            assert known(told(watched(home, before["table"]["id"])), before) == before, name
        for record in expected["records"]:
            path = f"/api/records/{record['card']['id']}"
            assert guests[0].ask("GET", f"{path}/verdict").json()["fair"] == record["fair"]
            assert len(guests[0].ask("GET", f"{path}/story").json()["steps"]) == record["card"]["actions"]
        cards = guests[0].ask("GET", "/api/records?mine=true").json()["records"]
        before = {record["card"]["id"]: record["card"] for record in expected["records"]}
        assert all(known(card, before[card["id"]]) == before[card["id"]] for card in cards)
        review = guests[0].ask("GET", f"/api/records/{expected['review']['record']}/review").json()
        assert review["state"] == "done"
        assert known(review["review"], expected["review"]["told"]) == expected["review"]["told"]
        for name, before in expected["tables"].items():
            plays_on(home, guests, before["table"], name, to_the_end=version == VERSIONS[0])


@pytest.mark.parametrize("version", ["v0002"])
def test_an_entry_of_an_unknown_kind_stops_the_migration_and_changes_nothing(version: str, tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.executescript(read_dump(version, "sqlite"))
        connection.execute("UPDATE lines SET kind = 'dream' WHERE kind = 'stand'")
        connection.commit()
        with pytest.raises(ValueError, match="unknown kind 'dream'"):
            open_database(f"sqlite:///{file}")
        assert connection.execute("SELECT count(*) FROM lines WHERE body LIKE '%wish%'").fetchone() > (0,)


def test_every_version_before_the_newest_is_kept() -> None:
    files = Path(versions.__file__).parent.glob("v*.py")
    known = sorted(file.stem.split("_")[0] for file in files)
    assert set(VERSIONS) >= set(known[known.index("v0002") : -1]), "run server/databases/make.py with the older code"


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    engine = open_database(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(BadRequest, match="newer version"):
        open_database(address)


def test_a_log_that_cannot_be_read_is_an_error_and_never_ignored(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with house(f"sqlite:///{file}", "--no-limits") as home:
        anna = Guest(home, "Anna")
        strange, good = anna.opens(), anna.opens()
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE entries SET kind = 'dream' WHERE table_id = ?", (strange,))
        connection.commit()
    with house(f"sqlite:///{file}", "--no-limits") as home:
        anna.home = home
        answer = anna.ask("GET", f"/api/tables/{strange}/record")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "bad-entry")
        assert anna.enters(strange).closed() == 1011
        assert anna.enters(good).until("state")["table"]["status"] == "waiting", "the others are well"


def known(now: Any, before: Any) -> Any:
    """What is told now, without the keys that the old version did not have: those may be added."""
    if isinstance(now, dict) and isinstance(before, dict):
        return {key: known(value, before[key]) for key, value in now.items() if key in before}
    if isinstance(now, list) and isinstance(before, list) and len(now) == len(before):
        return [known(one, other) for one, other in zip(now, before, strict=True)]
    return now


def plays_on(home: House, guests: list[Guest], table: dict[str, Any], name: str, *, to_the_end: bool) -> None:
    """Empty seats get bots, whoever is still there plays on, to the end or until somebody resigns, and the record is good."""
    here = {seat["person"]["id"] for seat in table["seats"] if seat["person"]}
    company = Company(table["id"], [guest for guest in guests if guest.id in here])
    try:
        if table["status"] == "waiting":
            for place, seat in enumerate(table["seats"]):
                if seat["kind"] == "open":
                    company.request(0, "bot", seat=place, level=1)
            company.begins()
        if company.first.table["takeback"]:
            length = company.first.table["takeback"]["length"]
            company.request(1, "answer", yes=True)
            assert company.first.position is not None
            assert company.first.position["length"] == length
        slow = any(seat["kind"] == "program" for seat in table["seats"])  # a process is started for every decision
        if table["status"] == "over":
            for place, chair in enumerate(company.chairs):
                if not set(company.seats(chair)) <= set(company.first.table["rematch"]):
                    company.request(place, "rematch")
            company.begins(table["match"] + 1)
        if table["status"] == "over" or slow or not to_the_end:
            company.play(3)
            if company.first.table["ended"] is None:
                company.request(0, "resign")
        if company.first.table["ended"] is None:  # several play on without the one who resigned
            company.play()
        ended = company.first.table["ended"]
    finally:
        company.leave()
    assert ended is not None, name
    verdict = guests[0].ask("GET", f"/api/records/{ended['record']}/verdict").json()
    assert verdict["fair"] is True, name
