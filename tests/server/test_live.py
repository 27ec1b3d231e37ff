"""Turns that stream, and a third party's rules: both run in workers, and neither can take the server down."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path

import pytest

from ludotheque.core import Json, JsonObject, Match
from ludotheque.server import live as live_turns
from ludotheque.server.live import LiveTurnHandle, LiveTurns
from ludotheque.server.metrics import Metrics
from server.guests import Chair, Guest, House, house
from yikerz.play import CALL, WAIT, nearly_done, put

SAMPLE = Path(__file__).parent / "live_sample"


def with_path(*folders: Path) -> str:
    """A PYTHONPATH with further folders in front."""
    return os.pathsep.join([*map(str, folders), os.environ.get("PYTHONPATH", "")])


def tower_house(folder: Path) -> AbstractContextManager[House]:
    """A server that knows the sample game."""
    environment = {"PYTHONPATH": with_path(SAMPLE)}
    return house(f"sqlite:///{folder / 'tables.sqlite'}", "--no-limits", environment=environment)


@pytest.fixture(scope="module")
def tower(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with tower_house(tmp_path_factory.mktemp("tower")) as one:
        yield one


@pytest.fixture
def own_tower(tmp_path: Path) -> Iterator[House]:
    """One for a test that stops its server."""
    with tower_house(tmp_path) as one:
        yield one


def begun(tower: House) -> tuple[Chair, Chair, str]:
    """Two at the table; the first lifts a hand."""
    anna, bruno = Guest(tower, "Anna"), Guest(tower, "Bruno")
    table = anna.opens("tower")
    first, second = anna.enters(table), bruno.enters(table)
    first.until("state")
    second.until("state")
    second.asks("sit", seat=1)
    first.until("table", why="began")
    second.until("table", why="began")
    return first, second, table


def test_everybody_sees_the_hand_move_and_the_turn_is_stored_at_its_end(tower: House) -> None:
    first, second, _ = begun(tower)
    began = time.monotonic()  # the turn's clock runs before we hear that it does
    request = first.asks("begin", hand={"hand": "right"})
    first.until("done", id=request)
    frames = []
    for height in range(1, 31):
        first.sends(do="hand", hand={"height": height})
        time.sleep(1 / 60)
    first.sends(do="hand", hand={"release": True})
    while (message := second.hears())["what"] != "step":
        if message["what"] == "live":
            frames.append(message)
    assert frames[-1]["frame"]["height"] == 30
    assert [frame["sample"] for frame in frames] == sorted({frame["sample"] for frame in frames})
    assert frames[-1]["sample"] <= 60 * (time.monotonic() - began) + 2, (
        "the server's clock samples, not the client's requests"
    )
    assert (message["action"], message["by"]) == ("30", 0)
    assert message["request"] == request
    assert message["outcome"]["pid"]


def test_a_turn_that_cannot_begin_so_is_refused_and_only_ones_own_hand_counts(tower: House) -> None:
    first, second, _ = begun(tower)
    first.asks("begin", hand={"hand": "left"})
    assert first.until("refused")["code"] == "illegal-action"
    second.asks("begin", hand={"hand": "right"})
    assert second.until("refused")["code"] == "not-allowed"
    first.until("done", id=first.asks("begin", hand={"hand": "right"}))
    second.sends(do="hand", hand={"height": 77, "release": True})
    first.sends(do="hand", hand={"height": 5, "release": True})
    assert first.until("step")["action"] == "5"


def test_a_hand_that_goes_silent_lets_go_after_five_seconds(tower: House) -> None:
    first, second, _ = begun(tower)
    first.until("done", id=first.asks("begin", hand={"hand": "right"}))
    began = time.monotonic()  # before it can be heard there
    first.sends(do="hand", hand={"height": 12})
    assert second.until("step")["action"] == "12"
    assert time.monotonic() - began > 4


class Still:
    """A turn whose hand asks for the same again and again; what reaches it is kept."""

    over = False

    def __init__(self) -> None:
        self.hands: list[JsonObject | None] = []

    def sample(self, hand: JsonObject | None) -> JsonObject:
        self.hands.append(hand)
        return {}

    def action(self) -> tuple[str, Json]:
        return "", None


@pytest.mark.parametrize(("seconds", "released"), [(590.0, False), (610.0, True)])
def test_a_hand_that_has_been_still_for_ten_minutes_is_let_go(seconds: float, released: bool) -> None:
    ours, theirs = multiprocessing.Pipe()
    now, turn, hand = time.perf_counter(), Still(), {"pose": [1, 2, 3]}
    turns = {1: live_turns._Turn(turn, 60, now - seconds, now, now, now - seconds, asked=hand, hand=dict(hand))}
    live_turns._sample(theirs, 1, turns)
    turns[1].hand = {"pose": [1, 2, 4]}
    live_turns._sample(theirs, 1, turns)
    assert turn.hands == [{"release": True} if released else hand, {"pose": [1, 2, 4]}]
    ours.close()
    theirs.close()


def test_a_live_worker_that_dies_breaks_off_its_turn_and_it_begins_anew(tower: House) -> None:
    first, second, _ = begun(tower)
    first.until("done", id=first.asks("begin", hand={"hand": "right"}))
    first.sends(do="hand", hand={"height": 99})
    assert "en" in second.until("live-stopped")["words"]
    number = first.number
    first.until("live-stopped")
    first.until("done", id=first.asks("begin", hand={"hand": "right"}, at=number))
    first.sends(do="hand", hand={"height": 3, "release": True})
    assert first.until("step")["number"] == number + 1


def test_a_worker_that_has_hung_up_gets_no_further_turn_though_its_process_lingers() -> None:
    async def evening() -> None:
        live = LiveTurns(1, Metrics())
        dying = live._worker()
        dying._died()  # its pipe has ended; the process has not yet
        try:
            assert dying.process.is_alive()
            assert live._worker() is not dying
        finally:
            dying.kill()
            live.close()

    asyncio.run(evening())


class Turn:
    """A live turn of the sample's tower, in a worker of our own."""

    def __init__(self) -> None:
        self.live = LiveTurns(1, Metrics())
        self.over: asyncio.Future[tuple[str, Json] | None] = asyncio.get_running_loop().create_future()

    async def begin(self) -> LiveTurnHandle:
        position = Match(import_module("ludotheque_tower").GAME, 2).position
        return await self.live.begin(position, {"hand": "right"}, lambda _hand, _sample, _frame: None, self._ended)

    def _ended(self, _hand: LiveTurnHandle, result: tuple[str, Json] | None) -> None:
        self.over.set_result(result)


