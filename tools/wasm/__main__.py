"""`python -m tools.wasm [GAME…]`: build the modules of these games, or of all, and tell their sizes."""

import gzip
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from tools.wasm.link import build, games


def main() -> None:
    """Build and tell."""
    wanted = sys.argv[1:]
    found = [game for game in games() if not wanted or game.name in wanted]
    if unknown := set(wanted) - {game.name for game in found}:
        raise SystemExit(
            f"There are no kernels of {', '.join(sorted(unknown))}; there are {', '.join(one.name for one in games())}."
        )
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each is built by a process of its own
        files = list(pool.map(build, found))
    for game, file in zip(found, files, strict=True):
        content = file.read_bytes()
        print(
            f"{game.name}: {len(content) / 1000:.0f} kB, {len(gzip.compress(content, 9, mtime=0)) / 1000:.0f} kB compressed"
        )


if __name__ == "__main__":
    main()
