"""What the package costs: beside the command, and per call.

Run by `cargo xtask python --bench`. The only argument is the path of the command, which is built
from the same sources by the same profile. What is compared runs in turn; figures are medians and
ranges of the repeats.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numba
import numpy
from numba.types import CPointer, double, float32, size_t, uint32, uint64, void

import wayfare

REPEATS = 9
AGENTS = 1_000
TICKS = 2_000
WARM_UP = 50


def told(values, unit, scale=1.0):
    values = [value * scale for value in values]
    return f"{statistics.median(values):.3g} {unit} ({min(values):.3g} to {max(values):.3g})"


def flock(count):
    """The bundled flock with so many birds, at the same density."""
    side = 10 * count**0.5
    return {
        "bounds": {"min": [0, 0], "max": [side, side], "edge": "wrap"},
        "duration": 1000,
        "group": [
            {
                "name": "birds",
                "count": count,
                "spawn": {"box": {"min": [0, 0], "max": [side, side]}},
                "velocity": "random",
                "max_speed": 20,
                "steer": [{"flock": {"radius": 15}}],
            }
        ],
    }


def seconds(work, repeats=1):
    began = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - began) / repeats


def steps_beside_the_command(command, folder):
    path = folder / "flock.json"
    path.write_text(json.dumps(flock(AGENTS)))
    bench = [command, "bench", path, "--json", "--threads", "1", "--repeats", "1"]
    bench += ["--ticks", str(TICKS)]
    scene = wayfare.load(str(path))
    rates, ratios = [], []
    for _ in range(REPEATS):
        rust = json.loads(subprocess.run(bench, check=True, capture_output=True, text=True).stdout)
        crowd = scene.crowd(threads=1)
        crowd.step(WARM_UP)
        spent = seconds(crowd.step, TICKS - WARM_UP)
        assert int(rust["digest"], 16) == crowd.digest
        rates.append(AGENTS / spent)
        ratios.append(rust["agent_steps_per_second"] / rates[-1])
    print(f"a step of {AGENTS} agents: {told(rates, 'million agent-steps/s', 1e-6)}")
    print(f"  time beside the command's: {told(ratios, 'x')}")


def arrays():
    crowd = wayfare.load(flock(100_000)).crowd(threads=1)
    crowd.step()

    def view():
        columns = crowd.columns
        return columns.x, columns.y

    def copy():
        return crowd.position

    for name, work in [("views of x and y", view), ("positions by id", copy)]:
        work()
        print(f"{name} of 100,000: {told([seconds(work, 100) for _ in range(REPEATS)], 'us', 1e6)}")


def turned(members):
    return members.velocity[:, ::-1] * numpy.array([-0.1, 0.1], dtype=numpy.float32)


FLOATS = CPointer(float32)


@numba.cfunc(void(size_t, size_t, uint64, double, CPointer(uint32), FLOATS, FLOATS, FLOATS))
def compiled(members, dimension, tick, dt, id, position, velocity, force):
    tenth = float32(0.1)
    for i in range(members):
        force[2 * i] = -tenth * velocity[2 * i + 1]
        force[2 * i + 1] = tenth * velocity[2 * i]


def behaviors():
    for count, ticks in [(1_000, 1_000), (100_000, 20)]:
        scene = wayfare.load(flock(count))
        kinds = {"": {}, "Python": {"birds": turned}, "native": {"birds": wayfare.Native(compiled)}}
        spent = {kind: [] for kind in kinds}
        for _ in range(REPEATS):
            for kind, own in kinds.items():
                crowd = scene.crowd(threads=1, behaviors=own)
                crowd.step(10)
                spent[kind].append(seconds(crowd.step, ticks))
        print(f"a tick of {count} agents: {told(spent.pop(''), 'us', 1e6)}")
        for kind, times in spent.items():
            print(f"  with a behavior in {kind} code: {told(times, 'us', 1e6)}")


def threads():
    scene = wayfare.load(flock(10_000))
    crowds = [scene.crowd(threads=1) for _ in range(2)]
    factors = []
    for _ in range(REPEATS):
        in_turn = seconds(lambda: [crowd.step(50) for crowd in crowds])
        both = [threading.Thread(target=crowd.step, args=(50,)) for crowd in crowds]

        def at_once():
            for thread in both:
                thread.start()
            for thread in both:
                thread.join()

        factors.append(in_turn / seconds(at_once))
    print(f"two crowds in two threads: {told(factors, 'x')} as fast as in turn")


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        steps_beside_the_command(command, pathlib.Path(folder))
    arrays()
    behaviors()
    threads()


if __name__ == "__main__":
    main()
