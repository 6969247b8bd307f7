//! Routes of many travellers, planned a few per tick.

use alloc::vec::Vec;

use glam::Vec2;

use super::inflate::corner_count;
use super::{NavMesh, NavMeshError, SightBuffers};
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::route::{Aim, CurrentRoute, RouteState};
use crate::spatial::space::Space;
use crate::vector::Vector;

mod choice;
mod queue;
mod state;
mod traveller;
mod travellers;

pub use choice::Choice;
use queue::Queue;
pub use state::{NavigatorState, UnitState};
use traveller::Traveller;
use travellers::Travellers;

/// The tolerance of curves as a fraction of the clearance: circles of 16 sides.
pub(crate) const TOLERANCE: f32 = 0.02;
/// The distance from a corner to the point to steer for, as a fraction of the clearance: a
/// traveller that passes a corner at speed does not rub along the wall behind it.
const MARGIN: f32 = 0.25;
/// The distance that a unit moves before it looks along its route again, as a fraction of the
/// clearance: far from the point that it steers for, where it can only be pushed off, and near,
/// where it passes a corner.
const STRIDES: [f32; 2] = [2.0, 0.25];
/// The distance up to which that point is near, as a fraction of the clearance.
const NEAR: f32 = 4.0;
/// The distance that a target moves before another route is planned, as a fraction of the route
/// that is left.
const DRIFT: f32 = 0.1;
/// The largest number of units to one target that a search serves, so that the work of a tick is
/// bounded.
const SHARED: usize = 256;
/// The largest number of units that look for a route by rooms, for each search of a tick, which
/// takes about as long.
const LOOKS: usize = 64;

/// Bytes of a mesh for each corner of a grown obstacle, while the mesh is made.
const BYTES_PER_CORNER: u64 = 1_500;

/// An upper bound on the bytes of the mesh of a navigator for these obstacles, where at most every
/// second corner is cut by another outline.
pub(crate) fn mesh_bytes<V: Vector>(obstacles: &[Shape<V>], clearance: f32) -> u64 {
    let (clearance, tolerance) = (f64::from(clearance), f64::from(TOLERANCE * clearance));
    let corners = obstacles.iter().map(|shape| corner_count(shape, clearance, tolerance));
    (corners.sum::<u64>() + 64) * BYTES_PER_CORNER
}

/// Leads units, each with a target of its own, along shortest routes round obstacles.
///
/// It does a stated number of searches per tick. Requests are served by their tick and then by id;
/// a search serves up to 256 units that wait for a route to the same target with the same
/// clearance. Until then a unit follows its former route, or a route by rooms: known at once, round
/// all obstacles, and not the shortest. At most 64 units per search look for routes by rooms in a
/// tick; others go straight on towards their targets. A unit requests a route when it gets another
/// target, when the obstacles change, and when it has been pushed to where it no longer sees the
/// next corner of its route.
///
/// A target may move: while it is in sight from the last corner of the route and has moved by less
/// than a tenth of the length that is left, the end of the route moves with it, and no other route
/// is planned; in sight of the unit itself, the end moves with it by any distance.
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
///     navigator.set_target(id, vec2(5.0, id as f32), 0.5)?;
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
/// assert!(units[0].position.distance(vec2(5.0, 0.0)) < 0.2);
/// assert!(units[1].position.distance(vec2(5.0, 1.0)) < 0.2);
/// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator<V: Vector = Vec2> {
    obstacles: Vec<Obstacle<V>>,
    space: Space<V>,
    searches_per_tick: usize,
    tick: u64,
    /// One mesh for each clearance.
    meshes: Vec<NavMesh>,
    travellers: Travellers,
    queue: Queue,
    /// The choices of units, each once.
    choices: Vec<Choice>,
    /// Clearances without a mesh, with the reasons: it is not tried again for each unit.
    refused: Vec<(f32, NavMeshError)>,
    /// The units for which the last step found no route, in the order of their searches.
    found_none: Vec<u64>,
    /// Kept for their capacity: of lines of sight, and of the units that a search serves.
    buffers: SightBuffers,
    ids: Vec<u64>,
    starts: Vec<Vec2>,
}

