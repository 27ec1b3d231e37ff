"""Why one action is better than another: what each brings until the turn is over, and the game's own reasons.

Reviews and puzzles use it. The facts are events, so that they are told like any others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ludotheque.core import Catalogue, Decision, Event, Game, JsonObject, Player, Position, Reader
from ludotheque.core.catalogue import PROGRAM

LONGEST: Final = 12  # actions of a continuation
CLEARLY_WORSE: Final = 0.01  # of a win
GLANCE: Final = 0.1  # seconds for each action that continues an advice


@dataclass(frozen=True)
class Line:
    """An action and the best continuation of the same turn, with the events of both."""

    actions: tuple[str, ...]
    events: tuple[Event, ...]

    def told(self, game: Game, language: str, names: Sequence[str] = (), *, without: Sequence[Event] = ()) -> str:
        """The line in words, without the events that another line has as well, unless no others are left."""
        some = [event for event in self.events if event not in without] or self.events
        between = Catalogue(PROGRAM).say("punctuation.semicolon", language)
        return between.join(game.tell(event, language, names) for event in some) or ", ".join(self.actions)

    def json(self) -> JsonObject:
        """The line for programs."""
        return {"actions": list(self.actions), "events": [event.json() for event in self.events]}


@dataclass(frozen=True)
class ComparisonText:
    """A comparison in one language."""

    better: str
    chosen: str
    reasons: list[str]


@dataclass(frozen=True)
class Comparison:
    """The better action, the chosen one, and the reasons for the better one."""

    better: Line
    chosen: Line
    reasons: tuple[Event, ...]

    def told(self, game: Game, language: str, names: Sequence[str] = ()) -> ComparisonText:
        """The comparison in words: the differences of the two lines, and the reasons."""
        return ComparisonText(
            self.better.told(game, language, names, without=self.chosen.events),
            self.chosen.told(game, language, names, without=self.better.events),
            [game.tell(event, language, names) for event in self.reasons],
        )

    def json(self) -> JsonObject:
        """The comparison for programs; `read_comparison` reads it back."""
        return {
            "better": self.better.json(),
            "chosen": self.chosen.json(),
            "reasons": [event.json() for event in self.reasons],
        }


def read_comparison(reader: Reader) -> Comparison:
    """A comparison from its JSON."""
    return Comparison(_line(reader.key("better")), _line(reader.key("chosen")), _events(reader.key("reasons")))


def _line(reader: Reader) -> Line:
    return Line(tuple(one.text() for one in reader.key("actions").items()), _events(reader.key("events")))


def _events(reader: Reader) -> tuple[Event, ...]:
    found = []
    for one in reader.items():
        facts = dict(one.object())
        del facts["what"]
        found.append(Event(one.key("what").text(), facts))
    return tuple(found)


def compare(position: Position, better: str, chosen: str, judge: Player, seconds: float | None = None) -> Comparison:
    """Compare two actions of the player to move, each continued by the judge until the dice or another player act."""
    first, second = (_play_on(position, action, judge, seconds) for action in (better, chosen))
    reasons = position.game.capabilities.hints.reasons
    return Comparison(first, second, tuple(reasons(position, first.actions, second.actions)) if reasons else ())


def advise(position: Position, adviser: Player, seconds: float | None = None) -> Decision:
    """What a player would do and, where the next best action is clearly worse, the game's reasons for it."""
    decision = adviser.choose(position, seconds=seconds)
    following = next((one for one in decision.considered if one.action != decision.action), None)
    if following is None or decision.value is None or decision.value - following.value < CLEARLY_WORSE:
        return decision
    if position.game.capabilities.hints.reasons is None:
        return decision
    compared = compare(position, decision.action, following.action, adviser, GLANCE)
    return replace(decision, reasons=compared.reasons)


def _play_on(position: Position, action: str, judge: Player, seconds: float | None) -> Line:
    mover = position.to_move
    step = position.play(action)
    actions, events = [action], list(step.events)
    while step.position.to_move == mover and len(actions) < LONGEST:
        legal = step.position.legal().actions
        onward = legal[0] if len(legal) == 1 else judge.choose(step.position, seconds=seconds).action
        step = step.position.play(onward)
        actions.append(onward)
        events.extend(step.events)
    return Line(tuple(actions), tuple(events))
