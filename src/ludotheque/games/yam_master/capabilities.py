"""What Yam Master can do beyond being played. What needs the compiler is imported when it is asked for."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ludotheque.core import Capabilities, Event, Hints, Player, Position, Weights, resource
from ludotheque.games.yam_master.study import count_facts

if TYPE_CHECKING:
    from ludotheque.kernels.self_play import SelfPlay


def _bot(level: int) -> Player:
    from ludotheque.games.yam_master.player import YamPlayer  # noqa: PLC0415

    return YamPlayer(level)


def _bot_with(level: int, file: Path) -> Player:
    from ludotheque.bots.networks import read_weights  # noqa: PLC0415
    from ludotheque.games.yam_master.features import FEATURES  # noqa: PLC0415
    from ludotheque.games.yam_master.player import YamPlayer  # noqa: PLC0415

    return YamPlayer(level, network=read_weights(file, FEATURES))


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
    return {} if position.over else {spoken(name): chance for name, chance in odds(position).items()}


def _self_play() -> "SelfPlay":
    from ludotheque.games.yam_master.self_play import SELF_PLAY  # noqa: PLC0415

    return SELF_PLAY


CAPABILITIES: Final = Capabilities(
    bots=_bot,
    weights=Weights((files("ludotheque.games.yam_master") / "weights.npz").read_bytes, _bot_with),
    hints=Hints(_reasons, _odds),
    study=count_facts,
    self_play=_self_play,
    yardstick=resource("ludotheque.games.yam_master", "yardstick.jsonl"),
    encoding="ludotheque.games.yam_master.encoding",
    puzzles=resource("ludotheque.games.yam_master", "puzzles.json"),
)
