//! Follow a leader: arrive behind it, keep apart, and get out of its way. Reynolds, GDC 1999, "Leader following"; the tutorials'
//! version ("Leader Following", 2013).

use super::evade::evade_in;
use super::separation::{Separation, separation};
use super::{Prediction, Steer, arrive};
use crate::agent::{Agent, Host, Memory};
use crate::neighbors::Neighbors;
use crate::parameter::{GroupId, Kind, Parameters, Range, Unit, parameters};
use crate::space::Space;
use crate::surroundings::{Seen, Surroundings};
use crate::vector::Vector;

parameters! {
    /// Arrive at a point behind the leader, keep apart from the others, and evade the leader where one is in its way.
    "follow_leader" = pub struct FollowLeader {
        /// The group whose nearest member is followed.
        leader: GroupId = required, Kind::Group;
        /// How far behind the leader to go, and how far ahead of it its way is looked at.
        behind: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// How near to the leader, or to the point ahead of it, the host is in its way.
        sight_radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The distance from the point behind at which slowing begins.
        slowing_radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// How to keep apart; not at all if left out.
        separation: Option<Separation> = None, Kind::Nested(<Separation as Parameters<glam::Vec2>>::PARAMETERS);
        /// How far away the leader may be; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

/// The force that follows `leader` (length / time): `arrive(back) + separation + evade(leader)` if in its way.
///
/// `back` and `ahead` are `leader.p -+ heading * behind`; a leader that stands keeps its heading. In its way is who is within
/// `sight_radius` of `ahead` or of the leader. A host exactly on `back` gets `-v` for the first part.
pub fn follow_leader<V: Vector>(host: &impl Host<V>, leader: &Seen<V>, neighbors: &Neighbors<V>, parameters: &FollowLeader) -> V {
    follow_in(&Space::default(), host, leader, neighbors, parameters)
}

/// [`follow_leader()`] in a world that may be wrapped.
fn follow_in<V: Vector>(space: &Space<V>, host: &impl Host<V>, leader: &Seen<V>, neighbors: &Neighbors<V>, parameters: &FollowLeader) -> V {
    let p = host.position();
    let way = leader.heading * parameters.behind;
    let (ahead, back) = (space.image(p, leader.position + way), space.image(p, leader.position - way));
    let mut force = arrive(host, back, parameters.slowing_radius);
    if let Some(apart) = &parameters.separation {
        force += separation(host, neighbors, apart);
    }
    let sight = parameters.sight_radius;
    if (p - ahead).length() <= sight || (p - leader.position).length() <= sight {
        force += evade_in(space, host, leader, f32::INFINITY, Prediction::ByDistance, f32::INFINITY);
    }
    force
}

impl<V: Vector> Steer<V> for FollowLeader {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        let leader = around.member(host, self.leader.0, self.within);
        leader.map_or(V::ZERO, |leader| follow_in(&around.space, host, &leader, around.neighbors, self))
    }
    fn neighbor_radius(&self) -> Option<f32> {
        self.separation.as_ref().map(|s| s.radius)
    }
}
