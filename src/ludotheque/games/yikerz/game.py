"""Yikerz! for people and programs: its actions, views, options, events, live turns and terminal board.

The rules around the board are in rules.py, a turn in turn.py, the magnets in magnets/, what its bots know in player.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ludotheque.core import (
    CHANCE,
    BadView,
    Choice,
    Dice,
    Event,
    Game,
    IllegalAction,
    Json,
    JsonObject,
    Legal,
    Match,
    Number,
    Options,
    Paint,
    Player,
    Position,
    Reader,
    SetupDice,
    Step,
    ToMove,
    plain,
    whole_option,
)
from ludotheque.core.problems import shortened
from ludotheque.games.yikerz import rules
from ludotheque.games.yikerz.film import read_frames
from ludotheque.games.yikerz.lab import LAB_REQUESTS
from ludotheque.games.yikerz.live import YikerzLive
from ludotheque.games.yikerz.magnets.hand import STANDINGS, Path, Standing, put_down, read_path
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, Layout, LayoutRefused, check, corners, on_mats
from ludotheque.games.yikerz.magnets.scene import PhysicsBroken, Pose, Scene, SceneRefused, as_pose
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.rules import Lot, Settings, Table
from ludotheque.games.yikerz.text import listed, path_action, read_action, write_action
from ludotheque.games.yikerz.turn import Outcome, Turn, neat_pose, whole_turn

COLOURS: Final = ("red", "blue", "green", "yellow")
WIDEST: Final = 76  # columns of the terminal's board


class YikerzPosition(Position):
    """One moment of a match between two actions; `table` holds it all."""

    game: Yikerz

    def __init__(self, game: Yikerz, table: Table, players: int, options: Options) -> None:
        self.game = game
        self.table = table
        self.players = players
        self.options = options

    def __repr__(self) -> str:
        table = self.table
        stacks = [len(hand) for hand in table.hands]
        return f"<yikerz: {table.phase}, player {table.player}, {len(table.board)} on the board, stacks {stacks}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, YikerzPosition) and self.options == other.options and self.view() == other.view()

    __hash__ = None  # type: ignore[assignment] # views are dictionaries

    def __reduce__(self) -> tuple[object, tuple[Table, int, Options]]:
        return _restored, (self.table, self.players, dict(self.options))

    @property
    def to_move(self) -> ToMove:
        """Whose turn it is; shuffles and lots are chance's."""
        if self.table.phase == "over":
            return None
        return CHANCE if self.table.phase in ("lot", "shuffle") else self.table.player

    def legal(self) -> Legal:
        """What can be listed, and the kinds with free parameters."""
        table = self.table
        match table.phase:
            case "lot" if table.lot == "layout":
                names = rules.LAYOUT_NAMES
                return Legal(tuple(write_action({"lot": name}) for name in names), (1,) * len(names))
            case "lot":
                return Legal(tuple(write_action({"lot": seat}) for seat in table.among), (1,) * len(table.among))
            case "shuffle":
                magnets = rules.undealt(table)
                return Legal(tuple(write_action({"deal": magnet}) for magnet in magnets), (1,) * len(magnets))
            case "layout":
                return Legal(tuple(write_action({"layout": name}) for name in LAYOUTS), open=("layout",))
            case "stack":
                return Legal(tuple(write_action({"stack": k}) for k, stack in enumerate(table.stacks) if stack))
            case "turn":
                return Legal((write_action({"wait": True}),) if table.quiet > 0 else (), open=("magnet",))
            case "call":
                return Legal((write_action({"call": "last"}), write_action({"wait": True})))
            case "pick":
                return Legal(tuple(write_action({"pick": magnet}) for magnet in sorted(table.board)))
            case _:
                return Legal(())

    def play(self, action: str, outcome: Json = None) -> Step:
        """The position after one action. With the outcome that the log kept, nothing is simulated again (Y20)."""
        if action in self.legal().actions:
            return self._listed(read_action(action), action, outcome)
        if self.over:
            raise self.refuse(action)
        wish = read_action(action)
        kind = next((kind for kind in self.legal().open if kind in wish), None)
        if kind is None:
            raise self.refuse(action)
        _only(wish, ("layout",) if kind == "layout" else ("magnet", "path", "release"))
        if kind == "layout":
            return self._lay_out(self._layout(wish["layout"]), "free")
        return self._turn(wish, outcome)

    def refuse(self, action: str) -> IllegalAction:
        """Not possible, and what is; open kinds too."""
        legal = self.legal()
        if not legal.open:
            return super().refuse(action)
        forms = {
            "magnet": '{"magnet":7,"path":[[t,x,y,z,qw,qx,qy,qz],…],"release":t}',
            "layout": '{"layout":[[x,y,angle],…]}',
        }
        possible = [*legal.actions, *(forms[kind] for kind in legal.open)]
        return IllegalAction(
            f"This is not possible now. Possible: {', '.join(possible)}.",
            f"Ce n'est pas possible maintenant. Possible : {', '.join(possible)}.",
        )

    def _to(self, table: Table, events: Sequence[Event], outcome: Outcome | None = None) -> Step:
        ends = _endings(self.table, table)
        position = YikerzPosition(self.game, table, self.players, self.options)
        return Step(position, (*events, *ends), outcome.json() if outcome else None)

    def _listed(self, wish: JsonObject, action: str, outcome: Json) -> Step:
        table = self.table
        ((kind, value),) = wish.items()
        player = table.player
        if kind == "layout" and isinstance(value, str):
            return self._lay_out(LAYOUTS[value], value)
        if kind == "deal" and isinstance(value, int):
            return self._to(rules.deal(table, value), [Event("deal", {"magnet": value})])
        if kind == "lot":
            number = rules.LAYOUT_NAMES.index(value) if isinstance(value, str) else value
            assert isinstance(number, int)
            lot = f"lot-{table.lot}"
            facts: dict[str, Json] = {"layout": value} if table.lot == "layout" else {"player": number}
            return self._to(rules.drawn(table, number), [Event(lot, facts)])
        if kind == "stack" and isinstance(value, int):
            magnets = sorted(table.stacks[value])
            return self._to(
                rules.choose_stack(table, value),
                [Event("stack", {"player": player, "stack": value, "magnets": magnets})],
            )
        if kind == "call":
            return self._to(rules.call_last(table), [Event("call", {"player": player})])
        if kind == "pick" and isinstance(value, int):
            result = self._settle(outcome, picked=(value,))
            events = [Event("pick", {"player": player, "magnet": value}), *_physical(result, player)]
            return self._to(rules.picked(table, result), events, result)
        if table.phase == "call":
            return self._to(rules.forget(table), [Event("forgot", {"player": player})])
        assert action == write_action({"wait": True})
        result = self._settle(outcome, seconds=table.quiet)
        charged = table.charged if table.charged is not None else player
        return self._to(
            rules.waited(table, result), [Event("wait", {"player": player}), *_physical(result, charged)], result
        )

    def _lay_out(self, layout: Layout, name: str) -> Step:
        event = Event("layout" if name != "free" else "layout-free", {"player": self.table.player, "layout": name})
        return self._to(rules.lay_out(self.table, layout), [event])

    def _layout(self, value: Json) -> Layout:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise IllegalAction(
                f"There is no such layout. Ready-made: {', '.join(LAYOUTS)}; or four mats [[x,y,angle],…].",
                f"Cette disposition n'existe pas. Toutes prêtes : {', '.join(LAYOUTS)} ; ou quatre tapis [[x,y,angle],…].",
            )
        try:
            return check(value)
        except LayoutRefused as refused:
            raise IllegalAction(refused.english, refused.french) from refused

    def read_turn(self, wish: JsonObject) -> tuple[int, Path]:
        """Y6: which magnet of the own stack, and the hand's path; IllegalAction if it cannot be."""
        magnet = self.own_magnet(wish.get("magnet"))
        try:
            return magnet, read_path(wish.get("path"), wish.get("release"), self.table.settings.hand_seconds)
        except SceneRefused as refused:
            raise IllegalAction(refused.english, refused.french) from refused

    def own_magnet(self, value: Json) -> int:
        """A magnet that the player to move may take in hand."""
        hand = self.table.hands[self.table.player]
        if self.table.phase != "turn" or isinstance(value, bool) or not isinstance(value, int) or value not in hand:
            own = ", ".join(str(magnet) for magnet in hand)
            raise IllegalAction(
                f"Take a magnet of your own stack: {own}.",
                f"Prenez un aimant de votre propre pile : {own}.",
            )
        return value

    def new_turn(
        self, magnet: int | None, *, picked: tuple[int, ...] = (), seconds: float | None = None, filmed: bool = True
    ) -> Turn:
        """A turn on this board, not begun yet."""
        table = self.table
        whole = (magnet is not None and rules.is_last(table)) or seconds is not None
        quiet = table.settings.quiet_seconds if seconds is None else seconds
        return Turn(table.layout, table.board, table.settings.magnets, magnet, quiet, whole, picked, filmed=filmed)

    def _turn(self, wish: JsonObject, outcome: Json) -> Step:
        magnet, path = self.read_turn(wish)
        player = self.table.player
        result = self._read_outcome(outcome, magnet) if outcome is not None else _simulated(self.new_turn(magnet), path)
        events = [Event("place", {"player": player, "magnet": magnet}), *_physical(result, player)]
        return self._to(rules.placed(self.table, magnet, result), events, result)

    def _settle(self, outcome: Json, *, picked: tuple[int, ...] = (), seconds: float | None = None) -> Outcome:
        if outcome is not None:
            return self._read_outcome(outcome, None)
        return _simulated(self.new_turn(None, picked=picked, seconds=seconds), None)

    def _read_outcome(self, outcome: Json, magnet: int | None) -> Outcome:
        """What the log kept; it must account for every piece that was on the board, and for the one played."""
        reader = Reader(outcome, IllegalAction, "outcome")
        board: dict[int, Pose] = {}
        for number, pose in reader.key("board").object().items():
            try:
                board[int(number)] = neat_pose(as_pose(pose))
            except SceneRefused as refused:
                raise IllegalAction(
                    f"outcome.board.{number}: {refused.english}", f"outcome.board.{number} : {refused.french}"
                ) from refused
            except ValueError:
                reader.key("board").fail("magnets are named by their numbers", "les aimants ont pour nom leur numéro")
        taken = tuple(one.integer(0, self.table.settings.magnets - 1) for one in reader.key("taken").items(most=100))
        expected = sorted([*self.table.board, *([magnet] if magnet is not None else [])])
        if sorted([*board, *taken]) != expected:
            reader.fail(
                "the pieces on the board and those taken are not the ones that were there",
                "les pièces sur le plateau et celles qui sont prises ne sont pas celles qui y étaient",
            )
        events = tuple(one.object() for one in reader.key("events").items(most=1000))
        quiet = reader.key("quiet").number(0, self.table.settings.quiet_seconds)
        seconds = reader.key("seconds").number(0, 100_000)
        physics = reader.key("physics").text(100)
        # Records from before there were films have none.
        frames = read_frames(reader.key("frames"), self.table.settings.magnets) if reader.has("frames") else ()
        return Outcome(board, taken, events, quiet, seconds, physics, frames)

    def returns(self) -> tuple[float, ...]:
        """What each seat got, when over."""
        return rules.returns(self.table)

    def view(self) -> JsonObject:
        """The whole position as docs/protocol.md describes it."""
        table = self.table
        owners = {magnet: seat for seat, hand in enumerate(table.hands) for magnet in hand}
        lying = {magnet for stack in table.stacks for magnet in stack}
        magnets: list[Json] = []
        for magnet in range(table.settings.magnets):
            where = "board" if magnet in table.board else "stack" if magnet in owners or magnet in lying else "pouch"
            pose = list(table.board[magnet]) if magnet in table.board else None
            magnets.append(
                {
                    "id": magnet,
                    "shape": shape_of(magnet).name,
                    "where": where,
                    "owner": owners.get(magnet),
                    "pose": pose,
                }
            )
        return {
            "phase": table.phase,
            "player": table.player,
            "mats": [list(mat) for mat in table.layout],
            "magnets": magnets,
            "stacks": [list(stack) for stack in table.stacks],
            "round": table.round,
            "rounds_won": list(table.rounds_won),
            "points": list(table.points),
            "turns": list(table.turns),
            "called": list(table.called),
            "alive": list(table.alive),
            "shuffler": table.shuffler,
            "quiet": table.quiet,
            "charged": table.charged,
            "picks": table.picks,
            "sudden": table.sudden,
            "lot": table.lot,
            "among": list(table.among),
            "winner": table.winner,
        }

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """The board from above, each magnet by its number, and the stacks."""
        return _picture(self, paint, language)

    def understand(self, typed: str) -> str:
        """What a person means: `7 20 -30 edge 45` puts magnet 7 at x 20, y -30 on its edge, turned by 45°; `wait`, `pick 3`, …"""
        words = typed.replace(",", " ").split()
        if not words or typed.lstrip().startswith("{"):
            return typed.strip()
        first = words[0].lower()
        if first in ("wait", "attendre"):
            return write_action({"wait": True})
        if first in ("call", "last", "dernier"):
            return write_action({"call": "last"})
        if first in ("layout", "disposition", *LAYOUTS):
            return write_action({"layout": words[-1].lower()})
        if first in ("stack", "pick", "pile", "prendre") and len(words) == 2 and words[1].isdigit():
            return write_action({"stack" if first in ("stack", "pile") else "pick": int(words[1])})
        if self.table.phase == "stack" and first.isdigit():
            return write_action({"stack": int(first)})
        if self.table.phase == "pick" and first.isdigit():
            return write_action({"pick": int(first)})
        numbers = [float(word) for word in words if re.fullmatch(r"-?\d+(\.\d+)?", word)]
        if self.table.phase == "turn" and len(numbers) >= 3 and numbers[0] == int(numbers[0]):
            standing: Standing = next((one for one in STANDINGS if one in words), "flat")
            magnet = self.own_magnet(int(numbers[0]))
            x, y = (max(-500.0, min(500.0, number)) for number in numbers[1:3])
            angle = numbers[3] if len(numbers) > 3 else 0.0
            return path_action(magnet, put_down(shape_of(magnet), x, y, standing, angle))
        return typed.strip()


