"""The extension module."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy
import numpy.typing

class WayfareError(ValueError): ...

class SceneError(WayfareError):
    line: int
    column: int
    problems: list[dict[str, Any]]

class Scene:
    @staticmethod
    def of_text(name: str, text: str, json: bool, folder: str | None) -> Scene: ...
    @staticmethod
    def bundled(name: str) -> Scene: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def ticks(self) -> int: ...
    @property
    def dt(self) -> float: ...
    @property
    def seed(self) -> int: ...
    def with_(self, changes: dict[str, Any]) -> Scene: ...
    def check(self) -> list[dict[str, Any]]: ...
    def crowd(self, seed: int | None = None, threads: int | None = None) -> Crowd: ...
    def run(
        self,
        ticks: int | None = None,
        every: int = 1,
        seed: int | None = None,
        threads: int | None = None,
        page: bool = True,
    ) -> RunData: ...

class RunData:
    @property
    def digest(self) -> int: ...
    def parquet(self) -> bytes: ...
    def summary(self) -> str: ...
    def picture(self) -> str: ...
    def measures(self) -> bytes | None: ...
    def page(self) -> str | None: ...

class Crowd:
    """A crowd: agents that step together, made by :meth:`wayfare.Scene.crowd`.

    Arrays are copies in the order of ids.
    """

    def step(self, ticks: int = 1) -> None:
        """Steps, without the interpreter's lock."""

    @property
    def tick(self) -> int:
        """The number of ticks so far."""

    @property
    def time(self) -> float:
        """The simulated time."""

    def __len__(self) -> int: ...
    @property
    def groups(self) -> list[str]:
        """The names of the groups."""

    @property
    def threads(self) -> int:
        """The number of threads that step it."""

    @property
    def digest(self) -> int:
        """The hash of the state: equal runs have equal hashes."""

    @property
    def position(self) -> numpy.typing.NDArray[numpy.float32]:
        """Positions, agents by axes."""

    @property
    def velocity(self) -> numpy.typing.NDArray[numpy.float32]:
        """Velocities, agents by axes."""

    @property
    def heading(self) -> numpy.typing.NDArray[numpy.float32]:
        """Headings as unit vectors, agents by axes."""

    @property
    def id(self) -> numpy.typing.NDArray[numpy.uint32]:
        """Ids, ascending."""

    @property
    def group(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The index of each agent's group in :attr:`groups`."""

    @property
    def state(self) -> list[str | None]:
        """The name of each agent's state; ``None`` in groups without states."""

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the last tick, each with its ``kind``."""

    def apply(self, command: str) -> None:
        """Applies a command as JSON, in the notation of command logs (docs/running.md)."""

    def within(
        self, point: Sequence[float], radius: float, group: str | None = None
    ) -> list[int]:
        """The ids of the agents within a radius, ascending."""

    def nearest(self, point: Sequence[float], group: str | None = None) -> int | None:
        """The id of the nearest agent; of equally near ones the lowest."""

    def save(self) -> bytes:
        """The state, as a snapshot."""

    def restore(self, snapshot: bytes) -> None:
        """Restores a snapshot of a crowd of the same scene."""

    def __copy__(self) -> Crowd: ...

class Sweep:
    def __init__(self, scene: Scene, text: str) -> None: ...
    def __len__(self) -> int: ...
    def run(
        self,
        threads: int | None = None,
        journal: str | os.PathLike[str] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> bytes: ...

def scenes() -> list[tuple[str, str]]: ...
def schema() -> str: ...
def version() -> str: ...
