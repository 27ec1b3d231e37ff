"""Pig for people and programs: its text, views, options and events. The rules are in rules.py."""

from collections.abc import Sequence
from pathlib import Path

from ludotheque.core import (
    BadView,
    BenchmarkCase,
    Capabilities,
    Event,
    JsonObject,
    Match,
    Number,
    Options,
    Paint,
    Reader,
    SetupDice,
    resource,
    whole_option,
)
from ludotheque.kernels import DiscreteGame, DiscretePosition, Fields, MutableState
from ludotheque_pig import facts


class Pig(DiscreteGame):
    """Two players and one die."""

    name = "pig"
    title = "Pig"
    rules_version = 1
    seats = (2,)
    has_dice = True
    package = "ludotheque_pig"
    declared_options = (Number("goal", 100, "P1", low=10, high=1000),)
    layout = facts.LAYOUT
    capabilities = Capabilities(
        puzzles=resource("ludotheque_pig", "puzzles.json"),
        benchmark=lambda: [BenchmarkCase("a new match", lambda: Match(Pig()), 1000)],
        encoding="ludotheque_pig.encoding",
        board=Path(__file__).parent / "board",
    )

    def first_state(self, players: int, options: Options, dice: SetupDice) -> MutableState:
        """Who starts is drawn."""
        del players
        state = self.layout.new_state()
        state.goal = whole_option(options, "goal")
        state.player = dice.below(2)
        return state

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> MutableState:
        """The state that a view describes."""
        del players
        reader = Reader(view, BadView)
        state = self.layout.new_state()
        state.goal = goal = whole_option(options, "goal")
        state.player = reader.key("player").integer(0, 1)
        state.banked = [one.integer(0, 2 * goal) for one in reader.key("banked").items(2)]
        state.turn = reader.key("turn").integer(0, 10_000)
        state.rolling = reader.key("rolling").boolean()
        if min(state.banked) >= goal:
            reader.key("banked").fail(self.catalogue.text("view.two-winners"))
        return state

    def view_of(self, position: DiscretePosition) -> JsonObject:
        """Everything there is to know."""
        fields = position.fields
        return {
            "player": fields.player,
            "banked": list(fields.banked),
            "turn": fields.turn,
            "rolling": fields.rolling,
        }

    def write(self, fields: Fields, action: int) -> str:
        """`roll`, `hold`, or the face of the die."""
        return str(action) if fields.rolling else ("hold", "roll")[action]

    def read(self, fields: Fields, action: str) -> int | None:
        """The number of an action's text."""
        if fields.rolling:
            return int(action) if action in ("1", "2", "3", "4", "5", "6") else None
        return {"hold": facts.HOLD, "roll": facts.ROLL}.get(action)

    def events_of(self, before: DiscretePosition, action: int, after: DiscretePosition) -> Sequence[Event]:
        """What an action did."""
        player: int = before.fields.player
        if before.fields.rolling:
            return [Event("lost" if action == 1 else "rolled", {"player": player, "face": action})]
        if action == facts.ROLL:
            return [Event("rolls", {"player": player})]
        total = after.fields.banked[player]
        return [Event("holds", {"player": player, "count": before.fields.turn, "total": total})]

    def picture_of(self, position: DiscretePosition, paint: Paint, language: str) -> str:
        """Both scores and the turn's."""
        fields = position.fields
        scores = [f"{self.seat_name(seat, language)} {fields.banked[seat]}" for seat in (0, 1)]
        return f"{scores[0]}   {scores[1]}   {paint('bold', '+' + str(fields.turn))}"


GAME = Pig()
