"""Records: complete, checked at every place, and dice that can be proved or refuted."""

from types import EllipsisType
from typing import Any

import pytest

from ludotheque.core import (
    BadRecord,
    Dice,
    Json,
    Match,
    Problem,
    Seated,
    find_game,
    parse,
    read_record,
    verify,
    write_json,
    write_record,
)

GAME = find_game("yam-master")


def finished() -> dict[str, Any]:
    """The record of a short match, as a program would read it from a file."""
    match = Match(GAME, options={"max_turns": 2}, dice=Dice("a seed", ("Anna's number",)))
    while not match.over:
        if match.to_move == "chance":
            match.draw()
        else:
            legal = match.position.legal().actions
            match.play(next((action for action in legal if action.startswith("keep 1")), "pass"))
    record = parse(write_json(write_record(match, [Seated("Anna"), Seated("Bot", "bot:3")])))
    assert isinstance(record, dict)
    return record


def changed(path: str, value: "Json | EllipsisType") -> dict[str, Any]:
    """The record with one place changed, or without it if the value is …"""
    record = finished()
    *way, last = path.split(".")
    inner: Any = record
    for name in way:
        inner = inner[int(name) if name.isdigit() else name]
    if value is ...:
        del inner[last]
    else:
        inner[int(last) if last.isdigit() else last] = value
    return record


def test_a_record_has_what_the_protocol_says() -> None:
    record = finished()
    assert list(record) == ["ludotheque", "game", "rules", "options", "players", "setup", "actions", "returns", "dice"]
    assert record["ludotheque"] == 1
    assert record["rules"] == GAME.rules_version
    assert record["players"] == [{"name": "Anna", "kind": "human"}, {"name": "Bot", "kind": "bot:3"}]
    assert record["dice"]["seed"] == "a seed"
    assert record["dice"]["numbers"] == ["Anna's number"]


def test_the_seed_is_told_only_when_the_match_is_over() -> None:
    match = Match(GAME, dice=Dice("secret"))
    match.draw()
    dice = write_record(match)["dice"]
    assert isinstance(dice, dict)
    assert "seed" not in dice
    assert dice["commitment"] == Dice("secret").commitment


def test_fair_dice_are_proved() -> None:
    verdict = verify(read_record(finished()))
    assert verdict.fair is True
    assert "fixed before the match" in verdict.text.sentence("en")


def test_another_seed_is_refuted() -> None:
    verdict = verify(read_record(changed("dice.seed", "another seed")))
    assert verdict.fair is False
    assert "committed" in verdict.text.sentence("en")


def test_another_number_of_a_player_is_refuted() -> None:
    assert verify(read_record(changed("dice.numbers", ["no"]))).fair is False


def test_changed_dice_are_refuted_with_their_place() -> None:
    record = finished()
    place = len(record["actions"]) - 2  # the last roll; after it comes a decision that fits any dice
    record["actions"][place] = "12356" if record["actions"][place] != "12356" else "12456"
    while record["actions"][-1] != "pass":
        record["actions"][-1] = "pass"
    verdict = verify(read_record(record))
    assert verdict.fair is False
    assert f"actions[{place}]" in verdict.text.sentence("en")


def test_a_set_up_that_the_seed_does_not_give_is_refuted() -> None:
    record = finished()
    other = 1 - record["setup"]["player"]
    record["setup"]["player"] = other
    verdict = verify(read_record(record))
    assert verdict.fair is False


def test_dice_set_by_hand_cannot_be_proved() -> None:
    match = Match(GAME, options={"max_turns": 1}, dice=Dice("by hand"))
    match.play("12346")
    match.play("pass")
    match.draw()
    match.play("pass")
    verdict = verify(read_record(parse(write_json(write_record(match)))))
    assert verdict.fair is None
    assert "by hand" in verdict.text.sentence("en")


def test_without_a_seed_nothing_is_claimed() -> None:
    assert verify(read_record(changed("dice.seed", ...))).fair is None
    assert verify(read_record(changed("dice.commitment", ...))).fair is None
    assert verify(read_record(changed("dice", ...))).fair is None


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("ludotheque", ..., "ludotheque"),
        ("ludotheque", 2, "format 2"),
        ("ludotheque", True, "whole number"),
        ("ludotheque", 1.0, "whole number"),
        ("game", "yam-mister", "yam-master"),
        ("game", 3, "game"),
        ("rules", 77, "version 77"),
        ("options", {"max_turn": 3}, "max_turns"),
        ("options", {"max_turns": 0}, "options.max_turns"),
        ("options", [], "options"),
        ("players", [{"name": "A", "kind": "human"}], "players"),
        ("players", [{"name": "A"}, {"name": "B", "kind": "human"}], "kind"),
        ("setup", None, "setup"),
        ("setup.board", ["....."] * 4, "board"),
        ("setup.stock", [11, 12], "stock"),
        ("actions.1", "keep 7", "actions[1]"),
        ("actions.0", 12345, "actions[0]"),
        ("actions", {}, "actions"),
        ("returns", [1.0, 1.0], "returns"),
        ("returns", [0.5], "returns"),
        ("dice.draws", [["0", 7776]], "draws[0]"),
        ("dice.draws", [["0", -1, 0]], "draws[0]"),
        ("dice.numbers", "x", "numbers"),
    ],
)
def test_damage_is_refused_and_its_place_named(path: str, value: Json, told: str) -> None:
    with pytest.raises(Problem) as refused:
        read_record(changed(path, value))
    assert told in refused.value.sentence("en")


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("ludotheque", ..., "n’est pas une partie de Ludothèque"),
        ("ludotheque", 2, "au format 2"),
        ("rules", 77, "la version 77 des règles"),
        ("returns", [1.0, 1.0], "il est noté [1.0, 1.0]"),
    ],
)
def test_a_record_of_something_else_is_refused_in_french_too(path: str, value: Json, told: str) -> None:
    with pytest.raises(Problem) as refused:
        read_record(changed(path, value))
    assert told in refused.value.sentence("fr")


@pytest.mark.parametrize("source", [None, [], "x", 1, {}])
def test_what_is_no_record_is_refused(source: Json) -> None:
    with pytest.raises(BadRecord):
        read_record(source)
