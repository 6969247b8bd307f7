"""The runs of a sweep as tasks of Ray."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from . import _wayfare

MOST_WAITING = 1000
"""The tasks that are given to the cluster before one of them has ended."""

MOST_REPEATS = 100
"""How often a run is repeated whose worker or node is lost."""


@functools.lru_cache(maxsize=2)
def _planned(name: str, text: str, json: bool, folder: str | None, sweep: str) -> _wayfare.Sweep:
    """The sweep of a worker, which it plans once."""
    return _wayfare.Sweep(_wayfare.Scene.of_text(name, text, json, folder), sweep)


def _run_line(definition: tuple[Any, ...], index: int) -> str:
    return _planned(*definition).run_line(index)


def run(
    planned: _wayfare.Sweep,
    journal: _wayfare.Journal,
    scene: _wayfare.Scene,
    sweep: str,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Runs what the journal lacks, which gets each outcome as soon as its run ends."""
    import ray

    left = planned.left(journal)
    # Counting what is done costs time in proportion to all runs.
    told, often = 0, max(1, len(left) // 200)
    if progress is not None:
        progress(planned.done(journal), len(planned))
    if not left:
        return
    if not ray.is_initialized():
        ray.init()
    _, arguments = scene.__reduce__()
    # Sent to each node once.
    definition = ray.put((*arguments, sweep))
    task = ray.remote(num_cpus=1, max_retries=MOST_REPEATS)(_run_line)
    waiting: list[Any] = []
    left.reverse()
    try:
        while left or waiting:
            while left and len(waiting) < MOST_WAITING:
                waiting.append(task.remote(definition, left.pop()))
            ended, waiting = ray.wait(waiting, num_returns=1)
            for line in ray.get(ended):
                planned.add(journal, line)
            told += 1
            if progress is not None and (told % often == 0 or not (left or waiting)):
                progress(planned.done(journal), len(planned))
    finally:
        for unfinished in waiting:
            ray.cancel(unfinished, force=True)
