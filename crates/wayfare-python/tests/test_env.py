"""The environment of PettingZoo."""

import numpy
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

import wayfare  # noqa: E402
from wayfare import env  # noqa: E402

SCENE = wayfare.load(
    {
        "duration": 60,
        "group": [
            {
                "name": "player",
                "count": 3,
                "spawn": {"box": {"min": [0, 0], "max": [9, 9]}},
                "max_speed": 2,
                "mass": 2,
            },
            {
                "name": "hunter",
                "spawn": {"points": [[40, 40]]},
                "max_speed": 1,
                "steer": [{"pursue": {"quarry": "player"}}],
            },
        ],
        "exit": [{"circle": {"center": [60, 4], "radius": 9}, "groups": ["player"], "then": "remove"}],
    }
)


def made(**options):
    return env.CrowdEnv(SCENE, "player", target=[60, 4], **options)


def test_the_environment_passes_the_tests_of_pettingzoo():
    parallel_api_test(made(), num_cycles=300)
    parallel_seed_test(made)


def to_the_target(observations):
    """The policy that walks to the target: the way to it follows the own velocity."""
    way = {name: row[2:4] for name, row in observations.items()}
    return {name: way / max(numpy.linalg.norm(way), 1e-9) for name, way in way.items()}


def test_agents_that_walk_to_the_exit_are_rewarded_and_leave():
    walkers = made()
    observations, _ = walkers.reset(seed=3)
    start = {name: numpy.linalg.norm(row[2:4]) for name, row in observations.items()}
    rewards = dict.fromkeys(walkers.agents, 0.0)
    ended = {}
    while walkers.agents:
        actions = to_the_target({name: observations[name] for name in walkers.agents})
        observations, reward, terminated, truncated, _ = walkers.step(actions)
        for name in reward:
            rewards[name] += reward[name]
        ended |= {name: True for name in terminated if terminated[name]}
        assert not any(truncated.values())
    assert set(ended) == set(rewards)
    assert all(start[name] - 12 < rewards[name] < start[name] for name in rewards)


def test_an_agent_that_stays_is_truncated_at_the_end():
    walkers = made(ticks=5)
    walkers.reset()
    names = walkers.agents
    still = dict.fromkeys(names, numpy.zeros(2, numpy.float32))
    for _ in range(4):
        assert not any(walkers.step(still)[3].values())
    assert all(walkers.step(still)[3].values()) and walkers.agents == []
    assert walkers.step({}) == ({}, {}, {}, {}, {})


def test_neighbors_are_seen_nearest_first_up_to_the_radius():
    walkers = made(radius=20, neighbors=4)
    observations, _ = walkers.reset()
    for row in observations.values():
        ways = row[4:].reshape(4, 4)[:, :2]
        lengths = numpy.linalg.norm(ways, axis=1)
        # The two others; the hunter is beyond the radius.
        assert (lengths[:2] > 0).all() and lengths[0] <= lengths[1] <= 1
        assert (row[4 + 8 :] == 0).all()


def test_own_observations_and_rewards_replace_the_default_ones():
    walkers = made(
        observe=lambda crowd, ids: crowd.position[: len(ids)], reward=lambda crowd, ids: ids
    )
    observations, _ = walkers.reset()
    assert {row.shape for row in observations.values()} == {(2,)}
    still = dict.fromkeys(walkers.agents, numpy.zeros(2, numpy.float32))
    assert list(walkers.step(still)[1].values()) == [0.0, 1.0, 2.0]


def test_mistakes_are_told():
    with pytest.raises(wayfare.WayfareError, match="allowed: player, hunter"):
        env.CrowdEnv(SCENE, "plaer")
    with pytest.raises(wayfare.WayfareError, match="allowed: a point of 2 numbers"):
        env.CrowdEnv(SCENE, "player", target=[1, 2, 3])
    with pytest.raises(wayfare.WayfareError, match="allowed: 3 rows"):
        made(observe=lambda crowd, ids: [0.0])
