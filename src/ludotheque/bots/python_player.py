"""A Python object as a player, named `py:MODULE:CLASS`: anything with a method `choose` (docs/arena.md).

It is imported where it plays, such as in the arena's worker processes. One that raises or answers nonsense loses by Forfeit.
"""

import logging
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol, cast

from ludotheque.bots.forfeit import Forfeit, check_answer, evidence
from ludotheque.core import BadOption, Decision, Player, Position, Problem, check_asked, text, write_json
from ludotheque.core.problems import shortened

_log = logging.getLogger(__name__)

MOST_TOLD: Final = 200  # letters of an exception


class PythonBot(Protocol):
    """What the object has to be. A `Player` is one, and so is any other class with this method.

    `new_game(position, seat, seed)` and `close()` are called if it has them, and a text `version` is noted in results.
    """

    def choose(self, position: Position, *, seconds: float | None, seed: int) -> Decision | str:
        """The action that the seat to move plays, one of `position.legal().actions`.

        `seconds` is the time to think, if there is a limit; the same `seed` and position should give the same choice.
        """


def find_class(target: str) -> Callable[[], PythonBot]:
    """The class, or any function that makes the object, of `MODULE:CLASS`; BadOption says what is wrong with it.

    The current folder is searched too, after everything that is installed.
    """
    module, _, name = target.partition(":")
    if not module or not name.isidentifier():
        raise BadOption("bots.python-form", name=shortened(target))
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found = getattr(import_module(module), name, None)
    except Exception as error:  # whatever a module does when it is imported
        told = shortened(f"{type(error).__name__}: {error}", MOST_TOLD)
        raise BadOption("bots.python-import", module=shortened(module), error=told) from error
    if not callable(found):
        raise BadOption("bots.python-missing", module=shortened(module), name=shortened(name))
    if isinstance(found, type) and not callable(getattr(found, "choose", None)):
        raise BadOption("bots.python-no-choose", name=shortened(name))
    return cast(Callable[[], PythonBot], found)


def version_of(target: str) -> str | None:
    """What the class, or else its module, says of its version."""
    found = find_class(target)
    version = getattr(found, "version", None) or getattr(sys.modules[target.partition(":")[0]], "__version__", None)
    return shortened(version, MOST_TOLD) if isinstance(version, str) else None


class PythonPlayer(Player):
    """An object that plays; made for its first game, and again after it has failed."""

    def __init__(self, target: str) -> None:
        self.name = f"py:{target}"
        self.target = target
        self.restarts = 0
        """How often it had to be made again, because it had failed."""
        self._failed = False
        self._bot: PythonBot | None = None

    def new_game(self, position: Position, seat: int, seed: int) -> None:
        """Tell the object, if it wants to know; Forfeit if it fails."""
        try:
            tell = getattr(self._made(), "new_game", None)
            if tell is not None:
                tell(position, seat, seed)
        except Exception as error:
            raise self._fail(position, error, "") from error

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """What the object answers, if it is legal; Forfeit otherwise. Its time is not enforced: it runs in our process."""
        check_asked(position)
        answer: object = None
        try:
            answer = self._made().choose(position, seconds=seconds, seed=seed)
            decision = answer if isinstance(answer, Decision) else Decision(answer)
            if not isinstance(decision.action, str):
                raise Forfeit("bots.python-answer", found=shortened(repr(answer)))
            check_answer(position, decision.action)
        except Exception as error:
            raise self._fail(position, error, "" if answer is None else repr(answer)) from error
        return decision

    def close(self) -> None:
        """Let the object go."""
        made, self._bot = self._bot, None
        end = getattr(made, "close", None)
        if end is not None:
            try:
                end()
            except Exception as error:  # its matches are over, and count
                told = shortened(f"{type(error).__name__}: {error}", MOST_TOLD)
                _log.warning("%s", text("bots.python-close", player=self.name, error=told))

    def _made(self) -> PythonBot:
        if self._bot is None:
            self.restarts += self._failed
            self._failed = False
            self._bot = find_class(self.target)()
        return self._bot

    def _fail(self, position: Position, error: Exception, answered: str) -> Forfeit:
        """Let the object go; returns the error as a Forfeit, with the position and the trace."""
        self._bot, self._failed = None, True
        lost: Forfeit
        trace: list[str] = []
        if isinstance(error, Forfeit):
            lost = Forfeit(error.text)
        elif isinstance(error, Problem):
            lost = Forfeit("bots.nonsense", problem=error.text)
        else:
            told = shortened(f"{type(error).__name__}: {error}", MOST_TOLD)
            lost = Forfeit("bots.raised", error=told)
            trace = [line for part in traceback.format_exception(error) for line in part.splitlines()]
        lost.evidence = evidence(write_json(position.view()), answered, trace)
        return lost
