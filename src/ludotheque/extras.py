"""The extras of the package: what each one adds, whether it is here, and the line to type that adds it.

A command that needs one asks before it begins, and passes `line_that_adds` on to the reader.
"""

import json
import shlex
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

PACKAGE: Final = "ludotheque"
MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "envs": ("gymnasium", "pettingzoo", "pyspiel"),
    "plot": ("matplotlib",),
    "postgres": ("psycopg",),
    "ray": ("ray",),
    "torch": ("torch",),
}
"""The modules that tell whether an extra is installed."""


def is_installed(extra: str) -> bool:
    """Whether everything of an extra can be imported."""
    return all(find_spec(module) is not None for module in MODULES[extra])


def line_that_adds(extra: str) -> str:
    """What to type to add an extra to this installation: the way it was installed is the way it is extended."""
    prefix = [part.lower() for part in Path(sys.prefix).parts]
    if "pipx" in prefix:
        return f"pipx install --force {_quoted(_requirement(extra))}"
    if "uv" in prefix and "tools" in prefix:
        return f"uv tool install {_quoted(_requirement(extra))}"
    if "uv" in prefix:  # uvx keeps its environments in uv's cache
        return f"uvx --from {_quoted(_requirement(extra))} {PACKAGE}"
    editable = _source()[1]
    return f"{_quoted(sys.executable)} -m pip install {'-e ' if editable else ''}{_quoted(_requirement(extra))}"


def _requirement(extra: str) -> str:
    """The package with an extra, from where this one came: an index, a wheel, or a folder with sources."""
    file, _ = _source()
    return f"{PACKAGE}[{extra}]" if file is None else f"{file}[{extra}]"


def _source() -> tuple[Path | None, bool]:
    """The wheel or folder that this package was installed from, and whether it is used in place; None for an index."""
    try:
        told = distribution(PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        return None, False
    origin = json.loads(told) if told else {}
    address = urlsplit(origin.get("url", ""))
    if address.scheme != "file":
        return None, False
    return Path(url2pathname(unquote(address.path))), bool(origin.get("dir_info", {}).get("editable"))


def _quoted(word: str) -> str:
    """A word as the reader's shell takes it; cmd.exe knows double quotes only."""
    if sys.platform == "win32":
        return f'"{word}"' if any(letter in word for letter in " []&^") else word
    return shlex.quote(word)
