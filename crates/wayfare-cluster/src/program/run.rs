//! `wayfare-mpi run`.

use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use wayfare::Vector;
use wayfare::crowd::Command;
use wayfare_record::output::RunInfo;
use wayfare_record::resolved_path;
use wayfare_scene::{AnyScene, Scene, Severity, Source, read_log, text_of};

use super::agreement::agree;
use super::{Common, Failure, number, print, refuse_scene, unreadable};
use crate::checkpoint::{CheckpointError, Checkpoints};
use crate::cluster::Cluster;
use crate::error::ClusterError;
use crate::link::Link;
use crate::output::{TrajectoryError, TrajectoryWriter};

/// The options of `run`.
#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) common: Common,
    /// The tick to end at, counted from the start of the scene; by default the scene's duration
    #[arg(long, value_name = "N", value_parser = number::<0, { u64::MAX }>)]
    ticks: Option<u64>,
    /// The time to end at, in the scene's unit of time, in place of a tick
    #[arg(long, value_name = "T", conflicts_with = "ticks", value_parser = time)]
    time: Option<f64>,
    /// The seed of all random numbers; by default the scene's
    #[arg(long, value_name = "N", value_parser = number::<0, { u64::MAX }>)]
    seed: Option<u64>,
    /// Write ticks 0, N, 2 N, … to the trajectory
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<1, { u64::MAX }>)]
    every: u64,
    /// Write the trajectory to this folder, whose name ends in .parquet: a table for each rank
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// A log of commands to replay (one JSON object per line)
    #[arg(long, value_name = "LOG")]
    input: Option<PathBuf>,
    /// Write checkpoints to this folder; the last one replaces the earlier ones
    #[arg(long, value_name = "FOLDER")]
    checkpoints: Option<PathBuf>,
    /// The number of ticks from one checkpoint to the next
    #[arg(long, value_name = "N", default_value_t = 100, requires = "checkpoints")]
    #[arg(value_parser = number::<1, { u64::MAX }>)]
    checkpoint_every: u64,
    /// Go on from the last checkpoint in this folder
    #[arg(long, value_name = "FOLDER")]
    resume: Option<PathBuf>,
    /// For tests: a rank ends itself at a tick, with + while the next checkpoint is written
    #[arg(long, value_name = "RANK:TICK", hide = true, value_parser = crash)]
    crash: Option<Crash>,
    /// Print a hash of the final state as the last line; that of `wayfare run --digest`
    #[arg(long)]
    digest: bool,
    /// Print no summary and no progress bar
    #[arg(short, long)]
    quiet: bool,
}

impl Options {
    /// Refuses an output that is the scene or has no format.
    fn check_output(&self) -> Result<(), Failure> {
        let Some(path) = &self.output else { return Ok(()) };
        refuse_scene("-o", path, &self.common.scene)?;
        if path.extension().is_some_and(|extension| extension == "parquet") {
            return Ok(());
        }
        Err(Failure::input(format!(
            "error: `-o {}`: its extension selects no output format\nallowed: a folder that ends \
             in .parquet",
            path.display()
        )))
    }

    /// Refuses a folder of checkpoints that this run does not resume: its own checkpoints would
    /// replace those of the other run, also later ones.
    fn check_checkpoints(&self) -> Result<(), Failure> {
        let Some(folder) = &self.checkpoints else { return Ok(()) };
        let same = |other: &PathBuf| resolved_path(other) == resolved_path(folder);
        if self.resume.as_ref().is_some_and(same) {
            return Ok(());
        }
        match Checkpoints::in_folder(folder).last().map_err(checkpoint_failed)? {
            None => Ok(()),
            Some((tick, _)) => Err(Failure::input(format!(
                "error: `--checkpoints {0}`: it holds a checkpoint of tick {tick}\nallowed: \
                 `--resume {0}` besides, or a folder without checkpoints",
                folder.display()
            ))),
        }
    }

