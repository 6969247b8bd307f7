//! Runs a suite, and the table of what was reached.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wayfare_scene::counted;

use super::run::{Run, run, scene};
use super::suite::{Check, Factor, Plot, Suite, SuiteError, Test};

/// The options of a run of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The number of runs of each scene, with the seeds from 0 on.
    pub seeds: u64,
    /// Only tests whose name contains this.
    pub only: Option<String>,
    /// The number of runs at a time; the number of cores unless given.
    pub threads: Option<usize>,
}

/// The verdict on a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The mean is as expected.
    Pass,
    /// The mean is not as expected.
    Miss,
    /// The mean is not as expected, and the suite says so.
    KnownMiss,
    /// The mean is as expected, but the suite says that it is not.
    UnexpectedPass,
    /// Nothing is expected: other rows are compared with the value.
    Value,
}

impl Verdict {
    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Miss => "miss",
            Verdict::KnownMiss => "known miss",
            Verdict::UnexpectedPass => "pass, expected to miss",
            Verdict::Value => "",
        }
    }

    /// Whether the suite says so.
    pub fn is_expected(self) -> bool {
        matches!(self, Verdict::Pass | Verdict::KnownMiss | Verdict::Value)
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the test.
    pub name: String,
    /// The source of the expected value.
    pub source: String,
    /// The expected value or range, in words.
    pub expected: String,
    /// The unit of the value.
    pub unit: String,
    /// The values, one for each seed; NaN where a run gave none.
    pub values: Vec<f64>,
    /// Whether it is reached.
    pub verdict: Verdict,
    /// Why the test is known to miss, if it is.
    pub known: Option<String>,
}

impl Row {
    /// The mean over the seeds; NaN where a run gave no value.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// The standard deviation over the seeds; 0 for one seed.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.values.iter().map(|x| (x - mean) * (x - mean)).sum();
        (squares / (self.values.len().max(2) - 1) as f64).sqrt()
    }
}

/// The results of a suite.
#[derive(Clone, Debug)]
pub struct Report {
    /// The table.
    pub rows: Vec<Row>,
    /// The number of seeds.
    pub seeds: u64,
    /// The number of runs.
    pub runs: usize,
    pub(super) charts: Vec<Chart>,
}

impl Report {
    /// Whether all verdicts are as the suite expects them.
    pub fn is_expected(&self) -> bool {
        self.rows.iter().all(|row| row.verdict.is_expected())
    }

    /// The numbers of verdicts and runs, in a sentence.
    pub fn counts(&self) -> String {
        let count = |verdict| self.rows.iter().filter(|row| row.verdict == verdict).count();
        format!(
            "{} passed, {} missed, {} known to miss; {}, {} each.",
            count(Verdict::Pass),
            count(Verdict::Miss),
            count(Verdict::KnownMiss) + count(Verdict::UnexpectedPass),
            counted(self.runs, "run"),
            counted(self.seeds as usize, "seed")
        )
    }
}

/// A series with a picture: each point's parameter, expected value, mean and deviation.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub(super) plot: Plot,
    pub(super) points: Vec<[f64; 4]>,
}

/// A row that is to be filled.
struct Planned<'s> {
    test: &'s Test,
    x: Option<f64>,
    expected: Option<f64>,
    /// The index of its scene.
    scene: Option<usize>,
}