def _only(wish: JsonObject, keys: tuple[str, ...]) -> None:
    more = [key for key in wish if key not in keys]
    if more:
        raise IllegalAction(
            f'"{shortened(more[0])}" does not belong into this action; it has {", ".join(keys)}.',
            f"« {shortened(more[0])} » n'a rien à faire dans cette action ; elle a {', '.join(keys)}.",
        )


def _simulated(turn: Turn, path: Path | None) -> Outcome:
    try:
        return whole_turn(turn, path)
    except (SceneRefused, PhysicsBroken) as problem:
        raise IllegalAction(problem.english, problem.french) from problem


def _physical(outcome: Outcome, player: int) -> list[Event]:
    """What the physics did, as events; who takes pieces is told with it."""
    events: list[Event] = []
    for told in outcome.events:
        facts = {key: value for key, value in told.items() if key != "what"}
        if told["what"] == "taken":
            facts["player"] = player
        events.append(Event(str(told["what"]), facts))
    return events


def _endings(before: Table, after: Table) -> list[Event]:
    """Rounds won, players out, sudden death, the end."""
    events: list[Event] = []
    for seat in range(before.settings.players):
        if after.rounds_won[seat] > before.rounds_won[seat]:
            events.append(Event("round", {"player": seat, "round": before.round}))
        if before.sudden and before.alive[seat] and not after.alive[seat]:
            events.append(Event("out", {"player": seat}))
    if after.sudden > before.sudden:
        events.append(Event("sudden" if after.sudden == 1 else "anew", {}))
    if after.phase == "over":
        if after.settings.players == 1:
            events.append(Event("alone" if after.winner == 0 else "alone-lost", {"count": after.turns[0]}))
        elif after.winner == "draw":
            events.append(Event("draw", {}))
        else:
            events.append(Event("wins", {"winner": after.winner}))
    return events


