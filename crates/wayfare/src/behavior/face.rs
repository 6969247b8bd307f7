//! Face: turn the facing towards a target, independently of the velocity. I. Millington, "AI for
//! Games", 2006, "Face".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Kind, Range, Target, Unit, parameters};
use crate::vector::Vector;

/// The direction to look in: the unit vector from the host to `target`. Zero, which means no
/// direction, for a host on the target.
///
/// The crowd applies the turn rate: see [`turned`](crate::vector::rotation::turned).
pub fn face<V: Vector>(host: &impl Host<V>, target: V) -> V {
    (target - host.position()).unit()
}

parameters! {
    /// Look at the target, whatever the velocity: turns the facing by the group's `turn_rate`, and
    /// gives no force.
    #[derive(Copy)]
    "face" needs(FACING) = pub struct Face<V> {
        /// The point to look at.
        target: Target<V> = required, Kind::Target;
        /// The distance up to which the target counts; beyond it the facing is not set.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Face<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if let Some(target) = context.target(host, &self.target, self.within) {
            debug.segment("target", || (host.position, target));
            context.face(face(host, target));
        }
        V::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn the_host_looks_at_the_target_and_there_is_no_force() {
        let host = Agent::new(vec2(1.0, 2.0), 5.0).moving(vec2(1.0, 0.0));
        assert_near(face(&host, vec2(4.0, 6.0)), vec2(0.6, 0.8));
        assert_near(
            face(&Agent::new(vec3(0.0, 0.0, 0.0), 5.0), vec3(0.0, 0.0, -3.0)),
            vec3(0.0, 0.0, -1.0),
        );
        let facing = |target, within| {
            let mut context = SteerContext::empty(1.0);
            assert_eq!(
                Face { target: Target::Point(target), within }.force(
                    &host,
                    &mut Memory::default(),
                    &mut context,
                    DebugDraw::OFF
                ),
                Vec2::ZERO
            );
            context.facing
        };
        assert_near(facing(vec2(4.0, 6.0), 5.0).unwrap(), vec2(0.6, 0.8));
        // Beyond `within` and on the target there is no direction, so the facing is not set.
        assert_eq!([facing(vec2(4.0, 6.0), 4.9), facing(host.position, 5.0)], [None, None]);
    }
}
