"""The browser edition in a real Chromium, at length: without a network, through trouble, from version to version."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from page.site import at_rest, play_to_the_end, serious, until
from page.static import StaticSite
from page.visitors import LONG, Visitors
from tools.edition.__main__ import write_service_worker

SHORT = {"yam-master": ("Turn limit, for each player", "2"), "twisty": ("Round limit", "4"), "wykersham": None}
KEPT = "caches.keys().then(names => names.length)"


@pytest.fixture
def files(site_files: Path, tmp_path: Path) -> Path:
    """A copy of the site that a test may change."""
    return Path(shutil.copytree(site_files, tmp_path / "site"))


def begins(page: Page, game: str) -> None:
    """A short match against a bot, from the form."""
    page.goto(page.url.partition("#")[0] + f"#/new/{game}")
    limit = SHORT[game]
    if limit is not None:
        page.get_by_label(limit[0]).fill(limit[1])
    page.get_by_role("button", name="Open the table").click()


def kept(page: Page) -> None:
    """Wait until the service worker has everything."""
    until(page, "navigator.serviceWorker", LONG / 1000)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")


@pytest.mark.parametrize("game", sorted(SHORT))
def test_each_game_is_played_to_the_end_without_a_network(visitors: Visitors, game: str) -> None:
    page = visitors.come()
    kept(page)
    visitors.site.stop()
    page.reload()
    begins(page, game)
    play_to_the_end(page, seconds=600)
    page.get_by_role("link", name="Look at the game again").click()
    page.get_by_role("button", name="Check the dice here").click()
    expect(page.locator(".verdict")).to_contain_text("nobody tampered with them")


def test_a_reload_in_the_middle_of_a_turn_loses_nothing(visitors: Visitors) -> None:
    page = visitors.come("/new/yam-master")
    page.get_by_label("Seat 2: Blue").select_option("here")
    page.get_by_label("Name").fill("Grandma")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Roll").first.click()
    until(page, "document.querySelectorAll('.lines li').length > 0")
    before = page.locator(".lines").inner_text()
    board = page.locator(".board-room").inner_text()
    page.reload()
    expect(page.locator(".lines")).to_have_text(before, use_inner_text=True)
    expect(page.locator(".board-room")).to_have_text(board, use_inner_text=True)


def test_two_windows_do_not_play_at_one_table(visitors: Visitors) -> None:
    page = visitors.come()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    at_rest(page)
    other = visitors.opens(page.context, page.url.partition("#")[2])
    expect(other.get_by_text("open in another window")).to_be_visible()
    page.close()
    other.reload()
    at_rest(other)


def test_a_worker_that_dies_is_replaced_and_nothing_shown_is_lost(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(
        "const Real = Worker; window.workers = [];"
        "window.Worker = class extends Real { constructor(...all) { super(...all); window.workers.push(this); } }"
    )
    page.reload()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    at_rest(page)
    before = page.locator(".lines").inner_text()
    page.evaluate("() => window.workers[0].dispatchEvent(new ErrorEvent('error', {message: 'gone'}))")
    until(page, "window.workers.length === 2", LONG / 1000)
    at_rest(page)
    assert page.locator(".lines").inner_text() == before
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    until(page, f"document.querySelector('.lines').innerText !== {json.dumps(before)}")


def in_worker(page: Page, script: str) -> None:
    """Something that the worker does before it begins."""

    def with_script(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=script + answer.text())

    page.context.route("**/worker-*.js", with_script)


@pytest.mark.parametrize(
    ("locale", "button", "said"),
    [
        ("en-GB", "Play now: Twisty against a bot", "This browser keeps nothing"),
        ("fr-FR", "Jouer tout de suite à Twisty", "Ce navigateur ne garde rien"),
    ],
)
def test_a_browser_that_keeps_nothing_says_so_and_plays(
    visitors: Visitors, locale: str, button: str, said: str
) -> None:
    page = visitors.come(locale=locale, service_workers="block")
    script = "self.indexedDB.open = () => { throw new Error('private'); };"
    in_worker(page, script)
    page.add_init_script(script)
    page.reload()
    page.get_by_role("button", name=button).click()
    at_rest(page)
    expect(page.get_by_text(said)).to_be_visible()


FULL = """
self.full = false;
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...all) {
  if (self.full) throw new DOMException("no room", "QuotaExceededError");
  return put.apply(this, all);
};
"""


def test_a_full_browser_refuses_the_move_and_goes_on_once_there_is_room(visitors: Visitors) -> None:
    page = visitors.come(locale="fr-FR", service_workers="block")
    in_worker(page, FULL)
    page.reload()
    page.get_by_role("button", name="Jouer tout de suite à Twisty").click()
    at_rest(page)
    before = page.locator(".lines").inner_text()
    (worker,) = page.workers
    worker.evaluate("() => { self.full = true; }")
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    expect(page.get_by_text("Ce navigateur n’a plus de place")).to_be_visible()
    assert page.locator(".lines").inner_text() == before  # what is not kept is not shown
    worker.evaluate("() => { self.full = false; }")
    at_rest(page)
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    until(page, f"document.querySelector('.lines').innerText !== {json.dumps(before)}")


@pytest.mark.parametrize("missing", ["WebAssembly", "Worker"])
def test_a_browser_without_what_it_needs_says_so_in_the_readers_language(visitors: Visitors, missing: str) -> None:
    page = visitors.come(locale="fr-FR")
    page.add_init_script(f"window.{missing} = undefined")
    page.reload()
    page.get_by_role("button", name="Jouer tout de suite à Twisty").click()
    expect(page.get_by_role("alert")).to_contain_text("il faut WebAssembly")
    page.goto(visitors.site.page("/rules/twisty"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Twisty")


def test_another_browser_takes_everything_over_from_a_file(visitors: Visitors, tmp_path: Path) -> None:
    page = visitors.come("/settings")
    page.get_by_label("My name").fill("Grandma")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Light").select_option("dark")
    page.goto(visitors.site.page("/"))
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    at_rest(page)
    page.locator("[data-board]").first.wait_for()
    address, board = page.url.partition("#")[2], page.locator(".board-room").inner_text()
    page.goto(visitors.site.page("/settings"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save everything as a file").click()
    file = tmp_path / "everything.json"
    download.value.save_as(file)
    other = visitors.come("/settings")
    other.get_by_label("Open a saved file").set_input_files(file)
    expect(other.get_by_text("Games to go on with: 1.")).to_be_visible()
    until(other, "document.documentElement.hasAttribute('data-night')")
    other.goto(visitors.site.page(address))
    expect(other.locator(".board-room")).to_have_text(board, use_inner_text=True)
    other.goto(visitors.site.page("/settings"))
    nonsense = tmp_path / "nonsense.json"
    nonsense.write_text("[]")
    other.get_by_label("Open a saved file").set_input_files(nonsense)
    expect(other.get_by_role("alert")).to_contain_text("not a file of saved games")


def test_a_new_version_is_offered_and_taken_whole(browser: Browser, files: Path) -> None:
    site = StaticSite(files)
    visitors = Visitors(browser, site)
    try:
        page = visitors.come()
        kept(page)
        page.reload()
        assert page.title() == "Ludothèque"
        index = files / "index.html"
        index.write_text(index.read_text().replace("<html ", '<html data-version="two" '))
        write_service_worker(files)
        page.evaluate("() => navigator.serviceWorker.getRegistration().then(one => one.update()).then(() => true)")
        expect(page.get_by_text("A new version of Ludothèque is ready.")).to_be_visible()
        page.reload()  # the old one, whole, until the person wants the new one
        assert page.locator("html").get_attribute("data-version") is None
        page.get_by_role("button", name="Update now").click()
        until(page, "document.documentElement.dataset.version === 'two'", LONG / 1000)
        until(page, "caches.keys()")
        assert page.evaluate(f"() => {KEPT}") == 1
    finally:
        for context in visitors.contexts:
            context.close()
        site.stop()
    assert visitors.mishaps == []


@pytest.mark.parametrize("address", ["/", "/new/twisty", "/settings", "/history"])
def test_nothing_keeps_anybody_from_using_it(visitors: Visitors, address: str) -> None:
    page = visitors.come(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert serious(page) == []


def test_the_keyboard_comes_to_a_game_and_plays(visitors: Visitors) -> None:
    page = visitors.come()
    button = page.get_by_role("button", name="Play now: Twisty against a bot")
    button.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if button.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    at_rest(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement?.closest('[data-board]') !== null"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".lines li").first).to_be_visible()
