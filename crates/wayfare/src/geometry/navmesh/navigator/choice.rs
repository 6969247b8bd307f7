//! The choice among several targets: the nearest by route, or the one with the least route and
//! queue.
//!
//! H. Ehtamo, S. Heliövaara, T. Korhonen and S. Hostikka, "Game theoretic best-response dynamics
//! for evacuees' exit selection", Advances in Complex Systems 13, 2010: an evacuee takes the exit
//! with the least estimated time, from the distance and from the number of evacuees who are nearer
//! to that exit and head for it, and changes it only for a clear gain. Here the distance is the
//! length of the route, and each agent in the queue counts as a length.

use alloc::collections::{BTreeMap, BinaryHeap};
use alloc::vec::Vec;
use core::cmp::Reverse;

use glam::Vec2;

use super::queue::Ends;
use super::traveller::Traveller;
use super::{Navigator, SHARED};
use crate::geometry::navmesh::{NavMeshError, Route};
use crate::route::RouteState;
use crate::vector::Vector;

/// The part of the cost of its present target below which a unit takes another one: a gain of less
/// than a tenth is within what a unit saves or loses while it passes others.
const CLEAR_GAIN: f32 = 0.9;

/// Several targets, of which a unit takes one whenever its route is planned.
///
/// The unit takes the target with the least `length of the route + queue_length * queue`, the first
/// in a tie, and leaves a target for another one only for a gain of more than a tenth. The queue is
/// the number of units whose routes lead to the same target and are shorter.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Choice {
    /// The targets (length), at least one. A unit heads for the first one until its first search.
    pub targets: Vec<Vec2>,
    /// The cost of a unit in the queue (length), from 0; with 0 the nearest target is taken.
    pub queue_length: f32,
    /// The number of ticks after which a unit chooses again; `None` for never: then it does so only
    /// when it requests another way for another reason.
    pub rechoose: Option<u64>,
}

impl Choice {
    /// That the choice can be made.
    pub(super) fn check(&self) -> Result<(), NavMeshError> {
        if self.targets.is_empty() {
            return Err(NavMeshError::NoTarget);
        }
        if let Some(target) = self.targets.iter().find(|target| !target.is_finite()) {
            return Err(NavMeshError::Target(*target));
        }
        let is_length = self.queue_length >= 0.0 && self.queue_length <= 1e9;
        if is_length { Ok(()) } else { Err(NavMeshError::QueueLength(self.queue_length)) }
    }
}

/// The units on their routes to a target, by the length that is left and by id.
type Row = Vec<(f32, u64)>;

/// The queues before the targets that units choose among, in one tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Queues(BTreeMap<[u32; 2], Row>);

/// The bits of a target.
fn key(target: Vec2) -> [u32; 2] {
    // Without negative zeros.
    [target.x + 0.0, target.y + 0.0].map(f32::to_bits)
}

/// The place of a unit in a row: the number of units before it.
fn place(row: &Row, (left, id): (f32, u64)) -> usize {
    row.partition_point(|other| other.0.total_cmp(&left).then(other.1.cmp(&id)).is_lt())
}

impl Queues {
    /// Adds all units with a route.
    fn fill<'a>(&mut self, travellers: impl Iterator<Item = (u64, &'a Traveller)>) {
        for (id, traveller) in travellers {
            if let Some(left) = traveller.left() {
                self.0.entry(key(traveller.planned)).or_default().push((left, id));
            }
        }
        let rows = self.0.values_mut();
        rows.for_each(|row| row.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))));
    }

    /// Takes a unit out.
    fn leave(&mut self, target: Vec2, unit: (f32, u64)) {
        if let Some(row) = self.0.get_mut(&key(target)) {
            let at = place(row, unit);
            if row.get(at) == Some(&unit) {
                row.remove(at);
            }
        }
    }

    /// Adds a unit.
    fn join(&mut self, target: Vec2, unit: (f32, u64)) {
        let row = self.0.entry(key(target)).or_default();
        row.insert(place(row, unit), unit);
    }

    /// The number of units that are nearer to `target` than this one.
    fn before(&self, target: Vec2, unit: (f32, u64)) -> usize {
        self.0.get(&key(target)).map_or(0, |row| place(row, unit))
    }
}

