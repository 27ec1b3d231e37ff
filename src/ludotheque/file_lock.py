"""Locks between processes: an exclusive lock for a file's name, which the system releases when the process ends in any way."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


class Locked(Exception):
    """Another process holds the lock."""


@contextmanager
def file_lock(file: Path) -> Iterator[None]:
    """Lock a file's name by a `.lock` file beside it, since the file itself may be replaced; Locked if another process has it."""
    beside = file.with_name(f"{file.name}.lock")
    while True:
        with beside.open("a+b") as stream:
            try:
                lock(stream)
            except OSError as error:
                raise Locked from error
            if not _is(beside, stream):  # its former holder has just removed it
                continue
            try:
                yield
            finally:
                with suppress(PermissionError):  # Windows does not remove an open file
                    beside.unlink(missing_ok=True)
            return


def _is(file: Path, stream: IO[bytes]) -> bool:
    try:
        return os.path.samestat(file.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def lock(file: IO[bytes]) -> None:
        """Lock an open file until it is closed; OSError if another process has it."""
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def lock(file: IO[bytes]) -> None:
        """Lock an open file until it is closed; OSError if another process has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
