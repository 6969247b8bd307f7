"""Steering behaviors and crowds: scene files, measures and sweeps at full speed.

>>> import wayfare
>>> scene = wayfare.load("doorway-150")
>>> crowd = scene.crowd()
>>> crowd.step(100)
>>> crowd.position.shape
(150, 2)
"""

from __future__ import annotations

import json as _json
import os as _os
from typing import Any as _Any

from . import _wayfare
from ._crowd import Behavior, Crowd, Members, Native
from ._run import Run
from ._sweep import sweep
from ._wayfare import SceneError, WayfareError

__all__ = [
    "Behavior",
    "Crowd",
    "Members",
    "Native",
    "Run",
    "Scene",
    "SceneError",
    "WayfareError",
    "load",
    "scenes",
    "schema",
    "sweep",
]
__version__: str = _wayfare.version()


class Scene:
    """A scene: a world, its agents, and what is measured.

    Made by :func:`load`. A scene never changes; :meth:`with_` gives another one.
    """

    __slots__ = ("_scene",)

    def __init__(self, scene: _wayfare.Scene) -> None:
        self._scene = scene

    @property
    def name(self) -> str:
        """The file, or the folder and name of a bundled scene."""
        return self._scene.name

    @property
    def title(self) -> str:
        """The title."""
        return self._scene.title

    @property
    def text(self) -> str:
        """The text, in TOML or JSON."""
        return self._scene.text

    @property
    def dimension(self) -> int:
        """2 for the plane, 3 for space."""
        return self._scene.dimension

    @property
    def ticks(self) -> int:
        """The number of ticks that the scene's duration has."""
        return self._scene.ticks

    @property
    def dt(self) -> float:
        """The simulated time of a tick."""
        return self._scene.dt

    @property
    def seed(self) -> int:
        """The seed of all random numbers."""
        return self._scene.seed

    def with_(self, changes: dict[str, _Any]) -> Scene:
        """The scene with other values.

        Parameters
        ----------
        changes : dict
            Values by their paths, such as ``{"group.people.max_speed": 1.3}``. An entry of a list
            is named by its ``name``, a behavior by its behavior, any entry by its index.

        Raises
        ------
        WayfareError
            There is no such path, or the scene refuses the value.
        """
        return Scene(self._scene.with_(changes))

    def check(self) -> list[dict[str, _Any]]:
        """Hints about settings that work badly, with ``line``, ``column`` and ``message``."""
        return self._scene.check()

    def crowd(
        self,
        *,
        seed: int | None = None,
        threads: int | None = None,
        behaviors: dict[str, Behavior | list[Behavior]] | None = None,
    ) -> Crowd:
        """The crowd of the scene at tick 0.

        Parameters
        ----------
        seed : int, optional
            The seed; by default the scene's.
        threads : int, optional
            The threads that step it; by default the number of cores. Results do not depend on it.
        behaviors : dict, optional
            Behaviors of your own by the names of groups. Each is a function that gets the
            :class:`Members` of the group and returns their forces (length / time), agents by axes,
            or a :class:`Native` one. It is called once per tick; the group's list has it first,
            with weight 1.
        """
        return Crowd(self._scene, seed, threads, behaviors)

    def run(
        self,
        ticks: int | None = None,
        *,
        every: int = 1,
        seed: int | None = None,
        threads: int | None = None,
        page: bool = True,
        time: float | None = None,
    ) -> Run:
        """Runs the scene, without the interpreter's lock.

        Parameters
        ----------
        ticks : int, optional
            The number of ticks; by default the scene's duration.
        every : int
            Keep the ticks 0, ``every``, 2 ``every``, …
        seed, threads : int, optional
            As in :meth:`crowd`.
        page : bool
            Keep what :meth:`Run.report` and notebooks show: up to a thousand moments.
        time : float, optional
            The time to end at, in place of ``ticks``.
        """
        data = self._scene.run(
            ticks=ticks, every=every, seed=seed, threads=threads, page=page, time=time
        )
        return Run(self, data)

    def __repr__(self) -> str:
        return repr(self._scene)

    def _repr_html_(self) -> str:
        return self.run()._repr_html_()


def load(scene: str | _os.PathLike[str] | dict[str, _Any]) -> Scene:
    """A scene from a file, a bundled scene by its name, or a scene as a dictionary.

    Raises
    ------
    SceneError
        The scene has mistakes: the text has each with its place and what is allowed.
    OSError
        The file cannot be read.
    """
    if isinstance(scene, dict):
        return Scene(_wayfare.Scene.of_text("scene", _json.dumps(scene), True, None))
    path = _os.fspath(scene)
    is_name = isinstance(scene, str) and not _os.path.exists(path)
    if is_name and not path.endswith((".toml", ".json")) and _os.sep not in path:
        return Scene(_wayfare.Scene.bundled(path))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    folder = _os.path.dirname(_os.path.abspath(path))
    return Scene(_wayfare.Scene.of_text(path, text, path.lower().endswith(".json"), folder))


def scenes() -> list[str]:
    """The names of the bundled scenes."""
    return [name for name, _ in _wayfare.scenes()]


def schema() -> dict[str, _Any]:
    """The JSON Schema of scene files."""
    found: dict[str, _Any] = _json.loads(_wayfare.schema())
    return found
