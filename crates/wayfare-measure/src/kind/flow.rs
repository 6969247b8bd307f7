//! N(t) and the flow over a line.

use std::collections::HashSet;

use wayfare::parameter::{Groups, Kind, Range, Unit, parameters, words_of};
use wayfare::{GroupId, Vector};

use super::FRAME_STEP;
use crate::error::Fault;
use crate::frame::Body;
use crate::line::Line;
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::window::{Centered, RecordCentered, Windowed};
use crate::world::MeasuredWorld;

/// Which crossings of an agent count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlowCount {
    /// The first one.
    First,
    /// Every one.
    Every,
}

words_of! { FlowCount { First = "first", Every = "every", } }

/// Which directions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowDirection {
    /// Both.
    Both,
    /// To the left of the line.
    Left,
    /// To the right of the line.
    Right,
}

words_of! { FlowDirection { Both = "both", Left = "left", Right = "right", } }

parameters! {
    /// N(t), the number of agents that have crossed a line, and the flow.
    ///
    /// A step crosses the line where both have a point in common, unless the step ends on the
    /// line; the step that begins on the line then crosses it (PedPy, `compute_n_t`). A line
    /// belongs before an exit: the step into an exit removes the agent and is not seen.
    ///
    /// - mean flow J = (N - 1) / (t_N - t_1), from the time gaps between the first and the last
    ///   crossing (T. Kretz, A. Grünebohm, M. Schreckenberg, "Experimental study of pedestrian
    ///   flow through a bottleneck", J. Stat. Mech. P10014, 2006); with the width b of the line,
    ///   the specific flow is J / b;
    /// - flow of an interval: N / Δt, where an interval ends at the last crossing within it and
    ///   the next one begins there (PedPy, `compute_flow`).
    "flow" = pub struct Flow<V> {
        /// The line.
        line: Vec<V> = required, Kind::Line;
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The direction of the crossings that count, seen from the line's first end to its second.
        direction: FlowDirection = (FlowDirection::Both),
            Kind::Word(FlowDirection::WORDS);
        /// `"first"` counts an agent once, as PedPy does; `"every"` counts each crossing, for
        /// streams that come again. An agent that was respawned is another agent.
        count: FlowCount = (FlowCount::First), Kind::Word(FlowCount::WORDS);
        /// The length of the intervals of the flow over time; off unless given.
        interval: Option<f32> = None, Kind::NumberOrOff(Range::above_zero(Unit::Time));
        /// The ticks before and after a crossing over which its speed is taken.
        frame_step: f32 = 1.0, FRAME_STEP;
    }
}

quantities! {
    CROSSINGS = "crossings", "", Change, "N(t): the crossings so far.";
    TIME_GAP = "time_gap", "time", Agent, "The time since the crossing before.";
    CROSSING_SPEED = "crossing_speed", "length / time", Agent,
        "The agent's speed as it crosses.";
    INTERVAL_FLOW = "interval_flow", "1 / time", Interval,
        "The flow of an interval; the row's tick is the interval's end.";
    INTERVAL_SPEED = "interval_speed", "length / time", Interval,
        "The mean speed of the crossings of an interval.";
    ALL_CROSSINGS = "all_crossings", "", Run, "The crossings of the run.";
    MEAN_FLOW = "mean_flow", "1 / time", Run,
        "The mean flow between the first and the last crossing.";
    SPECIFIC_FLOW = "specific_flow", "1 / (length time)", Run,
        "The mean flow by the length of the line.";
    MEAN_SPEED = "mean_crossing_speed", "length / time", Run, "The mean speed of the crossings.";
}

impl<V: Vector> MeasureKind<V> for Flow<V> {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        let interval = self.interval.map(|time| (f64::from(time) / world.dt).round().max(1.0));
        let recorder = Running {
            line: Line::new(&self.line, world)?,
            of: self.of.clone(),
            direction: self.direction,
            counts_every: self.count == FlowCount::Every,
            interval: interval.map(|ticks| ticks as u64),
            crossed: HashSet::new(),
            count: 0,
            first: None,
            last: Moment::default(),
            speeds: Statistics::default(),
            open: Open::default(),
            now: None,
        };
        Ok(Box::new(Windowed::new(self.frame_step, recorder)))
    }
}

