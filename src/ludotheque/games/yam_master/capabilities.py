"""What Yam Master can do beyond being played. What needs the compiler is imported when it is asked for."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ludotheque.core import Capabilities, Event, Hints, Player, Position, resource
from ludotheque.games.yam_master.study import count_facts

if TYPE_CHECKING:
    from ludotheque.kernels.self_play import SelfPlay


def _bot(level: int) -> Player:
    from ludotheque.games.yam_master.player import YamPlayer  # noqa: PLC0415

    return YamPlayer(level)


def _reasons(position: Position, better: Sequence[str], chosen: Sequence[str]) -> Sequence[Event]:
    """What the dice may bring, and what a pawn opens or stops."""
    from ludotheque.games.yam_master.reasons import why_better  # noqa: PLC0415
    from ludotheque.kernels import DiscretePosition  # noqa: PLC0415

    assert isinstance(position, DiscretePosition)
    return why_better(position, better[0], chosen[0])


def _odds(position: Position) -> Mapping[str, float]:
    """For each combination with a free cell: the chance to place on it this turn, by going for nothing else."""
    from ludotheque.games.yam_master.player import odds  # noqa: PLC0415
    from ludotheque.games.yam_master.reasons import spoken  # noqa: PLC0415
    from ludotheque.kernels import DiscretePosition  # noqa: PLC0415

    assert isinstance(position, DiscretePosition)
    return {} if position.over else {spoken(name): chance for name, chance in odds(position.state).items()}


def _self_play() -> "SelfPlay":
    from ludotheque.games.yam_master.self_play import SELF_PLAY  # noqa: PLC0415

    return SELF_PLAY


CAPABILITIES: Final = Capabilities(
    bots=_bot,
    hints=Hints(_reasons, _odds),
    study=count_facts,
    self_play=_self_play,
    puzzles=resource("ludotheque.games.yam_master", "puzzles.json"),
)
