"""The extension module."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy
import numpy.typing
from typing_extensions import Self

class WayfareError(ValueError): ...

class SceneError(WayfareError):
    line: int
    column: int
    problems: list[dict[str, Any]]
    hints: list[str]

class Scene:
    @staticmethod
    def of_text(name: str, text: str, json: bool, folder: str | None) -> Scene: ...
    @staticmethod
    def bundled(name: str) -> Scene: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str, bool, str | None]]: ...
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
    def run(
        self,
        ticks: int | None = None,
        every: int = 1,
        seed: int | None = None,
        threads: int | None = None,
        page: bool = True,
        time: float | None = None,
    ) -> RunData: ...

class RunData:
    @property
    def digest(self) -> int: ...
    def parquet(self) -> bytes: ...
    def summary(self) -> str: ...
    def picture(self) -> str: ...
    def measures(self) -> bytes | None: ...
    def page(self) -> str | None: ...

class Columns:
    """Read-only views of a crowd's columns, without a copy, in the order of rows.

    A view stays as it is when the crowd changes, which takes other memory then.
    """

    @property
    def x(self) -> numpy.typing.NDArray[numpy.float32]:
        """The first axis of positions (length)."""

    @property
    def y(self) -> numpy.typing.NDArray[numpy.float32]:
        """The second axis of positions (length)."""

    @property
    def z(self) -> numpy.typing.NDArray[numpy.float32]:
        """The third axis of positions (length); only in space."""

    @property
    def vx(self) -> numpy.typing.NDArray[numpy.float32]:
        """The first axis of velocities (length / time)."""

    @property
    def vy(self) -> numpy.typing.NDArray[numpy.float32]:
        """The second axis of velocities (length / time)."""

    @property
    def vz(self) -> numpy.typing.NDArray[numpy.float32]:
        """The third axis of velocities (length / time); only in space."""

    @property
    def heading_x(self) -> numpy.typing.NDArray[numpy.float32]:
        """The first axis of headings."""

    @property
    def heading_y(self) -> numpy.typing.NDArray[numpy.float32]:
        """The second axis of headings."""

    @property
    def heading_z(self) -> numpy.typing.NDArray[numpy.float32]:
        """The third axis of headings; only in space."""

    @property
    def id(self) -> numpy.typing.NDArray[numpy.uint32]:
        """Ids."""

    @property
    def group(self) -> numpy.typing.NDArray[numpy.uint32]:
        """Indices of groups."""

class Crowd:
    def __new__(
        cls,
        source: Scene | Crowd,
        seed: int | None = None,
        threads: int | None = None,
        behaviors: list[tuple[str, Any]] = ...,
    ) -> Self: ...
    @property
    def columns(self) -> Columns:
        """Views of the columns, without a copy."""

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
    def mass(self) -> numpy.typing.NDArray[numpy.float32]:
        """The mass of each agent (time)."""

    @property
    def max_speed(self) -> numpy.typing.NDArray[numpy.float32]:
        """The top speed of each agent (length / time)."""

    @property
    def max_force(self) -> numpy.typing.NDArray[numpy.float32]:
        """The largest force of each agent (length / time)."""

    @property
    def radius(self) -> numpy.typing.NDArray[numpy.float32]:
        """The radius of each agent's body (length)."""

    @property
    def state(self) -> list[str | None]:
        """The name of each agent's state; ``None`` in groups without states."""

    @property
    def obstacles(self) -> dict[int, dict[str, Any]]:
        """The obstacles by their ids, each in the notation of scenes."""

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of all ticks of the last step, each with its ``kind``."""

    def apply(self, command: str) -> int | None:
        """Applies a command as JSON, in the notation of command logs (docs/running.md).

        Returns the id or index of what it has added, if anything.
        """

    def move_agents(
        self,
        ids: numpy.typing.NDArray[numpy.uint32],
        position: numpy.typing.NDArray[numpy.float32] | None = None,
        velocity: numpy.typing.NDArray[numpy.float32] | None = None,
    ) -> None: ...
    def order_agents(
        self,
        ids: numpy.typing.NDArray[numpy.uint32],
        order: numpy.typing.NDArray[numpy.float32],
    ) -> None: ...

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


class Journal:
    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        table: str | os.PathLike[str] | None = None,
    ) -> None: ...

class Sweep:
    def __init__(self, scene: Scene, text: str) -> None: ...
    def __len__(self) -> int: ...
    def left(self, journal: Journal) -> list[int]: ...
    def done(self, journal: Journal) -> int: ...
    def add(self, journal: Journal, line: str) -> None: ...
    def run_line(self, index: int) -> str: ...
    def run(
        self,
        journal: Journal,
        threads: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None: ...
    def table(self, journal: Journal) -> bytes: ...

def scenes() -> list[tuple[str, str]]: ...
def schema() -> str: ...
def commands() -> list[list[str]]: ...
def version() -> str: ...
def main(arguments: list[str]) -> int: ...
