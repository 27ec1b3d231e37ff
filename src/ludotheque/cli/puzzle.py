"""`ludotheque puzzle [GAME]`: a position with one best answer; try it, and hear what it is worth and why. analysis judges it."""

from datetime import UTC, date, datetime
from typing import Annotated

import typer

from ludotheque.cli import shelf
from ludotheque.cli.keyboard import InputEnded, Keyboard
from ludotheque.cli.speech import LanguageOption, Speech, paint_for_terminal, speech_of
from ludotheque.core import BadOption, Game, IllegalAction, find_game, game_names

WRONG = 1  # exit status


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("puzzle")(puzzle)


def puzzle(
    ctx: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            help="As in `ludotheque games`; otherwise the first with puzzles.", autocompletion=shelf.complete_game
        ),
    ] = None,
    number: Annotated[int | None, typer.Option(min=1, help="Which puzzle; otherwise the one of the day.")] = None,
    day: Annotated[str | None, typer.Option(help="The puzzle of another day, such as 2026-11-15.")] = None,
    answer: Annotated[str | None, typer.Option(help="Answer at once instead of being asked.")] = None,
    language: LanguageOption = None,
) -> None:
    """Solve a puzzle: what is best here? Exit status 0 if the (last) answer is right, 1 if not."""
    from ludotheque.analysis import puzzle_numbered, puzzle_of_the_day  # noqa: PLC0415 - `--help` does not wait for it

    speech = speech_of(ctx, language)
    found = find_game(game) if game else _first_with_puzzles()
    some = puzzle_numbered(found, number) if number else puzzle_of_the_day(found, _date(day))
    position = some.position(found)
    typer.echo(speech.say("puzzle.title", title=found.title, number=some.number, grade=some.grade))
    typer.echo("\n" + position.picture(paint_for_terminal(), speech.language) + "\n")
    seat = position.to_move
    assert isinstance(seat, int)
    plain = speech.say("puzzle.question", player=found.seat_name(seat, speech.language))
    typer.echo(some.questions(found).get(speech.language, plain))
    keyboard, right = Keyboard(), False
    try:
        while not right:
            typed = answer or keyboard.ask("> ", position.legal().actions).strip()
            if not typed:
                break
            try:
                right = _tell(found, some.number, position.understand(typed), speech)
            except IllegalAction as problem:
                if answer:
                    raise
                typer.echo(problem.sentence(speech.language))
            if answer:
                break
            if not right:
                typer.echo(speech.say("puzzle.again"))
    except InputEnded:
        pass  # enough for today
    if not right:
        raise typer.Exit(WRONG)


def _first_with_puzzles() -> Game:
    from ludotheque.analysis import read_puzzles  # noqa: PLC0415

    found = next((game for game in map(find_game, game_names()) if read_puzzles(game)), None)
    if found is None:
        raise BadOption("No game here has puzzles.", "Aucun jeu ici n'a de problèmes.")
    return found


def _date(text: str | None) -> date:
    """A day; today's puzzle is by universal time, so that it is the same as on the page."""
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadOption(
            f'"{text[:20]}" is no day; write it as 2026-11-15.',
            f"« {text[:20]} » n'est pas un jour ; écrivez 2026-11-15.",
        ) from error


def _tell(game: Game, number: int, action: str, speech: Speech) -> bool:
    """Judge an answer in words."""
    from ludotheque.analysis import judge_answer, puzzle_numbered  # noqa: PLC0415
    from ludotheque.players import bot  # noqa: PLC0415

    judged = judge_answer(game, puzzle_numbered(game, number), action, bot(game, 5), 1.0)
    best = f"{100 * judged.best_value:.0f}"
    if judged.right:
        typer.echo(speech.say("puzzle.right", value=best))
        return True
    value = speech.say("puzzle.unlisted") if judged.value is None else f"{100 * judged.value:.0f} %"
    typer.echo(speech.say("puzzle.wrong", value=value, best=best))
    if judged.why is not None:
        told = judged.why.told(game, speech.language)
        typer.echo(speech.say("puzzle.better", line=told.better))
        for reason in told.reasons:
            typer.echo(f"  {reason}.")
    return False
