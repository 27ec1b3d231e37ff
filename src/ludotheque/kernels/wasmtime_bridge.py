"""WebAssembly in this process: a game's module run by the package `wasmtime`. `wasm_target` lays out what goes in and comes back.

A module is compiled in a fraction of a second. Each instance has memory of its own and may be used by several threads, one at a time.
"""

import threading
from collections import deque

from wasmtime import Engine, Func, Instance, Memory, Module, Store, Trap, WasmtimeError

from ludotheque.kernels.wasm_file import about
from ludotheque.kernels.wasm_target import KernelError

__all__ = ["LoadedModule", "WasmtimeBridge", "WasmtimeError"]

FIRST_BLOCK = 1 << 12  # bytes


class LoadedModule:
    """A module that is compiled for this machine; ValueError if it is none of ours, WasmtimeError if it cannot be run here."""

    def __init__(self, content: bytes) -> None:
        self.about = about(content)
        self._engine = Engine()
        self._module = Module(self._engine, content)

    def open(self) -> "WasmtimeBridge":
        """An instance with memory of its own."""
        return WasmtimeBridge(Store(self._engine), self._module, self.about)


class WasmtimeBridge:
    """A `Bridge` to an instance of a module."""

    def __init__(self, store: Store, module: Module, about: str) -> None:
        self.about = about
        self._store = store
        self._exports = Instance(store, module, []).exports(store)
        memory = self._exports["memory"]
        assert isinstance(memory, Memory)
        self._memory = memory
        self._lock = threading.Lock()
        self._given_back: deque[int] = deque()  # by whoever collects garbage, who must not wait for the lock
        self._block = 0
        self._block_size = 0

    def _function(self, name: str) -> Func:
        found = self._exports[name]
        assert isinstance(found, Func)
        return found

    def _ask(self, name: str, number: int) -> int:
        """Call a function of one number, with the lock held."""
        try:
            answer = self._function(name)(self._store, number)
        except (Trap, WasmtimeError) as trap:
            raise KernelError(f"{name} was stopped: {trap}") from trap
        return 0 if answer is None else int(answer) & 0xFFFF_FFFF

    def _allocate(self, nbytes: int, how: str = "allocate") -> int:
        while self._given_back:
            self._ask("release", self._given_back.popleft())
        address = self._ask(how, nbytes)
        if not address:
            raise MemoryError(f"the kernels have no memory left for {nbytes} bytes")
        return address

    def call(self, name: str, block: bytes, returned: int) -> bytes:
        """Call a function. Its block stays there for the next call."""
        with self._lock:
            if len(block) > self._block_size:
                if self._block:
                    self._given_back.append(self._block)
                self._block_size = max(FIRST_BLOCK, 2 * len(block))
                self._block = self._allocate(self._block_size)
            self._memory.write(self._store, block, self._block)
            self._ask(name, self._block)
            return bytes(self._memory.read(self._store, self._block, self._block + returned))

    def room(self, nbytes: int) -> int:
        """Memory of zeros."""
        with self._lock:
            return self._allocate(nbytes, "allocate_zeros")

    def write(self, address: int, content: bytes) -> None:
        """Write into it."""
        with self._lock:
            self._memory.write(self._store, content, address)

    def release(self, address: int) -> None:
        """Give it back, when something is needed next."""
        self._given_back.append(address)
