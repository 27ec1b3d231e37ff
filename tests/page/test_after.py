"""After the game and around it: replay, records, fair dice checked in the browser, sharing, lessons, puzzles, settings."""

import json
import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ludotheque.core import find_game
from ludotheque.core.examples import names_on
from page.moments import finished as game_to_the_end
from page.moments import position_link
from page.site import (
    PATIENCE,
    People,
    Site,
    at_rest,
    play_to_the_end,
    serious,
    sit_against_bot,
    until,
    upload,
    with_a_clock_in_hand,
)


@pytest.fixture(scope="module")
def played(browser: Browser, site: Site) -> str:
    """The address of a game that was really played, against a bot, to its end."""
    people = People(browser, site)
    page = sit_against_bot(people, "yam-master", options={"max_turns": 2})
    play_to_the_end(page)
    page.get_by_role("link", name="Look at the game again").click()
    page.locator("input[type=range]").wait_for()
    address = page.url.removeprefix(site.url)
    people.leave()
    assert people.mishaps == []
    return address


@pytest.fixture
def finished(people: People, played: str) -> Page:
    page = people.come(played, name="Zoe")
    page.locator("input[type=range]").wait_for()
    return page


def test_a_game_is_replayed_with_slider_and_keys(finished: Page) -> None:
    expect(finished.get_by_text("The set-up")).to_be_visible()
    finished.keyboard.press("ArrowRight")
    expect(finished.get_by_text("Step 1 of")).to_be_visible()
    expect(finished.locator(".told").first).to_contain_text("rolls")
    finished.keyboard.press("End")
    steps = int(finished.locator("input[type=range]").get_attribute("max") or 0)
    expect(finished.get_by_text(f"Step {steps} of {steps}")).to_be_visible()
    finished.locator("input[type=range]").fill("2")
    expect(finished.get_by_text("Step 2 of")).to_be_visible()


def test_a_replay_plays_by_itself_and_lists_the_turns(finished: Page) -> None:
    """It stops at the end, or where somebody goes elsewhere; a turn of the list leads there, and its steps too."""
    slider = finished.locator("input[type=range]")
    steps = int(slider.get_attribute("max") or 0)
    turns = finished.locator(".turns li.turn")
    expect(turns).to_have_count(4)  # two each
    with_a_clock_in_hand(finished, "document.querySelector('input[type=range]')")
    finished.get_by_role("button", name="Play the game by itself").click()
    for place in range(1, 4):
        finished.clock.run_for(1_100)
        expect(slider).to_have_value(str(place))
        if place == 1:  # a first turn may have two steps only
            expect(turns.nth(0).locator(":scope > button")).to_have_attribute("aria-current", "step")
    finished.keyboard.press("ArrowLeft")
    finished.clock.run_for(5_000)
    expect(slider).to_have_value("2")
    turns.last.locator(":scope > button").click()
    expect(slider).to_have_value(str(steps))
    expect(turns.last.locator(":scope > button")).to_have_attribute("aria-current", "step")
    turns.last.locator(".steps button").first.click()
    assert int(slider.input_value()) < steps
    finished.get_by_role("button", name="To the end").click()
    finished.get_by_role("button", name="Play the game by itself").click()
    expect(slider).to_have_value("0")
    finished.clock.run_for(1_100 * (steps + 2))
    expect(slider).to_have_value(str(steps))
    expect(finished.get_by_role("button", name="Play the game by itself")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 720), (740, 360)])
