"""Wykersham for people and programs: its text, options, events and what a study counts.

The rules themselves are in rules.py, views in views.py, the terminal board in picture.py, what its bots know in player.py.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from ludotheque.core import Event, Json, JsonObject, Match, Options, Paint, Player, Position, SetupDice, Switch
from ludotheque.games.wykersham import rules, tables, views
from ludotheque.games.wykersham.picture import picture
from ludotheque.kernels import DiscreteGame, DiscretePosition, Rules, State

ACTION_TEXTS: Final = (
    [f"{line}@{rail}" for line, rail in product(tables.LINE_NAMES, views.NUMBER_OF_RAIL)]
    + ["give", "left", "right", "stay", "take", "leave"]
    + [str(number) for number in range(1, tables.MARBLES + 1)]
)
ACTION_NUMBERS: Final = {text: number for number, text in enumerate(ACTION_TEXTS)}
START_TEXTS: Final = tuple(f"{red}-{green}" for red, green in tables.START_DICE)
OUTCOME_NUMBERS: Final = {
    rules.STARTING: {text: number for number, text in enumerate(START_TEXTS)},
    rules.ROLLING: {text: number for number, text in enumerate(views.ROLL_TEXTS)},
}


class Wykersham(DiscreteGame):
    """Two players, thirty marbles each, two dice, five rails."""

    name = "wykersham"
    title = "Wykersham"
    rules_version = 1
    seats = (2,)
    package = "ludotheque.games.wykersham"
    declared_options = (
        Switch("same_direction", True, "W11"),
        Switch("shared_middle", True, "W12"),
        Switch("forced_goals", False, "W19"),
    )
    rules = Rules("ludotheque.games.wykersham.rules")

    def first_state(self, players: int, options: Options, dice: SetupDice) -> State:
        """W3: an empty board. Who starts is chance's first outcome (W4), not drawn beforehand."""
        del players, dice
        return views.empty_state(self.rules, options)

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> State:
        """The state that a view describes."""
        del players
        return views.state_from_view(self.rules, view, options)

    def view_of(self, state: State, players: int) -> JsonObject:
        """The state as docs/protocol.md shows it."""
        del players
        return views.view_of(state)

    def write(self, state: State, action: int) -> str:
        """The text of an action, or of the dice."""
        if state.phase == rules.STARTING:
            return START_TEXTS[action]
        if state.phase == rules.ROLLING:
            return views.ROLL_TEXTS[action]
        if action == tables.GIVE:
            return f"give {views.left_of(state)[0]}"
        return ACTION_TEXTS[action]

    def read(self, state: State, action: str) -> int | None:
        """The number of an action's text, or of the dice."""
        if state.phase in OUTCOME_NUMBERS:
            return OUTCOME_NUMBERS[int(state.phase)].get(action)
        if action.startswith("give"):
            return tables.GIVE if state.marbles and action == self.write(state, tables.GIVE) else None
        return ACTION_NUMBERS.get(action)

    def events_of(self, before: State, action: int, after: State) -> Sequence[Event]:
        """What an action did: the dice, the marble, the slide with its goals, what was taken, the end."""
        player = int(before.player)
        events: list[Event] = []
        if before.phase == rules.STARTING:
            red, green = tables.START_DICE[action]
            events.append(Event("start", {"player": int(after.player), "red": red, "green": green}))
        elif before.phase == rules.ROLLING:
            one, other = tables.ROLL_DICE[action]
            if one == other:
                events.append(Event("double", {"player": player, "die": one}))
            else:
                events.append(Event("roll", {"player": player, "low": one, "high": other}))
        elif action == tables.GIVE:
            facts: dict[str, Json] = {"player": player, "other": 1 - player}
            events.append(Event("give", {**facts, "line": views.left_of(before)[0]}))
        elif before.phase == rules.PLACING:
            line, rail = divmod(action, tables.RAILS)
            events.append(Event("place", {"player": player, "line": tables.LINE_NAMES[line], "rail": rail + 1}))
        elif before.phase == rules.SLIDING:
            slide = ACTION_TEXTS[action]
            events.append(Event(slide, {"player": player, "rail": int(before.asked) + 1}))
            events += [self._goal(f"goal-{goal['line']}", player, goal) for goal in views.goals_of(after)]
        elif before.phase == rules.GOAL:
            (goal, *_) = (goal for goal in views.goals_of(before) if goal["taken"] is None)
            events.append(self._goal("taken" if action == tables.TAKE else "left-standing", player, goal))
        events += self._taken(before, after)
        if after.phase == rules.ENDED:
            events.append(self._end(after))
        return events

    def _goal(self, what: str, player: int, goal: Mapping[str, Json]) -> Event:
        column = goal["column"]
        assert isinstance(column, int)
        return Event(
            what, {"player": player, "line": tables.column_name(column), "slope": goal["line"], "column": column}
        )

    def _taken(self, before: State, after: State) -> list[Event]:
        """W18: the marbles that left the board, cup by cup; `rest` counts what stays in those cups."""
        player = int(before.player)
        fewer = before.cups[player].astype(int) - after.cups[player]
        cups = [[rail, cup] for rail, cup in product(range(tables.RAILS), range(tables.CUPS)) if fewer[rail, cup] > 0]
        if not cups:
            return []
        facts: dict[str, Json] = {
            "player": player,
            "count": sum(int(fewer[rail, cup]) for rail, cup in cups),
            "rest": sum(int(after.cups[player, rail, cup]) for rail, cup in cups),
            "cups": [[rail + 1, cup, int(fewer[rail, cup])] for rail, cup in cups],
        }
        return [Event("take", facts)]

    def _end(self, state: State) -> Event:
        red, green = state.winnings.tolist()
        if red == green:
            return Event("draw", {"count": red})
        return Event("wins", {"winner": int(green > red), "points": max(red, green), "against": min(red, green)})

    def picture_of(self, state: State, players: int, paint: Paint, language: str) -> str:
        """The five rails, and what is to be done."""
        del players
        return picture(state, self.words, paint, language)

    def player(self, level: int) -> Player | None:
        """A bot that looks at all ends of its turn; from level 3 on by a learned judge."""
        from ludotheque.games.wykersham.player import WykershamPlayer  # noqa: PLC0415 - compiled rules are loaded for bots only

        return WykershamPlayer(level)

    def reasons(self, position: Position, better: Sequence[str], chosen: Sequence[str]) -> Sequence[Event]:
        """The marbles that a turn wins."""
        from ludotheque.games.wykersham.reasons import why_better  # noqa: PLC0415 - not before somebody asks

        assert isinstance(position, DiscretePosition)
        return list(why_better(position, better, chosen))

    def study_facts(self, match: Match) -> Mapping[str, float]:
        """How often each special rule occurred in a match, for `ludotheque study`."""
        return count_facts(match.events())


