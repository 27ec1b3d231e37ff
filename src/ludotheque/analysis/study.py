"""A study of a game: many matches between equal bots, and the facts of each.

The numbers are in `summary`, plots in `plots`.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import partial

from ludotheque.arena import distribute
from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Json, Match, find_game
from ludotheque.kernels import DiscreteGame


@dataclass(frozen=True)
class Study:
    """What is to be played: match k has the dice of the seed "SEED.k"; the bots of all seats have the same level."""

    game: str
    players: int
    games: int
    level: int = 3
    seed: str = "0"
    options: Json = None


@dataclass(frozen=True)
class Observed:
    """One match: who started, its length, what each seat got, and the game's own facts (`capabilities.study`)."""

    number: int
    starter: int
    actions: int
    points: tuple[float, ...]
    facts: Mapping[str, float]

    @property
    def in_order(self) -> tuple[float, ...]:
        """What each player got, in playing order from the one who started."""
        return self.points[self.starter :] + self.points[: self.starter]


def observe(study: Study, number: int) -> Observed:
    """Play one match of a study."""
    game = find_game(study.game)
    if isinstance(game, DiscreteGame):
        _ = game.rules.compiled
    player = bot(game, study.level)
    match = Match(game, study.players, study.options, dice=Dice(f"{study.seed}.{number}"))
    try:
        while not match.over:
            if match.to_move == CHANCE:
                match.draw()
                continue
            match.play(player.choose(match.position, seed=match.bot_seed()).action)
    finally:
        player.close()
    starter = next((entry.by for entry in match.log if isinstance(entry.by, int)), 0)
    facts = game.capabilities.study(match) if game.capabilities.study else {}
    return Observed(number, starter, len(match.log), match.position.returns(), dict(facts))


def play_study(study: Study, jobs: int = 1) -> Generator[Observed, None, None]:
    """Play a study, several matches at once; they come in any order and do not depend on the number of jobs."""
    yield from distribute(partial(observe, study), [(number,) for number in range(study.games)], jobs)
