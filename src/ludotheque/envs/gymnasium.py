"""Gymnasium environments of the discrete games, one agent against a bot: `gymnasium.make("ludotheque/YamMaster-v0")`.

Importing this module registers them. `gymnasium.make_vec(…, num_envs=1024)` plays many over `Batch`. Rules, action numbers and
observations are the games'.
"""

import sys
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.bots import player_named
from ludotheque.core import BadOption, IllegalAction, Json, Player, find_game, shortened
from ludotheque.envs.libraries import library
from ludotheque.envs.seated import SeatedMatch, checked_seed, rewards_of
from ludotheque.kernels import OVER, Batch, DiscreteGame
from ludotheque.kernels.batch_functions import SKIP
from ludotheque.kernels.encoding import Encoding, encoding_of

gymnasium: Any = library("gymnasium", "gymnasium")
vector: Any = library("gymnasium.vector", "gymnasium")
spaces: Any = gymnasium.spaces

Info = dict[str, Any]
NAMES: Final = {"YamMaster": "yam-master", "Wykersham": "wykersham", "Twisty": "twisty"}
RENDER_MODES: Final = ("human", "ansi")
SEEDS: Final = 1 << 31


def discrete_game(name: str) -> DiscreteGame:
    """A game with an encoding, by its name."""
    game = find_game(name)
    encoding_of(game)  # says what is missing
    assert isinstance(game, DiscreteGame)
    return game


def checked_seat(seat: object, players: int) -> int | None:
    """The seat of the agent; None: drawn for each match."""
    if seat is None:
        return None
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players:
        raise BadOption("encoding.seat", last=players - 1, seat=shortened(str(seat)))
    return seat


def observation_box(encoding: Encoding) -> Any:
    """The space of observations."""
    return spaces.Box(encoding.lows, encoding.highs, dtype=np.int8)


class OpponentEnv(gymnasium.Env):  # type: ignore[misc] # Gymnasium may be missing where types are checked
    """One agent at a table where all other seats are a bot's.

    The reward comes at the end: 1 for a win, -1 for a loss against one opponent, 0 for a draw. `info["action_mask"]` has
    the legal actions. One that is not legal now changes nothing: the same observation comes again, with a sentence in
    `info["problem"]`. A number that no action has raises IllegalAction.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponent: str = "bot:1",
        players: int | None = None,
        options: Json = None,
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`opponent` is `random`, `bot:1` to `bot:5` or a program, as in the arena; `seat` the agent's, by default drawn."""
        if render_mode not in (None, *RENDER_MODES):
            raise BadOption("envs.render-mode", modes=", ".join(RENDER_MODES), mode=shortened(str(render_mode)))
        self.match: Final = SeatedMatch(discrete_game(game), players, options)
        self.opponent: Final[Player] = player_named(opponent, self.match.game)
        self._fixed_seat: Final = checked_seat(seat, self.match.players)
        self.seat = self._fixed_seat or 0
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self.match.encoding.num_actions)
        self.observation_space = observation_box(self.match.encoding)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.int8], Info]:
        """Begin a match; the opponents act first if their turn comes first."""
        super().reset(seed=checked_seed(seed), options=options)
        self.match.start(int(self.np_random.integers(SEEDS)))
        drawn = int(self.np_random.integers(self.match.players))
        self.seat = drawn if self._fixed_seat is None else self._fixed_seat
        self._let_others_play()
        return self.match.observe(self.seat), self._info()

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, Info]:
        """Play an action; the opponents then act until it is the agent's turn again, or the match is over."""
        text = self.match.encoding.action_text(action, self.match.position)
        info: Info = {}
        try:
            self.match.play_text(text)
        except IllegalAction as problem:
            if self.match.over:
                raise
            info["problem"] = str(problem)  # a checker or a learner without masks may try anything
        self._let_others_play()
        reward = self.match.rewards()[self.seat]
        return self.match.observe(self.seat), reward, self.match.over, False, {**self._info(), **info}

    def _let_others_play(self) -> None:
        match = self.match
        while match.seat is not None and match.seat != self.seat:
            match.play_text(self.opponent.choose(match.position, seed=match.match.bot_seed()).action)
        if self.render_mode == "human":
            self.render()

    def _info(self) -> Info:
        return {"action_mask": self.action_masks(), "seat": self.seat}

    def action_masks(self) -> NDArray[np.int8]:
        """1 for each legal action, under the name that masked learners ask for."""
        return self.match.mask(self.seat)

    def render(self) -> str | None:
        """The board in letters: written to standard output, or returned for the mode `ansi`."""
        picture = self.match.position.picture()
        if self.render_mode == "ansi":
            return picture
        sys.stdout.write(picture + "\n")
        return None

    def close(self) -> None:
        """Let go of the opponent."""
        self.opponent.close()


