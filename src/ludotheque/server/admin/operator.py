"""Carries out the operator's orders in a running process, and answers them.

Orders arrive as rows in the database: `client` writes them. What may be told of this process is in `figures`, letting go of
its tables in `drain`.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

from sqlalchemy.engine import Connection

from ludotheque.core import JsonObject, Problem, readable_name, text
from ludotheque.server import store
from ludotheque.server.admin import figures
from ludotheque.server.admin.drain import Drain
from ludotheque.server.admin.state import Bans
from ludotheque.server.leases import Elsewhere
from ludotheque.server.limit_hits import LimitHits
from ludotheque.server.notifications import FREE, ORDERS, notify
from ludotheque.server.problems import read_only
from ludotheque.server.registry import TableRegistry
from ludotheque.server.session.connection import COME_AGAIN, write
from ludotheque.server.slices import in_slices
from ludotheque.server.store import Ban, Order

LOG: Final = logging.getLogger("ludotheque.server")
POLL_SECONDS: Final = 0.5
READ_ONLY, NOTICE = "read-only", "notice"

Handler: TypeAlias = Callable[[Order], Awaitable[JsonObject]]


class NotMine(Exception):
    """Another process carries out this order."""


class Operator:
    """The operator's hand in one process."""

    def __init__(self, registry: TableRegistry, hits: LimitHits) -> None:
        self._registry = registry
        self._hits = hits
        self._last: str | None = None  # the last change of an operator that this process obeys
        self._drain = Drain(registry)
        self._then: Callable[[], None] | None = None  # to be done when the present order has been answered
        self._task: asyncio.Task[None] | None = None
        self._began = store.moment()
        self._handlers: dict[str, Handler] = {
            "status": self._status,
            "tables": self._tables,
            "people": self._people,
            "limits": self._limits,
            "ban": self._ban,
            "unban": self._unban,
            "notice": self._notice,
            "read-only": self._read_only,
            "dismiss": self._dismiss,
            "rename": self._rename,
            "delete": self._delete,
            "close": self._close,
            "drain": self._start_draining,
        }

    @property
    def _process(self) -> str:
        """The process's identity, which it may have to change."""
        return self._registry.leases.process

    async def start(self) -> None:
        """Read what has been ordered before, then watch for more."""
        self._last = await self._registry.read(store.last_operation)
        await self._obey()
        self._task = asyncio.get_running_loop().create_task(self._watch())

    def stop(self) -> None:
        """Watch no more."""
        self._drain.stop()
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        registry = self._registry
        while not registry.closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(registry.orders.wait(), POLL_SECONDS)
            registry.orders.clear()
            try:
                await self._look()
            except asyncio.CancelledError:
                raise
            except Problem:  # the database is away, which `registry.read` has logged
                continue
            except Exception:
                LOG.exception("an operator's orders could not be carried out")

    async def _look(self) -> None:
        """Obey what has changed, and carry out what is new."""

        def read(connection: Connection) -> tuple[str | None, list[Order]]:
            return store.last_operation(connection), list(store.pending_orders(connection, self._process))

        last, orders = await self._registry.read(read)
        if last != self._last:
            await self._obey()
            self._last = last
        for order in orders:
            answer: JsonObject
            try:
                answer = {"done": await self._handlers[order.what](order)}
            except NotMine:
                answer = {}
            except Problem as problem:
                answer = {"problem": problem.text.translations()}
            except Exception:  # it is not tried again: part of it may have been done
                LOG.exception("an operator's order failed")
                answer = {"problem": text("server.http.failed").translations()}
            await self._answer(order, answer)
            then, self._then = self._then, None
            if then is not None:
                then()

    async def _answer(self, order: Order, answer: JsonObject) -> None:
        await self._registry.writer.do(lambda connection: store.add_answer(connection, order.id, self._process, answer))

    # What holds for the whole site

    async def _obey(self) -> None:
        """Read bans, notice and read-only mode, and do what follows from what has changed."""
        registry, operation = self._registry, self._registry.operation

        def read(connection: Connection) -> tuple[list[Ban], JsonObject | None, bool]:
            site = store.read_site(connection)
            return list(store.list_bans(connection)), site.get(NOTICE), READ_ONLY in site

        bans, notice, read_only = await registry.read(read)
        operation.bans = Bans(bans)
        await self._show_out()
        if notice != operation.notice:
            operation.notice = notice
            told = {"what": NOTICE, **(notice or {"words": None, "until": None})}
            text = write(told)
            async for session in in_slices(registry.sessions.values()):
                session.tell(text)
        if read_only != operation.read_only:
            operation.read_only = read_only
            await self._drop_all()

    async def _drop_all(self) -> None:
        """Let go of every table: everybody comes again, to a frozen table or to a live one."""
        registry, dropped = self._registry, list(self._registry.sessions.values())
        async for session in in_slices(dropped):
            async with session.lock:
                session.drop()

        def release(connection: Connection) -> None:
            for session in dropped:
                registry.leases.release(connection, session.state.id, session.epoch)
            notify(connection, FREE)

        await registry.writer.do(release)

    async def _show_out(self) -> None:
        """Close the sockets of those who are banned."""
        bans = self._registry.operation.bans
        async for socket in in_slices(self._registry.sockets):
            person = None if socket.person is None else str(socket.person["id"])
            ban = bans.of_address(socket.address) or (None if person is None else bans.of_person(person))
            if ban is not None:
                socket.show_out(ban)

    # Questions

    async def _status(self, _order: Order) -> JsonObject:
        return figures.status(self._registry, self._began)

    async def _tables(self, _order: Order) -> JsonObject:
        return {"tables": await figures.tables(self._registry)}

    async def _people(self, _order: Order) -> JsonObject:
        return {"people": await figures.people(self._registry)}

    async def _limits(self, _order: Order) -> JsonObject:
        return {"limits": [*await self._hits.listed(), *await self._registry.hits.listed()]}

    # Changes that one process makes for all

    async def _change(self, order: Order, subject: str, change: Callable[[Connection], JsonObject]) -> JsonObject:
        """Make a change with its entry in the audit log, all or nothing, unless another process makes it; then obey it."""
        reason, now = order.body.get("reason"), self._registry.clock.moment()

        def job(connection: Connection) -> JsonObject | None:
            if not store.claim_order(connection, order.id, self._process):
                return None
            made = change(connection)
            store.add_audit(connection, order, subject, None if reason is None else str(reason), now)
            notify(connection, ORDERS)
            return made

        made = await self._registry.writer.do(job)
        await self._obey()
        if made is None:
            raise NotMine
        return made

    def _must_be_writable(self) -> None:
        """Refuse what changes tables, while nothing may."""
        if self._registry.operation.read_only:
            raise read_only()

    async def _ban(self, order: Order) -> JsonObject:
        body = order.body
        until, reason = body.get("until"), body.get("reason")
        ban = Ban(
            str(body["kind"]),
            str(body["who"]),
            store.moment(),
            until if isinstance(until, int) else None,
            None if reason is None else str(reason),
        )

        now = self._registry.clock.moment()

        def change(connection: Connection) -> JsonObject:
            store.set_ban(connection, ban, now)
            return {}

        return await self._change(order, f"{ban.kind} {ban.who}", change)

    async def _unban(self, order: Order) -> JsonObject:
        kind, who = str(order.body["kind"]), str(order.body["who"])

        def change(connection: Connection) -> JsonObject:
            store.remove_ban(connection, kind, who)
            return {}

        return await self._change(order, f"{kind} {who}", change)

    async def _notice(self, order: Order) -> JsonObject:
        notice = order.body.get(NOTICE)

        def change(connection: Connection) -> JsonObject:
            store.set_site(connection, NOTICE, notice if isinstance(notice, dict) else None)
            return {}

        return await self._change(order, "on" if notice else "off", change)

    async def _read_only(self, order: Order) -> JsonObject:
        on = order.body["on"] is True

        def change(connection: Connection) -> JsonObject:
            store.set_site(connection, READ_ONLY, {} if on else None)
            return {}

        return await self._change(order, "on" if on else "off", change)

    async def _dismiss(self, order: Order) -> JsonObject:
        person = str(order.body["person"])

        def change(connection: Connection) -> JsonObject:
            return {"count": store.dismiss_reports(connection, person)}

        return await self._change(order, person, change)

    async def _rename(self, order: Order) -> JsonObject:
        self._must_be_writable()
        registry, person = self._registry, str(order.body["person"])
        name = readable_name(str(order.body["name"]))

        def change(connection: Connection) -> JsonObject:
            tables = store.rename_everywhere(connection, person, name)
            registry.leases.revoke(connection, (), tables)  # whoever has them in memory reads them anew
            return {"tables": list(tables)}

        try:
            return await self._change(order, person, change)
        finally:
            registry.forget_person(person)
            async for session in in_slices(registry.sessions.values()):
                if person in session.state.people or session.state.host == person:
                    session.drop()
            async for socket in in_slices(registry.sockets):
                if socket.person is not None and socket.person["id"] == person:
                    socket.leave(COME_AGAIN, "come again")

    async def _delete(self, order: Order) -> JsonObject:
        self._must_be_writable()
        registry, person = self._registry, str(order.body["person"])

        def change(connection: Connection) -> JsonObject:
            store.read_person(connection, person)  # NotFound, if there is none
            return {}

        made = await self._change(order, person, change)
        await registry.delete_person(person)
        return made

    # Changes that the owner of a table, or one process, makes

    async def _close(self, order: Order) -> JsonObject:
        self._must_be_writable()
        registry, table = self._registry, str(order.body["table"])
        reason = order.body.get("reason")
        found = await registry.find(table)
        if isinstance(found, Elsewhere):
            raise NotMine
        await self._change(order, table, lambda _connection: {})
        await found.close(None if reason is None else str(reason))
        return {}

    async def _start_draining(self, order: Order) -> JsonObject:
        if order.body["process"] != self._process:
            raise NotMine
        within = order.body["within"]
        await self._change(order, self._process, lambda _connection: {})
        self._then = partial(self._drain.start, float(within) if isinstance(within, int | float) else 0.0)
        return {"tables": len(self._registry.sessions)}
