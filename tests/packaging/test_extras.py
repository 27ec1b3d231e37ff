"""The extras: none is needed to play, and a command that needs one says which, with the line that adds it to this installation."""

import json
import re
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from ludotheque import extras
from ludotheque.cli.app import app

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]


def installed_from(monkeypatch: pytest.MonkeyPatch, prefix: str, origin: object = None) -> None:
    """As if the package were in an environment at `prefix`, installed as its direct_url.json says."""
    told = None if origin is None else json.dumps(origin)
    monkeypatch.setattr(extras, "distribution", lambda _name: SimpleNamespace(read_text=lambda _file: told))
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "executable", f"{prefix}/bin/python")


@pytest.mark.parametrize(
    ("prefix", "origin", "line"),
    [
        ("/home/a/env", None, "/home/a/env/bin/python -m pip install 'ludotheque[ray]'"),
        (
            "/home/a/env",
            {"url": "file:///home/a/our%20games", "dir_info": {"editable": True}},
            "/home/a/env/bin/python -m pip install -e '/home/a/our games[ray]'",
        ),
        (
            "/home/a/env",
            {"url": "file:///tmp/ludotheque-0.1.0-py3-none-any.whl", "archive_info": {}},
            "/home/a/env/bin/python -m pip install '/tmp/ludotheque-0.1.0-py3-none-any.whl[ray]'",
        ),
        ("/home/a/.local/share/pipx/venvs/ludotheque", None, "pipx install --force 'ludotheque[ray]'"),
        ("/home/a/.local/share/uv/tools/ludotheque", None, "uv tool install 'ludotheque[ray]'"),
        ("/home/a/.cache/uv/archive-v0/x1", None, "uvx --from 'ludotheque[ray]' ludotheque"),
    ],
)
def test_the_line_fits_the_way_of_installing(
    monkeypatch: pytest.MonkeyPatch, prefix: str, origin: object, line: str
) -> None:
    installed_from(monkeypatch, prefix, origin)
    assert extras.line_that_adds("ray") == line


def test_on_windows_the_line_is_quoted_for_its_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_from(monkeypatch, "/env")
    monkeypatch.setattr(sys, "platform", "win32")
    assert extras.line_that_adds("plot") == '/env/bin/python -m pip install "ludotheque[plot]"'


def test_the_package_declares_these_extras_and_no_exact_pins() -> None:
    assert set(PROJECT["optional-dependencies"]) == set(extras.MODULES)
    everything = PROJECT["dependencies"] + [one for some in PROJECT["optional-dependencies"].values() for one in some]
    assert not [one for one in everything if "==" in one.partition(";")[0]]
    assert all(re.search(r">=\d", one) for one in everything)  # a lowest version, which make test-ranges installs


@pytest.mark.parametrize(
    ("extra", "command"),
    [
        ("postgres", "serve --no-browser --database postgresql://nobody@localhost/none"),
        ("plot", "lab --magnet 0:0,0,0 --field {folder}/field.png"),
        ("ray", "train wykersham --folder {folder} --ray local"),
        ("torch", "train wykersham --folder {folder} --device cuda"),
    ],
)
def test_a_command_that_needs_an_extra_says_how_to_add_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, extra: str, command: str
) -> None:
    for module in extras.MODULES[extra]:
        for loaded in [name for name in sys.modules if name.partition(".")[0] == module]:
            monkeypatch.delitem(sys.modules, loaded)
        monkeypatch.setitem(sys.modules, module, None)
    done = CliRunner().invoke(app, command.format(folder=tmp_path).split(), env={"LC_ALL": "C.UTF-8"})
    assert done.exit_code == 2, done.output
    assert extras.line_that_adds(extra) in done.stderr
    assert not list(tmp_path.iterdir())
