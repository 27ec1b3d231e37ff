"""What is heard: nothing before the first tap, little to load, and nothing at all when it is muted."""

import re
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page, expect

from page.site import A_STEP, PATIENCE, People, at_rest, sit_against_bot, until

# The sounds that are played, by how loud they are.
LISTEN = """
  window.heard = [];
  const connect = GainNode.prototype.connect;
  GainNode.prototype.connect = function (...to) { window.heard.push(this.gain.value); return connect.apply(this, to) };
"""


def _listening(page: Page) -> list[Any]:
    """Come to the table anew, and listen. The answers that bring the sounds are collected."""
    table = page.url
    page.goto(urljoin(table, "/healthz"))  # what the table had asked for before is not waited for any more
    page.context.add_init_script(LISTEN)
    brought: list[Any] = []
    page.on("response", lambda answer: brought.append(answer) if "/synth-" in answer.url else None)
    page.goto(table)
    at_rest(page)
    return brought


def test_a_move_is_heard_until_the_header_mutes_it(people: People) -> None:
    page = sit_against_bot(people, "twisty")
    at_rest(page)
    brought = _listening(page)
    assert brought == [], "nothing is loaded before something can be heard"
    assert page.evaluate("window.heard") == []
    page.locator(A_STEP).first.click()
    until(page, "window.heard.length > 0", PATIENCE / 1000)
    assert all(0 < volume <= 1 for volume in page.evaluate("window.heard"))
    assert len(brought) == 1
    assert len(brought[0].body()) < 150_000

    page.get_by_role("button", name="Mute the sounds").click()
    expect(page.get_by_role("button", name="Hear the sounds")).to_be_visible()
    at_rest(page)
    page.evaluate("window.heard = []")
    before = page.locator(".lines li").count()
    page.locator(A_STEP).first.click()
    until(page, f"document.querySelectorAll('.lines li').length > {before} || document.querySelector('.ended')")
    at_rest(page)
    assert page.evaluate("window.heard") == []
    page.reload()
    expect(page.get_by_role("button", name="Hear the sounds")).to_be_visible()


def test_more_dice_are_louder(people: People) -> None:
    view = {
        "phase": "decide", "player": 0, "rolls": 1, "dice": "12346", "kept": "", "defi": False,
        "board": [".....", ".....", ".....", ".....", "....."], "turns": [0, 0], "winner": None,
    }  # fmt: skip
    loud = []
    for kept in (0, 4):
        page = sit_against_bot(people, "yam-master", setup=view)
        at_rest(page)
        _listening(page)
        for die in range(1, kept + 1):
            page.get_by_role("button", name=f"Die {die}, to be rolled again").click()
        until(page, f"window.heard.length == {kept}")
        page.get_by_role("button", name=re.compile(r"^Roll \d")).click()
        until(page, f"window.heard.length > {kept}")
        loud.append(page.evaluate(f"window.heard[{kept}]"))
    assert loud[0] > 2 * loud[1]
