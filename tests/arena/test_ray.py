"""On Ray a series gives the results that it gives here. Needs the extra `ray`; `make test-ray` installs it."""

import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from ludotheque.arena import Backend, Series, distribute, play_series, scores
from ludotheque.bots import check_player

ray = pytest.importorskip("ray", reason="the extra ray is not installed; make test-ray installs it")
pytestmark = pytest.mark.filterwarnings("default")  # Ray's own


def results(series: Series, where: Backend) -> list[dict[str, Any]]:
    told = [dict(one.json()) for one in scores(series, [one for some in play_series(series, where) for one in some])]
    for one in told:
        del one["seconds_per_decision"]
    return told


def test_a_cluster_of_two_machines_plays_the_same_series() -> None:
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    series = Series("yam-master", ("random", "bot:1"), 12, "ray", {"max_turns": 8})
    here = results(series, Backend(1))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        assert results(series, Backend(ray=cluster.address)) == here
    finally:
        cluster.shutdown()


def test_ray_for_one_work_only_is_started_and_ended() -> None:
    assert sorted(distribute(divmod, [(7, 2), (9, 4), (5, 3)], Backend(2, "local"))) == [(1, 2), (2, 1), (3, 1)]
    assert not ray.is_initialized()


def test_python_objects_and_programs_that_stay_play_there_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_bot_on_ray", raising=False)
    choose = "    def choose(self, position, *, seconds, seed): return position.legal().actions[-1]\n"
    (tmp_path / "my_bot_on_ray.py").write_text(f"class Last:\n{choose}", "utf-8")
    note = tmp_path / "pids"
    (tmp_path / "stays.py").write_text(
        f"""import json, os, sys
with open({str(note)!r}, "a") as pids: pids.write(f"{{os.getpid()}}\\n")
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({{"ok": True}} if asked["do"] == "newgame" else {{"action": asked["legal"][0]}}), flush=True)
""",
        "utf-8",
    )
    check_player("py:my_bot_on_ray:Last")  # as the command does: the current folder is searched from now on
    names = (("rex", f"cmd:'{sys.executable}' '{tmp_path / 'stays.py'}'"),)
    series = Series("yam-master", ("py:my_bot_on_ray:Last", "rex"), 8, "r", {"max_turns": 2}, None, names, ("rex",))
    here, there = results(series, Backend(1)), results(series, Backend(2, "local"))
    assert here == there
    assert not any("forfeits" in one for one in there)
    pids = [int(pid) for pid in note.read_text().split()]
    assert 2 <= len(pids) <= 3, "one here, at most one for each worker there"
    programs = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    assert psutil.wait_procs(programs, timeout=60)[1] == []
