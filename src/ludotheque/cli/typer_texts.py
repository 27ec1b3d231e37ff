"""Translates what typer prints, `--help` and mistyped commands, from the program's catalogue.

In code the help of a command or an option is a catalogue key. What the commands themselves say is in `translator`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, Final

import typer

from ludotheque.core import Catalogue
from ludotheque.core.catalogue import FALLBACK, PROGRAM

HELP_NAMES: Final = ["-h", "--help"]
UsageError: Final[type[Exception]] = typer.BadParameter.__mro__[1]  # typer exports it nowhere else
CATALOGUE: Final = Catalogue(PROGRAM)

TYPERS_OPTIONS: Final = {
    "install_completion": "help.ludotheque.install-completion",
    "show_completion": "help.ludotheque.show-completion",
    "help": "help.shared.help",
}
"""Options that typer adds, with help texts of its own."""

CONSTANTS: Final = {
    "ERRORS_PANEL_TITLE": ("typer.error", {}),
    "ABORTED_TEXT": ("typer.aborted", {}),
    "DEFAULT_STRING": ("typer.default", {"value": "{}"}),
    "REQUIRED_LONG_STRING": ("typer.required", {}),
    "RICH_HELP": ("typer.try-help", {"command": "{command_path}", "option": "{help_option}"}),
}
"""Texts for which typer has no parameter: its constants, their keys, and typer's placeholders in them."""

MISTAKES: Final = (
    (r"No such command '(?P<name>[^']*)'\.", "typer.no-such-command"),
    (r"No such option: (?P<name>\S+?)\.?(?= |$)", "typer.no-such-option"),
    (r"Did you mean (?P<name>[^?]+)\?", "typer.did-you-mean"),
    (r"\(Possible options: (?P<names>[^)]*)\)", "typer.possible-options"),
    (r"Missing command\.", "typer.missing-command"),
    (r"Missing argument '(?P<name>[^']*)'\.", "typer.missing-argument"),
    (r"Missing option '(?P<name>[^']*)'\.", "typer.missing-option"),
    (r"Option '(?P<name>[^']*)' requires an argument\.", "typer.option-needs-value"),
    (r"Option '(?P<name>[^']*)' does not take a value\.", "typer.option-takes-none"),
    (r"Got unexpected extra argument(?:s|\(s\))? \((?P<words>.*)\)", "typer.extra-argument"),
    (r"Invalid value for '(?P<name>[^']*)': ", "typer.invalid-value"),
    (r"(?:Value error, )?'(?P<value>[^']*)' is not one of (?P<choices>.*)\.", "typer.not-one-of"),
    (r"Input should be greater than or equal to (?P<least>\S+)", "typer.at-least"),
    (r"Input should be less than or equal to (?P<most>\S+)", "typer.at-most"),
    (r"Input should be a valid integer.*", "typer.integer"),
    (r"Input should be a valid number.*", "typer.number"),
    (r"(?:Value error, )?(?:[Ff]ile|[Pp]ath|[Dd]irectory) (?P<file>'[^']*') does not exist\.", "typer.not-there"),
    (r"(?:Value error, )?(?:[Ff]ile|[Pp]ath) (?P<file>'[^']*') is a directory\.", "typer.is-folder"),
    (r"(?:Value error, )?[Dd]irectory (?P<file>'[^']*') is a file\.", "typer.is-file"),
)
"""What typer says of a mistake, in English, and the keys of the same sentences."""


def translate_help(command: Any, language: str) -> None:
    """Replace the keys of a command, its options and all commands below it by their sentences."""
    helped = command.get_help_option(typer.Context(command, help_option_names=HELP_NAMES))
    keys = {command: command.help}  # which may be called "help", as an option is
    keys |= {part: TYPERS_OPTIONS.get(part.name, getattr(part, "help", None)) for part in (*command.params, helped)}
    for part, key in keys.items():
        if key and CATALOGUE.has(key):
            part.help = CATALOGUE.say(key, language)
    for below in getattr(command, "commands", {}).values():
        below.rich_help_panel = CATALOGUE.say("typer.commands", language)
        translate_help(below, language)


@contextmanager
def translated(command: Any, language: str) -> Iterator[None]:
    """Within, help is printed in a language."""
    translate_help(command, language)
    typers = import_module("typer.rich_utils")
    before = {name: getattr(typers, name) for name in CONSTANTS if hasattr(typers, name)}
    for name in before:
        key, placeholders = CONSTANTS[name]
        setattr(typers, name, CATALOGUE.say(key, language, placeholders))
    try:
        yield
    finally:
        for name, text in before.items():
            setattr(typers, name, text)


def translate_mistake(message: str, language: str) -> str:
    """What typer says of a mistake, in a language."""
    if language == FALLBACK:  # which is typer's own
        return message
    for pattern, key in MISTAKES:
        message = re.sub(pattern, partial(_sentence, key, language), message)
    return message


def _sentence(key: str, language: str, found: re.Match[str]) -> str:
    return CATALOGUE.say(key, language, found.groupdict())


@contextmanager
def translated_mistakes(language: str) -> Iterator[None]:
    """Within, a mistyped command is explained in a language."""
    try:
        yield
    except UsageError as error:
        told = translate_mistake(getattr(error, "format_message")(), language)  # noqa: B009 - typer gives its errors no public type
        setattr(error, "format_message", lambda: told)  # noqa: B010
        raise
