"""Random games through the engine's process, each step compared with the plain second implementations, with every option.

Compared are views, legal actions, chances, results, events and, at the end, the record. A few dozen games by default; `make
campaign` asks for thousands.
"""

import os
import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from engine_process import Running, running
from reference import events, twisty, wykersham, yam_master

Reference = yam_master.Reference | wykersham.Reference | twisty.Reference
GAMES = int(os.environ.get("LUDOTHEQUE_GAMES", "48"))
PARTS = 4  # several tests a game, so that one shows how far the campaign is


@pytest.fixture(scope="module")
def engine() -> Iterator[Running]:
    with running() as one:
        yield one


@pytest.fixture(scope="module")
def met() -> dict[str, set[str]]:
    """What has happened in each game so far: the names of events, and how many lines were made at once."""
    return {}


@pytest.fixture(scope="module")
def other() -> Iterator[Running]:
    with running() as one:
        yield one


def compare(engine: Running, reference: Reference, position: dict[str, Any], odds_too: bool) -> list[str]:
    """Whether both see the same; returns what is legal."""
    assert position["ok"] is True
    assert position["state"] == reference.view()
    assert position["to_move"] == reference.to_move()
    assert position["over"] is (reference.to_move() is None)
    returns = reference.returns()
    assert position.get("returns") == (None if returns is None else [float(share) for share in returns])
    legal = engine.ask(do="legal")
    expected = reference.legal()
    assert len(set(legal["actions"])) == len(legal["actions"])
    assert sorted(legal["actions"]) == sorted(expected)
    if reference.to_move() == "chance":
        assert sum(legal["odds"]) == pytest.approx(1, rel=1e-12)
        if odds_too:
            odds = dict(zip(legal["actions"], legal["odds"], strict=True))
            for outcome, chance in zip(expected, reference.odds(), strict=True):
                assert odds[outcome] == pytest.approx(float(chance), rel=1e-12)
    else:
        assert "odds" not in legal
    return expected


