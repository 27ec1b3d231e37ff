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


def _begins(people: People, site: Site, wire: SlowWire, view: dict[str, Any]) -> Page:
    options = {"quiet_seconds": 1}
    seats = [{"kind": "open"}, {"kind": "bot", "level": 1}]
    table, _ = open_table(site, "yikerz", options=options, setup=view, seats=seats)
    people.address = wire.url
    page = people.come(f"/t/{table}", name="Anna", **SMALL)
    page.get_by_role("button", name="Sit here").click()
    page.locator(".panel .shape").first.wait_for()
    _seen(page)
    until(page, HERE)
    return page


def test_the_own_turn_is_simulated_at_once_on_a_slow_network_and_the_table_agrees(
    people: People, site: Site, slow: SlowWire
) -> None:
    page = _begins(people, site, slow, magnets(board=3))
    before = page.locator(".lines li").count()
    page.locator(".panel .shape").first.click()
    page.locator(".height input").wait_for()
    box = page.locator(".layer").bounding_box()
    assert box is not None
    _by_mouse(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 40, -60)
    # A second of samples has come back from the simulation, long before the table has said anything of that second.
    until(page, f"{SIMULATED}.length > 20")
    page.evaluate(LOWER)
    assert _press(page, ".panel .button.wide")
    until(page, f"document.querySelectorAll('.lines li').length > {before}")
    expect(page.locator(".corrected")).to_have_count(0)
