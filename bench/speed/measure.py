"""Measuring: every subject a little, in turn, several times over, so that a busy machine is busy for all of them alike.

What is measured is in `subjects` and the modules of single games.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from ludotheque.core import JsonObject, Text

SECONDS = 0.3  # of one measurement


@dataclass(frozen=True)
class Row:
    """A line of the table: whose figure it is, what it tells, and in which unit; their English sentences identify it."""

    subject: Text
    what: Text
    unit: Text


@dataclass(frozen=True)
class Subject:
    """Something to measure: one call gives one figure for each of its rows."""

    rows: tuple[Row, ...]
    measure: Callable[[], Sequence[float]]
    rounds: int | None = None
    """How often at most; slow things are measured less often."""


@dataclass
class Measured:
    """The figures of one row."""

    row: Row
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The middle one."""
        return median(self.values)

    def json(self) -> JsonObject:
        """For programs."""
        row = self.row
        spread = {"min": min(self.values), "median": self.median, "max": max(self.values)}
        return {
            "subject": str(row.subject),
            "what": str(row.what),
            "unit": str(row.unit),
            **spread,
            "values": list(self.values),
        }


def measure(subjects: Sequence[Subject], rounds: int) -> Iterator[tuple[int, list[Measured]]]:
    """Measure in rounds; after each measurement, how many were made and all figures so far."""
    measured = [[Measured(row) for row in subject.rows] for subject in subjects]
    done = 0
    for number in range(rounds):
        for subject, own in zip(subjects, measured, strict=True):
            if subject.rounds is not None and number >= subject.rounds:
                continue
            for one, value in zip(own, subject.measure(), strict=True):
                one.values.append(value)
            done += 1
            yield done, [one for some in measured for one in some if one.values]


def count_of(subjects: Sequence[Subject], rounds: int) -> int:
    """How many measurements that makes."""
    return sum(rounds if subject.rounds is None else min(rounds, subject.rounds) for subject in subjects)


def repeated(work: Callable[[], float], seconds: float = SECONDS) -> tuple[float, float]:
    """Do something again and again for about that long: how much was done in all, and the processor time that it took.

    The processor's time, not the clock's: what others do on the machine is then counted for neither us nor our peers.
    """
    amount = 0.0
    began = time.process_time()
    while (took := time.process_time() - began) < seconds:
        amount += work()
    return amount, took


def timed(call: Callable[[], object], times: int) -> float:
    """Microseconds of one call, out of many, by the processor's time: for games' own rows."""
    call()
    began = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - began) / times * 1e6
