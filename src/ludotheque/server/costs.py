"""Limits by cost: how many processor seconds of the workers a network may use, for questions, reviews and actions.

Limits by number are in `security`; the workers themselves tell what a call has cost.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from math import ceil
from typing import Final, Literal, TypeAlias

from ludotheque.server.limit_hits import LimitHits
from ludotheque.server.problems import too_costly
from ludotheque.server.security import MOST_ADDRESSES, TokenBucket

Kind: TypeAlias = Literal["question", "review", "action"]

LIMITS: Final[Mapping[Kind, tuple[float, float]]] = {
    "question": (120.0, 0.5),  # positions, hints, previews, stories, verdicts, uploads
    "review": (600.0, 0.5),
    "action": (120.0, 0.5),  # at tables whose rules run in workers
}
"""Processor seconds that a network may use at once, and how many it gets back a second."""
LEAST: Final = 1.0  # seconds that must be left: what is asked for next costs about as much


class Payer:
    """A network, and what is left of its processor time of one kind. What it asks for is paid afterwards, with debts."""

    def __init__(self, network: str, bucket: TokenBucket | None, on_refused: Callable[[], None] | None = None) -> None:
        self.network = network
        self._bucket = bucket
        self._on_refused = on_refused

    def must_afford(self) -> None:
        """TooMany if nothing is left; it says when there will be."""
        if self._bucket is None:
            return
        self._bucket.take(0.0, time.monotonic())
        if self._bucket.full < LEAST:
            if self._on_refused is not None:
                self._on_refused()
            raise too_costly(ceil((LEAST - self._bucket.full) / self._bucket.rate))

    def charge(self, seconds: float) -> None:
        """Take processor seconds that were used."""
        if self._bucket is not None:
            self._bucket.full -= seconds


class Costs:
    """What the networks of a process have left; the least recently used are forgotten."""

    def __init__(self, enabled: bool, hits: LimitHits | None = None) -> None:
        self._enabled = enabled
        self._hits = hits
        self._buckets: OrderedDict[tuple[Kind, str], TokenBucket] = OrderedDict()

    def payer(self, kind: Kind, network: str) -> Payer:
        """Who pays for something that a network asks for."""
        if not self._enabled:
            return Payer(network, None)
        bucket = self._buckets.get((kind, network))
        if bucket is None:
            most, rate = LIMITS[kind]
            bucket = self._buckets[kind, network] = TokenBucket(most, rate, most, time.monotonic())
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end((kind, network))
        return Payer(network, bucket, None if self._hits is None else partial(self._hits.add, f"{kind} cost", network))