impl<V: Vector> Navigator<V> {
    /// A navigator for a world with these obstacles. `searches_per_tick` is the largest number of
    /// searches per tick; with 0 it plans no route.
    pub fn new(obstacles: &[Obstacle<V>], space: &Space<V>, searches_per_tick: usize) -> Self {
        Self {
            obstacles: obstacles.to_vec(),
            space: *space,
            searches_per_tick,
            tick: 0,
            meshes: Vec::new(),
            travellers: Travellers::default(),
            queue: Queue::default(),
            choices: Vec::new(),
            refused: Vec::new(),
            found_none: Vec::new(),
            buffers: SightBuffers::default(),
            ids: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Replaces the obstacles: makes all meshes anew, and requests a new route for each unit.
    ///
    /// # Errors
    /// Those of [`NavMesh::new`]; then nothing changes.
    pub fn set_obstacles(&mut self, obstacles: &[Obstacle<V>]) -> Result<(), NavMeshError> {
        let again = |mesh: &NavMesh| {
            NavMesh::new(obstacles, &self.space, mesh.clearance(), mesh.tolerance())
        };
        self.meshes = self.meshes.iter().map(again).collect::<Result<_, _>>()?;
        self.obstacles = obstacles.to_vec();
        self.refused.clear();
        for (id, traveller) in self.travellers.iter_mut() {
            traveller.request(id, self.tick, &mut self.queue);
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
        self.send(id, target, clearance).map(|_| ())
    }

    fn send(
        &mut self,
        id: u64,
        target: Vec2,
        clearance: f32,
    ) -> Result<&mut Traveller, NavMeshError> {
        if !target.is_finite() {
            return Err(NavMeshError::Target(target));
        }
        let mesh = self.mesh_for(clearance)?;
        // Not the target yet: below it is found to be another.
        let new = || Traveller { target: Vec2::NAN, ..Traveller::new(target, mesh) };
        let traveller = self.travellers.get_or_insert_with(id, new);
        if traveller.mesh == mesh && traveller.target == target && traveller.choice.is_none() {
            return Ok(traveller);
        }
        let follows = traveller.mesh == mesh
            && traveller.choice.is_none()
            && traveller.follows_target(target, &self.meshes[mesh], &mut self.buffers);
        (traveller.target, traveller.mesh, traveller.choice) = (target, mesh, None);
        match traveller.requested {
            Some(tick) => {
                self.queue.insert((tick, id), traveller.goal());
                traveller.go_straight();
            }
            None if !follows => traveller.request(id, self.tick, &mut self.queue),
            None => {}
        }
        Ok(traveller)
    }

    /// Makes the mesh for a clearance (length), unless there is one.
    pub(crate) fn prepare(&mut self, clearance: f32) -> Result<(), NavMeshError> {
        self.mesh_for(clearance).map(|_| ())
    }

    /// The index of the mesh for a clearance.
    fn mesh_for(&mut self, clearance: f32) -> Result<usize, NavMeshError> {
        let known = self.meshes.iter().position(|mesh| mesh.clearance() == clearance);
        if let Some(known) = known {
            return Ok(known);
        }
        if let Some((_, error)) = self.refused.iter().find(|(refused, _)| *refused == clearance) {
            return Err(*error);
        }
        let made = NavMesh::new(&self.obstacles, &self.space, clearance, TOLERANCE * clearance);
        self.meshes.push(made.inspect_err(|error| self.refused.push((clearance, *error)))?);
        Ok(self.meshes.len() - 1)
    }

    /// Forgets unit `id`.
    pub fn remove(&mut self, id: u64) {
        if let Some(tick) = self.travellers.remove(id).and_then(|old| old.requested) {
            self.queue.remove((tick, id));
        }
    }

    /// Begins a tick: plans the routes of the units that have waited longest, from where `position`
    /// says that they are (length), and finds the next corner of each route. Units without a
    /// position are forgotten.
    pub fn step(&mut self, mut position: impl FnMut(u64) -> Option<Vec2>) {
        self.travellers.iter_mut().for_each(|(id, traveller)| traveller.at = position(id));
        self.step_led();
    }

    /// [`set_target`](Self::set_target) of a unit that is at `position` in this tick (length).
    pub(crate) fn lead(
        &mut self,
        id: u64,
        position: Vec2,
        target: Vec2,
        clearance: f32,
    ) -> Result<(), NavMeshError> {
        self.send(id, target, clearance)?.at = Some(position);
        Ok(())
    }

    /// [`step`](Self::step) with the positions by [`lead`](Self::lead).
    pub(crate) fn step_led(&mut self) {
        self.tick = self.tick.saturating_add(1);
        self.found_none.clear();
        let (mut queues, mut left) = (None, self.searches_per_tick);
        while left > 0
            && let Some(searches) = self.serve(&mut queues)
        {
            left = left.saturating_sub(searches);
        }
        let Self { travellers, queue, meshes, buffers, choices, tick, .. } = self;
        let mut looks = LOOKS.saturating_mul(self.searches_per_tick);
        travellers.sort();
        travellers.retain(|id, traveller| {
            let Some(at) = traveller.at.take() else {
                if let Some(tick) = traveller.requested {
                    queue.remove((tick, id));
                }
                return false;
            };
            let mesh = &meshes[traveller.mesh];
            if looks > 0 && traveller.has_to_look_by_rooms(at, mesh) {
                traveller.look_by_rooms(at, mesh, buffers);
                looks -= 1;
            }
            if traveller.has_to_look(at, mesh) && !traveller.look(at, mesh, buffers) {
                // Pushed off: the former route is followed until the search.
                traveller.request(id, *tick, queue);
            }
            if traveller.has_to_choose(*tick, choices) {
                traveller.request(id, *tick, queue);
            }
            true
        });
    }

    /// The units for which the last [step](Self::step) found no route, in the order of the
    /// searches.
    pub fn found_none(&self) -> &[u64] {
        &self.found_none
    }

    /// The number of units that wait for a search.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// The state of the route of unit `id`; `None` for a unit without a target.
    pub fn state(&self, id: u64) -> Option<RouteState> {
        self.travellers.get(id).map(|traveller| traveller.state)
    }

    /// The points of the route of unit `id`, from where it was planned to the target (length); none
    /// while it waits, and if its target is unreachable.
    pub fn points(&self, id: u64) -> &[Vec2] {
        self.travellers.get(id).map_or(&[], |traveller| &traveller.points)
    }

    /// The point that unit `id`, now at `position` (length), steers for. `None` for a unit without
    /// a target, and while the target is unreachable.
    ///
    /// A corner is passed when the point after it is in sight. A unit looks along its route in
    /// [`step`](Self::step), whenever it has moved by twice its clearance, and more often near a
    /// corner.
    pub fn aim(&self, id: u64, position: Vec2) -> Option<Aim> {
        self.travellers.get(id)?.aim(position)
    }

    /// Prefetches what is known of unit `id`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, id: u64) {
        self.travellers.prefetch(id);
    }

    /// The route of unit `id`, now at `position` (length); `None` for a unit without a target.
    pub fn current(&self, id: u64, position: Vec2) -> Option<CurrentRoute<'_>> {
        let traveller = self.travellers.get(id)?;
        let (state, aim) = (traveller.state, traveller.aim(position));
        Some(CurrentRoute { state, aim, points: traveller.ahead() })
    }
}

#[cfg(test)]
mod tests;
