"""Runs `ludotheque` with a date that a test can move: its first argument is a file with the seconds by which it is wrong.

Only dates are moved. Steady clocks go on, as they do when somebody sets a machine's date.
"""

import mmap
import runpy
import struct
import sys
import time
from pathlib import Path

SIZE = struct.calcsize("d")


def set_date(file: Path, seconds: float) -> None:
    """Let the date of the server that was started with this file be so far from the true one."""
    if not file.exists():
        file.write_bytes(struct.pack("d", seconds))
        return
    with file.open("r+b") as opened:  # in place: the server has it mapped
        opened.write(struct.pack("d", seconds))


def _run(file: str, arguments: list[str]) -> None:
    with Path(file).open("rb") as opened:
        moved = mmap.mmap(opened.fileno(), SIZE, access=mmap.ACCESS_READ)
    true, true_ns = time.time, time.time_ns

    def by() -> float:
        return float(struct.unpack("d", moved[:SIZE])[0])

    time.time = lambda: true() + by()
    time.time_ns = lambda: true_ns() + int(1e9 * by())
    sys.argv = ["ludotheque", *arguments]
    runpy.run_module("ludotheque", run_name="__main__")


if __name__ == "__main__":
    _run(sys.argv[1], sys.argv[2:])
