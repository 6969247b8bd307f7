//! One run of a scene to its end.

use std::fmt;
use std::time::Instant;

use wayfare::crowd::{Refused, SetupError, ThreadsError};
use wayfare::{Crowd, Log, Vector};
use wayfare_measure::{EndValue, MeasureError, Measures};
use wayfare_scene::Scene;

use crate::Stepper;

/// The settings of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunSettings {
    /// The seed; by default the scene's.
    pub seed: Option<u64>,
    /// The number of ticks; by default the scene's duration.
    pub ticks: Option<u64>,
    /// The threads that step the crowd; 0 is 1. The outcome does not depend on it.
    pub threads: usize,
}

/// A value of a measure over a whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// `measure.quantity`, or `measure.quantity.group` for the value of a group.
    pub name: String,
    /// The value; NaN where there is none.
    pub value: f64,
}

impl From<&EndValue> for Value {
    fn from(end: &EndValue) -> Self {
        let group = end.group.as_ref().map(|group| format!(".{group}")).unwrap_or_default();
        Self { name: format!("{}.{}{group}", end.measure, end.quantity), value: end.value }
    }
}

/// The results of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The last tick.
    pub ticks: u64,
    /// The number of agents at the end.
    pub agents: usize,
    /// The hash of the final state.
    pub digest: u64,
    /// The measures over the run.
    pub values: Vec<Value>,
    /// The duration of the run (seconds), which differs from run to run.
    pub seconds: f64,
}

/// Why a run cannot begin or go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// The setup is refused.
    Setup(SetupError),
    /// A measure cannot be computed.
    Measure(MeasureError),
    /// The threads cannot be started.
    Threads(ThreadsError),
    /// An event of the scene is refused at its tick.
    Event(Refused),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Setup(error) => error.fmt(f),
            RunError::Measure(error) => error.fmt(f),
            RunError::Threads(error) => error.fmt(f),
            RunError::Event(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

/// Runs a scene to its end. `watch` sees the crowd at the start and after each tick. `None` if
/// `stop` becomes true before the end.
///
/// # Errors
/// The run cannot begin, or an event of the scene is refused at its tick.
pub fn run<V: Vector>(
    scene: &Scene<V>,
    settings: RunSettings,
    mut stop: impl FnMut() -> bool,
    mut watch: impl FnMut(&Crowd<V>),
) -> Result<Option<Outcome>, RunError> {
    let began = Instant::now();
    let mut setup = scene.setup.clone();
    setup.seed = settings.seed.unwrap_or(setup.seed);
    let ticks = settings.ticks.unwrap_or_else(|| scene.ticks());
    let mut measures = Measures::new(&scene.measures, &setup).map_err(RunError::Measure)?;
    let mut crowd = Crowd::new(setup).map_err(RunError::Setup)?;
    crowd.set_threads(settings.threads.max(1)).map_err(RunError::Threads)?;
    let mut log = Log::default();
    let mut stepper = Stepper::new(&log);
    measures.record(&crowd);
    watch(&crowd);
    while crowd.tick() < ticks {
        // A log without commands is never refused.
        if !stepper.tick(&mut crowd, &mut log, &mut stop).unwrap_or(false) {
            return Ok(None);
        }
        if let Some(refused) = crowd.refused_command() {
            return Err(RunError::Event(refused.clone()));
        }
        measures.record(&crowd);
        // Only values over the run are kept.
        measures.take_rows();
        watch(&crowd);
    }
    measures.finish(&crowd);
    Ok(Some(Outcome {
        ticks: crowd.tick(),
        agents: crowd.len(),
        digest: crowd.digest(),
        values: measures.ends().iter().map(Value::from).collect(),
        seconds: began.elapsed().as_secs_f64(),
    }))
}
