"""PettingZoo environments of the discrete games: `from ludotheque.envs.pettingzoo import yam_master_v0`, then `yam_master_v0.env()`.

Agents act in turn (AEC). Dice are drawn by the environment. Rules, action numbers and observations are the games'.
"""

import sys
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from ludotheque.core import BadOption, Json, find_game, shortened
from ludotheque.envs.libraries import library
from ludotheque.envs.seated import SeatedMatch, checked_seed
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.encoding import encoding_of

AECEnv: Any = library("pettingzoo", "pettingzoo").AECEnv
wrappers: Any = library("pettingzoo.utils.wrappers", "pettingzoo")
spaces: Any = library("gymnasium.spaces", "gymnasium")

Observed = dict[str, Any]
RENDER_MODES: Final = ("human", "ansi")


class GameEnv(AECEnv):  # type: ignore[misc] # PettingZoo may be missing where types are checked
    """A game between agents `player_0`, `player_1` and so on. An observation is a dictionary of `observation` and `action_mask`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "is_parallelizable": False, "name": ""}

    def __init__(
        self, game: str, players: int | None = None, options: Json = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise BadOption("envs.render-mode", modes=", ".join(RENDER_MODES), mode=shortened(str(render_mode)))
        self.match = SeatedMatch(_discrete(game), players, options)
        name = f"{game.replace('-', '_')}_v0"
        self.__dict__["metadata"] = {**self.metadata, "name": name}  # its own, over the class's
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.players)]
        self.agents: list[str] = []
        encoding = self.match.encoding
        self.action_spaces = {agent: spaces.Discrete(encoding.num_actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(encoding.lows, encoding.highs, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (encoding.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def __repr__(self) -> str:
        return f"<{self.metadata['name']}>"

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def __reduce__(self) -> tuple[Any, ...]:
        match = self.match
        made = (match.game.name, match.players, dict(match.options), self.render_mode)
        return type(self), made  # a copy in another process begins with its own reset

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of all actions; `action_mask` has the legal ones."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same seed and the same actions give the same match."""
        del options
        self.match.start(checked_seed(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.match.seat or 0]
        self._show()

    def observe(self, agent: str) -> Observed:
        """The position as an agent sees it, and what it can play; the mask is all 0 while another agent decides."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.match.observe(seat), "action_mask": self.match.mask(seat)}

    def step(self, action: Any) -> None:
        """Play the action of the agent to move. An illegal one raises IllegalAction, with a sentence, and changes nothing."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.match.play(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.match.rewards(), strict=True))
        if self.match.over:
            self.terminations = dict.fromkeys(self.agents, True)
            acted = self.possible_agents.index(self.agent_selection)
            self.agent_selection = self.possible_agents[(acted + 1) % len(self.possible_agents)]
        else:
            self.agent_selection = self.possible_agents[self.match.seat or 0]
        self._accumulate_rewards()
        self._show()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board in letters: written to standard output, or returned for the mode `ansi`."""
        picture = self.match.position.picture()
        if self.render_mode == "ansi":
            return picture
        sys.stdout.write(picture + "\n")
        return None

    def close(self) -> None:
        """Nothing is held."""


def _discrete(name: str) -> DiscreteGame:
    game = find_game(name)
    encoding_of(game)  # says what is missing
    assert isinstance(game, DiscreteGame)
    return game


@dataclass(frozen=True)
class GameModule:
    """A game as PettingZoo's modules have it: `env` for use, `raw_env` without the wrapper that checks the order of calls."""

    game: str

    def raw_env(self, players: int | None = None, options: Json = None, render_mode: str | None = None) -> GameEnv:
        """The bare environment."""
        return GameEnv(self.game, players, options, render_mode)

    def env(self, players: int | None = None, options: Json = None, render_mode: str | None = None) -> Any:
        """The environment. `options` are the game's own, `players` the number of agents where there is a choice."""
        return wrappers.OrderEnforcingWrapper(self.raw_env(players, options, render_mode))


yam_master_v0: Final = GameModule("yam-master")
wykersham_v0: Final = GameModule("wykersham")
twisty_v0: Final = GameModule("twisty")
