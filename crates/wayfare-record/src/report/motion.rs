//! The moving agents of the player: a bounded number of moments, and their compact encoding.
//!
//! A moment has the positions and headings of all agents in the roster. When the moments together
//! have more than [`MOST_POINTS`] agents, every second one is dropped, and of a very large crowd
//! every second agent: what is left stays evenly spread over the run and over the groups.

use data_encoding::BASE64;
use serde_json::{Map, Value, json};
use wayfare::glam::Vec2;

use crate::picture::Stage;

/// The most agents of all moments together: eight bytes of text each, 4 MB in all.
const MOST_POINTS: usize = 500_000;
/// The most moments: 40 seconds of 25 a second.
const MOST_MOMENTS: usize = 1_000;
/// Moments are not reduced below this number: then there are fewer agents instead.
const FEWEST_MOMENTS: usize = 128;
/// The units of time per second at which a `dt` above [`SECONDS`] plays, by `dt`.
const CLASSIC: f64 = 30.0;
/// The longest `dt` that is taken as seconds.
const SECONDS: f64 = 0.1;
/// Positions reach so far beyond the sheet, by its longer side; agents farther away are held at
/// the border, out of sight.
const BEYOND: f64 = 0.1;

/// An agent at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mover {
    pub(super) id: u32,
    /// The index of its group.
    pub(super) group: u32,
    /// The radius of its body (length).
    pub(super) radius: f32,
    /// Its position on the ground (length).
    pub(super) at: Vec2,
    /// The direction that it faces, seen from above; zero if it is not known.
    pub(super) heading: Vec2,
}

/// The data of a moment besides its agents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    pub(super) tick: u64,
    /// The simulated time (time).
    pub(super) time: f64,
    /// The index of the ground below the agents.
    pub(super) ground: usize,
    /// The position of the pointer on the ground (length), if there is one.
    pub(super) pointer: Option<Vec2>,
}

/// The agents at a tick.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) at: Stamp,
    /// The agents that are kept, in the order of ids.
    movers: Vec<Mover>,
}

/// The moments of a run.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    moments: Vec<Moment>,
    /// Every `stride`-th call of [`takes_next`](Self::takes_next) becomes a moment.
    stride: u64,
    calls: u64,
    /// Agents are kept whose ids are multiples of this number.
    keep: u32,
    points: usize,
    most_points: usize,
}

impl Default for Motion {
    fn default() -> Self {
        let (moments, most_points) = (Vec::new(), MOST_POINTS);
        Self { moments, stride: 1, calls: 0, keep: 1, points: 0, most_points }
    }
}

impl Motion {
    /// Whether the next tick is one of the moments.
    pub(super) fn takes_next(&mut self) -> bool {
        self.calls += 1;
        (self.calls - 1).is_multiple_of(self.stride)
    }

    /// Adds a moment.
    pub(super) fn push(&mut self, at: Stamp, movers: impl Iterator<Item = Mover>) {
        let movers: Vec<Mover> = movers.filter(|m| m.id.is_multiple_of(self.keep)).collect();
        self.points += movers.len();
        self.moments.push(Moment { at, movers });
        while self.points > self.most_points || self.moments.len() > MOST_MOMENTS {
            if self.moments.len() > FEWEST_MOMENTS {
                let mut kept = 0_u32;
                self.moments.retain(|_| {
                    kept += 1;
                    !kept.is_multiple_of(2)
                });
                self.stride = self.stride.saturating_mul(2);
            } else if let Some(keep) = self.keep.checked_mul(2) {
                self.keep = keep;
                let is_kept = |mover: &Mover| mover.id.is_multiple_of(keep);
                self.moments.iter_mut().for_each(|moment| moment.movers.retain(is_kept));
            } else {
                break;
            }
            self.points = self.moments.iter().map(|moment| moment.movers.len()).sum();
        }
    }

    pub(super) fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// Of how many agents one is shown: 1 for all.
    pub(super) fn one_of(&self) -> u32 {
        self.keep
    }

    /// The ticks from a moment to the next; none of fewer than two.
    pub(super) fn interval(&self) -> Option<u64> {
        Some(self.moments.get(1)?.at.tick - self.moments.first()?.at.tick)
    }

