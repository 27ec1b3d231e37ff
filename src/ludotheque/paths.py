"""Where the program keeps things: its data and its cache. What lies in them is written by those who use them.

The data are the player's and the operator's; the cache can be made again and may be deleted at any time.
"""

import os
from pathlib import Path
from typing import Final

import platformdirs

DATA_VARIABLE: Final = "LUDOTHEQUE_DATA"
CACHE_VARIABLE: Final = "LUDOTHEQUE_CACHE"


def data_folder() -> Path:
    """The folder of the tables, their key and the matches of the terminal; LUDOTHEQUE_DATA names another place."""
    named = os.environ.get(DATA_VARIABLE)
    return Path(named) if named else platformdirs.user_data_path("ludotheque", appauthor=False)


def matches_folder() -> Path:
    """The folder of the matches played in the terminal."""
    return data_folder() / "matches"


def database_file() -> Path:
    """The database of a server that was given no other."""
    return data_folder() / "tables.sqlite"


def cache_root() -> Path:
    """Where compiled rules are kept; LUDOTHEQUE_CACHE names another place."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else platformdirs.user_cache_path("ludotheque", appauthor=False) / "rules"


def compiler_lock() -> Path:
    """The name in the cache that whoever compiles locks (`file_lock`)."""
    return cache_root() / "compiling"
