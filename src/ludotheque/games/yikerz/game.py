"""Yikerz! for people and programs: its options, and events in words.

Positions are in position.py, the rules around the board in rules.py, a turn on it in turn.py, the magnets in magnets/, bots and live
turns in capabilities.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ludotheque.core import (
    LOT,
    BadView,
    Choice,
    Event,
    First,
    Game,
    Json,
    JsonObject,
    Number,
    Options,
    Reader,
    SetupDice,
    Switch,
    starting_seat,
    whole_option,
)
from ludotheque.games.yikerz import rules, views
from ludotheque.games.yikerz.capabilities import CAPABILITIES
from ludotheque.games.yikerz.magnets.mats import LAYOUTS
from ludotheque.games.yikerz.magnets.shapes import MAGNETISATIONS, Magnetisation, shape_of
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.table import Settings
from ludotheque.games.yikerz.text import listed


class Yikerz(Game):
    """One to six players, twenty magnets, four mats."""

    name = "yikerz"
    title = "Yikerz!"
    rules_version = 2
    seats = (2, 1, 3, 4, 5, 6)
    package = "ludotheque.games.yikerz"
    declared_options = (
        First(clause="Y5"),
        Choice("match", "best-of-3", "Y16", choices=("best-of-3", "best-of-5", "best-of-7", "points")),
        Number("magnets", 20, "Y1", low=1, high=20, one_a_player=True),
        Number("hand_seconds", None, "Y6", low=5, high=600, optional=True),
        Number("quiet_seconds", 10, "Y13", low=1, high=60),
        Number("max_turns", 100, "Y21", low=1, high=1000),
        Switch("strain", True, "Y6"),
        Choice("magnetisation", "plane", "Y19", choices=MAGNETISATIONS),
    )
    capabilities = CAPABILITIES

    def at_version(self, version: int) -> Game | None:
        """Version 1 had fewer seats and other defaults, which `options_of_version` names; a match goes on by today's rules."""
        return self if version in (1, self.rules_version) else None

    def options_of_version(self, version: int, given: Mapping[str, Json]) -> Mapping[str, Json]:
        """In version 1 the first shuffler was drawn by lot, and a hand had 60 seconds where nothing else was agreed."""
        return {"first": LOT, "hand_seconds": 60, **given} if version == 1 else given

    def settings(self, players: int, options: Options) -> Settings:
        """The options as the rules read them."""
        magnets, quiet, turns = (whole_option(options, name) for name in ("magnets", "quiet_seconds", "max_turns"))
        limit = None if options["hand_seconds"] is None else whole_option(options, "hand_seconds")
        # Matches from before there were these options go on as they began.
        strain, magnetisation = options.get("strain", True) is True, options.get("magnetisation", "plane")
        through: Magnetisation = "through" if magnetisation == "through" else "plane"
        return Settings(players, magnets, limit, quiet, turns, str(options["match"]), strain, through)

    def start(self, players: int, options: Options, dice: SetupDice) -> YikerzPosition:
        """Y5: the first shuffler is drawn by lot, or named by the option `first`."""
        shuffler = starting_seat(options, players, dice) if players > 1 else 0
        return YikerzPosition(self, rules.first_table(self.settings(players, options), shuffler), players, options)

    def from_view(self, view: JsonObject, players: int, options: Options) -> YikerzPosition:
        """The position that a view describes; its magnets must be all there, once, and have room."""
        table = views.read(Reader(view, BadView), self.settings(players, options))
        return YikerzPosition(self, table, players, options)

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words; magnets by their shapes, as people call them, and not by their numbers."""
        facts = dict(event.facts)
        magnets = facts.get("magnets")
        if isinstance(magnets, Sequence) and not isinstance(magnets, str):
            some = [magnet for magnet in magnets if isinstance(magnet, int)]
            facts["magnets"] = self._magnets(some, language)
            facts["count"] = len(some)
        if isinstance(magnet := facts.get("magnet"), int):
            facts["magnet"] = self._magnets([magnet], language)
        if isinstance(layout := facts.get("layout"), str) and layout in LAYOUTS:
            facts["layout"] = self.catalogue.say(f"layout.{layout}", language)
        if isinstance(stack := facts.get("stack"), int):
            facts["stack"] = stack + 1  # people count from one
        return super().tell(Event(event.what, facts), language, names)

    def _magnets(self, magnets: Sequence[int], language: str) -> str:
        """Several of one shape are counted: "a coin and 2 eggs"."""
        shapes = Counter(shape_of(magnet).name for magnet in magnets)
        told = [self.catalogue.say(f"shape.{shape}", language, {"count": count}) for shape, count in shapes.items()]
        return listed(told, self.catalogue.say("and", language))


GAME = Yikerz()

__all__ = ["GAME", "Yikerz"]
