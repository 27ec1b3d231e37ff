"""How a program or a Python object loses a game by default: the reason, and what is needed to mend it.

Callers decide what it means for a match.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ludotheque.core import Fact, Position, Problem, Text
from ludotheque.core.problems import shortened

MOST_ASKED: Final = 2000  # letters of the question that are kept
MOST_ANSWERED: Final = 500
MOST_LINES: Final = 20
LONGEST_LINE: Final = 300


@dataclass(frozen=True)
class Evidence:
    """What was asked, what was answered, and the last lines of the standard error or of the trace; all of it bounded."""

    asked: str = ""
    answered: str = ""
    stderr: tuple[str, ...] = ()


def evidence(asked: str, answered: str, lines: Iterable[str]) -> Evidence:
    """Evidence, shortened."""
    kept = [shortened(line.expandtabs().rstrip(), LONGEST_LINE) for line in lines if line.strip()]
    return Evidence(shortened(asked, MOST_ASKED), shortened(answered, MOST_ANSWERED), tuple(kept[-MOST_LINES:]))


class Forfeit(Problem):
    """A player has lost its game by what it did, or did not do."""

    code = "forfeit"

    def __init__(self, said: Text | str, /, **facts: Fact) -> None:
        super().__init__(said, **facts)
        self.evidence = Evidence()

    def __reduce__(self) -> tuple[type[Problem], tuple[Text], dict[str, Evidence]]:  # type: ignore[override] # with its state
        return type(self), (self.text,), {"evidence": self.evidence}


def check_answer(position: Position, action: str) -> None:
    """Raises the problem that the game names if an action cannot be played here."""
    legal = position.legal()
    if action not in legal.actions:
        if not legal.open:
            raise position.refuse(action)
        position.play(action)
