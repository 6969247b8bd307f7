//! The stages of a test run: each is timed, skipped stages are reported last.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether a stage ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It ran and passed.
    Done,
    /// It could not run on this machine.
    Skipped,
}

/// The error text of a stage that this machine cannot run begins with this; what follows says which
/// command would change that.
pub(crate) const CANNOT_RUN: &str = "cannot run here: ";

/// The stages so far.
#[derive(Default)]
pub(crate) struct Stages {
    times: Vec<(String, Duration)>,
    skipped: Vec<(String, String)>,
    /// Whether a stage of any lane has failed.
    has_failed: Arc<AtomicBool>,
}

impl Stages {
    /// The error of a stage that did not begin, because one of another lane had failed.
    pub(crate) const ENDED: &str = "ended, because a stage of the other lane has failed";

    /// The stages of another lane, which may run at the same time: no lane begins a stage once one
    /// has failed.
    pub(crate) fn lane(&self) -> Self {
        Self { has_failed: Arc::clone(&self.has_failed), ..Self::default() }
    }

    /// Adds the stages of another lane.
    pub(crate) fn join(&mut self, lane: Self) {
        self.times.extend(lane.times);
        self.skipped.extend(lane.skipped);
    }

    /// Prints the times, and returns the error.
    pub(crate) fn failed(&self, text: String) -> Result<(), String> {
        self.print_times();
        Err(text)
    }

    /// Runs a stage. A failure ends the whole run.
    pub(crate) fn run(
        &mut self,
        name: &str,
        stage: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(Self::ENDED.to_string());
        }
        println!("xtask: {name}");
        let start = Instant::now();
        let result = stage();
        self.times.push((name.to_string(), start.elapsed()));
        result.map_err(|text| {
            self.has_failed.store(true, Ordering::Relaxed);
            format!("{name}: {text}")
        })
    }

    /// Runs a stage that this machine may lack the means for: then it is skipped.
    pub(crate) fn attempt(
        &mut self,
        name: &str,
        stage: impl FnOnce() -> Result<(), String>,
    ) -> Result<Outcome, String> {
        let mut reason = None;
        self.run(name, || match stage() {
            Err(text) if text.starts_with(CANNOT_RUN) => {
                reason = Some(text[CANNOT_RUN.len()..].to_string());
                Ok(())
            }
            result => result,
        })?;
        let Some(reason) = reason else { return Ok(Outcome::Done) };
        self.times.pop();
        self.skip(name, &reason);
        Ok(Outcome::Skipped)
    }

    /// Records a stage that is left out, and the command that would change that.
    pub(crate) fn skip(&mut self, name: &str, command: &str) {
        self.skipped.push((name.to_string(), command.to_string()));
    }

    /// Prints the times and what was skipped. In CI (`CI` is set) a skipped stage is a failure.
    pub(crate) fn finish(&self) -> Result<(), String> {
        self.print_times();
        for (name, command) in &self.skipped {
            println!("xtask: SKIPPED {name}: {command}");
        }
        if self.skipped.is_empty() {
            println!("xtask: all stages passed");
            return Ok(());
        }
        if std::env::var_os("CI").is_some() {
            return Err(format!("{} skipped stages, which CI does not allow", self.skipped.len()));
        }
        println!("xtask: all other stages passed");
        Ok(())
    }

    fn print_times(&self) {
        println!("xtask: seconds per stage");
        for (name, time) in &self.times {
            println!("{:>8.1}  {name}", time.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_cannot_run_is_skipped_and_a_failure_ends_the_run() {
        let mut stages = Stages::default();
        let skipped = stages.attempt("browser", || Err(format!("{CANNOT_RUN}install it")));
        assert!(matches!(skipped, Ok(Outcome::Skipped)));
        assert_eq!(stages.skipped, [("browser".to_string(), "install it".to_string())]);
        assert!(matches!(stages.attempt("page", || Ok(())), Ok(Outcome::Done)));
        let failed = stages.attempt("page", || Err("it is empty".to_string()));
        assert_eq!(failed.err().unwrap(), "page: it is empty");
    }

    #[test]
    fn a_lane_ends_once_a_stage_of_another_one_has_failed() {
        let mut stages = Stages::default();
        let mut other = stages.lane();
        other.run("digests", || Ok(())).unwrap();
        stages.run("lints", || Err("one".to_string())).unwrap_err();
        let ended = other.run("page", || panic!("it must not begin"));
        assert_eq!(ended.unwrap_err(), Stages::ENDED);
        stages.join(other);
        let names: Vec<&str> = stages.times.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["lints", "digests"]);
    }
}
