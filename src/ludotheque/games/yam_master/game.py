"""Yam Master for people and programs: its text, views, options, events and terminal board.

The rules themselves are in rules.py, what its bots know in player.py.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Final

from ludotheque.core import (
    COLON,
    BadView,
    Event,
    Json,
    JsonObject,
    Number,
    Options,
    Paint,
    Player,
    Position,
    Reader,
    SetupDice,
    whole_option,
)
from ludotheque.games.yam_master import rules, tables
from ludotheque.games.yam_master.study import count_facts
from ludotheque.kernels import DiscreteGame, DiscretePosition, Rules, State

ACTION_TEXTS: Final = (
    ["pass"]
    + [f"place r{row}c{column}" for row, column in product(range(1, 6), repeat=2)]
    + [f"take r{row}c{column}" for row, column in product(range(1, 6), repeat=2)]
    + [f"keep {text}".rstrip() for text in tables.KEPT_TEXTS[: tables.FIRST_ROLL]]
    + [f"defi {text}".rstrip() for text in tables.KEPT_TEXTS[: tables.FIRST_ROLL]]
)
ACTION_NUMBERS: Final = {text: number for number, text in enumerate(ACTION_TEXTS)}
ROLL_NUMBERS: Final = {text: number for number, text in enumerate(tables.ROLL_TEXTS)}
PAWN_TEXTS: Final = ("0", "1", ".")  # the last for FREE, which is -1
COLOURS: Final = ("red", "blue")
MARKS: Final = "●○"
WINNERS: Final[Mapping[int, str | None]] = {rules.NOBODY: None, rules.DRAW: "draw"}
BOARDS_REMEMBERED: Final = 4096


def _spaced(dice: str) -> str:
    return "-".join(dice)


def _cell(cell: int) -> str:
    return f"r{cell // 5 + 1}c{cell % 5 + 1}"


def runs_through(state: State, cell: int) -> list[list[int]]:
    """M19: the runs of three pawns or more that a pawn has made or made longer, for the page to show."""
    found: list[list[int]] = []
    for line in tables.LINES.tolist():
        if cell not in line:
            continue
        run: list[int] = []
        for one in (*line, -1):
            if one >= 0 and state.board[one] == state.board[cell]:
                run.append(one)
                continue
            if cell in run and len(run) >= 3:
                found.append(run)
            run = []
    return found


class YamMaster(DiscreteGame):
    """Two players, five dice, a 5×5 board of combinations."""

    name = "yam-master"
    title = "Yam Master"
    rules_version = 1
    seats = (2,)
    package = "ludotheque.games.yam_master"
    declared_options = (Number("max_turns", 100, "M23", low=1, high=1000),)
    rules = Rules("ludotheque.games.yam_master.rules")
    reads_plainly = True
    study_facts = staticmethod(count_facts)

    def first_state(self, players: int, options: Options, dice: SetupDice) -> State:
        """M24: an empty board; who starts is drawn."""
        del players
        state = self._empty(options)
        state.player = dice.below(2)
        return state

    def _empty(self, options: Options) -> State:
        state = self.rules.new_state()
        state.board[:] = rules.FREE
        state.stock[:] = rules.PAWNS
        state.max_turns = whole_option(options, "max_turns")
        state.dice = rules.NO_DICE
        state.winner = rules.NOBODY
        state.rolling = True
        return state

    def player(self, level: int) -> Player:
        """A bot of this game."""
        from ludotheque.games.yam_master.player import YamPlayer  # noqa: PLC0415 - not before somebody asks for one

        return YamPlayer(level)

    def reasons(self, position: Position, better: Sequence[str], chosen: Sequence[str]) -> Sequence[Event]:
        """What the dice may bring, and what a pawn opens or stops."""
        from ludotheque.games.yam_master.reasons import why_better  # noqa: PLC0415 - not before somebody asks

        assert isinstance(position, DiscretePosition)
        return why_better(position, better[0], chosen[0])

    def odds(self, position: Position) -> Mapping[str, float]:
        """For each combination with a free cell: the chance to place on it this turn, by going for nothing else."""
        from ludotheque.games.yam_master.player import odds  # noqa: PLC0415 - not before somebody asks
        from ludotheque.games.yam_master.reasons import spoken  # noqa: PLC0415

        assert isinstance(position, DiscretePosition)
        return {} if position.over else {spoken(name): chance for name, chance in odds(position.state).items()}

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words; a cell is called as players call it, by its combination: the upper Full."""
        cell = event.facts.get("cell")
        if cell is not None:
            event = Event(event.what, {**event.facts, "cell": self.words.say(f"cell.{cell}", language)})
        return super().tell(event, language, names)

    def write(self, state: State, action: int) -> str:
        """The text of an action; on chance's turn, the five dice."""
        return tables.ROLL_TEXTS[action] if state.rolling else ACTION_TEXTS[action]

    def write_all(self, state: State, actions: Sequence[int]) -> tuple[str, ...]:
        """The texts of many actions: there are up to 252."""
        texts = tables.ROLL_TEXTS if state.rolling else ACTION_TEXTS
        return tuple(map(texts.__getitem__, actions))

    def chance_key(self, state: State) -> int:
        """What a roll can give depends on the dice that are kept, and on nothing else."""
        return int(state.kept)

    def read(self, state: State, action: str) -> int | None:
        """The number of an action's text, or of a roll."""
        return ROLL_NUMBERS.get(action) if state.rolling else ACTION_NUMBERS.get(action)

    def view_of(self, state: State, players: int) -> JsonObject:
        """The state as docs/protocol.md shows it."""
        return self.view_at(DiscretePosition(self, state, players, {}))

    def view_at(self, position: DiscretePosition) -> JsonObject:
        """The position as docs/protocol.md shows it."""
        field = position.fields
        shown = self._boards.get(field.board)
        if shown is None:
            shown = self._show_board(position.state, field.board)
        return {
            "phase": "over" if field.over else "roll" if field.rolling else "decide",
            "player": field.player,
            "rolls": field.rolls,
            "dice": "" if field.dice == rules.NO_DICE else tables.ROLL_TEXTS[field.dice],
            "kept": tables.KEPT_TEXTS[field.kept],
            "defi": field.challenge,
            "board": list(shown[0]),
            "stock": list(field.stock),
            "points": list(shown[1]),
            "turns": list(field.turns),
            "winner": WINNERS.get(field.winner, field.winner),
        }

    @cached_property
    def _boards(self) -> dict[tuple[int, ...], tuple[Sequence[str], Sequence[int]]]:
        """The latest boards shown, with their points: most actions of a turn leave the board as it is."""
        return {}

    def _show_board(self, state: State, board: tuple[int, ...]) -> tuple[Sequence[str], Sequence[int]]:
        """A board's rows, and what its lines are worth to both."""
        pawns = "".join(map(PAWN_TEXTS.__getitem__, board))
        points = self.rules.current.module.points
        shown = [pawns[row : row + 5] for row in range(0, 25, 5)], [int(points(state, seat)) for seat in (0, 1)]
        if len(self._boards) >= BOARDS_REMEMBERED:
            self._boards.clear()
        self._boards[board] = shown
        return shown

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> State:
        """The state that a view describes; its pawns must add up, and it must be over exactly when the rules say so."""
        del players
        reader = Reader(view, BadView)
        state = self._empty(options)
        phase = reader.key("phase").one_of(("roll", "decide", "over"))
        state.player = reader.key("player").integer(0, 1)
        for number, row in enumerate(reader.key("board").items(5)):
            cells = row.text(5)
            if len(cells) != 5 or set(cells) - set(".01"):
                row.fail('a row has five cells, each ".", "0" or "1"')
            for column, pawn in enumerate(cells):
                state.board[5 * number + column] = rules.FREE if pawn == "." else int(pawn)
        for seat in (0, 1):
            pawns = int((state.board == seat).sum())
            if pawns > rules.PAWNS:
                reader.key("board").fail(f"player {seat} has {pawns} pawns on it, of {rules.PAWNS}")
            state.stock[seat] = rules.PAWNS - pawns
        if reader.has("stock") and [one.integer(0, 12) for one in reader.key("stock").items(2)] != state.stock.tolist():
            reader.key("stock").fail(f"with these pawns on the board it is {state.stock.tolist()}")
        most = int(state.max_turns)
        state.turns[:] = [one.integer(0, most) for one in reader.key("turns").items(2)]
        self._read_turn(reader, phase, state)
        self._read_end(reader, phase, state)
        return state

    def _read_turn(self, reader: Reader, phase: str, state: State) -> None:
        """The dice of a turn: rolls, what lies there, what was kept, the challenge."""
        rolls = reader.key("rolls").integer(0, 3)
        dice, kept, challenge = reader.key("dice"), reader.key("kept"), reader.key("defi").boolean()
        thrown = rolls > 0
        if phase == "over" and (rolls or challenge):
            reader.fail('when the game is over, "rolls" is 0 and "defi" is false')
        if phase == "decide" and not thrown:
            reader.key("rolls").fail("a player decides after 1, 2 or 3 rolls")
        if phase == "roll" and rolls == 3:
            reader.key("rolls").fail("there is no fourth roll")
        if challenge and rolls < (2 if phase == "decide" else 1):
            reader.key("defi").fail("a challenge is announced after the first roll and before the second")
        if thrown:
            if dice.text() not in tables.ROLL_TEXTS:
                dice.fail("five dice from 1 to 6 in order are needed, such as 11345")
            state.dice = ROLL_NUMBERS[dice.text()]
        elif dice.text():
            dice.fail("no dice have been rolled this turn")
        if kept.text():
            number = tables.KEPT_NUMBERS.get(kept.text(), -1)
            if phase != "roll" or not thrown or number not in tables.KEEPS[state.dice]:
                kept.fail("it is set only while the other dice are being rolled again, and is a part of the dice")
            state.kept = number
        state.rolls = rolls
        state.challenge = challenge
        state.rolling = phase == "roll"

    def _read_end(self, reader: Reader, phase: str, state: State) -> None:
        """M21 to M23: over or not, and who won, as the board says."""
        module = self.rules.interpreted.module
        fives = [seat for seat in (0, 1) if module.five_in_line(state, seat)]
        if len(fives) > 1:
            reader.key("board").fail("both players have five in line")
        ended = bool(fives) or not state.stock.all() or bool((state.turns >= state.max_turns).all())
        if ended != (phase == "over"):
            reader.key("phase").fail("the game is over" if ended else "the game is not over")
        winner: int | str | None = None
        if ended:
            difference = module.points(state, 0) - module.points(state, 1)
            state.winner = fives[0] if fives else rules.DRAW if difference == 0 else int(difference < 0)
            state.rolling, state.over = False, True
            winner = "draw" if state.winner == rules.DRAW else int(state.winner)
        if ended and reader.has("winner") and reader.key("winner").value != winner:
            reader.key("winner").fail(f"it is {winner!r} here")

    def events_of(self, before: State, action: int, after: State) -> Sequence[Event]:
        """What an action did: the roll, the decision, new lines, the end."""
        first, then = (DiscretePosition(self, state, 2, {}) for state in (before, after))
        return self.events_between(first, action, then)

    def events_between(self, before: DiscretePosition, action: int, after: DiscretePosition) -> Sequence[Event]:
        """What an action did: the roll, the decision, new lines, the end."""
        was, now = before.fields, after.fields
        player: int = was.player
        if was.rolling:
            return [Event("roll", {"player": player, "dice": _spaced(tables.ROLL_TEXTS[action]), "roll": now.rolls})]
        events: list[Event] = []
        if action == rules.PASS:
            events.append(Event("pass", {"player": player}))
        elif action >= rules.KEEP:
            kept = tables.KEPT_TEXTS[now.kept]
            rolled = tables.ROLL_TEXTS[was.dice]
            for die in kept:
                rolled = rolled.replace(die, "", 1)
            facts: dict[str, Json] = {"player": player, "dice": _spaced(rolled), "kept": _spaced(kept)}
            if action >= rules.ANNOUNCE:
                events.append(Event("challenge", {"player": player}))
            events.append(Event("reroll", facts))
        else:
            cell = action - (rules.TAKE if action >= rules.TAKE else rules.PLACE)
            facts = {"player": player, "cell": _cell(cell)}
            if action >= rules.TAKE:
                events.append(Event("take", {**facts, "other": 1 - player}))
            else:
                events.append(Event("place", {**facts, "combination": tables.KIND_NAMES[tables.BOARD[cell]]}))
            points = self.rules.current.module.points
            for seat in (0, 1):
                gained = int(points(after.state, seat)) - int(points(before.state, seat))
                five = self.rules.current.module.five_in_line(
                    after.state, seat
                )  # has no points (M20), and nobody minds
                if gained and not five:
                    what = "points" if gained > 0 else "points-lost"
                    facts = {"player": seat, "count": abs(gained)}
                    if gained > 0:
                        facts["lines"] = [[_cell(one) for one in run] for run in runs_through(after.state, cell)]
                    events.append(Event(what, facts))
        if now.over:
            events.append(self._end(after.state))
        return events

    def _end(self, state: State) -> Event:
        if state.winner == rules.DRAW:
            return Event("draw", {"count": int(self.rules.current.module.points(state, 0))})
        winner = int(state.winner)
        if self.rules.current.module.five_in_line(state, winner):
            whole = [line for line in tables.LINES.tolist() if -1 not in line]
            line = next(line for line in whole if all(state.board[cell] == winner for cell in line))
            return Event("five", {"winner": winner, "lines": [[_cell(cell) for cell in line]]})
        points = [int(self.rules.current.module.points(state, seat)) for seat in (winner, 1 - winner)]
        return Event("wins", {"winner": winner, "points": points[0], "against": points[1]})

    def picture_of(self, state: State, players: int, paint: Paint, language: str) -> str:
        """The board with its combinations and pawns, the dice, and both players' stock and points."""
        del players
        width = 7
        rule = "   ├" + "┼".join(["─" * width] * 5) + "┤"
        lines = ["    " + " ".join(f"c{column}".center(width) for column in range(1, 6))]
        lines.append(rule.replace("├", "┌").replace("┼", "┬").replace("┤", "┐"))
        for row in range(5):
            cells = []
            for column in range(5):
                pawn = int(state.board[5 * row + column])
                name = tables.BOARD_NAMES[row][column]
                if pawn == rules.FREE:
                    cells.append(name.center(width))
                else:
                    cells.append(paint(COLOURS[pawn], f"{MARKS[pawn]} {name}".center(width)))
            lines.append(f"r{row + 1} │" + "│".join(cells) + "│")
            lines.append(rule)
        lines[-1] = rule.replace("├", "└").replace("┼", "┴").replace("┤", "┘")
        points = self.rules.current.module.points
        for seat in (0, 1):
            facts: dict[str, Json] = {"count": int(points(state, seat)), "stock": int(state.stock[seat])}
            sign = "▶" if seat == state.player and not state.over else " "
            name = paint(COLOURS[seat], f"{MARKS[seat]} {self.seat_name(seat, language)}")
            lines.append(f" {sign} {name}{COLON[language]}{self.words.say('board.seat', language, facts)}")
        if not state.over:
            dice = "" if state.dice == rules.NO_DICE else " ".join(tables.ROLL_TEXTS[state.dice])
            facts_of_dice: dict[str, Json] = {"dice": paint("bold", dice or "–"), "roll": int(state.rolls)}
            lines.append(
                "   " + self.words.say("board.challenge" if state.challenge else "board.dice", language, facts_of_dice)
            )
        return "\n".join(lines)


GAME = YamMaster()
