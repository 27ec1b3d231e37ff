"""Routes for the site and its games: what there is to play, its rules and its boards."""

import logging
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import Response

from ludotheque import __version__
from ludotheque.analysis import read_puzzles, reviewable
from ludotheque.bots import LEVELS
from ludotheque.core import Game, Problem, find_game, game_names, languages, text
from ludotheque.server.address import qr, urls
from ludotheque.server.language import DEFAULT, match_language
from ludotheque.server.page import board_file
from ludotheque.server.problems import not_found
from ludotheque.server.routes.dependencies import GameName, TheRegistry
from ludotheque.server.schemas.base import VERSION, Words
from ludotheque.server.schemas.document import schema
from ludotheque.server.schemas.site import (
    Address,
    Addresses,
    ExamplePosition,
    Examples,
    GameCard,
    Games,
    LiveCard,
    OptionCard,
    Phrase,
    Site,
)
from ludotheque.table.speech import PHRASES

PAGE_KEYS: Final = "page."
"""Catalogue keys of what only the page says; a card leaves them out, since the page loads them when it needs them."""
LOG: Final = logging.getLogger("ludotheque.server")

router = APIRouter()


@router.get("/site")
async def site(registry: TheRegistry) -> Site:
    """What this server offers."""
    return Site(
        name="ludotheque",
        version=__version__,
        protocol=VERSION,
        languages=list(languages()),
        levels=list(LEVELS),
        programs=sorted(registry.settings.programs),
        phrases=[
            Phrase(phrase=phrase, words=Words(text(f"table.phrase.{phrase}").translations())) for phrase in PHRASES
        ],
        table_days=registry.settings.table_days,
    )


@router.get("/address")
async def address(registry: TheRegistry) -> Addresses:
    """Where this server is in the local network."""
    settings = registry.settings
    found = urls(settings.host, settings.port, settings.address)
    return Addresses(addresses=[Address(url=url, qr=qr(url)) for url in found])


@router.get("/schemas")
async def all_schemas() -> dict[str, Any]:
    """One JSON Schema document with every model, those of the socket included."""
    return schema()


@router.get("/games")
async def games() -> Games:
    """All games."""
    return Games(games=[_game_card(find_game(name)) for name in game_names()])


@router.get("/games/{game}")
async def one_game(game: GameName) -> GameCard:
    """One game."""
    return _game_card(find_game(game))


@router.get("/games/{game}/rules", response_class=Response, responses={200: {"content": {"text/markdown": {}}}})
async def rules(game: GameName, language: Annotated[str, Query(max_length=35)] = "en") -> Response:
    """The rules as players read them."""
    found = find_game(game)
    try:
        return Response(found.rules_page(match_language(language) or DEFAULT), media_type="text/markdown")
    except FileNotFoundError as error:
        raise not_found("rules-page") from error


@router.get("/games/{game}/examples")
async def examples(game: GameName) -> Examples:
    """The positions that the rules page shows."""
    found = find_game(game).examples
    return Examples(
        examples={
            name: ExamplePosition(players=one.players, options=dict(one.options), view=dict(one.view))
            for name, one in found.items()
        }
    )


@router.get("/games/{game}/words")
async def page_words(game: GameName, language: Annotated[str, Query(max_length=35)] = "en") -> dict[str, str]:
    """What the page says of a game: the keys `page.…` of its catalogue, without that prefix."""
    templates = find_game(game).catalogue.templates(match_language(language) or DEFAULT)
    return {key.removeprefix(PAGE_KEYS): template for key, template in templates.items() if key.startswith(PAGE_KEYS)}


@router.get(
    "/games/{game}/board/{path:path}",
    response_class=Response,
    responses={200: {"content": {"text/javascript": {}}}},
)
async def board(game: GameName, path: Annotated[str, InPath(max_length=200)]) -> Response:
    """A file of a game's own board."""
    folder: Path | None = find_game(game).capabilities.board
    if folder is None:
        raise not_found("board")
    return board_file(folder, path)


def _game_card(game: Game) -> GameCard:
    words = {
        language: {
            key: template
            for key, template in game.catalogue.templates(language).items()
            if not key.startswith(PAGE_KEYS)
        }
        for language in languages()
    }
    options = []
    for option in game.declared_options:
        said = {language: words[language].get(f"option.{option.name}", option.name) for language in languages()}
        about = {language: words[language].get(f"option.{option.name}.about") for language in languages()}
        told = about if all(about.values()) else None
        options.append(OptionCard.model_validate({**option.describe(), "words": said, "about": told}))
    names = {
        language: [words[language].get(f"seat.{seat}", str(seat + 1)) for seat in range(max(game.seats))]
        for language in languages()
    }
    try:
        has_rules = bool(game.rules_page(DEFAULT))
    except FileNotFoundError:
        has_rules = False
    live = game.capabilities.live
    return GameCard(
        name=game.name,
        title=game.title,
        rules_version=game.rules_version,
        seats=list(game.seats),
        has_dice=game.has_dice,
        options=options,
        seat_names=names,
        words=words,
        calls=game.capabilities.calls is not None,
        live=None if live is None else LiveCard(rate=live.rate),
        board=_board_address(game, "board.js"),
        manifest=_board_address(game, "manifest.js"),
        rules=has_rules,
        puzzles=_count_puzzles(game),
        reviews=reviewable(game),
    )


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
