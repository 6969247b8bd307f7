//! What `wayfare run` writes: trajectories, pictures, animations, summaries and snapshots, each
//! file whole or not at all.

use std::io::{Stdout, Write};
use std::path::{Path, PathBuf};

use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_record::{Animation, Picture, RecordError, Trails, Trajectory, WholeFile, place_of};
use wayfare_scene::printable;

use crate::{Failure, error, shown, standard_output};

/// The kinds of output that a file's ending asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Csv,
    Png,
    Svg,
    Gif,
    Json,
    Snapshot,
}

/// Each kind and the ending that asks for it.
const KINDS: [(&str, Kind); 6] = [
    ("csv", Kind::Csv),
    ("png", Kind::Png),
    ("svg", Kind::Svg),
    ("gif", Kind::Gif),
    ("json", Kind::Json),
    ("snapshot", Kind::Snapshot),
];

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
        let ending =
            path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let Some(&(_, kind)) = KINDS.iter().find(|(known, _)| *known == ending) else {
            let endings = KINDS.map(|(ending, _)| format!(".{ending}"));
            let allowed = format!(
                "{} or {}",
                endings[..endings.len() - 1].join(", "),
                endings[endings.len() - 1]
            );
            return Err(error(format!(
                "`-o {name}`: no output is known by that ending\nallowed: a file that ends in \
                 {allowed}, or - for CSV on standard output"
            )));
        };
        for input in inputs {
            if place_of(input) == place_of(path) {
                return Err(error(format!(
                    "`-o {name}` is the input {}\nallowed: any other file",
                    shown(input)
                )));
            }
        }
        Ok(Self { path: Some(path.to_path_buf()), kind })
    }

    pub(crate) fn is_standard_output(&self) -> bool {
        self.path.is_none()
    }

    /// Whether a summary is asked for as a file.
    pub(crate) fn is_summary(&self) -> bool {
        self.kind == Kind::Json
    }

    /// The file that is asked for.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
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

/// Whether we were started with standard output closed. Rust's library then puts `/dev/null` there,
/// opened for reading as well, and all rows would go nowhere without a word. Only Linux tells.
fn standard_output_is_closed() -> bool {
    let nowhere =
        std::fs::read_link("/proc/self/fd/1").is_ok_and(|place| place == Path::new("/dev/null"));
    let about = std::fs::read_to_string("/proc/self/fdinfo/1").unwrap_or_default();
    // The last octal digit of the flags is 1 for writing alone, 2 for both.
    nowhere && about.lines().any(|line| line.starts_with("flags:") && line.ends_with('2'))
}

/// An output that is being written.
enum Open<V: Vector> {
    Csv(Trajectory<WholeFile>),
    StandardOutput(Trajectory<Stdout>),
    Gif(Box<Animation<WholeFile, V>>),
    // Written at the end, from what is then known.
    Png(WholeFile),
    Svg(WholeFile),
    Json(WholeFile),
    Snapshot(WholeFile),
}

/// What the outputs are to show of a run.
pub(crate) struct Show<'a, V> {
    pub(crate) title: &'a str,
    pub(crate) bounds: Option<Bounds<V>>,
    /// How many ticks the run is to go on for.
    pub(crate) ticks: u64,
    /// Trajectories and animations take ticks that this divides.
    pub(crate) every: u64,
}

/// All outputs of a run.
pub(crate) struct Outputs<'a, V: Vector> {
    show: Show<'a, V>,
    open: Vec<Open<V>>,
    /// Where everybody went, if there is a picture to be drawn.
    trails: Option<Trails<V>>,
    /// The tick that the run begins with.
    start: u64,
}

/// What a failed write to a file means: its error names the path.
fn write_failed(error: std::io::Error) -> Failure {
    Failure::Outside(format!("error: {}", printable(&error.to_string())))
}

