"""A table of Yikerz! as a view, and back; docs/protocol.md describes it. Views may come from anybody, so every count is checked."""

from __future__ import annotations

from dataclasses import replace

from ludotheque.core import Json, JsonObject, Reader
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.magnets.mats import Layout, check
from ludotheque.games.yikerz.magnets.poses import Pose, as_pose
from ludotheque.games.yikerz.magnets.problems import LayoutRefused, SceneRefused
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.outcome import neat_pose
from ludotheque.games.yikerz.rules import stack_size
from ludotheque.games.yikerz.table import ANEW, LOTS, PENALTY, PHASES, Lot, Settings, Table


def write(table: Table) -> JsonObject:
    """The whole table, for everybody."""
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


def read(reader: Reader, settings: Settings) -> Table:
    """A view as a table, every count checked."""
    n, last = settings.players, settings.players - 1
    phase = reader.key("phase").one_of(PHASES)
    board: dict[int, Pose] = {}
    hands: list[list[int]] = [[] for _ in range(n)]
    lying: set[int] = set()
    for number, one in enumerate(reader.key("magnets").items(settings.magnets)):
        if one.key("id").integer(0, settings.magnets - 1) != number:
            one.key("id").fail(text("view.wrong-order", number=number))
        if one.has("shape") and one.key("shape").value != shape_of(number).name:
            one.key("shape").fail(text("view.wrong-shape", magnet=number, shape=shape_of(number).name))
        where = one.key("where").one_of(("stack", "board", "pouch"))
        if where == "board":
            try:
                board[number] = neat_pose(as_pose(one.key("pose").value))
            except SceneRefused as refused:
                one.key("pose").fail(refused.text)
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
        reader.key("magnets").fail(text("view.stacks-differ"))

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
        settings=settings,
        phase=phase,  # type: ignore[arg-type] # one_of has checked it
        player=reader.key("player").integer(0, last),
        shuffler=reader.key("shuffler").integer(0, last) if reader.has("shuffler") else 0,
        round=reader.key("round").integer(1, 10_000) if reader.has("round") else 1,
        layout=layout,
        stacks=stacks,
        hands=tuple(tuple(hand) for hand in hands),
        board=board,
        rounds_won=whole("rounds_won", 10_000),
        points=whole("points", 10_000),
        turns=whole("turns", 2 * settings.max_turns),
        called=switches("called", False),
        alive=alive,
        quiet=quiet if charged is not None else 0.0,
        charged=charged,
        picks=reader.key("picks").integer(0, PENALTY) if reader.has("picks") else 0,
        sudden=reader.key("sudden").integer(0, ANEW + 1) if reader.has("sudden") else 0,
        lot=lot,
        among=tuple(one.integer(0, last) for one in reader.key("among").items(most=n)) if reader.has("among") else (),
    )
    return _checked(reader, table)


def _read_mats(reader: Reader, phase: str) -> Layout:
    mats = reader.key("mats")
    if not isinstance(mats.value, list):
        mats.fail(text("view.no-list-of-mats"))
    if not mats.value:
        if phase in ("shuffle", "stack", "turn", "call", "pick"):
            mats.fail(text("view.no-mats"))
        return ()
    try:
        return check(mats.value)
    except LayoutRefused as refused:
        mats.fail(refused.text)


def _read_lot(reader: Reader, phase: str) -> Lot | None:
    if phase != "lot":
        return None
    reader.key("lot").one_of(LOTS)
    return next(lot for lot in LOTS if lot == reader.key("lot").value)


def _checked(reader: Reader, table: Table) -> Table:
    """Whether the parts of a table fit each other."""
    settings, phase = table.settings, table.phase
    if not table.sudden and not all(table.alive):
        reader.key("alive").fail(text("view.out-too-soon"))
    if table.board and not table.layout:
        reader.key("magnets").fail(text("view.magnets-without-mats"))
    if phase in ("layout", "shuffle", "stack") and table.board:
        reader.key("magnets").fail(text("view.magnets-too-soon"))
    if phase in ("shuffle", "stack"):
        if len(table.stacks) != len(table.seated):
            reader.key("stacks").fail(text("view.stacks-a-player", stacks=len(table.seated)))
        sizes = [len(stack) for stack in table.stacks]
        if phase == "stack" and any(size not in (0, stack_size(table)) for size in sizes):
            reader.key("stacks").fail(text("view.stack-size", size=stack_size(table)))
    elif table.stacks:
        reader.key("stacks").fail(text("view.stacks-too-late"))
    if phase == "turn" and not table.hands[table.player]:
        reader.key("player").fail(text("view.nothing-to-place"))
    if phase == "call" and len(table.hands[table.player]) != 1:
        reader.key("player").fail(text("view.cannot-call"))
    if phase == "pick" and (not table.picks or not table.board):
        reader.key("picks").fail(text("view.nothing-to-pick"))
    if phase == "lot" and table.lot != "layout" and not table.among:
        reader.key("among").fail(text("view.no-lot"))
    if settings.rounds and sum(table.rounds_won) > settings.rounds:
        reader.key("rounds_won").fail(text("view.too-many-rounds", rounds=settings.rounds))
    _check_room(reader, table)
    if phase == "over":
        winner = reader.key("winner").value
        if winner is not None and winner != "draw":
            winner = reader.key("winner").integer(0, settings.players - 1)
        if winner is None and settings.players > 1:
            reader.key("winner").fail(text("view.no-winner"))
        return replace(table, winner=winner)  # type: ignore[arg-type] # None, "draw" or a seat
    return table


def _check_room(reader: Reader, table: Table) -> None:
    if not table.board:
        return
    from ludotheque.games.yikerz.magnets.scene import Scene  # noqa: PLC0415 - needs MuJoCo

    scene = Scene(table.layout, tuple(shape_of(magnet) for magnet in range(table.settings.magnets)))
    for magnet, pose in table.board.items():
        scene.put(magnet, pose)
    try:
        scene.check_room()
    except SceneRefused as refused:
        reader.key("magnets").fail(refused.text)
