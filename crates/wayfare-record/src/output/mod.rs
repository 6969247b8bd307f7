//! Output formats: the one list of files that a run can be written as, used by the command
//! (`wayfare run -o`) and by the viewer's export.
//!
//! [`FORMATS`] lists each format with its extension, its content and the part of the run that it
//! needs. [`RunOutputs`] feeds any number of outputs from one run and builds the [`Summary`].
//!
//! **A new format** is one file in this folder and its name in the list at the end of `mod.rs`
//! (besides its `mod` line). The file holds a `FORMAT`, an [`Output`] and a function `begin`.
//! The command, its help and error texts, and the viewer then offer it; the table in
//! docs/outputs.md needs a row, which a test of the command checks.
//!
//! ```
//! # use wayfare::{crowd::{Group, Setup, Spawn}, glam::vec2, Crowd};
//! use wayfare_record::output::{Format, RunEnd, RunInfo, RunOutputs};
//! # let group = Group::new("walkers", 1, Spawn::point(vec2(1.0, 0.25)), 2.0);
//! # let setup = Setup::new(1.0).group(group);
//! let info = RunInfo::new("walkers.toml", "Walkers", &setup, 10);
//! let mut crowd = setup.crowd()?;
//! let files = ["csv", "png"].map(|name| (Format::from_extension(name).unwrap(), Vec::new()));
//! let mut outputs = RunOutputs::begin(files, &crowd, info)?;
//! for _ in 0..10 {
//!     crowd.step();
//!     outputs.record(&crowd)?;
//! }
//! let (files, summary) = outputs.finish(&crowd, RunEnd::default())?;
//! assert!(files[0].starts_with(b"tick,time,id") && files[1].starts_with(b"\x89PNG"));
//! assert_eq!(summary.ticks(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{self, Write};
use std::path::Path;

use wayfare::crowd::Setup;
use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_measure::EndValue;
use wayfare_scene::Presentation;

use crate::destination::Destination;
use crate::rows::{CrowdRows, Header};
use crate::{Overlaps, Picture, RecordError, RunCounters, Summary, Trails};

mod csv;
mod gif;
mod json;
mod of_rows;
#[cfg(not(target_arch = "wasm32"))]
mod parquet;
mod png;
mod snapshot;
#[cfg(not(target_arch = "wasm32"))]
mod sqlite;
mod svg;
mod txt;

use of_rows::RowsOutput;

/// A format that a run can be written in.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Format {
    /// The file name extension that selects the format, in lower case, without a dot.
    pub extension: &'static str,
    /// The content of the file, in a few words.
    pub content: &'static str,
    /// The part of the run that the file is made from.
    pub source: RunData,
    /// Whether it has runs in the plane only.
    pub planar: bool,
}

/// The part of a run that an output is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunData {
    /// All agents at every tick: the output has a row for each, and is written while the run goes
    /// on.
    Rows,
    /// Every tick: the output is written while the run goes on.
    EveryTick,
    /// One tick, and the [`Trails`] until then. The output is written at the end.
    Trails,
    /// The [`Summary`] of the whole run. The output is written at the end.
    Summary,
    /// The last tick alone. The output is written at the end.
    LastTick,
}

impl Format {
    /// Whether the output is written while the run goes on; all others are written at its end.
    pub fn streams(&self) -> bool {
        matches!(self.source, RunData::Rows | RunData::EveryTick)
    }

    /// The format with this extension, in any case and without a dot.
    pub fn from_extension(extension: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.extension.eq_ignore_ascii_case(extension))
    }

    /// The format that the extension of `path` selects.
    pub fn from_path(path: &Path) -> Option<&'static Self> {
        Self::from_extension(path.extension()?.to_str()?)
    }

    /// Why a run in space cannot be written in this format.
    pub fn refused_in_space(&self) -> String {
        format!("a .{} has two dimensions, and the scene has three", self.extension)
    }

    /// All extensions as the end of a sentence: `.csv, .png, … or .snapshot`.
    pub fn extensions() -> String {
        let all: Vec<String> =
            FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
        let (last, others) = all.split_last().map_or(("", &all[..]), |(last, rest)| (last, rest));
        format!("{} or {last}", others.join(", "))
    }
}

/// One output file of a run while it is written, in any format.
///
/// `W` is the destination: a file, standard output or a buffer.
pub trait Output<W: Write, V: Vector> {
    /// Takes the present state of the crowd. It is called at the start of the run and after each
    /// tick; formats that are written at the end ignore it.
    ///
    /// # Errors
    /// The destination failed; the output is incomplete.
    fn record(&mut self, _crowd: &Crowd<V>) -> io::Result<()> {
        Ok(())
    }

