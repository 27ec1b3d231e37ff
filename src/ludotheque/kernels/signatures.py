"""Kernel entries as their callers see them: plain signatures, and the interface through which any target calls them.

Players call `game.kernels`. What the entries do is in each game's entries.py; this module needs no numpy.
"""

from array import array
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

Number: TypeAlias = Literal["int", "float"]
"""A whole number of 64 bits, or a number in double precision."""
Item: TypeAlias = Literal["uint8", "int8", "int16", "int32", "int64", "float32", "float64"]
"""The items of an array of one dimension, as numpy names them."""

ITEM_SIZES: Final[dict[str, int]] = {
    "uint8": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "float32": 4,
    "float64": 8,
}


class Room(Protocol):
    """Memory on the side of the kernels, which lives as long as this object: weights, scratch, search trees."""

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""


Array: TypeAlias = "bytes | bytearray | memoryview | array[Any] | Room"
"""An array argument: only `bytes` stay as they are, anything else may be changed by the call."""
Argument: TypeAlias = "int | float | Array"
Answer: TypeAlias = "int | float | tuple[int | float, ...] | None"


class Signature(NamedTuple):
    """What an entry takes and answers."""

    name: str
    parameters: tuple[Number | Item, ...]
    """Numbers as they are; everything else is an array of such items."""
    results: tuple[Number, ...] = ()
    """Nothing, one number, or several at once."""

    def answer(self, numbers: Sequence[int | float]) -> Answer:
        """The results as a caller gets them."""
        return None if not numbers else numbers[0] if len(numbers) == 1 else tuple(numbers)

    def check(self, arguments: Sequence[Argument]) -> None:
        """TypeError where the number of arguments is another."""
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.name} takes {len(self.parameters)} arguments, not {len(arguments)}")


class Kernels(Protocol):
    """A game's kernel entries on one target."""

    def call(self, name: str, *arguments: Argument) -> Any:
        """Call an entry. Arrays are copied in and out where the target has memory of its own; rooms stay there.

        Answers as the entry's signature says: an int, a float, a tuple of them or None.
        """

    def keep(self, content: "bytes | bytearray | memoryview | array[Any]") -> Room:
        """A room with this content, such as the weights of a network."""

    def room(self, nbytes: int) -> Room:
        """A room of zeros."""


class Unavailable(LookupError):
    """An entry that the target does not have."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no kernel entry {name}; there are {', '.join(sorted(known)) or 'none'}")
