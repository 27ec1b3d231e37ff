"""Limits by cost: the processor time of the workers is charged to whoever asks, and simulated time has a bound."""

import asyncio
import json
import pickle
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludotheque.answers import positions
from ludotheque.core import BadRecord, BadRequest, Dice, Match, find_game, simulating_at_most, write_record
from ludotheque.games.yikerz.text import write_action
from ludotheque.server import costs, remote_rules, workers
from ludotheque.server.costs import Costs, Payer
from ludotheque.server.database import open_database
from ludotheque.server.metrics import Metrics
from ludotheque.server.problems import TooMany
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.positions import Question
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.security import address_of
from ludotheque.server.session.session import Session
from ludotheque.server.settings import ServerSettings
from ludotheque.server.workers import Workers, WorkLost
from server.guests import Guest, house
from server.in_process import serving
from server.test_session import Somebody, arrives, asks
from server.test_workers import wait_for

POSE = [0, 0, 150, 1, 0, 0, 0]
YIKERZ = {"magnets": 4, "hand_seconds": None}


def turn(magnet: int, release: float) -> str:
    """A hand that keeps still above the board for so long."""
    return write_action({"magnet": magnet, "path": [[0, *POSE]], "release": release})


def long_question(turns: int, release: float) -> dict[str, Any]:
    """A position after many turns of one player."""
    setup = ['{"layout":"pyramid"}', *(f'{{"deal":{magnet}}}' for magnet in range(20))]
    actions = [*setup, *(turn(number % 20, release) for number in range(turns))]
    return {"game": "yikerz", "players": 1, "actions": actions}


# Processor time