async def begun_and_left() -> None:
    await Turn().begin()


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SAMPLE)
    monkeypatch.setenv("PYTHONPATH", with_path(SAMPLE))


@pytest.mark.usefixtures("sample")
def test_a_turn_goes_on_when_the_whole_group_of_processes_is_told_to_stop(caplog: pytest.LogCaptureFixture) -> None:
    """The server is told, too: until it stops, its worker is not lost, and then it is no news."""

    async def evening() -> None:
        turn = Turn()
        try:
            worker = turn.live._worker().process.pid
            assert worker is not None
            os.kill(worker, signal.SIGTERM)  # it has hardly been started
            hand = await turn.begin()
            os.kill(worker, signal.SIGTERM)
            assert turn.live.process_ids == [worker]
            hand.move({"height": 7, "release": True})
            result = await asyncio.wait_for(turn.over, 120)
            assert result is not None
            assert result[0] == "7"
        finally:
            turn.live.close()

    asyncio.run(evening())
    assert "lost" not in caplog.text


@pytest.mark.usefixtures("sample")
def test_a_server_that_ends_without_a_word_does_not_wait_for_its_workers() -> None:
    ending = "import asyncio; from server.test_live import begun_and_left; asyncio.run(begun_and_left())"
    folders = with_path(SAMPLE, SAMPLE.parent.parent)
    subprocess.run([sys.executable, "-c", ending], env={**os.environ, "PYTHONPATH": folders}, timeout=120, check=True)


@pytest.mark.usefixtures("sample")
def test_a_worker_that_hangs_neither_stops_the_server_nor_keeps_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_turns, "HUNG", 1.0)

    async def evening() -> None:
        def wave(hand: LiveTurnHandle) -> None:
            for height in range(5000):
                hand.move({"height": height})

        turn = Turn()
        try:
            hand = await turn.begin()
            hung = turn.live._worker()
            assert hung.process.pid is not None
            os.kill(hung.process.pid, signal.SIGSTOP)
            await asyncio.wait_for(asyncio.to_thread(wave, hand), 120)
            assert await asyncio.wait_for(turn.over, 120) is None, "the turn is broken off"
            assert turn.live._worker() is not hung
        finally:
            turn.live.close()

    asyncio.run(evening())


def test_rules_that_bring_their_worker_down_leave_the_server_and_the_table_as_they_were(tower: House) -> None:
    first, second, _ = begun(tower)
    number = first.number
    first.asks("act", action="99")
    assert first.until("refused")["code"] == "later"
    first.asks("act", action="8")
    step = second.until("step")
    assert (step["number"], step["action"]) == (number + 1, "8")


def test_a_game_in_workers_is_taken_back_peeked_and_replayed(own_tower: House) -> None:
    first, second, table = begun(own_tower)
    first.sends(do="peek", id="p", actions=["4", "5"])
    preview = first.until("preview")
    assert [step["position"]["state"]["heights"] for step in preview["steps"]] == [[4], [4, 5]]
    first.asks("act", action="8")
    first.until("step")
    second.until("step")
    first.asks("takeback")
    second.until("table", why="takeback-asked")
    second.asks("answer", yes=True)
    assert first.until("table", why="takeback")["position"]["state"]["heights"] == []
    first.asks("act", action="9")
    first.until("step")
    own_tower.kill()
    own_tower.open()
    again = Chair(own_tower, table, None)
    assert again.until("state")["position"]["state"]["heights"] == [9]


@pytest.mark.clause("Y14")
def test_a_forgotten_call_is_caught_by_a_live_turn_that_does_not_begin(tower: House) -> None:
    """The rules of Yikerz! run in a worker; what a player has to say is known here all the same."""
    anna, bruno = Guest(tower, "Anna"), Guest(tower, "Bruno")
    table = anna.opens("yikerz", setup=nearly_done(2))
    first, second = anna.enters(table), bruno.enters(table)
    first.until("state")
    second.until("state")
    second.asks("sit", seat=1)
    first.until("table", why="began")
    second.until("table", why="began")
    first.asks("act", action=CALL)
    assert "means nothing just now" in first.until("refused")["sentence"]
    first.asks("act", action=put(3, 0, -40))
    shown = second.until("step")["position"]
    assert (shown["to_move"], shown["state"]["phase"], shown["legal"]["actions"]) == (1, "turn", [])
    first.until("step")
    second.asks("begin", hand={"magnet": 6, "pose": [0, 0, 90, 1, 0, 0, 0]})
    caught = first.until("step")
    assert (caught["by"], caught["action"], caught["position"]["state"]["picks"]) == (0, WAIT, 2)
    for _ in range(2):
        first.asks("act", action=caught["position"]["legal"]["actions"][0])
        caught = first.until("step")
        second.until("step")
    second.until("step")
    second.until("done", id=second.asks("begin", hand={"magnet": 6, "pose": [0, 0, 90, 1, 0, 0, 0]}))