impl<V: Vector> Navigator<V> {
    /// Sends unit `id` to one of several targets, for a body that keeps `clearance` (length, above
    /// zero) from obstacles. The call for a unit that already has this choice changes nothing.
    ///
    /// A choice among n targets counts as n searches of a tick, and serves up to 256 units with the
    /// same choice and clearance. Of units that choose together for the first time none would gain
    /// by another target.
    ///
    /// ```
    /// use wayfare::geometry::navmesh::{Choice, Navigator};
    /// use wayfare::{glam::vec2, spatial::space::Space};
    /// let mut navigator = Navigator::<wayfare::glam::Vec2>::new(&[], &Space::OPEN, 2);
    /// let targets = vec![vec2(0.0, 0.0), vec2(9.0, 0.0)];
    /// let counters = Choice { targets, queue_length: 1.5, rechoose: None };
    /// for id in 0..4 {
    ///     navigator.set_choice(id, &counters, 0.5)?;
    /// }
    /// // In a row, one behind the other: 2 from the one counter, and 7 and more from the other.
    /// navigator.step(|id| Some(vec2(2.0 + 0.5 * id as f32, 0.0)));
    /// let counter = |id| navigator.points(id).last().copied();
    /// assert_eq!(counter(0), Some(counters.targets[0]));
    /// assert_eq!(counter(2), Some(counters.targets[0]));
    /// // Three before it and 3.5 to go, against 5.5 to go.
    /// assert_eq!(counter(3), Some(counters.targets[1]));
    /// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`NavMesh::new`](crate::geometry::navmesh::NavMesh::new), no target, one that is
    /// not finite, and a `queue_length` that is not from 0 to 1e9; then nothing changes.
    pub fn set_choice(
        &mut self,
        id: u64,
        choice: &Choice,
        clearance: f32,
    ) -> Result<(), NavMeshError> {
        self.send_to_one_of(id, choice, clearance).map(|_| ())
    }

    /// [`set_choice`](Self::set_choice) of a unit that is at `position` in this tick (length).
    pub(crate) fn lead_to_one_of(
        &mut self,
        id: u64,
        position: Vec2,
        choice: &Choice,
        clearance: f32,
    ) -> Result<(), NavMeshError> {
        self.send_to_one_of(id, choice, clearance)?.at = Some(position);
        Ok(())
    }

    fn send_to_one_of(
        &mut self,
        id: u64,
        choice: &Choice,
        clearance: f32,
    ) -> Result<&mut Traveller, NavMeshError> {
        let known = self.choices.iter().position(|known| known == choice);
        let index = match known {
            Some(known) => known,
            None => {
                choice.check()?;
                self.choices.len()
            }
        };
        let mesh = self.mesh_for(clearance)?;
        if known.is_none() {
            self.choices.push(choice.clone());
        }
        let new = || Traveller::new(choice.targets[0], mesh);
        let traveller = self.travellers.get_or_insert_with(id, new);
        if traveller.mesh == mesh && traveller.choice == Some(index) {
            return Ok(traveller);
        }
        (traveller.mesh, traveller.choice) = (mesh, Some(index));
        if traveller.state != RouteState::Known {
            traveller.target = choice.targets[0];
        }
        match traveller.requested {
            Some(tick) => {
                self.queue.insert((tick, id), traveller.goal());
                traveller.go_straight();
            }
            None => traveller.request(id, self.tick, &mut self.queue),
        }
        Ok(traveller)
    }

