"""Titles, descriptions and rules pages of the installed games, read without loading them.

Loading a game imports the compiler, which takes half a second; listing the games should not wait for that.
"""

from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from ludotheque.core import BadJson, Reader, find_game, game_names, parse
from ludotheque.core.registry import GROUP


def check_game(name: str) -> str:
    """A name that is a game's; UnknownGame with the nearest otherwise."""
    if name not in game_names():
        find_game(name)  # raises
    return name


def complete_game(incomplete: str) -> list[str]:
    """Names of games for the shell's completion."""
    return [name for name in game_names() if name.startswith(incomplete)]


def _file(game: str, name: str) -> Path | None:
    """A file in the game's folder, if it is there."""
    (point, *_) = entry_points(group=GROUP, name=game)
    spec = find_spec(point.module)  # imports the packages around it, not the game
    for folder in (spec.submodule_search_locations or []) if spec else []:
        file = Path(folder) / name
        if file.is_file():
            return file
    return None


def _word(game: str, name: str, language: str) -> str | None:
    file = _file(game, f"locales/{language}.json")
    if file is None:
        return None
    words = Reader(parse(file.read_bytes()), BadJson, str(file))
    return words.key(name).text() if words.has(name) else None


def title(game: str, language: str) -> str:
    """What is printed on the box."""
    return _word(game, "game.title", language) or game.replace("-", " ").title()


def about(game: str, language: str) -> str:
    """The game in one line, if it says one."""
    return _word(game, "game.about", language) or ""


def rules_page(game: str, language: str) -> str:
    """The rules as players read them, in Markdown."""
    file = _file(game, f"rules.{language}.md")
    return file.read_text("utf-8") if file else find_game(game).rules_page(language)
