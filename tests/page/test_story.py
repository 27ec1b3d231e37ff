"""What is told of a game while it is played: turns in the log, the way of what moved, a goal that is seen."""

import time
from itertools import pairwise

from playwright.sync_api import expect

from page.moments import middle
from page.site import A_STEP, DO_SOMETHING, PATIENCE, People, at_rest, open_table, sit_against_bot, until
from wykersham.board import table as position_of


def test_the_log_has_one_entry_for_each_turn_with_its_dice_and_its_steps(people: People) -> None:
    page = sit_against_bot(people, "wykersham", setup=middle("wykersham"))
    at_rest(page)
    deadline = time.monotonic() + PATIENCE / 1000
    while not page.locator(".turn.by-1 details").count() or not page.title().startswith("●"):
        assert time.monotonic() < deadline, page.title()
        page.evaluate(DO_SOMETHING)
        page.wait_for_timeout(30)
    seats = page.locator("li.turn").evaluate_all("some => some.map((one) => one.className.match(/by-(\\w+)/)[1])")
    assert all(one != other for one, other in pairwise(seats)), seats
    turn = page.locator(".turn.by-1:has(details)").last
    expect(turn.locator("summary .small-die")).to_have_count(2)
    expect(turn.locator("summary strong")).to_have_text("Percy")
    expect(turn.locator("summary")).to_contain_text("Percy puts a marble")
    expect(turn.locator("summary")).not_to_contain_text("rolls")
    first = turn.locator("details li").nth(1)
    expect(first).to_be_hidden()
    turn.locator("summary").click()
    expect(first).to_be_visible()
    mine = page.locator(".turn.by-0").first
    expect(mine).to_contain_text("You put a marble")
    expect(mine).not_to_contain_text("Anna")
    page.get_by_role("button", name="Français").click()
    expect(mine).to_contain_text("Tu poses une bille")


def test_the_way_of_the_last_pawn_is_drawn(people: People) -> None:
    page = sit_against_bot(people, "twisty", setup=middle("twisty"))
    at_rest(page)
    expect(page.locator("polyline.trail")).to_have_count(0)
    page.locator(A_STEP).first.click()
    expect(page.locator("polyline.trail")).to_have_count(2)


def test_a_goal_is_seen_and_its_marbles_fly_to_the_tray(people: People) -> None:
    """Unless motion is reduced."""
    sliding = position_of(". . . . . . .\n" + ". . r . . . .\n" * 4, "26", "6@3", "2@1", turns=13).view
    seats = [{"kind": "open"}, {"kind": "open"}]
    table, _ = open_table(people.site, "wykersham", seats=seats, setup=sliding)
    watch = """() => {
      window.most = { held: 0, flying: 0 };
      new MutationObserver(() => {
        for (const kind of ['held', 'flying'])
          window.most[kind] = Math.max(window.most[kind], document.querySelectorAll(`svg .${kind}`).length);
      }).observe(document.body, { childList: true, subtree: true });
    }"""
    anna = people.come(f"/t/{table}", name="Anna", reduced_motion="no-preference")
    bruno = people.come(f"/t/{table}", name="Bruno")
    for page in (anna, bruno):
        page.get_by_role("button", name="Sit here").first.click()
    at_rest(anna)
    for one in (anna, bruno):
        one.locator("[data-board]").wait_for()
        one.evaluate(watch)
    anna.get_by_role("button", name="Slide towards 6").last.click()
    anna.get_by_role("button", name="Take them").click()
    until(anna, "window.most.flying === 5 && window.most.held === 1")
    expect(anna.locator("svg .flying")).to_have_count(0)
    expect(bruno.locator(".lines")).to_contain_text("wins")
    assert bruno.evaluate("window.most") == {"held": 0, "flying": 0}
