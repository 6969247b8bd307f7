//! Pre-movement times: how long members stand before they begin.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::allowed::ranges::TIME;
use crate::parameter::{Field, IntoField, Value};
use crate::random::{Distribution, Random};
use crate::vector::Vector;

/// The time that each member of a group stands after it has entered, before it begins to steer
/// (time): its pre-movement time, as in E. D. Kuligowski, "Pre-evacuation" (2016).
///
/// ```
/// use wayfare::crowd::StartAfter;
/// use wayfare::prelude::*;
/// let row = Spawn::points([vec2(0.0, 0.0), vec2(0.0, 5.0)]);
/// let people = Group::new("people", 2, row, 1.0)
///     .steer(Seek::new(vec2(9.0, 0.0)))
///     .start_after(StartAfter::Listed(vec![0.0, 3.0]));
/// let mut crowd = Setup::new(1.0).group(people).crowd()?;
/// let waits = |crowd: &Crowd<_>| [0, 1].map(|id| crowd.get(id).unwrap().starts_at.is_some());
/// assert_eq!(waits(&crowd), [false, true]);
/// (0..3).for_each(|_| crowd.step());
/// assert_eq!(waits(&crowd), [false, false]);
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum StartAfter {
    /// The same time for all members, or one that each member draws by the seed and its id.
    Drawn(Distribution),
    /// A time for each member at the start, in the order of their ids. Members that enter later
    /// take the times from the first one on again.
    Listed(Vec<f32>),
}

impl<T: Into<Distribution>> From<T> for StartAfter {
    fn from(time: T) -> Self {
        StartAfter::Drawn(time.into())
    }
}

impl Default for StartAfter {
    fn default() -> Self {
        StartAfter::Drawn(Distribution::Same(0.0))
    }
}

/// The most ticks that an agent stands: as many as a snapshot can count.
pub(in crate::crowd) const LONGEST_WAIT: u64 = 1 << 53;

impl StartAfter {
    /// Whether any member stands for a time.
    pub fn waits(&self) -> bool {
        match self {
            StartAfter::Drawn(distribution) => distribution.bounds(TIME).1 > 0.0,
            StartAfter::Listed(times) => times.iter().any(|time| *time > 0.0),
        }
    }

    /// The time of the `k`-th member (time).
    fn time(&self, k: usize, random: Random) -> f32 {
        match self {
            StartAfter::Drawn(distribution) => distribution.draw(TIME, random),
            StartAfter::Listed(times) if times.is_empty() => 0.0,
            StartAfter::Listed(times) => times[k % times.len()],
        }
    }

    /// The number of ticks of `dt` (time) for which the `k`-th member stands: the first whose time
    /// is not before the member's.
    pub(in crate::crowd) fn ticks(&self, k: usize, random: Random, dt: f64) -> u64 {
        let time = f64::from(self.time(k, random));
        let ticks = (libm::ceil(time / dt) as u64).min(LONGEST_WAIT);
        // The division may round to the other side of a whole number.
        if ticks > 0 && (ticks - 1) as f64 * dt >= time { ticks - 1 } else { ticks }
    }
}

macro_rules! into_start_after {
    ($($type:ty),*) => {$(
        impl IntoField<StartAfter> for $type {
            fn into_field(self) -> StartAfter {
                self.into()
            }
        }
    )*};
}

into_start_after!(f32, RangeInclusive<f32>, Distribution);

impl<V: Vector> Field<V> for StartAfter {
    fn placeholder() -> Self {
        StartAfter::default()
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Numbers(times) => Some(StartAfter::Listed(times)),
            other => Distribution::read(other).map(StartAfter::Drawn),
        }
    }
    fn write(&self) -> Option<Value<V>> {
        match self {
            StartAfter::Drawn(distribution) => distribution.write(),
            StartAfter::Listed(times) => Some(Value::Numbers(times.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_stands_until_the_first_tick_that_is_not_before_its_time() {
        let random = || Random::new(1, 0, 0, 0);
        let ticks = |time: f32, dt| StartAfter::Drawn(time.into()).ticks(0, random(), dt);
        assert_eq!([ticks(0.0, 0.05), ticks(-0.0, 0.05)], [0, 0]);
        assert_eq!([ticks(2.0, 0.5), ticks(2.1, 0.5), ticks(1e-9, 1.0)], [4, 5, 1]);
        assert_eq!(ticks(1e9, 1e-9), LONGEST_WAIT);
        for k in 1..2_000 {
            let time = k as f32 * 0.05;
            let found = ticks(time, 0.05);
            assert!(found as f64 * 0.05 >= f64::from(time) || found + 1 > k, "{time}: {found}");
            assert!((found - 1) as f64 * 0.05 < f64::from(time), "{time}: {found}");
        }
        let listed = StartAfter::Listed(vec![1.0, 2.0, 0.0]);
        assert_eq!([0, 1, 2, 3].map(|k| listed.ticks(k, random(), 1.0)), [1, 2, 0, 1]);
    }
}
