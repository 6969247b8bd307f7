"""Pedestrians in Wayfare, JuPedSim 1.4 and RVO2, in one run: flows, walking speeds and speed.

Run by `cargo xtask peers`, which makes the environment and builds `wayfare`. The only argument is
the path of the command. Prints the tables of docs/validation.md and docs/performance.md.

All engines run on one thread and in turn. Each has its default parameters: Wayfare its preset
"experiment" with a tick of 0.05 s, JuPedSim its models with a tick of 0.01 s, RVO2 the parameters of
its example "Circle" with a tick of 0.25 s.
"""

import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import jupedsim as jps
import pyrvo
import shapely

MODELS = [
    ("collision-free speed", jps.CollisionFreeSpeedModel, jps.CollisionFreeSpeedModelAgentParameters),
    ("anticipation velocity", jps.AnticipationVelocityModel, jps.AnticipationVelocityModelAgentParameters),
    ("social force", jps.SocialForceModel, jps.SocialForceModelAgentParameters),
]
WIDTHS = [0.8, 1.0, 1.2]
DENSITIES = [0.5, 1, 2, 3, 4]
SEEDS = [1, 2]
# A run in which no one passes for so long has stopped (seconds).
STANDSTILL = 60


def wayfare(command, scene, folder, *options):
    """Runs a scene, and returns its summary."""
    path = folder / "scene.toml"
    path.write_text(scene)
    summary = folder / "summary.json"
    arguments = [command, "run", path, "-o", summary, "--quiet", "--threads", "1", *options]
    subprocess.run(arguments, check=True)
    return json.loads(summary.read_text())


def filled(seed, low, high, count):
    """Points of a triangular lattice that fills a box, moved a little."""
    import random

    numbers = random.Random(seed)
    (left, bottom), (right, top) = low, high
    spacing = math.sqrt((right - left) * (top - bottom) / count * 1.1547)

    def lattice(spacing):
        points, row, y = [], 0, bottom + spacing * 0.25
        while y <= top - spacing * 0.2:
            x = left + (0.75 if row % 2 else 0.25) * spacing
            while x <= right - spacing * 0.2:
                points.append((x, y))
                x += spacing
            row, y = row + 1, y + spacing * 0.866
        return points

    points = lattice(spacing)
    while len(points) < count:
        spacing *= 0.99
        points = lattice(spacing)
    numbers.shuffle(points)
    far = max(0, spacing - 0.4) * 0.35
    moved = [(x + numbers.uniform(-far, far), y + numbers.uniform(-far, far)) for x, y in points[:count]]
    return [(min(max(x, left), right), min(max(y, bottom), top)) for x, y in moved]


def flow(times):
    """People per second, from the first to the last."""
    return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 0


# The bottleneck of Kretz et al. (2006): a room of 12 x 10 m, a door with a passage of 0.4 m.


def bottleneck_scene(width, points):
    """The scene scenes/validation/bottleneck.toml, with these people."""
    half = width / 2
    return f"""
dt = 0.05
duration = 300
obstacle = [
    {{ segment = {{ from = [-12, -5], to = [0, -5] }} }},
    {{ segment = {{ from = [-12, 5], to = [0, 5] }} }},
    {{ segment = {{ from = [-12, -5], to = [-12, 5] }} }},
    {{ segment = {{ from = [0, 5], to = [0, {half}] }} }},
    {{ segment = {{ from = [0, {half}], to = [0.4, {half}] }} }},
    {{ segment = {{ from = [0.4, {half}], to = [0.4, 5] }} }},
    {{ segment = {{ from = [0, -5], to = [0, {-half}] }} }},
    {{ segment = {{ from = [0, {-half}], to = [0.4, {-half}] }} }},
    {{ segment = {{ from = [0.4, {-half}], to = [0.4, -5] }} }},
]
[line.entrance]
from = [0, {-half}]
to = [0, {half}]
[line.end]
from = [0.4, {-half}]
to = [0.4, {half}]
[[exit]]
box = {{ min = [3.4, -20], max = [9.4, 20] }}
[[measure]]
name = "door"
flow = {{ line = "end" }}
[[group]]
name = "people"
preset = "experiment"
spawn = {{ points = {[list(p) for p in points]} }}
steer = [{{ cross_line = {{ line = "entrance", to = "right", margin = 0.02 }} }}, {{ pedestrian = {{}} }}]
"""


