"""How strong Yikerz!'s bots are: pieces on the board before the first collapse, matches between neighbouring levels, time to think.

`python -m bench.strength.yikerz [SECONDS] [WHAT…]` prints one JSON line a measurement, with at most so many SECONDS for each (600).
WHAT is a level such as `5` (alone on the board) or a match such as `5-4`; without any, everything is measured.
`5n` is level 5 that sets no traps: `5-4` and `5n-4` play with the same dice.
"""

import sys
import time
from dataclasses import replace

from bench.strength.measuring import mean_of, read_arguments, tell
from ludotheque.arena import interval
from ludotheque.core import CHANCE, Dice, Match, Player, find_game
from ludotheque.games.yikerz.player import MagnetPlayer
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.table import Table

GAME = find_game("yikerz")
PIECES = 20
ALONE = 40  # boards a level
MATCHES = ("2-1", "3-2", "4-3", "5-4")
MOST = 40  # matches, best of three


def player(name: str) -> Player:
    """A level, such as "5"; "5n" sets no traps."""
    bot = MagnetPlayer(int(name.removesuffix("n")))
    if name.endswith("n"):
        bot.skill = replace(bot.skill, traps=0)
    return bot


def play(match: Match, players: list[Player], seed: int, thought: list[list[float]]) -> bool:
    """One action of a match; whether pieces had to be taken."""
    if match.to_move == CHANCE:
        match.draw()
        return False
    seat = match.to_move
    assert isinstance(seat, int)
    began = time.process_time()
    decision = players[seat].choose(match.position, seed=1000 * seed + len(match.log))
    if table_of(match).phase == "turn":
        thought[seat].append(time.process_time() - began)
    step = match.play(decision.action)
    return any(event.what == "taken" for event in step.events)


def alone(level: str, end: float) -> dict[str, object]:
    """How many pieces one bot places on an empty pyramid, ribbon or islands before something collapses or falls."""
    placed: list[int] = []
    thought: list[list[float]] = [[]]
    for seed in range(ALONE):
        if seed > 1 and time.monotonic() > end:
            break
        match = Match(GAME, 1, dice=Dice(f"alone {seed}"))
        while not match.over:
            if play(match, [player(level)], seed, thought):
                break
        turns = table_of(match).turns[0]
        placed.append(turns if match.over else turns - 1)
    boards = len(placed)
    mean, half = mean_of(placed)
    return {
        "what": f"level {level} alone",
        "boards": boards,
        "placed": round(mean, 1),
        "±": round(half, 1),
        "all 20": sum(one == PIECES for one in placed),
        **_seconds(thought[0]),
    }


def versus(one: str, two: str, end: float) -> dict[str, object]:
    """Matches, best of three, seats alternating: the first one's share of matches and rounds with 95 % intervals.

    And how often the other one has to take pieces, a turn.
    """
    matches, won, rounds, rounds_won, turns, taken = 0, 0, 0, 0, 0, 0
    thought: list[list[float]] = [[], []]
    for seed in range(MOST):
        if seed > 1 and time.monotonic() > end:
            break
        swap = seed % 2
        levels = [two, one] if swap else [one, two]
        match = Match(GAME, 2, dice=Dice(f"{one.removesuffix('n')}-{two} {seed}"))
        players = [player(level) for level in levels]
        while not match.over:
            theirs = table_of(match).phase == "turn" and match.to_move == 1 - swap
            took = play(match, players, seed, thought[::-1] if swap else thought)
            turns += theirs
            taken += theirs and took
        matches += 1
        won += match.position.returns()[swap] == 1
        rounds += sum(table_of(match).rounds_won)
        rounds_won += table_of(match).rounds_won[swap]
        print(f"{one}-{two}: {won} of {matches} matches, {rounds_won} of {rounds} rounds", file=sys.stderr, flush=True)
    return {
        "what": f"level {one} v {two}",
        "matches": matches,
        "share": round(won / matches, 2),
        "interval": _interval(won, matches),
        "rounds": rounds,
        "share of rounds": round(rounds_won / rounds, 2),
        "interval of rounds": _interval(rounds_won, rounds),
        "the other takes pieces": round(taken / turns, 3),
        "turns of the other": turns,
        f"level {one}": _seconds(thought[0]),
    }


def table_of(match: Match) -> Table:
    """The table of a match."""
    assert isinstance(match.position, YikerzPosition)
    return match.position.table


def _interval(won: int, games: int) -> list[float]:
    """Wilson's 95 % interval."""
    return [round(end, 2) for end in interval([[1.0]] * won + [[0.0]] * (games - won))]


def _seconds(thought: list[float]) -> dict[str, object]:
    """Processor time of a decision."""
    ordered = sorted(thought)
    return {
        "s a decision": round(sum(ordered) / len(ordered), 3),
        "s, 95 of 100": round(ordered[int(0.95 * len(ordered))], 2),
    }


def main() -> None:
    """Measure what was asked for."""
    given = read_arguments(__doc__, seconds=600.0, what=["1", "2", "3", "4", "5", *MATCHES])
    for what in given.what:
        first, _, second = what.partition("-")
        end = time.monotonic() + given.seconds
        tell(versus(first, second, end) if second else alone(first, end))


if __name__ == "__main__":
    main()
