"""The decorator of the physics' compiled functions: like `rule`, with arithmetic that may be reordered and never raises."""

from pathlib import Path
from typing import Final

from ludotheque.kernels import rule_in

SETTINGS: Final[dict[str, object]] = {"error_model": "numpy", "fastmath": {"contract", "nsz", "reassoc"}}

kernel = rule_in(Path(__file__).parent, **SETTINGS)
"""Compile a function of numbers and arrays, and cache it. NaN and infinity are not assumed away: they must be detected."""
inlined_kernel = rule_in(Path(__file__).parent, **SETTINGS, inline="always")
"""The same for a function that becomes part of its callers: so a structure of many arrays costs nothing to pass."""
