//! The few ticks around the one that is measured, for velocities by centered differences.
//!
//! The velocity of an agent at tick t is the displacement from t - n to t + n over its time, n =
//! `frame_step` (PedPy, `compute_individual_speed`). Where the agent is not in the crowd at t - n
//! or t + n, the difference is one-sided from t (`SpeedCalculation.BORDER_SINGLE_SIDED`); an agent
//! at both ends of its stay has the velocity of its state.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::frame::{Body, Frame};
use crate::measure::Record;
use crate::row::Sink;

/// A measure that sees every tick once, with its neighbors in time.
pub(crate) trait RecordCentered: Send {
    /// Takes the next tick.
    fn record(&mut self, frame: &Centered, rows: &mut Sink<'_>);
    /// Writes the values of the whole run.
    fn finish(&mut self, rows: &mut Sink<'_>);
}

/// A measure that waits for the later ticks which its velocities need.
pub(crate) struct Windowed<R> {
    window: Window,
    recorder: R,
}

impl<R: RecordCentered> Windowed<R> {
    /// `frame_step` is a whole number from 1.
    pub(crate) fn new(frame_step: f32, recorder: R) -> Self {
        Self { window: Window::new(frame_step), recorder }
    }

    /// Records the ticks whose future is known, or that have none because the run `ended`.
    fn record_known(&mut self, ended: bool, rows: &mut Sink<'_>) {
        while let Some(frame) = self.window.next(ended) {
            self.recorder.record(&frame, rows);
        }
    }
}

impl<R: RecordCentered> Record for Windowed<R> {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        self.window.push(frame);
        self.record_known(false, rows);
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        self.record_known(true, rows);
        self.recorder.finish(rows);
    }
}

/// The frames around the next one that is measured.
#[derive(Clone, Debug)]
struct Window {
    /// The number of ticks to each side.
    step: usize,
    frames: VecDeque<Arc<Frame>>,
    /// The index of the next frame that is measured.
    next: usize,
}

/// A frame with its neighbors in time.
#[derive(Clone, Debug)]
pub(crate) struct Centered {
    pub(crate) now: Arc<Frame>,
    /// The frame of the tick before.
    pub(crate) before: Option<Arc<Frame>>,
    past: Option<Arc<Frame>>,
    future: Option<Arc<Frame>>,
    step: usize,
}

impl Window {
    fn new(frame_step: f32) -> Self {
        Self { step: (frame_step as usize).max(1), frames: VecDeque::new(), next: 0 }
    }

    fn push(&mut self, frame: &Arc<Frame>) {
        self.frames.push_back(frame.clone());
    }

    /// The next frame whose future is known, or that has none because the run `ended`.
    fn next(&mut self, ended: bool) -> Option<Centered> {
        let now = self.frames.get(self.next)?.clone();
        let future = self.frames.get(self.next + self.step).cloned();
        if future.is_none() && !ended {
            return None;
        }
        let earlier = |by: usize| self.next.checked_sub(by).map(|i| self.frames[i].clone());
        let (before, past) = (earlier(1), earlier(self.step));
        self.next += 1;
        if self.next > self.step {
            self.frames.pop_front();
            self.next -= 1;
        }
        Some(Centered { now, before, past, future, step: self.step })
    }
}

impl Centered {
    /// The velocity of an agent of this frame (length / time).
    pub(crate) fn velocity(&self, body: &Body) -> [f64; 3] {
        let world = &self.now.world;
        let find = |frame: &Option<Arc<Frame>>| {
            frame.as_ref().and_then(|frame| frame.same(body)).map(|body| body.position)
        };
        let (mut sum, mut ticks) = ([0.0; 3], 0);
        let mut add = |from, to| {
            let step = world.offset(from, to);
            (0..3).for_each(|i| sum[i] += step[i]);
            ticks += self.step;
        };
        if let Some(past) = find(&self.past) {
            add(past, body.position);
        }
        if let Some(future) = find(&self.future) {
            add(body.position, future);
        }
        if ticks == 0 {
            return body.velocity;
        }
        sum.map(|x| x / (ticks as f64 * world.dt))
    }

    /// The speed of an agent of this frame on the ground (length / time).
    pub(crate) fn speed(&self, body: &Body) -> f64 {
        let [x, y, _] = self.velocity(body);
        (x * x + y * y).sqrt()
    }
}