def bottleneck_jupedsim(model, parameters, width, points):
    half = width / 2
    room = shapely.Polygon([(-12, -5), (0, -5), (0, 5), (-12, 5)])
    passage = shapely.Polygon([(-0.01, -half), (0.4, -half), (0.4, half), (-0.01, half)])
    beyond = shapely.Polygon([(0.39, -5), (6, -5), (6, 5), (0.39, 5)])
    area = shapely.union_all([room, passage, beyond])
    simulation = jps.Simulation(model=model(), geometry=area, dt=0.01)
    stage = simulation.add_exit_stage([(4, -5), (6, -5), (6, 5), (4, 5)])
    journey = simulation.add_journey(jps.JourneyDescription([stage]))
    for point in points:
        simulation.add_agent(parameters(position=point, journey_id=journey, stage_id=stage))
    passed, times, last = set(), [], 0
    while len(times) < len(points) and simulation.elapsed_time() - last < STANDSTILL:
        simulation.iterate(5)
        now = simulation.elapsed_time()
        for agent in simulation.agents():
            if agent.position[0] > 0.4 and agent.id not in passed:
                passed.add(agent.id)
                times.append(now)
                last = now
    return times if len(times) == len(points) else None


def bottleneck(command, folder):
    print("Flow through a door (people per second, mean of two runs):\n")
    print("| door (m) | " + " | ".join(str(width) for width in WIDTHS) + " |")
    print("|---|" + "---|" * len(WIDTHS))
    print("| measured, Kretz et al. 2006 | 1.42 | 1.85 | 2.14 |")
    row = []
    for width in WIDTHS:
        flows = []
        for seed in SEEDS:
            points = filled(seed, (-6, -3.2), (-1, 3.2), 100)
            summary = wayfare(command, bottleneck_scene(width, points), folder, "--seed", str(seed))
            door = summary["measures"]["door"]
            flows.append(door["mean_flow"] if door["all_crossings"] == 100 else 0)
        row.append("stops" if min(flows) == 0 else f"{statistics.mean(flows):.2f}")
    print("| Wayfare, `pedestrian` | " + " | ".join(row) + " |")
    for name, model, parameters in MODELS:
        row = []
        for width in WIDTHS:
            try:
                points = [filled(seed, (-6, -3.2), (-1, 3.2), 100) for seed in SEEDS]
                runs = [bottleneck_jupedsim(model, parameters, width, all) for all in points]
            except RuntimeError:
                # A point outside the area, into which people were pushed.
                row.append("ends")
                continue
            row.append("stops" if None in runs else f"{statistics.mean(map(flow, runs)):.2f}")
        print(f"| JuPedSim, {name} | " + " | ".join(row) + " |", flush=True)
    print("\n\"stops\": in a run no one passed for 60 s. \"ends\": a run ended with an error, as")
    print("people had been pushed out of the walkable area.\n")


# A corridor 3 m wide, open at its ends, as JuPedSim has no periodic one: a block of 180 people of a
# given density walks along it. Density and speed are taken where the middle third of them is, from 5 s
# to 10 s, and the speed is compared with Weidmann's for the density that is there.

CORRIDOR = 3
PEOPLE = 180
TIMES = [5 + i * 0.5 for i in range(11)]


def weidmann(density):
    return 1.34 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))


def block(density, seed):
    length = PEOPLE / (density * CORRIDOR)
    return filled(seed, (0, 0.2), (length, CORRIDOR - 0.2), PEOPLE)


