"""The host as the Web Worker starts and calls it. What JavaScript gives is a store, two callbacks and the games' kernels."""

from collections.abc import Callable, Sequence
from typing import Protocol

from ludotheque.browser.host import Host
from ludotheque.browser.routes import Answer, Routes
from ludotheque.browser.storage import Change, NotStored
from ludotheque.core import find_game, write_json
from ludotheque.kernels import DiscreteGame


class Store(Protocol):
    """IndexedDB, as `web/src/host/storage.ts` offers it: texts, and promises that Python can await."""

    async def read(self, kind: str, key: str) -> str | None:
        """The text under a key."""

    async def list(self, kind: str, prefix: str) -> Sequence[str]:
        """The texts of all keys with a prefix, in the order of their keys."""

    async def write(self, changes: str) -> str:
        """Store a JSON list of changes in one transaction; answers with the name of what prevented it, or nothing."""


class StoredByPage:
    """The worker's store, for the host."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, kind: str, key: str) -> str | None:
        """The text under a key."""
        found = await self._store.read(kind, key)
        return found if isinstance(found, str) else None  # JavaScript's undefined is not None

    async def list(self, kind: str, prefix: str = "") -> Sequence[str]:
        """The texts of all keys with a prefix, in the order of their keys."""
        return list(await self._store.list(kind, prefix))

    async def write(self, changes: Sequence[Change]) -> None:
        """Store all changes; NotStored if the browser has no room for them."""
        if await self._store.write(write_json([list(change) for change in changes])):
            raise NotStored("browser.storage-full")


class Worker:
    """What the worker calls, one method at a time."""

    def __init__(
        self,
        store: Store,
        deliver: Callable[[int, str], None],
        close: Callable[[int, int, str], None],
        names: Sequence[str],
        lacking: Sequence[str],
    ) -> None:
        games = {name: find_game(name) for name in names}
        self._host = Host(StoredByPage(store), deliver, close, games)
        self._host.lacking.update(lacking)
        self._routes = Routes(self._host)

    async def ask(
        self, method: str, address: str, body: str | None, secret: str | None, language: str, base: str
    ) -> Answer:
        """Answer a question over HTTP."""
        return await self._routes.ask(method, address, body, secret, language, base)

    def connect(self, connection: int, table: str) -> None:
        """The page opens a connection to a table."""
        self._host.connect(connection, table)

    async def receive(self, connection: int, text: str) -> None:
        """A message on a connection."""
        await self._host.receive(connection, text)

    def disconnect(self, connection: int) -> None:
        """The page has closed a connection."""
        self._host.disconnect(connection)

    def wait(self) -> float:
        """Seconds until `advance` is to be called; negative: not before the next message."""
        found = self._host.wait
        return -1.0 if found is None else found

    async def advance(self) -> None:
        """Do one piece of what is due."""
        await self._host.advance()

    def learned(self, game: str) -> None:
        """The weights of a game have come."""
        self._host.lacking.discard(game)


def discrete(name: str) -> DiscreteGame:
    """A game whose kernels the worker brings."""
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return game
