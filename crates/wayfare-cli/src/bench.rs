//! `wayfare bench`: how fast a scene steps, and what it takes.

use std::ffi::OsString;
use std::time::Instant;

use clap::Args;
use wayfare::crowd::{Group, MAX_AGENTS};
use wayfare::{Crowd, Vector};
use wayfare_scene::{AnyScene, BUNDLED, Scene, json_text};

use crate::load::{find, scene};
use crate::run::whole_from;
use crate::{ALLOCATOR, Failure, error, memory, say, shown};

mod near;
mod scale;

use near::mean_neighbors;
use scale::{agents, scaled};

/// Ticks before the clock is started: buffers get their size in them.
const WARM_UP: u64 = 2;

/// The folder of the scenes that are measured where none is named.
const FOLDER: &str = "bench";

/// The options of `wayfare bench`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Scene files, or names of bundled scenes; those of the folder `bench` unless given, or with
    /// --agents those of them that can grow.
    scenes: Vec<OsString>,
    /// How many agents: a wrapped scene without obstacles, paths and fixed places grows with them,
    /// so that its density stays.
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true, value_parser = count)]
    agents: Vec<usize>,
    /// On how many threads.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1", allow_negative_numbers = true, value_parser = threads)]
    threads: Vec<usize>,
    /// How many ticks a run has, the 2 of the warm-up included; 22 to 302 unless given, fewer for
    /// more agents.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_from::<3>)]
    ticks: Option<u64>,
    /// How often each run is repeated, always from the start; the median counts.
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true, value_parser = whole_from::<1>)]
    repeats: u64,
    /// One JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
}

fn count(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=MAX_AGENTS).contains(n))
        .ok_or_else(|| format!("allowed: whole numbers from 1 to {MAX_AGENTS}"))
}

/// More threads than any machine has cores would only wait for each other.
const MOST_THREADS: usize = 1_024;

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=MOST_THREADS).contains(n))
        .ok_or_else(|| format!("allowed: a whole number from 1 to {MOST_THREADS}"))
}

/// A scene that is to be measured at some number of agents.
struct Case {
    name: String,
    scene: AnyScene,
}

/// Measures all that the options ask for, each as soon as the one before it is told.
pub(crate) fn bench(options: &Options) -> Result<(), Failure> {
    let cases = cases(options)?;
    let width = cases.iter().map(|case| case.name.chars().count()).max().unwrap_or(0);
    if !options.json {
        say(&header(width))?;
    }
    for case in &cases {
        for &threads in &options.threads {
            let line = match &case.scene {
                AnyScene::TwoD(scene) => measure(&case.name, scene, threads, options)?,
                AnyScene::ThreeD(scene) => measure(&case.name, scene, threads, options)?,
            };
            say(&if options.json { line.json() } else { line.row(width) })?;
        }
    }
    Ok(())
}

/// What is asked for, all of it checked before the first of it is run.
fn cases(options: &Options) -> Result<Vec<Case>, Failure> {
    let by_default: Vec<OsString> = BUNDLED
        .iter()
        .filter(|scene| scene.folder == FOLDER)
        .map(|scene| scene.name.into())
        .collect();
    let names = if options.scenes.is_empty() { &by_default } else { &options.scenes };
    let mut cases = Vec::new();
    for name in names {
        let loaded = find(name)?;
        let read = scene(&loaded)?;
        let name =
            if loaded.path.is_some() { loaded.source.name.clone() } else { shown(name.as_ref()) };
        let own = [match &read {
            AnyScene::TwoD(scene) => agents(&scene.setup),
            AnyScene::ThreeD(scene) => agents(&scene.setup),
        }];
        for &count in if options.agents.is_empty() { &own[..] } else { &options.agents } {
            let grown = match read.clone() {
                AnyScene::TwoD(scene) => grow(scene, count).map(AnyScene::TwoD),
                AnyScene::ThreeD(scene) => grow(scene, count).map(AnyScene::ThreeD),
            };
            match grown {
                Ok(scene) => cases.push(Case { name: name.clone(), scene }),
                Err(_) if options.scenes.is_empty() => {}
                Err(why) => {
                    return Err(error(format!(
                        "`{name}` cannot have {count} agents at its density: {why}\nallowed: its \
                         own {}, or a wrapped scene without obstacles, paths, grids and points to \
                         start at",
                        own[0]
                    )));
                }
            }
        }
    }
    for case in &cases {
        let (needs, count) = match &case.scene {
            AnyScene::TwoD(scene) => (scene.memory(), agents(&scene.setup)),
            AnyScene::ThreeD(scene) => (scene.memory(), agents(&scene.setup)),
        };
        let free = memory::free();
        if needs > free {
            let most = free / (needs / count.max(1) as u64).max(1);
            return Err(error(format!(
                "`{}` with {count} agents takes more memory than is free\nallowed: at most {most} \
                 agents here",
                case.name
            )));
        }
        if count == 0 {
            return Err(error(format!(
                "`{}` has no agents\nallowed: a scene with at least one",
                case.name
            )));
        }
    }
    Ok(cases)
}

