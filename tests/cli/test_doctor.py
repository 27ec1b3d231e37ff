"""`ludotheque doctor`: finds what is wrong, says what to mend in both languages, and changes nothing."""

import json
import platform
import socket
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludotheque import extras
from ludotheque.cli import doctor
from ludotheque.cli.app import app
from ludotheque.core import find_game
from ludotheque.kernels import jit
from ludotheque.kernels.cache_keys import cache_folder
from ludotheque.server import page
from ludotheque.server.database import exclusive, open_database


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, with a page."""
    monkeypatch.setenv("LUDOTHEQUE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    built = tmp_path / "page"
    built.mkdir()
    (built / "index.html").touch()
    monkeypatch.setattr(page, "FOLDER", built)
    return tmp_path


@pytest.fixture
def port() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


def examined(*arguments: str) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """The exit status, and the findings by subject."""
    done = CliRunner().invoke(app, ["doctor", "--port", "0", "--json", *arguments])
    told = json.loads(done.stdout)
    found: dict[str, list[dict[str, Any]]] = {}
    for finding in told["findings"]:
        found.setdefault(finding["subject"], []).append(finding)
    assert told["well"] == (done.exit_code == 0)
    return done.exit_code, found


def test_a_fresh_machine_is_well_and_is_left_as_it_was(home: Path) -> None:
    status, found = examined()
    assert status == 0, found
    assert all(one["state"] != "ill" for some in found.values() for one in some)
    assert {"python", "data", "cache", "port", "database", "page", "games", *extras.MODULES} <= set(found)
    assert found["games"][0]["state"] == "note"  # nothing is compiled in an empty cache
    assert sorted(path.name for path in home.iterdir()) == ["page"]


def test_games_that_start_on_their_modules_are_told_apart(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludotheque.kernels.cold_start.has_module", lambda game: game.name == "twisty")
    _, found = examined()
    assert [one["state"] for one in found["games"]] == ["note", "note"]
    by_module, interpreted = (one["sentence"] for one in found["games"])
    assert "WebAssembly" in by_module
    assert "twisty" in by_module
    assert "wykersham" in interpreted
    cached = cache_folder(Path(str(files("ludotheque.games.twisty"))))
    cached.mkdir(parents=True)
    for name in ("rules.ready", "entries.ready"):
        (cached / name).touch()
    _, found = examined()
    assert [(one["state"], "twisty" in one["sentence"]) for one in found["games"]] == [("well", True), ("note", False)]


@pytest.mark.parametrize(("language", "words"), [("en", "to be mended"), ("fr", "à réparer")])
def test_a_port_that_is_taken_is_told_in_both_languages(port: int, language: str, words: str) -> None:
    done = CliRunner().invoke(app, ["doctor", "--port", str(port), "--language", language])
    assert done.exit_code == 1
    assert f"✗ L’adresse 127.0.0.1:{port}" in done.stdout or f"✗ The address 127.0.0.1:{port}" in done.stdout
    assert "--port 8001" in done.stdout
    assert words in done.stdout


def test_a_page_that_was_not_built_is_ill(home: Path) -> None:
    (home / "page" / "index.html").unlink()
    status, found = examined()
    assert (status, found["page"][0]["state"]) == (1, "ill")


def test_a_data_folder_that_is_a_file_is_ill_and_such_a_cache_only_slow(home: Path) -> None:
    (home / "data").touch()
    (home / "cache").touch()
    status, found = examined()
    assert status == 1
    assert found["data"][0]["state"] == "ill"
    assert "LUDOTHEQUE_DATA" in found["data"][0]["sentence"]
    assert found["cache"][0]["state"] == "note"


def test_a_full_disk_is_ill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LEAST_FREE", 1 << 62)
    assert examined()[1]["data"][0]["state"] == "ill"


def test_a_database_is_free_or_in_use_or_not_ours(home: Path) -> None:
    (home / "data").mkdir()
    address = f"sqlite:///{home / 'data' / 'tables.sqlite'}"
    engine = open_database(address)
    assert examined()[1]["database"][0]["state"] == "well"
    with exclusive(engine):
        assert examined()[1]["database"][0]["state"] == "note"
    engine.dispose()
    (home / "other.sqlite").write_bytes(b"no database at all" * 100)
    assert examined("--database", f"sqlite:///{home / 'other.sqlite'}")[1]["database"][0]["state"] == "ill"
    assert examined("--database", "nonsense")[1]["database"][0]["state"] == "ill"


def test_a_postgresql_without_its_extra_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    found = examined("--database", "postgresql://nobody@localhost/none")[1]
    assert found["database"][0]["state"] == "ill"
    assert extras.line_that_adds("postgres") in found["database"][0]["sentence"]
    assert extras.line_that_adds("postgres") in found["postgres"][0]["sentence"]


def test_unknown_internals_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "CACHE_PROBLEM", "no _CacheLocator")
    monkeypatch.setattr(doctor, "_picows", lambda: "TypeError")
    monkeypatch.setattr(doctor, "_mujoco", lambda: "mj_step1")
    status, found = examined()
    assert status == 0
    assert [found[name][0]["state"] for name in ("numba", "picows", "mujoco")] == ["note"] * 3
    assert "internals" not in found


def test_two_mujocos_over_each_other_are_ill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", {"mujoco": "3.4.0", "mujoco-core": "4.0.1", "numba": "", "picows": ""}.get)
    assert "ill" in [one["state"] for one in examined()[1]["mujoco"]]


def test_an_intel_mac_gets_a_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "darwin")
    (finding,) = doctor.look_at_python()
    assert finding.state == "note"
    assert "Intel" in finding.told.sentence("en")
    assert "Intel" in finding.told.sentence("fr")


def test_a_game_that_does_not_load_is_ill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "game_names", lambda: ["twisty", "go"])
    monkeypatch.setattr(doctor, "find_game", find_game)
    found = examined()[1]["games"]
    assert [one["state"] for one in found] == ["ill", "note"]
    assert "go" in found[0]["sentence"]
