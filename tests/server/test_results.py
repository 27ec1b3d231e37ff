"""What people are told of their finished games, and a table at a glance."""

import time
from typing import Any

from server.guests import PATIENCE, Guest

BOT = [{"kind": "me"}, {"kind": "bot", "level": 3}]


def gives_up(guest: Guest, **wanted: Any) -> str:
    """Opens a table, begins, and gives up at once; returns the table."""
    table = guest.opens(**{"seats": BOT, "options": {"first": 0}, "settings": {"pace": 0}, **wanted})
    chair = guest.enters(table)
    state = chair.until("state")
    if state["table"]["status"] == "waiting":
        chair.until("table", why="began")
    chair.asks("roll")
    chair.until("step")
    chair.asks("resign", **({"seat": 0} if len(chair.seats) > 1 else {}))
    chair.until("table", why="resigned")
    chair.leaves()
    return table


def results(guest: Guest) -> Any:
    answer = guest.ask("GET", "/api/people/me/results")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_lost_game_is_told_with_the_level_and_once_there_is_a_review_with_luck_and_losses(anna: Guest) -> None:
    assert results(anna) == {"results": [], "before": None}
    gives_up(anna)
    (told,) = results(anna)["results"]
    assert (told["game"], told["seats"], told["players"], told["returns"]) == (
        "yam-master",
        [0],
        ["human", "bot:3"],
        [0, 1],
    )
    assert told["names"][0] == "Anna"
    assert told["review"] is None, "nothing is made up before there is a review"
    path = f"/api/records/{told['record']}/review"
    assert anna.ask("POST", path).status_code == 202
    deadline = time.monotonic() + PATIENCE
    while (state := anna.ask("GET", path).json())["state"] != "done":
        assert time.monotonic() < deadline, state
        time.sleep(0.05)
    (judged,) = results(anna)["results"]
    summed = state["review"]["players"][0]
    assert judged["review"] == {name: summed[name] for name in ("decisions", "lost", "luck")}


def test_uploads_and_others_games_are_not_mine(anna: Guest, bruno: Guest) -> None:
    gives_up(bruno)
    record = anna.ask("GET", f"/api/records/{results(bruno)['results'][0]['record']}").json()
    assert anna.ask("POST", "/api/records", record).status_code == 201
    assert results(anna)["results"] == []


def test_two_at_one_screen_have_two_seats(anna: Guest) -> None:
    gives_up(anna, seats=[{"kind": "me"}, {"kind": "me", "name": "Zoé"}])
    (told,) = results(anna)["results"]
    assert (told["seats"], told["names"][1]) == ([0, 1], "Zoé")


def test_the_oldest_results_come_on_the_next_page(anna: Guest) -> None:
    gives_up(anna)
    gives_up(anna)
    latest, first = results(anna)["results"]
    assert latest["ended"] >= first["ended"]
    older = anna.ask("GET", f"/api/people/me/results?before={latest['ended']}").json()["results"]
    assert [one["record"] for one in older] == [first["record"]]


def test_a_small_board_shows_the_position_that_everybody_sees(anna: Guest, bruno: Guest) -> None:
    table = anna.opens(seats=BOT, options={"first": 0}, settings={"pace": 0})
    chair = anna.enters(table)
    chair.until("state")
    while chair.position is None:
        chair.hears()
    glance = bruno.ask("GET", f"/api/tables/{table}/glance").json()
    assert (glance["game"], glance["players"], glance["length"]) == ("yam-master", 2, chair.position["length"])
    assert glance["view"] == chair.position["state"]


def test_there_is_nothing_to_see_before_a_match_or_where_one_was_removed(anna: Guest, bruno: Guest) -> None:
    table = anna.opens(private=True)
    assert bruno.ask("GET", f"/api/tables/{table}/glance").status_code == 404
    assert bruno.ask("GET", "/api/tables/nothing/glance").status_code == 404
    chair, other = anna.enters(table), bruno.enters(table)
    chair.until("state")
    other.until("state")
    chair.asks("remove", person=bruno.id)
    assert other.closed() is not None
    assert bruno.ask("GET", f"/api/tables/{table}/glance").status_code == 403
