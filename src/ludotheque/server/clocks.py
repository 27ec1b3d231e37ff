"""The players' clocks: none, so long for every decision, or so long for the match with an increment.

When a clock runs out, what happens is the session's business; where time is stored is the table's log.
"""

from ludotheque.core import JsonObject
from ludotheque.server.schemas.tables import GameClock, MoveClock, NoClock


class Clocks:
    """What each seat has left, in seconds; one of them may be running since a moment (in seconds, monotonic)."""

    def __init__(self, kind: NoClock | MoveClock | GameClock, seats: int) -> None:
        self.kind = kind
        self.used = not isinstance(kind, NoClock)  # whether time matters at this table
        full = 0.0 if isinstance(kind, NoClock) else float(kind.seconds)
        self.left = [full] * seats
        self.running: int | None = None
        self.since = 0.0

    def stop(self, now: float) -> None:
        """Stop the clock that runs, taking off what it ran."""
        if self.running is not None:
            self.left[self.running] = max(0.0, self.left[self.running] - (now - self.since))
            self.running = None

    def acted(self, seat: int, now: float) -> None:
        """A seat has acted: its clock stops and gets what the rules of the clock give back."""
        self.stop(now)
        if isinstance(self.kind, MoveClock):
            self.left[seat] = float(self.kind.seconds)
        elif isinstance(self.kind, GameClock):
            self.left[seat] += self.kind.increment

    def rolled(self, seat: int, now: float) -> None:
        """A seat has had the dice rolled: a clock for each move starts afresh, one for the match just goes on."""
        self.stop(now)
        if isinstance(self.kind, MoveClock):
            self.left[seat] = float(self.kind.seconds)

    def fill(self, seat: int) -> None:
        """Give a seat the whole time again, for whoever takes it over."""
        if not isinstance(self.kind, NoClock):
            self.left[seat] = float(self.kind.seconds)

    def run(self, seat: int | None, now: float) -> None:
        """Let a seat's clock run, and no other."""
        if seat == self.running:
            return
        self.stop(now)
        self.running, self.since = seat, now

    def remaining(self, now: float) -> float | None:
        """What the running clock has left."""
        if self.running is None or not self.used:
            return None
        return self.left[self.running] - (now - self.since)

    def restore(self, left: list[float]) -> None:
        """Take up times from the log; nothing runs."""
        self.left = list(left)
        self.running = None

    def show(self, now: float, moment: int) -> JsonObject | None:
        """The clocks for clients."""
        if not self.used:
            return None
        left = [
            round(max(0.0, time - (now - self.since if seat == self.running else 0.0)), 3)
            for seat, time in enumerate(self.left)
        ]
        return {"left": left, "running": self.running, "now": moment}
