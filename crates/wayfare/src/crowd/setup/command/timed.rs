//! Commands that a setup gives its crowd at a time.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::list::Command;
use crate::crowd::setup::allowed::ValidationError;
#[cfg(not(feature = "std"))]
use crate::platform::Float as _;
use crate::vector::Vector;

/// The first tick that starts at `time` or later, with `dt` per tick (time).
///
/// ```
/// use wayfare::crowd::tick_at;
/// assert_eq!([tick_at(2.0, 0.5), tick_at(2.1, 0.5), tick_at(0.3, 0.1)], [4, 5, 3]);
/// ```
pub fn tick_at(time: f64, dt: f64) -> u64 {
    // Slightly less, so that 0.3 / 0.1 does not become four ticks.
    ((time / dt) * (1.0 - 1e-12)).ceil() as u64
}

/// A command that a crowd applies by itself at a time, as a log's command at the tick that
/// [`tick_at`] names.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct TimedCommand<V: Vector> {
    /// When (time).
    pub at: f64,
    /// The time from one repetition to the next, at least `dt` (time); `None` for no repetition.
    pub every: Option<f64>,
    /// The command.
    pub command: Command<V>,
}

impl<V: Vector> TimedCommand<V> {
    /// A command at this time (time), once.
    pub fn new(at: f64, command: Command<V>) -> Self {
        Self { at, every: None, command }
    }

    /// Repeats it after each such time (time).
    #[must_use]
    pub fn every(mut self, every: f64) -> Self {
        self.every = Some(every);
        self
    }

    /// The first tick from `from` on at which it is due; `None` if there is none.
    pub fn next_due(&self, from: u64, dt: f64) -> Option<u64> {
        let first = tick_at(self.at, dt);
        if from <= first {
            return Some(first);
        }
        let every = self.every?;
        // The last repetition by the start of `from`, or by rounding one beside it.
        let last = ((from as f64 * dt - self.at) / every).floor() - 1.0;
        let of = |count: u32| tick_at(self.at + (last + f64::from(count)).max(0.0) * every, dt);
        (0..4).map(of).find(|tick| *tick >= from)
    }
}

/// A command of a log or a setup that the crowd refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The index of the command among those of the log or the setup.
    pub index: usize,
    /// Its tick.
    pub tick: u64,
    /// The reason.
    pub error: ValidationError,
}

/// Writes the tick and the reason.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at tick {} {}", self.tick, self.error)
    }
}

impl core::error::Error for Refused {}

/// The timed commands of a crowd.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct TimedCommands<V: Vector> {
    pub(in crate::crowd) list: Arc<[TimedCommand<V>]>,
    /// The next tick at which one is due: those of earlier ticks have been applied.
    pub(in crate::crowd) next: u64,
    /// The first one that was refused.
    pub(in crate::crowd) refused: Option<Refused>,
}

impl<V: Vector> TimedCommands<V> {
    pub(in crate::crowd) fn new(list: Vec<TimedCommand<V>>, dt: f64) -> Self {
        let mut timed = Self { list: list.into(), next: 0, refused: None };
        timed.go_to(0, dt);
        timed
    }

    /// Commands of ticks before `tick` count as applied, the others are not applied yet.
    pub(in crate::crowd) fn go_to(&mut self, tick: u64, dt: f64) {
        let due = self.list.iter().filter_map(|timed| timed.next_due(tick, dt));
        self.next = due.min().unwrap_or(u64::MAX);
    }

    /// The commands that are due at `tick`, with their indices.
    pub(in crate::crowd) fn due_at(&self, tick: u64, dt: f64) -> Vec<(usize, Command<V>)> {
        let due = self.list.iter().enumerate();
        due.filter(|(_, timed)| timed.next_due(tick, dt) == Some(tick))
            .map(|(index, timed)| (index, timed.command.clone()))
            .collect()
    }
}
