"""Many matches at once, for learning and statistics: a batch plays one action in each of them in one compiled call.

Chance draws by itself, fast, from the batch's seed. Texts, logs and dice that anyone can verify are in `core.Match`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludotheque.core import BadOption, Dice, IllegalAction, Json, Options, SetupDice
from ludotheque.kernels.discrete import DiscreteGame, DiscretePosition
from ludotheque.kernels.jit import rule_in, whole
from ludotheque.kernels.random import below, seeded
from ludotheque.kernels.rules import Rules
from ludotheque.kernels.targets import CHANCE, OVER

States: TypeAlias = NDArray[np.void]
Numbers: TypeAlias = NDArray[Any]


class BatchArrays(NamedTuple):
    """How all matches of a batch stand: one row, or one number, for each."""

    states: States
    movers: Numbers
    """Who decides, or OVER."""
    actions: Numbers
    counts: Numbers
    """How many of a row of `actions` are legal."""
    results: Numbers
    random: Numbers
    """A generator for each."""


class BatchFunctions(NamedTuple):
    """What a batch does in one compiled call."""

    settle: Callable[[BatchArrays, Numbers], None]
    """(arrays, which): in some matches, let chance draw until somebody decides or it is over."""
    step: Callable[[BatchArrays, Numbers], int]
    """(arrays, chosen): play one action in each match and settle it; returns a match whose action is illegal, or -1."""
    choose: Callable[[BatchArrays, Numbers], None]
    """(arrays, chosen): fill in a random legal action for each match."""


class Batch:
    """Matches of one game side by side. Each waits for an action of the player in `to_move`, or is over.

    The arrays tell how they stand, a row or a number for each match. They change with every step and are not to be written to:

    - `to_move`: the seat that decides, or OVER (-2);
    - `actions`, `counts`: the numbers of the legal actions, and how many of a row's are;
    - `returns`: of a match that is over, what each seat got: 1 won, 0 lost, a draw shared;
    - `states`: the kernels' states, with the game's own fields (`batch.states["board"]`).
    """

    def __init__(
        self, game: DiscreteGame, size: int, players: int | None = None, options: Json = None, *, seed: int = 0
    ) -> None:
        """Begin that many matches. The same seed and the same actions give the same matches."""
        if size < 1:
            raise BadOption("batch.size", size=size)
        self.game = game
        self.players = game.read_players(players)
        self.options: Options = game.read_options(options, self.players)
        self.seed = seed
        rules = game.rules
        self.states: States = np.zeros(size, rules.dtype).view(np.recarray)
        self.to_move: Numbers = np.full(size, OVER, np.int64)
        self.actions: Numbers = np.zeros((size, rules.most_actions), np.int32)
        self.counts: Numbers = np.zeros(size, np.int64)
        self._results: Numbers = np.zeros((size, rules.most_players))
        self._random: Numbers = np.stack([seeded((seed << 20) + which) for which in range(size)])
        self._begun = 0
        self._functions = _functions(rules)
        self.reset()

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<Batch {self.game.name}, {len(self)} matches, {int(self.over.sum())} over>"

    @property
    def _arrays(self) -> BatchArrays:
        return BatchArrays(self.states, self.to_move, self.actions, self.counts, self._results, self._random)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which matches are over."""
        over: NDArray[np.bool_] = self.to_move == OVER
        return over

    @property
    def returns(self) -> NDArray[np.float64]:
        """What each seat got in the matches that are over; 0 in the others."""
        return self._results[:, : self.players]

    def reset(self, which: ArrayLike | None = None) -> None:
        """Start over: all matches, or those named by their numbers or by a mask, such as `batch.over`."""
        chosen = np.arange(len(self))[slice(None) if which is None else np.asarray(which)]
        for match in chosen.tolist():
            dice = SetupDice(Dice(f"batch {self.seed} {self._begun}"))
            self._set(match, self.game.start(self.players, self.options, dice))
            self._begun += 1
        self._results[chosen] = 0.0
        self._functions.settle(self._arrays, chosen)

    def step(self, chosen: ArrayLike) -> None:
        """Play one action, by its number, in every match that is not over, and let chance draw until somebody decides again.

        Of a match that is over the number does not matter. IllegalAction if one is not legal; nothing is played then.
        """
        numbers = np.ascontiguousarray(chosen, np.int64)
        if numbers.shape != (len(self),):
            raise IllegalAction("batch.shape", size=len(self), shape=str(numbers.shape))
        wrong = self._functions.step(self._arrays, numbers)
        if wrong >= 0:
            legal = str(self.legal(wrong).tolist())
            raise IllegalAction("batch.not-legal", match=int(wrong), action=int(numbers[wrong]), legal=legal)

    def legal(self, match: int) -> NDArray[np.int32]:
        """The numbers of one match's legal actions; `position(match).legal()` has their texts in the same order."""
        return self.actions[match, : self.counts[match]]

    def random_actions(self) -> NDArray[np.int64]:
        """One legal action for each match, all equally likely; 0 where it is over."""
        chosen = np.zeros(len(self), np.int64)
        self._functions.choose(self._arrays, chosen)
        return chosen

    def position(self, match: int) -> DiscretePosition:
        """One match as a position: for its text, its view, a search, or a bot."""
        return DiscretePosition(self.game, self.states[match].tobytes(), self.players, self.options)

    def put(self, match: int, position: DiscretePosition) -> None:
        """Go on from a position in one match."""
        if position.game is not self.game or position.players != self.players:
            raise BadOption("batch.other-game", title=self.game.title, players=self.players)
        self._set(match, position)
        self._results[match] = 0.0
        self._functions.settle(self._arrays, np.array([match]))

    def _set(self, match: int, position: DiscretePosition) -> None:
        self.states[match] = np.frombuffer(position.state_bytes, self.states.dtype)[0]

    def clone(self) -> "Batch":
        """The same matches again, to go another way; what chance will draw is the same too."""
        other: Batch = object.__new__(Batch)
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, np.ndarray) else value)
        return other


