"""Yikerz! in real browsers: a whole match by mouse and by touch, a turn by keyboard alone, the layout editor, the field,
a collapse that is shown slowly again, a turn from its film. The physics has its own tests; here hands and eyes are judged."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page.moments import finished, magnets
from page.site import PATIENCE, People, Site, open_table, until

SHORT = {"magnets": 4, "quiet_seconds": 1}
# A table without a graphics card is drawn by the pixel.
SMALL: dict[str, Any] = {"viewport": {"width": 1000, "height": 640}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 720}, "has_touch": True, "is_mobile": True}
# Places on the pyramid that are far from each other: parts of the scene's width to the right, and away.
SPOTS = [(-0.27, 0.07), (0.27, 0.07), (0.0, 0.4), (0.0, 0.15)]
# The name beside a hand that is shown from a film comes and goes by itself: it is noticed whenever it comes.
WATCH_FOR_A_HAND = """() => {
  const look = () => { window.handSeen ||= document.querySelector('.hand-of') !== null };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
WATCH_FOR_A_FILM = """() => {
  const scene = document.querySelector('.scene');
  new MutationObserver(() => { window.filmSeen ||= scene.ariaBusy === 'true' }).observe(scene, { attributes: true });
}"""
WATCH_FOR_SLOW_MOTION = """() => {
  const lines = () => document.querySelectorAll('.lines li').length;
  const look = () => { if (document.querySelector('.slow')) { window.slowSeen = true; window.toldThen ??= lines() } };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
LOWER = """() => {
  const height = document.querySelector('.height input');
  if (height) { height.value = 1; height.dispatchEvent(new Event('input', { bubbles: true })) }
}"""
Drag = Callable[[Page, float, float, float, float], None]


def _by_mouse(page: Page, x: float, y: float, dx: float, dy: float) -> None:
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()


def _by_finger(page: Page, x: float, y: float, dx: float, dy: float) -> None:
    finger = page.context.new_cdp_session(page)
    for kind, share in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)):
        point = {"x": x + share * dx, "y": y + share * dy}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


def _press(page: Page, what: str) -> bool:
    """Press it if it is there; asked and pressed at once, since a clock may take it away."""
    return bool(
        page.evaluate("what => { const one = document.querySelector(what); one?.click(); return one !== null }", what)
    )


def _lines(page: Page) -> int:
    return page.locator(".lines li").count()


def _seen(page: Page) -> None:
    """The table is drawn."""
    until(page, "document.querySelector('.layer') && !document.querySelector('.viewport .lost')")


def _put_down(page: Page, drag: Drag, spot: tuple[float, float], watcher: Page | None = None) -> None:
    """Take a magnet, drag it over the board, lower it, let go; somebody else sees the hand meanwhile. A magnet that snaps to
    another on the way ends the turn before it is let go."""
    before = _lines(page)
    page.locator(".panel .shape").first.click()
    page.locator(".height input").wait_for()  # it is in the hand
    box = page.locator(".layer").bounding_box()
    assert box is not None
    drag(
        page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, spot[0] * box["width"], -spot[1] * box["width"]
    )
    page.evaluate(LOWER)
    if watcher is not None:
        expect(watcher.locator(".label.hand-of")).to_be_visible()
    _press(page, ".panel .button.wide")
    until(page, f"document.querySelectorAll('.lines li').length > {before} || document.querySelector('.ended')")


def test_two_browsers_play_a_match_to_the_end_by_mouse_and_by_touch(people: People, site: Site) -> None:
    """Anna calls her last magnet, and sometimes in vain; Bob, on his phone, forgets it each time, is caught by Anna's taking a
    magnet up, and has to take pieces off the board. Neither is reminded."""
    table, _ = open_table(site, "yikerz", options=SHORT, seats=[{"kind": "open"}, {"kind": "open"}])
    anna = people.come(f"/t/{table}", name="Anna", **SMALL)
    bob = people.come(f"/t/{table}", name="Bob", language="fr-FR", **PHONE)
    anna.get_by_role("button", name="Sit here").first.click()
    expect(bob.get_by_text("Anna", exact=True)).to_be_visible()
    bob.get_by_role("button", name="S’asseoir ici").first.tap()
    hands: dict[str, Drag] = {"Anna": _by_mouse, "Bob": _by_finger}
    seen: set[str] = set()
    number = 0
    deadline = time.monotonic() + 240
    while not (anna.locator(".ended").count() and bob.locator(".ended").count()):
        assert time.monotonic() < deadline, (seen, anna.title(), anna.locator(".lines li").all_inner_texts()[-6:])
        for name, page, other in (("Anna", anna, bob), ("Bob", bob, anna)):
            if not page.title().startswith("●"):
                continue
            if _press(page, ".layout"):
                seen.add("layout")
            elif _press(page, ".panel .button.stack"):
                seen.add("stack")
            elif _press(page, ".panel [data-pick]"):
                seen.add("pick")
            elif page.locator(".panel .shape").count():
                _seen(page)
                catches = name == "Anna" and page.locator(".label.far b").inner_text() == "1"
                hand = "a catch" if catches else f"the hand of {name}"
                watched = not catches and hand not in seen
                seen.add(hand)
                _put_down(page, hands[name], SPOTS[number % len(SPOTS)], other if watched else None)
                number += 1
                assert not page.locator(".shout").count()
                if name == "Anna":
                    assert _press(page, "[data-call]") or anna.locator(".ended").count()
            page.wait_for_timeout(60)
        anna.wait_for_timeout(60)
    headlines = (anna.locator(".ended h2").inner_text(), bob.locator(".ended h2").inner_text())
    assert headlines in {("You win!", "Anna gagne"), ("Bob wins", "Tu gagnes !")}, headlines
    assert seen >= {"layout", "stack", "a catch", "pick", "the hand of Anna", "the hand of Bob"}


def test_the_mats_are_laid_by_hand_and_the_server_says_whether_they_may_lie_so(people: People, site: Site) -> None:
    """A mat that is pushed away from the others is refused in words; brought back, the match begins on it."""
    table, _ = open_table(site, "yikerz", options=SHORT, seats=[{"kind": "open"}])
    page = people.come(f"/t/{table}", name="Anna", **SMALL)
    page.get_by_role("button", name="Sit here").click()
    page.get_by_role("button", name="Lay them yourself").click()
    play = page.get_by_role("button", name="Play on this")
    expect(play).to_be_enabled()
    page.get_by_role("button", name="Mat 4,").focus()
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    expect(page.locator(".verdict.bad")).to_contain_text("touch")
    expect(play).to_be_disabled()
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    expect(play).to_be_enabled()
    play.click()
    expect(page.locator(".lines li").first).to_contain_text("layout of your own")


def test_a_collapse_is_shown_slowly_again_and_the_field_can_be_seen(people: People, site: Site) -> None:
    """A magnet let go right above another: they snap together, once at speed and once slowly, and again on request."""
    view = magnets(board=3, stacks=(8, 8), player=0)
    view["magnets"][0]["pose"] = [0, -60, 3, 1, 0, 0, 0]
    table, _ = open_table(
        site,
        "yikerz",
        options={"quiet_seconds": 1},
        setup=view,
        seats=[{"kind": "open"}, {"kind": "open"}],
    )
    anna = people.come(f"/t/{table}", name="Anna", **SMALL, reduced_motion="no-preference")
    anna.get_by_role("button", name="Sit here").first.click()
    people.come(f"/t/{table}", name="Bob").get_by_role("button", name="Sit here").first.click()
    anna.locator(".panel .shape").first.wait_for()
    _seen(anna)
    plain = anna.locator("canvas").screenshot()
    with anna.expect_response(lambda answer: answer.url.endswith("/ask")) as forces:
        anna.get_by_role("button", name="Show the field and the forces").click()
    assert forces.value.ok
    deadline = time.monotonic() + PATIENCE / 1000
    while anna.locator("canvas").screenshot() == plain:
        assert time.monotonic() < deadline, "no filings lie on the mats"
    anna.get_by_role("button", name="Show the field and the forces").click()
    anna.evaluate(WATCH_FOR_SLOW_MOTION)
    before = _lines(anna)
    _put_down(anna, _by_mouse, (0.0, 0.2))
    until(anna, "window.slowSeen")
    assert anna.evaluate("window.toldThen") == before, "nothing is told before it has been seen"
    assert not re.search(r"(pebble|egg|coin|shield|pillow) \d", "; ".join(anna.locator(".lines li").all_inner_texts()))
    expect(anna.get_by_text("Once more, in slow motion")).to_be_hidden()
    assert "Collapse" in " ".join(anna.locator(".lines li").all_inner_texts())
    anna.get_by_role("button", name="Show the collapse in slow motion").click()
    skip = "document.querySelector('.slow button')"
    until(anna, f"{skip} && ({skip}.click(), true)")  # it may be skipped
    expect(anna.get_by_text("Once more, in slow motion")).to_be_hidden()


def _begins(people: People, site: Site, **screen: Any) -> Page:
    """Anna is to play at a table with some magnets on the board."""
    table, _ = open_table(site, "yikerz", setup=magnets(board=2), seats=[{"kind": "open"}, {"kind": "bot", "level": 1}])
    page = people.come(f"/t/{table}", name="Anna", **screen)
    page.get_by_role("button", name="Sit here").click()
    page.locator(".panel .shape").first.wait_for()
    _seen(page)
    return page


def _own_stone(page: Page) -> tuple[float, float]:
    """Where on the screen a magnet of one's own stack lies: a tap there takes it up, and Escape puts it back."""
    label = page.locator(".scene .label:not(.far)").bounding_box()
    layer = page.locator(".layer").bounding_box()
    assert label is not None
    assert layer is not None
    for up in range(4, 90, 8):
        for across in range(4, 220, 12):
            x, y = label["x"] + across, label["y"] - up
            page.mouse.click(x, y)
            if page.locator(".height input").count():
                page.keyboard.press("Escape")
                expect(page.locator(".height input")).to_have_count(0)
                return x, y
    raise AssertionError("no magnet lies beside one's own name")


@pytest.mark.slow
@pytest.mark.parametrize(("drag", "screen"), [(_by_mouse, SMALL), (_by_finger, PHONE)], ids=["mouse", "finger"])
def test_a_magnet_that_is_pressed_and_dragged_is_carried(
    people: People, site: Site, drag: Drag, screen: dict[str, Any]
) -> None:
    """It is in the hand at once, and goes where the pointer goes; the viewer stays where he is."""
    page = _begins(people, site, **screen)
    x, y = _own_stone(page)
    drag(page, x, y, 10, -120)
    expect(page.locator(".height input")).to_be_visible()
    expect(page.get_by_role("button", name="Put back")).to_have_count(0)  # the turn has begun
    expect(page.get_by_role("button", name="Back to the first view")).to_have_count(0)
    page.evaluate(LOWER)
    assert _press(page, ".panel .button.wide")
    expect(page.locator(".lines li").first).to_be_visible()


def test_a_button_that_is_held_lowers_the_magnet_the_first_time(people: People, site: Site) -> None:
    page = _begins(people, site, **SMALL)
    page.locator(".panel .shape").first.click()
    height = "Number(document.querySelector('.height input').value)"
    page.locator(".height input").wait_for()
    start = page.evaluate(height)
    page.get_by_role("button", name="Lower").hover()
    page.mouse.down()
    until(page, f"{height} < {start} - 25")
    page.mouse.up()


def test_the_first_view_comes_back(people: People, site: Site) -> None:
    page = _begins(people, site, **SMALL)
    back = page.get_by_role("button", name="Back to the first view")
    expect(back).to_have_count(0)
    page.get_by_role("button", name="Walk to the right").click()
    back.click()
    expect(back).to_have_count(0)


TURN_THE_WHEEL = """() => {
  const wheel = () => document.querySelector('.layer').dispatchEvent(new WheelEvent('wheel', { deltaY: 60, cancelable: true }));
  wheel();
  document.querySelector('.panel .shape').click();
  for (let more = 0; more < 5; more += 1) wheel();
}"""


def test_a_wheel_that_goes_on_turning_does_what_it_began_with(people: People, site: Site) -> None:
    """It brings the viewer nearer: a magnet that is taken up meanwhile is not lowered by it, and the turn has not begun."""
    page = _begins(people, site, **SMALL)
    page.evaluate(TURN_THE_WHEEL)
    page.locator(".height input").wait_for()
    expect(page.get_by_role("button", name="Put back")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".height input")).to_have_count(0)


