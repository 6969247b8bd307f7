//! `wayfare run`: steps a scene and writes its outputs.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use wayfare::crowd::{SNAPSHOT_MAGIC, SnapshotError};
use wayfare::{Crowd, Log, Vector};
use wayfare_record::Report;
use wayfare_record::output::{RunEnd, RunInfo, RunOutputs};
use wayfare_scene::{
    AnyScene, Problem, Scene, Severity, Source, hints_beside, printable, problem_of,
    problem_of_event,
};
use wayfare_study::Stepper;

use crate::interrupt::Interrupt;
use crate::measuring::{Measuring, TableRequest};
use crate::notice::with_notice;
use crate::output::{Destination, OutputRequest, write_failed};
use crate::report::{self, ReportRequest};
use crate::scene_source::{Loaded, find, scene, text_of};
use crate::summary;
use crate::threads::{set_threads, threads};
use crate::{Failure, display, error, print, ram, use_color};

/// The options of `wayfare run`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A scene file (.toml or .json), or the name of a bundled scene
    scene: OsString,
    #[command(flatten)]
    how: How,
    #[arg(short, long = "output", value_name = "FILE", help = crate::output::help())]
    output: Vec<PathBuf>,
    #[arg(long, value_name = "FILE", help = crate::measuring::help())]
    measures: Option<PathBuf>,
    /// The time that pictures (.png, .svg) show; by default the end, or where no agents are left,
    /// the last of some earlier moments that had agents
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = time_from_zero)]
    #[arg(requires = "output")]
    at: Option<f64>,
    /// Print a hash of the final state as the last line; equal runs have equal hashes
    #[arg(long)]
    digest: bool,
}

/// How a scene runs: the options that `wayfare run` and `wayfare report` have in common.
#[derive(Debug, Args)]
pub(crate) struct How {
    /// The tick to end at, counted from the start of the scene; by default the scene's duration
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole_from::<0>)]
    pub(crate) ticks: Option<u64>,
    /// The time to end at, in the scene's unit of time, in place of a tick
    #[arg(long, value_name = "T", allow_negative_numbers = true, conflicts_with = "ticks")]
    #[arg(value_parser = time_from_zero)]
    pub(crate) time: Option<f64>,
    /// The seed of all random numbers; by default the scene's
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole_from::<0>)]
    pub(crate) seed: Option<u64>,
    /// Write ticks 0, N, 2 N, … to trajectories, the last tick only if it is one of them; the
    /// frames of animations and reports are some of these ticks, and the last
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    #[arg(value_parser = whole_from::<1>)]
    pub(crate) every: u64,
    /// The number of threads that share each tick; by default the number of cores. The result does
    /// not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// A log of commands to replay (one JSON object per line)
    #[arg(long, value_name = "LOG")]
    pub(crate) input: Option<PathBuf>,
    /// A snapshot of this scene to continue from, instead of its start
    #[arg(long, value_name = "SNAPSHOT")]
    pub(crate) from: Option<PathBuf>,
    /// The scene has changed since the snapshot: find its groups, states and stats by name, and
    /// report what differs
    #[arg(long, requires = "from")]
    pub(crate) changed: bool,
    /// Print no summary and no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The files that a run writes, and what it prints.
pub(crate) struct Wanted<'a> {
    pub(crate) outputs: &'a [OutputRequest],
    pub(crate) table: Option<&'a TableRequest>,
    pub(crate) report: Option<&'a ReportRequest>,
    /// The time that pictures show, if one is chosen.
    pub(crate) at: Option<f64>,
    /// Whether to print the digest of the end.
    pub(crate) digest: bool,
}

impl Wanted<'_> {
    /// The paths of all files.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        let outputs = self.outputs.iter().filter_map(OutputRequest::path);
        let table = self.table.map(TableRequest::path);
        outputs.chain(table).chain(self.report.map(ReportRequest::path))
    }
}

