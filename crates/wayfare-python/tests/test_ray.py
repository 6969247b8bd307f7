"""Sweeps on a cluster of Ray, of which a node is lost."""

import os

import numpy
import pytest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Ray then takes 127.0.0.1 as the address of this machine.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

import wayfare  # noqa: E402

SCENE = {
    "duration": 4000,
    "group": [
        {
            "name": "guest",
            "count": 20,
            "spawn": {"box": {"min": [0, 0], "max": [60, 60]}},
            "max_speed": 2,
            "steer": [{"wander": {"circle_distance": 1, "circle_radius": 0.5, "angle_change": 2}}, {"seek": {"target": [30, 0]}}],
        }
    ],
    "measure": [{"name": "ways", "travel": {}}],
}
OVER = {"group.guest.max_speed": numpy.linspace(1, 2, 10)}


@pytest.fixture
def cluster():
    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False},
    )
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def test_a_sweep_that_loses_a_node_has_all_rows_with_the_digests_of_a_local_one(cluster, tmp_path):
    node = cluster.add_node(num_cpus=1, node_ip_address="127.0.0.1")
    ray.init(address=cluster.address, log_to_driver=False)
    scene, killed = wayfare.load(SCENE), []

    def progress(done, runs):
        assert runs == 200
        if done >= 60 and not killed:
            killed.append(done)
            cluster.remove_node(node, allow_graceful=False)

    options = {"over": OVER, "seeds": 20}
    table = wayfare.sweep(scene, **options, engine="ray", resume=tmp_path, progress=progress)
    assert killed and table.num_rows == 200
    local = wayfare.sweep(scene, **options)
    without_times = [name for name in local.column_names if name != "seconds"]
    assert table.column_names == local.column_names
    assert table.select(without_times).equals(local.select(without_times))
    # What is finished is run nowhere again.
    told = []
    wayfare.sweep(
        scene, **options, engine="ray", resume=tmp_path, progress=lambda *now: told.append(now)
    )
    assert told == [(200, 200)]


def test_an_unknown_engine_is_refused():
    with pytest.raises(ValueError, match='allowed: "local" or "ray"'):
        wayfare.sweep(wayfare.load(SCENE), engine="cloud")
