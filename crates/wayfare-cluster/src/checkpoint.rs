//! Checkpoints: the state of all ranks at one tick, in files. A run can resume from one with any
//! number of ranks.
//!
//! A checkpoint is a folder `tick-N` in the folder of checkpoints. Each rank writes its agents as
//! `agents-R`; the first rank also writes the state of the world, and last the manifest. They write
//! into a folder of another name, which is renamed to `tick-N` at the end: a checkpoint is complete
//! or absent.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use serde::{Deserialize, Serialize};
use wayfare::Vector;
use wayfare::crowd::Setup;

use crate::cluster::{Cluster, Settings};
use crate::error::ClusterError;
use crate::link::Link;

/// The version of the format.
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
const WORLD: &str = "world.snapshot";

/// The manifest of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: u32,
    tick: u64,
    ranks: usize,
    agents: u64,
    /// The digest of the whole crowd, in hexadecimal digits.
    digest: String,
}

/// A folder of checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    folder: PathBuf,
}

/// Why a checkpoint cannot be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file or folder cannot be read or written.
    File {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder has no checkpoint.
    None(PathBuf),
    /// The file is no part of a checkpoint of this scene.
    Damaged {
        /// Its path.
        path: PathBuf,
        /// The problem.
        what: String,
    },
    /// Another rank has failed to write or read its part.
    OtherRank {
        /// The rank.
        rank: usize,
        /// Its message.
        message: String,
    },
    /// The cluster has failed.
    Cluster(ClusterError),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::None(path) => write!(
                f,
                "{} holds no checkpoint\nallowed: a folder with a folder `tick-N` that a run with \
                 --checkpoints has written",
                path.display()
            ),
            Self::Damaged { path, what } => write!(
                f,
                "{}: {what}\nallowed: a checkpoint of a run of this scene",
                path.display()
            ),
            Self::OtherRank { rank, message } => write!(f, "rank {rank}: {message}"),
            Self::Cluster(error) => error.fmt(f),
        }
    }
}

impl error::Error for CheckpointError {}

