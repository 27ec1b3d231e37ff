"""Pictures of every page in both languages, by day and by night, on a phone and on a desktop, into out/screenshots.

`make screenshots`, then look at each of them as a picky designer would.
"""

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import Page, sync_playwright

from page.site import DO_SOMETHING, PROJECT, People, Site, chromium, launch, open_table

SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "is_mobile": True,
        "has_touch": True,
        "device_scale_factor": 2,
    },
}
PAGES = {
    "home": "/",
    "new": "/new/twisty",
    "rules-yam-master": "/rules/yam-master",
    "rules-wykersham": "/rules/wykersham",
    "rules-twisty": "/rules/twisty",
    "lesson-yam-master": "/learn/yam-master",
    "lesson-wykersham": "/learn/wykersham",
    "lesson-twisty": "/learn/twisty",
    "history": "/games",
    "settings": "/settings",
    "about": "/about",
    "nowhere": "/nowhere",
}
GAMES = ("yam-master", "wykersham", "twisty")


def _into_the_game(page: Page, game: str, site: Site) -> None:
    """A table in the middle of a game, at a moment of one's own."""
    table, _ = open_table(
        site, game, seats=[{"kind": "open"}, {"kind": "bot", "level": 3}], settings={"pace": 0, "hints": True}
    )
    page.goto(f"{site.url}/t/{table}")
    page.locator(".seats .button.main").first.click()
    for _ in range(40 if game == "wykersham" else 26):
        page.evaluate(DO_SOMETHING)
        page.wait_for_timeout(60)
    for _ in range(60):
        page.wait_for_timeout(100)
        if page.locator('[data-spot][aria-disabled="false"]').count() and page.title().startswith("●"):
            break
        if page.title().startswith("●") and page.locator(".hand .actions button:not([disabled])").count():
            page.locator(".hand .actions button:not([disabled])").first.click()
    page.wait_for_timeout(700)


def main() -> None:
    """All of them; a word as an argument takes only those whose name holds it."""
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    out = PROJECT / "out" / "screenshots"
    if not only:
        shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    executable = chromium()
    assert executable is not None, "no Chromium here"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.start()
        browser = launch(playwright, executable)
        for language in ("fr", "en"):
            for scheme in ("light", "dark"):
                for screen, how in SCREENS.items():
                    people = People(browser, site)
                    page = people.come(name="Anna", language=language, color_scheme=scheme, **how)
                    for name, path in PAGES.items():
                        file = out / f"{name}-{language}-{scheme}-{screen}.png"
                        if only in file.name:
                            page.goto(site.url + path)
                            page.wait_for_load_state("networkidle")
                            page.wait_for_timeout(250)
                            page.screenshot(path=file, full_page=name.startswith(("home", "rules", "new", "settings")))
                    for game in GAMES:
                        file = out / f"table-{game}-{language}-{scheme}-{screen}.png"
                        if only in file.name:
                            _into_the_game(page, game, site)
                            page.screenshot(path=file, full_page=screen == "phone")
                    people.leave()
        browser.close()
        site.stop()
    print(f"{len(list(out.glob('*.png')))} pictures in {out.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
