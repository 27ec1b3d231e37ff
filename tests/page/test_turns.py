"""One's own games: they come first on the home page, and where one is to play is marked wherever one is."""

import time
from typing import Any

from playwright.sync_api import Page, expect

from page.site import DO_SOMETHING, PATIENCE, People, Site, open_table, until

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 720}, "has_touch": True, "is_mobile": True}
MARKED = "/icon-turn.svg"
PLAIN = "/icon.svg"


def _is_marked(page: Page, *, title: str) -> None:
    """At home, in the header, in the title and in the icon."""
    expect(page.locator(".mine .turn")).to_have_count(1)
    expect(page.locator("header .turn")).to_have_text(title)
    expect(page).to_have_title(f"● {title} – Ludothèque")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", MARKED)


def _is_plain(page: Page) -> None:
    expect(page.locator(".mine .turn, header .turn")).to_have_count(0)
    expect(page).to_have_title("Ludothèque")
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", PLAIN)


def test_a_running_game_comes_first_and_ones_turn_is_marked_while_it_is_so(people: People, site: Site) -> None:
    table, _ = open_table(site, "twisty", seats=[{"kind": "open"}, {"kind": "open"}], options={"first": 0})
    anna = people.come(f"/t/{table}", name="Anna", **PHONE)
    bob = people.come(f"/t/{table}", name="Bob", language="fr-FR", **PHONE)
    anna.get_by_role("button", name="Sit here").first.click()
    expect(bob.get_by_text("Anna", exact=True)).to_be_visible()
    bob.get_by_role("button", name="S’asseoir ici").first.click()
    until(anna, "document.title.startsWith('●')")
    expect(anna.locator("link[rel=icon]")).to_have_attribute("href", MARKED)
    expect(anna.locator("header .turn")).to_have_count(0)  # it is this very table
    anna.get_by_role("link", name="Games", exact=True).click()
    bob.get_by_role("link", name="Jeux", exact=True).click()
    _is_marked(anna, title="Your turn")
    expect(anna.locator("main .card").first).to_contain_text("Twisty Your turn")
    expect(anna.get_by_role("link", name="Go on Twisty")).to_be_in_viewport()
    expect(bob.locator("main .card").first).to_contain_text("en cours")
    _is_plain(bob)
    anna.get_by_role("link", name="Settings", exact=True).click()
    expect(anna.locator("link[rel=icon]")).to_have_attribute("href", MARKED)
    anna.locator("header .turn").click()
    until(anna, "location.pathname.startsWith('/t/') && document.title.startsWith('●')")
    deadline = time.monotonic() + PATIENCE / 1000
    while anna.title().startswith("●"):
        assert time.monotonic() < deadline
        anna.evaluate(DO_SOMETHING)
        anna.wait_for_timeout(30)
    expect(anna.locator("link[rel=icon]")).to_have_attribute("href", PLAIN)
    _is_marked(bob, title="À toi de jouer")  # nothing was loaded again
    bob.get_by_role("link", name="Première leçon").first.click()  # its header is the narrowest
    expect(bob.get_by_role("link", name="À toi de jouer")).to_be_visible()
    assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert bob.evaluate("document.querySelector('header nav').getBoundingClientRect().right <= innerWidth")
    anna.get_by_role("link", name="Games", exact=True).click()
    expect(anna.locator("main .card").first).to_contain_text("being played")
    _is_plain(anna)
