"""Wykersham's texts: views and actions that come back unchanged, events in words, records, the terminal board."""

import json
import pickle
import random
import re

import pytest

from ludotheque.core import Match, Position, find_game, read_record, verify, write_json, write_record
from ludotheque.games.wykersham import GAME
from ludotheque.games.wykersham.game import ACTION_TEXTS
from ludotheque.games.wykersham.study import count_facts
from ludotheque.kernels import JIT, DiscretePosition
from wykersham.board import Table, new_table, table, turn_view
from wykersham.test_against_reference import OPTIONS, greedy

GAMES = 2 if JIT else 1


def random_match(seed: int, options: dict[str, bool]) -> list[Position]:
    dice = random.Random(seed)
    positions = [Match(GAME, options=options).position]
    while not positions[-1].over:
        positions.append(positions[-1].play(greedy(positions[-1], dice)).position)
    return positions


def test_the_game_is_found_by_its_name() -> None:
    assert find_game("wykersham") is GAME


@pytest.mark.rules
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_view_sets_up_the_same_position(options: dict[str, bool]) -> None:
    for seed in range(GAMES):
        for position in random_match(seed, options):
            assert isinstance(position, DiscretePosition)
            view = json.loads(write_json(position.view()))
            again = GAME.from_view(view, 2, position.options)
            assert again.view() == view
            for name in GAME.rules.dtype.names or ():
                assert (again.state[name] == position.state[name]).all(), f"{name}\n{position.picture()}"


def test_every_action_has_one_text() -> None:
    for position in random_match(3, OPTIONS[2]):
        assert isinstance(position, DiscretePosition)
        actions = position.legal().actions
        assert len(set(actions)) == len(actions)
        for action, number in zip(actions, position.numbers().tolist(), strict=True):
            assert GAME.read(position.state, action) == number
            assert GAME.write(position.state, number) == action
    assert len(set(ACTION_TEXTS)) == len(ACTION_TEXTS)


@pytest.mark.parametrize(
    "text", ["3@6", "3@0", "7@1", "n@1", "give 3", "give", "35", "left", "stay", "take", "1", "", "3@2 "]
)
def test_what_is_no_action_here_is_refused_with_what_is(text: str) -> None:
    rolled = table(". . . . . . .\n" * 5, "36")
    with pytest.raises(ValueError, match=r"not possible now. Possible: 3@1, 3@2"):
        rolled.position.play(text)


def test_typing_is_forgiven_blanks_and_case() -> None:
    assert table(". . . . . . .\n" * 5, "44").position.understand(" N@2 ") == "n@2"


def test_records_replay_and_their_dice_can_be_checked() -> None:
    match = Match(GAME, options={"shared_middle": False})
    dice = random.Random(5)
    while not match.over:
        if match.to_move == "chance":
            match.draw()
        else:
            match.play(greedy(match.position, dice))
    record = json.loads(write_json(write_record(match)))
    read = read_record(record)
    assert read.match.position == match.position
    assert verify(read).fair is True
    assert write_json(write_record(read.match, read.seated)) == write_json(record)


def test_positions_can_be_pickled() -> None:
    position = table(". . . . . . .\n" * 5, "44", "n@2").position
    assert pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_event_is_told(language: str) -> None:
    events_met = [
        event
        for actions in (("take",), ("leave",))
        for board in (TWO_LINES, THREE_LINES)
        for event in combination(board, *actions).events
    ]
    for seed in range(6):
        dice = random.Random(seed)
        match = Match(GAME, options={"shared_middle": False})
        while not match.over:
            events_met += match.play(greedy(match.position, dice)).events
    told = set()
    for event in events_met:
        sentence = GAME.tell(event, language, ("Anne", "Bob"))
        assert not re.search(r"[{}]", sentence)
        told.add(event.what)
    events = {re.split(r"[._]", name)[1] for name in GAME.catalogue.templates(language) if name.startswith("event.")}
    reasons = {what for what in events if what.startswith("why-")}  # told by reviews, and tested there
    assert events - reasons - told <= {"draw", "wins"}
    assert told <= events


