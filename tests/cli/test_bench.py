"""`ludotheque bench`: figures with spread, ratios and goals, in the reader's language."""

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench.speed.__main__ import main
from bench.speed.measure import Row, Subject
from bench.speed.report import ACTIONS, PLAYOUTS, WITHOUT_DICE
from bench.speed.subjects import all_subjects
from ludotheque.cli.app import app
from ludotheque.core import literal


def test_the_benchmark_tells_its_figures_with_spread_ratios_and_goals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = iter([6e6, 4e6, 5.5e6])
    ours = Subject((Row(literal("yam-master"), PLAYOUTS, ACTIONS),), lambda: [next(figures)])
    peer = Subject((Row(literal("OpenSpiel yacht"), WITHOUT_DICE, ACTIONS),), lambda: [1e5], rounds=1)
    monkeypatch.setattr("bench.speed.subjects.all_subjects", lambda start_up: [ours, peer])
    main(["--rounds", "3", "--json"])
    told = json.loads(capsys.readouterr().out)
    row = told["rows"][0]
    assert (row["min"], row["median"], row["max"]) == (4e6, 5.5e6, 6e6)
    assert told["ratios"] == {"yam-master / OpenSpiel yacht, the same, dice not counted": 55}
    assert [goal["met"] for goal in told["goals"]] == [True, None, False]
    figures = iter([6e6, 4e6, 5.5e6])
    main(["--rounds", "3", "--language", "fr"])
    told_in_words = capsys.readouterr().out
    assert "parties au hasard" in told_in_words
    assert "yam-master / OpenSpiel yacht, de même, dés non comptés" in told_in_words
    assert re.search(r"Yam Master, actions/s sur un cœur ≥ 5\u202f000\u202f000 : .* : atteint", told_in_words)
    assert "MANQUÉ" in told_in_words
    assert not re.search("playouts|goal|median|cores|not measured", told_in_words)


def test_the_command_runs_the_suite_of_the_source_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Sequence[str]] = []

    def run(command: Sequence[str], **settings: Any) -> subprocess.CompletedProcess[bytes]:
        assert (Path(settings["env"]["PYTHONPATH"].split(":")[0]) / "bench" / "speed").is_dir()
        ran.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("ludotheque.cli.bench.subprocess.run", run)
    done = CliRunner().invoke(app, ["bench", "--rounds", "3", "--json", "--no-start-up", "--language", "fr"])
    assert done.exit_code == 0, done.output
    assert ran[0][1:3] == ["-m", "bench.speed"]
    monkeypatch.setattr("bench.speed.subjects.all_subjects", lambda start_up: [] if not start_up else [1 / 0])
    main(ran[0][3:])  # the suite understands what the command passes on


def test_an_installed_package_says_where_the_benchmarks_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludotheque.cli.bench.source_tree", lambda: None)
    refused = CliRunner().invoke(app, ["bench", "--language", "fr"])
    assert refused.exit_code == 2
    assert "sources" in refused.stderr


def test_every_discrete_game_and_the_exact_turn_are_measured() -> None:
    subjects = all_subjects(start_up=False)
    rows = {(str(row.subject), str(row.what)) for subject in subjects for row in subject.rows}
    assert ("yam-master", "exact turn policy") in rows
    first = subjects[[str(row.subject) for one in subjects for row in one.rows[:1]].index("yam-master")]
    assert all(figure > 0 for figure in first.measure())
