//! The data of the plots of measures: lines over time, values of agents, and samples of the
//! fundamental diagram, each in bounded memory except the values of agents.

use wayfare_measure::{Per, Quantity, Row};

/// The most parts of a line: more are joined, two by two, and the smallest and the largest value
/// of each part are kept.
const MOST_PARTS: usize = 400;
/// The most samples of a fundamental diagram: beyond that every second one is dropped.
const MOST_SAMPLES: usize = 2_000;

/// The plots of a measure.
#[derive(Clone, Debug)]
pub(super) struct MeasurePlots {
    /// The index of the measure.
    pub(super) measure: usize,
    /// In the order of their first rows.
    pub(super) quantities: Vec<QuantityPlot>,
    /// Samples of density and speed.
    pub(super) diagram: Samples,
}

/// The plot of a quantity.
#[derive(Clone, Debug)]
pub(super) struct QuantityPlot {
    pub(super) quantity: &'static Quantity,
    /// By the index of a group; `None` for values of the whole measure.
    pub(super) by_group: Vec<(Option<usize>, Data)>,
}

/// The values of a quantity.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// Over time.
    Line(Line),
    /// Of agents.
    Values(Vec<f64>),
}

/// A line over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// The smallest and the largest value of each part, as (time, value).
    parts: Vec<[(f64, f64); 2]>,
    /// The values of a whole part.
    stride: usize,
    /// The values of the newest part.
    filled: usize,
    /// The newest value, as (time, value).
    last: Option<(f64, f64)>,
}

impl Line {
    fn add(&mut self, at: (f64, f64)) {
        self.last = Some(at);
        self.stride = self.stride.max(1);
        if let Some([low, high]) = self.parts.last_mut()
            && self.filled < self.stride
        {
            self.filled += 1;
            if at.1 < low.1 {
                *low = at;
            }
            if at.1 > high.1 {
                *high = at;
            }
            return;
        }
        if self.parts.len() == MOST_PARTS {
            let join = |two: &[[(f64, f64); 2]]| {
                let first = two[0];
                let [low, high] = *two.last().unwrap_or(&first);
                let lowest = if low.1 < first[0].1 { low } else { first[0] };
                [lowest, if high.1 > first[1].1 { high } else { first[1] }]
            };
            self.parts = self.parts.chunks(2).map(join).collect();
            self.stride *= 2;
        }
        self.parts.push([at, at]);
        self.filled = 1;
    }

    /// Whether all values are there.
    pub(super) fn is_whole(&self) -> bool {
        self.stride <= 1
    }

    /// The points in the order of time.
    pub(super) fn points(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for &[low, high] in &self.parts {
            let [first, second] = if low.0 <= high.0 { [low, high] } else { [high, low] };
            points.push(first);
            if second != first {
                points.push(second);
            }
        }
        points.extend(self.last.filter(|last| points.last() != Some(last)));
        points
    }

    /// The newest value.
    pub(super) fn last(&self) -> Option<f64> {
        self.last.map(|(_, value)| value)
    }
}

/// Samples of density and speed.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// As (density, speed).
    pub(super) points: Vec<(f64, f64)>,
    /// The density of a tick whose speed is not known yet.
    open: Option<(u64, f64)>,
    stride: usize,
    calls: usize,
}

impl Samples {
    fn take(&mut self, row: &Row) {
        match row.quantity.name {
            "density" => self.open = Some((row.tick, row.value)),
            "speed" => {
                let open = self.open.take().filter(|(tick, density)| {
                    // Without an agent there is no speed.
                    *tick == row.tick && *density > 0.0 && row.value.is_finite()
                });
                if let Some((_, density)) = open {
                    self.add((density, row.value));
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, sample: (f64, f64)) {
        self.stride = self.stride.max(1);
        if self.calls.is_multiple_of(self.stride) {
            self.points.push(sample);
        }
        self.calls += 1;
        if self.points.len() > MOST_SAMPLES {
            let mut kept = 0_u32;
            self.points.retain(|_| {
                kept += 1;
                !kept.is_multiple_of(2)
            });
            self.stride *= 2;
        }
    }
}

/// The plots of all measures.
#[derive(Clone, Debug, Default)]
pub(super) struct Plots {
    pub(super) measures: Vec<MeasurePlots>,
}

impl Plots {
    /// Takes rows, in their order.
    pub(super) fn take(&mut self, rows: &[Row]) {
        for row in rows.iter().filter(|row| row.quantity.per != Per::Run) {
            let known = self.measures.iter().position(|plots| plots.measure == row.measure);
            let index = known.unwrap_or_else(|| {
                let (measure, quantities) = (row.measure, Vec::new());
                self.measures.push(MeasurePlots {
                    measure,
                    quantities,
                    diagram: Samples::default(),
                });
                self.measures.len() - 1
            });
            self.measures[index].take(row);
        }
        // Measures write their rows tick by tick: the first may have its first row last.
        self.measures.sort_by_key(|plots| plots.measure);
    }
}

impl MeasurePlots {
    fn take(&mut self, row: &Row) {
        if row.quantity.per == Per::Tick && row.group.is_none() {
            self.diagram.take(row);
        }
        if !row.value.is_finite() {
            return;
        }
        let same = |plot: &QuantityPlot| plot.quantity.name == row.quantity.name;
        let index = self.quantities.iter().position(same).unwrap_or_else(|| {
            let (quantity, by_group) = (row.quantity, Vec::new());
            self.quantities.push(QuantityPlot { quantity, by_group });
            self.quantities.len() - 1
        });
        let by_group = &mut self.quantities[index].by_group;
        let index = by_group.iter().position(|(group, _)| *group == row.group);
        let index = index.unwrap_or_else(|| {
            let data = match row.quantity.per {
                Per::Agent => Data::Values(Vec::new()),
                _ => Data::Line(Line::default()),
            };
            let place = by_group.partition_point(|(group, _)| *group < row.group);
            by_group.insert(place, (row.group, data));
            place
        });
        match &mut by_group[index].1 {
            Data::Line(line) => line.add((row.time, row.value)),
            Data::Values(values) => values.push(row.value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_extremes_in_their_order_and_its_end() {
        let mut line = Line::default();
        for i in 0..10_000 {
            let value = match i {
                1_234 => 50.0,
                7_001 => -50.0,
                _ => f64::from(i % 3),
            };
            line.add((f64::from(i), value));
        }
        let points = line.points();
        assert!(points.len() <= 2 * MOST_PARTS + 1 && !line.is_whole(), "{}", points.len());
        assert!(points.contains(&(1_234.0, 50.0)) && points.contains(&(7_001.0, -50.0)));
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0), "{points:?}");
        assert_eq!(points.last(), Some(&(9_999.0, 0.0)));
    }

    #[test]
    fn a_short_line_has_all_of_its_values() {
        let mut line = Line::default();
        (0..5).for_each(|i| line.add((f64::from(i), f64::from(i * i))));
        let expected = [(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0), (4.0, 16.0)];
        assert_eq!((line.points(), line.is_whole()), (expected.to_vec(), true));
    }
}
