"""Whole turns are exactly what all chains of actions lead to; the last rounds are what playing them all out says."""

from random import Random

import numpy as np
import pytest

from ludotheque.core import Dice, Match, Position
from ludotheque.games.twisty import GAME, exact, rules, turns
from ludotheque.games.twisty.facts import (
    CHOOSING,
    EXTRA,
    MOST_PLAYERS,
    MOVING,
    NOBODY,
    SETTLING,
    SQUARE_NUMBERS,
    SQUARES,
)
from ludotheque.games.twisty.player import beginnings, prepared
from ludotheque.games.twisty.turn_search import solve
from ludotheque.kernels import JIT, DiscretePosition
from table import discrete
from twisty.table import Table

pytestmark = pytest.mark.skipif(not JIT, reason="thousands of chains need the compiler")


def ends_by_actions(position: Position, moves: int = 1) -> dict[str, int]:
    """Every position in which the turn can end, found action by action, with the fewest actions that lead there."""
    found: dict[str, int] = {}
    for action in position.legal().actions:
        after = discrete(position.play(action).position)
        if after.over or after.state.phase in (MOVING, CHOOSING):
            ends = {str(after.view()): moves}
        else:
            ends = ends_by_actions(after, moves + 1)
        for end, needed in ends.items():
            found[end] = min(needed, found.get(end, needed))
    return found


def listed(position: DiscretePosition) -> list[int]:
    some = np.zeros(turns.MOST_TURNS, np.int64)
    return list(some[: turns.list_turns(position.state, some)].tolist())


def after_turn(position: DiscretePosition, turn: int) -> DiscretePosition:
    state = GAME.rules.copy(position.state)
    turns.play_turn(state, turn)
    return DiscretePosition(GAME, state, position.players, position.options)


def some_positions(count: int, seed: int) -> list[DiscretePosition]:
    """Out of games of hasty players, in all phases and with cubes to steal."""
    random, number = Random(seed), 0
    found: list[DiscretePosition] = []
    while len(found) < count:
        match = Match(GAME, 2 + number % 3, dice=Dice(f"turns {seed} {number}"))
        number += 1
        for _ in range(100):
            if match.over:
                break
            position = discrete(match.position)
            if random.random() < 0.1:
                found.append(position)
            best = min(
                position.numbers(), key=lambda one: rules.outlook(position.state, int(one)) + 3 * random.random()
            )
            match.play(GAME.write(position.state, int(best)))
    return found[:count]


@pytest.mark.accelerator("ludotheque.games.twisty.turns.reach", "ludotheque.games.twisty.turns.play_turn")
def test_whole_turns_end_where_chains_of_actions_end() -> None:
    for position in some_positions(60, 1):
        by_actions = set(ends_by_actions(position))
        by_turns = [str(after_turn(position, turn).view()) for turn in listed(position)]
        assert set(by_turns) == by_actions, position.picture()
        assert len(by_turns) == len(by_actions), "a turn is listed twice"


def test_every_turn_has_a_beginning_that_leads_there() -> None:
    for position in some_positions(40, 2):
        ways = dict(beginnings(position))
        assert set(ways) == set(position.legal().actions)
        assert set().union(*ways.values()) == set(listed(position))
        for action, reached in ways.items():
            after = discrete(position.play(action).position)
            whole_turn = not after.over and after.state.phase in (EXTRA, SETTLING)
            ends = set(ends_by_actions(after)) if whole_turn else {str(after.view())}
            assert {str(after_turn(position, turn).view()) for turn in reached} == ends


def test_the_length_of_a_chain_is_the_number_of_its_moves() -> None:
    table = Table(["c3", "g7"], {"b5": "x", "c4": "+"}, collected=[7, 0])
    lengths = np.zeros(SQUARES + MOST_PLAYERS, np.int64)
    turns.chain_lengths(table.position.state, lengths)
    assert [lengths[SQUARE_NUMBERS[square]] for square in ("b5", "c4", "d4")] == [1, 2, 3]


def landings(position: DiscretePosition, moves: int = 1) -> dict[tuple[str, int], int]:
    """Every square on which the pawn can land in this turn and every seat that it can rob, with the fewest moves, by actions."""
    found: dict[tuple[str, int], int] = {}
    state = position.state
    for number in position.numbers().tolist():
        if number >= SQUARES:
            continue
        after = discrete(position.play(GAME.write(position.fields, number)).position)
        victim = rules.pawn_on(state, number)
        further = {("square", number) if victim == NOBODY else ("seat", victim): moves}
        if not after.over and after.state.phase == EXTRA:
            for where, needed in landings(after, moves + 1).items():
                further[where] = min(needed, further.get(where, needed))
        for where, needed in further.items():
            found[where] = min(needed, found.get(where, needed))
    return found


