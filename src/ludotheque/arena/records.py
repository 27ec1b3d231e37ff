"""The records file of a series or a tournament: one record a line, as docs/protocol.md has it, of every match.

Each line has also `arena`: the line-up, the number of the seed, the rotation and who lost by default. Results are in `results`.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final, TypeAlias

from ludotheque.arena.results import read_json
from ludotheque.arena.series import Played
from ludotheque.arena.tournament import Standing
from ludotheque.core import BadOption, Json, Problem, write_json
from ludotheque.core.problems import unwritable

Key: TypeAlias = tuple[int, int, int]
"""Line-up, number of the seed, rotation."""
MOST: Final = 1 << 40


class BadRecords(Problem):
    """A records file that cannot be gone on with."""

    code = "bad_records"


class Records:
    """A records file, open for appending. Records are written before results, so that every result has its record."""

    def __init__(self, file: Path, standings: Sequence[Standing], *, resumed: bool) -> None:
        """Go on with a file: it keeps the records of the matches that the standings have, once each, and loses all others.

        Without `resumed` results, a file that holds something is refused.
        """
        self._file = file
        wanted = {
            (which, one.number, one.rotation) for which, standing in enumerate(standings) for one in standing.played
        }
        if file.exists() and file.stat().st_size:
            if not resumed:
                raise BadOption("arena.records-there", file=str(file))
            wanted -= self._keep(wanted)
        self.missing = len(wanted)
        """How many matches of the standings were played without a record."""
        try:
            self._stream = file.open("ab", buffering=0)
        except OSError as error:
            raise unwritable(file, error) from error

    def _keep(self, wanted: set[Key]) -> set[Key]:
        """Rewrite the file with the wanted records only; returns which there are."""
        found: set[Key] = set()
        fresh = self._file.with_name(self._file.name + ".new")
        try:
            with self._file.open("rb") as old, fresh.open("wb") as new:
                for number, line in enumerate(old, 1):
                    if not line.endswith(b"\n"):
                        break  # it was killed while writing it
                    key = _key(line, f"{self._file}:{number}")
                    if key in wanted and key not in found:
                        found.add(key)
                        new.write(line)
                _flush(new)
            fresh.replace(self._file)
        except OSError as error:
            raise unwritable(self._file, error) from error
        finally:
            fresh.unlink(missing_ok=True)
        return found

    def add(self, which: int, some: Sequence[Played]) -> None:
        """Append the records of one seed; they are on disk when this returns."""
        unwritten = memoryview(b"".join(_line(which, one) for one in some))
        try:
            while unwritten:  # a nearly full disk accepts only a part
                unwritten = unwritten[self._stream.write(unwritten) :]
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise unwritable(self._file, error) from error

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _flush(stream: IO[bytes]) -> None:
    stream.flush()
    os.fsync(stream.fileno())


def _line(which: int, one: Played) -> bytes:
    """The record with its place in the tournament."""
    assert one.record is not None
    place: dict[str, Json] = {"line_up": which, "number": one.number, "rotation": one.rotation}
    if one.forfeit is not None:
        place["forfeit"] = {"player": one.forfeit[0], "why": str(one.forfeit[1])}
    return f'{one.record[:-1]},"arena":{write_json(place)}}}\n'.encode()


def _key(line: bytes, place: str) -> Key:
    arena = read_json(line, BadRecords, place).key("arena")
    return (
        arena.key("line_up").integer(0, MOST),
        arena.key("number").integer(0, MOST),
        arena.key("rotation").integer(0, MOST),
    )
