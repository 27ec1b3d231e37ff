"""`python -m tools.wasm [GAME…]`: build the modules of these games, or of all, and tell their sizes."""

import gzip
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from ludotheque.core import Game
from ludotheque.kernels import DiscreteGame
from ludotheque.kernels.cold_start import MODULE
from tools.wasm.compile import folder_of
from tools.wasm.link import build, games, physics


def install(game: Game, content: bytes) -> None:
    """Put a module into its game's folder, from which the server gives it to the page."""
    file = folder_of(game) / MODULE
    if not file.is_file() or file.read_bytes() != content:
        file.write_bytes(content)


def main() -> None:
    """Build and tell."""
    wanted = sys.argv[1:]
    all_games: list[Game] = [*games(), *physics()]
    found = [game for game in all_games if not wanted or game.name in wanted]
    if unknown := set(wanted) - {game.name for game in found}:
        raise SystemExit(
            f"There are no kernels of {', '.join(sorted(unknown))}; there are {', '.join(one.name for one in all_games)}."
        )
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each is built by a process of its own
        files = list(pool.map(build, found))
    for game, file in zip(found, files, strict=True):
        content = file.read_bytes()
        if not isinstance(game, DiscreteGame):
            install(game, content)
        print(
            f"{game.name}: {len(content) / 1000:.0f} kB, {len(gzip.compress(content, 9, mtime=0)) / 1000:.0f} kB compressed"
        )


if __name__ == "__main__":
    main()
