"""Everything that a browser keeps, taken along: into another browser, and to a server."""

from typing import Any

import pytest

from browser.window import GAMES, Window
from server.guests import Guest, house


def saved(window: Window) -> dict[str, Any]:
    status, archive = window.ask("GET", "/api/archive")
    assert status == 200
    assert isinstance(archive, dict)
    return archive


def played(game: str = "wykersham") -> tuple[Window, str]:
    """Somebody with a finished game, and one in the middle of a turn."""
    window = Window().named("Ada")
    _, connection = window.begins(game, bots=1)
    window.asks(connection, "resign")
    table, going = window.begins(game, me=2)
    for _ in range(5):
        window.plays(going)
    return window, table


@pytest.mark.parametrize("game", sorted(GAMES))
def test_another_browser_goes_on_where_the_first_one_was(game: str) -> None:
    window, table = played(game)
    before = window.position(max(window.heard))
    other = Window().named("Bea")
    status, told = other.ask("POST", "/api/archive", saved(window))
    assert (status, told) == (201, {"tables": 2, "records": 1})
    connection = other.enters(table)
    assert other.position(connection) == before
    assert other.plays(connection)  # the seats are this browser's person's now
    _, records = other.ask("GET", "/api/records?mine=true")
    (card,) = records["records"]
    assert card["how"] == "resigned"
    assert other.ask("GET", f"/api/records/{card['id']}/verdict")[1]["fair"] is True


def test_what_is_here_already_stays_as_it_is() -> None:
    window, table = played()
    archive = saved(window)
    connection = max(window.heard)
    window.plays(connection)
    after = window.position(connection)
    assert window.ask("POST", "/api/archive", archive)[1] == {"tables": 0, "records": 0}
    window.host.forget(table)
    assert window.position(window.enters(table)) == after


def test_a_file_that_is_something_else_changes_nothing() -> None:
    window, _ = played()
    good = saved(window)
    other = Window().named()
    before = {kind: dict(kept) for kind, kept in other.storage.kept.items()}
    table, record = good["tables"][0], good["records"][0]
    forged = {**record["record"], "actions": ["nonsense"]}
    files: list[Any] = [
        [],
        {},
        {**good, "ludotheque_archive": 2},
        {**good, "tables": [{**table, "id": "../me"}]},
        {**good, "tables": [{**table, "log": []}]},
        {**good, "tables": [{**table, "log": table["log"][1:]}]},
        {**good, "tables": [{**table, "log": [{**table["log"][0], "kind": "nothing"}]}]},
        {**good, "records": [{**record, "record": None}]},
        {**good, "records": [{**record, "record": forged}]},
        {**good, "records": [{**record, "card": {**record["card"], "how": "won"}}]},
    ]
    for bad in files:
        status, answer = other.ask("POST", "/api/archive", bad, "fr")
        assert status >= 400, bad
        assert answer["error"]["sentence"]
    assert other.storage.kept == before


def test_a_server_takes_the_records_and_goes_on_with_the_tables(tmp_path: Any) -> None:
    window, table = played("yam-master")
    before = window.position(max(window.heard))
    archive = saved(window)
    with house(f"sqlite:///{tmp_path / 'tables.db'}", "--no-limits") as home:
        guest = Guest(home, "Ada")
        (going,) = [one for one in archive["tables"] if one["next"]]
        assert going["id"] == table
        opened = guest.ask("POST", "/api/tables", going["next"])
        assert opened.status_code == 201, opened.text
        chair = guest.enters(opened.json()["table"]["id"])
        chair.until("here")
        chair.asks("contribute", number="seven")
        begun = chair.until("table", why="began")
        assert begun["position"]["state"] == before["state"]
        chair.leaves()
        for one in archive["records"]:
            assert guest.ask("POST", "/api/records", one["record"]).status_code == 201
