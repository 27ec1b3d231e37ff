"""Away and back: the network goes, the server restarts, the window is loaded again, a second window opens."""

import json
import re
import time

from playwright.sync_api import Page, WebSocketRoute, expect

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
    expect(page.get_by_text("Connection lost")).to_be_visible()
    assert page.locator("[data-board]").bounding_box() == lies, "the board stays where it is"
    expect(page.locator('[data-spot][aria-disabled="false"]')).to_have_count(0)  # nothing can be played meanwhile
    wire.mend()
    expect(page.get_by_text("Connection lost")).to_be_hidden()
    play_to_the_end(page)
    people.leave()
    wire.close()


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
    expect(anna.get_by_text("Connection lost")).to_be_visible(timeout=PATIENCE)
    site.start()
    expect(anna.get_by_text("Connection lost")).to_be_hidden(timeout=PATIENCE)
    expect(bob.get_by_text("Connection lost")).to_be_hidden(timeout=PATIENCE)
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


def test_a_table_whose_rules_are_gone_says_so(people: People, site: Site) -> None:
    """The server's sentence, and what to do next; no board is drawn of a position that nobody can read."""
    table, _ = open_table(site, "twisty", seats=[{"kind": "open"}, {"kind": "open"}])
    page = people.come("/about", name="Anna", language="fr-FR")
    sentence = {"en": "The rules have changed.", "fr": "Les règles ont changé."}

    def closing(here: WebSocketRoute) -> None:
        there = here.connect_to_server()

        def tell(message: str | bytes) -> None:
            told = json.loads(message)
            if isinstance(told.get("table"), dict):
                told["table"]["closed"] = sentence
            here.send(json.dumps(told))

        there.on_message(tell)

    page.route_web_socket(re.compile("/api/"), closing)
    page.goto(f"{site.url}/t/{table}")
    expect(page.get_by_role("heading", name="Cette table est fermée")).to_be_visible()
    expect(page.get_by_text(sentence["fr"])).to_be_visible()
    expect(page.get_by_role("link", name="Ouvrir une table")).to_have_attribute("href", "/new/twisty")
    assert page.locator("[data-board]").count() == 0
