//! Samples of the fundamental diagram: density, speed and flow at a tick.

use crate::row::{Moment, Quantity, Sink, Statistics};

/// Writes samples, and their means at the end.
pub(super) struct Diagram {
    /// Density, speed and flow.
    samples: [&'static Quantity; 3],
    /// The mean and the largest density, and the mean speed.
    ends: [&'static Quantity; 3],
    density: Statistics,
    speed: Statistics,
    last: Option<Moment>,
}

impl Diagram {
    pub(super) fn new(samples: [&'static Quantity; 3], ends: [&'static Quantity; 3]) -> Self {
        let (density, speed) = (Statistics::default(), Statistics::default());
        Self { samples, ends, density, speed, last: None }
    }

    /// A sample whose flow is density times speed; the speed is 0 where there is none.
    pub(super) fn sample(
        &mut self,
        at: Moment,
        density: f64,
        speed: Option<f64>,
        rows: &mut Sink<'_>,
    ) {
        let v = speed.unwrap_or(0.0);
        self.put(at, [density, v, density * v], speed, rows);
    }

    /// A sample of density, speed and flow; `speed` is `None` where there is no agent.
    pub(super) fn put(
        &mut self,
        at: Moment,
        values: [f64; 3],
        speed: Option<f64>,
        rows: &mut Sink<'_>,
    ) {
        for (quantity, value) in self.samples.iter().zip(values) {
            rows.put(at, quantity, value);
        }
        self.density.add(values[0]);
        if let Some(speed) = speed {
            self.speed.add(speed);
        }
        self.last = Some(at);
    }

    pub(super) fn finish(&self, rows: &mut Sink<'_>) {
        let Some(last) = self.last else { return };
        let ends = [self.density.mean(), self.density.largest(), self.speed.mean()];
        for (quantity, value) in self.ends.iter().zip(ends) {
            if let Some(value) = value {
                rows.put(last, quantity, value);
            }
        }
    }
}
