"""`ludotheque play [GAME]`: who sits where, a new match or an old one; table.py plays it."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ludotheque.cli import game_list
from ludotheque.cli.keyboard import InputEnded, Keyboard
from ludotheque.cli.parameters import GameOptions
from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import (
    BadJson,
    BadOption,
    BadRecord,
    BadRequest,
    Catalogue,
    Dice,
    First,
    Game,
    Json,
    Match,
    Number,
    Problem,
    Record,
    Seated,
    UnknownGame,
    bare,
    find_game,
    fresh_seed,
    game_names,
    languages,
    parse,
)
from ludotheque.core.problems import shortened

USUAL_BOT = "bot:3"
LONGEST_NAME = 40
LONGEST_SERIES = 99


def play(
    ctx: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(help="help.play.game", autocompletion=game_list.complete_game),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", help="help.play.seat"),
    ] = None,
    players: Annotated[int | None, typer.Option(help="help.play.players")] = None,
    option: GameOptions = None,
    seed: Annotated[str | None, typer.Option(help="help.play.seed")] = None,
    roll: Annotated[Literal["auto", "enter"], typer.Option(help="help.play.roll")] = "auto",
    series: Annotated[int | None, typer.Option(min=1, max=LONGEST_SERIES, help="help.play.series")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="help.play.resume")] = False,
    load: Annotated[Path | None, typer.Option("--load", help="help.play.load")] = None,
    language: LanguageOption = None,
) -> None:
    """Play in this terminal: any mix of people and bots. Every action is saved; `play --resume` goes on."""
    from ludotheque.cli.saves import new_file, unfinished  # noqa: PLC0415 - `--help` does not wait for them
    from ludotheque.cli.series import Series  # noqa: PLC0415
    from ludotheque.cli.table import TerminalTable  # noqa: PLC0415

    translator, keyboard = translator_of(ctx, language), Keyboard()
    if (resume or load) and ((resume and load) or any((game, players is not None, option, seed, series))):
        raise BadRequest("play.saved-match-alone")
    found = None
    if load:
        found = loaded(load, seat)
    elif resume:
        found = next(unfinished(), None)
        if found is None:
            raise BadRequest("play.nothing-to-resume")
    elif game is None and not seat:
        found = _offered(keyboard, translator)
    if found is not None:
        file, record = found
        match, seated = record.match, read_seats(seat, record.match.game, len(record.seated)) if seat else record.seated
    else:
        chosen = find_game(game or _asked_game(keyboard, translator))
        if game is None and not seat:
            seat = _asked_opponent(keyboard, translator)
        seats = read_seats(
            seat, chosen, chosen.read_players(max(len(seat or ()), chosen.seats[0]) if players is None else players)
        )
        match = Match(chosen, len(seats), read_given_options(option or [], chosen), dice=Dice(seed or fresh_seed()))
        file, seated = new_file(chosen.name), tuple(seats)
    table = TerminalTable(translator, keyboard, Series(series or 1, seed), roll_by_hand=roll == "enter")
    table.play(match, tuple(seated), file)


def loaded(file: Path, seats: list[str] | None = None) -> tuple[Path, Record]:
    """A match from a record of anybody's; it goes on in a file of our own, and starts no program that it names."""
    from ludotheque.bots import names_foreign_code  # noqa: PLC0415
    from ludotheque.cli.saves import new_file, read_file  # noqa: PLC0415
    from ludotheque.paths import matches_folder  # noqa: PLC0415

    record = read_file(file)
    if record.match.over:
        raise BadRecord("play.record-over", file=str(file))
    ours = file.absolute().parent == matches_folder().absolute()
    if not ours and not seats and any(names_foreign_code(one.kind) for one in record.seated):
        raise BadRecord("play.record-with-program", file=str(file))
    return (file if ours else new_file(record.match.game.name)), record


def read_seats(given: list[str] | None, game: Game, players: int) -> list[Seated]:
    """Who sits where: those named, then bots; without any name, a person at the first seat."""
    named = given or ["human"]
    if len(named) > players:
        raise BadOption("play.too-many-named", named=len(named), seats=players, title=game.title, counts=_counts(game))
    return [_read_seat(name) for name in named] + [Seated(USUAL_BOT, USUAL_BOT)] * (players - len(named))


