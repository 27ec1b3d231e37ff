"""The exact race against a plain brute force that plays every sequence of turns by the reference's rules."""

from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from ludotheque.games.twisty import GAME, race
from ludotheque.games.twisty.player import Race, shortest_race
from ludotheque.kernels import JIT
from reference.twisty import Reference, first_view
from table import discrete
from twisty.table import SQUARES, Table


def ends_by_reference(game: Reference) -> set[tuple[str, int, bool]]:
    """Every way in which one turn of seat 0 can end: the square, the cubes, and whether that won; nobody is robbed."""
    found: set[tuple[str, int, bool]] = set()
    waiting = [game]
    while waiting:
        here = waiting.pop()
        for action in here.legal():
            if here.owner_on(action) is not None:
                continue
            after = deepcopy(here)
            after.play(action)
            if after.phase == "extra" and after.player == 0:
                waiting.append(after)
            else:
                square = after.pawns[0]
                assert square is not None
                found.add((square, after.collected[0], after.phase == "over"))
    return found


def turns_by_brute_force(game: Reference, most: int) -> int | None:
    """The fewest turns in which seat 0 wins while the others do nothing, by trying everything; None if more than `most`."""
    level = {(game.square(), game.collected[0])}
    for turn in range(1, most + 1):
        following: set[tuple[str, int]] = set()
        for square, collected in level:
            here = deepcopy(game)
            here.pawns[0], here.collected[0], here.phase, here.player, here.used = square, collected, "move", 0, []
            for end, cubes, won in ends_by_reference(here):
                if won:
                    return turn
                following.add((end, cubes))
        level = following
    return None


def late_position(seed: int, players: int) -> Reference:
    """A random board on which seat 0 lacks one or two cubes; the others have none and stand anywhere."""
    rng = Random(seed)
    view = first_view(players, {}, rng=rng)
    view["phase"] = "move"
    view["collected"][0] = rng.choice([5, 6, 7])
    view["pawns"] = rng.sample(SQUARES, players)
    for colour in view["series"][0][: view["collected"][0]]:  # one token of each collected colour is gone
        row = next(number for number, text in enumerate(view["board"]) if colour in text)
        view["board"][row] = view["board"][row].replace(colour, ".", 1)
    if view["pawns"][0] == "d4" and view["collected"][0] == 7:  # would have won
        view["pawns"][0] = next(square for square in SQUARES if square not in view["pawns"])
    return Reference(view, {}, players)


def race_from(plain: Reference, square: str, cubes: int) -> Race | None:
    """The race of seat 0 from where a turn of it ended."""
    view = plain.view()
    view["pawns"][0] = square
    if cubes > view["collected"][0]:
        view["collected"][0] = cubes
        row = 7 - int(square[1])
        column = "abcdefg".index(square[0])
        view["board"][row] = view["board"][row][:column] + "." + view["board"][row][column + 1 :]
    return shortest_race(GAME.from_view(view, len(view["pawns"]), GAME.read_options()), 0)


@pytest.mark.parametrize("players", [2, 4])
def test_the_race_is_as_short_as_brute_force_finds(players: int) -> None:
    for seed in range(12 if JIT else 2):
        plain = late_position(seed, players)
        position = GAME.from_view(plain.view(), players, GAME.read_options())
        found = shortest_race(position, 0)
        expected = turns_by_brute_force(plain, 8)  # none where another pawn stands still on the centre
        assert (found.turns if found else None) == expected, f"seed {seed}\n{position.picture()}"
        if found is not None:
            good = {
                end
                for end, cubes, won in ends_by_reference(plain)
                if won or ((rest := race_from(plain, end, cubes)) is not None and rest.turns == found.turns - 1)
            }
            assert found.ways == len({"d4"} if found.turns == 1 else good), f"seed {seed}\n{position.picture()}"
        absent = shortest_race(position, 0, standing=False)
        assert absent is not None
        assert found is None or absent.turns <= found.turns
        here = (position.state, 0, int(position.state.pawns[0]), int(position.state.collected[0]))
        assert race.turns_left(*here) == absent.turns
        assert race.least_turns(*here) <= absent.turns


