"""`ludotheque arena GAME --seat … --seat …`: many matches, and who is better. They are played by `ludotheque.arena`."""

import secrets
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludotheque.cli import game_list
from ludotheque.cli.arena_players import NamedPlayers
from ludotheque.cli.locking import lock_outputs
from ludotheque.cli.parameters import ALL_CORES, GameArgument, GameOptions, JobsOption, RayOption, ResultsAsJson
from ludotheque.cli.play import read_given_options
from ludotheque.cli.signals import Uninterrupted, exit_status, interruptible
from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import BadOption, Game, Json, JsonObject, find_game, write_json
from ludotheque.core.problems import shortened

if TYPE_CHECKING:
    from ludotheque.arena import Backend, Records, Results, Score, Standing
    from ludotheque.arena.ratings import Rating, RatingsFile
    from ludotheque.bots import Evidence

MOST_SHOWN = 500  # letters of what a program was asked; the results have more


def arena(
    ctx: typer.Context,
    game: GameArgument,
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            help="help.arena.seat",
        ),
    ],
    games: Annotated[int, typer.Option(min=1, help="help.arena.games")] = 100,
    seed: Annotated[str | None, typer.Option(help="help.arena.seed")] = None,
    option: GameOptions = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=600,
            help="help.arena.seconds",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--round-robin", help="help.arena.every")] = False,
    steps: Annotated[bool, typer.Option("--ladder", help="help.arena.steps")] = False,
    players: Annotated[int | None, typer.Option(help="help.arena.players")] = None,
    sprt: Annotated[bool, typer.Option("--sprt", help="help.arena.sprt")] = False,
    elo0: Annotated[float, typer.Option(help="help.arena.elo0")] = 0.0,
    elo1: Annotated[float, typer.Option(help="help.arena.elo1")] = 30.0,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="help.arena.alpha")] = 0.05,
    beta: Annotated[float, typer.Option(min=0.0001, max=0.5, help="help.arena.beta")] = 0.05,
    weights: Annotated[Path | None, typer.Option(dir_okay=False, help="help.arena.weights")] = None,
    results: Annotated[Path | None, typer.Option(dir_okay=False, help="help.arena.results")] = None,
    records: Annotated[Path | None, typer.Option(dir_okay=False, help="help.arena.records")] = None,
    ratings: Annotated[Path | None, typer.Option(dir_okay=False, help="help.arena.ratings")] = None,
    plot: Annotated[Path | None, typer.Option(dir_okay=False, help="help.arena.plot")] = None,
    jobs: JobsOption = ALL_CORES,
    ray: RayOption = None,
    as_json: ResultsAsJson = False,
    language: LanguageOption = None,
) -> None:
    """Play a series or a tournament: every seed once with each rotation of the players around the seats."""
    from ludotheque.arena import (  # noqa: PLC0415 - `--help` does not wait
        Backend,
        Records,
        Results,
        Series,
        Sprt,
        Standing,
        stored_seed,
    )

    translator = translator_of(ctx, language)
    found = find_game(game_list.check_game(game))
    named = NamedPlayers.read(found, seat, weights)
    line_ups = _line_ups(found, named.labels, players, every=every, steps=steps)
    seats = len(line_ups[0])
    options = found.read_options(read_given_options(option or [], found), seats)
    test = Sprt(elo0, elo1, alpha, beta) if sprt else None
    ctx.with_resource(lock_outputs(results, records, ratings))
    chosen_seed = seed or (stored_seed(results) if results is not None else None) or secrets.token_hex(8)
    newgame = named.introduce()
    standings = [
        Standing(
            Series(
                game, names, games, chosen_seed, dict(options), seconds, named.programs, newgame, records is not None
            ),
            test,
        )
        for names in line_ups
    ]
    kept = _kept_ratings(ratings, standings, results)
    if ray is not None:
        from ludotheque.arena.distributed import check_ray  # noqa: PLC0415

        check_ray()
    if plot is not None:
        from ludotheque.plotting import check_plot  # noqa: PLC0415

        check_plot(plot)
    if games % seats and not as_json:
        better = games + seats - games % seats
        typer.echo(translator.say("arena.uneven", games=games, better=better), err=True)
    versions = named.versions()
    noted = Results(results, standings, versions) if results is not None else None
    recorded = Records(records, standings, resumed=noted is not None) if records is not None else None
    before = sum(len(one.played) for one in standings)
    if before and not as_json:
        typer.echo(translator.say("arena.going-on", done=before), err=True)
    if recorded is not None and recorded.missing:
        typer.echo(translator.say("arena.records-missing", count=recorded.missing, file=str(records)), err=True)
    status = 0
    try:
        with interruptible() as uninterrupted:
            _play(standings, noted, recorded, kept, Backend(jobs, ray), translator, uninterrupted)
    except KeyboardInterrupt as stopped:
        status = exit_status(stopped)
        done, planned = sum(len(one.played) for one in standings), games * len(standings)
        typer.echo(translator.say("arena.stopped", done=done, games=planned), err=True)
    finally:
        for output in (recorded, noted):
            if output is not None:
                output.close()
    if kept is not None:
        kept.count(standings, final=True)
    outcome = Outcome(found, standings, every or steps, kept.ratings if kept is not None else {}, versions)
    if as_json:
        typer.echo(write_json(outcome.json()))
    else:
        outcome.show(translator)
    if plot is not None:
        outcome.draw(plot, translator)
        typer.echo(translator.say("arena.drawn", file=str(plot)), err=True)
    if status:
        raise typer.Exit(status)


