"""Does the page foresee what the table decides? Turns of Yikerz! simulated by the page's own code and played by the table's,

with a network between the two (`tests/yikerz/page_physics.py`). `make bench-predict` runs it; times are virtual, so it may share a
machine. A turn "with a collapse" is one in which the table has the player take pieces.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Sequence
from math import cos, hypot, pi, sin, sqrt
from time import perf_counter
from typing import Final

from ludotheque.core import Json, JsonObject
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, on_mats
from ludotheque.games.yikerz.magnets.path import Standing, resting_height, turned
from ludotheque.games.yikerz.magnets.poses import Pose
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.turn import Turn, run_out
from yikerz.page_physics import PageProcess, Predicted, network, page_physics
from yikerz.play import begin, with_magnets

ROUND_TRIPS_MS: Final = (0, 50, 150, 300)
JITTER_MS: Final = 30
LOSS: Final = 0.02
MOST_TRIES: Final = 6
"""Turns that are tried for each one that counts, of either kind."""


def board(chance: random.Random, **options: Json) -> YikerzPosition:
    """A position with 2 to 9 pieces on the pyramid, none nearer to another than 48 mm, and one player's turn."""
    lying: dict[int, JsonObject] = {}
    places: list[tuple[float, float]] = []
    for magnet in range(chance.randrange(2, 10)):
        for _ in range(200):
            x, y = chance.uniform(-130, 130), chance.uniform(-115, 115)
            if on_mats(LAYOUTS["pyramid"], x, y, 8) and all(hypot(x - a, y - b) > 48 for a, b in places):
                quaternion = turned("flat", chance.uniform(0, 360))
                places.append((x, y))
                pose = [round(one, 4) for one in (x, y, resting_height(shape_of(magnet), quaternion), *quaternion)]
                lying[magnet] = {"where": "board", "owner": None, "pose": pose}
                break
    stacks: dict[int, JsonObject] = {
        magnet: {"where": "stack", "owner": magnet % 2, "pose": None} for magnet in range(len(places), 20)
    }
    for magnet in range(len(lying), 20):
        stacks.setdefault(magnet, {"where": "stack", "owner": magnet % 2, "pose": None})
    match = begin(2, "pyramid", **options)
    view = {**match.position.view(), "player": 0, "quiet": 0, "charged": None}
    position = GAME.from_view(with_magnets(view, {**stacks, **lying}), 2, match.options)
    assert isinstance(position, YikerzPosition)
    return position


def hand_of(chance: random.Random, position: YikerzPosition, magnet: int) -> tuple[Callable[[float], Pose], float]:
    """Where a person's hand is at a time (s), and when it lets go: it comes from the near side, goes down beside a piece, trembles."""
    lying = list(position.table.board.values())
    near = chance.choice(lying)
    for _ in range(100):
        way, distance = chance.uniform(0, 2 * pi), chance.uniform(12, 60)
        x, y = near[0] + distance * cos(way), near[1] + distance * sin(way)
        if on_mats(LAYOUTS["pyramid"], x, y, 6):
            break
    standings: Sequence[Standing] = ("flat", "flat", "flat", "edge", "end")
    shape = shape_of(magnet)
    quaternion = turned(chance.choice(standings), chance.uniform(0, 360), shape)
    bottom = resting_height(shape, quaternion) + 0.5
    across, down = hypot(x, y + 120) / chance.uniform(120, 300), (90 - bottom) / chance.uniform(35, 120)
    pause = chance.uniform(0, 0.6)
    waves = [(chance.uniform(5, 11), chance.uniform(0, 2 * pi), chance.uniform(0, 0.25)) for _ in range(6)]

    def at(time: float) -> Pose:
        share, low = _smooth(time / across), _smooth((time - across - pause) / down)
        tremble = [
            sum(size * sin(2 * pi * speed * time + phase) for speed, phase, size in waves[k::3]) for k in range(3)
        ]
        place = (share * x + tremble[0], -120 + share * (y + 120) + tremble[1], 90 + low * (bottom - 90) + tremble[2])
        a, b, c = (round(one, 2) for one in place)
        w, i, j, k = (round(one, 4) for one in quaternion)
        return a, b, max(c, round(bottom - 0.4, 2)), w, i, j, k

    return at, across + pause + down + 0.2


def _smooth(share: float) -> float:
    """The way of a hand that starts and stops gently (minimum jerk; T. Flash and N. Hogan, 1985)."""
    u = min(1.0, max(0.0, share))
    return u * u * u * (10 + u * (6 * u - 15))


