//! The suite of a validation as data: `suite.toml` and the scenes beside it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use wayfare_scene::edit::Draft;
use wayfare_scene::{Format, Severity, Source};

use super::reduce::Reduce;

/// A mistake in a suite, or in a scene of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteError {
    /// The place of the mistake: the file or the test.
    pub place: String,
    /// The problem.
    pub message: String,
    /// The allowed values.
    pub allowed: String,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        if self.allowed.is_empty() { Ok(()) } else { write!(f, "\nallowed: {}", self.allowed) }
    }
}

impl std::error::Error for SuiteError {}

impl SuiteError {
    pub(super) fn new(
        place: impl Into<String>,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self { place: place.into(), message: message.into(), allowed: allowed.into() }
    }
}

/// Tests, and the texts of their scenes.
#[derive(Clone, Debug)]
pub struct Suite {
    pub(super) tests: Vec<Test>,
    /// The text around the table on the page, with `{table}` and `{plot NAME}` in it.
    pub(super) page: String,
    parameters: BTreeMap<String, BTreeMap<String, Scale>>,
    scenes: BTreeMap<String, Draft>,
}

/// The content of the file `suite.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Named numbers, and the keys of scenes that follow from each.
    #[serde(default)]
    parameter: BTreeMap<String, BTreeMap<String, Scale>>,
    test: Vec<Test>,
}

/// The scale of a number of a scene with a parameter x: factor * x^power.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Scale {
    /// The factor.
    Factor(f64),
    /// Both.
    Power {
        /// The factor.
        factor: f64,
        /// The power of the parameter.
        power: i32,
    },
}

impl Scale {
    fn value(self, x: f64) -> toml::Value {
        let number = match self {
            Scale::Factor(factor) => factor * x,
            Scale::Power { factor, power } => factor * x.powi(power),
        };
        // A count is a whole number.
        let whole = number.round() as i64;
        if (number - number.round()).abs() < 1e-9 {
            toml::Value::Integer(whole)
        } else {
            toml::Value::Float(number)
        }
    }
}

/// One test, or a series of tests that differ in one parameter.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Test {
    /// Its name; in a series with `{}` for the parameter.
    pub(super) name: String,
    /// The source of the expected value.
    pub(super) source: String,
    /// The scene's file.
    pub(super) scene: String,
    /// Values of parameters.
    pub(super) with: BTreeMap<String, f64>,
    /// Values of keys of the scene, by their paths.
    pub(super) set: BTreeMap<String, toml::Value>,
    /// The name of the measure in the scene.
    pub(super) measure: String,
    /// The quantity of the measure.
    pub(super) quantity: String,
    /// The reduction of the quantity's rows to one value.
    pub(super) take: Reduce,
    /// The divisors of the value: numbers and parameters.
    pub(super) per: Vec<Factor>,
    /// In place of a measure: a check of all ticks of all runs.
    pub(super) check: Option<Check>,
    /// The test whose value the value is divided by, seed by seed.
    pub(super) over: Option<String>,
    /// The unit of the value.
    pub(super) unit: String,
    /// The expected value.
    pub(super) expected: Option<f64>,
    /// The allowed difference to it.
    pub(super) within: Option<f64>,
    /// The same as a part of it (percent).
    pub(super) within_percent: Option<f64>,
    /// The same as so many standard deviations of the seeds, which is 0 for one seed; the largest
    /// of those given counts.
    pub(super) within_deviations: Option<f64>,
    /// The least value.
    pub(super) min: Option<f64>,
    /// The largest value.
    pub(super) max: Option<f64>,
    /// Why the test is known to miss.
    pub(super) known: Option<String>,
    /// The parameter of a series.
    pub(super) parameter: Option<String>,
    /// The values of a series' parameter and what is expected of each.
    pub(super) points: Vec<Vec<f64>>,
    /// The largest root of the mean square of a series' errors.
    pub(super) rms: Option<f64>,
    /// A picture of a series.
    pub(super) plot: Option<Plot>,
}

