"""The schemas of requests mirror the table's dataclasses: both readers accept the same messages and mean the same."""

import dataclasses
import json
from typing import Any

import pytest
from pydantic import ValidationError

from ludotheque.core import BadJson
from ludotheque.server.schemas.requests import REQUESTS, Hello, for_the_table
from ludotheque.table import Request, read_request, requests

SAMPLES: dict[str, dict[str, Any]] = {
    "act": {"id": "a", "at": 3, "action": "pass"},
    "roll": {"id": "a", "at": 3},
    "sit": {"id": "a", "at": 3, "seat": 1, "name": "Bru", "number": "7"},
    "contribute": {"id": "a", "at": 3, "number": "7", "seat": 1},
    "newcomers": {"id": "a", "at": 3, "on": False},
    "stand": {"id": "a", "at": 3, "seat": 1},
    "bot": {"id": "a", "at": 3, "seat": 1, "level": 2, "program": "Firmin"},
    "takeback": {"id": "a", "at": 3, "seat": 1},
    "answer": {"id": "a", "at": 3, "yes": True},
    "resign": {"id": "a", "at": 3, "seat": 1},
    "claim": {"id": "a", "at": 3, "as": "win"},
    "rematch": {"id": "a", "at": 3, "number": "7", "on": False},
    "begin": {"id": "a", "at": 3, "hand": {"magnet": 1}},
    "hand": {"hand": {"release": True}},
    "peek": {"id": "a", "actions": ["pass"]},
    "hint": {"id": "a", "level": 4},
    "story": {"id": "a", "from": 5},
    "phrase": {"id": "a", "phrase": "hello"},
    "chat": {"id": "a", "text": "Hello"},
    "mute": {"id": "a", "person": "bruno", "on": False},
    "remove": {"id": "a", "person": "bruno"},
    "ping": {"id": "a"},
}
LIMITS = {
    "id": requests.LONGEST_ID,
    "action": requests.LONGEST_ACTION,
    "name": requests.LONGEST_NAME,
    "number": requests.LONGEST_SHARE,
    "program": requests.LONGEST_PROGRAM,
    "phrase": requests.LONGEST_PHRASE,
    "text": requests.LONGEST_TEXT,
    "person": requests.LONGEST_PERSON,
    "seat": requests.MOST_SEATS,
    "at": requests.LARGEST_NUMBER,
    "level": requests.LEVELS[1],
    "from": requests.LARGEST_START,
}
WRONG: tuple[Any, ...] = (None, True, 0, 1, 1.0, 1.5, -1, "", "x", "true", "1", [], {}, [1])


def by_schema(message: dict[str, Any]) -> Request | None:
    try:
        found = REQUESTS.validate_json(json.dumps(message))
    except ValidationError:
        return None
    assert not isinstance(found, Hello)
    return for_the_table(found)


def by_table(message: dict[str, Any]) -> Request | None:
    try:
        return read_request(message)
    except BadJson:
        return None


def variations(do: str) -> list[dict[str, Any]]:
    """The sample, without each of its keys, at and over each limit, and with values of wrong kinds."""
    whole = {"do": do, **SAMPLES[do]}
    found = [whole, {**whole, "unknown": 1}]
    for key, value in SAMPLES[do].items():
        found.append({name: one for name, one in whole.items() if name != key})
        if key in LIMITS:
            limit = LIMITS[key]
            at, over = (limit, limit + 1) if isinstance(value, int) else ("x" * limit, "x" * (limit + 1))
            found += [{**whole, key: at}, {**whole, key: over}]
        found += [{**whole, key: wrong} for wrong in WRONG]
    return found


def test_every_request_has_a_schema_and_a_sample() -> None:
    assert set(SAMPLES) == set(requests.REQUESTS)
    assert {model["properties"]["do"]["const"] for model in REQUESTS.json_schema()["$defs"].values()} == {
        "hello",
        *requests.REQUESTS,
    }


@pytest.mark.parametrize("do", requests.REQUESTS)
def test_the_schema_and_the_table_read_the_same(do: str) -> None:
    whole = by_table({"do": do, **SAMPLES[do]})
    assert whole is not None
    assert dataclasses.is_dataclass(whole)
    for message in variations(do):
        assert by_schema(message) == by_table(message), message
