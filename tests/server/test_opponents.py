"""Finding an opponent: two who look for one at the same game meet at a table, whichever process they ask."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import Engine

from ludotheque.core import JsonObject
from ludotheque.server import store
from ludotheque.server.database import open_database
from ludotheque.server.opponents import look_for_opponent
from ludotheque.server.problems import Later, ReadOnly
from ludotheque.server.registry import TableRegistry
from ludotheque.server.settings import ServerSettings
from ludotheque.server.store import seekers
from ludotheque.server.store.seekers import OPENING, PATIENCE, Seeking
from server.admins import elsewhere, refusal
from server.guests import Guest, House, house

LATER = 1000


def looks(guest: Guest, game: str = "wykersham") -> Any:
    answer = guest.ask("POST", "/api/people/me/opponent", {"game": game})
    assert answer.status_code == 200, answer.text
    return answer.json()


def gives_up(guest: Guest) -> None:
    assert guest.ask("DELETE", "/api/people/me/opponent").status_code == 204


def test_two_who_look_for_an_opponent_meet_at_a_table_and_play(anna: Guest, bruno: Guest) -> None:
    assert looks(anna) == {"state": "waiting", "table": None, "others": 0}
    found = looks(bruno)
    assert found["state"] == "found"
    assert looks(anna) == found, "both are told of the same table"
    host, guest = bruno.enters(found["table"]), anna.enters(found["table"])
    host.until("state")
    assert guest.until("state")["table"]["private"] is True, "nobody else is invited"
    guest.asks("sit", seat=1)
    assert guest.until("table", why="began")["table"]["game"] == "wykersham"
    gives_up(anna)
    gives_up(bruno)
    assert looks(anna)["state"] == "waiting", "the next search is a new one"
    gives_up(anna)


def test_whoever_looks_at_another_game_or_no_longer_is_not_paired(anna: Guest, bruno: Guest) -> None:
    looks(anna, "twisty")
    assert looks(bruno, "wykersham")["state"] == "waiting"
    looks(anna, "yam-master")
    assert looks(bruno, "twisty") == {"state": "waiting", "table": None, "others": 0}, "one game at a time"
    gives_up(anna)
    assert looks(bruno, "yam-master") == {"state": "waiting", "table": None, "others": 0}
    gives_up(bruno)


def test_a_search_needs_a_name_and_a_game_for_two(anna: Guest, home: House) -> None:
    nobody = Guest.known(home, {"id": "", "name": "", "secret": "of nobody"})
    assert nobody.ask("POST", "/api/people/me/opponent", {"game": "wykersham"}).status_code == 401
    assert anna.ask("POST", "/api/people/me/opponent", {"game": "chess"}).status_code == 404
    assert anna.ask("POST", "/api/people/me/opponent", {"game": "wykersham", "level": 3}).status_code == 400


def test_whoever_deletes_themselves_is_off_the_list(bruno: Guest, home: House) -> None:
    carla = Guest(home, "Carla")
    looks(carla)
    assert carla.ask("DELETE", "/api/people/me").status_code == 204
    assert looks(bruno)["state"] == "waiting"
    gives_up(bruno)


def test_searches_are_limited_as_new_tables_are_but_waiting_is_not(tmp_path: Path) -> None:
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}") as place:
        anna = Guest(place, "Anna")
        for _ in range(60):
            assert looks(anna)["state"] == "waiting"
        answers = []
        for _ in range(60):
            answers.append(anna.ask("POST", "/api/people/me/opponent", {"game": "wykersham"}).status_code)
            gives_up(anna)
        assert 429 in answers


def test_nobody_is_paired_while_a_process_is_emptied_or_read_only(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"

    async def evening() -> None:
        registry = TableRegistry(open_database(address), ServerSettings(database=address, workers=1), "")
        person, _ = await registry.writer.do(lambda connection: store.add_person(connection, "Anna"))
        try:
            registry.operation.draining = True
            with pytest.raises(Later, match="being upgraded"):
                await look_for_opponent(registry, person, "wykersham")
            registry.operation.draining, registry.operation.read_only = False, True
            with pytest.raises(ReadOnly, match="Everything can be read"):
                await look_for_opponent(registry, person, "wykersham")
            registry.operation.read_only = False
            assert (await look_for_opponent(registry, person, "wykersham")).others == 0
        finally:
            await registry.close()

    asyncio.run(evening())


def test_people_at_two_processes_are_paired(own_postgres: str) -> None:
    with house(own_postgres, "--no-limits") as one, house(own_postgres, "--no-limits") as other:
        anna, bruno = Guest(one, "Anna"), Guest(other, "Bruno")
        assert looks(anna)["state"] == "waiting"
        found = looks(bruno)
        assert found["state"] == "found"
        assert looks(anna) == looks(elsewhere(anna, other)) == found
        chair = anna.enters(found["table"])
        chair.until("state")
        chair.asks("sit", seat=1)
        chair.until("table", why="sit")
        assert refusal(anna.ask("POST", "/api/people/me/opponent", {"game": "nothing"}))[0] == 404


# The list itself


class Room:
    """Some people and a list, in a database of its own; time passes as the test says."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.now = engine, 1_000_000
        with engine.begin() as connection:
            self.people = {
                name: str(store.add_person(connection, name)[0]["id"]) for name in ("Anna", "Bruno", "Carla")
            }
            self.table = store.new_id()
            card: JsonObject = {"id": self.table, "game": "wykersham", "private": True, "status": "waiting"}
            store.add_table(connection, {**card, "created": 0, "touched": 0}, False, 0)

    def does(self, work: Any, *arguments: Any) -> Any:
        with self.engine.begin() as connection:
            return work(connection, *arguments)

    def seek(self, name: str, game: str = "wykersham") -> Seeking:
        found: Seeking = self.does(seekers.seek, self.people[name], game, self.now)
        return found

    def meet(self, name: str, other: str) -> bool:
        return bool(self.does(seekers.meet, self.people[name], self.people[other], self.table))


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    engine = open_database(database)
    yield Room(engine)
    engine.dispose()


