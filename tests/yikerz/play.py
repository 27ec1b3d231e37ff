"""How the tests play Yikerz!: begin a round, put pieces down, and say what a turn led to without simulating it."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from ludotheque.core import CHANCE, Dice, Json, JsonObject, Match
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.magnets.path import Standing, put_down
from ludotheque.games.yikerz.magnets.shapes import shape_of
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.games.yikerz.text import path_action, write_action
from table import changed, shaped

WAIT, CALL = write_action({"wait": True}), write_action({"call": "last"})


def begin(players: int = 2, layout: str = "pyramid", **options: Json) -> Match:
    """A match at its first turn."""
    match = Match(GAME, players, options, dice=Dice("test"))
    deal(match, layout)
    return match


def deal(match: Match, layout: str = "pyramid") -> None:
    """Layout, shuffle and choice of stacks."""
    while position(match).table.phase in ("lot", "layout", "shuffle", "stack"):
        if match.to_move == CHANCE:
            match.draw()
        elif position(match).table.phase == "layout":
            match.play(write_action({"layout": layout}))
        else:
            match.play(match.position.legal().actions[0])


def position(match: Match) -> YikerzPosition:
    assert isinstance(match.position, YikerzPosition)
    return match.position


def hand_of(match: Match, player: int) -> tuple[int, ...]:
    """A player's stack."""
    return position(match).table.hands[player]


def magnets_of(view: JsonObject) -> list[dict[str, JsonValue]]:
    """Every magnet of a view, by its number."""
    return shaped(list[dict[str, JsonValue]], view["magnets"])


def on_board(x: float, y: float) -> JsonObject:
    """A magnet that lies flat there, in a view."""
    return {"where": "board", "owner": None, "pose": [x, y, 3.2, 1, 0, 0, 0]}


def with_magnets(view: JsonObject, elsewhere: Mapping[int, JsonObject]) -> JsonObject:
    """A view with some magnets elsewhere."""
    return changed(view, magnets=[{**one, **elsewhere.get(k, {})} for k, one in enumerate(magnets_of(view))])


def own(match: Match) -> tuple[int, ...]:
    """The stack of the player to move."""
    table = position(match).table
    return table.hands[table.player]


def put(magnet: int, x: float, y: float, standing: Standing = "flat", angle: float = 0.0) -> str:
    """The text of a turn that puts a magnet down."""
    return path_action(magnet, put_down(shape_of(magnet), x, y, standing, angle))


def outcome(board: Iterable[int], taken: Sequence[int] = (), quiet: float = 9.0) -> JsonObject:
    """What a turn might have led to: these lie on the board, somewhere, those were taken."""
    poses = {str(magnet): [25 * (magnet % 8) - 90, -100 + 40 * (magnet // 8), 3.2, 1, 0, 0, 0] for magnet in board}
    return {"board": poses, "taken": list(taken), "events": [], "quiet": quiet, "seconds": 1.0, "physics": "told"}


def told(match: Match, magnet: int | None = None, taken: Sequence[int] = ()) -> Mapping[str, Json]:
    """Play a turn of the player to move, with an outcome that is told rather than simulated; returns the view after it."""
    magnet = own(match)[0] if magnet is None else magnet
    lying = [one for one in (*position(match).table.board, magnet) if one not in taken]
    match.play(put(magnet, 0, 0), outcome(sorted(lying), taken))
    return match.position.view()


def nearly_done(players: int) -> JsonObject:
    """The first player is to move and has two magnets, the others three each; three lie on the board, far apart."""
    elsewhere: dict[int, JsonObject] = {0: on_board(-92, -96), 1: on_board(92, -96), 2: on_board(0, 92)}
    for magnet in range(3, 20):
        owner, number = divmod(magnet - 3, 3)
        mine = owner < players and (owner or number < 2)
        elsewhere[magnet] = {
            "where": "stack" if mine else "pouch",
            "owner": owner if mine else None,
            "pose": None,
        }
    return with_magnets({**begin(players).position.view(), "player": 0, "quiet": 0, "charged": None}, elsewhere)