def test_a_replay_shows_the_hand_that_brought_the_piece(people: People, site: Site) -> None:
    """One step forward, and the turn is seen from its film."""
    record = finished("yikerz")
    before = next(place for place, action in enumerate(record["actions"]) if '"path"' in str(action))
    host = site.ask("POST", "/api/people", {"name": "Host"})["secret"]
    saved = site.ask("POST", "/api/records", record, host)["id"]
    page = people.come(f"/r/{saved}?at={before}", **SMALL, reduced_motion="no-preference")
    page.locator("details.list").wait_for()
    _seen(page)
    page.evaluate(WATCH_FOR_A_HAND)
    page.keyboard.press("ArrowRight")
    until(page, "window.handSeen")
    expect(page.locator(".list summary")).to_contain_text("(1)")
    expect(page.locator(".hand-of")).to_have_count(0)


def test_the_lab_shows_how_the_magnets_got_to_where_they_end(people: People) -> None:
    """One magnet above another: let go, they are seen to fall; then what came of it is said, and one may go back to before."""
    page = people.come("/lab", **SMALL, reduced_motion="no-preference")
    page.get_by_label("Try").select_option("hand")
    _seen(page)
    page.evaluate(WATCH_FOR_A_FILM)
    page.get_by_role("button", name="Let go for 2 s").click()
    expect(page.locator(".side .told")).to_contain_text("Pillow 1, Pebble 2")
    until(page, "window.filmSeen")
    expect(page.locator(".scene")).to_have_attribute("aria-busy", "false")
    page.get_by_role("button", name="Back to the beginning").click()
    expect(page.locator(".side .told")).to_be_empty()


