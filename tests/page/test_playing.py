"""People play in real browsers against a real server: together, at one screen, against bots, watching, and on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from page.moments import magnets, middle
from page.site import (
    A_STEP,
    DO_SOMETHING,
    PATIENCE,
    People,
    Site,
    at_rest,
    open_table,
    play_to_the_end,
    serious,
    sit_against_bot,
    until,
    with_a_clock_in_hand,
)
from wykersham.board import table as position_of

SHORT = {"yam-master": {"max_turns": 3}, "wykersham": {}, "twisty": {"max_rounds": 4}}
GAMES = sorted(SHORT)
# What is too small for a finger, or lies partly under something else that can be tapped.
FOR_A_FINGER = """some => {
  const boxes = some.map(one => [one.dataset.spot ?? one.textContent.trim(), one.getBoundingClientRect()]);
  const shared = (one, other) => Math.min(
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  return boxes.filter(([name, box], place) => box.width < 40 || box.height < 40
    || boxes.some(([, other], elsewhere) => elsewhere !== place && shared(box, other) > 1)).map(([name]) => name);
}"""

BOARD_LIES = "document.querySelector('[data-board]').getBoundingClientRect().top + scrollY"
# The result between the board and what was one's hand: it covers neither.
BELOW_THE_BOARD = """(() => {
  const [board, result, hand] = ['[data-board]', '.ended', '[data-board] + *']
    .map(one => document.querySelector(one).getBoundingClientRect());
  return board.bottom <= result.top && result.bottom <= hand.top;
})()"""


@pytest.mark.parametrize("game", GAMES)
def test_two_browsers_play_each_other_to_the_end(people: People, site: Site, game: str) -> None:
    setup = {"setup": middle("wykersham", 80)} if game == "wykersham" else {}  # its fifteen turns each are many
    table, _ = open_table(site, game, options=SHORT[game], seats=[{"kind": "open"}, {"kind": "open"}], **setup)
    anna, bob = people.come(f"/t/{table}", name="Anna"), people.come(f"/t/{table}", name="Bob", language="fr-FR")
    anna.get_by_role("button", name="Sit here").first.click()
    expect(bob.get_by_text("Anna", exact=True)).to_be_visible()
    bob.get_by_role("button", name="S’asseoir ici").first.click()
    play_to_the_end(anna, bob)
    expect(anna.get_by_role("link", name="Look at the game again")).to_be_visible()
    expect(bob.get_by_role("button", name=re.compile("^(Rejouer|Revanche)$"))).to_be_visible()


@pytest.mark.both_hosts
def test_two_people_share_one_screen(people: People) -> None:
    page = people.come("/new/yam-master")
    page.get_by_label("Seat 2: Blue").select_option("here")
    page.get_by_label("Name").fill("Grandma")
    page.get_by_label("Turn limit, for each player").fill("1")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Grandma")).to_be_visible()
    play_to_the_end(page)


@pytest.mark.both_hosts
def test_one_click_starts_a_game_against_a_bot(people: People) -> None:
    page = people.come(language="fr-FR")
    page.get_by_role("button", name="Jouer tout de suite à Twisty").click()
    expect(page.get_by_text("Nils", exact=True)).to_be_visible()
    until(page, "document.title.startsWith('●')")
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    expect(page.locator(".lines li").first).to_be_visible()


def test_a_spectator_sees_the_game_from_the_middle_and_cannot_play(people: People, site: Site) -> None:
    table, _ = open_table(
        site,
        "wykersham",
        seats=[{"kind": "open"}, {"kind": "bot", "level": 1}],
        settings={"pace": 0},
        setup=middle("wykersham"),
    )
    anna = people.come(f"/t/{table}", name="Anna")
    anna.get_by_role("button", name="Sit here").click()
    for _ in range(400):
        if anna.evaluate(DO_SOMETHING) == "played":  # as soon as the board is there
            break
        anna.wait_for_timeout(50)
    anna.locator(".lines li").first.wait_for()
    watcher = people.come(f"/t/{table}")
    expect(watcher.get_by_text("You are watching.")).to_be_visible()
    until(watcher, "document.querySelectorAll('.marble').length > 0")
    assert watcher.locator('[data-spot][aria-disabled="false"]').count() == 0
    expect(watcher.locator(".lines li").first).to_be_visible()


@pytest.mark.both_hosts
def test_a_hint_shows_what_the_bot_would_do(people: People) -> None:
    page = people.come()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    until(page, "document.title.startsWith('●')")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advised")).to_contain_text(
        "Hint:", timeout=9 * PATIENCE
    )  # a worker may have to load the engine
    expect(page.locator(".state")).to_contain_text("Choose a corner")  # a hint hides no explanation
    expect(page.locator("[aria-live=polite]").last).to_contain_text("Hint: ")  # and whoever listens hears it


def test_a_hint_says_why(people: People, site: Site) -> None:
    """A slide makes a goal of five marbles, late in the game."""
    sliding = position_of(". . . . . . .\n" + ". . r . . . .\n" * 4, "26", "6@3", "2@1", turns=13).view
    seats = [{"kind": "open"}, {"kind": "bot", "level": 1}]
    table, _ = open_table(site, "wykersham", seats=seats, settings={"pace": 0, "hints": True}, setup=sliding)
    page = people.come(f"/t/{table}", name="Anna")
    page.get_by_role("button", name="Sit here").click()
    page.get_by_role("button", name="Hint").click()
    reasons = page.locator(".reasons li")
    expect(reasons.first).to_have_text("Anna wins 5 marbles in this turn, otherwise 0", timeout=9 * PATIENCE)
    expect(page.locator("[aria-live=polite]").last).to_contain_text("Anna wins 5 marbles in this turn")
    page.get_by_role("button", name="Slide towards 6 · makes a goal").click()
    expect(reasons).to_have_count(0)


def test_a_move_is_taken_back_and_a_game_is_given_up(people: People, site: Site) -> None:
    page = people.come()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    at_rest(page)
    before = page.locator(".lines li").count()  # the bot may have begun
    page.locator('[data-spot="a1"], [data-spot="g7"]').and_(page.locator('[aria-disabled="false"]')).first.click()
    until(page, f"document.querySelectorAll('.lines li').length > {before}")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("A move was taken back.")).to_be_visible()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("heading", name="Nils wins")).to_be_visible()


@pytest.mark.both_hosts
def test_a_careful_player_is_asked_before_a_move_counts(people: People) -> None:
    page = people.come("/settings")
    page.get_by_label("Ask before a move counts").check()
    page.get_by_role("link", name="Games", exact=True).click()
    page.get_by_role("button", name="Play now: Twisty against a bot").click()
    at_rest(page)
    before = page.locator(".lines li").count()
    page.locator('[data-spot][aria-disabled="false"]').first.click()
    page.get_by_role("button", name="Play it").click()
    until(page, f"document.querySelectorAll('.lines li').length > {before}")


def test_free_seats_are_offered_before_games_to_watch(people: People, site: Site) -> None:
    bot = {"kind": "bot", "level": 1}
    open_table(site, "twisty", seats=[{"kind": "open"}, bot])
    open_table(site, "twisty", seats=[bot, bot], settings={"pace": 9})
    page = people.come()
    expect(page.get_by_text("Lou · one seat free")).not_to_have_count(0)
    told = page.locator(".tables .button").all_inner_texts()
    words = [one.split()[0] for one in told]
    assert words == sorted(words), "Sit down before Watch"
    assert "Sit" in words


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_by_touch(people: People, site: Site, game: str) -> None:
    """360 pixels wide: nothing sticks out, what can be tapped is large enough for a finger, and the board never jumps, not even
    at the end, whose result is seen at once, said aloud, and leads on."""
    table, _ = open_table(
        site, game, options=SHORT[game], seats=[{"kind": "open"}, {"kind": "bot", "level": 1}], settings={"pace": 0}
    )
    page = people.come(
        f"/t/{table}", name="Anna", viewport={"width": 360, "height": 720}, has_touch=True, is_mobile=True
    )
    page.get_by_role("button", name="Sit here").tap()
    page.locator("[data-board]").wait_for()
    lies = page.evaluate(BOARD_LIES)
    for _ in range(12):
        at_rest(page)
        assert page.evaluate(BOARD_LIES) == pytest.approx(lies, abs=1)
        if page.locator(".ended").count():
            break
        before = page.locator(".lines li").count()
        able = page.locator('[data-spot][aria-disabled="false"], .hand .actions button:not([disabled])')
        able.first.wait_for()
        assert able.evaluate_all(FOR_A_FINGER) == []
        buttons = page.locator(".hand .actions button:not([disabled])")
        # The same place twice where a chain asks for it, whatever else becomes possible meanwhile.
        target = (buttons.last if buttons.count() else able.first).element_handle()
        target.tap()
        if page.get_by_text("Tap again").count():
            target.tap()
        until(page, f"document.querySelectorAll('.lines li').length != {before} || document.querySelector('.ended')")
    if not page.locator(".ended").count():
        page.get_by_role("button", name="Give up").tap()
        page.get_by_role("button", name="Yes").tap()
    again = page.locator(".ended").get_by_role("button", name=re.compile("^(Play again|Revenge)$"))
    again.wait_for()
    page.evaluate("scrollTo(0, 0)")
    until(page, BELOW_THE_BOARD)
    expect(again).to_be_in_viewport(ratio=1)
    assert page.evaluate(BOARD_LIES) == pytest.approx(lies, abs=1)
    headline = page.locator(".ended h2").inner_text()
    expect(page.locator(".told").get_by_text(headline, exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator(".page > [role=status]")).to_contain_text(headline)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".ended .button").evaluate_all(FOR_A_FINGER) == []
    assert serious(page) == []
    again.tap()
    expect(page.locator(".ended")).to_have_count(0)


ROLLED: dict[str, Any] = {
    "phase": "decide", "player": 0, "rolls": 1, "dice": "12346", "kept": "", "defi": False,
    "board": [".....", ".....", ".....", ".....", "....."], "turns": [0, 0], "winner": None,
}  # fmt: skip


def test_a_challenge_that_would_roll_every_die_asks_first(people: People) -> None:
    """It says on a phone too what a challenge is; the answer that changes nothing is under the keyboard's hand."""
    page = sit_against_bot(people, "yam-master", setup=ROLLED)
    page.set_viewport_size({"width": 390, "height": 844})
    at_rest(page)
    challenge = page.get_by_role("button", name="Challenge!")
    means = "“Challenge!” rolls and promises a Full, Carré, Yam, Suite or ≤8 within two rolls."
    challenge.click()
    expect(page.locator(".state")).to_have_text(f"You keep no die: all five are rolled again. {means}")
    expect(page.get_by_role("button", name="Not yet")).to_be_focused()
    page.keyboard.press("Enter")
    expect(challenge).to_be_focused()
    expect(page.locator(".board-room[aria-busy=false]")).to_be_visible()
    assert page.locator(".lines li").count() == 0, "nothing was played"

    page.get_by_role("button", name="Die 1, to be rolled again").click()
    expect(page.locator(".state")).to_contain_text(means)
    page.get_by_role("button", name="Die 1, kept").click()
    challenge.click()
    page.get_by_role("button", name="Challenge: roll all 5").click()
    expect(page.locator(".lines")).to_contain_text("You announce a challenge")


def test_a_challenge_with_dice_kept_is_announced_at_once(people: People) -> None:
    page = sit_against_bot(people, "yam-master", setup=ROLLED)
    at_rest(page)
    page.get_by_role("button", name="Die 1, to be rolled again").click()
    page.get_by_role("button", name="Challenge!").click()
    expect(page.locator(".lines")).to_contain_text("You announce a challenge")


@pytest.mark.parametrize(
    ("game", "sign"),
    [
        ("yam-master", "A line that has just scored."),
        ("wykersham", "Five in line: a goal."),
        ("twisty", "You can get there this turn, over special tokens."),
        ("yikerz", "Under the magnet in hand: the wider the ring, the higher the magnet."),
    ],
)
@pytest.mark.parametrize("screen", [(1200, 800), (390, 844)])
def test_the_rules_and_a_legend_are_one_tap_away(people: People, game: str, sign: str, screen: tuple[int, int]) -> None:
    """The game stays behind them, and the focus comes back."""
    page = sit_against_bot(people, game, setup=magnets() if game == "yikerz" else middle(game))
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    rules = page.get_by_role("button", name="Rules and signs")
    expect(rules).to_be_in_viewport(ratio=1)
    rules.click()
    dialog = page.get_by_role("dialog", name="Rules and signs")
    expect(dialog.get_by_text(sign)).to_be_visible()
    expect(dialog.get_by_role("heading", level=1)).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(rules).to_be_focused()
    expect(page.locator(".board-room")).to_be_visible()


def test_a_notice_leaves_by_itself(people: People) -> None:
    page = sit_against_bot(people, "twisty")
    at_rest(page)
    with_a_clock_in_hand(page, f"document.querySelector('{A_STEP}')")
    before = page.locator(".lines li").count()
    page.locator(A_STEP).first.click()
    until(page, f"document.querySelectorAll('.lines li').length > {before}")
    page.get_by_role("button", name="Take back").click()
    notice = page.get_by_text("A move was taken back.")
    expect(notice).to_be_visible()
    page.clock.run_for(9_000)
    expect(notice).to_be_visible()
    page.clock.run_for(1_500)
    expect(notice).to_have_count(0)


def test_a_plates_border_has_its_players_colour(people: People) -> None:
    page = sit_against_bot(people, "twisty")
    expect(page.locator(".plate .sign circle")).to_have_count(2)
    pairs = page.locator(".plate").evaluate_all(
        """(some) => some.map((one) => [one, one.querySelector('.sign circle')].map(getComputedStyle))
          .map(([plate, mark]) => [plate.borderTopColor, mark.fill])"""
    )
    assert all(border == mark for border, mark in pairs), pairs
    assert pairs[0] != pairs[1]


# Where the board, its hand and the players are in the room beside the log.
WIDE = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const [room, board, hand] = [box('.board-room'), box('[data-board]'), box('[data-board] + *')];
  const [top, bottom] = ['.plates.top', '.plates.bottom'].map(box);
  return {
    beside: hand.left >= board.right,
    used: (hand.right - board.left) / room.width,
    together: [top, bottom].every((one) => one.left >= hand.left - 2 && one.right <= hand.right + 2),
    room_for_a_hint: bottom.top - hand.bottom,
    opposite: top.bottom <= board.top && bottom.top >= board.bottom,
    apart: top.bottom <= hand.top && bottom.top >= hand.bottom && bottom.bottom <= room.bottom + 1,
  };
}"""


@pytest.mark.parametrize("game", GAMES)
def test_a_wide_screen_is_used(people: People, game: str) -> None:
    """The dice lie beside the board, the players sit with them, and no third of the room is empty; a hint
    will cover nobody."""
    page = sit_against_bot(people, game, setup=middle(game))
    for width, height in ((1920, 1080), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("[data-board]").wait_for()
        at_rest(page)
        until(page, f"(seen => seen.together && seen.beside && !seen.opposite)(({WIDE})())")
        seen = page.evaluate(WIDE)
        assert seen["apart"]
        assert seen["used"] > 2 / 3
        assert seen["room_for_a_hint"] >= 60
    page.set_viewport_size({"width": 1100, "height": 800})
    until(page, f"({WIDE})().opposite")  # on a smaller one they sit at the board's two sides