def _counts(game: Game) -> str:
    return ", ".join(map(str, sorted(game.seats)))


def _read_seat(given: str) -> Seated:
    from ludotheque.bots import check_player  # noqa: PLC0415

    kind, _, name = given.partition(":")
    if kind == "human":
        clean = " ".join(name.split())
        if len(clean) > LONGEST_NAME or not clean.isprintable():
            raise BadOption("play.bad-name", name=shortened(name), most=LONGEST_NAME)
        return Seated(clean, "human")
    check_player(given)
    return Seated(given, given)


def read_given_options(given: list[str], game: Game) -> dict[str, Json]:
    """Options from the command line: NAME=VALUE, the value as in JSON or a plain word.

    Who starts may also be given by the seat's name, no limit by `none`.
    """
    none = {bare(Catalogue("ludotheque").say("play.no-limit", language)) for language in languages()}
    unlimited = {option.name for option in game.declared_options if isinstance(option, Number) and option.optional}
    seats = {option.name for option in game.declared_options if isinstance(option, First)}
    options: dict[str, Json] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise BadOption("play.bad-option", given=shortened(one))
        seat = _seat_called(game, value) if name in seats else None
        if seat is not None:
            options[name] = seat
            continue
        try:
            options[name] = parse(value)
        except BadJson:
            options[name] = None if name in unlimited and bare(value) in none else value  # a plain word
    return options


def _seat_called(game: Game, name: str) -> int | None:
    """The seat that is called so in some language: red, Rouge."""
    for seat in range(max(game.seats)):
        if bare(name) in {bare(game.seat_name(seat, language)) for language in languages()}:
            return seat
    return None


def _offered(keyboard: Keyboard, translator: Translator) -> tuple[Path, Record] | None:
    """The match that was left last, if the person wants it."""
    from ludotheque.cli.saves import unfinished  # noqa: PLC0415

    found = next(unfinished(), None) if keyboard.person else None
    if found is None:
        return None
    match, seated = found[1].match, found[1].seated
    people = ", ".join(one.name or match.game.seat_name(seat, translator.language) for seat, one in enumerate(seated))
    answer = _ask(keyboard, translator.say("play.go-on", title=match.game.title, players=people))
    return None if answer.lower().startswith(translator.say("play.no")) else found


def _asked_game(keyboard: Keyboard, translator: Translator) -> str:
    names = game_names()
    titles = [game_list.title(name, translator.language) for name in names]
    width = max(map(len, titles), default=0)
    for number, (name, title) in enumerate(zip(names, titles, strict=True), 1):
        typer.echo(f"  {number}  {title:{width}}   {game_list.about(name, translator.language)}".rstrip())
    while True:
        answer = _ask(keyboard, translator.say("play.which-game"), names)
        if answer in map(str, range(1, len(names) + 1)):
            return names[int(answer) - 1]
        try:
            return game_list.check_game(answer)
        except UnknownGame as problem:
            _ask_again(keyboard, translator, problem)


def _asked_opponent(keyboard: Keyboard, translator: Translator) -> list[str]:
    while True:
        answer = _ask(keyboard, translator.say("play.against")).lower()
        if answer.startswith(translator.say("play.friend")):
            return ["human", "human"]
        seats = ["human", f"bot:{answer}" if answer else USUAL_BOT]
        try:
            _read_seat(seats[1])
        except BadOption as problem:
            _ask_again(keyboard, translator, problem)
        else:
            return seats


def _ask_again(keyboard: Keyboard, translator: Translator, problem: Problem) -> None:
    """A person is told what was wrong and asked once more; a script has made a mistake."""
    if not keyboard.person:
        raise problem
    typer.echo(problem.sentence(translator.language))


def _ask(keyboard: Keyboard, question: str, choices: list[str] | None = None) -> str:
    try:
        return keyboard.ask(f"{question} ", choices or ()).strip()
    except InputEnded as end:
        raise BadRequest("play.nobody-answers") from end
