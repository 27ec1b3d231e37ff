"""Twisty for people and programs: its text, set-up, options, events and terminal board.

The rules themselves are in rules.py, the check of given positions in setup.py, what its bots know in player.py.
"""

from collections.abc import Sequence
from typing import Final

from ludotheque.core import (
    Counts,
    Event,
    Json,
    JsonObject,
    Number,
    Options,
    Paint,
    Player,
    Position,
    SetupDice,
    whole_option,
)
from ludotheque.games.twisty import rules, tables
from ludotheque.games.twisty.setup import PHASES, read_view
from ludotheque.games.twisty.study import count_facts
from ludotheque.kernels import DiscreteGame, DiscretePosition, Rules, State

ACTION_TEXTS: Final = (
    *tables.SQUARE_NAMES,
    *(f"corner {corner}" for corner in tables.CORNER_NAMES),
    "shield",
    "stay",
    "pass",
)
ACTION_NUMBERS: Final = {text: number for number, text in enumerate(ACTION_TEXTS)}
MARKS: Final = "★■▲●"  # the four series of the box: star, square, triangle, circle
SEAT_STYLES: Final = ("bold red", "bold blue", "bold green", "bold magenta")
TOKEN_STYLES: Final = {
    "A": "red",
    "B": "yellow",
    "C": "green",
    "D": "cyan",
    "E": "blue",
    "F": "magenta",
    "G": "white",
    ".": "dim",
}
CENTRE_MARK: Final = "◎"


def _coloured(paint: Paint, token: str, text: str) -> str:
    return paint(TOKEN_STYLES.get(token, "bold"), text)


