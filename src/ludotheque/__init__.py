"""Ludothèque: four out-of-print board games for people and for programs.

Programs begin with `ludotheque.core` (games, matches, records, dice), `ludotheque.kernels` (compiled rules, batches, search) and
`ludotheque.bots` (bots); docs/environments.md shows them at work.
"""

__version__ = "0.1.0"
