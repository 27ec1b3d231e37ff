"""The terminal as a host of a table: shows the board, asks people, lets bots think, tells what happens, saves every action.

What happens at the table is in `ludotheque.table`; matches are kept in files by `saves`.
"""

import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import Final

import typer

from ludotheque.bots import Forfeit, bot, player_named
from ludotheque.cli.keyboard import InputEnded, Keyboard
from ludotheque.cli.play import USUAL_BOT, loaded
from ludotheque.cli.rules import print_markdown
from ludotheque.cli.saves import new_file, unfinished, write_file
from ludotheque.cli.series import Series
from ludotheque.cli.translator import Translator, paint_for_terminal
from ludotheque.core import (
    CHANCE,
    BadRequest,
    Event,
    IllegalAction,
    Json,
    JsonObject,
    Match,
    Player,
    Position,
    Problem,
    Record,
    Seated,
    bare,
)
from ludotheque.core.problems import reason
from ludotheque.table import (
    Advise,
    Cancel,
    Choose,
    Effects,
    LogEntry,
    Message,
    Now,
    Opened,
    Request,
    Seat,
    Settings,
    Table,
    Work,
    requests,
)

WORDS: Final = ("help", "hint", "undo", "moves", "board", "rules", "save", "resume", "quit")
HINT_LEVEL: Final = 5  # the others err on purpose


class Left(Exception):
    """The person has left the table."""


class Terminal:
    """Everybody at this terminal, as the table sees them: one person, who may sit at several seats."""

    def __init__(self) -> None:
        self.person: JsonObject = {"id": "terminal", "name": ""}