class OpponentVectorEnv(vector.VectorEnv):  # type: ignore[misc] # Gymnasium may be missing where types are checked
    """Many such tables over one `Batch`. The opponent `random` is played in compiled code, others match by match.

    A match that has ended begins anew with the next step, whose action for it is not read (autoreset mode `NEXT_STEP`).
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": vector.AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int,
        game: str,
        opponent: str = "random",
        players: int | None = None,
        options: Json = None,
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise BadOption("envs.no-rendering", mode=shortened(str(render_mode)))
        self.num_envs = num_envs
        self._game: Final = discrete_game(game)
        self.batch = Batch(self._game, num_envs, players, options)
        self._options: Final = options
        self._random: Final = opponent == "random"
        self.opponent: Final[Player] = player_named(opponent, self._game)
        self._fixed_seat: Final = checked_seat(seat, self.batch.players)
        self.seats = np.zeros(num_envs, np.int64)
        self._done = np.zeros(num_envs, np.bool_)
        encoding = self.batch.encoding
        self.single_action_space = spaces.Discrete(encoding.num_actions)
        self.single_observation_space = observation_box(encoding)
        self.action_space = vector.utils.batch_space(self.single_action_space, num_envs)
        self.observation_space = vector.utils.batch_space(self.single_observation_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Info]:
        """Begin all matches; with a seed, the same ones again."""
        super().reset(seed=checked_seed(seed), options=options)
        batch_seed = int(self.np_random.integers(SEEDS))
        self.batch = Batch(self._game, self.num_envs, self.batch.players, self._options, seed=batch_seed)
        self._done[:] = False
        self._draw_seats(np.ones(self.num_envs, np.bool_))
        self._let_others_play()
        return self.batch.observe(seats=self.seats), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Info]:
        """Play one action in each match; in those that had ended, begin anew."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "ui":
            raise IllegalAction("batch.shape", size=self.num_envs, shape=f"{given.shape} {given.dtype}")
        begun = self._done.copy()
        self.batch.step(np.where(begun, SKIP, given))
        if begun.any():
            self.batch.reset(begun)
            self._draw_seats(begun)
        self._let_others_play()
        self._done = self.batch.over
        rewards = np.zeros(self.num_envs)
        for match in np.flatnonzero(self._done):
            rewards[match] = rewards_of(self.batch.returns[match])[self.seats[match]]
        observations = self.batch.observe(seats=self.seats)
        return observations, rewards, self._done.copy(), np.zeros(self.num_envs, np.bool_), self._info()

    def _draw_seats(self, which: NDArray[np.bool_]) -> None:
        drawn = self.np_random.integers(self.batch.players, size=self.num_envs)
        self.seats[which] = drawn[which] if self._fixed_seat is None else self._fixed_seat

    def _let_others_play(self) -> None:
        batch = self.batch
        while (others := (batch.to_move != self.seats) & (batch.to_move != OVER)).any():
            if self._random:
                chosen = np.where(others, batch.random_actions(), SKIP)
            else:
                chosen = np.full(self.num_envs, SKIP, np.int64)
                for match in np.flatnonzero(others).tolist():
                    position = batch.position(match)
                    seed = int(self.np_random.integers(SEEDS))
                    decision = self.opponent.choose(position, seed=seed)
                    chosen[match] = position.number_of(decision.action)
            batch.step(chosen)

    def _info(self) -> Info:
        masks = self.batch.masks()
        everyone = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": masks,
            "_action_mask": everyone,
            "seat": self.seats.copy(),
            "_seat": everyone,
        }

    def close_extras(self, **_settings: Any) -> None:
        """Let go of the opponent."""
        self.opponent.close()


def register() -> None:
    """Register `ludotheque/YamMaster-v0` and the others, once."""
    for name, game in NAMES.items():
        if f"ludotheque/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"ludotheque/{name}-v0",
                entry_point=OpponentEnv,
                vector_entry_point=OpponentVectorEnv,
                kwargs={"game": game},
            )


register()
