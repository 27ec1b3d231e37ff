"""Many matches at once on an NVIDIA card: the same interface as `Batch`, and the same matches for the same seed and actions.

The kernels come from the games' own rules (`kernels.ptx`). Arrays stay on the card and are shared without copying.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ludotheque.core import LOT, BadOption, Game, IllegalAction, Json, Options, shortened
from ludotheque.envs.gpu.arrays import CallersArray, DeviceArray, read_array
from ludotheque.envs.gpu.driver import driver
from ludotheque.kernels.batch import MASKS, OBSERVATIONS, UndealtDice, is_whole
from ludotheque.kernels.discrete import DiscreteGame, DiscretePosition
from ludotheque.kernels.encoding import Encoding, encoding_of
from ludotheque.kernels.gpu_functions import NOBODY, mask_words
from ludotheque.kernels.ptx import ptx_of
from ludotheque.kernels.random import seeded_many
from ludotheque.kernels.targets import OVER

MOST_MATCHES: Final = 1 << 24
KERNEL_TYPES: Final = {"int8": "int8", "uint8": "int8", "bool": "int8", "float32": "float32"}


Out = TypeVar("Out")


class GpuBatch:
    """Matches of one game side by side on a card; see `Batch`. Chance always draws by itself here.

    `to_move`, `finished` and `returns` are arrays on the card, as are masks and observations. A new array of masks or of
    observations has the first number of all matches together, then the second: threads side by side write side by side.
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
        card: int = 0,
    ) -> None:
        """Begin that many matches on a card. The first batch of a game compiles its kernels, which takes a minute."""
        if not isinstance(game, DiscreteGame):
            raise BadOption("batch.game", game=game.title if isinstance(game, Game) else shortened(str(game)))
        if not is_whole(size) or not 1 <= size <= MOST_MATCHES:
            raise BadOption("gpu.size", most=MOST_MATCHES, size=shortened(str(size)))
        if not is_whole(seed):
            raise BadOption("batch.seed", seed=shortened(str(seed)))
        encoding = encoding_of(game)
        if encoding.deal_rule is None:
            raise BadOption("gpu.no-deal", title=game.title)
        self.game: Final = game
        self.players: Final = game.read_players(players)
        self.options: Final[Options] = game.read_options(options, self.players)
        self.seed: Final = int(seed)
        self.auto_reset: Final = bool(auto_reset)
        self._size = int(size)
        self._driver = driver(card)
        self._kernels = self._driver.load(ptx_of(game))
        rules = game.rules
        self._states = self._new((size,), rules.dtype)
        self.to_move = self._new((size,), np.int64)
        self._counts = self._new((size,), np.int64)
        self._results = self._new((size, rules.most_players), np.float64)
        self.finished = self._new((size,), np.bool_)
        self._random = self._new((size, 4), np.int64)
        self._undealt = self._new((1,), rules.dtype)
        self._bits = self._new((mask_words(encoding), size), np.uint32)
        self._wrong = self._new((1,), np.int64)
        self._movers_seats = self._new((size,), np.int64)
        self._random.write(seeded_many(self.seed << 20, size))
        undealt = game.first_state(self.players, self.options, UndealtDice())
        self._undealt.write(np.frombuffer(undealt.tobytes(), rules.dtype))
        self._wrong.write(np.array([NOBODY]))
        self._movers_seats.write(np.full(size, -1, np.int64))
        self.reset()

    def _new(self, shape: Sequence[int], dtype: object, *, across: bool = False) -> DeviceArray:
        return DeviceArray(self._driver, shape, np.dtype(dtype), across=across)  # type: ignore[call-overload] # any numpy type

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"<GpuBatch {self.game.name}, {len(self)} matches on card {self._driver.card}>"

    @cached_property
    def encoding(self) -> Encoding:
        """The game's action numbers and observations."""
        return encoding_of(self.game)

    @property
    def returns(self) -> DeviceArray:
        """What each seat got in the matches that are over, or that the last step ended; 0 in the others and for seats not used."""
        return self._results

    @cached_property
    def _batch(self) -> tuple[int, ...]:
        """What every kernel that plays takes first."""
        arrays = (self._states, self.to_move, self._counts, self._results, self.finished, self._random, self._undealt)
        return tuple(array.address for array in (*arrays, self._bits))

    @property
    def _by_lot(self) -> int:
        return int(self.options.get("first") == LOT)

    def reset(self, which: object = None) -> None:
        """Start over: all matches, or those where a mask on the card (one number for each match) is not 0."""
        if which is None:
            chosen = self._new((self._size,), np.int64)
            chosen.write(np.ones(self._size, np.int64))
            address = chosen.address
        else:
            address = self._row(which, "which").address
        self._kernels.launch("begin", self._size, (*self._batch, address, self._by_lot))
        self._driver.synchronize()

    def step(self, chosen: object, *, check: bool = True) -> None:
        """Play one action in every match that is not over; `chosen` is an int64 array on the card, such as a tensor of PyTorch.

        IllegalAction if one is not legal; nothing is played then. Without `check` nobody looks: the caller vouches for them.
        """
        numbers = self._row(chosen, "chosen")
        if check:
            self._kernels.launch(
                "check", self._size, (self.to_move.address, self._bits.address, numbers.address, self._wrong.address)
            )
        ways = (numbers.address, self._wrong.address, int(self.auto_reset), self._by_lot)
        self._kernels.launch("step", self._size, (*self._batch, *ways))
        if check and (wrong := int(self._wrong.numpy()[0])) != NOBODY:
            self._wrong.write(np.array([NOBODY]))
            action = int(np.frombuffer(self._driver.read(numbers.address + 8 * wrong, 8), np.int64)[0])
            legal = str(self.position(wrong).action_numbers())
            raise IllegalAction("batch.not-legal", match=wrong, action=action, legal=legal)

    def play_randomly(self, steps: int = 1) -> None:
        """Play so many random legal actions in each match, without leaving the card; as `random_actions` and `step` would."""
        if not is_whole(steps) or steps < 1:
            raise BadOption("gpu.steps", steps=shortened(str(steps)))
        self._kernels.launch("play", self._size, (*self._batch, int(steps), int(self.auto_reset), self._by_lot))

    @overload
    def random_actions(self, out: None = None) -> DeviceArray: ...
    @overload
    def random_actions(self, out: Out) -> Out: ...

    def random_actions(self, out: object = None) -> object:
        """One legal action for each match, all equally likely; 0 where it is over. Into `out`, or into a new array."""
        filled = self._new((self._size,), np.int64) if out is None else out
        row = self._row(filled, "out")
        arrays = (self._states.address, self.to_move.address, self._random.address, row.address)
        self._kernels.launch("choose", self._size, arrays)
        return filled

    @overload
    def masks(self, out: None = None) -> DeviceArray: ...
    @overload
    def masks(self, out: Out) -> Out: ...

    def masks(self, out: object = None) -> object:
        """Which actions are legal: 1 or 0 for each match and action. Into `out`, an array on the card, or into a new one."""
        filled, room = self._room(out, self.encoding.num_actions, MASKS)
        self._kernels.launch(
            f"masks_{KERNEL_TYPES[room.dtype.name]}", self._size, (self._bits.address, room.address, *room.strides)
        )
        return filled

    @overload
    def observe(self, out: None = None, seats: object = None) -> DeviceArray: ...
    @overload
    def observe(self, out: Out, seats: object = None) -> Out: ...

    def observe(self, out: object = None, seats: object = None) -> object:
        """Every match as numbers, seen by the seat that decides or by `seats` (int64, on the card). Into `out` or a new array."""
        filled, room = self._room(out, self.encoding.observation_size, OBSERVATIONS)
        seen_by = self._movers_seats.address if seats is None else self._row(seats, "seats").address
        arrays = (self._states.address, self.to_move.address, seen_by, room.address, *room.strides)
        self._kernels.launch(f"observe_{room.dtype.name}", self._size, arrays)
        return filled

    def _row(self, given: object, what: str) -> CallersArray:
        """An int64 array of the caller's, one number for each match."""
        array = read_array(given, what)
        if array.shape != (self._size,) or array.dtype != np.int64 or array.strides != (8,):
            raise BadOption("gpu.row", what=what, size=self._size, found=f"{array.dtype} {array.shape}")
        return array

    def _room(self, out: object, width: int, types: Sequence[str]) -> tuple[object, CallersArray]:
        """The caller's array, if it fits, or a new one."""
        filled = self._new((self._size, width), types[0], across=True) if out is None else out
        room = read_array(filled, "out")
        if room.shape != (self._size, width) or room.dtype.name not in types:
            found = f"{room.dtype} {room.shape}"
            raise BadOption("batch.out", shape=str((self._size, width)), types=", ".join(types), found=found)
        return filled, room

    def synchronize(self) -> None:
        """Wait for everything that was launched."""
        self._driver.synchronize()

    @property
    def states(self) -> NDArray[np.void]:
        """A copy of the kernels' states, with the game's own fields."""
        return self._states.numpy()

    def position(self, match: int) -> DiscretePosition:
        """One match as a position: for its text, its view, a search, or a bot."""
        size = self._states.dtype.itemsize
        if not 0 <= match < self._size:
            raise BadOption("batch.which", last=self._size - 1, which=shortened(str(match)))
        state = self._driver.read(self._states.address + match * size, size)
        return DiscretePosition(self.game, state, self.players, self.options)

    @property
    def over(self) -> NDArray[np.bool_]:
        """A copy of which matches are over."""
        over: NDArray[np.bool_] = self.to_move.numpy() == OVER
        return over
