"""Crowds: commands, views of their columns, and behaviors in Python."""

import copy
import gc
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import threading

import numpy
import pytest

import wayfare
from wayfare import _wayfare

SCENE = {
    "group": [
        {
            "name": "guest",
            "spawn": {"points": [[0, 0], [0, 9], [0, 18]]},
            "max_speed": 2,
            "stat": {"hunger": {"start": 0}},
            "state": [{"name": "idle"}, {"name": "busy"}],
        },
        {"name": "host", "spawn": {"points": [[50, 50]]}, "max_speed": 2},
    ],
    "path": {"beat": {"points": [[0, 0], [100, 0]], "radius": 5}},
}
PATROL = {
    "name": "patrol",
    "count": 1,
    "spawn": {"points": [[0.5, 0.25]]},
    "goal": None,
    "velocity": {"same": [0.0, 0.0]},
    "mass": {"same": 1.0},
    "max_speed": {"same": 1.5},
    "speed_cap": None,
    "max_force": {"same": math.inf},
    "radius": {"same": 0.0},
    "drag": 0.0,
    "turn_rate": math.inf,
    "turning_radius": None,
    "think_every": 1,
    "contacts": False,
    "without_order": "hold",
    "sight": None,
    "steer": {"combine": "sum", "epsilon": 0.000001, "standing": 0.0, "slots": []},
    "stats": [],
    "states": [],
    "start": 0,
}


def every_command(crowd):
    """Calls each method that is a command once."""
    point = numpy.array([3, 4], dtype=numpy.float32)
    crowd.set_pointer(point)
    agent = crowd.add("guest", (1, 2), velocity=[0, 1])
    crowd.move(agent, point, velocity=point)
    crowd.set_order(agent, {"path": "beat"})
    crowd.set_mass(agent, numpy.float64(2))
    crowd.set_max_speed(agent, None)
    crowd.set_max_force(agent, math.inf)
    crowd.set_radius(agent, 1)
    crowd.set_state(agent, "busy")
    crowd.set_stat(agent, "hunger", 3)
    crowd.set_frozen(agent, True)
    crowd.set_facing(agent, [0, 1])
    crowd.set_group(agent, "host")
    crowd.remove(numpy.uint32(agent))
    obstacle = crowd.add_obstacle({"circle": {"center": point, "radius": 1}})
    crowd.set_obstacle(obstacle, {"box": {"min": [0, 0], "max": [1, 1]}})
    crowd.remove_obstacle(obstacle)
    crowd.add_point("beat", 1, [50, 50])
    crowd.move_point("beat", 1, [50, 60])
    crowd.remove_point("beat", 1)
    crowd.set("group[0].max_speed", 3)
    crowd.add_group(PATROL)
    crowd.remove_group("patrol")
    crowd.add_path({"name": "lane", "path": {"points": [[0, 0], [90, 10]], "radius": 5, "closed": False}})
    crowd.remove_path("lane")
    vectors = {"origin": [0, 0], "cell": 50, "columns": 1, "rows": None, "vectors": [[1, 0]]}
    crowd.add_field({"name": "wind", "plan": {"vectors": vectors}})
    crowd.remove_field("wind")
    crowd.add_line({"name": "gate", "from": [100, 0], "to": [100, 300]})
    crowd.remove_line("gate")
    circle = {"circle": {"center": [900, 0], "radius": 5}}
    crowd.remove_exit(crowd.add_exit({"shape": circle, "groups": {"only": [0]}, "then": "remove"}))
    arrivals = {"schedule": [[500, 3]]}
    crowd.remove_source(
        crowd.add_source({"area": circle, "group": 0, "arrivals": arrivals, "most": 80})
    )


