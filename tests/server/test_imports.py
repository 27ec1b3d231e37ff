"""No module of a host, of its answers or of the table imports another that imports it, in functions and for types either."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "ludotheque"


def imports(package: str) -> dict[str, set[str]]:
    """The modules of a package, and which of its modules each one imports."""
    files = {
        ".".join(("ludotheque", *file.relative_to(SOURCES).with_suffix("").parts)).removesuffix(".__init__"): file
        for file in (SOURCES / package).rglob("*.py")
    }
    found: dict[str, set[str]] = {}
    for name, file in files.items():
        wanted: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted |= {one if one in files else node.module for one in whole}
            elif isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
        found[name] = wanted & set(files) - {name}
    return found


@pytest.mark.parametrize("package", ["answers", "browser", "server", "table"])
def test_no_modules_import_each_other(package: str) -> None:
    try:
        TopologicalSorter(imports(package)).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))
