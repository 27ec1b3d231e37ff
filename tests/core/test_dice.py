"""Fair dice: nobody can choose them afterwards, and everybody can check them."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludotheque.core import Dice, SetupDice, commitment
from ludotheque.core.dice import chosen


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    # the SHA-256 of "abc" stands in FIPS 180-2
    assert commitment("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_draw_follows_the_published_recipe() -> None:
    dice = Dice("7", ("lucky", "13"))
    key = hashlib.sha256(b"ludotheque dice 1\n7\nlucky\n13").digest()
    first = int.from_bytes(hmac.new(key, b"12/0", "sha256").digest()[:8], "big")
    assert dice.draw("12", 6).number == first % 6  # the chance of a second try is below 1e-18


def test_a_number_from_a_player_changes_the_dice() -> None:
    places = [str(place) for place in range(50)]
    plain = [Dice("seed").draw(place, 6).number for place in places]
    mixed = [Dice("seed", ("mine",)).draw(place, 6).number for place in places]
    assert plain != mixed
    assert plain == [Dice("seed").draw(place, 6).number for place in reversed(places)][::-1]


def test_unfair_parts_of_the_range_are_drawn_again() -> None:
    total = (1 << 63) + 1  # nearly half of all numbers are beyond the one fair multiple
    draws = [Dice("again").draw(str(place), total).number for place in range(200)]
    assert max(draws) < total
    key = hashlib.sha256(b"ludotheque dice 1\nagain").digest()
    firsts = [int.from_bytes(hmac.digest(key, f"{place}/0".encode(), "sha256")[:8], "big") for place in range(200)]
    assert sum(first >= total for first in firsts) > 50
    assert all(draw == first for draw, first in zip(draws, firsts, strict=True) if first < total)


def test_faces_come_up_about_equally() -> None:
    faces = Counter(Dice("even").draw(str(place), 6).number for place in range(6000))
    assert all(880 < faces[face] < 1120 for face in range(6))


@given(st.lists(st.integers(1, 50), min_size=1, max_size=20), st.data())
def test_weights_decide_the_outcome(weights: list[int], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, sum(weights) - 1))
    spread = [outcome for outcome, weight in enumerate(weights) for _ in range(weight)]
    assert chosen(weights, number) == spread[number]


def test_a_set_up_is_drawn_place_by_place() -> None:
    setup = SetupDice(Dice("table"))
    cards = list("ABCDEFG")
    setup.shuffle(cards)
    assert sorted(cards) == list("ABCDEFG")
    assert [draw.place for draw in setup.draws] == [f"setup.{place}" for place in range(6)]


def test_the_seed_is_not_shown_by_accident() -> None:
    assert "hunter2" not in repr(Dice("hunter2"))


@pytest.mark.parametrize("total", [0, -1, 1 << 64])
def test_absurd_totals_are_refused(total: int) -> None:
    with pytest.raises(ValueError, match="total"):
        Dice("x").draw("0", total)
