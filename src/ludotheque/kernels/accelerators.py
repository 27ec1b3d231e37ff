"""Fast copies of rules, for bots: each is declared here and has a test that proves it equal to the rules.

A bot should call the rules. Where that is too slow, `@accelerates` names the rules that a function repeats. A test marked
`@pytest.mark.accelerator("package.module.function")` compares the two; tests/bots/test_accelerators.py lists any that lacks one.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

ACCELERATORS: Final[dict[str, str]] = {}
"""Every accelerator that has been imported, by its full name: the rules that it repeats."""


def accelerates(rules: str) -> Callable[[F], F]:
    """Declare a function to be a fast copy of these rules."""

    def declare(function: F) -> F:
        plain: Any = getattr(function, "py_func", function)
        ACCELERATORS[f"{plain.__module__}.{plain.__qualname__}"] = rules
        return function

    return declare
