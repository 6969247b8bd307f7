"""Crowds with their commands as methods."""

from __future__ import annotations

import json as _json
from collections.abc import Callable as _Callable
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import NamedTuple as _NamedTuple

import numpy as _numpy
from numpy.typing import ArrayLike as _ArrayLike
from numpy.typing import NDArray as _NDArray

from . import _wayfare
from ._plain import plain

_Floats = _NDArray[_numpy.float32]


class Members(_NamedTuple):
    """The members of a group, which a behavior in Python reads; rows are in the order of ids."""

    tick: int
    """The number of the tick that is stepped."""
    id: _NDArray[_numpy.uint32]
    """Ids, ascending."""
    position: _Floats
    """Positions, agents by axes (length)."""
    velocity: _Floats
    """Velocities, agents by axes (length / time)."""
    heading: _Floats
    """Headings as unit vectors, agents by axes."""


class Native:
    """A behavior in native code, such as a function that numba or cffi has compiled.

    Parameters
    ----------
    function : int or object
        The address of the function, or an object that has it as ``address``, as what
        ``numba.cfunc`` returns. It must stay alive as long as the crowd and its copies, and have
        this signature in C; vectors are rows of ``dimension`` numbers::

            void force(size_t members, size_t dimension, uint64_t tick, double dt,
                       const uint32_t *id, const float *position, const float *velocity,
                       float *force);

        ``force`` is zero before the call. The interpreter's lock is not held. Anything else than
        the address of such a function ends the process.
    """

    __slots__ = ("_function", "address")

    def __init__(self, function: _Any) -> None:
        self._function = function
        self.address = int(getattr(function, "address", function))


Behavior = _Callable[[Members], _ArrayLike] | Native


def _called(function: _Callable[[Members], _ArrayLike]) -> _Callable[..., _Floats]:
    """The function with arrays as arguments, and its result as an array of the right shape."""

    def call(tick: int, agent: _Any, position: _Any, velocity: _Any, heading: _Any) -> _Floats:
        given = function(Members(tick, agent, position, velocity, heading))
        force = _numpy.asarray(given, dtype=_numpy.float32)
        if force.shape != position.shape:
            raise _wayfare.WayfareError(
                f"a behavior returns an array of the shape {force.shape}\n"
                f"allowed: {position.shape}, a force per member"
            )
        return force

    return call


