"""A hand that numbers its poses: the table plays the way that the hand made, however unevenly the network delivered it."""

import random
from collections.abc import Iterator, Sequence

import pytest

from ludotheque.core import JsonObject, merged_hands, parse
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.live import MagnetTurn, begin_turn
from ludotheque.games.yikerz.numbered_hand import MOST_AHEAD, MOST_LAG, merged
from table import fields
from yikerz.play import begin, own, put

LEVEL = [1.0, 0.0, 0.0, 0.0]
WAY = [[30.0 - 0.25 * k, -40.0 + 0.5 * k, max(4.0, 90.0 - 1.2 * k), *LEVEL] for k in range(1, 91)]
"""A hand that comes down beside a lying piece within a second and a half."""


def numbered(first: int, last: int) -> JsonObject:
    """What the hand says of its samples, both included."""
    return {"way": [[k, *WAY[k - 1]] for k in range(first, last + 1)], "until": last}


def new_turn() -> MagnetTurn:
    match = begin()
    match.play(put(own(match)[0], 0, -40))
    hand: JsonObject = {"magnet": own(match)[0], "pose": [30, -40, 90, *LEVEL], "numbered": True}
    return begin_turn(match.position, hand)


def played(turn: MagnetTurn, hands: Iterator[JsonObject | None]) -> tuple[JsonObject, list[JsonObject]]:
    """The turn's action, and its frames."""
    frames = []
    while not turn.over:
        frames.append(turn.sample(next(hands, None)))
        assert len(frames) < 3000
    action = parse(turn.action()[0])
    assert isinstance(action, dict)
    return action, frames


def even() -> Iterator[JsonObject | None]:
    """One message a sample."""
    for k in range(1, len(WAY) + 1):
        yield numbered(k, k)
    yield {"until": len(WAY), "release": True}


def uneven(seed: int) -> Iterator[JsonObject | None]:
    """Nothing for up to a third of a second, then everything at once."""
    chance = random.Random(seed)
    told = 0
    while told < len(WAY):
        for _ in range(chance.randrange(20)):
            yield None
        last = min(len(WAY), told + chance.randrange(1, 20))
        yield numbered(told + 1, last)
        told = last
    yield {"until": len(WAY), "release": True}


@pytest.mark.parametrize("seed", range(3))
def test_the_way_is_played_as_it_was_made_however_it_arrives(seed: int) -> None:
    smooth, _ = played(new_turn(), even())
    rough, _ = played(new_turn(), uneven(seed))
    assert rough == smooth
    assert smooth["release"] == pytest.approx(len(WAY) / 60)


def test_a_turn_waits_a_second_for_a_hand_that_is_not_heard_and_no_longer() -> None:
    turn = new_turn()
    times = [fields(turn.sample(None))["t"] for _ in range(MOST_LAG + 30)]
    assert times[MOST_LAG - 1] == 0
    assert times[-1] == pytest.approx(30 / 60, abs=1e-3)


def test_nobody_gains_more_than_a_second_by_speaking_slowly() -> None:
    def slowly() -> Iterator[JsonObject | None]:
        for k in range(1, len(WAY) + 1):
            yield numbered(k, k)
            yield from [None] * 5

    turn, hands = new_turn(), slowly()
    times = [float(str(fields(turn.sample(next(hands, None)))["t"])) for _ in range(240)]
    assert times[-1] >= (240 - MOST_LAG - 2) / 60


def test_a_turn_catches_up_once_the_network_is_even_again() -> None:
    turn = new_turn()
    for _ in range(30):  # half a second of nothing
        turn.sample(None)
    turn.sample(numbered(1, 31))
    behind = []
    for k in range(32, len(WAY) + 1):
        frame = fields(turn.sample(numbered(k, k)))
        behind.append(k - round(60 * float(str(frame["t"]))))
    assert behind[0] >= 29
    assert behind[-1] <= 6


def test_frames_say_up_to_which_sample_the_hand_was_heard() -> None:
    turn = new_turn()
    assert fields(turn.sample(numbered(1, 4)))["heard"] == 4
    assert fields(turn.sample(None))["heard"] == 4


def test_what_is_malformed_is_not_heard() -> None:
    turn = new_turn()
    far = MOST_AHEAD + 100
    bad: Sequence[JsonObject] = (
        {"way": "nonsense", "until": True},
        {"way": [[1, 2], None, [0, *WAY[0]], [1.5, *WAY[0]], [1, "x", *WAY[0][1:]], [far, *WAY[0]]], "until": far},
        {"way": None, "until": -3},
    )
    for hand in bad:
        turn.sample(hand)
    assert fields(turn.sample(None))["heard"] == MOST_AHEAD
    assert fields(turn.sample(None))["hand"] == [30, -40, 90, 1, 0, 0, 0]


def test_a_page_that_was_loaded_anew_goes_on_without_numbers() -> None:
    turn = new_turn()
    turn.sample(numbered(1, 2))
    for _ in range(20):
        frame = fields(turn.sample({"pose": [0, 0, 90, *LEVEL]}))
    assert "heard" not in frame
    assert frame["hand"] == [0, 0, 90, 1, 0, 0, 0]


def test_two_hands_that_come_together_lose_no_pose() -> None:
    both = merged(numbered(1, 2), {**numbered(3, 4), "release": True})
    assert both == {**numbered(1, 4), "release": True}
    assert merged({"pose": [1]}, {"release": True}) == {"pose": [1], "release": True}
    assert merged_hands(GAME.capabilities.live, numbered(1, 1), numbered(2, 2)) == numbered(1, 2)
    assert merged_hands(None, {"a": 1}, {"b": 2}) == {"a": 1, "b": 2}
