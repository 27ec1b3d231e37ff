"""A whole turn enumerated: every end the rules allow, each once, and what they are worth added up quickly or slowly."""

import random
from typing import Any

import numpy as np
import pytest

from ludotheque.core import Position
from ludotheque.games.wykersham import GAME, rules
from ludotheque.games.wykersham.endgame import Endgame
from ludotheque.games.wykersham.evaluation import (
    evaluate,
    evaluate_next,
    new_evaluation_buffers,
    threats,
    value_before_roll,
)
from ludotheque.games.wykersham.facts import GOAL, LEFT, MOST_ACTIONS, RIGHT, ROLLING, SLIDING
from ludotheque.games.wykersham.features import FEATURES, SLOTS
from ludotheque.games.wykersham.levels import Skill
from ludotheque.games.wykersham.search import (
    choose_end,
    evaluate_turn,
    new_search_buffers,
    value_before_two_last_turns,
)
from ludotheque.games.wykersham.self_play import mirror
from ludotheque.games.wykersham.tables import ROLL_LINES
from ludotheque.games.wykersham.turn import TurnEnds, list_ends, new_turn_ends
from ludotheque.kernels import JIT, DiscretePosition, State
from ludotheque.kernels.network import Network, new_network
from wykersham.board import Table, from_view, table, turn_view
from wykersham.test_endgame import FOUR_IN_3, STACKED

pytestmark = pytest.mark.skipif(not JIT, reason="bots think with compiled rules")


@pytest.fixture(scope="module")
def network() -> Network:
    return new_network(FEATURES, 16, 8, 5, SLOTS)


@pytest.fixture(scope="module")
def turn() -> TurnEnds:
    return new_turn_ends()


def state_of(position: Position) -> State:
    assert isinstance(position, DiscretePosition)
    return position.state


def board_of(view: dict[str, Any]) -> str:
    return str((view["cups"], view["offsets"], view["winnings"]))


def ends_by_hand(table: Table) -> set[str]:
    """Every board that the turn may end with, by trying every action of the game itself."""
    if table.view["phase"] in ("roll", "over"):
        return {board_of(table.view)}
    return set().union(*(ends_by_hand(table.after(action)) for action in table.position.legal().actions))


CROSSED = """
. . . . r . r . . . . . . . .
. . . . . . r r . . . . . . .
. . . . . . . r2 . . . . . . .
. . . . . . . r r . . . . . .
. . . . . . . r . r . . . . .
"""
"""Rail 1, one notch left, makes two goals when it comes back."""
BOARDS = {
    "two goals at once": table(CROSSED, offsets=(-1, 0, 0, 0, 0)),
    "two goals at once, settled one by one": table(
        CROSSED, offsets=(-1, 0, 0, 0, 0), options={"combined_goals": False}
    ),
    "an empty board": table(),
    "a line that lacks one": table(FOUR_IN_3),
    "stacks to take from": from_view(turn_view(STACKED, turns=12, offsets=(-1, 0, 0, 1, 0)), shared_middle=False),
}


@pytest.mark.parametrize(
    ("board", "roll"),
    [
        ("an empty board", "25"),
        ("an empty board", "33"),
        ("a line that lacks one", "23"),
        ("two goals at once", "26"),
        ("two goals at once, settled one by one", "26"),
    ],
)
def test_every_end_of_a_turn_is_found_once(turn: TurnEnds, board: str, roll: str) -> None:
    rolled = BOARDS[board].after(roll)
    turn.path[0] = state_of(rolled.position)
    count = list_ends(turn, 0, True)
    found = [board_of(dict(DiscretePosition(GAME, turn.ends[end], 2, {}).view())) for end in range(count)]
    assert len(set(found)) == count
    assert set(found) == ends_by_hand(rolled)


def test_taking_in_every_number_is_among_the_ends(turn: TurnEnds) -> None:
    """2 and 3 stacked in one column: taking leaves some or none of each, or all of it stays."""
    rolled = BOARDS["a line that lacks one"].after("22", "n@2", "stay")
    turn.path[0] = state_of(rolled.position)
    taken = {int(turn.ends[end].winnings[0]) for end in range(list_ends(turn, 0, True))}
    start = rolled.view["winnings"][0]
    assert taken == {start, start + 5}


@pytest.mark.clause("W17")
def test_a_combination_is_taken_from_both_lines_or_left(turn: TurnEnds) -> None:
    """Nine cups, two marbles in the shared one: nine, ten or nothing; one by one also five or six of a single line."""
    for board, expected in (
        ("two goals at once", {0, 9, 10}),
        ("two goals at once, settled one by one", {0, 5, 6, 9, 10}),
    ):
        slid = BOARDS[board].after("26", "2@3", "6@1", "right")  # the turn's last marble
        turn.path[0] = state_of(slid.position)
        taken = {int(turn.ends[end].winnings[0]) for end in range(list_ends(turn, 0, True))}
        assert {number - slid.view["winnings"][0] for number in taken} == expected, slid.position.picture()


def after_games(count: int, seed: int) -> list[State]:
    """Boards between turns out of random games, any options."""
    dice = random.Random(seed)
    found = []
    for game in range(count):
        options = GAME.read_options(
            {"same_direction": game % 2 == 0, "shared_middle": game % 3 > 0, "combined_goals": game % 5 > 0}
        )
        position: Position = GAME.from_view(turn_view(), 2, options)
        for _ in range(dice.randrange(20, 110)):
            if position.over:
                break
            position = position.play(dice.choice(position.legal().actions)).position
        while not position.over and state_of(position).phase != ROLLING:
            position = position.play(dice.choice(position.legal().actions)).position
        if not position.over:
            found.append(state_of(position))
    return found