/// A number, or the name of a parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Factor {
    Number(f64),
    Parameter(String),
}

/// The check that is made at every tick of every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Check {
    /// The number of steps of a center through a surface of an obstacle.
    WallsCrossed,
    /// The number of steps in which two centers pass through one another.
    CentersCrossed,
    /// The deepest overlap of two bodies, as a part of the smaller radius.
    DeepestOverlap,
}

/// A picture of a series: reached values beside the expected ones.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plot {
    /// Its name, which is that of its file without the ending.
    pub(super) name: String,
    pub(super) title: String,
    /// The label of the parameter's axis.
    pub(super) x: String,
    /// The label of the value's axis.
    pub(super) y: String,
    /// The label of the expected points.
    pub(super) measured: String,
    /// Draws the expected points as a line through these points instead.
    #[serde(default)]
    pub(super) curve: Vec<[f64; 2]>,
}

macro_rules! bundled {
    ($($file:literal),+ $(,)?) => {
        &[$(($file, include_str!(concat!("../../validation/", $file)))),+]
    };
}

const SUITE: &str = "suite.toml";
const PAGE: &str = "page.md";

/// The files of the bundled suite; a test compares the list with the folder.
pub(super) const BUNDLED: &[(&str, &str)] = bundled![
    "suite.toml",
    "page.md",
    "bottleneck.toml",
    "bent-room.toml",
    "cabins.toml",
    "corner.toml",
    "corridor.toml",
    "counterflow.toml",
    "crowd-corner.toml",
    "crowd-straight.toml",
    "exit-width.toml",
    "free.toml",
    "imo-4.toml",
    "public-room.toml",
    "ring.toml",
    "two-rooms.toml",
];