/// The interval that has not ended yet.
#[derive(Default)]
struct Open {
    /// The end of the interval before, a tick: N(t) and all speeds up to it are accounted for.
    begin: u64,
    /// The crossings before it.
    before: u64,
    /// The next tick at which an interval may end; none before the first crossing.
    next: Option<u64>,
    /// The ticks and speeds of the crossings from `begin` on.
    speeds: Vec<(u64, f64)>,
}

struct Running {
    line: Line,
    of: Groups,
    direction: FlowDirection,
    counts_every: bool,
    /// Ticks.
    interval: Option<u64>,
    /// The ids and episodes of the agents that have crossed.
    crossed: HashSet<(u32, u32)>,
    count: u64,
    first: Option<Moment>,
    /// The time of the last crossing.
    last: Moment,
    speeds: Statistics,
    open: Open,
    /// The last tick that was measured.
    now: Option<Moment>,
}

impl Running {
    fn measure(&mut self, frame: &Centered, rows: &mut Sink<'_>) {
        let at = frame.now.at;
        let before = self.count;
        for body in &frame.now.bodies {
            if self.crosses(frame, body) {
                let speed = frame.speed(body);
                if self.first.is_some() {
                    rows.of_agent(at, &TIME_GAP, at.time - self.last.time, body.names());
                }
                rows.of_agent(at, &CROSSING_SPEED, speed, body.names());
                self.first.get_or_insert(at);
                self.last = at;
                self.count += 1;
                self.speeds.add(speed);
                if self.interval.is_some() {
                    self.open.speeds.push((at.tick, speed));
                }
            }
        }
        if self.count > before || self.now.is_none() {
            rows.put(at, &CROSSINGS, self.count as f64);
        }
        self.end_interval(at, before, rows);
        self.now = Some(at);
    }

    fn crosses(&mut self, frame: &Centered, body: &Body) -> bool {
        let Some(earlier) = frame.before.as_ref().and_then(|before| before.same(body)) else {
            return false;
        };
        if !self.of.contain(GroupId(body.group as usize)) {
            return false;
        }
        let Some(to_left) = self.line.crossing(earlier, body, &frame.now.world) else {
            return false;
        };
        let counts = match self.direction {
            FlowDirection::Both => true,
            FlowDirection::Left => to_left,
            FlowDirection::Right => !to_left,
        };
        counts && (self.counts_every || self.crossed.insert((body.id, body.episode)))
    }

    /// Ends an interval at the tick before `at`, where `before` agents had crossed. As PedPy's, the
    /// last tick of a run ends none.
    fn end_interval(&mut self, at: Moment, before: u64, rows: &mut Sink<'_>) {
        let (Some(interval), Some(first), Some(end)) = (self.interval, self.first, self.now) else {
            return;
        };
        let open = &mut self.open;
        if open.next.is_none() {
            open.begin = first.tick;
        }
        let next = *open.next.get_or_insert(first.tick + interval);
        if end.tick != next {
            return;
        }
        open.next = Some(next + interval);
        if before == open.before {
            return;
        }
        let within = |&&(tick, _): &&(u64, f64)| tick <= end.tick;
        let last = open.speeds.iter().filter(within).map(|(tick, _)| *tick).max();
        let last = last.unwrap_or(end.tick) + 1;
        let time = (last - open.begin) as f64 * (at.time - end.time);
        rows.put(end, &INTERVAL_FLOW, (before - open.before) as f64 / time);
        let mut speeds = Statistics::default();
        open.speeds.iter().filter(|(tick, _)| *tick <= last).for_each(|(_, v)| speeds.add(*v));
        if let Some(mean) = speeds.mean() {
            rows.put(end, &INTERVAL_SPEED, mean);
        }
        open.speeds.retain(|(tick, _)| *tick >= last);
        (open.begin, open.before) = (last, before);
    }
}

