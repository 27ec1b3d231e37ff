"""Away and back: the network goes, the server restarts, the window is loaded again, a second window opens."""

import json
import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, WebSocket, WebSocketRoute, expect

from page.moments import middle
from page.site import (
    DO_SOMETHING,
    PATIENCE,
    People,
    Site,
    Wire,
    at_rest,
    open_table,
    play_to_the_end,
    sit_against_bot,
    until,
    with_a_clock_in_hand,
)


def _play(*pages: Page, deeds: int) -> None:
    """So many deeds at the board, by whoever may do something; fewer where the game ends before."""
    deadline = time.monotonic() + PATIENCE / 1000
    while deeds > 0 and not all(page.locator(".ended").count() for page in pages):
        assert time.monotonic() < deadline, [page.title() for page in pages]
        for page in pages:
            deeds -= page.evaluate(DO_SOMETHING) == "played"
            page.wait_for_timeout(40)


def _lines(page: Page) -> int:
    return page.locator(".lines li").count()


def test_a_window_loaded_again_goes_on_where_it_was(people: People) -> None:
    page = sit_against_bot(people, "yam-master", options={"max_turns": 4})
    _play(page, deeds=10)
    at_rest(page)
    before = _lines(page)
    page.reload()
    expect(page.locator(".lines li")).to_have_count(before)
    play_to_the_end(page)


def test_without_the_network_the_page_says_so_and_goes_on_by_itself(people: People, site: Site) -> None:
    wire = Wire(site)
    people.address = wire.url
    page = sit_against_bot(people, "twisty", options={"max_rounds": 3})
    _play(page, deeds=4)
    lies = page.locator("[data-board]").bounding_box()
    wire.cut()
    expect(page.get_by_text("Reconnecting")).to_be_visible()
    assert page.locator("[data-board]").bounding_box() == lies, "the board stays where it is"
    expect(page.locator('[data-spot][aria-disabled="false"]')).to_have_count(0)  # nothing can be played meanwhile
    wire.mend()
    expect(page.get_by_text("Reconnecting")).to_be_hidden()
    play_to_the_end(page)
    people.leave()
    wire.close()


COVERED = """() => [...document.querySelectorAll('header a, header button')].filter((one) => {
  one.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = one.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return !one.contains(found);
}).map((one) => one.textContent)"""


@pytest.mark.parametrize("screen", [{"width": 1200, "height": 800}, {"width": 390, "height": 844}])
def test_a_network_that_falls_silent_is_noticed_within_five_seconds(
    people: People, site: Site, screen: dict[str, int]
) -> None:
    wire = Wire(site)
    people.address = wire.url
    page = sit_against_bot(people, "twisty", options={"max_rounds": 3})
    page.set_viewport_size({"width": screen["width"], "height": screen["height"]})
    at_rest(page)
    with_a_clock_in_hand(page)
    at_rest(page)
    lies = page.locator("[data-board]").bounding_box()
    wire.hush()
    assert page.evaluate(DO_SOMETHING) == "played"
    page.clock.run_for(1500)
    expect(page.get_by_text("One moment…")).to_be_visible()  # what was asked for is on its way
    page.clock.run_for(3500)
    expect(page.locator(".signal")).to_contain_text("Reconnecting… Your move is kept.")
    assert page.evaluate(COVERED) == []
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("[data-board]").bounding_box() == lies, "the board stays where it is"
    page.clock.run_for(20_000)  # the socket is given up, and others are tried
    expect(page.locator(".signal")).to_contain_text("Reconnecting…")
    page.clock.resume()
    wire.mend()
    expect(page.locator(".signal")).to_have_count(0)
    play_to_the_end(page)
    people.leave()
    wire.close()


def test_only_a_window_with_a_game_in_play_asks_whether_the_server_is_there(people: People, site: Site) -> None:
    pings: list[str] = []

    def note(frame: str | bytes) -> None:
        if json.loads(frame).get("do") == "ping":
            pings.append("ping")

    def attend(socket: WebSocket) -> None:
        socket.on("framesent", note)

    def listen(page: Page) -> None:
        page.on("websocket", attend)

    page = people.come("/about", name="Anna")
    listen(page)
    table, _ = open_table(site, "twisty", seats=[{"kind": "open"}, {"kind": "open"}])
    page.goto(f"{site.url}/t/{table}")
    with_a_clock_in_hand(page)
    page.clock.run_for(60_000)
    page.evaluate("0")
    assert pings == [], "nobody plays yet"

    page = sit_against_bot(people, "twisty")
    listen(page)
    at_rest(page)
    with_a_clock_in_hand(page)
    _look(page, "hidden")
    pings.clear()  # the window was looked at until now
    page.clock.run_for(60_000)
    page.evaluate("0")
    assert pings == [], "nobody looks"
    _look(page, "visible")
    page.clock.run_for(500)
    deadline = time.monotonic() + PATIENCE / 1000
    while not pings:
        assert time.monotonic() < deadline, "somebody looks at a game"
        page.wait_for_timeout(30)


def _look(page: Page, how: str) -> None:
    page.evaluate(
        """(how) => {
          Object.defineProperty(document, 'visibilityState', { value: how, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }""",
        how,
    )


