"""Yikerz! in a terminal: the board from above, and what a person means by what was typed.

The page draws its own board; the path of a hand is magnets/hand.py's business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ludotheque.core import Json, Paint
from ludotheque.games.yikerz.magnets.hand import STANDINGS, Standing, put_down
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, corners, on_mats
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.text import listed, path_action, write_action

if TYPE_CHECKING:
    from ludotheque.games.yikerz.position import YikerzPosition

COLOURS: Final = ("red", "blue", "green", "yellow")
WIDEST: Final = 76  # columns of the terminal's board


def picture(position: YikerzPosition, paint: Paint, language: str) -> str:
    """The board from above, each magnet by its number, and the stacks."""
    table, words = position.table, position.game.words
    lines: list[str] = []
    if table.layout:
        every = [corner for mat in table.layout for corner in corners(mat)]
        left, right = min(c[0] for c in every), max(c[0] for c in every)
        low, high = min(c[1] for c in every), max(c[1] for c in every)
        scale = max((right - left) / WIDEST, (high - low) / 40 / 2, 1.0)  # mm a column; a line is two columns high
        columns, rows = int((right - left) / scale) + 1, int((high - low) / scale / 2) + 1
        grid = [[" "] * (columns + 2) for _ in range(rows)]
        for row in range(rows):
            for column in range(columns):
                if on_mats(table.layout, left + column * scale, high - row * 2 * scale):
                    grid[row][column] = "·"
        for magnet, pose in table.board.items():
            row, column = int((high - pose[1]) / scale / 2), int((pose[0] - left) / scale)
            row, column = max(0, min(rows - 1, row)), max(0, min(columns - 1, column))
            for k, sign in enumerate(str(magnet)):
                grid[row][column + k] = paint("bold", sign)
        lines += ["".join(row).rstrip() for row in grid]
        facts: dict[str, Json] = {"left": round(left), "right": round(right), "low": round(low), "high": round(high)}
        lines.append(words.say("board.axes", language, facts))
    for number, stack in enumerate(table.stacks):
        if stack:
            lines.append(
                words.say(
                    "board.stack", language, {"stack": number, "magnets": _magnets(stack, words.say("and", language))}
                )
            )
    for seat in range(position.players):
        sign = "▶" if seat == table.player and not position.over else " "
        name = paint(COLOURS[seat % len(COLOURS)], position.game.seat_name(seat, language))
        facts = {
            "count": len(table.hands[seat]),
            "magnets": _magnets(table.hands[seat], ","),
            "rounds": table.rounds_won[seat],
        }
        lines.append(f" {sign} {name}: {words.say('board.seat', language, facts)}"[:100])
    return "\n".join(lines)


def _magnets(magnets: Sequence[int], conjunction: str) -> str:
    return (
        " ".join(str(magnet) for magnet in sorted(magnets))
        if conjunction == ","
        else listed(sorted(magnets), conjunction)
    )


def understood(position: YikerzPosition, typed: str) -> str:
    """What a person means: `7 20 -30 edge 45` puts magnet 7 at x 20, y -30 on its edge, turned by 45°; `wait`, `pick 3`, …"""
    words = typed.replace(",", " ").split()
    if not words or typed.lstrip().startswith("{"):
        return typed.strip()
    first = words[0].lower()
    if first in ("wait", "attendre"):
        return write_action({"wait": True})
    if first in ("call", "last", "dernier"):
        return write_action({"call": "last"})
    if first in ("layout", "disposition", *LAYOUTS):
        return write_action({"layout": words[-1].lower()})
    if first in ("stack", "pick", "pile", "prendre") and len(words) == 2 and words[1].isdigit():
        return write_action({"stack" if first in ("stack", "pile") else "pick": int(words[1])})
    if position.table.phase == "stack" and first.isdigit():
        return write_action({"stack": int(first)})
    if position.table.phase == "pick" and first.isdigit():
        return write_action({"pick": int(first)})
    numbers = [float(word) for word in words if re.fullmatch(r"-?\d+(\.\d+)?", word)]
    if position.table.phase == "turn" and len(numbers) >= 3 and numbers[0] == int(numbers[0]):
        standing: Standing = next((one for one in STANDINGS if one in words), "flat")
        magnet = position.own_magnet(int(numbers[0]))
        x, y = (max(-500.0, min(500.0, number)) for number in numbers[1:3])
        angle = numbers[3] if len(numbers) > 3 else 0.0
        return path_action(magnet, put_down(shape_of(magnet), x, y, standing, angle))
    return typed.strip()
