"""Figures of runs, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes

    from . import Run

# Okabe and Ito's colors, which most people can tell apart.
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
OBSTACLE: dict[str, Any] = {"facecolor": "#c8c8c8", "edgecolor": "#606060", "linewidth": 0.8}


class _Frames:
    """What a run has kept, as arrays."""

    def __init__(self, run: Run) -> None:
        table = run.to_arrow()
        self.tick, self.id = table["tick"].to_numpy(), table["id"].to_numpy()
        self.position = numpy.column_stack([table["x"].to_numpy(), table["y"].to_numpy()])
        self.crowd = run.scene.crowd(threads=1)
        self.group = numpy.asarray(table["group"].to_pylist())
        self.time = dict(zip(self.tick.tolist(), table["time"].to_pylist(), strict=True))
        self.ticks = sorted(self.time)
        self.radius = table["radius"].to_numpy()
        self.color = {
            name: COLORS[index % len(COLORS)] for index, name in enumerate(self.crowd.groups)
        }

    def draw_world(self, run: Run, axes: Axes | None) -> Axes:
        from matplotlib import patches, pyplot

        if axes is None:
            axes = pyplot.subplots(layout="constrained")[1]
        for shape in self.crowd.obstacles.values():
            ((kind, values),) = shape.items()
            if kind == "circle":
                axes.add_patch(patches.Circle(values["center"][:2], values["radius"], **OBSTACLE))
            elif kind == "segment":
                ends = numpy.array([values["from"][:2], values["to"][:2]])
                axes.add_patch(patches.Polygon(_capsule(ends, values["thickness"]), **OBSTACLE))
            elif kind == "box" and "min" in values:
                low, high = numpy.array(values["min"][:2]), numpy.array(values["max"][:2])
                axes.add_patch(patches.Rectangle((low[0], low[1]), *(high - low), **OBSTACLE))
            elif kind == "box":
                size = numpy.array(values["size"][:2])
                low = numpy.array(values["center"][:2]) - size / 2
                turned = patches.Rectangle(
                    (low[0], low[1]), *size, angle=values["angle"], rotation_point="center", **OBSTACLE
                )
                axes.add_patch(turned)
            else:
                axes.add_patch(patches.Polygon(values, **OBSTACLE))
        axes.set_aspect("equal")
        axes.set_title(run.scene.title)
        axes.set_xlabel("x")
        axes.set_ylabel("y")
        axes.autoscale_view()
        return axes

    def bodies(self, axes: Axes) -> Any:
        """An empty collection of bodies, to scale where they have a radius."""
        from matplotlib.collections import EllipseCollection

        bodies = EllipseCollection([], [], [], units="xy", offset_transform=axes.transData)
        axes.add_collection(bodies)
        return bodies

    def place(self, bodies: Any, tick: int) -> None:
        """Puts the bodies where they are at ``tick``."""
        rows = self.tick == tick
        extent = numpy.ptp(self.position, axis=0).max(initial=0.0)
        # A body without a radius is drawn as a dot.
        least = 0.008 * (extent or 1.0)
        size = 2 * numpy.maximum(self.radius[rows], least)
        bodies.set_widths(size)
        bodies.set_heights(size)
        bodies.set_angles(numpy.zeros(len(size)))
        bodies.set_offsets(self.position[rows])
        bodies.set_facecolor([self.color.get(name, "#808080") for name in self.group[rows]])


def _capsule(ends: Any, thickness: float) -> Any:
    """The outline of a thick line with round ends."""
    along = ends[1] - ends[0]
    start = numpy.arctan2(along[1], along[0]) + numpy.pi / 2
    turn = numpy.linspace(0, numpy.pi, 13)
    arcs = [start + turn, start + numpy.pi + turn]
    circle = [numpy.column_stack([numpy.cos(arc), numpy.sin(arc)]) for arc in arcs]
    return numpy.vstack([end + thickness / 2 * arc for end, arc in zip(ends, circle, strict=True)])


def plot(run: Run, axes: Axes | None) -> Axes:
    from matplotlib.collections import LineCollection

    frames = _Frames(run)
    axes = frames.draw_world(run, axes)
    order = numpy.argsort(frames.id, kind="stable")
    cuts = numpy.flatnonzero(numpy.diff(frames.id[order])) + 1
    for name, color in frames.color.items():
        trails = [
            frames.position[rows]
            for rows in numpy.split(order, cuts)
            if len(rows) and frames.group[rows[0]] == name
        ]
        axes.add_collection(LineCollection(trails, colors=color, linewidths=0.7, alpha=0.5))
        axes.plot([], [], "o", color=color, label=name)
    frames.place(frames.bodies(axes), frames.ticks[-1])
    axes.legend(loc="best")
    axes.autoscale_view()
    return axes


def animate(run: Run, interval: float, axes: Axes | None) -> FuncAnimation:
    from matplotlib.animation import FuncAnimation
    from matplotlib.figure import Figure

    frames = _Frames(run)
    axes = frames.draw_world(run, axes)
    low, high = frames.position.min(axis=0), frames.position.max(axis=0)
    margin = 0.03 * max((high - low).max(), 1e-6)
    axes.update_datalim([low - margin, high + margin])
    axes.autoscale_view()
    bodies, clock = frames.bodies(axes), axes.set_title("")

    def show(tick: int) -> list[Any]:
        frames.place(bodies, tick)
        clock.set_text(f"{run.scene.title}: {frames.time[tick]:.2f}")
        return [bodies, clock]

    figure = axes.figure
    assert isinstance(figure, Figure)
    return FuncAnimation(figure, show, frames=frames.ticks, interval=interval)