    /// The agents that the player shows on `stage`, for its script. Positions have 16 bits per
    /// axis, headings 8.
    pub(super) fn encoded(&self, stage: &Stage, fastest: f64, dt: f64) -> Map<String, Value> {
        let [width, height] = stage.size().map(f64::from);
        let margin = BEYOND * width.max(height);
        let step = (width.max(height) + 2.0 * margin) / f64::from(u16::MAX);
        let mut places = Vec::with_capacity(4 * self.points);
        let mut headings = Vec::with_capacity(2 * self.points);
        let mut roster = Roster::default();
        for moment in &self.moments {
            roster.begin();
            for mover in &moment.movers {
                roster.add(mover, stage.scale());
            }
            // The script has the members of a moment in the order of their numbers.
            let mut members: Vec<(u32, &Mover)> =
                roster.numbers.iter().copied().zip(&moment.movers).collect();
            members.sort_unstable_by_key(|(number, _)| *number);
            for (_, mover) in &members {
                for x in stage.at(mover.at) {
                    // NaN becomes 0.
                    let steps = ((x + margin) / step).round().clamp(0.0, f64::from(u16::MAX));
                    places.extend((steps as u16).to_le_bytes());
                }
                for x in mover.heading.to_array() {
                    headings.push((x * 127.0).round().clamp(-127.0, 127.0) as i8 as u8);
                }
            }
            roster.end();
        }
        let longest = self.moments.windows(2).map(|two| two[1].at.time - two[0].at.time);
        let longest = longest.fold(0.0, f64::max);
        // Pixels in tenths, or null.
        let pointer = |moment: &Moment| {
            let at = moment.at.pointer.filter(|at| at.is_finite()).map(|at| stage.at(at));
            at.map_or(Value::Null, |at| json!(at.map(|x| (x * 10.0).round() / 10.0)))
        };
        let has_pointer = self.moments.iter().any(|moment| moment.at.pointer.is_some());
        let pointers: Vec<Value> =
            if has_pointer { self.moments.iter().map(pointer).collect() } else { Vec::new() };
        let text = |bytes: &[u8]| Value::from(BASE64.encode(bytes));
        let object = json!({
            "size": stage.size(),
            "low": -margin,
            "step": step,
            "ticks": self.moments.iter().map(|moment| moment.at.tick).collect::<Vec<_>>(),
            "times": self.moments.iter().map(|moment| moment.at.time).collect::<Vec<_>>(),
            "ground": self.moments.iter().map(|moment| moment.at.ground).collect::<Vec<_>>(),
            "pointers": pointers,
            // A longer way from a moment to the next is a jump (pixels).
            "jump": 1.05 * fastest * longest * stage.scale() + 4.0 * step,
            "pace": if dt <= SECONDS { 1.0 } else { CLASSIC * dt },
            "ids": text(&roster.ids),
            "groups": text(&roster.groups),
            "radii": text(&roster.radii),
            "entered": text(&roster.entered),
            "left": text(&roster.left),
            "changes": roster.changes,
            "places": text(&places),
            "headings": text(&headings),
        });
        match object {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}

/// The agents of all moments, each with a number; one whose group or radius changes gets another.
#[derive(Default)]
struct Roster {
    known: std::collections::HashMap<(u32, u32, u32), u32>,
    /// The columns of the numbered agents.
    ids: Vec<u8>,
    groups: Vec<u8>,
    radii: Vec<u8>,
    /// The numbers of those that enter and leave from moment to moment, and how many.
    entered: Vec<u8>,
    left: Vec<u8>,
    changes: Vec<[usize; 2]>,
    /// The numbers of the moment before, sorted, and those of this one.
    before: Vec<u32>,
    numbers: Vec<u32>,
}

impl Roster {
    fn begin(&mut self) {
        self.before = std::mem::take(&mut self.numbers);
        self.before.sort_unstable();
    }

    fn add(&mut self, mover: &Mover, scale: f64) {
        let next = self.known.len() as u32;
        let key = (mover.id, mover.group, mover.radius.to_bits());
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.ids.extend(mover.id.to_le_bytes());
            self.groups.extend((mover.group.min(u32::from(u16::MAX)) as u16).to_le_bytes());
            let radius = (f64::from(mover.radius) * scale) as f32;
            self.radii.extend(if radius.is_finite() { radius } else { 0.0 }.to_le_bytes());
        }
        self.numbers.push(number);
    }

    fn end(&mut self) {
        let mut sorted = self.numbers.clone();
        sorted.sort_unstable();
        let without = |of: &[u32], others: &[u32]| -> Vec<u32> {
            of.iter().filter(|n| others.binary_search(n).is_err()).copied().collect()
        };
        let (entered, left) = (without(&sorted, &self.before), without(&self.before, &sorted));
        self.entered.extend(entered.iter().flat_map(|n| n.to_le_bytes()));
        self.left.extend(left.iter().flat_map(|n| n.to_le_bytes()));
        self.changes.push([entered.len(), left.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mover(id: u32) -> Mover {
        Mover { id, group: 0, radius: 0.5, at: Vec2::ZERO, heading: Vec2::X }
    }

    fn of(most_points: usize, ticks: u64, agents: u32) -> Motion {
        let mut motion = Motion { most_points, ..Motion::default() };
        for tick in 0..ticks {
            if motion.takes_next() {
                let time = tick as f64;
                let at = Stamp { tick, time, ground: 0, pointer: None };
                motion.push(at, (0..agents).map(mover));
            }
        }
        motion
    }

    #[test]
    fn a_long_run_keeps_evenly_spread_moments() {
        let motion = of(1_000_000, 5_000, 3);
        let ticks: Vec<u64> = motion.moments().iter().map(|moment| moment.at.tick).collect();
        assert_eq!((ticks.len(), motion.interval(), motion.one_of()), (625, Some(8), 1));
        assert!(ticks.iter().enumerate().all(|(i, tick)| *tick == 8 * i as u64), "{ticks:?}");
    }

    #[test]
    fn of_a_large_crowd_every_second_agent_is_kept_when_moments_are_few() {
        let motion = of(1_000, 300, 40);
        assert!(motion.moments().len() >= FEWEST_MOMENTS / 2, "{}", motion.moments().len());
        assert!(motion.points <= 1_000 && motion.one_of() > 1, "{}", motion.points);
        let ids: Vec<u32> = motion.moments()[3].movers.iter().map(|mover| mover.id).collect();
        assert!(ids.iter().all(|id| id.is_multiple_of(motion.one_of())) && ids.len() > 1);
    }
}
