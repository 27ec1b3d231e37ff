"""One process at a time: a file's name is held, so that nobody else writes it meanwhile. The system lets go when the process dies,
however it dies. What the file is for, and what is said to whoever comes second, is the caller's business.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


class Busy(Exception):
    """Another process holds it."""


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Hold a file's name for this process by a `.lock` beside it, as the file itself may be replaced; Busy if somebody else does."""
    beside = file.with_name(f"{file.name}.lock")
    while True:
        with beside.open("a+b") as stream:
            try:
                hold(stream)
            except OSError as error:
                raise Busy from error
            if not _is(beside, stream):  # its former holder has just taken it away
                continue
            try:
                yield
            finally:
                with suppress(PermissionError):  # Windows does not let go of an open file
                    beside.unlink(missing_ok=True)
            return


def _is(file: Path, stream: IO[bytes]) -> bool:
    try:
        return os.path.samestat(file.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def hold(file: IO[bytes]) -> None:
        """Hold an open file until it is closed; OSError if another process does."""
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def hold(file: IO[bytes]) -> None:
        """Hold an open file until it is closed; OSError if another process does."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
