"""What a turn led to, as the log keeps it (Y20): made by turn.py, read back from records and from the network."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludotheque.core import IllegalAction, Json, JsonObject, Reader
from ludotheque.games.yikerz.catalogue import text
from ludotheque.games.yikerz.film import read_frames
from ludotheque.games.yikerz.magnets.poses import Pose, as_pose
from ludotheque.games.yikerz.magnets.problems import SceneRefused
from ludotheque.games.yikerz.table import Board, Table


def neat_pose(pose: Iterable[float]) -> Pose:
    """A pose as views and records write it: to a ten-thousandth of a millimetre."""
    x, y, z, w, a, b, c = (round(float(number), 4) + 0.0 for number in pose)
    return x, y, z, w, a, b, c


@dataclass(frozen=True)
class Outcome:
    """What a turn led to; together with the action, all that a record needs (Y20)."""

    board: Board
    taken: tuple[int, ...]
    """What the player must take, in the order of taking."""
    events: tuple[JsonObject, ...]
    """What the physics did, as the protocol tells it."""
    quiet: float
    """Seconds that are left of the quiet time (Y13), 0 if it has passed."""
    seconds: float
    """How long the turn took until then."""
    physics: str = ""
    frames: tuple[JsonObject, ...] = ()
    """The turn as a film, for those who did not see it (film.py)."""

    def json(self) -> JsonObject:
        """For the log."""
        return {
            "board": {str(magnet): list(pose) for magnet, pose in self.board.items()},
            "taken": list(self.taken),
            "events": list(self.events),
            "quiet": self.quiet,
            "seconds": self.seconds,
            "physics": self.physics,
            "frames": list(self.frames),
        }


def read_outcome(outcome: Json, table: Table, magnet: int | None) -> Outcome:
    """What the log kept; it must account for every piece that was on the board, and for the one played."""
    reader = Reader(outcome, IllegalAction, "outcome")
    board: dict[int, Pose] = {}
    for number, pose in reader.key("board").object().items():
        try:
            board[int(number)] = neat_pose(as_pose(pose))
        except SceneRefused as refused:
            reader.key("board").key(number).fail(refused.text)
        except ValueError:
            reader.key("board").fail(text("outcome.magnet-number"))
    taken = tuple(one.integer(0, table.settings.magnets - 1) for one in reader.key("taken").items(most=100))
    expected = sorted([*table.board, *([magnet] if magnet is not None else [])])
    if sorted([*board, *taken]) != expected:
        reader.fail(text("outcome.other-pieces"))
    events = tuple(one.object() for one in reader.key("events").items(most=1000))
    quiet = reader.key("quiet").number(0, table.settings.quiet_seconds)
    seconds = reader.key("seconds").number(0, 100_000)
    physics = reader.key("physics").text(100)
    # Records from before there were films have none.
    frames = read_frames(reader.key("frames"), table.settings.magnets) if reader.has("frames") else ()
    return Outcome(board, taken, events, quiet, seconds, physics, frames)
