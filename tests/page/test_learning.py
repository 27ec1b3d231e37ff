"""Learning on the page: puzzles with why, reviews with their curve, a word with the others; and a third party's board."""

import re
import time
from typing import Literal

import pytest
from playwright.sync_api import Page, Route, expect

from ludotheque.analysis.puzzles import read_puzzles
from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Match, find_game
from page.moments import blundered, middle, plain, position_link
from page.site import People, Site, open_table, serious, sit_against_bot, until, upload

LONG = 180_000  # milliseconds: a worker may have to load the engine first


def for_everyone(page: Page) -> None:
    """Nothing serious for axe, by day, by night, and nothing sticks out on a phone."""
    assert serious(page) == []
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    until(page, "document.documentElement.hasAttribute('data-night')")
    assert serious(page, "color-contrast") == []
    page.set_viewport_size({"width": 360, "height": 740})
    until(page, "document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": 1200, "height": 800})


@pytest.mark.both_hosts
def test_a_puzzle_is_tried_told_and_tried_again(people: People) -> None:
    page = people.come("/puzzle/yam-master?number=5")
    expect(page.get_by_text("Red to play. Where does the pawn go?")).to_be_visible()
    expect(page.get_by_text("Grade 1 of 5")).to_be_attached()
    page.locator('[data-spot="r2c4"][aria-disabled="false"]').click()
    expect(page.locator(".said")).to_contain_text("There is something better", timeout=LONG)
    expect(page.get_by_text(re.compile(r"^Best: "))).to_have_count(0)
    page.get_by_role("button", name="Show the best, and why").click()
    expect(page.get_by_text("Best: Red places a pawn on the lower Full")).to_be_visible()
    for_everyone(page)
    page.get_by_role("button", name="Try once more").click()
    page.locator('[data-spot="r3c2"][aria-disabled="false"]').click()
    expect(page.locator(".said")).to_contain_text("Exactly: nothing is better", timeout=LONG)


@pytest.mark.both_hosts
def test_puzzles_in_a_row_are_counted_and_remembered(people: People) -> None:
    page = people.come("/puzzle/yam-master?number=5", language="fr-FR")
    page.locator('[data-spot="r3c2"][aria-disabled="false"]').click()
    expect(page.locator(".said")).to_contain_text("il n’y a pas mieux", timeout=LONG)
    expect(page.get_by_text("1 de suite")).to_be_visible()
    page.get_by_role("button", name="Énigme suivante").click()
    expect(page).to_have_url(re.compile(r"number=\d+$"))
    expect(page).not_to_have_url(re.compile(r"number=5$"))
    page.reload()
    expect(page.get_by_text("1 de suite")).to_be_visible()


def test_the_puzzle_of_the_day_is_offered_where_there_are_puzzles(people: People) -> None:
    page = people.come("/")
    card = page.locator('li[data-game="yam-master"]')
    card.get_by_role("link", name="Puzzle of the day").click()
    expect(page.get_by_role("heading", name="Puzzle of the day: Yam Master")).to_be_visible()
    expect(page.locator("[data-spot]").first).to_be_visible()
    page.goto(people.site.url)
    expect(page.locator('li[data-game="yikerz"]').get_by_role("link", name="Puzzle of the day")).to_have_count(0)


def test_a_review_shows_the_blunder_the_better_choice_and_where_it_was(people: People, site: Site) -> None:
    page = people.come(f"/r/{upload(site, blundered())}", name="Anna")
    page.get_by_role("button", name="Review this game").click()
    curve = page.get_by_role("img", name=re.compile("Chance to win of Anna"))
    expect(curve).to_be_visible(timeout=LONG)
    expect(page.get_by_text("Played: Anna passes.")).to_be_visible()
    expect(page.get_by_text("Five in line: Anna wins")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("^Anna"))).to_contain_text("1 blunder")
    page.get_by_role("button", name=re.compile("^Show it")).first.click()
    expect(page.get_by_text("Step 1 of 4")).to_be_visible()
    expect(page.locator(".hinted")).to_be_visible()
    box = curve.bounding_box()
    assert box is not None
    curve.click(position={"x": box["width"] * 0.74, "y": 20})
    expect(page.get_by_text("Step 3 of 4")).to_be_visible()
    page.get_by_text("All numbers as a table").click()
    page.get_by_role("group", name="All numbers as a table").get_by_role("button", name="2").click()
    expect(page.get_by_text("Step 2 of 4")).to_be_visible()
    for_everyone(page)
    page.reload()
    expect(page.get_by_role("img", name=re.compile("Chance to win of Anna"))).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Play on against a bot").click()
    expect(page).to_have_url(re.compile("/t/"))
    expect(page.get_by_role("button", name="Hint")).to_be_visible()