impl<'a, V: Vector> Outputs<'a, V> {
    /// Begins all outputs: a path that cannot be written is found before anything is run.
    pub(crate) fn open(
        wanted: &[Wanted],
        crowd: &Crowd<V>,
        show: Show<'a, V>,
    ) -> Result<Self, Failure> {
        let mut open = Vec::new();
        for output in wanted {
            let Some(path) = &output.path else {
                if standard_output_is_closed() {
                    return Err(Failure::Outside("error: standard output is closed".to_string()));
                }
                open.push(Open::StandardOutput(
                    Trajectory::new(std::io::stdout(), crowd).map_err(standard_output)?,
                ));
                continue;
            };
            let file = WholeFile::create(path).map_err(outside)?;
            open.push(match output.kind {
                Kind::Csv => Open::Csv(Trajectory::new(file, crowd).map_err(write_failed)?),
                Kind::Gif => Open::Gif(Box::new(Animation::new(
                    file,
                    show.title,
                    show.bounds,
                    crowd,
                    show.ticks,
                    show.every,
                ))),
                Kind::Png => Open::Png(file),
                Kind::Svg => Open::Svg(file),
                Kind::Json => Open::Json(file),
                Kind::Snapshot => Open::Snapshot(file),
            });
        }
        let pictures = wanted.iter().any(|output| matches!(output.kind, Kind::Png | Kind::Svg));
        Ok(Self { show, open, trails: pictures.then(|| Trails::new(crowd)), start: crowd.tick() })
    }

    /// Takes the crowd's present state; to be called at the start and after each tick.
    pub(crate) fn record(&mut self, crowd: &Crowd<V>) -> Result<(), Failure> {
        let sampled = crowd.tick().is_multiple_of(self.show.every);
        for output in &mut self.open {
            match output {
                Open::Csv(trajectory) if sampled => {
                    trajectory.record(crowd).map_err(write_failed)?
                }
                Open::StandardOutput(trajectory) if sampled => {
                    trajectory.record(crowd).map_err(standard_output)?
                }
                Open::Gif(animation) => animation.record(crowd).map_err(write_failed)?,
                Open::Csv(_)
                | Open::StandardOutput(_)
                | Open::Png(_)
                | Open::Svg(_)
                | Open::Json(_)
                | Open::Snapshot(_) => {}
            }
        }
        // A picture's trails begin with the start by themselves.
        if let Some(trails) = self.trails.as_mut().filter(|_| crowd.tick() > self.start) {
            trails.record(crowd);
        }
        Ok(())
    }

    /// Finishes all outputs: nothing takes its place before everything has been written. `summary`
    /// is what a summary says.
    pub(crate) fn finish(self, crowd: &Crowd<V>, summary: &str) -> Result<(), Failure> {
        let (title, bounds) = (self.show.title, self.show.bounds);
        let picture = self.trails.as_ref().map(|trails| Picture {
            title,
            bounds,
            crowd,
            trails,
            pointer: crowd.pointer(),
        });
        let mut ready = Vec::new();
        for output in self.open {
            let (mut file, bytes) = match output {
                Open::StandardOutput(trajectory) => {
                    trajectory.finish().map_err(standard_output)?;
                    continue;
                }
                Open::Csv(trajectory) => (trajectory.finish().map_err(write_failed)?, Vec::new()),
                Open::Gif(animation) => {
                    (animation.finish(crowd).map_err(write_failed)?, Vec::new())
                }
                Open::Png(file) => (
                    file,
                    picture.map_or(Ok(Vec::new()), |picture| picture.png()).map_err(outside)?,
                ),
                Open::Svg(file) => {
                    (file, picture.map_or(Vec::new(), |picture| picture.svg().into_bytes()))
                }
                Open::Json(file) => (file, summary.as_bytes().to_vec()),
                Open::Snapshot(file) => (file, crowd.snapshot()),
            };
            file.write_all(&bytes).and_then(|()| file.flush()).map_err(write_failed)?;
            ready.push(file);
        }
        ready.into_iter().try_for_each(|file| file.commit().map_err(outside))
    }
}
