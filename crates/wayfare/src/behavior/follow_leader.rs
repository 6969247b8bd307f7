//! Follow a leader: arrive behind it, separate from the other followers, and clear its path.
//! Reynolds, GDC 1999, "Leader following"; the tutorials' version ("Leader Following", 2013).
//!
//! Departure: in a crowd, a follower whose leader is hidden by an obstacle goes where it saw the
//! leader last, as M. Buckland's agents do ("Programming Game AI by Example", 2005, chapter 5,
//! "sensory memory"). In a straight line to the leader it would press against the wall.

use core::array::from_fn;

use super::evade::evade_in;
use super::separation::{Separation, separation};
use super::{Prediction, Steer, arrive};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::geometry::visibility::line_of_sight_in;
use crate::parameter::{
    Auto, Formula, GroupId, Kind, Parameters, Range, Scale, Unit, parameters, words,
};
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::Vector;

words! {
    /// The action of an agent while the group of its leader has no member, for example because the
    /// leader has died.
    ///
    /// Behaviors that chase or copy another agent have no such setting: without a quarry they exert
    /// no force, so that a hunter coasts, and a priority list goes on to its next entry.
    pub enum WithoutLeader {
        /// Brakes to a stop: the force is `-v`.
        Hold = "hold",
        /// No force: the velocity stays as it is, and a priority list goes on to its next entry.
        Coast = "coast",
    }
}

impl WithoutLeader {
    /// The force on a host that found no member of `group` within the distance `within` (length /
    /// time). It is zero while a leader is farther away, and for the host's order, for which
    /// `without_order` of the host's group counts.
    #[cold]
    pub(super) fn force<V: Vector>(
        self,
        host: &Agent<V>,
        context: &SteerContext<'_, V>,
        group: GroupId,
        within: f32,
    ) -> V {
        let holds = self == WithoutLeader::Hold
            && group != GroupId::ORDER
            && (within == f32::INFINITY || context.member(host, group, f32::INFINITY).is_none());
        if holds { -host.velocity } else { V::ZERO }
    }
}

parameters! {
    /// Arrive at a point behind the leader, keep apart from the others, and evade the leader if the
    /// host is in its path: arrive(leader.p - leader.heading * behind) + separation +
    /// evade(leader). While an obstacle hides the leader: arrive(where the host saw it last) +
    /// separation, through the door that it took.
    #[doc(alias = "follow")]
    "follow_leader" needs(MEMORY) is(ROUTES) = pub struct FollowLeader {
        /// The group whose nearest member is followed.
        leader: GroupId = required, Kind::Quarry;
        /// The distance of the point behind the leader, and of the point ahead of it that must stay
        /// clear; `"auto"` takes 2 spacing.
        behind: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(behind));
        /// The distance from the leader, or from the point ahead of it, up to which the host is in
        /// its path; `"auto"` takes 2 spacing.
        sight_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(behind));
        /// The distance from the point behind at which slowing begins; `"auto"` takes the larger of
        /// mass * max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The separation from other agents. Left out: one with its defaults if `behind` is left
        /// out or `"auto"`, none beside a number.
        separation: Option<Separation> = None,
            Kind::Nested(<Separation as Parameters<glam::Vec2>>::PARAMETERS);
        /// The distance up to which the leader counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
        /// While the group has no other member: `"hold"` brakes with the force -v, `"coast"` exerts
        /// no force.
        without_leader: WithoutLeader = (WithoutLeader::Hold), Kind::Word(WithoutLeader::WORDS);
    }
}

impl FollowLeader {
    /// Whether followers without numbers keep apart, although no separation is given.
    fn separates_by_default(&self) -> bool {
        self.behind == Auto::Auto && self.separation.is_none()
    }

    /// Sets the separation of followers without numbers.
    pub(crate) fn complete(&mut self) {
        if self.separates_by_default() {
            self.separation = Some(Separation::default());
        }
        self.separation.iter_mut().for_each(Separation::complete);
    }
}

/// The distance of the points behind and ahead of the leader, and around them (length).
fn behind(scale: &Scale) -> f32 {
    2.0 * scale.spacing()
}

/// The force that follows `leader` (length / time): `arrive(back) + separation`, and
/// `+ evade(leader)` if the host is in its path.
///
/// `back` and `ahead` are `leader.p -+ heading * behind`; a leader at rest keeps its heading. The
/// host is in its path within `sight_radius` of `ahead` or of the leader. Exactly on `back` the
/// first part is `-v`; with no neighbor the separation is zero. The group of the leader and
/// `within` in the parameters are not read.
///
/// ```
/// use wayfare::behavior::{FollowLeader, follow_leader};
/// use wayfare::{Agent, AgentView, GroupId, Neighbors, glam::vec2};
/// let leader = AgentView::new(vec2(100.0, 0.0), vec2(2.0, 0.0));
/// let soldier = Agent::new(vec2(70.0, 40.0), 5.0);
/// // 30 behind the leader; the soldier is out of its way, and half a slowing radius away.
/// let rules = FollowLeader::new(GroupId(0)).behind(30.0).sight_radius(20.0).slowing_radius(80.0);
/// let force = follow_leader(&soldier, &leader, &Neighbors::none(), &rules);
/// assert_eq!(force, vec2(0.0, -2.5));
/// ```
pub fn follow_leader<V: Vector>(
    host: &impl Host<V>,
    leader: &AgentView<V>,
    neighbors: &Neighbors<V>,
    parameters: &FollowLeader,
) -> V {
    follow_in(&Space::default(), host, leader, neighbors, parameters, DebugDraw::OFF)
}

