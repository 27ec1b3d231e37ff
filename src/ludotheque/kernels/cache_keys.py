"""Where compiled rules are stored and under which keys: hashes of the sources, of numba and of what a function closes over.

How numba is made to use them is in `numba_cache`. Nothing here imports numba: whether rules are compiled is asked before it is needed.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from ludotheque.paths import cache_root

SETTINGS: Final = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT")
"""The variables that change what numba makes of the same source."""
RULES_READY: Final = "rules.ready"
ENTRIES_READY: Final = "entries.ready"
"""Files in a cache folder: an earlier process left the rules, or all kernel entries, compiled."""


@cache
def content_hash(folder: Path) -> str:
    """A hash of the sources in this folder and in ours, whatever compiles them."""
    digest = hashlib.sha256()
    for part in (folder, Path(__file__).parent):
        for file in sorted(part.rglob("*.py")):
            digest.update(f"{file.relative_to(part).as_posix()}\0".encode())
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def source_hash(folder: Path) -> str:
    """A hash of everything that compiled code of this folder depends on: its sources, ours, numba and its settings."""
    numba = [version("numba"), *(os.environ.get(name, "") for name in SETTINGS)]
    return hashlib.sha256(" ".join([content_hash(folder), *numba]).encode()).hexdigest()[:20]


def cache_folder(folder: Path) -> Path:
    """Where the compiled rules of a source folder are kept, one place for each state of the sources."""
    return cache_root() / f"{folder.name}-{source_hash(folder)}"


def is_compiled(folder: Path) -> bool:
    """Whether all native code of a game's folder is in the cache."""
    cached = cache_folder(folder)
    return (cached / RULES_READY).exists() and (cached / ENTRIES_READY).exists()


def closure_key(function: Any) -> str:
    """A key of a function among those of the same source: its line, and a hash of what it closes over.

    A playout by uniform choices and one by a game's casual player are the same lines; only their closures differ.
    """
    import numpy as np  # noqa: PLC0415 - only whoever compiles has it at hand

    source: Callable[..., object] = getattr(function, "py_func", function)
    line = source.__code__.co_firstlineno
    parts = [f"{source.__module__}.{source.__qualname__}:{line}"]
    for name, cell in zip(source.__code__.co_freevars, source.__closure__ or (), strict=True):
        try:
            content = cell.cell_contents
        except ValueError:  # the function itself, which is only now being made
            continue
        if isinstance(content, np.ndarray):
            parts.append(f"{name}={content.dtype} {content.shape} {hashlib.sha256(content.tobytes()).hexdigest()}")
        else:
            parts.append(f"{name}={closure_key(content) if callable(content) else repr(content)}")
    return f"{line}-{hashlib.sha256(' '.join(parts).encode()).hexdigest()[:12]}"
