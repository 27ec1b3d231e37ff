"""The operator's commands that look and that ban, against a real server process; bans also against two on a PostgreSQL."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.admins import Admin, elsewhere, refusal, until
from server.guests import PATIENCE, Chair, Guest, House, house


@pytest.fixture
def place(tmp_path: Path) -> Iterator[House]:
    """A server that these tests may harm."""
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits") as one:
        yield one


@pytest.fixture
def admin(place: House) -> Admin:
    return Admin(place.database)


# What goes on


def test_the_operator_sees_processes_tables_people_and_limits(place: House, admin: Admin) -> None:
    anna, bruno = Guest(place, "Anna"), Guest(place, "Bruno")
    quiet, table = anna.opens("twisty"), anna.opens(options={"first": 0})
    chairs = [anna.enters(table), bruno.enters(table)]
    for chair in chairs:
        chair.until("state")
    chairs[1].asks("sit", seat=1)
    chairs[0].until("table", why="began")
    chairs[0].asks("roll")
    chairs[0].until("step")
    (process,) = admin.lists("status")
    assert (process["tables"], process["sockets"], process["read_only"], process["draining"]) == (2, 2, False, False)
    assert (process["workers"], process["work_waiting"], process["writes_waiting"]) == (1, 0, 0)
    first, second = admin.lists("tables")
    assert (first["id"], second["id"]) == (table, quiet), "the one that was last touched first"
    assert (first["game"], first["status"], first["names"]) == ("yam-master", "playing", ["Anna", "Bruno"])
    assert (first["people"], first["spectators"], first["actions"]) == (2, 0, 1)
    assert first["owner"] == process["process"]
    assert first["seconds"] > 0
    (busiest,) = admin.lists("tables", "--sort", "actions", "--limit", "1")
    assert busiest["id"] == table
    assert admin.lists("table", table)["requests"] == first["requests"]
    people = {one["name"]: one for one in admin.lists("people")}
    assert set(people) == {"Anna", "Bruno"}
    assert (people["Anna"]["id"], people["Anna"]["sockets"], people["Anna"]["tables"]) == (anna.id, 1, [table])
    person = admin.lists("person", bruno.id)
    assert (person["name"], person["devices"], person["tables"]) == ("Bruno", 1, [table])
    assert (person["present"], person["addresses"], person["banned"]) == ([table], ["127.0.0.1"], False)
    assert admin.lists("limits") == []
    assert table in admin.does("tables")
    assert "no such table" in admin.fails("table", "nonsense")
    assert "no such person" in admin.fails("person", "nonsense")
    assert admin.audited() == [], "whoever looks changes nothing"


def test_the_operator_sees_who_hits_which_limits(tmp_path: Path) -> None:
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}") as place:
        anna = Guest(place, "Anna")
        refused, deadline = 0, time.monotonic() + PATIENCE
        while refused < 3:  # more than one name every two seconds
            assert time.monotonic() < deadline
            refused += anna.ask("PATCH", "/api/people/me", {"name": "Anna"}).status_code == 429
        hits = {(hit["who"], hit["limit"]): hit["count"] for hit in Admin(place.database).lists("limits")}
        assert hits["127.0.0.1", "new"] == refused


def test_without_a_server_the_operator_is_told_so(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    assert "no database" in Admin(database).fails("status")
    with house(database):
        pass
    assert "No server is running" in Admin(database).fails("ban", "address", "203.0.113.7")
    assert Admin(database).lists("bans") == []
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0003'")
        connection.commit()
    assert "another version" in Admin(database).fails("bans")


# Bans


def test_a_banned_person_is_out_at_once_and_until_the_ban_ends(place: House, admin: Admin) -> None:
    anna, bruno = Guest(place, "Anna"), Guest(place, "Bruno")
    table = anna.opens()
    chair, other = anna.enters(table), bruno.enters(table)
    for one in (chair, other):
        one.until("state")
    admin.does("ban", "person", anna.id, "--for", "7d", "--reason", "Insults.")
    told = chair.until("refused")
    assert told["code"] == "banned"
    assert told["sentence"].endswith(": Insults.")
    assert chair.closed() == 4403
    again = anna.enters(table, language="fr")
    assert again.until("refused")["sentence"].startswith("L’opérateur de ce site t’a banni jusqu’au 20")
    assert again.closed() == 4403
    status, code, sentence = refusal(anna.ask("GET", "/api/people/me"))
    assert (status, code) == (403, "banned")
    assert "Insults." in sentence
    assert bruno.ask("GET", "/api/people/me").status_code == 200
    other.asks("sit", seat=1)
    other.until("table", why="began")
    (ban,) = admin.lists("bans")
    assert (ban["kind"], ban["who"], ban["reason"]) == ("person", anna.id, "Insults.")
    assert 6.9 < (ban["until"] - ban["at"]) / 86_400_000 < 7.1
    assert admin.lists("person", anna.id)["banned"] is True
    admin.does("unban", "person", anna.id)
    assert admin.lists("bans") == []
    assert anna.ask("GET", "/api/people/me").status_code == 200
    anna.enters(table).until("state")
    assert admin.audited() == [("ban", f"person {anna.id}"), ("unban", f"person {anna.id}")]
    assert "no such person" in admin.fails("ban", "person", "nonsense")
    assert "no such ban" in admin.fails("unban", "person", anna.id)


def test_a_ban_ends_by_itself(place: House, admin: Admin) -> None:
    anna = Guest(place, "Anna")
    admin.does("ban", "person", anna.id, "--for", "2s")
    until(lambda: anna.ask("GET", "/api/people/me").status_code == 200)
    assert admin.lists("bans") == []


def test_a_banned_address_is_out_also_behind_a_reverse_proxy(tmp_path: Path) -> None:
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits", "--behind", "127.0.0.1") as place:
        admin, anna = Admin(place.database), Guest(place, "Anna")

        def status(address: str) -> int:
            return anna.ask("GET", "/api/people/me", headers={"x-forwarded-for": address}).status_code

        admin.does("ban", "address", "203.0.113.7")
        admin.does("ban", "address", "2001:db8:1:2::3")
        admin.does("ban", "network", "198.51.100.0/24")
        admin.does("ban", "network", "2001:db8:9::9/128")
        for address in ("203.0.113.7", "::ffff:203.0.113.7", "2001:db8:1:2:ffff::1", "198.51.100.200", "2001:db8:9::9"):
            assert status(address) == 403, address
        for address in ("203.0.113.8", "2001:db8:1:3::3", "198.51.101.1", "2001:db8:9::8"):
            assert status(address) == 200, address
        page = httpx.get(place.url, headers={"x-forwarded-for": "203.0.113.7"}, timeout=PATIENCE)
        assert page.status_code != 403, "the page itself is served, to show the sentence"
        assert {ban["who"] for ban in admin.lists("bans")} == {
            "203.0.113.7/32",
            "2001:db8:1:2::/64",
            "198.51.100.0/24",
            "2001:db8:9::9/128",
        }
        admin.does("unban", "address", "2001:db8:1:2::99")
        assert status("2001:db8:1:2::3") == 200
        assert "no address" in admin.fails("ban", "address", "nonsense")
        assert "no duration" in admin.fails("ban", "address", "203.0.113.9", "--for", "ever")


def test_a_ban_closes_the_sockets_of_an_address_also_of_people_without_a_name(place: House, admin: Admin) -> None:
    anna = Guest(place, "Anna")
    table = anna.opens()
    chair, nameless = anna.enters(table), Chair(place, table, None)
    for one in (chair, nameless):
        one.until("state")
    admin.does("ban", "address", "127.0.0.1")
    for one in (chair, nameless):
        assert one.until("refused")["code"] == "banned"
        assert one.closed() == 4403
    late = Chair(place, table, None)
    assert late.until("refused")["code"] == "banned"
    assert late.closed() == 4403


@pytest.mark.slow
def test_a_ban_holds_in_every_process(postgres: str) -> None:
    with house(postgres, "--no-limits") as here, house(postgres, "--no-limits") as there:
        admin, anna, bruno = Admin(postgres), Guest(here, "Anna"), Guest(here, "Bruno")
        assert len(admin.lists("status")) == 2
        before = len(admin.audited())  # of other tests with the same database
        table = anna.opens()
        mine, forwarded = anna.enters(table), elsewhere(anna, there).enters(table)
        lonely = elsewhere(anna, there).enters(elsewhere(bruno, there).opens())
        for chair in (mine, forwarded, lonely):
            chair.until("state")
        admin.does("ban", "person", anna.id, "--reason", "Insults.")
        for chair in (mine, forwarded, lonely):
            assert chair.until("refused")["sentence"].endswith("Insults.")
            assert chair.closed() == 4403
        for home in (here, there):  # the command returns when every process obeys
            assert elsewhere(anna, home).ask("GET", "/api/people/me").status_code == 403
        admin.does("unban", "person", anna.id)
        for home in (here, there):
            assert elsewhere(anna, home).ask("GET", "/api/people/me").status_code == 200
        watching = [Chair(home, table, None) for home in (here, there)]
        for chair in watching:
            chair.until("state")
        admin.does("ban", "address", "127.0.0.1")
        for chair in watching:
            assert chair.closed() == 4403
        admin.does("unban", "address", "127.0.0.1")
        assert [what for what, _ in admin.audited()[before:]] == ["ban", "unban", "ban", "unban"], "each once"