class Twisty(DiscreteGame):
    """Two to four players on a 7×7 board of tokens; nothing hidden, nothing random once it is laid."""

    name = "twisty"
    title = "Twisty"
    rules_version = 1
    seats = (2, 3, 4)
    package = "ludotheque.games.twisty"
    declared_options = (
        Counts("specials", {"+": 3, "x": 3, "L": 3, "o": 4, "s": 3}, "T2", total=tables.SPECIALS),
        Number("max_rounds", 100, "T14", low=1, high=1000),
    )
    rules = Rules("ludotheque.games.twisty.rules")
    study_facts = staticmethod(count_facts)

    def first_state(self, players: int, options: Options, dice: SetupDice) -> State:
        """T1 to T4. The dice are asked for the tokens first (a shuffle, a2 to f7 and so on, row by row from the bottom), then for
        each seat's series, then for who starts.
        """
        state = self._empty(players, options)
        state.phase = rules.CHOOSING
        state.pawns[:] = rules.GONE
        counts = options["specials"]
        assert isinstance(counts, dict)
        tokens = [tables.TOKENS[colour] for colour in tables.COLOUR_NAMES for _ in range(tables.OF_EACH_COLOUR)]
        tokens += [tables.TOKENS[special] for special in tables.SPECIAL_NAMES for _ in range(counts[special])]
        dice.shuffle(tokens)
        bare = {tables.CENTRE, *tables.CORNERS.tolist()}
        covered = [square for square in range(tables.SQUARES) if square not in bare]
        for square, token in zip(covered, tokens, strict=True):
            state.board[square] = token
        for seat in range(players):
            series = list(range(tables.COLOURS))
            dice.shuffle(series)
            state.series[seat] = series
        state.first = state.player = dice.below(players)
        self.rules.current.module.prepare(state)
        return state

    def player(self, level: int) -> Player:
        """A bot of this game."""
        from ludotheque.games.twisty.player import TwistyPlayer  # noqa: PLC0415 - not before somebody asks for one

        return TwistyPlayer(level)

    def _empty(self, players: int, options: Options) -> State:
        state = self.rules.new_state()
        state.players = players
        state.this_round = 1
        state.max_rounds = whole_option(options, "max_rounds")
        state.winner = rules.NOBODY
        return state

    def reasons(self, position: Position, better: Sequence[str], chosen: Sequence[str]) -> Sequence[Event]:
        """The way still to go, and what can be stolen next."""
        from ludotheque.games.twisty.reasons import why_better  # noqa: PLC0415 - not before somebody asks

        assert isinstance(position, DiscretePosition)
        return list(why_better(position, better, chosen))

    def write(self, state: State, action: int) -> str:
        """The one text of an action."""
        del state
        return ACTION_TEXTS[action]

    def read(self, state: State, action: str) -> int | None:
        """The number of an action's text."""
        del state
        return ACTION_NUMBERS.get(action)

    def view_of(self, state: State, players: int) -> JsonObject:
        """The state as docs/protocol.md shows it."""
        tokens = "".join(tables.TOKEN_NAMES[token] for token in state.board.tolist())
        board = [tokens[row : row + tables.SIDE] for row in range(0, tables.SQUARES, tables.SIDE)]
        winner = int(state.winner)
        return {
            "phase": PHASES[state.phase],
            "player": int(state.player),
            "board": board[::-1],
            "pawns": [
                None if pawn == rules.GONE else tables.SQUARE_NAMES[pawn] for pawn in state.pawns[:players].tolist()
            ],
            "series": [self._colours(series) for series in state.series[:players].tolist()],
            "collected": state.collected[:players].tolist(),
            "protected": [self._protected(state, seat) for seat in range(players)],
            "used": [tables.SQUARE_NAMES[square] for square in state.used[: state.used_count].tolist()],
            "round": int(state.this_round),
            "first": int(state.first),
            "winner": {rules.NOBODY: None, rules.DRAW: "draw"}.get(winner, winner),
        }

    def _colours(self, colours: Sequence[int]) -> str:
        return "".join(tables.COLOUR_NAMES[colour] for colour in colours)

    def _protected(self, state: State, seat: int) -> str:
        mask = int(state.protected[seat])
        return self._colours([colour for colour in state.series[seat].tolist() if mask >> colour & 1])

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> State:
        """The state that a view describes; BadView if no game can reach it."""
        state = self._empty(players, options)
        read_view(self.rules, state, view, options)
        return state

    def events_of(self, before: State, action: int, after: State) -> Sequence[Event]:
        """What an action did, in order: the move, what was collected, protected or stolen, the end."""
        player = int(before.player)
        who: dict[str, Json] = {"player": player}
        events: list[Event] = []
        if action in (rules.STAY, rules.PASS):
            events.append(Event(ACTION_TEXTS[action], who))
        elif action == rules.PROTECT:
            fresh = [one for one in self._protected(after, player) if one not in self._protected(before, player)]
            events.append(Event("shield", {**who, "colours": ", ".join(fresh), "count": len(fresh)}))
        elif action >= rules.TO_CORNER:
            corner: Json = tables.CORNER_NAMES[action - rules.TO_CORNER]
            events.append(Event("corner" if before.phase == rules.CHOOSING else "settle", {**who, "square": corner}))
        else:
            events.extend(self._events_of_a_move(before, action, after))
        if after.phase == rules.OVER:
            events.append(self._end(after))
        return events

    def _events_of_a_move(self, before: State, square: int, after: State) -> list[Event]:
        player = int(before.player)
        here = int(before.pawns[player])
        facts: dict[str, Json] = {
            "player": player,
            "from": tables.SQUARE_NAMES[here],
            "square": tables.SQUARE_NAMES[square],
        }
        kind = "move"
        if before.phase == rules.EXTRA:
            kind = {tables.PORTAL: "portal"}.get(int(before.board[here]), "step")
        events = [Event(kind, facts)]
        if after.collected[player] == before.collected[player]:
            return events
        colour: Json = tables.COLOUR_NAMES[before.series[player, before.collected[player]]]
        cube: dict[str, Json] = {"player": player, "colour": colour, "count": int(after.collected[player])}
        victims = [seat for seat in range(before.players) if after.collected[seat] < before.collected[seat]]
        if not victims:
            return [*events, Event("collect", cube)]
        events.append(Event("steal", {**cube, "other": victims[0]}))
        if after.phase != rules.SETTLING:  # only one corner was free
            events.append(Event("settle", {"player": player, "square": tables.SQUARE_NAMES[after.pawns[player]]}))
        return events

    def _end(self, state: State) -> Event:
        most = int(state.collected[: state.players].max())
        if state.winner == rules.DRAW:
            tied = [seat for seat in range(state.players) if state.collected[seat] == most]
            return Event("draw", {"tied": tied, "count": most, "rounds": int(state.this_round)})
        winner = int(state.winner)
        if state.pawns[winner] == tables.CENTRE and most == tables.COLOURS == state.collected[winner]:
            return Event("centre", {"winner": winner})
        return Event("most", {"winner": winner, "count": most, "rounds": int(state.this_round)})

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words; a draw names those who share it."""
        tied = event.facts.get("tied")
        if not isinstance(tied, list):
            return super().tell(event, language, names)
        people = [names[seat] if seat < len(names) else self.seat_name(seat, language) for seat in tied]
        named = self.words.say("list.and", language, {"some": ", ".join(people[:-1]), "last": people[-1]})
        return super().tell(Event(event.what, {**event.facts, "tied": named}), language, names)

    def picture_of(self, state: State, players: int, paint: Paint, language: str) -> str:
        """The board with tokens and pawns, then every series with what is collected and what is protected."""
        rule = "   ├" + "┼".join(["────"] * 7) + "┤"
        files = "     " + "".join(f"{file:<5}" for file in "abcdefg").rstrip()
        lines = [files, rule.replace("├", "┌").replace("┼", "┬").replace("┤", "┐")]
        for row in range(6, -1, -1):
            cells = "│".join(self._cell(state, row * 7 + column, players, paint) for column in range(7))
            lines.extend([f" {row + 1} │{cells}│ {row + 1}", rule])
        lines[-1] = rule.replace("├", "└").replace("┼", "┴").replace("┤", "┘")
        lines.append(files)
        width = max(len(self.seat_name(seat, language)) for seat in range(players))
        for seat in range(players):
            sign = "▶" if seat == state.player and state.phase != rules.OVER else " "
            name = paint(SEAT_STYLES[seat], f"{MARKS[seat]} {self.seat_name(seat, language):<{width}}")
            lines.append(f" {sign} {name} {self._series_picture(state, seat, paint)}")
        lines.append("   " + self.words.say("board.legend", language))
        facts: dict[str, Json] = {"round": int(state.this_round), "rounds": int(state.max_rounds)}
        lines.append("   " + self.words.say("board.round", language, facts))
        if state.used_count:
            used = " ".join(tables.SQUARE_NAMES[square] for square in state.used[: state.used_count].tolist())
            lines.append("   " + self.words.say("board.used", language, {"squares": used}))
        return "\n".join(lines)

    def _cell(self, state: State, square: int, players: int, paint: Paint) -> str:
        """A square, four letters wide: the token, and the marks of the pawns on it."""
        lying = tables.TOKEN_NAMES[state.board[square]]
        bare = CENTRE_MARK if square == tables.CENTRE else " "
        seats = [seat for seat in range(players) if state.pawns[seat] == square]
        marks = "".join(paint(SEAT_STYLES[seat], MARKS[seat]) for seat in seats)
        return " " + _coloured(paint, lying, bare if lying == "." else lying) + marks + " " * (2 - len(seats))

    def _series_picture(self, state: State, seat: int, paint: Paint) -> str:
        protected = self._protected(state, seat)
        collected = int(state.collected[seat])
        cards = []
        for place, colour in enumerate(self._colours(state.series[seat].tolist())):
            if place >= collected:
                card = f" {colour}{'←' if place == collected else ' '}"
            else:
                card = f"[{colour}]" if colour in protected else f"({colour})"
            cards.append(_coloured(paint, colour, card))
        return " ".join(cards) + f"  {collected}/{tables.COLOURS}"


GAME = Twisty()
