"""Twisty for people and programs: its text, set-up, options, events and terminal board.

The rules are in rules.py, given positions are read in setup.py, bots and studies are in capabilities.py.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from ludotheque.core import (
    Counts,
    Event,
    First,
    Json,
    JsonObject,
    Number,
    Options,
    Paint,
    SetupDice,
    starting_seat,
    whole_option,
)
from ludotheque.games.twisty import facts
from ludotheque.games.twisty.capabilities import CAPABILITIES
from ludotheque.games.twisty.setup import PHASES, read_view
from ludotheque.kernels import DiscreteGame, DiscretePosition, Fields, MutableState

ACTION_TEXTS: Final = (
    *facts.SQUARE_NAMES,
    *(f"corner {corner}" for corner in facts.CORNER_NAMES),
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
WINNERS: Final[Mapping[int, str | None]] = {facts.NOBODY: None, facts.DRAW: "draw"}


def series_of(fields: Fields, seat: int) -> Sequence[int]:
    """T3: the colours of a player's series, in order."""
    series: tuple[int, ...] = fields.series
    return series[seat * facts.COLOURS : (seat + 1) * facts.COLOURS]


def _colours(colours: Sequence[int]) -> str:
    return "".join(facts.COLOUR_NAMES[colour] for colour in colours)


