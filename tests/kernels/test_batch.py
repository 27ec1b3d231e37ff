"""Many matches at once do what single ones do: the same rules, legal actions, results; and the same seed gives the same matches."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludotheque.core import BadOption, Dice, IllegalAction, Match, Problem, find_game, game_names
from ludotheque.kernels import CHANCE, OVER, Batch, DiscreteGame, DiscretePosition

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


# Masks, observations, chance and automatic beginnings


@each_table
def test_masks_and_observations_are_those_of_each_position(game: DiscreteGame, players: int) -> None:
    batch = batch_of(game, players)
    encoding = batch.encoding
    masks = np.empty((6, encoding.num_actions), np.bool_)
    seen = np.empty((6, encoding.observation_size), np.float32)
    for _ in range(30):
        assert batch.masks(masks) is masks
        assert batch.observe(seen) is seen
        others = batch.observe(seats=players - 1)
        for match in range(6):
            position = batch.position(match)
            assert masks[match].tolist() == encoding.mask(position).tolist()
            assert seen[match].tolist() == encoding.observe(position).tolist()
            assert others[match].tolist() == encoding.observe(position, players - 1).tolist()
        batch.step(batch.random_actions())
    each = np.arange(6) % players
    assert (batch.observe(seats=each)[1] == batch.observe(seats=1)[1]).all()


@each_table
def test_chance_is_played_by_the_caller_when_asked(game: DiscreteGame, players: int) -> None:
    """Its weights are those of the rules; whoever plays the drawn outcomes plays the matches of a batch that draws itself."""
    batch = Batch(game, 6, players, SHORT.get(game.name), seed=1, chance="explicit")
    chance = 0
    for _ in range(40):
        weights, masks = batch.weights(), batch.masks()
        for match in range(6):
            position = batch.position(match)
            if batch.to_move[match] == CHANCE:
                chance += 1
                expected = dict(zip(position.action_numbers(), position.legal().weights, strict=True))
                assert {which: int(weights[match, which]) for which in np.flatnonzero(weights[match])} == expected
                assert not masks[match].any()
            else:
                assert not weights[match].any()
        batch.step(batch.random_actions())
    assert (chance > 0) == game.has_dice


def test_explicit_chance_refuses_an_outcome_that_cannot_come() -> None:
    batch = Batch(GAMES_BY_NAME["wykersham"], 2, chance="explicit")
    kept = batch.states.tobytes()
    with pytest.raises(IllegalAction, match="Match 1 has no legal action 30"):
        batch.step([0, 30])
    assert batch.states.tobytes() == kept
    batch.step([29, 0])  # who starts
    assert batch.to_move.tolist() == [CHANCE, CHANCE]
    batch.step([20, 0])  # their rolls
    assert batch.to_move.tolist() == [batch.position(0).acting, batch.position(1).acting] == [0, 1]


@each_table
def test_matches_that_end_begin_anew_by_themselves(game: DiscreteGame, players: int) -> None:
    batch = Batch(game, 16, players, SHORT.get(game.name, {}), seed=2, auto_reset=True)
    ended = np.zeros(16, np.int64)
    for _ in range(200):
        batch.step(batch.random_actions())
        assert not batch.over.any()
        assert batch.returns.sum(axis=1).tolist() == pytest.approx(batch.finished.astype(float).tolist())
        ended += batch.finished
    assert ended.min() > 0
    batch.reset()
    assert not batch.finished.any()
    assert not batch.returns.any()


ANY_BATCH: Any = Batch  # to be called wrongly
BAD = (
    (lambda batch: batch.step(np.zeros(6)), "Actions are whole numbers; this is an array of float64"),
    (lambda batch: batch.step(["a"] * 6), "Actions are whole numbers"),
    (lambda batch: batch.step(np.zeros((6, 1), int)), "one action for each of the 6 matches"),
    (lambda batch: batch.masks(np.zeros((6, 5), np.int8)), r"shape \(6, 71\) and one of the types int8, uint8"),
    (lambda batch: batch.masks(np.zeros((6, 71), np.int64)), r"not int64 \(6, 71\)"),
    (lambda batch: batch.masks([[0] * 71] * 6), "not list"),
    (lambda batch: batch.masks(np.zeros((71, 6), np.int8).T), "C-contiguous"),
    (lambda batch: batch.observe(np.zeros((6, 274), np.float64)), "int8, float32, not float64"),
    (lambda batch: batch.observe(np.broadcast_to(np.int8(0), (6, 274))), "writable"),
    (lambda batch: batch.observe(seats=2), "one seat from 0 to 1 for all matches"),
    (lambda batch: batch.observe(seats=-1), "one seat from 0 to 1 for all matches"),
    (lambda batch: batch.observe(seats=[0, 1]), "one for each of the 6"),
    (lambda batch: batch.observe(seats=0.5), "one seat from 0 to 1"),
    (lambda batch: batch.weights(np.zeros((6, 30), np.int8)), "int64, float64"),
    (lambda batch: batch.reset([6]), "by their numbers, 0 to 5"),
    (lambda batch: batch.reset([0.5]), "by their numbers, 0 to 5"),
    (lambda batch: batch.reset([True, False]), "by a mask"),
    (lambda batch: batch.put(0, "a position"), "a batch of Wykersham with 2 players"),
    (lambda batch: ANY_BATCH(batch.game, 2.5), "at least one match, not 2.5"),
    (lambda batch: ANY_BATCH(batch.game, True), "at least one match, not True"),
    (lambda batch: ANY_BATCH(batch.game, 2, seed="x"), "A seed is a whole number, not x"),
    (lambda batch: ANY_BATCH(batch.game, 2, chance="fate"), "sampled or explicit, not fate"),
    (lambda batch: ANY_BATCH("wykersham", 2), "needs one of the discrete games"),
)


@pytest.mark.parametrize(("mistake", "sentence"), BAD)
def test_a_mistake_gets_a_sentence_and_changes_nothing(mistake: Callable[[Batch], object], sentence: str) -> None:
    batch = batch_of(GAMES_BY_NAME["wykersham"], 2)
    kept = batch.states.tobytes()
    with pytest.raises(Problem, match=sentence):
        mistake(batch)
    assert batch.states.tobytes() == kept


def test_a_match_can_be_left_as_it_is() -> None:
    batch = batch_of(GAMES_BY_NAME["wykersham"], 2)
    kept, chosen = batch.position(3).state_bytes, batch.random_actions()
    chosen[3] = -1
    batch.step(chosen)
    assert batch.position(3).state_bytes == kept
    assert batch.position(2).state_bytes != kept


def test_naming_no_match_resets_none() -> None:
    batch = batch_of(GAMES_BY_NAME["wykersham"], 2)
    kept = batch.states.tobytes()
    batch.reset([])
    assert batch.states.tobytes() == kept
