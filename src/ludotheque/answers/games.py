"""The games and the site as a page is told of them: cards, rules, examples, words. Schemas and addresses are the hosts'."""

import logging
from collections.abc import Sequence
from typing import Final

from ludotheque import __version__
from ludotheque.analysis import read_puzzles, reviewable
from ludotheque.answers.language import DEFAULT, match_language
from ludotheque.answers.problems import not_found
from ludotheque.bots import LEVELS
from ludotheque.core import Game, Json, JsonObject, Problem, languages, text
from ludotheque.table.messages import VERSION
from ludotheque.table.speech import PHRASES

LOG: Final = logging.getLogger("ludotheque.answers")
PAGE_KEYS: Final = "page."
"""Catalogue keys of what only the page says; a card leaves them out, since the page loads them when it needs them."""
OPTION_FACTS: Final[JsonObject] = {"low": None, "high": None, "optional": False, "choices": None, "total": None}
"""What an option's card says where the option has no such limit."""


def site_card(programs: Sequence[str], table_days: int, notice: JsonObject | None, *, read_only: bool) -> JsonObject:
    """What a host offers."""
    return {
        "name": "ludotheque",
        "version": __version__,
        "protocol": VERSION,
        "languages": list(languages()),
        "levels": list(LEVELS),
        "programs": list(programs),
        "phrases": [{"phrase": phrase, "words": text(f"table.phrase.{phrase}").translations()} for phrase in PHRASES],
        "table_days": table_days,
        "notice": notice,
        "read_only": read_only,
    }


def game_card(game: Game) -> JsonObject:
    """A game that can be played here."""
    words = {
        language: {
            key: template
            for key, template in game.catalogue.templates(language).items()
            if not key.startswith(PAGE_KEYS)
        }
        for language in languages()
    }
    options: list[Json] = []
    for option in game.declared_options:
        said = {language: words[language].get(f"option.{option.name}", option.name) for language in languages()}
        about = {language: words[language].get(f"option.{option.name}.about") for language in languages()}
        told = about if all(about.values()) else None
        options.append({**OPTION_FACTS, **option.describe(), "words": said, "about": told})
    names = {
        language: [words[language].get(f"seat.{seat}", str(seat + 1)) for seat in range(max(game.seats))]
        for language in languages()
    }
    live = game.capabilities.live
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "seats": list(game.seats),
        "has_dice": game.has_dice,
        "options": options,
        "seat_names": names,
        "words": words,
        "calls": game.capabilities.calls is not None,
        "live": None if live is None else {"rate": live.rate},
        "board": _board_address(game, "board.js"),
        "manifest": _board_address(game, "manifest.js"),
        "rules": _has_rules(game),
        "puzzles": _count_puzzles(game),
        "reviews": reviewable(game),
    }


def _has_rules(game: Game) -> bool:
    try:
        return bool(game.rules_page(DEFAULT))
    except FileNotFoundError:
        return False


def _board_address(game: Game, file: str) -> str | None:
    """Where the page finds a file of a third party's board, if its package has that file."""
    folder = game.capabilities.board
    there = folder is not None and (folder / file).is_file()
    return f"/api/games/{game.name}/board/{file}" if there else None


def _count_puzzles(game: Game) -> int:
    """How many puzzles a game has; a third party's broken file costs nobody the list of games."""
    try:
        return len(read_puzzles(game))
    except Problem as problem:
        LOG.warning("puzzles cannot be read", extra={"game": game.name, "error": str(problem)})
        return 0


def rules_page(game: Game, language: str) -> str:
    """The rules as players read them; NotFound where a game has none."""
    try:
        return game.rules_page(match_language(language) or DEFAULT)
    except FileNotFoundError as error:
        raise not_found("rules-page") from error


def shown_examples(game: Game) -> JsonObject:
    """The positions that the rules page shows."""
    return {
        "examples": {
            name: {"players": one.players, "options": dict(one.options), "view": dict(one.view)}
            for name, one in game.examples.items()
        }
    }


def words_for_page(game: Game, language: str) -> dict[str, str]:
    """What the page says of a game: the keys `page.…` of its catalogue, without that prefix."""
    templates = game.catalogue.templates(match_language(language) or DEFAULT)
    return {key.removeprefix(PAGE_KEYS): template for key, template in templates.items() if key.startswith(PAGE_KEYS)}