    /// Writes the rest, flushes, and returns the destination.
    ///
    /// # Errors
    /// The destination failed, or the run could not be encoded.
    fn finish(self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W>;
}

/// The data of a run that are known before its first tick.
#[derive(Clone, Debug)]
pub struct RunInfo<V: Vector> {
    /// The file or the name of the scene.
    pub scene: String,
    /// The title of the scene; it may be empty.
    pub title: String,
    /// The text of the scene, for files that keep it; empty by default.
    pub scene_text: String,
    /// The seed of the run.
    pub seed: u64,
    /// The bounds of the world (length), if it has any.
    pub bounds: Option<Bounds<V>>,
    /// The colors of the groups and the names of the units; plain by default.
    pub presentation: Presentation,
    /// The length of the run from its first tick on (ticks).
    pub ticks: u64,
    /// Formats that stream take the ticks that are multiples of `every`; at least 1, default 1.
    pub every: u64,
    /// The tick that pictures show; by default the last one, or where it has no agents the last
    /// one that has, of the ticks 1, 2, 4, 8, … of the run.
    pub picture_at: Option<u64>,
    counters: RunCounters<V>,
}

impl<V: Vector> RunInfo<V> {
    /// A run of a crowd of `setup` for `ticks` ticks, of which every tick is written.
    pub fn new(scene: &str, title: &str, setup: &Setup<V>, ticks: u64) -> Self {
        Self {
            scene: scene.to_string(),
            title: title.to_string(),
            scene_text: String::new(),
            seed: setup.seed,
            bounds: setup.bounds,
            presentation: Presentation::default(),
            ticks,
            every: 1,
            picture_at: None,
            counters: RunCounters::new(setup),
        }
    }

    /// The header of a trajectory of the run: the data that all rows share.
    fn rows_header(&self, crowd: &Crowd<V>) -> Header {
        let about = [
            ("scene", self.scene.clone()),
            ("title", self.title.clone()),
            ("scene_text", self.scene_text.clone()),
            ("seed", self.seed.to_string()),
            ("length_unit", self.presentation.units.length.clone()),
            ("time_unit", self.presentation.units.time.clone()),
        ];
        Header {
            about: about.map(|(key, value)| (key.to_string(), value)).to_vec(),
            ..CrowdRows::header(crowd, self.every)
        }
    }
}

/// The data of a run that are known only at its end. The default is a run that was not timed, came
/// to its end, and wrote no files.
#[derive(Clone, Debug, Default)]
pub struct RunEnd {
    /// The duration of the run, outputs included (seconds).
    pub seconds: f64,
    /// The duration of the ticks alone (seconds).
    pub step_seconds: f64,
    /// The number of commands in the log that come after the last tick.
    pub commands_left: usize,
    /// Whether the run was ended early.
    pub interrupted: bool,
    /// The files that were written.
    pub files: Vec<String>,
    /// The values of the measures over the whole run.
    pub measures: Vec<EndValue>,
}

/// A run after its last tick, as [`Output::finish`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct FinishedRun<'a, V: Vector> {
    /// The crowd after the last tick.
    pub crowd: &'a Crowd<V>,
    /// The crowd that pictures show, at the tick of [`RunInfo::picture_at`].
    pub shown: &'a Crowd<V>,
    /// The trails until then; empty unless an output's source is [`RunData::Trails`].
    pub trails: &'a Trails<V>,
    /// The summary of the run.
    pub summary: &'a Summary<'a, V>,
}

impl<V: Vector> FinishedRun<'_, V> {
    /// The picture of the tick that is shown, with the trails that led there.
    pub fn picture(&self) -> Picture<'_, V> {
        Picture {
            title: &self.summary.title,
            bounds: self.summary.bounds,
            crowd: self.shown,
            trails: self.trails,
            pointer: self.shown.pointer(),
            presentation: Some(&self.summary.presentation),
        }
    }
}

/// All outputs of one run, in any formats, and its summary.
pub struct RunOutputs<W: Write, V: Vector> {
    info: RunInfo<V>,
    outputs: Vec<Box<dyn Output<W, V> + Send>>,
    /// None if no output shows them.
    trails: Option<Trails<V>>,
    /// An earlier crowd that pictures may show, and its trails.
    moment: Option<(Crowd<V>, Trails<V>)>,
    /// The tick that the run began with.
    start: u64,
}

