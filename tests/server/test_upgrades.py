"""Upgrades: tables of earlier versions meet rules that have changed, a game that is gone, and a database that is newer."""

from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.database import open_database
from server.databases.dumps import key_option
from server.databases.playing import Company, told, watched
from server.guests import Guest, House, command, house, refused
from server.test_databases import PROGRAM, VERSIONS, address, expectations, known

__all__ = ["address"]  # a fixture
CHANGED = """
from ludotheque.games.twisty import GAME as TODAY

class Changed(type(TODAY)):
    rules_version = TODAY.rules_version + 1

    def at_version(self, version):
        return self if version == self.rules_version else None

GAME = Changed()
"""
POINTS = """[ludotheque.games]
twisty = changed_twisty:GAME
wykersham = removed_wykersham:GAME
"""


@pytest.fixture
def upgraded(tmp_path: Path) -> dict[str, str]:
    """An environment in which Twisty has other rules than any table, and Wykersham's package is not there."""
    facts = tmp_path / "packages" / "upgrade-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: upgrade\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(POINTS)
    (facts.parent / "changed_twisty.py").write_text(CHANGED)
    return {"PYTHONPATH": f"{facts.parent}:{Path(__file__).parents[2] / 'src'}"}


def tables(expected: dict[str, Any], game: str, status: str) -> list[dict[str, Any]]:
    """What the old version told of some tables."""
    found = [one for one in expected["tables"].values() if one["table"]["game"] == game]
    return [one for one in found if one["table"]["status"] == status]


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_running_games_survive_changed_rules_and_a_game_that_is_gone(
    version: str, address: str, upgraded: dict[str, str]
) -> None:
    expected = expectations(version)
    options = ("--no-limits", "--lease", "60", "--program", PROGRAM, *key_option(version))
    with house(address, *options, environment=upgraded) as home:
        anna = Guest.known(home, expected["people"][0])
        for before in tables(expected, "twisty", "playing"):
            is_closed_with_its_record(home, anna, before)
        for before in tables(expected, "wykersham", "playing"):
            is_kept(home, anna, before)
        (playing,) = tables(expected, "yam-master", "playing")[:1]
        assert known(told(watched(home, playing["table"]["id"])), playing) == playing, "the others are well"
    with house(address, *options) as home:  # the game is back
        anna.home = home
        for before in tables(expected, "twisty", "playing"):
            assert watched(home, before["table"]["id"])["table"]["ended"]["how"] == "closed", "once and for all"
        for before in tables(expected, "wykersham", "playing"):
            assert known(told(watched(home, before["table"]["id"])), before) == before
        guests = [Guest.known(home, person) for person in expected["people"]]
        before = next(one for one in tables(expected, "wykersham", "playing") if only_people(one, guests))
        people = {seat["person"]["id"] for seat in before["table"]["seats"]}
        company = Company(before["table"]["id"], [guest for guest in guests if guest.id in people])
        if company.first.table["takeback"]:
            company.request(1, "answer", yes=False)
        company.play(3)
        company.leave()


def only_people(before: dict[str, Any], guests: list[Guest]) -> bool:
    here = {guest.id for guest in guests}
    return all(seat["person"] and seat["person"]["id"] in here for seat in before["table"]["seats"])


def is_closed_with_its_record(home: House, anna: Guest, before: dict[str, Any]) -> None:
    state = watched(home, before["table"]["id"])
    table = state["table"]
    assert (table["status"], table["ended"]["how"], table["ended"]["returns"]) == ("over", "closed", [])
    assert "The rules of Twisty have changed since this table was opened" in table["closed"]["en"]
    record = anna.ask("GET", f"/api/records/{table['ended']['record']}").json()
    assert record["actions"] == [one["action"] for one in before["log"]]
    assert record["dice"]["commitment"] == before["table"]["dice"]["commitment"]
    assert record["dice"]["seed"]


def is_kept(home: House, anna: Guest, before: dict[str, Any]) -> None:
    state = watched(home, before["table"]["id"])
    assert (state["number"], state["table"]["status"]) == (before["number"], "playing")
    assert "does not have the game “wykersham” any more" in state["table"]["closed"]["en"]
    record = anna.ask("GET", f"/api/tables/{before['table']['id']}/record").json()
    assert record["actions"] == [one["action"] for one in before["log"]]
    assert "seed" not in record["dice"]


def test_a_database_of_a_newer_version_is_told_in_a_sentence_and_left_alone(database: str, tmp_path: Path) -> None:
    key = str(tmp_path / "seeds.key")
    engine = open_database(database, seed_key=key)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    serve = command("serve", "--no-browser", "--port", "0", "--database", database, "--seed-key", key)
    refused(serve, "was made by a newer version of Ludothèque. Install that version.")
    french = command(
        "serve", "--no-browser", "--port", "0", "--database", database, "--seed-key", key, "--language", "fr"
    )
    refused(french, "vient d’une version plus récente de Ludothèque")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == "9999"
    engine.dispose()