def spin(seconds: float) -> None:
    """In a worker: use the processor."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_network_waits_until_it_has_some_processor_time_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(costs, "LIMITS", {"question": (10.0, 0.5), "review": (10.0, 0.5)})
    limits = Costs(enabled=True)
    limits.payer("question", "192.0.2.1").charge(19.0)
    with pytest.raises(TooMany) as refused:
        limits.payer("question", "192.0.2.1").must_afford()
    assert refused.value.retry_after == 20, "9 seconds of debts and one to spend, half a second every second"
    assert "20" in refused.value.sentence("en")
    assert "20" in refused.value.sentence("fr")
    limits.payer("question", "192.0.2.2").must_afford()
    limits.payer("review", "192.0.2.1").must_afford()
    now += 19
    with pytest.raises(TooMany, match="1 second"):
        limits.payer("question", "192.0.2.1").must_afford()
    now += 1
    limits.payer("question", "192.0.2.1").must_afford()
    Costs(enabled=False).payer("question", "192.0.2.1").charge(1e9)
    Costs(enabled=False).payer("question", "192.0.2.1").must_afford()


def test_the_addresses_of_a_64_pay_together() -> None:
    limits = Costs(enabled=True)
    one, two = (address_of({"client": (f"2001:db8:1:2::{host}", 1)}) for host in ("1", "ffff"))
    limits.payer("question", one).charge(1e6)
    with pytest.raises(TooMany):
        limits.payer("question", two).must_afford()


def test_a_worker_tells_its_processor_time_and_a_lost_one_pays_for_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "RESTARTING", 0.5)
    monkeypatch.setattr(costs, "LIMITS", {"question": (100.0, 1e-9)})

    async def evening() -> None:
        pool, limits = Workers(1, Metrics()), Costs(enabled=True)
        try:
            payer = limits.payer("question", "a")
            bucket = payer._bucket
            assert bucket is not None
            await pool.ask(payer, 60, time.sleep, 0.5)
            assert bucket.full > 99.7, "sleeping costs next to nothing"
            await pool.ask(payer, 60, spin, 0.5)
            assert bucket.full < 99.5
            with pytest.raises(WorkLost):
                await pool.ask(payer, 1.0, time.sleep, 1000)
            assert bucket.full < 98.5
        finally:
            pool.close()

    asyncio.run(asyncio.wait_for(evening(), 180))


def test_networks_are_served_in_turn_and_none_fills_the_queue(tmp_path: Path) -> None:
    async def evening() -> None:
        end = str(tmp_path / "end")
        pool = Workers(1, Metrics(), most_each=3)
        many, few = Payer("many", None), Payer("few", None)
        order: list[str] = []

        async def ask(payer: Payer) -> None:
            await pool.ask(payer, 60, wait_for, end)
            order.append(payer.network)

        try:
            first = asyncio.ensure_future(ask(many))
            waiting = [asyncio.ensure_future(ask(many)) for _ in range(3)]
            await asyncio.sleep(0)
            with pytest.raises(TooMany):
                await pool.ask(many, 60, wait_for, end)
            waiting.append(asyncio.ensure_future(ask(few)))
            await asyncio.sleep(0)
            Path(end).touch()
            await asyncio.gather(first, *waiting)
            assert order == ["many", "many", "few", "many", "many"]
        finally:
            pool.close()

    asyncio.run(asyncio.wait_for(evening(), 180))


def test_a_question_too_costly_gets_429_and_is_told_when_to_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "LIMITS", {"question": (1.0, 0.0001), "review": (1.0, 0.0001)})
    settings = ServerSettings(database=f"sqlite:///{tmp_path / 'tables.sqlite'}", workers=1, warm_up=False)
    question = {"game": "yam-master", "players": 2, "options": {"first": 0}, "actions": ["?"]}

    async def evening() -> None:
        async with serving(settings) as app:
            assert (await app.ask("POST", "/api/odds", question)).status == 200
            for path in ("/api/odds", "/api/hint", "/api/verdict"):
                answer = await app.ask("POST", path, question, {"accept-language": "fr"})
                assert answer.status == 429, path
                wait = int(answer.headers["retry-after"])
                assert wait > 5
                assert f"dans {wait} secondes" in answer.json()["error"]["sentence"]
            assert (await app.ask("POST", "/api/position", question)).status == 200, "it needs no worker"

    asyncio.run(asyncio.wait_for(evening(), 300))


def at_a_table(folder: Path, game: str, what: Callable[[TableRegistry, Session, Somebody], Awaitable[None]]) -> None:
    """Anna plays both sides."""

    async def evening() -> None:
        database = f"sqlite:///{folder / 'tables.sqlite'}"
        settings = ServerSettings(database=database, workers=1, warm_up=False)
        registry = TableRegistry(open_database(database), settings, "")
        try:
            anna = Somebody("Anna")
            anna.network = "192.0.2.1"
            assert anna.person is not None
            wanted = {"game": game, "seats": [{"kind": "me"}, {"kind": "me"}], "options": {"first": 0}}
            session = await registry.open(NewTable.model_validate(wanted), anna.person)
            await arrives(session, anna)
            await what(registry, session, anna)
        finally:
            await registry.close()

    asyncio.run(asyncio.wait_for(evening(), 300))


def test_hints_and_stories_over_a_socket_cost_the_same(tmp_path: Path) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        registry.costs.payer("question", anna.network).charge(1e6)
        await asks(session, anna, "roll")
        for do in ("hint", "story"):
            with pytest.raises(TooMany, match="seconds"):
                await asks(session, anna, do)
        (hit,) = await registry.hits.listed()
        assert (hit["who"], hit["limit"], hit["count"]) == (anna.network, "question cost", 2), "operators see it"
        anna.network = "192.0.2.2"
        await asks(session, anna, "story")
        assert anna.heard[-1]["what"] == "story"

    at_a_table(tmp_path, "yam-master", evening)


@pytest.mark.slow
def test_previews_of_physics_cost_and_hold_up_no_table(tmp_path: Path) -> None:
    async def evening(registry: TableRegistry, session: Session, anna: Somebody) -> None:
        end = str(tmp_path / "end")
        bots = asyncio.ensure_future(registry.workers.run(200, wait_for, end))  # the only worker for tables
        try:
            await asks(session, anna, "peek", actions=['{"layout":"pyramid"}'])
            assert anna.heard[-1]["what"] == "preview"
        finally:
            Path(end).touch()
            await bots
        registry.costs.payer("question", anna.network).charge(1e6)
        with pytest.raises(TooMany):
            await asks(session, anna, "peek", actions=['{"layout":"pyramid"}'])
        registry.costs.payer("action", anna.network).charge(1e6)
        with pytest.raises(TooMany):
            await asks(session, anna, "act", action='{"layout":"pyramid"}')
        anna.network = "192.0.2.2"
        await asks(session, anna, "act", action='{"layout":"pyramid"}')
        assert session.state.match is not None
        assert session.state.match.log

    at_a_table(tmp_path, "yikerz", evening)


def test_the_page_tells_the_limits() -> None:
    page = (Path(__file__).parents[2] / "docs/network.md").read_text("utf-8")
    seconds = {kind: f"{most:g}" for kind, (most, _rate) in costs.LIMITS.items()}
    assert {rate for _most, rate in costs.LIMITS.values()} == {0.5}
    assert f"| {seconds['question']} seconds at once, half a second every second |" in page
    assert f"likewise {seconds['review']} and {seconds['action']} seconds at once, half a second" in page
    assert f"| {workers.MOST_WAITING} (more get `later`); {workers.MOST_OF_A_NETWORK} (more get `too-many`)" in page
    assert f"| {remote_rules.MOST_SIMULATED:g}; {positions.MOST_SIMULATED:,g} simulated seconds |" in page


# Simulated time


def a_match() -> Match:
    match = Match(find_game("yikerz"), 1, YIKERZ, dice=Dice("bound"))
    for action in ('{"layout":"pyramid"}', *(f'{{"deal":{magnet}}}' for magnet in range(4))):
        match.play(action)
    return match


def test_turns_are_simulated_up_to_a_bound_together() -> None:
    match = a_match()
    with simulating_at_most(5.0):
        match.play(turn(0, 3.0))
        with pytest.raises(BadRequest, match="more than 5 seconds"):
            match.play(turn(1, 3.0))
    match.play(turn(1, 3.0))
    with simulating_at_most(0.1):  # with their outcomes nothing is simulated
        again = a_match()
        for entry in match.log[5:]:
            again.play(entry.action, entry.outcome)
        with pytest.raises(BadRequest):
            again.play(turn(2, 3.0))


def test_requests_at_a_table_questions_and_records_are_bounded() -> None:
    position = a_match().position
    with pytest.raises(BadRequest, match="120 seconds"):
        remote_rules._play(pickle.dumps(position), [(turn(0, 121.0), None)])
    question = Question.model_validate(long_question(26, 1801.0))
    for function in (positions.answer, positions.odds_of, positions.position_of):
        with pytest.raises(BadRequest, match="1800 seconds"):
            function(question)
    record = dict(write_record(a_match()))
    record["actions"] = [*record["actions"], turn(0, 1801.0)]  # type: ignore[misc] # a list of texts
    for read in (positions.check_record, positions.verdict):
        with pytest.raises(BadRecord, match="1800 seconds"):
            read(json.dumps(record).encode())


@pytest.mark.slow
def test_three_anonymous_requests_with_long_turns_do_not_delay_a_bot(tmp_path: Path) -> None:
    answers: list[httpx.Response] = []
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}") as home:
        body = long_question(26, 3600.0)

        def ask() -> None:
            answers.append(httpx.post(f"{home.url}/api/position", json=body, timeout=180))

        attack = [threading.Thread(target=ask) for _ in range(3)]
        for thread in attack:
            thread.start()
        anna = Guest(home, "Anna")
        seats = [{"kind": "bot", "level": 1}, {"kind": "me"}]
        chair = anna.enters(anna.opens(seats=seats, options={"first": 0}, settings={"pace": 0}))
        chair.until("step", by=0)
        for thread in attack:
            thread.join()
    assert [answer.status_code for answer in answers] == [400] * 3
    assert all("1800 seconds" in answer.json()["error"]["sentence"] for answer in answers)
