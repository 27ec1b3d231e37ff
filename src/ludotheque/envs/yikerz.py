"""Yikerz! as a Gymnasium environment with continuous actions: `gymnasium.make("ludotheque/Yikerz-v0")` once this is imported.

One hand places magnets; the reward is by how many more lie on the board. The task itself is the game's (`placing`).
"""

import sys
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.core import BadOption, IllegalAction, shortened
from ludotheque.envs.libraries import library
from ludotheque.envs.seated import checked_seed
from ludotheque.games.yikerz.placing import ACTION_SIZE, OBSERVATION_SIZE, Placing

gymnasium: Any = library("gymnasium", "gymnasium")
spaces: Any = gymnasium.spaces

Info = dict[str, Any]
RENDER_MODES: Final = ("human", "ansi")
SEEDS: Final = 1 << 31
NAME: Final = "ludotheque/Yikerz-v0"


class PlacingEnv(gymnasium.Env):  # type: ignore[misc] # Gymnasium may be missing where types are checked
    """Place magnets one by one. An action is a release pose in numbers from -1 to 1; `step_path` takes the path of a hand."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self, layout: str = "pyramid", magnets: int = 20, turns: int = 40, render_mode: str | None = None
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise BadOption("envs.render-mode", modes=", ".join(RENDER_MODES), mode=shortened(str(render_mode)))
        self.placing: Final = Placing(layout, magnets, turns)
        self.render_mode = render_mode
        self.action_space = spaces.Box(-1.0, 1.0, (ACTION_SIZE,), np.float32)
        self.observation_space = spaces.Box(-1.0, 1.0, (OBSERVATION_SIZE,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        """An empty board; the seed decides in which order the magnets come."""
        super().reset(seed=checked_seed(seed), options=options)
        self.placing.reset(int(self.np_random.integers(SEEDS)))
        return self.placing.observe(), self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        """Let the next magnet go where the action says."""
        self._must_go_on()
        return self._answer(self.placing.place(self.placing.release_of(action)))

    def step_path(self, path: Any, release: Any) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        """Move the next magnet along poses [[t, x, y, z, qw, qx, qy, qz], …] (s, mm) and let it go at the time `release`."""
        self._must_go_on()
        return self._answer(self.placing.place_along(path, release))

    def _must_go_on(self) -> None:
        if self.placing.done or self.placing.late:
            raise IllegalAction("envs.over")

    def _answer(self, more: int) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        if self.render_mode == "human":
            self.render()
        placing = self.placing
        return placing.observe(), float(more), placing.done, placing.late and not placing.done, self._info()

    def _info(self) -> Info:
        outcome = self.placing.last
        return {
            "placed": len(self.placing.board),
            "taken": [] if outcome is None else list(outcome.taken),
            "seconds": 0.0 if outcome is None else outcome.seconds,
        }

    def render(self) -> str | None:
        """Where the pieces lie: written to standard output, or returned for the mode `ansi`."""
        lines = [
            f"{magnet:2}  x {pose[0]:7.1f}  y {pose[1]:7.1f}  z {pose[2]:5.1f}"
            for magnet, pose in sorted(self.placing.board.items())
        ]
        picture = "\n".join(lines)
        if self.render_mode == "ansi":
            return picture
        sys.stdout.write(picture + "\n")
        return None


if NAME not in gymnasium.registry:
    gymnasium.register(NAME, entry_point=PlacingEnv)