@pytest.mark.parametrize("players", [2, 3])
def test_the_quick_count_is_that_of_the_exhaustive_search_everywhere(players: int) -> None:
    for seed in range(10 if JIT else 1):
        rng = Random(seed)
        options = GAME.read_options(
            {
                "specials": [{"+": 3, "x": 3, "L": 3, "o": 4, "s": 3}, {"+": 0, "x": 0, "L": 0, "o": 2, "s": 14}][
                    seed % 2
                ]
            }
        )
        position = GAME.from_view(first_view(players, dict(options), rng=rng), players, options)
        seat = seed % players
        turns = np.zeros((8, 49), np.int64)
        race.needs(position.state, seat, 0, turns)
        for collected in range(8) if JIT else (6, 7):
            for square in range(49):
                assert race.turns_left(position.state, seat, square, collected) == turns[collected, square]
                bound = race.least_turns(position.state, seat, square, collected)
                assert 8 - collected <= bound <= turns[collected, square]


def test_no_player_wins_sooner_than_the_bound() -> None:
    """Random and greedy games, robberies included: from every turn on, the winner needed at least the bound."""
    for seed in range(60 if JIT else 0):
        rng = Random(seed)
        players = 2 + seed % 3
        position = GAME.from_view(first_view(players, {}, rng=rng), players, GAME.read_options())
        bounds: list[list[int]] = [[] for _ in range(players)]
        while not position.over:
            state, seat = position.state, position.to_move
            assert isinstance(seat, int)
            view: dict[str, Any] = dict(position.view())
            if view["phase"] == "move":
                here = (state, seat, int(state.pawns[seat]), int(state.collected[seat]))
                bounds[seat].append(race.least_turns(*here))
            actions = position.legal().actions
            wanted = view["series"][seat][view["collected"][seat] : view["collected"][seat] + 1]
            board = {square: view["board"][7 - int(square[1])]["abcdefg".index(square[0])] for square in SQUARES}
            good = [
                one
                for one in actions
                if one in view["pawns"] or (one in board and board[one] == wanted) or (one == "d4" and not wanted)
            ]
            position = discrete(position.play(rng.choice(good or actions)).position)
        view = dict(position.view())
        winner = view["winner"]
        if isinstance(winner, int) and view["pawns"][winner] == "d4" and view["collected"][winner] == 7:
            for turn, bound in enumerate(bounds[winner]):
                assert len(bounds[winner]) - turn >= bound


def test_the_way_of_the_race_is_told_turn_by_turn() -> None:
    table = Table(["a1", "g7"], {"b3": "x", "c4": "L", "e5": "G"}, collected=[6, 0])
    # One turn to the last cube by two extra moves; d4 is then two knight's moves away, or one by a token on the way.
    found = shortest_race(table.position, 0)
    assert isinstance(found, Race)
    assert found.ends[0] == "e5"
    assert found.ends[-1] == "d4"
    assert len(found.ends) == found.turns
    table.play("b3", "c4", "e5").see(collected=[7, 0])
    rest = shortest_race(table.position, 0)
    assert rest is not None
    assert rest.turns == found.turns - 1


def test_pawns_in_the_way_are_walked_around_or_thought_away() -> None:
    alone = Table(["b3", "g7"], collected=[7, 0])
    assert shortest_race(alone.position, 0) == Race(1, ("d4",), 1)
    blocked = Table(["b3", "d4"], collected=[7, 0])
    assert shortest_race(blocked.position, 0) is None  # it stands still there
    assert shortest_race(blocked.position, 0, standing=False) == Race(1, ("d4",), 1)


def test_before_the_corners_are_chosen_the_best_free_one_counts() -> None:
    position = GAME.from_view(first_view(2, {}, rng=Random(3)), 2, GAME.read_options())
    found = shortest_race(position, 0)
    assert found is not None
    by_corner = [race.turns_left(position.state, 0, corner, 0) for corner in (0, 6, 42, 48)]
    assert found.turns == min(by_corner)