    /// The commands of the log, which all ranks have read alike.
    fn commands<V: Vector>(
        &self,
        dt: f64,
        link: &mut impl Link,
    ) -> Result<Vec<(u64, Command<V>)>, Failure> {
        let Some(path) = &self.input else { return Ok(Vec::new()) };
        agree(link, &path.display().to_string(), commands(path, dt))
    }
}

/// The rank and the tick of a deliberate crash.
#[derive(Clone, Copy, Debug)]
struct Crash {
    rank: usize,
    tick: u64,
    /// Not at once, but while the next checkpoint is written.
    during_checkpoint: bool,
}

fn time(text: &str) -> Result<f64, String> {
    let time = text.parse().ok().filter(|time| (0.0..=1e18).contains(time));
    time.ok_or_else(|| "allowed: a time from 0 to 1e18".to_string())
}

fn crash(text: &str) -> Result<Crash, String> {
    let (start, during_checkpoint) =
        text.strip_suffix('+').map_or((text, false), |start| (start, true));
    start
        .split_once(':')
        .and_then(|(rank, tick)| {
            let (rank, tick) = (rank.parse().ok()?, tick.parse().ok()?);
            Some(Crash { rank, tick, during_checkpoint })
        })
        .ok_or_else(|| "allowed: a rank, a colon and a tick".to_string())
}

impl Crash {
    /// Ends this process if it is its turn.
    fn inject(self, rank: usize, tick: u64, checkpoints: Option<&Path>) {
        if rank != self.rank || tick != self.tick {
            return;
        }
        let Some(folder) = checkpoints.filter(|_| self.during_checkpoint) else {
            std::process::abort();
        };
        let folder = folder.to_path_buf();
        std::thread::spawn(move || {
            loop {
                let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
                let is_partial = |name: &str| name.starts_with("partial-");
                if entries.into_iter().any(|e| e.file_name().to_str().is_some_and(is_partial)) {
                    std::process::abort();
                }
            }
        });
    }
}

pub(super) fn run(options: &Options, mut link: impl Link) -> Result<(), Failure> {
    let checked = options.check_output().and_then(|()| options.check_checkpoints());
    agree(&mut link, "the folder of checkpoints", checked)?;
    let loaded = options.common.load(&mut link)?;
    let source = loaded.source;
    match loaded.scene {
        AnyScene::TwoD(scene) => simulate(scene, &source, options, link),
        AnyScene::ThreeD(scene) => simulate(scene, &source, options, link),
    }
}
fn commands<V: Vector>(path: &Path, dt: f64) -> Result<Vec<(u64, Command<V>)>, Failure> {
    let text = text_of(path).map_err(unreadable)?;
    let source = Source { name: path.display().to_string(), text };
    let log = read_log(&source, dt)
        .map_err(|problems| Failure::input(source.render(Severity::Error, &problems, false)))?;
    Ok(log.commands().map(|(tick, command)| (tick, command.clone())).collect())
}

