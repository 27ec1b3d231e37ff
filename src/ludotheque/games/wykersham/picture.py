"""Wykersham's board in a terminal: five rails where they stand, r and g for the marbles, and what is to be done.

It is readable without colours; the page has its own board.
"""

from typing import Final

from ludotheque.core import COLON, Json, Paint, Words
from ludotheque.games.wykersham import rules, tables
from ludotheque.games.wykersham.views import COLOURS, COLUMN_0, REACHED_IN_MIDDLE, ROLL_TEXTS, SLOPE_NAMES, left_of
from ludotheque.kernels import State

WIDTH: Final = 5  # of a column
MARKS: Final = "rg"


def picture(state: State, words: Words, paint: Paint, language: str) -> str:
    """The whole board."""
    labels = " " * (2 + 4 * WIDTH) + "".join(name.center(WIDTH) for name in tables.LINE_NAMES)
    lines = [paint("bold", labels.rstrip())]
    lines += [_rail(state, rail, paint) for rail in range(tables.RAILS)]
    lines.append(lines[0])
    for seat in (0, 1):
        facts: dict[str, Json] = {
            "count": int(state.winnings[seat]),
            "marbles": tables.MARBLES - _played(state, seat),
            "turns": int(state.turns[seat]),
        }
        sign = "▶" if seat == state.player and state.phase not in (rules.STARTING, rules.ENDED) else " "
        name = paint(COLOURS[seat], f"{MARKS[seat]} {words.say(f'seat.{seat}', language)}")
        lines.append(f" {sign} {name}{COLON[language]}{words.say('board.seat', language, facts)}")
    if question := _question(state, words, language):
        lines.append("   " + question)
    return "\n".join(lines)


def _played(state: State, seat: int) -> int:
    """How many marbles a player has played."""
    this_turn = 2 - int(state.marbles) if seat == state.player and state.dice != rules.NO_DICE else 0
    return 2 * int(state.turns[seat]) + this_turn


def _rail(state: State, rail: int, paint: Paint) -> str:
    """One rail at its place: its number, its cups between its ends, how far it is slid.

    The ends tell what it can do: [ ] slides, | | is fixed, * * was slid this turn and is locked.
    """
    offset = int(state.offsets[rail])
    first = tables.MIDDLE_BIT + offset
    ends = "||" if rail == tables.MIDDLE else "**" if rail + 1 in state.slid else "[]"
    before = " " * (first * WIDTH)
    after = " " * ((tables.COLUMNS - tables.CUPS - first) * WIDTH)
    asked = int(state.asked) - tables.CUPS * rail if state.phase == rules.CUP else -1
    cups = ""
    for cup, (red, green) in enumerate(state.cups[:, rail].T.tolist()):
        if red or green:
            style = "bold" if cup == asked or (red and green) else COLOURS[int(green > 0)]
            cups += paint(style, _marbles(red, green).center(WIDTH))
        else:  # a dot where a marble could lie
            reachable = rail != tables.MIDDLE or cup in REACHED_IN_MIDDLE
            cups += paint("dim", ("·" if reachable else " ").center(WIDTH))
    return f"{rail + 1}{before}{ends[0]}{cups}{ends[1]}{after}{f'{offset:+d}' if offset else ''}".rstrip()


def _marbles(red: int, green: int) -> str:
    """r2, g1; both on the middle rail."""
    text = (f"r{red}" if red else "") + (f"g{green}" if green else "")
    return text if len(text) <= WIDTH else f"{red}/{green}"  # more than nine of each colour


def _question(state: State, words: Words, language: str) -> str:
    """What is asked now."""
    if state.dice == rules.NO_DICE:
        return ""
    dice = words.say(
        "board.dice", language, {"dice": " ".join(ROLL_TEXTS[state.dice]), "left": ", ".join(left_of(state)) or "–"}
    )
    if state.phase == rules.SLIDING:
        return f"{dice}   {words.say('board.slide', language, {'rail': int(state.asked) + 1})}"
    if state.phase == rules.GOAL:
        column, slope = divmod(int(state.asked), 3)
        facts: dict[str, Json] = {"line": tables.column_name(column - COLUMN_0)}
        return f"{dice}   {words.say(f'board.goal-{SLOPE_NAMES[slope]}', language, facts)}"
    if state.phase == rules.CUP:
        rail, cup = divmod(int(state.asked), tables.CUPS)
        facts = {"rail": rail + 1, "cup": cup + 1, "count": int(state.cups[state.player, rail, cup])}
        return f"{dice}   {words.say('board.cup', language, facts)}"
    return dice
