"""Positions as messages show them, and events in words.

Which position is shown to whom is the session's business.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from ludotheque.core import CHANCE, LANGUAGES, Event, Game, Json, JsonObject, Match, Position, Step, ToMove

SENTENCES: Final = 20_000  # remembered
FIRST_MARK: Final = 0xE000  # letters that nobody writes stand for names

Names: TypeAlias = Callable[[str], Sequence[str]]
"""What the seats are called in a language."""


def acting_seat(position: Position, view: JsonObject, last: int | None = None) -> int | None:
    """The seat that is to act: the player to move or, on chance's turn, who rolls (a view's `player`; else who acted last)."""
    to_move = position.to_move
    if to_move is None or isinstance(to_move, int):
        return to_move
    player = view.get("player")
    return player if isinstance(player, int) else last


def show_position(position: Position, length: int, last: int | None = None, *, all_odds: bool = False) -> JsonObject:
    """A position for clients; chance's outcomes are listed only where they were asked for, since there may be hundreds."""
    view = position.view()
    to_move = position.to_move
    actions: Sequence[str] = ()
    odds: Sequence[float] = ()
    free: Sequence[str] = ()
    if to_move is not None and (to_move != CHANCE or all_odds):
        legal = position.legal()
        actions, free = legal.actions, legal.open
        if to_move == CHANCE:
            odds = legal.odds
    return {
        "length": length,
        "to_move": to_move,
        "acting": acting_seat(position, view, last),
        "state": view,
        "over": to_move is None,
        "returns": position.returns() if to_move is None else (),
        "legal": {"actions": actions, "odds": odds, "open": free},
    }


@lru_cache(maxsize=SENTENCES, typed=True)  # typed: 1 and true are told differently
def _sentences(game: Game, seats: int, what: str, named: tuple[str, ...], *facts: Json) -> Sequence[tuple[str, str]]:
    """An event in each language, with {0}, {1} … for whoever sits there: so all tables share what is made once."""
    event = Event(what, dict(zip(named, facts, strict=True)))
    marks = [chr(FIRST_MARK + seat) for seat in range(seats)]
    places = {ord(mark): f"{{{seat}}}" for seat, mark in enumerate(marks)} | {ord("{"): "{{", ord("}"): "}}"}
    return [(language, game.tell(event, language, marks).translate(places)) for language in LANGUAGES]


def _words(game: Game, event: Event, names: Names) -> JsonObject:
    """An event in each language."""
    facts = event.facts
    try:
        sentences = _sentences(game, len(names(LANGUAGES[0])), event.what, tuple(facts), *facts.values())
    except TypeError:  # a fact is a list, which is too rare to be remembered
        return {language: game.tell(event, language, names(language)) for language in LANGUAGES}
    return {language: sentence.format(*names(language)) for language, sentence in sentences}


def tell(game: Game, events: Sequence[Event], names: Names) -> list[JsonObject]:
    """Events with their facts and their words in both languages."""
    return [{"what": event.what, "facts": event.facts, "words": _words(game, event, names)} for event in events]


def told(game: Game, by: ToMove, action: str, step: Step, names: Names, position: JsonObject | None) -> JsonObject:
    """An action with what it did."""
    return {
        "by": by,
        "action": action,
        "events": tell(game, step.events, names),
        "outcome": step.outcome,
        "position": position,
    }


def last_seat(match: Match) -> int | None:
    """Who acted last."""
    return next((entry.by for entry in reversed(match.log) if isinstance(entry.by, int)), None)
