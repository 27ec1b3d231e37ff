"""The pages of the environments: the same sections, and the tables that the encodings have; the citation names this version."""

import re
from pathlib import Path

import pytest

from ludotheque import __version__, envs
from tools import reference

PROJECT = Path(__file__).parents[2]
PAGES = PROJECT / "docs" / "envs"
SECTIONS = ["Spaces", "Rewards", "Symmetries", "Size of the game", "Baselines", "Speed"]


@pytest.mark.parametrize("page", ["yam-master", "wykersham", "twisty", "yikerz"])
def test_every_page_has_the_same_sections(page: str) -> None:
    assert re.findall(r"^## (.+)$", (PAGES / f"{page}.md").read_text("utf-8"), re.MULTILINE) == SECTIONS


@pytest.mark.parametrize("page", ["yam-master", "wykersham", "twisty"])
def test_a_page_tells_the_parts_of_an_observation(page: str) -> None:
    text = (PAGES / f"{page}.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\d ×]+) \| (-?\d+) to (-?\d+) \| (.+) \|$", text, re.MULTILINE)
    told = [
        (name, tuple(map(int, shape.split(" × "))), int(low), int(high), meaning)
        for name, shape, low, high, meaning in rows
    ]
    assert told == [tuple(feature) for feature in envs.encoding(page).features]
    assert f"{envs.encoding(page).num_actions} actions" in text
    assert f"{envs.encoding(page).observation_size:,} numbers" in text


def test_the_citation_is_of_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (PROJECT / "CITATION.cff").read_text("utf-8")


def test_the_reference_is_made_from_the_sources() -> None:
    assert (PAGES / "reference.md").read_text("utf-8") == reference.page(), "python -m tools.reference writes it anew"


@pytest.mark.slow
@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium", "pyspiel"])
def test_the_examples_for_other_libraries_run(library: str) -> None:
    """Those without a prompt, which the tests of all pages leave out."""
    pytest.importorskip(library, reason=f"{library} is not installed: make test-envs installs it")
    text = (PROJECT / "docs" / "environments.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(?!>>>)(.*?)^```", text, re.DOTALL | re.MULTILINE)
    own = [block for block in blocks if library in block]
    assert len(own) == 1
    exec(compile(own[0], library, "exec"), {})
