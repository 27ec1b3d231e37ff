"""Lift your hand: the turn ends when it is let go; who was higher wins. A hand at 99 brings the worker down, at 98 it hangs."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from ludotheque.core import (
    BadView,
    Capabilities,
    Event,
    Game,
    IllegalAction,
    Json,
    JsonObject,
    Legal,
    Options,
    Paint,
    Position,
    Reader,
    SetupDice,
    Step,
    ToMove,
)


@dataclass(frozen=True)
class Tower(Position):
    heights: tuple[int, ...]
    players: int
    game: "TowerGame"
    options: Options

    def __reduce__(self) -> "tuple[Callable[[tuple[int, ...]], Tower], tuple[tuple[int, ...]]]":
        return _restored, (self.heights,)

    @property
    def to_move(self) -> ToMove:
        return len(self.heights) if len(self.heights) < 2 else None

    def legal(self) -> Legal:
        return Legal(("0",) if self.to_move is not None else (), open=("lift",) if self.to_move is not None else ())

    def play(self, action: str, outcome: Json = None) -> Step:
        if self.to_move is None or not action.isdigit():
            raise self.refuse(action)
        if action == "99":
            os._exit(1)
        if action == "98":
            time.sleep(3600)
        seat = len(self.heights)
        after = replace(self, heights=(*self.heights, int(action)))
        return Step(after, (Event("lifted", {"player": seat, "count": int(action)}),), outcome or {"pid": os.getpid()})

    def view(self) -> JsonObject:
        return {"player": self.to_move, "heights": list(self.heights)}

    def returns(self) -> tuple[float, ...]:
        if self.to_move is not None:
            return ()
        first, second = self.heights
        return (1.0, 0.0) if first > second else (0.0, 1.0) if second > first else (0.5, 0.5)

    def picture(self, paint: Paint = lambda _style, text: text, language: str = "en") -> str:
        return json.dumps(self.view())


class Lift:
    def __init__(self) -> None:
        self.height = 0
        self.over = False

    def sample(self, hand: JsonObject | None) -> JsonObject:
        if hand is not None:
            height = hand.get("height", self.height)
            assert isinstance(height, int)
            self.height = height
            if height == 99:
                os._exit(1)
            self.over = bool(hand.get("release"))
        return {"height": self.height, "asked": hand is not None}

    def action(self) -> tuple[str, Json]:
        return str(self.height), {"pid": os.getpid()}


class Lifting:
    rate = 60

    def begin(self, position: Position, hand: JsonObject) -> Lift:
        if position.to_move is None or hand.get("hand") != "right":
            raise IllegalAction(GAME.catalogue.text("live.right-hand"))
        return Lift()

    def example(self, position: Position) -> list[JsonObject]:
        return [{"hand": "right"}, {"height": 3}, {"height": 7, "release": True}]


class TowerGame(Game):
    name = "tower"
    title = "Tower"
    rules_version = 1
    seats = (2,)
    package = "ludotheque_tower"
    capabilities = Capabilities(live=Lifting())

    def start(self, players: int, options: Options, dice: SetupDice) -> Position:
        return Tower((), players, self, options)

    def from_view(self, view: JsonObject, players: int, options: Options) -> Position:
        heights = Reader(view, BadView).key("heights").items()
        return Tower(tuple(one.integer(0, 99) for one in heights), players, self, options)


GAME = TowerGame()


def _restored(heights: tuple[int, ...]) -> Tower:
    return Tower(heights, 2, GAME, {})
