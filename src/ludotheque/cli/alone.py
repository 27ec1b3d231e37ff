"""A file that a long command adds to is its own as long as it runs: whoever comes second is told so before anything is played."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ludotheque.core import BadOption
from ludotheque.core.problems import unwritable
from ludotheque.holding import Busy, held


@contextmanager
def alone_with(*files: Path | None) -> Iterator[None]:
    """Hold the files that were named; BadOption where another command is writing one of them, or where nobody can."""
    with ExitStack() as stack:
        for file in files:
            if file is None:
                continue
            try:
                stack.enter_context(held(file))
            except Busy as error:
                raise BadOption(
                    f"Another command is writing {file} just now. Wait until it has ended, or name another.",
                    f"Une autre commande écrit {file} en ce moment. Attendez qu'elle ait fini, ou nommez-en un autre.",
                ) from error
            except OSError as error:
                raise unwritable(file, error) from error
        yield
