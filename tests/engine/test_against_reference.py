"""Random games through the engine, each step compared with the plain second implementations, with every option.

A few dozen games by default; `make campaign` asks for thousands.
"""

import json
import os
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from ludotheque.engine import Engine
from reference import twisty, wykersham, yam_master

Reference = yam_master.Reference | wykersham.Reference | twisty.Reference
GAMES = int(os.environ.get("LUDOTHEQUE_GAMES", "30"))
PARTS = 5  # several tests a game, so that one shows how far the campaign is


def asked(engine: Engine, **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(engine.answer(json.dumps(request).encode()) or b"")
    return answer


def compare(engine: Engine, reference: Reference, position: dict[str, Any], odds_too: bool) -> list[str]:
    """Whether both see the same; returns what is legal."""
    assert position["ok"] is True
    assert position["state"] == reference.view()
    assert position["to_move"] == reference.to_move()
    assert position["over"] is (reference.to_move() is None)
    returns = reference.returns()
    assert position.get("returns") == (None if returns is None else [float(share) for share in returns])
    legal = asked(engine, do="legal")
    expected = reference.legal()
    assert len(set(legal["actions"])) == len(legal["actions"])
    assert sorted(legal["actions"]) == sorted(expected)
    if reference.to_move() == "chance":
        if odds_too:
            odds = dict(zip(legal["actions"], legal["odds"], strict=True))
            for outcome, chance in zip(expected, reference.odds(), strict=True):
                assert odds[outcome] == pytest.approx(float(chance), rel=1e-12)
    else:
        assert "odds" not in legal
    return expected


def yam_master_options(dice: random.Random) -> dict[str, Any]:
    return {} if dice.random() < 0.3 else {"max_turns": dice.randint(1, 40)}


def yam_master_choice(dice: random.Random, game: Reference, legal: list[str]) -> str:
    """Mostly a pawn where one can be placed or taken, so that boards fill up; and equal dice, which come up seldom."""
    yams = [action for action in legal if len(set(action)) == 1]
    pawns = [action for action in legal if action.startswith(("place", "take"))]
    if yams and dice.random() < 0.2:
        return dice.choice(yams)
    return dice.choice(pawns if pawns and dice.random() < 0.7 else legal)


def wykersham_options(dice: random.Random) -> dict[str, Any]:
    chosen = {name: dice.random() < 0.5 for name in wykersham.DEFAULT_OPTIONS}
    return {"combined_goals": False, **chosen}


def wykersham_choice(dice: random.Random, game: Reference, legal: list[str]) -> str:
    """Mostly the middle, where goals and stacks come about."""
    middle = [action for action in legal if action[0] in "3n4"] if game.view()["phase"] == "place" else []
    return dice.choice(middle if middle and dice.random() < 0.7 else legal)


def twisty_options(dice: random.Random) -> dict[str, Any]:
    cuts = sorted(dice.randint(0, 16) for _ in range(4))
    counts = [high - low for low, high in zip([0, *cuts], [*cuts, 16], strict=True)]
    return {"specials": dict(zip("+xLos", counts, strict=True)), "max_rounds": dice.randint(1, 15)}


def twisty_choice(dice: random.Random, game: Reference, legal: list[str]) -> str:
    """Mostly onto another's pawn or the next colour, so that cubes are collected and stolen."""
    assert isinstance(game, twisty.Reference)
    if game.phase not in {"move", "extra"}:
        return dice.choice(legal)
    colour = game.next_colour()
    squares = [action for action in legal if len(action) == 2]
    good = [square for square in squares if game.owner_on(square) is not None or game.tokens[square] == colour]
    return dice.choice(good if good and dice.random() < 0.8 else legal)


class Subject(NamedTuple):
    """What is needed to compare one game."""

    reference: Callable[[dict[str, Any], dict[str, Any], int], Reference]
    seats: tuple[int, ...]
    options: Callable[[random.Random], dict[str, Any]]
    choice: Callable[[random.Random, Reference, list[str]], str]


SUBJECTS = {
    "yam-master": Subject(yam_master.Reference, (2,), yam_master_options, yam_master_choice),
    "wykersham": Subject(wykersham.Reference, (2,), wykersham_options, wykersham_choice),
    "twisty": Subject(twisty.Reference, (2, 3, 4), twisty_options, twisty_choice),
}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SUBJECTS)
def test_random_games_agree_with_the_plain_rules(name: str, part: int) -> None:
    subject = SUBJECTS[name]
    engine = Engine()
    for number in range(GAMES // PARTS):
        dice = random.Random(f"{part} {number}")
        players = dice.choice(subject.seats)
        options = {} if dice.random() < 0.1 else subject.options(dice)
        seed = dice.randint(-(10**9), 10**9)
        position = asked(engine, do="new", game=name, players=players, options=options, seed=seed)
        game = subject.reference(position["state"], options, players)
        while True:
            legal = compare(engine, game, position, odds_too=number == 0)
            if not legal:
                break
            if game.to_move() == "chance" and dice.random() < 0.5:
                position = asked(engine, do="chance")
                game.play(position.pop("drawn"))
                continue
            action = subject.choice(dice, game, legal)
            position = asked(engine, do="play", action=action)
            game.play(action)


@pytest.mark.parametrize("name", SUBJECTS)
def test_any_position_on_the_way_can_be_set_up_and_played_on_from(name: str) -> None:
    subject = SUBJECTS[name]
    dice = random.Random(5)
    players = subject.seats[-1]
    given = {"max_rounds": 10} if name == "twisty" else {}
    engine, other = Engine(), Engine()
    position = asked(engine, do="new", game=name, players=players, options=given, seed=5)
    game = subject.reference(position["state"], given, players)
    while not position["over"]:
        setup = asked(other, do="new", game=name, players=players, options=given, setup=position["state"])
        assert setup == position
        legal = asked(engine, do="legal")
        assert asked(other, do="legal") == legal
        action = subject.choice(dice, game, legal["actions"])
        game.play(action)
        position = asked(engine, do="play", action=action)
        assert asked(other, do="play", action=action) == position
    assert asked(other, do="new", game=name, players=players, options=given, setup=position["state"]) == position