fn simulate<V: Vector, L: Link>(
    mut scene: Scene<V>,
    source: &Source,
    options: &Options,
    mut link: L,
) -> Result<(), Failure> {
    let commands = options.commands(scene.setup.dt, &mut link)?;
    if let Some(seed) = options.seed {
        scene.setup.seed = seed;
    }
    let ticks = options.ticks.or_else(|| options.time.map(|time| scene.ticks_to(time)));
    let ticks = ticks.unwrap_or_else(|| scene.ticks());
    let mut info = RunInfo::new(&source.name, &scene.title, &scene.setup, ticks);
    info.every = options.every;
    info.presentation.clone_from(&scene.presentation);
    info.scene_text.clone_from(&source.text);
    let settings = options.common.settings();
    let mut cluster = match &options.resume {
        Some(folder) => Checkpoints::in_folder(folder)
            .resume(scene.setup, link, settings)
            .map_err(checkpoint_failed)?,
        None => Cluster::new(scene.setup, link, settings).map_err(cluster_failed)?,
    };
    cluster.set_threads(options.common.threads as usize).map_err(Failure::system)?;
    let start = cluster.crowd().tick();
    if start > ticks {
        return Err(Failure::input(format!(
            "error: the checkpoint is of tick {start}, and the run ends at tick {ticks}\nallowed: \
             --ticks from {start}"
        )));
    }
    let mut next = commands.partition_point(|(tick, _)| *tick < start);
    let checkpoints = options.checkpoints.as_deref().map(Checkpoints::in_folder);
    let begin = |folder: &PathBuf| TrajectoryWriter::begin(folder, &mut cluster, info);
    let mut parts = options.output.as_ref().map(begin).transpose().map_err(parts_failed)?;
    let shown = !options.quiet && cluster.rank() == 0;
    let bar = if shown { progress_bar(ticks - start) } else { ProgressBar::hidden() };
    while cluster.crowd().tick() < ticks {
        while let Some((_, command)) =
            commands.get(next).filter(|(tick, _)| *tick <= cluster.crowd().tick())
        {
            cluster.apply(command).map_err(cluster_failed)?;
            next += 1;
        }
        if let Some(crash) = options.crash {
            let checkpoints = options.checkpoints.as_deref();
            crash.inject(cluster.rank(), cluster.crowd().tick(), checkpoints);
        }
        cluster.step().map_err(cluster_failed)?;
        if let Some(parts) = &mut parts {
            parts.record(&cluster).map_err(Failure::system)?;
        }
        if let Some(checkpoints) = &checkpoints
            && cluster.crowd().tick().is_multiple_of(options.checkpoint_every)
        {
            checkpoints.write(&mut cluster).map_err(checkpoint_failed)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if options.crash.is_some_and(|crash| crash.rank == cluster.rank()) {
        // No checkpoint was written slowly enough.
        std::process::abort();
    }
    if let Some(parts) = parts {
        parts.finish(&mut cluster).map_err(parts_failed)?;
    }
    let usage = cluster.all_usage().map_err(cluster_failed)?;
    let agents = cluster.agents().map_err(cluster_failed)?;
    let counts = cluster.counts().map_err(cluster_failed)?;
    let digest = cluster.digest().map_err(cluster_failed)?;
    if cluster.rank() > 0 {
        return Ok(());
    }
    if !options.quiet {
        let steps: u64 = usage.iter().map(|usage| usage.agent_steps).sum();
        let seconds = usage.iter().map(|usage| usage.time.as_secs_f64()).fold(0.0, f64::max);
        print(&format!(
            "{}: tick {ticks}, {agents} agents, {} ranks, {:.0} agent-steps/s\n",
            source.name,
            usage.len(),
            steps as f64 / seconds.max(f64::MIN_POSITIVE)
        ));
        for (line, (left, right)) in cluster.crowd().lines().iter().zip(&counts.lines) {
            print(&format!(
                "  line {}: {left} to the left, {right} to the right\n",
                line.line.name
            ));
        }
        for (exit, left) in cluster.crowd().exits().iter().zip(&counts.exits) {
            print(&format!("  exit {}: {left} left\n", exit.id.0));
        }
    }
    if options.digest {
        print(&format!("{digest:016x}\n"));
    }
    Ok(())
}

fn cluster_failed(error: ClusterError) -> Failure {
    match error {
        ClusterError::Setup(_) | ClusterError::Command(_) => {
            Failure::input(format!("error: {error}"))
        }
        _ => Failure::system(error),
    }
}

/// Why a trajectory cannot begin or end, on which all ranks agree.
fn parts_failed(error: TrajectoryError) -> Failure {
    match error {
        TrajectoryError::File(message) => Failure::system(message).known(),
        TrajectoryError::Cluster(error) => cluster_failed(error),
    }
}

fn checkpoint_failed(error: CheckpointError) -> Failure {
    match error {
        CheckpointError::Cluster(error) => cluster_failed(error),
        CheckpointError::None(_) | CheckpointError::Damaged { .. } => {
            Failure::input(format!("error: {error}"))
        }
        // All ranks agree on it.
        _ => Failure::system(error).known(),
    }
}

/// A progress bar, which is shown only on a terminal.
fn progress_bar(count: u64) -> ProgressBar {
    let bar = ProgressBar::new(count);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} tick {pos} of {len}, {eta} left") {
        bar.set_style(style);
    }
    bar
}
