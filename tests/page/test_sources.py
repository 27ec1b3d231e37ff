"""The page's own unit tests and its types."""

import shutil
import subprocess
from pathlib import Path

import pytest

from page.site import PROJECT


@pytest.mark.parametrize("what", ["test", "check"])
def test_the_page_passes_its_own_checks(built: Path, what: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine: the page was built with PyPI's")
    told = subprocess.run(
        [npm, "run", "--silent", what], cwd=PROJECT / "web", capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-1000:]
