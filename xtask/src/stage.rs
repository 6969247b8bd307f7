//! A stage of `cargo xtask test`: what it is called, what it waits for, what it does.
//!
//! Each stage runs in a process of its own, `xtask stage NAME`: its processor time can be measured,
//! and its output is kept apart from that of the stages beside it.

use std::process::ExitCode;

use crate::checks::STAGES;

/// Something that `cargo xtask test` checks, or that a check needs.
pub(crate) struct Stage {
    /// The name for `--only`.
    pub(crate) name: &'static str,
    /// The names of the stages that must have passed before.
    pub(crate) needs: &'static [&'static str],
    pub(crate) uses: Uses,
    pub(crate) run: fn() -> Result<(), String>,
}

/// The resources that a stage cannot share with the stages beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uses {
    /// It shares all.
    Cores,
    /// It builds in this folder: cargo lets other builds in the folder wait.
    Builds(&'static str),
    /// It is several times slower beside other work.
    Machine,
}

impl Uses {
    /// Whether stages that use `self` and `other` can run at the same time.
    pub(crate) fn fits(self, other: Self) -> bool {
        match (self, other) {
            (Self::Machine, _) | (_, Self::Machine) => false,
            (Self::Builds(one), Self::Builds(two)) => one != two,
            (Self::Cores, _) | (_, Self::Cores) => true,
        }
    }
}

/// The error text of a stage that this machine cannot run begins with this; what follows says which
/// command would change that.
pub(crate) const CANNOT_RUN: &str = "cannot run here: ";

/// The exit code of a stage that this machine cannot run.
pub(crate) const SKIPPED: u8 = 3;

/// Runs the stage of this name in this process.
pub(crate) fn run(name: &str) -> ExitCode {
    let Some(stage) = STAGES.iter().find(|stage| stage.name == name) else {
        eprintln!("xtask: there is no stage `{name}`");
        return ExitCode::FAILURE;
    };
    let Err(text) = (stage.run)() else { return ExitCode::SUCCESS };
    eprintln!("xtask: {text}");
    if text.starts_with(CANNOT_RUN) { ExitCode::from(SKIPPED) } else { ExitCode::FAILURE }
}

/// The stages of these names with all that they need, in the order of the list.
pub(crate) fn with_needs(names: &[&str]) -> Result<Vec<&'static Stage>, String> {
    let mut wanted: Vec<&str> = names.to_vec();
    let mut at = 0;
    while let Some(name) = wanted.get(at) {
        let stage = STAGES.iter().find(|stage| stage.name == *name).ok_or_else(|| {
            let all: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
            format!("there is no stage `{name}`; the stages are {}", all.join(", "))
        })?;
        wanted.extend(stage.needs);
        at += 1;
    }
    Ok(STAGES.iter().filter(|stage| wanted.contains(&stage.name)).collect())
}

/// Prints the names of all stages, and what each needs.
pub(crate) fn list() {
    for stage in STAGES {
        let needs = stage.needs.join(", ");
        println!(
            "{:<14} {}",
            stage.name,
            if needs.is_empty() { needs } else { format!("needs {needs}") }
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_comes_with_what_it_needs_before_it() {
        for stage in STAGES {
            let all = with_needs(&[stage.name]).unwrap();
            assert_eq!(all.last().unwrap().name, stage.name, "a stage needs one after it");
        }
        assert!(with_needs(&["teste"]).err().unwrap().contains("no stage `teste`"));
    }

    #[test]
    fn builds_in_one_folder_wait_for_each_other_and_some_stages_for_all() {
        let (debug, release) = (Uses::Builds("debug"), Uses::Builds("release"));
        assert!(debug.fits(release) && debug.fits(Uses::Cores) && Uses::Cores.fits(Uses::Cores));
        assert!(!debug.fits(debug) && !Uses::Machine.fits(Uses::Cores));
    }
}
