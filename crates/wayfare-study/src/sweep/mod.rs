//! Sweeps: one scene, run with many values and seeds.
//!
//! The rows of the table are in the order of the file, whatever the threads and the order in which
//! the runs end. What determines a run (the setup with its changes, seed, ticks, measures and the
//! version of the program) is the key under which the [`Journal`] keeps it: a sweep that is begun
//! again, also with more values or seeds, runs only what the journal lacks.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use wayfare_scene::edit::{Draft, Value};
use wayfare_scene::{AnyScene, Files, Format, Problem, Source, SweepFile};

use crate::outcome::{Outcome, RunError, RunSettings, run};

mod journal;
mod live;
mod plan;
mod table;
#[cfg(test)]
mod tests;

pub use journal::{Journal, JournalError};
pub use live::LiveTable;

/// The text of a scene, and the files beside it.
#[derive(Clone, Debug)]
pub struct Study {
    /// The scene.
    pub source: Source,
    /// Its notation.
    pub format: Format,
    /// The files that it may name.
    pub files: Files,
}

impl Study {
    /// The study of a scene that names no files.
    pub fn of(source: Source, format: Format) -> Self {
        Self { source, format, files: Files::none() }
    }

    /// The study of the scene file at `path`, whose text is in `source`.
    pub fn beside(source: Source, path: &Path) -> Self {
        Self { source, format: Format::of(path), files: Files::beside(path) }
    }
}

/// A combination of values.
#[derive(Clone, Debug)]
struct Combination {
    /// The values, in the order of the paths.
    values: Vec<Value>,
    /// A hash of everything that determines its runs, but for seed and ticks.
    fingerprint: u64,
    /// The seed of the scene.
    seed: u64,
    /// The ticks of its runs.
    ticks: u64,
}

/// The runs of a sweep: all combinations of values, each with all seeds.
#[derive(Clone, Debug)]
pub struct Sweep {
    base: Draft,
    /// The varied paths, as the file writes them.
    paths: Vec<String>,
    combinations: Vec<Combination>,
    /// The seeds; empty for the seed of the scene.
    seeds: Vec<u64>,
    /// The measures of the table: names of measures, and of one quantity if it is only one; empty
    /// for all.
    measures: Vec<(String, Option<String>)>,
    /// The measures of the scene, with the quantities that they give for a whole run.
    quantities: Vec<(String, Vec<&'static str>)>,
}

/// The progress of a sweep while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The runs that are done, those of the journal included.
    pub done: usize,
    /// All runs.
    pub all: usize,
}

/// Why a sweep ends early.
#[derive(Debug)]
pub enum SweepError {
    /// A run cannot begin.
    Run(RunError),
    /// The journal cannot be written.
    Journal(JournalError),
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::Run(error) => error.fmt(f),
            SweepError::Journal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SweepError {}

impl Sweep {
    /// The sweep that `file` describes, of the scene in `study`.
    ///
    /// # Errors
    /// What is wrong in the file, also where a value and the scene do not fit.
    pub fn new(file: &Source, format: Format, study: &Study) -> Result<Self, Vec<Problem>> {
        Self::of(&SweepFile::read(file, format)?, study, u64::MAX)
    }

    /// The sweep of a file that has been read; each scene may take `most` bytes of RAM.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of(file: &SweepFile, study: &Study, most: u64) -> Result<Self, Vec<Problem>> {
        plan::plan(file, study, most)
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.combinations.len() * self.seeds.len().max(1)
    }

    /// The combination and the seed of a run.
    fn at(&self, index: usize) -> (&Combination, u64) {
        let count = self.seeds.len().max(1);
        let combination = &self.combinations[index / count];
        (combination, self.seeds.get(index % count).copied().unwrap_or(combination.seed))
    }

    /// The key of a run in the journal.
    fn key(&self, index: usize) -> String {
        let (combination, seed) = self.at(index);
        format!("{:016x}-{seed}-{}", combination.fingerprint, combination.ticks)
    }

    /// The scene of a combination, with the measures of the table.
    fn scene(&self, combination: &Combination) -> AnyScene {
        // The plan has applied the same values.
        let draft = plan::changed(&self.base, &self.paths, &combination.values);
        let mut scene = draft.unwrap_or_else(|_| self.base.clone()).scene().clone();
        match &mut scene {
            AnyScene::TwoD(scene) => scene.measures.retain(|m| self.keeps(&m.name)),
            AnyScene::ThreeD(scene) => scene.measures.retain(|m| self.keeps(&m.name)),
        }
        scene
    }

