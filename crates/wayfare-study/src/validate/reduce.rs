//! One value of the rows that a measure has given in a run.

use serde::Deserialize;

/// The reduction of a quantity's rows to one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reduce {
    /// The last row: the value of the whole run, or the last one.
    #[default]
    Last,
    /// The mean of the rows from this time on.
    MeanFrom(f64),
    /// The growth between two times, per unit of time.
    Rate([f64; 2]),
    /// Of a count that grows: the part between two counts, by the time between them; the start
    /// has the count 0.
    Flow([f64; 2]),
    /// Of a count that grows: the time at which it reaches this number.
    TimeOf(f64),
}

impl Reduce {
    /// The value, if there is one, of rows with their times.
    pub(super) fn of(self, rows: &[(f64, f64)]) -> Option<f64> {
        let at = |time: f64| {
            let until = rows.iter().take_while(|row| row.0 <= time + 1e-9);
            until.last().map(|row| row.1)
        };
        let reached = |count: f64| {
            if count == 0.0 {
                return Some(0.0);
            }
            rows.iter().find(|row| row.1 >= count).map(|row| row.0)
        };
        let value = match self {
            Reduce::Last => rows.last()?.1,
            Reduce::MeanFrom(start) => {
                let later: Vec<f64> =
                    rows.iter().filter(|row| row.0 >= start).map(|row| row.1).collect();
                later.iter().sum::<f64>() / later.len() as f64
            }
            Reduce::Rate([from, to]) => (at(to)? - at(from)?) / (to - from),
            Reduce::Flow([from, to]) => (to - from) / (reached(to)? - reached(from)?),
            Reduce::TimeOf(count) => reached(count)?,
        };
        Some(value).filter(|value| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_is_made_of_the_rows_and_none_where_a_count_is_not_reached() {
        let rows = [(0.0, 0.0), (2.0, 1.0), (3.0, 2.0), (5.0, 4.0)];
        for (reduce, value) in [
            (Reduce::Last, Some(4.0)),
            (Reduce::MeanFrom(2.5), Some(3.0)),
            (Reduce::MeanFrom(6.0), None),
            (Reduce::Rate([1.0, 4.0]), Some(2.0 / 3.0)),
            (Reduce::Flow([1.0, 4.0]), Some(1.0)),
            (Reduce::Flow([0.0, 4.0]), Some(0.8)),
            (Reduce::Flow([1.0, 5.0]), None),
            (Reduce::TimeOf(3.0), Some(5.0)),
            (Reduce::TimeOf(5.0), None),
        ] {
            assert_eq!(reduce.of(&rows), value, "{reduce:?}");
        }
        assert_eq!(Reduce::Last.of(&[]), None);
        assert_eq!(Reduce::Last.of(&[(1.0, f64::NAN)]), None);
    }
}
