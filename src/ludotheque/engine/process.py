"""The engine as a process: reads lines from one file descriptor and writes each answer to another as soon as it is known."""

import os
from collections.abc import Iterator

from ludotheque.engine.engine import LONGEST_LINE, Engine

PIECE = 1 << 16  # bytes read at once


def lines(source: int) -> Iterator[bytes | None]:
    """The lines of a file descriptor; None as soon as a line is too long, and its rest is skipped."""
    waiting = bytearray()
    skipping = False
    while piece := os.read(source, PIECE):
        *ended, rest = piece.split(b"\n")
        for part in ended:
            if skipping:
                skipping = False
                continue
            waiting += part
            yield bytes(waiting) if len(waiting) <= LONGEST_LINE else None
            waiting.clear()
        if not skipping:
            waiting += rest
            if len(waiting) > LONGEST_LINE:
                waiting.clear()
                skipping = True
                yield None
    if waiting:
        yield bytes(waiting)


def serve(source: int = 0, target: int = 1) -> None:
    """Answer requests until `quit`, the end of the input, or a closed output."""
    engine = Engine()
    try:
        for line in lines(source):
            answer = engine.refuse_long_line() if line is None else engine.answer(line)
            if answer is not None:
                _write(target, answer + b"\n")
            if engine.ended:
                return
    except BrokenPipeError:
        return  # the reader has gone


def _write(target: int, content: bytes) -> None:
    """Write everything: a pipe may accept less at a time."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(target, rest) :]
