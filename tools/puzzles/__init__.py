"""Makers of puzzles, one module a game: `python -m tools.puzzles.GAME FILE` makes them, `… FILE grade` grades a file anew."""
