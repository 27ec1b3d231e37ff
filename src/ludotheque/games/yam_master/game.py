"""Yam Master for people and programs: its text, views, options, events and terminal board.

The rules themselves are in rules.py, bots and studies in capabilities.py.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Final

from ludotheque.core import (
    BadView,
    Catalogue,
    Event,
    First,
    Json,
    JsonObject,
    Number,
    Options,
    Paint,
    Reader,
    SetupDice,
    starting_seat,
    text,
    whole_option,
)
from ludotheque.games.yam_master import facts
from ludotheque.games.yam_master.capabilities import CAPABILITIES
from ludotheque.kernels import DiscreteGame, DiscretePosition, Fields, MutableState

_text: Final = Catalogue("ludotheque.games.yam_master").text

ACTION_TEXTS: Final = (
    ["pass"]
    + [f"place r{row}c{column}" for row, column in product(range(1, 6), repeat=2)]
    + [f"take r{row}c{column}" for row, column in product(range(1, 6), repeat=2)]
    + [f"keep {text}".rstrip() for text in facts.KEPT_TEXTS[: facts.FIRST_ROLL]]
    + [f"defi {text}".rstrip() for text in facts.KEPT_TEXTS[: facts.FIRST_ROLL]]
)
ACTION_NUMBERS: Final = {text: number for number, text in enumerate(ACTION_TEXTS)}
ROLL_NUMBERS: Final = {text: number for number, text in enumerate(facts.ROLL_TEXTS)}
PAWN_TEXTS: Final = ("0", "1", ".")  # the last for FREE, which is -1
COLOURS: Final = ("red", "blue")
MARKS: Final = "●○"
WINNERS: Final[Mapping[int, str | None]] = {facts.NOBODY: None, facts.DRAW: "draw"}
BOARDS_REMEMBERED: Final = 4096


def _spaced(dice: str) -> str:
    return "-".join(dice)


def _cell(cell: int) -> str:
    return f"r{cell // 5 + 1}c{cell % 5 + 1}"


def runs_of(board: Sequence[int], seat: int) -> list[list[int]]:
    """M19, M20: a player's lines of three pawns or more; a line is a maximal run."""
    found: list[list[int]] = []
    for line in facts.LINES:
        run: list[int] = []
        for one in (*line, -1):
            if one >= 0 and board[one] == seat:
                run.append(one)
                continue
            if len(run) >= 3:
                found.append(run)
            run = []
    return found


def runs_through(board: Sequence[int], cell: int) -> list[list[int]]:
    """M19: the runs of three pawns or more that a pawn has made or made longer, for the page to show."""
    return [run for run in runs_of(board, board[cell]) if cell in run]


