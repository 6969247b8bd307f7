//! Look where one goes: turn towards one's own velocity. I. Millington, "AI for Games", 2006, "Look
//! Where You're Going".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Kind, Range, Unit, parameters};
use crate::vector::Vector;

/// The unit vector of the host's velocity: where to look. Zero, which is nowhere, below
/// `least_speed` (length / time) and at rest.
///
/// How fast that is done is not its affair: see [`turned`](crate::vector::rotation::turned).
pub fn look_where_going<V: Vector>(host: &impl Host<V>, least_speed: f32) -> V {
    if host.velocity().length() < least_speed { V::ZERO } else { host.velocity().unit() }
}

parameters! {
    /// Look where one goes: turns the facing towards the velocity by the group's `turn_rate`, and gives no force. What a group does that has a
    /// `turn_rate` and is told nothing else.
    #[derive(Copy)]
    "look_where_going" = pub struct LookWhereGoing {
        /// The speed below which the host looks as before: who hardly moves does not spin.
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
        let way = look_where_going(host, self.least_speed);
        // Nowhere is said as well: on as before, whatever a place before it in the list said.
        context.facing = Some(if way == V::ZERO { host.facing } else { way });
        V::ZERO
    }
    fn faces(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn it_looks_along_the_velocity_and_who_hardly_moves_as_before() {
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
        let looks = |least_speed| {
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
        assert_near(looks(1.0), vec2(0.6, -0.8));
        assert_eq!(looks(6.0), Vec2::Y);
        assert_eq!(look_where_going(&Agent::new(Vec2::ZERO, 1.0), 0.0), Vec2::ZERO);
    }
}
