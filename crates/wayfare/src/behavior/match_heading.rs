//! Match a heading: adopt the facing of another agent. I. Millington, "AI for Games", 2006,
//! "Align".

use super::Steer;
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::parameter::{GroupId, Kind, Range, Unit, parameters};
use crate::vector::Vector;

/// The direction to look in: the quarry's facing, which is its heading unless the quarry turns its
/// facing apart from its velocity. The distance does not matter.
///
/// The crowd applies the turn rate: see [`turned`](crate::vector::rotation::turned).
pub fn match_heading<V: Vector>(quarry: &AgentView<V>) -> V {
    quarry.facing.unit()
}

parameters! {
    /// Look in the direction in which another agent looks: turns the facing towards its facing by
    /// the group's `turn_rate`, and gives no force.
    #[derive(Copy)]
    "match_heading" needs(FACING) = pub struct MatchHeading {
        /// The group whose nearest member is the quarry.
        quarry: GroupId = required, Kind::Quarry;
        /// The distance up to which the quarry counts; beyond it the facing is not set.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for MatchHeading {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        if let Some(quarry) = context.member(host, self.quarry, self.within) {
            debug.segment("quarry", || (host.position, quarry.position));
            context.face(match_heading(&quarry));
        }
        V::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::Other;
    use glam::{Vec2, vec2};

    #[test]
    fn the_host_adopts_the_facing_of_the_quarry_and_there_is_no_force() {
        let host = Agent::new(vec2(1.0, 2.0), 5.0).moving(vec2(1.0, 0.0));
        let quarry =
            AgentView { facing: vec2(0.0, -1.0), ..AgentView::new(vec2(4.0, 6.0), vec2(1.0, 0.0)) };
        assert_eq!(match_heading(&quarry), vec2(0.0, -1.0));
        let facing = |within| {
            let other = Other(quarry);
            let mut context = SteerContext { groups: &other, ..SteerContext::empty(1.0) };
            let behavior = MatchHeading { quarry: GroupId(0), within };
            assert_eq!(
                behavior.force(&host, &mut Memory::default(), &mut context, DebugDraw::OFF),
                Vec2::ZERO
            );
            context.facing
        };
        assert_eq!([facing(5.0), facing(4.9)], [Some(vec2(0.0, -1.0)), None]);
        // An agent without a facing of its own looks along its heading.
        assert_eq!(match_heading(&AgentView::new(Vec2::ZERO, vec2(0.0, 2.0))), Vec2::Y);
    }
}