def test_a_pair_is_taken_off_the_list_before_its_table_is_there(room: Room) -> None:
    assert room.seek("Bruno") == Seeking(others=0)
    room.now += LATER
    paired = room.seek("Anna")
    assert paired.other == room.people["Bruno"]
    room.now += LATER
    assert room.seek("Carla") == Seeking(others=0), "those two are taken"
    assert room.seek("Bruno") == Seeking(others=1), "the table is not there yet"
    assert room.meet("Anna", "Bruno")
    assert room.seek("Bruno") == room.seek("Anna") == Seeking(table=room.table)


def test_whoever_no_longer_asks_has_left(room: Room) -> None:
    room.seek("Bruno")
    room.now += PATIENCE + 1
    assert room.seek("Anna") == Seeking(others=0)
    assert room.does(seekers.is_seeking, room.people["Anna"], room.now)
    assert not room.does(seekers.is_seeking, room.people["Bruno"], room.now)


def test_if_the_other_leaves_while_the_table_is_opened_one_waits_on_in_ones_place(room: Room) -> None:
    room.seek("Bruno")
    assert room.seek("Anna").other == room.people["Bruno"]
    room.does(seekers.leave, room.people["Bruno"])
    assert not room.meet("Anna", "Bruno")
    assert room.seek("Carla").other == room.people["Anna"]


def test_if_no_table_can_be_opened_both_wait_again_and_who_has_waited_longest_comes_first(room: Room) -> None:
    room.seek("Bruno")
    room.now += LATER
    room.seek("Anna")
    room.does(seekers.release, room.people["Anna"])
    assert room.seek("Carla").other == room.people["Bruno"]


def test_if_a_process_dies_while_it_opens_the_table_both_wait_again(room: Room) -> None:
    room.seek("Bruno")
    assert room.seek("Anna").other == room.people["Bruno"]
    room.now += OPENING + 1
    assert room.seek("Bruno").other == room.people["Anna"]
