"""Titles, descriptions and rules pages of the installed games, read without loading them.

Loading a game imports the compiler, which takes half a second; listing the games should not wait for that.
"""

from collections.abc import Iterator
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from ludotheque.core import BadJson, Reader, find_game, game_names, parse
from ludotheque.core.catalogue import FALLBACK
from ludotheque.core.examples import with_captions
from ludotheque.core.registry import GROUP


def check_game(name: str) -> str:
    """Return the name if it is a game's; UnknownGame suggests the nearest."""
    if name not in game_names():
        find_game(name)  # raises
    return name


def complete_game(incomplete: str) -> list[str]:
    """Names of games for the shell's completion."""
    return [name for name in game_names() if name.startswith(incomplete)]


def _versions(game: str, before: str, after: str, language: str) -> Iterator[Path]:
    """A file of the game in its languages: the reader's first, then English, then any other."""
    (point, *_) = entry_points(group=GROUP, name=game)
    spec = find_spec(point.module)  # imports the packages around it, not the game
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for one in dict.fromkeys((language, FALLBACK)):
            if (file := Path(folder) / f"{before}{one}{after}").is_file():
                yield file
        yield from (file for file in sorted(Path(folder).glob(f"{before}*{after}")))


def _word(game: str, key: str, language: str) -> str | None:
    """A sentence of a game's catalogue, in English, or in any other language, where it lacks the reader's."""
    for file in _versions(game, "locales/", ".json", language):
        catalogue = Reader(parse(file.read_bytes()), BadJson, str(file))
        if catalogue.has(key):
            return catalogue.key(key).text()
    return None


def title(game: str, language: str) -> str:
    """The title on the box."""
    return _word(game, "game.title", language) or game.replace("-", " ").title()


def about(game: str, language: str) -> str:
    """The game in one line; empty if its catalogue has none."""
    return _word(game, "game.about", language) or ""


def rules_page(game: str, language: str) -> str:
    """The rules as players read them, in Markdown; of its examples only the captions."""
    file = next(_versions(game, "rules.", ".md", language), None)
    return with_captions(file.read_text("utf-8") if file else find_game(game).rules_page(language))
