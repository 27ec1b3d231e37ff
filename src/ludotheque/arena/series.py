"""A series of matches: every seed is played once with each rotation of the players around the seats.

Match k of a series with seed S has the dice of the seed "S.k"; nothing else is random, so that a series can be repeated.
What the results mean is in `scores`.
"""

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial

from ludotheque.arena.distributed import Backend, distribute
from ludotheque.bots import SECONDS_A_DECISION, Forfeit, player_named
from ludotheque.core import CHANCE, Dice, Json, Match, Text, find_game
from ludotheque.kernels import DiscreteGame


@dataclass(frozen=True)
class Series:
    """What is to be played. `players` are names, in the order of the results."""

    game: str
    players: tuple[str, ...]
    games: int
    seed: str = "0"
    options: Json = None
    seconds: float | None = None
    """The thinking time of a decision; without it bots make their level's fixed effort."""
    programs: tuple[tuple[str, str], ...] = ()
    """Players that are called otherwise than they are named: what they are called, and their names, cmd:…"""

    def tasks(self) -> list[tuple[int, int]]:
        """Each seed's number and how many of its rotations are played: all, except perhaps for the last seed."""
        seats = len(self.players)
        whole, rest = divmod(self.games, seats)
        return [(number, seats) for number in range(whole)] + ([(whole, rest)] if rest else [])


@dataclass(frozen=True)
class Played:
    """One match played: its seed's number and rotation, and for each player the points, decisions and time."""

    number: int
    rotation: int
    points: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeit: tuple[int, Text] | None = field(default=None)
    """Who lost by default, and why."""


def play_task(series: Series, number: int, rotations: int) -> list[Played]:
    """All rotations of one seed."""
    game = find_game(series.game)
    if isinstance(game, DiscreteGame):
        _ = game.rules.compiled  # nobody waits at a table here: compile first, then play fast
    limit = series.seconds if series.seconds is not None else SECONDS_A_DECISION
    programs = dict(series.programs)
    players = [player_named(programs.get(name, name), game, seconds=limit) for name in series.players]
    count = len(players)
    played: list[Played] = []
    try:
        for rotation in range(rotations):
            match = Match(game, count, series.options, dice=Dice(f"{series.seed}.{number}"))
            at_seat = [(seat + rotation) % count for seat in range(count)]  # which player sits there
            decisions, seconds = [0] * count, [0.0] * count
            forfeit: tuple[int, Text] | None = None
            while not match.over:
                mover = match.to_move
                if mover == CHANCE:
                    match.draw()
                    continue
                assert isinstance(mover, int)
                who = at_seat[mover]
                began = time.perf_counter()
                try:
                    decision = players[who].choose(match.position, seconds=series.seconds, seed=match.bot_seed())
                except Forfeit as why:
                    forfeit = who, why.text
                    break
                finally:
                    decisions[who] += 1
                    seconds[who] += time.perf_counter() - began
                match.play(decision.action)
            points = [0.0] * count
            if forfeit is not None:
                points = [0.0 if who == forfeit[0] else 1 / (count - 1) for who in range(count)]
            else:
                for seat, share in enumerate(match.position.returns()):
                    points[at_seat[seat]] = share
            played.append(Played(number, rotation, tuple(points), tuple(decisions), tuple(seconds), forfeit))
    finally:
        for player in players:
            player.close()
    return played


def play_series(series: Series, backend: Backend | int = 1) -> Generator[list[Played], None, None]:
    """Play a series, several seeds at once; results come in any order and do not depend on the backend."""
    yield from distribute(partial(play_task, series), series.tasks(), backend)
