"""Nothing holds up the event loop: what takes long is done in workers and threads, or in slices.

Measured is the processor time of the loop's own thread, callback by callback, not the clock. Other load only adds to it (cold
caches), so the best of a few attempts counts: what always takes long is found, an outlier of a busy machine is not. What is
imported or compiled at first is loaded before.
"""

import asyncio
import copy
import gc
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import orjson
import pytest
import sqlalchemy as sql
from fastapi.routing import APIRoute

from ludotheque.core import (
    CHANCE,
    Dice,
    JsonObject,
    Match,
    Problem,
    Seated,
    find_game,
    game_names,
    write_json,
    write_record,
)
from ludotheque.games.yikerz.text import write_action
from ludotheque.manual import TOPICS
from ludotheque.server import store
from ludotheque.server.admin.operator import Operator
from ludotheque.server.admin.state import Bans
from ludotheque.server.database import open_database, reviews
from ludotheque.server.registry import LONGEST_HERE, TableRegistry
from ludotheque.server.routes import ROUTERS, positions
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.session import session as session_module
from ludotheque.server.session.broadcast import Broadcast
from ludotheque.server.session.session import Session
from ludotheque.server.settings import ServerSettings
from ludotheque.server.writer import PendingWrite
from ludotheque.table import LogEntry, read_request
from ludotheque.table.entries import Stepped
from server.in_process import serving
from server.test_session import Somebody, arrives

LONGEST = 0.005  # seconds of processor time in one callback
ATTEMPTS = 10
STEPS = 1500


@pytest.fixture
def callbacks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[float, str]]]:
    """The processor time of every callback in this thread's event loop; without the garbage collector, which is no callback."""
    taken: list[tuple[float, str]] = []
    run: Any = asyncio.events.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        before = time.thread_time()
        run(handle)
        taken.append((time.thread_time() - before, repr(handle)))

    monkeypatch.setattr(asyncio.events.Handle, "_run", measured)
    gc.collect()
    gc.disable()
    yield taken
    gc.enable()


Doing = Callable[[], Awaitable[object]]


class Measure(Protocol):
    """Awaits something a few times and tells of its longest callback in the best attempt: how long, and which."""

    async def __call__(self, what: Doing, prepare: Doing | None = None) -> tuple[float, str]: ...


@pytest.fixture
def longest(callbacks: list[tuple[float, str]]) -> Measure:
    """The longest callback while something is awaited; what prepares an attempt does not count."""

    async def measure(what: Doing, prepare: Doing | None = None) -> tuple[float, str]:
        found: list[tuple[float, str]] = []
        for _ in range(ATTEMPTS):
            if prepare is not None:
                await prepare()
            await asyncio.sleep(0)  # this callback, which prepared it, does not count
            callbacks.clear()
            await asyncio.ensure_future(_awaited(what))
            await asyncio.sleep(0)
            found.append(max(callbacks))
            if found[-1][0] < LONGEST:
                break
        return min(found)

    return measure


async def _awaited(what: Doing) -> None:
    await what()


def play(session: Session, anna: Somebody, steps: int) -> None:
    """A long match, in memory alone."""
    for number in range(steps):
        position = session.state.position
        assert position is not None
        request: dict[str, Any] = {"do": "roll", "id": str(number), "at": session.state.number}
        if position.to_move != CHANCE:
            request.update(
                do="act", action="pass" if "pass" in position.legal().actions else position.legal().actions[0]
            )
        session.table.handle(read_request(request), anna, session.now())