def test_every_command_of_a_log_is_a_method():
    lines = []

    class Recorder(wayfare.Crowd):
        def apply(self, command):
            lines.append(json.loads(command))
            return super().apply(command)

    every_command(Recorder(wayfare.load(SCENE)._scene))
    # What is said to all members of a group has no method: `apply` takes it.
    keys = {frozenset(keys) for keys in _wayfare.commands() if "members" not in keys}
    assert {frozenset(line) for line in lines} == keys


def test_commands_as_methods_give_the_digest_of_the_same_log(tmp_path):
    crowd = wayfare.load(SCENE).crowd()
    lines = []
    crowd.step(5)
    agent = crowd.add("guest", [7, 7])
    lines.append({"tick": 5, "add": "guest", "position": [7, 7]})
    crowd.step(5)
    crowd.set_velocities([agent, 0], [[1, 0], [0, 1]])
    lines.append({"tick": 10, "move": agent, "position": [7, 7], "velocity": [1, 0]})
    lines.append({"tick": 10, "move": 0, "position": [0, 0], "velocity": [0, 1]})
    crowd.step(5)
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = [os.environ["WAYFARE"], "run", "scene.json", "--ticks", "15", "--digest", "--quiet"]
    run += ["--input", "log.jsonl"]
    told = subprocess.run(run, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert crowd.digest == int(told, 16)


def test_commands_for_many_agents_change_all_or_none():
    crowd = wayfare.load(SCENE).crowd()
    crowd.set_positions([2, 0], [[5, 5], [6, 6]])
    assert crowd.position[[2, 0]].tolist() == [[5, 5], [6, 6]]
    before = crowd.digest
    for mistake, agents, points in [
        ("no agent 9", [0, 9], [[1, 1], [2, 2]]),
        ("row 1", [0, 1], [[1, 1], [math.nan, 2]]),
        ("shape", [0, 1], [[1, 1]]),
        ("whole numbers", [0.5], [[1, 1]]),
        ("whole numbers", [-1], [[1, 1]]),
    ]:
        for change in (crowd.set_positions, crowd.set_velocities, crowd.set_orders):
            with pytest.raises(wayfare.WayfareError, match=mistake):
                change(agents, points)
    assert crowd.digest == before


def test_a_command_that_is_refused_tells_what_is_allowed_and_changes_nothing():
    crowd = wayfare.load(SCENE).crowd()
    before = crowd.digest
    with pytest.raises(wayfare.SceneError, match="there is no agent 7") as raised:
        crowd.set_mass(7, 1)
    assert raised.value.hints[0].startswith("allowed: ")
    with pytest.raises(wayfare.SceneError):
        crowd.move(0, [math.nan, 1])
    with pytest.raises(TypeError, match="allowed: numbers"):
        crowd.set("group[0].max_speed", object())
    assert crowd.digest == before


def test_views_have_the_values_of_the_arrays_without_a_copy():
    crowd = wayfare.load("flock-3d").crowd()
    crowd.step(3)
    columns = crowd.columns
    by_id = numpy.argsort(columns.id)
    assert (columns.id[by_id] == crowd.id).all() and (columns.group[by_id] == crowd.group).all()
    for names, rows in [
        (("x", "y", "z"), crowd.position),
        (("vx", "vy", "vz"), crowd.velocity),
        (("heading_x", "heading_y", "heading_z"), crowd.heading),
    ]:
        for axis, name in enumerate(names):
            assert (getattr(columns, name)[by_id] == rows[:, axis]).all()
    assert columns.x.__array_interface__["data"][0] == crowd.columns.x.__array_interface__["data"][0]
    with pytest.raises(ValueError, match="read-only"):
        columns.x[0] = 1
    with pytest.raises(AttributeError, match="allowed: x, y"):
        wayfare.load(SCENE).crowd().columns.z


@pytest.mark.parametrize("change", ["step", "restore", "add", "set_positions", "drop"])
def test_a_view_stays_as_it_is_when_its_crowd_changes(change):
    crowd = wayfare.load("doorway-150").crowd()
    crowd.step(10)
    saved = crowd.save()
    crowd.step()
    # Parts of views count as views.
    view, part, ids = crowd.columns.x, crowd.columns.vy[10:], crowd.columns.id
    before = [array.copy() for array in (view, part, ids)]
    if change == "step":
        crowd.step(20)
    elif change == "restore":
        crowd.restore(saved)
    elif change == "add":
        for _ in range(500):
            crowd.add("people", [1, 1])
    elif change == "set_positions":
        crowd.set_positions(crowd.id, crowd.position + 1)
    else:
        del crowd
    gc.collect()
    # Memory that was freed by mistake is likely used again by these.
    others = [wayfare.load("doorway-150").crowd() for _ in range(3)]
    [other.step(3) for other in others]
    assert all((a == b).all() for a, b in zip(before, (view, part, ids), strict=True))


def test_a_view_does_not_change_what_its_crowd_does():
    with_view, without = (wayfare.load("doorway-150").crowd() for _ in range(2))
    held = []
    for _ in range(10):
        held.append(with_view.columns.x)
        with_view.step()
        without.step()
    assert with_view.digest == without.digest
    assert (with_view.columns.x != held[0]).any()


def drift(members):
    return numpy.full(members.velocity.shape, 0.01) * (1 + members.id[:, None])


def test_a_behavior_in_python_steers_its_group():
    crowd = wayfare.load(SCENE).crowd(behaviors={"guest": drift})
    crowd.step()
    expected = [0.01 * (1 + i) for i in range(3)] + [0]
    assert numpy.allclose(crowd.velocity[:, 0], expected)


def test_a_behavior_in_python_gives_the_bits_of_the_same_one_in_a_scene():
    point = numpy.array([30, 5], dtype=numpy.float32)

    def seek(members):
        to = point - members.position
        # In this order, which is that of the engine, the bits are the same for these members.
        length = numpy.sqrt(to[:, 0] * to[:, 0] + to[:, 1] * to[:, 1])[:, None]
        return to / length * numpy.float32(2) - members.velocity

    built_in = dict(SCENE, group=[dict(SCENE["group"][0], steer=[{"seek": {"target": [30, 5]}}])])
    own = dict(SCENE, group=[SCENE["group"][0]])
    expected, crowd = wayfare.load(built_in).crowd(), wayfare.load(own).crowd(behaviors={"guest": seek})
    expected.step(30)
    crowd.step(30)
    assert numpy.allclose(expected.position, crowd.position, rtol=0, atol=1e-4)


def test_a_native_behavior_is_called_by_its_address():
    import ctypes

    kind = ctypes.CFUNCTYPE(
        None,
        ctypes.c_size_t,
        ctypes.c_size_t,
        ctypes.c_uint64,
        ctypes.c_double,
        ctypes.POINTER(ctypes.c_uint32),
        *[ctypes.POINTER(ctypes.c_float)] * 3,
    )

    @kind
    def force(members, dimension, tick, dt, agents, position, velocity, forces):
        for i in range(members):
            forces[i * dimension] = 0.01 * (1 + agents[i])

    native = wayfare.Native(ctypes.cast(force, ctypes.c_void_p).value)
    crowd = wayfare.load(SCENE).crowd(behaviors={"guest": native})
    crowd.step()
    other = wayfare.load(SCENE).crowd(
        behaviors={"guest": lambda members: drift(members) * [1, 0]}
    )
    other.step()
    assert crowd.digest == other.digest


def test_mistakes_of_behaviors_stop_the_step_before_it_changes_anything():
    def of(behavior, group="guest"):
        return wayfare.load(SCENE).crowd(behaviors={group: behavior})

    for behavior, error, text in [
        (lambda members: members.velocity[:1], wayfare.WayfareError, r"allowed: \(3, 2\)"),
        (lambda members: members.velocity / 0 + math.nan, wayfare.WayfareError, "agent 0 the force"),
        (lambda members: 1 / 0, ZeroDivisionError, "by zero"),
    ]:
        crowd = of(behavior)
        before = crowd.digest
        with pytest.raises(error, match=text), numpy.errstate(all="ignore"):
            crowd.step(3)
        assert (crowd.tick, crowd.digest) == (0, before)
    with pytest.raises(wayfare.WayfareError, match="allowed: guest, host"):
        of(drift, group="nobody")
    with pytest.raises(wayfare.WayfareError, match="address of a native behavior is 0"):
        of(wayfare.Native(0))
    with pytest.raises(TypeError, match="allowed: a function"):
        of(3)


def test_copies_share_behaviors_and_step_one_at_a_time():
    copied = None

    def meddle(members):
        if copied is not None:
            copied.step()
        return drift(members)

    crowd = wayfare.load(SCENE).crowd(behaviors={"guest": meddle})
    other = copy.copy(crowd)
    crowd.step(3)
    other.step(3)
    assert type(other) is wayfare.Crowd and crowd.digest == other.digest
    copied = other
    with pytest.raises(wayfare.WayfareError, match="a copy of this crowd is stepping"):
        crowd.step()


def test_a_thread_goes_on_while_two_others_step_crowds():
    scene, most = wayfare.load("flock-2000-2d"), 5_000
    crowds = [scene.crowd(threads=1) for _ in range(2)]
    stepping = [threading.Event() for _ in crowds]
    counted = threading.Event()

    def step(crowd, begun):
        begun.set()
        while not counted.is_set() and crowd.tick < most:
            crowd.step()

    threads = [threading.Thread(target=step, args=pair) for pair in zip(crowds, stepping)]
    interval = sys.getswitchinterval()
    try:
        # The interpreter takes the lock from no thread now, so that this one counts only if a step
        # gives it away.
        sys.setswitchinterval(1e6)
        [thread.start() for thread in threads]
        [begun.wait() for begun in stepping]
        assert sum(1 for _ in range(100_000)) == 100_000
        counted.set()
        [thread.join() for thread in threads]
    finally:
        sys.setswitchinterval(interval)
    assert all(crowd.tick < most for crowd in crowds)
    again = scene.crowd(threads=2)
    again.step(crowds[0].tick)
    assert again.digest == crowds[0].digest


def test_ten_thousand_crowds_leave_no_memory_behind():
    area = {"box": {"min": [0, 0], "max": [90, 90]}}
    host = {"name": "host", "count": 200, "spawn": area, "max_speed": 2}
    scene = wayfare.load({"group": [host]})

    def use(times):
        for _ in range(times):
            crowd = scene.crowd(threads=1, behaviors={"host": lambda members: members.velocity})
            view = crowd.columns.x
            crowd.step()
            assert len(view) == 200
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    before = use(1000)
    # A crowd of 200 has at least 200 x 40 bytes, so that one of ten that stays would be seen.
    assert use(9000) - before < 9000 * 200 * 40 / 10


CORPUS = pathlib.Path(__file__).parents[2] / "wayfare-scene/tests/mistakes"
MISTAKES = sorted([*CORPUS.glob("*.toml"), *CORPUS.glob("*.json")])


def test_there_is_a_corpus_of_mistakes():
    assert len(MISTAKES) > 50


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.name)
def test_a_mistake_of_the_corpus_is_an_exception_with_the_text_of_the_command(path):
    with pytest.raises(wayfare.SceneError) as raised:
        wayfare.load(path)
    error = raised.value
    check = [os.environ["WAYFARE"], "check", str(path)]
    told = subprocess.run(check, capture_output=True, text=True)
    assert told.returncode != 0 and str(error) in told.stderr
    assert error.line >= 1 and error.column >= 1 and error.problems
    assert all(text.startswith(("allowed: ", "help: ")) for text in error.hints)
    assert len(error.hints) >= len(error.problems)
