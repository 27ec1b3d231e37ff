"""Pictures of every page in both languages, by day and by night, on a phone and on a desktop, into out/screenshots.

`make screenshots`, then look at each of them as a picky designer would. `make screenshots ONLY='yikerz.*fr'` takes those
whose name the pattern fits.
"""

import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import Page, sync_playwright

from page.moments import MIDDLE, finished, magnets, middle
from page.site import PROJECT, People, Site, chromium, launch, open_table, play_to_the_end, until

SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "is_mobile": True,
        "has_touch": True,
        "device_scale_factor": 2,
    },
}
GAMES = ("yam-master", "wykersham", "twisty", "yikerz")
PAGES = {
    "home": "/",
    "new-twisty": "/new/twisty",
    "new-yikerz": "/new/yikerz",
    **{f"rules-{game}": f"/rules/{game}" for game in GAMES},
    **{f"lesson-{game}": f"/learn/{game}" for game in GAMES},
    **{f"puzzle-{game}": f"/puzzle/{game}" for game in MIDDLE},
    "lab": "/lab",
    "history": "/games",
    "settings": "/settings",
    "device": "/d/nothing",
    "about": "/about",
    "nowhere": "/nowhere",
    "no-table": "/t/nothing",
}
AGAINST_A_BOT: dict[str, Any] = {"seats": [{"kind": "open"}, {"kind": "bot", "level": 1}]}
CALL = {"stacks": (1, 13), "charged": 0, "quiet": 10}


class Photographer:
    """One person with one screen; takes a picture of what is asked for, if its name is wanted."""

    def __init__(self, page: Page, site: Site, name: str, out: Path, only: str) -> None:
        self.page, self.site, self.name, self.out, self.only = page, site, name, out, only
        page.set_default_timeout(120_000)  # nobody waits for pictures; a puzzle may have to be made first

    def wanted(self, what: str) -> Path | None:
        file = self.out / f"{what}-{self.name}.png"
        return file if re.search(self.only, file.name) else None

    @contextlib.contextmanager
    def shot(self, what: str, whole: bool = True) -> Iterator[bool]:
        """The caller brings the page to where the picture is taken; False when nobody wants it."""
        file = self.wanted(what)
        yield file is not None
        if file is not None:
            self.page.wait_for_timeout(300)
            self.page.screenshot(path=file, full_page=whole)

    def sit(self, game: str, **more: Any) -> None:
        table, _ = open_table(self.site, game, **{**AGAINST_A_BOT, "settings": {"pace": 0, "hints": True}, **more})
        self.page.goto(f"{self.site.url}/t/{table}")
        self.page.locator(".seats .button.main").first.click()
        self.page.locator(".around").wait_for()
        if game == "yikerz":
            until(self.page, "!document.querySelector('.lost') && document.querySelector('.panel, .choice')")
            self.page.wait_for_timeout(900)

    def all(self) -> None:
        phone = "phone" in self.name
        for name, path in PAGES.items():
            with self.shot(name) as wanted:
                if wanted:
                    self.page.goto(self.site.url + path)
                    if name.startswith("puzzle"):
                        self.page.locator("[data-spot], .problem").first.wait_for()
                    else:
                        self.page.wait_for_load_state("networkidle")
                    until(self.page, "!document.querySelector('.theatre .lost')")
        for game in MIDDLE:
            with self.shot(f"table-{game}", phone) as wanted:
                if wanted:
                    self.sit(game, setup=middle(game))
                    self.page.locator('[data-spot][aria-disabled="false"]').first.wait_for()
        with self.shot("table-waiting") as wanted:
            if wanted:
                table, _ = open_table(self.site, "wykersham", seats=[{"kind": "open"}, {"kind": "open"}])
                self.page.goto(f"{self.site.url}/t/{table}")
                self.page.locator(".seats").wait_for()
        with self.shot("table-over", phone) as wanted:
            if wanted:
                self.sit("yam-master", options={"max_turns": 2})
                play_to_the_end(self.page)
        for game in GAMES:
            with self.shot(f"replay-{game}", phone) as wanted:
                if wanted:
                    host = self.site.ask("POST", "/api/people", {"name": "Host"})["secret"]
                    record = self.site.ask("POST", "/api/records", finished(game), host)["id"]
                    self.page.goto(f"{self.site.url}/r/{record}")
                    self.page.locator("input[type=range]").fill("9")
                    self.page.wait_for_timeout(2500 if game == "yikerz" else 300)
        self.magnets(phone)

    def magnets(self, phone: bool) -> None:
        """Yikerz! in each of its phases."""
        page = self.page
        with self.shot("table-yikerz", phone) as wanted:
            if wanted:
                self.sit("yikerz", setup=magnets())
        with self.shot("table-yikerz-hand", phone) as wanted:
            if wanted:
                self.sit("yikerz", setup=magnets())
                page.locator(".panel .shape").first.click()
                page.locator(".layer").focus()
                for key, times in (("ArrowUp", 40), ("PageDown", 30)):
                    for _ in range(times):
                        page.keyboard.press(key)
                page.locator(".theatre .tool").last.click()
                page.wait_for_timeout(600)
        with self.shot("table-yikerz-layout", phone) as wanted:
            if wanted:
                self.sit("yikerz", seats=[{"kind": "open"}])
        with self.shot("table-yikerz-editor", phone) as wanted:
            if wanted:
                self.sit("yikerz", seats=[{"kind": "open"}])
                page.locator(".layout").last.click()
                page.locator(".verdict").wait_for()
        for phase, more in {"call": CALL, "pick": {"picks": 2}}.items():
            with self.shot(f"table-yikerz-{phase}", phone) as wanted:
                if wanted:
                    self.sit("yikerz", setup=magnets(phase, **more))


def main() -> None:
    """All of them; a pattern as an argument takes only those whose name it fits."""
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
        try:
            browser = launch(playwright, executable)
            for language in ("fr", "en"):
                for scheme in ("light", "dark"):
                    for screen, how in SCREENS.items():
                        people = People(browser, site)
                        page = people.come(name="Anna", language=language, color_scheme=scheme, **how)
                        Photographer(page, site, f"{language}-{scheme}-{screen}", out, only).all()
                        people.leave()
            browser.close()
        finally:
            site.stop()
    print(f"{len(list(out.glob('*.png')))} pictures in {out.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