def test_on_a_phone_on_its_side_the_lab_is_used_without_scrolling(people: People) -> None:
    """The magnets and what one does with them stand side by side."""
    page = people.come("/lab", viewport={"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    page.locator(".side .shape").first.tap()
    for what in (page.locator(".scene"), *page.locator(".controls .button").all(), page.get_by_label("Try")):
        expect(what).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Let go for 2 s").tap()
    expect(page.locator(".side .told")).not_to_be_empty()
    expect(page.locator(".side .told")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


def test_the_first_lesson_can_be_finished(people: People) -> None:
    """Two magnets, one that stands, the word that must not be forgotten, and what it costs."""
    page = people.come("/learn/yikerz", **SMALL)
    onward = page.get_by_role("button", name="Go on")
    for standing in (False, False, True):
        page.locator(".panel .shape").first.wait_for(timeout=3 * PATIENCE)  # the physics may have to wake up first
        _seen(page)
        page.locator(".panel .shape").first.click()
        page.locator(".height input").wait_for()
        box = page.locator(".layer").bounding_box()
        assert box is not None
        _by_mouse(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 0, -0.3 * box["width"])
        if standing:
            page.get_by_role("button", name="Stand up or lay flat").click()
        page.locator(".height input").fill("1")
        page.locator(".panel .button.main").click()
        expect(onward).to_be_enabled()
        onward.click()
    page.get_by_role("button", name="Last Yiker!").click()
    expect(onward).to_be_enabled()
    onward.click()
    page.locator(".panel [data-pick]").first.click()
    expect(onward).to_be_enabled()
    expect(page.locator(".task")).not_to_contain_text("three magnets")
    onward.click()
    page.locator(".panel [data-pick]").first.click()
    expect(page.locator(".task")).to_contain_text("three magnets")
    expect(page.get_by_text("That is all you need")).to_be_visible()


# Whether no two of these lie on each other, and all are within the window.
APART = """(what) => {
  const boxes = [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
  return boxes.every((one, k) => one.left >= 0 && one.right <= innerWidth && boxes.slice(k + 1).every((other) =>
    one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 1 || other.bottom <= one.top + 1));
}"""


@pytest.mark.clause("Y1")
@pytest.mark.parametrize("size", [(360, 720), (740, 360), (1200, 800)])
def test_six_sit_around_a_board_on_any_screen(people: People, site: Site, size: tuple[int, int]) -> None:
    """Plates and the names at the stacks are apart from each other and from the view's buttons, and each has its own mark."""
    seats = [{"kind": "open"}, *[{"kind": "bot", "level": 1}] * 5]
    setup = magnets(board=2, stacks=(3, 3, 3, 3, 3, 3))
    table, _ = open_table(site, "yikerz", seats=seats, setup=setup, settings={"pace": 0})
    width, height = size
    phone: dict[str, Any] = {"is_mobile": True, "has_touch": True} if width < 1000 else {}
    page = people.come(f"/t/{table}", name="Anna", viewport={"width": width, "height": height}, **phone)
    page.get_by_role("button", name="Sit here").first.click()
    expect(page.locator(".plate")).to_have_count(6)
    expect(page.locator(".scene .label")).to_have_count(6)
    _seen(page)
    for what in (".plate", ".scene .label, .scene .tool"):
        deadline = time.monotonic() + 5
        while not page.evaluate(APART, what):
            assert time.monotonic() < deadline, what
            page.wait_for_timeout(50)
    marks = page.locator(".plate .sign path").evaluate_all("some => some.map((one) => one.getAttribute('d'))")
    colours = page.locator(".plate .sign circle").evaluate_all("some => some.map((one) => one.getAttribute('fill'))")
    assert len(set(marks)) == len(set(colours)) == 6
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
