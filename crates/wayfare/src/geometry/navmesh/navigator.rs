//! Ways of many travellers, planned a few per tick.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use glam::Vec2;

use super::{NavMesh, NavMeshError, Route};
use crate::geometry::obstacle::Obstacle;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The tolerance of curves as a fraction of the clearance: circles of 16 sides.
const TOLERANCE: f32 = 0.02;
/// How far from a corner the point to steer for is, as a fraction of the clearance: a traveller
/// that passes a corner at speed does not rub along the wall behind it.
const MARGIN: f32 = 0.25;

/// Leads units, each with a target of its own, along shortest ways round obstacles.
///
/// It plans a stated number of ways per tick. Requests are served by their tick and then by id;
/// until then a unit follows its former way, or goes straight on towards its target. A unit
/// requests a way when it gets another target, when the obstacles change, and when it has been
/// pushed to where it no longer sees the next corner of its way.
///
/// The same calls give the same bits, on every platform.
///
/// ```
/// use wayfare::geometry::navmesh::{Navigator, RouteState};
/// use wayfare::geometry::obstacle::{Obstacle, Shape};
/// use wayfare::{Agent, behavior::seek, glam::vec2, spatial::space::Space};
/// let wall = Obstacle::from(Shape::box_between(vec2(-1.0, -20.0), vec2(1.0, 10.0)));
/// let mut units = [Agent::new(vec2(-5.0, 0.0), 0.1), Agent::new(vec2(-6.0, 2.0), 0.1)];
/// let mut navigator = Navigator::new(&[wall], &Space::OPEN, 1);
/// for id in 0..2 {
///     navigator.set_target(id, vec2(5.0, 0.0), 0.5)?;
/// }
/// for tick in 0..400 {
///     navigator.step(|id| units.get(id as usize).map(|unit| unit.position));
///     // One search per tick: the second unit waits for the second tick.
///     assert_eq!(navigator.state(1) == Some(RouteState::Waiting), tick == 0);
///     for (id, unit) in (0..).zip(&mut units) {
///         let Some(aim) = navigator.aim(id, unit.position) else { continue };
///         unit.velocity += seek(unit, aim.point);
///         unit.position += unit.velocity;
///     }
/// }
/// assert!(units.iter().all(|unit| unit.position.distance(vec2(5.0, 0.0)) < 0.2));
/// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator {
    obstacles: Vec<Obstacle<Vec2>>,
    space: Space<Vec2>,
    searches_per_tick: usize,
    tick: u64,
    /// One mesh for each clearance.
    meshes: Vec<NavMesh>,
    travellers: BTreeMap<u64, Traveller>,
    /// The travellers that wait for a search: ticks of their requests, and ids.
    queue: BTreeSet<(u64, u64)>,
}

/// What a [`Navigator`] knows of the way of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum RouteState {
    /// The unit waits for its first search, or after a change for another one since the last found
    /// no way.
    Waiting,
    /// There is a way. It may be that of an earlier search, while the unit waits for a new one.
    Known,
    /// The last search found no way.
    Unreachable,
}

/// The point that a unit steers for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The point (length): beside the next corner of the way, or the target.
    pub point: Vec2,
    /// Whether it is the target, or the nearest free point to it: a unit may slow down there.
    pub is_target: bool,
    /// The length of the way that is left (length); while the first search is not made, that of
    /// the straight line.
    pub left: f32,
}

/// What a [`Navigator`] knows of all units: for saved games.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct NavigatorState {
    /// The number of ticks so far.
    pub tick: u64,
    /// The units, in the order of their ids.
    pub units: Vec<UnitState>,
}

/// What a [`Navigator`] knows of a unit.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct UnitState {
    /// Its id.
    pub id: u64,
    /// Its target (length).
    pub target: Vec2,
    /// Its clearance (length).
    pub clearance: f32,
    /// The state of its way.
    pub state: RouteState,
    /// The points of its way (length).
    pub points: Vec<Vec2>,
    /// The index of the point that it steers for.
    pub next: usize,
    /// The tick of its request, while it waits for a search.
    pub requested: Option<u64>,
}

#[derive(Clone, Debug)]
struct Traveller {
    target: Vec2,
    /// The index of its mesh.
    mesh: usize,
    state: RouteState,
    /// The points of its way, and the index of the one that it steers for.
    points: Vec<Vec2>,
    next: usize,
    /// The tick of its request, while it waits for a search.
    requested: Option<u64>,
}

