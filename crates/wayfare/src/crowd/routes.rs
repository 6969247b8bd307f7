//! The ways of agents with `navigate`, planned after each step from the targets that their memories
//! hold; a behavior reads the way of its host in the next tick.
//!
//! Nothing of a tick that was begun and not ended remains in a way: `step_budgeted` and a panic in
//! a user's behavior leave them as they were.

use super::Crowd;
use super::setup::Group;
use crate::behavior::{Choose, Navigate, QueueLength, RouteClearance};
use crate::combine::List;
#[cfg(feature = "navigation")]
use crate::geometry::navmesh::Choice;
use crate::id::AgentId;
#[cfg(feature = "navigation")]
use crate::parameter::Target;
use crate::registry::Behavior;
use crate::route::CurrentRoute;
use crate::vector::Vector;

#[cfg(not(feature = "navigation"))]
mod absent;
#[cfg(feature = "navigation")]
mod planned;
#[cfg(not(feature = "navigation"))]
pub(super) use absent::Routes;
#[cfg(feature = "navigation")]
pub(super) use planned::Routes;

/// The `navigate` of a state's list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    /// The index of the members' memory that holds the target.
    memory: usize,
    /// The distance that ways keep from obstacles (length).
    clearance: f32,
    /// The choice among several targets.
    #[cfg(feature = "navigation")]
    choice: Option<Choice>,
}

/// The `navigate` of a list of `group`; `dt` is the time of a tick.
#[cfg_attr(not(feature = "navigation"), expect(unused_variables, reason = "only choices read it"))]
pub(super) fn way<V: Vector>(list: &List<V>, group: &Group<V>, dt: f64) -> Option<Way> {
    list.remembering().into_iter().find_map(|(memory, behavior)| match behavior {
        Behavior::Navigate(navigate) => Some(Way {
            memory,
            clearance: clearance(navigate, group),
            #[cfg(feature = "navigation")]
            choice: choice(navigate, group, dt),
        }),
        _ => None,
    })
}

/// The distance that the ways of members keep from obstacles (length).
pub(super) fn clearance<V: Vector>(navigate: &Navigate<V>, group: &Group<V>) -> f32 {
    let body = group.largest_radius();
    match navigate.clearance {
        RouteClearance::Auto => body,
        RouteClearance::Fixed(clearance) => clearance.max(body),
    }
}

/// The cost of an agent in a queue for the members (length).
pub(super) fn queue_length<V: Vector>(navigate: &Navigate<V>, group: &Group<V>) -> f32 {
    match (navigate.choose, navigate.queue_length) {
        (Choose::Nearest, _) => 0.0,
        (Choose::ShortestWait, QueueLength::Fixed(length)) => length,
        (Choose::ShortestWait, QueueLength::Auto) => 4.0 * group.largest_radius(),
    }
}

/// The choice among the targets of members; `None` for a single target.
#[cfg(feature = "navigation")]
fn choice<V: Vector>(navigate: &Navigate<V>, group: &Group<V>, dt: f64) -> Option<Choice> {
    let Target::Point(target) = navigate.target else { return None };
    if navigate.alternatives.is_empty() {
        return None;
    }
    let ticks = f64::from(navigate.rechoose) / dt;
    Some(Choice {
        targets: [target].iter().chain(&navigate.alternatives).map(|p| p.flat()).collect(),
        queue_length: queue_length(navigate, group),
        rechoose: ticks.is_finite().then(|| libm::ceil(ticks) as u64),
    })
}

#[cfg(feature = "navigation")]
impl Way {
    /// The clearance for a body of this radius (lengths): that of the group, and in steps of a
    /// quarter more for a larger body, so that the number of meshes is bounded.
    fn clearance_of(&self, radius: f32) -> f32 {
        let mut clearance = self.clearance;
        while clearance < radius {
            clearance *= 1.25;
        }
        clearance
    }
}

impl<V: Vector> Crowd<V> {
    /// The way of agent `id` to the target of its `navigate`; `None` without one, for an unknown
    /// id, and before the first tick with a target.
    ///
    /// ```
    /// # #[cfg(feature = "navigation")] {
    /// use wayfare::behavior::Navigate;
    /// use wayfare::crowd::{Distribution, Group, Setup, Spawn};
    /// use wayfare::{Crowd, List, geometry::obstacle::Shape, glam::vec2, parameter::Target};
    /// let mut guests = Group::new("guests", 1, Spawn::Points(vec![vec2(-5.0, 0.0)]), 0.1);
    /// guests.radius = Distribution::Same(0.5);
    /// guests.steer =
    ///     List::default().with(Navigate::new(Target::Point(vec2(5.0, 0.0))));
    /// let wall = Shape::box_between(vec2(-1.0, -20.0), vec2(1.0, 10.0));
    /// let setup = Setup { groups: vec![guests], obstacles: vec![wall], ..Setup::default() };
    /// let mut crowd = Crowd::new(setup)?;
    /// crowd.step();
    /// // Round the upper end of the wall.
    /// let route = crowd.route(0).unwrap();
    /// assert_eq!(route.points.last(), Some(&vec2(5.0, 0.0)));
    /// assert!((24.0..25.0).contains(&route.aim.unwrap().left));
    /// (0..300).for_each(|_| crowd.step());
    /// assert!(crowd.get(0).unwrap().agent.position.distance(vec2(5.0, 0.0)) < 0.5);
    /// # }
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn route(&self, id: impl Into<AgentId>) -> Option<CurrentRoute<'_>> {
        let id = id.into();
        let position = self.get(id)?.agent.position;
        self.world.routes.as_deref()?.current(id.0, self.world.space.up().ground(position))
    }
}
