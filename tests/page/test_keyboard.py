"""Nothing but keys: each board is played to the end of its game, the focus stays where one plays, and a screen reader is
told a grid with names, what happens, and whose turn it is."""

import time

import pytest
from playwright.sync_api import Page, expect

from page.moments import magnets, middle, position_link
from page.site import People, Site, open_table, until

GAMES = ("yam-master", "wykersham", "twisty")
BOT = {"seats": [{"kind": "open"}, {"kind": "bot", "level": 1}], "settings": {"pace": 0}}

# Where the focus is and where it should go: the first thing that can be used, on the board or among the buttons beside it.
WISH = """() => {
  if (document.querySelector('.ended')) return { over: true };
  if (!document.title.startsWith('●') || document.querySelector('.board-room[aria-busy=true]')) return { wait: true };
  const here = document.activeElement;
  const grid = document.querySelector('[role=grid]');
  const rows = [...grid.querySelectorAll('[role=row]')].map(row => [...row.querySelectorAll('[data-spot]')]);
  const place = (spot) => { const row = rows.findIndex(some => some.includes(spot)); return [row, rows[row]?.indexOf(spot)]; };
  const spot = grid.querySelector('[data-spot][aria-disabled="false"]');
  const button = document.querySelector('.hand .actions button:not([disabled])');
  const goal = spot ?? button;
  if (!goal) return { wait: true };
  const nowhere = here === document.body;
  return { there: goal === here, nowhere, spot: spot !== null, onGrid: grid.contains(here), from: place(here), to: place(spot) };
}"""
AT_THE_BOARD = "document.activeElement.closest('.host')"
UNDER_THE_FOCUS = "document.activeElement.textContent"


def _press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press(key)


def _sit_down(page: Page) -> None:
    """Tab to the first free seat, Enter."""
    page.get_by_role("button", name="Sit here").first.wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.textContent?.trim()") == "Sit here":
            break
    page.keyboard.press("Enter")


def _do_something(page: Page, begun: bool) -> str:
    """One key or one way to something that can be used. Whoever has begun to play keeps the focus: when the button under it
    goes away, they wait for the next thing to have it."""
    wish = page.evaluate(WISH)
    if wish.get("over"):
        return "over"
    if wish.get("wait") or (begun and wish["nowhere"]):
        return "wait"
    if wish["there"]:
        page.keyboard.press("Enter")
        return "done"
    if wish["spot"] and wish["onGrid"]:
        (row, column), (to_row, to_column) = wish["from"], wish["to"]
        _press(page, "ArrowDown" if to_row > row else "ArrowUp", abs(to_row - row))
        _press(page, "ArrowRight" if to_column > column else "ArrowLeft", abs(to_column - column))
    else:
        page.keyboard.press("Tab")
    return "tab"


def _is_told_a_grid(page: Page, game: str) -> None:
    """The board is one stop of the Tab key, and its places have names that tell them apart."""
    rows, count = {"yam-master": (5, 25), "wykersham": (5, 55), "twisty": (7, 49)}[game]
    grid = page.get_by_role("grid")
    assert "board" in (grid.get_attribute("aria-label") or "").lower()
    expect(grid.get_by_role("row")).to_have_count(rows)
    expect(grid.get_by_role("gridcell")).to_have_count(count)
    told = page.locator("main").aria_snapshot()
    assert '- heading "' in told
    cells = [line.strip() for line in told.splitlines() if "gridcell" in line]
    assert len(set(cells)) > count // 2, "places are told apart by their names"
    assert not [line for line in cells if '""' in line]
    assert grid.locator('[tabindex="0"]').count() == 1, "the board is one stop of the Tab key"


def _is_told_the_result(page: Page) -> None:
    """It is said, and the next thing that the Tab key comes to is another game."""
    headline = page.locator(".ended h2").inner_text()
    expect(page.locator(".page > [role=status]")).to_contain_text(headline)
    page.keyboard.press("Tab")
    assert page.evaluate(UNDER_THE_FOCUS) in {"Play again", "Revenge"}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_keys_alone(people: People, site: Site, game: str) -> None:
    short = {"yam-master": {"max_turns": 2}, "twisty": {"max_rounds": 3}}.get(game, {})
    setup = {"setup": middle("wykersham", 124)} if game == "wykersham" else {}
    table, _ = open_table(site, game, options=short, **BOT, **setup)
    page = people.come(f"/t/{table}", name="Anna")
    _sit_down(page)
    page.locator("[role=grid]").wait_for()
    _is_told_a_grid(page, game)
    told: set[str] = set()
    tabs = deeds = 0
    deadline = time.monotonic() + 90
    while (did := _do_something(page, deeds > 0)) != "over":
        assert time.monotonic() < deadline, page.evaluate(WISH)
        deeds += did == "done"
        tabs += did == "tab"
        if did in ("done", "wait"):
            page.wait_for_timeout(25)
            told.add(page.locator("[aria-live=polite]").last.text_content() or "")
    assert deeds > 2
    assert tabs < 8 * deeds + 40, "the focus stays near what can be done"
    assert len(told) > 2, "what happens is said"
    until(page, AT_THE_BOARD)  # also when the last move was made by a button that is gone
    _is_told_the_result(page)


