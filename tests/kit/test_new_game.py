"""`ludotheque new-game` writes a package that runs at once: it installs, passes every check and its own tests, and can be played."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from kit.packages import Installed
from ludotheque.cli.app import app


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "ludotheque-my-game"
    done = CliRunner().invoke(app, ["new-game", "my-game", "--title", "My Game", "--folder", str(folder)])
    assert done.exit_code == 0, done.output
    assert f"pip install -e {folder}" in done.stdout
    return folder


@pytest.fixture(scope="module")
def installed(written: Path) -> Installed:
    place = Installed(written.parent / "site")
    place.install(written)
    return place


def test_it_passes_every_check_and_its_own_tests(installed: Installed, written: Path) -> None:
    checked = installed.run("-m", "ludotheque", "check-game", "my-game")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "✗" not in checked.stdout
    assert checked.stdout.count("✓") >= 20
    tested = installed.run("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=written)
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_it_is_listed_and_its_rules_can_be_read_in_a_language_that_it_lacks(installed: Installed) -> None:
    listed = installed.run("-m", "ludotheque", "games", "--language", "fr")
    assert "My Game" in listed.stdout
    assert "Take stones, for two" in listed.stdout
    rules = installed.run("-m", "ludotheque", "rules", "my-game", "--language", "fr")
    assert rules.stdout.startswith("# My Game")


def test_what_is_broken_in_it_is_told(installed: Installed, written: Path, tmp_path: Path) -> None:
    rules = (written / "ludotheque_my_game" / "rules.py").read_text("utf-8")
    changed = installed.folder / "ludotheque_my_game" / "rules.py"
    changed.write_text(rules.replace("state.player = 1 - state.player", "state.player = 2"), "utf-8")
    checked = installed.run("-m", "ludotheque", "check-game", "my-game")
    changed.write_text(rules, "utf-8")
    assert checked.returncode == 1
    assert "✗" in checked.stdout
    assert "failed" in checked.stdout.splitlines()[-1]


def test_the_sources_are_in_order(written: Path) -> None:
    checked = Installed(written).run("-m", "ruff", "check", "--isolated", "--line-length", "120", str(written))
    assert checked.returncode == 0, checked.stdout
    formatted = Installed(written).run(
        "-m", "ruff", "format", "--isolated", "--check", "--line-length", "120", str(written)
    )
    assert formatted.returncode == 0, formatted.stdout
