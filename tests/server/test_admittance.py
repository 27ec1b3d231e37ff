"""Who may come to a table: not whoever was removed, and nobody new where the host has closed it."""

from typing import Any

import httpx
import pytest

from server.guests import PATIENCE, Chair, Guest, House


@pytest.fixture
def carla(home: House) -> Guest:
    return Guest(home, "Carla")


def at_a_table(anna: Guest, bruno: Guest, **wanted: Any) -> tuple[str, Chair, Chair]:
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "open"}], **wanted)
    first, second = anna.enters(table), bruno.enters(table)
    first.until("state")
    second.until("state")
    second.asks("sit", seat=1, number="7")
    first.until("table", why="began")
    return table, first, second


def turned_away(chair: Chair) -> str:
    """The sentence with which the server closes a socket that it does not admit."""
    assert chair.closed() == 4403
    assert not [one for one in chair.heard if one["what"] in ("welcome", "state")], "nothing of the table is told"
    return next((str(one["sentence"]) for one in chair.heard if one["what"] == "refused"), "")


def without_a_name(home: House, path: str) -> httpx.Response:
    return httpx.get(home.url + path, timeout=PATIENCE)


def test_a_person_removed_from_a_private_table_stays_out_of_all_of_it(
    home: House, anna: Guest, bruno: Guest, carla: Guest
) -> None:
    table, first, second = at_a_table(anna, bruno, private=True)
    watching = Chair(home, table, None)
    watching.until("state")
    first.asks("remove", person=bruno.id)
    first.until("table", why="removed")
    assert second.closed() == 4403
    assert watching.closed() == 4403, "it might be Bruno"
    assert "shown you out" in turned_away(bruno.enters(table))
    assert "without a name" in turned_away(Chair(home, table, None))
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/record"):
        assert bruno.ask("GET", path).status_code == 403, path
        assert without_a_name(home, path).status_code == 403, path
        assert carla.ask("GET", path).status_code == 200, path
        assert anna.ask("GET", path).status_code == 200, path
    assert table not in bruno.ask("GET", "/api/tables?mine=true").text
    assert table in anna.ask("GET", "/api/tables?mine=true").text
    assert carla.enters(table).until("state")["table"]["id"] == table
    assert bruno.id not in anna.ask("GET", f"/api/tables/{table}").text, "a card does not name them"


def test_a_public_table_can_still_be_watched_without_a_name(home: House, anna: Guest, bruno: Guest) -> None:
    table, first, second = at_a_table(anna, bruno)
    first.asks("remove", person=bruno.id)
    assert second.closed() == 4403
    assert "shown you out" in turned_away(bruno.enters(table))
    assert Chair(home, table, None).until("state")["table"]["id"] == table
    assert without_a_name(home, f"/api/tables/{table}/record").status_code == 200


def test_nobody_new_comes_to_a_closed_table_and_those_who_are_there_come_back(
    home: House, anna: Guest, bruno: Guest, carla: Guest
) -> None:
    table, first, second = at_a_table(anna, bruno)
    watcher = carla.enters(table)
    watcher.until("state")
    first.asks("newcomers", on=False)
    assert first.until("table", why="newcomers")["table"]["newcomers"] is False
    watcher.until("table", why="newcomers")
    dora = Guest(home, "Dora")
    for chair in (dora.enters(table), Chair(home, table, None)):
        assert "closed this table to newcomers" in turned_away(chair)
    record = f"/api/tables/{table}/record"
    assert (dora.ask("GET", record).status_code, carla.ask("GET", record).status_code) == (403, 200)
    assert dora.ask("GET", f"/api/tables/{table}").json()["newcomers"] is False
    for guest, chair in ((bruno, second), (carla, watcher)):
        chair.leaves()
        assert guest.enters(table).until("state")["table"]["newcomers"] is False
    first.asks("newcomers", on=True)
    first.until("table", why="newcomers")
    assert dora.enters(table).until("state")["table"]["newcomers"] is True


def test_nobody_sits_down_at_a_closed_table(anna: Guest, bruno: Guest) -> None:
    table = anna.opens()
    assert table in bruno.ask("GET", "/api/tables").text
    first, second = anna.enters(table), bruno.enters(table)
    first.until("state")
    second.until("state")
    second.asks("newcomers", on=False)
    assert second.until("refused")["code"] == "not-allowed"
    first.asks("newcomers", on=False)
    second.until("table", why="newcomers")
    assert table not in bruno.ask("GET", "/api/tables").text, "it is not offered"
    assert table in anna.ask("GET", "/api/tables?mine=true").text
    second.asks("sit", seat=1)
    assert "closed this table to newcomers" in second.until("refused")["sentence"]
