"""`python -m tools.yardstick GAME FILE [EACH] [SEED]`: a yardstick with so many positions for each number of turns left.

The games are played by bots of levels 1 to 4, drawn by the seed. Positions in which every action is worth the same are left out,
and so are those in which the best action is the only one that an eye would see: all but one lose at least half a win.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from ludotheque.arena.yardstick import FORMAT, MILLION
from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, JsonObject, Match, find_game, write_json
from ludotheque.kernels import DiscretePosition
from tools.yardstick.solvers import SOLVERS, Solver

LEVELS: Final = (1, 2, 3, 4)
LEAST_AT_STAKE: Final = 0.005  # of a win, between the best action and the worst
OBVIOUS: Final = 0.5  # of a win, between the best action and the next


def decisions(game_name: str, solver: Solver, seed: int) -> Iterator[DiscretePosition]:
    """Of each seeded game, one decision of every last turn."""
    game = find_game(game_name)
    players = {level: bot(game, level) for level in LEVELS}
    for number in count():
        draw = random.Random(f"{seed}.{number}")
        match = Match(game, 2, solver.options[number % len(solver.options)], dice=Dice(f"yardstick {seed}.{number}"))
        seated = [players[draw.choice(LEVELS)] for _ in range(2)]
        seen: dict[int, list[DiscretePosition]] = {}
        while not match.over:
            position = match.position
            assert isinstance(position, DiscretePosition)
            if position.to_move == CHANCE:
                match.draw()
                continue
            assert isinstance(position.to_move, int)
            if solver.left(position) <= solver.most_left and len(position.numbers()) > 1:
                seen.setdefault(solver.left(position), []).append(position)
            match.play(seated[position.to_move].choose(position, seed=match.bot_seed()).action)
        for some in seen.values():
            yield draw.choice(some)


def line_of(position: DiscretePosition, solver: Solver) -> JsonObject | None:
    """A position with its values as it is stored; None where it says little about a player."""
    values = solver.values(position)
    if values is None:
        return None
    ordered = [values[action] for action in position.legal().actions]
    best, *others = sorted(ordered, reverse=True)
    if best - min(others) < LEAST_AT_STAKE or best - others[0] >= OBVIOUS:
        return None
    return {
        "left": solver.left(position),
        "options": {name: value for name, value in position.options.items() if name in solver.options[0]},
        "view": position.view(),
        "value": round(best, 9),
        "losses": [round((best - one) * MILLION) for one in ordered],
    }


def main() -> None:
    """Make one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(SOLVERS))
    parser.add_argument("file", type=Path)
    parser.add_argument("each", type=int, nargs="?", default=40)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    given = parser.parse_args()
    solver = SOLVERS[given.game]
    rules = find_game(given.game).rules_version
    lines: list[JsonObject] = []
    have: Counter[int] = Counter()
    for position in decisions(given.game, solver, given.seed):
        left = solver.left(position)
        if have[left] < given.each and (line := line_of(position, solver)) is not None:
            have[left] += 1
            lines.append(line)
        if len(lines) == given.each * solver.most_left:
            break
    lines.sort(key=lambda line: int(str(line["left"])))
    heading: JsonObject = {"yardstick": FORMAT, "game": given.game, "rules": rules, "seed": given.seed}
    given.file.write_text("".join(write_json(line) + "\n" for line in (heading, *lines)), "utf-8")


if __name__ == "__main__":
    main()