class YamMaster(DiscreteGame):
    """Two players, five dice, a 5×5 board of combinations."""

    name = "yam-master"
    title = "Yam Master"
    rules_version = 1
    seats = (2,)
    has_dice = True
    package = "ludotheque.games.yam_master"
    declared_options = (First(clause="M24"), Number("max_turns", 100, "M23", low=1, high=1000))
    layout = facts.LAYOUT
    capabilities = CAPABILITIES

    def first_state(self, players: int, options: Options, dice: SetupDice) -> MutableState:
        """M24: an empty board; who starts is drawn, or named by the option `first`."""
        state = self._empty(options)
        state.player = starting_seat(options, players, dice)
        return state

    def _empty(self, options: Options) -> MutableState:
        state = self.layout.new_state()
        state.board = [facts.FREE] * facts.CELLS
        state.stock = [facts.PAWNS] * 2
        state.max_turns = whole_option(options, "max_turns")
        state.dice = facts.NO_DICE
        state.winner = facts.NOBODY
        state.rolling = True
        return state

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words; a cell is called as players call it, by its combination: the upper Full."""
        cell = event.facts.get("cell")
        if cell is not None:
            event = Event(event.what, {**event.facts, "cell": self.catalogue.say(f"cell.{cell}", language)})
        return super().tell(event, language, names)

    def write(self, fields: Fields, action: int) -> str:
        """The text of an action; on chance's turn, the five dice."""
        return facts.ROLL_TEXTS[action] if fields.rolling else ACTION_TEXTS[action]

    def write_all(self, fields: Fields, actions: Sequence[int]) -> tuple[str, ...]:
        """The texts of many actions: there are up to 252."""
        texts = facts.ROLL_TEXTS if fields.rolling else ACTION_TEXTS
        return tuple(map(texts.__getitem__, actions))

    def read(self, fields: Fields, action: str) -> int | None:
        """The number of an action's text, or of a roll."""
        return ROLL_NUMBERS.get(action) if fields.rolling else ACTION_NUMBERS.get(action)

    def chance_key(self, fields: Fields) -> int:
        """What a roll can give depends on the dice that are kept, and on nothing else."""
        kept: int = fields.kept
        return kept

    def view_of(self, position: DiscretePosition) -> JsonObject:
        """The position as docs/protocol.md shows it."""
        fields = position.fields
        rows, points = self._shown_board(position)
        return {
            "phase": "over" if fields.over else "roll" if fields.rolling else "decide",
            "player": fields.player,
            "rolls": fields.rolls,
            "dice": "" if fields.dice == facts.NO_DICE else facts.ROLL_TEXTS[fields.dice],
            "kept": facts.KEPT_TEXTS[fields.kept],
            "defi": fields.challenge,
            "board": list(rows),
            "stock": list(fields.stock),
            "points": list(points),
            "turns": list(fields.turns),
            "winner": WINNERS.get(fields.winner, fields.winner),
        }

    @cached_property
    def _boards(self) -> dict[tuple[int, ...], tuple[Sequence[str], Sequence[int]]]:
        """The latest boards shown, with their points: most actions of a turn leave the board as it is."""
        return {}

    def _shown_board(self, position: DiscretePosition) -> tuple[Sequence[str], Sequence[int]]:
        """A board's rows, and what its lines are worth to both."""
        board: tuple[int, ...] = position.fields.board
        shown = self._boards.get(board)
        if shown is None:
            pawns = "".join(map(PAWN_TEXTS.__getitem__, board))
            rows = [pawns[row : row + 5] for row in range(0, facts.CELLS, 5)]
            shown = rows, [position.call("points", seat) for seat in (0, 1)]
            if len(self._boards) >= BOARDS_REMEMBERED:
                self._boards.clear()
            self._boards[board] = shown
        return shown

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> MutableState:
        """The state that a view describes; its pawns must add up, and it must be over exactly when the rules say so."""
        del players
        reader = Reader(view, BadView)
        state = self._empty(options)
        phase = reader.key("phase").one_of(("roll", "decide", "over"))
        state.player = reader.key("player").integer(0, 1)
        for number, row in enumerate(reader.key("board").items(5)):
            cells = row.text(5)
            if len(cells) != 5 or set(cells) - set(".01"):
                row.fail(_text("view.row"))
            for column, pawn in enumerate(cells):
                state.board[5 * number + column] = facts.FREE if pawn == "." else int(pawn)
        for seat in (0, 1):
            pawns = state.board.count(seat)
            if pawns > facts.PAWNS:
                reader.key("board").fail(_text("view.pawns", player=seat, pawns=pawns, most=facts.PAWNS))
            state.stock[seat] = facts.PAWNS - pawns
        if reader.has("stock") and [one.integer(0, 12) for one in reader.key("stock").items(2)] != state.stock:
            reader.key("stock").fail(_text("view.stock", stock=str(state.stock)))
        most: int = state.max_turns
        state.turns = [one.integer(0, most) for one in reader.key("turns").items(2)]
        self._read_turn(reader, phase, state)
        self._read_end(reader, phase, state)
        return state

    def _read_turn(self, reader: Reader, phase: str, state: MutableState) -> None:
        """The dice of a turn: rolls, what lies there, what was kept, the challenge."""
        rolls = reader.key("rolls").integer(0, 3)
        dice, kept, challenge = reader.key("dice"), reader.key("kept"), reader.key("defi").boolean()
        thrown = rolls > 0
        if phase == "over" and (rolls or challenge):
            reader.fail(_text("view.no-turn"))
        if phase == "decide" and not thrown:
            reader.key("rolls").fail(_text("view.not-rolled"))
        if phase == "roll" and rolls == 3:
            reader.key("rolls").fail(_text("view.fourth-roll"))
        if challenge and rolls < (2 if phase == "decide" else 1):
            reader.key("defi").fail(_text("view.challenge"))
        if thrown:
            if dice.text() not in facts.ROLL_TEXTS:
                dice.fail(_text("view.dice"))
            state.dice = ROLL_NUMBERS[dice.text()]
        elif dice.text():
            dice.fail(_text("view.no-dice"))
        if kept.text():
            number = facts.KEPT_NUMBERS.get(kept.text(), -1)
            if phase != "roll" or not thrown or number not in facts.KEEPS[state.dice]:
                kept.fail(_text("view.kept"))
            state.kept = number
        state.rolls = rolls
        state.challenge = challenge
        state.rolling = phase == "roll"

    def _read_end(self, reader: Reader, phase: str, state: MutableState) -> None:
        """M21 to M23: over or not, and who won, as the board says."""
        target, board = self.target, state.tobytes()
        fives = [seat for seat in (0, 1) if target.call("five_in_line", board, seat)]
        if len(fives) > 1:
            reader.key("board").fail(_text("view.both-five"))
        ended = bool(fives) or not all(state.stock) or min(state.turns) >= state.max_turns
        if ended != (phase == "over"):
            reader.key("phase").fail(_text("view.over" if ended else "view.not-over"))
        winner: int | str | None = None
        if ended:
            difference = target.call("points", board, 0) - target.call("points", board, 1)
            state.winner = fives[0] if fives else facts.DRAW if difference == 0 else int(difference < 0)
            state.rolling, state.over = False, True
            winner = "draw" if state.winner == facts.DRAW else state.winner
        if ended and reader.has("winner") and reader.key("winner").value != winner:
            reader.key("winner").fail(_text("view.winner", winner=repr(winner)))

    def events_of(self, before: DiscretePosition, action: int, after: DiscretePosition) -> Sequence[Event]:
        """What an action did: the roll, the decision, new lines, the end."""
        was, now = before.fields, after.fields
        player: int = was.player
        if was.rolling:
            return [Event("roll", {"player": player, "dice": _spaced(facts.ROLL_TEXTS[action]), "roll": now.rolls})]
        events: list[Event] = []
        if action == facts.PASS:
            events.append(Event("pass", {"player": player}))
        elif action >= facts.KEEP:
            kept = facts.KEPT_TEXTS[now.kept]
            rolled = facts.ROLL_TEXTS[was.dice]
            for die in kept:
                rolled = rolled.replace(die, "", 1)
            told: dict[str, Json] = {"player": player, "dice": _spaced(rolled), "kept": _spaced(kept)}
            if action >= facts.ANNOUNCE:
                events.append(Event("challenge", {"player": player}))
            events.append(Event("reroll", told))
        else:
            cell = action - (facts.TAKE if action >= facts.TAKE else facts.PLACE)
            told = {"player": player, "cell": _cell(cell)}
            if action >= facts.TAKE:
                events.append(Event("take", {**told, "other": 1 - player}))
            else:
                events.append(Event("place", {**told, "combination": facts.KIND_NAMES[facts.BOARD[cell]]}))
            events += self._points_gained(before, cell, after)
        if now.over:
            events.append(self._end(after))
        return events

    def _points_gained(self, before: DiscretePosition, cell: int, after: DiscretePosition) -> list[Event]:
        """M19, M20: what a pawn placed or taken brings to each player, or costs them."""
        events: list[Event] = []
        points = zip(self._shown_board(before)[1], self._shown_board(after)[1], strict=True)
        for seat, (old, new) in enumerate(points):
            if new == old or (
                after.over and after.call("five_in_line", seat)
            ):  # five have no points (M20), and nobody minds
                continue
            told: dict[str, Json] = {"player": seat, "count": abs(new - old)}
            if new > old:
                told["lines"] = [[_cell(one) for one in run] for run in runs_through(after.fields.board, cell)]
            events.append(Event("points" if new > old else "points-lost", told))
        return events

    def _end(self, position: DiscretePosition) -> Event:
        points = self._shown_board(position)[1]
        winner: int = position.fields.winner
        if winner == facts.DRAW:
            return Event("draw", {"count": points[0]})
        if position.call("five_in_line", winner):
            board = position.fields.board
            whole = [line for line in facts.LINES if len(line) == facts.SIDE]
            line = next(line for line in whole if all(board[cell] == winner for cell in line))
            return Event("five", {"winner": winner, "lines": [[_cell(cell) for cell in line]]})
        return Event("wins", {"winner": winner, "points": points[winner], "against": points[1 - winner]})

    def picture_of(self, position: DiscretePosition, paint: Paint, language: str) -> str:
        """The board with its combinations and pawns, the dice, and both players' stock, points and lines."""
        fields = position.fields
        width = 7
        rule = "   ├" + "┼".join(["─" * width] * 5) + "┤"
        lines = ["    " + " ".join(f"c{column}".center(width) for column in range(1, 6))]
        lines.append(rule.replace("├", "┌").replace("┼", "┬").replace("┤", "┐"))
        for row in range(5):
            cells = []
            for column in range(5):
                pawn = fields.board[5 * row + column]
                name = facts.BOARD_NAMES[row][column]
                if pawn == facts.FREE:
                    cells.append(name.center(width))
                else:
                    cells.append(paint(COLOURS[pawn], f"{MARKS[pawn]} {name}".center(width)))
            lines.append(f"r{row + 1} │" + "│".join(cells) + "│")
            lines.append(rule)
        lines[-1] = rule.replace("├", "└").replace("┼", "┴").replace("┤", "┘")
        points = self._shown_board(position)[1]
        colon = text("punctuation.colon").sentence(language)
        for seat in (0, 1):
            told: dict[str, Json] = {"count": points[seat], "stock": fields.stock[seat]}
            sign = "▶" if seat == fields.player and not fields.over else " "
            name = paint(COLOURS[seat], f"{MARKS[seat]} {self.seat_name(seat, language)}")
            lines.append(f" {sign} {name}{colon}{self.catalogue.say('board.seat', language, told)}")
            for run in runs_of(fields.board, seat):
                ends: dict[str, Json] = {"from": _cell(run[0]), "to": _cell(run[-1])}
                lines.append("       " + self.catalogue.say(f"board.line-of-{len(run)}", language, ends))
        if not fields.over:
            dice = "" if fields.dice == facts.NO_DICE else " ".join(facts.ROLL_TEXTS[fields.dice])
            told = {"dice": paint("bold", dice or "–"), "roll": fields.rolls}
            lines.append(
                "   " + self.catalogue.say("board.challenge" if fields.challenge else "board.dice", language, told)
            )
        return "\n".join(lines)


GAME = YamMaster()
