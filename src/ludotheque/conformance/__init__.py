"""What every game must do, whoever wrote it: one suite, for `ludotheque check-game`, for pytest (`plugin`) and for our own games.

A check is a function over a game; what it finds wrong it raises as `Broken`, in English, since it is for those who write games.
"""

from ludotheque.conformance.cases import Broken, Case, Check, cases, checks_of

__all__ = ["Broken", "Case", "Check", "cases", "checks_of"]
