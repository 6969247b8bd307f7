//! The axes of plots: round ticks, and the map from values to the sheet.

use crate::picture::{grouped, number};

/// An axis of a plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    /// The values at its ends.
    pub(super) low: f64,
    pub(super) high: f64,
    /// The distance of its ticks.
    step: f64,
}

impl Axis {
    /// An axis with about `ticks` ticks that shows all `values`, and 0 if `from_zero`.
    pub(super) fn of(
        values: impl IntoIterator<Item = f64>,
        from_zero: bool,
        ticks: usize,
        tight: bool,
    ) -> Self {
        let all = values.into_iter().filter(|x| x.is_finite());
        let range = all.fold(None, |range: Option<[f64; 2]>, x| {
            let [low, high] = range.unwrap_or([x, x]);
            Some([low.min(x), high.max(x)])
        });
        let [mut low, mut high] = range.unwrap_or([0.0, 1.0]);
        if from_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if high - low <= 1e-12 * high.abs().max(low.abs()) {
            // A constant has a range around it.
            let around = if low == 0.0 { 1.0 } else { low.abs() };
            (low, high) = if from_zero && low >= 0.0 {
                (0.0, around.max(high))
            } else {
                (low - 0.5 * around, high + 0.5 * around)
            };
        }
        let step = round_step((high - low) / ticks.max(1) as f64);
        if !tight {
            (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        }
        Self { low, high, step }
    }

    /// The part of the axis below `x`: 0 at its low end, 1 at its high end.
    pub(super) fn part(&self, x: f64) -> f64 {
        (x - self.low) / (self.high - self.low)
    }

    /// The ticks, as values and labels.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let first = (self.low / self.step - 1e-9).ceil();
        let last = (self.high / self.step + 1e-9).floor();
        let count = (last - first).clamp(0.0, 50.0) as usize;
        let tick = |i: usize| {
            let value = (first + i as f64) * self.step;
            // The product of a step below 1 has digits that rounding left.
            let shown = if value.abs() < 1e-9 * self.step { 0.0 } else { value };
            (shown, self.label(shown))
        };
        (0..=count).map(tick).collect()
    }

    /// A tick with as many places as its step has.
    fn label(&self, x: f64) -> String {
        let step = format!("{:e}", self.step);
        let power = step.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok());
        match power {
            Some(power) if (-6..0).contains(&power) => {
                let places = power.unsigned_abs() as usize;
                let text = format!("{x:.places$}");
                grouped(text.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => number(x),
        }
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `x`.
fn round_step(x: f64) -> f64 {
    // A power of ten that is parsed from text is exact on every platform.
    let steps = (-300..300).flat_map(|power| [1, 2, 5].map(|digit| format!("{digit}e{power}")));
    let step = steps.filter_map(|text| text.parse().ok()).find(|step| *step >= 0.999_999 * x);
    step.unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_ticks_around_all_values() {
        let labels =
            |axis: Axis| axis.ticks().into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        let axis = Axis::of([0.3, 4.7], true, 5, false);
        assert_eq!(labels(axis), ["0", "1", "2", "3", "4", "5"]);
        let axis = Axis::of([0.12, 0.29], false, 4, false);
        assert_eq!(labels(axis), ["0.1", "0.15", "0.2", "0.25", "0.3"]);
        assert_eq!(labels(Axis::of([3.0, 3.0], true, 3, false)).first().unwrap(), "0");
        assert_eq!(labels(Axis::of([], true, 2, false)), ["0", "0.5", "1"]);
        let axis = Axis::of([2_000.0, 2_000.000_8], false, 2, false);
        assert_eq!(labels(axis), ["2,000", "2,000.0005", "2,000.001"]);
        let axis = Axis::of([0.0, 97.0], true, 5, true);
        assert_eq!((axis.high, labels(axis).last().unwrap().as_str()), (97.0, "80"));
    }
}