def _line_ups(
    game: Game, names: Sequence[str], players: int | None, *, every: bool, steps: bool
) -> list[tuple[str, ...]]:
    """The line-ups: who plays whom."""
    from ludotheque.arena import ladder, round_robin  # noqa: PLC0415

    if every and steps:
        raise BadOption("arena.robin-or-ladder")
    counts = ", ".join(map(str, sorted(game.seats)))
    if every or steps:
        seats = players if players is not None else min(game.seats)
        if seats not in game.seats:
            raise BadOption("game.players", title=game.title, allowed=counts, found=seats)
        return round_robin(names, seats) if every else ladder(names, seats)
    if players is not None and players != len(names):
        raise BadOption("arena.players-of-series")
    if len(names) not in game.seats:
        raise BadOption("arena.seats", title=game.title, counts=counts)
    return [tuple(names)]


def _kept_ratings(file: Path | None, standings: "Sequence[Standing]", results: Path | None) -> "RatingsFile | None":
    """The ratings file; a run with results can be resumed, and its matches count once."""
    if file is None:
        return None
    from ludotheque.arena import run_id  # noqa: PLC0415
    from ludotheque.arena.ratings import RatingsFile, check_rateable  # noqa: PLC0415

    series = [one.series for one in standings]
    check_rateable([one.players for one in series])
    return RatingsFile(file, series[0].game, len(series[0].players), run_id(series, results) if results else None)


