"""Long loops in the event loop, cut into slices: between two of them others have their turn."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final, TypeVar

SLICE: Final = 64  # items that are dealt with at once

Item = TypeVar("Item")


async def in_slices(items: Iterable[Item], size: int = SLICE) -> AsyncIterator[Item]:
    """The items of a snapshot, with a pause after every few. What an item stands for may be gone by its turn."""
    for place, item in enumerate(list(items)):
        if place and place % size == 0:
            await asyncio.sleep(0)
        yield item
