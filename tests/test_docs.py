"""The documents stay true: their examples run, and the links, files, modules, commands and targets that they name exist."""

import doctest
import importlib
import importlib.util
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from ludotheque.cli.app import app
from test_layers import LAYERS

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


def commands_in(page: Path) -> Iterator[list[str]]:
    """What a page tells to type after `ludotheque`."""
    text = page.read_text("utf-8")
    lines = re.findall(r"`([^`\n]+)`", text)
    lines += [
        line
        for block in re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        for line in block.splitlines()
    ]
    for line in lines:
        if found := re.search(r"(?:^|[ /])ludotheque ([a-z][^#|]*)", line):
            yield re.sub(r"[\[\]]", "", found[1]).split()


def test_every_command_on_every_page_exists_with_its_options() -> None:
    told = [
        (page, words) for page in PAGES for words in commands_in(page) if words != ["dice", "1"]
    ]  # a text that is hashed
    assert len(told) > 30
    for page, words in told:
        command: Any = typer.main.get_command(app)
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        assert command.name != "ludotheque", f"{page.name}: ludotheque {' '.join(words)}"
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help"}
        asked = {word.partition("=")[0].rstrip(".,;:)") for word in words if word.startswith("--")}
        assert asked <= known, f"{page.name}: {command.name} has no {asked - known}"


def test_every_make_target_on_every_page_exists() -> None:
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    for page in PAGES:
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name}: make {target}"


GENERATED = {".git", ".venv", ".hypothesis", ".mypy_cache", ".ruff_cache", "__pycache__", "node_modules", "out"}
FOLDERS = ("src", "tests", "bench", "docs", "web", "tools", "requirements", ".ci")


@cache
def our_files() -> set[str]:
    """Every file of the repository and every folder that holds one, relative to its root."""
    files = []
    for folder, folders, names in os.walk(PROJECT):
        folders[:] = [name for name in folders if name not in GENERATED]
        files += [Path(folder, name).relative_to(PROJECT) for name in names]
    return {str(part) for file in files for part in (file, *file.parents)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_file_and_module_on_every_page_exists(page: Path) -> None:
    if page.name == "CHANGELOG.md":  # it also names what is gone
        return
    text = re.sub(
        r"^```\w+ title=.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )  # a reader's files
    known = our_files()
    names = {Path(name).name for name in known}
    missing = []
    for path in re.findall(rf"(?<![\w/.(-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w.*/<>-]+", text):
        if not re.search(r"GAME|DATE|[<>*]", path) and path.rstrip("/.") not in known:
            missing.append(path)
    for name in re.findall(r"`([\w.-]+\.(?:py|ts|js|mjs|svelte|toml|css))`", text):
        if name not in names:
            missing.append(name)
    for module in re.findall(r"python -m ((?:bench|tools|ludotheque)[\w.]*)", text):
        if not {f"{module.replace('.', '/')}{end}" for end in (".py", "/__main__.py")} & (
            known | {found.removeprefix("src/") for found in known}
        ):
            missing.append(module)
    for name in re.findall(r"`(ludotheque(?:\.\w+)+)", text):
        if not found(name):
            missing.append(name)
    assert not missing, f"{page.name} names what is not there"


def found(name: str) -> bool:
    """Whether there is such a module, or such a name in one."""
    module = name
    rest: list[str] = []
    while True:
        try:
            there = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            there = None
        if there is not None:
            break
        module, _, last = module.rpartition(".")
        rest.insert(0, last)
    if not rest:
        return True  # an adapter is there, whether or not its library is
    held: Any = importlib.import_module(module)
    for part in rest:
        if not hasattr(held, part):
            return False
        held = getattr(held, part)
    return True


def test_the_architecture_page_lists_the_layers_in_order() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
    table = page.partition("## Layers")[2].partition("## ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|", table, re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == [
        layer for layer in LAYERS if layer not in ("paths", "extras", "file_lock", "plotting", "manual")
    ]


@pytest.mark.parametrize(("section", "package"), [("The table", "table"), ("The server", "server")])
def test_every_module_on_the_architecture_page_exists(section: str, package: str) -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
    table = page.partition(f"## {section}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|", table, re.MULTILINE)
    folder = PROJECT / "src" / "ludotheque" / package
    there = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert len(listed) > 20
    assert listed <= there


def test_no_file_has_merge_markers() -> None:
    for name in sorted(our_files()):
        file = PROJECT / name
        if file.suffix in (".py", ".md", ".json", ".toml", ".ts", ".svelte", ".css", ".svg"):
            marks = re.findall(r"^(?:<{7}|>{7}) ", file.read_text("utf-8"), re.MULTILINE)
            assert not marks, name


def test_python_examples_run() -> None:
    for page in PAGES:
        result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
        assert result.failed == 0, page.name
    examples = re.findall(r"```python\n(from ludotheque.*?)```", (PROJECT / "README.md").read_text("utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
