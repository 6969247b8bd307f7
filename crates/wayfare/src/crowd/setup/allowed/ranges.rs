//! The ranges of the numbers of a setup, for validation, the scene format and its docs.

use crate::parameter::{Range, Unit};

/// Of `dt`.
pub const DT: Range = Range::above_zero(Unit::Time);
/// Of `mass`.
pub const MASS: Range = Range::above_zero(Unit::Time);
/// Of `max_speed`.
pub const MAX_SPEED: Range = Range::above_zero(Unit::Speed);
/// Of `min_speed`.
pub const MIN_SPEED: Range = Range::from_zero(Unit::Speed);
/// Of `max_force`.
pub const MAX_FORCE: Range = Range::from_zero(Unit::Speed).or_infinite();
/// Of the `radius` of a body, a path or a circle.
pub const RADIUS: Range = Range::from_zero(Unit::Length);
/// Of the `inertia` of a body.
pub const INERTIA: Range = Range::above_zero(Unit::None);
/// Of the `relaxation` of contacts.
pub const RELAXATION: Range = Range::new(0.01, 2.0, Unit::None);
/// Of `drag`.
pub const DRAG: Range = Range::new(0.0, 1.0, Unit::None);
/// Of `turn_rate`.
pub const TURN_RATE: Range = Range::from_zero(Unit::TurnRate).or_infinite();
/// Of `turning_radius`.
pub const TURNING_RADIUS: Range = Range::above_zero(Unit::Length);
/// Of `heading_time`.
pub const HEADING_TIME: Range = Range::from_zero(Unit::Time);
/// Of `weight`.
pub const WEIGHT: Range = Range::any(Unit::None);
/// Of `chance`.
pub const CHANCE: Range = Range::new(1e-3, 1.0, Unit::None);
/// Of the weights of the states to which a transition can lead.
pub const CHOICE: Range = Range::above_zero(Unit::None);
/// Of `epsilon`.
pub const EPSILON: Range = Range::from_zero(Unit::Speed);
/// Of `standing`.
pub const STANDING: Range = Range::new(0.0, 1.0, Unit::None);
/// Of stats and their rates.
pub const STAT: Range = Range::any(Unit::None);
/// Of the standard deviation of a normal distribution.
pub const DEVIATION: Range = crate::random::DEVIATION;
/// Of distances in conditions.
pub const DISTANCE: Range = Range::from_zero(Unit::Length);
/// Of the viewing distance of a perception.
pub const SIGHT: Range = Range::from_zero(Unit::Length).or_infinite();
/// Of the angle of view of a perception.
pub const FIELD_OF_VIEW: Range = Range::new(0.0, 360.0, Unit::Degrees);
/// Of the time for which a seen position is remembered.
pub const MEMORY: Range = Range::from_zero(Unit::Time).or_infinite();
/// Of times in conditions.
pub const TIME: Range = Range::from_zero(Unit::Time);
/// Of the `rate` of a source: agents per unit of time.
pub const RATE: Range = Range::from_zero(Unit::None);
/// Of the time at which a source begins.
pub const FROM: Range = Range::from_zero(Unit::Time);
/// Of the time at which a source ends.
pub const UNTIL: Range = Range::from_zero(Unit::Time).or_infinite();
/// Of the times of a schedule.
pub const ARRIVAL: Range = Range::above_zero(Unit::Time);
/// Of a coordinate.
pub const COORDINATE: Range = Range::any(Unit::Length);
/// Of a coordinate of a velocity.
pub const VELOCITY: Range = Range::any(Unit::Speed);
