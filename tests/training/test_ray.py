"""On Ray a course gives the network that it gives here. Needs the extra `ray`; `make test-ray` installs it."""

from pathlib import Path

import numpy as np
import pytest

from ludotheque.arena import Backend
from ludotheque.core import find_game
from ludotheque.training.course import Course, Plan

pytest.importorskip("ray", reason="the extra ray is not installed; make test-ray installs it")
pytestmark = pytest.mark.filterwarnings("default")  # Ray's own

PLAN = Plan(
    rounds=2, games=96, batch=64, width=8, inner=4, threads=1, measure_every=2, measure_games=2, replay_size=9000
)


def test_a_cluster_of_two_machines_teaches_the_same_network(tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    here = Course(find_game("yam-master"), tmp_path / "here", PLAN)
    here.run(lambda _told: None)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        there = Course(find_game("yam-master"), tmp_path / "there", PLAN, Backend(ray=cluster.address))
        there.run(lambda _told: None)
    finally:
        cluster.shutdown()
    assert there.progress.examples == here.progress.examples
    assert np.array_equal(there.learner.weights, here.learner.weights)
