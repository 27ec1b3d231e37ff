"""Matches and tables of version 1 of the rules. records/version-1.json was written when the rules were at version 1."""

from pathlib import Path
from typing import Any

import pytest

from ludotheque.core import parse, read_record, verify, write_record
from ludotheque.games.yikerz import GAME
from yikerz.play import position

RECORD = Path(__file__).parent / "records" / "version-1.json"


@pytest.mark.clause("Y14", "Y20")
def test_a_match_of_version_1_replays_with_its_calls_and_its_forgotten_ones() -> None:
    source: Any = parse(RECORD.read_bytes())
    assert source["rules"] == 1
    record = read_record(source)
    assert [entry.action for entry in record.match.log] == source["actions"]
    assert {kind for kind in ("call", "wait", "pick") if any(kind in action for action in source["actions"])} == {
        "call",
        "wait",
        "pick",
    }
    assert verify(record).fair is True
    assert position(record.match).table.settings.hand_seconds == 30
    again = write_record(record.match)
    assert again["rules"] == 2
    assert read_record(again).match.position.view() == record.match.position.view()


@pytest.mark.clause("Y6")
def test_in_version_1_a_hand_had_sixty_seconds() -> None:
    assert GAME.options_of_version(1, {}) == {"hand_seconds": 60, "first": "lot"}
    assert GAME.options_of_version(1, {"hand_seconds": 5})["hand_seconds"] == 5
    assert "hand_seconds" not in GAME.options_of_version(2, {})
    assert GAME.at_version(1) is GAME
    assert GAME.at_version(3) is None