impl Suite {
    /// The suite that is compiled into the program.
    pub fn bundled() -> Self {
        let read = |file: &str| {
            BUNDLED.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_string())
        };
        match Self::read(|file| read(file).ok_or_else(|| "there is no such file".to_string())) {
            Ok(suite) => suite,
            Err(error) => unreachable!("a test reads the bundled suite: {error}"),
        }
    }

    /// The suite of a file, and the scenes and the page beside it.
    ///
    /// # Errors
    /// The first mistake in it, or the file that cannot be read.
    pub fn of_file(path: &Path) -> Result<Self, SuiteError> {
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let name = path.file_name().map_or(SUITE.into(), |name| name.to_string_lossy());
        Self::read(|file| {
            let file = if file == SUITE { &*name } else { file };
            std::fs::read_to_string(folder.join(file)).map_err(|e| e.to_string())
        })
    }

    fn read(text_of: impl Fn(&str) -> Result<String, String>) -> Result<Self, SuiteError> {
        let text = text_of(SUITE).map_err(|e| SuiteError::new(SUITE, e, "a suite of tests"))?;
        let file: File = toml::from_str(&text).map_err(|e| {
            SuiteError::new(SUITE, e.to_string().trim_end(), "the keys of docs/validation.md")
        })?;
        let mut suite = Self {
            tests: Vec::new(),
            page: text_of(PAGE).unwrap_or_else(|_| "# Validation\n\n{table}\n".to_string()),
            parameters: file.parameter,
            scenes: BTreeMap::new(),
        };
        for test in file.test {
            suite.check(&test)?;
            if test.check.is_none() && !suite.scenes.contains_key(&test.scene) {
                let scene = text_of(&test.scene).map_err(|e| {
                    let message = format!("the scene \"{}\" cannot be read: {e}", test.scene);
                    SuiteError::new(place(&test), message, "the name of a file beside the suite")
                })?;
                let source = Source { name: test.scene.clone(), text: scene };
                let draft = Draft::new(source.clone(), Format::Toml).map_err(|problems| {
                    let text = source.render(Severity::Error, &problems, false);
                    SuiteError::new(&test.scene, text.trim_end(), "")
                })?;
                suite.scenes.insert(test.scene.clone(), draft);
            }
            suite.tests.push(test);
        }
        Ok(suite)
    }

    /// Whether a test can be evaluated; those before it are already in the suite.
    fn check(&self, test: &Test) -> Result<(), SuiteError> {
        let error =
            |message: String, allowed: &str| Err(SuiteError::new(place(test), message, allowed));
        if test.name.is_empty() || self.tests.iter().any(|other| other.name == test.name) {
            return error("its name is empty or given twice".to_string(), "a name of its own");
        }
        if test.check.is_none() && (test.measure.is_empty() || test.quantity.is_empty()) {
            let message = "it has no `measure` with its `quantity`, and no `check`";
            return error(message.to_string(), "measure = \"door\", quantity = \"mean_flow\"");
        }
        let parameters = test.with.keys().chain(&test.parameter);
        let factors = test.per.iter().filter_map(|factor| match factor {
            Factor::Number(_) => None,
            Factor::Parameter(name) => Some(name),
        });
        let is_given =
            |name: &String| test.with.contains_key(name) || test.parameter.as_ref() == Some(name);
        if let Some(name) = parameters.clone().find(|name| !self.parameters.contains_key(*name)) {
            let known: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
            return error(format!("there is no parameter \"{name}\""), &known.join(", "));
        }
        if let Some(name) = factors.into_iter().find(|name| !is_given(name)) {
            return error(
                format!("`per` names \"{name}\""),
                "a parameter of the test, or a number",
            );
        }
        if test.parameter.is_some() == test.points.is_empty() {
            let message = "`parameter` and `points` belong together".to_string();
            return error(message, "both in a series, or none");
        }
        if let Some(over) = &test.over
            && !self.tests.iter().any(|other| other.names().any(|name| name == *over))
        {
            return error(format!("`over` is \"{over}\""), "the name of a test before it");
        }
        if let Some(point) = test.points.iter().find(|point| ![1, 2].contains(&point.len())) {
            let message = format!("a point of `points` has {} numbers", point.len());
            return error(message, "the parameter, or it and what is expected");
        }
        Ok(())
    }

    /// The text of a test's scene with its changes; `x` is the value of a series' parameter.
    pub(super) fn scene(&self, test: &Test, x: Option<f64>) -> Result<String, SuiteError> {
        let values = test.values(x);
        let numbers = values.iter().flat_map(|(name, x)| {
            let keys = self.parameters.get(*name).into_iter().flatten();
            keys.map(|(path, scale)| (path.as_str(), scale.value(*x)))
        });
        let set = test.set.iter().map(|(path, value)| (path.as_str(), value.clone()));
        super::change::changed(&self.scenes[&test.scene], numbers.chain(set))
            .map_err(|e| SuiteError { place: format!("{}, {}", place(test), e.place), ..e })
    }
}

fn place(test: &Test) -> String {
    format!("test \"{}\"", test.name)
}

impl Test {
    /// The values of its parameters.
    pub(super) fn values(&self, x: Option<f64>) -> Vec<(&str, f64)> {
        let own = self.parameter.iter().filter_map(|name| Some((name.as_str(), x?)));
        self.with.iter().map(|(name, value)| (name.as_str(), *value)).chain(own).collect()
    }

    /// The name for this value of a series' parameter.
    pub(super) fn named(&self, x: Option<f64>) -> String {
        x.map_or_else(|| self.name.clone(), |x| self.name.replace("{}", &x.to_string()))
    }

    /// The values of a series' parameter; one that is none for a single test.
    pub(super) fn parameters(&self) -> Vec<Option<f64>> {
        if self.points.is_empty() {
            return vec![None];
        }
        self.points.iter().map(|point| point.first().copied()).collect()
    }

    /// The names of its rows.
    fn names(&self) -> impl Iterator<Item = String> {
        self.parameters().into_iter().map(|x| self.named(x))
    }
}

#[cfg(test)]
mod tests;
