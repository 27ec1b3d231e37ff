"""Pig for people and programs: its text, views, options and events. The rules are in rules.py."""

from collections.abc import Sequence
from pathlib import Path

from ludotheque.core import BadView, Event, JsonObject, Number, Options, Paint, Reader, SetupDice, whole_option
from ludotheque.kernels import DiscreteGame, Rules, State
from ludotheque_pig import rules


class Pig(DiscreteGame):
    """Two players and one die."""

    name = "pig"
    title = "Pig"
    rules_version = 1
    seats = (2,)
    package = "ludotheque_pig"
    declared_options = (Number("goal", 100, "P1", low=10, high=1000),)
    rules = Rules("ludotheque_pig.rules")
    board = Path(__file__).parent / "board"

    def first_state(self, players: int, options: Options, dice: SetupDice) -> State:
        """Who starts is drawn."""
        del players
        state = self.rules.new_state()
        state.goal = whole_option(options, "goal")
        state.player = dice.below(2)
        return state

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> State:
        """The state that a view describes."""
        del players
        reader = Reader(view, BadView)
        state = self.rules.new_state()
        state.goal = goal = whole_option(options, "goal")
        state.player = reader.key("player").integer(0, 1)
        state.banked[:] = [one.integer(0, 2 * goal) for one in reader.key("banked").items(2)]
        state.turn = reader.key("turn").integer(0, 10_000)
        state.rolling = reader.key("rolling").boolean()
        if min(state.banked) >= goal:
            reader.key("banked").fail("only one player can have won")
        return state

    def view_of(self, state: State, players: int) -> JsonObject:
        """Everything there is to know."""
        del players
        return {
            "player": int(state.player),
            "banked": state.banked.tolist(),
            "turn": int(state.turn),
            "rolling": bool(state.rolling),
        }

    def write(self, state: State, action: int) -> str:
        """`roll`, `hold`, or the face of the die."""
        return str(action) if state.rolling else ("hold", "roll")[action]

    def read(self, state: State, action: str) -> int | None:
        """The number of an action's text."""
        if state.rolling:
            return int(action) if action in ("1", "2", "3", "4", "5", "6") else None
        return {"hold": rules.HOLD, "roll": rules.ROLL}.get(action)

    def events_of(self, before: State, action: int, after: State) -> Sequence[Event]:
        """What an action did."""
        player = int(before.player)
        if before.rolling:
            return [Event("lost" if action == 1 else "rolled", {"player": player, "face": action})]
        if action == rules.ROLL:
            return [Event("rolls", {"player": player})]
        return [Event("holds", {"player": player, "count": int(before.turn), "total": int(after.banked[player])})]

    def picture_of(self, state: State, players: int, paint: Paint, language: str) -> str:
        """Both scores and the turn's."""
        del players
        scores = [f"{self.seat_name(seat, language)} {state.banked[seat]}" for seat in (0, 1)]
        return f"{scores[0]}   {scores[1]}   {paint('bold', '+' + str(state.turn))}"


GAME = Pig()
