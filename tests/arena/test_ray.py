"""On Ray a series gives the results that it gives here. Needs the extra `ray`; `make test-ray` installs it."""

from typing import Any

import pytest

from ludotheque.arena import Backend, Series, distribute, play_series, scores

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
