"""Records of earlier versions of the rules replay move for move. records/GAME-1.json was written when every game was at version 1."""

from pathlib import Path
from typing import Any

import pytest

from hosting.pig import PIG, ChangedPig, OptionPig, PatientPig
from ludotheque.core import (
    BadRecord,
    Dice,
    Game,
    Match,
    find_game,
    parse,
    read_record,
    verify,
    write_json,
    write_record,
)

FIRST = sorted((Path(__file__).parent / "records").glob("*-1.json"))


@pytest.mark.parametrize("file", FIRST, ids=lambda file: file.stem)
def test_a_match_of_version_1_replays_and_its_dice_are_as_fair_as_ever(file: Path) -> None:
    source: Any = parse(file.read_bytes())
    assert source["rules"] == 1
    record = read_record(source)
    assert [entry.action for entry in record.match.log] == source["actions"]
    assert list(record.match.position.returns()) == source["returns"]
    assert record.match.options.items() >= source["options"].items()
    assert verify(record).fair is True


@pytest.mark.parametrize("file", FIRST, ids=lambda file: file.stem)
def test_a_match_of_version_1_written_again_is_of_today_and_the_same_match(file: Path) -> None:
    source: Any = parse(file.read_bytes())
    again: Any = parse(write_json(write_record(read_record(source).match)))
    game = find_game(source["game"])
    assert again["rules"] == game.rules_version
    assert again["options"] == game.read_options(game.options_of_version(1, source["options"]))
    assert (again["actions"], again["returns"]) == (source["actions"], source["returns"])
    twice = read_record(again).match
    assert [step.position.view() for _, step in twice.steps()] == [
        step.position.view() for _, step in read_record(source).match.steps()
    ]


def short_match(game: Game) -> dict[str, Any]:
    """A match of Pig as its record."""
    match = Match(game, dice=Dice("a seed"))
    while not match.over:
        match.draw() if match.to_move == "chance" else match.play(match.position.legal().actions[0])
    record = parse(write_json(write_record(match)))
    assert isinstance(record, dict)
    return record


def test_options_stand_for_the_old_rules_where_the_game_says_so() -> None:
    old = short_match(PIG)
    record = read_record(old, {"plain-pig": OptionPig()})
    assert record.match.options == {"goal": 20, "head_start": 0}
    assert verify(record).fair is True
    assert write_record(record.match)["rules"] == 2
    new = short_match(OptionPig())
    assert new["options"] == {"goal": 20, "head_start": 3}
    assert read_record(new, {"plain-pig": OptionPig()}).match.over


def test_old_rules_that_are_still_offered_are_played_by() -> None:
    record = read_record(short_match(PIG), {"plain-pig": PatientPig()})
    assert record.match.game is PIG
    assert write_record(record.match)["rules"] == 1


def test_a_record_that_does_not_name_its_rules_is_of_the_current_ones() -> None:
    record = short_match(OptionPig())
    del record["rules"]
    assert read_record(record, {"plain-pig": OptionPig()}).match.options["head_start"] == 3


def test_old_rules_that_are_gone_are_named() -> None:
    with pytest.raises(
        BadRecord, match="version 1 of the rules of Plain Pig, which this program no longer has"
    ) as told:
        read_record(short_match(PIG), {"plain-pig": ChangedPig()})
    assert "sait la lire" in told.value.sentence("fr")


def test_a_record_of_a_newer_version_is_refused_and_says_what_to_do() -> None:
    with pytest.raises(BadRecord, match="Install a newer Ludothèque") as told:
        read_record(short_match(ChangedPig()), {"plain-pig": PIG})
    assert "Installe une version plus récente" in told.value.sentence("fr")
