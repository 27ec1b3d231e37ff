"""A turn as a film: a bot's hand, a collapse slowly again, on another machine too (Y20)."""

import numpy as np
import pytest

from ludotheque.core import IllegalAction, Json, JsonObject, parse, read_record, write_json, write_record
from ludotheque.games.yikerz.film import FAR_MM, merged
from ludotheque.games.yikerz.text import read_action
from ludotheque.games.yikerz.turn import play_path
from yikerz.play import begin, own, position, put


def shown(frames: list[JsonObject], t: float) -> dict[int, np.ndarray]:
    """Where a page that knows only the frames would draw each piece at a time: straight on from frame to frame."""
    whole: list[tuple[float, dict[int, np.ndarray]]] = []
    here: dict[int, np.ndarray] = {}
    for frame in frames:
        assert isinstance(frame["poses"], dict)
        here = here | {int(name): np.array(pose) for name, pose in frame["poses"].items() if pose is not None}
        here = {one: pose for one, pose in here.items() if frame["poses"].get(str(one), 0) is not None}
        assert isinstance(frame["t"], int | float)
        whole.append((float(frame["t"]), here))
    after = next((k for k, (time, _) in enumerate(whole) if time >= t), len(whole) - 1)
    (t1, b), (t0, a) = whole[after], whole[max(0, after - 1)]
    share = 1.0 if t1 == t0 else (t - t0) / (t1 - t0)
    return {one: pose + share * (b[one] - pose) if one in b else pose for one, pose in a.items()} if share < 1 else b


@pytest.mark.clause("Y20")
@pytest.mark.parametrize("place", [(0.0, 40.0), (5.0, -40.0), (500.0, 0.0)])
def test_a_turn_that_nobody_saw_live_can_be_watched_from_its_outcome(place: tuple[float, float]) -> None:
    """Quiet, with a collapse, and off the board: at every sample the film shows every piece where it was."""
    match = begin()
    match.play(put(own(match)[0], 0, -40))
    action = put(own(match)[0], *place)
    outcome = match.position.play(action).outcome
    assert isinstance(outcome, dict)
    frames = outcome["frames"]
    assert isinstance(frames, list)
    magnet, path = position(match).read_turn(read_action(action))
    turn = position(match).new_turn(magnet)
    samples = 0
    for _ in play_path(turn, path):
        samples += 1
        drawn = shown(frames, turn.seconds)
        for one in (*turn.scene.on_board, *([magnet] if turn.holding else [])):
            assert drawn[one][:3] == pytest.approx(turn.scene.pose(one)[:3], abs=2 * FAR_MM)
    assert len(frames) < samples / 2
    assert frames[0]["held"] == magnet
    last = shown(frames, 1e9)
    assert sorted(last) == sorted(int(one) for one in outcome["board"])
    assert len(write_json(frames)) < 15_000


@pytest.mark.clause("Y20")
def test_a_record_keeps_the_films_and_one_from_before_there_were_any_is_still_read() -> None:
    match = begin()
    match.play(put(own(match)[0], 0, -40))
    match.play(put(own(match)[0], 5, -40))
    record = parse(write_json(write_record(match)))
    assert isinstance(record, dict)
    again = read_record(record).match
    assert [entry.outcome for entry in again.log] == [entry.outcome for entry in match.log]
    outcomes = record["outcomes"]
    assert isinstance(outcomes, list)
    for outcome in outcomes:
        if isinstance(outcome, dict):
            del outcome["frames"]
    assert read_record(record).match.position == match.position


@pytest.mark.parametrize("length", [7, 8])
def test_a_film_with_half_the_frames_still_ends_where_everything_lies(length: int) -> None:
    poses: list[JsonObject] = [{"0": [k, 0, 0, 1, 0, 0, 0]} if k % 3 else {"1": None} for k in range(1, length)]
    frames: list[JsonObject] = [{"t": 0, "poses": {"0": [0, 0, 0, 1, 0, 0, 0], "1": [9, 9, 0, 1, 0, 0, 0]}, "held": 0}]
    frames += [{"t": k, "poses": moved, "held": None} for k, moved in enumerate(poses, 1)]
    half = merged(frames)
    assert len(half) == length // 2 + 1
    assert half[0] == frames[0]
    assert half[-1]["t"] == length - 1
    assert {one: list(pose) for one, pose in shown(half, 1e9).items()} == {
        one: list(pose) for one, pose in shown(frames, 1e9).items()
    }


@pytest.mark.parametrize(
    "frames",
    [
        3,
        [3],
        [{"t": 0, "poses": {}}],
        [{"t": -1, "poses": {}, "held": None}],
        [{"t": 0, "poses": {"99": None}, "held": None}],
        [{"t": 0, "poses": {"0": [1, 2]}, "held": None}],
        [{"t": 0, "poses": {"0": [0, 0, 0, 0, 0, 0, 0]}, "held": None}],
        [{"t": 0, "poses": {}, "held": "hand"}],
    ],
)
def test_a_film_of_nonsense_is_refused(frames: Json) -> None:
    match = begin()
    action = put(own(match)[0], 0, -40)
    outcome = match.position.play(action).outcome
    assert isinstance(outcome, dict)
    with pytest.raises(IllegalAction, match=r"outcome\.frames"):
        match.position.play(action, {**outcome, "frames": frames})