/// [`follow_leader()`] in a world that may be wrapped.
fn follow_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    leader: &AgentView<V>,
    neighbors: &Neighbors<V>,
    parameters: &FollowLeader,
    debug: DebugDraw<'_, V>,
) -> V {
    let p = host.position();
    let offset = leader.heading * parameters.behind.of(host, behind);
    let (ahead, back) =
        (space.image(p, leader.position + offset), space.image(p, leader.position - offset));
    let slowing_radius = parameters.slowing_radius.of(host, Scale::slowing_radius);
    let mut force = parameters.arrive_apart(host, back, slowing_radius, neighbors, debug);
    let radius = parameters.sight_radius.of(host, behind);
    debug.circle("sight_radius", || (leader.position, radius));
    debug.circle("sight_radius", || (ahead, radius));
    if (p - ahead).length() <= radius || (p - leader.position).length() <= radius {
        force += evade_in(
            space,
            host,
            leader,
            f32::INFINITY,
            Prediction::ByDistance,
            f32::INFINITY,
            debug,
        );
    }
    force
}

impl FollowLeader {
    /// `arrive(place) + separation`.
    fn arrive_apart<V: Vector>(
        &self,
        host: &impl Host<V>,
        place: V,
        slowing_radius: f32,
        neighbors: &Neighbors<V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.circle("slowing_radius", || (place, slowing_radius));
        let by_default;
        let apart = if self.separates_by_default() {
            by_default = Separation::default();
            Some(&by_default)
        } else {
            self.separation.as_ref()
        };
        let force = arrive(host, place, slowing_radius);
        apart.map_or(force, |apart| {
            debug.circle("separation", || (host.position(), apart.radius.of(host, Scale::spacing)));
            force + separation(host, neighbors, apart)
        })
    }
}

/// Where the host saw its leader last, while an obstacle hides it; `None` if it sees the leader, or
/// has never seen it. A host that has come to the place and does not see it forgets the place.
fn last_seen<V: Vector>(
    host: &Agent<V>,
    memory: &mut Memory<V>,
    context: &SteerContext<'_, V>,
    leader: V,
) -> Option<V> {
    let (space, p) = (&context.space, host.position);
    let leader = space.image(p, leader);
    if line_of_sight_in(space, p, leader, context.obstacles) {
        memory.own = from_fn(|i| match i {
            0 => 1.0,
            _ if i <= V::DIMENSION => leader.axis(i - 1),
            _ => 0.0,
        });
        return None;
    }
    let place = space.image(p, V::from_fn(|axis| memory.own[axis + 1]));
    if (place - p).length() <= host.radius + host.max_speed * context.dt {
        memory.own[0] = 0.0;
    }
    (memory.own[0] > 0.0).then_some(place)
}

