"""What hatchling builds into a wheel beside the sources: the page, the WebAssembly modules of the games, and the browser edition.

The page is built by web/build_page.py, the modules by tools/wasm, the edition by tools/edition. An editable install has none of them.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # hatchling loads this file by its path
    sys.path.insert(0, str(ROOT))

from web.build_page import NODE_FROM_PYPI, build, machines_node  # noqa: E402

if TYPE_CHECKING:
    from hatchling.builders.config import BuilderConfig
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    Hook = BuildHookInterface[BuilderConfig]
else:
    try:
        from hatchling.builders.hooks.plugin.interface import BuildHookInterface as Hook
    except ImportError:  # the tests need only the functions
        Hook = object

COMPILERS: Final = ("mujoco", "numba", "platformdirs", "ziglang")
"""What tools/wasm needs of the packages that pyproject.toml names."""


def compilers() -> list[str]:
    """The requirements that compile the modules, with the versions of pyproject.toml."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    named = [*facts["project"]["dependencies"], *facts["dependency-groups"]["dev"]]
    return [one for one in named if one.startswith(COMPILERS)]


def run_tool(*words: str) -> None:
    """Run one of our tools from the sources: where a wheel is built, the package is not installed."""
    path = [str(ROOT / "src"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    subprocess.run([sys.executable, "-m", *words], cwd=ROOT, env=environment, check=True)


def modules() -> dict[str, str]:
    """Build the modules of the games: where each lies, and its place in the wheel."""
    run_tool("tools.wasm")
    return {
        str(file): f"ludotheque/games/{file.stem.replace('-', '_')}/kernels.wasm"
        for file in sorted((ROOT / "out" / "wasm").glob("*.wasm"))
    }


class WheelHook(Hook):
    """Makes the page, the modules and the browser edition a part of every wheel."""

    def dependencies(self) -> list[str]:
        """The compilers, and Node from PyPI where the machine has none."""
        return [*compilers(), *([] if machines_node() else [NODE_FROM_PYPI])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the files are collected."""
        if version == "editable":
            return
        build()
        build_data["force_include"].update(modules())
        run_tool("tools.edition", "--page")  # from the modules, beside the page
        build_data["artifacts"].append("src/ludotheque/server/page/**")