class TerminalTable:
    """A place to play at, for one match after the other; the host of the table that is played at."""

    table: Table
    seated: tuple[Seated, ...]
    file: Path

    def __init__(
        self, translator: Translator, keyboard: Keyboard, series: Series, *, roll_by_hand: bool = False
    ) -> None:
        self.translator = translator
        self.keyboard = keyboard
        self.series = series
        self.roll_by_hand = roll_by_hand
        self.paint = paint_for_terminal()
        self._terminal = Terminal()
        self._requests = 0
        self._players: dict[int, Player] = {}
        self._choose: Choose | None = None  # what a bot is to decide now
        self._advise: Advise | None = None  # a hint that was asked for
        self._told: list[JsonObject] = []  # messages since they were last told
        self._saving = True
        self._board_is_new = True
        self._helped = False
        self._handed_over = 0  # actions played when a person last handed over to a bot

    def play(self, match: Match, seated: tuple[Seated, ...], file: Path) -> None:
        """Play matches until nobody wants another, the person leaves or the input ends. What is done is saved in any case."""
        try:
            self._sit_down(match, seated, file)
            while True:
                while not self.match.over:
                    self._one_step()
                self._finish()
                if not self._goes_on():
                    break
                match, seated = self.series.following(self.match, self.seated)
                self._sit_down(match, seated, new_file(match.game.name))
        except (InputEnded, Left) as end:
            if isinstance(end, InputEnded):
                typer.echo(self.translator.say("play.ended-input"))
            self._tell_where_saved()
        except KeyboardInterrupt:
            typer.echo("")
            self._tell_where_saved()
        except Forfeit as why:
            self._tell_of_failure(why)
        finally:
            self._send_players_away()

    def _sit_down(self, match: Match, seated: tuple[Seated, ...], file: Path) -> None:
        self._send_players_away()
        self.seated, self.file = seated, file
        language = self.translator.language
        seats = [match.game.seat_name(seat, language) for seat in range(match.players)]
        self.names = [
            one.name if one.kind == "human" and one.name else name for one, name in zip(seated, seats, strict=True)
        ]
        self._players = {
            seat: player_named(one.kind, match.game) for seat, one in enumerate(seated) if one.kind != "human"
        }
        typer.echo(self.paint("bold", match.game.title))
        for name, one in zip(seats, seated, strict=True):
            typer.echo(f"  {self.translator.say('play.seat', seat=name, player=self._who(one))}")
        typer.echo(self.paint("dim", self.translator.say("play.dice", commitment=match.dice.commitment)))
        if match.log:
            typer.echo(self.translator.say("play.resumed", count=len(match.log)))
        self._board_is_new = True
        self._choose = self._advise = None
        self.table = Table.around(match, self._opened(match), self._now())
        self._carry_out(self.table.enter(self._terminal, self._now()))
        self._carry_out(self.table.wake(self._now()))
        self._save()

    def _opened(self, match: Match) -> Opened:
        """The table for a match: the people sit at this terminal, everybody else plays by themselves."""
        person = str(self._terminal.person["id"])
        seats = [
            Seat("person", person, name=name)
            if one.kind == "human"
            else Seat("bot", level=int(one.kind[4:]))
            if one.kind.startswith("bot:")
            else Seat("program", program=one.kind)
            for one, name in zip(self.seated, self.names, strict=True)
        ]
        return Opened(
            game=match.game.name,
            rules=match.game.rules_version,
            options=match.options,
            private=True,
            host=person,
            host_name="",
            settings=Settings(pace=0.0, typed_dice=self.roll_by_hand),
            seats=tuple(seats),
            series=1,
            seed=match.dice.seed,
        )

    @property
    def match(self) -> Match:
        """The match that is played."""
        match = self.table.state.match
        assert match is not None
        return match

    @property
    def position(self) -> Position:
        """The position as people see it."""
        position = self.table.state.shown
        assert position is not None
        return position

    # Hosting the table

    @staticmethod
    def _now() -> Now:
        return Now(time.monotonic(), time.time_ns() // 1_000_000)

    def _ask_table(self, request: "Callable[[str, int], Request]") -> None:
        """Make a request that changes the table."""
        self._requests += 1
        number = self.table.state.number
        self._carry_out(self.table.handle(request(str(self._requests), number), self._terminal, self._now()))

    def _carry_out(self, effects: Effects) -> None:
        self.commit(effects.entries)
        self.publish(effects.messages)
        for work in effects.work:
            self.run(work)

    def commit(self, entries: Sequence[LogEntry]) -> None:
        """Save the match."""
        if entries:
            self._save()

    def publish(self, messages: Sequence[Message]) -> None:
        """Keep what is to be told."""
        self._told += [message.content for message in messages]

    def run(self, work: Work) -> None:
        """Take note of what a bot is to decide; it does so in its turn."""
        if isinstance(work, Choose):
            self._choose = work
        elif isinstance(work, Advise):
            self._advise = work
        elif isinstance(work, Cancel) and self._choose is not None and self._choose.id == work.id:
            self._choose = None

    def _who(self, one: Seated) -> str:
        if one.kind == "human":
            return one.name or self.translator.say("play.human")
        return self.translator.say("play.bot", level=one.kind[4:]) if one.kind.startswith("bot:") else one.kind

    def _mover(self) -> int:
        mover = self.position.to_move
        assert isinstance(mover, int)
        return mover

    def _one_step(self) -> None:
        """Let whoever is to move act."""
        if self.position.to_move == CHANCE:
            self._roll()
        elif self._must_hand_over():
            self._hand_over()
        elif self._choose is not None or self._mover() in self._players:
            self._let_bot_act()
            self._tell()
        else:
            self._ask_person()

    def _must_hand_over(self) -> bool:
        """Whether a person has just played, a bot begins next, and there may be something to say before."""
        state = self.table.state
        if len(self.match.log) == self._handed_over or self._mover() not in self._players:
            return False
        return state.follows_a_person and bool(self.position.legal().open)

    def _hand_over(self) -> None:
        """Wait until the person has said what there is to say; nobody is reminded of it."""
        last = next(entry.by for entry in reversed(self.match.log) if entry.by != CHANCE)
        assert isinstance(last, int)
        names = {"player": self.names[last], "next": self.names[self._mover()]}
        typed = self.keyboard.ask(f"{self.translator.say('play.hand-over', **names)}> ").strip()
        if typed and self._obey(typed):
            return
        if not typed or self._play_typed(typed):
            self._handed_over = len(self.match.log)

    def _roll(self) -> None:
        if not self.roll_by_hand:
            while self.position.to_move == CHANCE:
                self._draw()
            self._tell()
            return
        legal = self.position.legal()
        typed = self.keyboard.ask(f"{self.translator.say('play.press-enter')}> ", legal.actions).strip()
        if not typed:
            self._draw()
            self._tell()
        elif not self._obey(typed):
            self._play_typed(typed)

    def _draw(self) -> None:
        """Let the dice decide: a bot's roll by themselves, a person asks for theirs."""
        if self.table.deadline is not None:
            self._carry_out(self.table.tick(self._now()))
        else:
            self._ask_table(requests.Roll)

    def _let_bot_act(self) -> None:
        choose, match = self._choose, self.match
        if choose is None:  # there was nothing to decide
            seconds, moment = self._now()
            self._carry_out(self.table.tick(Now(max(seconds, self.table.deadline or seconds), moment)))
            return
        with self._thinking(self.names[choose.seat]):
            decision = self._players[choose.seat].choose(choose.position, seed=match.bot_seed())
        self._choose = None
        self._carry_out(self.table.resume(choose.id, decision.action, self._now()))

    def _thinking(self, name: str) -> AbstractContextManager[object]:
        """A sign of life while a bot thinks, only for people."""
        if not self.keyboard.person:
            return nullcontext()
        from rich.console import Console  # noqa: PLC0415

        return Console(stderr=True).status(self.translator.say("play.thinks", player=name))

    def _ask_person(self) -> None:
        legal = self.position.legal()
        if self._board_is_new:
            typer.echo("\n" + self.position.picture(self.paint, self.translator.language))
            typer.echo(
                self.translator.say("play.can", actions=", ".join(self.position.in_brief(self.translator.language)))
            )
            if not self._helped:
                self._helped = True
                words = {name: self._word(name) for name in ("help", "hint", "undo", "quit")}
                typer.echo(self.paint("dim", self.translator.say("play.help-hint", **words)))
            self._board_is_new = False
        words_here = [self._word(name) for name in WORDS]
        choices = [*self._typed(legal.actions), *words_here]
        typed = self.keyboard.ask(f"{self.names[self._mover()]}> ", choices).strip()
        if typed and not self._obey(typed):
            self._play_typed(typed)

    def _play_typed(self, typed: str) -> bool:
        """Play what was typed; False if it cannot be, which is told."""
        try:
            action = self.position.understand(typed)
            self._ask_table(lambda request, number: requests.Act(request, number, action))
            self._tell()
        except Problem as problem:
            typer.echo(problem.sentence(self.translator.language))
            return False
        return True

    def _typed(self, actions: Sequence[str]) -> list[str]:
        """Actions as the person would type them."""
        return [self.position.typed(action, self.translator.language) for action in actions]

    def _tell(self) -> None:
        """Tell what was just done; twenty magnets that are dealt one by one are one sentence, if the game has it."""
        game, language = self.match.game, self.translator.language
        told_of, self._told = self._told, []
        happened = [event for message in told_of if message["what"] == "step" for event in _events(message["events"])]
        for what, some in groupby(happened, lambda event: event.what):
            events = list(some)
            many = game.catalogue.templates(language).get(f"event.{what}.many") if len(events) > 1 else None
            told = (
                [many.format(count=len(events))] if many else [game.tell(one, language, self.names) for one in events]
            )
            for sentence in told:
                typer.echo(f"· {sentence}")
        self._board_is_new = True

    def _save(self) -> None:
        try:
            if self._saving:
                write_file(self.file, self.match, self.seated, reveal=True)
        except OSError as error:
            self._saving = False
            typer.echo(self.translator.say("play.not-saved", why=self._why(error)), err=True)

    def _why(self, error: OSError) -> str:
        return reason(error).sentence(self.translator.language)

    def _tell_where_saved(self) -> None:
        if self._saving:
            typer.echo(self.translator.say("play.saved", file=str(self.file)))
            typer.echo(self.translator.say("play.go-on-later"))

    def _tell_of_failure(self, why: Forfeit) -> None:
        """A program cannot go on: the match can, with somebody else in its place."""
        seat = self._mover()
        told = why.sentence(self.translator.language)
        typer.echo(self.translator.say("play.program-failed", player=self.names[seat], why=told))
        if self._saving:
            typer.echo(self.translator.say("play.saved", file=str(self.file)))
            players = [
                USUAL_BOT if place == seat else f"human:{one.name}" if one.kind == "human" and one.name else one.kind
                for place, one in enumerate(self.seated)
            ]
            seats = [word for player in players for word in ("--seat", player)]
            command = shlex.join(["ludotheque", "play", "--resume", *seats])
            typer.echo(self.translator.say("play.go-on-with-another", command=command))

    def _finish(self) -> None:
        typer.echo("\n" + self.position.picture(self.paint, self.translator.language))
        if self._saving:
            typer.echo("\n" + self.translator.say("play.over", file=str(self.file)))
            typer.echo(self.paint("dim", self.translator.say("play.check", file=str(self.file))))

    def _goes_on(self) -> bool:
        """Tell the score; whether there is another match: in a series until it is decided, otherwise if a person wants it."""
        series, say = self.series, self.translator.say
        series.add(self.match.position.returns())
        score = ", ".join(
            say("play.score-of", player=name, points=self._points(points))
            for name, points in zip(self.names, series.score, strict=True)
        )
        if series.decided:
            leaders = series.leaders
            key = "play.series-won" if len(leaders) == 1 else "play.series-drawn"
            typer.echo("\n" + say(key, player=self.names[leaders[0]], score=score))
        elif series.games > 1:
            typer.echo("\n" + say("play.series-score", count=series.played, games=series.games, score=score) + "\n")
            return True
        elif series.played > 1:
            typer.echo("\n" + say("play.score", score=score))
        if all(one.kind != "human" for one in self.seated):
            return False
        try:
            answer = bare(self.keyboard.ask(f"{say('play.again')} "))
        except InputEnded:
            return False  # the match is over and saved
        return bool(answer) and answer.startswith(bare(say("play.yes")))

    @staticmethod
    def _points(points: float) -> str:
        """A score; draws leave halves, and thirds with three."""
        whole, rest = int(points), points - int(points)
        if rest == 0.5:
            return f"{whole or ''}½"
        return f"{points:.2f}" if rest else str(whole)

    def _send_players_away(self) -> None:
        for player in self._players.values():
            player.close()
        self._players = {}

    # The words that a person may type in place of an action, in English or the own language.

    def _word(self, name: str) -> str:
        return self.translator.say(f"play.word.{name}")

    def _obey(self, typed: str) -> bool:
        """Do what a word asks for; False if it is none of the words, or an action of that name."""
        first, _, rest = typed.partition(" ")
        name = next((name for name in WORDS if bare(first) in {name, bare(self._word(name))}), None)
        if name is None or self._is_action(typed):
            return False
        obey: dict[str, Callable[[], None]] = {
            "help": self._help,
            "hint": self._hint,
            "undo": self._undo,
            "moves": lambda: typer.echo(", ".join(self._typed(self.position.legal().actions))),
            "board": self._show_board,
            "rules": lambda: print_markdown(self.match.game.rules_text(self.translator.language)),
            "save": lambda: self._save_copy(rest.strip()),
            "resume": lambda: self._resume(rest.strip()),
            "quit": self._quit,
        }
        try:
            obey[name]()
        except Problem as problem:
            typer.echo(problem.sentence(self.translator.language))
        return True

    def _is_action(self, typed: str) -> bool:
        try:
            return self.position.understand(typed) in self.position.legal().actions
        except IllegalAction:
            return False

    def _help(self) -> None:
        actions = self._typed(self.position.legal().actions)
        rows = [(self._word(name), self.translator.say(f"play.help.{name}")) for name in WORDS]
        if actions:
            how = self.translator.say("play.help.action-how", example=actions[-1])
            rows.insert(0, (self.translator.say("play.help.action"), how))
        calls = self.match.game.capabilities.calls
        if calls is not None:
            (word,) = self._typed([calls.action])
            rows.insert(1, (word, calls.about.sentence(self.translator.language)))
        width = max(len(word) for word, _ in rows)
        for word, meaning in rows:
            typer.echo(f"  {word:{width}}  {meaning}")

    def _hint(self) -> None:
        if self.position.to_move == CHANCE:
            return
        match = self.match
        self._carry_out(self.table.handle(requests.AskHint("hint", HINT_LEVEL), self._terminal, self._now()))
        advise = self._advise
        assert advise is not None
        from ludotheque.analysis import advise as decision_with_reasons  # noqa: PLC0415 - a match does not wait for it

        try:
            with self._thinking(self.names[self._mover()]):
                adviser = bot(match.game, advise.level)
                decision = decision_with_reasons(advise.position, adviser)
                adviser.close()
            self._carry_out(self.table.resume(advise.id, decision, self._now()))
        except Problem as problem:
            typer.echo(self.translator.say("play.no-hint", why=problem.sentence(self.translator.language)))
            return
        (action,) = self._typed([decision.action])
        if decision.value is None:
            typer.echo(self.translator.say("play.hint-plain", action=action))
            return
        seconds = [one for one in decision.considered if one.action != decision.action][:2]
        others = ", ".join(
            self.translator.say("play.hint-other", action=self._typed([one.action])[0], percent=round(100 * one.value))
            for one in seconds
        )
        told = self.translator.say("play.hint", action=action, percent=round(100 * decision.value))
        typer.echo(told + (self.translator.say("play.hint-others", others=others) if others else ""))
        for event in decision.reasons:
            typer.echo(f"  {match.game.tell(event, self.translator.language, self.names)}")
        tell_odds = match.game.capabilities.hints.odds
        odds = sorted(tell_odds(self.position).items(), key=lambda one: -one[1]) if tell_odds else []
        if odds:
            listed = [self.translator.say("play.odd", what=name, percent=round(100 * chance)) for name, chance in odds]
            typer.echo(self.translator.say("play.odds", odds=", ".join(listed)))

    def _undo(self) -> None:
        """Back to before the last action of a person at this table, with all that bots and dice did since."""
        log = self.match.log
        people = [
            place for place, entry in enumerate(log) if isinstance(entry.by, int) and entry.by not in self._players
        ]
        if not people:
            typer.echo(self.translator.say("play.nothing-to-undo"))
            return
        back = [
            self.match.at(place).typed(entry.action, self.translator.language)
            if isinstance(entry.by, int)
            else entry.action
            for place, entry in enumerate(log[people[-1] :], people[-1])
        ]
        self._ask_table(requests.AskTakeback)
        typer.echo(self.translator.say("play.undone", actions=", ".join(back)))
        self._board_is_new = True

    def _show_board(self) -> None:
        self._board_is_new = True

    def _save_copy(self, name: str) -> None:
        if not name:
            typer.echo(self.translator.say("play.saved", file=str(self.file)))
            return
        file = Path(name).expanduser()
        try:
            write_file(file, self.match, self.seated)
        except OSError as error:
            typer.echo(self.translator.say("play.no-copy", file=str(file), why=self._why(error)))
            return
        typer.echo(self.translator.say("play.saved-copy", file=str(file)))

    def _resume(self, name: str) -> None:
        found = loaded(Path(name).expanduser()) if name else self._another()
        self.series = Series()  # another match has nothing to do with this one
        self._sit_down(found[1].match, found[1].seated, found[0])

    def _another(self) -> "tuple[Path, Record]":
        for file, record in unfinished():
            if file != self.file:
                return file, record
        raise BadRequest("play.no-other-match")

    def _quit(self) -> None:
        raise Left


def _events(told: Json) -> list[Event]:
    """The events of a step's message."""
    assert isinstance(told, list)
    return [Event(one["what"], one["facts"]) for one in told]
