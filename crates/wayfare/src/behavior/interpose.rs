//! Interpose: get between two other agents. The two-target case of Reynolds' pursuit, as in his
//! OpenSteer and in M. Buckland, "Programming Game AI by Example", 2005, "Interpose".

use super::{Steer, arrive};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::parameter::{Auto, Formula, GroupId, Kind, Range, Scale, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that arrives between two other agents, at their predicted midpoint (length / time):
/// `arrive((a.p + b.p) / 2 + (a.v + b.v) / 2 * T)`, with `T = |middle - p| / max_speed`.
///
/// Exactly on that point the force is `-v`; between two agents at rest T does not matter.
pub fn interpose<V: Vector>(
    host: &impl Host<V>,
    a: &AgentView<V>,
    b: &AgentView<V>,
    slowing_radius: f32,
) -> V {
    arrive(host, between(&Space::default(), host, a, b), slowing_radius)
}

/// The midpoint of the two agents when the host can reach it; in a wrapped world the midpoint of
/// the shortest line between them.
fn between<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    a: &AgentView<V>,
    b: &AgentView<V>,
) -> V {
    let p = host.position();
    let middle = space.image(p, (a.position + space.image(a.position, b.position)) * 0.5);
    let time = (middle - p).length() / host.max_speed();
    space.image(p, middle + (a.velocity + b.velocity) * (0.5 * time))
}

parameters! {
    /// Arrive between two other agents, at their predicted midpoint: (a.p + b.p) / 2 + (a.v + b.v)
    /// / 2 * T.
    #[doc(alias = "between")]
    #[derive(Copy)]
    "interpose" is(ROUTES) = pub struct Interpose {
        /// The group whose nearest member is one of the two.
        a: GroupId = required, Kind::Quarry;
        /// The group whose nearest member is the other.
        b: GroupId = required, Kind::Quarry;
        /// The distance from the midpoint at which slowing begins; `"auto"` takes the larger of
        /// mass * max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The distance up to which both count; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Interpose {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let [a, b] = [self.a, self.b].map(|group| context.member(host, group, self.within));
        let (Some(a), Some(b)) = (a, b) else { return V::ZERO };
        let target = between(&context.space, host, &a, &b);
        let slowing_radius = self.slowing_radius.of(host, Scale::slowing_radius);
        debug.segment("between", || (a.position, context.space.image(a.position, b.position)));
        debug.circle("slowing_radius", || (target, slowing_radius));
        arrive(host, target, slowing_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_with};
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn the_host_arrives_at_the_predicted_midpoint() {
        // The midpoint is (30, 40), 50 away: T = 10, in which the midpoint moves by the mean
        // velocity (1, -1) to (40, 30), also 50 away.
        let (a, b) = (
            AgentView::new(vec2(20.0, 40.0), vec2(2.0, 0.0)),
            AgentView::new(vec2(40.0, 40.0), vec2(0.0, -2.0)),
        );
        let host = Agent::new(Vec2::ZERO, 5.0).moving(vec2(0.0, 1.0));
        assert_near(interpose(&host, &a, &b, 0.0), vec2(4.0, 2.0));
        assert_near(interpose(&host, &b, &a, 100.0), vec2(2.0, 0.5));
        let (a, b) = (
            AgentView::new(vec3(0.0, 0.0, 10.0), vec3(0.0, 0.0, 1.0)),
            AgentView::new(vec3(0.0, 0.0, -2.0), vec3(0.0, 0.0, -1.0)),
        );
        assert_near(
            interpose(&Agent::new(vec3(0.0, 0.0, 0.0), 2.0), &a, &b, 8.0),
            vec3(0.0, 0.0, 1.0),
        );
    }

    #[test]
    fn in_a_wrapped_world_the_midpoint_is_on_the_shortest_line_and_there_the_host_brakes() {
        let space =
            Space::new(Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap }));
        let [a, b] = [5.0, 95.0].map(|x| AgentView::new(vec2(x, 50.0), Vec2::ZERO));
        for x in [1.0, 99.0] {
            let middle = between(&space, &Agent::new(vec2(x, 50.0), 1.0), &a, &b);
            assert!((middle - vec2(x, 50.0)).length() < 1.001, "{middle}");
        }
        let host = Agent::new(vec2(50.0, 50.0), 5.0).moving(vec2(1.0, 2.0));
        assert_near(interpose(&host, &a, &b, 7.0), vec2(-1.0, -2.0));
    }

    #[test]
    fn without_one_of_the_two_there_is_no_force() {
        let host = Agent::new(Vec2::ZERO, 5.0);
        let force = |b, within| {
            let behavior = Interpose {
                a: GroupId(0),
                b: GroupId(b),
                slowing_radius: Auto::Fixed(0.0),
                within,
            };
            force_with(&behavior, &host, AgentView::new(vec2(3.0, 4.0), Vec2::ZERO))
        };
        assert_near(force(0, 5.0), vec2(3.0, 4.0));
        assert_eq!([force(1, 5.0), force(0, 4.9)], [Vec2::ZERO; 2]);
    }
}
