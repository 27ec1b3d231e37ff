"""Packages of games, installed as their makers install them, into a folder of the test's own; and commands run beside them."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Installed:
    """A folder with installed packages."""

    folder: Path

    def install(self, package: Path) -> None:
        """By pip from the package's own pyproject.toml; without the network, so without what it depends on."""
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index"]
        pip += ["--no-deps", "--no-build-isolation", "--target", str(self.folder), str(package)]
        done = subprocess.run(pip, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, *command: str, cwd: Path | None = None, typed: str = "") -> "subprocess.CompletedProcess[str]":
        """A Python command that sees what is installed here; its output is plain and English."""
        path = os.pathsep.join([str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {
            **os.environ,
            "PYTHONPATH": path,
            "LUDOTHEQUE_CACHE": str(self.folder.parent / "cache"),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return subprocess.run(
            [sys.executable, *command],
            env=environment,
            cwd=cwd,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=1200,
        )
