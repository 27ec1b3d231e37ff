"""Everyone can use every page: axe finds nothing serious, by day and by night, and no page is too heavy or too wide."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from page.site import PROJECT, People, Site, open_table

PAGES = [
    "/",
    "/new/twisty",
    "/rules/wykersham",
    "/learn/yam-master",
    "/learn/wykersham",
    "/learn/twisty",
    "/games",
    "/settings",
    "/about",
    "/d/nothing",
    "/nowhere",
]


def _serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['any'][:1]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(people: People, site: Site, scheme: str) -> None:
    page = people.come(name="Anna", color_scheme=scheme)
    tables = [
        open_table(site, game, seats=[{"kind": "open"}, {"kind": "open"}])[0]
        for game in ("yam-master", "wykersham", "twisty")
    ]
    found = {}
    for path in [*PAGES, f"/t/{tables[0]}"]:
        page.goto(site.url + path)
        page.wait_for_load_state("networkidle")
        if serious := _serious(page):
            found[path] = serious
    for table in tables:
        page.goto(f"{site.url}/t/{table}")
        for _ in range(2):
            page.get_by_role("button", name="Sit here").first.click()
        page.locator("[data-spot]").first.wait_for()
        if serious := _serious(page):
            found[table] = serious
    assert found == {}


def test_no_page_is_wider_than_a_phone(people: People) -> None:
    page = people.come(viewport={"width": 360, "height": 720}, is_mobile=True, has_touch=True)
    wide = []
    for path in PAGES:
        page.goto(people.site.url + path)
        page.wait_for_load_state("networkidle")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
    assert wide == []


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
    types = subprocess.run(
        ["node", "scripts/types.mjs"], cwd=PROJECT / "web", input=schemas, capture_output=True, check=True
    ).stdout
    assert types.decode() == (PROJECT / "web/src/lib/network.ts").read_text("utf-8"), "run: make page-types"