def test_a_review_goes_on_without_its_asker_and_can_be_stopped(people: People, site: Site) -> None:
    match = Match(find_game("twisty"), dice=Dice("long"))
    player = bot(match.game, 1)
    while not match.over:
        match.draw() if match.to_move == CHANCE else match.play(
            player.choose(match.position, seed=len(match.log)).action
        )
    page = people.come(f"/r/{upload(site, plain(match))}", name="Anna")
    page.get_by_role("button", name="Review this game").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.reload()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The review was stopped.")).to_be_visible()


def test_yikerz_says_kindly_that_it_has_no_review(people: People, site: Site) -> None:
    page = people.come(f"/r/{upload(site, plain(Match(find_game('yikerz'), dice=Dice('hands'))))}", language="fr-FR")
    expect(page.get_by_text("se joue à la main")).to_be_visible()


def test_somebody_is_muted_and_shown_out(people: People, site: Site) -> None:
    anna = people.come("/new/yam-master", name="Anna")
    anna.get_by_role("button", name="Open the table").click()
    until(anna, "location.pathname.startsWith('/t/')")
    bruno = people.come(anna.url.removeprefix(site.url), name="Bruno")
    bruno.get_by_role("button", name="Sit here").click()
    for page in (anna, bruno):
        page.get_by_text("Say something").click()
    say = bruno.get_by_role("button", name="Good luck!")
    say.click()
    expect(anna.get_by_role("listitem").filter(has_text="Bruno: Good luck!")).to_have_count(1)
    anna.get_by_role("button", name="Mute Bruno").click()
    expect(anna.get_by_role("button", name="Hear Bruno again")).to_be_visible()
    say.click()
    expect(bruno.get_by_role("listitem").filter(has_text="Bruno: Good luck!")).to_have_count(2)
    anna.get_by_role("button", name="Good luck!").click()
    expect(anna.get_by_role("listitem").filter(has_text="Anna: Good luck!")).to_have_count(1)
    expect(anna.get_by_role("listitem").filter(has_text="Bruno: Good luck!")).to_have_count(1)
    expect(bruno.get_by_role("button", name="Show Anna out")).to_have_count(0)
    anna.get_by_role("button", name="Show Bruno out").click()
    anna.get_by_role("button", name="Yes").click()
    expect(bruno.get_by_text("The host has shown you out.")).to_be_visible()


def test_a_scored_line_is_drawn_until_the_next_pawn(people: People) -> None:
    view = {
        "phase": "decide", "player": 0, "rolls": 3, "dice": "11134", "kept": "", "defi": False,
        "board": [".00..", "..1..", "..1..", ".....", "....."], "stock": [10, 10], "turns": [2, 2], "winner": None,
    }  # fmt: skip
    page = people.come(position_link("yam-master", view))
    page.locator('[data-spot="r1c1"][aria-disabled="false"]').click()
    expect(page.locator("path.scored")).to_have_count(2)
    page.get_by_role("button", name="Roll the dice").click()
    until(page, "document.querySelectorAll('[data-spot][aria-disabled=false], .actions button').length > 0")
    expect(page.locator("path.scored")).to_have_count(2)