/// Runs a suite. `progress` is called after each run, with the number of those done and of all.
///
/// # Errors
/// The first mistake in a scene, or a test whose measure does not exist.
pub fn validate(
    suite: &Suite,
    options: &Options,
    progress: impl Fn(usize, usize) + Sync,
) -> Result<Report, SuiteError> {
    let (planned, scenes) = plan(suite, options)?;
    let scenes_read =
        scenes.iter().map(|(name, text)| scene(name, text)).collect::<Result<Vec<_>, _>>()?;
    // The longest first, so that no thread ends much later than the others.
    let mut jobs: Vec<(usize, u64)> = (0..scenes.len())
        .flat_map(|scene| (0..options.seeds).map(move |seed| (scene, seed)))
        .collect();
    let work = |&(scene, _): &(usize, u64)| {
        let setup = &scenes_read[scene].setup;
        setup.groups.iter().map(|group| group.count).sum::<usize>()
    };
    jobs.sort_by_key(|job| std::cmp::Reverse(work(job)));
    let runs = all_runs(&jobs, options.threads, &progress, |(index, seed)| {
        run(&scenes[index].0, scenes_read[index].clone(), seed)
    })?;

    let mut report =
        Report { rows: Vec::new(), seeds: options.seeds, runs: runs.len(), charts: Vec::new() };
    let mut values: HashMap<String, Vec<f64>> = HashMap::new();
    let mut at = 0;
    while at < planned.len() {
        let test = planned[at].test;
        let end = at + planned[at..].iter().take_while(|p| std::ptr::eq(p.test, test)).count();
        let mut points = Vec::new();
        for one in &planned[at..end] {
            let found = one.values(options, &runs)?;
            let name = test.named(one.x);
            let over = test.over.as_ref().map(|over| values.get(over).cloned().unwrap_or_default());
            let found: Vec<f64> = match over {
                Some(over) => found.iter().zip(&over).map(|(x, y)| x / y).collect(),
                None => found,
            };
            values.insert(name.clone(), found.clone());
            let row = row(test, name, one.expected, found);
            points.push([
                one.x.unwrap_or(0.0),
                one.expected.unwrap_or(f64::NAN),
                row.mean(),
                row.deviation(),
            ]);
            report.rows.push(row);
        }
        if let Some(most) = test.rms {
            report.rows.push(rms_row(test, most, &points));
        }
        if let Some(plot) = &test.plot {
            report.charts.push(Chart { plot: plot.clone(), points });
        }
        at = end;
    }
    Ok(report)
}

/// A scene with its changes: its name and its text.
type Changed = (String, String);

/// The rows to fill, and the scenes, each once.
fn plan<'s>(
    suite: &'s Suite,
    options: &Options,
) -> Result<(Vec<Planned<'s>>, Vec<Changed>), SuiteError> {
    let is_chosen = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only));
    let mut planned = Vec::new();
    let mut scenes: Vec<Changed> = Vec::new();
    // A test with which a chosen test is compared is run as well.
    let mut needed: Vec<&str> = Vec::new();
    for test in suite.tests.iter().rev() {
        let points: Vec<(Option<f64>, Option<f64>)> = if test.points.is_empty() {
            vec![(None, test.expected)]
        } else {
            test.points
                .iter()
                .map(|point| (point.first().copied(), point.get(1).copied()))
                .collect()
        };
        for (x, expected) in points.into_iter().rev() {
            let name = test.named(x);
            if !is_chosen(&name) && !needed.contains(&&*name) {
                continue;
            }
            needed.extend(test.over.as_deref());
            let scene = if test.check.is_some() {
                None
            } else {
                let text = suite.scene(test, x)?;
                let known = scenes.iter().position(|(_, other)| *other == text);
                Some(known.unwrap_or_else(|| {
                    scenes.push((test.scene.clone(), text));
                    scenes.len() - 1
                }))
            };
            planned.push(Planned { test, x, expected, scene });
        }
    }
    if planned.iter().any(|one| one.test.check.is_some()) {
        // A check is about the runs of all tests.
        for test in suite.tests.iter().filter(|test| test.check.is_none()) {
            for x in test.parameters() {
                let text = suite.scene(test, x)?;
                if !scenes.iter().any(|(_, other)| *other == text) {
                    scenes.push((test.scene.clone(), text));
                }
            }
        }
    }
    if planned.is_empty() {
        let message =
            format!("no test's name contains \"{}\"", options.only.as_deref().unwrap_or(""));
        return Err(SuiteError::new("--only", message, "a part of a name in the table"));
    }
    planned.reverse();
    Ok((planned, scenes))
}

/// The runs of all jobs, shared by threads.
fn all_runs(
    jobs: &[(usize, u64)],
    threads: Option<usize>,
    progress: &(impl Fn(usize, usize) + Sync),
    run: impl Fn((usize, u64)) -> Result<Run, SuiteError> + Sync,
) -> Result<HashMap<(usize, u64), Run>, SuiteError> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let runs = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.unwrap_or_else(cores).clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                while let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run(job);
                    let failed = result.is_err();
                    match runs.lock() {
                        Ok(mut runs) => runs.push((job, result)),
                        Err(poisoned) => poisoned.into_inner().push((job, result)),
                    }
                    if failed {
                        next.store(jobs.len(), Ordering::Relaxed);
                    }
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
                }
            });
        }
    });
    let mut runs = runs.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    // The first error in the order of jobs, whatever thread was first.
    runs.sort_by_key(|(job, _)| *job);
    runs.into_iter().map(|(job, result)| result.map(|run| (job, run))).collect()
}

