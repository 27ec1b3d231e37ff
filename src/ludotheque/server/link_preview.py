"""What other sites show of a link to this one: title, sentence and picture of an address, as Open Graph tags for the page's head.

The page itself is in `page`; the picture of a result that players share is drawn by the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from fastapi import Request

from ludotheque.answers.language import choose_language
from ludotheque.core import Game, JsonObject, Problem, find_game, game_names, text
from ludotheque.server import store
from ludotheque.server.page import FOLDER
from ludotheque.server.registry import TableRegistry

OF_GAMES: Final = frozenset({"new", "rules", "learn", "puzzle", "p"})
"""First parts of addresses that go on with a game's name; web/src/pages/index.ts has the same list."""
CARDS: Final = "cards"
"""The folder of the built page that has a picture of each of our games, 1200 by 630."""
CARD_SIZE: Final = (1200, 630)
LONGEST_NAMES: Final = 200


@dataclass(frozen=True)
class LinkPreview:
    """What is shown of a link."""

    title: str
    description: str
    game: str


async def tags_for(request: Request, path: str) -> str | None:
    """The tags of an address; None for one that has nothing of its own to show, or that cannot be looked up now."""
    registry: TableRegistry = request.app.state.registry
    language = choose_language(request.headers.get("accept-language", ""))
    try:
        preview = await _preview(registry, path, language)
    except Problem:
        return None  # the page itself is always served, and says what is wrong
    if preview is None:
        return None
    base = (registry.settings.address or str(request.base_url)).rstrip("/")
    return _written(preview, base, path)


async def _preview(registry: TableRegistry, path: str, language: str) -> LinkPreview | None:
    kind, _, rest = path.partition("/")
    name = rest.strip("/")
    if not name or "/" in name:
        return None
    if kind in OF_GAMES and name in game_names():
        game = find_game(name)
        return LinkPreview(game.title, _blurb(game, language), name)
    if kind == "r":
        return _of_record(await registry.read(lambda connection: store.record_card(connection, name)), language)
    if kind == "t":
        card = await registry.read(lambda connection: store.table_card(connection, name))
        game_name = str(card["game"])
        return LinkPreview(_title(game_name), text("server.preview.table").sentence(language), game_name)
    return None


def _of_record(card: JsonObject, language: str) -> LinkPreview:
    """Who won, in the words of the page's list of past games."""
    game = str(card["game"])
    players, returns = card["players"], card["returns"]
    assert isinstance(players, list)
    assert isinstance(returns, list)
    names = [str(player["name"]) for player in players if isinstance(player, dict)]
    best = max((float(got) for got in returns if isinstance(got, int | float)), default=0.0)
    winners = [name for name, got in zip(names, returns, strict=False) if got == best]
    others = [name for name, got in zip(names, returns, strict=False) if got != best]
    if others:
        result = text("page.history.beat", count=len(winners), winners=_listed(winners), others=_listed(others))
    elif len(names) == 1:
        result = text("page.history.alone", player=_listed(names))
    else:
        result = text("page.history.drew", players=_listed(names))
    title = _title(game)
    return LinkPreview(result.sentence(language), text("server.preview.record", game=title).sentence(language), game)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)[:LONGEST_NAMES]


def _title(game: str) -> str:
    return find_game(game).title if game in game_names() else game


def _blurb(game: Game, language: str) -> str:
    return game.catalogue.templates(language).get("blurb", game.title)


def _written(preview: LinkPreview, base: str, path: str) -> str:
    """The tags themselves. A game without a picture of its own has the site's icon."""
    picture = f"{CARDS}/{preview.game}.jpg"
    tags = {
        "og:site_name": "Ludothèque",
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": f"{base}/{path}",
    }
    if "/" not in preview.game and (FOLDER / picture).is_file():
        wide, high = CARD_SIZE
        tags |= {"og:image": f"{base}/{picture}", "og:image:width": str(wide), "og:image:height": str(high)}
        tags["twitter:card"] = "summary_large_image"
    else:
        tags |= {"og:image": f"{base}/icon-512.png", "twitter:card": "summary"}
    return "".join(
        f'    <meta {"name" if name.startswith("twitter") else "property"}="{name}" content="{escape(value)}">\n'
        for name, value in tags.items()
    )
