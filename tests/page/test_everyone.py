"""Everyone can use every page: axe finds nothing serious, by day and by night, and no page is too heavy or too wide."""

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from page.moments import finished, magnets, middle
from page.site import PROJECT, People, Site, builder, open_table

PAGES = [
    "/",
    "/new/twisty",
    "/new/yikerz",
    "/rules/yam-master",
    "/rules/wykersham",
    "/rules/twisty",
    "/rules/yikerz",
    "/learn/yam-master",
    "/learn/wykersham",
    "/learn/twisty",
    "/learn/yikerz",
    "/lab",
    "/games",
    "/settings",
    "/about",
    "/d/nothing",
    "/t/nothing",
    "/nowhere",
]
GAMES = ("yam-master", "wykersham", "twisty", "yikerz")


def _serious(page: Page, only: str | None = None) -> list[str]:
    options = {"runOnly": {"type": "rule", "values": [only]}} if only else None
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['any'][:1]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def _tables(site: Site) -> list[str]:
    """A table in the middle of each game, for one who comes and sits down."""
    return [
        open_table(
            site,
            game,
            seats=[{"kind": "open"}, {"kind": "bot", "level": 1}],
            setup=magnets() if game == "yikerz" else middle(game),
        )[0]
        for game in GAMES
    ]


def _sit(page: Page, site: Site, table: str) -> None:
    page.goto(f"{site.url}/t/{table}")
    page.locator(".seats .button.main").first.click()
    page.locator("[data-spot], .panel .shape").first.wait_for()


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "fr")])
def test_axe_finds_nothing_serious(people: People, site: Site, scheme: str, language: str) -> None:
    """Names, roles and contrast by day; by night only the contrast can differ."""
    only = "color-contrast" if scheme == "dark" else None
    page = people.come(name="Anna", color_scheme=scheme, language=language)
    found = {}
    waiting, host = open_table(site, "twisty", seats=[{"kind": "open"}, {"kind": "open"}])
    records = [site.ask("POST", "/api/records", finished(game), host)["id"] for game in GAMES]
    for path in [*PAGES, f"/t/{waiting}", *(f"/r/{record}" for record in records)]:
        page.goto(site.url + path)
        page.locator("input[type=range]" if path.startswith("/r/") else "h1").first.wait_for()
        page.wait_for_timeout(120)
        if serious := _serious(page, only):
            found[path] = serious
    for game, table in zip(GAMES, _tables(site), strict=True):
        _sit(page, site, table)
        if serious := _serious(page, only):
            found[game] = serious
        if game == "yikerz":
            page.locator(".panel .shape").first.click()
            page.locator(".height").wait_for()
            if serious := _serious(page, only):
                found["yikerz, a magnet in hand"] = serious
    assert found == {}


def test_nothing_is_wider_than_a_phone_or_than_a_page_made_twice_as_large(people: People, site: Site) -> None:
    """360 pixels; and 200 % on a laptop, where the board must really be larger."""
    tables = _tables(site)
    phone = people.come(name="Anna", viewport={"width": 360, "height": 720}, is_mobile=True, has_touch=True)
    large = people.come(name="Zoe", viewport={"width": 640, "height": 400}, device_scale_factor=2)
    wide = []
    for path in PAGES:
        for page in (phone, large):
            page.goto(site.url + path)
            page.locator("h1").first.wait_for()
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append((path, page.evaluate("innerWidth")))
    for page, some in ((phone, tables), (large, _tables(site))):
        for table in some:
            _sit(page, site, table)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append((table, page.evaluate("innerWidth")))
            if page is large and (board := page.locator("[role=grid]")).count():
                box = board.bounding_box()
                assert box is not None
                assert max(box["width"], box["height"]) > 480
    assert wide == []


def test_in_the_systems_own_colours_and_without_motion_everything_is_there(people: People, site: Site) -> None:
    """Forced colours take backgrounds and shadows away: whose turn it is and where the focus is must still be seen."""
    page = people.come(name="Anna", forced_colors="active")
    _sit(page, site, _tables(site)[2])
    style = "(what, name) => getComputedStyle(document.querySelector(what))[name]"
    assert page.evaluate(f"({style})('.plate.turn', 'outlineStyle')") == "solid"
    page.locator('[data-spot][tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert page.evaluate("document.documentElement.hasAttribute('data-still')"), (
        "the system's wish for less motion is kept"
    )
    moving = "[...document.getAnimations()].filter(one => one.effect.getComputedTiming().duration > 10).length"
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    assert page.evaluate(moving) == 0


def test_the_first_load_is_light(built: Path) -> None:
    """At most 80 kB compressed of markup, styles and scripts, and 60 kB of fonts."""
    index = (built / "index.html").read_text("utf-8")
    first = {built / name.lstrip("/") for name in re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css))"', index)}
    todo = set(first)
    while todo:  # scripts that those import at once
        script = todo.pop()
        if script.suffix == ".js":
            for name in re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', script.read_text("utf-8")):
                other = script.parent / name
                if other not in first:
                    first.add(other)
                    todo.add(other)
    compressed = len(gzip.compress(index.encode())) + sum(len(gzip.compress(file.read_bytes())) for file in first)
    assert compressed <= 80_000
    assert sum(font.stat().st_size for font in built.rglob("*.woff2")) <= 60_000


def test_the_message_types_are_those_of_the_servers_schemas() -> None:
    schemas = subprocess.run(
        [sys.executable, "-m", "ludotheque.server.schemas"], capture_output=True, check=True
    ).stdout
    environment, _ = builder().node_tools()
    types = subprocess.run(
        [str(shutil.which("node", path=environment["PATH"])), "scripts/types.mjs"],
        cwd=PROJECT / "web",
        input=schemas,
        capture_output=True,
        check=True,
    ).stdout
    assert types.decode() == (PROJECT / "web/src/lib/network.ts").read_text("utf-8"), "run: make page-types"
