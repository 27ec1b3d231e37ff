"""The page's prediction of turns in a Node process beside the table's live turn, with a network between the two.

Time is virtual: nothing waits, and a turn at 300 ms round trip takes no longer to compute than one without.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path
from typing import IO, Any, Final

from ludotheque.core import JsonObject
from ludotheque.games.yikerz.live import begin_turn
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.page_physics import answer_physics
from ludotheque.games.yikerz.position import YikerzPosition
from tools.wasm.link import build, physics
from web.build_page import install, node_tools

HERE: Final = Path(__file__).parent
WEB: Final = HERE.parent.parent / "web"
TICK_MS: Final = 1000 / 60
RETRANSMISSION_MS: Final = 200.0
"""TCP sends again what was lost after this time, at least; what was sent later waits for it."""
BEGINNING_MS: Final = 8.0
"""What a server takes to begin a turn."""
MOST_SECONDS: Final = 60.0


@dataclass
class Network:
    """One direction of a connection: everything takes a while, keeps its order, and is sent again if it was lost."""

    chance: random.Random
    delay_ms: float
    jitter_ms: float
    loss: float
    _last: float = 0.0

    def arrives(self, sent: float) -> float:
        """When a message arrives that is sent now, ms."""
        delay = self.delay_ms + self.chance.uniform(0, self.jitter_ms)
        while self.chance.random() < self.loss:
            delay += max(RETRANSMISSION_MS, 2 * self.delay_ms)
        self._last = max(self._last, sent + delay)
        return self._last


@dataclass(frozen=True)
class Predicted:
    """A turn as the page has simulated it, and as the table has decided it."""

    taken_here: tuple[int, ...]
    taken_there: tuple[int, ...]
    first_here: tuple[int, ...] | None
    """The first two pieces that touch, or the first that falls; None if nothing happens."""
    first_there: tuple[int, ...] | None
    differences: tuple[str, ...]
    """How the page noticed that the two differ: "place" or "outcome"."""
    farthest_mm: float
    """How far a piece that lies on the board in both lies elsewhere in the end."""
    cpu: float
    """Processor time of the simulation, s, and how many seconds it simulated."""
    simulated: float
    slowest_ms: float
    waited: int
    """Samples by which the table was behind the page's clock when it let go."""

    @property
    def agrees(self) -> bool:
        """Whether the outcome is the same: the same pieces are taken."""
        return sorted(self.taken_here) == sorted(self.taken_there)


class PageProcess:
    """The Node process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._requests: IO[str] = process.stdin
        self._answers: IO[str] = process.stdout
        self._facts = ""

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One request, one answer."""
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()
        answer = self._answers.readline()
        if not answer:
            raise ConnectionError("the page's physics has ended")
        told: dict[str, Any] = json.loads(answer)
        return told

    def play(
        self,
        position: YikerzPosition,
        magnet: int,
        hand: Callable[[float], Pose],
        release: float,
        *,
        network: tuple[Network, Network],
    ) -> Predicted:
        """A turn with a hand that is somewhere at each time (s), and lets go; simulated by the page, decided by the table."""
        table = position.table
        settings = table.settings
        board: JsonObject = {"mats": [list(mat) for mat in table.layout], "magnets": settings.magnets}
        facts = answer_physics({**board, "magnetisation": settings.magnetisation})
        if (text := json.dumps(facts, sort_keys=True)) != self._facts:
            self._facts = text
            self.ask({"do": "facts", "facts": facts})
        start = {
            "board": [[one, list(pose)] for one, pose in sorted(table.board.items())],
            "magnet": magnet,
            "first": [round(number, 4) for number in hand(0.0)],
            "quietSeconds": table.settings.quiet_seconds,
            "wholeTime": len(table.hands[table.player]) == 1,
        }
        return self._run(position, self.ask({"do": "begin", "start": start})["messages"], hand, release, network)

    def _run(
        self,
        position: YikerzPosition,
        messages: Sequence[JsonObject],
        hand: Callable[[float], Pose],
        release: float,
        network: tuple[Network, Network],
    ) -> Predicted:
        there, back = network
        on_the_way: list[tuple[float, int, JsonObject]] = []
        frames: list[tuple[float, int, JsonObject]] = []
        count = 0

        def send(some: Sequence[JsonObject], now: float) -> None:
            nonlocal count
            for message in some:
                count += 1
                heappush(on_the_way, (there.arrives(now), count, message))

        send(messages, 0.0)
        begun = heappop(on_the_way)
        turn = begin_turn(position, begun[2])
        table_starts = begun[0] + BEGINNING_MS
        ticks, let_go, waited = 0, False, 0
        behind = None
        while not turn.over:
            ticks += 1
            now = ticks * TICK_MS
            assert now < MOST_SECONDS * 1000, "the turn does not end"
            arrived = []
            while frames and frames[0][0] <= now:
                arrived.append(heappop(frames)[2])
            lets_go = not let_go and now / 1000 >= release
            let_go = let_go or lets_go
            asked = {
                "do": "tick",
                "now": now,
                "frames": arrived,
                "hand": list(hand(min(now / 1000, release))),
                "letGo": lets_go,
            }
            send(self.ask(asked)["messages"], now)
            if now < table_starts:
                while on_the_way and on_the_way[0][0] < table_starts and on_the_way[0][0] <= now:
                    heappop(on_the_way)  # the table has not begun the turn: nobody hears it
                continue
            merged: JsonObject | None = None
            live = position.game.capabilities.live
            while on_the_way and on_the_way[0][0] <= now:
                message = heappop(on_the_way)[2]
                merged = message if merged is None else live.merged(merged, message)  # type: ignore[union-attr] # ours merges
            frame = turn.sample(merged)
            if frame["held"] is None and behind is None:
                behind = waited = ticks - round(float(str(frame["t"])) * 60)
            if ticks % 2 == 0 or turn.over:
                count += 1
                heappush(frames, (back.arrives(now), count, frame))
        outcome: Any = turn.action()[1]
        here = self.ask({"do": "end"})
        poses = dict(here["board"])
        apart = [
            max(abs(a - b) for a, b in zip(pose[:3], poses[int(one)][:3], strict=True))
            for one, pose in outcome["board"].items()
            if int(one) in poses
        ]
        return Predicted(
            tuple(here["taken"]),
            tuple(outcome["taken"]),
            _first(here["events"]),
            _first(outcome["events"]),
            tuple(here["differences"]),
            max(apart, default=0.0),
            here["cpu"],
            here["shown"],
            here["slowest"],
            waited,
        )


def _first(events: Sequence[Mapping[str, Any]]) -> tuple[int, ...] | None:
    return next((tuple(event["magnets"]) for event in events if event["what"] in ("touch", "fall")), None)


@contextmanager
def page_physics() -> Iterator[PageProcess]:
    """The page's physics, compiled from the sources as they are."""
    (game,) = physics()
    environment, _ = node_tools()
    install()
    command = ["node", str(HERE / "page_physics.mjs"), str(WEB), str(build(game))]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield PageProcess(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


def network(round_trip_ms: float, seed: str, jitter_ms: float = 30.0, loss: float = 0.02) -> tuple[Network, Network]:
    """Both directions of a connection."""
    return tuple(
        Network(random.Random(f"{seed} {way}"), round_trip_ms / 2, jitter_ms, loss) for way in ("there", "back")
    )  # type: ignore[return-value] # two of them
