"""How the physics compiles its kernels: one name, so that the cache can change in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a function of numbers and arrays at its first call."""
    compiled: Function = numba.njit(cache=False, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})(function)
    return compiled
