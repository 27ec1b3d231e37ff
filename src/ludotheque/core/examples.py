"""Positions shown as examples on a game's rules pages.

They are in `examples.json` in the game's folder, by name. A fenced block of the page shows one: its first line is
"```position NAME", and its text is the caption. The page draws it on the game's board. A terminal draws it in letters
where the game is loaded, as at a table, and otherwise shows the caption; a drawing in letters right before it ("```text")
is for readers without a board, and the page leaves it out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from ludotheque.core.jsons import Json, JsonObject, Reader, parse
from ludotheque.core.problems import BadJson

FILE: Final = "examples.json"
BLOCK: Final = re.compile(r"^```position ([\w-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_PLAYERS: Final = 100


@dataclass(frozen=True)
class Example:
    """A position of a rules page. `options` are those that differ from the defaults."""

    players: int
    options: Mapping[str, Json]
    view: JsonObject


def read_examples(package: str) -> dict[str, Example]:
    """The examples in a package, by name; none if it has no such file."""
    file = files(package) / FILE
    if not file.is_file():
        return {}
    reader = Reader(parse(file.read_bytes()), BadJson, FILE)
    found: dict[str, Example] = {}
    for name in reader.object():
        one = reader.key(name)
        found[name] = Example(
            one.key("players").integer(1, MOST_PLAYERS),
            one.key("options").object() if one.has("options") else {},
            one.key("view").object(),
        )
    return found


def names_on(page: str) -> list[str]:
    """The examples that a rules page shows, in its order."""
    return [block[1] for block in BLOCK.finditer(page)]


def in_letters(page: str, picture: Callable[[str], str]) -> str:
    """A rules page with every example drawn in letters, and its caption below."""
    return BLOCK.sub(lambda block: f"```text\n{picture(block[1]).rstrip()}\n```\n\n{block[2].strip()}", page)


def with_captions(page: str) -> str:
    """A rules page with only the captions of its examples."""
    return BLOCK.sub(lambda block: block[2].strip(), page)
