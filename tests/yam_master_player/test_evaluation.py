"""The judge of boards: quick sums against slow ones, ends of the game against the rules, looking ahead against doing it by hand."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ludotheque.core import Dice, JsonObject, Match
from ludotheque.games.yam_master import GAME, rules
from ludotheque.games.yam_master.evaluation import evaluate, evaluate_ends, search_ends
from ludotheque.games.yam_master.facts import ENDS, FREE, IMPOSSIBLE, PASS, PLACE, TAKE
from ludotheque.games.yam_master.features import FEATURES, MAX_ACTIVE
from ludotheque.games.yam_master.turn import turn_policy
from ludotheque.kernels import State
from ludotheque.kernels.network import Network, load_network, new_network, save_network
from table import discrete


@pytest.fixture(scope="module")
def network() -> Network:
    return new_network(FEATURES, 16, 8, 5, MAX_ACTIVE)


def state_of(board: list[str], player: int = 0, turns: tuple[int, int] = (5, 5), most: int = 100) -> State:
    view: JsonObject = {
        "phase": "roll", "player": player, "rolls": 0, "dice": "", "kept": "", "defi": False,
        "board": board, "turns": list(turns), "winner": None,
    }  # fmt: skip
    return GAME.from_view(view, 2, GAME.read_options({"max_turns": most})).state


def left_of(state: State) -> NDArray[np.int64]:
    return np.asarray(int(state.max_turns) - state.turns, np.int64)


def after(state: State, action: int) -> State:
    other = GAME.rules.copy(state)
    other.dice, other.rolls, other.rolling = (
        0,
        1,
        False,
    )  # any roll: the dice are not asked here
    rules.play(other, action)
    return other


BOARDS = [
    ["....."] * 5,
    [".0.1.", "..1..", "10..0", "...0.", "1...1"],
    ["0000.", "1.1.1", "01010", "1.1.0", "...1."],
    ["00.00", "11.1.", "0.1.1", "11.00", "1100."],  # eleven pawns of 0: any pawn is the last
]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("player", [0, 1])
def test_every_end_is_judged_as_the_board_that_it_leaves(network: Network, board: list[str], player: int) -> None:
    state = state_of(board, player)
    ends = np.empty(ENDS)
    left = left_of(state)
    evaluate_ends(network, state.board.copy(), player, left, ends)
    assert left.tolist() == left_of(state).tolist()
    for action in range(ENDS):
        cell = (action - 1) % 25
        pawn = FREE if action < TAKE else 1 - player
        if action != PASS and state.board[cell] != pawn:
            assert ends[action] == IMPOSSIBLE
            continue
        then = after(state, action)
        if then.over:
            result = np.zeros(2)
            rules.returns(then, result)
            assert ends[action] == result[player]
        else:
            others = evaluate(network, then.board.copy(), 1 - player, left_of(then))
            assert ends[action] == pytest.approx(1 - others, abs=1e-6)


def test_the_last_turn_of_all_is_judged_by_points_alone(network: Network) -> None:
    state = state_of(["000..", ".....", "11...", ".....", "....."], 1, (3, 2), most=3)
    ends = np.empty(ENDS)
    evaluate_ends(network, state.board.copy(), 1, left_of(state), ends)
    assert ends[PASS] == 0.0
    assert ends[PLACE + 12] == 0.5  # r3c3 makes it one all
    assert ends[TAKE + 0] == 0.5  # nobody has a line then


def test_looking_one_turn_ahead_is_solving_the_other_players_turn(network: Network) -> None:
    state = state_of(BOARDS[2], 0)
    board, left = state.board.copy(), left_of(state)
    ends = np.empty(ENDS)
    value = search_ends(network, board, 0, left, 1, ends)
    assert board.tolist() == state.board.tolist()
    assert value == turn_policy(ends).value
    for action in (PASS, PLACE + 6, TAKE + 5):
        then = after(state, action)
        answers = np.empty(ENDS)
        evaluate_ends(network, then.board.copy(), 1, left_of(then), answers)
        assert ends[action] == pytest.approx(1 - turn_policy(answers).value, abs=1e-9)
    assert ends[PLACE + 4] == 1.0  # r1c5 is five in line


def test_weights_are_read_as_they_were_written(network: Network, tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    save_network(file, network, about="{}")
    again = load_network(file)
    for before, now in zip(network, again, strict=True):
        assert now.dtype == np.float32
        assert np.allclose(before, now, atol=2e-3)


def test_a_match_of_the_game_itself_ends_as_the_judge_says(network: Network) -> None:
    """Along a real match, the position before each turn is judged by what it shows, whoever is to move."""
    match = Match(GAME, dice=Dice("judge"))
    while not match.over:
        if match.to_move == "chance":
            match.draw()
            continue
        legal = match.position.legal().actions
        placing = [action for action in legal if action.startswith("place")]
        match.play(placing[0] if placing else "pass")
        state = discrete(match.position).state
        if not match.over:
            assert 0 < evaluate(network, state.board.copy(), int(state.player), left_of(state)) < 1