impl Navigator {
    /// A navigator for a world with these obstacles. `searches_per_tick` is the largest number of
    /// ways that it plans per tick; with 0 it plans none.
    pub fn new(
        obstacles: &[Obstacle<Vec2>],
        space: &Space<Vec2>,
        searches_per_tick: usize,
    ) -> Self {
        Self {
            obstacles: obstacles.to_vec(),
            space: *space,
            searches_per_tick,
            tick: 0,
            meshes: Vec::new(),
            travellers: BTreeMap::new(),
            queue: BTreeSet::new(),
        }
    }

    /// Replaces the obstacles: makes all meshes anew, and requests a new way for each unit.
    ///
    /// # Errors
    /// Those of [`NavMesh::new`]; then nothing changes.
    pub fn set_obstacles(&mut self, obstacles: &[Obstacle<Vec2>]) -> Result<(), NavMeshError> {
        let again = |mesh: &NavMesh| {
            NavMesh::new(obstacles, &self.space, mesh.clearance(), mesh.tolerance())
        };
        self.meshes = self.meshes.iter().map(again).collect::<Result<_, _>>()?;
        self.obstacles = obstacles.to_vec();
        for (id, traveller) in &mut self.travellers {
            traveller.request(*id, self.tick, &mut self.queue);
        }
        Ok(())
    }

    /// Sends unit `id` to `target` (length), for a body that keeps `clearance` (length, above zero)
    /// from obstacles: at least its radius. The call for a unit that is already sent there changes
    /// nothing.
    ///
    /// The first unit with a clearance makes a mesh, whose curves have a tolerance of a fiftieth of
    /// the clearance.
    ///
    /// # Errors
    /// Those of [`NavMesh::new`], and a target that is not finite; then nothing changes.
    pub fn set_target(
        &mut self,
        id: u64,
        target: Vec2,
        clearance: f32,
    ) -> Result<(), NavMeshError> {
        if !target.is_finite() {
            return Err(NavMeshError::Target(target));
        }
        let mesh = self.mesh_for(clearance)?;
        let new = || {
            let (points, state) = (Vec::new(), RouteState::Waiting);
            // Not the target yet: below it is found to be another.
            let target = Vec2::NAN;
            Traveller { target, mesh, state, points, next: 0, requested: None }
        };
        let traveller = self.travellers.entry(id).or_insert_with(new);
        if traveller.target != target || traveller.mesh != mesh {
            (traveller.target, traveller.mesh) = (target, mesh);
            traveller.request(id, self.tick, &mut self.queue);
        }
        Ok(())
    }

    /// The index of the mesh for a clearance.
    fn mesh_for(&mut self, clearance: f32) -> Result<usize, NavMeshError> {
        let known = self.meshes.iter().position(|mesh| mesh.clearance() == clearance);
        if let Some(known) = known {
            return Ok(known);
        }
        let tolerance = TOLERANCE * clearance;
        self.meshes.push(NavMesh::new(&self.obstacles, &self.space, clearance, tolerance)?);
        Ok(self.meshes.len() - 1)
    }

    /// Forgets unit `id`.
    pub fn remove(&mut self, id: u64) {
        if let Some(tick) = self.travellers.remove(&id).and_then(|old| old.requested) {
            self.queue.remove(&(tick, id));
        }
    }

    /// Begins a tick: plans the ways of the units that have waited longest, from where `position`
    /// says that they are (length). A unit whose turn it is and that has no position is forgotten.
    pub fn step(&mut self, mut position: impl FnMut(u64) -> Option<Vec2>) {
        self.tick += 1;
        for _ in 0..self.searches_per_tick {
            let Some((_, id)) = self.queue.pop_first() else { break };
            let Some(traveller) = self.travellers.get_mut(&id) else { continue };
            traveller.requested = None;
            let Some(from) = position(id) else {
                self.travellers.remove(&id);
                continue;
            };
            let route = self.meshes[traveller.mesh].route(from, traveller.target);
            traveller.follow(route);
        }
    }

    /// What the navigator knows of all units.
    pub fn save(&self) -> NavigatorState {
        let unit = |(id, traveller): (&u64, &Traveller)| UnitState {
            id: *id,
            target: traveller.target,
            clearance: self.meshes[traveller.mesh].clearance(),
            state: traveller.state,
            points: traveller.points.clone(),
            next: traveller.next,
            requested: traveller.requested,
        };
        NavigatorState { tick: self.tick, units: self.travellers.iter().map(unit).collect() }
    }

