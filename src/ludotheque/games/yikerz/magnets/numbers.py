"""Numbers from outside: what counts as one, for poses, times and mats alike. What they mean is for those who read them."""

from __future__ import annotations

from math import isfinite


def as_number(value: object) -> float | None:
    """A finite number, or None: `true`, NaN, infinities and whole numbers beyond what a float holds are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None
