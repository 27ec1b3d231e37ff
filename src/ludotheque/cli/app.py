"""The application: the list of commands, the language, and how problems are reported.

A command is a function in a module of its own; add yours to COMMANDS. Modules import heavy things inside their functions,
so that `--help` and completion answer at once.
"""

import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from ludotheque import __version__
from ludotheque.cli import (
    admin,
    arena,
    bench,
    check_game,
    doctor,
    engine,
    games,
    lab,
    manual_pages,
    new_game,
    paths,
    play,
    puzzle,
    record,
    review,
    rules,
    serve,
    study,
    train,
    warm,
    yardstick,
)
from ludotheque.cli.translator import LanguageOption, Translator, language_asked_for
from ludotheque.cli.typer_texts import HELP_NAMES, translated, translated_mistakes
from ludotheque.core import Problem
from ludotheque.core.catalogue import FALLBACK
from ludotheque.core.problems import reason

COMMANDS: Final[Mapping[str, Callable[..., None]]] = {
    "games": games.show_games,
    "rules": rules.show_rules,
    "help": manual_pages.show_help,
    "play": play.play,
    "serve": serve.run_server,
    "backup": serve.make_backup,
    "engine": engine.run_engine,
    "review": review.review,
    "puzzle": puzzle.puzzle,
    "arena": arena.arena,
    "yardstick": yardstick.yardstick,
    "study": study.study,
    "lab": lab.lab,
    "train": train.train,
    "bench": bench.bench,
    "warm": warm.warm,
    "new-game": new_game.new_game,
    "check-game": check_game.check_games,
    "doctor": doctor.doctor,
    "paths": paths.show_paths,
    "forget": paths.forget,
}

MISUSE = 2  # exit status


class CommandGroup(TyperGroup):
    """All commands; a problem becomes one sentence on standard error, in the reader's language."""

    _language = FALLBACK

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> Any:
        """Run what was typed, with help and mistakes in the reader's language."""
        self._language = language_asked_for(sys.argv[1:] if args is None else args)
        with translated(self, self._language):
            return super().main(args, *rest, **more)

    def make_context(self, *given: Any, **more: Any) -> Any:
        """Parse what was typed, up to the command."""
        with translated_mistakes(self._language):
            return super().make_context(*given, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            with translated_mistakes(self._language):
                return super().invoke(ctx)
        except Problem as problem:
            translator = ctx.find_object(Translator) or Translator()
            typer.echo(problem.sentence(translator.language), err=True)
            raise typer.Exit(MISUSE) from problem
        except BrokenPipeError:
            raise
        except OSError as error:
            if error.filename is None:
                raise
            # A file or a folder that somebody named; a command that expects this says it better.
            translator = ctx.find_object(Translator) or Translator()
            typer.echo(translator.say("cli.file-problem", file=str(error.filename), why=reason(error)), err=True)
            raise typer.Exit(MISUSE) from error


app = typer.Typer(
    name="ludotheque",
    cls=CommandGroup,
    help="help.ludotheque",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_NAMES},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ludotheque {__version__}")
        raise typer.Exit


@app.callback()
def _callback(
    ctx: typer.Context,
    language: LanguageOption = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="help.ludotheque.version")
    ] = False,
) -> None:
    del version
    ctx.obj = Translator(language)
    logging.basicConfig(format="%(levelname)s: %(message)s")  # to standard error
    if ctx.invoked_subcommand is None:  # no word: whoever has just installed it wants to play
        serve.run_server(ctx)


for name, command in COMMANDS.items():
    app.command(name, help=f"help.{name}")(command)
app.add_typer(record.commands)
app.add_typer(admin.commands)


def run() -> None:
    """Run what was typed; a closed pipe is not an error."""
    try:
        app()
    except BrokenPipeError:
        # Otherwise Python reports the error again while it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
