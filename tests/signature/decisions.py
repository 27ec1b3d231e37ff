"""The bot signature: what every level of every game decides on fixed positions, without a clock and with a fixed seed.

`make signature` runs this file and writes the decisions of the bots as they are now to the lists beside it. A change that means to
leave the bots alone must not change a list; one that means to change them is measured in the arena.

Near ties are left out: where the bot itself values another action within NEAR_TIE of the one that it chose, and where the
processor's own instructions lead to another decision than a generic processor's.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from ludotheque.bots import LEVELS, bot
from ludotheque.core import CHANCE, Dice, Game, Match, find_game

FOLDER: Final = Path(__file__).parent
NEAR_TIE: Final = 1e-6
"""Of a chance to win, which is at most 1."""
POSITIONS: Final = {"yam-master": 40, "wykersham": 40, "twisty": 32, "yikerz": 20}
SLOW_LEVELS: Final = {"wykersham": {5: 24}, "twisty": {5: 12}, "yikerz": {3: 12, 4: 8, 5: 5}}
"""Levels that are asked only on so many of the first positions."""
COARSE: Final = ("yikerz",)
"""Games whose bots value places by the pieces that they leave in hand, and choose among many equals by loads that they do not tell."""
GENERIC: Final = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""Environment in which kernels are compiled for a generic processor."""

Entry = dict[str, Any]
"""A position with its decisions by level, as a list has it."""


def read_entries(name: str) -> list[Entry]:
    """The list of a game."""
    entries: list[Entry] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return entries


def write_entries(name: str, entries: list[Entry]) -> None:
    """Write the list of a game, one position a line."""
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries)
    (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


def new_entries(game: Game) -> list[Entry]:
    """Positions out of matches between bots of all levels but the last, a few of each match."""
    entries: list[Entry] = []
    bots = [bot(game, level) for level in LEVELS[:-1]]
    number = 0
    while len(entries) < POSITIONS[game.name]:
        match = Match(game, game.seats[number % len(game.seats)], dice=Dice(f"signature {number}"))
        chooser = random.Random(f"signature {game.name} {number}")
        number += 1
        found = 0
        while not match.over and found < 3 and len(match.log) < 300:
            if match.to_move == CHANCE:
                match.draw()
                continue
            legal = match.position.legal()
            if (len(legal.actions) > 1 or legal.open) and chooser.random() < 0.06:
                found += 1
                position = {"players": match.players, "options": match.options, "state": match.position.view()}
                entries.append({**position, "decisions": {}})
            match.play(chooser.choice(bots).choose(match.position, seed=len(match.log)).action)
    return entries[: POSITIONS[game.name]]


def decide(game: Game, entries: list[Entry], levels: tuple[int, ...] = LEVELS) -> list[dict[str, str]]:
    """What the levels decide on each position, near ties left out."""
    found: list[dict[str, str]] = [{} for _ in entries]
    for level in levels:
        player = bot(game, level)
        most = SLOW_LEVELS.get(game.name, {}).get(level, len(entries))
        for number, entry in enumerate(entries[:most]):
            position = game.from_view(entry["state"], entry["players"], game.read_options(entry["options"]))
            decision = player.choose(position, seed=number)
            chosen = [one.value for one in decision.considered if one.action == decision.action]
            others = [one.value for one in decision.considered if one.action != decision.action]
            if game.name not in COARSE and any(abs(one - chosen[0]) < NEAR_TIE for one in others):
                continue
            found[number][str(level)] = decision.action
    return found


def differences(name: str) -> list[str]:
    """Every decision that is not the one on the list, told in a line each; decisions that the list leaves out are not compared."""
    entries = read_entries(name)
    found: list[str] = []
    for number, (entry, decisions) in enumerate(zip(entries, decide(find_game(name), entries), strict=True)):
        for level, action in entry["decisions"].items():
            now = decisions.get(level, "a near tie")
            if now != action:
                found.append(f"{name}, position {number}, level {level}: {action} became {now}")
    return found


def main() -> None:
    """Write all lists anew; with `decide GAME`, print the decisions as this process is compiled."""
    if sys.argv[1:2] == ["decide"]:
        name = sys.argv[2]
        json.dump(decide(find_game(name), read_entries(name)), sys.stdout)
        return
    changed = 0
    for name in sys.argv[1:] or list(POSITIONS):
        game = find_game(name)
        entries = read_entries(name) if (FOLDER / f"{name}.json").exists() else new_entries(game)
        write_entries(name, entries)
        command = [sys.executable, __file__, "decide", name]
        generic = json.loads(subprocess.check_output(command, env=os.environ | GENERIC))
        for entry, now, here in zip(entries, generic, decide(game, entries), strict=True):
            decisions = {level: action for level, action in now.items() if here.get(level) == action}
            changed += decisions != entry["decisions"]
            entry["decisions"] = decisions
        write_entries(name, entries)
        kept = [sum(level in entry["decisions"] for entry in entries) for level in map(str, LEVELS)]
        sys.stdout.write(f"{name}: {len(entries)} positions, decisions by level: {kept}\n")
    if changed:
        sys.stdout.write(
            f"\nOn {changed} positions other decisions are listed than before. Measure the new strength\n"
            "(ludotheque arena, each changed level against the version before) and commit the lists with the result.\n"
        )


if __name__ == "__main__":
    main()
