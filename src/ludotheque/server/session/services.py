"""What all sessions of a process share."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ludotheque.server.admin.state import OperatorState
from ludotheque.server.bots import Bots
from ludotheque.server.clock import SiteClock
from ludotheque.server.leases import Leases
from ludotheque.server.live import LiveTurns
from ludotheque.server.metrics import Metrics
from ludotheque.server.remote_rules import RulesRunner
from ludotheque.server.writer import Writer


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the server that a session uses."""

    loop: asyncio.AbstractEventLoop
    writer: Writer
    leases: Leases
    metrics: Metrics
    rules: RulesRunner
    bots: Bots
    live: LiveTurns
    programs: Mapping[str, str]
    keep: Callable[["asyncio.Future[Any]"], None]
    """Holds on to a task until it is done."""
    touched: Callable[[str], None]
    """Notes that a table is played at."""
    clock: SiteClock
    operation: OperatorState
    """What the operator has ordered."""
