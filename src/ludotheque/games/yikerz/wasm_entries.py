"""The compiled physics over two plain arrays, for WebAssembly: what `steps.advance` does around MuJoCo's two halves of a step.

tools/wasm compiles `entries`; the page's loop around them is web/src/games/yikerz/physics. What the functions do is in `steps`,
`sleep`, `scene` and `strain`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba

from ludotheque.games.yikerz.magnets.buffers import (
    APART,
    BODY_COLUMNS,
    ON_BOARD,
    Array,
    HandSpring,
    HandTarget,
    Ints,
    SceneBuffers,
)
from ludotheque.games.yikerz.magnets.compile import SETTINGS
from ludotheque.games.yikerz.magnets.field import COLUMNS
from ludotheque.games.yikerz.magnets.scene import _fallen
from ludotheque.games.yikerz.magnets.shapes import CORNERS
from ludotheque.games.yikerz.magnets.sleep import load, wake_where_field_changed
from ludotheque.games.yikerz.magnets.stability import FLAT
from ludotheque.games.yikerz.magnets.steps import (
    _act,
    _divide_step,
    _everything_sleeps,
    _is_credible,
    _settle,
    compute_field,
)
from ludotheque.kernels import rule_in

kernel = rule_in(Path(__file__).parent, **SETTINGS)

CORNERS_OF_ONE: Final = 4 * CORNERS

NUMBERS: Final[dict[str, tuple[int | str, ...]]] = {
    "magnets": ("n", 4, COLUMNS),
    "bodies": ("n", BODY_COLUMNS),
    "poses": ("n", 7),
    "velocities": ("n", 6),
    "passive_forces": ("n", 6),
    "anchors": ("n", 7),
    "points": ("n", 4, COLUMNS),
    "moments": ("n", 4),
    "pair_wrenches": ("n", "n", 6),
    "wrenches": ("n", 6),
    "rest_wrenches": ("n", 6),
    "wake_load": ("n",),
    "wake_change": ("n",),
    "closing": ("n", "n"),
    "knocks": ("n", "n"),
    "timestep": (1,),
    "friction_ratio": (1,),
    "contact_springs": ("n", 2),
    "hand_start": (7,),
    "hand_end": (7,),
    "loads": ("n",),
    "meshes": ("n", CORNERS_OF_ONE, 3),
}
"""What lies in the array of numbers, in this order: fields of `SceneBuffers` and `HandTarget` for n pieces, results, meshes."""
WHOLE: Final[dict[str, tuple[int | str, ...]]] = {
    "status": ("n",),
    "awake": ("n",),
    "sleep_policy": ("n",),
    "asleep": ("n",),
    "still_steps": ("n",),
    "contact": ("n",),
    "steps_made": (1,),
    "pieces_close": (1,),
    "snapping": (1,),
    "fallen": ("n",),
}
"""What lies in the array of whole numbers."""


@kernel
def _part(numbers: Array, start: int, rows: int, columns: int) -> Array:
    return numbers[start : start + rows * columns].reshape((rows, columns))


@kernel
def _scene(numbers: Array, whole: Ints) -> SceneBuffers:
    """The structure that the kernels take, over the two arrays. MuJoCo is called elsewhere: its addresses are missing."""
    n = (len(whole) - 3) // 7
    a = 0
    magnets = numbers[a : a + n * 4 * COLUMNS].reshape((n, 4, COLUMNS))
    a += n * 4 * COLUMNS
    bodies = _part(numbers, a, n, BODY_COLUMNS)
    a += n * BODY_COLUMNS
    poses = _part(numbers, a, n, 7)
    a += n * 7
    velocities = _part(numbers, a, n, 6)
    a += n * 6
    passive_forces = _part(numbers, a, n, 6)
    a += n * 6
    anchors = _part(numbers, a, n, 7)
    a += n * 7
    points = numbers[a : a + n * 4 * COLUMNS].reshape((n, 4, COLUMNS))
    a += n * 4 * COLUMNS
    moments = _part(numbers, a, n, 4)
    a += n * 4
    pair_wrenches = numbers[a : a + n * n * 6].reshape((n, n, 6))
    a += n * n * 6
    wrenches = _part(numbers, a, n, 6)
    a += n * 6
    rest_wrenches = _part(numbers, a, n, 6)
    a += n * 6
    wakes = numbers[a : a + 2 * n].reshape((2, n))
    a += 2 * n
    closing = _part(numbers, a, n, n)
    a += n * n
    knocks = _part(numbers, a, n, n)
    a += n * n
    return SceneBuffers(
        0,
        0,
        magnets,
        bodies,
        whole[:n],
        poses,
        velocities,
        passive_forces,
        whole[n : 2 * n],
        whole[2 * n : 3 * n],
        whole[3 * n : 4 * n],
        whole[4 * n : 5 * n],
        anchors,
        points,
        moments,
        pair_wrenches,
        wrenches,
        rest_wrenches,
        wakes[0],
        wakes[1],
        whole[5 * n : 6 * n],
        whole[6 * n : 6 * n + 1],
        whole[6 * n + 1 : 6 * n + 2],
        closing,
        knocks,
        numbers[a : a + 1],
        numbers[a + 1 : a + 2],
        _part(numbers, a + 2, n, 2),
        whole[6 * n + 2 : 6 * n + 3],
        1,
        False,
    )


@kernel
def _after_scene(numbers: Array, whole: Ints) -> int:
    """Where the hand's poses begin among the numbers: behind them are the loads and the meshes."""
    n = (len(whole) - 3) // 7
    return len(numbers) - n * CORNERS_OF_ONE * 3 - n - 14


