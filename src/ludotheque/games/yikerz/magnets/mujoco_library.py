"""MuJoCo's C library, called by name from compiled code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding
import mujoco
import numba

NEVER, ALLOWED = int(mujoco.mjtSleepPolicy.mjSLEEP_NEVER), int(mujoco.mjtSleepPolicy.mjSLEEP_ALLOWED)
"""MuJoCo's sleep policies of a body: always simulated, or left out once it is still."""
FULLY_AWAKE = -11
"""Value of mjData.tree_asleep for a body that is awake and has not begun to count still steps: -(1 + mjMINAWAKE)."""


def _library() -> ctypes.CDLL:
    """The library that MuJoCo's Python package has loaded already."""
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll"):
        for path in sorted(folder.glob(pattern)):
            return ctypes.CDLL(str(path))
    raise ImportError(f"MuJoCo's library is not in {folder}; install the package mujoco anew.")


library = _library()


def _step_function(name: str) -> Callable[[int, int], None]:
    """A function of MuJoCo that takes the addresses of model and data, for compiled code or, with the JIT off, for Python."""
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


mj_step1 = _step_function("mj_step1")
mj_step2 = _step_function("mj_step2")


def update_sleep(model: int, data: int) -> None:
    """Have MuJoCo rebuild its lists of awake bodies after `tree_asleep` or the sleep policy was changed; takes addresses."""
    library.mj_updateSleep(ctypes.c_void_p(model), ctypes.c_void_p(data))