/// Parses a whole number from `LEAST`; clap puts the option and the value before the error.
pub(crate) fn whole_from<const LEAST: u64>(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|n| *n >= LEAST)
        .ok_or_else(|| format!("allowed: a whole number from {LEAST} to {}", u64::MAX))
}

/// Parses a time from 0.
pub(crate) fn time_from_zero(text: &str) -> Result<f64, String> {
    let time = text.parse().ok().filter(|time| (0.0..=1e18).contains(time));
    time.ok_or_else(|| "allowed: a time from 0 to 1e18".to_string())
}

/// Runs the scene of the options.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let loaded = find(&options.scene)?;
    let inputs = inputs(&loaded, &options.how);
    let mut requests: Vec<OutputRequest> = Vec::new();
    for name in &options.output {
        let output = OutputRequest::new(name, &inputs)?;
        if requests.iter().any(|other| other.same(&output)) {
            return Err(error(format!(
                "`-o {}` is given twice\nallowed: each output once",
                display(name)
            )));
        }
        requests.push(output);
    }
    let measures = options.measures.as_deref();
    let table = measures.map(|path| TableRequest::new(path, &inputs, &requests)).transpose()?;
    let (outputs, table, digest) = (&requests[..], table.as_ref(), options.digest);
    let wanted = Wanted { outputs, table, report: None, at: options.at, digest };
    if let (Some(time), false) = (options.at, requests.iter().any(OutputRequest::is_picture)) {
        return Err(error(format!(
            "`--at {time}` is of a picture, and none is written\nallowed: with an `-o` that ends \
             in .png or .svg"
        )));
    }
    simulate_any(&loaded, &wanted, &options.how)
}

/// The files that the run reads: none of them may be overwritten.
pub(crate) fn inputs<'a>(loaded: &'a Loaded, how: &'a How) -> Vec<&'a Path> {
    let files = [loaded.path.as_deref(), how.input.as_deref(), how.from.as_deref()];
    files.into_iter().flatten().collect()
}

/// Runs a scene, in the plane or in space.
pub(crate) fn simulate_any(loaded: &Loaded, wanted: &Wanted<'_>, how: &How) -> Result<(), Failure> {
    match with_notice(how.quiet, &loaded.source.name, || scene(loaded))? {
        AnyScene::TwoD(scene) => simulate(scene, loaded, wanted, how),
        AnyScene::ThreeD(scene) => simulate(scene, loaded, wanted, how),
    }
}