def test_the_story_of_a_long_match_is_told_by_a_worker(tmp_path: Path, longest: Measure) -> None:
    find_game("yam-master")

    async def evening() -> None:
        database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
        settings = ServerSettings(database=database, workers=1, warm_up=False)
        registry = TableRegistry(open_database(database), settings, "")
        try:
            anna = Somebody("Anna")
            assert anna.person is not None
            seats = [{"kind": "me"}, {"kind": "me", "name": "Zoé"}]
            wanted = {"game": "yam-master", "options": {"max_turns": 1000}, "seats": seats}
            session = await registry.open(NewTable.model_validate(wanted), anna.person)
            await arrives(session, anna)
            play(session, anna, STEPS)
            match = session.state.match
            assert match is not None
            await session.handle(anna, read_request({"do": "story", "id": "warm"}))  # the worker has started
            await asyncio.sleep(0)
            anna.send = keep = Kept()  # type: ignore[method-assign] # reading it would count
            ask = read_request({"do": "story", "id": "s", "from": 10})
            taken = await longest(lambda: session.handle(anna, ask))
            story = orjson.loads(keep.texts[0])
            assert (story["what"], story["id"], story["from"]) == ("story", "s", 10)
            assert story["number"] == session.state.number
            assert [one["action"] for one in story["steps"]] == [entry.action for entry in match.log[10:]]
            assert "Zoé" in orjson.dumps(story["steps"]).decode()
            assert taken[0] < LONGEST, taken
            registry.questions.close()
            with pytest.raises(Problem):
                await session.handle(anna, read_request({"do": "story", "id": "t"}))
        finally:
            await registry.close()

    asyncio.run(evening())


class Kept:
    """What was sent, unread."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []

    def __call__(self, text: bytes) -> None:
        self.texts.append(text)


# Tables


Evening = Callable[[TableRegistry, Session, Somebody], Awaitable[None]]


def at_a_table(folder: Path, evening: Evening, **wanted: Any) -> None:
    """Anna sits on both sides of a table."""

    async def whole() -> None:
        database = f"sqlite:///{folder / 'tables.sqlite'}"
        settings = ServerSettings(database=database, workers=1, warm_up=False)
        registry = TableRegistry(open_database(database), settings, "")
        try:
            anna = Quiet("Anna")
            assert anna.person is not None
            seats = {"seats": [{"kind": "me"}, {"kind": "me", "name": "Zoé"}]}
            session = await registry.open(NewTable.model_validate({**seats, **wanted}), anna.person)
            await arrives(session, anna)
            await evening(registry, session, anna)
        finally:
            await registry.close()

    asyncio.run(asyncio.wait_for(whole(), 900))


class Quiet(Somebody):
    """Somebody who only counts what they are told: reading it would count."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.told = 0

    def send(self, text: bytes) -> None:
        self.told += 1


async def play_on(session: Session, anna: Somebody, steps: int) -> None:
    """So many steps, one match after the other, all stored."""
    entries: list[LogEntry] = []
    choice = random.Random(1)
    for _ in range(steps):
        state = session.state
        position = state.position
        assert position is not None
        request: dict[str, Any] = {"do": "roll", "id": f"s{state.number}", "at": state.number}
        if state.status == "over":
            request["do"] = "rematch"
        elif position.to_move != CHANCE:
            legal = position.legal().actions
            request.update(do="act", action="pass" if "pass" in legal else choice.choice(legal))
        entries += session.table.handle(read_request(request), anna, session.now()).entries
    await session._services.writer.append(session.state.id, session.epoch, entries)


async def reload(registry: TableRegistry, session: Session) -> Session:
    """The table leaves memory and is found again."""
    session.drop()
    await registry.housekeeping._release(session.state.id, session.epoch, session.state.acting_person)
    again = await registry.find(session.state.id)
    assert isinstance(again, Session)
    return again


@pytest.mark.parametrize("game", ["twisty", "wykersham", "yam-master"])
def test_a_long_table_is_restored_entered_and_taken_back_beside_the_loop(
    tmp_path: Path, longest: Measure, game: str
) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        await play_on(session, anna, 500)
        again = [await reload(registry, session)]

        async def restore() -> None:
            again.append(await reload(registry, again[-1]))

        taken = await longest(restore)
        assert taken[0] < LONGEST, taken
        here = again[-1]
        assert here.state.number == session.state.number
        assert here.state.position is not None
        assert session.state.position is not None
        assert here.state.position.view() == session.state.position.view()
        taken = await longest(lambda: here.enter(Quiet("Bruno"), 1))
        assert taken[0] < LONGEST, taken

    at_a_table(tmp_path, evening, game=game, series=9)


