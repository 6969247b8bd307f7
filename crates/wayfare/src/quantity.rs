//! Units of quantities, ranges of allowed numbers, and the limits that bound them all.

/// The largest accepted time, length, speed or weight: above any practical value, and far below the
/// largest `f32`.
pub const LARGEST: f32 = 1e9;
/// The smallest mass, dt or tolerance that counts as above zero.
pub const SMALLEST: f32 = 1e-9;

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    None,
    /// A whole number of things.
    Count,
    /// The scene's unit of length.
    Length,
    /// The scene's unit of time.
    Time,
    /// Length / time; forces have the same unit.
    Speed,
    /// Length / time^2.
    Acceleration,
    /// Radians.
    Radians,
    /// Degrees.
    Degrees,
    /// Degrees / time.
    TurnRate,
}

impl Unit {
    /// The text after a range: `"length"`, `"time"`, `"length / time"`, `"length / time^2"`,
    /// `"radians"`, `"degrees"`, `"degrees / time"`, or nothing.
    pub fn name(self) -> &'static str {
        match self {
            Unit::None | Unit::Count => "",
            Unit::Length => "length",
            Unit::Time => "time",
            Unit::Speed => "length / time",
            Unit::Acceleration => "length / time^2",
            Unit::Radians => "radians",
            Unit::Degrees => "degrees",
            Unit::TurnRate => "degrees / time",
        }
    }
}

/// The numbers a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest number allowed.
    pub min: f32,
    /// The largest finite number allowed.
    pub max: f32,
    /// Whether infinity is allowed as well.
    pub infinite: bool,
    /// The unit.
    pub unit: Unit,
}

impl Range {
    /// Numbers from `min` to `max`, both included.
    pub const fn new(min: f32, max: f32, unit: Unit) -> Self {
        Self { min, max, infinite: false, unit }
    }
    /// Numbers above zero, up to [`LARGEST`].
    pub const fn above_zero(unit: Unit) -> Self {
        Self::new(SMALLEST, LARGEST, unit)
    }
    /// Numbers from zero to [`LARGEST`].
    pub const fn from_zero(unit: Unit) -> Self {
        Self::new(0.0, LARGEST, unit)
    }
    /// Numbers of either sign, as large as [`LARGEST`].
    pub const fn any(unit: Unit) -> Self {
        Self::new(-LARGEST, LARGEST, unit)
    }
    /// The same range, with infinity.
    #[must_use]
    pub const fn or_infinite(self) -> Self {
        Self { infinite: true, ..self }
    }
    /// Whether the range contains `x`; no range contains NaN, and a count contains whole numbers.
    pub fn holds(&self, x: f32) -> bool {
        if self.unit == Unit::Count && libm::truncf(x) != x {
            return false;
        }
        (self.min <= x && x <= self.max) || (self.infinite && x == f32::INFINITY)
    }
}

impl core::fmt::Display for Range {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let what = match self.unit {
            Unit::None => "a number",
            Unit::Count => "a whole number",
            Unit::Length => "a length",
            Unit::Time => "a time",
            Unit::Speed => "a speed",
            Unit::Acceleration => "an acceleration",
            Unit::Radians => "an angle in radians",
            Unit::Degrees => "an angle in degrees",
            Unit::TurnRate => "a turn rate in degrees / time",
        };
        if self.min == SMALLEST {
            write!(f, "{what} above 0, up to {}", Plain(self.max))?;
        } else {
            write!(f, "{what} from {} to {}", Plain(self.min), Plain(self.max))?;
        }
        if self.infinite { write!(f, ", or inf") } else { Ok(()) }
    }
}

/// A number in short notation: 1e9 and not 1000000000.
struct Plain(f32);

impl core::fmt::Display for Plain {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.0.abs() >= 1e6 || (self.0 != 0.0 && self.0.abs() < 1e-3) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

/// The smallest power of two that is at least `x`, from 2^-60 up to 2^100: division by it does not
/// round.
pub(crate) fn power_of_two_from(x: f32) -> f32 {
    let (_, exponent) = libm::frexpf(x.clamp(1e-18, 1e30));
    let above = libm::ldexpf(1.0, exponent);
    if above * 0.5 >= x { above * 0.5 } else { above }
}
