"""What `ludotheque new-game` and `check-game` refuse, in words."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludotheque.cli.app import app


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Can't Stop", "lower-case letters"),
        ("-x", "No such option"),
        ("x" * 41, "at most 40 letters"),
        ("twisty", "installed already"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, told: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["new-game", name, "--folder", str(tmp_path / "new")], env={"LANG": "C"})
    assert done.exit_code == 2
    assert told in done.output
    assert not (tmp_path / "new").exists()


def test_what_is_there_is_never_written_over(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["new-game", "my-game", "--folder", str(tmp_path)], env={"LANG": "C"})
    assert done.exit_code == 2
    assert "is there already" in done.output
    assert list(tmp_path.iterdir()) == []


def test_every_file_is_written_with_its_names(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    done = CliRunner().invoke(app, ["new-game", "my-game", "--folder", str(folder)], env={"LANG": "C"})
    assert done.exit_code == 0, done.output
    written = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    package = "ludotheque_my_game"
    assert written == {
        "README.md",
        "pyproject.toml",
        "tests/test_game.py",
        *(f"{package}/{name}" for name in ("__init__.py", "facts.py", "rules.py", "game.py", "rules.en.md")),
        f"{package}/locales/en.json",
    }
    for file in written:
        text = (folder / file).read_text("utf-8")
        assert "${" not in text, file
        compile(text, file, "exec") if file.endswith(".py") else None


def test_an_unknown_game_cannot_be_checked() -> None:
    done = CliRunner().invoke(app, ["check-game", "yam-mastr"], env={"LANG": "C"})
    assert done.exit_code == 2
    assert "yam-master" in done.output
