"""Garbage collection in small steps, so that no collection has much to look at.

What survives a young collection is set aside (frozen); reference counting still frees it. Cycles among what was set aside are
looked for rarely, since that takes a moment for each million objects.
"""

import asyncio
import gc
import logging
import time
from collections.abc import Callable
from typing import Final

LOG: Final = logging.getLogger("ludotheque.server")
YOUNG: Final = 4000  # new objects between two collections: a millisecond or two
NEVER: Final = 1_000_000_000
PERIOD: Final = 0.1  # seconds; 2,000 actions a second leave some 10,000 objects in that time
FULL_SECONDS: Final = 900.0  # between two full collections, at least
GONE: Final = 2000  # connections and tables that must have gone since


def set_aside() -> None:
    """Collect what is young, and set aside what survives."""
    gc.collect(0)
    gc.freeze()


def collect_all() -> None:
    """Collect everything, what was set aside too."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


async def tend(gone: Callable[[], int]) -> None:
    """Set survivors aside again and again. `gone` counts the connections and tables that have gone so far."""
    gc.set_threshold(YOUNG, NEVER, NEVER)
    full, counted = time.monotonic(), gone()
    while True:
        await asyncio.sleep(PERIOD)
        if time.monotonic() - full >= FULL_SECONDS and gone() - counted >= GONE:
            began = time.perf_counter()
            collect_all()
            full, counted = time.monotonic(), gone()
            LOG.info("collected garbage", extra={"seconds": round(time.perf_counter() - began, 2)})
        else:
            set_aside()
