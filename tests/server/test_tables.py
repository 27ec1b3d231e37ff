"""People at tables: what they can do, what they see, and what they may not do."""

import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludotheque.core import find_game, game_names
from server.guests import Chair, Guest


def seated(anna: Guest, bruno: Guest, **wanted: Any) -> tuple[Chair, Chair, str]:
    """Anna opens a table, Bruno joins: the match begins."""
    table = anna.opens(**wanted)
    first, second = anna.enters(table), bruno.enters(table)
    first.until("state")
    second.until("state")
    second.asks("sit", seat=1)
    for chair in (first, second):
        chair.until("table", why="began")
        if (
            chair.position
            and chair.position["to_move"] == "chance"
            and wanted.get("settings", {}).get("dice") == "auto"
        ):
            chair.until("step")
    first.seats, second.seats = [0], [1]
    return first, second, table


def whose(first: Chair, second: Chair) -> tuple[Chair, Chair]:
    """Who acts, and who does not."""
    assert first.position is not None
    return (first, second) if first.position["acting"] in first.seats else (second, first)


def play_one(first: Chair, second: Chair, pick: int = 0) -> dict[str, Any]:
    """One step of whoever acts; both hear it."""
    actor, other = whose(first, second)
    assert actor.position is not None
    if actor.position["to_move"] == "chance":
        request = actor.asks("roll")
    else:
        legal = actor.position["legal"]["actions"]
        request = actor.asks("act", action=legal[pick % len(legal)])
    heard = actor.until("step", request=request)
    assert other.until("step", request=request) == heard
    return heard


def test_two_people_play_and_both_hear_every_step_in_words_of_both_languages(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    rolled = play_one(first, second)
    assert rolled["by"] == "chance"
    assert {"en", "fr"} == set(rolled["events"][0]["words"])
    assert any(name in rolled["events"][0]["words"]["en"] for name in ("Anna", "Bruno"))
    decided = play_one(first, second)
    assert decided["by"] in (0, 1)


def test_a_list_of_ones_tables_says_where_one_is_to_act(anna: Guest, bruno: Guest) -> None:
    first, second, table = seated(anna, bruno, options={"first": 0})

    def awaited() -> list[bool]:
        lists = [guest.ask("GET", "/api/tables?mine=true").json()["tables"] for guest in (anna, bruno)]
        return [next(card["your_turn"] for card in cards if card["id"] == table) for cards in lists]

    assert awaited() == [True, False]
    while whose(first, second)[0] is first:
        play_one(first, second)
    assert awaited() == [False, True]
    for guest, mine in ((anna, False), (bruno, True)):
        assert guest.ask("GET", f"/api/tables/{table}").json()["your_turn"] is mine
    second.until("table", request=second.asks("resign"))
    assert awaited() == [False, False]


def test_a_whole_game_ends_with_a_record_whose_dice_are_fair(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno, options={"max_turns": 2}, settings={"dice": "auto"})
    before = first.table["dice"]["commitment"]
    for _ in range(60):
        if first.table["status"] == "over":
            break
        actor, other = whose(first, second)
        assert actor.position is not None
        request = actor.asks("act", action="pass")
        actor.until("step", request=request)
        other.until("step", request=request)
        while first.table["status"] == "playing" and first.position and first.position["to_move"] == "chance":
            first.until("step", by="chance")
            second.until("step", by="chance")
    assert first.table["ended"]["how"] == "played"
    assert first.table["dice"]["seed"]
    record = anna.ask("GET", f"/api/records/{first.table['ended']['record']}").json()
    assert record["dice"]["commitment"] == before
    assert record["returns"] == first.table["ended"]["returns"]
    verdict = anna.ask("GET", f"/api/records/{first.table['ended']['record']}/verdict").json()
    assert verdict["fair"] is True
    assert [card["id"] for card in bruno.ask("GET", "/api/records?mine=true").json()["records"]] == [
        first.table["ended"]["record"]
    ]


def test_the_seed_stays_secret_while_the_match_goes_on(anna: Guest, bruno: Guest) -> None:
    first, second, table = seated(anna, bruno)
    play_one(first, second)
    assert first.table["dice"]["seed"] is None
    assert "seed" not in anna.ask("GET", f"/api/tables/{table}/record").json()["dice"]


def test_the_players_own_numbers_are_mixed_into_the_dice(anna: Guest, bruno: Guest) -> None:
    table = anna.opens(number="came before the commitment", contributes=False)
    chair, host = bruno.enters(table), anna.enters(table, silent=True)
    shown = chair.until("state")["table"]["dice"]
    assert (shown["numbers"], shown["awaited"]) == ([None, None], [0])
    host.until("state")
    host.asks("contribute", number="anna's number")  # before all seats are taken: nobody's time runs out meanwhile
    chair.until("table", why="contributed")
    chair.asks("sit", seat=1, number="bruno's number")
    chair.until("table", why="began")
    assert chair.table["dice"]["commitment"] == shown["commitment"]
    assert chair.table["dice"]["numbers"] == ["anna's number", "bruno's number"]
    chair.asks("resign")
    record = chair.until("table", why="resigned")["table"]["ended"]["record"]
    verdict = anna.ask("GET", f"/api/records/{record}/verdict").json()
    assert verdict["fair"] is True
    assert "The commitment came first, then the numbers of Anna, Bruno, then the match" in verdict["order"]["en"]


def test_a_program_that_sends_no_number_plays_all_the_same(anna: Guest) -> None:
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "bot", "level": 1}], contributes=False)
    chair = anna.enters(table, silent=True)
    assert chair.until("state")["table"]["dice"]["awaited"] == [0]
    began = chair.until("table", why="began")
    assert began["table"]["dice"]["numbers"] == [None, None]
    assert anna.ask("GET", f"/api/tables/{table}/record").json()["dice"]["order"] == ["commitment", "match"]