fn grow<V: Vector>(scene: Scene<V>, count: usize) -> Result<Scene<V>, String> {
    Ok(Scene { setup: scaled(scene.setup, count)?, ..scene })
}

/// How many ticks a run of so many agents has: about two million agent-steps, and enough that rare
/// work (sorting) has its share.
fn usual_ticks(agents: usize) -> u64 {
    WARM_UP + (2_000_000 / agents.max(1) as u64).clamp(20, 300)
}

fn measure<V: Vector>(
    name: &str,
    scene: &Scene<V>,
    threads: usize,
    options: &Options,
) -> Result<Line, Failure> {
    let agents = agents(&scene.setup);
    let ticks = options.ticks.unwrap_or_else(|| usual_ticks(agents));
    let (mut rates, mut last) = (Vec::new(), None::<(u64, usize, f64)>);
    for _ in 0..options.repeats {
        // The one before is gone before the next is built: two may not fit.
        let before = last.take();
        let setup = scene.setup.clone();
        let bytes = ALLOCATOR.allocated();
        let mut crowd = Crowd::new(setup).map_err(error)?;
        share(&mut crowd, threads)?;
        (0..WARM_UP).for_each(|_| crowd.step());
        let began = Instant::now();
        (WARM_UP..ticks).for_each(|_| crowd.step());
        let took = began.elapsed().as_secs_f64().max(1e-9);
        rates.push((agents as u64 * (ticks - WARM_UP)) as f64 / took);
        let now = (crowd.digest(), ALLOCATOR.allocated().saturating_sub(bytes));
        if let Some((digest, ..)) = before
            && digest != now.0
        {
            return Err(Failure::Outside(format!(
                "error: `{name}`: two runs of the same scene end with different bits"
            )));
        }
        let neighbors =
            before.map_or_else(|| neighbors(scene, &crowd), |(.., neighbors)| neighbors);
        last = Some((now.0, now.1, neighbors));
    }
    rates.sort_by(f64::total_cmp);
    let (digest, bytes, mean_neighbors) = last.unwrap_or_default();
    Ok(Line {
        scene: name.to_string(),
        agents,
        threads,
        ticks,
        mean_neighbors,
        rate: median(&rates),
        slowest: rates[0],
        fastest: rates[rates.len() - 1],
        repeats: rates.len(),
        bytes_per_agent: bytes as f64 / agents as f64,
        digest,
    })
}

/// Lets so many threads step the crowd.
pub(crate) fn share<V: Vector>(crowd: &mut Crowd<V>, threads: usize) -> Result<(), Failure> {
    crowd.set_threads(threads).map_err(|e| Failure::Outside(format!("error: {e}")))
}

