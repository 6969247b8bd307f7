//! Match a velocity: adopt the velocity of another agent. The alignment of Reynolds, GDC 1999, with
//! one quarry in place of the neighbors.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{GroupId, Kind, Range, Unit, parameters};
use crate::vector::Vector;

/// The force towards a given velocity (length / time): `velocity - v`. The distance does not
/// matter.
pub fn match_velocity<V: Vector>(host: &impl Host<V>, velocity: V) -> V {
    velocity - host.velocity()
}

parameters! {
    /// Move as another agent does: quarry.v - v.
    #[derive(Copy)]
    "match_velocity" is(ROUTES) = pub struct MatchVelocity {
        /// The group whose nearest member is the quarry.
        quarry: GroupId = required, Kind::Quarry;
        /// The distance up to which the quarry counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for MatchVelocity {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(quarry) = context.member(host, self.quarry, self.within) else { return V::ZERO };
        debug.segment("quarry", || (host.position, quarry.position));
        match_velocity(host, quarry.velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_with};
    use crate::context::AgentView;
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn the_force_is_the_difference_of_the_velocities() {
        let host = Agent::new(vec2(0.0, 0.0), 5.0).moving(vec2(1.0, -1.0));
        assert_near(match_velocity(&host, vec2(3.0, 2.0)), vec2(2.0, 3.0));
        assert_near(match_velocity(&host, Vec2::ZERO), vec2(-1.0, 1.0));
        assert_near(
            match_velocity(&Agent::new(vec3(0.0, 0.0, 0.0), 9.0), vec3(0.0, 1.0, 2.0)),
            vec3(0.0, 1.0, 2.0),
        );
        let force = |within| {
            force_with(
                &MatchVelocity { quarry: GroupId(0), within },
                &host,
                AgentView::new(vec2(3.0, 4.0), vec2(2.0, 0.0)),
            )
        };
        assert_eq!([force(5.0), force(4.9)], [vec2(1.0, 1.0), Vec2::ZERO]);
    }
}
