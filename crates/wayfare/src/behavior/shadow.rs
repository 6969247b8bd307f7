//! Shadow: approach another agent, then move along with it. Reynolds, GDC 1999, "Shadowing":
//! pursuit until near, then the quarry's own velocity.

use super::{Steer, arrive, match_velocity};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::parameter::{Auto, Formula, GroupId, Kind, Range, Scale, Unit, parameters};
use crate::vector::Vector;

/// The force that approaches the quarry and moves along with it (length / time):
/// `arrive(quarry.p, slowing_radius)` while the quarry is farther away than `distance` (length),
/// else `quarry.v - v`, also at distance 0.
pub fn shadow<V: Vector>(
    host: &impl Host<V>,
    quarry: &AgentView<V>,
    distance: f32,
    slowing_radius: f32,
) -> V {
    if (quarry.position - host.position()).length() > distance {
        arrive(host, quarry.position, slowing_radius)
    } else {
        match_velocity(host, quarry.velocity)
    }
}

parameters! {
    /// Arrive at another agent while it is farther away than a distance, and move along with it
    /// within: quarry.v - v.
    #[doc(alias = "shadowing")]
    #[derive(Copy)]
    "shadow" is(ROUTES) = pub struct Shadow {
        /// The group whose nearest member is shadowed.
        quarry: GroupId = required, Kind::Quarry;
        /// The distance to keep; `"auto"` takes 3 spacing.
        distance: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(distance));
        /// The distance from the quarry at which slowing begins; `"auto"` takes the larger of
        /// mass * max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The distance up to which the quarry counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

/// The distance to keep (length).
fn distance(scale: &Scale) -> f32 {
    3.0 * scale.spacing()
}

impl<V: Vector> Steer<V> for Shadow {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(quarry) = context.member(host, self.quarry, self.within) else { return V::ZERO };
        debug.point("target", || quarry.position);
        let distance = self.distance.of(host, distance);
        debug.circle("distance", || (quarry.position, distance));
        shadow(host, &quarry, distance, self.slowing_radius.of(host, Scale::slowing_radius))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_with};
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn beyond_the_distance_the_host_arrives_and_within_it_matches_the_velocity() {
        // The quarry is (3, 4) away, half the slowing radius of 10: desired (3, 4) at full speed 10
        // halved, less (1, 0).
        let quarry = AgentView::new(vec2(4.0, 6.0), vec2(-2.0, 7.0));
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(1.0, 0.0));
        assert_near(shadow(&host, &quarry, 4.9, 10.0), vec2(2.0, 4.0));
        assert_near(shadow(&host, &quarry, 5.0, 10.0), vec2(-3.0, 7.0));
        let quarry = AgentView::new(vec3(0.0, 0.0, 2.0), vec3(0.0, 3.0, 0.0));
        assert_near(
            shadow(&Agent::new(vec3(0.0, 0.0, 0.0), 10.0), &quarry, 2.0, 0.0),
            vec3(0.0, 3.0, 0.0),
        );
    }

    #[test]
    fn at_the_quarrys_position_the_host_matches_its_velocity_and_beyond_within_there_is_no_force() {
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(1.0, 0.0));
        assert_eq!(
            shadow(&host, &AgentView::new(host.position, vec2(0.0, 2.0)), 0.0, 5.0),
            vec2(-1.0, 2.0)
        );
        let force = |within| {
            force_with(
                &Shadow {
                    quarry: GroupId(0),
                    distance: Auto::Fixed(1.0),
                    slowing_radius: Auto::Auto,
                    within,
                },
                &host,
                AgentView::new(vec2(4.0, 6.0), Vec2::X),
            )
        };
        assert!(force(5.0) != Vec2::ZERO && force(4.9) == Vec2::ZERO);
    }
}