def density_and_speed(frames):
    """Of the middle third, by the first frame: density and speed, of frames {id: (x, y)} of TIMES."""
    order = sorted(frames[0], key=lambda id: frames[0][id][0])
    middle = order[PEOPLE // 3 : 2 * PEOPLE // 3]
    densities, speeds = [], []
    for before, after in zip(frames, frames[1:]):
        along = [before[id][0] for id in middle]
        densities.append((len(middle) - 1) / ((max(along) - min(along)) * CORRIDOR))
        speeds += [math.dist(before[id], after[id]) / 0.5 for id in middle]
    return statistics.mean(densities), statistics.mean(speeds)


def corridor_scene(points):
    return f"""
dt = 0.05
duration = 10
bodies = {{ solid = true }}
obstacle = [
    {{ box = {{ min = [-5, -1], max = [600, 0] }} }},
    {{ box = {{ min = [-5, {CORRIDOR}], max = [600, {CORRIDOR + 1}] }} }},
]
[[group]]
name = "people"
preset = "experiment"
spawn = {{ points = {[list(p) for p in points]} }}
[[group.steer]]
follow_flow = {{ field = "on" }}
[[group.steer]]
pedestrian = {{}}
[field.on]
vectors = [[1, 0], [1, 0]]
columns = 2
cell = 1000
origin = [-10, -10]
"""


def corridor_wayfare(command, folder, points, seed):
    rows = folder / "rows.csv"
    wayfare(command, corridor_scene(points), folder, "--seed", str(seed), "--every", "10", "-o", rows)
    frames = {}
    for row in csv.DictReader(rows.open()):
        frames.setdefault(float(row["time"]), {})[row["id"]] = (float(row["x"]), float(row["y"]))
    return density_and_speed([frames[time] for time in TIMES])


def corridor_jupedsim(model, parameters, points):
    area = shapely.box(-5, 0, 600, CORRIDOR)
    simulation = jps.Simulation(model=model(), geometry=area, dt=0.01)
    stage = simulation.add_exit_stage([(590, 0), (599, 0), (599, CORRIDOR), (590, CORRIDOR)])
    journey = simulation.add_journey(jps.JourneyDescription([stage]))
    for point in points:
        simulation.add_agent(parameters(position=point, journey_id=journey, stage_id=stage))
    frames = []
    for time in TIMES:
        simulation.iterate(round((time - simulation.elapsed_time()) / 0.01))
        frames.append({agent.id: agent.position for agent in simulation.agents()})
    return density_and_speed(frames)


def corridor(command, folder):
    print("Speed in a corridor (m/s) at the density that is there (1/m²), and Weidmann's:\n")
    print("| engine | " + " | ".join(f"starts at {d} per m²" for d in DENSITIES) + " | rms error |")
    print("|---|" + "---|" * len(DENSITIES) + "---|")
    engines = [("Wayfare, `pedestrian`", lambda points, seed: corridor_wayfare(command, folder, points, seed))]
    for name, model, parameters in MODELS:
        engines.append((f"JuPedSim, {name}", lambda points, _, m=model, p=parameters: corridor_jupedsim(m, p, points)))
    for name, run in engines:
        cells, errors = [], []
        for density in DENSITIES:
            try:
                runs = [run(block(density, seed), seed) for seed in SEEDS]
            except RuntimeError:
                # JuPedSim's bodies do not fit so close together.
                cells.append("refused")
                continue
            rho, v = (statistics.mean(values) for values in zip(*runs))
            errors.append(v - weidmann(rho))
            cells.append(f"{v:.2f} at {rho:.2f} ({weidmann(rho):.2f})")
        rms = math.sqrt(statistics.mean(error * error for error in errors))
        print(f"| {name} | " + " | ".join(cells) + f" | {rms:.2f} |", flush=True)
    print()


# Speed: people in a block of 2 per square metre walk along a wide corridor.


# How people find their way: each by its own search, and all by one flow field. JuPedSim searches.
WAYS = {
    "navigate": "navigate = {{ target = [490, {middle}], clearance = 0.19 }}",
    "follow_flow": "follow_flow = {{ field = \"on\" }}",
}


def crowd_scene(count, way):
    columns = round(math.sqrt(2 * count) / math.sqrt(2))
    spacing = math.sqrt(0.5)
    width = columns * spacing
    return f"""
dt = 0.05
duration = 5
bodies = {{ solid = true }}
obstacle = [
    {{ box = {{ min = [-50, -2], max = [500, -1] }} }},
    {{ box = {{ min = [-50, {width + 1}], max = [500, {width + 2}] }} }},
]
[[group]]
name = "people"
count = {count}
preset = "experiment"
spawn = {{ grid = {{ origin = [0, 0], spacing = {spacing}, columns = {columns} }} }}
[[group.steer]]
{WAYS[way].format(middle=width / 2)}
[[group.steer]]
pedestrian = {{}}
[field.on]
vectors = [[1, 0], [1, 0]]
columns = 2
cell = 1000
origin = [-100, -100]
"""


def crowd_jupedsim(model, parameters, count, steps):
    columns = round(math.sqrt(2 * count) / math.sqrt(2))
    spacing = math.sqrt(0.5)
    width = columns * spacing
    area = shapely.box(-50, -1, 500, width + 1)
    simulation = jps.Simulation(model=model(), geometry=area, dt=0.01)
    stage = simulation.add_exit_stage([(490, 0), (499, 0), (499, width), (490, width)])
    journey = simulation.add_journey(jps.JourneyDescription([stage]))
    for i in range(count):
        point = (i % columns * spacing, i // columns * spacing)
        simulation.add_agent(parameters(position=point, journey_id=journey, stage_id=stage))
    simulation.iterate(5)
    began = time.perf_counter()
    simulation.iterate(steps)
    return count * steps / (time.perf_counter() - began)


def circle_scene():
    points = [[200 * math.cos(2 * math.pi * i / 250), 200 * math.sin(2 * math.pi * i / 250)] for i in range(250)]
    goals = "".join(
        f"""
[[group]]
name = "{i}"
spawn = {{ points = [[{x}, {y}]] }}
radius = 1.5
max_speed = 2
[[group.steer]]
seek = {{ target = [{-x}, {-y}] }}
[[group.steer]]
orca = {{ time_horizon = 10, neighbor_dist = 15, max_neighbors = 10 }}
"""
        for i, (x, y) in enumerate(points)
    )
    return "dt = 0.25\nduration = 150\n" + goals


def circle_rvo2(steps):
    simulator = pyrvo.RVOSimulator(0.25, 15.0, 10, 10.0, 10.0, 1.5, 2.0)
    goals = []
    for i in range(250):
        angle = 2 * math.pi * i / 250
        simulator.add_agent((200 * math.cos(angle), 200 * math.sin(angle)))
        goals.append((-200 * math.cos(angle), -200 * math.sin(angle)))
    spent = 0
    for _ in range(steps):
        for i, goal in enumerate(goals):
            at = simulator.get_agent_position(i)
            to = (goal[0] - at.x, goal[1] - at.y)
            length = math.hypot(*to)
            simulator.set_agent_pref_velocity(i, (to[0] / length, to[1] / length) if length > 1 else to)
        began = time.perf_counter()
        simulator.do_step()
        spent += time.perf_counter() - began
    return 250 * steps / spent


def median_and_range(values):
    return f"{statistics.median(values) / 1e6:.3f} ({min(values) / 1e6:.3f} to {max(values) / 1e6:.3f})"


def speed(command, folder, repeats=5):
    print("Speed on one thread (million agent-steps per second; median and range of five):\n")
    count = 10_000
    circle, rvo2 = [], []
    ours = {way: [] for way in WAYS}
    theirs = {name: [] for name, _, _ in MODELS}
    for _ in range(repeats):
        for way in WAYS:
            summary = wayfare(command, crowd_scene(count, way), folder)
            ours[way].append(count * summary["ticks_per_second"])
        for name, model, parameters in MODELS:
            theirs[name].append(crowd_jupedsim(model, parameters, count, 20))
        summary = wayfare(command, circle_scene(), folder)
        circle.append(250 * summary["ticks_per_second"])
        rvo2.append(circle_rvo2(600))
    beside = "".join(f" Wayfare with `{way}` beside it |" for way in WAYS)
    print(f"| 10,000 people, 2 per m² | 10^6 agent-steps/s |{beside}")
    print("|---|---|" + "---|" * len(WAYS))
    for way, values in ours.items():
        print(f"| Wayfare, `{way}`, `pedestrian`, solid bodies | {median_and_range(values)} |" + " |" * len(WAYS))
    for name, values in theirs.items():
        ratios = [statistics.median(a / b for a, b in zip(ours[way], values)) for way in WAYS]
        ratios = "".join(f" {ratio:.1f} x |" for ratio in ratios)
        print(f"| JuPedSim, {name} | {median_and_range(values)} |{ratios}")
    print("\n| circle of 250 | 10^6 agent-steps/s | Wayfare beside it |")
    print("|---|---|---|")
    print(f"| Wayfare, `orca` | {median_and_range(circle)} | |")
    ratio = statistics.median(a / b for a, b in zip(circle, rvo2))
    print(f"| RVO2 (its own step alone, without Python) | {median_and_range(rvo2)} | {ratio:.1f} x |")


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bottleneck(command, folder)
        corridor(command, folder)
        speed(command, folder)


if __name__ == "__main__":
    main()
