"""Stand-ins: for a position that is not known here, since it lives in another process or its rules are no longer installed, and
for a game that is not installed at all.
"""

from ludotheque.core import Game, Json, JsonObject, Legal, Options, Paint, Position, SetupDice, Step, ToMove, plain


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


class MissingGame(Game):
    """A game that is not installed. It offers no version of its rules, so its tables are kept as they are."""

    rules_version = 0
    seats = ()
    package = "ludotheque"

    def start(self, players: int, options: Options, dice: SetupDice) -> Position:
        """Never: there are no rules."""
        raise NotImplementedError

    def from_view(self, view: JsonObject, players: int, options: Options) -> Position:
        """Never: there are no rules."""
        raise NotImplementedError

    def seat_name(self, seat: int, language: str) -> str:
        """The seat's number."""
        del language
        return str(seat + 1)


def missing_game(name: str) -> Game:
    """What stands for a game that is not installed."""
    game: Game = type("Missing", (MissingGame,), {"name": name, "title": name})()
    return game
