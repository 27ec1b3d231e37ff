"""The fast copies of rules that Wykersham's bots use, beside the rules themselves, on positions of random matches."""

import random

import numpy as np
import pytest

from ludotheque.core import Match, Position
from ludotheque.games.wykersham import GAME, rules
from ludotheque.games.wykersham.endgame import can_score, lead, most_possible, sure_to_win
from ludotheque.games.wykersham.facts import CUP, ENDED, GOAL, LEFT, MOST_ACTIONS, RIGHT, SLIDING
from ludotheque.kernels import JIT, State
from table import discrete
from wykersham.test_endgame import kernel_lead

pytestmark = pytest.mark.skipif(not JIT, reason="bots think with compiled rules")


def positions(matches: int, seed: int) -> list[Position]:
    """Every position in which a player places a marble, in matches by chance with all options; goals are left, so that stacks grow."""
    chooser = random.Random(seed)
    found: list[Position] = []
    for number in range(matches):
        names = ("same_direction", "shared_middle", "forced_goals", "combined_goals")
        options = {name: bool(number >> bit & 1) for bit, name in enumerate(names)}
        position = Match(GAME, options=options).position
        while not position.over:
            if position.view()["phase"] == "place":
                found.append(position)
            actions = position.legal().actions
            position = position.play("leave" if "leave" in actions else chooser.choice(actions)).position
    return found


@pytest.fixture(scope="module")
def placing() -> list[Position]:
    return positions(16, 3)


def actions_of(state: State) -> list[int]:
    actions = np.zeros(MOST_ACTIONS, np.int32)
    return [int(action) for action in actions[: rules.legal(state, actions)]]


@pytest.mark.accelerator("ludotheque.games.wykersham.endgame.can_score")
def test_a_placement_can_score_where_a_slide_by_the_rules_makes_a_goal(placing: list[Position]) -> None:
    scored = 0
    for position in placing:
        state = discrete(position).state
        for action in actions_of(state):
            after = GAME.rules.copy(state)
            rules.play(after, action)
            if after.phase != SLIDING:
                continue  # given away, or nothing to slide
            goal = False
            for slide in {LEFT, RIGHT} & set(actions_of(after)):
                slid = GAME.rules.copy(after)
                rules.play(slid, slide)
                goal |= slid.phase in (GOAL, CUP)
            assert bool(can_score(state, action)) == goal, position.picture()
            scored += goal
    assert scored > 20


@pytest.mark.accelerator("ludotheque.games.wykersham.endgame.most_possible")
def test_no_last_turn_ends_with_a_larger_lead_than_is_possible(placing: list[Position]) -> None:
    seen = 0
    for position in placing:
        state = discrete(position).state
        if state.turns.sum() == 29:
            assert kernel_lead(state) <= most_possible(state)
            seen += 1
    assert seen > 10


@pytest.mark.accelerator("ludotheque.games.wykersham.endgame.sure_to_win")
def test_who_is_sure_to_win_wins_however_the_last_turn_is_played(placing: list[Position]) -> None:
    chooser = random.Random(5)
    sure = 0
    for position in placing:
        state = discrete(position).state
        if state.turns.sum() < 29:
            continue
        for winnings in range(-3, 8):
            tried = GAME.rules.copy(state)
            player = int(tried.player)
            tried.winnings[player] = int(tried.winnings[1 - player]) + winnings
            if not sure_to_win(tried):
                continue
            sure += 1
            for _ in range(5):
                played = GAME.rules.copy(tried)
                while played.phase != ENDED:
                    rules.play(played, chooser.choice(actions_of(played)))
                assert lead(played, player) > 0
    assert sure > 10
