"""Text mode: a client that reads and writes nothing but text plays whole matches; what it gets wrong is explained to it."""

import re

import pytest

from ludotheque.core import BadOption, Json, UnknownGame
from ludotheque.envs.text import TextEnv, Turn

SHORT: dict[str, Json] = {"yam-master": {"max_turns": 3}, "twisty": {"max_rounds": 3}}


def scripted_answer(told: str, number: int) -> str:
    """What a scripted reader answers: one of the possible actions that the text lists."""
    found = re.search(r"^(?:Possible actions|Actions possibles) ?: (.+)$", told, re.MULTILINE)
    assert found, told
    actions = found[1].split(", ")
    return actions[number % len(actions)]


def play(env: TextEnv, turn: Turn) -> list[Turn]:
    turns = [turn]
    while turns[-1].seat is not None:
        turns.append(env.step(scripted_answer(turns[-1].text, len(turns))))
        assert turns[-1].accepted, turns[-1].text
    return turns


@pytest.mark.parametrize("name", ["yam-master", "wykersham", "twisty"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_scripted_client_plays_a_whole_match(name: str, language: str) -> None:
    env = TextEnv(name, options=SHORT.get(name), language=language)
    assert len(env.rules()) > 500
    turns = play(env, env.reset(seed=1))
    assert len(turns) > 4
    assert sum(turns[-1].returns) == pytest.approx(1)
    assert turns[-1].actions == ()
    again = play(env, env.reset(seed=1))
    assert [turn.text for turn in again] == [turn.text for turn in turns]


def test_a_named_player_has_its_seat() -> None:
    env = TextEnv("yam-master", options={"max_turns": 2}, opponents={1: "random"})
    turns = play(env, env.reset(seed=2))
    assert {turn.seat for turn in turns[:-1]} == {0}
    env.close()


def test_a_wrong_answer_is_explained_and_changes_nothing() -> None:
    env = TextEnv("wykersham")
    turn = env.reset(seed=3)
    before = env.match.position
    for answer in ("7@7", "", "I would like to win", "3@\n2"):
        refused = env.step(answer)
        assert not refused.accepted
        assert "is not possible now. Possible: " in refused.text
        assert refused.actions == turn.actions
    assert env.match.position is before
    assert env.step(f"  {turn.actions[0].upper()} ").accepted
    while not env.match.over:
        env.step(env.match.position.legal().actions[0])
    ended = env.step("stay")
    assert not ended.accepted
    assert "The match is over" in ended.text


def test_bad_settings_get_a_sentence() -> None:
    with pytest.raises(UnknownGame):
        TextEnv("chess")
    with pytest.raises(BadOption):
        TextEnv("wykersham", opponents={1: "bot:9"})
    with pytest.raises(BadOption, match="A seed is a whole number"):
        TextEnv("wykersham").reset(seed=1.5)  # type: ignore[arg-type] # on purpose


def test_yikerz_names_the_kind_of_action_that_cannot_be_listed() -> None:
    env = TextEnv("yikerz", 1)
    turn = env.reset(seed=1)
    while turn.seat is not None and "magnet" not in env.match.position.legal().open:
        turn = env.step(turn.actions[0])
    assert "of the kind “magnet”" in turn.text
