"""The documents stay true: their examples run, their links lead somewhere, and they never point outside the repository."""

import doctest
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        assert "://" not in target, f"{page.name} points outside: {target}"
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), f"{page.name}: {target}"
        if anchor:
            names = [slug(heading) for heading in re.findall(r"^#+ (.+)$", other.read_text("utf-8"), re.MULTILINE)]
            numbered = {
                name if names[:place].count(name) == 0 else f"{name}-{names[:place].count(name)}"
                for place, name in enumerate(names)
            }
            assert anchor in numbered, f"{page.name}: {target}"


def test_python_examples_run() -> None:
    for page in PAGES:
        result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
        assert result.failed == 0, page.name
    examples = re.findall(r"```python\n(from ludotheque.*?)```", (PROJECT / "README.md").read_text("utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
