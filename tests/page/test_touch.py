"""By hand: what can be dragged, by mouse and by finger. What a drop would do is seen before it counts; a drop is what a tap is."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from page.moments import middle
from page.site import DO_SOMETHING, People, at_rest, open_table, sit_against_bot, until
from wykersham.board import table as position_of

DESK: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ROLLED: dict[str, Any] = {
    "phase": "decide", "player": 0, "rolls": 1, "dice": "12346", "kept": "", "defi": False,
    "board": [".....", ".....", ".....", ".....", "....."], "turns": [0, 0], "winner": None,
}  # fmt: skip
FEEL = "window.ticks = []; navigator.vibrate = (ms) => window.ticks.push(ms) > 0;"
Point = tuple[float, float]


class Mouse:
    """A hand at a mouse."""

    screen = DESK

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, at: Point) -> None:
        self.page.mouse.move(*at)
        self.page.mouse.down()

    def move(self, to: Point) -> None:
        self.page.mouse.move(*to, steps=6)

    def let_go(self) -> None:
        self.page.mouse.up()


class Finger:
    """A finger on a screen."""

    screen = PHONE

    def __init__(self, page: Page) -> None:
        self._tools = page.context.new_cdp_session(page)
        self._at: Point = (0, 0)

    def _touch(self, kind: str, *points: Point) -> None:
        some = [{"x": x, "y": y} for x, y in points]
        self._tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": some})

    def press(self, at: Point) -> None:
        self._at = at
        self._touch("touchStart", at)

    def move(self, to: Point) -> None:
        for share in (0.25, 0.5, 0.75, 1.0):
            point = tuple(before + share * (after - before) for before, after in zip(self._at, to, strict=True))
            self._touch("touchMove", (point[0], point[1]))
        self._at = to

    def let_go(self) -> None:
        self._touch("touchEnd")


Hand = Callable[[Page], Mouse | Finger]
both_hands = pytest.mark.parametrize("hand", [Mouse, Finger], ids=["mouse", "finger"])


def _middle(what: Locator) -> Point:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _sit(people: People, game: str, hand: Any, **more: Any) -> Page:
    seats = [{"kind": "open"}, {"kind": "bot", "level": 1}]
    table, _ = open_table(people.site, game, seats=seats, settings={"pace": 0}, **more)
    page = people.come("/about", name="Anna", **hand.screen)
    page.context.add_init_script(FEEL)
    page.goto(people.site.page(f"/t/{table}"))
    page.get_by_role("button", name="Sit here").click()
    at_rest(page)
    return page


def _ticks(page: Page) -> int:
    return int(page.evaluate("window.ticks.length"))


def _played(page: Page) -> int:
    return page.locator(".lines li").count()


@both_hands
def test_a_rail_is_dragged_into_its_notch(people: People, hand: Hand) -> None:
    """Rail 1 slides under the hand, and the goal that it would make is lit before it is let go."""
    sliding = position_of(". . . . . . .\n" + ". . r . . . .\n" * 4, "26", "6@3", "2@1", turns=13).view
    page = _sit(people, "wykersham", hand, setup=sliding)
    own = hand(page)
    start, beside = _middle(page.locator('[data-spot="3@1"]')), _middle(page.locator('[data-spot="n@1"]'))
    notch = beside[0] - start[0], beside[1] - start[1]
    goals = page.locator("polyline.goal")
    expect(page.get_by_role("button", name="Slide towards 6 · makes a goal")).to_be_visible()

    own.press(start)
    own.move((start[0] + 0.3 * notch[0], start[1] + 0.3 * notch[1]))
    expect(page.locator(".rail.held")).to_have_count(1)
    expect(goals).to_have_count(0)
    own.let_go()  # too little: it slides back
    expect(page.locator(".rail.held")).to_have_count(0)
    assert _played(page) == 0

    before = _ticks(page)
    own.press(start)
    own.move((start[0] + notch[0], start[1] + notch[1]))
    expect(goals).to_have_count(1)
    assert _ticks(page) > before, "the notch is felt"
    assert _played(page) == 0, "nothing counts before it is let go"
    own.let_go()
    expect(page.get_by_role("button", name="Take them")).to_be_visible()
    assert page.evaluate("scrollY") == 0, "a finger that pulls a rail does not scroll"


def test_escape_gives_a_drag_up(people: People) -> None:
    sliding = position_of(". . . . . . .\n" + ". . r . . . .\n" * 4, "26", "6@3", "2@1", turns=13).view
    page = _sit(people, "wykersham", Mouse, setup=sliding)
    own = Mouse(page)
    start, beside = _middle(page.locator('[data-spot="3@1"]')), _middle(page.locator('[data-spot="n@1"]'))
    own.press(start)
    own.move(beside)
    expect(page.locator("polyline.goal")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("polyline.goal")).to_have_count(0)
    own.let_go()
    expect(page.locator(".board-room[aria-busy=false]")).to_be_visible()
    assert _played(page) == 0
    expect(page.get_by_text("not there", exact=False)).to_have_count(0)


@both_hands
def test_a_marble_is_dragged_from_the_tray_into_its_cup(people: People, hand: Hand) -> None:
    page = _sit(people, "wykersham", hand, setup=middle("wykersham"))
    own = hand(page)
    tray = page.locator(".tray", has=page.locator(".ready"))
    cup = page.locator('[data-spot][aria-disabled="false"]').first
    name = cup.get_attribute("data-spot")
    lift = 0.0 if hand is Mouse else _lifted(page)
    x, y = _middle(cup)

    own.press(_middle(tray.locator(".ready")))
    own.move((x, y + lift))
    expect(page.locator(".aimed")).to_have_count(1)
    expect(page.locator("svg.carried")).to_have_count(1)
    own.move(_middle(page.locator(".plates").first))
    expect(page.locator(".aimed")).to_have_count(0)
    own.let_go()
    expect(page.locator("svg.carried")).to_have_count(0)
    assert _played(page) == 0, "it went back into its tray"

    own.press(_middle(tray.locator(".ready")))
    own.move((x, y + lift))
    expect(page.locator(".aimed")).to_have_count(1)
    own.let_go()
    assert name is not None
    expect(page.locator(".lines")).to_contain_text("You put a marble")
    expect(page.locator(".lines")).to_contain_text(name.split("@")[0])


def _lifted(page: Page) -> float:
    """A carried marble is seen above the finger: by so many pixels."""
    return float(
        page.evaluate(
            """() => {
              const board = document.querySelector('[data-board]'), drawing = board.querySelector('svg').viewBox.baseVal;
              return 40 * board.getBoundingClientRect().height / drawing.height;
            }"""
        )
    )


@both_hands
def test_dice_are_dragged_into_the_kept_tray_and_out_of_it(people: People, hand: Hand) -> None:
    page = _sit(people, "yam-master", hand, setup=ROLLED)
    own = hand(page)
    die = page.locator(".tray .die").first
    x, y = _middle(die)
    size = die.evaluate("(one) => one.offsetHeight")
    own.press((x, y))
    own.move((x, y - 0.5 * size))
    expect(page.get_by_role("button", name="Roll 4 dice")).to_be_visible()  # what it would do
    own.move((x, y))
    expect(page.get_by_role("button", name="Roll 5 dice")).to_be_visible()
    own.move((x, y - 0.5 * size))
    own.let_go()
    expect(die).to_have_attribute("aria-pressed", "true")
    x, y = _middle(die)
    own.press((x, y))
    own.move((x, y + 0.5 * size))
    own.let_go()
    expect(die).to_have_attribute("aria-pressed", "false")
    die.click()  # and a tap is still a tap
    expect(die).to_have_attribute("aria-pressed", "true")
    assert _ticks(page) >= 4


@both_hands
def test_a_pawn_is_dragged_along_its_chain(people: People, hand: Hand) -> None:
    page = _sit(people, "twisty", hand, setup=middle("twisty"))
    own = hand(page)
    page.locator("rect.chain").first.wait_for()  # farther than one jump
    pawn = _middle(page.locator("svg.pawn.seat-0"))
    chain = page.locator("rect.chain").first
    own.press(pawn)
    own.move(_middle(chain))
    expect(page.locator("polyline.way")).to_have_count(1)
    jumps = page.locator("polyline.way").get_attribute("points") or ""
    assert len(jumps.split()) > 2, "over more than one square"
    assert _played(page) == 0
    own.let_go()
    expect(page.locator(".lines")).to_contain_text("You")
    until(page, "document.querySelectorAll('.lines details li').length > 1 || document.querySelector('.ended')")


def test_what_cannot_be_played_cannot_be_dragged(people: People) -> None:
    """Neither the other's pawn nor one's own while the other is to play: what may be dragged is what is legal."""
    page = _sit(people, "twisty", Mouse, setup=middle("twisty"))
    own = Mouse(page)
    page.locator('[data-spot][aria-disabled="false"]').first.wait_for()
    theirs = _middle(page.locator("svg.pawn.seat-1"))
    own.press(theirs)
    own.move((theirs[0] + 60, theirs[1] + 60))
    expect(page.locator("svg.pawn.held")).to_have_count(0)
    own.let_go()
    guest = people.come(page.url.removeprefix(people.site.url), name="Zoe", **DESK)
    guest.locator("svg.pawn.seat-0").wait_for()
    pawn = _middle(guest.locator("svg.pawn.seat-0"))
    watching = Mouse(guest)
    watching.press(pawn)
    watching.move((pawn[0] + 90, pawn[1] + 90))
    expect(guest.locator("svg.pawn.held")).to_have_count(0)
    watching.let_go()


# Where things are, frame by frame: how far each has gone from where it was first.
WATCH_FOR_JUMPS = """() => {
  const parts = { board: '[data-board]', hand: '[data-board] + *', top: '.plates.top', bottom: '.plates.bottom', told: '.told' };
  const first = {};
  window.jumps = {};
  const look = () => {
    for (const [name, what] of Object.entries(parts)) {
      const one = document.querySelector(what);
      if (!one) continue;
      const box = one.getBoundingClientRect();
      const at = name === 'told' ? [box.top + scrollY] : [box.left + scrollX, box.top + scrollY, box.width];
      first[name] ??= at;
      const far = Math.max(...at.map((now, place) => Math.abs(now - first[name][place])));
      window.jumps[name] = Math.max(window.jumps[name] ?? 0, far);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["twisty", "wykersham", "yam-master"])
@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_jumps_while_one_plays(people: People, game: str, screen: dict[str, Any]) -> None:
    """By more than one pixel: neither the board nor the hand below it, the players or the line that tells what happened."""
    page = sit_against_bot(people, game, setup=middle(game))
    page.set_viewport_size(screen["viewport"])
    page.locator("[data-board]").wait_for()
    at_rest(page)
    page.evaluate(WATCH_FOR_JUMPS)
    for _ in range(14):
        if page.evaluate(DO_SOMETHING) == "over":
            break
        at_rest(page)
    assert all(far <= 1 for far in page.evaluate("window.jumps").values()), page.evaluate("window.jumps")