FACTS: Final = (
    "doubles",
    "splits",
    "marbles in n",
    "slides left",
    "slides right",
    "stays",
    "gives",
    "goals vertical",
    "goals falling",
    "goals rising",
    "goals",
    "goals taken",
    "goals left",
    "slides with a goal",
    "slides with several goals",
    "partial takings",
    "marbles taken",
    "most marbles by one slide",
    "marbles won a goal",
    "marbles won by red",
    "marbles won by green",
)
"""What is counted in every match, in this order."""


def count_facts(events: Sequence[Event]) -> Mapping[str, float]:
    """The counts of FACTS, from the events of a match."""
    counts: Counter[str] = Counter()
    names = {"double": "doubles", "left": "slides left", "right": "slides right", "stay": "stays", "give": "gives"}
    names |= {f"goal-{slope}": f"goals {slope}" for slope in views.SLOPE_NAMES}
    names |= {"taken": "goals taken", "left-standing": "goals left"}
    goals = brought = partial = 0  # of the last slide
    lines: list[Json] = []  # of the turn's marbles
    double = False

    def settle() -> None:
        """What the last slide brought."""
        counts["slides with a goal"] += goals > 0
        counts["slides with several goals"] += goals > 1
        counts["partial takings"] += partial > 0
        counts["most marbles by one slide"] = max(counts["most marbles by one slide"], brought)

    for event in events:
        counts[names.get(event.what, event.what)] += 1
        if event.what in ("roll", "double", "place", "give"):
            settle()
            goals = brought = partial = 0
        if event.what in ("roll", "double"):
            lines, double = [], event.what == "double"
        elif event.what == "place":
            lines.append(event.facts["line"])
            counts["marbles in n"] += event.facts["line"] == "n"
            counts["splits"] += double and len(set(lines)) == 2
        elif event.what.startswith("goal-"):
            goals += 1
        elif event.what == "take":
            number, rest, player = (event.facts[name] for name in ("count", "rest", "player"))
            assert isinstance(number, int)
            brought += number
            partial += bool(rest)
            counts["marbles taken"] += number
            counts[f"marbles won by {views.COLOURS[player == 1]}"] += number
        if event.what == "give":
            counts[f"marbles won by {views.COLOURS[event.facts['other'] == 1]}"] += 1
    settle()
    facts = {name: float(counts[name]) for name in FACTS}
    facts["goals"] = sum(facts[f"goals {slope}"] for slope in views.SLOPE_NAMES)
    facts["marbles won a goal"] = facts["marbles taken"] / facts["goals taken"] if facts["goals taken"] else 0.0
    return facts


GAME = Wykersham()