def turn(page: PageProcess, seed: str, round_trip: float, **options: Json) -> Predicted:
    """One turn of a person; the same board and hand for the same seed."""
    chance = random.Random(seed)
    position = board(chance, **options)
    magnet = position.table.hands[0][0]
    hand, release = hand_of(chance, position, magnet)
    return page.play(
        position, magnet, hand, release, network=network(round_trip, f"{seed} {round_trip}", JITTER_MS, LOSS)
    )


def itself(seed: str) -> tuple[list[int], list[int]]:
    """What the table has a player take in a turn, and what in the same turn with all pieces moved by a millionth of a millimetre."""
    taken = []
    for moved in (0.0, 1e-6):
        chance = random.Random(seed)
        position = board(chance)
        magnet = position.table.hands[0][0]
        hand, release = hand_of(chance, position, magnet)
        table = position.table
        lying = {one: (pose[0] + moved, *pose[1:]) for one, pose in table.board.items()}
        running = Turn(table.layout, lying, table.settings.magnets, magnet, table.settings.quiet_seconds, filmed=False)
        running.begin(hand(0.0))
        for sample in range(1, round(release * 60) + 1):
            running.follow(hand(sample / 60))
            if not running.holding:
                break
        if running.holding:
            running.let_go()
        for _ in run_out(running):
            pass
        taken.append(sorted(running.taken))
    return taken[0], taken[1]


def report_itself(turns: int) -> None:
    """How chaotic collapses are: nobody foresees more than the table would of itself."""
    found: list[tuple[list[int], list[int]]] = []
    for number in range(MOST_TRIES * turns):
        if len(found) < turns and (pair := itself(f"turn {number}"))[0]:
            found.append(pair)
    same = sum(one == other for one, other in found)
    low, high = interval(same, len(found))
    print(
        f"The table and itself with pieces moved by 1e-6 mm: {same} of {len(found)} turns with a collapse alike"
        f" ({100 * low:.0f} to {100 * high:.0f} %)",
        flush=True,
    )


def interval(hits: int, count: int) -> tuple[float, float]:
    """Wilson's interval of a share, 95 %."""
    if not count:
        return 0.0, 1.0
    z, p = 1.96, hits / count
    middle, half = p + z * z / (2 * count), z * sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return (middle - half) / (1 + z * z / count), (middle + half) / (1 + z * z / count)


def measure(page: PageProcess, round_trip: float, turns: int) -> list[Predicted]:
    """So many turns of both kinds."""
    kept: dict[bool, list[Predicted]] = {False: [], True: []}
    for number in range(MOST_TRIES * turns):
        if min(len(some) for some in kept.values()) >= turns:
            break
        one = turn(page, f"turn {number}", round_trip)
        if len(kept[bool(one.taken_there)]) < turns:
            kept[bool(one.taken_there)].append(one)
    return [*kept[False], *kept[True]]


def report(round_trip: float, found: Sequence[Predicted]) -> None:
    """A line for each kind."""
    for collapse in (False, True):
        some = [one for one in found if bool(one.taken_there) == collapse]
        agree = sum(one.agrees for one in some)
        low, high = interval(agree, len(some))
        first = sum(one.first_here == one.first_there for one in some)
        told = sum("outcome" in one.differences for one in some)
        moved = sum("place" in one.differences for one in some)
        apart = sorted(one.farthest_mm for one in some if one.agrees)
        speed = sum(one.simulated for one in some) / max(1e-9, sum(one.cpu for one in some))
        print(
            f"{round_trip:4.0f} ms, {'with' if collapse else 'without'} a collapse: {agree} of {len(some)} foreseen"
            f" ({100 * low:.0f} to {100 * high:.0f} %), first touch in {first};"
            f" {moved} corrected in place, {told} in outcome while shown;"
            f" farthest piece in the end: median {apart[len(apart) // 2] if apart else 0:.3f} mm, 95 %"
            f" {apart[int(0.95 * len(apart))] if apart else 0:.2f} mm; {speed:.1f} times real time of processor;"
            f" table behind by {sorted(one.waited for one in some)[len(some) // 2] if some else 0} samples",
            flush=True,
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="How often the page foresees what the table decides.")
    parser.add_argument("--turns", type=int, default=200, help="turns of each kind")
    parser.add_argument("--round-trips", type=float, nargs="+", default=ROUND_TRIPS_MS, help="milliseconds")
    parser.add_argument("--itself", action="store_true", help="only compare the table with itself, slightly disturbed")
    asked = parser.parse_args()
    print(f"jitter {JITTER_MS} ms, loss {100 * LOSS:.0f} %; load {os.getloadavg()[0]:.1f}")
    if asked.itself:
        report_itself(asked.turns)
        return
    with page_physics() as page:
        for round_trip in asked.round_trips:
            began = perf_counter()
            report(round_trip, measure(page, round_trip, asked.turns))
            print(f"        ({perf_counter() - began:.0f} s)")


if __name__ == "__main__":
    main()
