"""What a game runs on until its native code is compiled: its WebAssembly module at once, native code as soon as it is there.

A wheel has the modules (tools/release/build_hook.py); where there is none, or no wasmtime, rules are interpreted in the meantime
(`rules`). The compiler runs in a process of its own, `compile_ahead`, so that nobody's move waits for it.
"""

import logging
import os
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from ludotheque.file_lock import Locked, file_lock
from ludotheque.kernels.cache_keys import content_hash, is_compiled
from ludotheque.kernels.signatures import Argument, Kernels, Room
from ludotheque.kernels.targets import RulesTarget
from ludotheque.kernels.wasm_file import facts
from ludotheque.kernels.wasm_target import WasmKernels, WasmTarget, check_module
from ludotheque.paths import compiler_lock

if TYPE_CHECKING:
    from ludotheque.kernels.discrete import DiscreteGame

MODULE: Final = "kernels.wasm"
"""The name of a game's module in its folder."""
BEFORE_COMPILING: Final = 2.0
"""Seconds: a short command starts no compiler, and the first move need not share the machine with it."""
BETWEEN_LOOKS: Final = 1.0
"""Seconds, while another process compiles."""

_log = logging.getLogger(__name__)


def has_module(game: "DiscreteGame") -> bool:
    """Whether a game has a module and something that can run it."""
    return (game.folder / MODULE).is_file() and find_spec("wasmtime") is not None


def cold_start_of(game: "DiscreteGame") -> "ColdStart | None":
    """How a game starts whose native code is not compiled yet; None if it is, or if there is no other way than to wait for it."""
    folder = game.folder
    file = folder / MODULE
    # Whoever sets these wants to see what numba does.
    if any(os.environ.get(name, "0") != "0" for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")):
        return None
    if not file.is_file() or is_compiled(folder):
        return None
    try:
        from ludotheque.kernels.wasmtime_bridge import LoadedModule, WasmtimeError  # noqa: PLC0415 - only here
    except (ImportError, OSError, RuntimeError) as error:  # not installed, or not made for this machine
        _log.info("%s starts without its module: %s", game.name, error)
        return None
    try:
        content = file.read_bytes()
        if facts(content).get("sources") != content_hash(folder):
            raise ValueError(f"the module of {game.name} was built from other sources")
        loaded = LoadedModule(content)
        rules, entries = (WasmKernels(loaded.open()) for _ in range(2))
        check_module(game, rules)
    except (OSError, ValueError, WasmtimeError) as error:
        _log.warning("the module of %s cannot be used: %s", game.name, error)
        return None
    return ColdStart(game, WasmTarget(rules), entries)


class ColdStart:
    """A game's rules and kernel entries in WebAssembly, then native. Each has an instance: no rule waits for a bot."""

    def __init__(self, game: "DiscreteGame", target: RulesTarget, kernels: Kernels) -> None:
        self.target = target
        self.kernels: Final = MovingKernels(kernels)
        self.is_native = False
        self._game = game
        threading.Thread(target=self._become_native, name=f"compile {game.name}", daemon=True).start()

    def _become_native(self) -> None:
        """Wait for the compiler, then load what it made; where nothing can be stored, compile here."""
        try:
            time.sleep(BEFORE_COMPILING)
            compile_elsewhere(self._game.name, lambda: is_compiled(self._game.folder), time.sleep)
            from ludotheque.kernels.entries import LocalKernels  # noqa: PLC0415 - numpy and numba are for those who need them

            rules = self._game.rules
            target = rules.compiled.target
            kernels = LocalKernels(rules)
            kernels.compile()
        except Exception:  # a compiler can fail in any way; the game goes on as it began
            _log.warning("the rules of %s could not be compiled and stay slower", self._game.name, exc_info=True)
            return
        self.target = target
        self.kernels.move(kernels)
        self.is_native = True


def compile_elsewhere(name: str, is_done: Callable[[], bool], wait: Callable[[float], object]) -> None:
    """Have a game compiled into the cache by another process, one game at a time; returns at once where that cannot be."""
    lock = compiler_lock()
    while not is_done():
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            with file_lock(lock):
                if not is_done():
                    _compile(name)
                return
        except Locked:
            wait(BETWEEN_LOOKS)
        except OSError as error:  # no writable cache, or no processes
            _log.info("%s is compiled in this process: %s", name, error)
            return


def _compile(name: str) -> None:
    """Run the compiler; it ends with this process, however that ends, because then its input does."""
    if not sys.executable:
        return
    settings: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        settings = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    # Nothing but the package is looked for (-P), and Ctrl-C ends the game, not the compiler.
    command = [sys.executable, "-P", "-m", "ludotheque.kernels.compile_ahead", name]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, **settings) as compiler:  # noqa: S603
        compiler.wait()


class MovingRoom:
    """A room that moves when its kernels do."""

    def __init__(self, home: Kernels, room: Room) -> None:
        self.home = home
        self.room = room

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return self.room.nbytes

    def at(self, kernels: Kernels) -> Room:
        """The room on those kernels: its content is flat and the same everywhere."""
        if self.home is not kernels:
            content = bytearray(self.nbytes)
            self.home.call("copy_bytes", self.room, content, self.nbytes)
            self.home, self.room = kernels, kernels.keep(content)
        return self.room


class MovingKernels:
    """Kernel entries that begin on one target and go on on another. A room follows when it is next used, by one thread at a time."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels

    def move(self, kernels: Kernels) -> None:
        """From now on call the entries there."""
        self._kernels = kernels

    def call(self, name: str, *arguments: Argument) -> Any:
        """Call an entry."""
        now = self._kernels  # another thread may move them meanwhile
        return now.call(name, *(one.at(now) if isinstance(one, MovingRoom) else one for one in arguments))

    def keep(self, content: "bytes | bytearray | memoryview | array[Any]") -> Room:
        """A room with this content."""
        now = self._kernels
        return MovingRoom(now, now.keep(content))

    def room(self, nbytes: int) -> Room:
        """A room of zeros."""
        now = self._kernels
        return MovingRoom(now, now.room(nbytes))
