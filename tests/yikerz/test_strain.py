"""What a hand feels: the pull on its magnet, its grip, and the strain of the pieces on the board before they move."""

import numpy as np
import pytest

from ludotheque.core import JsonObject, LiveTurn
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.magnets.hand import Hand
from ludotheque.games.yikerz.magnets.scene import Scene
from ludotheque.games.yikerz.magnets.steps import HAND_SPRING
from ludotheque.games.yikerz.magnets.strain import StrainGauge
from table import fields, shaped
from yikerz.boards import flat, lying, run, scene
from yikerz.play import begin, own, put

LEVEL = (1.0, 0.0, 0.0, 0.0)
ACROSS = (0.5**0.5, 0.0, 0.0, 0.5**0.5)
TURNED_ROUND = (0.0, 0.0, 0.0, 1.0)
AS_MM = np.array([1, 1, 1, 12, 12, 12, 12])
"""A change of a pose as millimetres: a turn moves a piece's end, 6 mm from its middle, by 12 times the change of its quaternion."""


def bend(board: Scene, hand: Hand) -> float:
    """How far the held piece is from where the hand is, mm."""
    assert board.held is not None
    return float(np.linalg.norm(np.subtract(board.pose(board.held)[:3], hand.now[:3])))


@pytest.mark.clause("Y6")
@pytest.mark.parametrize("turn", [LEVEL, ACROSS, TURNED_ROUND], ids=["attracted", "twisted", "repelled"])
def test_the_strain_of_a_piece_grows_to_one_and_then_it_moves(turn: tuple[float, float, float, float]) -> None:
    """A hand comes nearer by 6 mm a second. At 80 % nothing has moved; what has moved by half a millimetre had used up all."""
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    before = np.array(board.pose(0))
    hand, gauge = Hand(board, 1, (60.0, -40.0, 4.0, *turn)), StrainGauge(board)
    strains: list[float] = []
    begins = None
    for k in range(600):
        assert hand.follow((60.0 - k * 0.1, -40.0, 4.0, *turn)), "it moves before it snaps"
        strains.append(gauge.loads()[0])
        moved = float((np.abs(np.array(board.pose(0)) - before) * AS_MM).max())
        if strains[-1] < 0.8:
            assert moved < 0.05
        if begins is None and moved > 0.1:
            begins = strains[-1]
        if moved > 0.5:
            break
    assert strains[0] < 0.3
    rising = strains[20 : next(k for k, strain in enumerate(strains) if strain > 0.9)]
    assert np.diff(rising).min() > 0, "it never falls while the hand comes nearer"
    # Sliding and turning share the friction with a margin (SHARED_FRICTION): a load of 1 is on the safe side.
    assert begins is not None
    assert 0.95 < begins < 1.25
    assert sum(strain > 0.5 for strain in strains) > 60, "a second of warning at a careful hand's speed"


def test_a_piece_that_stands_is_strained_more_than_one_that_lies() -> None:
    loads = {}
    for standing in ("flat", "end"):
        board = scene(2)
        board.put(0, lying(board.shapes[0], 0, -60, "end" if standing == "end" else "flat"))
        run(board, 0.5)
        hand = Hand(board, 1, (55.0, -60.0, 60.0, *LEVEL))
        for _ in range(40):
            hand.follow((55.0, -60.0, 8.0, *LEVEL))
        loads[standing] = StrainGauge(board).loads()[0]
    assert 1 > loads["end"] > loads["flat"] > 0


def test_pieces_that_hold_together_are_not_called_strained() -> None:
    board = scene(3)
    board.put(0, flat(board.shapes[0], 0, -40))
    board.put(1, flat(board.shapes[1], 18, -40))
    board.put(2, flat(board.shapes[2], 100, -60))
    run(board, 1)
    assert board.groups() == [(0, 1)]
    assert set(StrainGauge(board).loads()) <= {2}


def test_the_held_piece_bends_away_from_the_hand_by_what_pulls_it() -> None:
    """The force over the fingers' stiffness, which is the piece's mass times the square of the frequency."""
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    hand, gauge = Hand(board, 1, (0.0, -40.0, 60.0, *LEVEL)), StrainGauge(board)
    for _ in range(60):
        hand.follow((37.0, -40.0, 4.0, *LEVEL))
    pull = gauge.pull()
    assert pull is not None
    newtons = float(np.linalg.norm(pull.force))
    assert pull.force[0] < -0.9 * newtons, "towards the other piece"
    stiffness = board.shapes[1].mass_g * 1e-3 * HAND_SPRING.frequency**2  # N/m
    assert bend(board, hand) == pytest.approx(newtons / stiffness * 1e3, rel=0.15)


def test_the_fingers_slip_where_the_field_is_stronger_than_their_hold() -> None:
    """Two pieces that repel each other are pushed onto each other from above: the held one is turned or driven out of the way."""
    board = scene(2)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    hand, gauge = Hand(board, 1, (0.0, -40.0, 60.0, *LEVEL)), StrainGauge(board)
    grips = []
    for k in range(200):
        going = hand.follow((0.0, -40.0, max(6.0, 60 - k * 0.4), *LEVEL))
        pull = gauge.pull()
        assert pull is not None
        grips.append(pull.grip)
        if not going:
            break
    assert max(grips) > 1
    assert grips[0] < 0.1


def test_a_free_board_pulls_at_nobody() -> None:
    board = scene(1)
    board.put(0, flat(board.shapes[0], 0, -40))
    run(board, 0.5)
    assert StrainGauge(board).pull() is None


def live(position: object, hand: JsonObject) -> LiveTurn:
    capability = GAME.capabilities.live
    assert capability is not None
    return capability.begin(position, hand)  # type: ignore[arg-type]


@pytest.mark.parametrize("strain", [True, False])
def test_frames_tell_hand_pull_and_grip_and_the_strain_only_where_the_table_wants_it(strain: bool) -> None:
    match = begin(strain=strain)
    match.play(put(own(match)[0], 0, -40))
    magnet = own(match)[0]
    turn = live(match.position, {"magnet": magnet, "pose": [40, -40, 90, *LEVEL]})
    for _ in range(60):
        frame = turn.sample({"pose": [40, -40, 4, *LEVEL]})
    assert shaped(list[float], frame["hand"])[:3] == [40, -40, 4]
    assert shaped(list[float], frame["pull"])[0] < 0
    assert 0 < shaped(float, frame["grip"]) < 1
    assert ("strain" in frame) is strain
    if strain:
        lies = next(iter(fields(frame["strain"])))
        assert 0.25 <= shaped(float, fields(frame["strain"])[lies]) < 1
        assert lies != str(magnet)
    after = turn.sample({"release": True})
    assert "hand" not in after
    assert "pull" not in after
