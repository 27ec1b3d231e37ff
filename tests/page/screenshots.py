"""Pictures of every page in both languages, by day and by night, on a phone held either way and on two desktops, into out/screenshots.

`make screenshots`, then look at each of them as a picky designer would. `make screenshots ONLY='yikerz.*fr'` takes those
whose name the pattern fits.
"""

import contextlib
import functools
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from playwright.sync_api import Locator, Page, sync_playwright

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match, find_game
from page.moments import MIDDLE, finished, magnets, middle, plain, position_link
from page.site import PROJECT, People, Site, Wire, chromium, launch, open_table, play_to_the_end, until, upload

PHONE: dict[str, Any] = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2}
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1200, "height": 800}},
    "large": {"viewport": {"width": 1920, "height": 1080}},
    "phone": {"viewport": {"width": 360, "height": 720}, **PHONE},
    "phone-on-its-side": {"viewport": {"width": 740, "height": 360}, **PHONE},
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
    "me-nobody": "/me",
    "settings": "/settings",
    "device": "/d/nothing",
    "about": "/about",
    "nowhere": "/nowhere",
    "no-table": "/t/nothing",
}
AGAINST_A_BOT: dict[str, Any] = {"seats": [{"kind": "open"}, {"kind": "bot", "level": 1}]}
CALL: dict[str, Any] = {"stacks": (1, 13), "charged": 0, "quiet": 10}
PLACE = re.compile(r"(r\dc\d|[1-6n]@\d|[a-g]\d)$")
GOALS = {"take": ".actions .button >> nth=0", "leave": ".actions .button >> nth=1"}
SHORT: dict[str, dict[str, Any]] = {"yam-master": {"max_turns": 2}, "wykersham": {}, "twisty": {"max_rounds": 3}}
REVIEWED = {"yam-master": {"max_turns": 9}, "twisty": {"max_rounds": 8}}


@functools.cache
def reviewed(url: str, game: str) -> str:
    """A game with luck and mistakes, reviewed once for all its pictures."""
    site = Site(Path(), int(url.rpartition(":")[2]))
    match = Match(find_game(game), 2, REVIEWED[game], dice=Dice("a picture"))
    players = [bot(find_game(game), level) for level in (3, 1)]
    while not match.over:
        if match.to_move == CHANCE:
            match.draw()
        else:
            assert isinstance(match.to_move, int)
            match.play(players[match.to_move].choose(match.position, seed=len(match.log)).action)
    record = upload(site, plain(match))
    asker = site.ask("POST", "/api/people", {"name": "Host"})["secret"]
    site.ask("POST", f"/api/records/{record}/review", None, asker)
    while site.ask("GET", f"/api/records/{record}/review")["state"] in ("waiting", "working"):
        time.sleep(0.5)
    return record


