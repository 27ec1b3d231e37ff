"""`ludotheque puzzle [GAME]`: asks for the best action in a position and judges the answer. `ludotheque.analysis` has the puzzles."""

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.keyboard import InputEnded, Keyboard
from ludotheque.cli.translator import LanguageOption, Translator, paint_for_terminal, translator_of
from ludotheque.core import BadOption, Game, IllegalAction, find_game, game_names

if TYPE_CHECKING:
    from ludotheque.analysis import JudgedAnswer, Puzzle

WRONG = 1  # exit status


def puzzle(
    ctx: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(help="help.puzzle.game", autocompletion=game_list.complete_game),
    ] = None,
    number: Annotated[int | None, typer.Option(min=1, help="help.puzzle.number")] = None,
    day: Annotated[str | None, typer.Option(help="help.puzzle.day")] = None,
    answer: Annotated[str | None, typer.Option(help="help.puzzle.answer")] = None,
    language: LanguageOption = None,
) -> None:
    """Solve a puzzle: what is best here? Exit status 0 if the (last) answer is right, 1 if not."""
    from ludotheque.analysis import puzzle_numbered, puzzle_of_the_day  # noqa: PLC0415 - `--help` does not wait for it

    translator = translator_of(ctx, language)
    found = find_game(game) if game else _first_with_puzzles()
    some = puzzle_numbered(found, number) if number else puzzle_of_the_day(found, _date(day))
    position = some.position(found)
    typer.echo(translator.say("puzzle.title", title=found.title, number=some.number, grade=some.grade))
    typer.echo("\n" + position.picture(paint_for_terminal(), translator.language) + "\n")
    seat = position.to_move
    assert isinstance(seat, int)
    plain = translator.say("puzzle.question", player=found.seat_name(seat, translator.language))
    typer.echo(some.questions(found).get(translator.language, plain))
    if not _solved(found, some, answer, translator):
        raise typer.Exit(WRONG)


def _solved(game: Game, some: "Puzzle", answer: str | None, translator: Translator) -> bool:
    """Ask until the answer is right or the person gives up."""
    position, keyboard, last = some.position(game), Keyboard(), answer
    choices = [position.typed(action, translator.language) for action in position.legal().actions]
    while True:
        try:
            typed = answer or keyboard.ask("> ", choices).strip()
            if not typed:
                break
            last = position.understand(typed)
            if _tell(game, some, last, translator):
                return True
        except IllegalAction as problem:
            if answer:
                raise
            typer.echo(problem.sentence(translator.language))
        except InputEnded:
            break
        if answer:
            break
        typer.echo(translator.say("puzzle.again"))
    _tell_answer(game, some, last or some.next, translator)
    return False


def _first_with_puzzles() -> Game:
    from ludotheque.analysis import read_puzzles  # noqa: PLC0415

    found = next((game for game in map(find_game, game_names()) if read_puzzles(game)), None)
    if found is None:
        raise BadOption("puzzle.none-anywhere")
    return found


def _date(text: str | None) -> date:
    """Parse a day; today is by UTC, as on the page."""
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadOption("puzzle.no-day", day=text[:20]) from error


def _tell(game: Game, some: "Puzzle", action: str, translator: Translator) -> bool:
    """Print the verdict on an answer; returns whether it is right."""
    judged = _judged(game, some, action)
    best = f"{100 * judged.best_value:.0f}"
    if judged.right:
        typer.echo(translator.say("puzzle.right", value=best))
        return True
    value = translator.say("puzzle.unlisted") if judged.value is None else f"{100 * judged.value:.0f} %"
    typer.echo(translator.say("puzzle.wrong", value=value, best=best))
    return False


def _tell_answer(game: Game, some: "Puzzle", instead: str, translator: Translator) -> None:
    """Print the best answer, and why it is better than the last one given."""
    position = some.position(game)
    legal = position.legal().actions
    why = _judged(game, some, instead if instead in legal and instead != some.answer else some.next).why
    assert why is not None
    told = why.told(game, translator.language)
    typer.echo(
        translator.say("puzzle.better", action=position.typed(some.answer, translator.language), line=told.better)
    )
    for reason in told.reasons:
        typer.echo(f"  {reason}.")


def _judged(game: Game, some: "Puzzle", action: str) -> "JudgedAnswer":
    from ludotheque.analysis import judge_answer  # noqa: PLC0415
    from ludotheque.bots import bot  # noqa: PLC0415

    return judge_answer(game, some, action, bot(game, 5), 1.0)