def test_one_gives_up_and_plays_again_by_keys_alone(people: People, site: Site) -> None:
    """The focus goes along: to the board, to the answer that changes nothing, to the result, and to the board of the next game."""
    table, _ = open_table(site, "yam-master", **BOT)
    page = people.come(f"/t/{table}", name="Anna")
    _sit_down(page)
    until(page, AT_THE_BOARD)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate(UNDER_THE_FOCUS) == "Give up":
            break
    page.keyboard.press("Enter")
    assert page.evaluate(UNDER_THE_FOCUS) == "No"
    page.keyboard.press("Enter")
    assert page.evaluate(UNDER_THE_FOCUS) == "Give up"
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    until(page, "document.activeElement.matches('.ended')")
    _is_told_the_result(page)
    page.keyboard.press("Enter")
    expect(page.locator(".ended")).to_have_count(0)
    until(page, AT_THE_BOARD)


def test_a_screen_reader_is_told_every_cup_the_rails_the_goals_and_the_trays(people: People) -> None:
    """Also the cups beyond the seven lines, which a rail has taken there, and a goal that is to be taken or left."""
    cups: list[list[list[int]]] = [[[0, 0] for _ in range(11)] for _ in range(5)]
    for rail, cup in ((0, 4), (1, 3), (2, 4), (3, 4), (4, 4)):
        cups[rail][cup] = [1, 0]
    cups[1][10] = [0, 4]
    view = {
        "phase": "goal", "player": 0, "dice": "35", "left": ["5"], "offsets": [0, 1, 0, 0, 0], "cups": cups, "slid": [2],
        "direction": 1, "turns": [2, 2], "winnings": [0, 0], "goals": [{"line": "vertical", "column": -1, "taken": None}],
        "cup": None, "rail": None, "winner": None,
    }  # fmt: skip
    page = people.come(position_link("wykersham", view))
    grid = page.get_by_role("grid")
    expect(grid.get_by_role("gridcell")).to_have_count(55)
    told = page.locator("main").aria_snapshot()
    for sentence in (
        "Rail 2: a notch towards 6, 1 red, 4 green, has slid this turn",
        "Rail 3: never slides, 1 red",
        "Goal straight through line 3",
        "Red’s stock: 25 marbles",
        "Green’s winnings: 0 marbles",
        "line 3, rail 4, 1 red, on a goal",
        "3 cups beyond line 6, rail 2, 4 green",
    ):
        assert sentence in told, sentence
    page.locator('[data-spot="3@1"]').focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.spot") == "3@2", (
        "a rail that has slid is crossed in the same line"
    )
    page.keyboard.press("End")
    assert "beyond line 6" in page.evaluate("document.activeElement.ariaLabel")


def test_a_magnet_is_put_down_by_keys_alone(people: People, site: Site) -> None:
    """Tab to a magnet, Enter, arrows over the board, Page Down, Enter; and where it is, is said on the way."""
    table, _ = open_table(site, "yikerz", **BOT, options={"quiet_seconds": 1}, setup=magnets(board=2, stacks=(9, 9)))
    page = people.come(f"/t/{table}", name="Anna", viewport={"width": 900, "height": 600})
    _sit_down(page)
    page.locator(".panel .shape").first.wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement?.classList.contains('shape')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Let go")).to_be_visible()
    until(page, "document.activeElement?.classList.contains('layer')")  # the hand is ready at once
    voice = page.locator("[aria-live=polite]").last
    for key, seconds in (("ArrowUp", 0.9), ("PageDown", 1.8)):
        page.keyboard.down(key)
        page.wait_for_timeout(seconds * 1000)
        page.keyboard.up(key)
    expect(voice).to_contain_text("mm above the mat")
    before = page.locator(".lines li").count()
    page.keyboard.press("Enter")
    until(page, f"document.querySelectorAll('.lines li').length > {before}")
    assert "You place" in " ".join(page.locator(".lines li").all_inner_texts())
