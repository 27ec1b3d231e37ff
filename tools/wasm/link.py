"""A game's WebAssembly module: compiled by `compile` in a process of its own, linked and checked; kept until a source changes.

The linker and the compiler of runtime.c are those of the PyPI package `ziglang`.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ludotheque.core import Game
from ludotheque.file_lock import Locked, file_lock
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.cache_keys import source_hash
from ludotheque.kernels.llvm_text import PLAIN_PROCESSOR
from ludotheque.kernels.wasm_file import CUSTOM, SECTION, read_number, sections
from tools.wasm.compile import folder_of

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent.parent
FOLDER: Final = ROOT / "out" / "wasm"
GROUP: Final = "ludotheque.games"
PROCESSOR: Final = "generic+bulk_memory+sign_ext+nontrapping_fptoint"
STACK: Final = 1 << 20  # bytes; it lies first, so that an overflow traps
BETWEEN_LOOKS: Final = 0.5  # seconds
IMPORTS: Final = 2  # a kind of sections


def games() -> list[DiscreteGame]:
    """Every game of this project that has kernel entries. pyproject.toml names them: where a wheel is built, nothing is installed."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GROUP]
    return [load(value) for value in declared.values() if find_spec(f"{value.partition(':')[0]}.entries") is not None]


def physics() -> list[Game]:
    """Every other game of this project that has compiled entries for the page, in `wasm_entries`; none without MuJoCo."""
    if find_spec("mujoco") is None:
        return []
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GROUP]
    found = [value for value in declared.values() if find_spec(f"{value.partition(':')[0]}.wasm_entries") is not None]
    return [EntryPoint("game", value, GROUP).load() for value in found]


def load(value: str) -> DiscreteGame:
    """The game that an entry point names, such as `ludotheque.games.twisty:GAME`."""
    game = EntryPoint("game", value, GROUP).load()
    assert isinstance(game, DiscreteGame)
    return game


def fingerprint(game: Game) -> str:
    """A hash of all that a module depends on."""
    digest = hashlib.sha256(f"{source_hash(folder_of(game))} {version('ziglang')} {version('llvmlite')}".encode())
    for file in sorted(HERE.glob("*.*")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def build(game: Game, folder: Path = FOLDER) -> Path:
    """The module of a game, built if anything has changed since; SystemExit with a sentence if it cannot be."""
    file, mark, now = folder / f"{game.name}.wasm", folder / f"{game.name}.built", fingerprint(game)
    folder.mkdir(parents=True, exist_ok=True)

    def is_built() -> bool:
        return file.is_file() and mark.is_file() and mark.read_text("ascii") == now

    while not is_built():
        try:
            with file_lock(file):
                if is_built():
                    break
                content = link(game)
                part = file.with_name(f"{file.name}.{os.getpid()}.part")
                part.write_bytes(content)
                part.replace(file)
                mark.write_text(now, "ascii")
        except Locked:  # another process builds it
            time.sleep(BETWEEN_LOOKS)
    return file


def link(game: Game) -> bytes:
    """The content of a game's module, made anew; the same bytes each time."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, **PLAIN_PROCESSOR, "NUMBA_OPT": "0", "PYTHONPATH": path, "LUDOTHEQUE_CACHE": name}
        environment["PYTHONHASHSEED"] = "0"  # numba names and orders what it compiles
        run(game, [sys.executable, "-m", "tools.wasm.compile", f"{game.package}:GAME", name], environment)
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": name, "ZIG_LOCAL_CACHE_DIR": name}
        zig = [sys.executable, "-m", "ziglang"]
        flags = [
            "-target",
            "wasm32-freestanding",
            f"-mcpu={PROCESSOR}",
            "-O2",
            "-fno-builtin",
            "-ffp-contract=off",
            "-g0",
        ]
        runtime = str(folder / "runtime.o")
        run(game, [*zig, "cc", *flags, "-fno-sanitize=all", "-c", str(HERE / "runtime.c"), "-o", runtime], environment)
        about = (folder / "about.json").read_bytes()
        exports = [f"--export={one}" for one in exported(about)]
        options = ["--no-entry", "--strip-all", "--gc-sections", "--stack-first", "-z", f"stack-size={STACK}", *exports]
        module = folder / "module.wasm"
        objects = [str(folder / "kernels.o"), runtime]
        # What is missing becomes an import, so that the sentence below can name all of it.
        run(game, [*zig, "wasm-ld", *options, "--import-undefined", "-o", str(module), *objects], environment)
        content = module.read_bytes()
    if missing := imports(content):
        raise SystemExit(f"The kernels of {game.name} call what no browser has: {', '.join(missing)}.")
    return content + section(CUSTOM, text(SECTION) + about)


def exported(about: bytes) -> Iterator[str]:
    """The functions that a description names."""
    yield from json.loads(about)["functions"]


def run(game: Game, command: Sequence[str], environment: dict[str, str]) -> None:
    """Run one step of a build; SystemExit with what it said if it fails."""
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The kernels of {game.name} could not be built: {done.stderr.strip()[-2000:]}")


def number(value: int) -> bytes:
    """A whole number as WebAssembly writes it (LEB128)."""
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def text(content: bytes) -> bytes:
    """A text, with its length."""
    return number(len(content)) + content


def section(kind: int, content: bytes) -> bytes:
    """A section of a module."""
    return bytes([kind]) + text(content)


def imports(module: bytes) -> list[str]:
    """The names of all that a module imports."""
    found: list[str] = []
    for kind, content in sections(module):
        if kind != IMPORTS:
            continue
        count, at = read_number(content, 0)
        for _ in range(count):
            names = []
            for _ in range(2):
                size, at = read_number(content, at)
                names.append(content[at : at + size].decode())
                at += size
            found.append(names[1])
            if content[at]:  # a memory, a table or a global: the rest is not read
                break
            _, at = read_number(content, at + 1)
    return found
