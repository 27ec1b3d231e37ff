"""The page's own unit tests and its types."""

import subprocess
from pathlib import Path

import pytest

from page.site import PROJECT, builder


@pytest.mark.parametrize("what", ["test", "check"])
def test_the_page_passes_its_own_checks(built: Path, what: str) -> None:
    environment, npm = builder().node_tools()
    told = subprocess.run(
        [*npm, "run", "--silent", what],
        cwd=PROJECT / "web",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-1000:]