    fn keeps(&self, measure: &str) -> bool {
        self.measures.is_empty() || self.measures.iter().any(|(name, _)| name == measure)
    }

    /// Runs what the journal lacks, `threads` runs at once, and returns the outcomes in the order
    /// of the rows; `None` if `stop` becomes true before the end. Each finished run is in the
    /// journal before `progress` is told of it, which gets the journal as well.
    ///
    /// # Errors
    /// A run cannot begin, or the journal cannot be written.
    pub fn run(
        &self,
        journal: &mut Journal,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(Progress, &Journal),
    ) -> Result<Option<Vec<Outcome>>, SweepError> {
        let keys = self.keys();
        let left = left(&keys, journal);
        let mut rows_of: HashMap<&String, usize> = HashMap::new();
        keys.iter().for_each(|key| *rows_of.entry(key).or_default() += 1);
        let mut done = self.done(journal);
        progress(Progress { done, all: keys.len() }, journal);

        let workers = threads.clamp(1, left.len().max(1));
        let inner = (threads / workers).max(1);
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let stops = || failed.load(Ordering::Relaxed) || stop();
        let (sender, ended) = mpsc::channel();
        let result = std::thread::scope(|scope| {
            for _ in 0..workers {
                let (sender, left, next, stops) = (sender.clone(), &left, &next, &stops);
                scope.spawn(move || {
                    while let Some(&index) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let outcome = self.run_one(index, inner, stops);
                        let is_last = !matches!(outcome, Ok(Some(_)));
                        if sender.send((index, outcome)).is_err() || is_last {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (index, outcome) in &ended {
                let added = match outcome {
                    Ok(Some(outcome)) => {
                        journal.add(&keys[index], outcome).map_err(SweepError::Journal)
                    }
                    Ok(None) => continue,
                    Err(error) => Err(SweepError::Run(error)),
                };
                if let Err(error) = added {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                done += rows_of[&keys[index]];
                progress(Progress { done, all: keys.len() }, journal);
            }
            Ok(())
        });
        result?;
        Ok(self.outcomes(journal))
    }

    /// The runs that the journal lacks, by their indices in the order of the rows; of equal runs
    /// the first. For those who run them elsewhere, by [`run_line`](Self::run_line).
    pub fn left(&self, journal: &Journal) -> Vec<usize> {
        left(&self.keys(), journal)
    }

    /// The number of runs whose outcome the journal has.
    pub fn done(&self, journal: &Journal) -> usize {
        self.keys().iter().filter(|key| journal.has(key)).count()
    }

    /// The outcomes in the order of the rows; `None` if the journal lacks one.
    pub fn outcomes(&self, journal: &Journal) -> Option<Vec<Outcome>> {
        self.keys().iter().map(|key| journal.get(key).cloned()).collect()
    }

    /// Runs one run, and returns its line for a journal, which [`Journal::add_line`] takes; `None`
    /// if `stop` becomes true before the end.
    ///
    /// # Errors
    /// The run cannot begin.
    ///
    /// # Panics
    /// If there is no run with this index.
    pub fn run_line(
        &self,
        index: usize,
        stop: impl Fn() -> bool,
    ) -> Result<Option<String>, RunError> {
        assert!(index < self.runs(), "there are {} runs", self.runs());
        let outcome = self.run_one(index, 1, stop)?;
        Ok(outcome.map(|outcome| journal::write(&self.key(index), &outcome)))
    }

    fn keys(&self) -> Vec<String> {
        (0..self.runs()).map(|index| self.key(index)).collect()
    }

    fn run_one(
        &self,
        index: usize,
        threads: usize,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Outcome>, RunError> {
        let (combination, seed) = self.at(index);
        let settings = RunSettings { seed: Some(seed), ticks: Some(combination.ticks), threads };
        match self.scene(combination) {
            AnyScene::TwoD(scene) => run(&scene, settings, stop, |_| ()),
            AnyScene::ThreeD(scene) => run(&scene, settings, stop, |_| ()),
        }
    }
}

/// The indices of the keys that the journal lacks, each key once.
fn left(keys: &[String], journal: &Journal) -> Vec<usize> {
    let mut known = HashSet::new();
    (0..keys.len())
        .filter(|&index| !journal.has(&keys[index]) && known.insert(&keys[index]))
        .collect()
}
