//! `wayfare bench`: the speed of scenes, and the memory per agent.

use std::ffi::OsString;
use std::time::Instant;

use clap::Args;
use wayfare::crowd::{Group, MAX_AGENTS};
use wayfare::{Crowd, Vector};
use wayfare_scene::{AnyScene, BUNDLED, Scene, json_text};
use wayfare_study::scale::{agents, scaled};

use crate::run::{time_from_zero, whole_from};
use crate::scene_source::{find, scene};
use crate::threads::{set_threads, threads};
use crate::{Failure, display, error, print, ram};

mod neighbor_count;

use neighbor_count::mean_neighbors;

/// Ticks before the clock starts, in which buffers grow to their sizes.
const WARM_UP: u64 = 2;

/// The folder of the scenes that are measured by default.
const FOLDER: &str = "bench";

/// The options of `wayfare bench`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Scene files, or names of bundled scenes; by default those of the folder `bench`, and with
    /// --agents those of them that can be scaled
    scenes: Vec<OsString>,
    /// The number of agents: a wrapped scene without obstacles, paths and fixed positions is
    /// scaled to it at the same density
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true)]
    #[arg(value_parser = count)]
    agents: Vec<usize>,
    /// The number of threads
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "1",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = threads)]
    threads: Vec<usize>,
    /// The number of ticks of a run, including 2 of warm-up; by default 22 to 302, fewer for more
    /// agents
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole_from::<3>)]
    ticks: Option<u64>,
    /// The time of a run, in the scene's unit of time, in place of a number of ticks
    #[arg(long, value_name = "T", allow_negative_numbers = true, conflicts_with = "ticks")]
    #[arg(value_parser = time_from_zero)]
    time: Option<f64>,
    /// The number of runs, each from the start; the median is reported
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true)]
    #[arg(value_parser = whole_from::<1>)]
    repeats: u64,
    /// Print one JSON object per line instead of a table
    #[arg(long)]
    json: bool,
}

fn count(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=MAX_AGENTS).contains(n))
        .ok_or_else(|| format!("allowed: whole numbers from 1 to {MAX_AGENTS}"))
}

/// A scene to be measured, at some number of agents.
struct Case {
    name: String,
    scene: AnyScene,
}

/// Measures all cases, and prints each when it is done.
///
/// `allocated` returns the bytes that the process has allocated.
pub(crate) fn bench(options: &Options, allocated: Option<fn() -> usize>) -> Result<(), Failure> {
    let cases = cases(options)?;
    let width = cases.iter().map(|case| case.name.chars().count()).max().unwrap_or(0);
    if !options.json {
        print(&header(width))?;
    }
    for case in &cases {
        for &threads in &options.threads {
            let line = match &case.scene {
                AnyScene::TwoD(scene) => measure(&case.name, scene, threads, options, allocated)?,
                AnyScene::ThreeD(scene) => measure(&case.name, scene, threads, options, allocated)?,
            };
            print(&if options.json { line.json() } else { line.row(width) })?;
        }
    }
    Ok(())
}

