"""Yikerz! for people and programs: its options, and events in words.

Positions are in position.py, the rules around the board in rules.py, a turn on it in turn.py, the magnets in magnets/, bots and live
turns in capabilities.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludotheque.core import (
    BadView,
    Choice,
    Event,
    Game,
    JsonObject,
    Number,
    Options,
    Reader,
    SetupDice,
    whole_option,
)
from ludotheque.games.yikerz import rules, views
from ludotheque.games.yikerz.capabilities import CAPABILITIES
from ludotheque.games.yikerz.magnets.mats import LAYOUTS
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.table import Settings
from ludotheque.games.yikerz.text import listed


class Yikerz(Game):
    """One to four players, twenty magnets, four mats."""

    name = "yikerz"
    title = "Yikerz!"
    rules_version = 1
    seats = (2, 1, 3, 4)
    package = "ludotheque.games.yikerz"
    declared_options = (
        Choice("match", "best-of-3", "Y16", choices=("best-of-3", "best-of-5", "best-of-7", "points")),
        Number("magnets", 20, "Y1", low=4, high=20),
        Number("hand_seconds", 60, "Y6", low=5, high=600),
        Number("quiet_seconds", 10, "Y13", low=1, high=60),
        Number("max_turns", 100, "Y21", low=1, high=1000),
    )
    capabilities = CAPABILITIES

    def settings(self, players: int, options: Options) -> Settings:
        """The options as the rules read them."""
        numbers = {
            name: whole_option(options, name) for name in ("magnets", "hand_seconds", "quiet_seconds", "max_turns")
        }
        return Settings(players, **numbers, match=str(options["match"]))

    def start(self, players: int, options: Options, dice: SetupDice) -> YikerzPosition:
        """Y5: the first shuffler is drawn by lot."""
        shuffler = dice.below(players) if players > 1 else 0
        return YikerzPosition(self, rules.first_table(self.settings(players, options), shuffler), players, options)

    def from_view(self, view: JsonObject, players: int, options: Options) -> YikerzPosition:
        """The position that a view describes; its magnets must be all there, once, and have room."""
        table = views.read(Reader(view, BadView), self.settings(players, options))
        return YikerzPosition(self, table, players, options)

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words; magnets by shape and number."""
        facts = dict(event.facts)
        magnets = facts.get("magnets")
        if isinstance(magnets, Sequence) and not isinstance(magnets, str):
            told = [self._magnet(magnet, language) for magnet in magnets if isinstance(magnet, int)]
            facts["magnets"] = listed(told, self.catalogue.say("and", language))
            facts["count"] = len(told)
        if isinstance(magnet := facts.get("magnet"), int):
            facts["magnet"] = self._magnet(magnet, language)
        if isinstance(layout := facts.get("layout"), str) and layout in LAYOUTS:
            facts["layout"] = self.catalogue.say(f"layout.{layout}", language)
        if isinstance(stack := facts.get("stack"), int):
            facts["stack"] = stack + 1  # people count from one
        return super().tell(Event(event.what, facts), language, names)

    def _magnet(self, magnet: int, language: str) -> str:
        return self.catalogue.say(f"shape.{shape_of(magnet).name}", language, {"magnet": magnet})


GAME = Yikerz()

__all__ = ["GAME", "Yikerz"]