def test_a_scored_line_is_still_there_when_the_window_is_loaded_again(people: People, site: Site) -> None:
    view = {
        "phase": "decide", "player": 0, "rolls": 3, "dice": "11134", "kept": "", "defi": False,
        "board": [".00..", "..1..", "..1..", ".....", "....."], "stock": [10, 10], "turns": [2, 2], "winner": None,
    }  # fmt: skip
    table, _ = open_table(site, "yam-master", setup=view, seats=[{"kind": "open"}, {"kind": "open"}])
    anna, bruno = people.come(f"/t/{table}", name="Anna"), people.come(f"/t/{table}", name="Bruno")
    anna.get_by_role("button", name="Sit here").first.click()
    bruno.get_by_role("button", name="Sit here").last.click()
    anna.locator('[data-spot="r1c1"][aria-disabled="false"]').click()
    expect(bruno.locator("path.scored")).to_have_count(2)
    bruno.get_by_role("button", name="Roll the dice").click()
    expect(anna.locator(".lines li").last).to_contain_text("Bruno rolls")
    anna.reload()
    expect(anna.locator("path.scored")).to_have_count(2)
    expect(anna.locator(".cell.last")).to_have_count(1)


@pytest.mark.both_hosts
def test_the_bot_s_opinion_of_a_position_is_told_in_words(people: People) -> None:
    view = {
        "phase": "decide", "player": 0, "rolls": 3, "dice": "11134", "kept": "", "defi": False,
        "board": [".00..", "..1..", "..1..", ".....", "....."], "stock": [10, 10], "turns": [2, 2], "winner": None,
    }  # fmt: skip
    page = people.come(position_link("yam-master", view), language="fr-FR")
    page.get_by_role("button", name="Demander au robot").click()
    best = page.get_by_role("list", name="Les meilleures actions").get_by_role("button").first
    expect(best).to_contain_text("Anna pose un pion sur le 1 du haut", timeout=LONG)
    best.click()
    expect(page.locator("path.scored")).to_have_count(2)


def test_a_stolen_cube_travels_unless_motion_is_reduced(people: People) -> None:
    view = {
        "phase": "move", "player": 0, "series": ["AFEDGBC", "DCGEBAF"],
        "board": [".ACFEs.", "xDF.o+.", "C.GLxEL", "CDA.+GG", "BFxoBLB", "Aos.+s.", ".BoD..."],
        "pawns": ["c5", "d3"], "collected": [3, 4], "protected": ["", ""], "used": [], "round": 19, "first": 1, "winner": None,
    }  # fmt: skip
    flights = """() => {
        window.flights = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...given) {
            if (this.matches('[data-cube="0D"]')) window.flights += 1;
            return animate.apply(this, given);
        };
    }"""
    motions: list[tuple[Literal["no-preference", "reduce"], bool]] = [("no-preference", True), ("reduce", False)]
    for motion, expected in motions:
        page = people.come("/about")
        page.emulate_media(reduced_motion=motion)
        page.goto(people.site.url + position_link("twisty", view))
        page.locator('[data-spot="d3"][aria-disabled="false"]').wait_for()
        page.evaluate(flights)
        page.locator('[data-spot="d3"]').click()
        expect(page.get_by_text("Anna steals cube D from Bruno").first).to_be_visible()
        if expected:
            until(page, "window.flights > 0")
        else:  # the thief chooses a corner: everything that the theft does to the board has been done
            page.locator('[data-spot="a1"][aria-disabled="false"]').wait_for()
            assert page.evaluate("window.flights") == 0


def test_a_third_partys_board_is_loaded_and_played_to_the_end(people: People, site: Site) -> None:
    """Pig's board is its package's own module; its puzzle is a file beside it; nothing of ours knows of it."""
    page = sit_against_bot(people, "pig", options={"goal": 10}, settings={"pace": 0, "dice": "auto"})
    expect(page.locator('[data-board="pig"]')).to_contain_text("Anna 0", timeout=LONG)
    deadline = time.monotonic() + 90
    while not page.locator(".ended").count():
        assert time.monotonic() < deadline, page.title()
        page.evaluate(
            """() => document.title.startsWith('●')
                && [...document.querySelectorAll('.host [data-action]')].find((one) => one.dataset.action === 'roll'
                   || /[+][1-9]/.test(document.querySelector('[data-board]').textContent))?.click()"""
        )
        page.wait_for_timeout(30)
    page.goto(site.url + "/puzzle/pig")
    page.locator('[data-board="pig"]').wait_for()
    page.get_by_role("button", name="Hold").click()
    expect(page.locator(".said")).to_contain_text("Exactly: nothing is better", timeout=LONG)


