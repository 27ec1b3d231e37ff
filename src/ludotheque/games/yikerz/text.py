"""The text of Yikerz!'s actions: one compact JSON object each, written in exactly one way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from ludotheque.core import BadJson, IllegalAction, Json, JsonObject, parse
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.magnets.path import Path

DECIMALS: Final = 4
KINDS: Final = ("layout", "deal", "lot", "stack", "magnet", "call", "pick", "wait")


def neat(value: Json) -> Json:
    """The same with numbers as we write them: at most four decimals, and whole ones without a point.

    So written, Python and JavaScript spell every number alike.
    """
    if isinstance(value, bool) or value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        rounded = round(value, DECIMALS)
        return int(rounded) if rounded == int(rounded) else rounded
    if isinstance(value, Mapping):
        return {key: neat(item) for key, item in value.items()}
    return [neat(item) for item in value]


def write_action(action: JsonObject) -> str:
    """The one text of an action."""
    return json.dumps(neat(action), sort_keys=True, separators=(",", ":"), allow_nan=False)


def path_action(magnet: int, path: Path) -> str:
    """The text of a turn."""
    samples = [[time, *pose] for time, pose in zip(path.times, path.poses, strict=True)]
    return write_action({"magnet": magnet, "path": samples, "release": path.release})


def read_action(written: str) -> JsonObject:
    """An action from its text; IllegalAction if it is none or is written in another way."""
    try:
        value = parse(written)
    except BadJson as problem:
        raise IllegalAction(text("play.not-json", why=problem.text)) from problem
    if not isinstance(value, Mapping) or not any(kind in value for kind in KINDS):
        raise IllegalAction(text("play.no-action", keys=", ".join(KINDS)))
    if write_action(value) != written:
        raise IllegalAction(text("play.not-canonical"))
    return value


def listed(numbers: Sequence[object], conjunction: str) -> str:
    """ "3", "3 and 7", "3, 5 and 7"."""
    texts = [str(number) for number in numbers]
    if len(texts) < 2:
        return "".join(texts)
    return ", ".join(texts[:-1]) + f" {conjunction} {texts[-1]}"
