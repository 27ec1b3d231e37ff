"""Every target of the rules gives the same answers over bytes, and the game uses the one that was chosen."""

import random

import pytest

from ludotheque.core import CHANCE, Dice, Match, find_game, game_names
from ludotheque.kernels import OVER, DiscreteGame, RulesTarget
from ludotheque.kernels.native import exports_of
from recorded import RecordingTarget
from table import discrete

GAMES = [game for game in map(find_game, game_names()) if isinstance(game, DiscreteGame)]


def answers(game: DiscreteGame, target: RulesTarget, state: bytes, action: int | None) -> list[object]:
    """Everything that a target says of a state."""
    mover = target.to_move(state)
    told: list[object] = [mover, target.prepare(state)]
    told += [target.call(name, state, *[1] * arguments) for name, arguments in exports_of(game.rules.module).items()]
    if mover == OVER:
        return [*told, target.returns(state)]
    legal = target.legal(state)
    told += [legal, target.weights(state, legal) if mover < 0 else None]
    return told if action is None else [*told, target.advance(state, action)]


@pytest.mark.rules
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_native_and_interpreted_rules_give_the_same_answers(game: DiscreteGame) -> None:
    match, chooser = Match(game, dice=Dice("targets")), random.Random(1)
    for _ in range(60):
        position = discrete(match.position)
        action = None if match.over else chooser.choice(position.action_numbers())
        native, interpreted = game.rules.compiled.target, game.rules.interpreted.target
        told = answers(game, native, position.state_bytes, action)
        assert told == answers(game, interpreted, position.state_bytes, action), position.picture()
        if match.over:
            return
        if match.to_move == CHANCE:
            match.draw()
        else:
            assert action is not None
            match.play(game.write(position.fields, action))


def test_a_game_runs_on_the_target_that_it_is_given() -> None:
    game = find_game("wykersham")
    assert isinstance(game, DiscreteGame)
    target = RecordingTarget(game.rules.compiled.target)
    game.use_target(target)
    try:
        Match(game, dice=Dice("given")).draw()
    finally:
        game.use_target(None)
    asked = {question.split()[0] for question in target.recording}
    assert "advance" in asked
    assert game.target is game.rules.compiled.target
