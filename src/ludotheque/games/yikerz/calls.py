"""The last call at a table (Y14): how it is said, and what counts as taking a magnet up.

When it may be said is in `position`.
"""

from __future__ import annotations

from typing import Final

from ludotheque.core import BadView, Calls, IllegalAction, JsonObject, Position, Reader
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.magnets.path import read_path
from ludotheque.games.yikerz.magnets.poses import as_pose
from ludotheque.games.yikerz.magnets.problems import SceneRefused
from ludotheque.games.yikerz.text import read_action, write_action


def check_begin(position: Position, begun: JsonObject | str) -> None:
    """IllegalAction unless this takes up a magnet of the player to move: a hand, or the text of a whole turn.

    It reads views and options only, since the position may live in another process.
    """
    turn = read_action(begun) if isinstance(begun, str) else begun
    magnet = turn.get("magnet")
    view = Reader(position.view(), BadView)
    player = view.key("player").value
    own = [one.key("id").value for one in view.key("magnets").items() if one.key("owner").value == player]
    if isinstance(magnet, bool) or not isinstance(magnet, int) or magnet not in own:
        raise IllegalAction(text("play.not-yours", own=", ".join(map(str, own))))
    try:
        if isinstance(begun, str):
            limit = position.options["hand_seconds"]
            read_path(turn.get("path"), turn.get("release"), limit if isinstance(limit, int) else None)
        else:
            as_pose(turn.get("pose"))
    except SceneRefused as refused:
        raise IllegalAction(refused.text) from refused


LAST_YIKER: Final = Calls(write_action({"call": "last"}), text("call.about"), text("call.untimely"), check_begin)
