//! Runs stages, as many at a time as the machine has room for, and tells how they ended.
//!
//! A stage begins when the stages that it needs have passed; of those that can begin, the first of
//! the list does. After a failure no stage begins.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use wait4::Wait4;

use crate::failure;
use crate::root;
use crate::stage::{SKIPPED, Stage};

/// As many stages run at a time: one uses the cores while the other links, installs or waits.
const AT_A_TIME: usize = 2;

/// A stage that has ended.
struct Ended {
    stage: &'static Stage,
    outcome: Outcome,
    wall: Duration,
    processor: Duration,
    /// The number of tests that passed.
    tests: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// This machine cannot run it.
    Skipped,
    Failed,
}

/// Runs these stages. Output of a stage goes to a file, or to the terminal if `is_shown`.
pub(crate) fn run(stages: &[&'static Stage], is_shown: bool) -> Result<(), String> {
    let folder = root().join("target/stages");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let start = Instant::now();
    let (sender, receiver) = channel();
    let mut waiting = stages.to_vec();
    let mut running: Vec<&'static Stage> = Vec::new();
    let mut ended: Vec<Ended> = Vec::new();
    loop {
        let has_failed = ended.iter().any(|ended| ended.outcome == Outcome::Failed);
        skip(&mut waiting, &mut ended)?;
        while !has_failed
            && running.len() < AT_A_TIME
            && let Some(at) = waiting.iter().position(|stage| can_begin(stage, &running, &ended))
        {
            let stage = waiting.remove(at);
            if is_told(stage) {
                println!("xtask: {:>5.0} s  {} ...", start.elapsed().as_secs_f64(), stage.name);
            }
            begin(stage, is_shown, sender.clone());
            running.push(stage);
        }
        if running.is_empty() {
            break;
        }
        let now: Ended = receiver.recv().map_err(|e| e.to_string())?;
        running.retain(|stage| stage.name != now.stage.name);
        tell(&now, start.elapsed());
        if now.outcome == Outcome::Failed && !running.is_empty() {
            let names: Vec<&str> = running.iter().map(|stage| stage.name).collect();
            println!("xtask: `{}` has failed; waiting for {}", now.stage.name, names.join(", "));
        }
        ended.push(now);
    }
    finish(&ended, start.elapsed(), is_shown)
}

/// Whether a stage takes long enough to say that it begins.
fn is_told(stage: &Stage) -> bool {
    !stage.needs.is_empty() || stage.uses != crate::stage::Uses::Cores
}

/// Skips the stages that need one that was skipped.
fn skip(waiting: &mut Vec<&'static Stage>, ended: &mut Vec<Ended>) -> Result<(), String> {
    let is_skipped = |ended: &&Ended| ended.outcome == Outcome::Skipped;
    while let Some((at, need)) = waiting.iter().enumerate().find_map(|(at, stage)| {
        let mut skipped = ended.iter().filter(is_skipped).map(|ended| ended.stage.name);
        skipped.find(|name| stage.needs.contains(name)).map(|need| (at, need))
    }) {
        let stage = waiting.remove(at);
        let path = log(stage.name);
        std::fs::write(&path, format!("it needs the stage `{need}`"))
            .map_err(|e| format!("{}: {e}", path.display()))?;
        let none = Duration::ZERO;
        let outcome = Outcome::Skipped;
        ended.push(Ended { stage, outcome, wall: none, processor: none, tests: 0 });
    }
    Ok(())
}

fn can_begin(stage: &Stage, running: &[&Stage], ended: &[Ended]) -> bool {
    let has_ended = |name: &&str| ended.iter().any(|ended| ended.stage.name == *name);
    stage.needs.iter().all(has_ended) && running.iter().all(|other| stage.uses.fits(other.uses))
}

/// The file with what a stage has printed.
fn log(name: &str) -> PathBuf {
    root().join("target/stages").join(format!("{name}.log"))
}

/// Starts a stage, whose end is sent.
fn begin(stage: &'static Stage, is_shown: bool, end: Sender<Ended>) {
    std::thread::spawn(move || {
        let start = Instant::now();
        let (status, processor) = match process(stage.name, is_shown) {
            Ok((status, processor)) => (Some(status), processor),
            Err(text) => {
                eprintln!("xtask: {}: {text}", stage.name);
                (None, Duration::ZERO)
            }
        };
        let outcome = match status.and_then(|status| status.code()) {
            Some(0) => Outcome::Passed,
            Some(code) if code == i32::from(SKIPPED) => Outcome::Skipped,
            _ => Outcome::Failed,
        };
        let tests = failure::passed(&std::fs::read_to_string(log(stage.name)).unwrap_or_default());
        // The receiver is gone only if it has panicked.
        let _ = end.send(Ended { stage, outcome, wall: start.elapsed(), processor, tests });
    });
}

/// Runs a stage to its end; its status, and the processor time of all that it started.
fn process(name: &str, is_shown: bool) -> std::io::Result<(ExitStatus, Duration)> {
    let (mut output, input) = std::io::pipe()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["stage", name]).stdin(Stdio::null());
    let child = command.stdout(input.try_clone()?).stderr(input).spawn()?;
    // It holds the other end of the pipe.
    drop(command);
    let mut log = File::create(log(name))?;
    let mut buffer = [0; 4096];
    loop {
        let count = output.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        log.write_all(&buffer[..count])?;
        if is_shown {
            std::io::stdout().write_all(&buffer[..count])?;
        }
    }
    let ended = child.wait4()?;
    Ok((ended.status, ended.rusage.utime + ended.rusage.stime))
}

