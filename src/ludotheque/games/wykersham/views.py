"""Wykersham's views: a state as JSON, and a state from any view that a game can reach. docs/protocol.md describes them.

What the fields do is in rules.py.
"""

from collections.abc import Sequence
from typing import Final

from ludotheque.core import BadView, Catalogue, Json, JsonObject, Options, Reader, Text, whole_option
from ludotheque.games.wykersham import facts
from ludotheque.kernels import Fields, MutableState, RulesTarget

_text: Final = Catalogue("ludotheque.games.wykersham").text

PHASES: Final = ("start", "roll", "place", "slide", "goal", "cup", "over")
SLOPE_NAMES: Final = ("vertical", "falling", "rising")
COLOURS: Final = ("red", "green")
ROLL_TEXTS: Final = tuple(f"{one}{other}" for one, other in facts.ROLL_DICE)
NUMBER_OF_RAIL: Final = tuple(range(1, facts.RAILS + 1))
MIDDLE_RAIL: Final = NUMBER_OF_RAIL[facts.MIDDLE]
OPTION_NAMES: Final = ("same_direction", "shared_middle", "combined_goals", "forced_goals")
COLUMN_0: Final = 7  # its bit
REACHED_IN_MIDDLE: Final = range(2, 9)  # the cups of the middle rail that a labelled line meets (W13)


def _colour(player: int) -> Text:
    return _text(f"view.colour-{player}")


def empty_state(options: Options) -> MutableState:
    """W3: centred rails, no marbles; before the dice that decide who starts."""
    state = facts.LAYOUT.new_state()
    state.dice = facts.NO_DICE
    for name in OPTION_NAMES:
        setattr(state, name, bool(whole_option(options, name)))
    return state


def cups_of(fields: Fields, player: int) -> Sequence[int]:
    """How many marbles a player has in each cup, rail by rail."""
    size = facts.RAILS * facts.CUPS
    cups: tuple[int, ...] = fields.cups
    return cups[player * size : (player + 1) * size]


def left_of(state: Fields | MutableState) -> list[str]:
    """The lines still to be played this turn (W5, W8)."""
    lines = [name for line, name in enumerate(facts.LINE_NAMES) if state.lines >> line & 1]
    if state.marbles == 0:
        return []
    if not facts.IS_DOUBLE[state.dice]:
        return lines
    rolled = ROLL_TEXTS[state.dice][0]
    last = "n" if lines == ["n"] else f"n|{rolled}"
    return ["n", last] if state.marbles == 2 else [last]


def winner_of(state: Fields | MutableState) -> Json:
    """W20: who has won, once the game is over."""
    if state.phase != facts.ENDED:
        return None
    red, green = state.winnings
    return "draw" if red == green else int(green > red)


def goals_of(state: Fields | MutableState) -> list[dict[str, Json]]:
    """The goals that are being settled, in their order; those before the one that is asked about are decided."""
    if state.phase not in (facts.GOAL, facts.CUP):
        return []
    found: list[dict[str, Json]] = []
    for goal in range(3 * facts.COLUMNS):
        column, slope = divmod(goal, 3)
        if state.goals[slope] >> column & 1:
            decided = state.phase == facts.CUP or goal < state.asked
            taken = bool(state.taken[slope] >> column & 1) if decided else None
            found.append({"line": SLOPE_NAMES[slope], "column": column - COLUMN_0, "taken": taken})
    return found


def is_combination(fields: Fields) -> bool:
    """W17: whether several goals are being settled as one."""
    return bool(fields.combined_goals) and len(goals_of(fields)) > 1


