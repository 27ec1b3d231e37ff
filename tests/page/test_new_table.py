"""Opening a table: who starts, what each option means, and who starts the next game."""

import re

import pytest
from playwright.sync_api import expect

from page.site import People, Site, open_table, play_to_the_end


@pytest.mark.clause("T4")
def test_the_table_says_who_starts_and_every_option_is_explained(people: People) -> None:
    page = people.come("/new/twisty", language="fr-FR")
    page.get_by_role("button", name="3", exact=True).click()
    who = page.get_by_label("Qui commence ?")
    assert who.locator("option").all_inner_texts()[0] == "tirage au sort"
    expect(who.locator("option")).to_have_count(4)
    expect(who).to_have_value("lot")
    who.select_option("2")
    page.get_by_role("button", name="2", exact=True).click()
    expect(who).to_have_value("lot")  # that seat is gone
    who.select_option("1")
    described = who.get_attribute("aria-describedby")
    expect(page.locator(f"#{described}")).to_contain_text("le plus jeune")
    assert page.locator("fieldset .about").count() == 3
    page.get_by_label("Place 2").select_option("here")
    page.get_by_role("button", name="Ouvrir la table").click()
    page.wait_for_url("**/t/*")
    page.locator('[data-spot][aria-disabled="false"]').first.wait_for()
    told = page.evaluate("fetch(`/api/tables/${location.pathname.split('/')[2]}/record`).then(answer => answer.json())")
    assert told["options"]["first"] == 1
    assert told["setup"]["first"] == 1


@pytest.mark.both_hosts
def test_only_a_game_with_dice_asks_who_rolls_them(people: People) -> None:
    for game, dice in (("yam-master", 1), ("wykersham", 1), ("twisty", 0), ("yikerz", 0)):
        page = people.come(f"/new/{game}")
        expect(page.get_by_role("button", name="Open the table")).to_be_visible()
        expect(page.get_by_label("Players roll by hand")).to_have_count(dice)


@pytest.mark.clause("M24")
def test_after_a_match_everybody_is_told_who_starts_the_next(people: People, site: Site) -> None:
    options = {"max_turns": 1, "first": 0}
    table, _ = open_table(site, "yam-master", options=options, seats=[{"kind": "open"}, {"kind": "open"}])
    anna, bob = people.come(f"/t/{table}", name="Anna"), people.come(f"/t/{table}", name="Bob")
    anna.get_by_role("button", name="Sit here").first.click()
    expect(bob.get_by_text("Anna", exact=True)).to_be_visible()
    bob.get_by_role("button", name="Sit here").first.click()
    play_to_the_end(anna, bob)
    for page in (anna, bob):
        expect(page.get_by_text("Bob starts the next game.")).to_be_visible()
        page.get_by_role("button", name=re.compile("^(Play again|Revenge)$")).click()
    for page in (anna, bob):
        expect(page.locator(".ended")).to_have_count(0)
    play_to_the_end(anna, bob)
    for page in (anna, bob):
        expect(page.get_by_text("Anna starts the next game.")).to_be_visible()


def test_a_request_for_a_rematch_is_seen_and_heard_answered_and_withdrawn(people: People, site: Site) -> None:
    table, _ = open_table(site, "yam-master", seats=[{"kind": "open"}, {"kind": "open"}])
    anna = people.come(f"/t/{table}", name="Anna")
    bob = people.come(f"/t/{table}", name="Bob", language="fr-FR", viewport={"width": 360, "height": 720})
    anna.get_by_role("button", name="Sit here").first.click()
    expect(bob.get_by_text("Anna", exact=True)).to_be_visible()
    bob.get_by_role("button", name="S’asseoir ici").first.click()
    anna.get_by_role("button", name="Give up").click()
    anna.get_by_role("button", name="Yes").click()
    heard = bob.locator("[aria-live=polite]").last
    for _ in range(2):
        anna.get_by_role("button", name="Revenge").click()
        expect(bob.locator(".ended .asked")).to_have_text("Anna aimerait rejouer.")
        expect(heard).to_have_text("Anna aimerait rejouer.")
        expect(anna.locator(".ended .asked")).to_have_count(0)
        anna.get_by_role("button", name="Never mind").click()
        expect(bob.locator(".ended .asked")).to_have_text("Anna ne demande plus à rejouer.")
        expect(heard).to_have_text("Anna ne demande plus à rejouer.")
        expect(anna.locator(".ended .asked")).to_have_count(0)
    anna.get_by_role("button", name="Revenge").click()
    expect(bob.locator(".ended .asked")).to_have_text("Anna aimerait rejouer.")
    bob.get_by_role("button", name="Rejouer").click()
    for page in (anna, bob):
        expect(page.locator(".ended")).to_have_count(0)
