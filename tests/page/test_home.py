"""A home that knows one: who to play against, an opponent to be found, one's name, puzzles of the day, results and figures."""

import contextlib
import json
import re
import sqlite3
import time
from typing import Any

from playwright.sync_api import Page, expect

from page.site import PATIENCE, People, Site, until

LONG = 6 * PATIENCE


def result(number: int, returns: list[float], level: int = 2, **more: Any) -> dict[str, Any]:
    """A finished game of Wykersham against a bot, as a browser keeps it."""
    return {
        "record": f"record-{number}",
        "game": "wykersham",
        "ended": 1_790_000_000_000 + number,
        "seats": [0],
        "players": ["human", f"bot:{level}"],
        "names": ["Anna", f"Bot {level}"],
        "returns": returns,
        "review": None,
        **more,
    }


def remembers(page: Page, *results: dict[str, Any]) -> None:
    """The browser has kept these results."""
    page.evaluate("results => localStorage.setItem('ludotheque.results', results)", json.dumps(results))
    page.reload()


def card(page: Page, title: str) -> Any:
    return page.locator(".games > li", has=page.get_by_role("heading", name=title, exact=True))


def test_play_now_shows_who_and_the_one_played_last_is_there_the_next_time(people: People) -> None:
    page = people.come("/")
    wykersham = card(page, "Wykersham")
    wykersham.get_by_role("button", name="Against Mabel, level 2 of 5.").click()
    dialog = page.get_by_role("dialog", name="Who do you want to play?")
    expect(dialog.get_by_role("radio")).to_have_count(5)
    expect(dialog.get_by_role("radio", name="Mabel")).to_be_checked()
    expect(dialog).to_contain_text("Goes through all 36 rolls of your next turn before moving.")
    until(page, "document.querySelectorAll('dialog label svg rect').length >= 5")
    dialog.get_by_role("radio", name="Percy").check(force=True)
    dialog.get_by_role("button", name="Play against Percy").click()
    page.locator(".around").wait_for(timeout=LONG)
    page.goto(page.url.split("/t/")[0] + "/")
    expect(card(page, "Wykersham").get_by_role("button", name="Against Percy, level 1 of 5.")).to_be_visible()
    expect(card(page, "Twisty").get_by_role("button", name="Against Nils, level 2 of 5.")).to_be_visible()


def test_whoever_always_wins_is_told_of_a_better_opponent_and_of_the_last_result(people: People) -> None:
    page = people.come("/", language="fr-FR")
    remembers(page, *(result(number, [1, 0]) for number in range(3)))
    expect(card(page, "Wykersham")).to_contain_text("Tu as gagné trois fois de suite contre Mabel. Edgar serait plus")
    expect(page.get_by_text("Tu as gagné à Wykersham contre Mabel.")).to_be_visible()
    expect(page.get_by_role("link", name="La revoir")).to_have_attribute("href", "/r/record-2")


def test_a_guest_is_asked_for_a_name_before_sitting_down_with_others(people: People, site: Site) -> None:
    secret = site.ask("POST", "/api/people", {"name": "Quentin"})["secret"]
    table = site.ask("POST", "/api/tables", {"game": "yam-master"}, secret)["table"]["id"]
    page = people.come(f"/t/{table}")
    page.get_by_role("button", name="Sit here").click()
    page.get_by_label("What shall the others call you?").fill("Zoé")
    page.get_by_role("button", name="Sit here").click()
    expect(page.locator(".seats")).to_contain_text("Zoé")
    seats = site.ask("GET", f"/api/tables/{table}")["seats"]
    assert [seat["name"] for seat in seats] == ["Quentin", "Zoé"]
    page.goto(f"{site.url}/settings")
    expect(page.get_by_label("My name")).to_have_value("Zoé")


def test_a_table_for_others_is_not_opened_without_a_name(people: People) -> None:
    page = people.come("/new/yam-master")
    page.get_by_label("What shall the others call you?").fill("Zoé")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".seats")).to_contain_text("Zoé", timeout=LONG)