def test_both_languages_have_the_same_sentences() -> None:
    english, french = (GAME.catalogue.templates(language) for language in ("en", "fr"))
    assert set(english) == set(french)
    for name, sentence in english.items():
        slots = set(re.findall(r"{\w+}", sentence)) | {"{count}"}
        assert set(re.findall(r"{\w+}", french[name])) <= slots, name


def test_a_turn_in_words() -> None:
    goal = table(". . . . . . .\n" + ". . r . . . .\n" * 4, "26", "2@1", "right", "take", "6@2", "stay")
    assert goal.told == [
        "Red rolls 2 and 6",
        "Red puts a marble into line 2 on rail 1",
        "Red slides rail 1 towards line 6",
        "Goal! Red has five in line, straight through 3",
        "Red takes the goal through 3",
        "Red wins 5 marbles",
        "Red puts a marble into line 6 on rail 2",
        "Red leaves rail 2 where it is",
    ]
    step = new_table().position.play("2-6")
    assert GAME.tell(step.events[0], "fr") == "Rouge fait 2, Vert fait 6 : Vert commence"


TWO_LINES = """
. . . . r . r . . . . . . . .
. . . . . . r r . . . . . . .
. . . . . . . r . . . . . . .
. . . . . . . r r . . . . . .
. . . . . . . r . r . . . . .
"""
"""Rail 1, one notch left, completes two lines when it comes back: straight and falling through n."""
THREE_LINES = """
. . . . r . r . r . . . . . .
. . . . . . r r r . . . . . .
. . . . . . . r . . . . . . .
. . . . . . r r r . . . . . .
. . . . . r . r . r . . . . .
"""
"""And a third one, rising."""


def combination(board: str, *actions: str, **options: bool) -> Table:
    """The table after rail 1 has come back to rest, and these actions."""
    return table(board, "26", "6@1", "right", *actions, offsets=(-1, 0, 0, 0, 0), options=options)


@pytest.mark.clause("W17")
def test_a_combination_in_words() -> None:
    goal = ["Goal! Red has a combination of 2 lines, which counts as one goal"]
    goal += ["One line runs straight through n", "One line falls through n"]
    assert combination(TWO_LINES, "take").told[3:] == [*goal, "Red takes the combination", "Red wins 9 marbles"]
    assert combination(TWO_LINES, "leave").told[3:] == [*goal, "Red leaves the combination standing"]
    one_by_one = combination(TWO_LINES, "take", "leave", combined_goals=False)
    assert one_by_one.told[3:] == [
        "Goal! Red has five in line, straight through n",
        "Goal! Red has five in line, falling through n",
        "Red takes the goal through n",
        "Red leaves the goal through n standing",
        "Red wins 5 marbles",
    ]


@pytest.mark.clause("W8")
def test_a_double_is_explained_where_it_is_rolled() -> None:
    told = table(". . . . . . .\n" * 5, "44").told
    assert told == ["Red rolls a double 4: two marbles into line n, or one into n and one into 4"]


@pytest.mark.clause("W17")
def test_the_terminal_asks_about_a_combination_once() -> None:
    assert "a combination of 3 lines: take from all of them?" in combination(THREE_LINES).position.picture()
    french = combination(THREE_LINES).position.picture(language="fr")
    assert "combinaison de 3 alignements" in french
    assert max(map(len, french.splitlines())) <= 80
    assert "straight through n: take it?" in combination(THREE_LINES, combined_goals=False).position.picture()


@pytest.mark.clause("W17")
def test_a_study_counts_every_line_of_a_combination_as_a_goal() -> None:
    for action, taken, left in (("take", 3, 0), ("leave", 0, 3)):
        facts = count_facts(combination(THREE_LINES, action).events)
        names = ("goals", "goals vertical", "goals falling", "goals rising", "slides with several goals")
        assert [facts[name] for name in names] == [3, 1, 1, 1, 1]
        assert (facts["goals taken"], facts["goals left"]) == (taken, left)
        assert facts["most marbles by one slide"] == (13 if taken else 0)


