"""Many matches at once, for learning and statistics: a batch plays one action in each of them in one compiled call.

Chance draws by itself, fast, from the batch's seed. Texts, logs and dice that anyone can verify are in `core.Match`.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ludotheque.core import LOT, BadOption, Dice, Game, IllegalAction, Json, Options, SetupDice, shortened
from ludotheque.kernels.batch_functions import BatchArrays, Numbers, States, Ways, make_batch_functions
from ludotheque.kernels.discrete import DiscreteGame, DiscretePosition
from ludotheque.kernels.encoding import Encoding, encoding_of
from ludotheque.kernels.random import seeded_many
from ludotheque.kernels.targets import OVER

MASKS: Final = ("int8", "uint8", "bool", "float32")
"""The types that masks can have; the first is the one made by default, here and below."""
OBSERVATIONS: Final = ("int8", "float32")
WEIGHTS: Final = ("int64", "float64")


class UndealtDice(SetupDice):
    """Dice that leave everything as it is: a set-up that shuffles with them is not shuffled."""

    def __init__(self) -> None:
        super().__init__(Dice(""))

    def below(self, total: int) -> int:
        """The last number: in a shuffle, the thing that lies there already."""
        return total - 1


class Batch:
    """Matches of one game side by side. Each waits for an action of the player in `to_move`, or is over.

    The arrays tell how they stand, a row or a number for each match. They change with every step and are not to be written to:

    - `to_move`: the seat that decides, or OVER (-2); with explicit chance also CHANCE (-1);
    - `actions`, `counts`: the numbers of the legal actions, or of chance's outcomes, and how many of a row's are;
    - `returns`: of a match that is over, what each seat got: 1 won, 0 lost, a draw shared;
    - `finished`: which matches the last step ended; with `auto_reset` they have begun anew, and `returns` tells of the old ones;
    - `states`: the kernels' states, with the game's own fields (`batch.states["board"]`).
    """

    def __init__(
        self,
        game: DiscreteGame,
        size: int,
        players: int | None = None,
        options: Json = None,
        *,
        seed: int = 0,
        auto_reset: bool = False,
        chance: Literal["sampled", "explicit"] = "sampled",
    ) -> None:
        """Begin that many matches. The same seed and the same actions give the same matches.

        With `auto_reset`, a match that ends begins anew in the same step. With explicit chance, the caller plays chance's
        outcomes, too; otherwise they are drawn.
        """
        if not isinstance(game, DiscreteGame):
            raise BadOption("batch.game", game=game.title if isinstance(game, Game) else shortened(str(game)))
        if not is_whole(size) or size < 1:
            raise BadOption("batch.size", size=shortened(str(size)))
        if not is_whole(seed):
            raise BadOption("batch.seed", seed=shortened(str(seed)))
        if chance not in ("sampled", "explicit"):
            raise BadOption("batch.chance", chance=shortened(str(chance)))
        self.game: Final = game
        self.players: Final = game.read_players(players)
        self.options: Final[Options] = game.read_options(options, self.players)
        self.seed: Final = int(seed)
        self.auto_reset: Final = bool(auto_reset)
        rules = game.rules
        self.states: States = np.zeros(size, rules.dtype).view(np.recarray)
        self.to_move: Numbers = np.full(size, OVER, np.int64)
        self.actions: Numbers = np.zeros((size, rules.most_actions), np.int32)
        self.counts: Numbers = np.zeros(size, np.int64)
        self.finished: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self._results: Numbers = np.zeros((size, rules.most_players))
        self._random: Numbers = seeded_many(self.seed << 20, size)
        self._undealt: States = np.zeros(1, rules.dtype).view(np.recarray)
        self._movers_seats: Numbers = np.full(size, -1, np.int64)
        self._begun = 0
        encoding = None if game.capabilities.encoding is None else encoding_of(game)
        self._deals: Final = encoding is not None and encoding.deal_rule is not None
        if self._deals:
            undealt = game.first_state(self.players, self.options, UndealtDice())
            self._undealt[0] = np.frombuffer(undealt.tobytes(), rules.dtype)[0]
        by_lot = self.options.get("first") == LOT
        self._ways: Final = Ways(chance == "explicit", self.auto_reset and self._deals, by_lot)
        self._functions: Final = make_batch_functions(rules, encoding)
        self.reset()

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<Batch {self.game.name}, {len(self)} matches, {int(self.over.sum())} over>"

    @cached_property
    def encoding(self) -> Encoding:
        """The game's action numbers and observations; BadOption for a game that has none."""
        return encoding_of(self.game)

    @property
    def _arrays(self) -> BatchArrays:
        return BatchArrays(
            self.states,
            self.to_move,
            self.actions,
            self.counts,
            self._results,
            self.finished,
            self._random,
            self._undealt,
        )

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which matches are over."""
        over: NDArray[np.bool_] = self.to_move == OVER
        return over

    @property
    def returns(self) -> NDArray[np.float64]:
        """What each seat got in the matches that are over, or that the last step ended; 0 in the others."""
        return self._results[:, : self.players]

    def reset(self, which: ArrayLike | None = None) -> None:
        """Start over: all matches, or those named by their numbers or by a mask, such as `batch.over`."""
        chosen = np.arange(len(self)) if which is None else self._named(which)
        self._begin(chosen)
        self._results[chosen] = 0.0
        self.finished[chosen] = False

    def _named(self, which: ArrayLike) -> NDArray[np.int64]:
        """Matches by their numbers or by a mask."""
        named = np.asarray(which)
        if named.size == 0:
            return np.zeros(0, np.int64)
        try:
            if named.dtype.kind not in "bui":
                raise IndexError
            return np.atleast_1d(np.arange(len(self))[named])
        except IndexError:
            raise BadOption("batch.which", last=len(self) - 1, which=shortened(str(which))) from None

    def _begin(self, chosen: NDArray[np.int64]) -> None:
        """Lay out some matches anew."""
        if self._deals:
            self._functions.begin(self._arrays, self._ways, chosen)
            return
        for match in chosen.tolist():
            dice = SetupDice(Dice(f"batch {self.seed} {self._begun}"))
            self._set(match, self.game.start(self.players, self.options, dice))
            self._begun += 1
        self._functions.settle(self._arrays, self._ways, chosen)

    def step(self, chosen: ArrayLike) -> None:
        """Play one action, by its number, in every match that is not over, and let chance draw until somebody decides again.

        Of a match that is over the number does not matter; -1 leaves a match as it is. IllegalAction if one is not legal;
        nothing is played then.
        """
        numbers = np.asarray(chosen)
        if numbers.shape != (len(self),):
            raise IllegalAction("batch.shape", size=len(self), shape=str(numbers.shape))
        if numbers.dtype.kind not in "ui":
            raise IllegalAction("batch.whole-numbers", type=str(numbers.dtype))
        numbers = np.ascontiguousarray(numbers, np.int64)
        wrong = self._functions.step(self._arrays, self._ways, numbers)
        if wrong >= 0:
            legal = str(self.legal(wrong).tolist())
            raise IllegalAction("batch.not-legal", match=int(wrong), action=int(numbers[wrong]), legal=legal)
        if self.auto_reset and not self._deals:
            self._results[~self.finished] = 0.0
            self._begin(np.flatnonzero(self.finished))

    def legal(self, match: int) -> NDArray[np.int32]:
        """The numbers of one match's legal actions; `position(match).legal()` has their texts in the same order."""
        return self.actions[match, : self.counts[match]]

    def random_actions(self) -> NDArray[np.int64]:
        """One legal action for each match, all equally likely; on chance's turn an outcome by its odds; 0 where it is over."""
        chosen = np.empty(len(self), np.int64)
        self._functions.choose(self._arrays, chosen)
        return chosen

    def masks(self, out: Numbers | None = None) -> Numbers:
        """Which actions are legal: 1 or 0 for each match and each of `encoding.num_actions`; all 0 where no player decides.

        They are written into `out`, an array of the caller's, or into a new one.
        """
        filled = self._room(out, self.encoding.num_actions, MASKS)
        self._functions.masks(self._arrays, filled)
        return filled

    def observe(self, out: Numbers | None = None, seats: ArrayLike | None = None) -> Numbers:
        """Every match as numbers, `encoding.observation_size` each, written into an array of the caller's or a new one.

        Each is seen by the seat that decides (seat 0 where none does), or by `seats`: one for all, or one for each match.
        """
        filled = self._room(out, self.encoding.observation_size, OBSERVATIONS)
        self._functions.observe(self._arrays, self._seats(seats), filled)
        return filled

    def weights(self, out: Numbers | None = None) -> Numbers:
        """With explicit chance: the weight of each outcome where chance is to move, in rows of `encoding.num_outcomes`."""
        filled = self._room(out, self.encoding.num_outcomes, WEIGHTS)
        self._functions.weights(self._arrays, filled)
        return filled

    def _room(self, out: object, width: int, types: Sequence[str]) -> Numbers:
        """The caller's array, if it fits, or a new one."""
        shape = (len(self), width)
        if out is None:
            return np.empty(shape, _dtype(types[0]))
        if (
            not isinstance(out, np.ndarray)
            or out.shape != shape
            or out.dtype.name not in types
            or not out.flags.c_contiguous
            or not out.flags.writeable
        ):
            found = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise BadOption("batch.out", shape=str(shape), types=", ".join(types), found=found)
        return out

    def _seats(self, seats: ArrayLike | None) -> Numbers:
        if seats is None:
            return self._movers_seats
        given = np.asarray(seats)
        if given.dtype.kind not in "ui" or given.shape not in ((), (len(self),)):
            raise BadOption("batch.seats", last=self.players - 1, size=len(self), seats=shortened(str(seats)))
        if given.size and not (int(given.min()) >= 0 and int(given.max()) < self.players):
            raise BadOption("batch.seats", last=self.players - 1, size=len(self), seats=shortened(str(seats)))
        return np.ascontiguousarray(np.broadcast_to(given, (len(self),)), np.int64)

    def position(self, match: int) -> DiscretePosition:
        """One match as a position: for its text, its view, a search, or a bot."""
        return DiscretePosition(self.game, self.states[match].tobytes(), self.players, self.options)

    def put(self, match: int, position: DiscretePosition) -> None:
        """Go on from a position in one match."""
        if not self._fits(position):
            raise BadOption("batch.other-game", title=self.game.title, players=self.players)
        self._set(match, position)
        self._results[match] = 0.0
        self.finished[match] = False
        self._functions.settle(self._arrays, self._ways, np.array([match]))

    def _fits(self, position: object) -> bool:
        return (
            isinstance(position, DiscretePosition) and position.game is self.game and position.players == self.players
        )

    def _set(self, match: int, position: DiscretePosition) -> None:
        self.states[match] = np.frombuffer(position.state_bytes, self.states.dtype)[0]

    def clone(self) -> "Batch":
        """The same matches again, to go another way; what chance will draw is the same too."""
        other: Batch = object.__new__(Batch)
        for name, value in vars(self).items():
            object.__setattr__(other, name, value.copy() if isinstance(value, np.ndarray) else value)
        return other


def is_whole(number: Any) -> bool:
    """Whether something given as a number is a whole one; true and false are none."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _dtype(name: str) -> DTypeLike:
    return np.dtype(name)
