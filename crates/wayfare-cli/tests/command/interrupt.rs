//! Signals: the first ends a run early with its outputs, the second ends the process at once.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::support::*;

/// `wayfare` with an endless run, in a folder of its own.
fn endless_run(arguments: &[&str]) -> (TempDir, Command) {
    let folder = folder_with_a_scene();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    command.args(["run", "guest.toml", "--ticks", "1000000000000"]).args(arguments);
    command.current_dir(folder.path()).stderr(Stdio::piped());
    (folder, command)
}

fn send(signal: &str, to: &Child) {
    assert!(Command::new("kill").args([signal, &to.id().to_string()]).status().unwrap().success());
}

/// Waits for a state; the time limit only ends a test that fails.
fn wait_until(state: &str, mut holds: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !holds() {
        assert!(began.elapsed().as_secs() < 60, "after a minute still not: {state}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn an_interrupted_run_writes_its_outputs_and_ends_with_the_code_of_the_signal() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let (folder, mut command) =
            endless_run(&["--every", "1000", "-o", "out.csv", "-o", "out.png"]);
        let child = command.stdout(Stdio::piped()).spawn().unwrap();
        let begun = |e: std::fs::DirEntry| {
            e.file_name().to_string_lossy().ends_with(".part")
                && e.metadata().is_ok_and(|m| m.len() > 0)
        };
        wait_until("a part of an output is written", || {
            std::fs::read_dir(folder.path()).unwrap().any(|e| e.is_ok_and(begun))
        });
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        assert_eq!(files(folder.path()), ["guest.toml", "out.csv", "out.png"]);
        let text = err(&output);
        let (tick, rest) =
            text.strip_prefix("interrupted at tick ").unwrap().split_once(';').unwrap();
        let tick: u64 = tick.parse().unwrap();
        assert_eq!(rest, " all outputs are written up to it\n");
        let rows = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
        let last = rows.lines().last().unwrap();
        assert!(last.starts_with(&format!("{},", tick / 1000 * 1000)), "{last} at tick {tick}");
    }
}

#[test]
fn an_interrupted_sweep_keeps_its_finished_runs_and_writes_no_table() {
    let folder = folder_with_a_scene();
    // The second run is endless.
    let sweep = "scene = \"guest.toml\"\n[over]\nduration = [1, 1e9]\n";
    std::fs::write(folder.path().join("study.toml"), sweep).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(["sweep", "study.toml", "-o", "study.csv", "--threads", "1"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = folder.path().join("study.csv.runs");
    let lines = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    wait_until("a run is in the journal", || lines() == 2);
    send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(err(&output), "interrupted: 1 of 2 runs are done; the same command goes on\n");
    assert_eq!(files(folder.path()), ["guest.toml", "study.csv.runs", "study.toml"]);
    assert_eq!(lines(), 2);
}

#[test]
fn an_interrupted_report_is_of_the_run_up_to_there() {
    let folder = folder_with_a_scene();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    command.args(["report", "guest.toml", "--ticks", "1000000000000", "-o", "out.html"]);
    command.current_dir(folder.path()).stderr(Stdio::piped()).stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until("the page is begun", || {
        files(folder.path()).iter().any(|name| name.ends_with(".part"))
    });
    send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    let text = err(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert_eq!(files(folder.path()), ["guest.toml", "out.html"]);
    let tick = text.strip_prefix("interrupted at tick ").unwrap().split(';').next().unwrap();
    let html = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    let said = format!("The run was interrupted at tick {tick} of 1000000000000");
    assert!(html.contains(&said) && html.contains(&format!(" --ticks {tick} ")), "{text}");
}

/// A mask of signals in the status of a process, by its name: bit n - 1 is signal n.
#[cfg(target_os = "linux")]
fn signals(mask: &str, of: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", of.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(mask)).unwrap();
    u64::from_str_radix(line.trim_start_matches(':').trim(), 16).unwrap()
}

/// A pipe without room for another byte: its ends, to be read and written.
#[cfg(target_os = "linux")]
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    const O_NONBLOCK: i32 = 0o4000;
    let (reader, writer) = std::io::pipe().unwrap();
    let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
    let mut options = std::fs::OpenOptions::new();
    let mut filler = options.write(true).custom_flags(O_NONBLOCK).open(path).unwrap();
    let refused = loop {
        if let Err(error) = filler.write(b"\n") {
            break error;
        }
    };
    assert_eq!(refused.kind(), std::io::ErrorKind::WouldBlock);
    (reader, writer)
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_interrupt_ends_the_process_at_once() {
    const INTERRUPT: u64 = 1 << 1;
    const TERMINATE: u64 = 1 << 14;
    // Its first row blocks in the full pipe, so the first signal cannot end the run. One thread:
    // both signals are handled by it, in their order.
    let (_reader, writer) = full_pipe();
    let (_folder, mut command) = endless_run(&["-o", "-", "--threads", "1"]);
    let mut child = command.stdout(writer).spawn().unwrap();
    wait_until("both signals are handled", || {
        let handled = signals("SigCgt", &child);
        handled & INTERRUPT != 0 && handled & TERMINATE != 0
    });
    send("-INT", &child);
    wait_until("the first signal is delivered", || signals("ShdPnd", &child) & INTERRUPT == 0);
    assert!(child.try_wait().unwrap().is_none(), "the first signal must not end a blocked run");
    send("-INT", &child);
    wait_until("the run has ended", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
