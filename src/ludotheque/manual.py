"""The manual for players, hosts and programmers: pages of `docs` that are also in the package, for `ludotheque help` and for the page.

In a wheel they are in `pages` beside this module (pyproject.toml puts them there); in a checkout they are read from `docs` itself.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from ludotheque.core import BadRequest
from ludotheque.core.catalogue import FALLBACK
from ludotheque.core.problems import nearest, shortened

PACKAGED: Final = Path(__file__).parent / "pages"
CHECKOUT: Final = Path(__file__).parents[2]
LINK: Final = re.compile(r"!?\[([^\]]+)\]\(([^)\s]+)\)")


class Topic(NamedTuple):
    """A page of the manual: its file in a checkout. `*` in it is the language, where it is written in several."""

    name: str
    file: str
    hosts: bool = False
    """Whether it is for those who run a server or write programs and games: in English only."""


TOPICS: Final = (
    Topic("playing", "docs/players/playing.*.md"),
    Topic("friends", "docs/players/friends.*.md"),
    Topic("learning", "docs/players/learning.*.md"),
    Topic("dice", "docs/players/dice.*.md"),
    Topic("access", "docs/players/access.*.md"),
    Topic("installing", "docs/installing.md", hosts=True),
    Topic("hosting", "docs/hosting.md", hosts=True),
    Topic("operating", "docs/operating.md", hosts=True),
    Topic("reverse-proxy", "docs/reverse-proxy.md", hosts=True),
    Topic("security", "SECURITY.md", hosts=True),
    Topic("protocol", "docs/protocol.md", hosts=True),
    Topic("network", "docs/network.md", hosts=True),
    Topic("tutorial", "docs/tutorial.md", hosts=True),
    Topic("add-a-game", "docs/add-a-game.md", hosts=True),
)
"""For players first, then for hosts, then for programmers."""


def find_topic(name: str) -> Topic:
    """The topic of that name; BadRequest says which there are."""
    for topic in TOPICS:
        if topic.name == name:
            return topic
    names = [topic.name for topic in TOPICS]
    near = nearest(name, names)
    raise BadRequest("manual.unknown", name=shortened(name), names=", ".join([near] if near else names))


@cache
def _read(topic: Topic, language: str) -> str:
    folder = PACKAGED if PACKAGED.is_dir() else CHECKOUT
    file = folder / topic.file.replace("*", language)
    if not file.is_file():
        file = folder / topic.file.replace("*", FALLBACK)
    return file.read_text("utf-8")


def page(name: str, language: str, address: Callable[[str], str | None] = lambda _topic: None) -> str:
    """A page in Markdown, in English where it is in no other language. Links to other topics lead where `address` says.

    Other links, and those for which it says None, become plain words; so does the link to the same page in another language.
    """
    topic = find_topic(name)
    lines = _read(topic, language).splitlines()
    kept = [line for line in lines if not re.fullmatch(rf"\[[^\]]+\]\({name}\.\w+\.md\)", line)]

    def relink(link: re.Match[str]) -> str:
        file = link[2].partition("#")[0].rpartition("/")[2]
        led = next(
            (one for one in TOPICS if one.file.rpartition("/")[2] in (file, re.sub(r"\.\w+\.md$", ".*.md", file))), None
        )
        where = address(led.name) if led else None
        return link[1] if where is None else f"[{link[1]}]({where})"

    return re.sub(r"\n{3,}", "\n\n", LINK.sub(relink, "\n".join(kept))) + "\n"


def title(name: str, language: str) -> str:
    """The heading of a page."""
    return _read(find_topic(name), language).partition("\n")[0].removeprefix("# ")
