"""A browser window without a browser: the host in this process, a store in memory, and what the page hears in lists."""

import json
import secrets
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from ludotheque.browser.host import Host
from ludotheque.browser.routes import Routes
from ludotheque.browser.storage import Change, MemoryStorage, NotStored
from ludotheque.core import Game, find_game

GAMES = {name: find_game(name) for name in ("twisty", "wykersham", "yam-master")}
Result = TypeVar("Result")


def done(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that waits for nothing outside."""
    try:
        work.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    raise AssertionError("it waits for something")


class FullStorage(MemoryStorage):
    """A store that takes nothing more once it is `full`."""

    full = False

    async def write(self, changes: Sequence[Change]) -> None:
        if self.full:
            raise NotStored("browser.storage-full")
        await super().write(changes)


class Window:
    """A window, its host and the person in front of it."""

    def __init__(self, storage: MemoryStorage | None = None, games: dict[str, Game] | None = None) -> None:
        self.storage = storage or MemoryStorage()
        self.heard: dict[int, list[dict[str, Any]]] = {}
        self.closed: dict[int, int] = {}
        self.host = Host(self.storage, self._deliver, self._close, games or GAMES)
        self.routes = Routes(self.host)
        self.secret: str | None = None
        self._connections = 0

    def _deliver(self, connection: int, text: str) -> None:
        assert connection not in self.closed, "nobody hears what comes after the end"
        self.heard[connection].append(json.loads(text))

    def _close(self, connection: int, code: int, _reason: str) -> None:
        self.closed[connection] = code

    def ask(self, method: str, path: str, body: Any = None, language: str = "en") -> tuple[int, Any]:
        text = None if body is None else body if isinstance(body, str) else json.dumps(body)
        answer = done(self.routes.ask(method, path, text, self.secret, language, "http://here/"))
        return answer.status, json.loads(answer.text) if answer.text and "json" in answer.kind else answer.text

    def named(self, name: str = "Ada") -> "Window":
        _, identity = self.ask("POST", "/api/people", {"name": name})
        self.secret = identity["secret"]
        return self

    def opens(self, game: str, **wanted: Any) -> str:
        status, answer = self.ask("POST", "/api/tables", {"game": game, **wanted})
        assert status == 201, answer
        return str(answer["table"]["id"])

    def enters(self, table: str, **hello: Any) -> int:
        self._connections += 1
        connection = self._connections
        self.heard[connection] = []
        self.host.connect(connection, table)
        self.sends(connection, do="hello", version=1, **({"secret": self.secret} if self.secret else {}), **hello)
        return connection

    def sends(self, connection: int, **message: Any) -> list[dict[str, Any]]:
        """Send a message; what comes at once."""
        before = len(self.heard[connection])
        done(self.host.receive(connection, json.dumps(message)))
        return self.heard[connection][before:]

    def asks(self, connection: int, do: str, **more: Any) -> list[dict[str, Any]]:
        return self.sends(connection, do=do, id=secrets.token_hex(8), at=self.number(connection), **more)

    def number(self, connection: int) -> int:
        return max((one["number"] for one in self.heard[connection] if "number" in one), default=0)

    def last(self, connection: int, *what: str) -> dict[str, Any]:
        return next(one for one in reversed(self.heard[connection]) if one["what"] in what)

    def position(self, connection: int) -> dict[str, Any]:
        told = self.last(connection, "state", "step", "table")["position"]
        assert isinstance(told, dict)
        return told

    def settle(self) -> None:
        """Let everything happen that is to happen by itself now."""
        while self.host.wait == 0.0:
            done(self.host.advance())

    def begins(self, game: str, *, bots: int = 0, me: int = 1, level: int = 1, **wanted: Any) -> tuple[str, int]:
        """Open a table and begin its match: the window's number for the dice is there."""
        seats = [{"kind": "me"}] * me + [{"kind": "bot", "level": level}] * bots
        settings = {"pace": 0, **wanted.pop("settings", {})}
        table = self.opens(game, seats=seats, settings=settings, **wanted)
        connection = self.enters(table)
        self.asks(connection, "contribute", number="seven")
        return table, connection

    def rolls(self, connection: int) -> dict[str, Any]:
        """Roll until somebody at this device has to decide; the position then."""
        while not self.position(connection)["legal"]["actions"]:
            self.asks(connection, "roll")
        return self.position(connection)

    def plays(self, connection: int) -> bool:
        """One step of whoever is to act at this device, or of the bots; False when the match has ended."""
        told = self.last(connection, "state", "step", "table")
        if (told.get("table") or {}).get("status") == "over" or self.position(connection)["over"]:
            return False
        position = self.position(connection)
        mine = self.last(connection, "state")["you"]["seats"]
        if position["acting"] in mine:
            if position["to_move"] == "chance":
                self.asks(connection, "roll")
            else:
                self.asks(connection, "act", action=position["legal"]["actions"][0])
        else:
            done(self.host.advance())
        return True