fn simulate<V: Vector>(
    mut scene: Scene<V>,
    loaded: &Loaded,
    wanted: &Wanted<'_>,
    how: &How,
) -> Result<(), Failure> {
    let requests = wanted.outputs;
    requests.iter().try_for_each(OutputRequest::check_dimension::<V>)?;
    let (mut log, log_text) = match &how.input {
        Some(path) => read_log(path, scene.setup.dt)?,
        None => (Log::default(), Source { name: String::new(), text: String::new() }),
    };
    if let Some(seed) = how.seed {
        scene.setup.seed = seed;
    }
    let ticks = how.ticks.or_else(|| how.time.map(|time| scene.ticks_to(time)));
    let ticks = ticks.unwrap_or_else(|| scene.ticks());
    let picture_at = wanted.at.map(|time| scene.ticks_to(time));
    if let Some(problem) = scene.too_large(&loaded.source, loaded.format, ram::available()) {
        return Err(diagnosed(&loaded.source, &[problem]));
    }
    let mut info = RunInfo::new(&loaded.source.name, &scene.title, &scene.setup, ticks);
    info.every = how.every;
    info.presentation.clone_from(&scene.presentation);
    info.scene_text.clone_from(&loaded.source.text);
    let with_summary = !how.quiet || requests.iter().any(OutputRequest::has_summary);
    let is_shown = with_summary || wanted.report.is_some();
    let mut measuring = Measuring::new(&scene.measures, &scene.setup, wanted.table, is_shown)?;
    let mut crowd = Crowd::new(scene.setup).map_err(error)?;
    set_threads(&mut crowd, how.threads)?;
    if let Some(path) = &how.from {
        restore(&mut crowd, path, ticks, how)?;
        log.go_to(crowd.tick());
    }
    let start = crowd.tick();
    info.ticks = ticks - start;
    if picture_at.is_some_and(|tick| !(start..=ticks).contains(&tick)) {
        let [time, from, to] =
            [wanted.at.unwrap_or_default(), crowd.time(), ticks as f64 * crowd.dt()];
        return Err(error(format!(
            "`--at {time}` is not in the run\nallowed: a time from {from} to {to}"
        )));
    }
    info.picture_at = picture_at;
    let interrupt = Interrupt::listen()?;
    measuring.open(&info.presentation.units)?;
    let open = requests.iter().map(OutputRequest::open).collect::<Result<Vec<_>, _>>()?;
    let page = wanted.report.map(ReportRequest::open).transpose()?;
    let mut report = wanted.report.map(|_| Report::begin(&crowd, &info, measuring.names()));

    let began = Instant::now();
    let bar = if how.quiet { ProgressBar::hidden() } else { progress_bar("tick", ticks - start) };
    let mut outputs = RunOutputs::begin(open, &crowd, info).map_err(write_failed)?;
    measuring.record(&crowd, report.as_mut())?;
    let mut stepper = Stepper::new(&log);
    while crowd.tick() < ticks
        && stepper
            .tick(&mut crowd, &mut log, || interrupt.exit_code().is_some())
            .map_err(|error| diagnosed(&log_text, &[problem_of(error, &log_text)]))?
    {
        if let Some(refused) = crowd.refused_command() {
            let problem = problem_of_event(refused, &loaded.source, loaded.format);
            return Err(diagnosed(&loaded.source, &[problem]));
        }
        outputs.record(&crowd).map_err(write_failed)?;
        if let Some(report) = &mut report {
            report.record(&crowd);
        }
        measuring.record(&crowd, report.as_mut())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let code = interrupt.exit_code().filter(|_| crowd.tick() < ticks);
    let (measured, measures) = measuring.finish(&crowd, report.as_mut())?;
    let end = RunEnd {
        seconds: began.elapsed().as_secs_f64(),
        step_seconds: stepper.seconds(),
        commands_left: log.remaining(),
        interrupted: code.is_some(),
        files: wanted.paths().map(|path| path.display().to_string()).collect(),
        measures,
    };
    let (mut written, summary) = outputs.finish(&crowd, end).map_err(write_failed)?;
    if let (Some(request), Some(page), Some(report)) = (wanted.report, page, report) {
        let repeat = request.repeat(how, summary.seed, crowd.tick());
        written.push(report::write(page, &report.finish(&summary, repeat))?);
    }
    // No file is moved to its path before all of them are written.
    written.into_iter().chain(measured).try_for_each(Destination::commit)?;

    if !how.quiet {
        let text = summary::text(&summary);
        // Standard output has only the trajectory, if it is written there.
        if requests.iter().any(OutputRequest::is_standard_output) {
            let _ = std::io::stderr().write_all(text.as_bytes());
        } else {
            print(&text)?;
        }
        say_hints(loaded);
    }
    if wanted.digest {
        print(&format!("{:016x}\n", crowd.digest()))?;
    }
    let with_outputs = wanted.paths().next().is_some() || !requests.is_empty();
    code.map_or(Ok(()), |code| {
        Err(Failure::Interrupted(interrupted(crowd.tick(), with_outputs), code))
    })
}

/// Says the hints at a scene of the user's own, each in a line, as `wayfare check` shows them.
fn say_hints(loaded: &Loaded) {
    if loaded.path.is_none() {
        return;
    }
    for hint in hints_beside(&loaded.source, loaded.format, &loaded.files()) {
        let (line, _) = loaded.source.line_and_column(hint.span.start);
        let _ = writeln!(
            std::io::stderr(),
            "hint: {}:{line}: {}; better: {}",
            printable(&loaded.source.name),
            hint.message,
            hint.allowed
        );
    }
}

fn interrupted(tick: u64, with_outputs: bool) -> String {
    let outputs = if with_outputs { "; all outputs are written up to it" } else { "" };
    format!("interrupted at tick {tick}{outputs}")
}

/// The largest snapshot that is read (bytes): more than that of the largest crowd.
const LARGEST_SNAPSHOT: u64 = 32 << 30;

/// Restores the crowd from the snapshot at `path`, for a run that ends at `ticks`.
fn restore<V: Vector>(
    crowd: &mut Crowd<V>,
    path: &Path,
    ticks: u64,
    how: &How,
) -> Result<(), Failure> {
    let name = display(path);
    let read_failed = |e: std::io::Error| Failure::System(format!("error: {name}: {e}"));
    let mut file = std::fs::File::open(path).map_err(read_failed)?;
    let mut bytes = Vec::new();
    // A file that is not a snapshot is not read to its end: it may be endless.
    (&file).take(SNAPSHOT_MAGIC.len() as u64).read_to_end(&mut bytes).map_err(read_failed)?;
    if bytes == SNAPSHOT_MAGIC {
        // A third: the buffer grows by doubling, and the crowd needs its share.
        let most = LARGEST_SNAPSHOT.min(ram::available() / 3);
        (&mut file).take(most).read_to_end(&mut bytes).map_err(read_failed)?;
        if bytes.len() as u64 >= most {
            return Err(error(format!(
                "{name} is too large\nallowed: a snapshot of less than {:.1} GB, a third of the \
                 free memory and at most {} GB",
                most as f64 / 1e9,
                LARGEST_SNAPSHOT >> 30
            )));
        }
    }
    let refused = |e: SnapshotError| {
        let more = if e == SnapshotError::OtherSetup { ", or --changed" } else { "" };
        error(format!("{name}: {}{more}", e.to_string().replace("; allowed:", "\nallowed:")))
    };
    if how.changed {
        let migration = crowd.migrate(&bytes).map_err(refused)?;
        if !how.quiet {
            let _ = writeln!(std::io::stderr(), "{migration}");
        }
    } else {
        crowd.restore(&bytes).map_err(refused)?;
    }
    if crowd.tick() > ticks {
        let tick = crowd.tick();
        return Err(error(format!(
            "{name}: it is of tick {tick}, and the run ends at tick {ticks}\nallowed: --ticks \
             from {tick}"
        )));
    }
    Ok(())
}

/// The log, and its text.
fn read_log<V: Vector>(path: &Path, dt: f64) -> Result<(Log<V>, Source), Failure> {
    let source = Source { name: display(path), text: text_of(path)? };
    // One message instead of one for each line.
    if !source.text.trim_start().starts_with('{') && !source.text.trim().is_empty() {
        return Err(error(format!(
            "{} is not a log of commands\nallowed: one JSON object per line, such as {{\"tick\": \
             3, \"pointer\": [0, 90]}}",
            source.name
        )));
    }
    let log =
        wayfare_scene::read_log(&source, dt).map_err(|problems| diagnosed(&source, &problems))?;
    Ok((log, source))
}

pub(crate) fn diagnosed(source: &Source, problems: &[Problem]) -> Failure {
    Failure::Input(source.render(Severity::Error, problems, use_color(&std::io::stderr())))
}

/// A progress bar, which is shown only on a terminal.
pub(crate) fn progress_bar(unit: &str, count: u64) -> ProgressBar {
    let bar = ProgressBar::new(count);
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{bar:40}} {unit} {{pos}} of {{len}}, {{eta}} left"))
    {
        bar.set_style(style);
    }
    bar
}