fn tell(ended: &Ended, now: Duration) {
    let Ended { stage, outcome, wall, processor, tests } = ended;
    let outcome = match outcome {
        Outcome::Passed => "passed",
        Outcome::Skipped => "SKIPPED",
        Outcome::Failed => "FAILED",
    };
    let tests = if *tests > 0 { format!(", {tests} tests") } else { String::new() };
    println!(
        "xtask: {:>5.0} s  {} {outcome} in {:.1} s, {:.1} s of processor{tests}",
        now.as_secs_f64(),
        stage.name,
        wall.as_secs_f64(),
        processor.as_secs_f64()
    );
}

/// Prints the table of times, what was skipped, and last what failed. In CI (`CI` is set) a skipped
/// stage is a failure.
fn finish(ended: &[Ended], wall: Duration, is_shown: bool) -> Result<(), String> {
    println!("xtask: {:>8} {:>10} {:>6}  stage", "seconds", "processor", "tests");
    let row = |wall: Duration, processor: Duration, tests: usize, name: &str| {
        let tests = if tests > 0 { tests.to_string() } else { String::new() };
        let (wall, processor) = (wall.as_secs_f64(), processor.as_secs_f64());
        println!("xtask: {wall:>8.1} {processor:>10.1} {tests:>6}  {name}");
    };
    for Ended { stage, wall, processor, tests, .. } in ended {
        row(*wall, *processor, *tests, stage.name);
    }
    let tests = ended.iter().map(|ended| ended.tests).sum();
    row(wall, ended.iter().map(|ended| ended.processor).sum(), tests, "in all");
    let of = |outcome| ended.iter().filter(move |ended| ended.outcome == outcome);
    for Ended { stage, .. } in of(Outcome::Skipped) {
        println!("xtask: SKIPPED {}: {}", stage.name, last_line(stage.name));
    }
    let failed: Vec<&str> = of(Outcome::Failed).map(|ended| ended.stage.name).collect();
    let passed = of(Outcome::Passed).count();
    if failed.is_empty() {
        println!("{passed} passed, 0 failed");
        let skipped = of(Outcome::Skipped).count();
        return match skipped > 0 && std::env::var_os("CI").is_some() {
            true => Err(format!("{skipped} skipped stages, which CI does not allow")),
            false => Ok(()),
        };
    }
    if !is_shown {
        failed.iter().for_each(|name| failure::show(name, &text(name)));
    }
    println!("{passed} passed, {} failed", failed.len());
    let mut last = String::new();
    for name in failed {
        let tests: String =
            failure::names(&text(name)).iter().map(|test| format!("\n    {test}")).collect();
        last += &format!("stage `{name}` failed{tests}\n");
        last += &format!("to run it again: cargo xtask test --only {name}\n");
    }
    Err(last.trim_end().to_string())
}

fn text(name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(log(name)).unwrap_or_default()).into_owned()
}

/// The reason that a skipped stage gives.
fn last_line(name: &str) -> String {
    text(name).lines().last().unwrap_or_default().trim_start_matches("xtask: ").to_string()
}
