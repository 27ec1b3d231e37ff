"""What happens at a table in this very process, where time can be moved: claims, and frames for slow readers."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from ludotheque.core import BadRequest, Json, JsonObject
from ludotheque.server.database import open_database
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.tables import NewSettings, NewTable
from ludotheque.server.session.session import Session
from ludotheque.server.settings import ServerSettings
from ludotheque.table import Message, read_request


class Somebody:
    """A connection that remembers what it was told; one that reads slowly takes no frames."""

    def __init__(self, name: str, *, slow: bool = False) -> None:
        self.id = name.lower()
        self.person: JsonObject | None = {"id": self.id, "name": name}
        self.language = "en"
        self.network = ""
        self.slow = slow
        self.left = False
        self.heard: list[dict[str, Any]] = []

    def send(self, text: bytes) -> None:
        self.heard.append(orjson.loads(text))

    def send_frame(self, text: bytes) -> None:
        if not self.slow:
            self.send(text)

    def leave(self, code: int, reason: str) -> None:
        self.left = True
        self.heard.append({"what": "left", "code": code})


async def asks(session: Session, who: Somebody, do: str, **more: Any) -> None:
    request = {"do": do, "id": f"{do}-{session.state.number}", "at": session.state.number, **more}
    await session.handle(who, read_request(request))


async def arrives(session: Session, who: Somebody) -> None:
    """Somebody connects and, as the page does, sends the number that the table awaits."""
    await session.enter(who, None)
    if who.id in {session.state.seats[seat].person for seat in session.state.awaited}:
        await asks(session, who, "contribute", number=who.id)


def at_a_table(folder: Path, what: Callable[[Session, Somebody, Somebody], Awaitable[None]], **settings: Any) -> None:
    """Anna and Bruno sit at a table of Yam Master."""

    async def evening() -> None:
        database = f"sqlite:///{folder / 'tables.sqlite'}"
        registry = TableRegistry(
            open_database(database), ServerSettings(database=database, workers=1, warm_up=False), ""
        )
        try:
            anna, bruno = Somebody("Anna"), Somebody("Bruno")
            assert anna.person is not None
            session = await registry.open(NewTable(game="yam-master", settings=NewSettings(**settings)), anna.person)
            for one in (anna, bruno):
                await arrives(session, one)
            await asks(session, bruno, "sit", seat=1, number="7")
            await what(session, anna, bruno)
        finally:
            await registry.close()

    asyncio.run(evening())


@pytest.mark.parametrize(("claimed_as", "status"), [("win", "over"), ("bot", "playing")])
def test_a_game_is_claimed_once_the_other_has_been_away_for_long_enough(
    tmp_path: Path, claimed_as: str, status: str
) -> None:
    async def claims(session: Session, anna: Somebody, bruno: Somebody) -> None:
        acting = session.state.acting
        gone, there = (anna, bruno) if acting == 0 else (bruno, anna)
        session.exit(gone)
        now = asyncio.get_running_loop().time()
        session.table.room.away[gone.id] = now - 59
        with pytest.raises(BadRequest, match="60 seconds"):
            await asks(session, there, "claim", **{"as": claimed_as})
        session.table.room.away[gone.id] = now - 61
        await asks(session, there, "claim", **{"as": claimed_as})
        assert session.state.status == status
        assert acting is not None
        if claimed_as == "win":
            assert session.state.ended is not None
            assert session.state.ended.returns[acting] == 0
        else:
            assert session.state.seats[acting].kind == "bot"

    at_a_table(tmp_path, claims, claim_after=60)


def test_a_slow_reader_misses_frames_but_nothing_that_happened(tmp_path: Path) -> None:
    async def watches(session: Session, anna: Somebody, bruno: Somebody) -> None:
        bruno.slow = True
        for sample in range(1, 7):
            events: list[Json] = [{"what": "touch"}] if sample in (2, 5) else []
            content: JsonObject = {"what": "live", "seat": 0, "sample": sample, "frame": {"events": events}}
            session._broadcast.stream(Message(content))
        assert [one["sample"] for one in anna.heard if one["what"] == "live"] == [1, 2, 3, 4, 5, 6]
        assert [one["sample"] for one in bruno.heard if one["what"] == "live"] == [2, 5]

    at_a_table(tmp_path, watches)


def test_what_somebody_has_asked_for_is_void_once_they_are_shown_out(tmp_path: Path) -> None:
    """Their secret is revoked, or they are removed, while their request waits for another's, such as a turn of physics."""

    async def waits(session: Session, anna: Somebody, bruno: Somebody) -> None:
        acting = anna if session.state.acting == 0 else bruno
        number = session.state.number
        async with session.lock:
            asked = [asyncio.ensure_future(asks(session, acting, do)) for do in ("roll", "peek", "resign")]
            await asyncio.sleep(0)
            acting.leave(4401, "unknown secret")
        await asyncio.gather(*asked)
        assert session.state.number == number
        assert acting.heard[-1]["what"] == "left"

    at_a_table(tmp_path, waits)
