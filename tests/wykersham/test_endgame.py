"""The last turns of Wykersham, exactly: beside every way the plain implementation finds, and on positions solved by hand."""

import random
from typing import Any

import numpy as np
import pytest

from ludotheque.core import Match
from ludotheque.games.wykersham import GAME, rules
from ludotheque.games.wykersham.endgame import DEEPEST, Endgame, most_lead
from ludotheque.games.wykersham.facts import ENDED
from ludotheque.games.wykersham.features import handmade_network
from ludotheque.games.wykersham.player import exact_values, last_turn_value
from ludotheque.games.wykersham.search import last_halves, new_search_buffers
from ludotheque.kernels import JIT, State
from ludotheque.kernels.network import as_network
from reference.wykersham import Reference
from table import discrete
from wykersham.board import Table, from_view, turn_view
from wykersham.test_against_reference import greedy

FOUR_IN_3 = ". . . . . . .\n" + ". . r . . . .\n" * 4


def last_turn(board: str, lead: int = 0, **more: Any) -> dict[str, Any]:
    """Red's last turn, which is the last of the game; red leads by so many marbles (the middle not shared, any lead is possible)."""
    view = turn_view(board, turns=14, **more)
    view["turns"] = [14, 15]
    total = sum(view["winnings"]) + 2
    total -= (total - lead) % 2
    rest = sum(view["winnings"]) + 2 - total
    view["winnings"] = [(total + lead) // 2, (total - lead) // 2]
    if rest:
        view["cups"][0][0][1] += rest  # a green marble far off makes the numbers even
    return view


def table(view: dict[str, Any]) -> Table:
    return from_view(view, shared_middle=False)


def test_a_leader_has_won_unless_marbles_must_be_given() -> None:
    assert last_turn_value(table(last_turn(". . . . . . .\n" * 5, 4)).position) == 1
    assert last_turn_value(table(last_turn(". . . . . . .\n" * 5, -4)).position) == 0
    assert last_turn_value(table(last_turn(". . . . . . .\n" * 5, 0)).position) == 0.5


def test_one_open_line_is_as_likely_as_its_rolls() -> None:
    # Five red marbles would win. Rail 1 lacks one for line 3: a marble in line 2 and a push to the right, or in line n (a double)
    # and a push to the left. Any roll with a 2 (11 of 36), or any double (6, of which 22 is counted already); nothing else.
    # The marble itself may also come after the other one, and rails 2 to 5 make no second chance.
    value = last_turn_value(table(last_turn(FOUR_IN_3, -4)).position)
    assert value == pytest.approx((11 + 5) / 36)


def test_a_draw_counts_half() -> None:
    # Five marbles are a draw now, six win: both of a double through n (6 of 36), or with 2 and 3 another one in line 3 first (2).
    # The other rolls with a 2 (8 of 36) bring five.
    assert last_turn_value(table(last_turn(FOUR_IN_3, -5)).position) == pytest.approx((6 + 2 + 8 / 2) / 36)


def test_it_is_unknown_before_the_last_turn() -> None:
    assert last_turn_value(from_view(turn_view(FOUR_IN_3)).position) is None


def test_values_of_actions_tell_the_winning_one() -> None:
    rolled = table(last_turn(FOUR_IN_3, -4)).play("26")
    values = exact_values(rolled.position)
    assert values is not None
    assert values["2@1"] == 1
    assert values["6@2"] == 1, "line 2 on rail 1 is still open afterwards"
    assert exact_values(rolled.after("6@1").position) == {"left": 0, "right": 0, "stay": 1}, "a pushed rail is locked"
    assert exact_values(rolled.after("6@3", "2@1").position) == {"left": 0, "right": 1, "stay": 0}


def best_lead(game: Reference, options: dict[str, bool], player: int) -> int:
    """The largest lead at the end, by trying everything."""
    if game.phase == "over":
        return game.winnings[player] - game.winnings[1 - player]
    best = -1000
    for action in game.legal():
        after = Reference(game.view(), options, 2)
        after.play(action)
        best = max(best, best_lead(after, options, player))
    return best


def kernel_lead(state: State) -> int:
    stack = np.zeros(DEEPEST, GAME.rules.dtype).view(np.recarray)
    stack[0] = state
    return int(most_lead(stack, np.zeros((DEEPEST, GAME.rules.most_actions), np.int32), 0, 0, 1000))


STACKED = """
. . . r2 . r . g . . . . . . .
. . . . r r2 r . . g . . . . .
. . . . . r2 r2 r . . . . . . .
. . . . . r r . . . . g . . .
. . . . r r2 . r . . . . . . .
"""
"""Red has several goals within reach, with stacks that two of them share."""


@pytest.mark.parametrize("combined", [True, False])
@pytest.mark.parametrize("roll", ["13", "26", "33", "35", "46", "55"])
def test_the_best_last_turn_on_a_board_with_stacks(roll: str, combined: bool) -> None:
    view = last_turn(STACKED, 0, offsets=(-1, 0, 0, 1, 0))
    options = {"shared_middle": False, "combined_goals": combined}
    position = from_view(view, **options).play(roll)
    expected = best_lead(Reference(position.view, options, 2), options, 0)
    assert kernel_lead(GAME.from_view(position.view, 2, GAME.read_options(options)).state) == expected


CROSSING = """
r . . r . r r
r r . . . . .
. . r . r . .
. . r r . r .
. r r . r . r
"""
"""With a 4 and a 5, one slide can make two goals; who may take one of them and leave the other makes more of the second marble."""


def lead_by_trying(state: State) -> int:
    """The largest lead that the player can end the turn with, by every action that the rules allow."""
    if state.phase == ENDED:
        return int(state.winnings[state.player]) - int(state.winnings[1 - state.player])
    actions = np.zeros(GAME.rules.most_actions, np.int32)
    best = -1000
    for action in actions[: rules.legal(state, actions)].tolist():
        after = GAME.rules.copy(state)
        rules.play(after, action)
        best = max(best, lead_by_trying(after))
    return best


@pytest.mark.clause("W17")
@pytest.mark.skipif(not JIT, reason="every way to play a turn is tried")
def test_the_best_last_turn_with_a_combination_and_with_goals_one_by_one() -> None:
    leads = []
    for combined in (True, False):
        rolled = from_view(last_turn(CROSSING), shared_middle=False, combined_goals=combined).play("45")
        state = discrete(rolled.position).state
        leads.append(kernel_lead(state))
        assert leads[-1] == lead_by_trying(state), rolled.position.picture()
    assert leads[0] < leads[1]


@pytest.mark.clause("W17")
def test_last_turns_are_remembered_apart_with_and_without_combinations() -> None:
    search = new_search_buffers(as_network(handmade_network()))
    lead = 1 - kernel_lead(
        discrete(table(last_turn(CROSSING)).play("45").position).state
    )  # then only one of the two wins
    states = [
        discrete(from_view(last_turn(CROSSING, lead - 1), shared_middle=False, combined_goals=combined).position).state
        for combined in (True, False)
    ]
    remembered = [int(last_halves(search, state, 1000)) for state in (*states, *states)]
    assert remembered[:2] == remembered[2:]
    assert remembered[0] < remembered[1]
    endgame = Endgame()
    assert [halves / 72 for halves in remembered[:2]] == [endgame.value(state) for state in states]


@pytest.mark.accelerator("ludotheque.games.wykersham.endgame.most_lead")
@pytest.mark.parametrize("seed", range(16 if JIT else 1))
def test_the_best_last_turn_after_random_games(seed: int) -> None:
    options = {
        "same_direction": bool(seed % 2),
        "shared_middle": bool(seed // 2 % 2),
        "forced_goals": bool(seed // 4 % 2),
        "combined_goals": bool(seed // 8 % 2),
    }
    dice = random.Random(seed)
    position = discrete(Match(GAME, options=options).position)
    while position.state.turns.min() < 14 or position.state.turns.max() < 15 or position.view()["phase"] != "place":
        # Goals are left, so that the last turn has much to take.
        actions = position.legal().actions
        position = discrete(position.play("leave" if "leave" in actions else greedy(position, dice)).position)
    view: dict[str, Any] = dict(position.view())
    state = GAME.from_view(view, 2, position.options).state
    assert kernel_lead(state) == best_lead(Reference(view, options, 2), options, view["player"]), position.picture()


BEFORE_LAST = """
. . . . . . .
. . r3 . . . .
. . r2 . g . .
. . r2 . g . .
. g r3 . g . .
"""


@pytest.mark.parametrize("path", [("26", "2@1", "right"), ("23", "3@2", "stay", "2@1")])
def test_the_last_turn_but_one_against_every_way_to_take(path: tuple[str, ...]) -> None:
    view = turn_view(BEFORE_LAST, turns=14)
    total = sum(view["winnings"])
    view["winnings"] = [total // 2 - 3, total - total // 2 + 3]
    position = from_view(view, shared_middle=False).play(*path).position
    assert position.to_move == 0

    def least(table: Table, seen: dict[str, float]) -> float:
        """Red's best chance, by trying everything; the enemy's last turn is known exactly."""
        if table.view["phase"] == "roll":
            key = str((table.view["cups"], table.view["offsets"], table.view["winnings"]))
            if key not in seen:
                value = last_turn_value(table.position)
                assert value is not None
                seen[key] = 1 - value
            return seen[key]
        return max(least(table.after(action), seen) for action in table.position.legal().actions)

    values = exact_values(position)
    assert values is not None
    assert max(values.values()) == pytest.approx(least(Table(position), {}))
