"""A server whose page can host tables itself: whoever plays alone there goes on when the server is away, and back again."""

import gzip
import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from page.site import People, Site, Wire, at_rest, play_to_the_end, until
from page.visitors import LONG, Visitors

PLAY = "Play now: Twisty against a bot"


@pytest.fixture
def wire(keeping_site: Site) -> Iterator[Wire]:
    one = Wire(keeping_site)
    yield one
    one.close()


@pytest.fixture
def people(browser: Browser, keeping_site: Site, wire: Wire, pytestconfig: pytest.Config) -> Iterator[People]:
    """People whose network can be cut."""
    some = People(browser, keeping_site, address=wire.url)
    yield some
    some.leave()
    from leftovers import WATCH  # noqa: PLC0415 - a plugin: pytest must be the first to import it

    if keeping_site.process is not None:  # it is the session's
        pytestconfig.stash[WATCH].accept(set(), {keeping_site.process.pid})
    assert some.mishaps == []


def kept(page: Page) -> None:
    """Wait until the page has everything that it needs without a network."""
    until(page, "navigator.serviceWorker.controller !== null", LONG / 1000)


PIECES = "[...document.querySelectorAll('[data-spot]')].map(one => one.getAttribute('aria-label')).join('\\n')"


def board(page: Page) -> str:
    """Where everything lies."""
    at_rest(page)
    page.locator("[data-spot]").first.wait_for()
    return str(page.evaluate(PIECES))


def lies_so(page: Page, before: str) -> None:
    """Wait until everything lies as it did, and it is one's turn."""
    until(page, f"{PIECES} === {json.dumps(before)}", LONG / 1000)
    at_rest(page)


def test_a_lost_connection_does_not_stop_a_game_of_ones_own(people: People, wire: Wire) -> None:
    page = people.come()
    page.get_by_role("button", name=PLAY).click()
    at_rest(page)
    assert "/t/local-" not in page.url
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    kept(page)
    before = board(page)
    wire.cut()
    page.set_default_timeout(LONG)
    page.get_by_role("button", name="Go on in this browser").click()
    page.wait_for_url("**/t/local-*")
    lies_so(page, before)
    play_to_the_end(page, seconds=600)
    page.get_by_role("link", name="Look at the game again").click()
    page.get_by_role("button", name="Check the dice here").click()
    expect(page.locator(".verdict")).to_contain_text("The seal was shown first")


def test_without_the_server_the_page_starts_and_plays_and_goes_on_online(people: People, wire: Wire) -> None:
    page = people.come("/settings")
    page.set_default_timeout(LONG)
    page.get_by_label("Games that I play alone").select_option("always")
    page.reload()
    kept(page)
    wire.cut()
    page.goto(wire.url)
    expect(page.get_by_text("This game needs a server.")).to_be_visible()
    page.get_by_role("button", name=PLAY).click()
    page.wait_for_url("**/t/local-*")
    at_rest(page)
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    before = board(page)
    page.reload()  # in the middle of a game
    lies_so(page, before)
    wire.mend()
    page.goto(wire.url)
    expect(page.get_by_role("button", name="Play now: Yikerz! against a bot")).to_be_visible()
    page.get_by_role("link", name="Go on Twisty").click()
    at_rest(page)
    page.get_by_role("button", name="Go on online").click()
    until(page, "!location.pathname.includes('local-')")
    lies_so(page, before)
    play_to_the_end(page, seconds=600)


def test_a_server_takes_over_what_a_browser_has_saved(people: People, visitors: Visitors, tmp_path: Path) -> None:
    alone = visitors.come()
    alone.get_by_role("button", name=PLAY).click()
    before = board(alone)
    alone.goto(visitors.site.page("/settings"))
    with alone.expect_download() as download:
        alone.get_by_role("button", name="Save everything as a file").click()
    file = tmp_path / "everything.json"
    download.value.save_as(file)
    page = people.come("/settings")
    page.get_by_label("Open a saved file").set_input_files(file)
    expect(page.get_by_text("Games to go on with: 1.")).to_be_visible()
    page.goto(people.address or "")
    page.get_by_role("link", name="Go on Twisty").click()
    lies_so(page, before)


def test_who_plays_only_on_the_server_loads_nothing_more(people: People) -> None:
    page = people.come("/settings")
    page.get_by_label("Games that I play alone").select_option("never")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("link", name="Games", exact=True).click()
    page.get_by_role("button", name=PLAY).click()
    at_rest(page)
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "host" in url]
    assert page.evaluate("() => navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_what_is_kept_compressed_comes_as_the_browser_takes_it(keeping_site: Site, accepted: str) -> None:
    folder = keeping_site.ask("GET", "/host.json")["folder"]
    address = f"{keeping_site.url}/{folder}pyodide.asm.wasm"
    request = urllib.request.Request(address, headers={"accept-encoding": accepted})
    with urllib.request.urlopen(request, timeout=60) as answer:
        content, headers = answer.read(), answer.headers
    assert headers["content-type"] == "application/wasm"
    assert "immutable" in headers["cache-control"]
    assert headers.get("content-encoding", "identity") == accepted
    assert (gzip.decompress(content) if accepted == "gzip" else content).startswith(b"\0asm")
