"""What the browser edition is put together from: nothing that its modules import has been left out."""

import ast
import sys
from pathlib import Path

import pytest

from tools.edition.host_files import PYODIDE, UNUSED, add_notice, modules, playable
from tools.release.sbom import page_components


def imported() -> set[str]:
    """The roots of all modules that are imported in what goes into the zip."""
    found: set[str] = set()
    for file in modules(playable()):
        if file.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found


def test_no_part_of_the_standard_library_is_left_out_that_is_imported() -> None:
    roots = imported()
    assert {"json", "dataclasses", "hashlib"} <= roots
    assert not roots & set(UNUSED.split())


def test_what_is_left_out_is_of_the_standard_library() -> None:
    unknown = set(UNUSED.split()) - set(sys.stdlib_module_names)
    assert unknown <= {"_pydatetime", "_pyrepl", "lib2to3"}, "of other versions of Python"


@pytest.mark.skipif(not PYODIDE.is_dir(), reason="npm's packages are not installed here")
def test_what_the_edition_brings_is_named_among_the_licences_once(tmp_path: Path) -> None:
    notices = tmp_path / "notices.txt"
    notices.write_text("The page.\n\n## svelte 5.57.3 (MIT)\n\nText\n", "utf-8")
    for _ in range(2):
        add_notice(tmp_path)
    named = [(one.name, one.licence) for one in page_components(notices.read_text("utf-8"))]
    assert named == [("svelte", "MIT"), ("pyodide", "MPL-2.0")]
    assert notices.read_text("utf-8").count("Python Software Foundation") == 1