def view_of(fields: Fields) -> JsonObject:
    """The state as docs/protocol.md shows it."""
    phase, asked = fields.phase, fields.asked
    cups = [list(both) for both in zip(cups_of(fields, 0), cups_of(fields, 1), strict=True)]
    return {
        "phase": PHASES[phase],
        "player": fields.player,
        "dice": "" if fields.dice == facts.NO_DICE else ROLL_TEXTS[fields.dice],
        "left": left_of(fields),
        "offsets": list(fields.offsets),
        "cups": [cups[first : first + facts.CUPS] for first in range(0, len(cups), facts.CUPS)],
        "slid": [rail for rail in fields.slid if rail],
        "direction": fields.direction,
        "turns": list(fields.turns),
        "winnings": list(fields.winnings),
        "goals": goals_of(fields),
        "cup": [asked // facts.CUPS + 1, asked % facts.CUPS] if phase == facts.CUP else None,
        "rail": asked + 1 if phase == facts.SLIDING else None,
        "winner": winner_of(fields),
    }


def state_from_view(target: RulesTarget, view: JsonObject, options: Options) -> MutableState:
    """The state that a view describes; BadView names the place where no game can look so."""
    return _ViewReader(target, view, options).read()


class _ViewReader:
    """Reads one view, field after field, each checked against those before it."""

    def __init__(self, target: RulesTarget, view: JsonObject, options: Options) -> None:
        self.reader = Reader(view, BadView)
        self.state = empty_state(options)
        self.target = target

    def _call(self, name: str, *arguments: int) -> int:
        """What the rules say of the state as far as it is read."""
        return self.target.call(name, self.state.tobytes(), *arguments)

    def read(self) -> MutableState:
        phase = self.reader.key("phase").one_of(PHASES)
        self.state.phase = PHASES.index(phase)
        self.state.player = self.reader.key("player").integer(0, 1)
        self._read_board()
        self._read_turns()
        self._read_dice()
        self._read_slides()
        self._read_rail()
        self._read_marbles()
        if self.state.phase in (facts.GOAL, facts.CUP):
            self._read_goals()
        elif self.reader.key("goals").items(most=33):
            self.reader.key("goals").fail(_text("view.no-goals"))
        if self.state.phase == facts.CUP:
            self._read_cup()
        else:
            self._must_be_null("cup", "cup")
        if self.state.phase == facts.ENDED and self.reader.has("winner"):
            winner = self.reader.key("winner")
            if isinstance(winner.value, bool) or winner.value != winner_of(self.state):
                winner.fail(_text("view.winner", winner=repr(winner_of(self.state))))
        return self.state

    def _must_be_null(self, name: str, phase: str) -> None:
        if not self.reader.key(name).is_null():
            self.reader.key(name).fail(_text("view.null", phase=phase))

    def _read_board(self) -> None:
        """W1, W2, W6, W7: offsets within reach; cups with whole marbles; two colours at most where they may meet."""
        state = self.state
        for rail, offset in enumerate(self.reader.key("offsets").items(facts.RAILS)):
            state.offsets[rail] = offset.integer(-facts.REACH, facts.REACH)
            if rail == facts.MIDDLE and state.offsets[rail]:
                offset.fail(_text("view.middle-rail"))
        for rail, row in enumerate(self.reader.key("cups").items(facts.RAILS)):
            for cup, place in enumerate(row.items(facts.CUPS)):
                both = [one.integer(0, facts.MARBLES) for one in place.items(2)]
                if all(both) and not (rail == facts.MIDDLE and state.shared_middle):
                    place.fail(_text("view.both-colours"))
                if any(both) and rail == facts.MIDDLE and cup not in REACHED_IN_MIDDLE:
                    place.fail(_text("view.unreachable-cup"))
                for player in (0, 1):
                    state.cups[player][rail][cup] = both[player]
                    if both[player]:
                        state.filled[player][rail] |= 1 << (cup + facts.MIDDLE_BIT + state.offsets[rail])

    def _read_turns(self) -> None:
        """W4, W20: the players take turns, 15 each."""
        state, turns = self.state, self.reader.key("turns")
        state.turns = [one.integer(0, facts.TURNS) for one in turns.items(2)]
        own, other = (state.turns[seat] for seat in (state.player, 1 - state.player))
        if state.phase == facts.ENDED:
            if (own, other) != (facts.TURNS, facts.TURNS):
                turns.fail(_text("view.turns-at-the-end", turns=facts.TURNS))
        elif state.phase == facts.STARTING:
            if own or other or state.player:
                turns.fail(_text("view.turns-at-the-start"))
        elif own == facts.TURNS:
            turns.fail(_text("view.no-turn-left", player=state.player, turns=facts.TURNS))
        elif other not in (own, own + 1):
            turns.fail(_text("view.turns"))

    def _read_dice(self) -> None:
        """W5, W8: the dice of the turn, and which lines they still leave."""
        state, dice, left = self.state, self.reader.key("dice"), self.reader.key("left")
        lines = [one.text(3) for one in left.items(most=2)]
        if state.phase in (facts.STARTING, facts.ROLLING, facts.ENDED):
            if dice.text(2):
                dice.fail(_text("view.no-dice"))
            if lines:
                left.fail(_text("view.nothing-left"))
            return
        if dice.text(2) not in ROLL_TEXTS:
            dice.fail(_text("view.dice"))
        state.dice = ROLL_TEXTS.index(dice.text(2))
        for state.marbles, state.lines in self._lefts():
            if left_of(state) == lines:
                break
        else:
            left.fail(_text("view.left"))
        if state.phase == facts.PLACING and not state.marbles:
            left.fail(_text("view.marble-to-place"))
        if state.phase != facts.PLACING and state.marbles == 2:
            left.fail(_text("view.marble-placed"))

    def _lefts(self) -> list[tuple[int, int]]:
        """W5, W8: how many marbles, and for which lines, can be left of the roll."""
        both = facts.ROLL_LINES[self.state.dice]
        lower = both & -both
        if facts.IS_DOUBLE[self.state.dice]:
            return [(2, both), (1, both), (1, 1 << facts.LINE_N), (0, 0)]
        return [(2, both), (1, lower), (1, both - lower), (0, 0)]

    def _read_slides(self) -> None:
        """W9 to W11: which rails were slid this turn; each could have come from where it must have been."""
        state, slid, direction = self.state, self.reader.key("slid"), self.reader.key("direction")
        played = 2 - state.marbles if state.dice != facts.NO_DICE else 0
        waiting = state.phase == facts.SLIDING  # the last marble's slide is still to be decided
        rails = [one.integer(1, facts.RAILS) for one in slid.items(most=2)]
        if len(rails) > played - waiting:
            slid.fail(_text("view.too-many-slides"))
        if MIDDLE_RAIL in rails or len(set(rails)) < len(rails):
            slid.fail(_text("view.slid"))
        if state.phase in (facts.GOAL, facts.CUP) and not rails:
            slid.fail(_text("view.goals-by-a-slide"))
        state.slid[: len(rails)] = rails
        state.direction = direction.integer(-1, 1)
        if bool(state.direction) != bool(rails):
            direction.fail(_text("view.direction"))
        for order, rail in enumerate(rails):
            one_way = order == 0 or state.same_direction
            if one_way and abs(state.offsets[rail - 1] - state.direction) > facts.REACH:
                slid.fail(_text("view.slide-impossible", rail=rail))

    def _read_rail(self) -> None:
        """W9: the rail that took the last marble and may slide."""
        state = self.state
        if state.phase != facts.SLIDING:
            self._must_be_null("rail", "slide")
            return
        rail = self.reader.key("rail")
        state.asked = rail.integer(1, facts.RAILS) - 1
        if state.asked + 1 in state.slid:
            rail.fail(_text("view.rail-slid"))
        if not any(self._call("may_slide", state.asked, step) for step in (-1, 1)):
            rail.fail(_text("view.rail-fixed"))
        lines = self._last_lines()
        if not any(state.filled[state.player][state.asked] >> (facts.LINE_BIT + line) & 1 for line in lines):
            names = [facts.LINE_NAMES[line] for line in lines]
            where = names[0] if len(names) == 1 else _text("view.or", one=names[0], other=names[1])
            rail.fail(_text("view.no-marble-in-line", colour=_colour(state.player), line=where))

    def _last_lines(self) -> Sequence[int]:
        """The lines into which the last marble of this turn may have gone."""
        state = self.state
        dice = [facts.line_of(die) for die in facts.ROLL_DICE[state.dice]]
        if not facts.IS_DOUBLE[state.dice]:
            return [line for line in dice if not state.lines >> line & 1]
        if state.marbles:  # one is left: n was played, or, where only n is left, the rolled line
            return [dice[0]] if state.lines == 1 << facts.LINE_N else [facts.LINE_N]
        return [facts.LINE_N, dice[0]]

    def _read_marbles(self) -> None:
        """W5, W12, W18: every marble played lies in a cup or in somebody's winnings."""
        state, winnings = self.state, self.reader.key("winnings")
        state.winnings = [one.integer(0, 2 * facts.MARBLES) for one in winnings.items(2)]
        played = [2 * turns for turns in state.turns]
        if state.dice != facts.NO_DICE:
            played[state.player] += 2 - state.marbles
        on_board = [sum(map(sum, state.cups[player])) for player in (0, 1)]
        for player in (0, 1):
            if on_board[player] > played[player]:
                self.reader.key("cups").fail(
                    _text("view.marbles", colour=_colour(player), played=played[player], lie=on_board[player])
                )
            won = played[player] - on_board[player]
            if state.shared_middle and state.winnings[player] != won:  # W12: nothing is ever given
                marbles = {"played": played[player], "lie": on_board[player], "won": won}
                winnings.fail(_text("view.winnings", colour=_colour(player), **marbles))
        total = sum(played) - sum(on_board)
        if sum(state.winnings) != total:
            winnings.fail(_text("view.all-winnings", played=sum(played), lie=sum(on_board), won=total))

    def _read_goals(self) -> None:
        """W13 to W17: exactly the lines that the slide completed, decided in their order."""
        state, goals = self.state, self.reader.key("goals")
        given = goals.items(most=33)
        undecided = False
        for one in given:
            slope = SLOPE_NAMES.index(one.key("line").one_of(SLOPE_NAMES))
            bit = 1 << (one.key("column").integer(-5, 5) + COLUMN_0)
            taken = one.key("taken")
            if state.combined_goals:
                self._check_combined(taken)
            if not taken.is_null():
                if undecided:
                    taken.fail(_text("view.goals-in-order"))
                if taken.boolean():
                    state.taken[slope] |= bit
            undecided = undecided or taken.is_null()
            state.goals[slope] |= bit
        if state.phase == facts.GOAL and not undecided:
            goals.fail(_text("view.undecided-goal"))
        if state.phase == facts.CUP and (undecided or not any(state.taken)):
            goals.fail(_text("view.decided-goals"))
        filled_now = state.filled[state.player].copy()
        if state.phase == facts.CUP:  # what was taken lay there after the slide
            for rail in range(facts.RAILS):
                state.filled[state.player][rail] |= self._call("cups_taken", rail)
        complete = [self._call("complete", slope) for slope in facts.SLOPES]
        state.filled[state.player] = filled_now
        if complete != state.goals:
            goals.fail(_text("view.goals", colour=_colour(state.player)))
        if state.phase == facts.GOAL:
            goal = -1
            for _ in range(1 + sum(not one.key("taken").is_null() for one in given)):
                goal = self._call("next_goal", goal + 1)
            state.asked = goal
        listed = [{name: one.key(name).value for name in ("line", "column", "taken")} for one in given]
        if listed != goals_of(state):
            goals.fail(_text("view.goals-listed"))

    def _check_combined(self, taken: Reader) -> None:
        """W17: a combination is decided as a whole."""
        if self.state.phase == facts.GOAL and not taken.is_null():
            taken.fail(_text("view.combination-undecided"))
        if self.state.phase == facts.CUP and taken.value is not True:
            taken.fail(_text("view.combination-taken"))

    def _read_cup(self) -> None:
        """W17: a cup of the taken goals with several marbles; those after it wait, those before it are settled."""
        state, cup = self.state, self.reader.key("cup")
        rail_reader, place = cup.items(2)
        state.asked = facts.CUPS * (rail_reader.integer(1, facts.RAILS) - 1) + place.integer(0, facts.CUPS - 1)
        columns = [self._call("cups_taken", rail) for rail in range(facts.RAILS)]
        settled = 0
        for number in range(facts.RAILS * facts.CUPS):
            rail, one = divmod(number, facts.CUPS)
            in_goal = bool(columns[rail] >> (one + facts.MIDDLE_BIT + state.offsets[rail]) & 1)
            marbles = state.cups[state.player][rail][one]
            if number < state.asked:
                settled += in_goal
            elif number == state.asked and not (in_goal and marbles > 1):
                cup.fail(_text("view.cup"))
            elif in_goal and not marbles:
                cup.fail(_text("view.later-cup", cup=one, rail=rail + 1))
        if state.winnings[state.player] < settled:
            self.reader.key("winnings").fail(_text("view.settled-cups", cups=settled))