def test_on_a_phone_the_replays_controls_stay_in_reach(people: People, site: Site, width: int, height: int) -> None:
    record = upload(site, game_to_the_end("wykersham"))
    page = people.come(f"/r/{record}", viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    on = page.get_by_role("button", name="One step forward")
    expect(on).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Place in the game")).to_be_in_viewport(ratio=1)
    on.tap()
    expect(page.locator(".told")).not_to_have_text("The set-up")
    assert page.evaluate("scrollY") == 0


NOTHING_OVER_THE_VERDICT = """(() => {
    const told = document.querySelector(".verdict"), { left, right, bottom } = told.getBoundingClientRect();
    return told.contains(document.elementFromPoint((left + right) / 2, bottom - 4));
})()"""


@pytest.mark.parametrize(("width", "height"), [(1200, 800), (390, 700)])
def test_the_check_of_the_dice_answers_where_it_was_asked(people: People, played: str, width: int, height: int) -> None:
    page = people.come(played, viewport={"width": width, "height": height})
    check = page.get_by_role("button", name="Check the dice here")
    check.evaluate("(one) => one.scrollIntoView({ block: 'end' })")
    check.click()
    told = page.locator(".verdict")
    expect(told).to_contain_text("nobody tampered with them")
    expect(told).to_be_in_viewport(ratio=1)
    expect(check).to_be_in_viewport(ratio=1)
    until(page, NOTHING_OVER_THE_VERDICT)  # the page may still be scrolling


def test_the_dice_are_checked_in_the_browser_and_a_false_one_is_found(
    finished: Page, people: People, tmp_path: Path
) -> None:
    finished.get_by_role("button", name="Check the dice here").click()
    expect(finished.get_by_text("nobody tampered with them")).to_be_visible()
    with finished.expect_download() as download:
        finished.get_by_role("link", name="Download the record").click()
    record = json.loads(Path(download.value.path()).read_text("utf-8"))
    place, total, number = record["dice"]["draws"][-1]
    record["dice"]["draws"][-1] = [place, total, (number + 1) % total]
    bent = tmp_path / "bent.json"
    bent.write_text(json.dumps(record))
    finished.goto(finished.url.split("/r/")[0] + "/games")
    finished.set_input_files("input[type=file]", bent)
    finished.locator("input[type=range]").wait_for()
    finished.get_by_role("button", name="Check the dice here").click()
    expect(finished.get_by_text("the record says")).to_be_visible()


def test_a_bad_record_is_refused_in_words(people: People, tmp_path: Path) -> None:
    page = people.come("/games", name="Anna")
    nonsense = tmp_path / "nonsense.json"
    nonsense.write_text("not at all")
    page.set_input_files("input[type=file]", nonsense)
    expect(page.get_by_role("alert")).to_contain_text("not JSON")
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"ludotheque": 1, "game": "yam-master", "players": [], "setup": {}, "actions": []}')
    page.set_input_files("input[type=file]", wrong)
    expect(page.get_by_role("alert")).not_to_contain_text("not JSON")
    expect(page.get_by_role("alert")).not_to_be_empty()


def test_a_position_is_shared_by_a_link_and_played_on(finished: Page, people: People) -> None:
    finished.keyboard.press("ArrowRight")
    finished.get_by_role("button", name="Link to this position").click()
    link = finished.locator("input.link").input_value()
    guest = people.come(link.removeprefix(people.site.url))
    expect(guest.get_by_text("nothing is stored")).to_be_visible()
    guest.get_by_role("button", name="Roll 5 dice").click()
    expect(guest.get_by_role("button", name="One step back")).to_be_enabled(timeout=PATIENCE)