def test_nobody_acts_for_another(anna: Guest, bruno: Guest) -> None:
    first, second, table = seated(anna, bruno)
    actor, other = whose(first, second)
    request = other.asks("roll")
    assert other.until("refused")["code"] == "not-allowed"
    watcher = Chair(anna.home, table, None)
    watcher.until("state")
    watcher.asks("roll")
    assert watcher.until("refused")["code"] == "who-are-you"
    number = actor.number
    play_one(first, second)
    assert first.number == number + 1, f"{request} was applied"


def test_a_stale_request_is_answered_with_the_full_state_and_not_applied(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    play_one(first, second)
    play_one(first, second)
    actor, _ = whose(first, second)
    number = actor.number
    actor.asks(
        "roll" if actor.position and actor.position["to_move"] == "chance" else "act", at=number - 1, action="pass"
    )
    state = actor.until("state")
    assert (state["why"], state["number"]) == ("stale", number)


def test_a_repeated_request_is_not_applied_twice(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    actor, _ = whose(first, second)
    number = actor.number
    actor.asks("roll", id="the same", at=number)
    actor.asks("roll", id="the same", at=number)
    actor.asks("roll", id="the same", at=number + 1)
    actor.until("step", request="the same")
    for _ in range(2):
        state = actor.until("state")
        assert state["number"] == number + 1
        assert state["why"] == "again"
        assert "the same" in state["applied"]


def test_who_comes_back_hears_what_was_missed(anna: Guest, bruno: Guest) -> None:
    first, second, table = seated(anna, bruno)
    play_one(first, second)
    seen = first.number
    first.leaves()
    missed = []
    for _ in range(2):
        if second.position and second.position["acting"] == 1:
            if second.position["to_move"] == "chance":
                second.asks("roll")
            else:
                second.asks("act", action="pass")
            missed.append(second.until("step"))
    again = anna.enters(table, last=seen)
    assert again.until("welcome")["number"] == second.number
    assert [again.until("step") for _ in missed] == missed
    stranger = anna.enters(table, last=10**9)
    assert stranger.until("state")["number"] == second.number


def test_a_takeback_is_asked_agreed_and_goes_back_to_my_last_decision(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    play_one(first, second)
    actor, other = whose(first, second)
    before = actor.position
    request = actor.asks("act", action="pass")
    for chair in (actor, other):
        chair.until("step", request=request)
    actor.asks("takeback")
    asked = other.until("table", why="takeback-asked")
    assert asked["table"]["takeback"]["seat"] in actor.seats
    other.asks("answer", yes=True)
    back = actor.until("table", why="takeback")
    assert back["position"] == before


def test_a_refused_takeback_changes_nothing(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    play_one(first, second)
    actor, other = whose(first, second)
    request = actor.asks("act", action="pass")
    actor.until("step", request=request)
    other.until("step", request=request)
    position = actor.position
    actor.asks("takeback")
    other.until("table", why="takeback-asked")
    other.asks("answer", yes=False)
    refused = actor.until("table", why="takeback-refused")
    assert refused["position"] == position
    assert refused["table"]["takeback"] is None


def test_alone_at_the_table_a_takeback_is_done_at_once(anna: Guest) -> None:
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "me", "name": "Zoé"}])
    chair = anna.enters(table)
    chair.until("state")
    chair.asks("roll")
    chair.until("step")
    chair.asks("act", action="pass")
    chair.until("step")
    chair.asks("takeback")
    assert chair.until("table", why="takeback")["position"]["length"] == 1


def test_several_people_at_one_device_play_each_under_their_name(anna: Guest) -> None:
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "me", "name": "Zoé"}])
    chair = anna.enters(table)
    chair.until("state")
    assert [seat["name"] for seat in chair.table["seats"]] == ["Anna", "Zoé"]
    told = ""
    for _ in range(4):
        assert chair.position is not None
        if chair.position["to_move"] == "chance":
            chair.asks("roll")
        else:
            chair.asks("act", action="pass")
        told += chair.until("step")["events"][0]["words"]["fr"]
    assert "Anna" in told
    assert "Zoé" in told


