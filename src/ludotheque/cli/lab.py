"""`ludotheque lab`: forces on magnets in given poses, their motion, plots of the field and of a turn of Yikerz!."""

from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import BadRequest, JsonObject, find_game, parse, write_json
from ludotheque.core.problems import reason


def lab(
    ctx: typer.Context,
    magnet: Annotated[
        list[str] | None,
        typer.Option("--magnet", help="help.lab.magnet"),
    ] = None,
    layout: Annotated[str, typer.Option(help="help.lab.layout")] = "pyramid",
    request: Annotated[Path | None, typer.Option("--request", help="help.lab.request")] = None,
    seconds: Annotated[float, typer.Option(min=0, max=60, help="help.lab.seconds")] = 2.0,
    field: Annotated[Path | None, typer.Option("--field", help="help.lab.field")] = None,
    film: Annotated[Path | None, typer.Option("--film", help="help.lab.film")] = None,
    record: Annotated[Path | None, typer.Option("--record", help="help.lab.record")] = None,
    turn: Annotated[int | None, typer.Option("--turn", min=1, help="help.lab.turn")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="help.lab.as-json")] = False,
    language: LanguageOption = None,
) -> None:
    """Try what magnets do: forces, motion, pictures of both."""
    from ludotheque.games.yikerz import lab as laboratory  # noqa: PLC0415 - `--help` does not wait for them
    from ludotheque.plotting import FORMATS, check_plot  # noqa: PLC0415

    translator = translator_of(ctx, language)
    if field is not None:
        check_plot(field)
    if film is not None:
        check_plot(film, (*FORMATS, ".gif"))
    if record is not None:
        laboratory.draw_turn(_read(record), turn, film, field)
        _tell_drawn(translator, field, film)
        return
    if request is not None:
        experiment = _read(request)
    else:
        if not magnet:
            raise BadRequest("lab.no-magnets")
        experiment = laboratory.request_of(layout, magnet, seconds)
    answer = laboratory.answer_lab(experiment)
    if field is not None or film is not None:
        laboratory.draw_lab(experiment, field, film)
        _tell_drawn(translator, field, film)
    if as_json:
        typer.echo(write_json({"ok": True, **answer}))
        return
    catalogue = find_game("yikerz").catalogue
    for name, facts in laboratory.told(experiment, answer):
        if "shape" in facts:  # as a player calls it: Œuf 3
            name_told = catalogue.say(f"page.{facts['shape']}", translator.language)
            facts["shape"] = f"{name_told} {facts['number']}"
        typer.echo(translator.say(f"lab.{name}", **facts))


def _tell_drawn(translator: Translator, *files: Path | None) -> None:
    for file in files:
        if file is not None:
            typer.echo(translator.say("lab.drawn", file=str(file)), err=True)


def _read(file: Path) -> JsonObject:
    try:
        value = parse(file.read_bytes())
    except OSError as error:
        raise BadRequest("cli.unreadable", file=str(file), why=reason(error)) from error
    if not isinstance(value, dict):
        raise BadRequest("cli.no-object", file=str(file))
    return value
