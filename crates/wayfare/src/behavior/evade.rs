//! Evade: flee from where a moving threat will be. Reynolds, GDC 1999, "Evasion".

use super::pursue::predicted;
use super::{Prediction, Steer, flee};
use crate::agent::{Agent, Host, Memory};
use crate::parameter::{GroupId, Kind, Range, Unit, parameters};
use crate::space::Space;
use crate::surroundings::{Seen, Surroundings};
use crate::vector::Vector;

/// The force that steers at full speed away from where the threat will be (length / time): `flee(threat.p + threat.v * T)`.
///
/// T is that of [`pursue`](super::pursue()). Zero where the threat's present position is farther than `panic_radius` (length;
/// infinity for always); `-v` where the predicted point is the host's own.
#[doc(alias = "evasion")]
pub fn evade<V: Vector>(host: &impl Host<V>, threat: &Seen<V>, panic_radius: f32, prediction: Prediction, max_prediction: f32) -> V {
    evade_in(&Space::default(), host, threat, panic_radius, prediction, max_prediction)
}

/// [`evade()`] in a world that may be wrapped.
pub(super) fn evade_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    threat: &Seen<V>,
    panic_radius: f32,
    prediction: Prediction,
    max_prediction: f32,
) -> V {
    if (threat.position - host.position()).length() > panic_radius {
        V::ZERO
    } else {
        flee(host, predicted(host, threat, prediction, max_prediction, space), f32::INFINITY)
    }
}

parameters! {
    /// Full speed away from where the threat will be: flee(threat.p + threat.v * T).
    #[doc(alias = "evasion")]
    "evade" = pub struct Evade {
        /// The group whose nearest member is evaded.
        threat: GroupId = required, Kind::Group;
        /// How near the threat must be, where it is now, to be evaded.
        panic_radius: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
        /// T: `"by_distance"`, the time that the host at full speed needs for the present distance, or a fixed time.
        prediction: Prediction = (Prediction::ByDistance), Kind::NumberOr(Range::from_zero(Unit::Time), &["by_distance"]);
        /// The longest T.
        max_prediction: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Time).or_infinite());
        /// How far away the threat may be; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Evade {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        let threat = around.member(host, self.threat.0, self.within.min(self.panic_radius));
        threat.map_or(V::ZERO, |threat| evade_in(&around.space, host, &threat, self.panic_radius, self.prediction, self.max_prediction))
    }
}