    /// Replaces what the navigator knows of all units by what was [saved](Self::save): with the
    /// obstacles from then it goes on with the same bits. A unit whose way is not whole, in a state
    /// that no navigator has saved, requests one.
    ///
    /// # Errors
    /// Those of [`set_target`](Self::set_target); then nothing changes.
    pub fn restore(&mut self, saved: &NavigatorState) -> Result<(), NavMeshError> {
        let mut other = Self {
            meshes: self.meshes.clone(),
            ..Self::new(&self.obstacles, &self.space, self.searches_per_tick)
        };
        other.tick = saved.tick;
        for unit in &saved.units {
            other.set_target(unit.id, unit.target, unit.clearance)?;
            let Some(traveller) = other.travellers.get_mut(&unit.id) else { continue };
            let is_whole = match unit.state {
                RouteState::Waiting => unit.requested.is_some(),
                RouteState::Unreachable => true,
                RouteState::Known => {
                    unit.next > 0
                        && unit.next < unit.points.len()
                        && unit.points.iter().all(|p| p.is_finite())
                }
            };
            if !is_whole {
                continue;
            }
            if let Some(tick) = traveller.requested.take() {
                other.queue.remove(&(tick, unit.id));
            }
            if let Some(tick) = unit.requested {
                other.queue.insert((tick, unit.id));
            }
            traveller.requested = unit.requested;
            (traveller.state, traveller.next) = (unit.state, unit.next);
            traveller.points.clone_from(&unit.points);
        }
        *self = other;
        Ok(())
    }

    /// The number of units that wait for a search.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// The state of the way of unit `id`; `None` for a unit without a target.
    pub fn state(&self, id: u64) -> Option<RouteState> {
        self.travellers.get(&id).map(|traveller| traveller.state)
    }

    /// The points of the way of unit `id`, from where it was planned to the target (length); none
    /// while it waits, and if its target is unreachable.
    pub fn points(&self, id: u64) -> &[Vec2] {
        self.travellers.get(&id).map_or(&[], |traveller| &traveller.points)
    }

    /// The point that unit `id`, now at `position` (length), steers for: once per tick. `None` for
    /// a unit without a target, and while the target is unreachable.
    ///
    /// A corner is passed when the point after it is in sight.
    pub fn aim(&mut self, id: u64, position: Vec2) -> Option<Aim> {
        let traveller = self.travellers.get_mut(&id)?;
        match traveller.state {
            RouteState::Unreachable => return None,
            RouteState::Waiting => {
                let left = traveller.target.distance(position);
                return Some(Aim { point: traveller.target, is_target: true, left });
            }
            RouteState::Known => {}
        }
        let mesh = &self.meshes[traveller.mesh];
        let points = &traveller.points;
        let last = points.len() - 1;
        while traveller.next < last && mesh.sees(position, points[traveller.next + 1]) {
            traveller.next += 1;
        }
        let next = traveller.next;
        if !mesh.sees(position, points[next]) {
            // Pushed off: the former way is followed until the search.
            traveller.request(id, self.tick, &mut self.queue);
        }
        let points = &traveller.points;
        let after: f32 = points[next..].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let left = position.distance(points[next]) + after;
        if next == last {
            return Some(Aim { point: points[last], is_target: true, left });
        }
        // Away from the inside of the turn.
        let corner = points[next];
        let came = Vector::unit(corner - points[next - 1]);
        let outward = Vector::unit(came - Vector::unit(points[next + 1] - corner));
        let beside = corner + outward * (MARGIN * mesh.clearance());
        let point = if mesh.sees(position, beside) { beside } else { corner };
        Some(Aim { point, is_target: false, left })
    }
}

impl Traveller {
    /// Waits for a search, unless it already does.
    fn request(&mut self, id: u64, tick: u64, queue: &mut BTreeSet<(u64, u64)>) {
        if self.requested.is_none() {
            self.requested = Some(tick);
            queue.insert((tick, id));
            if self.state == RouteState::Unreachable {
                self.state = RouteState::Waiting;
            }
        }
    }

    /// Follows another way.
    fn follow(&mut self, route: Option<Route>) {
        (self.state, self.points) = match route {
            Some(route) => (RouteState::Known, route.points),
            None => (RouteState::Unreachable, Vec::new()),
        };
        self.next = 1;
    }
}

#[cfg(test)]
mod tests;
