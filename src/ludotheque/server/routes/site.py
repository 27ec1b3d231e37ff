"""Routes for the site and its games: what there is to play, its rules and its boards."""

import asyncio
import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.responses import Response

from ludotheque import manual
from ludotheque.answers.games import game_card, rules_page, shown_examples, site_card, words_for_page
from ludotheque.answers.language import DEFAULT, match_language
from ludotheque.answers.problems import not_found
from ludotheque.core import BadRequest, Game, find_game, game_names, languages
from ludotheque.server.address import qr, urls
from ludotheque.server.page import board_file, kernels_file
from ludotheque.server.routes.dependencies import GameName, QuickRoute, TheRegistry, json_response, write_model
from ludotheque.server.schemas.base import Words
from ludotheque.server.schemas.document import schema
from ludotheque.server.schemas.site import Address, Addresses, Examples, GameCard, Games, Site, TopicCard, Topics

router = APIRouter(route_class=QuickRoute)


@router.get("/site", response_model=Site)
async def site(registry: TheRegistry) -> Response:
    """What this server offers."""
    notice = registry.operation.notice_now()
    return json_response(
        await asyncio.to_thread(
            _site,
            tuple(sorted(registry.settings.programs)),
            registry.settings.table_days,
            None if notice is None else json.dumps(notice),
            registry.operation.read_only,
        )
    )


@lru_cache(maxsize=4)
def _site(programs: tuple[str, ...], table_days: int, notice: str | None, read_only: bool) -> bytes:
    told = site_card(programs, table_days, None if notice is None else json.loads(notice), read_only=read_only)
    return write_model(Site.model_validate(told))


@router.get("/address")
async def address(registry: TheRegistry) -> Addresses:
    """Where this server is in the local network."""
    settings = registry.settings
    found = urls(settings.host, settings.port, settings.address)
    codes = [await asyncio.to_thread(qr, url) for url in found]
    return Addresses(addresses=[Address(url=url, qr=code) for url, code in zip(found, codes, strict=True)])


@router.get("/schemas", response_model=dict[str, Any])
async def all_schemas() -> Response:
    """One JSON Schema document with every model, those of the socket included."""
    return json_response(await asyncio.to_thread(_schemas))


@cache
def _schemas() -> bytes:
    return json.dumps(schema(), ensure_ascii=False).encode()


@router.get("/games", response_model=Games)
async def games() -> Response:
    """All games."""
    return json_response(await asyncio.to_thread(_all_games))


@cache
def _all_games() -> bytes:
    return write_model(Games(games=[GameCard.model_validate(game_card(find_game(name))) for name in game_names()]))


@router.get("/games/{game}", response_model=GameCard)
async def one_game(game: GameName) -> Response:
    """One game."""
    return json_response(await asyncio.to_thread(_one_game, find_game(game)))


@cache
def _one_game(game: Game) -> bytes:
    return write_model(GameCard.model_validate(game_card(game)))


@router.get("/games/{game}/rules", response_class=Response, responses={200: {"content": {"text/markdown": {}}}})
async def rules(game: GameName, language: Annotated[str, Query(max_length=35)] = "en") -> Response:
    """The rules as players read them."""
    return Response(rules_page(find_game(game), language), media_type="text/markdown")


@router.get("/help")
async def help_topics() -> Topics:
    """What the manual has, for players and for hosts."""
    return Topics(
        topics=[
            TopicCard(
                name=one.name,
                hosts=one.hosts,
                words=Words({language: manual.title(one.name, language) for language in languages()}),
            )
            for one in manual.TOPICS
        ]
    )


@router.get("/help/{topic}", response_class=Response, responses={200: {"content": {"text/markdown": {}}}})
async def help_page(
    topic: Annotated[str, InPath(max_length=100)], language: Annotated[str, Query(max_length=35)] = "en"
) -> Response:
    """One page of the manual."""
    try:
        page = manual.page(topic, match_language(language) or DEFAULT, lambda name: f"/help/{name}")
    except BadRequest as error:
        raise not_found("help") from error
    return Response(page, media_type="text/markdown")


@router.get("/games/{game}/examples")
async def examples(game: GameName) -> Examples:
    """The positions that the rules page shows."""
    return Examples.model_validate(shown_examples(find_game(game)))


@router.get("/games/{game}/words")
async def page_words(game: GameName, language: Annotated[str, Query(max_length=35)] = "en") -> dict[str, str]:
    """What the page says of a game: the keys `page.…` of its catalogue, without that prefix."""
    return words_for_page(find_game(game), language)


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


@router.get(
    "/games/{game}/kernels.wasm",
    response_class=Response,
    responses={200: {"content": {"application/wasm": {}}}, 204: {"description": "There are none."}},
)
async def kernels(game: GameName) -> Response:
    """A game's compiled kernels, for a page that simulates by itself; no content where they have not been built."""
    return kernels_file(find_game(game))
