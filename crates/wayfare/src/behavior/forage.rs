//! Forage: wander until the target is in sight, then arrive at it. Reynolds, GDC 1999, "Wander":
//! "combining wandering with resource seeking".

use glam::Vec2;

use super::wander::{wander_annotated, wander_in};
use super::{Steer, Wander, arrive};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Auto, Formula, Kind, Parameters, Range, Scale, Target, Unit, parameters};
use crate::random::Random;
use crate::vector::{Up, Vector};

/// The force that forages (length / time): `arrive` at the target that is in sight, else
/// [`wander`](super::wander()).
///
/// `direction`, `random` and `dt` are those of `wander`. While the host arrives, `direction` does
/// not change. Exactly on the target the force is `-v`.
pub fn forage<V: Vector>(
    host: &impl Host<V>,
    in_sight: Option<V>,
    slowing_radius: f32,
    parameters: &Wander,
    direction: &mut Option<V::Direction>,
    random: &mut Random,
    dt: f32,
) -> V {
    match in_sight {
        Some(target) => arrive(host, target, slowing_radius),
        None => wander_annotated(host, parameters, direction, random, dt, Up::Z, DebugDraw::OFF),
    }
}

parameters! {
    /// Wander until the target is in sight, d <= sight, then arrive at it.
    "forage" needs(MEMORY) is(ROUTES) = pub struct Forage<V> {
        /// The target to find: of a group, the nearest member.
        target: Target<V> = required, Kind::Target;
        /// The distance up to which the target is in sight; `"auto"` takes 8 spacing.
        sight: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::sight));
        /// The distance at which slowing begins; `"auto"` takes the larger of mass * max_speed^2 /
        /// (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The parameters of wandering; its defaults if left out.
        wander: Option<Wander> = (None), Kind::Nested(<Wander as Parameters<Vec2>>::PARAMETERS);
    }
}

impl<V: Vector> Forage<V> {
    /// The parameters with which hosts wander.
    pub fn wandering(&self) -> Wander {
        self.wander.unwrap_or_default()
    }

    /// Sets the parameters of wandering that are left out.
    pub(crate) fn complete(&mut self) {
        self.wander = Some(self.wandering());
    }
}

impl<V: Vector> Steer<V> for Forage<V> {
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let sight = self.sight.of(host, Scale::sight);
        debug.circle("sight", || (host.position, sight));
        let Some(target) = context.target(host, &self.target, sight) else {
            return wander_in(host, &self.wandering(), &mut memory.wander, context, debug);
        };
        let slowing_radius = self.slowing_radius.of(host, Scale::slowing_radius);
        debug.segment("found", || (host.position, target));
        debug.circle("slowing_radius", || (target, slowing_radius));
        arrive(host, target, slowing_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone, force_with};
    use crate::behavior::wander;
    use crate::context::AgentView;
    use crate::id::GroupId;
    use glam::{Vec3, vec2, vec3};

    fn hungry<V: Vector>(sight: f32) -> Forage<V> {
        Forage {
            target: Target::Group(GroupId(0)),
            sight: Auto::Fixed(sight),
            slowing_radius: Auto::Fixed(20.0),
            wander: None,
        }
    }

    #[test]
    fn the_host_arrives_at_a_target_in_sight() {
        // The offset is (6, 8), its length 10, half of the slowing radius: half of the speed, less
        // the velocity.
        let host = Agent::new(vec2(1.0, 1.0), 5.0).moving(vec2(1.0, 0.0));
        let food = |position| AgentView::new(position, Vec2::ZERO);
        assert_near(force_with(&hungry(10.0), &host, food(vec2(7.0, 9.0))), vec2(0.5, 2.0));
        assert_eq!(force_with(&hungry(10.0), &host, food(host.position)), vec2(-1.0, 0.0));
        let host = Agent::new(Vec3::ZERO, 6.0);
        assert_near(
            force_with(&hungry(6.0), &host, AgentView::new(vec3(2.0, -4.0, 4.0), Vec3::ZERO)),
            vec3(0.6, -1.2, 1.2),
        );
        // The target can be a point.
        let berries = Forage {
            target: Target::Point(vec2(6.0, 8.0)),
            slowing_radius: Auto::Auto,
            ..hungry(10.0)
        };
        assert_near(force_alone(&berries, &Agent::new(Vec2::ZERO, 5.0)), vec2(1.5, 2.0));
    }

    #[test]
    fn without_a_target_in_sight_the_force_is_that_of_wander() {
        let host = Agent::new(vec2(1.0, 1.0), 5.0);
        let far = AgentView::new(vec2(7.0, 9.1), Vec2::ZERO);
        let random = || SteerContext::<Vec2>::empty(1.0).random();
        // By its defaults, or as given.
        let own = Wander::default();
        let given_wander = Wander {
            circle_distance: Auto::Fixed(1.0),
            circle_radius: Auto::Fixed(3.0),
            angle_change: Auto::Fixed(2.0),
            see_ahead: 0.0,
        };
        for (given, expected) in [(None, own), (Some(given_wander), given_wander)] {
            let mut direction = None;
            let wandering = wander(&host, &expected, &mut direction, &mut random(), 1.0);
            let forage = Forage { wander: given, ..hungry(10.0) };
            assert_eq!(force_with(&forage, &host, far), wandering);
            assert_eq!(force_alone(&forage, &host), wandering);
            // The wander direction advances by one step per tick, and is unchanged while the host
            // arrives.
            let (mut context, mut memory) =
                (SteerContext::empty(1.0), Memory { wander: Some(0.25), ..Memory::default() });
            let mut direction = Some(0.25);
            let wandering = wander(&host, &expected, &mut direction, &mut random(), 1.0);
            assert_eq!(
                (forage.force(&host, &mut memory, &mut context, DebugDraw::OFF), memory.wander),
                (wandering, direction)
            );
            let close = Forage { target: Target::Point(vec2(2.0, 2.0)), ..forage };
            let _ = close.force(&host, &mut memory, &mut context, DebugDraw::OFF);
            assert_eq!(memory.wander, direction);
        }
    }
}
