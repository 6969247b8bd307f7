"""The package as a user has it: installed from its wheel."""

import copy
import os
import pathlib
import signal
import subprocess
import sys

import numpy
import pytest

import wayfare

COMMAND = os.environ["WAYFARE"]
GUEST = {
    "group": [
        {
            "name": "guest",
            "spawn": {"points": [[0, 0], [0, 9]]},
            "max_speed": 2,
            "steer": [{"seek": {"target": [30, 0]}}],
        }
    ],
    "measure": [{"name": "ways", "travel": {}}],
}


def digest_of_command(*arguments):
    run = [COMMAND, "run", *arguments, "--digest", "--quiet"]
    return int(subprocess.run(run, check=True, capture_output=True, text=True).stdout, 16)


@pytest.mark.parametrize("name", wayfare.scenes())
def test_a_bundled_scene_has_the_digest_of_the_command(name):
    crowd = wayfare.load(name).crowd(threads=2)
    crowd.step(20)
    assert crowd.digest == digest_of_command(name, "--ticks", "20")


def test_arrays_are_in_the_order_of_ids_and_have_the_values_of_the_trajectories():
    scene = wayfare.load("doorway-150")
    crowd = scene.crowd()
    crowd.step(100)
    run = scene.run(100, every=100)
    last = run.to_pandas().query("tick == 100").reset_index(drop=True)
    assert crowd.digest == run.digest
    assert (crowd.id == last["id"]).all() and (numpy.diff(crowd.id.astype(int)) > 0).all()
    assert crowd.position.dtype == numpy.float32 and crowd.position.shape == (len(crowd), 2)
    assert (crowd.position == last[["x", "y"]].to_numpy()).all()
    assert (crowd.velocity == last[["vx", "vy"]].to_numpy()).all()
    assert numpy.allclose(numpy.linalg.norm(crowd.heading, axis=1), 1)
    assert [crowd.groups[i] for i in crowd.group] == list(last["group"])


def test_states_and_events_have_names():
    crowd = wayfare.load("hunter-and-prey").crowd()
    assert all(isinstance(state, str) for state in crowd.state)
    kinds = set()
    for _ in range(600):
        crowd.step()
        kinds |= {event["kind"] for event in crowd.events}
    assert "state_changed" in kinds


def test_a_step_of_many_ticks_has_the_events_of_all_of_them():
    one, many = (wayfare.load("hunter-and-prey").crowd() for _ in range(2))
    events = []
    for _ in range(600):
        one.step()
        events += one.events
    many.step(600)
    assert many.events == events and len(events) > 2
    many.restore(one.save())
    assert many.events == one.events


def test_a_run_is_a_table_in_arrow_pandas_and_polars():
    run = wayfare.load(GUEST).run(10, every=5)
    assert run.to_arrow().num_rows == run.to_pandas().shape[0] == run.to_polars().shape[0] == 6
    assert list(run.to_pandas()["tick"]) == [0, 0, 5, 5, 10, 10]
    assert set(run.measures.column("measure").to_pylist()) == {"ways"}
    assert run.summary["tick"] == 10 and "ways" in run.summary["measures"]


def test_a_notebook_shows_a_run_that_moves_or_its_picture():
    run = wayfare.load(GUEST).run(10)
    assert run.report().startswith("<!doctype html>") and "<canvas" in run.report()
    assert run._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert wayfare.load(GUEST)._repr_html_().startswith("<iframe")
    still = wayfare.load(GUEST).run(10, page=False)
    assert still._repr_html_().startswith("<svg") and still.digest == run.digest
    with pytest.raises(ValueError, match="page=True"):
        still.report()


def test_a_changed_scene_is_another_one_and_the_first_stays(tmp_path):
    scene = wayfare.load(GUEST)
    fast = scene.with_({"group.guest.max_speed": numpy.float64(3), "seed": numpy.int64(7)})
    assert (scene.seed, fast.seed) == (0, 7)
    assert scene.run(5).digest != fast.run(5).digest
    path = tmp_path / "guest.json"
    path.write_text(fast.text)
    assert wayfare.load(path).run(5).digest == fast.run(5).digest == digest_of_command(path, "--ticks", "5")


def test_a_snapshot_and_a_copy_go_on_to_the_same_digest():
    crowd = wayfare.load("flock-2d").crowd(threads=1)
    crowd.step(5)
    saved, other = crowd.save(), copy.copy(crowd)
    crowd.step(5)
    other.step(5)
    assert crowd.digest == other.digest
    other.restore(saved)
    assert other.tick == 5
    other.step(5)
    assert crowd.digest == other.digest
    with pytest.raises(wayfare.WayfareError):
        crowd.restore(b"no snapshot")


