//! `wayfare-mpi bench`: the speed of each rank, and where its time goes.

use clap::Args;
use wayfare::Vector;
use wayfare_scene::{AnyScene, Scene};
use wayfare_study::scale::scaled;

use super::{Common, Failure, Loaded, number, print};
use crate::cluster::{Cluster, Usage};
use crate::link::Link;

/// Ticks before the clock starts, in which buffers grow to their sizes.
const WARM_UP: u64 = 2;

/// The options of `bench`.
#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) common: Common,
    /// The number of agents: a wrapped scene without obstacles, paths and fixed positions is scaled
    /// to it at the same density
    #[arg(long, value_name = "N", value_parser = number::<1, 16_777_216>)]
    agents: Option<u64>,
    /// The number of ticks, after 2 of warm-up
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = number::<1, { u64::MAX }>)]
    ticks: u64,
    /// Print one JSON object per line instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn bench(options: &Options, mut link: impl Link) -> Result<(), Failure> {
    let Loaded { source, scene } = options.common.load(&mut link)?;
    match scene {
        AnyScene::TwoD(scene) => measure(scene, &source.name, options, link),
        AnyScene::ThreeD(scene) => measure(scene, &source.name, options, link),
    }
}

fn measure<V: Vector>(
    mut scene: Scene<V>,
    name: &str,
    options: &Options,
    link: impl Link,
) -> Result<(), Failure> {
    if let Some(agents) = options.agents {
        scene.setup = scaled(scene.setup, agents as usize).map_err(|why| {
            Failure::input(format!(
                "error: {name} cannot be scaled: {why}\nallowed: a wrapped scene without \
                 obstacles, paths and fixed positions, or no --agents"
            ))
        })?;
    }
    let failed = Failure::system;
    let settings = options.common.settings();
    let mut cluster = Cluster::new(scene.setup, link, settings).map_err(failed)?;
    cluster.set_threads(options.common.threads as usize).map_err(Failure::system)?;
    for _ in 0..WARM_UP {
        cluster.step().map_err(failed)?;
    }
    let before = cluster.all_usage().map_err(failed)?;
    for _ in 0..options.ticks {
        cluster.step().map_err(failed)?;
    }
    let after = cluster.all_usage().map_err(failed)?;
    let agents = cluster.agents().map_err(failed)?;
    let all: Vec<Usage> =
        after.iter().zip(&before).map(|(after, before)| after.since(before)).collect();
    if cluster.rank() == 0 {
        print(&if options.json { json(&all) } else { table(&all, agents) });
    }
    Ok(())
}

/// The time in which a rank has worked (seconds).
fn work(usage: &Usage) -> f64 {
    usage.time.saturating_sub(usage.exchange).as_secs_f64()
}

fn json(all: &[Usage]) -> String {
    let line = |(rank, usage): (usize, &Usage)| {
        let Usage { ticks, agent_steps, bytes, copies, moved, rebalanced, .. } = usage;
        let seconds = usage.time.as_secs_f64();
        let exchange = usage.exchange.as_secs_f64();
        serde_json::json!({
            "rank": rank, "ticks": ticks, "agent_steps": agent_steps, "seconds": seconds,
            "exchange_seconds": exchange, "bytes": bytes, "copies": copies, "moved": moved,
            "rebalanced": rebalanced,
        })
        .to_string()
            + "\n"
    };
    all.iter().enumerate().map(line).collect()
}

fn table(all: &[Usage], agents: u64) -> String {
    let mut text = format!(
        "{:>4}  {:>10}  {:>13}  {:>8}  {:>12}  {:>12}  {:>10}\n",
        "rank", "agents", "agent-steps/s", "exchange", "bytes/tick", "copies/tick", "moved/tick"
    );
    for (rank, usage) in all.iter().enumerate() {
        let (ticks, seconds) = (usage.ticks as f64, usage.time.as_secs_f64());
        text += &format!(
            "{rank:>4}  {:>10.0}  {:>13.0}  {:>7.1}%  {:>12.0}  {:>12.0}  {:>10.0}\n",
            usage.agent_steps as f64 / ticks,
            usage.agent_steps as f64 / seconds,
            100.0 * usage.exchange.as_secs_f64() / seconds,
            usage.bytes as f64 / ticks,
            usage.copies as f64 / ticks,
            usage.moved as f64 / ticks,
        );
    }
    let steps: u64 = all.iter().map(|usage| usage.agent_steps).sum();
    let seconds = all.iter().map(|usage| usage.time.as_secs_f64()).fold(0.0, f64::max);
    let (mean, slowest) = (
        all.iter().map(work).sum::<f64>() / all.len() as f64,
        all.iter().map(work).fold(0.0, f64::max),
    );
    text += &format!(
        "all   {agents:>10}  {:>13.0}  imbalance {:.1} %, domains divided {} times\n",
        steps as f64 / seconds,
        100.0 * (slowest / mean - 1.0),
        all[0].rebalanced,
    );
    text
}
