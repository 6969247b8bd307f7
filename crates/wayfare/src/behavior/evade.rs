//! Evade: flee from where a moving threat will be. Reynolds, GDC 1999, "Evasion".

use super::pursue::predicted;
use super::{Prediction, Steer, flee};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::parameter::{GroupId, Kind, Range, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that steers at full speed away from where the threat will be (length / time):
/// `flee(threat.p + threat.v * T)`.
///
/// T is that of [`pursue`](super::pursue()). Zero if the threat's present position is farther away
/// than `panic_radius` (length; infinity for always); `-v` if the predicted position is the host's
/// own. From a threat at rest it is [`flee`].
///
/// ```
/// use wayfare::{Agent, AgentView, behavior::{Prediction, evade}, glam::vec2};
/// let prey = Agent::new(vec2(0.0, 0.0), 4.0);
/// // In 40 / 4 ticks the threat will be at (40, 30).
/// let threat = AgentView::new(vec2(40.0, 0.0), vec2(0.0, 3.0));
/// let force = evade(&prey, &threat, 100.0, Prediction::ByDistance, f32::INFINITY);
/// assert!((force - vec2(-3.2, -2.4)).length() < 1e-6);
/// ```
#[doc(alias = "evasion")]
pub fn evade<V: Vector>(
    host: &impl Host<V>,
    threat: &AgentView<V>,
    panic_radius: f32,
    prediction: Prediction,
    max_prediction: f32,
) -> V {
    evade_in(
        &Space::default(),
        host,
        threat,
        panic_radius,
        prediction,
        max_prediction,
        DebugDraw::OFF,
    )
}

/// [`evade()`] in a world that may be wrapped.
pub(super) fn evade_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    threat: &AgentView<V>,
    panic_radius: f32,
    prediction: Prediction,
    max_prediction: f32,
    debug: DebugDraw<'_, V>,
) -> V {
    if (threat.position - host.position()).length() > panic_radius {
        V::ZERO
    } else {
        let from = predicted(host, threat, prediction, max_prediction, space);
        debug.segment("prediction", || (threat.position, from));
        flee(host, from, f32::INFINITY)
    }
}

parameters! {
    /// Full speed away from where the threat will be: flee(threat.p + threat.v * T).
    #[doc(alias = "evasion")]
    #[derive(Copy)]
    "evade" is(ROUTES) = pub struct Evade {
        /// The group whose nearest member is evaded.
        threat: GroupId = required, Kind::Quarry;
        /// The present distance up to which the host evades the threat.
        panic_radius: f32 = (f32::INFINITY),
            Kind::Number(Range::from_zero(Unit::Length).or_infinite());
        /// T: `"by_distance"`, the time in which the host covers the present distance at full
        /// speed, or a fixed time.
        prediction: Prediction = (Prediction::ByDistance),
            Kind::NumberOr(Range::from_zero(Unit::Time), &["by_distance"]);
        /// The longest T.
        max_prediction: f32 = (f32::INFINITY),
            Kind::Number(Range::from_zero(Unit::Time).or_infinite());
        /// The distance up to which the threat counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Evade {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let threat = context.member(host, self.threat, self.within.min(self.panic_radius));
        let Some(threat) = threat else { return V::ZERO };
        debug.circle("panic_radius", || (threat.position, self.panic_radius));
        evade_in(
            &context.space,
            host,
            &threat,
            self.panic_radius,
            self.prediction,
            self.max_prediction,
            debug,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_with};
    use glam::{Vec2, vec2, vec3};

    const UNBOUNDED: f32 = f32::INFINITY;

    /// An agent at distance 50 from the origin that moves down.
    fn threat() -> AgentView<Vec2> {
        AgentView::new(vec2(30.0, 40.0), vec2(0.0, -4.0))
    }

    #[test]
    fn the_force_is_full_speed_away_from_where_the_threat_will_be() {
        // T = 50 / 5 = 10: the threat will be at (30, 0), so desired (-5, 0), less (1, 2).
        let host = Agent::new(vec2(0.0, 0.0), 5.0).moving(vec2(1.0, 2.0));
        assert_near(
            evade(&host, &threat(), UNBOUNDED, Prediction::ByDistance, UNBOUNDED),
            vec2(-6.0, -2.0),
        );
        // After 20 the threat will be at (30, -40), but the prediction may be bounded by 10.
        assert_near(
            evade(&host, &threat(), UNBOUNDED, Prediction::Fixed(20.0), UNBOUNDED),
            vec2(-4.0, 2.0),
        );
        assert_near(
            evade(&host, &threat(), UNBOUNDED, Prediction::Fixed(20.0), 10.0),
            vec2(-6.0, -2.0),
        );
        // T = 6 / 3 = 2: the threat will be at (2, 0, 0), so desired (-3, 0, 0), less (0, 1, 0).
        let host = Agent::new(vec3(0.0, 0.0, 0.0), 3.0).moving(vec3(0.0, 1.0, 0.0));
        let threat = AgentView::new(vec3(2.0, 4.0, 4.0), vec3(0.0, -2.0, -2.0));
        assert_near(
            evade(&host, &threat, UNBOUNDED, Prediction::ByDistance, UNBOUNDED),
            vec3(-3.0, -1.0, 0.0),
        );
    }

    #[test]
    fn the_panic_radius_is_measured_to_the_present_position() {
        // The threat is 50 away, and will be 30 away.
        let host = Agent::new(vec2(0.0, 0.0), 5.0);
        assert_near(
            evade(&host, &threat(), 50.0, Prediction::ByDistance, UNBOUNDED),
            vec2(-5.0, 0.0),
        );
        assert_eq!(
            evade(&host, &threat(), 49.9, Prediction::ByDistance, UNBOUNDED),
            vec2(0.0, 0.0)
        );
        // The threat is 50 away and will be 100 away: the present distance counts.
        let leaving = AgentView::new(vec2(30.0, 40.0), vec2(3.0, 4.0));
        assert_near(
            evade(&host, &leaving, 50.0, Prediction::ByDistance, UNBOUNDED),
            vec2(-3.0, -4.0),
        );
    }

    #[test]
    fn with_the_threat_at_its_own_position_the_host_only_brakes() {
        let host = Agent::new(vec2(0.0, 0.0), 5.0).moving(vec2(1.0, 2.0));
        let threat = AgentView::new(host.position, vec2(9.0, 9.0));
        assert_eq!(evade(&host, &threat, 0.0, Prediction::ByDistance, UNBOUNDED), vec2(-1.0, -2.0));
    }

    #[test]
    fn without_a_threat_within_the_distance_there_is_no_force() {
        let host = Agent::new(vec2(0.0, 0.0), 5.0).moving(vec2(1.0, 2.0));
        let force = |group, panic_radius, within| {
            let evade = Evade {
                threat: GroupId(group),
                panic_radius,
                prediction: Prediction::Fixed(20.0),
                max_prediction: 10.0,
                within,
            };
            force_with(&evade, &host, threat())
        };
        assert_near(force(0, 50.0, 50.0), vec2(-6.0, -2.0));
        assert_eq!(
            [force(0, 49.0, UNBOUNDED), force(0, UNBOUNDED, 49.0), force(1, UNBOUNDED, UNBOUNDED)],
            [vec2(0.0, 0.0); 3]
        );
    }
}
