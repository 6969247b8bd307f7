"""Figures by matplotlib, read back as what they draw."""

import numpy
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.collections import EllipseCollection, LineCollection  # noqa: E402

import wayfare  # noqa: E402

OBSTACLES = [
    {"circle": {"center": [5, 5], "radius": 1}},
    {"box": {"min": [8, 8], "max": [9, 10]}},
    {"box": {"center": [2, 8], "size": [2, 1], "angle": 30}},
    {"segment": {"from": [0, 12], "to": [9, 12], "thickness": 0.5}},
    {"polygon": [[1, 1], [2, 1], [1, 2]]},
]
SCENE = {
    "title": "Ways",
    "obstacle": OBSTACLES,
    "group": [
        {
            "name": "guest",
            "spawn": {"points": [[0, 0], [0, 9]]},
            "max_speed": 2,
            "radius": 0.3,
            "steer": [{"seek": {"target": [30, 0]}}],
        }
    ],
}


@pytest.fixture
def run():
    yield wayfare.load(SCENE).run(10, every=2)
    pyplot.close("all")


def test_obstacles_are_in_the_notation_of_scenes():
    crowd = wayfare.load(SCENE).crowd()
    for told, written in zip(crowd.obstacles.values(), OBSTACLES, strict=True):
        ((kind, values),) = told.items()
        if kind == "polygon":
            assert numpy.allclose(values, written[kind])
            continue
        assert values.keys() == written[kind].keys()
        assert all(numpy.allclose(value, written[kind][key]) for key, value in values.items())
    before = crowd.digest
    for obstacle, shape in crowd.obstacles.items():
        crowd.set_obstacle(obstacle, shape)
    assert list(crowd.obstacles) == [0, 1, 2, 3, 4] and crowd.digest == before


def test_a_plot_has_a_way_per_agent_and_the_bodies_at_the_end(run):
    axes = run.plot()
    (ways,) = (c for c in axes.collections if isinstance(c, LineCollection))
    (bodies,) = (c for c in axes.collections if isinstance(c, EllipseCollection))
    assert [len(way) for way in ways.get_paths()] == [6, 6]
    crowd = wayfare.load(SCENE).crowd()
    crowd.step(10)
    assert numpy.allclose(bodies.get_offsets(), crowd.position)
    assert len(axes.patches) == len(OBSTACLES) and axes.get_title() == "Ways"
    axes.figure.canvas.draw()


def test_an_animation_shows_each_kept_tick(run):
    moving = run.animate(interval=10)
    (bodies,) = (c for c in moving._fig.axes[0].collections if isinstance(c, EllipseCollection))
    moving._fig.canvas.draw()
    assert run.animate().to_jshtml().count("data:image/png") == 6
    moving._draw_frame(4)
    rows = run.to_pandas().query("tick == 4")
    assert numpy.allclose(bodies.get_offsets(), rows[["x", "y"]])