def _protected(fields: Fields, seat: int) -> str:
    """T10: a player's protected cubes, in the order of the series."""
    mask = fields.protected[seat]
    return _colours([colour for colour in series_of(fields, seat) if mask >> colour & 1]) if mask else ""


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
        First(clause="T4"),
        Counts("specials", {"+": 3, "x": 3, "L": 3, "o": 4, "s": 3}, "T2", total=facts.SPECIALS),
        Number("max_rounds", 100, "T14", low=1, high=1000),
    )
    layout = facts.LAYOUT
    capabilities = CAPABILITIES

    def first_state(self, players: int, options: Options, dice: SetupDice) -> MutableState:
        """T1 to T4. The dice are asked for the tokens first (a shuffle, a2 to f7 and so on, row by row from the bottom), then for
        each seat's series, then for who starts, unless the option `first` names them.
        """
        state = self._empty(players, options)
        state.phase = facts.CHOOSING
        state.pawns = [facts.GONE] * facts.MOST_PLAYERS
        counts = options["specials"]
        assert isinstance(counts, dict)
        tokens = [facts.TOKENS[colour] for colour in facts.COLOUR_NAMES for _ in range(facts.OF_EACH_COLOUR)]
        tokens += [facts.TOKENS[special] for special in facts.SPECIAL_NAMES for _ in range(counts[special])]
        dice.shuffle(tokens)
        bare = {facts.CENTRE, *facts.CORNERS}
        covered = [square for square in range(facts.SQUARES) if square not in bare]
        for square, token in zip(covered, tokens, strict=True):
            state.board[square] = token
        for seat in range(players):
            series = list(range(facts.COLOURS))
            dice.shuffle(series)
            state.series[seat] = series
        state.first = state.player = starting_seat(options, players, dice)
        return state

    def _empty(self, players: int, options: Options) -> MutableState:
        state = self.layout.new_state()
        state.players = players
        state.this_round = 1
        state.max_rounds = whole_option(options, "max_rounds")
        state.winner = facts.NOBODY
        return state

    def write(self, fields: Fields, action: int) -> str:
        """The one text of an action."""
        del fields
        return ACTION_TEXTS[action]

    def read(self, fields: Fields, action: str) -> int | None:
        """The number of an action's text."""
        del fields
        return ACTION_NUMBERS.get(action)

    def view_of(self, position: DiscretePosition) -> JsonObject:
        """The position as docs/protocol.md shows it."""
        fields, players = position.fields, position.players
        tokens = "".join(map(facts.TOKEN_NAMES.__getitem__, fields.board))
        return {
            "phase": PHASES[fields.phase],
            "player": fields.player,
            "board": [tokens[row : row + facts.SIDE] for row in range(facts.SQUARES - facts.SIDE, -1, -facts.SIDE)],
            "pawns": [None if pawn == facts.GONE else facts.SQUARE_NAMES[pawn] for pawn in fields.pawns[:players]],
            "series": [_colours(series_of(fields, seat)) for seat in range(players)],
            "collected": list(fields.collected[:players]),
            "protected": [_protected(fields, seat) for seat in range(players)],
            "used": [facts.SQUARE_NAMES[square] for square in fields.used[: fields.used_count]],
            "round": fields.this_round,
            "first": fields.first,
            "winner": WINNERS.get(fields.winner, fields.winner),
        }

    def state_from_view(self, view: JsonObject, players: int, options: Options) -> MutableState:
        """The state that a view describes; BadView if no game can reach it."""
        state = self._empty(players, options)
        read_view(self.target, state, view, options)
        return state

    def events_of(self, before: DiscretePosition, action: int, after: DiscretePosition) -> Sequence[Event]:
        """What an action did, in order: the move, what was collected, protected or stolen, the end."""
        was, now = before.fields, after.fields
        player: int = was.player
        who: dict[str, Json] = {"player": player}
        events: list[Event] = []
        if action in (facts.STAY, facts.PASS):
            events.append(Event(ACTION_TEXTS[action], who))
        elif action == facts.PROTECT:
            fresh = [one for one in _protected(now, player) if one not in _protected(was, player)]
            events.append(Event("shield", {**who, "colours": ", ".join(fresh), "count": len(fresh)}))
        elif action >= facts.TO_CORNER:
            corner: Json = facts.CORNER_NAMES[action - facts.TO_CORNER]
            events.append(Event("corner" if was.phase == facts.CHOOSING else "settle", {**who, "square": corner}))
        else:
            events.extend(self._events_of_a_move(was, action, now))
        if now.phase == facts.OVER:
            events.append(self._end(now))
        return events

    def _events_of_a_move(self, before: Fields, square: int, after: Fields) -> list[Event]:
        player: int = before.player
        here = before.pawns[player]
        kind = "move"
        if before.phase == facts.EXTRA:
            kind = "portal" if before.board[here] == facts.PORTAL else "step"
        events = [
            Event(kind, {"player": player, "from": facts.SQUARE_NAMES[here], "square": facts.SQUARE_NAMES[square]})
        ]
        if after.collected[player] == before.collected[player]:
            return events
        colour: Json = facts.COLOUR_NAMES[series_of(before, player)[before.collected[player]]]
        cube: dict[str, Json] = {"player": player, "colour": colour, "count": after.collected[player]}
        victims = [seat for seat in range(before.players) if after.collected[seat] < before.collected[seat]]
        if not victims:
            return [*events, Event("collect", cube)]
        events.append(Event("steal", {**cube, "other": victims[0]}))
        if after.phase != facts.SETTLING:  # only one corner was free
            events.append(Event("settle", {"player": player, "square": facts.SQUARE_NAMES[after.pawns[player]]}))
        return events

    def _end(self, fields: Fields) -> Event:
        collected = fields.collected[: fields.players]
        most = max(collected)
        if fields.winner == facts.DRAW:
            tied: list[Json] = [seat for seat, cubes in enumerate(collected) if cubes == most]
            return Event("draw", {"tied": tied, "count": most, "rounds": fields.this_round})
        winner: int = fields.winner
        if fields.pawns[winner] == facts.CENTRE and most == facts.COLOURS == collected[winner]:
            return Event("centre", {"winner": winner})
        return Event("most", {"winner": winner, "count": most, "rounds": fields.this_round})

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words; a draw names those who share it."""
        tied = event.facts.get("tied")
        if not isinstance(tied, list):
            return super().tell(event, language, names)
        people = [names[seat] if seat < len(names) else self.seat_name(seat, language) for seat in tied]
        named = self.catalogue.say("list.and", language, {"some": ", ".join(people[:-1]), "last": people[-1]})
        return super().tell(Event(event.what, {**event.facts, "tied": named}), language, names)

    def picture_of(self, position: DiscretePosition, paint: Paint, language: str) -> str:
        """The board with tokens and pawns, then every series with what is collected and what is protected."""
        fields, players = position.fields, position.players
        rule = "   ├" + "┼".join(["────"] * 7) + "┤"
        files = "     " + "".join(f"{file:<5}" for file in "abcdefg").rstrip()
        lines = [files, rule.replace("├", "┌").replace("┼", "┬").replace("┤", "┐")]
        for row in range(6, -1, -1):
            cells = "│".join(self._cell(fields, row * 7 + column, players, paint) for column in range(7))
            lines.extend([f" {row + 1} │{cells}│ {row + 1}", rule])
        lines[-1] = rule.replace("├", "└").replace("┼", "┴").replace("┤", "┘")
        lines.append(files)
        width = max(len(self.seat_name(seat, language)) for seat in range(players))
        for seat in range(players):
            sign = "▶" if seat == fields.player and fields.phase != facts.OVER else " "
            name = paint(SEAT_STYLES[seat], f"{MARKS[seat]} {self.seat_name(seat, language):<{width}}")
            lines.append(f" {sign} {name} {self._series_picture(fields, seat, paint)}")
        lines.append("   " + self.catalogue.say("board.legend", language))
        told: dict[str, Json] = {"round": fields.this_round, "rounds": fields.max_rounds}
        lines.append("   " + self.catalogue.say("board.round", language, told))
        if fields.used_count:
            used = " ".join(facts.SQUARE_NAMES[square] for square in fields.used[: fields.used_count])
            lines.append("   " + self.catalogue.say("board.used", language, {"squares": used}))
        return "\n".join(lines)

    def _cell(self, fields: Fields, square: int, players: int, paint: Paint) -> str:
        """A square, four letters wide: the token, and the marks of the pawns on it."""
        lying = facts.TOKEN_NAMES[fields.board[square]]
        bare = CENTRE_MARK if square == facts.CENTRE else " "
        seats = [seat for seat in range(players) if fields.pawns[seat] == square]
        marks = "".join(paint(SEAT_STYLES[seat], MARKS[seat]) for seat in seats)
        return " " + _coloured(paint, lying, bare if lying == "." else lying) + marks + " " * (2 - len(seats))

    def _series_picture(self, fields: Fields, seat: int, paint: Paint) -> str:
        protected = _protected(fields, seat)
        collected = fields.collected[seat]
        cards = []
        for place, colour in enumerate(_colours(series_of(fields, seat))):
            if place >= collected:
                card = f" {colour}{'←' if place == collected else ' '}"
            else:
                card = f"[{colour}]" if colour in protected else f"({colour})"
            cards.append(_coloured(paint, colour, card))
        return " ".join(cards) + f"  {collected}/{facts.COLOURS}"


GAME = Twisty()