impl From<ClusterError> for CheckpointError {
    fn from(error: ClusterError) -> Self {
        Self::Cluster(error)
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> CheckpointError + '_ {
    |source| CheckpointError::File { path: path.to_path_buf(), source }
}

/// Writes a file that is on the disk when this returns.
fn write(path: &Path, bytes: &[u8]) -> Result<(), CheckpointError> {
    let written = File::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(failed(path))
}

impl Checkpoints {
    /// The checkpoints in `folder`; the first checkpoint creates the folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The tick and the folder of the latest checkpoint, if there is one.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn last(&self) -> Result<Option<(u64, PathBuf)>, CheckpointError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(failed(&self.folder)(e)),
        };
        let mut last = None;
        for entry in entries {
            let path = entry.map_err(failed(&self.folder))?.path();
            let tick = path.file_name().and_then(|name| name.to_str()?.strip_prefix("tick-"));
            if let Some(tick) = tick.and_then(|tick| tick.parse().ok())
                && path.join(MANIFEST).is_file()
            {
                last = last.max(Some((tick, path)));
            }
        }
        Ok(last)
    }

    /// Writes a checkpoint of `cluster`, and then removes the earlier ones. Collective: all ranks
    /// call this.
    ///
    /// # Errors
    /// A file cannot be written, on any rank; the earlier checkpoints stay.
    pub fn write<V: Vector, L: Link>(
        &self,
        cluster: &mut Cluster<V, L>,
    ) -> Result<(), CheckpointError> {
        let (digest, agents, counts) = (cluster.digest()?, cluster.agents()?, cluster.counts()?);
        let tick = cluster.crowd().tick();
        let (rank, ranks) = (cluster.rank(), cluster.ranks());
        let partial = self.folder.join(format!("partial-{tick}"));
        let begun = if rank == 0 { Self::begin(&partial) } else { Ok(()) };
        agree(cluster, begun)?;
        let mine = write(&partial.join(format!("agents-{rank}")), &cluster.agents_as_bytes()?);
        let mine = mine.and_then(|()| {
            if rank > 0 {
                return Ok(());
            }
            write(&partial.join(WORLD), &cluster.world_as_bytes(&counts))
        });
        agree(cluster, mine)?;
        let ended = if rank == 0 {
            let digest = format!("{digest:016x}");
            self.end(&partial, &Manifest { format: FORMAT, tick, ranks, agents, digest })
        } else {
            Ok(())
        };
        agree(cluster, ended)
    }

    fn begin(partial: &Path) -> Result<(), CheckpointError> {
        // Of a run that was ended while it wrote.
        if partial.exists() {
            fs::remove_dir_all(partial).map_err(failed(partial))?;
        }
        fs::create_dir_all(partial).map_err(failed(partial))
    }

    /// Makes the folder `partial` the checkpoint, and removes the earlier ones.
    fn end(&self, partial: &Path, manifest: &Manifest) -> Result<(), CheckpointError> {
        let path = partial.join(MANIFEST);
        let text = serde_json::to_vec_pretty(manifest).map_err(|e| failed(&path)(e.into()))?;
        write(&path, &text)?;
        let on_disk = |folder: &Path| File::open(folder).and_then(|folder| folder.sync_all());
        on_disk(partial).map_err(failed(partial))?;
        let whole = self.folder.join(format!("tick-{}", manifest.tick));
        if whole.exists() {
            // Of an earlier run into the same folder.
            let replaced = self.folder.join(format!("replaced-{}", manifest.tick));
            fs::rename(&whole, &replaced).map_err(failed(&whole))?;
        }
        fs::rename(partial, &whole).map_err(failed(&whole))?;
        on_disk(&self.folder).map_err(failed(&self.folder))?;
        // An old folder that cannot be removed only takes disk space.
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_ours = ["tick-", "partial-", "replaced-"].into_iter().any(|start| {
                name.strip_prefix(start).is_some_and(|tick| tick.parse::<u64>().is_ok())
            });
            if is_ours && path != whole && path.is_dir() {
                let _ = fs::remove_dir_all(&path);
            }
        }
        Ok(())
    }

    /// A cluster of the crowd that `setup` describes, in the state of the latest checkpoint.
    /// Collective: all ranks call this; their number may differ from that of the ranks that wrote
    /// it.
    ///
    /// # Errors
    /// There is no checkpoint, or it belongs to another setup, on any rank.
    pub fn resume<V: Vector, L: Link>(
        &self,
        setup: Setup<V>,
        link: L,
        settings: Settings,
    ) -> Result<Cluster<V, L>, CheckpointError> {
        let mut cluster = Cluster::new(setup, link, settings)?;
        let read = self.read(&mut cluster);
        let manifest = agree(&mut cluster, read)?;
        cluster.resumed()?;
        let digest = format!("{:016x}", cluster.digest()?);
        let agents = cluster.agents()?;
        let is_same = digest == manifest.digest && agents == manifest.agents;
        // A rank may have read the manifest of another checkpoint.
        let compared = if is_same {
            Ok(())
        } else {
            let what =
                format!("its digest is {}, and that of its agents {digest}", manifest.digest);
            Err(CheckpointError::Damaged { path: self.folder.clone(), what })
        };
        agree(&mut cluster, compared)?;
        Ok(cluster)
    }

    /// Reads the world, and those parts that this rank takes first.
    fn read<V: Vector, L: Link>(
        &self,
        cluster: &mut Cluster<V, L>,
    ) -> Result<Manifest, CheckpointError> {
        let (_, folder) = self.last()?.ok_or_else(|| CheckpointError::None(self.folder.clone()))?;
        let path = folder.join(MANIFEST);
        let damaged = |path: &Path, what: String| {
            let path = path.to_path_buf();
            CheckpointError::Damaged { path, what }
        };
        let bytes = fs::read(&path).map_err(failed(&path))?;
        let manifest: Manifest =
            serde_json::from_slice(&bytes).map_err(|e| damaged(&path, e.to_string()))?;
        if manifest.format != FORMAT {
            let what =
                format!("its format is {}, and this program reads {FORMAT}", manifest.format);
            return Err(damaged(&path, what));
        }
        let path = folder.join(WORLD);
        let bytes = fs::read(&path).map_err(failed(&path))?;
        cluster.set_world(&bytes).map_err(|e| damaged(&path, e.to_string()))?;
        for part in (cluster.rank()..manifest.ranks).step_by(cluster.ranks()) {
            let path = folder.join(format!("agents-{part}"));
            let bytes = fs::read(&path).map_err(failed(&path))?;
            cluster.receive(&bytes).map_err(|e| damaged(&path, e.to_string()))?;
        }
        Ok(manifest)
    }
}

/// The value of this rank, if all ranks have succeeded.
fn agree<T, V: Vector, L: Link>(
    cluster: &mut Cluster<V, L>,
    outcome: Result<T, CheckpointError>,
) -> Result<T, CheckpointError> {
    let message = outcome.as_ref().err().map(ToString::to_string);
    let other = cluster.first_error(message.as_deref())?;
    let value = outcome?;
    other.map_or(Ok(value), |(rank, message)| Err(CheckpointError::OtherRank { rank, message }))
}
