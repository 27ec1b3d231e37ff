"""The compiler as a process of its own: `python -m ludotheque.kernels.compile_ahead GAME` fills the cache. `cold_start` runs it.

It yields to everything else on the machine, and ends when its standard input does: then whoever started it has ended.
"""

import os
import sys
import threading
from contextlib import suppress
from typing import Final

NICENESS: Final = 10


def main() -> None:
    """Compile the rules and kernel entries of a game."""
    threading.Thread(target=_end_with_input, name="end with input", daemon=True).start()
    if sys.platform != "win32":
        with suppress(OSError):  # not everywhere is it allowed
            os.nice(NICENESS)
    from ludotheque.core import find_game  # noqa: PLC0415 - only now, with the lower priority
    from ludotheque.kernels import DiscreteGame  # noqa: PLC0415
    from ludotheque.kernels.entries import LocalKernels  # noqa: PLC0415

    game = find_game(sys.argv[1])
    assert isinstance(game, DiscreteGame)
    _ = game.rules.compiled
    LocalKernels(game.rules).compile()


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
