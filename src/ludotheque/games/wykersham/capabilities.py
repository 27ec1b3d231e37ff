"""What Wykersham can do beyond being played. What needs the compiler is imported when it is asked for."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ludotheque.core import Capabilities, Event, Hints, Match, Player, Position, Weights, resource
from ludotheque.games.wykersham.study import count_facts

if TYPE_CHECKING:
    from ludotheque.kernels.self_play import SelfPlay


def _bot(level: int) -> Player:
    from ludotheque.games.wykersham.player import WykershamPlayer  # noqa: PLC0415

    return WykershamPlayer(level)


def _bot_with(level: int, file: Path) -> Player:
    from ludotheque.bots.networks import read_weights  # noqa: PLC0415
    from ludotheque.games.wykersham.features import FEATURES  # noqa: PLC0415
    from ludotheque.games.wykersham.player import WykershamPlayer  # noqa: PLC0415

    return WykershamPlayer(level, network=read_weights(file, FEATURES))


def _reasons(position: Position, better: Sequence[str], chosen: Sequence[str]) -> Sequence[Event]:
    """The marbles that a turn wins, and what it lets the other win."""
    from ludotheque.games.wykersham.reasons import why_better  # noqa: PLC0415
    from ludotheque.kernels import DiscretePosition  # noqa: PLC0415

    assert isinstance(position, DiscretePosition)
    return list(why_better(position, better, chosen))


def _study(match: Match) -> Mapping[str, float]:
    return count_facts(match.events())


def _self_play() -> "SelfPlay":
    from ludotheque.games.wykersham.self_play import SELF_PLAY  # noqa: PLC0415

    return SELF_PLAY


CAPABILITIES: Final = Capabilities(
    bots=_bot,
    weights=Weights((files("ludotheque.games.wykersham") / "weights.npz").read_bytes, _bot_with),
    hints=Hints(_reasons),
    study=_study,
    self_play=_self_play,
    yardstick=resource("ludotheque.games.wykersham", "yardstick.jsonl"),
    encoding="ludotheque.games.wykersham.encoding",
    puzzles=resource("ludotheque.games.wykersham", "puzzles.json"),
)
