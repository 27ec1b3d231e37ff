"""Line input from a person at a terminal, with completion, or from a script in a pipe."""

import sys
from collections.abc import Sequence

import typer


class InputEnded(Exception):
    """The input has ended, or Ctrl-C or Ctrl-D was pressed."""


class Keyboard:
    """Asks for lines."""

    def __init__(self) -> None:
        self.person = sys.stdin.isatty()
        self._choices: Sequence[str] = ()
        if self.person:
            self._complete_with_tab()

    def ask(self, prompt: str, choices: Sequence[str] = ()) -> str:
        """Read one line; the Tab key offers `choices`. Input from a script is echoed after the prompt."""
        self._choices = choices
        sys.stdout.flush()
        try:
            if self.person:
                return input(prompt)
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt) as end:
            typer.echo("")
            raise InputEnded from end
        except UnicodeDecodeError:
            line = "?\n"  # not text: the table refuses it as an action
        if not line:
            raise InputEnded
        typer.echo(prompt + line.rstrip("\n"))
        return line.rstrip("\n")

    def _complete_with_tab(self) -> None:
        try:
            import readline  # noqa: PLC0415 - it changes how input() works, so only for people
        except ImportError:
            return  # without it typing works, only without completion
        readline.set_completer_delims("")
        readline.set_completer(self._completion)
        readline.parse_and_bind("tab: complete")

    def _completion(self, typed: str, which: int) -> str | None:
        fitting = [choice for choice in self._choices if choice.startswith(typed)]
        return fitting[which] if which < len(fitting) else None
