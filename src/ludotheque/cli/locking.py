"""Exclusive access to the files that a long command appends to, checked before anything is played."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ludotheque.core import BadOption
from ludotheque.core.problems import unwritable
from ludotheque.file_lock import Locked, file_lock


@contextmanager
def lock_outputs(*files: Path | None) -> Iterator[None]:
    """Lock the files that were named; BadOption if another command is writing one of them, or if it cannot be written."""
    with ExitStack() as stack:
        for file in files:
            if file is None:
                continue
            try:
                stack.enter_context(file_lock(file))
            except Locked as error:
                raise BadOption("cli.file-in-use", file=str(file)) from error
            except OSError as error:
                raise unwritable(file, error) from error
        yield