def test_a_board_seen_after_another_is_judged_as_if_seen_afresh(network: Network) -> None:
    buffers = new_evaluation_buffers(network)
    for number, state in enumerate(after_games(12, 1)):
        assert evaluate_next(network, buffers, state, number == 0) == pytest.approx(evaluate(network, state), abs=1e-5)


@pytest.mark.accelerator("ludotheque.games.wykersham.evaluation.threats")
def test_the_dice_that_make_a_goal_are_those_that_a_player_finds() -> None:
    """One marble and a slide: beside trying every placement and slide with the rules."""
    brings = np.zeros(7, np.int64)
    seen = 0
    for state in [*after_games(40, 2), state_of(table(FOUR_IN_3).position), state_of(table(STACKED).position)]:
        if not state.same_direction or not state.shared_middle or state.player != 0:
            continue
        lines = int(threats(state, 0, brings))
        for line in range(7):
            tried = GAME.rules.copy(state)
            rules.play(tried, 0)
            tried.lines = 1 << line
            best = 0
            actions = np.zeros(MOST_ACTIONS, np.int32)
            for action in actions[: rules.legal(tried, actions)].tolist():
                for slide in (LEFT, RIGHT):
                    after = GAME.rules.copy(tried)
                    rules.play(after, action)
                    if after.phase == SLIDING:
                        may = np.zeros(MOST_ACTIONS, np.int32)
                        if slide in may[: rules.legal(after, may)].tolist():
                            rules.play(after, slide)
                            best = max(best, int(after.phase == GOAL))
            assert bool(lines >> line & 1) == bool(best)
            assert (brings[line] >= 5) == bool(best)
            seen += best
    assert seen > 0


def test_a_board_and_its_mirror_images_have_the_same_turns(turn: TurnEnds) -> None:
    for state in after_games(6, 3):
        states = np.zeros(2, rules.STATE).view(np.recarray)
        for across, over in ((True, False), (False, True), (True, True)):
            states[0] = state
            states[1] = state
            mirror(states[0], states[1], across, over)
            for roll in (1, 7):  # 1 and 2, 2 and 3
                dice = roll
                if across:  # a die and what lies under it make 7
                    one, other = ROLL_LINES[roll], 0
                    other = sum(1 << (6 - line) for line in range(7) if one >> line & 1)
                    dice = next(which for which in range(21) if int(ROLL_LINES[which]) == other)
                counts = []
                for which, thrown in ((0, roll), (1, dice)):
                    turn.path[0] = states[which]
                    rules.play(turn.path[0], thrown)
                    counts.append(list_ends(turn, int(state.player), True))
                assert counts[0] == counts[1]


def test_before_a_roll_the_chance_is_the_mean_over_all_rolls(network: Network) -> None:
    state = after_games(1, 4)[0]
    search = new_search_buffers(network)
    position = DiscretePosition(GAME, state, 2, GAME.read_options())
    total = 0.0
    for action, odds in zip(position.legal().actions, position.legal().odds, strict=True):
        search.turn.path[0] = state_of(position.play(action).position)
        total += odds * float(search.turn.values[: evaluate_turn(network, Skill(), search)].max())
    there = value_before_roll(network, search.evaluation, state, search.next_turn)
    assert there == pytest.approx(total, abs=1e-5)


def test_one_turn_before_the_last_looking_ahead_is_exact(network: Network) -> None:
    view = turn_view(FOUR_IN_3, turns=14)
    total = sum(view["winnings"])
    view["winnings"] = [(total - 4) // 2, total - (total - 4) // 2]
    rolled = from_view(view, shared_middle=False).play("26")
    search, endgame = new_search_buffers(network), Endgame()
    search.turn.path[0] = state_of(rolled.position)
    count = evaluate_turn(network, Skill(exact=1), search)
    for end in range(count):
        value = endgame.value(search.turn.ends[end])
        assert value is not None
        assert search.turn.values[end] == pytest.approx(1 - value)


def test_before_the_last_two_turns_the_chance_is_the_exact_mean(network: Network) -> None:
    view = turn_view(FOUR_IN_3, turns=14)
    total = sum(view["winnings"])
    view["winnings"] = [(total - 4) // 2, total - (total - 4) // 2]
    state = state_of(from_view(view, shared_middle=False).position)
    search = new_search_buffers(network)
    position = DiscretePosition(GAME, state, 2, GAME.read_options({"shared_middle": False}))
    mean = 0.0
    for action, odds in zip(position.legal().actions, position.legal().odds, strict=True):
        search.turn.path[0] = state_of(position.play(action).position)
        mean += odds * float(search.turn.values[: evaluate_turn(network, Skill(exact=1), search)].max())
    there = value_before_two_last_turns(network, search, state, search.next_turn)
    assert there == pytest.approx(mean)


def test_no_end_that_gives_away_too_much_is_chosen(network: Network) -> None:
    search = new_search_buffers(network)
    for number, state in enumerate(after_games(8, 5)):
        search.turn.path[0] = state
        rules.play(search.turn.path[0], number)
        skill = Skill(noise=2.0, max_loss=0.01)
        count = evaluate_turn(network, skill, search)
        chosen = choose_end(skill, search, count, number)
        assert search.turn.values[:count].max() - search.turn.values[chosen] <= skill.max_loss
