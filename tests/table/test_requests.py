"""Requests as people and programs send them."""

import pytest

from ludotheque.core import BadJson, JsonObject
from ludotheque.table import Request, read_request, requests

CHANGE: JsonObject = {"id": "r", "at": 4}
READ: list[tuple[JsonObject, Request]] = [
    ({"do": "act", **CHANGE, "action": "3@2", "unknown": 1}, requests.Act("r", 4, "3@2")),
    ({"do": "roll", **CHANGE}, requests.Roll("r", 4)),
    ({"do": "sit", **CHANGE, "seat": 1, "name": "Zoé", "number": "7"}, requests.Sit("r", 4, 1, "Zoé", "7")),
    ({"do": "sit", **CHANGE, "seat": 1, "name": None}, requests.Sit("r", 4, 1)),
    ({"do": "contribute", **CHANGE, "number": "7"}, requests.Contribute("r", 4, "7")),
    ({"do": "contribute", **CHANGE, "number": "7", "seat": 1}, requests.Contribute("r", 4, "7", 1)),
    ({"do": "newcomers", **CHANGE, "on": False}, requests.SetNewcomers("r", 4, False)),
    ({"do": "stand", **CHANGE, "seat": 1}, requests.Stand("r", 4, 1)),
    ({"do": "bot", **CHANGE, "seat": 1}, requests.SeatBot("r", 4, 1)),
    ({"do": "bot", **CHANGE, "seat": 1, "program": "Firmin"}, requests.SeatBot("r", 4, 1, 3, "Firmin")),
    ({"do": "takeback", **CHANGE}, requests.AskTakeback("r", 4)),
    ({"do": "answer", **CHANGE, "yes": False}, requests.AnswerTakeback("r", 4, False)),
    ({"do": "resign", **CHANGE, "seat": 0}, requests.Resign("r", 4, 0)),
    ({"do": "claim", **CHANGE, "as": "bot"}, requests.Claim("r", 4, "bot")),
    ({"do": "rematch", **CHANGE, "number": "8"}, requests.Rematch("r", 4, "8")),
    ({"do": "rematch", **CHANGE, "on": False}, requests.Rematch("r", 4, on=False)),
    ({"do": "begin", **CHANGE, "hand": {"magnet": 3}}, requests.BeginLive("r", 4, {"magnet": 3})),
    ({"do": "hand", "hand": {"release": True}}, requests.MoveHand({"release": True})),
    ({"do": "peek", "id": "r", "actions": ["a", "b"]}, requests.Peek("r", ("a", "b"))),
    ({"do": "hint", "id": "r"}, requests.AskHint("r", 5)),
    ({"do": "story", "id": "r", "from": 3}, requests.AskStory("r", 3)),
    ({"do": "phrase", "id": "r", "phrase": "thanks"}, requests.SayPhrase("r", "thanks")),
    ({"do": "chat", "id": "r", "text": "!"}, requests.SayText("r", "!")),
    ({"do": "mute", "id": "r", "person": "p", "on": True}, requests.Mute("r", "p", True)),
    ({"do": "remove", "id": "r", "person": "p"}, requests.Remove("r", "p")),
    ({"do": "ping", "id": "r"}, requests.Ping("r")),
]


@pytest.mark.parametrize(("sent", "read"), READ, ids=lambda one: str(getattr(one, "do", "")))
def test_a_request_is_read_from_json(sent: JsonObject, read: Request) -> None:
    assert read_request(sent) == read


def test_every_request_is_tried_above() -> None:
    assert {read.do for _, read in READ} == set(requests.REQUESTS)


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ([], "object"),
        ({}, "do"),
        ({"do": "fly"}, "do"),
        ({"do": "roll", "id": "r"}, "at"),
        ({"do": "roll", "id": "", "at": 1}, "id"),
        ({"do": "roll", "id": "r", "at": 1.0}, "at"),
        ({"do": "roll", "id": "r" * 65, "at": 1}, "id"),
        ({"do": "act", **CHANGE, "action": 3}, "action"),
        ({"do": "sit", **CHANGE, "seat": True}, "seat"),
        ({"do": "contribute", **CHANGE, "number": ""}, "number"),
        ({"do": "claim", **CHANGE, "as": "draw"}, "as"),
        ({"do": "rematch", **CHANGE, "on": 0}, "on"),
        ({"do": "hint", "id": "r", "level": 6}, "level"),
        ({"do": "peek", "id": "r", "actions": ["a"] * 51}, "actions"),
        ({"do": "hand", "hand": 1}, "hand"),
    ],
)
def test_what_is_wrong_with_a_request_is_named(sent: JsonObject, place: str) -> None:
    with pytest.raises(BadJson, match=place):
        read_request(sent)
