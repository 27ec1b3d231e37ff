"""Tables of a browser: played to the end, left and found again, and never shown what is not kept."""

from typing import Any

import pytest

from browser.window import GAMES, FullStorage, Window, done
from ludotheque.browser import session

SHORT: dict[str, dict[str, Any]] = {"yam-master": {"max_turns": 6}, "twisty": {"max_rounds": 4}, "wykersham": {}}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_match_against_a_bot_is_played_to_the_end_and_its_record_kept(game: str) -> None:
    window = Window().named()
    _, connection = window.begins(game, bots=1, options=SHORT[game])
    while window.plays(connection):
        pass
    end = next(one["table"]["ended"] for one in reversed(window.heard[connection]) if one.get("table"))
    _, records = window.ask("GET", "/api/records?mine=true")
    assert [one["id"] for one in records["records"]] == [end["record"]]
    _, verdict = window.ask("GET", f"/api/records/{end['record']}/verdict")
    assert verdict["fair"] is not False
    _, story = window.ask("GET", f"/api/records/{end['record']}/story")
    assert len(story["steps"]) == records["records"][0]["actions"]
    assert not [one for one in window.heard[connection] if one["what"] == "refused"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_reload_in_the_middle_of_a_turn_finds_the_same_position(game: str) -> None:
    window = Window().named()
    table, connection = window.begins(game, me=2, options=SHORT[game])
    for _ in range(5):
        window.plays(connection)
    before = window.position(connection)
    again = Window(window.storage)
    again.secret = window.secret
    back = again.enters(table)
    assert again.position(back) == before
    assert again.plays(back)
    assert again.position(back) != before


def test_a_bot_whose_turn_it_is_goes_on_after_a_reload() -> None:
    window = Window().named()
    table, connection = window.begins("wykersham", bots=1)
    while window.position(connection)["acting"] in window.last(connection, "state")["you"]["seats"]:
        window.plays(connection)
    again = Window(window.storage)
    again.secret = window.secret
    back = again.enters(table)
    length = again.position(back)["length"]
    while again.position(back)["length"] == length:
        again.plays(back)


def test_what_is_not_kept_is_not_shown() -> None:
    storage = FullStorage()
    window = Window(storage).named()
    table, connection = window.begins("wykersham", me=2)
    before = window.rolls(connection)
    storage.full = True
    said = window.asks(connection, "act", action=before["legal"]["actions"][0])
    assert [one["what"] for one in said] == ["refused"]
    assert said[0]["code"] == "not-stored"
    assert window.closed[connection] == 1012  # the page comes again, and hears what is kept
    storage.full = False
    back = window.enters(table)
    assert window.position(back) == before


def test_take_back_rematch_and_hint_work_as_at_any_table() -> None:
    window = Window().named()
    table, connection = window.begins("wykersham", me=2, settings={"hints": True})
    first = window.rolls(connection)
    window.plays(connection)
    window.asks(connection, "takeback")
    assert window.position(connection)["state"] == first["state"]
    window.asks(connection, "hint", level=1)
    window.settle()
    assert window.last(connection, "hint")["action"] in first["legal"]["actions"]
    window.asks(connection, "resign")
    assert window.last(connection, "table")["table"]["status"] == "over"
    window.asks(connection, "rematch", number="eight")
    assert window.last(connection, "table")["table"]["match"] == 2
    assert window.ask("GET", "/api/tables?mine=true")[1]["tables"][0]["id"] == table


def test_a_bot_that_fails_does_not_stop_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(session, "bot", fails)
    window = Window().named()
    _, connection = window.begins("twisty", bots=1, options=SHORT["twisty"])
    while window.plays(connection):
        pass
    assert not [one for one in window.heard[connection] if one["what"] == "refused"]


def test_who_reconnects_hears_what_they_missed_or_everything() -> None:
    window = Window().named()
    table, connection = window.begins("wykersham", me=2)
    number = window.number(connection)
    window.plays(connection)
    missed = window.enters(table, last=number)
    assert [one["what"] for one in window.heard[missed]] == ["welcome", "step", "here"]
    assert [one["what"] for one in window.heard[window.enters(table)]] == ["welcome", "state", "here"]


def test_a_window_that_is_closed_gives_its_tables_up() -> None:
    window = Window().named()
    table, connection = window.begins("wykersham", me=2)
    assert window.host.present(table) is not None
    window.host.disconnect(connection)
    assert window.host.present(table) is None
    other = Window(window.storage)
    other.secret = window.secret
    other.plays(other.enters(table))  # another window goes on
    assert window.position(window.enters(table))["length"] == 1


def test_a_table_is_deleted_with_its_log() -> None:
    window = Window().named()
    table, connection = window.begins("wykersham", me=2)
    window.host.disconnect(connection)
    assert window.ask("DELETE", f"/api/tables/{table}")[0] == 204
    assert window.storage.kept["entries"] == {}
    gone = window.enters(table)
    assert window.closed[gone] == 4404


def test_who_wants_to_be_forgotten_leaves_nothing() -> None:
    window = Window().named()
    _, connection = window.begins("wykersham", me=2)
    window.asks(connection, "resign")
    assert window.ask("DELETE", "/api/people/me")[0] == 204
    assert not any(window.storage.kept.values())


def test_seats_for_people_elsewhere_need_a_server() -> None:
    window = Window().named()
    status, answer = window.ask("POST", "/api/tables", {"game": "wykersham", "seats": [{"kind": "open"}] * 2})
    assert status == 400
    assert "start a server" in answer["error"]["sentence"]
    assert window.ask("POST", "/api/tables", {"game": "wykersham", "sets": []})[0] == 400


def test_the_dice_are_committed_to_before_the_players_number() -> None:
    window = Window().named()
    table = window.opens("yam-master", seats=[{"kind": "me"}] * 2, settings={"pace": 0}, options={"max_turns": 4})
    connection = window.enters(table)
    dice = window.last(connection, "state")["table"]["dice"]
    assert dice["commitment"]
    assert dice["awaited"] == [0, 1]
    assert dice["seed"] is None
    window.asks(connection, "contribute", number="mine")
    while window.plays(connection):
        pass
    ended = next(one["table"] for one in reversed(window.heard[connection]) if one.get("table"))
    assert ended["dice"]["commitment"] == dice["commitment"]
    assert window.ask("GET", f"/api/records/{ended['ended']['record']}/verdict")[1]["fair"] is True
    assert window.storage.kept["entries"]


def test_results_and_a_small_board_are_told_as_by_a_server() -> None:
    window = Window().named("Anna")
    assert window.ask("GET", "/api/people/me/results") == (200, {"results": [], "before": None})
    table, connection = window.begins("yam-master", bots=1, level=3, options={"first": 0})
    glance = window.ask("GET", f"/api/tables/{table}/glance")[1]
    assert (glance["game"], glance["players"], glance["length"]) == ("yam-master", 2, 0)
    assert glance["view"] == window.position(connection)["state"]
    window.asks(connection, "resign")
    (result,) = window.ask("GET", "/api/people/me/results")[1]["results"]
    assert (result["seats"], result["players"], result["returns"]) == ([0], ["human", "bot:3"], [0, 1])
    assert result["review"] is None


def test_an_opponent_elsewhere_needs_a_server() -> None:
    window = Window().named("Anna")
    status, told = window.ask("POST", "/api/people/me/opponent", {"game": "twisty"})
    assert (status, told["error"]["code"]) == (400, "bad-request")
    assert "start a server" in told["error"]["sentence"]


def test_a_bots_step_that_is_not_kept_is_told_and_played_once_there_is_room() -> None:
    storage = FullStorage()
    window = Window(storage).named()
    table, connection = window.begins("wykersham", bots=1)
    while window.position(connection)["acting"] in window.last(connection, "state")["you"]["seats"]:
        window.plays(connection)
    length = window.position(connection)["length"]
    storage.full = True
    while connection not in window.closed:
        done(window.host.advance())
    assert window.last(connection, "refused")["code"] == "not-stored"
    storage.full = False
    back = window.enters(table)
    assert window.position(back)["length"] == length
    while window.position(back)["length"] == length:
        done(window.host.advance())