class Crowd(_wayfare.Crowd):
    """A crowd: agents that step together, made by :meth:`wayfare.Scene.crowd`.

    Arrays are copies in the order of ids; :attr:`columns` has views in the order of rows. The
    methods that change the crowd are the commands of command logs (docs/running.md).
    """

    def __new__(
        cls,
        source: _wayfare.Scene | _wayfare.Crowd,
        seed: int | None = None,
        threads: int | None = None,
        behaviors: _Mapping[str, Behavior | _Sequence[Behavior]] | None = None,
    ) -> Crowd:
        own: list[tuple[str, _Any]] = []
        for group, given in (behaviors or {}).items():
            for behavior in given if isinstance(given, list | tuple) else [given]:
                if isinstance(behavior, Native):
                    own.append((group, behavior.address))
                elif callable(behavior):
                    own.append((group, _called(behavior)))
                else:
                    raise TypeError(
                        f"the behavior of group `{group}` is a {type(behavior).__qualname__}; "
                        "allowed: a function, or `wayfare.Native`"
                    )
        return super().__new__(cls, source, seed, threads, own)

    def __copy__(self) -> Crowd:
        return type(self)(self)

    def _command(self, **keys: _Any) -> int | None:
        return self.apply(_json.dumps(plain(keys)))

    def _added(self, **keys: _Any) -> int:
        added = self._command(**keys)
        assert added is not None
        return added

    def set_pointer(self, position: _ArrayLike | None) -> None:
        """Moves the pointer, or with ``None`` back to its track."""
        self._command(pointer=position)

    def add(self, group: str, position: _ArrayLike, velocity: _ArrayLike | None = None) -> int:
        """Adds a member of ``group`` and returns its id.

        Parameters
        ----------
        group : str
            The name of the group.
        position : array_like
            The position (length).
        velocity : array_like, optional
            The velocity (length / time); by default as at the start of the scene.
        """
        given = {} if velocity is None else {"velocity": velocity}
        return self._added(add=group, position=position, **given)

    def remove(self, agent: int) -> None:
        """Removes the agent with this id."""
        self._command(remove=agent)

    def move(self, agent: int, position: _ArrayLike, velocity: _ArrayLike | None = None) -> None:
        """Moves an agent to ``position`` (length); its velocity stays unless it is given."""
        given = {} if velocity is None else {"velocity": velocity}
        self._command(move=agent, position=position, **given)

    def set_positions(self, agents: _ArrayLike, positions: _ArrayLike) -> None:
        """Moves the agents with these ids, each to its row of ``positions`` (length).

        Either all are moved or, if there is a mistake, none.
        """
        self.move_agents(_ids(agents), position=_rows(positions))

    def set_velocities(self, agents: _ArrayLike, velocities: _ArrayLike) -> None:
        """Gives the agents with these ids their rows of ``velocities`` (length / time).

        A velocity beyond an agent's top speed is truncated to it. Either all are set or, if there
        is a mistake, none.
        """
        self.move_agents(_ids(agents), velocity=_rows(velocities))

    def set_order(self, agent: int, order: _ArrayLike | _Mapping[str, _Any] | None) -> None:
        """Orders an agent to a point, ``{"agent": id}``, ``{"path": name}``, or nowhere."""
        self._command(agent=agent, order=order)

    def set_orders(self, agents: _ArrayLike, points: _ArrayLike) -> None:
        """Orders the agents with these ids, each to its row of ``points`` (length).

        Either all are ordered or, if there is a mistake, none.
        """
        self.order_agents(_ids(agents), _rows(points))

    def set_mass(self, agent: int, mass: float | None) -> None:
        """Sets the mass of an agent (time), or with ``None`` that of its group."""
        self._command(agent=agent, mass=mass)

    def set_max_speed(self, agent: int, max_speed: float | None) -> None:
        """Sets the top speed of an agent (length / time), or with ``None`` that of its group."""
        self._command(agent=agent, max_speed=max_speed)

    def set_max_force(self, agent: int, max_force: float | None) -> None:
        """Sets the largest force of an agent (length / time), or with ``None`` its group's."""
        self._command(agent=agent, max_force=max_force)

    def set_radius(self, agent: int, radius: float | None) -> None:
        """Sets the radius of an agent's body (length), or with ``None`` that of its group."""
        self._command(agent=agent, radius=radius)

    def set_state(self, agent: int, state: str) -> None:
        """Puts an agent into a state of its group."""
        self._command(agent=agent, state=state)

    def set_stat(self, agent: int, stat: str, value: float) -> None:
        """Sets a stat of an agent."""
        self._command(agent=agent, stat=stat, value=value)

    def set_group(self, agent: int, group: str) -> None:
        """Puts an agent into another group."""
        self._command(agent=agent, group=group)

    def set_frozen(self, agent: int, frozen: bool) -> None:
        """Freezes an agent, which others still see, or lets it go."""
        self._command(agent=agent, frozen=frozen)

    def set_facing(self, agent: int, facing: _ArrayLike) -> None:
        """Turns an agent to this direction."""
        self._command(agent=agent, facing=facing)

    def add_obstacle(self, shape: _Mapping[str, _Any]) -> int:
        """Adds an obstacle, in the form of scenes, and returns its id.

        >>> crowd.add_obstacle({"circle": {"center": [3, 4], "radius": 1}})
        """
        return self._added(add_obstacle=shape)

    def set_obstacle(self, obstacle: int, shape: _Mapping[str, _Any]) -> None:
        """Gives the obstacle with this id another shape or place."""
        self._command(set_obstacle=obstacle, shape=shape)

    def remove_obstacle(self, obstacle: int) -> None:
        """Removes the obstacle with this id."""
        self._command(remove_obstacle=obstacle)

    def add_point(self, path: str, point: int, position: _ArrayLike) -> None:
        """Puts a point into a path, before the present one of this index."""
        self._command(add_point=point, path=path, position=position)

    def move_point(self, path: str, point: int, position: _ArrayLike) -> None:
        """Moves the point of a path with this index."""
        self._command(move_point=point, path=path, position=position)

    def remove_point(self, path: str, point: int) -> None:
        """Removes the point of a path with this index."""
        self._command(remove_point=point, path=path)

    def set(self, path: str, value: _Any) -> None:
        """Sets a parameter, or a group's limit for all its members.

        Parameters
        ----------
        path : str
            The key path with indices from 0, such as ``"group[0].steer[0].arrive.slowing_radius"``
            or ``"group[0].max_speed"``.
        value : object
            The value as in a scene; infinity is ``"inf"`` or ``math.inf``.
        """
        self._command(set=path, value=value)

    def add_group(self, group: _Mapping[str, _Any]) -> int:
        """Adds a group with its members, in the form of command logs, and returns its index."""
        return self._added(add_group=group)

    def remove_group(self, name: str) -> None:
        """Removes the group and its members."""
        self._command(remove_group=name)

    def add_path(self, path: _Mapping[str, _Any]) -> int:
        """Adds a path, in the form of command logs, and returns its index."""
        return self._added(add_path=path)

    def remove_path(self, name: str) -> None:
        """Removes a path that no behavior follows."""
        self._command(remove_path=name)

    def add_field(self, field: _Mapping[str, _Any]) -> int:
        """Adds a flow field, in the form of command logs, and returns its index."""
        return self._added(add_field=field)

    def remove_field(self, name: str) -> None:
        """Removes a flow field that no behavior follows."""
        self._command(remove_field=name)

    def add_line(self, line: _Mapping[str, _Any]) -> int:
        """Adds a line that counts who crosses it, and returns its id."""
        return self._added(add_line=line)

    def remove_line(self, name: str) -> None:
        """Removes a line."""
        self._command(remove_line=name)

    def add_exit(self, exit: _Mapping[str, _Any]) -> int:
        """Adds an exit, in the form of command logs, and returns its id."""
        return self._added(add_exit=exit)

    def remove_exit(self, exit: int) -> None:
        """Removes the exit with this id."""
        self._command(remove_exit=exit)

    def add_source(self, source: _Mapping[str, _Any]) -> int:
        """Adds a source of agents, in the form of command logs, and returns its id."""
        return self._added(add_source=source)

    def remove_source(self, source: int) -> None:
        """Removes the source with this id."""
        self._command(remove_source=source)


def _ids(agents: _ArrayLike) -> _NDArray[_numpy.uint32]:
    given = _numpy.atleast_1d(_numpy.asarray(agents))
    whole = given.astype(_numpy.uint32)
    if given.ndim != 1 or (given.size and (whole != given).any()):
        raise _wayfare.WayfareError("`agents` is no list of ids\nallowed: whole numbers from 0")
    return whole


def _rows(vectors: _ArrayLike) -> _Floats:
    return _numpy.atleast_2d(_numpy.asarray(vectors, dtype=_numpy.float32))
