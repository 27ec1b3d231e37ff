"""The layers of docs/architecture.md: a package imports only itself and those above it in LAYERS, in functions and for types too."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src" / "ludotheque"
LAYERS = (
    "core",
    "paths",
    "extras",
    "file_lock",
    "plotting",
    "manual",
    "kernels",
    "bots",
    "conformance",
    "games",
    "envs",
    "table",
    "engine",
    "arena",
    "analysis",
    "training",
    "answers",
    "browser",
    "server",
    "cli",
)
ROOT = ("__init__", "__main__")  # the version, and `python -m ludotheque`


@cache
def imported(file: Path) -> frozenset[str]:
    """The modules that a file imports, wherever the import stands."""
    return frozenset(_imported(file))


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = ("ludotheque", *file.relative_to(SOURCES).parts)[: -node.level] if node.level else ()
            module = ".".join([*around, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def layer(module: str) -> str | None:
    """The layer of a module of ours; None for others' and for the package itself."""
    parts = module.split(".")
    if parts[0] != "ludotheque" or len(parts) == 1:
        return None
    return parts[1] if (SOURCES / parts[1]).is_dir() or (SOURCES / f"{parts[1]}.py").is_file() else None


def upward() -> set[tuple[str, str]]:
    found = set()
    for file in sorted(SOURCES.rglob("*.py")):
        own = file.relative_to(SOURCES).with_suffix("").parts[0]
        if own in ROOT:
            continue
        for module in imported(file):
            other = layer(module)
            if other is not None and LAYERS.index(other) > LAYERS.index(own):
                found.add((file.relative_to(SOURCES).as_posix(), f"ludotheque.{other}"))
    return found


def test_every_package_has_its_layer() -> None:
    there = {path.stem for path in SOURCES.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert there - set(ROOT) == set(LAYERS)


def test_no_layer_imports_from_one_below() -> None:
    assert upward() == set()


@pytest.mark.parametrize("game", sorted(path.name for path in (SOURCES / "games").iterdir() if path.is_dir()))
def test_no_game_knows_another_and_nobody_above_knows_it(game: str) -> None:
    for file in sorted(SOURCES.rglob("*.py")):
        parts = file.relative_to(SOURCES).parts
        if parts[:2] == ("games", game) or parts[0] in ROOT:
            continue
        for module in imported(file):
            if module.startswith(f"ludotheque.games.{game}"):
                assert (file.relative_to(SOURCES).as_posix(), game) in NAMED, file


NAMED = {("cli/doctor.py", "yikerz"), ("cli/lab.py", "yikerz"), ("envs/yikerz.py", "yikerz")}
"""Files outside a game that name it: whether MuJoCo is as we know it (`ludotheque doctor`), Yikerz!'s laboratory (`ludotheque lab`)
and its environment of continuous actions."""


def test_core_and_table_need_the_standard_library_alone() -> None:
    """In a browser's worker there is nothing else."""
    foreign = {"asyncio", "fastapi", "numba", "numpy", "orjson", "picows", "pydantic", "sqlalchemy", "uvicorn"}
    for package in ("core", "table"):
        for file in sorted((SOURCES / package).rglob("*.py")):
            used = {module.split(".")[0] for module in imported(file)}
            assert not used & foreign, f"{file}: {used & foreign}"


def test_answers_and_the_browsers_host_need_none_of_the_servers_libraries() -> None:
    foreign = {"asyncio", "fastapi", "numba", "numpy", "orjson", "picows", "pydantic", "sqlalchemy", "uvicorn"}
    for package in ("answers", "browser"):
        for file in sorted((SOURCES / package).rglob("*.py")):
            used = {module.split(".")[0] for module in imported(file)}
            assert not used & foreign, f"{file}: {used & foreign}"


def test_the_server_does_not_use_the_browsers_host() -> None:
    for file in sorted((SOURCES / "server").rglob("*.py")):
        assert "browser" not in {layer(module) for module in imported(file)}, file


def test_tools_and_benchmarks_are_used_by_no_runtime_package() -> None:
    for file in sorted(SOURCES.rglob("*.py")):
        used = {module.split(".")[0] for module in imported(file)}
        assert not used & {"bench", "tools", "tests"}, file