/// The cases that the options ask for; all are checked before the first is run.
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
            if loaded.path.is_some() { loaded.source.name.clone() } else { display(name.as_ref()) };
        let own = [match &read {
            AnyScene::TwoD(scene) => agents(&scene.setup),
            AnyScene::ThreeD(scene) => agents(&scene.setup),
        }];
        for &count in if options.agents.is_empty() { &own[..] } else { &options.agents } {
            let grown = match read.clone() {
                AnyScene::TwoD(scene) => scale_scene(scene, count).map(AnyScene::TwoD),
                AnyScene::ThreeD(scene) => scale_scene(scene, count).map(AnyScene::ThreeD),
            };
            match grown {
                Ok(scene) => cases.push(Case { name: name.clone(), scene }),
                Err(_) if options.scenes.is_empty() => {}
                Err(why) => {
                    return Err(error(format!(
                        "`{name}` cannot be scaled to {count} agents: {why}\nallowed: its \
                         own {}, or a wrapped scene without obstacles, paths, grids and spawn \
                         points",
                        own[0]
                    )));
                }
            }
        }
    }
    for case in &cases {
        let (needs, count) = match &case.scene {
            AnyScene::TwoD(scene) => (scene.ram_bound(), agents(&scene.setup)),
            AnyScene::ThreeD(scene) => (scene.ram_bound(), agents(&scene.setup)),
        };
        let free = ram::available();
        if needs > free {
            let most = free / (needs / count.max(1) as u64).max(1);
            return Err(error(format!(
                "`{}` with {count} agents takes more memory than is available\nallowed: at most \
                 {most} agents here",
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

fn scale_scene<V: Vector>(scene: Scene<V>, count: usize) -> Result<Scene<V>, String> {
    Ok(Scene { setup: scaled(scene.setup, count)?, ..scene })
}

/// The ticks of a run of this many agents: about two million agent-steps, and enough that rare work
/// (sorting) has its share.
fn default_ticks(agents: usize) -> u64 {
    WARM_UP + (2_000_000 / agents.max(1) as u64).clamp(20, 300)
}

fn measure<V: Vector>(
    name: &str,
    scene: &Scene<V>,
    threads: usize,
    options: &Options,
    allocated: Option<fn() -> usize>,
) -> Result<Measurement, Failure> {
    let allocated = || allocated.map(|bytes| bytes());
    let agents = agents(&scene.setup);
    let of_time = || options.time.map(|time| scene.ticks_to(time).max(WARM_UP + 1));
    let ticks = options.ticks.or_else(of_time).unwrap_or_else(|| default_ticks(agents));
    let (mut rates, mut last) = (Vec::new(), None::<(u64, Option<usize>, f64)>);
    for _ in 0..options.repeats {
        // The previous crowd is dropped before the next is built: two may not fit.
        let before = last.take();
        let setup = scene.setup.clone();
        let bytes = allocated();
        let mut crowd = Crowd::new(setup).map_err(error)?;
        set_threads(&mut crowd, Some(threads))?;
        (0..WARM_UP).for_each(|_| crowd.step());
        let began = Instant::now();
        (WARM_UP..ticks).for_each(|_| crowd.step());
        let took = began.elapsed().as_secs_f64().max(1e-9);
        if let Some(refused) = crowd.refused_command() {
            return Err(error(format!("`{name}`: {refused}")));
        }
        rates.push((agents as u64 * (ticks - WARM_UP)) as f64 / took);
        let now = (
            crowd.digest(),
            allocated().zip(bytes).map(|(now, before)| now.saturating_sub(before)),
        );
        if let Some((digest, ..)) = before
            && digest != now.0
        {
            return Err(Failure::System(format!(
                "error: `{name}`: two runs of the same scene end with different digests"
            )));
        }
        let neighbors =
            before.map_or_else(|| neighbors(scene, &crowd), |(.., neighbors)| neighbors);
        last = Some((now.0, now.1, neighbors));
    }
    rates.sort_by(f64::total_cmp);
    let (digest, bytes, mean_neighbors) = last.unwrap_or_default();
    Ok(Measurement {
        scene: name.to_string(),
        agents,
        threads,
        ticks,
        mean_neighbors,
        rate: median(&rates),
        slowest: rates[0],
        fastest: rates[rates.len() - 1],
        repeats: rates.len(),
        bytes_per_agent: bytes.map(|bytes| bytes as f64 / agents as f64),
        digest,
    })
}

/// The mean number of other agents within the largest neighbor radius of an agent's group.
fn neighbors<V: Vector>(scene: &Scene<V>, crowd: &Crowd<V>) -> f64 {
    let dt = scene.setup.dt as f32;
    let radius = |group: &Group<V>| group.neighbor_radius(dt);
    let radii: Vec<Option<f32>> = scene.setup.groups.iter().map(radius).collect();
    let agents: Vec<_> = (0..crowd.len() as u32)
        .filter_map(|row| crowd.agent_at_row(row))
        .map(|member| (member.agent.position, radii[member.group.0]))
        .collect();
    mean_neighbors(&agents, scene.setup.bounds)
}

/// The median of sorted numbers.
fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { 0.5 * (sorted[half - 1] + sorted[half]) }
}

/// A measurement.
struct Measurement {
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
    bytes_per_agent: Option<f64>,
    digest: u64,
}

impl Measurement {
    /// The time per neighbor of an agent-step (ns); none without neighbors.
    fn ns_per_neighbor(&self) -> Option<f64> {
        (self.mean_neighbors > 0.0).then(|| 1e9 / self.rate / self.mean_neighbors)
    }

    fn json(&self) -> String {
        let or_null = |text: Option<String>| text.unwrap_or_else(|| "null".to_string());
        let per_neighbor = or_null(self.ns_per_neighbor().map(|ns| format!("{ns:.4}")));
        let bytes_per_agent = or_null(self.bytes_per_agent.map(|bytes| format!("{bytes:.1}")));
        format!(
            "{{\"scene\":{},\"agents\":{},\"threads\":{},\"ticks\":{},\"mean_neighbors\":{:.3},\"\
             agent_steps_per_second\":{:.0},\"ns_per_neighbor\":{per_neighbor},\"bytes_per_agent\"\
             :{bytes_per_agent},\"digest\":\"{:016x}\",\"repeats\":{},\"slowest\":{:.0},\"fastest\"\
             :{:.0}}}\n",
            json_text(&self.scene),
            self.agents,
            self.threads,
            self.ticks,
            self.mean_neighbors,
            self.rate,
            self.digest,
            self.repeats,
            self.slowest,
            self.fastest,
        )
    }

    fn row(&self, width: usize) -> String {
        let spread = |rate: f64| (rate / self.rate - 1.0) * 100.0;
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
        let per_neighbor = or_dash(self.ns_per_neighbor().map(|ns| format!("{ns:.2}")));
        let bytes_per_agent = or_dash(self.bytes_per_agent.map(|bytes| format!("{bytes:.0}")));
        format!(
            "{:width$} {:>11} {:>7} {:>6} {:>9.1} {:>14} {:>5.0} {:>+4.0} {:>11} {:>11}  \
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
            bytes_per_agent,
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

/// A number with commas between groups of three digits.
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
    fn the_median_is_the_middle_number_or_the_mean_of_the_middle_two() {
        assert_eq!(
            (median(&[3.0]), median(&[1.0, 2.0, 9.0]), median(&[1.0, 2.0, 4.0, 9.0])),
            (3.0, 2.0, 3.0)
        );
    }

    #[test]
    fn numbers_have_commas_and_names_are_escaped() {
        assert_eq!([0, 999, 1_000, 12_345_678].map(thousands), ["0", "999", "1,000", "12,345,678"]);
        assert_eq!(json_text("a \"b\"\\\n.toml"), r#""a \"b\"\\\u000a.toml""#);
    }

    #[test]
    fn a_run_has_about_two_million_agent_steps_and_at_least_22_ticks() {
        assert_eq!([100, 10_000, 100_000, 10_000_000].map(default_ticks), [302, 202, 22, 22]);
    }
}
