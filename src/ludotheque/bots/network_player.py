"""Bots of any game with an encoding that play by weights which `ludotheque train` has learned: a search guided by the network.

The search is in `kernels.guided_search`, learning in `training`.
"""

import random
import time
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

from ludotheque.core import BadOption, Decision, Game, Player, Position, Thought, check_asked
from ludotheque.core.problems import reason
from ludotheque.kernels import DiscretePosition
from ludotheque.kernels.encoding import encoding_of
from ludotheque.kernels.guided_search import GuidedSearch
from ludotheque.kernels.policy_network import evaluator, load_policy_network

SIMULATIONS: Final = {1: 1, 2: 16, 3: 100, 4: 400, 5: 1600}
"""How far each level searches. The first does not: it draws an action from the network's policy."""
STRONGEST: Final = max(SIMULATIONS)
SLOTS: Final = 8
"""Positions that the network is asked about at once."""
SHARE: Final = 64  # simulations between two looks at the clock
NODES: Final = 1 << 18


class NetworkPlayer(Player):
    """Plays by a network and a search that it guides."""

    def __init__(self, game: Game, level: int, weights: Path) -> None:
        """BadOption if the file does not hold a network of this game."""
        encoding = encoding_of(game)
        try:
            network, about = load_policy_network(weights)
        except OSError as error:
            raise BadOption("bots.no-weights", file=str(weights), reason=reason(error)) from error
        except (ValueError, KeyError, BadZipFile) as error:
            raise BadOption("bots.damaged-weights", file=str(weights)) from error
        fits = (len(network.shift), len(network.policy_bias)) == (encoding.observation_size, encoding.num_actions)
        if about.get("game") != game.name or about.get("encoding") != encoding.version or not fits:
            found = f"{about.get('game')} {about.get('encoding')}"
            raise BadOption(
                "bots.other-network", file=str(weights), found=found, game=f"{game.name} {encoding.version}"
            )
        self.name = f"bot:{level}@{weights}"
        self.level = level
        self.players: Final = len(network.value_bias)
        self._encoding: Final = encoding
        self._evaluate: Final = evaluator(network)

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """The best action that was tried. `seconds` bounds the thinking; only the strongest level uses them all."""
        check_asked(position)
        assert isinstance(position, DiscretePosition)
        if position.players != self.players:
            raise BadOption("bots.network-players", network=self.players, players=position.players)
        numbers = position.action_numbers()
        if len(numbers) == 1:
            return Decision(position.legal().actions[0])
        search = GuidedSearch(
            position.game.rules,
            self._encoding,
            position.players,
            [position.state_bytes],
            self._evaluate,
            seed=seed,
            slots=min(SLOTS, SIMULATIONS[self.level]),
            nodes=NODES
            if seconds is not None
            else 1 + SIMULATIONS[self.level] * (position.game.rules.most_actions + 1),
        )
        end = None if seconds is None else time.perf_counter() + seconds
        search.think(1)
        while (end is None or time.perf_counter() < end) and (
            search.simulations < SIMULATIONS[self.level] or (end is not None and self.level == STRONGEST)
        ):
            search.think(SHARE if end is not None else SIMULATIONS[self.level] - 1)
        found = search.found()
        considered = tuple(Thought(position.game.write(position.fields, one.action), one.value) for one in found)
        best = considered[0]
        if SIMULATIONS[self.level] == 1:
            policy = search.policy()
            chooser = random.Random(seed)  # noqa: S311 - a bot's choice, not fair dice
            drawn = chooser.choices(found, [policy[one.action] for one in found])[0]
            best = considered[found.index(drawn)]
        return Decision(best.action, best.value, considered)