def test_a_long_match_is_taken_back_ended_and_played_again_beside_the_loop(tmp_path: Path, longest: Measure) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        del registry
        await play_on(session, anna, STEPS)
        match = session.state.match
        assert match is not None
        numbers = count()

        async def asked(do: str, **more: Any) -> None:
            await session.handle(
                anna, read_request({"do": do, "id": f"{do}{next(numbers)}", "at": session.state.number, **more})
            )

        async def long_match() -> None:
            if session.state.status == "over":  # of the attempt before
                await play_on(session, anna, STEPS)

        async def ended_match() -> None:
            if session.state.status != "over":
                await play_on(session, anna, STEPS)
                await asked("resign")

        taken = await longest(lambda: asked("takeback"))
        assert taken[0] < LONGEST, taken
        assert len(match.log) < STEPS
        taken = await longest(lambda: asked("resign"), long_match)
        assert taken[0] < LONGEST, taken
        assert session.state.status == "over"
        before = session.state.matches
        taken = await longest(lambda: asked("rematch"), ended_match)
        assert taken[0] < LONGEST, taken
        assert session.state.matches > before

    at_a_table(tmp_path, evening, game="yam-master", options={"max_turns": 1000})


@pytest.mark.parametrize("game", ["twisty", "wykersham", "yam-master"])
def test_what_is_done_in_the_loop_is_short(tmp_path: Path, longest: Measure, game: str) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        del registry
        choice, numbers = random.Random(2), count()

        async def asked(do: str, **more: Any) -> None:
            request = {"do": do, "id": f"{do}{next(numbers)}", "at": session.state.number, **more}
            await session.handle(anna, read_request(request))

        async def steps() -> None:
            for _ in range(30):
                state = session.state
                assert state.position is not None
                if state.status == "over":
                    await asked("rematch")
                elif state.position.to_move == CHANCE:
                    await asked("roll")
                else:
                    await asked("act", action=choice.choice(state.position.legal().actions))

        taken = await longest(steps)
        assert taken[0] < LONGEST, taken
        position, actions = session.state.position, list[str]()
        assert position is not None
        while len(actions) < LONGEST_HERE and position.to_move is not None:
            actions.append(choice.choice(position.legal().actions))
            position = position.play(actions[-1]).position
        taken = await longest(lambda: asked("peek", actions=actions))
        assert taken[0] < LONGEST, taken

    at_a_table(tmp_path, evening, game=game)


def test_a_long_preview_is_worked_out_by_a_worker(tmp_path: Path, longest: Measure) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        del registry
        position = session.state.position
        actions: list[str] = []
        assert position is not None
        while len(actions) < 50:
            legal = position.legal().actions
            actions.append("pass" if "pass" in legal else legal[0])
            position = position.play(actions[-1]).position
        heard = Somebody("Bruno")
        await session.enter(heard, None)
        await session.handle(heard, read_request({"do": "peek", "id": "0", "actions": actions}))
        assert heard.heard[-1]["what"] == "preview"
        assert [one["action"] for one in heard.heard[-1]["steps"]] == actions
        assert heard.heard[-1]["position"]["state"] == orjson.loads(orjson.dumps(position.view()))
        taken = await longest(lambda: session.handle(anna, read_request({"do": "peek", "id": "1", "actions": actions})))
        assert taken[0] < LONGEST, taken

    at_a_table(tmp_path, evening, game="yam-master", options={"max_turns": 1000})