def compare_events(name: str, told: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Whether the engine told of everything that can be seen, and of nothing else of those kinds."""
    found = events.compared(name, told)
    assert len(found) == len(expected), (found, expected)
    for event in expected:
        assert any(event.items() <= one.items() for one in found), (found, event)


def first(dice: random.Random, players: int) -> dict[str, Any]:
    """Who starts: the default, the lot, or one of the seats."""
    return dice.choice([{}, {"first": "lot"}, *({"first": seat} for seat in range(players))])


def yam_master_options(dice: random.Random, players: int, number: int) -> dict[str, Any]:
    length = {} if number % 4 == 0 else {"max_turns": dice.randint(1, 40)}
    return {**length, **first(dice, players)}


def yam_master_choice(dice: random.Random, game: Reference, legal: list[str]) -> str:
    """Mostly a pawn where one can be placed or taken, so that boards fill up; and equal dice, which come up seldom."""
    yams = [action for action in legal if len(set(action)) == 1]
    pawns = [action for action in legal if action.startswith(("place", "take"))]
    if yams and dice.random() < 0.2:
        return dice.choice(yams)
    return dice.choice(pawns if pawns and dice.random() < 0.7 else legal)


WYKERSHAM_OPTIONS = [
    dict(zip(wykersham.DEFAULT_OPTIONS, values, strict=True))
    for values in product((True, False), repeat=len(wykersham.DEFAULT_OPTIONS))
]


def wykersham_options(dice: random.Random, players: int, number: int) -> dict[str, Any]:
    """Every combination in turn; what is as usual is said or left out."""
    options = WYKERSHAM_OPTIONS[number % len(WYKERSHAM_OPTIONS)]
    usual = wykersham.DEFAULT_OPTIONS
    return {name: on for name, on in options.items() if on != usual[name] or dice.random() < 0.5}


def wykersham_choice(dice: random.Random, game: Reference, legal: list[str]) -> str:
    """Mostly the middle, where goals and stacks come about, and mostly slides that make goals: of several lines, if there are."""
    assert isinstance(game, wykersham.Reference)
    if game.phase == "slide" and dice.random() < 0.8:
        goals = {slide: len(game.goals_after(slide)) for slide in legal if slide in wykersham.SLIDES}
        most = max(goals.values(), default=0)
        if most:
            return dice.choice([slide for slide, count in goals.items() if count == most])
    middle = [action for action in legal if action[0] in "3n4"] if game.phase == "place" else []
    return dice.choice(middle if middle and dice.random() < 0.7 else legal)


def twisty_options(dice: random.Random, players: int, number: int) -> dict[str, Any]:
    cuts = sorted(dice.randint(0, 16) for _ in range(4))
    counts = [high - low for low, high in zip([0, *cuts], [*cuts, 16], strict=True)]
    specials = {} if number % 4 == 0 else {"specials": dict(zip("+xLos", counts, strict=True))}
    return {**specials, "max_rounds": dice.randint(1, 15), **first(dice, players)}


def twisty_choice(dice: random.Random, game: Reference, legal: list[str]) -> str:
    """Mostly onto another's pawn or the next colour, so that cubes are collected and stolen."""
    assert isinstance(game, twisty.Reference)
    if game.phase not in {"move", "extra"}:
        return dice.choice(legal)
    colour = game.next_colour()
    squares = [action for action in legal if len(action) == 2]
    good = [square for square in squares if game.owner_on(square) is not None or game.tokens[square] == colour]
    return dice.choice(good if good and dice.random() < 0.8 else legal)


def yam_master_beginning(players: int, options: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """M24: as the table says, or by lot."""
    return yam_master.first_view(players, options, _starter(options, state["player"]))


def wykersham_beginning(players: int, options: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """W3, W4."""
    return wykersham.first_view(players, options)


def twisty_beginning(players: int, options: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """T1 to T4: tokens and series lie at random, but they are all there."""
    counts = {**twisty.DEFAULT_OPTIONS["specials"], **options.get("specials", {})}
    tokens = sorted("".join(state["board"]).replace(".", ""))
    assert tokens == sorted("ABCDEFG" * 4 + "".join(special * count for special, count in counts.items()))
    assert [row[column] for row, column in ((state["board"][r], c) for r in (0, 6) for c in (0, 6))] == ["."] * 4
    assert state["board"][3][3] == "."
    assert all(sorted(series) == list("ABCDEFG") for series in state["series"])
    starter = _starter(options, state["first"])
    return twisty.first_view(players, options, first=starter, board=state["board"], series=state["series"])


def _starter(options: dict[str, Any], drawn: int) -> int:
    named = options.get("first", "lot")
    return drawn if named == "lot" else int(named)


class Subject(NamedTuple):
    """What is needed to compare one game."""

    reference: Callable[[dict[str, Any], dict[str, Any], int], Reference]
    defaults: dict[str, Any]
    seats: tuple[int, ...]
    options: Callable[[random.Random, int, int], dict[str, Any]]
    beginning: Callable[[int, dict[str, Any], dict[str, Any]], dict[str, Any]]
    choice: Callable[[random.Random, Reference, list[str]], str]
    events: Callable[[dict[str, Any], str, dict[str, Any]], list[dict[str, Any]]]
    rare: set[str]
    """What has to happen in some of the games."""


SUBJECTS = {
    "yam-master": Subject(
        yam_master.Reference,
        yam_master.DEFAULT_OPTIONS,
        (2,),
        yam_master_options,
        yam_master_beginning,
        yam_master_choice,
        events.yam_master,
        {"challenge", "take", "points", "points-lost", "five", "wins", "draw"},
    ),
    "wykersham": Subject(
        wykersham.Reference,
        wykersham.DEFAULT_OPTIONS,
        (2,),
        wykersham_options,
        wykersham_beginning,
        wykersham_choice,
        events.wykersham,
        {"give", "take", "several lines, combined", "several lines, one by one", "wins"},
    ),
    "twisty": Subject(
        twisty.Reference,
        twisty.DEFAULT_OPTIONS,
        (2, 3, 4),
        twisty_options,
        twisty_beginning,
        twisty_choice,
        events.twisty,
        {"portal", "step", "shield", "steal", "settle", "collect", "most", "draw"},
    ),
}


@pytest.mark.clause("M24", "T4", "W17")
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SUBJECTS)
def test_random_games_agree_with_the_plain_rules(
    engine: Running, met: dict[str, set[str]], name: str, part: int
) -> None:
    rules = engine.ask(do="hello")["rules"][name]
    happened = met.setdefault(name, set())
    happened.add(f"part {part}")
    for number in range(part, GAMES, PARTS):
        happened |= play_one(engine, name, number, rules)
    if {
        f"part {one}" for one in range(PARTS)
    } <= happened:  # the comparison is worth nothing if it never met what is rare
        assert SUBJECTS[name].rare <= happened


def play_one(engine: Running, name: str, number: int, rules: int) -> set[str]:
    """One game from its beginning to its record; returns what happened in it."""
    happened: set[str] = set()
    subject = SUBJECTS[name]
    dice = random.Random(f"{name} {number}")
    players = dice.choice(subject.seats)
    options = subject.options(dice, players, number)
    position = engine.ask(do="new", game=name, players=players, options=options, seed=dice.randint(-(10**9), 10**9))
    assert position["ok"], (options, position)
    setup = position["state"]
    assert setup == subject.beginning(players, options, setup)
    game = subject.reference(setup, options, players)
    played: list[str] = []
    once_legal: set[str] = set()
    while legal := compare(engine, game, position, odds_too=number % 20 == 0):
        wrong = [action for action in once_legal if action not in legal]
        if wrong and dice.random() < 0.1:
            assert not engine.ask(do="play", action=dice.choice(sorted(wrong)))["ok"]
        once_legal.update(legal[:40])
        if game.to_move() == "chance" and dice.random() < 0.5:
            position = engine.ask(do="chance")
            action = position.pop("drawn")
        else:
            action = subject.choice(dice, game, legal)
            peeked = engine.ask(do="peek", action=action) if game.to_move() != "chance" else None
            position = engine.ask(do="play", action=action)
            if peeked is not None:
                before = game.view()
                told = peeked.pop("events")
                assert peeked == position
                expected = subject.events(before, action, position["state"])
                compare_events(name, told, expected)
                happened |= {event["what"] for event in told}
                if sum("slope" in event for event in expected) > 1:
                    happened.add(
                        "several lines, " + ("combined" if options.get("combined_goals", True) else "one by one")
                    )
        game.play(action)
        played.append(action)
    record = engine.ask(do="record")["record"]
    assert record["rules"] == rules
    assert record["options"] == {**subject.defaults, **options}
    assert (record["setup"], record["actions"], record["returns"]) == (setup, played, position["returns"])
    return happened


@pytest.mark.parametrize("combined", [True, False])
def test_any_position_on_the_way_can_be_set_up_and_played_on_from(
    engine: Running, other: Running, combined: bool
) -> None:
    for name, subject in SUBJECTS.items():
        dice = random.Random(5)
        players = subject.seats[-1]
        given: dict[str, Any] = {"max_rounds": 10} if name == "twisty" else {}
        if name == "wykersham":
            given = {"combined_goals": combined}
        position = engine.ask(do="new", game=name, players=players, options=given, seed=5)
        game = subject.reference(position["state"], given, players)
        while not position["over"]:
            ignored = {} if name == "wykersham" else {"first": dice.randrange(players)}
            setup = other.ask(
                do="new", game=name, players=players, options={**given, **ignored}, setup=position["state"]
            )
            assert setup == position
            legal = engine.ask(do="legal")
            assert other.ask(do="legal") == legal
            action = subject.choice(dice, game, legal["actions"])
            game.play(action)
            position = engine.ask(do="play", action=action)
            assert other.ask(do="play", action=action) == position
        assert other.ask(do="new", game=name, players=players, options=given, setup=position["state"]) == position