@cache
def _functions(rules: Rules) -> BatchFunctions:
    """They are made once for each game."""
    to_move, legal, play = rules.module.to_move, rules.module.legal, rules.module.play
    draw, returns = rules.module.draw, rules.module.returns

    @rule_in(rules.folder)
    def settle_one(batch: BatchArrays, match: int) -> None:
        """Let chance draw until somebody decides or it is over, and note how it stands."""
        state = batch.states[match]
        mover = to_move(state)
        while mover == CHANCE:
            play(state, draw(state, batch.random[match]))
            mover = to_move(state)
        batch.movers[match] = mover
        batch.counts[match] = 0
        if mover == OVER:
            returns(state, batch.results[match])
        else:
            batch.counts[match] = legal(state, batch.actions[match])

    @rule_in(rules.folder)
    def settle(batch: BatchArrays, which: Numbers) -> None:
        for match in which:
            settle_one(batch, match)

    @rule_in(rules.folder)
    def step(batch: BatchArrays, chosen: Numbers) -> int:
        movers, actions, counts = batch.movers, batch.actions, batch.counts
        for match in range(len(chosen)):
            if movers[match] != OVER and chosen[match] not in actions[match, : counts[match]]:
                return match
        for match in range(len(chosen)):
            if movers[match] != OVER:
                play(batch.states[match], whole(chosen[match]))
                settle_one(batch, match)
        return -1

    @rule_in(rules.folder)
    def choose(batch: BatchArrays, chosen: Numbers) -> None:
        for match in range(len(chosen)):
            if batch.counts[match] > 0:
                chosen[match] = batch.actions[match, below(batch.random[match], batch.counts[match])]

    return BatchFunctions(settle, step, choose)