@pytest.mark.slow
def test_a_yikerz_table_with_long_paths_is_restored_and_entered_beside_the_loop(
    tmp_path: Path, longest: Measure
) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        await session.handle(
            anna, read_request({"do": "act", "id": "l", "at": session.state.number, "action": '{"layout":"pyramid"}'})
        )
        assert session.state.position is not None
        while session.state.position.to_move == CHANCE:
            number = session.state.number
            await session.handle(anna, read_request({"do": "roll", "id": f"r{number}", "at": number}))
        path = [[round(k / 60, 4), 0, -40, 40 + k % 50, 1, 0, 0, 0] for k in range(1200)]
        action = write_action({"magnet": 0, "path": path, "release": 20})
        fell: JsonObject = {
            "board": {},
            "taken": [0],
            "events": [],
            "quiet": 0,
            "seconds": 20,
            "physics": "test",
            "frames": [],
        }
        first = session.state.number + 1
        entries = [LogEntry(first + k, Stepped(0, action, fell), session.state.touched) for k in range(100)]
        await registry.writer.append(session.state.id, session.epoch, entries)
        again = [await reload(registry, session)]

        async def restore() -> None:
            again.append(await reload(registry, again[-1]))

        taken = await longest(restore)
        assert taken[0] < LONGEST, taken
        assert again[-1].state.number == first + 99
        taken = await longest(lambda: again[-1].enter(Quiet("Bruno"), 1))
        assert taken[0] < LONGEST, taken

    at_a_table(tmp_path, evening, game="yikerz", seats=[{"kind": "me"}], options={"magnets": 4, "first": 0})


