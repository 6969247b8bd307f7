//! One run of a scene: the rows of its measures, and what was found in its ticks.

use std::collections::BTreeMap;
use std::path::Path;

use wayfare::Crowd;
use wayfare::glam::Vec2;
use wayfare_measure::Measures;
use wayfare_scene::{AnyScene, Format, Scene, Severity, Source};

use super::suite::SuiteError;
use super::watch::{Found, Watch};

/// The rows of a quantity: times and values.
type Rows = Vec<(f64, f64)>;

/// The results of a run.
#[derive(Debug)]
pub(super) struct Run {
    /// The rows by the measure's name and the quantity.
    rows: BTreeMap<(String, &'static str), Rows>,
    pub(super) found: Found,
}

/// The scene of a text.
///
/// # Errors
/// The mistakes in it.
pub(super) fn scene(name: &str, text: &str) -> Result<Scene<Vec2>, SuiteError> {
    let source = Source { name: name.to_string(), text: text.to_string() };
    match wayfare_scene::read(&source, Format::of(Path::new(name))) {
        Ok(AnyScene::TwoD(scene)) => Ok(scene),
        Ok(AnyScene::ThreeD(_)) => {
            Err(SuiteError::new(name, "it has three dimensions", "a scene of the plane"))
        }
        Err(problems) => {
            let text = source.render(Severity::Error, &problems, false);
            Err(SuiteError::new(name, text.trim_end(), ""))
        }
    }
}

/// Runs a scene with a seed until its duration has passed or all have left.
///
/// # Errors
/// The measure that cannot be computed, or what the crowd refuses.
pub(super) fn run(name: &str, mut scene: Scene<Vec2>, seed: u64) -> Result<Run, SuiteError> {
    let refused = |e: &dyn std::fmt::Display| SuiteError::new(name, e.to_string(), "");
    scene.setup.seed = seed;
    let ticks = scene.ticks();
    let mut measures = Measures::new(&scene.measures, &scene.setup).map_err(|e| refused(&e))?;
    let mut watch = Watch::new(scene.setup.bounds);
    let has_sources = !scene.setup.sources.is_empty();
    let mut crowd = Crowd::new(scene.setup).map_err(|e| refused(&e))?;
    crowd.set_threads(1).map_err(|e| refused(&e))?;
    measures.record(&crowd);
    watch.record(&crowd);
    while crowd.tick() < ticks && (has_sources || !crowd.is_empty()) {
        crowd.step();
        if let Some(event) = crowd.refused_command() {
            return Err(refused(event));
        }
        measures.record(&crowd);
        watch.record(&crowd);
    }
    measures.finish(&crowd);
    let mut rows: BTreeMap<_, Rows> = BTreeMap::new();
    for row in measures.take_rows() {
        if row.group.is_none() && row.agent.is_none() {
            let key = (measures.names()[row.measure].clone(), row.quantity.name);
            rows.entry(key).or_default().push((row.time, row.value));
        }
    }
    Ok(Run { rows, found: watch.found })
}

impl Run {
    /// The rows of a quantity of a measure; `None` if the scene has no such measure, or it has no
    /// such quantity for the whole measure.
    pub(super) fn rows(&self, measure: &str, quantity: &str) -> Option<&[(f64, f64)]> {
        let found = self.rows.iter().find(|((m, q), _)| m == measure && *q == quantity);
        found.map(|(_, rows)| &rows[..])
    }
}
