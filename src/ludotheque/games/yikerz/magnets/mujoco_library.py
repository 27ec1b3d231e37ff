"""MuJoCo: its Python package, and its C library called by name from compiled code.

What is not part of its documented interface is looked for here, once. Where it is missing, `COMPILED_STEPS` or `SLEEP` is False, and
`steps` and `world` take a slower way (docs/decisions/mujoco.md).
"""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import llvmlite.binding
import numba
import numpy as np
from numpy.typing import NDArray

from ludotheque.games.yikerz.catalogue import text

from .problems import PhysicsMissing


def _import() -> Any:
    """The package mujoco; PhysicsMissing says what to do without it."""
    try:
        import mujoco  # noqa: PLC0415 - a sentence where it is missing
    except ImportError as error:
        intel = sys.platform == "darwin" and platform.machine() == "x86_64"
        raise PhysicsMissing(text("physics.intel-mac" if intel else "physics.missing")) from error
    return mujoco


mujoco: Final = _import()

_POLICY = getattr(mujoco, "mjtSleepPolicy", None)
NEVER, ALLOWED = (int(_POLICY.mjSLEEP_NEVER), int(_POLICY.mjSLEEP_ALLOWED)) if _POLICY is not None else (0, 1)
"""MuJoCo's sleep policies of a body: always simulated, or left out once it is still."""
FULLY_AWAKE = -11
"""Value of mjData.tree_asleep for a body that is awake and has not begun to count still steps: -(1 + mjMINAWAKE)."""


def _library() -> ctypes.CDLL | None:
    """The library that MuJoCo's Python package has loaded already; None if it is not where we know it."""
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll"):
        for path in sorted(folder.glob(pattern)):
            return ctypes.CDLL(str(path))
    return None


library = _library()


PROBED_NUMBERS = 256
"""How many 64-bit numbers from the beginning of an mjModel its options are looked for in."""


def _option_place(name: str) -> int | None:
    """Which 64-bit number of an mjModel is this option; None if it cannot be told. Python has its value, not its address."""
    if not hasattr(mujoco.MjModel, "_address"):
        return None
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    numbers = _numbers_at(model._address, PROBED_NUMBERS)
    places = set(range(PROBED_NUMBERS))
    for value in (1.25e-3, 7.5e-4):
        setattr(model.opt, name, value)
        places &= set(np.flatnonzero(numbers == value).tolist())
    return places.pop() if len(places) == 1 else None


def _numbers_at(where: int, count: int) -> NDArray[np.float64]:
    """Numbers in memory that somebody else owns, as an array."""
    numbers: NDArray[np.float64] = np.ctypeslib.as_array((ctypes.c_double * count).from_address(where))
    return numbers


OPTIONS: Final = ("timestep", "impratio")
"""Options that our loop changes while time passes."""
_PLACES: Final = {name: _option_place(name) for name in OPTIONS}


def option_of(model: Any, name: str) -> NDArray[np.float64]:
    """An option of a model as an array of shape (1,) that compiled code can write; a copy where its place is not known."""
    place = _PLACES[name]
    if place is None:
        return np.array([getattr(model.opt, name)])
    return _numbers_at(model._address + 8 * place, 1)


def missing_internals() -> tuple[str, ...]:
    """What we use of MuJoCo beyond its documented interface and this version lacks."""
    names = [f"mujoco.{name}" for name in ("mjtSleepPolicy",) if not hasattr(mujoco, name)]
    for kind, attributes in (
        (mujoco.MjModel, ("_address", "tree_sleep_policy")),
        (mujoco.MjData, ("_address", "tree_awake", "tree_asleep")),
    ):
        names += [f"{kind.__name__}.{name}" for name in attributes if not hasattr(kind, name)]
    names += [name for name in ("mj_step1", "mj_step2", "mj_updateSleep") if not hasattr(library, name)]
    names += [f"MjModel.opt.{name}" for name, place in _PLACES.items() if place is None]
    if not hasattr(numba.types, "ExternalFunction"):
        names.append("numba.types.ExternalFunction")
    return tuple(names)


MISSING: Final = missing_internals()
STEPPING: Final = ("_address", "mj_step1", "mj_step2", *OPTIONS, "ExternalFunction")
COMPILED_STEPS: Final = not any(name.endswith(STEPPING) for name in MISSING)
"""Whether compiled code can call MuJoCo; otherwise Python calls it at every step."""
SLEEP: Final = not any("leep" in name or "awake" in name or name.endswith("_address") for name in MISSING)
"""Whether pieces can be put to sleep; otherwise all of them are simulated at every step."""


def _step_function(name: str) -> Callable[[int, int], None]:
    """A function of MuJoCo that takes the addresses of model and data, for compiled code or, with the JIT off, for Python."""
    if not COMPILED_STEPS:
        return _not_callable
    function = getattr(library, name)
    if numba.config.DISABLE_JIT:
        function.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
        function.restype = None
        interpreted: Callable[[int, int], None] = function
        return interpreted
    # By name, not by address: so the compiled loop can be cached and used in another process.
    llvmlite.binding.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    compiled: Callable[[int, int], None] = numba.types.ExternalFunction(
        name, numba.types.void(numba.types.intp, numba.types.intp)
    )
    return compiled


def _not_callable(_model: int, _data: int) -> None:
    raise AssertionError("without COMPILED_STEPS, steps.advance_by_calls is used")


mj_step1 = _step_function("mj_step1")
mj_step2 = _step_function("mj_step2")


def address(structure: Any) -> int:
    """The address of an mjModel or mjData, for compiled code; 0 if MuJoCo does not tell it."""
    return int(getattr(structure, "_address", 0))


def update_sleep(model: int, data: int) -> None:
    """Have MuJoCo rebuild its lists of awake bodies after `tree_asleep` or the sleep policy was changed; takes addresses."""
    if SLEEP:
        assert library is not None
        library.mj_updateSleep(ctypes.c_void_p(model), ctypes.c_void_p(data))