@kernel
def between_halves(
    numbers: Array,
    whole: Ints,
    share: float,
    sample_seconds: float,
    frequency: float,
    turn_frequency: float,
    most_force: float,
    most_torque: float,
) -> int:
    """Between MuJoCo's halves of a step: field, waking, forces. Returns 1 if two pieces are close.

    share: part of the hand's sample that has passed. The rest is the hand's `HandSpring`.
    """
    at = _after_scene(numbers, whole)
    spring = HandSpring(sample_seconds, frequency, turn_frequency, most_force, most_torque)
    hand = HandTarget(numbers[at : at + 7], numbers[at + 7 : at + 14], 0, spring)
    return 1 if _act(_scene(numbers, whole), hand, share) else 0


@kernel
def divide(numbers: Array, whole: Ints) -> int:
    """Into how many parts the next step is divided. MuJoCo must take over `timestep`, `friction_ratio` and `contact_springs`."""
    return int(_divide_step(_scene(numbers, whole)))


@kernel
def credible(numbers: Array, whole: Ints) -> int:
    """After a part of a step: 0 if a velocity cannot be."""
    return 1 if _is_credible(_scene(numbers, whole)) else 0


@kernel
def after_step(numbers: Array, whole: Ints) -> None:
    """After a step: who may sleep."""
    _settle(_scene(numbers, whole))


@kernel
def sleeping(numbers: Array, whole: Ints) -> int:
    """Whether no piece of the scene is awake or about to wake."""
    return 1 if _everything_sleeps(_scene(numbers, whole)) else 0


@kernel
def field_anew(numbers: Array, whole: Ints, wakes: int) -> None:
    """The whole field, after pieces were placed or taken; with `wakes`, those wake on which it is not what it was."""
    scene = _scene(numbers, whole)
    compute_field(scene)
    if wakes:
        wake_where_field_changed(scene)


@kernel
def fallen_pieces(numbers: Array, whole: Ints) -> int:
    """List the free pieces that have reached the table as `fallen`. Returns how many."""
    scene = _scene(numbers, whole)
    n = len(scene.status)
    meshes = numbers[len(numbers) - n * CORNERS_OF_ONE * 3 :].reshape((n, CORNERS_OF_ONE, 3))
    return int(_fallen(scene, meshes, whole[len(whole) - n :]))


@kernel
def flat_loads(numbers: Array, whole: Ints) -> int:
    """As `loads`, which part of its hold each free piece that lies and touches no other uses up; -1 for all others.

    Returns how many lie. How a piece that stands is supported is not known here.
    """
    scene = _scene(numbers, whole)
    at = _after_scene(numbers, whole) + 14
    count = 0
    for i in range(len(scene.status)):
        pose = scene.poses[i]
        numbers[at + i] = -1.0
        lies = abs(1 - 2 * (pose[4] ** 2 + pose[5] ** 2)) >= FLAT
        if scene.status[i] == ON_BOARD and scene.contact[i] == APART and lies:
            numbers[at + i] = load(scene.wrenches[i], pose, scene.bodies[i])
            count += 1
    return count


def entries() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Every entry by its name in the module, and the types that it is compiled for."""
    arrays = (numba.float64[::1], numba.int32[::1])
    return {
        "between_halves": (between_halves, (*arrays, *(numba.float64,) * 6)),
        "divide": (divide, arrays),
        "credible": (credible, arrays),
        "after_step": (after_step, arrays),
        "sleeping": (sleeping, arrays),
        "field_anew": (field_anew, (*arrays, numba.int64)),
        "fallen_pieces": (fallen_pieces, arrays),
        "flat_loads": (flat_loads, arrays),
    }


def facts() -> dict[str, Any]:
    """What the page must know of the module beside its functions; lists, because order counts."""
    return {"numbers": list(NUMBERS.items()), "whole": list(WHOLE.items())}
