"""OpenSpiel games with explicit chance: `import ludotheque.envs.openspiel`, then `pyspiel.load_game("ludotheque_yam_master")`.

What a set-up draws (who starts, Twisty's board) is chance's turn, too: one node for each draw, so that the odds are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludotheque.core import CHANCE, Dice, Options, SetupDice, find_game
from ludotheque.envs.libraries import library
from ludotheque.envs.seated import rewards_of
from ludotheque.kernels import DiscreteGame, DiscretePosition
from ludotheque.kernels.encoding import Encoding, encoding_of

pyspiel: Any = library("pyspiel", "open_spiel")

NAMES: Final = {
    "ludotheque_yam_master": "yam-master",
    "ludotheque_wykersham": "wykersham",
    "ludotheque_twisty": "twisty",
}
LONGEST: Final = 100_000
"""An upper limit of the actions of a match, for OpenSpiel, which asks for one."""


class DrawNeeded(Exception):
    """The set-up draws a number below `total` that the script does not have."""

    def __init__(self, total: int) -> None:
        super().__init__(total)
        self.total = total


class ScriptedDice(SetupDice):
    """Dice that give the numbers of a script, and then ask for more."""

    def __init__(self, script: Sequence[int]) -> None:
        super().__init__(Dice(""))
        self._script = iter(script)

    def below(self, total: int) -> int:
        """The next number of the script."""
        number = next(self._script, None)
        if number is None:
            raise DrawNeeded(total)
        return number


@dataclass(frozen=True)
class Played:
    """What is played: the same for all states of a game, so that a copy of a state shares it."""

    game: DiscreteGame
    players: int
    options: Options

    @classmethod
    def named(cls, name: str, players: int) -> "Played":
        """A game of ours with its default options."""
        game = find_game(name)
        assert isinstance(game, DiscreteGame)
        return cls(game, players, game.read_options(None, players))

    def __deepcopy__(self, _memo: object) -> "Played":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Played.named, (self.game.name, self.players)

    @cached_property
    def encoding(self) -> Encoding:
        """The game's numbers."""
        return encoding_of(self.game)

    def start(self, script: Sequence[int]) -> DiscretePosition:
        """The first position by the draws of a script; DrawNeeded if they do not suffice."""
        return self.game.start(self.players, self.options, ScriptedDice(script))

    def setup_totals(self) -> list[int]:
        """How many outcomes each draw of a set-up has."""
        totals: list[int] = []
        while True:
            try:
                self.start([0] * len(totals))
            except DrawNeeded as needed:
                totals.append(needed.total)
            else:
                return totals


class LudothequeGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel may be missing where types are checked
    """A discrete game of ours, with its default options."""

    def __init__(self, short_name: str, params: dict[str, Any] | None = None) -> None:
        game = find_game(NAMES[short_name])
        given = params or {}
        players = game.read_players(int(given.get("players", game.seats[0])))
        self.played: Final = Played.named(game.name, players)
        self.encoding: Final[Encoding] = self.played.encoding
        outcomes = max(self.encoding.num_outcomes, *self.played.setup_totals(), 0)
        super().__init__(
            game_type(short_name),
            pyspiel.GameInfo(
                num_distinct_actions=self.encoding.num_actions,
                max_chance_outcomes=outcomes,
                num_players=players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=LONGEST,
            ),
            given,
        )

    def new_initial_state(self, _text: str | None = None) -> "LudothequeState":
        """The root: the first draw of the set-up, or the first position."""
        return LudothequeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """As many as actions, at most."""
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "LudothequeObserver":
        """What players see; everybody sees everything, each from their own seat."""
        del iig_obs_type, params
        return LudothequeObserver(self.encoding)


class LudothequeState(pyspiel.State):  # type: ignore[misc] # OpenSpiel may be missing where types are checked
    """One point of a match. `position` is None until the set-up is drawn."""

    def __init__(self, game: LudothequeGame) -> None:
        super().__init__(game)
        self._played = game.played
        self._script: tuple[int, ...] = ()
        self._total = 0
        self.position: DiscretePosition | None = None
        self._set_up()

    def _set_up(self) -> None:
        try:
            self.position = self._played.start(self._script)
        except DrawNeeded as needed:
            self._total = needed.total

    def current_player(self) -> int:
        """Whose turn it is, as OpenSpiel numbers it."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        mover = self.position.to_move
        if mover is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else int(mover)

    def _legal_actions(self, _player: int) -> list[int]:
        assert self.position is not None
        return sorted(self.position.action_numbers())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a draw of the set-up, or of the dice, with their probabilities."""
        if self.position is None:
            return [(number, 1.0 / self._total) for number in range(self._total)]
        return sorted(zip(self.position.action_numbers(), self.position.legal().odds, strict=True))

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self._script = (*self._script, int(action))
            self._set_up()
            return
        text = self._played.game.write(self.position.fields, int(action))
        after = self.position.play(text).position
        assert isinstance(after, DiscretePosition)
        self.position = after

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None:
            return f"draw {action}"
        if player == self.current_player():
            return self._played.game.write(self.position.fields, int(action))
        return str(action)

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.position is not None and self.position.over

    def returns(self) -> list[float]:
        """The rewards: 1 for the winner, in sum 0."""
        if self.position is None or not self.position.over:
            return [0.0] * self._played.players
        return list(rewards_of(self.position.returns()))

    def __str__(self) -> str:
        if self.position is None:
            return f"set-up {' '.join(map(str, self._script))}"
        return self.position.picture()


class LudothequeObserver:
    """Observations for OpenSpiel's players: the encoding's numbers as one tensor, and the board as text."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self.tensor: NDArray[np.float32] = np.zeros(encoding.observation_size, np.float32)

    @cached_property
    def dict(self) -> dict[str, NDArray[np.float32]]:
        """The parts of the tensor by name."""
        return self._encoding.named(self.tensor)

    def set_from(self, state: LudothequeState, player: int) -> None:
        """Fill in what a player sees; zeros before the set-up."""
        self.tensor[:] = 0 if state.position is None else self._encoding.observe(state.position, player)

    def string_from(self, state: LudothequeState, player: int) -> str:
        """The board as text, with whose view it is."""
        return f"seat {player}\n{state}"


def game_type(short_name: str) -> Any:
    """What OpenSpiel knows of a game before it is made."""
    game = find_game(NAMES[short_name])
    return pyspiel.GameType(
        short_name=short_name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0]} if len(game.seats) > 1 else {},
    )


def _maker(short_name: str) -> Any:
    """What OpenSpiel calls to make a game: a class of its own for each name."""

    class Named(LudothequeGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(short_name, params)

    return Named


for _name in NAMES:
    if _name not in pyspiel.registered_names():
        pyspiel.register_game(game_type(_name), _maker(_name))
