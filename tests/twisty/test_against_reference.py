"""Twisty's kernels beside the plain second implementation: every state of many random games, and exact counts.

LUDOTHEQUE_GAMES=20000 plays so many games.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from ludotheque.core import Position
from ludotheque.games.twisty import GAME
from ludotheque.kernels import JIT, State
from reference.twisty import Reference, first_view
from table import discrete, shaped

GAMES = int(os.environ.get("LUDOTHEQUE_GAMES", "600" if JIT else "4"))
SPECIALS = [
    {"+": 3, "x": 3, "L": 3, "o": 4, "s": 3},
    {"+": 0, "x": 0, "L": 16, "o": 0, "s": 0},
    {"+": 8, "x": 0, "L": 0, "o": 0, "s": 8},
    {"+": 0, "x": 0, "L": 0, "o": 16, "s": 0},
    {"+": 1, "x": 8, "L": 4, "o": 1, "s": 2},
    {"+": 4, "x": 4, "L": 4, "o": 2, "s": 2},
]


def eager(rng: Random, game: Reference, actions: list[str]) -> str:
    """A random action; mostly one that robs, collects or wins, so that games get far."""
    colour = game.next_colour() if game.phase in {"move", "extra"} else ""
    good = [
        action
        for action in actions
        if len(action) == 2
        and (game.owner_on(action) is not None or game.tokens[action] == colour or (colour is None and action == "d4"))
    ]
    return rng.choice(good if good and rng.random() < 0.8 else actions)


def games() -> Iterator[tuple[int, Random, int, dict[str, Any]]]:
    """Seeds, numbers of players and options: mostly short games, every 25th to its natural end."""
    for seed in range(GAMES):
        rng = Random(seed)
        options = {"specials": SPECIALS[seed % 6], "max_rounds": 100 if seed % 25 == 0 else rng.randint(1, 12)}
        yield seed, rng, rng.choice([2, 3, 4]), options


@pytest.mark.rules
def test_every_state_of_random_games_is_the_same() -> None:
    seen: set[str] = set()
    for seed, rng, players, given in games():
        options = GAME.read_options(given)
        view = first_view(players, given, first=rng.randrange(players), rng=rng)
        plain = Reference(view, given, players)
        ours: Position = GAME.from_view(view, players, options)
        played: list[str] = []
        while True:
            view = plain.view()
            actions = plain.legal()
            same = ours.view() == view and sorted(ours.legal().actions) == sorted(actions)
            if not same or ours.to_move != plain.to_move():
                pytest.fail(
                    f"seed {seed}, {players} players, {given}, after {played}\n{ours.picture()}\n"
                    f"ours {ours.view()} {ours.legal()}\nplain {view} {actions}"
                )
            if rng.random() < 0.1:
                assert GAME.from_view(view, players, options).view() == view
            seen.add(view["phase"] + (" with a chain" if len(view["used"]) > 1 else ""))
            if not actions:
                break
            action = eager(rng, plain, actions)
            plain.play(action)
            ours = ours.play(action).position
            played.append(action)
        shares = plain.returns()
        assert shares is not None
        assert list(ours.returns()) == [float(share) for share in shares], f"seed {seed}"
    assert {"corner", "move", "extra", "over"} <= seen
    if JIT:
        assert {"settle", "extra with a chain"} <= seen


@pytest.mark.rules
def test_a_view_gives_the_same_position_at_every_step() -> None:
    for seed in range(3 if JIT else 1):
        rng = Random(seed)
        players = 2 + seed % 3
        options = GAME.read_options({"max_rounds": 25 if JIT else 4})
        here = GAME.from_view(first_view(players, dict(options), rng=rng), players, options)
        while not here.over:
            again = GAME.from_view(here.view(), players, options)
            assert again.view() == here.view()
            assert again.legal() == here.legal()
            derived = ("portals", "away")  # what follows from the board is worked out anew and must not have drifted
            assert all(np.array_equal(again.state[name], here.state[name]) for name in derived), here.picture()
            for mine, fresh in zip(here.state.spots.tolist(), again.state.spots.tolist(), strict=True):
                assert sorted(mine) == sorted(fresh), here.picture()
            actions = here.legal().actions
            pawns = shaped(list[str | None], here.view()["pawns"])
            robberies = [one for one in actions if len(one) == 2 and one in pawns]
            action = rng.choice(robberies or actions)
            assert again.play(action).position.view() == here.play(action).position.view()
            here = discrete(here.play(action).position)


OPENINGS = {
    2: (4, 12, 24, 63, 261, 1_331, 6_658, 32_839),
    3: (4, 12, 24, 48, 114, 288, 1_176, 5_654, 30_166),
    4: (4, 12, 24, 24, 48, 126, 362, 986, 2_962, 11_884),
}
MIDDLES = {
    2: (4, 25, 129, 595, 2_892, 15_172, 78_233),
    3: (6, 24, 115, 484, 1_969, 9_203, 49_500),
    4: (8, 35, 106, 354, 1_829, 8_387, 40_591),
}
"""How many ways there are to play the next 1, 2, … actions, from `opening` and from `middle`: worked out by the reference
(`counted`), not by the kernels; the smaller ones are worked out again in the test."""


def opening(players: int) -> Reference:
    return Reference(first_view(players, {}, rng=Random(players)), {}, players)


def middle(players: int) -> Reference:
    """A position with some cubes collected in which somebody can be robbed at once."""
    rng = Random(players)
    game = Reference(first_view(players, {}, rng=rng), {}, players)
    while not (
        game.phase == "move"
        and sum(game.collected) >= 3 * players
        and any(game.owner_on(action) is not None for action in game.legal())
    ):
        game.play(eager(rng, game, game.legal()))
    return game


def counted(game: Reference, depth: int) -> int:
    """How many sequences of that many actions there are, by the reference."""
    actions = game.legal()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = deepcopy(game)
        after.play(action)
        total += counted(after, depth - 1)
    return total


def counted_by_kernels(state: State, depth: int) -> int:
    actions = np.zeros(GAME.rules.most_actions, np.int32)
    count = GAME.rules.compiled.legal(state, actions)
    if depth == 1:
        return int(count)
    total = 0
    for action in actions[:count].tolist():
        after = GAME.rules.copy(state)
        GAME.rules.compiled.play(after, action)
        total += counted_by_kernels(after, depth - 1)
    return total


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("begin", "table"), [(opening, OPENINGS), (middle, MIDDLES)], ids=["opening", "middle"])
def test_ways_to_play_on_are_counted_exactly(
    players: int, begin: Callable[[int], Reference], table: Mapping[int, tuple[int, ...]]
) -> None:
    plain = begin(players)
    position = GAME.from_view(plain.view(), players, GAME.read_options())
    for depth, expected in enumerate(table[players], 1):
        assert counted_by_kernels(position.state, depth) == expected
        if expected < 1000:
            assert counted(plain, depth) == expected
