"""Golden playthroughs: whole matches as text, one file a game; a change of the rules shows as a difference to be read.

`make golden` writes them anew.
"""

import random
from pathlib import Path

import pytest

from ludotheque.core import CHANCE, Dice, Match, find_game, game_names, write_json
from ludotheque.kernels import DiscreteGame

FOLDER = Path(__file__).parent / "golden"
TABLES = [
    (name, players)
    for name in game_names()
    if isinstance(find_game(name), DiscreteGame)
    for players in find_game(name).seats
]


def playthrough(name: str, players: int) -> str:
    """A match by fixed dice and fixed choices: every action with what it did, and some views."""
    match = Match(find_game(name), players, dice=Dice(f"golden {name}"))
    chooser = random.Random(f"golden {name} {players}")
    lines = [f"{name}, {players} players, rules {match.game.rules_version}", write_json(match.first.view())]
    while not match.over and len(match.log) < 400:
        legal = match.position.legal().actions
        count = len(legal)
        step = match.draw() if match.to_move == CHANCE else match.play(chooser.choice(sorted(legal)))
        told = "; ".join(match.game.tell(event, "en") for event in step.events)
        lines.append(f"{len(match.log):3} of {count:3}: {match.log[-1].action:12} {told}")
        if len(match.log) % 10 == 0:
            lines.append(write_json(match.position.view()))
    lines += [match.position.picture(), f"returns {list(match.position.returns())}", ""]
    return "\n".join(line.rstrip() for line in lines)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_match_goes_as_it_went_before(name: str, players: int, write_golden: bool) -> None:
    file = FOLDER / f"{name}-{players}.txt"
    if write_golden:
        file.write_text(playthrough(name, players), "utf-8")
    assert playthrough(name, players) == file.read_text("utf-8")