def test_commands_and_queries_reach_the_crowd():
    crowd = wayfare.load(GUEST).crowd()
    assert crowd.nearest([0, 8]) == 1 and crowd.within([0, 0], 20, group="guest") == [0, 1]
    crowd.apply('{"remove": 0}')
    assert list(crowd.id) == [1]
    with pytest.raises(wayfare.SceneError, match="there is no agent 7"):
        crowd.apply('{"remove": 7}')
    with pytest.raises(wayfare.WayfareError, match="allowed: guest"):
        crowd.nearest([0, 0], group="host")
    with pytest.raises(wayfare.WayfareError, match="allowed: 2 finite numbers"):
        crowd.nearest([0, 0, 0])


def test_mistakes_are_exceptions_with_their_place():
    with pytest.raises(wayfare.SceneError) as raised:
        wayfare.load({"group": [dict(GUEST["group"][0], max_speed=-1)]})
    error = raised.value
    assert (error.line, len(error.problems)) == (1, 1)
    assert error.problems[0]["allowed"] == "a speed above 0, up to 1e9"
    assert "allowed: a speed above 0" in str(error)
    with pytest.raises(wayfare.WayfareError, match="did you mean `doorway-150`"):
        wayfare.load("doorway-15")
    with pytest.raises(wayfare.WayfareError, match="allowed: name, "):
        wayfare.load(GUEST).with_({"group.guest.max_sped": 1})
    with pytest.raises(TypeError, match="object"):
        wayfare.load(GUEST).with_({"group.guest.max_speed": object()})
    with pytest.raises(wayfare.WayfareError, match="from 1"):
        wayfare.load(GUEST).run(5, every=0)
    with pytest.raises(OSError):
        wayfare.load("no/file.toml")


def test_the_table_of_a_sweep_is_that_of_the_command_and_goes_on_after_a_stop(tmp_path):
    scene = wayfare.load(GUEST)
    over = {"group.guest.max_speed": numpy.linspace(1, 2, 3), "group.guest.mass": [1, 5]}
    told = []
    table = wayfare.sweep(scene, over=over, seeds=2, ticks=20, progress=lambda *now: told.append(now))
    assert told[0] == (0, 12) and told[-1] == (12, 12)
    (tmp_path / "scene.json").write_text(scene.text)
    (tmp_path / "study.toml").write_text(
        'scene = "scene.json"\nseeds = 2\nticks = 20\n[over]\n'
        '"group.guest.max_speed" = [1.0, 1.5, 2.0]\n"group.guest.mass" = [1, 5]\n'
    )
    run = [COMMAND, "sweep", tmp_path / "study.toml", "-o", tmp_path / "study.parquet", "-q", "--times"]
    subprocess.run(run, check=True)
    import pyarrow.parquet

    reproducible = [name for name in table.column_names if name != "seconds"]
    assert len(reproducible) + 1 == table.num_columns
    table = table.select(reproducible)
    assert table.equals(pyarrow.parquet.read_table(tmp_path / "study.parquet").select(reproducible))

    class Stop(Exception):
        pass

    def stop(done, all):
        # The first table is written at the start, the next one at the earliest a second later.
        so_far = pyarrow.parquet.read_table(tmp_path / "kept" / "results.parquet")
        assert so_far.column_names[-2:] == ["digest", "seconds"]
        if done >= 3:
            raise Stop

    with pytest.raises(Stop):
        wayfare.sweep(scene, over=over, seeds=2, ticks=20, resume=tmp_path / "kept", threads=1, progress=stop)
    told.clear()
    again = wayfare.sweep(
        scene, over=over, seeds=2, ticks=20, resume=tmp_path / "kept", progress=lambda *now: told.append(now)
    )
    assert told[0][0] >= 3 and again.select(reproducible).equals(table)
    assert pyarrow.parquet.read_table(tmp_path / "kept" / "results.parquet").equals(again)
    with pytest.raises(wayfare.SceneError, match="measures nothing"):
        wayfare.sweep(scene, measures=["door"])


def test_the_wheel_has_the_command(tmp_path):
    script = pathlib.Path(sys.executable).parent / "wayfare"
    for command in ([COMMAND], [script], [sys.executable, "-m", "wayfare"]):
        run = [*command, "run", "arrive", "--ticks", "20", "--digest", "--quiet", "-o", "out.csv"]
        told = subprocess.run(run, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
        assert int(told, 16) == digest_of_command("arrive", "--ticks", "20")
        (tmp_path / "out.csv").unlink()
    wrong = subprocess.run([script, "run", "ariive"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "did you mean `arrive`" in wrong.stderr
    long = [script, "run", "arrive", "--ticks", "100000000", "--quiet", "-o", "-"]
    with subprocess.Popen(long, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout.readline()
        running.send_signal(signal.SIGINT)
        running.communicate()
    assert running.returncode == 130


def test_the_examples_of_the_docs_run(tmp_path, monkeypatch):
    page = pathlib.Path(__file__).parents[3] / "docs" / "python.md"
    blocks = page.read_text(encoding="utf-8").split("```python\n")[1:]
    assert len(blocks) == 9
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(block.split("```")[0], names)