def test_whoever_resigns_loses_and_play_again_changes_sides(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno, series=3)
    second.asks("resign")
    ended = first.until("table", why="resigned")["table"]
    assert ended["ended"]["returns"] == [1, 0]
    assert ended["series"] == {"games": 3, "played": 1, "score": [1, 0]}
    committed = ended["dice"]["next"]
    second.until("table", why="resigned")
    first.asks("rematch")
    second.until("table", why="rematch")
    second.asks("rematch")
    again = first.until("table", why="began")["table"]
    assert [seat["name"] for seat in again["seats"]] == ["Bruno", "Anna"]
    assert again["series"]["score"] == [0, 1]
    assert again["dice"]["commitment"] == committed


def test_a_bot_plays_its_turns(anna: Guest) -> None:
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "bot", "level": 1}], settings={"pace": 0, "dice": "auto"})
    chair = anna.enters(table)
    chair.until("state")
    for _ in range(200):
        if any(message.get("by") == 1 for message in chair.heard if message["what"] == "step"):
            return
        assert chair.position is not None
        if chair.position["acting"] == 0 and chair.position["to_move"] == 0:
            request = chair.asks("act", action="pass")
            chair.until("step", request=request)
        else:
            chair.hears()
    raise AssertionError("the bot never played")


def test_a_configured_program_plays_and_no_other_can_be_named(anna: Guest) -> None:
    table = anna.opens(
        seats=[{"kind": "program", "program": "Firmin"}, {"kind": "program", "program": "Firmin"}], settings={"pace": 0}
    )
    chair = anna.enters(table)
    chair.until("step", by=0)
    answer = anna.ask(
        "POST",
        "/api/tables",
        {"game": "yam-master", "seats": [{"kind": "me"}, {"kind": "program", "program": "rm -rf /"}]},
    )
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "bad-option"


def test_the_clock_runs_on_the_server_and_who_runs_out_loses(anna: Guest, bruno: Guest) -> None:
    began = time.monotonic()
    first, second, _ = seated(anna, bruno, settings={"clock": {"kind": "move", "seconds": 1}})
    actor, other = whose(first, second)
    ended = other.until("table", why="time")["table"]["ended"]
    assert time.monotonic() - began >= 1
    assert ended["seat"] in actor.seats
    assert ended["returns"][ended["seat"]] == 0


def test_a_game_clock_gives_its_increment_back(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno, settings={"clock": {"kind": "game", "seconds": 600, "increment": 60}})
    play_one(first, second)
    seat = whose(first, second)[0].seats[0]
    step = play_one(first, second, pick=-1)
    assert 600 < step["clocks"]["left"][seat] <= 660


def test_a_game_that_the_other_has_left_can_be_claimed_but_not_at_once(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno, settings={"claim_after": 3600})
    actor, other = whose(first, second)
    other.asks("claim", **{"as": "win"})
    assert other.until("refused")["code"] == "bad-request"
    actor.leaves()
    other.until("here", watching=1)
    other.asks("claim", **{"as": "win"})
    assert other.until("refused")["code"] == "bad-request"


