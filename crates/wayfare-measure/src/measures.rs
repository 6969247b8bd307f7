//! [`Measures`]: all measures of a run.

use std::collections::HashSet;
use std::mem;
use std::sync::Arc;

use wayfare::crowd::Setup;
use wayfare::{Crowd, Vector};

use crate::error::MeasureError;
use crate::frame::Camera;
use crate::measure::{Measure, Record};
use crate::row::{Per, Row, Sink};

impl<V: Vector> Measure<V> {
    /// Whether it can be computed in a run of a crowd of `setup`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, setup: &Setup<V>) -> Result<(), MeasureError> {
        Measures::new(std::slice::from_ref(self), setup).map(|_| ())
    }
}

/// All measures of one run.
pub struct Measures<V: Vector> {
    names: Vec<String>,
    recorders: Vec<Box<dyn Record>>,
    camera: Camera<V>,
    rows: Vec<Row>,
    /// The newest rows per change of each measure, all of one tick: the last tick of a run repeats
    /// none of them.
    newest: Vec<Vec<Row>>,
    ends: Vec<EndValue>,
}

/// A value of a measure over the whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct EndValue {
    /// The name of the measure.
    pub measure: String,
    /// The name of the quantity.
    pub quantity: &'static str,
    /// The value; NaN where there is none.
    pub value: f64,
    /// The unit of the quantity; empty for a plain number.
    pub unit: &'static str,
    /// The name of the group that the value belongs to, if it belongs to one.
    pub group: Option<String>,
}

impl<V: Vector> Measures<V> {
    /// The measures of a run of a crowd of `setup`.
    ///
    /// # Errors
    /// The first measure that cannot be computed.
    pub fn new(measures: &[Measure<V>], setup: &Setup<V>) -> Result<Self, MeasureError> {
        let camera = Camera::new(setup);
        let mut known = HashSet::new();
        let mut recorders = Vec::new();
        for measure in measures {
            let error = |(key, message, allowed)| MeasureError {
                measure: measure.name.clone(),
                key,
                message,
                allowed,
            };
            if measure.name.is_empty() || !known.insert(&measure.name) {
                let what = if measure.name.is_empty() { "empty" } else { "given twice" };
                let message = format!("the name \"{}\" is {what}", measure.name);
                return Err(error(("name", message, "a name of its own".to_string())));
            }
            recorders.push(measure.kind.begin(camera.world()).map_err(error)?);
        }
        let names = measures.iter().map(|measure| measure.name.clone()).collect();
        let (rows, ends) = (Vec::new(), Vec::new());
        let newest = measures.iter().map(|_| Vec::new()).collect();
        Ok(Self { names, recorders, camera, rows, newest, ends })
    }

    /// Whether there is nothing to measure.
    pub fn is_empty(&self) -> bool {
        self.recorders.is_empty()
    }

    /// The names of the measures, in the order of [`Row::measure`].
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Takes the state of the crowd; to be called at the start and after each tick.
    pub fn record(&mut self, crowd: &Crowd<V>) {
        if self.is_empty() {
            return;
        }
        let frame = Arc::new(self.camera.frame(crowd));
        for (measure, recorder) in self.recorders.iter_mut().enumerate() {
            let start = self.rows.len();
            recorder.record(&frame, &mut Sink { measure, rows: &mut self.rows });
            for row in &self.rows[start..] {
                is_new(&mut self.newest[measure], row);
            }
        }
    }

    /// Ends the measures: the values of the last ticks and of the whole run become rows.
    /// Later ticks are not measured.
    pub fn finish(&mut self, crowd: &Crowd<V>) {
        let groups: Vec<&str> = crowd.group_names().collect();
        for (measure, recorder) in mem::take(&mut self.recorders).iter_mut().enumerate() {
            let mut last = Vec::new();
            recorder.finish(&mut Sink { measure, rows: &mut last });
            last.retain(|row| is_new(&mut self.newest[measure], row));
            for row in last.iter().filter(|row| row.quantity.per == Per::Run) {
                self.ends.push(EndValue {
                    measure: self.names[measure].clone(),
                    quantity: row.quantity.name,
                    value: row.value,
                    unit: row.quantity.unit,
                    group: row.group.and_then(|group| groups.get(group)).map(|g| g.to_string()),
                });
            }
            self.rows.append(&mut last);
        }
    }

    /// The values of the whole run, after [`finish`](Self::finish).
    pub fn ends(&self) -> &[EndValue] {
        &self.ends
    }

    /// The rows since the last call of [`take_rows`](Self::take_rows).
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows since the last call.
    pub fn take_rows(&mut self) -> Vec<Row> {
        mem::take(&mut self.rows)
    }
}

/// Whether a row is none of the `newest` rows per change of its measure; it is one of them then.
fn is_new(newest: &mut Vec<Row>, row: &Row) -> bool {
    if row.quantity.per != Per::Change {
        return true;
    }
    if newest.first().is_some_and(|other| other.tick != row.tick) {
        newest.clear();
    }
    let is_new = !newest.contains(row);
    if is_new {
        newest.push(*row);
    }
    is_new
}
