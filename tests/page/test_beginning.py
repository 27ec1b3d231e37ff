"""How a game begins on the page: the browser adds its number to the dice by itself. And a table that is closed to newcomers."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from page.site import PATIENCE, People, Site

OPEN = """game => fetch("/api/tables", {
  method: "POST",
  headers: { authorization: `Bearer ${localStorage["ludotheque.secret"]}`, "content-type": "application/json" },
  body: JSON.stringify(game),
}).then(answer => answer.json()).then(({ table }) => table.id)"""


def opens(people: People, site: Site, name: str, **wanted: Any) -> tuple[Page, str]:
    """Somebody opens a table and goes there."""
    page = people.come("/", name=name)
    table = str(page.evaluate(OPEN, {"game": "yam-master", **wanted}))
    page.goto(f"{site.url}/t/{table}")
    return page, table


def test_the_browser_sees_the_commitment_then_sends_its_number_then_the_game_begins(people: People, site: Site) -> None:
    seats = [{"kind": "me"}, {"kind": "me", "name": "Zoé"}, {"kind": "bot", "level": 1}]
    page, table = opens(people, site, "Anna", game="twisty", seats=seats, options={"first": 0})
    page.locator('[data-spot][aria-disabled="false"]').first.wait_for(timeout=6 * PATIENCE)  # the server is new
    dice = site.ask("GET", f"/api/tables/{table}/record")["dice"]
    assert dice["order"] == ["commitment", 0, 1, "match"]
    sent = json.loads(page.evaluate("localStorage['ludotheque.numbers']"))
    assert [dice["commitment"], dice["numbers"][0]] in sent
    assert dice["numbers"][2] == ""


def test_the_replay_tells_the_order_and_what_this_browser_had_seen(people: People, site: Site) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "level": 1}]
    page, _ = opens(people, site, "Anna", seats=seats, settings={"pace": 0}, options={"first": 0})
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("link", name="Look at the game again").click()
    page.get_by_role("button", name="Check the dice here").click()
    told = page.locator(".verdict")
    expect(told).to_contain_text("The seal was shown first; then came the numbers of Anna, and then the game began.")
    expect(told).to_contain_text("This browser had seen the seal before it sent its number")
    other = people.come(page.url.removeprefix(site.url), name="Bob")
    other.get_by_role("button", name="Check the dice here").click()
    expect(other.locator(".verdict")).to_contain_text("then came the numbers of Anna")
    expect(other.locator(".verdict")).not_to_contain_text("This browser")


def test_whoever_waits_is_told_whose_number_is_missing(people: People, site: Site) -> None:
    secret = site.ask("POST", "/api/people", {"name": "Quentin"})["secret"]
    table = site.ask("POST", "/api/tables", {"game": "yam-master"}, secret)["table"]["id"]  # and he is never seen again
    page = people.come(f"/t/{table}", name="Anna")
    page.get_by_role("button", name="Sit here").click()
    expect(page.get_by_text("Waiting for Quentin: their browser has not added its number")).to_be_visible()


def test_the_host_closes_the_table_and_opens_it_again(people: People, site: Site) -> None:
    anna, table = opens(people, site, "Anna")
    closed = anna.get_by_label("Nobody else may come")
    expect(closed).not_to_be_checked()
    closed.check()
    bob = people.come(f"/t/{table}", name="Bob")
    expect(bob.get_by_text("The host has closed this table to newcomers. Ask the host to open it")).to_be_visible()
    closed.uncheck()
    expect(closed).not_to_be_checked()
    until_open(anna, table)
    bob.reload()
    bob.get_by_role("button", name="Sit here").click()
    bob.locator(".board-room").wait_for()
    anna.locator(".board-room").wait_for()
    expect(closed).not_to_be_checked()
    closed.check()
    expect(bob.get_by_text("The host has closed this table to newcomers.")).to_be_visible()
    carla = people.come(f"/t/{table}", name="Carla", language="fr-FR")
    expect(carla.get_by_text("L’hôte a fermé cette table aux nouveaux venus. Demande-lui")).to_be_visible()
    bob.reload()
    bob.locator(".board-room").wait_for(timeout=PATIENCE)


def test_the_host_invites_the_friend_and_does_not_sit_on_their_seat(people: People, site: Site) -> None:
    anna, table = opens(people, site, "Anna")
    anna.add_init_script("navigator.share = undefined")
    anna.reload()
    expect(anna.locator("main .button.main")).to_have_text(["Copy the link"])
    expect(anna.get_by_role("button", name="Sit here", exact=True)).to_have_count(0)
    anna.add_init_script("navigator.share = async ({ url }) => { document.body.dataset.shared = url; }")
    anna.reload()
    expect(anna.locator("main .button.main")).to_have_text(["Share the link"])
    anna.locator("main .button.main").click()
    expect(anna.locator("body")).to_have_attribute("data-shared", f"{site.url}/t/{table}")
    bob = people.come(f"/t/{table}", name="Bob")
    expect(bob.locator("main .button.main")).to_have_text(["Sit here"])


def test_somebody_else_at_the_same_screen_is_an_explicit_choice_with_a_name(people: People, site: Site) -> None:
    anna, _ = opens(people, site, "Anna")
    beside = anna.get_by_role("button", name="Somebody else at this screen (Blue)")
    beside.press("Enter")
    expect(anna.get_by_label("Name", exact=True)).to_be_focused()
    anna.get_by_role("button", name="Cancel").press("Enter")
    expect(beside).to_be_focused()
    beside.press("Enter")
    give = anna.get_by_role("button", name="Give them this seat")
    for nobody in ("", "  "):
        anna.get_by_label("Name", exact=True).fill(nobody)
        give.click()
        expect(anna.get_by_text("Waiting for players")).to_be_visible()
    anna.get_by_label("Name", exact=True).fill("Grandma")
    give.click()
    expect(anna.locator(".plate").filter(has_text="Grandma")).to_be_visible()


def until_open(page: Page, table: str) -> None:
    """Wait until the server has taken the switch."""
    page.evaluate(
        """async table => {
          while (!(await (await fetch(`/api/tables/${table}`)).json()).newcomers)
            await new Promise(done => setTimeout(done, 50));
        }""",
        table,
    )