def test_phrases_are_heard_chat_only_where_allowed_and_not_by_who_muted(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    first.sends(do="phrase", id="1", phrase="good-luck")
    assert second.until("said")["phrase"] == "good-luck"
    first.sends(do="chat", id="2", text="psst")
    assert first.until("refused")["code"] == "not-allowed"
    second.sends(do="mute", id="3", person=anna.id, on=True)
    second.until("done", id="3")
    first.sends(do="phrase", id="4", phrase="thanks")
    first.until("done", id="4")
    assert [one for one in second.quiet() if one["what"] == "said"] == []


def test_the_host_shows_somebody_out_and_they_cannot_come_back(anna: Guest, bruno: Guest) -> None:
    first, second, table = seated(anna, bruno, settings={"chat": True})
    second.sends(do="remove", id="0", person=anna.id)
    assert second.until("refused")["code"] == "not-allowed"
    first.sends(do="remove", id="1", person=bruno.id)
    assert first.until("table", why="removed")["table"]["seats"][1]["kind"] == "bot"
    assert second.closed() == 4403
    assert bruno.enters(table).closed() == 4403


def test_hints_are_off_while_another_person_plays(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    play_one(first, second)
    actor, _ = whose(first, second)
    actor.sends(do="hint", id="h")
    assert actor.until("refused")["code"] == "not-allowed"


def test_a_hint_against_a_bot_is_a_legal_action(anna: Guest) -> None:
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "me", "name": "Zoé"}], settings={"dice": "auto"})
    chair = anna.enters(table)
    chair.until("state")
    chair.sends(do="hint", id="h", level=1)
    hint = chair.until("hint", id="h")
    assert chair.position is not None
    assert hint["action"] in chair.position["legal"]["actions"]


def test_a_peek_shows_what_would_be_and_changes_nothing(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    number = first.number
    first.sends(do="peek", id="p", actions=["11123", "pass"])
    preview = first.until("preview", id="p")
    assert [step["action"] for step in preview["steps"]] == ["11123", "pass"]
    assert preview["position"]["to_move"] == "chance"
    assert abs(sum(preview["position"]["legal"]["odds"]) - 1) < 1e-9
    second.asks("resign")
    assert first.until("table")["number"] == number + 1


def test_the_story_tells_the_match_so_far(anna: Guest, bruno: Guest) -> None:
    first, second, _ = seated(anna, bruno)
    played = [play_one(first, second)["action"] for _ in range(3)]
    first.sends(do="story", id="s")
    assert [step["action"] for step in first.until("story")["steps"]] == played


def test_a_refusal_comes_in_the_readers_language(anna: Guest, bruno: Guest) -> None:
    table = anna.opens()
    chair = anna.enters(table, language="fr-CA")
    chair.until("state")
    chair.asks("roll")
    assert chair.until("refused")["sentence"] == "Aucune partie n’est en cours."


@pytest.mark.parametrize("game", [name for name in game_names() if find_game(name).capabilities.live is None])
def test_every_discrete_game_is_played_to_its_end_at_one_device(anna: Guest, game: str) -> None:
    seats = [{"kind": "me"}] * find_game(game).seats[0]
    options = {"max_turns": 3} if game == "yam-master" else {}
    table = anna.opens(game, seats=seats, options=options, settings={"dice": "auto"})
    chair = anna.enters(table)
    chair.until("state")
    dice = Random(5)
    while chair.table["status"] != "over":
        position = chair.position
        assert position is not None
        if position["to_move"] == "chance":
            chair.hears()
            continue
        request = chair.asks("act", action=dice.choice(position["legal"]["actions"]))
        chair.until("step", request=request)
    assert chair.table["ended"]["how"] == "played"
    assert sum(chair.table["ended"]["returns"]) == 1


def test_the_program_in_the_documents_plays_a_match(anna: Guest, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/network.md").read_text("utf-8")
    code = page.split("## A program at a table")[1].split("```python\n")[1].split("```")[0]
    seats = [{"kind": "me"}, {"kind": "me", "name": "Zoé"}]
    table = anna.opens(seats=seats, options={"max_turns": 1}, contributes=False)
    program = tmp_path / "program.py"
    program.write_text(
        f"table, secret = {table!r}, {anna.secret!r}\n" + code.replace("localhost:8000", f"127.0.0.1:{anna.home.port}")
    )
    process = subprocess.Popen([sys.executable, str(program)])
    try:
        chair = anna.enters(table, silent=True)
        while chair.table.get("status") != "over":
            chair.hears()
        assert all(chair.table["dice"]["numbers"]), "it has sent its number"
    finally:
        process.kill()
        process.wait(10)
