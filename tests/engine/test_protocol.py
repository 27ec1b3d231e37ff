"""What docs/protocol.md promises of each request, asked of the engine in this process."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ludotheque import __version__
from ludotheque.core import BadRequest, EngineExtras, JsonObject, find_game, game_names, literal
from ludotheque.engine import Engine
from ludotheque.games.yam_master.game import YamMaster

Ask = Callable[..., dict[str, Any]]


def asker(engine: Engine) -> Ask:
    def ask(do: str, **more: Any) -> dict[str, Any]:
        answer = engine.answer(json.dumps({"do": do, **more}).encode())
        assert answer is not None
        assert b"\n" not in answer
        read: dict[str, Any] = json.loads(answer)
        return read

    return ask


@pytest.fixture
def ask() -> Ask:
    return asker(Engine())


def test_hello_names_program_version_protocol_and_games(ask: Ask) -> None:
    assert ask("hello") == {
        "ok": True,
        "name": "ludotheque",
        "version": __version__,
        "protocol": 1,
        "games": game_names(),
        "rules": {name: find_game(name).rules_version for name in game_names()},
    }


def test_a_new_match_is_a_position(ask: Ask) -> None:
    answer = ask("new", game="yam-master", seed=7)
    assert set(answer) == {"ok", "to_move", "state", "over"}
    assert answer["to_move"] == "chance"
    assert answer["over"] is False
    assert ask("view") == answer


def test_players_options_and_setup_are_taken(ask: Ask) -> None:
    first = ask("new", game="yam-master", players=2, options={"max_turns": 3}, seed="x")
    assert first["ok"]
    setup = {**first["state"], "turns": [2, 3], "player": 0}
    again = ask("new", game="yam-master", options={"max_turns": 3}, setup=setup)
    assert again["state"] == setup
    ask("play", action="11345")
    end = ask("play", action="pass")
    assert end["over"]
    assert end["to_move"] is None
    assert end["returns"] == [0.5, 0.5]
    assert ask("legal") == {"ok": True, "actions": []}


def test_a_setup_needs_no_derived_keys(ask: Ask) -> None:
    view = ask("new", game="yam-master", seed=1)["state"]
    shorter = {key: value for key, value in view.items() if key not in {"points", "winner"}}
    assert ask("new", game="yam-master", setup=shorter)["state"] == view


def test_odds_add_up_to_one_and_only_chance_has_them(ask: Ask) -> None:
    ask("new", game="yam-master", seed=1)
    legal = ask("legal")
    assert len(legal["odds"]) == len(legal["actions"]) == 252
    assert sum(legal["odds"]) == pytest.approx(1, abs=1e-12)
    assert legal["odds"][legal["actions"].index("11111")] == pytest.approx(6**-5)
    ask("chance")
    assert set(ask("legal")) == {"ok", "actions"}


def test_chance_names_what_was_drawn(ask: Ask) -> None:
    ask("new", game="yam-master", seed=1)
    answer = ask("chance")
    assert answer["drawn"] == answer["state"]["dice"]
    assert "not chance" in ask("chance")["error"]


def test_the_seed_decides_who_starts_and_every_draw_also_after_undo(ask: Ask) -> None:
    def match() -> list[dict[str, Any]]:
        seen = [ask("new", game="yam-master", seed=-(10**30))["state"]]
        for action in ("keep", "keep", "pass", "pass"):
            seen += [ask("chance"), ask("play", action=action)]
        return seen

    seen = match()
    assert match() == seen
    for _ in range(8):
        ask("undo")
    assert [ask("chance"), ask("play", action="keep"), ask("chance")] == seen[1:4]


def test_different_seeds_start_with_either_player_and_other_dice(ask: Ask) -> None:
    starts = [
        (ask("new", game="yam-master", seed=seed)["state"]["player"], ask("chance")["drawn"]) for seed in range(40)
    ]
    assert {player for player, _ in starts} == {0, 1}
    assert len({dice for _, dice in starts}) > 20


def test_seven_and_its_text_are_the_same_seed(ask: Ask) -> None:
    assert (ask("new", game="yam-master", seed=7), ask("chance")) == (
        ask("new", game="yam-master", seed="7"),
        ask("chance"),
    )


def test_undo_goes_one_action_back_and_not_before_the_start(ask: Ask) -> None:
    start = ask("new", game="yam-master", seed=3)
    rolled = ask("play", action="11345")
    ask("play", action="keep 11")
    assert ask("undo") == rolled
    assert ask("undo") == start
    assert ask("undo") == {"ok": False, "error": "There is nothing to take back."}
    assert ask("view") == start


def test_peek_shows_a_position_with_its_events_and_changes_nothing(ask: Ask) -> None:
    ask("new", game="yam-master", seed=3)
    before = ask("play", action="11133")
    peeked = ask("peek", action="place r1c1")
    assert [event["what"] for event in peeked["events"]] == ["place"]
    assert peeked["state"]["board"][0][0] == str(before["to_move"])
    assert ask("view") == before
    played = ask("play", action="place r1c1")
    assert played == {key: value for key, value in peeked.items() if key != "events"}


def test_a_bot_answers_a_legal_action_with_its_chances_best_first(ask: Ask) -> None:
    ask("new", game="yam-master", seed=3)
    before = ask("play", action="11133")
    answer = ask("bot", level=5, seconds=0.5)  # gentler ones may err on purpose
    legal = ask("legal")["actions"]
    assert answer["action"] in legal
    assert 0 <= answer["value"] <= 1
    assert answer["considered"][0]["action"] == answer["action"]
    assert {one["action"] for one in answer["considered"]} <= set(legal)
    assert ask("view") == before


def test_the_same_match_gets_the_same_advice(ask: Ask) -> None:
    ask("new", game="yam-master", seed=3)
    ask("play", action="11133")
    assert ask("bot", level=2) == ask("bot", level=2)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"level": 0}, "from 1 to 5"),
        ({"level": 6}, "from 1 to 5"),
        ({"level": 3.0}, "from 1 to 5"),
        ({"level": True}, "from 1 to 5"),
        ({"level": None}, "from 1 to 5"),
        ({"seconds": 0}, "more than 0"),
        ({"seconds": -1}, "from 0 to 600"),
        ({"seconds": 601}, "from 0 to 600"),
        ({"seconds": "1"}, "from 0 to 600"),
        ({"seconds": False}, "from 0 to 600"),
    ],
)
def test_a_bots_level_and_seconds_have_limits(ask: Ask, request_: dict[str, Any], words: str) -> None:
    ask("new", game="yam-master", seed=3)
    ask("chance")
    assert words in ask("bot", **request_)["error"]


def test_bots_do_not_roll_and_do_not_play_on_after_the_end(ask: Ask) -> None:
    view = ask("new", game="yam-master", seed=3)["state"]
    assert "chance" in ask("bot")["error"]
    ask("new", game="yam-master", options={"max_turns": 1}, setup={**view, "player": 1, "turns": [1, 0]})
    ask("chance")
    ask("play", action="pass")
    assert "over" in ask("bot")["error"]
    assert "over" in ask("play", action="pass")["error"]


def test_a_record_of_a_running_match_keeps_its_seed_secret_and_goes_on_with_the_same_dice(ask: Ask) -> None:
    ask("new", game="yam-master", seed=3)
    ask("chance")
    ask("play", action="keep")
    record = ask("record")["record"]
    assert "seed" not in record["dice"]
    next_roll = ask("chance")["drawn"]
    ask("undo")
    assert ask("load", record=record)["ok"]
    assert ask("chance")["drawn"] == next_roll


def test_a_record_loads_in_another_engine_and_is_the_same_again(ask: Ask) -> None:
    ask("new", game="yam-master", options={"max_turns": 1}, seed=3)
    for action in ("keep", "pass", "pass"):
        ask("chance")
        last = ask("play", action=action)
    assert last["over"]
    record = ask("record")["record"]
    assert record["dice"]["seed"] == "3"
    other = asker(Engine())
    assert other("load", record=record) == last
    assert other("record")["record"] == record


def test_draws_of_a_secret_seed_are_not_claimed_for_new_dice(ask: Ask) -> None:
    """Else the finished record would accuse itself of false dice."""
    ask("new", game="yam-master", seed=3)
    ask("chance")
    record = ask("record")["record"]
    other = asker(Engine())
    other("load", record=record)
    other("play", action="keep")
    other("chance")
    draws = other("record")["record"]["dice"]["draws"]
    assert [place for place, _, _ in draws] == ["2"]


class YamMasterWithMore(YamMaster):
    """Yam Master as a game that tells its events and answers a word of its own."""

    def __init__(self) -> None:
        extras = EngineExtras({"lab": self.lab, "broken": self.broken}, tells_events=True)
        self.capabilities = replace(type(self).capabilities, engine=extras)

    def lab(self, request: JsonObject) -> JsonObject:
        if "mats" not in request:
            raise BadRequest(literal('"mats" is missing'))
        return {"forces": []}

    def broken(self, request: JsonObject) -> JsonObject:
        raise ZeroDivisionError


def test_a_game_may_answer_words_of_its_own_without_a_match() -> None:
    ask = asker(Engine({"yam-master": YamMasterWithMore()}))
    assert ask("lab", mats=[]) == {"ok": True, "forces": []}
    assert ask("lab") == {"ok": False, "error": '"mats" is missing'}
    assert "no request" in ask("shapes")["error"]


def test_a_game_that_tells_its_events_tells_them_after_play_and_chance() -> None:
    ask = asker(Engine({"yam-master": YamMasterWithMore()}))
    assert "events" not in ask("new", game="yam-master", seed=1)
    assert [event["what"] for event in ask("chance")["events"]] == ["roll"]
    assert [event["what"] for event in ask("play", action="pass")["events"]] == ["pass"]
    assert "events" not in ask("view")


def test_a_fault_in_a_game_is_answered_and_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    ask = asker(Engine({"yam-master": YamMasterWithMore()}))
    start = ask("new", game="yam-master", seed=1)
    answer = ask("broken")
    assert answer["ok"] is False
    assert "ZeroDivisionError" in answer["error"]
    assert ask("view") == start
    assert "a request failed" in caplog.text


def test_quit_ends() -> None:
    engine = Engine()
    assert asker(engine)("quit") == {"ok": True}
    assert engine.ended
