"""Rules version 1, in which the goals of a slide were settled one by one: its records replay, and its options are said in today's."""

import json
from pathlib import Path
from typing import Any

import pytest

from ludotheque.core import read_record, verify, write_json, write_record
from ludotheque.games.wykersham import GAME

VERSION_1: dict[str, Any] = json.loads((Path(__file__).parent / "records" / "version-1.json").read_text("utf-8"))
"""A record that version 1 wrote, and views of its game on the way, each with the number of actions before it. In one of them a slide
makes two goals, of which only one is taken."""


@pytest.mark.clause("W17")
def test_a_record_of_version_1_replays_view_by_view_and_is_written_as_version_2() -> None:
    read = read_record(VERSION_1["record"])
    assert read.match.options["combined_goals"] is False
    assert [entry.action for entry in read.match.log] == VERSION_1["record"]["actions"]
    position, expected = read.match.first, dict(VERSION_1["views"])
    assert any(len({goal["taken"] for goal in view["goals"]} - {None}) == 2 for view in expected.values())
    for number, entry in enumerate(read.match.log, 1):
        position = position.play(entry.action).position
        if number in expected:
            assert position.view() == expected[number], position.picture()
    assert verify(read).fair is True
    again = json.loads(write_json(write_record(read.match, read.seated)))
    assert (again["rules"], again["options"]["combined_goals"]) == (2, False)
    assert read_record(again).match.position == read.match.position


@pytest.mark.clause("W17")
def test_version_1_is_known_and_others_are_not() -> None:
    given = {"shared_middle": False}
    assert GAME.options_of_version(1, given) == {"shared_middle": False, "combined_goals": False}
    assert GAME.options_of_version(2, given) == given
    assert GAME.read_options(GAME.options_of_version(2, {}))["combined_goals"] is True
    assert (GAME.at_version(1), GAME.at_version(2), GAME.at_version(3)) == (GAME, GAME, None)
