"""A live turn: the hand asks for poses as they are made, and the action at the end replays to the same result."""

from itertools import pairwise
from math import cos, sin

import pytest

from ludotheque.core import IllegalAction, JsonObject, LiveTurn, Position, parse
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.live import MagnetTurn, fitting_action
from ludotheque.games.yikerz.magnets.path import read_path, thinned
from ludotheque.games.yikerz.magnets.timing import sample_time
from table import fields, shaped
from yikerz.play import begin, own, position, put

LEVEL = [1, 0, 0, 0]


def begin_live(position: Position, hand: JsonObject) -> LiveTurn:
    live = GAME.capabilities.live
    assert live is not None
    return live.begin(position, hand)


@pytest.mark.clause("Y6", "Y20")
@pytest.mark.parametrize("target", [(0.0, 40.0), (6.0, -40.0), (500.0, 0.0)])
def test_a_live_turn_replays_from_its_text_bit_by_bit(target: tuple[float, float]) -> None:
    """Put down beside, onto another piece, and off the board."""
    match = begin()
    match.play(put(own(match)[0], 0, -40))
    magnet = own(match)[0]
    turn = begin_live(match.position, {"magnet": magnet, "pose": [target[0], target[1], 90, *LEVEL]})
    frames = []
    for k in range(5000):
        if turn.over:
            break
        height = max(4.0, 90.0 - 1.37 * k)
        hand: JsonObject | None = (
            {"pose": [target[0] + 0.013 * k, target[1], height, 0.9, 0.1, 0.3, 0.3]} if k % 3 else None
        )
        if height == 4.0 and k > 80:
            hand = {"release": True}
        frames.append(turn.sample(hand))
    assert turn.over
    action, result = turn.action()
    simulated = match.position.play(action)
    logged = match.position.play(action, result)
    assert simulated.outcome == result == logged.outcome
    assert simulated.position.view() == logged.position.view()
    assert frames[0]["held"] == magnet
    assert frames[-1]["over"] is True


def test_a_hand_that_never_lets_go_is_ended() -> None:
    match = begin(hand_seconds=5)
    turn = begin_live(match.position, {"magnet": own(match)[0], "pose": [0, 0, 90, *LEVEL]})
    samples = 0
    while not turn.over:
        turn.sample(None)
        samples += 1
    assert 300 <= samples < 400
    step = match.position.play(*turn.action())
    assert len(position(match).table.board) == 0
    assert step.position.to_move != match.to_move


@pytest.mark.clause("Y6")
def test_without_a_limit_a_hand_may_hold_on_for_as_long_as_it_wants() -> None:
    match = begin()
    turn = begin_live(match.position, {"magnet": own(match)[0], "pose": [0, 0, 90, *LEVEL]})
    for _ in range(60 * 70):
        turn.sample(None)
    assert turn.sample(None)["held"] == own(match)[0]
    while not turn.over:
        turn.sample({"release": True})
    action, result = turn.action()
    assert len(action) < 200  # it kept still
    assert shaped(float, fields(result)["seconds"]) > 70
    match.play(action, result)


def test_a_still_hand_leaves_out_poses_and_loses_nothing() -> None:
    still, there = (0.0, 0.0, 90.0, 1.0, 0.0, 0.0, 0.0), (5.0, 0.0, 90.0, 1.0, 0.0, 0.0, 0.0)
    poses = [still] * 5 + [there, still] + [there] * 4
    times, kept = thinned([0.1 * k for k in range(11)], poses)
    assert kept == [still, still, there, still, there, there]
    assert times == pytest.approx([0, 0.4, 0.5, 0.6, 0.7, 1.0])


def test_the_path_of_a_long_turn_is_thinned_until_it_fits_and_keeps_its_ends() -> None:
    times = [sample_time(k) for k in range(60 * 900)]
    poses = [(60 * cos(k / 40), 60 * sin(k / 40), 80 + k % 7, 1.0, 0.0, 0.0, 0.0) for k in range(len(times))]
    action = fitting_action(3, times, poses, times[-1])
    assert len(action) < 900_000 < 1 << 20
    path = read_path(fields(parse(action))["path"], times[-1], None)
    assert (path.times[0], path.times[-1], path.release) == (0, times[-1], times[-1])
    assert path.poses[-1] == pytest.approx(poses[-1], abs=1e-4)
    assert max(after - before for before, after in pairwise(path.times)) < 0.2


@pytest.mark.parametrize("hand", [{}, {"magnet": 99, "pose": [0, 0, 90, *LEVEL]}, {"magnet": "x"}])
def test_a_turn_cannot_begin_with_nonsense(hand: JsonObject) -> None:
    match = begin()
    with pytest.raises(IllegalAction):
        begin_live(match.position, hand)
    with pytest.raises(IllegalAction):
        begin_live(match.position, {"magnet": own(match)[0], "pose": [0, 0]})


def test_nonsense_in_the_middle_of_a_turn_changes_nothing() -> None:
    """Otherwise a player whose turn goes wrong could break it off and try again."""
    match = begin()
    turn = begin_live(match.position, {"magnet": own(match)[0], "pose": [0, -40, 50, *LEVEL]})
    for pose in ("here", [1, 2], [0, 0, 0, 0, 0, 0, 0], [1e9] * 7, None):
        frame = turn.sample({"pose": pose})
        assert frame["held"] == own(match)[0]
    turn.sample({"release": "yes", "pose": [0, -40, 50, *LEVEL]})
    assert not turn.over


@pytest.mark.parametrize("every", [1, 2, 3, 7])
def test_every_event_is_told_once_at_any_rate_of_frames(every: int) -> None:
    """A piece is put onto another: touch, collapse, taken and rest, whichever samples are shown."""
    match = begin()
    match.play(put(own(match)[0], 0, -40))
    turn = begin_live(match.position, {"magnet": own(match)[0], "pose": [4, -40, 90, *LEVEL]})
    assert isinstance(turn, MagnetTurn)
    heard: list[object] = []
    samples = 0
    while not turn.over:
        samples += 1
        frame = turn.sample({"pose": [4, -40, max(4.0, 90.0 - samples), *LEVEL]}, shown=samples % every == 0)
        heard += shaped(list[object], frame.get("events", []))
    heard += shaped(list[object], turn.sample(None)["events"])
    _, result = turn.action()
    assert isinstance(result, dict)
    assert heard == result["events"]
    assert {"touch", "collapse", "taken", "rest"} <= {event["what"] for event in result["events"]}
