"""Bots play every mode to its end: alone and in twos to sixes, rounds and points, sudden death, every layout.

`make campaign-yikerz` plays all combinations with twenty magnets; the tests play some with fewer.
"""

import os
from itertools import product

import pytest

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Json, JsonObject, Match
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, SIDE_MM
from ludotheque.games.yikerz.text import write_action
from yikerz.play import position

CAMPAIGN = int(os.environ.get("LUDOTHEQUE_SCENES", "0")) >= 100
PART, PARTS = (int(one) for one in os.environ.get("LUDOTHEQUE_PART", "0/1").split("/"))


def own_layout() -> str:
    """Two pairs of mats, apart from each other, one of them askew."""
    pair: list[list[float]] = [[0, 0, 10], [SIDE_MM * 0.9848, SIDE_MM * 0.1736, 10]]
    return write_action({"layout": [*pair, *([x, y + 250, angle] for x, y, angle in pair)]})


LAYOUT_ACTIONS = {name: write_action({"layout": name}) for name in LAYOUTS} | {"own": own_layout()}
MATCHES = ("best-of-3", "best-of-5", "best-of-7", "points")
EVERY = [(1, "best-of-3", layout) for layout in LAYOUT_ACTIONS] + list(
    product((2, 3, 4, 5, 6), MATCHES, LAYOUT_ACTIONS)
)
SOME = [
    (1, "best-of-3", "own"),
    (2, "best-of-5", "ribbon"),
    (2, "points", "own"),
    (3, "best-of-3", "islands"),
    (4, "best-of-3", "pyramid"),
    (5, "points", "ribbon"),
    (6, "best-of-3", "pyramid"),
]


def between_rounds(magnets: int) -> dict[str, Json]:
    """All magnets are in the box."""
    return {"player": 0, "mats": [], "magnets": [{"id": one, "where": "pouch"} for one in range(magnets)]}


def tied(players: int, magnets: int) -> JsonObject:
    """Everybody has as many points: sudden death (Y17). (Four can be tied in points only: no series has four rounds.)"""
    seats: dict[str, Json] = {"among": list(range(players)), "points": [25] * players, "round": 4}
    return {**between_rounds(magnets), "phase": "lot", "lot": "shuffler", "sudden": 1, **seats}


def nearly_over(players: int, magnets: int) -> JsonObject:
    """Nobody has 25 points yet, but soon."""
    return {**between_rounds(magnets), "phase": "layout", "round": 9, "points": [23] * players}


def play_out(match: Match, levels: list[int], layout: str, seed: int) -> None:
    """To the end; the layout is this one whoever chooses it, every magnet is somewhere, every event can be told in both languages."""
    players = [bot(GAME, level) for level in levels]
    while not match.over:
        before = position(match).table
        if match.to_move == CHANCE:
            step = match.draw()
        elif before.phase == "layout":
            step = match.play(LAYOUT_ACTIONS[layout])
        else:
            assert isinstance(match.to_move, int)
            choice = players[match.to_move].choose(match.position, seed=1000 * seed + len(match.log))
            step = match.play(choice.action)
        for event in step.events:
            assert GAME.tell(event, "en", ["A"] * 6) != GAME.tell(event, "fr", ["A"] * 6)
        table = position(match).table
        piles = [*table.hands, *table.stacks, tuple(table.board), table.pouch]
        assert sorted(one for pile in piles for one in pile) == list(range(table.settings.magnets))


def check_end(match: Match) -> None:
    assert sum(match.position.returns()) == pytest.approx(1 if position(match).table.winner is not None else 0)
    again = match.branch(0)
    for entry in match.log:
        again.play(entry.action, entry.outcome)
    assert again.position.view() == match.position.view()


@pytest.mark.clause("Y2", "Y16", "Y18")
@pytest.mark.parametrize(("players", "kind", "layout"), EVERY[PART::PARTS] if CAMPAIGN else SOME)
def test_bots_play_every_mode_on_every_layout_to_its_end(players: int, kind: str, layout: str) -> None:
    magnets = 20 if CAMPAIGN else max(6, 2 * players)
    options: dict[str, Json] = {"match": kind, "magnets": magnets, "max_turns": 100 if CAMPAIGN else 6}
    # A match for points is long: the tests join it near its end.
    late = nearly_over(players, magnets) if kind == "points" and not CAMPAIGN else None
    match = Match(GAME, players, options, dice=Dice(f"modes {players} {kind} {layout}"), setup=late)
    play_out(match, [3, 2, 1, 3, 2, 1][:players], layout, players)
    check_end(match)
    table = position(match).table
    told = {event for entry in match.log for event in _whats(entry.outcome)}
    if CAMPAIGN:
        print(f"{players} players, {kind}, {layout}: {len(match.log)} actions, won {table.rounds_won}, {sorted(told)}")
    if players > 1 and kind != "points" and not table.sudden:
        assert max(table.rounds_won) > 0
    if kind == "points" and players > 1 and not table.sudden:
        assert max(table.points) >= 25


@pytest.mark.clause("Y17")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6] if CAMPAIGN else [3, 6])
def test_bots_play_a_sudden_death_to_its_end(players: int) -> None:
    magnets = 20 if CAMPAIGN else 3 * players
    options: dict[str, Json] = {"magnets": magnets, "match": "points"}
    match = Match(GAME, players, options, dice=Dice("sudden"), setup=tied(players, magnets))
    play_out(match, [2, 1, 2, 1, 2, 1][:players], "pyramid", players)
    check_end(match)
    assert position(match).table.sudden >= 1
    assert position(match).table.winner is not None


@pytest.mark.clause("Y14")
def test_a_bot_that_forgets_the_last_call_picks_two_pieces_and_the_match_goes_on() -> None:
    for seed in range(40):
        match = Match(GAME, 2, {"magnets": 6}, dice=Dice(f"forgets {seed}"))
        play_out(match, [1, 1], "pyramid", seed)
        if any(entry.action.startswith('{"pick"') for entry in match.log):
            check_end(match)
            return
    pytest.fail("in forty matches of gentle bots nobody forgot the last call")


def _whats(outcome: Json) -> list[str]:
    events = outcome.get("events") if isinstance(outcome, dict) else None
    return [str(one["what"]) for one in events if isinstance(one, dict)] if isinstance(events, list) else []
