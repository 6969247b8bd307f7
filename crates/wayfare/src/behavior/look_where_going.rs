//! Look where going: turn the facing towards the velocity. I. Millington, "AI for Games", 2006,
//! "Look Where You're Going".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Kind, Range, Unit, parameters};
use crate::vector::Vector;

/// The direction to look in: the unit vector of the host's velocity. Zero, which means no
/// direction, below `least_speed` (length / time) and at rest.
///
/// The crowd applies the turn rate: see [`turned`](crate::vector::rotation::turned).
pub fn look_where_going<V: Vector>(host: &impl Host<V>, least_speed: f32) -> V {
    if host.velocity().length() < least_speed { V::ZERO } else { host.velocity().unit() }
}

parameters! {
    /// Turn the facing towards the velocity by the group's `turn_rate`; gives no force. A group
    /// with a `turn_rate` does so by default.
    #[derive(Copy)]
    "look_where_going" needs(FACING) = pub struct LookWhereGoing {
        /// The speed below which the facing is kept, so that an agent that hardly moves does not
        /// spin.
        least_speed: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Speed));
    }
}

impl<V: Vector> Steer<V> for LookWhereGoing {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.segment("velocity", || (host.position, host.position + host.velocity));
        let direction = look_where_going(host, self.least_speed);
        // Without a direction the host keeps its facing, also if an earlier slot of the list set
        // one.
        context.facing = Some(if direction == V::ZERO { host.facing } else { direction });
        V::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn the_host_looks_along_its_velocity_and_keeps_its_facing_when_slow() {
        let host =
            Agent { facing: Vec2::Y, ..Agent::new(vec2(1.0, 2.0), 5.0).moving(vec2(3.0, -4.0)) };
        assert_near(look_where_going(&host, 5.0), vec2(0.6, -0.8));
        assert_eq!(look_where_going(&host, 5.1), Vec2::ZERO);
        assert_near(
            look_where_going(
                &Agent::new(vec3(0.0, 0.0, 0.0), 5.0).moving(vec3(0.0, 0.0, -3.0)),
                0.0,
            ),
            vec3(0.0, 0.0, -1.0),
        );
        let facing = |least_speed| {
            let mut context = SteerContext::empty(1.0);
            assert_eq!(
                LookWhereGoing { least_speed }.force(
                    &host,
                    &mut Memory::default(),
                    &mut context,
                    DebugDraw::OFF
                ),
                Vec2::ZERO
            );
            context.facing.unwrap()
        };
        assert_near(facing(1.0), vec2(0.6, -0.8));
        assert_eq!(facing(6.0), Vec2::Y);
        assert_eq!(look_where_going(&Agent::new(Vec2::ZERO, 1.0), 0.0), Vec2::ZERO);
    }
}
