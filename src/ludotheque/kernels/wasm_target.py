"""WebAssembly as a target: a game's rules and kernel entries in a module that somebody else has loaded. Nothing here needs numpy.

tools/wasm builds the modules; web/src/host/kernels.ts loads them in a browser, `wasmtime_bridge` in Python. A call goes there as one
block of bytes and comes back as one.
"""

import json
import struct
import weakref
from array import array
from collections.abc import Sequence
from itertools import repeat
from typing import Any, Final, Protocol

from ludotheque.kernels.discrete import DiscreteGame
from ludotheque.kernels.signatures import ITEM_SIZES, Answer, Argument, Room, Signature, Unavailable

DONE: Final = (0, -2)  # numba's status of a call that went well; -2: it answers None
STATUS: Final = struct.Struct("<q")
ALIGNMENT: Final = 16  # of every array in a block
WORD: Final = 8


class Bridge(Protocol):
    """A loaded module. `OpenKernels` in web/src/host/kernels.ts is one, seen from Python."""

    about: str
    """What the module has, as JSON."""

    def call(self, name: str, block: bytes, returned: int) -> bytes:
        """Call a function of the module with a block of memory; the first `returned` bytes of the block afterwards."""

    def room(self, nbytes: int) -> int:
        """The address of so many bytes, all zero."""

    def write(self, address: int, content: bytes) -> None:
        """Write bytes into a room."""

    def release(self, address: int) -> None:
        """Give a room back."""


class PyodideBridge:
    """A module that JavaScript has loaded beside Pyodide: bytes are copied from one memory to the other."""

    def __init__(self, opened: Any) -> None:
        """`opened` is an `OpenKernels` of web/src/host/kernels.ts."""
        from pyodide.ffi import to_js  # noqa: PLC0415 - there is no such package elsewhere

        self._opened = opened
        self._to_js = to_js
        self.about = str(opened.about)

    def call(self, name: str, block: bytes, returned: int) -> bytes:
        """Call a function."""
        answer: bytes = self._opened.call(name, self._to_js(block), returned).to_bytes()
        return answer

    def room(self, nbytes: int) -> int:
        """Memory of zeros."""
        return int(self._opened.room(nbytes))

    def write(self, address: int, content: bytes) -> None:
        """Write into it."""
        self._opened.write(address, self._to_js(content))

    def release(self, address: int) -> None:
        """Give it back."""
        self._opened.release(address)


class KernelError(RuntimeError):
    """A call that the kernels ended with an error."""


class WasmRoom:
    """Memory in the module, given back when nobody has this object any more."""

    def __init__(self, bridge: Bridge, nbytes: int) -> None:
        self.nbytes = nbytes
        self.address = bridge.room(nbytes)
        weakref.finalize(self, bridge.release, self.address).atexit = False


