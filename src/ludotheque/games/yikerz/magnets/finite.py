"""Finite numbers in data from outside."""

from __future__ import annotations

from math import isfinite


def as_number(value: object) -> float | None:
    """The value as a finite float; None for anything else: `true`, NaN, infinities, whole numbers that no float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None
