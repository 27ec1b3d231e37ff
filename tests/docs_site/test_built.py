"""The built documentation site in Chromium: nothing is fetched from elsewhere, search finds both languages, and phones can read it."""

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, expect, sync_playwright

from page.site import PATIENCE, chromium, launch

SITE = Path(__file__).parents[2] / "out" / "docs"
PAGES = ("index.html", "docs/players/playing.fr.html", "docs/tutorial.html", "commands.en.html", "docs/network.html")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its base has it
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    assert (SITE / "index.html").is_file(), "make docs builds it"
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        pytest.skip("no Chromium here, and none could be fetched: name one in LUDOTHEQUE_CHROMIUM")
    with sync_playwright() as playwright:
        one = launch(playwright, executable)
        yield one
        one.close()


@pytest.mark.parametrize("size", [(1280, 850), (360, 740)], ids=["desktop", "phone"])
def test_every_kind_of_page_fits_and_asks_nobody_else(browser: Browser, address: str, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    context.set_default_timeout(PATIENCE)
    elsewhere: list[str] = []

    def watch(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            elsewhere.append(request.url)

    context.on("request", watch)
    page = context.new_page()
    for name in PAGES:
        page.goto(address + name)
        expect(page.locator("article h1")).to_be_visible()
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    context.close()
    assert elsewhere == []


@pytest.mark.parametrize(("asked", "found"), [("commitment", "dice"), ("aimants", "Yikerz")])
def test_search_finds_what_is_asked_in_either_language(browser: Browser, address: str, asked: str, found: str) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address + "index.html")
    page.locator("input[name=query]").fill(asked)
    expect(page.locator(".md-search-result__item").first).to_be_visible(timeout=PATIENCE)
    assert found.lower() in page.locator(".md-search-result__list").inner_text().lower()
    page.close()


def test_no_page_shows_its_markdown_and_french_pages_speak_french_all_around(address: str) -> None:
    assert address
    for file in SITE.rglob("*.html"):
        source = file.read_text("utf-8")
        shown = re.sub(r"<[^>]+>", "", re.sub(r"<(pre|code|script|style)\b.*?</\1>", "", source, flags=re.DOTALL))
        assert not re.search(r"```|\*\*|\]\(", shown), file
        language = "fr" if file.name.endswith(".fr.html") else "en"
        assert f'<html lang="{language}"' in source, file
