"""Saved matches of the terminal: one record a match in the user's data folder, rewritten after every action."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from ludotheque.core import BadRecord, Match, Problem, Record, Seated, parse, read_record, write_json, write_record
from ludotheque.core.problems import reason
from ludotheque.paths import matches_folder

LARGEST: Final = 50_000_000  # bytes of a record


def new_file(game: str) -> Path:
    """An unused file name for a new match, which sorts by time."""
    folder = matches_folder()
    name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{game}"
    tries = (folder / f"{name}{'' if attempt == 0 else f'-{attempt}'}.json" for attempt in range(1_000_000))
    return next(file for file in tries if not file.exists())


def write_file(file: Path, match: Match, seated: Sequence[Seated], *, reveal: bool | None = None) -> None:
    """Write a match atomically: after a crash the file has its former content or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with beside.open("wb") as stream:
            # A lone surrogate, from a name or a seed, is written as its escape.
            stream.write(
                write_json(write_record(match, seated, reveal=reveal)).encode("utf-8", "backslashreplace") + b"\n"
            )
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def read_file(file: Path) -> Record:
    """Read a record from a file (`-`: standard input); BadRecord names the file and the place of the fault."""
    try:
        if str(file) == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with file.open("rb") as stream:
                content = stream.read(LARGEST + 1)
    except OSError as error:
        raise BadRecord("cli.unreadable", file=str(file), why=reason(error)) from error
    if len(content) > LARGEST:
        raise BadRecord("record.too-large", file=str(file))
    try:
        return read_record(parse(content))
    except Problem as problem:
        raise BadRecord("record.unreadable", file=str(file), why=problem.text) from problem


def unfinished() -> Iterator[tuple[Path, Record]]:
    """The matches that can be resumed, the latest first; unreadable files are skipped."""
    folder = matches_folder()
    files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in files:
        try:
            record = read_file(file)
        except Problem:
            continue  # another version's, or damaged: `--load` tells what is wrong with it
        if not record.match.over:
            yield file, record
