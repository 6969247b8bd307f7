//! `wayfare run`: steps a scene, and writes what is asked for.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use wayfare::crowd::SNAPSHOT_MAGIC;
use wayfare::{Crowd, Vector};
use wayfare_record::output::{RunEnd, RunInfo, RunOutputs};
use wayfare_scene::{AnyScene, Log, Problem, Scene, Severity, Source};

use crate::bench::{share, threads};
use crate::interrupt::Interrupt;
use crate::load::{Loaded, find, scene, text_of};
use crate::output::{Destination, OutputRequest, write_failed};
use crate::summary;
use crate::{Failure, error, in_color, memory, say, shown};

/// The options of `wayfare run`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A scene file (.toml or .json), or the name of a bundled scene.
    scene: OsString,
    /// Up to which tick to run, counted from the scene's start; the scene's duration unless given.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_from::<0>)]
    ticks: Option<u64>,
    /// The seed of everything random; the scene's unless given.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_from::<0>)]
    seed: Option<u64>,
    /// Write ticks 0, N, 2 N, … into trajectories, the last tick only if it is one of them;
    /// animations take some of these ticks, and the last.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole_from::<1>)]
    every: u64,
    /// How many threads share each tick; as many as the machine has cores unless given. The result
    /// is the same.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    /// A log of commands (one JSON object a line) to replay.
    #[arg(long, value_name = "LOG")]
    input: Option<PathBuf>,
    /// A snapshot of this scene to go on from, instead of its start.
    #[arg(long, value_name = "SNAPSHOT")]
    from: Option<PathBuf>,
    #[arg(short, long = "output", value_name = "FILE", help = crate::output::help())]
    output: Vec<PathBuf>,
    /// No summary and no progress bar.
    #[arg(short, long)]
    quiet: bool,
    /// Print a hash of the final state as the last line: equal for equal bits.
    #[arg(long)]
    digest: bool,
}

/// A whole number from `LEAST`; clap puts the option and the value before the error.
pub(crate) fn whole_from<const LEAST: u64>(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|n| *n >= LEAST)
        .ok_or_else(|| format!("allowed: a whole number from {LEAST} to {}", u64::MAX))
}

/// Runs the scene that the options name.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let loaded = find(&options.scene)?;
    let mut inputs: Vec<&Path> = loaded.path.iter().map(PathBuf::as_path).collect();
    inputs.extend(options.input.as_deref());
    inputs.extend(options.from.as_deref());
    let mut requests: Vec<OutputRequest> = Vec::new();
    for name in &options.output {
        let output = OutputRequest::new(name, &inputs)?;
        if requests.iter().any(|other| other.same(&output)) {
            return Err(error(format!(
                "`-o {}` is given twice\nallowed: each output once",
                shown(name)
            )));
        }
        requests.push(output);
    }
    match scene(&loaded)? {
        AnyScene::TwoD(scene) => simulate(scene, &loaded, &requests, options),
        AnyScene::ThreeD(scene) => simulate(scene, &loaded, &requests, options),
    }
}

