"""Reviews of finished games in the browser: one at a time, in short parts between other things. `answers` does the judging."""

from dataclasses import dataclass, field
from typing import Final

from ludotheque.analysis import Moment, Review
from ludotheque.answers.positions import JUDGE, review_in_words, review_part
from ludotheque.browser.storage import REVIEWS, Change, Storage
from ludotheque.core import BadRecord, JsonObject, Problem, Reader, parse
from ludotheque.core.jsons import write

PART: Final = 0.25  # seconds of judging at a time: so long a tap may have to wait


@dataclass(slots=True)
class Job:
    """A review under way."""

    record: str
    text: str
    players: int
    total: int
    found: list[Moment] = field(default_factory=list)


class Reviews:
    """All reviews that were asked for in this window."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._jobs: dict[str, Job] = {}
        self._ended: dict[str, str] = {}  # those that were stopped or failed

    @property
    def due(self) -> bool:
        """Whether there is something to judge."""
        return bool(self._jobs)

    def ask(self, record: str, text: str) -> None:
        """Have a record reviewed, unless that is under way."""
        if record in self._jobs:
            return
        reader = Reader(parse(text), BadRecord)
        players, total = len(reader.key("players").items()), len(reader.key("actions").items())
        self._ended.pop(record, None)
        self._jobs[record] = Job(record, text, players, total)

    def stop(self, record: str) -> None:
        """Stop a review."""
        if self._jobs.pop(record, None) is not None:
            self._ended[record] = "stopped"

    async def look(self, record: str, text: str) -> JsonObject:
        """How far the review of a record has come, and the review once it is done."""
        body = await self._storage.read(REVIEWS, record)
        if body is not None:
            total = len(Reader(parse(text), BadRecord).key("actions").items())
            return _progress("done", total, total, 0, review_in_words(body, text))
        job = self._jobs.get(record)
        if job is None:
            return _progress(self._ended.get(record, "none"), 0, 0, 0, None, mine=record in self._ended)
        ahead = list(self._jobs).index(record)
        return _progress("waiting" if ahead else "working", len(job.found), job.total, ahead, None)

    async def advance(self) -> None:
        """Judge a part of the first one."""
        job = next(iter(self._jobs.values()))
        try:
            part = review_part(job.text, job.found[-1] if job.found else None, PART)
        except Problem:
            del self._jobs[job.record]
            self._ended[job.record] = "failed"
            return
        job.found += part
        if not part:
            review = {"judge": f"bot:{JUDGE}", **Review(job.players, tuple(job.found)).json()}
            await self._storage.write([Change(REVIEWS, job.record, write(review))])
            del self._jobs[job.record]


def _progress(
    state: str, done: int, total: int, ahead: int, review: JsonObject | None, *, mine: bool = True
) -> JsonObject:
    return {"state": state, "done": done, "total": total, "ahead": ahead, "mine": mine, "review": review}
