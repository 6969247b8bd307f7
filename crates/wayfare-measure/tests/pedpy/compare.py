"""Compares the measures of a run with PedPy's, value by value.

    python compare.py SCENE.toml TRAJECTORY.txt MEASURES.csv

Reads the scene's measures of the kinds that PedPy has, computes them by PedPy from the trajectory,
and fails where a value differs by more than a thousandth.
"""

import csv
import math
import pathlib
import sys
import tomllib
from collections import defaultdict

import pandas
import pedpy
import shapely

LARGEST = 1e-3  # relative
SMALL = 1e-6  # smaller values are compared by their difference
CORNERS = 64  # of a circle
SIDED = pedpy.SpeedCalculation.BORDER_SINGLE_SIDED


def polygon(shape):
    """The outline of a circle or a box of the scene."""
    if "circle" in shape:
        circle = shape["circle"]
        (x, y), radius = circle["center"], circle["radius"]
        turns = [2 * math.pi * i / CORNERS for i in range(CORNERS)]
        corners = [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]
        return shapely.Polygon(corners)
    box = shape["box"]
    if "center" in box:
        (x, y), (width, height) = box["center"], box["size"]
        outline = shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    else:
        outline = shapely.box(*box["min"], *box["max"])
    return shapely.affinity.rotate(outline, box.get("angle", 0), origin="center")


class Run:
    """A run of a scene, and its measures by PedPy."""

    def __init__(self, scene, trajectory):
        self.scene = scene
        self.trajectory = pedpy.load_trajectory_from_txt(trajectory_file=pathlib.Path(trajectory))
        bounds = scene["bounds"]
        walkable = shapely.box(*bounds["min"], *bounds["max"])
        for obstacle in scene.get("obstacle", []):
            walkable = shapely.difference(walkable, polygon(obstacle))
        self.walkable = pedpy.WalkableArea(walkable)
        self.known_cells = {}

    def line(self, line):
        if isinstance(line, str):
            line = [self.scene["line"][line]["from"], self.scene["line"][line]["to"]]
        return pedpy.MeasurementLine(line)

    def speeds(self, parameters):
        return pedpy.compute_individual_speed(
            traj_data=self.trajectory,
            frame_step=parameters.get("frame_step", 1),
            compute_velocity=True,
            speed_calculation=SIDED,
        )

    def cells(self, parameters):
        radius, segments = parameters.get("cut_off"), parameters.get("quad_segments", 3)
        if (radius, segments) not in self.known_cells:
            cut_off = radius and pedpy.Cutoff(radius=radius, quad_segments=segments)
            self.known_cells[radius, segments] = pedpy.compute_individual_voronoi_polygons(
                traj_data=self.trajectory, walkable_area=self.walkable, cut_off=cut_off
            )
        return self.known_cells[radius, segments]

    def flow(self, parameters):
        line, rate = self.line(parameters["line"]), self.trajectory.frame_rate
        n_t, crossings = pedpy.compute_n_t(traj_data=self.trajectory, measurement_line=line)
        yield "crossings", dict(zip(n_t.frame, n_t.cumulative_pedestrians))
        speeds = self.speeds(parameters)
        joined = crossings.merge(speeds, on=["id", "frame"])
        by_agent = {(int(r.frame), int(r.id)): r.speed for r in joined.itertuples()}
        yield "crossing_speed", by_agent
        first, last = crossings.frame.min(), crossings.frame.max()
        mean = (len(crossings) - 1) / (last - first) * rate
        yield "mean_flow", [mean]
        yield "specific_flow", [mean / line.length]
        if "interval" in parameters:
            flow = pedpy.compute_flow(
                nt=n_t,
                crossing_frames=crossings,
                individual_speed=speeds,
                delta_frame=round(parameters["interval"] * rate),
                frame_rate=rate,
            )
            yield "interval_flow", list(flow.flow)
            yield "interval_speed", list(flow.mean_speed)

    def classic_density(self, parameters):
        area = pedpy.MeasurementArea(polygon(parameters["area"]))
        density = pedpy.compute_classic_density(traj_data=self.trajectory, measurement_area=area)
        density = dict(zip(density.frame, density.density))
        yield "density", density
        speed = pedpy.compute_mean_speed_per_frame(
            traj_data=self.trajectory,
            individual_speed=self.speeds(parameters),
            measurement_area=area,
        )
        yield from self.speed_and_flow(density, speed)

    def voronoi_density(self, parameters):
        area = pedpy.MeasurementArea(polygon(parameters["area"]))
        density, parts = pedpy.compute_voronoi_density(
            individual_voronoi_data=self.cells(parameters), measurement_area=area
        )
        density = dict(zip(density.frame, density.density))
        yield "density", density
        speed = pedpy.compute_voronoi_speed(
            traj_data=self.trajectory,
            individual_speed=self.speeds(parameters),
            individual_voronoi_intersection=parts,
            measurement_area=area,
        )
        yield from self.speed_and_flow(density, speed)

    def speed_and_flow(self, density, speed):
        speed = dict(zip(speed.frame, speed.speed))
        yield "speed", speed
        yield "flow", {frame: density[frame] * speed[frame] for frame in speed}

    def voronoi_line(self, parameters):
        line, cells = self.line(parameters["line"]), self.cells(parameters)
        species = pedpy.compute_species(
            trajectory_data=self.trajectory,
            individual_voronoi_polygons=cells,
            measurement_line=line,
            frame_step=parameters.get("frame_step", 1),
        )
        on_line = {
            "individual_voronoi_polygons": cells,
            "measurement_line": line,
            "species": species,
        }
        speeds = self.speeds(parameters)
        density = pedpy.compute_line_density(**on_line)
        yield "density", dict(zip(density.frame, density.density))
        speed = pedpy.compute_line_speed(**on_line, individual_speed=speeds)
        yield "speed", dict(zip(speed.frame, speed.speed))
        flow = pedpy.compute_line_flow(**on_line, individual_speed=speeds)
        yield "flow", dict(zip(flow.frame, flow.flow))