def _play(
    standings: "Sequence[Standing]",
    noted: "Results | None",
    recorded: "Records | None",
    kept: "RatingsFile | None",
    backend: "Backend",
    translator: Translator,
    uninterrupted: Uninterrupted,
) -> None:
    """Play, with a progress bar if standard error is a terminal."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    from ludotheque.arena import play_tournament  # noqa: PLC0415

    def planned() -> int:
        return sum(len(one.played) if one.clear else one.series.games for one in standings)

    done = sum(len(one.played) for one in standings)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with (
        Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress,
        closing(play_tournament(standings, backend, uninterrupted)) as results,
    ):
        bar = progress.add_task(translator.say("arena.working", done=done, games=planned()), total=planned())
        for which, some in results:
            if recorded is not None:
                recorded.add(which, some)  # before its results: whoever resumes finds a record for every result
            if noted is not None:
                noted.add(which, some)
            if kept is not None:
                kept.count(standings)
            done += len(some)
            told = translator.say("arena.working", done=done, games=planned())
            progress.update(bar, completed=done, total=planned(), description=told)


@dataclass(frozen=True)
class Outcome:
    """Everything that the command reports."""

    game: Game
    standings: "Sequence[Standing]"
    tournament: bool
    ratings: "dict[str, Rating]"
    versions: JsonObject

    def _totals(self) -> "list[Score]":
        """The results of every player over all matches."""
        from ludotheque.arena import matches_of, player_names, score_of, scores  # noqa: PLC0415

        if not self.tournament:
            return scores(self.standings[0].series, self.standings[0].played)
        return [
            score_of(name, 0, sorted(matches_of(self.standings, name), key=lambda one: (one.number, one.rotation)))
            for name in player_names(self.standings)
        ]

    def json(self) -> JsonObject:
        """As docs/protocol.md and docs/arena.md show it."""
        from ludotheque.arena import scores  # noqa: PLC0415

        told: dict[str, Json] = {
            "game": self.game.name,
            "games": sum(len(one.played) for one in self.standings),
            "players": [one.json() for one in self._totals()],
            "versions": self.versions,
        }
        if self.tournament:
            told["line_ups"] = [
                {
                    "games": len(one.played),
                    "players": [part.json() for part in scores(one.series, one.played)],
                    **({} if one.verdict is None else {"sprt": one.verdict.json()}),
                }
                for one in self.standings
            ]
        elif self.standings[0].verdict is not None:
            told["sprt"] = self.standings[0].verdict.json()
        if self.ratings:
            told["ratings"] = {
                name: {
                    "rating": round(one.value, 1),
                    "interval": [round(end, 1) for end in one.interval],
                    "games": one.games,
                }
                for name, one in sorted(self.ratings.items(), key=lambda one: -one[1].value)
            }
        return told

    def show(self, translator: Translator) -> None:
        """For people."""
        _show(self._totals(), translator)
        for one in self.standings:
            if self.tournament:
                self._show_line_up(one, translator)
            if one.verdict is not None:
                self._show_verdict(one, translator)
        if self.ratings:
            typer.echo(translator.say("arena.ratings"))
            for name, rating in sorted(self.ratings.items(), key=lambda one: -one[1].value):
                low, high = rating.interval
                facts: dict[str, Json] = {"player": name, "rating": f"{rating.value:.0f}", "games": rating.games}
                typer.echo(translator.say("arena.rating", **facts, low=f"{low:.0f}", high=f"{high:.0f}"))

    def _show_line_up(self, one: "Standing", translator: Translator) -> None:
        from ludotheque.arena import scores  # noqa: PLC0415

        first, *_ = scores(one.series, one.played)
        seats = len(one.series.players)
        low, elo, high = (_elo(part, seats) for part in (first.interval[0], first.share, first.interval[1]))
        share = translator.number(100 * first.share)
        others = ", ".join(one.series.players[1:])
        facts: dict[str, Json] = {"first": first.player, "others": others, "share": share, "games": len(one.played)}
        typer.echo(translator.say("arena.line-up", **facts, elo=elo, low=low, high=high))

    def _show_verdict(self, one: "Standing", translator: Translator) -> None:
        assert one.verdict is not None
        verdict, test = one.verdict, one.verdict.test
        word = {True: "stronger", False: "not-stronger", None: "not-clear"}[verdict.stronger]
        low, high = test.bounds
        facts: dict[str, Json] = {
            "first": one.series.players[0],
            "others": ", ".join(dict.fromkeys(one.series.players[1:])),
        }
        facts |= {"elo0": f"{test.elo0:g}", "elo1": f"{test.elo1:g}", "games": len(one.played)}
        facts |= {
            "llr": translator.number(verdict.ratio, 2),
            "low": translator.number(low, 2),
            "high": translator.number(high, 2),
        }
        typer.echo(translator.say(f"arena.{word}", **facts))

    def draw(self, file: Path, translator: Translator) -> None:
        """As a plot."""
        from ludotheque.arena.plots import draw_tournament  # noqa: PLC0415

        games = sum(len(one.played) for one in self.standings)
        title = translator.say("arena.plot-title", title=self.game.title, games=games)
        draw_tournament(self.standings, self.ratings, file, title, translator.say)


def _elo(share: float, seats: int) -> str:
    """The Elo lead for a share of the points; infinite for all or nothing."""
    from ludotheque.arena import elo_of  # noqa: PLC0415

    return f"{elo_of(share, seats):+.0f}" if 0 < share < 1 else "+∞" if share else "-∞"


def _show(results: "list[Score]", translator: Translator) -> None:
    """The results as a table."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    table.add_column(translator.say("arena.player"), overflow="fold")
    for column in ("wins", "draws", "losses", "share", "interval", "pace"):
        table.add_column(translator.say(f"arena.{column}"), justify="right", no_wrap=True)
    for one in results:
        low, high = one.interval
        share, within = (
            f"{translator.number(100 * one.share)} %",
            f"{translator.number(100 * low)}–{translator.number(100 * high)} %",
        )
        counts = (str(one.wins), str(one.draws), str(one.losses))
        table.add_row(Text(one.player), *counts, share, within, translator.number(one.seconds_per_decision, 4))
    Console().print(table)
    for one in results:
        if one.forfeits:
            typer.echo(translator.say("arena.forfeits", player=one.player, count=one.lost_by_default))
            for (why, games), evidence in zip(one.forfeits, one.evidence, strict=True):
                typer.echo(translator.say("arena.reason", count=games, why=why.sentence(translator.language)))
                _show_evidence(evidence, translator)
            others = one.lost_by_default - sum(games for _, games in one.forfeits)
            if others:
                typer.echo(translator.say("arena.other-reasons", count=others))
        if one.restarts:
            typer.echo(translator.say("arena.restarts", player=one.player, count=one.restarts))


def _show_evidence(evidence: "Evidence | None", translator: Translator) -> None:
    """What there is to mend a player by."""
    if evidence is None:
        return
    if evidence.asked:
        typer.echo(translator.say("arena.asked", words=shortened(evidence.asked, MOST_SHOWN)))
    if evidence.answered:
        typer.echo(translator.say("arena.answered", words=evidence.answered))
    if evidence.stderr:
        typer.echo(translator.say("arena.stderr"))
        for line in evidence.stderr:
            typer.echo(f"        {line}")
