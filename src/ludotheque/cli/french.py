"""`--help` and mistyped commands in French: beside the code their texts are English, and help.fr.json has each once more.

What the commands themselves say is in words.*.json.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.resources import files
from typing import Any, Final

import typer

from ludotheque.core import BadJson, Reader, parse

HELP_NAMES: Final = ["-h", "--help"]
UsageError: Final[type[Exception]] = typer.BadParameter.__mro__[1]  # typer shows it nowhere else

TITLES: Final = {
    "COMMANDS_PANEL_TITLE": "Commandes",
    "ERRORS_PANEL_TITLE": "Erreur",
    "ABORTED_TEXT": "Interrompu.",
    "DEFAULT_STRING": "[par défaut : {}]",
    "REQUIRED_LONG_STRING": "[obligatoire]",
    "RICH_HELP": "Pour de l'aide : [blue]{command_path} {help_option}[/]",
}
"""What stands around the texts, by typer's names; arguments and options are called so in French, too."""

MISTAKES: Final = (
    (r"No such command '([^']*)'\.", r"La commande « \1 » n'existe pas."),
    (r"No such option: (\S+?)\.?(?= |$)", r"L'option \1 n'existe pas."),
    (r"Did you mean ([^?]+)\?", r"Vouliez-vous dire \1 ?"),
    (r"\(Possible options: ([^)]*)\)", r"Options proches : \1."),
    (r"Missing command\.", "Il manque une commande."),
    (r"Missing argument '([^']*)'\.", r"Il manque l'argument « \1 »."),
    (r"Missing option '([^']*)'\.", r"Il manque l'option \1."),
    (r"Option '([^']*)' requires an argument\.", r"L'option \1 demande une valeur."),
    (r"Option '([^']*)' does not take a value\.", r"L'option \1 ne prend pas de valeur."),
    (r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", r"Il y a un mot de trop : \1."),
    (r"Invalid value for '([^']*)': ", r"La valeur de \1 ne va pas : "),
    (r"(?:Value error, )?'([^']*)' is not one of (.*)\.", r"« \1 » n'est pas parmi \2."),
    (r"Input should be greater than or equal to (\S+)", r"il faut au moins \1."),
    (r"Input should be less than or equal to (\S+)", r"il faut au plus \1."),
    (r"Input should be a valid integer.*", "il faut un nombre entier."),
    (r"Input should be a valid number.*", "il faut un nombre."),
    (r"(?:Value error, )?(?:[Ff]ile|[Pp]ath|[Dd]irectory) ('[^']*') does not exist\.", r"\1 n'existe pas."),
    (r"(?:Value error, )?(?:[Ff]ile|[Pp]ath) ('[^']*') is a directory\.", r"\1 est un dossier."),
    (r"(?:Value error, )?[Dd]irectory ('[^']*') is a file\.", r"\1 est un fichier."),
)


def french_of(message: str) -> str:
    """What typer says of a mistake, in French."""
    for english, french in MISTAKES:
        message = re.sub(english, french, message)
    return message


def translations() -> dict[str, str]:
    """The French of every English text of `--help`."""
    reader = Reader(parse((files("ludotheque.cli") / "help.fr.json").read_text("utf-8")), BadJson, "help.fr.json")
    return {english: reader.key(english).text() for english in reader.object()}


def translate(command: Any, french: dict[str, str]) -> None:
    """Put the texts of a command, its options and all commands below it into French."""
    helped = command.get_help_option(typer.Context(command, help_option_names=HELP_NAMES))
    for part in (command, *command.params, helped):
        text = getattr(part, "help", None)
        if text:
            part.help = french.get(text, text)
    for below in getattr(command, "commands", {}).values():
        translate(below, french)


@contextmanager
def in_french(command: Any) -> Iterator[None]:
    """Within, help and mistakes are told in French."""
    translate(command, translations())
    around = import_module("typer.rich_utils")
    before = {name: getattr(around, name) for name in TITLES if hasattr(around, name)}
    for name in before:
        setattr(around, name, TITLES[name])
    try:
        yield
    finally:
        for name, text in before.items():
            setattr(around, name, text)


@contextmanager
def mistakes_in_french() -> Iterator[None]:
    """Within, a mistyped command is told in French."""
    try:
        yield
    except UsageError as error:
        told = french_of(getattr(error, "format_message")())  # noqa: B009 - typer gives its errors no public type
        setattr(error, "format_message", lambda: told)  # noqa: B010
        raise
