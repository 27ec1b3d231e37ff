"""The browser edition in a real Chromium, in short: a static site under a path. At length: test_browser_edition.py."""

import json

from playwright.sync_api import expect

from page.site import at_rest
from page.visitors import Visitors


def test_a_visitor_plays_at_once_under_any_path(visitors: Visitors) -> None:
    page = visitors.come()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    at_rest(page)
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    expect(page.locator(".lines li").first).to_be_visible()
    assert all(asked.startswith("/games/ludotheque/") for asked in visitors.site.asked)
    assert not [asked for asked in visitors.site.asked if "/api/" in asked]


def test_the_home_page_and_the_rules_need_no_worker(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script("window.Worker = undefined")
    page.reload()
    expect(page.get_by_role("heading", name="Yikerz!")).to_be_visible()
    expect(page.get_by_text("This game needs a server.")).to_be_visible()
    expect(page.get_by_role("heading", name="With friends")).to_be_visible()
    page.locator('[data-game="twisty"]').get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Twisty")
    page.go_back()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    expect(page.get_by_role("alert")).to_contain_text("WebAssembly")


def test_the_app_can_be_installed(visitors: Visitors) -> None:
    page = visitors.come()
    address = page.evaluate("() => document.querySelector('link[rel=manifest]').href")
    manifest = json.loads((visitors.site.folder / address.rpartition("/")[2]).read_text())
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    assert all((visitors.site.folder / icon["src"]).is_file() for icon in manifest["icons"])
