"""One moment of a match of Yikerz!: what can be done, and what playing it leads to.

The rules around the board are in `rules`, a turn on it in `turn`, views in `views`, the terminal's board in `terminal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludotheque.core import (
    CHANCE,
    Call,
    Event,
    Game,
    IllegalAction,
    Json,
    JsonObject,
    Legal,
    Options,
    Paint,
    Position,
    Step,
    ToMove,
    find_game,
    must_be_simulated,
    plain,
    write_json,
)
from ludotheque.core.problems import shortened
from ludotheque.games.yikerz import rules, terminal, views
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.events import endings, physical
from ludotheque.games.yikerz.magnets.mats import LAYOUTS, Layout, check
from ludotheque.games.yikerz.magnets.path import Path, must_be_computable, read_path
from ludotheque.games.yikerz.magnets.problems import LayoutRefused, PhysicsBroken, SceneRefused
from ludotheque.games.yikerz.outcome import Outcome, read_outcome
from ludotheque.games.yikerz.table import LAYOUT_NAMES, Table
from ludotheque.games.yikerz.text import read_action, write_action

if TYPE_CHECKING:
    from ludotheque.games.yikerz.turn import Turn


class YikerzPosition(Position):
    """One moment of a match between two actions; `table` holds it all."""

    game: Game

    def __init__(self, game: Game, table: Table, players: int, options: Options) -> None:
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

    def __hash__(self) -> int:
        return hash(write_json(self.view()))  # what equality compares

    def __reduce__(self) -> tuple[object, tuple[str, int, Table, int, Options]]:
        return _restored, (self.game.name, self.game.rules_version, self.table, self.players, dict(self.options))

    @property
    def to_move(self) -> ToMove:
        """Whose turn it is; shuffles and lots are chance's."""
        if self.table.phase == "over":
            return None
        return CHANCE if self.table.phase in ("lot", "shuffle") else self.table.player

    @property
    def acting(self) -> int | None:
        """The seat to move; on a shuffle or a lot, the player whose turn brought it about."""
        return None if self.table.phase == "over" else self.table.player

    @property
    def pending_call(self) -> Call | None:
        """Y14: whoever is down to one piece has to say so before the next player takes a magnet up."""
        table = self.table
        if table.phase not in ("call", "pick"):
            return None
        after = rules.next_turn(table)
        if table.phase == "pick":
            return Call(table.player, after.player, None, self)
        shown = YikerzPosition(self.game, after, self.players, self.options)
        return Call(table.player, after.player, write_action({"wait": True}), shown)

    def legal(self) -> Legal:
        """What can be listed, and the kinds with free parameters."""
        table = self.table
        match table.phase:
            case "lot" if table.lot == "layout":
                names = LAYOUT_NAMES
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
                waits = table.quiet > 0 and table.charged is not None
                return Legal((write_action({"wait": True}),) if waits else (), open=("magnet",))
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
        request = read_action(action)
        kind = next((kind for kind in self.legal().open if kind in request), None)
        if kind is None:
            raise self.refuse(action)
        _only(request, ("layout",) if kind == "layout" else ("magnet", "path", "release"))
        if kind == "layout":
            return self._lay_out(self._layout(request["layout"]), "free")
        return self._turn(request, outcome)

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
        return IllegalAction(text("play.not-possible", possible=", ".join(possible)))

    def _to(self, table: Table, events: Sequence[Event], outcome: Outcome | None = None) -> Step:
        ends = endings(self.table, table)
        position = YikerzPosition(self.game, table, self.players, self.options)
        return Step(position, (*events, *ends), outcome.json() if outcome else None)

    def _listed(self, request: JsonObject, action: str, outcome: Json) -> Step:
        table = self.table
        ((kind, value),) = request.items()
        player = table.player
        if kind == "layout" and isinstance(value, str):
            return self._lay_out(LAYOUTS[value], value)
        if kind == "deal" and isinstance(value, int):
            return self._to(rules.deal(table, value), [Event("deal", {"magnet": value})])
        if kind == "lot":
            number = LAYOUT_NAMES.index(value) if isinstance(value, str) else value
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
            events = [Event("pick", {"player": player, "magnet": value}), *physical(result, player)]
            return self._to(rules.picked(table, result), events, result)
        if table.phase == "call":
            return self._to(rules.forget(table), [Event("forgot", {"player": player})])
        assert action == write_action({"wait": True})
        result = self._settle(outcome, seconds=table.quiet)
        charged = table.charged if table.charged is not None else player
        return self._to(
            rules.waited(table, result), [Event("wait", {"player": player}), *physical(result, charged)], result
        )

    def _lay_out(self, layout: Layout, name: str) -> Step:
        event = Event("layout" if name != "free" else "layout-free", {"player": self.table.player, "layout": name})
        return self._to(rules.lay_out(self.table, layout), [event])

    def _layout(self, value: Json) -> Layout:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise IllegalAction(text("play.no-layout", layouts=", ".join(LAYOUTS)))
        try:
            return check(value)
        except LayoutRefused as refused:
            raise IllegalAction(refused.text) from refused

    def read_turn(self, request: JsonObject) -> tuple[int, Path]:
        """Y6: which magnet of the own stack, and the hand's path; IllegalAction if it cannot be."""
        magnet = self.own_magnet(request.get("magnet"))
        try:
            return magnet, read_path(request.get("path"), request.get("release"), self.table.settings.hand_seconds)
        except SceneRefused as refused:
            raise IllegalAction(refused.text) from refused

    def own_magnet(self, value: Json) -> int:
        """A magnet that the player to move may take in hand."""
        hand = self.table.hands[self.table.player]
        if self.table.phase != "turn" or isinstance(value, bool) or not isinstance(value, int) or value not in hand:
            own = ", ".join(str(magnet) for magnet in hand)
            raise IllegalAction(text("play.not-yours", own=own))
        return value

    def new_turn(
        self, magnet: int | None, *, picked: tuple[int, ...] = (), seconds: float | None = None, filmed: bool = True
    ) -> Turn:
        """A turn on this board, not begun yet."""
        table = self.table
        whole = (magnet is not None and rules.is_last(table)) or seconds is not None
        quiet = table.settings.quiet_seconds if seconds is None else seconds
        from ludotheque.games.yikerz.turn import Turn  # noqa: PLC0415 - needs MuJoCo

        settings = table.settings
        return Turn(
            table.layout,
            table.board,
            settings.magnets,
            magnet,
            quiet,
            whole,
            picked,
            filmed=filmed,
            magnetisation=settings.magnetisation,
        )

    def _turn(self, request: JsonObject, outcome: Json) -> Step:
        magnet, path = self.read_turn(request)
        player = self.table.player
        result = (
            read_outcome(outcome, self.table, magnet)
            if outcome is not None
            else _simulated(self.new_turn(magnet), path)
        )
        events = [Event("place", {"player": player, "magnet": magnet}), *physical(result, player)]
        return self._to(rules.placed(self.table, magnet, result), events, result)

    def _settle(self, outcome: Json, *, picked: tuple[int, ...] = (), seconds: float | None = None) -> Outcome:
        if outcome is not None:
            return read_outcome(outcome, self.table, None)
        return _simulated(self.new_turn(None, picked=picked, seconds=seconds), None)

    def returns(self) -> tuple[float, ...]:
        """What each seat got, when over."""
        return rules.returns(self.table)

    def view(self) -> JsonObject:
        """The whole position as docs/protocol.md describes it."""
        return views.write(self.table)

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """The board from above, each magnet by its number, and the stacks."""
        return terminal.picture(self, paint, language)

    def understand(self, typed: str) -> str:
        """What a person at a terminal means."""
        return terminal.understood(self, typed)

    def typed(self, action: str, language: str = "en") -> str:
        """An action as a person would type it."""
        return terminal.written(self, action, language)

    def typed_kinds(self, language: str = "en") -> list[str]:
        """How a magnet is placed, where one can be."""
        return terminal.kinds(self, language)


def _only(request: JsonObject, keys: tuple[str, ...]) -> None:
    more = [key for key in request if key not in keys]
    if more:
        raise IllegalAction(text("play.unknown-key", key=shortened(more[0]), keys=", ".join(keys)))


def _simulated(turn: Turn, path: Path | None) -> Outcome:
    from ludotheque.games.yikerz.turn import whole_turn  # noqa: PLC0415 - needs MuJoCo

    try:
        if path is not None:
            must_be_computable(path)
            must_be_simulated(path.release)
        return whole_turn(turn, path)
    except (SceneRefused, PhysicsBroken) as problem:
        raise IllegalAction(problem.text) from problem


def _restored(name: str, rules: int, table: Table, players: int, options: Options) -> YikerzPosition:
    """A pickled position again, under its own version of the rules."""
    game = find_game(name).at_version(rules)
    assert game is not None
    return YikerzPosition(game, table, players, options)
