//! Offset pursuit: keep a position relative to a moving agent. Reynolds, GDC 1999, "Offset
//! pursuit".

use super::{Steer, WithoutLeader, arrive};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::parameter::{Auto, Formula, GroupId, Kind, Range, Scale, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that arrives at a position relative to the quarry, predicted for the time of arrival
/// (length / time): `arrive(slot + quarry.v * T)`, where
/// `slot = quarry.p + heading * ahead + left * beside` and `T = |slot - p| / max_speed`.
///
/// The slot rotates with the quarry's heading; a quarry at rest keeps its heading. In 3D `left` is
/// horizontal and perpendicular to the heading, with z up. Exactly on the slot of a quarry at rest
/// the force is `-v`.
pub fn offset_pursue<V: Vector>(
    host: &impl Host<V>,
    quarry: &AgentView<V>,
    ahead: f32,
    beside: f32,
    slowing_radius: f32,
) -> V {
    arrive(host, slot(&Space::default(), host, quarry, ahead, beside), slowing_radius)
}

/// The position of the slot when the host can reach it; in a wrapped world the image nearest to the
/// host.
fn slot<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    quarry: &AgentView<V>,
    ahead: f32,
    beside: f32,
) -> V {
    let now = quarry.slot((ahead, beside), space.up());
    let time = (now - host.position()).length() / host.max_speed();
    space.image(host.position(), now + quarry.velocity * time)
}

parameters! {
    /// Arrive at a position relative to a moving agent, and keep it: arrive(quarry.p + heading *
    /// ahead + left * beside + quarry.v * T).
    #[doc(alias = "offset pursuit")]
    #[derive(Copy)]
    "offset_pursue" is(ROUTES) = pub struct OffsetPursue {
        /// The group whose nearest member is the quarry.
        quarry: GroupId = required, Kind::Quarry;
        /// The distance of the slot ahead of the quarry, along its heading; negative behind it.
        ahead: f32 = 0.0, Kind::Number(Range::any(Unit::Length));
        /// The distance of the slot to the left of the quarry; negative to its right.
        beside: f32 = 0.0, Kind::Number(Range::any(Unit::Length));
        /// The distance from the slot at which slowing begins; `"auto"` takes the larger of mass *
        /// max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The distance up to which the quarry counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
        /// While the group has no other member: `"hold"` brakes with the force -v, `"coast"` exerts
        /// no force.
        without_leader: WithoutLeader = (WithoutLeader::Hold), Kind::Word(WithoutLeader::WORDS);
    }
}

impl<V: Vector> Steer<V> for OffsetPursue {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(quarry) = context.member(host, self.quarry, self.within) else {
            return self.without_leader.force(host, context, self.quarry, self.within);
        };
        let target = slot(&context.space, host, &quarry, self.ahead, self.beside);
        let slowing_radius = self.slowing_radius.of(host, Scale::slowing_radius);
        debug.segment("slot", || (quarry.position, target));
        debug.circle("slowing_radius", || (target, slowing_radius));
        arrive(host, target, slowing_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_with};
    use glam::{Vec3, vec2, vec3};

    #[test]
    fn the_host_arrives_at_the_predicted_slot_in_the_quarrys_frame() {
        // The quarry moves up, so its left is -x: the slot 10 behind and 20 to the left is (30 -
        // 20, 50 - 10) = (10, 40), 50 from the host at (-20, 0). In T = 50 / 5 = 10 the slot moves
        // by (0, 20): desired is 5 along (30, 60).
        let quarry = AgentView::new(vec2(30.0, 50.0), vec2(0.0, 2.0));
        let host = Agent::new(vec2(-20.0, 0.0), 5.0).moving(vec2(1.0, 0.0));
        assert_near(
            offset_pursue(&host, &quarry, -10.0, 20.0, 0.0),
            vec2(30.0, 60.0).normalize() * 5.0 - vec2(1.0, 0.0),
        );
        // Half a slowing radius away the desired speed is halved.
        let half = offset_pursue(&host, &quarry, -10.0, 20.0, 2.0 * vec2(30.0_f32, 60.0).length());
        assert_near(half, vec2(30.0, 60.0).normalize() * 2.5 - vec2(1.0, 0.0));
        // In 3D the left of +x is +y: the slot (0, 4, 0) of a quarry at rest is 5 from (0, 0, 3).
        let quarry = AgentView::new(Vec3::ZERO, Vec3::ZERO);
        assert_near(
            offset_pursue(&Agent::new(vec3(0.0, 0.0, 3.0), 5.0), &quarry, 0.0, 4.0, 0.0),
            vec3(0.0, 4.0, -3.0),
        );
    }

    #[test]
    fn on_the_slot_the_host_brakes_and_a_quarry_out_of_reach_gives_no_force() {
        let quarry = AgentView::new(vec2(30.0, 50.0), vec2(0.0, 0.0));
        let host = Agent::new(vec2(40.0, 50.0), 5.0).moving(vec2(1.0, 2.0));
        assert_near(offset_pursue(&host, &quarry, 10.0, 0.0, 7.0), vec2(-1.0, -2.0));
        let force = |group, within| {
            let slowing_radius = Auto::Fixed(7.0);
            let rules = OffsetPursue::new(GroupId(group));
            force_with(
                &OffsetPursue { ahead: 10.0, slowing_radius, within, ..rules },
                &host,
                quarry,
            )
        };
        assert_near(force(0, 10.0), vec2(-1.0, -2.0));
        assert_eq!(force(0, 9.9), vec2(0.0, 0.0));
        // No quarry is left.
        assert_eq!(force(1, 9.9), vec2(-1.0, -2.0));
    }
}