/// How many others are within the widest radius that an agent's group looks, on the mean over all
/// agents.
fn neighbors<V: Vector>(scene: &Scene<V>, crowd: &Crowd<V>) -> f64 {
    let radius =
        |group: &Group<V>| group.lists().filter_map(|list| list.neighbor_radius()).reduce(f32::max);
    let radii: Vec<Option<f32>> = scene.setup.groups.iter().map(radius).collect();
    let agents: Vec<_> = (0..crowd.len() as u32)
        .map(|place| crowd.at(place))
        .map(|member| (member.agent.position, radii[member.group]))
        .collect();
    mean_neighbors(&agents, scene.setup.bounds)
}

/// The middle of sorted numbers.
fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { 0.5 * (sorted[half - 1] + sorted[half]) }
}

/// What was measured.
struct Line {
    scene: String,
    agents: usize,
    threads: usize,
    ticks: u64,
    mean_neighbors: f64,
    /// Agent-steps per second: the median, the least and the most of the repeats.
    rate: f64,
    slowest: f64,
    fastest: f64,
    repeats: usize,
    bytes_per_agent: f64,
    digest: u64,
}

impl Line {
    /// Time per neighbor of an agent-step (ns), where there are neighbors.
    fn ns_per_neighbor(&self) -> Option<f64> {
        (self.mean_neighbors > 0.0).then(|| 1e9 / self.rate / self.mean_neighbors)
    }

    fn json(&self) -> String {
        let per_neighbor =
            self.ns_per_neighbor().map_or_else(|| "null".to_string(), |ns| format!("{ns:.4}"));
        format!(
            "{{\"scene\":{},\"agents\":{},\"threads\":{},\"ticks\":{},\"mean_neighbors\":{:.3},\"\
             agent_steps_per_second\":{:.0},\"ns_per_neighbor\":{per_neighbor},\"bytes_per_agent\"\
             :{:.1},\"digest\":\"{:016x}\",\"repeats\":{},\"slowest\":{:.0},\"fastest\":{:.0}}}\n",
            json_text(&self.scene),
            self.agents,
            self.threads,
            self.ticks,
            self.mean_neighbors,
            self.rate,
            self.bytes_per_agent,
            self.digest,
            self.repeats,
            self.slowest,
            self.fastest,
        )
    }

    fn row(&self, width: usize) -> String {
        let spread = |rate: f64| (rate / self.rate - 1.0) * 100.0;
        let per_neighbor =
            self.ns_per_neighbor().map_or_else(|| "-".to_string(), |ns| format!("{ns:.2}"));
        format!(
            "{:width$} {:>11} {:>7} {:>6} {:>9.1} {:>14} {:>5.0} {:>+4.0} {:>11} {:>11.0}  \
             {:016x}\n",
            self.scene,
            thousands(self.agents as u64),
            self.threads,
            self.ticks,
            self.mean_neighbors,
            thousands(self.rate as u64),
            spread(self.slowest),
            spread(self.fastest),
            per_neighbor,
            self.bytes_per_agent,
            self.digest,
        )
    }
}

fn header(width: usize) -> String {
    format!(
        "{:width$} {:>11} {:>7} {:>6} {:>9} {:>14} {:>10} {:>11} {:>11}  digest\n",
        "scene",
        "agents",
        "threads",
        "ticks",
        "neighbors",
        "agent-steps/s",
        "spread %",
        "ns/neighbor",
        "bytes/agent"
    )
}

/// A number with a comma before each three digits.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one_or_between_the_two() {
        assert_eq!(
            (median(&[3.0]), median(&[1.0, 2.0, 9.0]), median(&[1.0, 2.0, 4.0, 9.0])),
            (3.0, 2.0, 3.0)
        );
    }

    #[test]
    fn numbers_and_names_are_written_as_people_and_programs_read_them() {
        assert_eq!([0, 999, 1_000, 12_345_678].map(thousands), ["0", "999", "1,000", "12,345,678"]);
        assert_eq!(json_text("a \"b\"\\\n.toml"), r#""a \"b\"\\\u000a.toml""#);
    }

    #[test]
    fn a_run_has_about_two_million_agent_steps_and_never_few_ticks() {
        assert_eq!([100, 10_000, 100_000, 10_000_000].map(usual_ticks), [302, 202, 22, 22]);
    }
}
