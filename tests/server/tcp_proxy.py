"""A TCP proxy before a Unix socket that can be slow, silent or cut: the network between a server and its database."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any

CHUNK = 65_536


class TcpProxy:
    """Runs in a thread of its own. All its switches may be called from any other."""

    def __init__(self, host: str, target: str) -> None:
        self._target = target
        self._delay = 0.0
        self._refuses = False
        self._connections: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._flows.set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._accept, host, 0))
        self.port = int(self._server.sockets[0].getsockname()[1])

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def _call(self, work: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(work)

    def slow(self, seconds: float) -> None:
        """Delay whatever passes, in both directions."""
        self._delay = seconds

    def silent(self) -> None:
        """Let nothing pass, and tell nobody: connections are half open."""
        self._call(self._flows.clear)

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        self._refuses = True
        self._call(self._break)

    def heal(self) -> None:
        """Let everything pass again."""
        self._delay, self._refuses = 0.0, False
        self._call(self._flows.set)

    def close(self) -> None:
        """Stop."""
        self._do(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    def _break(self) -> None:
        for writer in self._connections:
            writer.transport.abort()

    async def _stop(self) -> None:
        self._server.close()
        self._break()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._connections.add(writer)
        other: asyncio.StreamWriter | None = None
        try:
            if self._refuses:
                return
            back, other = await asyncio.open_unix_connection(self._target)
            self._connections.add(other)
            await asyncio.gather(self._pass(reader, other), self._pass(back, writer))
        except OSError:  # either end is gone: so is the other
            return
        finally:
            for end in (writer, other):
                if end is not None:
                    end.transport.abort()
                    self._connections.discard(end)
            self._tasks.discard(task)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            if self._delay:
                await asyncio.sleep(self._delay)
            await self._flows.wait()
            writer.write(data)
            await writer.drain()
        with contextlib.suppress(OSError):
            writer.close()
        raise ConnectionResetError