def looks_for_somebody(page: Page, name: str) -> None:
    card(page, "Wykersham").get_by_role("button", name="Find me an opponent (Wykersham)").click()
    page.get_by_label("What shall the others call you?").fill(name)
    page.get_by_role("button", name="Look for somebody").click()


def test_two_who_look_for_an_opponent_meet_and_one_plays_a_bot_meanwhile(people: People) -> None:
    anna = people.come("/")
    looks_for_somebody(anna, "Anna")
    expect(anna.get_by_text("Looking for an opponent at Wykersham…")).to_be_visible()
    anna.get_by_role("button", name="Play a bot meanwhile").click()
    anna.locator(".around").wait_for(timeout=LONG)
    with_bot = anna.url
    bruno = people.come("/")
    looks_for_somebody(bruno, "Bruno")
    expect(anna.get_by_text("Somebody wants to play Wykersham with you.")).to_be_visible(timeout=LONG)
    assert anna.url == with_bot, "nobody is torn away from a game"
    anna.get_by_role("button", name="Go to the table").click()
    for page in (anna, bruno):
        page.locator(".around").wait_for(timeout=LONG)
        expect(page.locator(".around")).to_contain_text("Anna")
        expect(page.locator(".around")).to_contain_text("Bruno")


def test_whoever_closes_the_window_is_no_longer_on_the_list(people: People, site: Site) -> None:
    page = people.come("/")
    looks_for_somebody(page, "Carla")
    expect(page.get_by_text("Looking for an opponent at Wykersham…")).to_be_visible()

    def waiting() -> int:
        with contextlib.closing(sqlite3.connect(site.folder / "tables.db")) as connection:
            return int(connection.execute("SELECT count(*) FROM seekers").fetchone()[0])

    assert waiting() == 1
    page.goto("about:blank")
    deadline = time.monotonic() + PATIENCE / 1000
    while waiting():
        assert time.monotonic() < deadline
        page.wait_for_timeout(30)


def test_a_game_that_is_being_played_is_shown_on_a_small_board(people: People, site: Site) -> None:
    page = people.come("/", name="Anna")
    open_one = """() => fetch("/api/tables", {
      method: "POST",
      headers: { authorization: `Bearer ${localStorage["ludotheque.secret"]}`, "content-type": "application/json" },
      body: JSON.stringify({ game: "wykersham", seats: [{ kind: "me" }, { kind: "bot", level: 1 }] }),
    }).then(answer => answer.json()).then(({ table }) => table.id)"""
    table = page.evaluate(open_one)
    page.goto(f"{site.url}/t/{table}")
    page.locator(".around").wait_for(timeout=LONG)
    page.goto(f"{site.url}/")
    expect(page.locator(".mine .small .board").first).to_be_visible(timeout=LONG)
    other = people.come("/")
    other.locator(".more .small").first.scroll_into_view_if_needed(timeout=LONG)  # boards are drawn when they come near
    expect(other.locator(".more .small .board").first).to_be_visible(timeout=LONG)


def test_todays_puzzles_say_what_became_of_them(people: People) -> None:
    page = people.come("/")
    today, yesterday = (page.evaluate(f"new Date(Date.now() - {ago}).toISOString().slice(0, 10)") for ago in (0, 864e5))
    days = {"last": today, "row": 3, "day": today, "tried": {"twisty": True, "yam-master": False}}
    page.evaluate("days => localStorage.setItem('ludotheque.puzzle-days', days)", json.dumps(days))
    page.reload()
    riddles = page.locator(".riddles")
    expect(page.get_by_text("3 days in a row")).to_be_visible()
    expect(riddles.get_by_role("link", name="Twisty Solved")).to_have_attribute("href", "/puzzle/twisty")
    expect(riddles.get_by_role("link", name="Yam Master Missed")).to_be_visible()
    expect(riddles.get_by_role("link", name="Wykersham Not tried yet")).to_be_visible()
    days |= {"last": yesterday, "day": yesterday}
    page.evaluate("days => localStorage.setItem('ludotheque.puzzle-days', days)", json.dumps(days))
    page.reload()
    expect(riddles.get_by_role("link", name="Twisty Not tried yet")).to_be_visible()
    expect(page.get_by_text("3 days in a row")).to_be_visible()


