"""Puzzles and reviews over the network: judged by the engine, queued, stopped, kept; nothing is told twice or to the wrong person."""

import time
from typing import Any

import httpx
import pytest

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match, find_game, write_record
from server.guests import PATIENCE, Guest, House
from wykersham.board import turn_view


def record_of(game: str, seed: str, *, most: int = 100_000, options: Any = None) -> Any:
    """A game between the gentlest bots."""
    match = Match(find_game(game), options=options, dice=Dice(seed))
    player = bot(match.game, 1)
    while not match.over and len(match.log) < most:
        if match.to_move == CHANCE:
            match.draw()
        else:
            match.play(player.choose(match.position, seed=len(match.log)).action)
    return write_record(match)


def upload(guest: Guest, record: Any) -> str:
    answer = guest.ask("POST", "/api/records", record)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def wait_for(guest: Guest, record: str, *states: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        told = guest.ask("GET", f"/api/records/{record}/review").json()
        if told["state"] in states:
            return told
        time.sleep(0.1)
    raise AssertionError(f"still {told['state']}, {told['done']} of {told['total']}")


def test_the_puzzle_of_a_day_is_the_same_for_everybody_and_another_one_tomorrow(home: House) -> None:
    def of(day: str) -> Any:
        return httpx.get(f"{home.url}/api/games/yam-master/puzzle", params={"day": day}, timeout=PATIENCE).json()

    assert of("2026-11-15") == of("2026-11-15")
    days = [of(f"2026-12-{day:02}")["number"] for day in range(1, 6)]
    assert len(set(days)) == 5
    assert "answer" not in of("2026-11-15")
    assert httpx.get(f"{home.url}/api/games/yam-master/puzzle", timeout=PATIENCE).json()["game"] == "yam-master"
    assert (
        httpx.get(f"{home.url}/api/games/yam-master/puzzle", params={"day": "yesterday"}, timeout=PATIENCE).status_code
        == 400
    )


def test_an_answer_is_judged_with_what_it_is_worth_and_why(home: House) -> None:
    address = f"{home.url}/api/games/yam-master/puzzles/1"
    puzzle = httpx.get(address, timeout=PATIENCE).json()
    assert puzzle["question"] == {
        "en": "Red to play. Where does the pawn go?",
        "fr": "À Rouge de jouer. Où poser le pion ?",
    }
    wrong = httpx.post(f"{address}/answer", json={"action": "pass"}, timeout=PATIENCE).json()
    assert not wrong["right"]
    assert wrong["value"] < wrong["best_value"]
    assert wrong["why"]["chosen"] == {"en": "Red passes", "fr": "Rouge passe"}
    right = httpx.post(f"{address}/answer", json={"action": wrong["best"]}, timeout=PATIENCE).json()
    assert right["right"]
    assert right["value"] == right["best_value"] == wrong["best_value"]
    refused = httpx.post(f"{address}/answer", json={"action": "place r1c4"}, timeout=PATIENCE)
    assert refused.json()["error"]["code"] == "illegal-action"
    assert httpx.get(f"{home.url}/api/games/yam-master/puzzles/0", timeout=PATIENCE).status_code == 400
    assert (
        "1 to 240"
        in httpx.get(f"{home.url}/api/games/yam-master/puzzles/9999", timeout=PATIENCE).json()["error"]["sentence"]
    )


def test_the_odds_of_a_turn_are_told(home: House) -> None:
    puzzle = httpx.get(f"{home.url}/api/games/yam-master/puzzles/5", timeout=PATIENCE).json()
    question = {"game": "yam-master", "setup": puzzle["position"]}
    odds = httpx.post(f"{home.url}/api/odds", json=question, timeout=PATIENCE).json()["odds"]
    assert {one["name"]: one["chance"] for one in odds}["Full"] == 1.0  # 33355 lies there, and it was the last roll
    assert {one["name"]: one["chance"] for one in odds}["Suite"] == 0.0
    assert httpx.post(f"{home.url}/api/odds", json={"game": "twisty"}, timeout=PATIENCE).json() == {"odds": []}


def test_a_game_says_whether_it_has_puzzles_and_reviews(home: House) -> None:
    games = {one["name"]: one for one in httpx.get(f"{home.url}/api/games", timeout=PATIENCE).json()["games"]}
    assert games["yam-master"]["puzzles"] == len(
        httpx.get(f"{home.url}/api/games/yam-master/puzzles", timeout=PATIENCE).json()["puzzles"]
    )
    assert (games["yikerz"]["puzzles"], games["yikerz"]["reviews"]) == (0, False)
    assert httpx.get(f"{home.url}/api/games/yikerz/puzzle", timeout=PATIENCE).status_code == 400


def test_a_game_is_reviewed_once_for_everybody(anna: Guest, bruno: Guest) -> None:
    record = upload(anna, record_of("yam-master", "review me", options={"max_turns": 4}))
    assert anna.ask("GET", f"/api/records/{record}/review").json()["state"] == "none"
    asked = anna.ask("POST", f"/api/records/{record}/review")
    assert asked.status_code == 202, asked.text
    assert asked.json()["mine"]
    told = wait_for(bruno, record, "done")
    assert not told["mine"]
    review = told["review"]
    assert len(review["moments"]) == told["done"] == told["total"]
    assert all(0 <= chance <= 1 for moment in review["moments"] for chance in moment["chances"])
    assert review["players"][0]["luck"] == pytest.approx(-review["players"][1]["luck"], abs=1e-3)
    mistakes = [moment for moment in review["moments"] if moment["size"]]
    assert mistakes, "the gentlest bot makes mistakes"
    for mistake in mistakes:
        assert mistake["best"] != mistake["action"]
        assert mistake["why"]["better"]["fr"] != mistake["why"]["better"]["en"]
    again = bruno.ask("POST", f"/api/records/{record}/review").json()
    assert again["state"] == "done"
    assert again["review"] == review


def test_a_review_is_stopped_by_whoever_asked_and_nobody_has_too_many(anna: Guest, bruno: Guest) -> None:
    records = [upload(anna, record_of("twisty", f"long {number}")) for number in range(3)]
    for record in records[:2]:
        assert anna.ask("POST", f"/api/records/{record}/review").json()["state"] in ("waiting", "working")
    third = anna.ask("POST", f"/api/records/{records[2]}/review")
    assert third.status_code == 429
    assert "under way" in third.json()["error"]["sentence"]
    assert anna.ask("GET", f"/api/records/{records[1]}/review").json()["ahead"] == 1
    assert bruno.ask("DELETE", f"/api/records/{records[0]}/review").status_code == 403
    for record in records[:2]:
        assert anna.ask("DELETE", f"/api/records/{record}/review").status_code == 204
        assert anna.ask("GET", f"/api/records/{record}/review").json()["state"] == "stopped"
    assert anna.ask("POST", f"/api/records/{records[2]}/review").status_code == 202
    anna.ask("DELETE", f"/api/records/{records[2]}/review")


def test_yikerz_says_kindly_that_it_has_no_review(anna: Guest) -> None:
    record = upload(anna, write_record(Match(find_game("yikerz"), dice=Dice("hands"))))
    refused = anna.ask("POST", f"/api/records/{record}/review")
    assert refused.status_code == 400
    assert "played by hand" in refused.json()["error"]["sentence"]


def test_an_unfinished_game_of_every_discrete_kind_can_be_reviewed(anna: Guest) -> None:
    for game in ("wykersham", "twisty"):
        record = upload(anna, record_of(game, "short", most=6))
        anna.ask("POST", f"/api/records/{record}/review")
        assert len(wait_for(anna, record, "done")["review"]["moments"]) == 6


def test_a_hint_on_any_position_says_why(anna: Guest) -> None:
    """Late in a game of Wykersham one slide makes a goal of five marbles."""
    setup = turn_view(". . . . . . .\n" + ". . r . . . .\n" * 4, turns=13)
    question = {"game": "wykersham", "setup": setup, "actions": ["26", "6@3", "2@1"], "level": 5}
    advice = anna.ask("POST", "/api/hint", question).json()
    assert advice["action"] == "right"
    reasons = {one["what"]: one for one in advice["reasons"]}
    assert reasons["why-marbles"]["facts"] == {"player": 0, "count": 5, "chosen": 0}
    assert reasons["why-marbles"]["words"]["en"] == "Red wins 5 marbles in this turn, otherwise 0"
