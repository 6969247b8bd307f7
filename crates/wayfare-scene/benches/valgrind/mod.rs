//! Counts instructions with valgrind: a busy machine counts the same as a quiet one.
//!
//! A program of cases runs the case that its argument names. Without a name it starts valgrind on
//! itself for each case, and prints the name and the instructions of each.

use std::panic::resume_unwind;
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// Valgrind counts inside functions whose names contain this.
const COUNTED: &str = "counted_by_valgrind";

/// What is counted: the steps of a crowd that is ready.
pub(crate) type Work = Box<dyn FnMut()>;

/// A case: its name, and what prepares its work, which is not counted.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) prepare: Box<dyn Fn() -> Work + Send + Sync>,
}

impl Case {
    pub(crate) fn new(
        name: impl Into<String>,
        prepare: impl Fn() -> Work + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), prepare: Box::new(prepare) }
    }
}

/// Runs the case that the first argument names, or counts all.
pub(crate) fn run(cases: &[Case]) {
    // Cargo adds `--bench`.
    match std::env::args().skip(1).find(|argument| !argument.starts_with("--")) {
        None => count_all(cases),
        Some(name) => {
            let case = cases.iter().find(|case| case.name == name).expect("there is no such case");
            counted_by_valgrind(&mut *(case.prepare)());
        }
    }
}

#[inline(never)]
fn counted_by_valgrind(work: &mut dyn FnMut()) {
    work();
    // A call at the end would become a jump, after which valgrind no longer counts.
    std::hint::black_box(());
}

fn count_all(cases: &[Case]) {
    let counts = Mutex::new(vec![None; cases.len()]);
    let next = Mutex::new(0..cases.len());
    let next = || next.lock().unwrap().next();
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let work = || {
            while let Some(i) = next() {
                let count = instructions(&cases[i].name);
                counts.lock().unwrap()[i] = Some(count);
            }
        };
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().for_each(|w| w.join().unwrap_or_else(|panic| resume_unwind(panic)));
    });
    for (case, count) in cases.iter().zip(counts.into_inner().unwrap()) {
        println!("{} {}", case.name, count.unwrap());
    }
}

/// The instructions of a case, in the words with which callgrind ends: `Collected : 1234`.
fn instructions(name: &str) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"])
        .arg(format!("--toggle-collect=*{COUNTED}*"))
        .arg(std::env::current_exe().unwrap())
        .arg(name)
        .output()
        .expect("valgrind could not be started");
    let text = String::from_utf8_lossy(&output.stderr);
    let count =
        text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    count.filter(|count| *count > 0).unwrap_or_else(|| panic!("`{name}` was not counted:\n{text}"))
}
