"""Log entries: they are stored and read back as they were, and nothing unknown is passed over."""

from typing import Any

import pytest

from ludotheque.core import Draw, JsonObject, parse
from ludotheque.core.jsons import write
from ludotheque.table import BadEntry, Entry, read_entry, write_entry
from ludotheque.table import entries as log
from ludotheque.table.seats import Seat
from ludotheque.table.settings import GameClock, MoveClock, Settings

END = log.Ending("resigned", 1, (1.0, 0.0), "record-id", "seed")
SEATS = (
    Seat("person", "p1", "Anna", "Zoé", share="7"),
    Seat("bot", level=2, share="8"),
    Seat("program", program="Firmin"),
    Seat(),
)
ENTRIES: list[Entry] = [
    log.Opened("pig", 3, {"goal": 50}, True, "p1", "Anna", Settings(clock=GameClock(60, 2)), SEATS, 3, "seed"),
    log.Opened("pig", 1, {}, False, None, "", Settings(dice="auto", clock=MoveClock(5)), SEATS, 1, "seed", {"a": [1]}),
    log.Opened("pig", 1, {}, False, None, "", Settings(), SEATS, 1, "", None, "sha256:shown"),
    log.Sat(1, "p2", "Bruno", "9", "Bruno's cousin", "r1"),
    log.Sat(1, "p2", "Bruno", "9"),
    log.Sat(1, "p2", "Bruno"),
    log.Contributed({0: "10", 3: None}, "p1", "r12"),
    log.NewcomersSet(False, ("p1", "p2"), "p1", "r13"),
    log.NewcomersSet(True, (), "p1", "r14"),
    log.Stood(1, "p2", "r2"),
    log.BotSeated(1, 3, None, "9", "p1", "r3"),
    log.BotSeated(1, None, "Firmin", "9", "p1", "r4"),
    log.TakenOver(0, 3),
    log.Began({"first": True}),
    log.Began(),
    log.Began({"first": True}, first=1),
    log.Began({"first": True}, order=(1, 0)),
    log.Began({"first": True}, order=()),
    log.Stepped(0, "3@2", person="p1", request="r5"),
    log.Stepped("chance", "6", {"pose": 1.5}, Draw("0", 6, 5), (59.5, 60.0), END, "p1", "r6"),
    log.TakebackAsked(0, 12, (0, 2), "p1", "r7"),
    log.TakebackRefused("p2", "r8"),
    log.TakenBack(12, (59.5, 60.0), "p2", "r9"),
    log.TakenBack(12, redraws=False),
    log.Ended(END, "p2", "r10"),
    log.Ended(log.Ending("closed", None, (), "record-id", "seed")),
    log.Ended(log.Ending("closed", None, (), "record-id", "", "seed of that match", "sha256:next")),
    log.RematchAgreed({0: None}, "p1", "r15"),
    log.RematchAgreed({0: "10", 3: "11"}, "p1", "r11"),
    log.RematchWithdrawn((0, 3), "p1", "r16"),
    log.Removed("p2"),
    log.Forgotten("p1"),
    log.Closed(),
    log.Closed("operator", "It is late."),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry.kind))
def test_an_entry_is_read_back_as_it_was_written(entry: Entry) -> None:
    assert read_entry(entry.kind, parse(write(write_entry(entry)))) == entry


def test_every_kind_is_tried_above() -> None:
    assert {entry.kind for entry in ENTRIES} == set(log.KINDS)


@pytest.mark.parametrize(
    ("kind", "body", "place"),
    [
        ("stepped", {"v": 1}, "kind"),
        ("step", {"action": "3@2", "by": 0}, "v"),
        ("step", {"v": log.VERSION + 1, "action": "3@2", "by": 0}, "step.v"),
        ("step", {"v": 1, "action": "3@2", "by": "dice"}, "step.by"),
        ("step", {"v": 1, "action": "3@2", "by": -1}, "step.by"),
        ("step", {"v": 1, "by": 0}, "action"),
        ("step", [], "step"),
        ("sit", {"v": 1, "seat": "0", "person": "p", "person_name": "Anna", "share": "1"}, "sit.seat"),
        ("rematch", {"v": 1, "shares": {"first": "1"}}, "shares"),
        ("ended", {"v": 1, "how": "bored", "seat": 0, "returns": [], "record": "r", "next_seed": "s"}, "ended.how"),
        ("opened", {"v": 1, "game": "pig"}, "rules"),
    ],
)
def test_an_unknown_or_malformed_entry_is_an_error_that_names_its_place(kind: str, body: Any, place: str) -> None:
    with pytest.raises(BadEntry, match=place.replace(".", r"\.")):
        read_entry(kind, body)


def test_entries_of_the_first_form_are_read_as_what_they_meant() -> None:
    assert read_entry("takeback", {"v": 1, "length": 3}) == log.TakenBack(3, redraws=False)
    assert read_entry("began", {"v": 1, "setup": {}}) == log.Began({}, first=None)


def test_unknown_keys_of_a_body_are_kept_out() -> None:
    body: JsonObject = {**write_entry(log.Removed("p2")), "more": 1}
    assert read_entry("removed", body) == log.Removed("p2")
