"""Yikerz! with the page's own physics: the own turn is seen at once on a slow network, and the table stays the judge."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.moments import magnets
from page.site import People, Site, open_table, until
from page.test_yikerz import LOWER, SMALL, _by_mouse, _press, _seen
from page.yikerz_network import SlowWire

HERE = "document.querySelector('[data-physics=here]')"
SIMULATED = "performance.getEntriesByName('yikerz: hand to neighbours')"


@pytest.fixture(scope="session")
def physics() -> None:
    """The page's physics, compiled from the sources as they are."""
    from tools.wasm.__main__ import install  # noqa: PLC0415 - it imports all games
    from tools.wasm.link import build  # noqa: PLC0415
    from tools.wasm.link import physics as simulated  # noqa: PLC0415

    for game in simulated():
        install(game, build(game).read_bytes())


@pytest.fixture
def slow(site: Site, physics: None) -> Iterator[SlowWire]:
    """A network with 300 ms round trip, 30 ms jitter and 2 % loss."""
    del physics
    wire = SlowWire(site, 0.3)
    yield wire
    wire.close()


def _begins(people: People, site: Site, view: dict[str, Any], ready: str = HERE) -> Page:
    options = {"quiet_seconds": 1}
    seats = [{"kind": "open"}, {"kind": "bot", "level": 1}]
    table, _ = open_table(site, "yikerz", options=options, setup=view, seats=seats)
    page = people.come(f"/t/{table}", name="Anna", **SMALL)
    page.get_by_role("button", name="Sit here").click()
    page.locator(".panel .shape").first.wait_for()
    _seen(page)
    until(page, ready)
    return page


def _carry(page: Page) -> int:
    """Take a magnet and carry it over the middle of the board; returns how much had been told before."""
    before = page.locator(".lines li").count()
    page.locator(".panel .shape").first.click()
    page.locator(".height input").wait_for()
    box = page.locator(".layer").bounding_box()
    assert box is not None
    _by_mouse(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 0.0, -0.2 * box["width"])
    return before


def _told(page: Page, before: int) -> None:
    until(page, f"document.querySelectorAll('.lines li').length > {before}")


def test_the_own_turn_is_simulated_at_once_on_a_slow_network_and_the_table_agrees(
    people: People, site: Site, slow: SlowWire
) -> None:
    people.address = slow.url
    page = _begins(people, site, magnets(board=1))
    before = _carry(page)
    until(page, f"{SIMULATED}.length > 20")
    page.evaluate(LOWER)
    assert _press(page, ".panel .button.wide")
    _told(page, before)
    expect(page.locator(".corrected")).to_have_count(0)


def test_a_touch_opens_the_hand_before_the_table_has_heard_of_it(people: People, site: Site, slow: SlowWire) -> None:
    """A magnet is lowered onto another one: the page sees them snap by itself, and the table says the same a moment later."""
    view = magnets(board=1)
    view["magnets"][0]["pose"] = [0, -60, 3, 1, 0, 0, 0]
    people.address = slow.url
    page = _begins(people, site, view)
    before = _carry(page)
    until(page, f"{SIMULATED}.length > 20")
    slow.hush()  # from now on nothing comes from the table
    page.evaluate(LOWER)
    until(page, "document.querySelector('.height input') === null")
    slow.mend()
    _told(page, before)
    assert "Collapse" in " ".join(page.locator(".lines li").all_inner_texts())


def test_without_the_physics_the_table_shows_the_turn_as_ever(people: People, site: Site, physics: None) -> None:
    """The browser saves data: nothing is loaded that is not needed."""
    del physics
    seats = [{"kind": "open"}, {"kind": "bot", "level": 1}]
    table, _ = open_table(site, "yikerz", options={"quiet_seconds": 1}, setup=magnets(board=1), seats=seats)
    page = people.come(f"/t/{table}", name="Anna", **SMALL)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page.reload()
    page.get_by_role("button", name="Sit here").click()
    page.locator(".panel .shape").first.wait_for()
    _seen(page)
    before = _carry(page)
    page.evaluate(LOWER)
    _press(page, ".panel .button.wide")
    _told(page, before)
    assert page.locator("[data-physics=table]").count()
    assert not [address for address in loaded if "wasm" in address]