impl Planned<'_> {
    /// The values of all seeds; NaN where a run gave none.
    fn values(
        &self,
        options: &Options,
        runs: &HashMap<(usize, u64), Run>,
    ) -> Result<Vec<f64>, SuiteError> {
        let test = self.test;
        if let Some(check) = test.check {
            let of_seed = |seed| {
                let founds = runs.iter().filter(move |((_, s), _)| *s == seed);
                founds.map(|(_, run)| run.found).fold((0, 0, 0.0_f32), |(w, p, o), found| {
                    (w + found.walls, p + found.pairs, o.max(found.overlap))
                })
            };
            let value = |(walls, pairs, overlap)| match check {
                Check::WallsCrossed => walls as f64,
                Check::CentersCrossed => pairs as f64,
                Check::DeepestOverlap => f64::from(overlap),
            };
            return Ok((0..options.seeds).map(|seed| value(of_seed(seed))).collect());
        }
        let divisor: f64 = { test.per.iter() }
            .map(|factor| match factor {
                Factor::Number(x) => *x,
                Factor::Parameter(name) => {
                    let values = test.values(self.x);
                    values.iter().find(|(known, _)| known == name).map_or(1.0, |(_, x)| *x)
                }
            })
            .product();
        (0..options.seeds)
            .map(|seed| {
                let run = self.scene.and_then(|scene| runs.get(&(scene, seed)));
                let rows = run.and_then(|run| run.rows(&test.measure, &test.quantity));
                let rows = rows.ok_or_else(|| {
                    let message = format!(
                        "its scene gives no `{}` of the measure \"{}\"",
                        test.quantity, test.measure
                    );
                    SuiteError::new(
                        format!("test \"{}\"", test.name),
                        message,
                        "a [[measure]] of the scene, and one of its quantities in docs/measures.md",
                    )
                })?;
                Ok(test.take.of(rows).map_or(f64::NAN, |value| value / divisor))
            })
            .collect()
    }
}

/// A row with its verdict.
fn row(test: &Test, name: String, expected: Option<f64>, values: Vec<f64>) -> Row {
    let mut row = Row {
        name,
        source: test.source.clone(),
        expected: expectation(test, expected),
        unit: test.unit.clone(),
        values,
        verdict: Verdict::Pass,
        known: test.known.clone(),
    };
    let mean = row.mean();
    let part = test.within_percent.zip(expected).map(|(part, x)| part / 100.0 * x.abs());
    let spread = test.within_deviations.map(|count| count * row.deviation());
    let within = [test.within, part, spread].into_iter().flatten().reduce(f64::max);
    // Also false without a value.
    let is_near = match (expected, within) {
        (Some(expected), Some(within)) => (mean - expected).abs() <= within,
        (Some(expected), None) => mean == expected,
        (None, _) => true,
    };
    let is_between =
        test.min.is_none_or(|min| mean >= min) && test.max.is_none_or(|max| mean <= max);
    row.verdict = if row.expected.is_empty() && !mean.is_nan() {
        Verdict::Value
    } else {
        verdict(is_near && is_between && !mean.is_nan(), test)
    };
    row
}

fn verdict(is_reached: bool, test: &Test) -> Verdict {
    match (is_reached, &test.known) {
        (true, None) => Verdict::Pass,
        (false, None) => Verdict::Miss,
        (false, Some(_)) => Verdict::KnownMiss,
        (true, Some(_)) => Verdict::UnexpectedPass,
    }
}

/// The expected value or range, in words.
fn expectation(test: &Test, expected: Option<f64>) -> String {
    if let Some(expected) = expected {
        let allowed = [
            test.within.map(|within| format!("{within}")),
            test.within_percent.map(|percent| format!("{percent} %")),
            test.within_deviations.map(|count| format!("{count} sd")),
        ];
        let allowed: Vec<String> = allowed.into_iter().flatten().collect();
        let sign = if allowed.is_empty() { "" } else { " ± " };
        return format!("{expected}{sign}{}", allowed.join(" or "));
    }
    match (test.min, test.max) {
        (Some(min), Some(max)) if min == max => format!("{min}"),
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => String::new(),
    }
}

/// The row of a series' errors: the root of the mean of their squares.
fn rms_row(test: &Test, most: f64, points: &[[f64; 4]]) -> Row {
    let squares: f64 = points.iter().map(|[_, expected, mean, _]| (mean - expected).powi(2)).sum();
    let rms = (squares / points.len() as f64).sqrt();
    Row {
        name: test.name.replace("{}", "all").clone(),
        source: test.source.clone(),
        expected: format!("rms error at most {most}"),
        unit: test.unit.clone(),
        values: vec![rms],
        verdict: if rms <= most { Verdict::Pass } else { Verdict::Miss },
        known: None,
    }
}