@pytest.mark.parametrize("game", ["yam-master", "wykersham", "twisty"])
@pytest.mark.both_hosts
def test_the_first_lesson_can_be_finished(people: People, game: str) -> None:
    """Every step's goal is reached by something that the board offers, told apart by the step's own words."""
    page = people.come(f"/learn/{game}")
    goals = {
        "yam-master": [
            ["die:1", "die:1", "die:1", "Roll 2 dice"],
            ["r1c1"],
            ["r4c4"],
            ["die:2", "die:2", "die:5", "die:5", "Challenge!"],
            ["r2c2"],
        ],
        "wykersham": [
            ["3@2"],
            ["Slide towards 6"],
            ["3@4"],
            ["Slide towards 6"],
            ["Take them"],
            ["All 2"],
            ["Slide towards 6"],
            ["Take the combination"],
        ],
        "twisty": [["f2"], ["e4"], ["f5"], ["c7"], ["Protect my cubes"], ["d3"], ["d4"]],
    }[game]
    for number, taps in enumerate(goals):
        expect(page.get_by_text(f"Step {number + 1} of {len(goals)}")).to_be_visible()
        for tap in taps:
            if tap.startswith("die:"):
                page.get_by_role("button", name=f"Die {tap[4:]}, to be rolled again").first.click()
            elif re.fullmatch(r"r\dc\d|[1-6n]@\d|[a-g]\d", tap):
                page.locator(f'[data-spot="{tap}"][aria-disabled="false"]').click()
            else:
                page.locator(".actions").get_by_role("button", name=tap).click()
        if number + 1 < len(goals):
            page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("That is all you need")).to_be_visible()


COMBINATION = find_game("wykersham").examples["combination"]


@pytest.mark.both_hosts
def test_a_combination_is_shown_whole_and_taken_by_one_decision(people: People) -> None:
    """W17: both lines are lit, one button takes both, then the stacked cups of the union are asked about."""
    page = people.come(position_link("wykersham", COMBINATION.view))
    expect(page.locator(".goal.now")).to_have_count(2)
    expect(page.locator(".hand .state")).to_contain_text("A combination of 2 goals")
    page.get_by_role("button", name="Take the combination").click()
    for _ in range(2):
        page.locator(".actions").get_by_role("button", name="All 2").click()
    told = page.locator("main")
    expect(told.get_by_text("Red’s winnings: 11 marbles")).to_be_attached()
    expect(told.get_by_text("Red’s stock: 19 marbles")).to_be_attached()


@pytest.mark.both_hosts
def test_goals_apart_are_decided_one_by_one(people: People) -> None:
    page = people.come(position_link("wykersham", COMBINATION.view, {"combined_goals": False}))
    for _ in range(2):
        expect(page.locator(".goal.now")).to_have_count(1)
        page.get_by_role("button", name="Leave them").click()
    expect(page.locator(".goal")).to_have_count(0)