class Form:
    """How a call of one function is written into a block.

    A block has the status, the results (at least one word), then the arguments: a number is one word; an array is its place in the
    block, or its address if it is in a room (32 bits each), and the number of its items. The arrays follow, those that may change
    first, so that what comes back is one piece.
    """

    def __init__(self, signature: Signature) -> None:
        self.signature: Final = signature
        words = max(1, len(signature.results))
        self.results: Final = struct.Struct(
            "<8x" + "".join("q" if kind == "int" else "d" for kind in signature.results)
        )
        slots = "".join({"int": "q", "float": "d"}.get(kind, "IIq") for kind in signature.parameters)
        self.head: Final = struct.Struct(f"<8x{WORD * words}x{slots}")
        self.first_array: Final = -(-self.head.size // ALIGNMENT) * ALIGNMENT
        self.returned: Final = WORD + WORD * words


class WasmKernels:
    """A game's kernel entries in a module."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self.about: Final[dict[str, Any]] = json.loads(bridge.about)
        self._forms = {
            name: Form(Signature(name, tuple(parameters), tuple(results)))
            for name, (parameters, results) in self.about["functions"].items()
        }

    def has(self, name: str) -> bool:
        """Whether the module has such a function."""
        return name in self._forms

    def call(self, name: str, *arguments: Argument) -> Answer:
        """Call a function of the module: arrays are copied there and, unless they are `bytes`, back."""
        form = self._forms.get(name)
        if form is None:
            raise Unavailable(name, list(self._forms))
        signature = form.signature
        signature.check(arguments)
        contents: list[tuple[int, memoryview]] = []  # arrays by place in the block
        changed: list[tuple[int, memoryview]] = []
        end = form.first_array
        passed: list[tuple[int | float, ...]] = list(repeat((), len(arguments)))
        arrays: list[tuple[int, int, memoryview]] = []
        for which, (kind, argument) in enumerate(zip(signature.parameters, arguments, strict=True)):
            size = ITEM_SIZES.get(kind)
            if size is None:
                assert isinstance(argument, int | float)
                passed[which] = (argument,)
            elif isinstance(argument, WasmRoom):
                passed[which] = (0, argument.address, argument.nbytes // size)
            else:
                buffer: Any = argument
                arrays.append((which, size, memoryview(buffer).cast("B")))
        returned = form.returned
        for which, size, content in sorted(arrays, key=lambda one: one[2].readonly):
            passed[which] = (end, 0, content.nbytes // size)
            contents.append((end, content))
            if not content.readonly:
                changed.append((end, content))
                returned = end + content.nbytes
            end += -(-content.nbytes // ALIGNMENT) * ALIGNMENT
        block = bytearray(end)
        form.head.pack_into(block, 0, *(number for slot in passed for number in slot))
        for place, content in contents:
            block[place : place + content.nbytes] = content
        answer = self._bridge.call(name, bytes(block), returned)
        if (status := STATUS.unpack_from(answer)[0]) not in DONE:
            raise KernelError(f"{name} of {self.about['game']} failed with status {status}")
        for place, content in changed:
            content[:] = answer[place : place + content.nbytes]
        return signature.answer(form.results.unpack_from(answer))

    def keep(self, content: "bytes | bytearray | memoryview | array[Any]") -> Room:
        """A room with this content."""
        packed = bytes(content)
        room = WasmRoom(self._bridge, len(packed))
        self._bridge.write(room.address, packed)
        return room

    def room(self, nbytes: int) -> Room:
        """A room of zeros."""
        return WasmRoom(self._bridge, nbytes)


class WasmTarget:
    """A `RulesTarget` in a module."""

    def __init__(self, kernels: WasmKernels) -> None:
        self._kernels = kernels
        self._actions = bytes(4 * kernels.about["most_actions"])
        self._prepares = kernels.has("rules.prepare")

    def _ask(self, name: str, state: bytes, *arguments: Argument) -> Any:
        return self._kernels.call(f"rules.{name}", state, *arguments)

    def to_move(self, state: bytes) -> int:
        """Whose turn it is."""
        return int(self._ask("to_move", state))

    def legal(self, state: bytes) -> list[int]:
        """Every legal action, or chance's outcomes."""
        actions = array("i", self._actions)  # each call has its own: several threads may ask
        count = self._ask("legal", state, actions)
        return actions[:count].tolist()

    def weights(self, state: bytes, outcomes: Sequence[int]) -> list[int]:
        """The weights of outcomes."""
        found = array("q", bytes(8 * len(outcomes)))
        self._ask("weights", state, array("i", outcomes), len(outcomes), found)
        return found.tolist()

    def advance(self, state: bytes, action: int) -> tuple[bytes, int, list[int]]:
        """One legal action."""
        after, actions = bytearray(len(state)), array("i", self._actions)
        mover, count = self._ask("advance", state, action, after, actions)
        return bytes(after), mover, actions[:count].tolist()

    def returns(self, state: bytes) -> list[float]:
        """What each seat gets."""
        result = array("d", bytes(8 * self._kernels.about["most_players"]))
        self._ask("returns", state, result)
        return result.tolist()

    def prepare(self, state: bytes) -> bytes:
        """The state with its derived fields."""
        if not self._prepares:
            return state
        after = bytearray(len(state))
        self._ask("prepare", state, after)
        return bytes(after)

    def call(self, name: str, state: bytes, *arguments: int) -> int:
        """The answer of an exported function."""
        return int(self._ask(f"call.{name}", state, *arguments))


def check_module(game: DiscreteGame, kernels: WasmKernels) -> None:
    """ValueError if a module was built for other rules than a game's."""
    built = (kernels.about["game"], kernels.about["rules_version"], kernels.about["state_size"])
    if built != (game.name, game.rules_version, game.layout.size):
        raise ValueError(
            f"the module is of {built[0]}, rules {built[1]}, not of {game.name}, rules {game.rules_version}"
        )


def use_wasm(game: DiscreteGame, bridge: Bridge) -> None:
    """From now on run a game's rules and kernels in a module; ValueError if it was built for other rules."""
    kernels = WasmKernels(bridge)
    check_module(game, kernels)
    game.use_target(WasmTarget(kernels))
    game.use_kernels(kernels)


def use_opened(game: DiscreteGame, opened: Any) -> None:
    """`use_wasm` for JavaScript: `opened` is an `OpenKernels`."""
    use_wasm(game, PyodideBridge(opened))
