//! Trajectories of a cluster: a folder with a table of Parquet for each rank, and a manifest.
//!
//! The folder has the name that was asked for, such as `out.parquet`: pandas and pyarrow read it as
//! one table. It is written under another name and renamed at the end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use wayfare::Vector;
use wayfare_record::WholeFile;
use wayfare_record::output::{Format, RunEnd, RunInfo, RunOutputs};

use crate::cluster::Cluster;
use crate::error::ClusterError;
use crate::link::Link;

/// The name of the manifest; readers of tables skip a name with this first letter.
const MANIFEST: &str = "_manifest.json";

/// Writes a trajectory: each rank writes the agents that it owns into a file of its own.
pub struct TrajectoryWriter<V: Vector> {
    folder: PathBuf,
    partial: PathBuf,
    outputs: RunOutputs<WholeFile, V>,
    scene: String,
    seed: u64,
    every: u64,
    from_tick: u64,
    rows: u64,
}

/// Why a trajectory cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum TrajectoryError {
    /// A file or folder cannot be written, on any rank.
    File(String),
    /// The cluster has failed.
    Cluster(ClusterError),
}

impl std::fmt::Display for TrajectoryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(message) => f.write_str(message),
            Self::Cluster(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrajectoryError {}

impl From<ClusterError> for TrajectoryError {
    fn from(error: ClusterError) -> Self {
        Self::Cluster(error)
    }
}

#[derive(Serialize)]
struct Manifest<'a> {
    format: u32,
    scene: &'a str,
    seed: u64,
    every: u64,
    from_tick: u64,
    to_tick: u64,
    /// The digest of the crowd after the last tick, in hexadecimal digits.
    digest: String,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    file: String,
    rows: u64,
}

fn part_name(rank: usize) -> String {
    format!("part-{rank:05}.parquet")
}

/// The folder that a finished trajectory becomes; an existing one is replaced only if it is one.
fn check(folder: &Path) -> Result<(), String> {
    let is_other = folder.exists() && !folder.join(MANIFEST).is_file();
    if !is_other {
        return Ok(());
    }
    Err(format!(
        "{} exists\nallowed: a path where nothing is, or the folder of an earlier trajectory, \
         which has a {MANIFEST}",
        folder.display()
    ))
}

impl<V: Vector> TrajectoryWriter<V> {
    /// Begins the trajectory `folder` of the run `info`, and records the current state. Collective:
    /// all ranks call this.
    ///
    /// # Errors
    /// A file or folder cannot be created, on any rank. `folder` exists and is not a trajectory, or
    /// it holds the ticks before those of a resumed run.
    pub fn begin<L: Link>(
        folder: impl Into<PathBuf>,
        cluster: &mut Cluster<V, L>,
        info: RunInfo<V>,
    ) -> Result<Self, TrajectoryError> {
        let folder = folder.into();
        let mut name = std::ffi::OsString::from(".");
        name.push(folder.file_name().unwrap_or_default());
        name.push(".partial");
        let partial = folder.with_file_name(name);
        let tick = cluster.crowd().tick();
        let made = if cluster.rank() > 0 {
            Ok(())
        } else if tick > 0 && folder.exists() {
            Err(format!(
                "{} exists, and this run goes on from tick {tick}\nallowed: a path where nothing \
                 is",
                folder.display(),
            ))
        } else {
            Self::make(&folder, &partial)
        };
        agree(cluster, made)?;
        let (scene, seed, every) = (info.scene.clone(), info.seed, info.every);
        let path = partial.join(part_name(cluster.rank()));
        let begun = Format::from_extension("parquet")
            .ok_or_else(|| "this program writes no Parquet".to_string())
            .and_then(|format| {
                let file = WholeFile::create(&path).map_err(|e| e.to_string())?;
                RunOutputs::begin([(format, file)], cluster.crowd(), info)
                    .map_err(|e| e.to_string())
            });
        let outputs = agree(cluster, begun)?;
        let from_tick = cluster.crowd().tick();
        let mut parts = Self { folder, partial, outputs, scene, seed, every, from_tick, rows: 0 };
        parts.count(cluster);
        Ok(parts)
    }

    fn make(folder: &Path, partial: &Path) -> Result<(), String> {
        check(folder)?;
        let failed = |e: io::Error| format!("{}: {e}", partial.display());
        // Of a run that has not come to its end.
        if partial.exists() {
            fs::remove_dir_all(partial).map_err(failed)?;
        }
        fs::create_dir_all(partial).map_err(failed)
    }

    fn count<L: Link>(&mut self, cluster: &Cluster<V, L>) {
        if cluster.crowd().tick().is_multiple_of(self.every) {
            self.rows += cluster.crowd().len() as u64;
        }
    }

    /// Records the agents of this rank; call it after each tick.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record<L: Link>(&mut self, cluster: &Cluster<V, L>) -> Result<(), TrajectoryError> {
        self.count(cluster);
        self.outputs.record(cluster.crowd()).map_err(|e| TrajectoryError::File(e.to_string()))
    }

    /// Completes the trajectory and moves it to its folder. Collective: all ranks call this.
    ///
    /// # Errors
    /// A file cannot be written, on any rank; no trajectory is left.
    pub fn finish<L: Link>(self, cluster: &mut Cluster<V, L>) -> Result<(), TrajectoryError> {
        let Self { folder, partial, outputs, scene, seed, every, from_tick, rows } = self;
        let digest = format!("{:016x}", cluster.digest()?);
        let ended = outputs
            .finish(cluster.crowd(), RunEnd::default())
            .map_err(|e| e.to_string())
            .and_then(|(files, _)| {
                files.into_iter().try_for_each(|file| file.commit().map_err(|e| e.to_string()))
            });
        agree(cluster, ended)?;
        let parts = cluster.all_numbers(rows)?;
        let to_tick = cluster.crowd().tick();
        let joined = if cluster.rank() == 0 {
            let part = |(rank, rows)| Part { file: part_name(rank), rows };
            let parts = parts.into_iter().enumerate().map(part).collect();
            let manifest = Manifest {
                format: 1,
                scene: &scene,
                seed,
                every,
                from_tick,
                to_tick,
                digest,
                parts,
            };
            join(&folder, &partial, &manifest)
        } else {
            Ok(())
        };
        agree(cluster, joined)?;
        Ok(())
    }
}

/// Writes the manifest, and gives the folder its name.
fn join(folder: &Path, partial: &Path, manifest: &Manifest<'_>) -> Result<(), String> {
    let failed = |e: io::Error| format!("{}: {e}", folder.display());
    let text = serde_json::to_vec_pretty(manifest).map_err(|e| failed(e.into()))?;
    fs::write(partial.join(MANIFEST), text).map_err(failed)?;
    check(folder)?;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::rename(partial, folder).map_err(failed)
}

/// The value of this rank, if all ranks have succeeded.
fn agree<T, V: Vector, L: Link>(
    cluster: &mut Cluster<V, L>,
    outcome: Result<T, String>,
) -> Result<T, TrajectoryError> {
    let other = cluster.first_error(outcome.as_ref().err().map(String::as_str))?;
    let value = outcome.map_err(TrajectoryError::File)?;
    match other {
        None => Ok(value),
        Some((rank, message)) => Err(TrajectoryError::File(format!("rank {rank}: {message}"))),
    }
}