def test_language_and_light_follow_the_browser_and_can_be_changed(people: People) -> None:
    page = people.come(language="fr-FR", color_scheme="dark")
    expect(page.get_by_role("heading", name="On joue à quoi ?")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "fr"
    assert page.evaluate("document.documentElement.hasAttribute('data-night')")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    page.goto(people.site.url + "/settings")
    page.get_by_label("Light").select_option("light")
    page.reload()
    assert not page.evaluate("document.documentElement.hasAttribute('data-night')")


@pytest.mark.both_hosts
def test_the_rules_call_options_what_the_table_calls_them(people: People) -> None:
    page = people.come("/rules/wykersham", language="fr-FR")
    expect(page.locator("article td").first).to_have_text("Les deux glissements d’un tour vont dans le même sens")
    assert "same_direction" not in page.locator("article").inner_text()


@pytest.mark.parametrize("game", ["yam-master", "wykersham", "twisty", "yikerz"])
@pytest.mark.both_hosts
def test_an_example_of_the_rules_is_drawn_and_opens_on_the_board(people: People, game: str) -> None:
    page = people.come(f"/rules/{game}", viewport={"width": 360, "height": 720}, is_mobile=True, has_touch=True)
    names = names_on(find_game(game).rules_page("en"))
    figures = page.locator("figure", has=page.get_by_role("link", name="Open on the board"))
    expect(figures).to_have_count(len(names))
    for number in range(len(names)):
        # What the rules are told with comes piece by piece, and the text is drawn anew with each: the figure of now counts.
        drawn = "one?.scrollIntoView() ?? one?.querySelector('.picture svg')?.checkVisibility()"
        until(page, f"(one => {drawn})(document.querySelectorAll('figure.example')[{number}])")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    figures.last.get_by_role("link").click()
    expect(page.get_by_text("nothing is stored")).to_be_visible()
    expect(page.locator(".problem")).to_have_count(0)
    page.locator("[data-board]").first.wait_for()


def test_an_identity_comes_over_to_another_device(people: People) -> None:
    page = people.come("/settings", name="Anna")
    page.get_by_role("button", name="Show the code").click()
    link = page.locator("a[href*='/d/']").get_attribute("href") or ""
    other = people.come("/d/" + link.split("/d/")[1])
    other.get_by_role("button", name="Use my name here").click()
    expect(other.get_by_text("Welcome, Anna.")).to_be_visible()


def test_the_end_shows_the_score_and_offers_a_bot_that_suits_better(people: People) -> None:
    """Who loses is offered a weaker one; "Play now" remembers it."""
    page = people.come()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    at_rest(page)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes").click()
    ended = page.locator(".ended")
    expect(ended.locator("dl > div")).to_have_count(2)
    expect(ended.locator("dl > .best")).to_contain_text("Nils")
    expect(ended.locator("dl > .best")).to_contain_text("of 7")
    expect(ended.get_by_role("link", name="My mistakes")).to_have_attribute("href", re.compile(r"^/r/.+#review$"))
    finished = page.url
    ended.get_by_role("button", name="One level down: Lou").click()
    expect(page.locator(".plate").get_by_text("Lou", exact=True)).to_be_visible()
    assert page.url != finished
    page.goto(people.site.url)
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    expect(page.locator(".plate").get_by_text("Lou", exact=True)).to_be_visible()


@pytest.mark.slow
def test_the_end_tells_what_decided_it(people: People) -> None:
    """On request: a line of luck and skill, the turning point on a small board, and one's own mistakes."""
    page = sit_against_bot(people, "yam-master", options={"max_turns": 2})
    play_to_the_end(page)
    ended = page.locator(".ended")
    page.get_by_role("button", name="What decided it?").click()
    told = ended.locator(".ending [role=status]")
    expect(told).to_contain_text(re.compile(r"Dice: [−+]?[\d.]+\s%"), timeout=9 * PATIENCE)
    expect(told).to_contain_text(re.compile(r"Decisions: [−+]?[\d.]+\s% by you, [−+]?[\d.]+\s% by Colette"))
    headline = ended.locator("h2").inner_text()
    if headline != "A draw":
        expect(ended.get_by_role("heading", name="The turning point")).to_be_visible()
        expect(ended.locator(".point [data-board] svg").first).to_be_visible()
        expect(ended.locator(".point")).to_contain_text("Your chance to win went from")
    mistakes = ended.locator(".ending ol a")
    assert mistakes.count() <= 3
    for one in mistakes.all():
        expect(one).to_have_attribute("href", re.compile(r"^/r/.+\?at=\d+#review$"))
    assert serious(page) == []


def test_a_result_is_shared_as_a_picture_with_a_link(people: People) -> None:
    page = sit_against_bot(people, "twisty")
    at_rest(page)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("button", name="Share the result").click()
    picture = page.get_by_role("img", name="Twisty: Lou wins")
    expect(picture).to_be_visible()
    until(page, "document.querySelector('.shared img').naturalWidth === 1200")
    link = page.get_by_label("Link to the game").input_value()
    assert link.startswith(f"{people.site.url}/r/")
    with urllib.request.urlopen(link, timeout=PATIENCE / 1000) as answer:
        shown = answer.read().decode()
    assert '<meta property="og:title" content="Lou beat Anna">' in shown
    assert re.search(r'<meta property="og:image" content="http[^"]+/cards/twisty\.jpg">', shown)
    with urllib.request.urlopen(f"{people.site.url}/cards/twisty.jpg", timeout=PATIENCE / 1000) as answer:
        assert answer.read()[:3] == b"\xff\xd8\xff"  # JPEG