impl<W: Destination, V: Vector> RunOutputs<W, V> {
    /// Begins the outputs of a run, each a format and its destination, and records the start.
    ///
    /// # Errors
    /// A destination failed.
    pub fn begin(
        outputs: impl IntoIterator<Item = (&'static Format, W)>,
        crowd: &Crowd<V>,
        mut info: RunInfo<V>,
    ) -> io::Result<Self> {
        let (mut begun, mut sources) = (Vec::new(), Vec::new());
        for (format, out) in outputs {
            begun.push(begin(format, out, crowd, &info)?);
            sources.push(format.source);
        }
        // Counting overlaps during the run takes time: it is done for a summary that is written.
        let counts_overlaps = sources.contains(&RunData::Summary);
        info.counters.begin(crowd, counts_overlaps.then_some(info.ticks));
        let mut run = Self {
            info,
            outputs: begun,
            trails: sources.contains(&RunData::Trails).then(|| Trails::new(crowd)),
            moment: None,
            start: crowd.tick(),
        };
        run.record_outputs(crowd)?;
        run.keep_moment(crowd);
        Ok(run)
    }

    /// Takes the state of the crowd; to be called after each tick.
    ///
    /// # Errors
    /// A destination failed.
    pub fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        self.record_outputs(crowd)?;
        if let Some(trails) = &mut self.trails {
            trails.record(crowd);
        }
        self.keep_moment(crowd);
        self.info.counters.record(crowd);
        Ok(())
    }

    /// Keeps the crowd if pictures may show it.
    fn keep_moment(&mut self, crowd: &Crowd<V>) {
        let may_be_shown = match self.info.picture_at {
            Some(tick) => crowd.tick() == tick,
            None => (crowd.tick() - self.start).is_power_of_two() && !crowd.is_empty(),
        };
        if let Some(trails) = self.trails.as_ref().filter(|_| may_be_shown) {
            self.moment = Some((crowd.clone(), trails.clone()));
        }
    }

    fn record_outputs(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        self.outputs.iter_mut().try_for_each(|output| output.record(crowd))
    }

    /// Writes the rest of all outputs; returns their destinations in the order in which they were
    /// given, flushed, and the summary.
    ///
    /// # Errors
    /// A destination failed, or an output could not be encoded.
    pub fn finish(mut self, crowd: &Crowd<V>, end: RunEnd) -> io::Result<(Vec<W>, Summary<'_, V>)> {
        self.info.counters.count_members(crowd);
        let summary = Summary {
            overlaps: Overlaps::of(crowd, self.info.bounds),
            scene: self.info.scene,
            title: self.info.title,
            seed: self.info.seed,
            bounds: self.info.bounds,
            presentation: self.info.presentation,
            crowd,
            counters: self.info.counters,
            start: self.start,
            end,
        };
        let trails = self.trails.unwrap_or_else(Trails::empty);
        let is_earlier = self.info.picture_at.is_some() || crowd.is_empty();
        let moment = self.moment.as_ref().filter(|_| is_earlier);
        let (shown, trails) = moment.map_or((crowd, &trails), |(crowd, trails)| (crowd, trails));
        let run = FinishedRun { crowd, shown, trails, summary: &summary };
        let finished = self.outputs.into_iter().map(|output| output.finish(&run));
        let finished = finished.collect::<io::Result<Vec<W>>>()?;
        Ok((finished, summary))
    }
}

/// Writes a whole file and returns its destination.
fn written<W: Write>(mut out: W, bytes: &[u8]) -> io::Result<W> {
    out.write_all(bytes)?;
    out.flush()?;
    Ok(out)
}

/// The error of an encoder, which is not an error of the destination.
fn encoding(error: RecordError) -> io::Error {
    io::Error::other(error)
}

/// Defines [`FORMATS`] and the function that begins an output of one of them.
macro_rules! formats {
    ($($(#[$attribute:meta])* $module:ident),* $(,)?) => {
        /// All formats, in the order in which they are shown. On a web page there are no
        /// Parquet and SQLite.
        pub static FORMATS: &[Format] = &[$($(#[$attribute])* $module::FORMAT),*];

        fn begin<W: Destination, V: Vector>(
            format: &Format,
            out: W,
            crowd: &Crowd<V>,
            info: &RunInfo<V>,
        ) -> io::Result<Box<dyn Output<W, V> + Send>> {
            $($(#[$attribute])* if *format == $module::FORMAT {
                return Ok(Box::new($module::begin(out, crowd, info)?));
            })*
            Err(io::Error::other(format!("the format .{} is not in the list", format.extension)))
        }
    };
}

formats! {
    csv,
    // Both need a C library, which the toolchain of the page does not build.
    #[cfg(not(target_arch = "wasm32"))]
    parquet,
    #[cfg(not(target_arch = "wasm32"))]
    sqlite,
    txt,
    png,
    svg,
    gif,
    json,
    snapshot,
}

#[cfg(test)]
mod tests;
