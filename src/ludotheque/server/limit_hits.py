"""How often addresses and people hit which limits of this process, for its operator. In memory only.

The limits themselves are in `security` and `connections`.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from ludotheque.core import JsonObject
from ludotheque.server.slices import in_slices

MOST: Final = 10_000  # pairs of somebody and a limit; the least recent are dropped
KEPT_SECONDS: Final = 3600.0
MANY: Final = 200  # that are listed at once


@dataclass(slots=True)
class Hits:
    """Of one limit by one address or person."""

    count: int
    last: float


class LimitHits:
    """Counts the requests that limits refused in the last hour."""

    def __init__(self) -> None:
        self._hits: OrderedDict[tuple[str, str], Hits] = OrderedDict()

    def add(self, limit: str, who: str) -> None:
        """A limit has refused somebody: an address, or the id of a person."""
        now = time.time()
        hits = self._hits.get((who, limit))
        if hits is None or hits.last < now - KEPT_SECONDS:
            hits = self._hits[who, limit] = Hits(0, now)
        hits.count += 1
        hits.last = now
        self._hits.move_to_end((who, limit))
        if len(self._hits) > MOST:
            self._hits.popitem(last=False)

    async def listed(self) -> list[JsonObject]:
        """Who hit which limit, how often, and when last."""
        since = time.time() - KEPT_SECONDS
        return [
            {"who": who, "limit": limit, "count": hits.count, "last": int(hits.last * 1000)}
            async for (who, limit), hits in in_slices(self._hits.items(), MANY)
            if hits.last >= since
        ]
