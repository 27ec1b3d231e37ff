"""JSON from outside: parsed strictly, then read field by field with errors that name the place.

What the fields mean is up to views, options and records.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn, TypeAlias

from ludotheque.core.catalogue import Fact, Text, text
from ludotheque.core.problems import BadJson, Problem, shortened

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]

DEEPEST = 64  # levels of nesting; our own documents have fewer than ten
INFINITIES = (float("inf"), float("-inf"))


def _no_constant(word: str) -> NoReturn:
    raise BadJson("json.constant", word=word)


def _finite(digits: str) -> float:
    number = float(digits)
    if number in INFINITIES:
        raise BadJson("json.too-large", number=shortened(digits, 20))
    return number


def parse(text: str | bytes) -> Json:
    """Read one JSON document. NaN, infinities, broken UTF-8, NUL, lone surrogates and absurd nesting are refused."""
    try:
        # Decoded here, since json.loads would guess UTF-16 and UTF-32 as well.
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        value: Json = json.loads(decoded, parse_constant=_no_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise BadJson("json.not-utf8") from error
    except json.JSONDecodeError as error:
        raise BadJson("json.syntax", error=error.msg, line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise BadJson("json.too-deep") from error
    except BadJson:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise BadJson("json.too-long") from error
    _check_content(value)
    return value


def _check_content(value: Json) -> None:
    """Refuse absurd nesting and texts that cannot be stored everywhere."""
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        inside: list[Json] = []
        for item in level:
            if isinstance(item, str):
                _check_text(item)
            elif isinstance(item, dict):
                inside.extend(item)
                inside.extend(item.values())
            elif isinstance(item, list):
                inside.extend(item)
        if not inside:
            return
        level = inside
    raise BadJson("json.too-deep")


def _check_text(text: str) -> None:
    if "\0" in text:
        raise BadJson("json.nul")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise BadJson("json.surrogate") from error


def readable_name(given: str) -> str:
    """A name as it is shown: without control, direction and other invisible characters, and without blanks around it."""
    blanks = "".join(" " if letter.isspace() else letter for letter in given)
    return " ".join("".join(letter for letter in blanks if letter.isprintable()).split())


def write(value: Json) -> str:
    """One line of compact JSON, the same for the same value."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Reader:
    """A JSON value with its place in the document, read with strict types: 2.0 and true are no integers."""

    def __init__(self, value: Json, problem: type[Problem], place: str = "") -> None:
        self.value = value
        self.problem = problem
        self.place = place

    def fail(self, said: Text | str, /, **facts: Fact) -> NoReturn:
        """Refuse the document because of what stands here: a text, or a key of the program's catalogue with its facts."""
        what = text(said, **facts) if isinstance(said, str) else said
        raise self.problem(text("json.at", place=self.place, what=what) if self.place else what)

    def _expected(self, what: Text) -> NoReturn:
        self.fail("json.expected", what=what, found=shortened(write(self.value), 40))

    def object(self) -> JsonObject:
        """A JSON object."""
        if not isinstance(self.value, Mapping):
            self._expected(text("json.object"))
        return self.value

    def has(self, name: str) -> bool:
        """Whether the object has that key."""
        return name in self.object()

    def key(self, name: str) -> "Reader":
        """The value of a key that must be there."""
        value = self.object()
        if name not in value:
            self.fail("json.missing", name=name)
        return Reader(value[name], self.problem, f"{self.place}.{name}" if self.place else name)

    def integer(self, low: int, high: int) -> int:
        """A whole number from low to high."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            self._expected(text("json.integer", low=low, high=high))
        return self.value

    def number(self, low: float, high: float) -> float:
        """A number from low to high, whole or not."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or not low <= self.value <= high:
            self._expected(text("json.number", low=low, high=high))
        return float(self.value)

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self._expected(text("json.boolean"))
        return self.value

    def text(self, longest: int = 1000) -> str:
        """A string."""
        if not isinstance(self.value, str) or len(self.value) > longest:
            self._expected(text("json.text", longest=longest))
        return self.value

    def one_of(self, choices: Iterable[str]) -> str:
        """One of some words."""
        allowed = list(choices)
        if not isinstance(self.value, str) or self.value not in allowed:
            choices_told = ", ".join(f'"{choice}"' for choice in allowed)
            self._expected(text("json.one-of", choices=choices_told))
        return self.value

    def items(self, length: int | None = None, most: int = 100_000) -> "list[Reader]":
        """The items of a list, of a given length if one is given."""
        if not isinstance(self.value, list) or (length is not None and len(self.value) != length):
            self._expected(text("json.list") if length is None else text("json.list-of", length=length))
        if len(self.value) > most:
            self.fail("json.list-too-long", most=most, length=len(self.value))
        return [Reader(item, self.problem, f"{self.place}[{place}]") for place, item in enumerate(self.value)]

    def is_null(self) -> bool:
        """Whether it is null."""
        return self.value is None
