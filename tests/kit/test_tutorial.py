"""The code of the tutorial, put together as a reader would: it installs, passes every check and its own tests, and a bot plays it."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kit.packages import Installed
from ludotheque.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
BOT_PLAYS = "a bot plays"


def blocks() -> Mapping[str, str]:
    """The files that the page builds; a file's blocks follow each other, with two lines between functions."""
    parts: dict[str, list[str]] = {}
    for title, text in BLOCK.findall(PAGE.read_text("utf-8")):
        parts.setdefault(title, []).append(text)
    return {title: ("\n" if title == "game.py" else "\n\n").join(texts) for title, texts in parts.items()}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tutorial") / "ludotheque-cant-stop"
    made = CliRunner().invoke(app, ["new-game", "cant-stop", "--title", "Can't Stop", "--folder", str(folder)])
    assert made.exit_code == 0, made.output
    inside = folder / "ludotheque_cant_stop"
    for title, text in blocks().items():
        if title != BOT_PLAYS:
            file = (folder if title.startswith("tests/") else inside) / title
            assert file.is_file(), f"{title} is not among the files that new-game writes"
            file.write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def installed(package: Path) -> Installed:
    place = Installed(package.parent / "site")
    place.install(package)
    return place


def test_the_game_passes_every_check_and_its_own_tests(installed: Installed, package: Path) -> None:
    checked = installed.run("-m", "ludotheque", "check-game", "cant-stop")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    tested = installed.run("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=package)
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_a_bot_plays_it_to_the_end(installed: Installed) -> None:
    played = installed.run("-W", "error", "-c", blocks()[BOT_PLAYS])
    assert played.returncode == 0, played.stderr
    assert played.stdout.rstrip().endswith("has closed three columns and wins")
    assert " 7 · · · ·" in played.stdout or "*" in played.stdout


def test_it_is_played_at_the_terminal(installed: Installed) -> None:
    played = installed.run("-m", "ludotheque", "play", "cant-stop", "--seat", "bot:1", "--seat", "bot:1", "--seed", "x")
    assert played.returncode == 0, played.stdout + played.stderr
    assert "has closed three columns and wins" in played.stdout


def test_the_sources_are_in_order(installed: Installed, package: Path) -> None:
    for command in (("check",), ("format", "--check", "--diff")):
        done = installed.run("-m", "ruff", *command, "--isolated", "--line-length", "120", str(package))
        assert done.returncode == 0, done.stdout + done.stderr
