"""Everyone can use every page: axe finds nothing serious, by day and by night, and no page is too heavy or too wide."""

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page

from page.moments import finished, magnets, middle, position_link
from page.site import PROJECT, People, Site, becomes_so, builder, open_table, serious, upload

GAMES = ("yam-master", "wykersham", "twisty", "yikerz")
READY = {
    "learn": "[data-spot], .panel .shape",
    "puzzle": "[data-spot]",
    "p": "[data-spot], .problem",
    "r": "input[type=range]",
    "lab": ".side .shape",
    "rules": "article h2",
    "new": "form .button.main",
    "t": ".seats, .empty",
}


# The plates' middles and the board's; on the home page, where the cards' buttons stand.
AT_THE_BOARD = """[...document.querySelectorAll('.plates')].every(plates => {
  const middle = (box) => (box.left + box.right) / 2;
  const seats = [...plates.children].map(one => one.getBoundingClientRect());
  const board = document.querySelector('[data-board]').getBoundingClientRect();
  return Math.abs(middle({ left: seats[0].left, right: seats.at(-1).right }) - middle(board)) < 2;
})"""
LARGE_ENOUGH = """(() => {
  const board = document.querySelector('[data-board]').getBoundingClientRect();
  return Math.min(board.width, board.height) > 230;
})()"""
IN_ONE_LINE = """new Set([...document.querySelectorAll('.games li[data-game] .button.main')].slice(0, 4)
  .map(one => Math.round(one.getBoundingClientRect().top))).size === 1"""


def _visits(site: Site, some: tuple[str, ...]) -> dict[str, list[str]]:
    """What to look at of each page that the router knows; pages that are the same for every game, with some of the games."""
    waiting, _ = open_table(site, "twisty", seats=[{"kind": "open"}, {"kind": "open"}])
    return {
        "": ["/"],
        "t": [f"/t/{waiting}", "/t/nothing"],
        "new": [f"/new/{game}" for game in some],
        "rules": [f"/rules/{game}" for game in some],
        "learn": [f"/learn/{game}" for game in some],
        "puzzle": [f"/puzzle/{game}" for game in some if game != "yikerz"],
        "games": ["/games"],
        "me": ["/me"],
        "r": [f"/r/{upload(site, finished(game))}" for game in some],
        "p": [*(position_link(game, middle(game)) for game in some if game != "yikerz"), "/p/twisty?at=nonsense"],
        "settings": ["/settings"],
        "about": ["/about"],
        "help": ["/help", "/help/playing", "/help/operating", "/help/nothing"],
        "lab": ["/lab"],
        "d": ["/d/nothing"],
        "nowhere": ["/nowhere", "/new/nothing", f"/t/{'a' * 65}", "/%E0%A4%A"],
    }


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


def test_no_page_of_the_router_is_forgotten_here(site: Site) -> None:
    router = (PROJECT / "web/src/pages/index.ts").read_text("utf-8")
    known = set(re.findall(r"^  (\w+): \(\) => import", router, re.MULTILINE))
    assert known
    for manifest in (PROJECT / "web/src/games").glob("*/manifest.ts"):
        known |= set(re.findall(r'address: "(\w+)"', manifest.read_text("utf-8")))
    assert known | {"", "nowhere"} == set(_visits(site, ()))


@pytest.mark.parametrize(
    ("scheme", "language", "some"),
    [("light", "en", ("twisty", "yikerz")), ("dark", "fr", ("yam-master", "wykersham"))],
)
def test_everyone_can_use_every_page(
    people: People, site: Site, scheme: str, language: str, some: tuple[str, ...]
) -> None:
    """axe finds nothing serious: names, roles and contrast by day; by night only the contrast can differ. And nothing is wider
    than a phone of 360 pixels, upright or on its side, a low window of a laptop, or a laptop's page made twice as large, where the
    board must really be larger."""
    only = "color-contrast" if scheme == "dark" else None
    page = people.come("/about", name="Anna", color_scheme=scheme, language=language)
    found: dict[str, list[str]] = {}

    def judge(what: str) -> None:
        wrong = serious(page, only)
        if page.locator(".plates").count() and not becomes_so(page, AT_THE_BOARD):
            wrong.append("the players do not sit at the board")
        if what == "/" and not becomes_so(page, IN_ONE_LINE):
            wrong.append("the buttons of the games are not in one line")
        for width, height in ((1366, 620), (740, 360), (360, 720), (640, 400)):
            page.set_viewport_size({"width": width, "height": height})
            if page.locator(".around [data-board]").count() and not becomes_so(page, LARGE_ENOUGH):
                wrong.append(f"no board to speak of at {width} x {height}")
            if not becomes_so(page, "document.documentElement.scrollWidth <= innerWidth"):
                wrong.append(f"wider than {width}")
        if page.locator("[role=grid]:not(figure *)").count() == 1:  # a picture on a rules page is no board to play on
            box = "document.querySelector('[role=grid]:not(figure *)').getBoundingClientRect()"
            if not becomes_so(page, f"Math.max({box}.width, {box}.height) > 480"):
                wrong.append("a page made larger has no larger board")
        page.set_viewport_size({"width": 1200, "height": 800})
        if wrong:
            found[what] = wrong

    for name, addresses in _visits(site, some).items():
        for address in addresses:
            page.goto(site.url + address)
            page.locator("h1").first.wait_for()
            if name in READY:
                page.locator(READY[name]).first.wait_for()
            judge(address)
    for game, table in zip(GAMES, _tables(site), strict=True):
        _sit(page, site, table)
        judge(game)
        if game == "yikerz":
            page.locator(".panel .shape").first.click()
            page.locator(".height").wait_for()
            judge("yikerz, a magnet in hand")
    assert found == {}


def test_in_the_systems_own_colours_and_without_motion_everything_is_there(people: People, site: Site) -> None:
    """Forced colours take backgrounds and shadows away: whose turn it is and where the focus is must still be seen."""
    page = people.come(name="Anna", forced_colors="active")
    _sit(page, site, _tables(site)[2])
    page.locator(".plate.turn").wait_for()
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
    """At most 80 kB compressed of markup, styles and scripts, with the largest catalogue, and 60 kB of fonts."""
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
    catalogues = [file for file in built.rglob("*.js") if '"home.title":' in file.read_text("utf-8")]
    assert len(catalogues) >= 2, "one for each language"
    first.add(max(catalogues, key=lambda file: file.stat().st_size))
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
