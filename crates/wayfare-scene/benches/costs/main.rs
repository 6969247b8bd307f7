//! What each behavior and each of its options costs: instructions, held against `costs.toml` by
//! `cargo xtask bench`, and with the argument `table` the table of docs/performance.md, which
//! `cargo xtask costs` writes.
// It prints what it counts; in a benchmark a panic is the message.
#![allow(clippy::expect_used, clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::time::Instant;

use wayfare::Crowd;
use wayfare::crowd::Setup;
use wayfare::glam::Vec2;

mod cases;
#[path = "../valgrind/mod.rs"]
mod valgrind;
use cases::{Case, cases};

/// The crowd of which instructions are counted, and the crowds that are timed.
const COUNTED: usize = 1_000;
const TIMED: [usize; 3] = [1_000, 10_000, 100_000];
/// Ticks before, in which agents are sorted and routes are found; and those that are counted.
const WARM_UP: usize = 8;
const TICKS: usize = 16;
/// The agent-steps of a timed run, how often each is run, and the least ticks of one.
const STEPS: usize = 400_000;
const REPEATS: usize = 3;
const LEAST_TICKS: usize = 4;

fn main() {
    let cases = cases();
    match std::env::args().nth(1).as_deref() {
        Some("table") => print!("{}", table(&cases)),
        _ => valgrind::run(&cases.into_iter().map(counted).collect::<Vec<_>>()),
    }
}

fn counted(case: Case) -> valgrind::Case {
    valgrind::Case::new(case.name.clone(), move || {
        let mut crowd = warm(case.setup(COUNTED));
        Box::new(move || (0..TICKS).for_each(|_| crowd.step()))
    })
}

fn warm(setup: Setup<Vec2>) -> Crowd<Vec2> {
    let mut crowd = Crowd::new(setup).unwrap();
    (0..WARM_UP).for_each(|_| crowd.step());
    crowd
}

/// The least nanoseconds of an agent's tick in several runs, as other work only adds to them.
fn nanoseconds(setup: &Setup<Vec2>, agents: usize) -> f64 {
    let ticks = (STEPS / agents).max(LEAST_TICKS);
    let run = |_| {
        let mut crowd = warm(setup.clone());
        let began = Instant::now();
        (0..ticks).for_each(|_| crowd.step());
        began.elapsed().as_secs_f64() * 1e9 / (ticks * agents) as f64
    };
    (0..REPEATS).map(run).fold(f64::INFINITY, f64::min)
}

/// The mean number of others within the radius of an agent; none where it looks for none.
fn neighbors(setup: &Setup<Vec2>) -> Option<f64> {
    let radius = setup.groups[1].neighbor_radius(setup.dt as f32)?;
    let places: Vec<Vec2> =
        Crowd::new(setup.clone()).unwrap().agents().map(|(_, agent)| agent.position).collect();
    let near = |p: &Vec2| places.iter().filter(|q| p.distance(**q) <= radius).count() - 1;
    Some(places.iter().map(near).sum::<usize>() as f64 / places.len() as f64)
}

/// The rows of the table: what a case adds to its base.
fn table(cases: &[Case]) -> String {
    let stored: BTreeMap<String, u64> = toml::from_str(include_str!("../costs.toml")).unwrap();
    let instructions = |name: &str| stored[name] as f64 / (COUNTED * TICKS) as f64;
    let mut times: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    let mut text = String::from(
        "| list | instructions | ns of 1,000 agents | of 10,000 | of 100,000 | neighbors |\n\
         |---|---|---|---|---|---|\n",
    );
    for (number, case) in cases.iter().enumerate() {
        eprintln!("{} of {}: {}", number + 1, cases.len(), case.name);
        let time = TIMED.map(|agents| nanoseconds(&case.setup(agents), agents));
        times.insert(&case.name, time);
        let zero = ([0.0; 3], 0.0);
        let base = |name| (times[name], instructions(name));
        let (before, fewer) = if case.base.is_empty() { zero } else { base(case.base) };
        let [small, middle, large] = [0, 1, 2].map(|i| time[i] - before[i]);
        let near = neighbors(&case.setup(COUNTED)).map_or(String::new(), |n| format!("{n:.1}"));
        text.push_str(&format!(
            "| `{}` | {:.0} | {small:.0} | {middle:.0} | {large:.0} | {near} |\n",
            case.name,
            instructions(&case.name) - fewer,
        ));
    }
    text
}
