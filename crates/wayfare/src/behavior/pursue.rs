//! Pursue: seek where a moving quarry will be. Reynolds, GDC 1999, "Pursuit"; the prediction by
//! distance and the fixed one are those of the tutorials ("Pursuit and Evade", 2013).

use super::{Steer, seek};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::parameter::{Field, GroupId, Kind, Range, Unit, Value, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The time by which the position of a quarry or threat is predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Prediction {
    /// The time in which the host covers the present distance at full speed: d / max_speed.
    ByDistance,
    /// A fixed time (time): the tutorial's first version.
    Fixed(f32),
}

impl<V: Vector> Field<V> for Prediction {
    fn placeholder() -> Self {
        Prediction::ByDistance
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Number(time) => Some(Prediction::Fixed(time)),
            Value::Word("by_distance") => Some(Prediction::ByDistance),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match *self {
            Prediction::Fixed(time) => Value::Number(time),
            Prediction::ByDistance => Value::Word("by_distance"),
        })
    }
}

/// The position of `other` after the predicted time, at most `longest` (time). In a wrapped world
/// it is the image nearest to the host.
pub(super) fn predicted<V: Vector>(
    host: &impl Host<V>,
    other: &AgentView<V>,
    prediction: Prediction,
    longest: f32,
    space: &Space<V>,
) -> V {
    let time = match prediction {
        Prediction::ByDistance => (other.position - host.position()).length() / host.max_speed(),
        Prediction::Fixed(time) => time,
    };
    space.image(host.position(), other.position + other.velocity * time.min(longest))
}

/// The force that steers at full speed to where the quarry will be (length / time):
/// `seek(quarry.p + quarry.v * T)`.
///
/// T is `d / max_speed` of the host, or fixed, at most `max_prediction` (time; infinity for no
/// bound). With the quarry at the host's own position T is 0 and the force is `-v`. With a quarry
/// at rest it is [`seek`].
///
/// ```
/// use wayfare::{Agent, AgentView, behavior::{Prediction, pursue}, glam::vec2};
/// let hunter = Agent::new(vec2(0.0, 0.0), 4.0);
/// // In 40 / 4 ticks the quarry will be at (40, 30).
/// let quarry = AgentView::new(vec2(40.0, 0.0), vec2(0.0, 3.0));
/// let force = pursue(&hunter, &quarry, Prediction::ByDistance, f32::INFINITY);
/// assert!((force - vec2(3.2, 2.4)).length() < 1e-6);
/// ```
#[doc(alias = "pursuit")]
pub fn pursue<V: Vector>(
    host: &impl Host<V>,
    quarry: &AgentView<V>,
    prediction: Prediction,
    max_prediction: f32,
) -> V {
    seek(host, predicted(host, quarry, prediction, max_prediction, &Space::default()))
}

parameters! {
    /// Full speed to where the quarry will be: seek(quarry.p + quarry.v * T).
    #[doc(alias = "pursuit")]
    #[doc(alias = "chase")]
    #[derive(Copy)]
    "pursue" is(ROUTES) = pub struct Pursue {
        /// The group whose nearest member is pursued.
        quarry: GroupId = required, Kind::Quarry;
        /// T: `"by_distance"`, the time in which the host covers the present distance at full
        /// speed, or a fixed time.
        prediction: Prediction = (Prediction::ByDistance),
            Kind::NumberOr(Range::from_zero(Unit::Time), &["by_distance"]);
        /// The longest T.
        max_prediction: f32 = (f32::INFINITY),
            Kind::Number(Range::from_zero(Unit::Time).or_infinite());
        /// The distance up to which the quarry counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Pursue {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(quarry) = context.member(host, self.quarry, self.within) else { return V::ZERO };
        let target = predicted(host, &quarry, self.prediction, self.max_prediction, &context.space);
        debug.segment("prediction", || (quarry.position, target));
        seek(host, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_with};
    use glam::{Vec2, vec2, vec3};

    const UNBOUNDED: f32 = f32::INFINITY;

    /// An agent at distance 50 from the origin that moves down.
    fn quarry() -> AgentView<Vec2> {
        AgentView::new(vec2(30.0, 40.0), vec2(0.0, -4.0))
    }

    #[test]
    fn the_prediction_is_the_time_that_the_present_distance_takes() {
        // T = 50 / 5 = 10: the quarry will be at (30, 0), so desired (5, 0), less (1, 2).
        let host = Agent::new(vec2(0.0, 0.0), 5.0).moving(vec2(1.0, 2.0));
        assert_near(pursue(&host, &quarry(), Prediction::ByDistance, UNBOUNDED), vec2(4.0, -2.0));
        // The offset is (2, 4, 4), its length 6: T = 6 / 3 = 2, the quarry will be at (2, 0, 0), so
        // desired (3, 0, 0), less (0, 1, 0).
        let host = Agent::new(vec3(0.0, 0.0, 0.0), 3.0).moving(vec3(0.0, 1.0, 0.0));
        let quarry = AgentView::new(vec3(2.0, 4.0, 4.0), vec3(0.0, -2.0, -2.0));
        assert_near(
            pursue(&host, &quarry, Prediction::ByDistance, UNBOUNDED),
            vec3(3.0, -1.0, 0.0),
        );
    }

    #[test]
    fn a_fixed_prediction_is_a_time_and_max_prediction_bounds_both() {
        let host = Agent::new(vec2(0.0, 0.0), 5.0);
        // After 20 the quarry will be at (30, -40); now it is at (30, 40).
        assert_near(pursue(&host, &quarry(), Prediction::Fixed(20.0), UNBOUNDED), vec2(3.0, -4.0));
        assert_near(pursue(&host, &quarry(), Prediction::Fixed(30.0), 20.0), vec2(3.0, -4.0));
        assert_near(pursue(&host, &quarry(), Prediction::ByDistance, 0.0), vec2(3.0, 4.0));
    }

    #[test]
    fn with_the_quarry_at_its_own_position_the_host_only_brakes() {
        let host = Agent::new(vec2(0.0, 0.0), 5.0).moving(vec2(1.0, 2.0));
        let quarry = AgentView::new(host.position, vec2(9.0, 9.0));
        assert_eq!(pursue(&host, &quarry, Prediction::ByDistance, UNBOUNDED), vec2(-1.0, -2.0));
    }

    #[test]
    fn without_a_quarry_within_the_distance_there_is_no_force() {
        let host = Agent::new(vec2(0.0, 0.0), 5.0).moving(vec2(1.0, 2.0));
        let pursue = |group, within| Pursue {
            quarry: GroupId(group),
            prediction: Prediction::Fixed(20.0),
            max_prediction: 10.0,
            within,
        };
        assert_near(force_with(&pursue(0, 50.0), &host, quarry()), vec2(4.0, -2.0));
        assert_eq!(force_with(&pursue(0, 49.0), &host, quarry()), vec2(0.0, 0.0));
        assert_eq!(force_with(&pursue(1, UNBOUNDED), &host, quarry()), vec2(0.0, 0.0));
    }
}