def _picture(position: YikerzPosition, paint: Paint, language: str) -> str:
    table, words = position.table, position.game.words
    lines: list[str] = []
    if table.layout:
        every = [corner for mat in table.layout for corner in corners(mat)]
        left, right = min(c[0] for c in every), max(c[0] for c in every)
        low, high = min(c[1] for c in every), max(c[1] for c in every)
        scale = max((right - left) / WIDEST, (high - low) / 40 / 2, 1.0)  # mm a column; a line is two columns high
        columns, rows = int((right - left) / scale) + 1, int((high - low) / scale / 2) + 1
        grid = [[" "] * (columns + 2) for _ in range(rows)]
        for row in range(rows):
            for column in range(columns):
                if on_mats(table.layout, left + column * scale, high - row * 2 * scale):
                    grid[row][column] = "·"
        for magnet, pose in table.board.items():
            row, column = int((high - pose[1]) / scale / 2), int((pose[0] - left) / scale)
            row, column = max(0, min(rows - 1, row)), max(0, min(columns - 1, column))
            for k, sign in enumerate(str(magnet)):
                grid[row][column + k] = paint("bold", sign)
        lines += ["".join(row).rstrip() for row in grid]
        facts: dict[str, Json] = {"left": round(left), "right": round(right), "low": round(low), "high": round(high)}
        lines.append(words.say("board.axes", language, facts))
    for number, stack in enumerate(table.stacks):
        if stack:
            lines.append(
                words.say(
                    "board.stack", language, {"stack": number, "magnets": _magnets(stack, words.say("and", language))}
                )
            )
    for seat in range(position.players):
        sign = "▶" if seat == table.player and not position.over else " "
        name = paint(COLOURS[seat % len(COLOURS)], position.game.seat_name(seat, language))
        facts = {
            "count": len(table.hands[seat]),
            "magnets": _magnets(table.hands[seat], ","),
            "rounds": table.rounds_won[seat],
        }
        lines.append(f" {sign} {name}: {words.say('board.seat', language, facts)}"[:100])
    return "\n".join(lines)


