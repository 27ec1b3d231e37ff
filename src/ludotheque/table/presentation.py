"""Positions as messages show them, and events in words."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from ludotheque.core import CHANCE, Event, Game, Json, JsonObject, Position, Step, ToMove, languages

SENTENCES: Final = 20_000  # cached
FIRST_MARK: Final = 0xE000  # private-use letters stand for names

Names: TypeAlias = Callable[[str], Sequence[str]]
"""What the seats are called in a language."""


def show_position(position: Position, length: int, *, all_odds: bool = False) -> dict[str, Json]:
    """A position in messages; chance's outcomes are listed only with `all_odds`, since there may be hundreds."""
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
        "acting": position.acting,
        "state": position.view(),
        "over": to_move is None,
        "returns": position.returns() if to_move is None else (),
        "legal": {"actions": actions, "odds": odds, "open": free},
    }


def without_actions(shown: JsonObject) -> JsonObject:
    """A shown position of a match that has ended otherwise than by the rules: nothing is legal and nobody acts."""
    return {**shown, "acting": None, "legal": {"actions": (), "odds": (), "open": ()}}


@lru_cache(maxsize=SENTENCES, typed=True)  # typed: 1 and true are told differently
def _templates(game: Game, seats: int, what: str, named: tuple[str, ...], *facts: Json) -> Sequence[tuple[str, str]]:
    """An event in each language, with {0}, {1} … for the seats' names, so that all tables share it."""
    event = Event(what, dict(zip(named, facts, strict=True)))
    marks = [chr(FIRST_MARK + seat) for seat in range(seats)]
    places = {ord(mark): f"{{{seat}}}" for seat, mark in enumerate(marks)} | {ord("{"): "{{", ord("}"): "}}"}
    return [(language, game.tell(event, language, marks).translate(places)) for language in languages()]


def _words(game: Game, event: Event, names: Names) -> JsonObject:
    """An event in each language."""
    facts = event.facts
    try:
        templates = _templates(game, len(names("en")), event.what, tuple(facts), *facts.values())
    except TypeError:  # a fact is a list, which cannot be cached
        return {language: game.tell(event, language, names(language)) for language in languages()}
    return {language: template.format(*names(language)) for language, template in templates}


def tell(game: Game, events: Sequence[Event], names: Names) -> list[JsonObject]:
    """Events with their facts and their words in every language."""
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
