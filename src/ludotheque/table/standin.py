"""A stand-in for a position that is not known here: it lives in another process, or its rules are no longer installed."""

from ludotheque.core import Game, Json, JsonObject, Legal, Options, Paint, Position, Step, ToMove, plain


class StandIn(Position):
    """Nothing can be done in it. `view` is what the log kept of it, if anything."""

    def __init__(self, game: Game, players: int, options: Options, view: JsonObject | None = None) -> None:
        self.game, self.players, self.options = game, players, options
        self._view: JsonObject = view or {}

    @property
    def to_move(self) -> ToMove:
        """Nobody."""
        return None

    def legal(self) -> Legal:
        """Nothing."""
        return Legal(())

    def play(self, action: str, outcome: Json = None) -> Step:
        """Never: the rules are elsewhere."""
        raise NotImplementedError

    def view(self) -> JsonObject:
        """What the log kept."""
        return self._view

    def returns(self) -> tuple[float, ...]:
        """Not known."""
        return ()

    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """Never: there is nothing to be seen."""
        raise NotImplementedError
