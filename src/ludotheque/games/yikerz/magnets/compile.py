"""How the physics compiles its kernels: like rules, with arithmetic that may be reordered and never raises."""

from pathlib import Path

from ludotheque.kernels import rule_in

kernel = rule_in(Path(__file__).parent, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
"""Compile a function of numbers and arrays, and keep it compiled. NaN and infinity stay what they are: they must be noticed."""