def test_the_board_shows_rails_where_they_stand() -> None:
    board = """
    . . . . . . . . . r . . . . .
    . . . . . . . . . . . . . . .
    . . . . . r2g1 . . . . . . . . .
    . . . . g . . . . . . . . . .
    . . . . . . . . . . . . . . .
    """
    picture = table(board, "25", "5@1", offsets=(-1, 2, 0, 0, 0)).position.picture()
    lines = picture.splitlines()
    assert lines[0] == lines[6]
    column = {name: lines[0].index(name) for name in "123n456"}
    assert lines[1][column["5"] - 1 : column["5"] + 2].strip() == "r2"
    assert "r2g1" in lines[3][column["2"] - 2 : column["2"] + 3]
    assert "g1" in lines[4][column["1"] - 1 : column["1"] + 2]
    assert lines[1].endswith("-1")
    assert lines[2].endswith("+2")
    assert lines[1].index("[") == lines[4].index("[") - 5
    assert lines[2].index("[") == lines[4].index("[") + 10
    assert max(map(len, lines)) <= 80
    assert "slide rail 1?" in picture
    for seat, mark in enumerate("rg"):
        assert f"{mark} {GAME.seat_name(seat, 'en')}:" in picture


def test_every_position_has_a_picture_in_both_languages() -> None:
    for position in random_match(7, OPTIONS[0]):
        for language in ("en", "fr"):
            lines = position.picture(language=language).splitlines()
            assert len(lines) >= 9
            assert max(map(len, lines)) <= 80


def test_a_study_counts_what_happened() -> None:
    stacks = ". . . . . . .\n" + ". . r2 . . . .\n" * 4
    played = table(stacks, "26", "2@1", "right", "take", "1", "2", "2", "2", "6@2", "stay")
    match = Match(GAME, setup=turn_view(stacks))
    for action in ("26", "2@1", "right", "take", "1", "2", "2", "2", "6@2", "stay"):
        match.play(action)
    assert match.position == played.position
    facts = count_facts(match.events())
    expected = {
        "slides right": 1,
        "stays": 1,
        "goals": 1,
        "goals vertical": 1,
        "goals taken": 1,
        "slides with a goal": 1,
        "partial takings": 1,
        "marbles taken": 8,
        "most marbles by one slide": 8,
        "marbles won a goal": 8,
        "marbles won by red": 8,
    }
    assert facts == {**dict.fromkeys(facts, 0), **expected}
    for action in ("44", "4@3", "n@3", "22", "n@3", "n@3"):  # green splits, red does not
        match.play(action)
    assert count_facts(match.events()) == {**facts, "doubles": 2, "splits": 1, "marbles in n": 3}


def test_a_study_counts_given_marbles() -> None:
    closed = ". . g . . g .\n" * 5
    match = Match(GAME, setup=turn_view(closed), options={"shared_middle": False})
    for action in ("35", "give 3", "give 5"):
        match.play(action)
    facts = count_facts(match.events())
    assert (facts["gives"], facts["marbles won by green"], facts["marbles won by red"]) == (2, 2, 0)


def test_a_study_adds_up_in_whole_games() -> None:
    for seed in range(4):
        dice = random.Random(seed)
        match = Match(GAME)
        while not match.over:
            match.play(greedy(match.position, dice))
        facts = count_facts(match.events())
        winnings = match.position.view()["winnings"]
        assert [facts["marbles won by red"], facts["marbles won by green"]] == winnings
        assert facts["goals"] == facts["goals taken"] + facts["goals left"]
        assert facts["marbles taken"] >= 5 * facts["slides with a goal"] - 5 * facts["goals left"]
