"""Crowds as environments of PettingZoo: one group acts, the rest is steered by its scene.

>>> from wayfare import env
>>> walkers = env.CrowdEnv(wayfare.load("doorway-150"), "people", target=[20, 5])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
from gymnasium.spaces import Box
from numpy.typing import ArrayLike, NDArray
from pettingzoo import ParallelEnv

from . import Crowd, Members, Scene, WayfareError

__all__ = ["CrowdEnv"]

_Floats = NDArray[numpy.float32]


class CrowdEnv(ParallelEnv[str, _Floats, _Floats]):
    """A parallel environment of PettingZoo, in which the members of one group act.

    An action is the velocity that an agent wants, as a part of the top speed of the
    group's fastest member: numbers from -1 to 1, one per axis. The agent steers towards it like every behavior: mass, largest force, top
    speed, solid bodies and walls hold, and the other entries of its list act as well. A step of the
    environment is one tick. The same seed and the same actions give the same bits.

    An agent is terminated when it leaves the crowd, by an exit or a transition; all are truncated
    after ``ticks``.

    Parameters
    ----------
    scene : Scene
        The scene.
    group : str
        The name of the group whose members act. Who comes later, by a source, does not act and
        wants to stand still.
    target : array_like, optional
        A point (length). By default the reward of an agent is the length by which it came nearer
        to it in the tick, and without a target zero.
    ticks : int, optional
        The length of an episode; by default the scene's duration.
    neighbors : int
        The neighbors in an observation, nearest first, ties by id.
    radius : float
        The distance (length) up to which an agent sees; what it lacks in neighbors is zero.
    observe : callable, optional
        ``observe(crowd, ids)`` gives the observations in place of the default ones, a row per id.
        The number of columns must not change.
    reward : callable, optional
        ``reward(crowd, ids)`` gives the rewards in place of the default ones, one per id.
    threads : int, optional
        The threads that step the crowd.

    Notes
    -----
    The default observation has, in this order: the velocity as a part of the top speed; with a
    target the way to it; then for each neighbor its relative position and its velocity, as parts
    of ``radius``, if that is finite, and of the top speed.

    Raises
    ------
    WayfareError
        There is no such group, or it has no members at the start.
    """

    metadata: dict[str, Any] = {"name": "wayfare_crowd", "render_modes": []}
    render_mode = None

    def __init__(
        self,
        scene: Scene,
        group: str,
        *,
        target: ArrayLike | None = None,
        ticks: int | None = None,
        neighbors: int = 8,
        radius: float = math.inf,
        observe: Callable[[Crowd, NDArray[numpy.uint32]], ArrayLike] | None = None,
        reward: Callable[[Crowd, NDArray[numpy.uint32]], ArrayLike] | None = None,
        threads: int | None = 1,
    ) -> None:
        self.scene, self.group = scene, group
        self._ticks = scene.ticks if ticks is None else ticks
        self._neighbors, self._radius, self._threads = neighbors, radius, threads
        self._observe = observe or self._default_observation
        self._reward = reward
        self._target = None
        if target is not None:
            self._target = numpy.asarray(target, dtype=numpy.float32)
            if self._target.shape != (scene.dimension,):
                raise WayfareError(
                    f"`target` has the shape {self._target.shape}\n"
                    f"allowed: a point of {scene.dimension} numbers"
                )
        self._wanted: dict[int, _Floats] = {}
        self._start(None)
        if not len(self._ids):
            raise WayfareError(
                f"the group `{group}` has no members at the start\nallowed: a group with members"
            )
        self.possible_agents = [self._name(agent) for agent in self._ids]
        self.agents: list[str] = []
        action = Box(-1.0, 1.0, (scene.dimension,), numpy.float32)
        size = self._observations().shape[1]
        observation = Box(-math.inf, math.inf, (size,), numpy.float32)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)

    def _start(self, seed: int | None) -> None:
        self.crowd = self.scene.crowd(
            seed=seed, threads=self._threads, behaviors={self.group: self._steer}
        )
        self._group = self.crowd.groups.index(self.group)
        self._ids = self.crowd.id[self.crowd.group == self._group]
        speeds = self.crowd.max_speed[self.crowd.group == self._group]
        # Of the fastest, so that one scale holds for all.
        self._speed = float(speeds.max(initial=0.0)) or 1.0

    def _name(self, agent: Any) -> str:
        return f"{self.group}_{agent}"

    def _steer(self, members: Members) -> _Floats:
        still = numpy.zeros(self.scene.dimension, dtype=numpy.float32)
        wanted = [self._wanted.get(int(agent), still) for agent in members.id]
        return numpy.asarray(wanted, dtype=numpy.float32) - members.velocity

    def observation_space(self, agent: str) -> Box:
        """The observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Box:
        """The actions of an agent."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, _Floats], dict[str, dict[str, Any]]]:
        """Begins an episode; ``seed`` is the seed of the crowd, by default the scene's."""
        self._wanted = {}
        self._start(seed)
        self.agents = [self._name(agent) for agent in self._ids]
        return self._by_agent(self._observations()), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, _Floats]
    ) -> tuple[
        dict[str, _Floats],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Steps one tick with an action per agent."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        for name, agent in zip(self.agents, self._ids, strict=True):
            action = numpy.asarray(actions[name], dtype=numpy.float32)
            self._wanted[int(agent)] = numpy.clip(action, -1.0, 1.0) * self._speed
        before = self._distances()
        names, acted = self.agents, self._ids
        self.crowd.step()
        is_there = numpy.isin(acted, self.crowd.id)
        self._ids = acted[is_there]
        self.agents = [name for name, there in zip(names, is_there, strict=True) if there]
        rewards = dict.fromkeys(names, 0.0)
        rewards.update(zip(self.agents, self._rewards(before[is_there]), strict=True))
        observations = dict.fromkeys(names, numpy.zeros(self._size(), dtype=numpy.float32))
        observations.update(self._by_agent(self._observations()))
        terminated = {name: not there for name, there in zip(names, is_there, strict=True)}
        at_end = self.crowd.tick >= self._ticks
        truncated = {name: at_end and not terminated[name] for name in names}
        if at_end:
            self.agents, self._ids = [], self._ids[:0]
        return observations, rewards, terminated, truncated, {name: {} for name in names}

    def render(self) -> None:
        """Nothing: a run of the scene has pictures (:meth:`wayfare.Scene.run`)."""

    def _size(self) -> int:
        shape = self.observation_spaces[self.possible_agents[0]].shape
        assert shape is not None
        return shape[0]

    def _by_agent(self, rows: _Floats) -> dict[str, _Floats]:
        return dict(zip(self.agents, rows, strict=True))

    def _distances(self) -> _Floats:
        if self._target is None:
            return numpy.zeros(len(self._ids), dtype=numpy.float32)
        rows = numpy.isin(self.crowd.id, self._ids)
        distances: _Floats = numpy.linalg.norm(self.crowd.position[rows] - self._target, axis=1)
        return distances

    def _rewards(self, before: _Floats) -> list[float]:
        if self._reward is None:
            return [float(reward) for reward in before - self._distances()]
        given = numpy.asarray(self._reward(self.crowd, self._ids), dtype=numpy.float64)
        if given.shape != self._ids.shape:
            raise WayfareError(
                f"`reward` returns the shape {given.shape}\nallowed: {self._ids.shape}, one per id"
            )
        return [float(reward) for reward in given]

    def _observations(self) -> _Floats:
        given = numpy.asarray(self._observe(self.crowd, self._ids), dtype=numpy.float32)
        if given.ndim != 2 or len(given) != len(self._ids):
            raise WayfareError(
                f"`observe` returns the shape {given.shape}\n"
                f"allowed: {len(self._ids)} rows, one per id"
            )
        return given

    def _default_observation(self, crowd: Crowd, ids: NDArray[numpy.uint32]) -> _Floats:
        position, velocity = crowd.position, crowd.velocity / numpy.float32(self._speed)
        rows = numpy.searchsorted(crowd.id, ids)
        scale = numpy.float32(self._radius if math.isfinite(self._radius) else 1.0)
        own = [velocity[rows]]
        if self._target is not None:
            own.append((self._target - position[rows]) / scale)
        seen = numpy.zeros((len(rows), self._neighbors, 2 * self.scene.dimension), numpy.float32)
        for observed, row in zip(seen, rows, strict=True):
            to = position - position[row]
            distance = numpy.linalg.norm(to, axis=1)
            distance[row] = math.inf
            # Stable, and rows are in the order of ids.
            nearest = numpy.argsort(distance, kind="stable")[: self._neighbors]
            near = nearest[(distance[nearest] <= self._radius) & (nearest != row)]
            observed[: len(near)] = numpy.hstack([to[near] / scale, velocity[near]])
        columns = self._neighbors * 2 * self.scene.dimension
        return numpy.hstack([*own, seen.reshape(len(rows), columns)])
