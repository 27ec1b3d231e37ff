"""Every example of docs/protocol.md is run: the answers are those of the engine, "…" standing for any value."""

import re
from pathlib import Path

import pytest

from ludotheque.core import Json, parse
from ludotheque.engine import Engine

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text("utf-8")
EXAMPLES = [block for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) if block.startswith("> ")]


def fits(expected: Json, found: Json) -> bool:
    if expected == "…":
        return True
    if isinstance(expected, dict) and isinstance(found, dict):
        return set(expected) == set(found) and all(fits(expected[key], found[key]) for key in expected)
    if isinstance(expected, list) and isinstance(found, list):
        if "…" in expected:  # some are left out
            return all(any(fits(one, other) for other in found) for one in expected if one != "…")
        return len(expected) == len(found) and all(map(fits, expected, found))
    if isinstance(expected, float):
        return found == pytest.approx(expected, abs=1e-6)
    return expected == found


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 12


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: re.sub(r"\W+", " ", example)[:40])
def test_an_example_is_answered_as_the_page_says(example: str) -> None:
    engine = Engine()
    lines = example.strip().splitlines()
    for request, answer in zip(lines[::2], lines[1::2], strict=True):
        assert request.startswith("> ")
        assert answer.startswith("< ")
        found = engine.answer(request[2:].encode())
        assert found is not None
        assert fits(parse(answer[2:]), parse(found)), f"{request}\nexpected {answer[2:]}\nfound    {found.decode()}"
