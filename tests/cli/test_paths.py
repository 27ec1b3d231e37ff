"""`ludotheque paths` and `ludotheque forget`: everything that is kept is listed, and only the cache is deleted."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludotheque.cli.app import app


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder and a cache with something in each, and a stranger's folder in the cache."""
    monkeypatch.setenv("LUDOTHEQUE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    compiled = tmp_path / "cache" / f"twisty-{'0' * 20}"
    stranger = tmp_path / "cache" / "holiday-photos"
    for folder in (compiled, stranger, tmp_path / "data" / "matches"):
        folder.mkdir(parents=True)
    (compiled / "warm").touch()
    (compiled / "rules.nbc").write_bytes(bytes(3_000_000))
    (stranger / "beach.png").write_bytes(bytes(10))
    (tmp_path / "data" / "tables.sqlite").write_bytes(bytes(1000))
    (tmp_path / "data" / "tables.sqlite.key").write_bytes(bytes(100))
    (tmp_path / "data" / "matches" / "one.json").write_bytes(bytes(50))
    return tmp_path


def test_paths_lists_data_and_cache_with_their_sizes(home: Path) -> None:
    told = json.loads(CliRunner().invoke(app, ["paths", "--json"]).stdout)
    assert told == {
        "tables": {"path": str(home / "data" / "tables.sqlite"), "bytes": 1100},
        "matches": {"path": str(home / "data" / "matches"), "bytes": 50},
        "cache": {"path": str(home / "cache"), "bytes": 3_000_000},
    }


@pytest.mark.parametrize(("language", "size"), [("en", "3.0 MB"), ("fr", "3,0 Mo")])
def test_paths_are_told_in_words(home: Path, language: str, size: str) -> None:
    done = CliRunner().invoke(app, ["paths", "--language", language])
    assert done.exit_code == 0
    for told in (str(home / "cache"), str(home / "data" / "matches"), "LUDOTHEQUE_DATA", "ludotheque forget", size):
        assert told in done.stdout


def test_what_is_not_there_is_called_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_DATA", str(home / "elsewhere"))
    assert CliRunner().invoke(app, ["paths"]).stdout.count("nothing yet") == 2
    assert not (home / "elsewhere").exists()  # looking makes nothing


def test_forget_deletes_the_cache_and_nothing_else(home: Path) -> None:
    done = CliRunner().invoke(app, ["forget"])
    assert done.exit_code == 0
    assert "3.0 MB" in done.stdout
    assert str(home / "data") in done.stdout
    left = sorted(str(file.relative_to(home)) for file in home.rglob("*") if file.is_file())
    kept = ["data/matches/one.json", "data/tables.sqlite", "data/tables.sqlite.key"]
    assert left == ["cache/holiday-photos/beach.png", *kept]


def test_forget_leaves_no_empty_folder_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = home / "ludotheque" / "rules"
    (own / f"twisty-{'1' * 20}").mkdir(parents=True)
    (own / f"twisty-{'1' * 20}" / "rules.ready").touch()
    unfinished = own / f"twisty-{'2' * 20}"  # the compiler was stopped
    unfinished.mkdir()
    (unfinished / "legal-1.py311.nbi").touch()
    (own / "compiling.lock").touch()
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(own))
    assert CliRunner().invoke(app, ["forget"]).exit_code == 0
    assert not (home / "ludotheque").exists()
    assert CliRunner().invoke(app, ["forget"]).exit_code == 0  # and again, where there is nothing