def test_my_figures_tell_what_is_known_and_what_is_not(people: People) -> None:
    page = people.come("/me")
    expect(page.get_by_text("Finish a game, and your figures are here.")).to_be_visible()
    judged = {"decisions": 20, "lost": 0.5, "luck": -0.125}
    remembers(
        page,
        result(3, [0, 1], level=4),
        result(2, [1, 0]),
        result(1, [1, 0], review=judged),
        result(0, [0, 1], seats=[0, 1], players=["human", "human"]),
    )
    told = page.locator("section", has=page.get_by_role("heading", name="Wykersham"))
    expect(told.locator("dl")).to_contain_text("Played 3")
    expect(told.locator("dl")).to_contain_text(re.compile(r"Won\s+2\s+\(67\s%\)"))
    expect(told.get_by_role("row", name="Mabel bot, level 2")).to_contain_text("2")
    expect(told.get_by_role("row", name="Winifred bot, level 4")).to_contain_text("0")
    lost = re.compile(r"^Chance to win lost per decision: 2\.5\s% in the latest game")
    expect(told.get_by_role("img", name=lost)).to_be_visible()
    expect(told.get_by_role("img", name=re.compile(r"^Luck of the dice: −13\s% in the latest game"))).to_be_visible()
    expect(told).to_contain_text("1 of 3 games are reviewed")
    expect(told).to_contain_text("One game at a shared screen is not counted.")
    expect(told.get_by_role("link", name="Review your latest game")).to_have_attribute("href", "/r/record-3#review")


def test_a_lesson_points_at_what_it_talks_about_and_says_what_is_wrong_with_another_try(people: People) -> None:
    page = people.come("/learn/twisty")
    page.locator('[data-spot="f2"][aria-disabled="false"]').wait_for(timeout=LONG)
    expect(page.locator("[data-ring]")).to_have_count(2)
    over = """() => {
      const [ring, square] = ["[data-ring]", '[data-spot="f2"]'].map(one => document.querySelector(one).getBoundingClientRect());
      return [ring.left < square.left, ring.right > square.right, ring.top < square.top, ring.bottom > square.bottom];
    }"""
    assert page.evaluate(over) == [True] * 4
    page.locator('[data-spot="c1"]').click()
    expect(page.locator(".wrong")).to_contain_text("There is no F on that square, and only the next colour")
    page.locator('[data-spot="f2"]').click()
    expect(page.locator(".task")).to_contain_text("Collected. The token is yours")
    expect(page.locator("[data-ring]")).to_have_count(0)


def test_a_wrong_answer_to_a_puzzle_is_told_what_it_leaves_out(people: People) -> None:
    page = people.come("/puzzle/yam-master?number=2")
    page.locator('[data-spot="r1c3"][aria-disabled="false"]').click(timeout=LONG)
    expect(page.locator(".said")).to_contain_text("There is something better", timeout=LONG)
    expect(page.get_by_text("Yours: Blue places a pawn on the upper Défi.")).to_be_visible()
    expect(page.get_by_text("What this leaves out:")).to_be_visible()
    expect(page.get_by_text("Blue could then gain a point on the upper Sec.")).to_be_visible()
    page.get_by_role("button", name="Try once more").click()
    page.locator('[data-spot="r3c4"][aria-disabled="false"]').click()
    expect(page.locator(".said")).to_contain_text("Exactly: nothing is better", timeout=LONG)
    expect(page.get_by_text("Blue could then gain a point on the upper Sec.")).to_be_visible()
