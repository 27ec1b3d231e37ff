"""A series of matches: every seed is played once with each rotation of the players around the seats.

Match k of a series with seed S has the dice of the seed "S.k"; nothing else is random, so that a series can be repeated.
What the results mean is in `scores`.
"""

import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from ludotheque.arena.distributed import Backend, distribute, worker_resources
from ludotheque.bots import SECONDS_A_DECISION, Evidence, Forfeit, ProgramPlayer, PythonPlayer, player_named
from ludotheque.core import (
    CHANCE,
    Dice,
    Game,
    Json,
    Match,
    Player,
    Seated,
    Text,
    find_game,
    write_json,
    write_record,
)
from ludotheque.kernels import DiscreteGame

LONGEST_NAME: Final = 200  # letters of a name in a record
LONGEST_KIND: Final = 500
LARGEST_SEED: Final = 1 << 53
"""Above the seeds that players are told: every language reads them from JSON exactly."""


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

    newgame: tuple[str, ...] = ()
    """Which players are programs that are told of new games: they are not started again for each seed."""

    records: bool = False
    """Whether each match comes with its record."""

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
    evidence: Evidence | None = None
    """What there is to mend it by."""
    restarts: tuple[int, ...] = ()
    """How often each player had to be started again in this match or before it, having died or failed; empty if none had to."""
    record: str | None = field(default=None, compare=False, repr=False)
    """The record as one line of JSON, where it was asked for."""


def play_task(series: Series, number: int, rotations: int) -> list[Played]:
    """All rotations of one seed. In a worker, Python objects and programs that know of new games stay for later seeds."""
    game = find_game(series.game)
    if isinstance(game, DiscreteGame):
        _ = game.rules.compiled  # nobody waits at a table here: compile first, then play fast
    with ExitStack() as ends_with_task:
        players = [_player(series, place, game, ends_with_task) for place in range(len(series.players))]
        return [_play_match(series, game, players, number, rotation) for rotation in range(rotations)]


_kept: dict[tuple[str, int, float], Player] = {}
"""The players that stay in this worker, by name, place in the line-up and time for a decision."""


def _player(series: Series, place: int, game: Game, ends_with_task: ExitStack) -> Player:
    """The player at a place of the line-up: one that has stayed, or a new one."""
    label = series.players[place]
    name = dict(series.programs).get(label, label)
    limit = series.seconds if series.seconds is not None else SECONDS_A_DECISION
    newgame = label in series.newgame
    worker = worker_resources()
    if worker is None or not (newgame or name.startswith("py:")):
        player = player_named(name, game, seconds=limit, newgame=newgame)
        ends_with_task.callback(player.close)
        return player
    key = (name, place, limit)
    if key not in _kept:
        player = _kept[key] = player_named(name, game, seconds=limit, newgame=newgame)
        worker.callback(player.close)
        worker.callback(_kept.pop, key)
    return _kept[key]


def _play_match(series: Series, game: Game, players: Sequence[Player], number: int, rotation: int) -> Played:
    """One match of a seed."""
    count = len(players)
    match = Match(game, count, series.options, dice=Dice(f"{series.seed}.{number}"))
    at_seat = [(seat + rotation) % count for seat in range(count)]  # which player sits there
    decisions, seconds = [0] * count, [0.0] * count
    before = [_restarts(player) for player in players]
    forfeit: tuple[int, Forfeit] | None = None
    who = 0
    try:
        for seat, who in enumerate(at_seat):
            players[who].new_game(match.position, seat, match.dice.draw(f"bot.seat.{seat}", LARGEST_SEED).number)
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
            finally:
                decisions[who] += 1
                seconds[who] += time.perf_counter() - began
            match.play(decision.action)
    except Forfeit as why:
        forfeit = who, why
    points = [0.0] * count
    if forfeit is not None:
        points = [0.0 if who == forfeit[0] else 1 / (count - 1) for who in range(count)]
    else:
        for seat, share in enumerate(match.position.returns()):
            points[at_seat[seat]] = share
    restarts = tuple(_restarts(player) - earlier for player, earlier in zip(players, before, strict=True))
    return Played(
        number,
        rotation,
        tuple(points),
        tuple(decisions),
        tuple(seconds),
        None if forfeit is None else (forfeit[0], forfeit[1].text),
        None if forfeit is None else forfeit[1].evidence,
        restarts if any(restarts) else (),
        _record(series, match, at_seat) if series.records else None,
    )


def _record(series: Series, match: Match, at_seat: Sequence[int]) -> str:
    """The record of a match. The command of a program that is called something else stays out of it."""
    names = dict(series.programs)

    def kind(label: str) -> str:
        kind, _, rest = names.get(label, label).partition(":")
        return label if label not in names else f"bot:{rest[0]}" if kind == "bot" else kind

    seated = [
        Seated(label[:LONGEST_NAME], kind(label)[:LONGEST_KIND]) for label in (series.players[who] for who in at_seat)
    ]
    return write_json(write_record(match, seated, reveal=True))


def _restarts(player: Player) -> int:
    """How often a player had to be started again so far; programs that are started for each seed anyway do not count."""
    if isinstance(player, ProgramPlayer):
        return player.restarts if player.newgame else 0
    return player.restarts if isinstance(player, PythonPlayer) else 0


def play_series(series: Series, backend: Backend | int = 1) -> Generator[list[Played], None, None]:
    """Play a series, several seeds at once; results come in any order and do not depend on the backend."""
    yield from distribute(partial(play_task, series), series.tasks(), backend)