impl RecordCentered for Running {
    fn record(&mut self, frame: &Centered, rows: &mut Sink<'_>) {
        self.measure(frame, rows);
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        let Some(end) = self.now else { return };
        rows.put(end, &CROSSINGS, self.count as f64);
        rows.put(end, &ALL_CROSSINGS, self.count as f64);
        let span = self.first.map_or(0.0, |first| self.last.time - first.time);
        if span > 0.0 {
            let flow = (self.count - 1) as f64 / span;
            rows.put(end, &MEAN_FLOW, flow);
            rows.put(end, &SPECIFIC_FLOW, flow / self.line.length());
        }
        if let Some(mean) = self.speeds.mean() {
            rows.put(end, &MEAN_SPEED, mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{measured, values};
    use wayfare::glam::{Vec2, vec2};

    fn door() -> Flow<Vec2> {
        Flow::new(vec![vec2(0.0, -1.0), vec2(0.0, 1.0)])
    }

    /// Three agents on parallel tracks, each with its x at every tick.
    fn three() -> Vec<Vec<Option<[f64; 2]>>> {
        let tracks = [
            [-1.0, 1.0, 2.0, 3.0, 4.0, 5.0],
            // Stops on the line at tick 2, and crosses by the step that begins there.
            [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0],
            // Crosses at tick 5 only.
            [-5.0, -4.0, -3.0, -2.0, -1.0, 1.0],
        ];
        let at = |y: usize, x: f64| Some([x, 0.1 * y as f64]);
        tracks.iter().enumerate().map(|(y, xs)| xs.iter().map(|x| at(y, *x)).collect()).collect()
    }

    #[test]
    fn the_mean_flow_is_that_of_the_time_gaps_between_the_first_and_the_last() {
        let rows = measured(door(), 0.5, &three());
        // Crossings at ticks 1, 3 and 5: times 0.5, 1.5 and 2.5.
        assert_eq!(values(&rows, "crossings"), [(0, 0.0), (1, 1.0), (3, 2.0), (5, 3.0), (5, 3.0)]);
        assert_eq!(values(&rows, "time_gap"), [(3, 1.0), (5, 1.0)]);
        assert_eq!(values(&rows, "mean_flow"), [(5, 1.0)]);
        assert_eq!(values(&rows, "specific_flow"), [(5, 0.5)]);
        // From tick 0 to 2 by 3 in a time of 1; from 2 to 4 by 2; from 4 to 5 by 2 in half of it.
        assert_eq!(values(&rows, "crossing_speed"), [(1, 3.0), (3, 2.0), (5, 4.0)]);
    }

    #[test]
    fn an_interval_ends_at_its_last_crossing_and_the_run_s_last_tick_ends_none() {
        let flow = Flow { interval: Some(1.0), ..door() };
        let rows = measured(flow, 0.5, &three());
        // From the first crossing, tick 1, to tick 3: both crossings, up to tick 3 + 1.
        assert_eq!(values(&rows, "interval_flow"), [(3, 2.0 / (3.0 * 0.5))]);
        assert_eq!(values(&rows, "interval_speed"), [(3, 2.5)]);
    }

    #[test]
    fn an_agent_counts_once_unless_every_crossing_counts() {
        let back_and_forth: Vec<_> =
            [-1.0, 1.0, -1.0, 1.0].iter().map(|x| Some([*x, 0.0])).collect();
        let count = |flow| {
            let rows = measured(flow, 1.0, std::slice::from_ref(&back_and_forth));
            values(&rows, "all_crossings")[0].1
        };
        assert_eq!(count(door()), 1.0);
        assert_eq!(count(Flow { count: FlowCount::Every, ..door() }), 3.0);
        // The line points to +y: +x is to its right.
        let every = Flow { count: FlowCount::Every, ..door() };
        assert_eq!(count(Flow { direction: FlowDirection::Right, ..every.clone() }), 2.0);
        assert_eq!(count(Flow { direction: FlowDirection::Left, ..every }), 1.0);
    }
}
