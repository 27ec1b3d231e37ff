"""Yikerz! in a terminal: the board from above, and what a person means by what was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import atan2, degrees
from typing import TYPE_CHECKING, Final

from ludotheque.core import Json, JsonObject, Paint, bare, languages
from ludotheque.games.yikerz.catalogue import PROGRAM
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, corners, on_mats
from ludotheque.games.yikerz.magnets.path import STANDINGS, Standing, put_down, turned
from ludotheque.games.yikerz.magnets.shapes import Shape, shape_of
from ludotheque.games.yikerz.text import listed, path_action, read_action, write_action

if TYPE_CHECKING:
    from ludotheque.games.yikerz.position import YikerzPosition

KINDS: Final = ("wait", "call", "layout", "stack", "pick")
COLOURS: Final = ("red", "blue", "green", "yellow", "magenta", "cyan")
WIDEST: Final = 76  # columns of the terminal's board


def picture(position: YikerzPosition, paint: Paint, language: str) -> str:
    """The board from above, each magnet by its number, and the stacks."""
    table, catalogue = position.table, position.game.catalogue
    colon = PROGRAM.say("punctuation.colon", language)
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
        lines.append(catalogue.say("board.axes", language, facts))
    for number, stack in enumerate(table.stacks):
        if stack:
            lines.append(
                catalogue.say(
                    "board.stack",
                    language,
                    {"stack": number + 1, "magnets": _magnets(stack, catalogue.say("and", language))},
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
        told = catalogue.say("board.seat", language, facts).replace(" ()", "")  # an empty stack
        lines.append(f" {sign} {name}{colon}{told}"[:110])
    return "\n".join(lines)


def _magnets(magnets: Sequence[int], conjunction: str) -> str:
    return (
        " ".join(str(magnet) for magnet in sorted(magnets))
        if conjunction == ","
        else listed(sorted(magnets), conjunction)
    )


def understood(position: YikerzPosition, typed: str) -> str:
    """What a person means: `7 20 -30 edge 45` puts magnet 7 at x 20, y -30 on its edge, turned by 45°; `wait`, `pick 3`, …

    IllegalAction, in the words that can be typed, if it is none of that; an action as programs write it is left as it is.
    """
    if not typed.strip() or typed.lstrip().startswith("{"):
        return typed.strip()
    known = _meanings(position)
    words = [known.get(word, word) for word in bare(typed.replace(",", " ")).split()]
    numbers = [float(word) for word in words if re.fullmatch(r"-?\d+(\.\d+)?", word)]
    if position.table.phase == "turn" and len(numbers) >= 3 and numbers[0] == int(numbers[0]):
        standing: Standing = next((one for one in STANDINGS if one in words), "flat")
        magnet = position.own_magnet(int(numbers[0]))
        x, y = (max(-500.0, min(500.0, number)) for number in numbers[1:3])
        angle = numbers[3] if len(numbers) > 3 else 0.0
        return path_action(magnet, put_down(shape_of(magnet), x, y, standing, angle))
    listed_action = _listed_action(position.table.phase, words)
    if listed_action == {"call": "last"}:
        return write_action(listed_action)  # Y14: it may be said at any time, though it may mean nothing
    if listed_action is None or write_action(listed_action) not in position.legal().actions:
        raise position.refuse_typed(typed)
    return write_action(listed_action)


def _meanings(position: YikerzPosition) -> dict[str, str]:
    """What each word means that may be typed, in any language: a kind of action, a layout, a way to stand."""
    names = (*KINDS, *LAYOUTS, *STANDINGS)
    typed = {bare(_word(position, name, language)): name for name in names for language in languages()}
    return {"last": "call", "disposition": "layout"} | typed


def _word(position: YikerzPosition, name: str, language: str) -> str:
    return position.game.catalogue.templates(language).get(f"action.{name}", name)


def _listed_action(phase: str, words: Sequence[str]) -> JsonObject | None:
    """An action that can be listed, by its words, or by its number alone where one is asked for."""
    first, last = words[0], words[-1]
    kind = first if first in KINDS else phase if first.isdigit() else "layout" if first in LAYOUTS else None
    if kind == "wait":
        return {"wait": True}
    if kind == "call":
        return {"call": "last"}
    if kind == "layout":
        return {"layout": last}
    if kind in ("stack", "pick") and last.isdigit():
        return {"stack": int(last) - 1} if kind == "stack" else {"pick": int(last)}  # people count stacks from one
    return None


def kinds(position: YikerzPosition, language: str) -> list[str]:
    """How a hand's path is typed, where a magnet can be placed; mats that are laid freely cannot be typed."""
    if "magnet" not in position.legal().open:
        return []
    standings = "|".join(_word(position, standing, language) for standing in STANDINGS)
    return [position.game.catalogue.say("action.magnet", language, {"standings": standings})]


def written(position: YikerzPosition, action: str, language: str) -> str:
    """A legal action as a person would type it; of a hand's path, the place and the way in which it puts the magnet down."""
    request = read_action(action)
    if "magnet" in request:
        path = position.read_turn(request)[1]
        x, y, _, *quaternion = path.poses[-1]
        standing, angle = put_down_as(quaternion, shape_of(position.own_magnet(request["magnet"])))
        return f"{request['magnet']} {x:.0f} {y:.0f} {_word(position, standing, language)} {angle:.0f}"
    ((kind, value),) = request.items()
    if kind == "layout" and isinstance(value, str):
        return _word(position, value, language)
    number = value + 1 if kind == "stack" and isinstance(value, int) else value
    word = _word(position, kind, language)
    return f"{word} {number}" if kind in ("stack", "pick") else word


def put_down_as(quaternion: Sequence[float], shape: Shape | None = None) -> tuple[Standing, float]:
    """How a piece with this orientation lies or stands, and by how many degrees it is turned: the nearest that can be typed."""

    def turning(standing: Standing) -> tuple[float, float]:
        """How far from that standing, and the angle about the vertical."""
        (w, x, y, z), (a, b, c, d) = quaternion, turned(standing, 0, shape)
        real, i, j, k = (
            w * a + x * b + y * c + z * d,
            x * a - w * b + z * c - y * d,
            y * a - w * c - z * b + x * d,
            z * a - w * d + y * b - x * c,
        )
        return i * i + j * j, 2 * degrees(atan2(k, real)) % 360

    best = min(STANDINGS, key=lambda standing: turning(standing)[0])
    return best, turning(best)[1]