def read(path):
    """The rows of a table of measures, by measure and quantity."""
    rows = defaultdict(list)
    with open(path, newline="") as table:
        for row in csv.DictReader(table):
            agent = int(row["agent"]) if row["agent"] else None
            value = (int(row["tick"]), agent, float(row["value"]))
            rows[row["measure"], row["quantity"]].append(value)
    return rows


def pairs(ours, theirs):
    """The values of both sides that belong together; PedPy has one for each of ours."""
    if isinstance(theirs, list):
        assert len(ours) == len(theirs), f"{len(ours)} values and not {len(theirs)}"
        return [(value, other) for (_, _, value), other in zip(ours, theirs)]
    by_agent = any(isinstance(key, tuple) for key in theirs)
    mine = {(tick, agent) if by_agent else tick: value for tick, agent, value in ours}
    if by_agent:
        assert mine.keys() == theirs.keys(), "other agents or ticks"
    else:
        # N(t) has rows where it changes only.
        frames = pandas.Series(mine).sort_index()
        mine = frames.reindex(sorted({*mine, *theirs})).ffill().to_dict()
    return [(mine[key], other) for key, other in theirs.items() if not math.isnan(other)]


def main(scene, trajectory, measures):
    with open(scene, "rb") as file:
        scene = tomllib.load(file)
    run, rows = Run(scene, trajectory), read(measures)
    failed = False
    for measure in scene["measure"]:
        (kind,) = measure.keys() - {"name"}
        for quantity, theirs in getattr(run, kind)(measure[kind]):
            compared = pairs(rows[measure["name"], quantity], theirs)
            difference = max(abs(a - b) / max(abs(b), SMALL / LARGEST) for a, b in compared)
            is_close = difference <= LARGEST
            failed |= not is_close
            largest = max(abs(b) for _, b in compared)
            print(
                f"{measure['name']:26} {quantity:15} {len(compared):5} values up to {largest:8.4f},"
                f" largest difference {difference:.1e}{'' if is_close else '  TOO LARGE'}"
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
