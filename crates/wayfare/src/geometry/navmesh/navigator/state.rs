//! The state of a navigator's units, as data: for saved games, snapshots and digests.

use alloc::vec::Vec;

use glam::Vec2;

use super::traveller::Traveller;
use super::{Choice, NavMeshError, Navigator};
use crate::random::absorb;
use crate::route::RouteState;
use crate::vector::Vector;

/// The state of all units of a [`Navigator`]: for saved games.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct NavigatorState {
    /// The number of ticks so far.
    pub tick: u64,
    /// The choices of units, in the order in which the units have them.
    pub choices: Vec<Choice>,
    /// The units, in the order of their ids.
    pub units: Vec<UnitState>,
}

/// The state of a unit of a [`Navigator`].
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
    /// The target of its last search (length).
    pub planned: Vec2,
    /// Its position when it last looked along its route (length).
    pub looked: Option<Vec2>,
    /// The point that it steers for (length).
    pub point: Vec2,
    /// The length of the route from its next point to the target (length).
    pub after: f32,
    /// Its clearance (length).
    pub clearance: f32,
    /// The state of its route.
    pub state: RouteState,
    /// The points of its route (length).
    pub points: Vec<Vec2>,
    /// The index of the point that it steers for.
    pub next: usize,
    /// The tick of its request, while it waits for a search.
    pub requested: Option<u64>,
    /// The index of its choice among several targets.
    pub choice: Option<usize>,
    /// The tick of its last choice.
    pub chosen: u64,
}

impl<V: Vector> Navigator<V> {
    /// Adds the routes of all units, in the order of ids, to a hash.
    pub(crate) fn digest(&self, hash: u64) -> u64 {
        let point =
            |hash, p: Vec2| absorb(hash, u64::from(p.x.to_bits()) << 32 | u64::from(p.y.to_bits()));
        self.travellers.iter().fold(hash, |hash, (id, traveller)| {
            let hash = absorb(absorb(hash, id), traveller.state as u64);
            // The tick of a request, and of none.
            let hash = absorb(hash, traveller.requested.map_or(0, |tick| tick + 1));
            let hash = point(point(hash, traveller.target), traveller.point);
            let chosen = traveller.choice.map(|_| traveller.chosen);
            let hash = chosen.iter().fold(hash, |hash, tick| absorb(hash, *tick));
            traveller.ahead().iter().fold(hash, |hash, p| point(hash, *p))
        })
    }

    /// The state of all units.
    pub fn save(&self) -> NavigatorState {
        // In the order of ids, so that equal navigators save equal states.
        let mut used: Vec<usize> = Vec::new();
        let mut index = |choice: usize| {
            used.iter().position(|known| *known == choice).unwrap_or_else(|| {
                used.push(choice);
                used.len() - 1
            })
        };
        let unit = |(id, traveller): (u64, &Traveller)| UnitState {
            id,
            target: traveller.target,
            planned: traveller.planned,
            looked: traveller.looked,
            point: traveller.point,
            after: traveller.after,
            clearance: self.meshes[traveller.mesh].clearance(),
            state: traveller.state,
            points: traveller.points.clone(),
            next: traveller.next,
            requested: traveller.requested,
            choice: traveller.choice.map(&mut index),
            chosen: traveller.chosen,
        };
        let units = self.travellers.iter().map(unit).collect();
        let choices = used.into_iter().map(|choice| self.choices[choice].clone()).collect();
        NavigatorState { tick: self.tick, choices, units }
    }

    /// Replaces what the navigator knows of all units by what was [saved](Self::save): with the
    /// obstacles from then it goes on with the same bits. A unit whose route is not whole, in a
    /// state that no navigator has saved, requests one.
    ///
    /// # Errors
    /// Those of [`set_target`](Self::set_target); then nothing changes.
    pub fn restore(&mut self, saved: &NavigatorState) -> Result<(), NavMeshError> {
        *self = self.restored(saved)?;
        Ok(())
    }

    /// A navigator with the same meshes, after [`restore`](Self::restore).
    pub(crate) fn restored(&self, saved: &NavigatorState) -> Result<Self, NavMeshError> {
        let mut other = Self {
            meshes: self.meshes.clone(),
            ..Self::new(&self.obstacles, &self.space, self.searches_per_tick)
        };
        other.tick = saved.tick;
        for unit in &saved.units {
            match unit.choice {
                None => other.set_target(unit.id, unit.target, unit.clearance)?,
                Some(choice) => {
                    let choice = saved.choices.get(choice).ok_or(NavMeshError::NoTarget)?;
                    other.set_choice(unit.id, choice, unit.clearance)?;
                }
            }
            let Some(traveller) = other.travellers.get_mut(unit.id) else { continue };
            let is_whole = unit.requested.is_none_or(|tick| tick <= saved.tick)
                && unit.target.is_finite()
                && unit.chosen <= saved.tick
                && match unit.state {
                    RouteState::Waiting => unit.requested.is_some() && unit.point.is_finite(),
                    RouteState::Unreachable => true,
                    RouteState::Known => {
                        unit.next > 0
                            && unit.next < unit.points.len()
                            && [&unit.planned, &unit.point]
                                .into_iter()
                                .chain(&unit.looked)
                                .chain(&unit.points)
                                .all(|p| p.is_finite())
                            && unit.after >= 0.0
                    }
                };
            if !is_whole {
                continue;
            }
            if let Some(tick) = traveller.requested.take() {
                other.queue.remove((tick, unit.id));
            }
            if let Some(tick) = unit.requested {
                other.queue.insert((tick, unit.id), traveller.goal());
            }
            traveller.requested = unit.requested;
            (traveller.target, traveller.chosen) = (unit.target, unit.chosen);
            traveller.state = unit.state;
            (traveller.planned, traveller.looked) = (unit.planned, unit.looked);
            (traveller.point, traveller.after) = (unit.point, unit.after);
            traveller.points.clone_from(&unit.points);
            traveller.heads_for(unit.next);
        }
        Ok(other)
    }
}
