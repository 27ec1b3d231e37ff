"""What Yikerz! can do beyond being played. What needs MuJoCo or the compiler is imported when it is asked for."""

from collections.abc import Sequence
from typing import Final

from ludotheque.core import Capabilities, Dice, EngineExtras, JsonObject, LiveTurn, Match, Player, Position, find_game
from ludotheque.games.yikerz.calls import LAST_YIKER
from ludotheque.games.yikerz.magnets.timing import SAMPLES_PER_SECOND


class _MagnetTurns:
    """Turns that stream: a hand with a magnet, 60 samples a second."""

    rate = SAMPLES_PER_SECOND

    def begin(self, position: Position, hand: JsonObject) -> LiveTurn:
        """Take a magnet in hand: {"magnet":7,"pose":[x,y,z,qw,qx,qy,qz]}."""
        from ludotheque.games.yikerz.live import begin_turn  # noqa: PLC0415

        return begin_turn(position, hand)

    def merged(self, before: JsonObject, after: JsonObject) -> JsonObject:
        """Two hands that come together; of one that numbers its poses none is lost."""
        from ludotheque.games.yikerz.numbered_hand import merged  # noqa: PLC0415

        return merged(before, after)

    def example(self, position: Position) -> Sequence[JsonObject]:
        """The first magnet of the player's stack, put down near the edge of a mat."""
        from ludotheque.games.yikerz.live import example_hands  # noqa: PLC0415

        return example_hands(position)


def _bot(level: int) -> Player:
    from ludotheque.games.yikerz.player import MagnetPlayer  # noqa: PLC0415

    return MagnetPlayer(level)


def _lab(request: JsonObject) -> JsonObject:
    from ludotheque.games.yikerz.lab import answer_lab  # noqa: PLC0415

    return answer_lab(request)


def _shapes(request: JsonObject) -> JsonObject:
    from ludotheque.games.yikerz.lab import answer_shapes  # noqa: PLC0415

    return answer_shapes(request)


def _physics(request: JsonObject) -> JsonObject:
    from ludotheque.games.yikerz.page_physics import answer_physics  # noqa: PLC0415

    return answer_physics(request)


def _warm_up() -> None:
    """One turn with a collapse, and one decision of a bot, use every kernel once."""
    match = Match(find_game("yikerz"), 1, {"magnets": 4}, dice=Dice("warm"))
    for action in ('{"layout":"pyramid"}', *(f'{{"deal":{magnet}}}' for magnet in range(4))):
        match.play(action)
    for typed in ("0 0 -40", "1 4 -40"):
        match.play(match.position.understand(typed))
    _bot(4).choose(match.position, seconds=0.01)


CAPABILITIES: Final = Capabilities(
    bots=_bot,
    live=_MagnetTurns(),
    calls=LAST_YIKER,
    warm_up=_warm_up,
    engine=EngineExtras({"lab": _lab, "shapes": _shapes, "physics": _physics}, tells_events=True),
)
