"""The players' clocks while a match is played. Their settings are in `settings`; what happens when one runs out, in `automatic`."""

from collections.abc import Sequence

from ludotheque.core import JsonObject
from ludotheque.table.settings import ClockSetting, GameClock, MoveClock, NoClock


class Clocks:
    """What each seat has left, in seconds; one clock may be running since a moment (seconds of the host's clock)."""

    def __init__(self, setting: ClockSetting, seats: int) -> None:
        self.setting = setting
        self.used = not isinstance(setting, NoClock)
        full = 0.0 if isinstance(setting, NoClock) else float(setting.seconds)
        self.left = [full] * seats
        self.running: int | None = None
        self.since = 0.0

    def stop(self, now: float) -> None:
        """Stop the running clock."""
        if self.running is not None:
            self.left[self.running] = max(0.0, self.left[self.running] - (now - self.since))
            self.running = None

    def pause(self) -> None:
        """Stop the running clock and give back what has run."""
        self.running = None

    def acted(self, seat: int, now: float) -> None:
        """A seat has acted: its clock stops and gets its increment, or its whole time for the next decision."""
        self.stop(now)
        if isinstance(self.setting, MoveClock):
            self.left[seat] = float(self.setting.seconds)
        elif isinstance(self.setting, GameClock):
            self.left[seat] += self.setting.increment

    def rolled(self, seat: int, now: float) -> None:
        """A seat's dice have rolled: a clock for each move starts afresh, one for the match goes on."""
        self.stop(now)
        if isinstance(self.setting, MoveClock):
            self.left[seat] = float(self.setting.seconds)

    def fill(self, seat: int) -> None:
        """Give a seat its whole time again, for whoever takes it over."""
        if not isinstance(self.setting, NoClock):
            self.left[seat] = float(self.setting.seconds)

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

    def restore(self, left: Sequence[float]) -> None:
        """Set the times that the log has; no clock runs."""
        self.left = list(left)
        self.running = None

    def json(self, now: float, moment: int) -> JsonObject | None:
        """The clocks in messages; None where time does not matter."""
        if not self.used:
            return None
        left = [
            round(max(0.0, time - (now - self.since if seat == self.running else 0.0)), 3)
            for seat, time in enumerate(self.left)
        ]
        return {"left": left, "running": self.running, "now": moment}