def test_a_crowd_of_spectators_is_told_in_slices_and_in_order(
    tmp_path: Path, callbacks: list[tuple[float, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "HERE_SECONDS", 0.05)

    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        del registry
        crowd = [Somebody(f"P{number}") for number in range(200)]
        for one in crowd:
            await session.enter(one, None)
        heres = sum(message["what"] == "here" for one in crowd for message in one.heard)
        assert heres < 2000, "not everybody is told of everybody who comes"
        while not all(one.heard[-1].get("watching") == 201 for one in crowd):
            await asyncio.sleep(0.01)
        sent_at: dict[int, int] = {}

        class Counting(Somebody):
            def send(self, text: bytes) -> None:
                super().send(text)
                sent_at[len(callbacks)] = sent_at.get(len(callbacks), 0) + 1

        for one in crowd:
            one.heard.clear()
            one.__class__ = Counting
        for do in ("roll", "act"):
            request = {"do": do, "id": do, "at": session.state.number}
            await session.handle(anna, read_request({**request, "action": "pass"} if do == "act" else request))
        while len(crowd[-1].heard) < 2:
            await asyncio.sleep(0)
        assert all([message["what"] for message in one.heard] == ["step", "step"] for one in crowd)
        assert all(one.heard[0]["number"] + 1 == one.heard[1]["number"] for one in crowd)
        assert max(sent_at.values()) <= 64

    at_a_table(tmp_path, evening, game="yam-master")


# What is done again and again


def test_thousands_of_tables_and_writes_are_gone_through_in_slices(tmp_path: Path, longest: Measure) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        del anna
        for number in range(5000):
            other = copy.copy(session)
            other.used = registry.loop.time() + 1e6
            registry.sessions[f"t{number}"] = other
        taken = await longest(registry.housekeeping._release_idle)
        assert taken[0] < LONGEST, taken
        taken = await longest(lambda: asyncio.gather(*(_nothing(registry) for _ in range(2000))))
        assert taken[0] < 10 * LONGEST, "2,000 callers who begin at once are this test's own"
        done: list[float] = []

        def spend(_result: object) -> None:
            end = time.thread_time() + 0.00005
            while time.thread_time() < end:
                pass
            done.append(end)

        async def write_much() -> None:
            done.clear()
            for _ in range(1000):
                registry.writer.add(PendingWrite(spend, jobs=(lambda _connection: None,)))
            while len(done) < 1000:
                await asyncio.sleep(0)

        taken = await longest(write_much)
        assert taken[0] < LONGEST, taken
        for number in range(5000):
            del registry.sessions[f"t{number}"]

    at_a_table(tmp_path, evening, game="yam-master")


class Caller(Quiet):
    """An open socket, as the registry sees it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"P{number}")
        self.device: str | None = f"device {number}"
        self.address = f"192.0.2.{number % 250}"
        self.gone = 0

    def leave(self, code: int, reason: str) -> None:
        self.gone += 1

    def show_out(self, ban: store.Ban) -> None:
        self.gone += 1


def test_revocations_and_bans_go_through_a_crowd_in_slices(tmp_path: Path, longest: Measure) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        del session, anna
        crowd = [Caller(number) for number in range(10_000)]
        for one in crowd:
            registry.count_socket(one, limited=False)
            registry.sockets.add(one)
        taken = await longest(registry.close_revoked)
        assert taken[0] < LONGEST, taken
        assert all(one.gone for one in crowd), "none of their secrets is known"
        registry.operation.bans = Bans([store.Ban("network", "192.0.2.0/25", 0, None, None)])
        operator = Operator(registry, registry.hits)
        for one in crowd:
            one.gone = 0
        taken = await longest(operator._show_out)
        assert taken[0] < LONGEST, taken
        assert sum(one.gone > 0 for one in crowd) >= 5000
        registry.sockets.clear()
        for one in crowd:
            registry.discount_socket(one)

    at_a_table(tmp_path, evening, game="yam-master")


def test_operators_questions_and_a_lapse_go_through_a_crowd_in_slices(tmp_path: Path, longest: Measure) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        del anna
        crowd = [Caller(number) for number in range(10_000)]
        registry.sockets.update(crowd)
        for number in range(10_000):
            registry.hits.add("requests", f"p{number}")
        operator, order = Operator(registry, registry.hits), store.Order("o", "anna", "status", {})

        async def tables_return() -> None:
            """3,000 tables with three sockets each, and one with a thousand."""
            for number in range(3001):
                other = registry.sessions[f"t{number}"] = copy.copy(session)
                other.dropped, other._broadcast = False, Broadcast()
                here = crowd[3 * number : 3 * number + 3] if number < 3000 else crowd[9000:]
                other._broadcast.connections = dict(zip(here, here, strict=True))

        await tables_return()
        for ask in (operator._status, operator._tables, operator._people, operator._limits):
            taken = await longest(lambda ask=ask: ask(order))  # type: ignore[misc] # mypy cannot infer this lambda
            assert taken[0] < LONGEST, (ask, taken)
        assert len((await operator._tables(order))["tables"]) == 3002  # type: ignore[arg-type] # a list
        assert len((await operator._people(order))["people"]) == 10_001  # type: ignore[arg-type]
        taken = await longest(registry.housekeeping._let_go, tables_return)
        assert taken[0] < LONGEST, taken
        while not all(one.gone for one in crowd):
            await asyncio.sleep(0)
        assert registry.leases._tables_dropped, "now the process may come back"
        for number in range(3001):
            del registry.sessions[f"t{number}"]
        registry.sockets.clear()

    at_a_table(tmp_path, evening, game="yam-master")


async def _nothing(registry: TableRegistry) -> None:
    await registry.writer.do(lambda _connection: None)


# Over HTTP


def long_record(steps: int) -> Match:
    match = Match(find_game("yam-master"), 2, {"max_turns": 1000}, dice=Dice("long"))
    while len(match.log) < steps:
        if match.to_move == CHANCE:
            match.draw()
        else:
            legal = match.position.legal().actions
            match.play("pass" if "pass" in legal else legal[0])
    return match


def short_question(game: str) -> dict[str, Any]:
    """As many actions as are replayed without a worker."""
    match, choice = Match(find_game(game), dice=Dice("short")), random.Random(1)
    while len(match.log) < positions.SHORT_QUESTION:
        if match.to_move == CHANCE:
            match.draw()
        else:
            match.play(choice.choice(match.position.legal().actions))
    return {
        "game": game,
        "players": match.position.players,
        "setup": match.first.view(),
        "actions": [entry.action for entry in match.log],
    }


def served() -> set[tuple[str, str]]:
    """Every address of the server, as a method and a pattern."""
    return {
        (method, re.sub(r"\{.*?\}", "[^/]+", f"/api{route.path}").replace("board/[^/]+", "board/.+"))
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }


def test_no_answer_over_http_holds_up_the_loop(tmp_path: Path, longest: Measure) -> None:
    """Every address, with the longest of what it may be asked for."""
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    settings = ServerSettings(database=database, workers=1, warm_up=False, rate_limits=False)
    match = long_record(2000)
    record = write_json(write_record(match, [Seated("Anna"), Seated("Zoé")])).encode()
    big = orjson.dumps({**orjson.loads(record), "actions": ["keep 1"] * 380_000}).decode()  # nearly 4 MiB
    moment = {"by": 0, "action": "pass", "chances": [0.5, 0.5], "lost": 0.1, "best": "pass", "size": "blunder"}
    mistakes = {"blunder": 1, "mistake": 1, "inaccuracy": 1}
    review = {
        "judge": "bot:5",
        "players": [{"luck": 0.1, "lost": 0.1, "decisions": 10, "mistakes": mistakes}] * 2,
        "moments": [{"place": place, **moment} for place in range(2000)],
    }

    async def evening() -> None:
        async with serving(settings) as app:
            person = (await app.ask("POST", "/api/people", {"name": "Anna"})).json()
            other = (await app.ask("POST", "/api/people", {"name": "Zoé"})).json()["person"]["id"]
            anna = {"authorization": f"Bearer {person['secret']}"}
            seats = [{"kind": "bot", "level": 1}] * 2
            opened = (await app.ask("POST", "/api/tables", {"game": "yam-master", "seats": seats}, anna)).json()[
                "table"
            ]
            uploaded = await app.ask("POST", "/api/records", record, anna)
            assert uploaded.status == 201, uploaded.body
            key = uploaded.json()["id"]
            engine = open_database(database)
            with engine.begin() as connection:
                card = (await app.ask("GET", f"/api/tables/{opened['id']}")).json()
                for number in range(300):
                    store.add_table(connection, {**card, "id": f"t{number}"}, False, number)
                    store.add_record(
                        connection, {**uploaded.json(), "id": f"r{number}"}, "{}", private=False, uploader=None
                    )
                store.add_record(connection, {**uploaded.json(), "id": "big"}, big, private=False, uploader=None)
                values = {"person": "x", "owner": "x", "state": "done", "asked": 1, "done": 1, "total": 1}
                body = orjson.dumps(review).decode()
                connection.execute(sql.insert(reviews).values(record=key, body=body, **values))
            engine.dispose()
            question: dict[str, Any] = {
                "game": "yam-master",
                "players": 2,
                "options": {"max_turns": 1000},
                "setup": match.first.view(),
                "actions": [entry.action for entry in match.log],
            }
            short = {**question, "actions": question["actions"][: positions.SHORT_QUESTION]}
            requests: list[tuple[Any, ...]] = [
                ("GET", "/api/tables"),
                ("GET", "/api/tables?mine=true", b"", anna),
                ("POST", "/api/tables", {"game": "yam-master", "seats": [{"kind": "me"}] * 2}, anna),
                ("GET", f"/api/tables/{opened['id']}"),
                ("GET", f"/api/tables/{opened['id']}/qr.svg"),
                ("GET", f"/api/tables/{opened['id']}/record"),
                ("GET", f"/api/tables/{opened['id']}/glance"),
                ("GET", "/api/records"),
                ("POST", "/api/records", record, anna),
                ("GET", f"/api/records/{key}"),
                ("GET", f"/api/records/{key}/story"),
                ("GET", f"/api/records/{key}/verdict"),
                ("GET", f"/api/records/{key}/review"),
                ("POST", f"/api/records/{key}/review", b"", anna),
                ("GET", "/api/records/big"),
                ("POST", "/api/records/big/review", b"", anna),
                ("POST", "/api/verdict", record),
                *(("POST", f"/api/{what}", question) for what in ("position", "drawing", "odds")),
                *(("POST", f"/api/{what}", short) for what in ("position", "drawing", "odds")),
                ("POST", "/api/hint", {**short, "actions": short["actions"][:-1], "seconds": 0.1}),
                ("POST", "/api/position", orjson.dumps({"game": "yam-master", "more": [[1.5]] * 9000})),
                *(("POST", "/api/position", short_question(game)) for game in ("twisty", "wykersham")),
                ("POST", "/api/games/yikerz/ask", {"do": "shapes"}),
                ("GET", "/api/games"),
                *(
                    ("GET", f"/api/games/{game}{more}")
                    for game in game_names()
                    for more in ("", "/rules?language=fr", "/examples", "/words?language=fr", "/puzzles")
                ),
                *(
                    ("GET", f"/api/games/{game}/{more}")
                    for game in ("yam-master", "twisty", "wykersham")
                    for more in ("puzzle", "puzzles/1")
                ),
                ("POST", "/api/games/yam-master/puzzles/1/answer", {"action": "pass"}),
                ("GET", "/api/help"),
                *(("GET", f"/api/help/{topic.name}?language=fr") for topic in TOPICS),
                ("GET", "/api/games/yikerz/kernels.wasm"),
                ("GET", "/api/site"),
                ("GET", "/api/address"),
                ("GET", "/api/schemas"),
                ("GET", "/openapi.json"),
                ("GET", "/metrics"),
                ("GET", "/healthz"),
                ("POST", "/api/people", {"name": "Bruno"}),
                ("GET", "/api/people/me", b"", anna),
                ("PATCH", "/api/people/me", {"name": "Anne"}, anna),
                ("POST", "/api/people/me/links", b"", anna),
                ("GET", "/api/people/me/results", b"", anna),
                ("POST", "/api/people/me/opponent", {"game": "yam-master"}, anna),
                ("DELETE", "/api/people/me/opponent", b"", anna),
                ("POST", f"/api/people/{other}/report", {}, anna),
                ("DELETE", "/api/people/me/devices", b"", anna),
            ]
            # What can be done once, refused afterwards: nothing else of it takes long. No game of ours has a board of its own.
            refused: list[tuple[Any, ...]] = [
                ("POST", "/api/people/links/none"),
                ("GET", "/api/games/yam-master/board/board.js"),
                ("DELETE", f"/api/records/{key}/review", b"", anna),
                ("DELETE", f"/api/records/{key}", b"", anna),
                ("DELETE", "/api/people/me", b"", anna),
            ]
            asked = {(one[0], str(one[1]).split("?")[0]) for one in (*requests, *refused)}
            missing = [
                one
                for one in served()
                if not any(one[0] == method and re.fullmatch(one[1], path) for method, path in asked)
            ]
            assert not missing, "this test asks for everything"
            slow: list[str] = []
            for request in (*requests, *refused):
                answer = await app.ask(*request)
                assert answer.status < 300 or request in refused, (request[1], answer.body[:200])

                async def again(request: tuple[Any, ...] = request) -> None:
                    await app.ask(*request)

                taken = await longest(again)
                if taken[0] >= LONGEST:
                    slow.append(f"{request[0]} {request[1]} {request[2:][:1]!s:.60}: {taken[0] * 1e3:.1f} ms")
            assert not slow, "\n".join(slow)

    asyncio.run(asyncio.wait_for(evening(), 900))
