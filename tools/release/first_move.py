"""How long a newcomer waits: `ludotheque play GAME` in a terminal, with nothing compiled, until a bot of level 3 has moved.

`python -m tools.release.first_move [BIN]` tells it for each discrete game; BIN is the folder of an installation's commands.
`make test-install` does it in a fresh one.
"""

import os
import pty
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

GAMES: Final = ("yam-master", "wykersham", "twisty")
PROMPT: Final = b"You can:"  # the bot has moved, and the person is asked
LONGEST: Final = 300.0  # seconds


class Waited(NamedTuple):
    """What passed until the bot had moved: on the clock, and of the processor's time."""

    seconds: float
    processor: float


def first_move(bin_folder: Path, game: str, environment: Mapping[str, str], **settings: Any) -> Waited:
    """Play in a pseudo-terminal against a bot that begins; AssertionError if it never moves."""
    ours, theirs = pty.openpty()
    command = [str(bin_folder / "ludotheque"), "play", game, "--seat", "bot:3", "--seat", "human", "--seed", "first"]
    streams: dict[str, Any] = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    began = time.monotonic()
    process = subprocess.Popen(command, env=dict(environment), start_new_session=True, **streams, **settings)
    os.close(theirs)
    shown = b""
    try:
        while PROMPT not in shown:
            assert time.monotonic() - began < LONGEST, shown.decode(errors="replace")
            try:
                shown += os.read(ours, 65536)
            except OSError as error:  # the terminal was closed
                raise AssertionError(shown.decode(errors="replace")) from error
        seconds = time.monotonic() - began
    finally:
        process.kill()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        os.close(ours)
    return Waited(seconds, used.ru_utime + used.ru_stime)


def table(waited: Mapping[str, Waited]) -> str:
    """The times as Markdown."""
    rows = [f"| {game} | {one.seconds:.1f} s | {one.processor:.1f} s |" for game, one in waited.items()]
    return "\n".join(["| first move of a bot of level 3 | wall | processor |", "|---|---|---|", *rows])


def main() -> None:
    """Measure an installation; each game with an empty cache."""
    bin_folder = Path(sys.argv[1] if sys.argv[1:] else Path(sys.executable).parent).absolute()
    waited = {}
    for game in GAMES:
        with tempfile.TemporaryDirectory() as home:
            own = {"LUDOTHEQUE_DATA": f"{home}/data", "LUDOTHEQUE_CACHE": f"{home}/cache", "LC_ALL": "C.UTF-8"}
            waited[game] = first_move(bin_folder, game, {**os.environ, "LANG": "C.UTF-8", **own})
    print(table(waited))


if __name__ == "__main__":
    main()