@functools.cache
def answers(url: str, game: str) -> tuple[int, str, str]:
    """A puzzle that is answered by one tap: its number, what to tap for the right answer, and for a wrong one."""
    site = Site(Path(), int(url.rpartition(":")[2]))
    for number in range(1, 40):
        puzzle = site.ask("GET", f"/api/games/{game}/puzzles/{number}")
        question = {key: puzzle[key] for key in ("game", "players", "options")} | {"setup": puzzle["position"]}
        legal = site.ask("POST", "/api/position", {**question, "actions": []})["position"]["legal"]["actions"]
        places = {
            action: f'[data-spot="{found[1]}"][aria-disabled="false"]'
            for action in legal
            if (found := PLACE.search(action))
        } or {action: what for action, what in GOALS.items() if action in legal}
        best = site.ask("POST", f"/api/games/{game}/puzzles/{number}/answer", {"action": legal[0]})["best"]
        if best in places and len(places) > 1:
            return number, places[best], next(place for action, place in places.items() if action != best)
    raise AssertionError(f"no puzzle of {game} is answered by one tap")


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
            # A picture of the whole page would make a phone on its side as high as the page, which then looks otherwise.
            self.page.screenshot(path=file, full_page=whole and "side" not in self.name)

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
        self.plain_pages()
        self.at_home()
        self.tables(phone)
        self.learning()
        self.magnets(phone)

    def plain_pages(self) -> None:
        for name, path in PAGES.items():
            with self.shot(name) as wanted:
                if wanted:
                    self.page.goto(self.site.url + path)
                    if name.startswith("puzzle"):
                        self.page.locator("[data-spot], .problem").first.wait_for()
                    else:
                        self.page.wait_for_load_state("networkidle")
                    until(self.page, "!document.querySelector('.viewport .lost')")

    def at_home(self) -> None:
        """A home page and figures of somebody who has played, who to play against, and the search for an opponent."""
        page = self.page
        with self.shot("home-known") as wanted:
            if wanted:
                self.sit("wykersham", setup=middle("wykersham"))
                self.remember()
                page.goto(f"{self.site.url}/")
                page.locator(".mine .small .board").first.wait_for()
        with self.shot("me") as wanted:
            if wanted:
                page.goto(f"{self.site.url}/")
                self.remember()
                page.goto(f"{self.site.url}/me")
                page.locator("section").first.wait_for()
        with self.shot("opponents", False) as wanted:
            if wanted:
                page.goto(f"{self.site.url}/")
                self.remember()
                page.reload()
                page.locator(".opponent").nth(1).click()
                page.locator("dialog .style").first.wait_for()
        with self.shot("seek", False) as wanted:
            if wanted:
                page.goto(f"{self.site.url}/")
                page.locator(".play .quiet").nth(2).click()
                page.locator("dialog .main").click()
                page.locator(".seeking .quiet").wait_for()
        with self.shot("name-asked") as wanted:
            if wanted:
                table, _ = open_table(self.site, "wykersham", seats=[{"kind": "open"}, {"kind": "open"}])
                page.goto(f"{self.site.url}/t/{table}")
                page.evaluate("localStorage.setItem('ludotheque.guest', 'yes')")
                page.locator(".seats .button.main").first.click()
                page.locator(".seats input").wait_for()
                page.evaluate("localStorage.removeItem('ludotheque.guest')")

    def remember(self) -> None:
        """This browser has kept some results, and what became of today's puzzles."""
        results = [
            {
                "record": f"{game}-{number}",
                "game": game,
                "ended": 1_790_000_000_000 + 3_600_000 * number,
                "seats": [0],
                "players": ["human", f"bot:{2 + number // 9}"],
                "names": ["Anna", f"Bot {2 + number // 9}"],
                "returns": [0, 1] if number % 5 in (1, 3) else [1, 0],
                "review": None
                if game == "yikerz" or number % 4 == 3
                else {
                    "decisions": 20,
                    "lost": 0.2 + 1.4 / (1 + number / 3) + 0.2 * (number % 3),
                    "luck": 0.04 * (number * 7 % 11 - 5),
                },
            }
            for game in GAMES
            for number in range(20)
        ]
        self.page.evaluate("kept => localStorage.setItem('ludotheque.results', JSON.stringify(kept))", results)
        self.page.evaluate(
            """() => {
              const day = new Date().toISOString().slice(0, 10);
              const kept = { last: day, row: 4, day, tried: { twisty: true, "yam-master": false } };
              localStorage.setItem("ludotheque.puzzle-days", JSON.stringify(kept));
            }"""
        )

    def tables(self, phone: bool) -> None:
        page = self.page
        for game in MIDDLE:
            with self.shot(f"table-{game}", phone) as wanted:
                if wanted:
                    self.sit(game, setup=middle(game))
                    self.page.locator('[data-spot][aria-disabled="false"]').first.wait_for()
            with self.shot(f"table-start-{game}", phone) as wanted:
                if wanted:
                    self.sit(game)
                    page.locator('[data-spot][aria-disabled="false"], .actions button:not([disabled])').first.wait_for()
        with self.shot("table-waiting") as wanted:
            if wanted:
                table, _ = open_table(self.site, "wykersham", seats=[{"kind": "open"}, {"kind": "open"}])
                self.page.goto(f"{self.site.url}/t/{table}")
                self.page.locator(".seats").wait_for()
        for game in GAMES:
            with self.shot(f"table-over-{game}", phone) as wanted:
                if wanted:
                    self.over(game)
        with self.shot("table-slide", phone) as wanted:
            if wanted:
                self.sit("wykersham", setup=middle("wykersham"))
                page.locator('[data-spot][aria-disabled="false"]').first.click()
                page.locator(".arrow, .actions .button").first.wait_for()
        with self.shot("table-decided", phone) as wanted:
            if wanted:
                self.over("yam-master")
                page.locator(".ending .button").click()
                page.locator(".ending h3").first.wait_for()
        with self.shot("table-carried", False) as wanted:
            if wanted:
                self.sit("wykersham", setup=middle("wykersham"))
                self.carry(page.locator(".ready"), page.locator('[data-spot][aria-disabled="false"]').nth(3))
        page.mouse.up()
        with self.shot("table-invitation") as wanted:
            if wanted:
                page.goto(f"{self.site.url}/new/twisty")
                page.locator("form .button.main[type=submit]").click()
                page.locator(".invite img").wait_for()
        with self.shot("table-talk") as wanted:
            if wanted:
                self.talk()
        with self.shot("table-away", phone) as wanted:
            if wanted:
                wire = Wire(self.site)
                table, _ = open_table(self.site, "twisty", **AGAINST_A_BOT, setup=middle("twisty"))
                page.goto(f"{wire.url}/t/{table}")
                page.locator(".seats .button.main").first.click()
                page.locator('[data-spot][aria-disabled="false"]').first.wait_for()
                wire.cut()
                page.locator(".signal").wait_for()
        for game in GAMES:
            with self.shot(f"replay-{game}", phone) as wanted:
                if wanted:
                    page.goto(f"{self.site.url}/r/{upload(self.site, finished(game))}")
                    page.locator("input[type=range]").fill("9")
                    page.wait_for_timeout(2500 if game == "yikerz" else 300)

    def over(self, game: str) -> None:
        """A game at its end; nobody waits for magnets: that one is given up."""
        if game == "yikerz":
            self.sit(game, setup=magnets())
            self.page.locator(".tools .button.quiet").click()
            self.page.locator(".tools .button.main").click()
            self.page.locator(".ended").wait_for()
        else:
            self.sit(game, options=SHORT[game], **({"setup": middle(game, 124)} if game == "wykersham" else {}))
            play_to_the_end(self.page)

    def carry(self, what: Locator, where: Locator) -> None:
        """Something in the hand, over a place where it may be put down."""
        what.wait_for()
        start, end = what.bounding_box(), where.bounding_box()
        assert start is not None
        assert end is not None
        self.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(end["x"] + end["width"] / 2 + 10, end["y"] + end["height"] / 2 - 8, steps=5)

    def talk(self) -> None:
        """Two people, what they said, a question about a takeback, and who else is here."""
        table, _ = open_table(
            self.site,
            "twisty",
            seats=[{"kind": "open"}, {"kind": "open"}],
            settings={"chat": True},
            setup=middle("twisty"),
        )
        self.page.goto(f"{self.site.url}/t/{table}")
        self.page.locator(".seats .button.main").first.click()
        browser = self.page.context.browser
        assert browser is not None
        people = People(browser, self.site)
        bruno = people.come(f"/t/{table}", name="Bruno")
        bruno.get_by_role("button", name="Sit here").click()
        self.page.locator('[data-spot][aria-disabled="false"]').first.click()
        self.page.locator(".lines li").first.wait_for()
        bruno.locator(".talk summary").click()
        bruno.get_by_role("button", name="Good luck!").click()
        self.page.locator(".talk form input").fill("À la prochaine !")
        self.page.locator(".talk form button").click()
        self.page.locator(".talk li").nth(1).wait_for()
        self.page.locator(".tools .button").first.click()
        bruno.locator(".note").wait_for()
        self.page.wait_for_timeout(200)
        people.leave()

    def learning(self) -> None:
        """Puzzles answered well and badly, a position with the bot's opinion, what a review tells, the lab at work."""
        page = self.page
        for game in MIDDLE:
            for what in ("right", "wrong"):
                with self.shot(f"puzzle-{what}-{game}") as wanted:
                    if wanted:
                        number, right, wrong = answers(self.site.url, game)
                        page.goto(f"{self.site.url}/puzzle/{game}?number={number}")
                        page.locator(right if what == "right" else wrong).click()
                        page.locator(".aside .button").first.wait_for()
                        if what == "wrong":
                            page.locator(".aside .button").nth(1).click()
            with self.shot(f"position-{game}") as wanted:
                if wanted:
                    page.goto(self.site.url + position_link(game, middle(game)))
                    page.locator('[data-spot][aria-disabled="false"]').first.wait_for()
                    page.locator(".tools .button").nth(1).click()
                    page.locator(".advice").wait_for()
        for game in REVIEWED:
            with self.shot(f"review-{game}") as wanted:
                if wanted:
                    page.goto(f"{self.site.url}/r/{reviewed(self.site.url, game)}")
                    page.locator(".review table").first.wait_for()
                    page.locator(".review li .button").first.click()
                    page.wait_for_timeout(600)
        with self.shot("lab-after") as wanted:
            if wanted:
                page.goto(f"{self.site.url}/lab")
                until(page, "document.querySelector('.shapes') && !document.querySelector('.viewport .lost')")
                page.locator(".side .shape").first.click()
                page.locator(".side .button.main").click()
                until(page, "document.querySelector('.told')?.textContent")
                page.wait_for_timeout(2500)

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
                page.locator(".viewport .tool").last.click()
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
                    self.sit("yikerz", setup=magnets(phase, **more), settings={"remind": True})


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