def _magnets(magnets: Sequence[int], conjunction: str) -> str:
    return (
        " ".join(str(magnet) for magnet in sorted(magnets))
        if conjunction == ","
        else listed(sorted(magnets), conjunction)
    )


class Yikerz(Game):
    """One to four players, twenty magnets, four mats."""

    name = "yikerz"
    title = "Yikerz!"
    rules_version = 1
    seats = (2, 1, 3, 4)
    package = "ludotheque.games.yikerz"
    declared_options = (
        Choice("match", "best-of-3", "Y16", choices=("best-of-3", "best-of-5", "best-of-7", "points")),
        Number("magnets", 20, "Y1", low=4, high=20),
        Number("hand_seconds", 60, "Y6", low=5, high=600),
        Number("quiet_seconds", 10, "Y13", low=1, high=60),
        Number("max_turns", 100, "Y21", low=1, high=1000),
    )
    tells_events = True
    engine_requests = LAB_REQUESTS
    live = YikerzLive()

    def settings(self, players: int, options: Options) -> Settings:
        """The options as the rules read them."""
        numbers = {
            name: whole_option(options, name) for name in ("magnets", "hand_seconds", "quiet_seconds", "max_turns")
        }
        return Settings(players, **numbers, match=str(options["match"]))

    def start(self, players: int, options: Options, dice: SetupDice) -> YikerzPosition:
        """Y5: the first shuffler is drawn by lot."""
        shuffler = dice.below(players) if players > 1 else 0
        return YikerzPosition(self, rules.first_table(self.settings(players, options), shuffler), players, options)

    def from_view(self, view: JsonObject, players: int, options: Options) -> YikerzPosition:
        """The position that a view describes; its magnets must be all there, once, and have room."""
        table = _read_view(Reader(view, BadView), self.settings(players, options))
        return YikerzPosition(self, table, players, options)

    def player(self, level: int) -> Player:
        """The bots know this game."""
        from ludotheque.games.yikerz.player import MagnetPlayer  # noqa: PLC0415 - not before somebody asks for one

        return MagnetPlayer(level)

    def warm(self) -> None:
        """One turn with a collapse uses every kernel once."""
        match = Match(self, 1, {"magnets": 4}, dice=Dice("warm"))
        for action in ('{"layout":"pyramid"}', *(f'{{"deal":{magnet}}}' for magnet in range(4))):
            match.play(action)
        for typed in ("0 0 -40", "1 4 -40"):
            match.play(match.position.understand(typed))
        self.player(4).choose(match.position, seconds=0.01)

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words; magnets by shape and number."""
        facts = dict(event.facts)
        magnets = facts.get("magnets")
        if isinstance(magnets, Sequence) and not isinstance(magnets, str):
            told = [self._magnet(magnet, language) for magnet in magnets if isinstance(magnet, int)]
            facts["magnets"] = listed(told, self.words.say("and", language))
            facts["count"] = len(told)
        if isinstance(magnet := facts.get("magnet"), int):
            facts["magnet"] = self._magnet(magnet, language)
        if isinstance(layout := facts.get("layout"), str) and layout in LAYOUTS:
            facts["layout"] = self.words.say(f"layout.{layout}", language)
        if isinstance(stack := facts.get("stack"), int):
            facts["stack"] = stack + 1  # people count from one
        return super().tell(Event(event.what, facts), language, names)

    def _magnet(self, magnet: int, language: str) -> str:
        return self.words.say(f"shape.{shape_of(magnet).name}", language, {"magnet": magnet})


def _read_view(reader: Reader, settings: Settings) -> Table:
    """A view as a table, every count checked."""
    n, last = settings.players, settings.players - 1
    phase = reader.key("phase").one_of(rules.PHASES)
    board: dict[int, Pose] = {}
    hands: list[list[int]] = [[] for _ in range(n)]
    lying: set[int] = set()
    for number, one in enumerate(reader.key("magnets").items(settings.magnets)):
        if one.key("id").integer(0, settings.magnets - 1) != number:
            one.key("id").fail(
                f"magnets stand in order of their numbers; this is {number}",
                f"les aimants sont dans l'ordre de leurs numéros ; celui-ci est {number}",
            )
        if one.has("shape") and one.key("shape").value != shape_of(number).name:
            one.key("shape").fail(
                f"magnet {number} is a {shape_of(number).name}",
                f"l'aimant {number} est de forme {shape_of(number).name}",
            )
        where = one.key("where").one_of(("stack", "board", "pouch"))
        if where == "board":
            try:
                board[number] = neat_pose(as_pose(one.key("pose").value))
            except SceneRefused as refused:
                one.key("pose").fail(refused.english, refused.french)
        elif where == "stack":
            owner = one.key("owner")
            if owner.is_null():
                lying.add(number)
            else:
                hands[owner.integer(0, last)].append(number)
    stacks = tuple(
        tuple(magnet.integer(0, settings.magnets - 1) for magnet in stack.items(most=20))
        for stack in (reader.key("stacks").items(most=n) if reader.has("stacks") else [])
    )
    if sorted(magnet for stack in stacks for magnet in stack) != sorted(lying):
        reader.key("magnets").fail(
            'magnets in a stack without an owner are those of "stacks"',
            "les aimants en pile sans propriétaire sont ceux de « stacks »",
        )

    def whole(name: str, most: int) -> tuple[int, ...]:
        if not reader.has(name):
            return (0,) * n
        return tuple(one.integer(0, most) for one in reader.key(name).items(n))

    def switches(name: str, default: bool) -> tuple[bool, ...]:
        return tuple(one.boolean() for one in reader.key(name).items(n)) if reader.has(name) else (default,) * n

    layout = _read_mats(reader, phase)
    lot = _read_lot(reader, phase)
    alive = switches("alive", True)
    charged = (
        reader.key("charged").integer(0, last)
        if reader.has("charged") and not reader.key("charged").is_null()
        else None
    )
    quiet = reader.key("quiet").number(0, settings.quiet_seconds) if reader.has("quiet") else 0.0
    table = Table(
        settings,
        phase,  # type: ignore[arg-type] # one_of has checked it
        reader.key("player").integer(0, last),
        reader.key("shuffler").integer(0, last) if reader.has("shuffler") else 0,
        reader.key("round").integer(1, 10_000) if reader.has("round") else 1,
        layout,
        stacks,
        tuple(tuple(hand) for hand in hands),
        board,
        whole("rounds_won", 10_000),
        whole("points", 10_000),
        whole("turns", 2 * settings.max_turns),
        switches("called", False),
        alive,
        quiet if charged is not None else 0.0,
        charged,
        reader.key("picks").integer(0, rules.PENALTY) if reader.has("picks") else 0,
        reader.key("sudden").integer(0, rules.ANEW + 1) if reader.has("sudden") else 0,
        lot,
        tuple(one.integer(0, last) for one in reader.key("among").items(most=n)) if reader.has("among") else (),
    )
    return _checked(reader, table)


def _read_mats(reader: Reader, phase: str) -> Layout:
    mats = reader.key("mats")
    if not isinstance(mats.value, list):
        mats.fail("a list of mats is expected", "une liste de tapis est attendue")
    if not mats.value:
        if phase in ("shuffle", "stack", "turn", "call", "pick"):
            mats.fail("the mats are missing", "les tapis manquent")
        return ()
    try:
        return check(mats.value)
    except LayoutRefused as refused:
        mats.fail(refused.english, refused.french)


def _read_lot(reader: Reader, phase: str) -> Lot | None:
    if phase != "lot":
        return None
    reader.key("lot").one_of(rules.LOTS)
    return next(lot for lot in rules.LOTS if lot == reader.key("lot").value)


def _checked(reader: Reader, table: Table) -> Table:
    """Whether the parts of a table fit each other."""
    settings, phase = table.settings, table.phase
    if not table.sudden and not all(table.alive):
        reader.key("alive").fail("players are out only in a sudden death", "on n'est éliminé que dans une mort subite")
    if table.board and not table.layout:
        reader.key("magnets").fail(
            "magnets lie on the board, but there are no mats",
            "des aimants sont sur le plateau, mais il n'y a pas de tapis",
        )
    if phase in ("layout", "shuffle", "stack") and table.board:
        reader.key("magnets").fail(
            "no magnet lies on the board before the first turn",
            "aucun aimant n'est sur le plateau avant le premier tour",
        )
    if phase in ("shuffle", "stack"):
        if len(table.stacks) != len(table.seated):
            reader.key("stacks").fail(
                f"there are {len(table.seated)} stacks, one a player",
                f"il y a {len(table.seated)} piles, une par joueur",
            )
        sizes = [len(stack) for stack in table.stacks]
        if phase == "stack" and any(size not in (0, rules.stack_size(table)) for size in sizes):
            reader.key("stacks").fail(
                f"stacks have {rules.stack_size(table)} magnets, chosen ones none",
                f"les piles ont {rules.stack_size(table)} aimants, celles qui sont choisies aucun",
            )
    elif table.stacks:
        reader.key("stacks").fail(
            "stacks lie there only while they are shuffled and chosen",
            "il n'y a de piles que pendant le mélange et le choix",
        )
    if phase == "turn" and not table.hands[table.player]:
        reader.key("player").fail(
            "the player to move has no magnet to place", "le joueur au trait n'a pas d'aimant à poser"
        )
    if phase == "call" and len(table.hands[table.player]) != 1:
        reader.key("player").fail(
            "only a player with one piece left can call it", "seul un joueur à qui il reste une pièce peut l'annoncer"
        )
    if phase == "pick" and (not table.picks or not table.board):
        reader.key("picks").fail("there is nothing to pick", "il n'y a rien à prendre")
    if phase == "lot" and table.lot != "layout" and not table.among:
        reader.key("among").fail("somebody must be there to draw lots", "il faut quelqu'un pour tirer au sort")
    if settings.rounds and sum(table.rounds_won) > settings.rounds:
        reader.key("rounds_won").fail(
            f"there are {settings.rounds} rounds in all", f"il y a {settings.rounds} manches en tout"
        )
    _check_room(reader, table)
    if phase == "over":
        winner = reader.key("winner").value
        if winner is not None and winner != "draw":
            winner = reader.key("winner").integer(0, settings.players - 1)
        if winner is None and settings.players > 1:
            reader.key("winner").fail("somebody has won", "quelqu'un a gagné")
        return replace(table, winner=winner)  # type: ignore[arg-type] # None, "draw" or a seat
    return table


def _check_room(reader: Reader, table: Table) -> None:
    if not table.board:
        return
    scene = Scene(table.layout, tuple(shape_of(magnet) for magnet in range(table.settings.magnets)))
    for magnet, pose in table.board.items():
        scene.put(magnet, pose)
    try:
        scene.check_room()
    except SceneRefused as refused:
        reader.key("magnets").fail(refused.english, refused.french)


def _restored(table: Table, players: int, options: Options) -> YikerzPosition:
    """A pickled position again."""
    return YikerzPosition(GAME, table, players, options)


GAME = Yikerz()

__all__ = ["GAME", "Yikerz", "YikerzPosition"]
