//! Files of a run in any format of wayfare-record.
//!
//! Nothing is recorded while a scene is watched. The run follows from the scene and its log, so it
//! is run again, a tick at a time, in the time that frames leave.

use wayfare::crowd::Setup;
use wayfare::{Crowd, Log, Vector};
use wayfare_record::output::{Format, RunData, RunEnd, RunInfo, RunOutputs};
use wayfare_scene::Presentation;

/// Number of ticks recorded of a scene that is at tick 0.
const TICKS_AT_START: u64 = 300;
/// Largest number of ticks that are run again.
const MOST_TICKS: u64 = 6_000;
/// Largest number of agents times ticks in a file with a row for each (about 60 bytes), as the file
/// is kept in memory.
const MOST_ROWS: u64 = 1_000_000;

/// A file that is being made.
pub(crate) trait Export {
    /// Runs one more tick; after the last one returns the whole file.
    ///
    /// # Errors
    /// What the encoder or the log refused.
    fn advance(&mut self) -> Result<Option<Vec<u8>>, String>;
    /// The part that is done, from 0 to 1.
    fn progress(&self) -> f64;
}

/// The scene of an export: its name, title and setup, and its log.
pub(crate) struct Exported<'a, V: Vector> {
    pub(crate) name: &'a str,
    pub(crate) title: &'a str,
    pub(crate) setup: &'a Setup<V>,
    pub(crate) presentation: &'a Presentation,
    pub(crate) log: Log<V>,
}

/// The tick until which a format is recorded of a scene at tick `now`, for a crowd of this size;
/// `None` if its file is made from the present tick alone.
fn last_tick(format: &Format, now: u64, agents: usize) -> Option<u64> {
    let wanted = if now == 0 { TICKS_AT_START } else { now };
    match format.source {
        RunData::Rows => {
            let rows = (MOST_ROWS / (agents as u64).max(1)).max(1);
            Some(wanted.min(MOST_TICKS).min(rows))
        }
        RunData::EveryTick => Some(wanted.min(MOST_TICKS)),
        RunData::LastTick => None,
        // Trails and summaries are of the whole run, or of none of it.
        _ => Some(now).filter(|now| *now <= MOST_TICKS),
    }
}

/// Begins a file of the run of a scene up to the tick of `present`; also returns a remark on what
/// the file leaves out.
///
/// # Errors
/// Why it cannot begin.
pub(crate) fn export<V: Vector>(
    format: &'static Format,
    scene: Exported<'_, V>,
    present: &Crowd<V>,
) -> Result<(Box<dyn Export>, String), String> {
    let info = |ticks| {
        let mut info = RunInfo::new(scene.name, scene.title, scene.setup, ticks);
        info.presentation.clone_from(scene.presentation);
        info
    };
    let begin = |crowd: &Crowd<V>, ticks| {
        RunOutputs::begin([(format, Vec::new())], crowd, info(ticks)).map_err(|e| e.to_string())
    };
    let now = present.tick();
    let crowd = Crowd::new(scene.setup.clone()).map_err(|e| e.to_string())?;
    let Some(ticks) = last_tick(format, now, crowd.len()) else {
        let file = finish(begin(present, 0)?, present)?;
        let remark = match format.source {
            RunData::LastTick => String::new(),
            _ => format!("; of tick {now} alone: `wayfare run` writes it of the whole run"),
        };
        return Ok((Box::new(Complete(Some(file))), remark));
    };
    let remark = if ticks < now {
        format!("; of {now} ticks the first {ticks}: `wayfare run` writes all")
    } else {
        String::new()
    };
    let outputs = Some(begin(&crowd, ticks)?);
    Ok((Box::new(Run { crowd, log: scene.log, ticks, outputs }), remark))
}

fn finish<V: Vector>(outputs: RunOutputs<Vec<u8>, V>, crowd: &Crowd<V>) -> Result<Vec<u8>, String> {
    let (files, _) = outputs.finish(crowd, RunEnd::default()).map_err(|e| e.to_string())?;
    Ok(files.into_iter().flatten().collect())
}

/// A file that is complete already.
struct Complete(Option<Vec<u8>>);

impl Export for Complete {
    fn advance(&mut self) -> Result<Option<Vec<u8>>, String> {
        Ok(Some(self.0.take().unwrap_or_default()))
    }

    fn progress(&self) -> f64 {
        1.0
    }
}

struct Run<V: Vector> {
    crowd: Crowd<V>,
    log: Log<V>,
    ticks: u64,
    /// `None` after the last tick.
    outputs: Option<RunOutputs<Vec<u8>, V>>,
}

impl<V: Vector> Run<V> {
    /// Applies the commands of this tick.
    fn apply_log(&mut self) -> Result<(), String> {
        self.log.apply(&mut self.crowd).map_err(|refused| refused.error.to_string())
    }
}

impl<V: Vector> Export for Run<V> {
    fn advance(&mut self) -> Result<Option<Vec<u8>>, String> {
        self.apply_log()?;
        if self.crowd.tick() < self.ticks {
            self.crowd.step();
            if let Some(outputs) = &mut self.outputs {
                outputs.record(&self.crowd).map_err(|e| e.to_string())?;
            }
            return Ok(None);
        }
        self.outputs.take().map(|outputs| finish(outputs, &self.crowd)).transpose()
    }

    fn progress(&self) -> f64 {
        self.crowd.tick() as f64 / self.ticks.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_are_cut_by_ticks_or_rows_and_pictures_of_them_show_one_tick() {
        let format = |extension| Format::from_extension(extension).unwrap();
        let last = |extension, now, agents| last_tick(format(extension), now, agents);
        assert_eq!([last("gif", 0, 9), last("gif", 70, 9)], [Some(300), Some(70)]);
        assert_eq!(last("gif", 9_000, 9), Some(6_000));
        assert_eq!(last("csv", 9_000, 9), Some(6_000));
        assert_eq!(last("csv", 9_000, 2_000), Some(500));
        assert_eq!([last("png", 0, 9), last("png", 70, 9)], [Some(0), Some(70)]);
        assert_eq!([last("png", 9_000, 9), last("snapshot", 70, 9)], [None, None]);
    }
}