fn simulate<V: Vector>(
    mut scene: Scene<V>,
    loaded: &Loaded,
    requests: &[OutputRequest],
    options: &Options,
) -> Result<(), Failure> {
    let (mut log, log_text) = match &options.input {
        Some(path) => read_log(path)?,
        None => (Log::default(), Source { name: String::new(), text: String::new() }),
    };
    if let Some(seed) = options.seed {
        scene.setup.seed = seed;
    }
    let ticks = options.ticks.unwrap_or_else(|| scene.ticks());
    if let Some(problem) = scene.too_large(&loaded.source, loaded.format, memory::free()) {
        return Err(Failure::Input(loaded.source.render(
            Severity::Error,
            &[problem],
            in_color(&std::io::stderr()),
        )));
    }
    let mut info = RunInfo::new(&loaded.source.name, &scene.title, &scene.setup, ticks);
    info.every = options.every;
    let mut crowd = Crowd::new(scene.setup).map_err(error)?;
    share(
        &mut crowd,
        options
            .threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
    )?;
    if let Some(path) = &options.from {
        restore(&mut crowd, path, ticks)?;
        log.go_to(crowd.tick());
    }
    let start = crowd.tick();
    let interrupt = Interrupt::listen()?;
    info.ticks = ticks - start;
    let open = requests.iter().map(OutputRequest::open).collect::<Result<Vec<_>, _>>()?;
    let began = Instant::now();
    let mut stepping = Duration::ZERO;
    let bar =
        if options.quiet { ProgressBar::hidden() } else { progress_bar("tick", ticks - start) };
    let mut outputs = RunOutputs::begin(open, &crowd, info).map_err(write_failed)?;
    while crowd.tick() < ticks && interrupt.exit_code().is_none() {
        log.apply(&mut crowd)
            .map_err(|refused| explained(&log_text, &[refused.problem(&log_text)]))?;
        let step = Instant::now();
        crowd.step();
        stepping += step.elapsed();
        outputs.record(&crowd).map_err(write_failed)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let code = interrupt.exit_code().filter(|_| crowd.tick() < ticks);
    let paths: Vec<&Path> = requests.iter().filter_map(OutputRequest::path).collect();
    let end = RunEnd {
        seconds: began.elapsed().as_secs_f64(),
        step_seconds: stepping.as_secs_f64(),
        commands_left: log.remaining(),
        interrupted: code.is_some(),
        files: paths.iter().map(|path| path.display().to_string()).collect(),
    };
    let (written, summary) = outputs.finish(&crowd, end).map_err(write_failed)?;
    // No file takes its place before all of them are written.
    written.into_iter().try_for_each(Destination::commit)?;

    if !options.quiet {
        let text = summary::text(&summary);
        // Trajectories on standard output stay alone there.
        if requests.iter().any(OutputRequest::is_standard_output) {
            let _ = std::io::stderr().write_all(text.as_bytes());
        } else {
            say(&text)?;
        }
    }
    if options.digest {
        say(&format!("{:016x}\n", crowd.digest()))?;
    }
    code.map_or(Ok(()), |code| {
        Err(Failure::Interrupted(interrupted(crowd.tick(), !requests.is_empty()), code))
    })
}

fn interrupted(tick: u64, with_outputs: bool) -> String {
    format!(
        "interrupted at tick {tick}{}",
        if with_outputs { "; what was run until then is written" } else { "" }
    )
}

/// Makes the crowd what the snapshot at `path` says; the run then ends at `ticks`.
fn restore<V: Vector>(crowd: &mut Crowd<V>, path: &Path, ticks: u64) -> Result<(), Failure> {
    let outside = |e: std::io::Error| Failure::Outside(format!("error: {}: {e}", shown(path)));
    let mut file = std::fs::File::open(path).map_err(outside)?;
    let mut bytes = Vec::new();
    // What is no snapshot is not read to its end, which it may not have.
    (&file).take(SNAPSHOT_MAGIC.len() as u64).read_to_end(&mut bytes).map_err(outside)?;
    if bytes == SNAPSHOT_MAGIC {
        file.read_to_end(&mut bytes).map_err(outside)?;
    }
    crowd.restore(&bytes).map_err(|e| {
        error(format!("{}: {}", shown(path), e.to_string().replace("; allowed:", "\nallowed:")))
    })?;
    if crowd.tick() > ticks {
        return Err(error(format!(
            "{}: it is of tick {}, and the run ends at tick {ticks}\nallowed: --ticks from {}",
            shown(path),
            crowd.tick(),
            crowd.tick()
        )));
    }
    Ok(())
}

/// The log, and the text that it was read from.
fn read_log<V: Vector>(path: &Path) -> Result<(Log<V>, Source), Failure> {
    let source = Source { name: shown(path), text: text_of(path)? };
    let log = Log::read(&source).map_err(|problems| explained(&source, &problems))?;
    Ok((log, source))
}

fn explained(source: &Source, problems: &[Problem]) -> Failure {
    Failure::Input(source.render(Severity::Error, problems, in_color(&std::io::stderr())))
}

/// On a terminal only, and only for runs long enough to be waited for.
pub(crate) fn progress_bar(what: &str, count: u64) -> ProgressBar {
    let bar = ProgressBar::new(count);
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{bar:40}} {what} {{pos}} of {{len}}, {{eta}} left"))
    {
        bar.set_style(style);
    }
    bar
}
