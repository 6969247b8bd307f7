"""Sweeps: one scene with many values and seeds."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _wayfare
from ._plain import plain

if TYPE_CHECKING:
    import pyarrow

    from . import Scene


def sweep(
    scene: Scene,
    *,
    over: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]] = (),
    seeds: int | Iterable[int] | None = None,
    ticks: int | None = None,
    time: float | None = None,
    measures: Sequence[str] = (),
    engine: Literal["local", "ray"] = "local",
    resume: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pyarrow.Table:
    """Runs a scene with many values and seeds, and returns a row per run.

    The definition is that of ``wayfare sweep`` (docs/sweeps.md), and so is the table with
    ``--times``: but for ``seconds``, the duration of each run, it is the same for any number of
    threads, and for either engine.

    Parameters
    ----------
    scene : Scene
        The scene.
    over : dict, or list of dict
        Lists of values by their paths; all combinations are run. With a list of dictionaries, the
        values of one dictionary change together.
    seeds : int, or iterable of int, optional
        ``n`` for the seeds 0 to n - 1; by default the seed of the scene.
    ticks : int, optional
        The number of ticks of each run; by default the scene's duration.
    time : float, optional
        The time of each run, in place of ``ticks``.
    measures : list of str
        The measures of the table; by default all.
    engine : {"local", "ray"}
        Where the runs are run: in threads of this process, or as tasks of Ray. With ``"ray"`` the
        cluster is the one that ``ray.init`` has connected to, or else one on this machine. Every
        node needs the same version of this package, and the files that the scene names. A run
        whose worker or node is lost is run again.
    resume : path, optional
        A folder that keeps finished runs: a sweep that is begun again runs only what is missing,
        with either engine. While the sweep runs, the file ``results.parquet`` in it has the rows
        of the finished runs; it is replaced as a whole, at most once per second.
    threads : int, optional
        The number of runs at a time with ``"local"``; by default the number of cores.
    progress : callable, optional
        Is called with the finished and with all runs after each run.

    Raises
    ------
    SceneError
        The sweep and the scene do not fit.
    """
    text: dict[str, Any] = {"scene": scene.name}
    if over:
        text["over"] = plain(over)
    if seeds is not None:
        text["seeds"] = seeds if isinstance(seeds, int) else [int(seed) for seed in seeds]
    if ticks is not None:
        text["ticks"] = ticks
    if time is not None:
        text["time"] = time
    if measures:
        text["measures"] = list(measures)
    if engine not in ("local", "ray"):
        raise ValueError(f'`engine` is {engine!r}\nallowed: "local" or "ray"')
    definition = json.dumps(text)
    planned = _wayfare.Sweep(scene._scene, definition)
    paths: list[str] = []
    if resume is not None:
        os.makedirs(resume, exist_ok=True)
        paths = [os.path.join(os.fspath(resume), name) for name in ("sweep.runs", "results.parquet")]
    journal = _wayfare.Journal(*paths)
    if engine == "ray":
        from ._ray import run

        run(planned, journal, scene._scene, definition, progress)
    else:
        planned.run(journal, threads=threads, progress=progress)
    table = planned.table(journal)

    import pyarrow.parquet

    return pyarrow.parquet.read_table(io.BytesIO(table))
