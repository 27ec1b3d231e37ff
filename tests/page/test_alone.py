"""Boards that one plays alone: lessons, puzzles and shared positions; and hints and slides, which are alike at every board."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from page.moments import middle, position_link
from page.site import PATIENCE, People, Site, at_rest, open_table, sit_against_bot, until
from wykersham.board import table as position_of

# What each step of a lesson asks for: a place on the board, or a button.
LESSONS = {
    "twisty": ["f2", "e4", "f5", "c7", "Protect my cubes", "d3", "d4"],
    "wykersham": [
        "3@4", "Slide towards 6", "3@4", "Slide towards 6", "Take them", "All 2", "Slide towards 6", "Take the combination",
    ],
}  # fmt: skip
WITH_A_FINGER: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def _refused(page: Page) -> list[str]:
    """The answers that refuse something, from now on."""
    some: list[str] = []

    def look(response: Response) -> None:
        if response.status >= 400:
            some.append(f"{response.status} {response.request.method} {response.url} {response.request.post_data}")

    page.on("response", look)
    return some


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(LESSONS))
def test_a_lesson_asks_nothing_that_is_refused(people: People, game: str) -> None:
    page = people.come("/about")
    refused = _refused(page)
    page.goto(f"{people.site.url}/learn/{game}")
    tasks = LESSONS[game]
    for place, task in enumerate(tasks):
        expect(page.get_by_text(f"Step {place + 1} of {len(tasks)}")).to_be_visible()
        if re.fullmatch(r"\w@?\d", task):
            page.locator(f'[data-spot="{task}"][aria-disabled="false"]').click()
        else:
            page.locator(".hand").get_by_role("button", name=task).click()
        if place + 1 < len(tasks):
            onward = page.locator(".aside").get_by_role("button", name="Go on")
            expect(onward).to_be_enabled()
            onward.click()
    expect(page.locator(".aside").get_by_role("button", name="Play now")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert refused == []


@pytest.mark.parametrize("screen", [(1200, 800), (360, 740)])
def test_a_position_shows_who_has_what_and_whose_turn_it_is(people: People, screen: tuple[int, int]) -> None:
    view = middle("yam-master") | {"player": 0}
    page = people.come(position_link("yam-master", view), viewport={"width": screen[0], "height": screen[1]})
    plates = page.locator(".plate")
    expect(plates).to_have_count(2)
    for seat, name in enumerate(["Anna", "Bruno"]):
        expect(plates.nth(seat)).to_contain_text(name)
        expect(plates.nth(seat)).to_contain_text(f"{view['points'][seat]} point")
        expect(plates.nth(seat)).to_contain_text(f"{view['stock'][seat]} pawn")
    expect(plates.first).to_contain_text("to play")
    expect(plates.last).not_to_contain_text("to play")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_puzzle_shows_who_has_what_and_whose_turn_it_is(people: People) -> None:
    collected = people.site.ask("GET", "/api/games/twisty/puzzles/48")["position"]["collected"]
    page = people.come("/puzzle/twisty?number=48", language="fr-FR")
    expect(page.locator(".plate")).to_have_count(2)
    for seat, count in enumerate(collected):
        expect(page.locator(".plate").nth(seat)).to_contain_text(f"{count} sur 7")
    expect(page.locator(".plate.turn")).to_have_count(1)


def test_a_puzzle_does_not_mark_what_an_answer_brings(people: People) -> None:
    """At a shared position the board says which squares collect or steal; in a puzzle that would be the answer."""
    seen = [0]

    def count(response: Response) -> None:
        if response.url.endswith("/api/position"):
            seen[0] += 1

    page = people.come("/puzzle/twisty?number=48")
    puzzle = people.site.ask("GET", "/api/games/twisty/puzzles/48")
    page.goto(people.site.url + position_link("twisty", puzzle["position"], puzzle["options"]))
    expect(page.locator(".prize")).not_to_have_count(0)
    expect(page.locator('[data-spot][aria-label*="collects"], [data-spot][aria-label*="steals"]')).not_to_have_count(0)
    page.on("response", count)
    page.goto(f"{people.site.url}/puzzle/twisty?number=48")
    expect(page.locator('[data-spot][aria-disabled="false"]')).not_to_have_count(0)
    squares = page.locator('[data-spot][aria-disabled="false"]').count()
    deadline = time.monotonic() + PATIENCE / 1000
    while seen[0] <= squares:  # the position, and then every square within reach
        assert time.monotonic() < deadline, (seen, squares)
        page.wait_for_timeout(30)
    expect(page.locator(".prize")).to_have_count(0)
    expect(page.locator('[data-spot][aria-label*="collects"], [data-spot][aria-label*="steals"]')).to_have_count(0)


def _before_a_slide(people: People, **screen: Any) -> Page:
    """A slide makes a goal of five marbles."""
    sliding = position_of(". . . . . . .\n" + ". . r . . . .\n" * 4, "26", "6@3", "2@1", turns=13).view
    seats = [{"kind": "open"}, {"kind": "bot", "level": 1}]
    table, _ = open_table(people.site, "wykersham", seats=seats, settings={"pace": 0, "hints": True}, setup=sliding)
    page = people.come(f"/t/{table}", name="Anna", **screen)
    page.get_by_role("button", name="Sit here").click()
    at_rest(page)
    return page


PRESS = """(button, kind) => button.dispatchEvent(new PointerEvent(kind, {
  bubbles: true, cancelable: true, pointerId: 7, pointerType: 'touch', isPrimary: true, clientX: %s, clientY: %s,
}))"""


def _press(page: Page, name: str, *kinds: str, aside: float = 0) -> None:
    button = page.get_by_role("button", name=name).last
    box = button.bounding_box()
    assert box is not None
    for kind in kinds:
        button.evaluate(PRESS % (box["x"] + box["width"] / 2 + aside, box["y"] + box["height"] / 2), kind)


def test_a_slide_is_shown_while_it_is_pressed_and_made_by_one_tap(people: People) -> None:
    page = _before_a_slide(people, **WITH_A_FINGER)
    goals = page.locator("polyline.goal")
    expect(page.get_by_role("button", name="Slide towards 6 · makes a goal")).to_be_visible()
    expect(goals).to_have_count(0)
    _press(page, "Slide towards 6", "pointerdown")
    expect(goals).to_have_count(1)
    _press(page, "Slide towards 6", "pointerup", aside=500)  # the finger has left it: nothing is played
    expect(goals).to_have_count(0)
    assert page.locator(".lines li").count() == 0
    page.get_by_role("button", name="Slide towards 6").last.tap()
    expect(page.get_by_role("button", name="Take them")).to_be_visible()


@pytest.mark.slow
def test_a_hint_leaves_the_explanation_where_it_is(people: People, site: Site) -> None:
    asked = {
        "wykersham": "Slide rail 1?",
        "twisty": "Jump like a knight.",
        "yam-master": "You can place on the raised cells.",
    }
    for game, words in asked.items():
        if game == "wykersham":
            page = _before_a_slide(people)
        else:
            page = sit_against_bot(people, game, settings={"pace": 0, "hints": True}, setup=middle(game))
            at_rest(page)
        page.mouse.move(0, 0)  # over a button it would tell what the button does
        expect(page.locator(".state")).to_contain_text(words)
        actions = page.locator(".hand .actions").bounding_box()
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".hand")).to_contain_text("Hint:", timeout=9 * PATIENCE)
        expect(page.locator(".state")).to_contain_text(words)
        assert page.locator(".hand .actions").bounding_box() == actions, "the buttons stay where they are"


def test_past_games_say_who_won(people: People) -> None:
    page = sit_against_bot(people, "twisty")
    at_rest(page)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".ended")).to_be_visible()
    page.goto(f"{people.site.url}/games")
    expect(page.locator("li.card a").first).to_have_text("Twisty · Lou beat Anna")
    expect(page.locator("li.card").first.locator(".outcome")).to_have_text("You lost")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("li.card a").first).to_have_text("Twisty · Lou a battu Anna")
    until(page, "document.documentElement.scrollWidth <= innerWidth")
