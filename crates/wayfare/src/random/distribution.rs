//! Numbers that agents share, or that each agent draws from a range.

use alloc::format;
use alloc::string::{String, ToString};
use core::ops::RangeInclusive;

use super::{MOST_DEVIATIONS, Random};
use crate::quantity::{Range, Unit};

/// The range of a standard deviation.
pub(crate) const DEVIATION: Range = Range::from_zero(Unit::None);

/// A number that all members share, or a range from which each member's number is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Distribution {
    /// The same number for all members.
    Same(#[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))] f32),
    /// Uniformly distributed between the two numbers.
    Uniform(
        #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))] f32,
        #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))] f32,
    ),
    /// Normally distributed with the mean and the standard deviation, truncated at
    /// [`MOST_DEVIATIONS`] standard deviations and at the ends of the allowed range.
    Normal(
        #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))] f32,
        #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))] f32,
    ),
}

/// The same number for all members.
impl From<f32> for Distribution {
    fn from(x: f32) -> Self {
        Distribution::Same(x)
    }
}

/// Uniformly distributed from one end to the other.
impl From<RangeInclusive<f32>> for Distribution {
    fn from(range: RangeInclusive<f32>) -> Self {
        Distribution::Uniform(*range.start(), *range.end())
    }
}

impl Distribution {
    /// The smallest and the largest value that it gives for a number with this allowed range.
    pub fn bounds(self, range: Range) -> (f32, f32) {
        match self {
            Distribution::Same(x) => (x, x),
            Distribution::Uniform(low, high) => (low, high),
            Distribution::Normal(mean, deviation) => {
                let reach = MOST_DEVIATIONS * f64::from(deviation);
                let end = |x: f64| (x as f32).clamp(range.min, range.max);
                (end(f64::from(mean) - reach), end(f64::from(mean) + reach))
            }
        }
    }

    /// Whether all of its numbers are allowed for a number in `range`.
    ///
    /// # Errors
    /// The key of the numbers that are not, with what is allowed; an empty key for a number that
    /// all members share.
    pub(crate) fn check(self, range: Range) -> Result<(), (&'static str, String)> {
        let finite = Range { infinite: false, ..range };
        match self {
            Distribution::Same(x) if !range.holds(x) => Err(("", range.to_string())),
            Distribution::Uniform(low, high)
                if !finite.holds(low) || !finite.holds(high) || low > high =>
            {
                Err(("uniform", format!("two numbers, the smaller first, each {finite}")))
            }
            Distribution::Normal(mean, deviation)
                if !finite.holds(mean) || !DEVIATION.holds(deviation) =>
            {
                let allowed = format!("a mean, {finite}, and a standard deviation, {DEVIATION}");
                Err(("normal", allowed))
            }
            _ => Ok(()),
        }
    }

    /// The number of one agent, within [`bounds`](Self::bounds).
    pub(crate) fn draw(self, range: Range, mut random: Random) -> f32 {
        match self {
            Distribution::Same(x) => x,
            Distribution::Uniform(low, high) => random.between(low, high),
            Distribution::Normal(mean, deviation) => {
                let (low, high) = self.bounds(range);
                random.normal(mean, deviation, [low, high])
            }
        }
    }
}
