"""Wykersham for people and programs: its text, options and events.

The rules themselves are in rules.py, views in views.py, the terminal board in picture.py, bots and studies in capabilities.py.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from ludotheque.core import Event, Json, JsonObject, Options, Paint, SetupDice, Switch
from ludotheque.games.wykersham import facts, views
from ludotheque.games.wykersham.capabilities import CAPABILITIES
from ludotheque.games.wykersham.picture import picture
from ludotheque.kernels import DiscreteGame, DiscretePosition, Fields, MutableState

ACTION_TEXTS: Final = (
    [f"{line}@{rail}" for line, rail in product(facts.LINE_NAMES, views.NUMBER_OF_RAIL)]
    + ["give", "left", "right", "stay", "take", "leave"]
    + [str(number) for number in range(1, facts.MARBLES + 1)]
)
ACTION_NUMBERS: Final = {text: number for number, text in enumerate(ACTION_TEXTS)}
START_TEXTS: Final = tuple(f"{red}-{green}" for red, green in facts.START_DICE)
LINE_BY_LINE: Final = 1
"""The rules version in which the goals of a slide were settled one by one."""
OUTCOME_NUMBERS: Final = {
    facts.STARTING: {text: number for number, text in enumerate(START_TEXTS)},
    facts.ROLLING: {text: number for number, text in enumerate(views.ROLL_TEXTS)},
}


class Wykersham(DiscreteGame):
    """Two players, thirty marbles each, two dice, five rails."""

    name = "wykersham"
    title = "Wykersham"
    rules_version = 2
    seats = (2,)
    has_dice = True
    package = "ludotheque.games.wykersham"
    declared_options = (
        Switch("same_direction", True, "W11"),
        Switch("shared_middle", True, "W12"),
        Switch("combined_goals", True, "W17"),
        Switch("forced_goals", False, "W19"),
    )
    layout = facts.LAYOUT
    capabilities = CAPABILITIES

    def at_version(self, version: int) -> "Wykersham | None":
        """Version 1 settled every goal on its own (W17), which is an option now."""
        return self if version in (LINE_BY_LINE, self.rules_version) else None

    def options_of_version(self, version: int, given: Mapping[str, Json]) -> Mapping[str, Json]:
        """Options as an earlier version wrote them, said in today's."""
        return {**given, "combined_goals": False} if version == LINE_BY_LINE else given

    def first_state(self, players: int, options: Options, dice: SetupDice) -> MutableState:
        """W3: an empty board. Who starts is chance's first outcome (W4), not drawn beforehand."""
        del players, dice
        return views.empty_state(options)

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> MutableState:
        """The state that a view describes."""
        del players
        return views.state_from_view(self.target, view, options)

    def view_of(self, position: DiscretePosition) -> JsonObject:
        """The position as docs/protocol.md shows it."""
        return views.view_of(position.fields)

    def write(self, fields: Fields, action: int) -> str:
        """The text of an action, or of the dice."""
        if fields.phase == facts.STARTING:
            return START_TEXTS[action]
        if fields.phase == facts.ROLLING:
            return views.ROLL_TEXTS[action]
        if action == facts.GIVE:
            return f"give {views.left_of(fields)[0]}"
        return ACTION_TEXTS[action]

    def read(self, fields: Fields, action: str) -> int | None:
        """The number of an action's text, or of the dice."""
        if fields.phase in OUTCOME_NUMBERS:
            return OUTCOME_NUMBERS[fields.phase].get(action)
        if action.startswith("give"):
            return facts.GIVE if fields.marbles and action == self.write(fields, facts.GIVE) else None
        return ACTION_NUMBERS.get(action)

    def chance_key(self, fields: Fields) -> int:
        """W4, W5: the dice fall alike in every turn."""
        phase: int = fields.phase
        return phase

    def events_of(self, before: DiscretePosition, action: int, after: DiscretePosition) -> Sequence[Event]:
        """What an action did: the dice, the marble, the slide with its goals, what was taken, the end."""
        was, now = before.fields, after.fields
        player: int = was.player
        events: list[Event] = []
        if was.phase == facts.STARTING:
            red, green = facts.START_DICE[action]
            events.append(Event("start", {"player": now.player, "red": red, "green": green}))
        elif was.phase == facts.ROLLING:
            one, other = facts.ROLL_DICE[action]
            if one == other:
                events.append(Event("double", {"player": player, "die": one}))
            else:
                events.append(Event("roll", {"player": player, "low": one, "high": other}))
        elif action == facts.GIVE:
            told: dict[str, Json] = {"player": player, "other": 1 - player}
            events.append(Event("give", {**told, "line": views.left_of(was)[0]}))
        elif was.phase == facts.PLACING:
            line, rail = divmod(action, facts.RAILS)
            events.append(Event("place", {"player": player, "line": facts.LINE_NAMES[line], "rail": rail + 1}))
        elif was.phase == facts.SLIDING:
            slide = ACTION_TEXTS[action]
            events.append(Event(slide, {"player": player, "rail": was.asked + 1}))
            events += self._goals(now)
        elif was.phase == facts.GOAL:
            events.append(self._decided(was, action == facts.TAKE))
        events += self._taken(was, now)
        if now.phase == facts.ENDED:
            events.append(self._end(now))
        return events

    def _goals(self, fields: Fields) -> list[Event]:
        """W13, W17: the goals of a slide; several lines of a combination are one goal."""
        goals, player = views.goals_of(fields), fields.player
        if not views.is_combination(fields):
            return [self._goal(f"goal-{goal['line']}", player, goal) for goal in goals]
        combination = Event("combination", {"player": player, "count": len(goals)})
        return [combination, *(self._goal(f"line-{goal['line']}", player, goal) for goal in goals)]

    def _decided(self, fields: Fields, taken: bool) -> Event:
        """W16, W17: whether the goal that was asked about, or the whole combination, is taken."""
        goals, player = views.goals_of(fields), fields.player
        if views.is_combination(fields):
            return Event(f"combination-{'taken' if taken else 'left'}", {"player": player, "count": len(goals)})
        (goal, *_) = (goal for goal in goals if goal["taken"] is None)
        return self._goal("taken" if taken else "left-standing", player, goal)

    def _goal(self, what: str, player: int, goal: Mapping[str, Json]) -> Event:
        column = goal["column"]
        assert isinstance(column, int)
        return Event(
            what, {"player": player, "line": facts.column_name(column), "slope": goal["line"], "column": column}
        )

    def _taken(self, before: Fields, after: Fields) -> list[Event]:
        """W18: the marbles that left the board, cup by cup; `rest` counts what stays in those cups."""
        player: int = before.player
        cups: list[Json] = []
        count = rest = 0
        for cup, (old, new) in enumerate(zip(views.cups_of(before, player), views.cups_of(after, player), strict=True)):
            if new < old:
                cups.append([cup // facts.CUPS + 1, cup % facts.CUPS, old - new])
                count += old - new
                rest += new
        return [Event("take", {"player": player, "count": count, "rest": rest, "cups": cups})] if cups else []

    def _end(self, fields: Fields) -> Event:
        red, green = fields.winnings
        if red == green:
            return Event("draw", {"count": red})
        return Event("wins", {"winner": int(green > red), "points": max(red, green), "against": min(red, green)})

    def picture_of(self, position: DiscretePosition, paint: Paint, language: str) -> str:
        """The five rails, and what is to be done."""
        return picture(position.fields, self.catalogue, paint, language)


GAME = Wykersham()
