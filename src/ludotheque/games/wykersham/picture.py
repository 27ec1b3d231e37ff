"""Wykersham's board in a terminal: five rails where they stand, r and g for the marbles, and what is to be done.

It is readable without colours; the page has its own board.
"""

from typing import Final

from ludotheque.core import Catalogue, Json, Paint, text
from ludotheque.games.wykersham import facts
from ludotheque.games.wykersham.views import (
    COLOURS,
    COLUMN_0,
    REACHED_IN_MIDDLE,
    ROLL_TEXTS,
    SLOPE_NAMES,
    cups_of,
    goals_of,
    is_combination,
    left_of,
)
from ludotheque.kernels import Fields

WIDTH: Final = 5  # of a column
MARKS: Final = "rg"


def picture(fields: Fields, catalogue: Catalogue, paint: Paint, language: str) -> str:
    """The whole board."""
    labels = " " * (2 + 4 * WIDTH) + "".join(name.center(WIDTH) for name in facts.LINE_NAMES)
    lines = [paint("bold", labels.rstrip())]
    lines += [_rail(fields, rail, paint) for rail in range(facts.RAILS)]
    lines.append(lines[0])
    colon = text("punctuation.colon").sentence(language)
    for seat in (0, 1):
        told: dict[str, Json] = {
            "count": fields.winnings[seat],
            "marbles": facts.MARBLES - _played(fields, seat),
            "turns": fields.turns[seat],
        }
        sign = "▶" if seat == fields.player and fields.phase not in (facts.STARTING, facts.ENDED) else " "
        name = paint(COLOURS[seat], f"{MARKS[seat]} {catalogue.say(f'seat.{seat}', language)}")
        lines.append(f" {sign} {name}{colon}{catalogue.say('board.seat', language, told)}")
    if question := _question(fields, catalogue, language):
        lines.append("   " + question)
    return "\n".join(lines)


def _played(fields: Fields, seat: int) -> int:
    """How many marbles a player has played."""
    finished: int = fields.turns[seat]
    return 2 * finished + (2 - fields.marbles if seat == fields.player and fields.dice != facts.NO_DICE else 0)


def _rail(fields: Fields, rail: int, paint: Paint) -> str:
    """One rail at its place: its number, its cups between its ends, how far it is slid.

    The ends tell what it can do: [ ] slides, | | is fixed, * * was slid this turn and is locked.
    """
    offset = fields.offsets[rail]
    first = facts.MIDDLE_BIT + offset
    ends = "||" if rail == facts.MIDDLE else "**" if rail + 1 in fields.slid else "[]"
    before = " " * (first * WIDTH)
    after = " " * ((facts.COLUMNS - facts.CUPS - first) * WIDTH)
    asked = fields.asked - facts.CUPS * rail if fields.phase == facts.CUP else -1
    cups = ""
    for cup in range(facts.CUPS):
        red, green = (cups_of(fields, player)[rail * facts.CUPS + cup] for player in (0, 1))
        if red or green:
            style = "bold" if cup == asked or (red and green) else COLOURS[int(green > 0)]
            cups += paint(style, _marbles(red, green).center(WIDTH))
        else:  # a dot where a marble could lie
            reachable = rail != facts.MIDDLE or cup in REACHED_IN_MIDDLE
            cups += paint("dim", ("·" if reachable else " ").center(WIDTH))
    return f"{rail + 1}{before}{ends[0]}{cups}{ends[1]}{after}{f'{offset:+d}' if offset else ''}".rstrip()


def _marbles(red: int, green: int) -> str:
    """r2, g1; both on the middle rail."""
    text = (f"r{red}" if red else "") + (f"g{green}" if green else "")
    return text if len(text) <= WIDTH else f"{red}/{green}"  # more than nine of each colour


def _question(fields: Fields, catalogue: Catalogue, language: str) -> str:
    """What is asked now."""
    if fields.dice == facts.NO_DICE:
        return ""
    dice = catalogue.say(
        "board.dice", language, {"dice": " ".join(ROLL_TEXTS[fields.dice]), "left": ", ".join(left_of(fields)) or "–"}
    )
    if fields.phase == facts.SLIDING:
        return f"{dice}   {catalogue.say('board.slide', language, {'rail': fields.asked + 1})}"
    if fields.phase == facts.GOAL and is_combination(fields):
        told: dict[str, Json] = {"count": len(goals_of(fields))}
        return f"{dice}   {catalogue.say('board.combination', language, told)}"
    if fields.phase == facts.GOAL:
        column, slope = divmod(fields.asked, 3)
        told = {"line": facts.column_name(column - COLUMN_0)}
        return f"{dice}   {catalogue.say(f'board.goal-{SLOPE_NAMES[slope]}', language, told)}"
    if fields.phase == facts.CUP:
        rail, cup = divmod(fields.asked, facts.CUPS)
        told = {"rail": rail + 1, "cup": cup + 1, "count": cups_of(fields, fields.player)[rail * facts.CUPS + cup]}
        return f"{dice}   {catalogue.say('board.cup', language, told)}"
    return dice