def test_a_page_that_does_not_come_says_why_in_ones_own_language(people: People, site: Site) -> None:
    wire = Wire(site)
    people.address = wire.url
    page = people.come(language="fr-FR")
    page.locator(".games .button.main").first.wait_for()
    wire.cut()
    page.get_by_role("link", name="Réglages").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Le serveur ne répond pas. Est-il allumé, et ce réseau est-il le bon ?"
    )
    wire.mend()
    page.get_by_role("button", name="Réessayer").click()
    expect(page.get_by_role("heading", name="Réglages")).to_be_visible()
    people.leave()
    wire.close()


@pytest.mark.parametrize("script", ["index-*.js", "en-*.js"])
def test_a_script_that_did_not_arrive_is_loaded_again(people: People, script: str) -> None:
    """A browser drops what is on its way when its network changes: the page would stay empty."""
    page = people.come("/about")
    lost: list[str] = []

    def lose_once(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort("connectionreset")

    page.route(f"**/assets/{script}", lose_once)
    page.reload()
    expect(page.get_by_role("link", name="Settings")).to_be_visible()
    assert lost
    people.mishaps[:] = [one for one in people.mishaps if "dynamically imported module" not in one]


def test_a_restarted_server_costs_nobody_the_game(people: People, site: Site) -> None:
    seats = [{"kind": "open"}, {"kind": "open"}]
    table, _ = open_table(site, "wykersham", seats=seats, setup=middle("wykersham", 110))
    anna, bob = people.come(f"/t/{table}", name="Anna"), people.come(f"/t/{table}", name="Bob")
    anna.get_by_role("button", name="Sit here").first.click()
    bob.get_by_role("button", name="Sit here").last.click()
    _play(anna, bob, deeds=8)
    until(anna, "document.querySelectorAll('.lines li').length > 0")
    before = _lines(anna)
    site.stop()
    expect(anna.get_by_text("Reconnecting")).to_be_visible(timeout=PATIENCE)
    site.start()
    expect(anna.get_by_text("Reconnecting")).to_be_hidden(timeout=PATIENCE)
    expect(bob.get_by_text("Reconnecting")).to_be_hidden(timeout=PATIENCE)
    until(anna, f"document.querySelectorAll('.lines li').length >= {before}")
    play_to_the_end(anna, bob)


def test_two_windows_of_one_person_show_the_same_game(people: People) -> None:
    one = sit_against_bot(people, "twisty")
    until(one, "document.title.startsWith('●')")
    other = one.context.new_page()
    other.goto(one.url)
    until(other, "document.title.startsWith('●')")
    _play(one, deeds=4)
    at_rest(one)
    assert _lines(one) > 0
    expect(other.locator(".lines li")).to_have_count(_lines(one))
    at_rest(other)


def _closing(sentence: dict[str, str]) -> Callable[[WebSocketRoute], None]:
    """The server's messages, with the table closed for a reason."""

    def closing(here: WebSocketRoute) -> None:
        there = here.connect_to_server()

        def tell(message: str | bytes) -> None:
            told = json.loads(message)
            if isinstance(told.get("table"), dict):
                told["table"]["closed"] = sentence
            here.send(json.dumps(told))

        there.on_message(tell)

    return closing


def test_a_table_whose_rules_are_gone_says_so(people: People, site: Site) -> None:
    """The server's sentence, and what to do next; no board is drawn of a position that nobody can read."""
    table, _ = open_table(site, "twisty", seats=[{"kind": "open"}, {"kind": "open"}])
    page = people.come("/about", name="Anna", language="fr-FR")
    sentence = {"en": "The rules have changed.", "fr": "Les règles ont changé."}

    page.route_web_socket(re.compile("/api/"), _closing(sentence))
    page.goto(f"{site.url}/t/{table}")
    expect(page.get_by_role("heading", name="Cette table est fermée")).to_be_visible()
    expect(page.get_by_text(sentence["fr"])).to_be_visible()
    expect(page.get_by_role("link", name="Ouvrir une table")).to_have_attribute("href", "/new/twisty")
    assert page.locator("[data-board]").count() == 0


def test_a_table_whose_game_is_gone_leads_nowhere_that_does_not_exist(people: People, site: Site) -> None:
    """Where the game is no longer installed, no other table of it can be opened."""
    table, _ = open_table(site, "pig", seats=[{"kind": "open"}, {"kind": "open"}])
    page = people.come("/about", name="Anna")

    def without(route: Route) -> None:
        answer = route.fetch()
        listed = answer.json()
        listed["games"] = [game for game in listed["games"] if game["name"] != "pig"]
        route.fulfill(response=answer, json=listed)

    page.route(re.compile(r"/api/games$"), without)
    page.route_web_socket(re.compile("/api/"), _closing({"en": "The game is not installed here.", "fr": "…"}))
    page.goto(f"{site.url}/t/{table}")
    expect(page.get_by_text("The game is not installed here.")).to_be_visible()
    links = page.get_by_role("main").get_by_role("link")
    expect(links).to_have_count(1)
    expect(links).to_have_attribute("href", "/")