def test_a_game_without_a_board_is_drawn_as_in_a_terminal(people: People) -> None:
    """Pig as if its package brought nothing for the page."""

    def without_boards(route: Route) -> None:
        listed = route.fetch().json()
        route.fulfill(json={**listed, "games": [{**one, "board": None, "manifest": None} for one in listed["games"]]})

    page = people.come("/")
    page.context.route("**/api/games", without_boards)
    page.goto(people.site.url + position_link("pig", {"player": 0, "banked": [25, 3], "turn": 5, "rolling": False}))
    expect(page.locator(".generic pre")).to_have_text("Pink 25   Black 3   +5", timeout=LONG)
    page.get_by_role("button", name="hold", exact=True).click()
    expect(page.locator(".generic pre")).to_have_text("Pink 30   Black 3   +0", timeout=LONG)
    for_everyone(page)


def test_a_third_partys_manifest_makes_its_game_look_as_ours(people: People, site: Site) -> None:
    """Art, blurb and colours on the home page, pictures in the rules, a lesson: all from Pig's package, in both languages."""
    page = people.come("/", name="Anna", language="fr-FR")
    card = page.locator('.games li[data-game="pig"]')
    expect(card).to_contain_text("Un dé, et du cran.")
    assert card.locator('.art path[fill="#f0b3c0"]').count() == 1, "its own picture"
    colour = "(element) => getComputedStyle(element).backgroundColor"
    assert card.locator(".button.main").evaluate(colour) == "rgb(143, 58, 82)"
    card.get_by_role("link", name="Règles").click()
    expect(page.locator("article h2")).to_have_text("Un tour")
    expect(page.locator("figcaption")).to_contain_text("un 1 fait perdre les 17")
    expect(page.locator('figure [data-board="pig"]')).to_contain_text("+17")
    page.get_by_role("link", name="Première leçon").click()
    expect(page.locator(".task")).to_contain_text("autant que tu l’oses")
    page.locator('[data-action="roll"]').click()
    expect(page.locator(".task")).to_contain_text("c’est toi qui décides")
    page.get_by_role("button", name="English").click()
    expect(page.locator(".task")).to_contain_text("go on, or hold")
    page.locator(".aside").get_by_role("button", name="Go on").click()
    page.locator('[data-action="hold"]').click()
    expect(page.locator(".task")).to_contain_text("you have won")


# Whether the text and most of the board are in sight, and neither lies on the other or on what one plays with.
SIDE_BY_SIDE = """(() => {
  const [board, text, hand] = ['[data-board]', '.aside', '[data-board] + *']
    .map(one => document.querySelector(one).getBoundingClientRect());
  return board.right <= text.left && text.bottom <= hand.top && text.bottom < innerHeight && board.bottom < innerHeight;
})()"""


def test_on_a_phone_on_its_side_the_board_stands_beside_what_is_to_be_read(people: People) -> None:
    page = people.come(viewport={"width": 740, "height": 360}, has_touch=True, is_mobile=True, language="fr-FR")
    shared = position_link("yam-master", middle("yam-master"))
    players = [one.players for one in read_puzzles(find_game("twisty"))]
    twisty = [
        f"/puzzle/twisty?number={1 + players.index(count)}" for count in (2, 4)
    ]  # four series are higher than the board
    for address in ("/learn/wykersham", *twisty, shared):
        page.goto(people.site.url + address)
        page.locator("[data-board]").wait_for()
        until(page, SIDE_BY_SIDE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
