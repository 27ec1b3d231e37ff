"""The results file: one JSON line a match, so that a series or a tournament can be stopped and resumed.

The first line says what is played; a later run must ask for the same.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from ludotheque.arena.scores import evidence_json
from ludotheque.arena.series import Played, Series
from ludotheque.arena.tournament import Standing
from ludotheque.arena.versions import differing
from ludotheque.bots import Evidence
from ludotheque.core import (
    BadJson,
    BadOption,
    JsonObject,
    Problem,
    Reader,
    Text,
    find_game,
    parse,
    per_language,
    write_json,
)
from ludotheque.core.catalogue import FALLBACK
from ludotheque.core.problems import unwritable

VERSION: Final = 1
VERSIONS: Final = "versions"
LONGEST: Final = 100_000


class BadResults(Problem):
    """A results file that cannot be resumed."""

    code = "bad_results"


def read_json(content: bytes, problem: type[Problem], place: str) -> Reader:
    """Parse a file that the user named; the problem names the file and says what to do."""
    try:
        return Reader(parse(content), problem, place)
    except BadJson as wrong:
        raise problem("arena.damaged-file", place=place, why=wrong.text) from wrong


def heading(series: Sequence[Series]) -> JsonObject:
    """The first line of a results file; the number of games may change from run to run."""
    first = series[0]
    return {
        "arena": VERSION,
        "game": first.game,
        "rules": find_game(first.game).rules_version,
        "options": first.options,
        "seed": first.seed,
        "seconds": first.seconds,
        "line_ups": [list(one.players) for one in series],
        **({"programs": dict(first.programs)} if first.programs else {}),
    }


def run_id(series: Sequence[Series], file: Path | None = None) -> str:
    """Identifies what is played, so that a ratings file knows what it has counted already.

    A results file that is there keeps its own: its heading may be of an earlier version, with fewer options.
    """
    first = _first_line(file) if file is not None else b""
    told = read_json(first, BadResults, str(file)).object() if first else heading(series)
    played = {name: value for name, value in told.items() if name != VERSIONS}
    return hashlib.sha256(write_json(played).encode()).hexdigest()[:16]


def _first_line(file: Path) -> bytes:
    """The heading of a results file, if it was written wholly."""
    if not file.exists():
        return b""
    with file.open("rb") as stream:
        first = stream.readline()
    return first if first.endswith(b"\n") else b""


def stored_seed(file: Path) -> str | None:
    """The seed of the run in a results file; None if there is none."""
    if not file.exists():
        return None
    with file.open("rb") as stream:
        first = stream.readline()
    return read_json(first, BadResults, str(file)).key("seed").text() if first.strip() else None


class Results:
    """A results file, open for appending."""

    def __init__(self, file: Path, standings: Sequence[Standing], versions: JsonObject | None = None) -> None:
        """Read the matches of an earlier run into the standings, or begin a file. A partly written last line is truncated.

        `versions` are noted in the heading; where those of the last run were others, in a line before what is played now.
        BadOption if the weights or the version of a player are not what they were.
        """
        self._file = file
        self._versions: JsonObject = {}
        wanted = {
            **heading([one.series for one in standings]),
            **({} if versions is None else {VERSIONS: versions}),
        }
        content = file.read_bytes() if file.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        first, *rest = whole.splitlines() or [b""]
        if content.strip() and not write_json(wanted).encode().startswith(
            content
        ):  # else it was killed while writing the heading
            there = read_json(first or content, BadResults, str(file))
            _compare(there.object(), wanted, file, standings[0].series)
            self._versions = there.key(VERSIONS).object() if there.has(VERSIONS) else {}
            self._read(rest, standings)
            if versions is not None:
                _compare_versions(self._versions, versions, file)
        else:
            whole = b""
        try:
            self._stream = file.open("ab", buffering=0)
            self._stream.truncate(len(whole))
        except OSError as error:
            raise unwritable(file, error) from error
        if not whole:
            self._write(wanted)
        elif versions is not None and self._versions != versions:
            self._write({VERSIONS: versions})

    def _read(self, lines: Sequence[bytes], standings: Sequence[Standing]) -> None:
        def seed(line: tuple[int, Played]) -> tuple[int, int]:
            return line[0], line[1].number

        read: list[tuple[int, Played]] = []
        for number, line in enumerate(lines, 2):
            reader = read_json(line, BadResults, f"{self._file}:{number}")
            if reader.has(VERSIONS):
                self._versions = reader.key(VERSIONS).object()
            else:
                read.append(_played(reader, standings))
        for (which, number), group in groupby(read, seed):
            standing = standings[which]
            some = [one for _, one in group]
            wanted = dict(standing.series.tasks()).get(number)
            if number == standing.next_number and wanted == len(some) and not standing.clear:
                standing.add(some)

    def add(self, which: int, some: Sequence[Played]) -> None:
        """Append the matches of one seed; they are on disk when this returns."""
        lines: list[JsonObject] = [
            {
                "line_up": which,
                "number": one.number,
                "rotation": one.rotation,
                "points": list(one.points),
                "decisions": list(one.decisions),
                "seconds": [round(part, 6) for part in one.seconds],
                **({} if one.forfeit is None else {"forfeit": [one.forfeit[0], one.forfeit[1].translations()]}),
                **({} if one.evidence is None else {"evidence": evidence_json(one.evidence)}),
                **({"restarts": list(one.restarts)} if one.restarts else {}),
            }
            for one in some
        ]
        self._write(*lines)

    def _write(self, *lines: JsonObject) -> None:
        unwritten = memoryview(b"".join(write_json(line).encode() + b"\n" for line in lines))
        try:
            while unwritten:  # a nearly full disk accepts only a part
                unwritten = unwritten[self._stream.write(unwritten) :]
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise unwritable(self._file, error) from error

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _compare(there: JsonObject, wanted: JsonObject, file: Path, series: Series) -> None:
    """Check that an earlier run played the same; BadOption names what differs. Options that it did not name had their defaults."""
    for name, value in wanted.items():
        if name == VERSIONS:
            continue
        before = there.get(name)
        if name == "options" and before != value:
            try:
                before = dict(find_game(series.game).read_options(before, len(series.players)))
            except Problem:
                before = there.get(name)  # no longer an option, or no longer a value of one: it differs
        if before != value:
            found, asked = write_json(before), write_json(value)
            raise BadOption("arena.other-results", file=str(file), name=name, found=found, asked=asked)


def _compare_versions(before: JsonObject, now: JsonObject, file: Path) -> None:
    """Check that every player is the one that it was, as far as both runs know."""
    label = differing(before, now)
    if label is not None:
        found, asked = (write_json(_of(told, label)) for told in (before, now))
        raise BadOption("arena.other-version", file=str(file), player=label, found=found, asked=asked)


def _of(told: JsonObject, label: str) -> JsonObject:
    """What the versions say of one player."""
    return {kind: part[label] for kind, part in told.items() if isinstance(part, Mapping) and label in part}


def _reason(written: Sequence[Reader]) -> Text:
    """A reason by language; earlier files have the English sentence, or the English and the French one."""
    if len(written) == 1 and isinstance(written[0].value, Mapping):
        sentences = {language: written[0].key(language).text(LONGEST) for language in written[0].object()}
    else:
        sentences = dict(zip(("en", "fr"), (one.text(LONGEST) for one in written), strict=False))
    return per_language(lambda language: sentences.get(language, sentences.get(FALLBACK, "")))


def _played(reader: Reader, standings: Sequence[Standing]) -> tuple[int, Played]:
    which = reader.key("line_up").integer(0, len(standings) - 1)
    seats = len(standings[which].series.players)

    def numbers(name: str) -> tuple[float, ...]:
        return tuple(one.number(0, 1e12) for one in reader.key(name).items(seats))

    forfeit: tuple[int, Text] | None = None
    if reader.has("forfeit"):
        who, *why = reader.key("forfeit").items()
        forfeit = who.integer(0, seats - 1), _reason(why)
    return which, Played(
        reader.key("number").integer(0, 1 << 40),
        reader.key("rotation").integer(0, seats - 1),
        numbers("points"),
        tuple(int(one) for one in numbers("decisions")),
        numbers("seconds"),
        forfeit,
        _evidence(reader.key("evidence")) if reader.has("evidence") else None,
        tuple(int(one) for one in numbers("restarts")) if reader.has("restarts") else (),
    )


def _evidence(written: Reader) -> Evidence:
    def part(name: str) -> str:
        return written.key(name).text(LONGEST) if written.has(name) else ""

    lines = written.key("stderr").items() if written.has("stderr") else []
    return Evidence(part("asked"), part("answered"), tuple(line.text(LONGEST) for line in lines))
