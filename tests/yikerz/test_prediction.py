"""The page's own physics beside the table's: it foresees turns on a slow network, and notices when the table decides otherwise."""

import random
from collections.abc import Iterator

import pytest

from bench.speed.prediction import board, hand_of, turn
from ludotheque.kernels.jit import JIT
from yikerz.page_physics import Network, PageProcess, page_physics

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled here")


@pytest.fixture(scope="module")
def page() -> Iterator[PageProcess]:
    with page_physics() as process:
        yield process


@pytest.mark.parametrize("round_trip", [0, 300])
def test_the_page_foresees_turns_with_and_without_a_collapse(page: PageProcess, round_trip: float) -> None:
    """A short form of `make bench-predict`: the same boards and hands each time.

    Which pieces touch first is the same in each of them. What a collapse throws about is chaotic: the benchmark counts it.
    """
    found = [turn(page, f"turn {number}", round_trip) for number in range(5)]
    assert {bool(one.taken_there) for one in found} == {False, True}
    assert [one.first_here for one in found] == [one.first_there for one in found]
    assert all(one.agrees for one in found if not one.taken_there)
    assert not any("outcome" in one.differences for one in found)


def test_the_page_foresees_magnets_that_are_magnetised_through_their_thickness(page: PageProcess) -> None:
    found = [turn(page, f"turn {number}", 50, magnetisation="through") for number in range(3)]
    assert any(one.first_there for one in found)
    assert [one.first_here for one in found] == [one.first_there for one in found]


def test_the_page_notices_that_the_table_did_not_hear_the_hand(page: PageProcess) -> None:
    """The connection stands still for three seconds in mid-turn: the table goes on with a hand that keeps still."""
    chance = random.Random("turn 1")
    position = board(chance)
    magnet = position.table.hands[0][0]
    hand, release = hand_of(chance, position, magnet)

    class Outage(Network):
        def arrives(self, sent: float) -> float:
            return super().arrives(sent if sent < 400 else sent + 3000)

    ways = Outage(random.Random(1), 25, 0, 0), Network(random.Random(2), 25, 0, 0)
    found = page.play(position, magnet, hand, release, network=ways)
    assert found.differences, "nobody was told"
