"""Requests at the server's edge: pydantic's models mirror the table's requests, and reading by either gives the same."""

import json
from dataclasses import fields
from typing import Any

import pytest
from pydantic import ValidationError

from ludotheque.core import BadJson
from ludotheque.server.schemas import requests as schemas
from ludotheque.server.schemas.requests import read_message
from ludotheque.table import read_request, requests

CHANGE: dict[str, Any] = {"id": "r", "at": 4}
GOOD: list[dict[str, Any]] = [
    {"do": "act", **CHANGE, "action": "3@2"},
    {"do": "act", **CHANGE, "action": "a" * requests.LONGEST_ACTION},
    {"do": "roll", **CHANGE, "unknown": 1},
    {"do": "roll", "id": "r" * requests.LONGEST_ID, "at": requests.LARGEST_NUMBER},
    {"do": "sit", **CHANGE, "seat": 1, "name": "Zoé", "number": "7"},
    {"do": "contribute", **CHANGE, "number": "7", "seat": 1},
    {"do": "newcomers", **CHANGE, "on": False},
    {"do": "stand", **CHANGE, "seat": 1},
    {"do": "bot", **CHANGE, "seat": 1, "program": "Firmin"},
    {"do": "takeback", **CHANGE, "seat": None},
    {"do": "answer", **CHANGE, "yes": False},
    {"do": "resign", **CHANGE, "seat": 0},
    {"do": "claim", **CHANGE, "as": "bot"},
    {"do": "rematch", **CHANGE},
    {"do": "rematch", **CHANGE, "on": False},
    {"do": "begin", **CHANGE, "hand": {"magnet": 3}},
    {"do": "hand", "hand": {"release": True}},
    {"do": "peek", "id": "r", "actions": ["a", "b"]},
    {"do": "hint", "id": "r"},
    {"do": "story", "id": "r", "from": 3},
    {"do": "phrase", "id": "r", "phrase": "thanks"},
    {"do": "chat", "id": "r", "text": "!"},
    {"do": "mute", "id": "r", "person": "p", "on": True},
    {"do": "remove", "id": "r", "person": "p"},
    {"do": "ping", "id": "r"},
]
BAD: list[Any] = [
    [],
    "roll",
    {},
    {"do": "fly", **CHANGE},
    {"do": "roll", "id": "r"},
    {"do": "roll", "id": "", "at": 1},
    {"do": "roll", "id": ["r"], "at": 1},
    {"do": "roll", "id": "r", "at": True},
    {"do": "roll", "id": "r", "at": 1.0},
    {"do": "roll", "id": "r", "at": -1},
    {"do": "roll", "id": "r", "at": requests.LARGEST_NUMBER + 1},
    {"do": "roll", "id": "r" * 65, "at": 1},
    {"do": "act", **CHANGE},
    {"do": "act", **CHANGE, "action": 3},
    {"do": "act", **CHANGE, "action": "a" * (requests.LONGEST_ACTION + 1)},
    {"do": "sit", **CHANGE, "seat": -1},
    {"do": "contribute", **CHANGE, "number": ""},
    {"do": "contribute", **CHANGE},
    {"do": "newcomers", **CHANGE, "on": 1},
    {"do": "claim", **CHANGE, "as": "draw"},
    {"do": "hint", "id": "r", "level": 6},
    {"do": "peek", "id": "r", "actions": ["a"] * 51},
    {"do": "hand", "hand": 1},
]


@pytest.mark.parametrize("sent", GOOD, ids=lambda sent: str(sent["do"]))
def test_a_request_is_the_same_read_by_the_server_and_by_the_table(sent: dict[str, Any]) -> None:
    assert read_message(json.dumps(sent)) == read_request(sent)


@pytest.mark.parametrize("sent", BAD, ids=lambda sent: json.dumps(sent)[:40])
def test_what_one_refuses_the_other_refuses(sent: Any) -> None:
    with pytest.raises(ValidationError):
        read_message(json.dumps(sent))
    with pytest.raises(BadJson):
        read_request(sent)


@pytest.mark.parametrize("text", ["", "{", "[1", '{"do":"roll","id":"r","at":1', '{"do":"roll","id":"r","at":NaN}'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        read_message(text)


def test_every_request_has_its_mirror() -> None:
    assert {sent["do"] for sent in GOOD} == set(requests.REQUESTS)
    for sent in GOOD:
        model, own = schemas.REQUESTS.validate_python(sent), read_request(sent)
        assert len(type(model).model_fields) == len(fields(own)) + 1, "the table's request, and `do`"
