//! What `wayfare run` writes: trajectories, pictures and snapshots, each file whole or not at all.

use std::io::{Stdout, Write};
use std::path::{Path, PathBuf};

use wayfare::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_record::{Picture, RecordError, Trails, Trajectory, WholeFile, place_of};
use wayfare_scene::printable;

use crate::{Failure, error, shown, standard_output};

/// The kinds of output that a file's ending asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Csv,
    Png,
    Snapshot,
}

/// An output that was asked for, not yet begun.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// `None` is standard output.
    path: Option<PathBuf>,
    kind: Kind,
}

impl Wanted {
    /// What `-o name` asks for; `inputs` must not be written over.
    pub(crate) fn new(path: &Path, inputs: &[&Path]) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self { path: None, kind: Kind::Csv });
        }
        let name = shown(path);
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let kind = match ending.as_str() {
            "csv" => Kind::Csv,
            "png" => Kind::Png,
            "snapshot" => Kind::Snapshot,
            _ => {
                return Err(error(format!(
                    "`-o {name}`: no output is known by that ending\nallowed: a file that ends in .csv, .png or .snapshot, or - for CSV on standard output"
                )));
            }
        };
        for input in inputs {
            if place_of(input) == place_of(path) {
                return Err(error(format!("`-o {name}` is the input {}\nallowed: any other file", shown(input))));
            }
        }
        Ok(Self { path: Some(path.to_path_buf()), kind })
    }

    pub(crate) fn is_standard_output(&self) -> bool {
        self.path.is_none()
    }

    /// Whether two ask for the same file.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.path, &other.path) {
            (Some(a), Some(b)) => place_of(a) == place_of(b),
            (None, None) => true,
            _ => false,
        }
    }
}

fn outside(error: RecordError) -> Failure {
    Failure::Outside(format!("error: {}", printable(&error.to_string())))
}

/// Whether we were started with standard output closed. Rust's library then puts `/dev/null` there, opened for reading as well, and
/// all rows would go nowhere without a word. Only Linux tells.
fn standard_output_is_closed() -> bool {
    let nowhere = std::fs::read_link("/proc/self/fd/1").is_ok_and(|place| place == Path::new("/dev/null"));
    let about = std::fs::read_to_string("/proc/self/fdinfo/1").unwrap_or_default();
    // The last octal digit of the flags is 1 for writing alone, 2 for both.
    nowhere && about.lines().any(|line| line.starts_with("flags:") && line.ends_with('2'))
}

/// An output that is being written.
enum Open<V: Vector> {
    Csv(Trajectory<WholeFile>, PathBuf),
    StandardOutput(Trajectory<Stdout>),
    Png(WholeFile, Box<Trails<V>>),
    Snapshot(WholeFile),
}

/// All outputs of a run.
pub(crate) struct Outputs<V: Vector> {
    open: Vec<Open<V>>,
    /// The tick that the run begins with.
    start: u64,
}

/// What a failed write to a file means: its error names the path.
fn write_failed(error: std::io::Error) -> Failure {
    Failure::Outside(format!("error: {}", printable(&error.to_string())))
}

impl<V: Vector> Outputs<V> {
    /// Begins all outputs: a path that cannot be written is found before anything is run.
    pub(crate) fn open(wanted: &[Wanted], crowd: &Crowd<V>) -> Result<Self, Failure> {
        let mut open = Vec::new();
        for output in wanted {
            open.push(match (&output.path, output.kind) {
                (None, _) if standard_output_is_closed() => return Err(Failure::Outside("error: standard output is closed".to_string())),
                (None, _) => Open::StandardOutput(Trajectory::new(std::io::stdout(), crowd).map_err(standard_output)?),
                (Some(path), Kind::Csv) => {
                    let file = WholeFile::create(path).map_err(outside)?;
                    Open::Csv(Trajectory::new(file, crowd).map_err(write_failed)?, path.clone())
                }
                (Some(path), Kind::Snapshot) => Open::Snapshot(WholeFile::create(path).map_err(outside)?),
                (Some(path), Kind::Png) => Open::Png(WholeFile::create(path).map_err(outside)?, Box::new(Trails::new(crowd))),
            });
        }
        Ok(Self { open, start: crowd.tick() })
    }

    /// Takes the crowd's present state; `sampled` says whether the tick belongs into trajectories.
    pub(crate) fn record(&mut self, crowd: &Crowd<V>, sampled: bool) -> Result<(), Failure> {
        for output in &mut self.open {
            match output {
                Open::Csv(trajectory, _) if sampled => trajectory.record(crowd).map_err(write_failed)?,
                Open::StandardOutput(trajectory) if sampled => trajectory.record(crowd).map_err(standard_output)?,
                Open::Csv(..) | Open::StandardOutput(_) => {}
                // A picture's trails begin with the start by themselves.
                Open::Png(_, trails) if crowd.tick() > self.start => trails.record(crowd),
                Open::Png(..) | Open::Snapshot(_) => {}
            }
        }
        Ok(())
    }

    /// Finishes all outputs; gives back the files written.
    pub(crate) fn finish(self, title: &str, bounds: Option<Bounds<V>>, crowd: &Crowd<V>) -> Result<Vec<PathBuf>, Failure> {
        let mut ready = Vec::new();
        for output in self.open {
            match output {
                Open::Csv(trajectory, path) => ready.push((trajectory.finish().map_err(write_failed)?, path)),
                Open::StandardOutput(trajectory) => {
                    trajectory.finish().map_err(standard_output)?;
                }
                Open::Snapshot(mut file) => {
                    let path = file.path().to_path_buf();
                    file.write_all(&crowd.snapshot()).map_err(write_failed)?;
                    ready.push((file, path));
                }
                Open::Png(mut file, trails) => {
                    let path = file.path().to_path_buf();
                    let png = Picture { title, bounds, crowd, trails: &trails, pointer: crowd.pointer() }.png().map_err(outside)?;
                    file.write_all(&png).map_err(write_failed)?;
                    ready.push((file, path));
                }
            }
        }
        let mut written = Vec::new();
        for (file, path) in ready {
            file.commit().map_err(outside)?;
            written.push(path);
        }
        Ok(written)
    }
}