impl<V: Vector> Steer<V> for FollowLeader {
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let leader = context.member(host, self.leader, self.within);
        match leader {
            Some(leader) => match last_seen(host, memory, context, leader.position) {
                Some(place) => self.arrive_apart(host, place, 0.0, context.neighbors, debug),
                None => follow_in(&context.space, host, &leader, context.neighbors, self, debug),
            },
            None => self.without_leader.force(host, context, self.leader, self.within),
        }
    }
    fn neighbor_radius(&self) -> Option<f32> {
        let by_default = self.separates_by_default().then_some(f32::INFINITY);
        self.separation.as_ref().map(|apart| apart.radius.known()).or(by_default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{Other, assert_near, force_with, neighbors_at};
    use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
    use crate::parameter::Groups;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters(sight_radius: f32) -> FollowLeader {
        FollowLeader::new(GroupId(0)).behind(30.0).sight_radius(sight_radius).slowing_radius(80.0)
    }

    /// A leader that moves along +x: with `behind` 30 the point behind is (70, 0), the point ahead
    /// (130, 0).
    fn leader() -> AgentView<Vec2> {
        AgentView::new(vec2(100.0, 0.0), vec2(6.6, 0.0))
    }

    #[test]
    fn a_follower_arrives_at_the_point_behind_the_leader() {
        // The offset is (0, -40), half of the slowing radius: desired (0, -2.5), less (0, -1).
        let host = Agent::new(vec2(70.0, 40.0), 5.0).moving(vec2(0.0, -1.0));
        assert_near(
            follow_leader(&host, &leader(), &Neighbors::none(), &parameters(49.0)),
            vec2(0.0, -1.5),
        );
        // The leader faces +z, behind is (0, 0, 20): a quarter of the slowing radius away.
        let leader =
            AgentView { heading: Vec3::Z, ..AgentView::new(vec3(0.0, 0.0, 50.0), Vec3::ZERO) };
        assert_near(
            follow_leader(
                &Agent::new(Vec3::ZERO, 8.0),
                &leader,
                &Neighbors::none(),
                &parameters(1.0),
            ),
            vec3(0.0, 0.0, 2.0),
        );
    }

    #[test]
    fn a_follower_near_the_leader_also_evades_it() {
        // T = 50 / 5 = 10, the leader will be at (166, 0): the offset from there is (-96, 40), of
        // length 104, so desired (-60, 25) / 13, less (0, -1).
        let host = Agent::new(vec2(70.0, 40.0), 5.0).moving(vec2(0.0, -1.0));
        let expected = vec2(-60.0 / 13.0, -1.5 + 25.0 / 13.0 + 1.0);
        assert_near(
            follow_leader(&host, &leader(), &Neighbors::none(), &parameters(50.0)),
            expected,
        );
    }

    #[test]
    fn a_follower_near_the_point_ahead_of_the_leader_also_evades_it() {
        // At 40 from the point ahead and 50 from the leader, which is at rest: the offset from the
        // leader is (30, 40), desired (3, 4). The offset to the point behind is (-60, -40), its
        // length 72.111: desired (-4.16025, -2.77350) * 72.111 / 80.
        let host = Agent::new(vec2(130.0, 40.0), 5.0);
        let leader = AgentView { velocity: Vec2::ZERO, ..leader() };
        assert_near(
            follow_leader(&host, &leader, &Neighbors::none(), &parameters(40.0)),
            vec2(3.0 - 3.75, 4.0 - 2.5),
        );
        assert_near(
            follow_leader(&host, &leader, &Neighbors::none(), &parameters(39.9)),
            vec2(-3.75, -2.5),
        );
    }

    #[test]
    fn separation_is_added_if_it_is_given() {
        let apart = Separation {
            radius: Auto::Fixed(10.0),
            max_force: Auto::Fixed(2.0),
            falloff: None,
            of: Groups::All,
            field_of_view: 360.0,
        };
        let parameters = FollowLeader { separation: Some(apart), ..parameters(1.0) };
        let host = Agent::new(vec2(70.0, 40.0), 5.0).moving(vec2(0.0, -1.0));
        assert_near(
            follow_leader(
                &host,
                &leader(),
                &neighbors_at(&[(vec2(4.0, 0.0), Vec2::X, 0)]),
                &parameters,
            ),
            vec2(-2.0, -1.5),
        );
        assert_eq!(Steer::<Vec2>::neighbor_radius(&parameters), Some(10.0));
    }

    #[test]
    fn a_follower_goes_where_it_saw_a_hidden_leader_last() {
        let wall = [Obstacle::from(Shape::segment(vec2(50.0, -20.0), vec2(50.0, 20.0), 2.0))];
        let rules = parameters(1.0);
        let mut memory = Memory::default();
        let mut force = |p: Vec2, leader: Vec2| {
            let members = Other(AgentView::new(leader, Vec2::X));
            let mut context = SteerContext {
                obstacles: Obstacles::from(&wall),
                groups: &members,
                ..SteerContext::empty(1.0)
            };
            rules.force(&Agent::new(p, 5.0), &mut memory, &mut context, DebugDraw::OFF)
        };
        // A leader that it has never seen, then one that it sees: at the point behind it, (30, 30).
        assert_near(force(Vec2::ZERO, vec2(100.0, 0.0)), vec2(4.375, 0.0));
        assert_near(force(vec2(30.0, 30.0), vec2(60.0, 30.0)), Vec2::ZERO);
        // It is hidden: full speed to (60, 30). There the host forgets the place.
        assert_near(force(vec2(30.0, -10.0), vec2(100.0, 0.0)), vec2(3.0, 4.0));
        assert_near(force(vec2(57.0, 30.0), vec2(40.0, -10.0)), vec2(-2.9375, -2.5));
        assert_near(force(vec2(30.0, -10.0), vec2(100.0, 0.0)), vec2(2.5, 0.625));
    }

    #[test]
    fn on_the_point_behind_and_without_any_leader_a_follower_only_brakes() {
        let host = Agent::new(vec2(70.0, 0.0), 5.0).moving(vec2(2.0, -1.0));
        let leader_view = leader();
        let follow = |leader, within| {
            let rules = FollowLeader { leader, within, ..parameters(1.0) };
            let force = |without_leader| {
                force_with(&FollowLeader { without_leader, ..rules.clone() }, &host, leader_view)
            };
            [force(WithoutLeader::Hold), force(WithoutLeader::Coast)]
        };
        let (brakes, nothing) = (vec2(-2.0, 1.0), Vec2::ZERO);
        assert_eq!(follow(GroupId(0), 30.0), [brakes, brakes]);
        // A leader out of reach is not gone.
        assert_eq!(follow(GroupId(0), 29.9), [nothing, nothing]);
        for within in [29.9, f32::INFINITY] {
            assert_eq!(follow(GroupId(1), within), [brakes, nothing]);
            assert_eq!(follow(GroupId::ORDER, within), [nothing, nothing]);
        }
    }
}
