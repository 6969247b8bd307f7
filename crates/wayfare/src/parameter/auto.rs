//! Numbers that are derived from the host where none is given: lengths, times and strengths.
//!
//! A parameter with a [`Formula`] is `"auto"` by default. Each formula is built from the limits of
//! the host and dt, so that a scene in other units of length and time has the same motion.

use super::{Field, IntoField, Value};
use crate::agent::Host;
use crate::vector::Vector;

/// A number, or `"auto"`: the number that the parameter's formula derives from the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Auto {
    /// This number.
    Fixed(f32),
    /// The number of the formula.
    Auto,
}

impl Auto {
    /// The number for this host. `formula` is that of the parameter; it is evaluated where a
    /// behavior is called by itself, with a dt of 0, and of parameters whose formula is
    /// [by host](Formula::by_host). In a crowd the others have a number when the crowd is made.
    #[inline(always)]
    pub fn of<V: Vector>(self, host: &impl Host<V>, formula: fn(&Scale) -> f32) -> f32 {
        match self {
            Auto::Fixed(number) => number,
            Auto::Auto => derived(Scale::of(host, 0.0), formula),
        }
    }

    /// The number, infinity as long as there is none: in a crowd all have one that are not [by
    /// host](Formula::by_host).
    pub(crate) fn known(self) -> f32 {
        match self {
            Auto::Fixed(number) => number,
            Auto::Auto => f32::INFINITY,
        }
    }
}

/// Not inlined: the compiler would compute what a formula divides and takes roots of for every
/// agent, before the loop over the behaviors of its list, and few of them ask for it.
#[inline(never)]
fn derived(scale: Scale, formula: fn(&Scale) -> f32) -> f32 {
    formula(&scale)
}

impl<V: Vector> Field<V> for Auto {
    fn placeholder() -> Self {
        Auto::Auto
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Number(number) => Some(Auto::Fixed(number)),
            Value::Word("auto") => Some(Auto::Auto),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match *self {
            Auto::Fixed(number) => Value::Number(number),
            Auto::Auto => Value::Word("auto"),
        })
    }
}

impl From<f32> for Auto {
    fn from(number: f32) -> Self {
        Auto::Fixed(number)
    }
}

/// This number.
impl IntoField<Auto> for f32 {
    fn into_field(self) -> Auto {
        Auto::Fixed(self)
    }
}

/// The formula of a parameter that is `"auto"`.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    of: fn(&Scale) -> f32,
    by_host: bool,
}

impl Formula {
    /// A formula with one number for all members of a group in a state: the grid of neighbors needs
    /// it, and a tick does not evaluate it. A limit that is a range counts by its middle.
    pub const fn by_group(of: fn(&Scale) -> f32) -> Self {
        Self { of, by_host: false }
    }

    /// A formula that is evaluated with the limits of each host.
    pub const fn by_host(of: fn(&Scale) -> f32) -> Self {
        Self { of, by_host: true }
    }

    /// Whether it is evaluated with the limits of each host.
    pub const fn is_by_host(self) -> bool {
        self.by_host
    }

    /// The number for these limits.
    pub fn of(self, scale: &Scale) -> f32 {
        (self.of)(scale)
    }
}

/// What formulas are built from: the limits of a host, and the tick.
///
/// ```
/// use wayfare::{Agent, glam::vec2, parameter::Scale};
/// let person = Agent { radius: 0.25, mass: 0.5, ..Agent::new(vec2(0.0, 0.0), 1.4) };
/// let scale = Scale::of(&person, 0.05);
/// assert_eq!((scale.reaction(), scale.spacing()), (0.5, 0.75));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The reaction time (time).
    pub mass: f32,
    /// The top speed (length / time).
    pub max_speed: f32,
    /// The largest force (length / time); infinite without a limit.
    pub max_force: f32,
    /// The radius of the body (length).
    pub radius: f32,
    /// The tick (time).
    pub dt: f32,
}

impl Scale {
    /// The limits of `host`, with this tick.
    pub fn of<V: Vector>(host: &impl Host<V>, dt: f32) -> Self {
        Self {
            mass: host.mass(),
            max_speed: host.max_speed(),
            max_force: host.max_force(),
            radius: host.radius(),
            dt,
        }
    }

    /// The time in which a host gains or loses its top speed (time): the largest of mass, mass *
    /// max_speed / max_force and 8 dt. A motion that is faster than a few ticks is a jitter.
    pub fn reaction(&self) -> f32 {
        let limited = self.mass * (self.max_speed / self.max_force);
        // With neither speed nor force the quotient is not a number, which `max` leaves out.
        self.mass.max(limited).max(8.0 * self.dt).min(super::LARGEST)
    }

    /// The distance between the centers of neighbors with room to move (length): the larger of 3
    /// radius and max_speed * reaction / 4.
    pub fn spacing(&self) -> f32 {
        (3.0 * self.radius).max(self.max_speed * self.reaction() * 0.25)
    }

    /// The distance up to which neighbors count (length): 8 [spacing](Self::spacing).
    pub fn sight(&self) -> f32 {
        8.0 * self.spacing()
    }

    /// The strength of a push (length / time): max_force, or max_speed if that is less.
    pub fn strength(&self) -> f32 {
        self.max_force.min(self.max_speed)
    }

    /// The distance at which slowing begins, so that no host overshoots (length): the larger of
    /// mass * max_speed^2 / (2 max_force) and 4 * mass * max_speed.
    pub fn slowing_radius(&self) -> f32 {
        let (m, speed) = (self.mass, self.max_speed);
        (m * speed * speed / (2.0 * self.max_force)).max(4.0 * m * speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARD: Scale =
        Scale { mass: 2.0, max_speed: 3.0, max_force: f32::INFINITY, radius: 0.0, dt: 0.1 };

    #[test]
    fn the_slowing_radius_is_the_larger_of_braking_distance_and_reaction() {
        let radius = |max_force| Scale { max_force, ..GUARD }.slowing_radius();
        // 2 * 9 / (2 * 0.25) = 36 against 4 * 2 * 3 = 24; with twice the force 18 against 24.
        assert_eq!([radius(0.25), radius(0.5), radius(f32::INFINITY)], [36.0, 24.0, 24.0]);
    }

    #[test]
    fn the_reaction_is_the_largest_of_mass_force_and_ticks() {
        assert_eq!(GUARD.reaction(), 2.0);
        // 2 * 3 / 1.5, and 8 ticks of 1.
        assert_eq!(Scale { max_force: 1.5, ..GUARD }.reaction(), 4.0);
        assert_eq!(Scale { dt: 1.0, ..GUARD }.reaction(), 8.0);
        // Without force it is the largest time, and at rest without force the mass.
        assert_eq!(Scale { max_force: 0.0, ..GUARD }.reaction(), 1e9);
        assert_eq!(Scale { max_force: 0.0, max_speed: 0.0, ..GUARD }.reaction(), 2.0);
    }

    #[test]
    fn the_spacing_is_the_larger_of_bodies_and_of_a_quarter_of_the_way_to_react() {
        assert_eq!((GUARD.spacing(), GUARD.sight()), (1.5, 12.0));
        assert_eq!(Scale { radius: 1.0, ..GUARD }.spacing(), 3.0);
    }
}
