"""Kernel entries: declared by annotations, called with plain buffers, from the game object."""

from array import array
from typing import Any, TypeVar

import numpy as np
import pytest
from typing_extensions import TypeAliasType

from ludotheque.core import Dice, Match, find_game
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.entries import Bytes, Float64s, Int32s, LocalKernels, entry, signature_of
from ludotheque.kernels.playout import random_playouts
from ludotheque.kernels.random import seeded
from ludotheque.kernels.signatures import Answer, Argument, Room, Signature, Unavailable
from table import discrete

Number = TypeVar("Number", bound=np.generic)


@entry
def add_up(numbers: Int32s, factor: float, sums: Float64s) -> tuple[int, float]:
    total = 0.0
    for which in range(len(numbers)):
        total += factor * numbers[which]
        sums[which] = total
    return len(numbers), total


def wykersham() -> DiscreteGame:
    game = find_game("wykersham")
    assert isinstance(game, DiscreteGame)
    return game


@pytest.fixture(scope="module")
def kernels() -> LocalKernels:
    local = LocalKernels(wykersham().rules)
    local.entries = {**local.entries, "add_up": (signature_of(getattr(add_up, "py_func", add_up)), add_up)}  # type: ignore[dict-item] # an Entry is such a pair
    return local


def test_annotations_are_the_signature() -> None:
    def plain(state: Bytes, which: int, share: float) -> None:
        """Neither."""

    assert signature_of(plain) == Signature("plain", ("uint8", "int", "float"))
    expected = Signature("add_up", ("int32", "float", "float64"), ("int", "float"))
    assert signature_of(getattr(add_up, "py_func", add_up)) == expected


def test_what_no_target_could_take_is_refused() -> None:
    def listed(numbers: list[int]) -> int:
        return len(numbers)

    def text(number: int) -> str:
        return str(number)

    with pytest.raises(TypeError, match="numbers"):
        signature_of(listed)
    with pytest.raises(TypeError, match="answers"):
        signature_of(text)


@pytest.mark.rules
def test_a_caller_sees_what_an_entry_wrote(kernels: LocalKernels) -> None:
    sums = array("d", [0.0] * 3)
    assert kernels.call("add_up", array("i", [1, 2, 3]), 2, sums) == (3, 12.0)
    assert sums.tolist() == [2.0, 6.0, 12.0]


@pytest.mark.rules
def test_bytes_and_rooms_are_arrays_too(kernels: LocalKernels) -> None:
    numbers = np.array([5, 7], np.int32).tobytes()
    room = kernels.room(16)
    assert room.nbytes == 16
    assert kernels.call("add_up", numbers, 1.0, room) == (2, 12.0)
    assert kernels.call("add_up", kernels.keep(numbers), 1.0, room) == (2, 12.0)
    assert numbers == np.array([5, 7], np.int32).tobytes()


@pytest.mark.rules
def test_every_game_has_playouts() -> None:
    game = wykersham()
    position = discrete(Match(game, dice=Dice("playouts")).position)
    random, totals = array("q", seeded(3).tolist()), array("d", [0.0, 0.0])
    expected, points = random_playouts(game.rules, position.state, 5, 3)
    assert game.kernels.call("playouts", position.state_bytes, random, totals, 5) == expected
    assert totals.tolist() == points.tolist()


def test_a_wrong_call_is_told(kernels: LocalKernels) -> None:
    with pytest.raises(Unavailable, match="add_up"):
        kernels.call("subtract")
    with pytest.raises(TypeError, match="takes 3 arguments, not 1"):
        kernels.call("add_up", 1)


class Elsewhere:
    """Kernels that are not on this machine."""

    def call(self, name: str, *arguments: Argument) -> Answer:
        return len(arguments)

    def keep(self, content: object) -> Room:
        raise NotImplementedError

    def room(self, nbytes: int) -> Room:
        raise NotImplementedError


def test_a_game_calls_the_kernels_that_it_is_given() -> None:
    game = type(wykersham())()
    game.use_kernels(Elsewhere())
    assert game.kernels.call("anything", 1, 2) == 2
    game.use_kernels(None)
    assert isinstance(game.kernels, LocalKernels)


def test_arrays_are_known_where_numpy_names_them_by_an_alias() -> None:
    """From numpy 2.5 on, with Python 3.12 and newer, `NDArray` is such an alias."""
    make_alias: Any = TypeAliasType  # as Python, not as mypy, sees them
    array_type: Any = np.ndarray
    item_type: Any = np.dtype
    arrays = make_alias("arrays", array_type[Any, item_type[Number]], type_params=(Number,))

    def sample(numbers: Any, count: int) -> float:
        return 0.0

    sample.__annotations__["numbers"] = arrays[np.int16]
    assert signature_of(sample) == Signature("sample", ("int16", "int"), ("float",))
