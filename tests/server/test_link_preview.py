"""What other sites show of a link: a title, a sentence and a picture, in the reader's language."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path

import pytest

from ludotheque.core import CHANCE, Dice, JsonObject, Match, Seated, find_game, write_json, write_record
from ludotheque.server import link_preview, page
from ludotheque.server.settings import ServerSettings
from server.in_process import Answer, InProcess, serving

INDEX = "<!doctype html>\n<html>\n  <head>\n    <title>Ludothèque</title>\n  </head>\n  <body></body>\n</html>\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServerSettings:
    """A server with a page that is as small as it can be."""
    folder = tmp_path / "page"
    (folder / "cards").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX, "utf-8")
    (folder / "cards" / "twisty.jpg").write_bytes(b"a picture")
    for module in (page, link_preview):
        monkeypatch.setattr(module, "FOLDER", folder)
    return ServerSettings(
        database=f"sqlite:///{tmp_path / 'tables.db'}",
        workers=1,
        warm_up=False,
        rate_limits=False,
        address="https://play.example.org/",
    )


def _run(settings: ServerSettings, talk: Callable[[InProcess], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with serving(settings) as site:
            await talk(site)

    asyncio.run(whole())


def _tags(answer: Answer) -> dict[str, str]:
    assert answer.status == 200
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', answer.body.decode())
    return {name: unescape(content) for name, content in found}


def _record(name: str) -> JsonObject:
    """A short game of Twisty between somebody and Bruno."""
    match = Match(find_game("twisty"), 2, {"max_rounds": 1}, dice=Dice("a link"))
    while not match.over:
        match.draw() if match.to_move == CHANCE else match.play(match.position.legal().actions[0])
    return write_record(match, [Seated(name), Seated("Bruno")])


def test_a_link_to_a_game_says_what_it_is_about_in_the_readers_language(settings: ServerSettings) -> None:
    async def talk(site: InProcess) -> None:
        told = _tags(await site.ask("GET", "/rules/twisty"))
        assert told["og:title"] == "Twisty"
        assert told["og:description"].startswith("Knight’s jumps")
        assert told["og:url"] == "https://play.example.org/rules/twisty"
        assert told["og:image"] == "https://play.example.org/cards/twisty.jpg"
        french = _tags(await site.ask("GET", "/rules/twisty", headers={"accept-language": "fr-FR"}))
        assert french["og:description"] != told["og:description"]
        other = _tags(await site.ask("GET", "/learn/wykersham"))
        assert other["og:image"] == "https://play.example.org/icon-512.png", "it has no picture here"

    _run(settings, talk)


def test_a_link_to_a_finished_game_says_who_won_and_nothing_in_a_name_becomes_markup(settings: ServerSettings) -> None:
    async def talk(site: InProcess) -> None:
        secret = (await site.ask("POST", "/api/people", {"name": "Host"})).json()["secret"]
        name = 'Anna "><script>'
        record = write_json(_record(name)).encode()
        headers = {"authorization": f"Bearer {secret}"}
        card = (await site.ask("POST", "/api/records", record, headers)).json()
        answer = await site.ask("GET", f"/r/{card['id']}")
        assert b"<script>" not in answer.body
        told = _tags(answer)
        assert "Anna" in told["og:title"]
        assert "Bruno" in told["og:title"]
        assert told["og:description"] == "Twisty: look at the game again"

    _run(settings, talk)


def test_an_invitation_tells_the_game_and_nobodys_name(settings: ServerSettings) -> None:
    async def talk(site: InProcess) -> None:
        secret = (await site.ask("POST", "/api/people", {"name": "Secretive"})).json()["secret"]
        wanted = {"game": "twisty", "seats": [{"kind": "me"}, {"kind": "open"}], "private": True}
        table = (await site.ask("POST", "/api/tables", wanted, {"authorization": f"Bearer {secret}"})).json()["table"]
        answer = await site.ask("GET", f"/t/{table['id']}")
        assert _tags(answer)["og:title"] == "Twisty"
        assert "Secretive" not in answer.body.decode()

    _run(settings, talk)


@pytest.mark.parametrize("path", ["/", "/settings", "/t/nothing", "/r/nothing", "/rules/nothing", "/rules/twisty/more"])
def test_other_addresses_are_the_plain_page(settings: ServerSettings, path: str) -> None:
    async def talk(site: InProcess) -> None:
        answer = await site.ask("GET", path)
        assert answer.status == 200
        assert answer.body.decode() == INDEX

    _run(settings, talk)
