"""Many matches at once do what single ones do: the same rules, legal actions, results; and the same seed gives the same matches."""

import numpy as np
import pytest

from ludotheque.core import BadOption, Dice, IllegalAction, Match, find_game, game_names
from ludotheque.kernels import OVER, Batch, DiscreteGame, DiscretePosition

GAMES = [game for game in map(find_game, game_names()) if isinstance(game, DiscreteGame)]
GAMES_BY_NAME = {game.name: game for game in GAMES}
SHORT = {"yam-master": {"max_turns": 2}, "twisty": {"max_rounds": 4}}
each_table = pytest.mark.parametrize(
    ("game", "players"), [(game, players) for game in GAMES for players in game.seats], ids=str
)


def batch_of(game: DiscreteGame, players: int, seed: int = 1, size: int = 6) -> Batch:
    return Batch(game, size, players, SHORT.get(game.name), seed=seed)


@each_table
def test_each_match_of_a_batch_is_a_match(game: DiscreteGame, players: int) -> None:
    """Chance's outcomes are found again among those that are possible; all else must be the same to the letter."""
    batch = batch_of(game, players)
    for _ in range(30):
        before = [batch.position(match) for match in range(len(batch))]
        for match, position in enumerate(before):
            assert position.numbers().tolist() == batch.legal(match).tolist()
            assert batch.over[match] == position.over
            assert batch.returns[match].tolist() == list(position.returns() or [0.0] * players)
            if not position.over:
                assert position.to_move == batch.to_move[match]
        chosen = batch.random_actions()
        batch.step(chosen)
        for match, position in enumerate(before):
            if position.over:
                assert batch.position(match) == position
                continue
            text = game.write(position.state, int(chosen[match]))
            after = position.play(text).position
            if after.to_move != "chance":
                assert batch.position(match) == after
    assert (batch.to_move == OVER).all() or game.name == "wykersham"


@each_table
def test_the_same_seed_gives_the_same_matches_and_another_gives_others(game: DiscreteGame, players: int) -> None:
    first, same, other = batch_of(game, players), batch_of(game, players), batch_of(game, players, seed=2)
    for batch in (first, same, other):
        for _ in range(12):
            batch.step(batch.random_actions())
    assert first.states.tobytes() == same.states.tobytes()
    assert first.states.tobytes() != other.states.tobytes()
    assert len({state.tobytes() for state in first.states}) > 1


def test_dice_fall_as_their_odds_say() -> None:
    """Of 3000 first rolls, those with no two dice alike: 720 of 7776; 3 standard deviations are 48."""
    batch = Batch(GAMES_BY_NAME["yam-master"], 3000, seed=5)
    different = sum(len(set(str(batch.position(match).view()["dice"]))) == 5 for match in range(len(batch)))
    assert abs(different - 3000 * 720 / 7776) < 48


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    batch = batch_of(GAMES_BY_NAME["twisty"], 2)
    kept, chosen = batch.states.tobytes(), batch.random_actions()
    chosen[4] = 9999
    with pytest.raises(IllegalAction, match="Match 4 has no legal action 9999; they are"):
        batch.step(chosen)
    with pytest.raises(IllegalAction, match="each of the 6 matches"):
        batch.step(chosen[:3])
    assert batch.states.tobytes() == kept


def test_a_clone_goes_its_own_way() -> None:
    batch = batch_of(GAMES_BY_NAME["wykersham"], 2)
    clone, actions = batch.clone(), batch.random_actions()
    kept = clone.states.tobytes()
    batch.step(actions)
    assert clone.states.tobytes() == kept
    clone.random_actions()  # takes as many random numbers as before
    clone.step(actions)
    assert clone.states.tobytes() == batch.states.tobytes()


def test_matches_that_are_over_begin_anew_when_asked() -> None:
    batch = batch_of(GAMES_BY_NAME["yam-master"], 2)
    while not batch.over.all():
        batch.step(batch.random_actions())
    assert batch.returns.sum(axis=1).tolist() == [1.0] * 6
    batch.reset([1, 2])
    assert batch.over.tolist() == [True, False, False, True, True, True]
    assert batch.returns.sum(axis=1).tolist() == [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    batch.reset(batch.over)
    assert not batch.over.any()
    assert not batch.returns.any()


def test_a_batch_goes_on_from_a_position() -> None:
    game = GAMES_BY_NAME["twisty"]
    match = Match(game, 3, dice=Dice("a position"))
    match.play("corner a1")
    batch = Batch(game, 2, 3)
    assert isinstance(match.position, DiscretePosition)
    batch.put(1, match.position)
    assert batch.position(1) == match.position
    with pytest.raises(BadOption, match="Twisty with 2 players"):
        Batch(game, 2, 2).put(0, match.position)
    with pytest.raises(BadOption, match="at least one match"):
        Batch(game, 0)


def test_the_fields_of_all_states_are_arrays() -> None:
    batch = batch_of(GAMES_BY_NAME["wykersham"], 2)
    assert batch.states["offsets"].shape == (6, 5)
    assert np.shares_memory(batch.states["offsets"], batch.states)