def test_chain_lengths_are_the_fewest_moves_by_actions() -> None:
    checked = 0
    for position in some_positions(60, 5):
        if position.state.phase in (MOVING, EXTRA):
            lengths = np.zeros(SQUARES + MOST_PLAYERS, np.int64)
            turns.chain_lengths(position.state, lengths)
            by_actions = landings(position)
            for square in range(SQUARES):
                assert lengths[square] == by_actions.get(("square", square), 0), position.picture()
            for seat in range(position.players):
                assert lengths[SQUARES + seat] == by_actions.get(("seat", seat), 0), position.picture()
            checked += 1
    assert checked > 30


@pytest.mark.accelerator("ludotheque.games.twisty.rules.ends_of_a_turn")
def test_a_race_reaches_the_squares_that_actions_reach() -> None:
    """`rules.ends_of_a_turn`, with the other pawns standing still and nobody robbed."""
    for position in some_positions(80, 6):
        state = position.state
        if state.phase != MOVING:
            continue
        player = int(state.player)
        blocked = sum(1 << int(state.pawns[seat]) for seat in range(position.players) if seat != player)
        ends = rules.ends_of_a_turn(state, int(state.pawns[player]), blocked)
        by_actions = {number for kind, number in landings(position) if kind == "square"}
        assert {square for square in range(SQUARES) if ends >> square & 1} == by_actions, position.picture()


def value_by_actions(position: Position, player: int) -> float:
    """What a position is worth to a player if both play perfectly, action by action to the end."""
    if position.over:
        return float(position.returns()[player])
    values = [value_by_actions(position.play(action).position, player) for action in position.legal().actions]
    return max(values) if position.to_move == player else min(values)


def test_the_last_round_is_worth_what_playing_it_out_says() -> None:
    checked = 0
    for position in some_positions(60, 3):
        if position.players != 2 or position.state.phase == CHOOSING or position.state.player == position.state.first:
            continue
        options = GAME.read_options({"max_rounds": int(position.state.this_round)})
        last = GAME.from_view(position.view(), 2, options)  # the other player's last turn
        values = solve(GAME.kernels, prepared(last))
        assert values is not None
        for turn, value in values.items():
            assert value == value_by_actions(after_turn(last, turn), int(last.state.player))
        checked += 1
    assert checked >= 5


def test_both_last_turns_are_worth_what_playing_them_out_says() -> None:
    table = Table(["b3", "e3"], collected=[6, 6], max_rounds=1)
    values = solve(GAME.kernels, prepared(table.position))
    assert values is not None
    assert len(set(values.values())) > 1
    for turn, value in values.items():
        assert value == value_by_actions(after_turn(table.position, turn), 0)


def test_a_table_too_small_for_all_positions_is_said_so() -> None:
    table = Table(["b3", "e3"], collected=[6, 6], max_rounds=3)
    assert solve(GAME.kernels, prepared(table.position), most_positions=8) is None


def packed(position: DiscretePosition) -> tuple[int, ...]:
    key = np.zeros(exact.KEY_WORDS, np.int64)
    exact.pack(position.state, key)
    return tuple(key.tolist())


def test_keys_tell_positions_apart_and_forget_nothing() -> None:
    keys: dict[tuple[int, ...], str] = {}
    for position in some_positions(300, 4):
        if position.players == 2 and position.state.phase == MOVING:
            view = str({name: value for name, value in position.view().items() if name != "first"})
            assert keys.setdefault(packed(position), view) == view
    assert len(set(keys.values())) == len(keys) > 20


def test_the_hash_is_fnv_1a() -> None:
    """By the definition, over the key's bytes."""
    rng = Random(5)
    for _ in range(20):
        key = np.array([rng.getrandbits(60) for _ in range(exact.KEY_WORDS)], np.int64)
        expected = 2166136261
        for byte in key.astype("<i8").tobytes():
            expected = (expected ^ byte) * 16777619 % 2**32
        assert exact.fnv_1a(key) == expected


def test_positions_with_the_same_hash_are_kept_apart() -> None:
    solved = exact.solved_in(np.zeros(exact.solved_bytes(8), np.uint8), 8)
    keys = [np.array([number, 0, 0, 0, 7], np.int64) for number in range(5)]
    for value, key in enumerate(keys):
        assert solved.slots[exact.find_slot(solved, key, 13)] == 0
        assert exact.store(solved, key, 13, value % 3)
    for value, key in enumerate(keys):
        entry = int(solved.slots[exact.find_slot(solved, key, 13)]) - 1
        assert solved.values[entry] == value % 3
    assert solved.slots[exact.find_slot(solved, np.array([9, 0, 0, 0, 7], np.int64), 13)] == 0
