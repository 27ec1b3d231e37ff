"""A game's WebAssembly module in a Node process, for the tests: a `Bridge` over pipes."""

import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.wasm_target import WasmKernels, use_wasm
from tools.wasm.link import build
from web.build_page import install, node_tools

HERE: Final = Path(__file__).parent
KERNELS: Final = HERE.parent.parent / "web" / "src" / "host" / "kernels.ts"
KINDS: Final = ("about", "call", "room", "write", "release", "memory")


class NodeBridge:
    """Asks the process and waits for its answer."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._requests: IO[bytes] = process.stdin
        self._answers: IO[bytes] = process.stdout
        self.about = self._ask("about").decode()

    def _ask(self, kind: str, first: int = 0, second: int = 0, content: bytes = b"") -> bytes:
        self._requests.write(struct.pack("<4I", 12 + len(content), KINDS.index(kind), first, second) + content)
        self._requests.flush()
        size = self._answers.read(4)
        if len(size) < 4:
            raise ConnectionError("the process with the kernels has ended")
        return self._answers.read(struct.unpack("<I", size)[0])

    def call(self, name: str, block: bytes, returned: int) -> bytes:
        """Call a function."""
        packed = name.encode()
        return self._ask("call", len(packed), returned, packed + block)

    def room(self, nbytes: int) -> int:
        """Memory of zeros."""
        return int.from_bytes(self._ask("room", nbytes), "little")

    def write(self, address: int, content: bytes) -> None:
        """Write into it."""
        self._ask("write", address, 0, content)

    def release(self, address: int) -> None:
        """Give it back; after the process has ended there is nothing to give back."""
        if not self._requests.closed:
            self._ask("release", address)

    def memory(self) -> int:
        """How many bytes the module has taken."""
        return int.from_bytes(self._ask("memory"), "little")


@contextmanager
def open_bridge(file: Path) -> Iterator[NodeBridge]:
    """A module in a process of its own."""
    environment, _ = node_tools()
    install()
    command = ["node", str(HERE / "serve.mjs"), str(KERNELS), str(file)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield NodeBridge(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()  # it ends by itself


@contextmanager
def in_wasm(game: DiscreteGame) -> Iterator[WasmKernels]:
    """Within it a game's rules and kernels run in Node."""
    with open_bridge(build(game)) as bridge:
        use_wasm(game, bridge)
        try:
            kernels = game.kernels
            assert isinstance(kernels, WasmKernels)
            yield kernels
        finally:
            game.use_target(None)
            game.use_kernels(None)
