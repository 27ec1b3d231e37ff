"""`ludotheque review RECORD`: mistakes and luck of a match, as text, JSON or a plot. `ludotheque.analysis` judges it."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque.cli.record import FileArgument, names_of
from ludotheque.cli.saves import read_file
from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import BadRequest, Record, write_json

if TYPE_CHECKING:
    from ludotheque.analysis import Review


def review(
    ctx: typer.Context,
    file: FileArgument,
    seconds: Annotated[float | None, typer.Option(min=0.01, max=600, help="help.review.seconds")] = None,
    worst: Annotated[int, typer.Option(min=0, help="help.review.worst")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="help.review.as-json")] = False,
    plot: Annotated[Path | None, typer.Option(help="help.review.plot")] = None,
    language: LanguageOption = None,
) -> None:
    """Judge a match: the chance to win all along, the mistakes with the better choice, luck told apart from skill."""
    from ludotheque.analysis import Review, moments, reviewable  # noqa: PLC0415 - `--help` does not wait for it
    from ludotheque.bots import bot  # noqa: PLC0415
    from ludotheque.plotting import check_plot  # noqa: PLC0415

    translator = translator_of(ctx, language)
    if plot is not None:
        check_plot(plot)
    record = read_file(file)
    match = record.match
    if not reviewable(match.game):
        raise BadRequest("review.by-hand", title=match.game.title)
    judge = bot(match.game, 5)
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import track  # noqa: PLC0415

    console = Console(stderr=True)
    steps = track(
        moments(match, judge, seconds),
        translator.say("review.working"),
        total=len(match.log),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
    judged = Review(match.players, tuple(steps))
    if plot is not None:
        _plot(judged, record, plot, translator)
    if as_json:
        typer.echo(write_json({"game": match.game.name, "judge": judge.name, **judged.json()}))
    else:
        _tell(judged, record, worst, translator)


def _tell(judged: "Review", record: Record, worst: int, translator: Translator) -> None:
    """The review in words."""
    from ludotheque.analysis.review import sparkline  # noqa: PLC0415

    match, names = record.match, names_of(record, translator.language)
    if not judged.moments:
        typer.echo(translator.say("review.nothing"))
        return
    curve = judged.curve(0)
    if curve:
        typer.echo(translator.say("review.curve", player=names[0]))
        width = 72
        some = (
            [curve[round(place * (len(curve) - 1) / (width - 1))] for place in range(width)]
            if len(curve) > width
            else curve
        )
        typer.echo("  " + sparkline(chance for _, chance in some))
    for seat, name in enumerate(names):
        one = judged.sum(seat)
        facts = {f"{size}_count": count for size, count in one.mistakes.items()}
        typer.echo(
            translator.say(
                "review.sum", player=name, lost=translator.number(100 * one.lost), count=one.decisions, **facts
            )
        )
        if one.luck is not None:
            typer.echo(translator.say("review.luck", luck=translator.number(100 * one.luck, signed=True)))
    balance = judged.balance(0)
    if balance is not None:
        parts = [translator.say("review.start", value=translator.number(100 * balance.start))]
        for name, value in asdict(balance).items():
            if name in ("luck", "own", "other", "unforeseen") and (name != "luck" or judged.sum(0).luck is not None):
                parts.append(translator.say(f"review.by-{name}", value=translator.number(100 * value, signed=True)))
        told = "review.balance" if match.over else "review.balance-so-far"
        end = translator.number(100 * balance.end)
        typer.echo(translator.say(told, player=names[0], parts=", ".join(parts), end=end))
    mistakes = judged.worst(worst)
    if mistakes:
        typer.echo(translator.say("review.worst"))
    for moment in mistakes:
        assert isinstance(moment.by, int)
        position = match.at(moment.place)
        typer.echo(
            translator.say(
                "review.mistake",
                place=moment.place,
                player=names[moment.by],
                size=translator.say("review.mistake-word" if moment.size == "mistake" else f"review.{moment.size}"),
                action=position.typed(moment.action, translator.language),
                dice=_dice(position.view()),
                best=position.typed(moment.best, translator.language) if moment.best else "",
                lost=translator.number(100 * moment.lost),
            )
        )
        if moment.why is not None:
            why = moment.why.told(match.game, translator.language, names)
            for line in (why.better, *why.reasons):
                typer.echo(translator.say("review.why", line=line))


def _dice(view: object) -> str:
    """The dice in a view, if the game has any."""
    dice = view.get("dice") if isinstance(view, dict) else None
    return f" [{dice}]" if dice else ""


def _plot(judged: "Review", record: Record, file: Path, translator: Translator) -> None:
    """The chance to win of every seat, over the match; mistakes are marked."""
    from ludotheque.plotting import pyplot, save_plot  # noqa: PLC0415

    figure, axes = pyplot().subplots(figsize=(9, 4))
    for seat, name in enumerate(names_of(record, translator.language)):
        curve = dict(judged.curve(seat))
        axes.plot(list(curve), [100 * chance for chance in curve.values()], label=name, linewidth=1)
        wrong = [one for one in judged.moments if one.by == seat and one.size and one.place in curve]
        axes.plot([one.place for one in wrong], [100 * curve[one.place] for one in wrong], "x", color="black")
    axes.set_ylim(0, 100)
    axes.set_xlabel(translator.say("review.axis-actions"))
    axes.set_ylabel(translator.say("review.axis-chance"))
    axes.legend()
    figure.tight_layout()
    save_plot(figure, file)