    /// Serves the first requests that one search, or one choice, can serve; returns the number of
    /// searches, or `None` if no unit waits.
    pub(super) fn serve(&mut self, queues: &mut Option<Queues>) -> Option<usize> {
        let Self { travellers, queue, meshes, found_none, ids, starts, choices, tick, .. } = self;
        let goal = queue.take_first(SHARED, ids)?;
        starts.clear();
        // Those without a position are forgotten by the step.
        ids.retain(|id| {
            let Some(traveller) = travellers.get_mut(*id) else { return false };
            traveller.requested = None;
            starts.extend(traveller.at);
            traveller.at.is_some()
        });
        let mesh = &meshes[goal.mesh];
        let choice = match goal.ends {
            Ends::Target(target) => {
                let target = Vec2::from_array(target.map(f32::from_bits));
                let routes = mesh.routes_from_each(starts, target);
                for (id, route) in ids.iter().zip(routes) {
                    let Some(traveller) = travellers.get_mut(*id) else { continue };
                    traveller.follow(route);
                    found_none.extend((traveller.state == RouteState::Unreachable).then_some(*id));
                }
                return Some(1);
            }
            Ends::Choice(choice) => &choices[choice],
        };
        let mut routes: Vec<Vec<Option<Route>>> =
            choice.targets.iter().map(|to| mesh.routes_from_each(starts, *to)).collect();
        let queues = queues.get_or_insert_with(|| {
            let mut queues = Queues::default();
            if choice.queue_length > 0.0 {
                queues.fill(travellers.iter());
            }
            queues
        });
        let length = |unit: usize, k: usize| Some(routes[k][unit].as_ref()?.length);
        // A unit that chooses again has a present target, and is in no queue meanwhile.
        let mut present: Vec<Option<usize>> = vec![None; ids.len()];
        for (&id, present) in ids.iter().zip(&mut present) {
            let Some(traveller) = travellers.get(id) else { continue };
            if let Some(left) = traveller.left() {
                queues.leave(traveller.planned, (left, id));
                *present = choice.targets.iter().position(|target| *target == traveller.planned);
            }
        }
        // The cost of a target, as bits that are in the order of the costs.
        let cost = |queues: &Queues, unit: usize, k: usize| {
            let length = length(unit, k)?;
            let before = queues.before(choice.targets[k], (length, ids[unit]));
            let cost = length + choice.queue_length * before as f32;
            let is_other = present[unit].is_some_and(|present| present != k);
            Some((if is_other { cost / CLEAR_GAIN } else { cost }).to_bits())
        };
        // The least cost of all units and targets is final: a unit that would come before this one
        // in the queue has a lower cost there. So no choice has to be made twice.
        let mut open: BinaryHeap<Reverse<(u32, u64, usize, usize)>> = (0..ids.len())
            .flat_map(|unit| (0..choice.targets.len()).map(move |k| (unit, k)))
            .filter_map(|(unit, k)| Some(Reverse((cost(queues, unit, k)?, ids[unit], k, unit))))
            .collect();
        let mut taken: Vec<Option<usize>> = vec![None; ids.len()];
        while let Some(Reverse((least, id, k, unit))) = open.pop() {
            let (Some(now), Some(length)) = (cost(queues, unit, k), length(unit, k)) else {
                continue;
            };
            if taken[unit].is_some() {
                continue;
            }
            if now > least {
                // Others have joined that queue since.
                open.push(Reverse((now, id, k, unit)));
                continue;
            }
            queues.join(choice.targets[k], (length, id));
            taken[unit] = Some(k);
        }
        for (unit, &id) in ids.iter().enumerate() {
            let Some(traveller) = travellers.get_mut(id) else { continue };
            if let Some(k) = taken[unit] {
                traveller.target = choice.targets[k];
            }
            traveller.follow(taken[unit].and_then(|k| routes[k][unit].take()));
            traveller.chosen = *tick;
            found_none.extend((traveller.state == RouteState::Unreachable).then_some(id));
        }
        Some(choice.targets.len())
    }
}
