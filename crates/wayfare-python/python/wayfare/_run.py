"""What a run gives."""

from __future__ import annotations

import html
import io
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes

    from . import Scene, _wayfare


class Run:
    """The trajectories and measures of a run, made by :meth:`Scene.run`."""

    __slots__ = ("_data", "scene")

    def __init__(self, scene: Scene, data: _wayfare.RunData) -> None:
        self.scene = scene
        self._data = data

    @property
    def digest(self) -> int:
        """The hash of the final state: ``wayfare run --digest`` prints the same in hexadecimal."""
        return self._data.digest

    @property
    def summary(self) -> dict[str, Any]:
        """The summary, as ``wayfare run -o summary.json`` writes it."""
        found: dict[str, Any] = json.loads(self._data.summary())
        return found

    def to_arrow(self) -> pyarrow.Table:
        """The trajectories: a row per agent and kept tick, ordered by tick and id."""
        return _arrow(self._data.parquet())

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a data frame of pandas."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The same as a data frame of polars."""
        import polars

        return polars.read_parquet(io.BytesIO(self._data.parquet()))

    @property
    def measures(self) -> pyarrow.Table | None:
        """A row per value that the scene measures; ``None`` if it measures nothing."""
        measured = self._data.measures()
        return None if measured is None else _arrow(measured)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the trajectories as Parquet."""
        with open(path, "wb") as file:
            file.write(self._data.parquet())

    @property
    def picture(self) -> str:
        """The picture of the last tick with the trails that led there, as SVG."""
        return self._data.picture()

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draws the ways of all agents, obstacles, and the bodies at the end, by matplotlib.

        Parameters
        ----------
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure. A run in space is seen along the third axis.
        """
        from ._plot import plot

        return plot(self, axes)

    def animate(self, interval: float = 50, axes: Axes | None = None) -> FuncAnimation:
        """An animation by matplotlib of the kept ticks, ``interval`` milliseconds each.

        In a notebook ``IPython.display.HTML(run.animate().to_jshtml())`` shows it, and
        ``.save("run.gif")`` writes it. A run or a scene alone shows its report, which moves, too.
        """
        from ._plot import animate

        return animate(self, interval, axes)

    def report(self) -> str:
        """One page about the run as HTML, as ``wayfare report`` writes it.

        Raises
        ------
        ValueError
            The run was made with ``page=False``.
        """
        page = self._data.page()
        if page is None:
            raise ValueError("the run has no report; allowed: page=True")
        return page

    def __repr__(self) -> str:
        return f"<wayfare.Run of {self.scene.name!r}>"

    def _repr_html_(self) -> str:
        page = self._data.page()
        if page is None:
            # Without its XML declaration, which HTML has no place for.
            return self.picture[self.picture.index("<svg") :]
        style = "width: 100%; height: 44em; border: 0"
        return f'<iframe srcdoc="{html.escape(page)}" style="{style}"></iframe>'


def _arrow(parquet: bytes) -> pyarrow.Table:
    import pyarrow.parquet

    return pyarrow.parquet.read_table(io.BytesIO(parquet))
