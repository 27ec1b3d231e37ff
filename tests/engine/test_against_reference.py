"""Random games of Yam Master through the engine, each step compared with the plain second implementation.

A few dozen games by default; `make campaign` asks for thousands.
"""

import json
import os
import random
from typing import Any

import pytest

from ludotheque.engine import Engine
from reference.yam_master import Reference

GAMES = int(os.environ.get("LUDOTHEQUE_GAMES", "60"))


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


def choose(dice: random.Random, legal: list[str], hasty: bool) -> str:
    """Anything; or, so that boards fill up and Predators come, a pawn where one can be placed or taken."""
    pawns = [action for action in legal if action.startswith(("place", "take"))]
    return dice.choice(pawns if hasty and pawns else legal)


@pytest.mark.parametrize("part", range(10))
def test_random_games_agree_with_the_plain_rules(part: int) -> None:
    engine = Engine()
    for game in range(GAMES // 10):
        dice = random.Random(1000 * part + game)
        hasty = dice.random() < 0.7
        options = {} if dice.random() < 0.3 else {"max_turns": dice.randint(1, 40)}
        seed = dice.randint(-(10**9), 10**9)
        position = asked(engine, do="new", game="yam-master", options=options, seed=seed)
        reference = Reference(position["state"], options, 2)
        while True:
            legal = compare(engine, reference, position, odds_too=game == 0)
            if not legal:
                break
            if reference.to_move() == "chance" and dice.random() < 0.5:
                position = asked(engine, do="chance")
                reference.play(position.pop("drawn"))
                continue
            # Equal dice come up seldom enough that Predators and five in line need help.
            yams = [action for action in legal if len(set(action)) == 1]
            action = dice.choice(yams) if yams and dice.random() < 0.2 else choose(dice, legal, hasty)
            position = asked(engine, do="play", action=action)
            reference.play(action)


def test_any_position_on_the_way_can_be_set_up_and_played_on_from() -> None:
    dice = random.Random(5)
    engine, other = Engine(), Engine()
    position = asked(engine, do="new", game="yam-master", seed=5)
    while not position["over"]:
        assert asked(other, do="new", game="yam-master", setup=position["state"]) == position
        legal = asked(engine, do="legal")
        assert asked(other, do="legal") == legal
        position = asked(engine, do="play", action=choose(dice, legal["actions"], True))
        position_again = asked(
            other, do="play", action=json.loads(engine.answer(b'{"do":"record"}') or b"")["record"]["actions"][-1]
        )
        assert position_again == position
    assert asked(other, do="new", game="yam-master", setup=position["state"]) == position
