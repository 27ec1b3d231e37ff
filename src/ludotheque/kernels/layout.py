"""Layout of a game's state in memory: named integer fields, aligned as C aligns them, read and written without numpy.

A game's facts.py declares one; rules.py makes its record type from it (`record_type`), text modules read states by it.
"""

import math
import operator
import struct
from collections import namedtuple
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["bool", "int8", "int16", "int32", "int64"]
"""The type of a field's numbers, as numpy names it."""

FORMATS: Final = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q"}  # as `struct` has them

Fields: TypeAlias = Any
"""A state's fields as plain numbers, by name; an array of any shape is one flat tuple. It is a named tuple of the layout's own."""


class Field(NamedTuple):
    """One field of a state.

    A derived field follows from the others: the game's `prepare` fills it in when a position is set up, only rules read it.
    """

    name: str
    kind: Kind
    shape: tuple[int, ...] = ()
    derived: bool = False

    @property
    def numbers(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)


class Layout:
    """The fields of a state, in the order in which they lie in memory."""

    def __init__(self, *fields: Field) -> None:
        self.declared: Final = fields
        text, size, alignment = "=", 0, 1
        for field in fields:
            number = struct.calcsize(FORMATS[field.kind])
            text += f"{-size % number}x"
            size += -size % number
            text += f"{field.numbers * number}x" if field.derived else f"{field.numbers}{FORMATS[field.kind]}"
            size += field.numbers * number
            alignment = max(alignment, number)
        text += f"{-size % alignment}x"
        self._struct: Final = struct.Struct(text)
        self.size: Final = self._struct.size
        """How many bytes a state has."""
        self.given: Final = tuple(field for field in fields if not field.derived)
        """The fields that are not derived."""
        self.has_derived: Final = len(self.given) < len(fields)
        places: list[int | slice] = []
        first = 0
        for field in self.given:
            places.append(slice(first, first + field.numbers) if field.shape else first)
            first += field.numbers
        pick = operator.itemgetter(*places)
        self._pick: Final[Callable[[Sequence[int]], Any]] = (
            pick if len(places) > 1 else lambda numbers: (pick(numbers),)
        )
        names = [field.name for field in self.given]
        self._name: Final[Callable[[Any], Any]] = getattr(namedtuple("Fields", names), "_make")  # noqa: B009 - its fields are a game's

    def fields(self, state: bytes) -> Fields:
        """Everything that is not derived, as plain numbers, read at once."""
        return self._name(self._pick(self._struct.unpack(state)))

    def new_state(self) -> "MutableState":
        """A state with every field 0, to be filled in."""
        return MutableState(self)

    def pack(self, state: "MutableState") -> bytes:
        """The bytes of a state; its derived fields are 0."""
        numbers: list[int] = []
        for field in self.given:
            value = getattr(state, field.name)
            for _ in field.shape[1:]:
                value = chain.from_iterable(value)
            if field.shape:
                numbers.extend(value)
            else:
                numbers.append(value)
        return self._struct.pack(*numbers)


class MutableState:
    """A state that is being built: each field is a number, or nested lists of the field's shape."""

    def __init__(self, layout: Layout) -> None:
        vars(self).update({field.name: _zeros(field.shape, field.kind == "bool") for field in layout.given})
        self._layout = layout

    def __getattr__(self, name: str) -> Any:
        """Only asked for what is not there; declared so that fields have a type."""
        raise AttributeError(f"the state has no field {name}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_layout" and name not in vars(self):
            raise AttributeError(f"the state has no field {name}")
        super().__setattr__(name, value)

    def tobytes(self) -> bytes:
        """The state as rules read it; struct.error if a number does not fit its field or an array its shape."""
        return self._layout.pack(self)


def _zeros(shape: Sequence[int], boolean: bool) -> Any:
    if not shape:
        return False if boolean else 0
    return [_zeros(shape[1:], boolean) for _ in range(shape[0])]
