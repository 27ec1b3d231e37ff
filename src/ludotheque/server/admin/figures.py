"""What a process tells its operator about itself: its tables, the people connected to it, its queues and workers."""

import asyncio
import os
import socket
from collections import defaultdict
from typing import Final

from ludotheque.core import Json, JsonObject
from ludotheque.server.registry import TableRegistry
from ludotheque.server.session.session import Session
from ludotheque.server.slices import in_slices
from ludotheque.server.store import moment

MANY: Final = 100  # people or sockets that are gone through at once


def status(registry: TableRegistry, began: int) -> JsonObject:
    """This process."""
    return {
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "began": began,
        "now": moment(),
        "tables": len(registry.sessions),
        "sockets": len(registry.sockets),
        "read_only": registry.operation.read_only,
        "draining": registry.operation.draining,
        "writes_waiting": registry.writer.waiting,
        "workers": len(registry.workers.all),
        "work_waiting": registry.workers.waiting,
        "question_workers": len(registry.questions.all),
        "questions_waiting": registry.questions.waiting,
    }


async def tables(registry: TableRegistry) -> list[Json]:
    """The tables that this process owns."""
    return [_table(session) async for session in in_slices(registry.sessions.values())]


def _table(session: Session) -> JsonObject:
    state = session.state
    present = set(state.people) & session.present
    return {
        "id": state.id,
        "people": len(present),
        "spectators": session.connections - len(present),
        "actions": 0 if state.match is None else len(state.match.log),
        "requests": session.requests,
        "seconds": round(session.seconds, 3),
        "bot_seconds": round(session.bot_seconds, 3),
        "touched": state.touched,
    }


async def people(registry: TableRegistry) -> list[Json]:
    """The people who are connected to this process, with their addresses; those that another process relays have none here."""
    found: dict[str, JsonObject] = {}
    addresses: defaultdict[str, set[str]] = defaultdict(set)
    sockets: defaultdict[str, int] = defaultdict(int)
    async for connection in in_slices(registry.sockets, MANY):
        if connection.person is not None and connection.address:
            person = str(connection.person["id"])
            found[person] = connection.person
            addresses[person].add(connection.address)
            sockets[person] += 1
    at: defaultdict[str, list[Json]] = defaultdict(list)
    async for session in in_slices(registry.sessions.values(), MANY):
        for person in session.present:
            at[person].append(session.state.id)
    hits: defaultdict[str, int] = defaultdict(int)
    async for hit in in_slices(await registry.hits.listed(), MANY):
        hits[str(hit["who"])] += int(str(hit["count"]))
    return [
        {
            "id": person,
            "name": found.get(person, {}).get("name"),
            "sockets": sockets[person],
            "addresses": sorted(addresses[person]),
            "tables": at[person],
            "limits_hit": hits[person],
        }
        async for person in in_slices(await asyncio.to_thread(sorted, {*at, *found}), MANY)
    ]
