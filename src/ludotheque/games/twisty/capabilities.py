"""What Twisty can do beyond being played. What needs the compiler is imported when it is asked for."""

from collections.abc import Sequence
from typing import Final

from ludotheque.core import Capabilities, Event, Hints, Player, Position, resource
from ludotheque.games.twisty.study import count_facts
from ludotheque.kernels import DiscretePosition


def _bot(level: int) -> Player:
    from ludotheque.games.twisty.player import TwistyPlayer  # noqa: PLC0415

    return TwistyPlayer(level)


def _reasons(position: Position, better: Sequence[str], chosen: Sequence[str]) -> Sequence[Event]:
    """The way still to go, and what can be stolen next."""
    from ludotheque.games.twisty.reasons import why_better  # noqa: PLC0415

    assert isinstance(position, DiscretePosition)
    return list(why_better(position, better, chosen))


CAPABILITIES: Final = Capabilities(
    bots=_bot,
    hints=Hints(_reasons),
    study=count_facts,
    yardstick=resource("ludotheque.games.twisty", "yardstick.jsonl"),
    encoding="ludotheque.games.twisty.encoding",
    puzzles=resource("ludotheque.games.twisty", "puzzles.json"),
)
