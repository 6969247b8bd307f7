//! Other engines beside Wayfare, on one thread: equal density, radius and counts, taken in turn, so
//! that a busy machine is as busy for all.
//!
//! `cargo run --release` in this folder prints the table of docs/performance.md;
//! `cargo run --release -- krABMaga 1000` the rate of one engine in one run, which the notebook of
//! the comparison asks for.

use std::time::Instant;

mod krabmaga_flock;
mod ours;
mod rustsim;

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];
const REPEATS: usize = 5;
/// Ticks before the clock is started.
const WARM_UP: usize = 2;

/// An engine with a crowd in it.
trait Engine {
    fn step(&mut self);
    /// How many others were within the radius, on the mean over the agents and the ticks, or of an
    /// agent now.
    fn mean_neighbors(&self) -> f64;
}

/// What is measured: the engine, what it does, and a crowd of so many agents.
struct Contender {
    engine: &'static str,
    work: &'static str,
    new: fn(usize) -> Box<dyn Engine>,
}

const CONTENDERS: [Contender; 5] = [
    Contender {
        engine: "krABMaga 0.5.3",
        work: "2D flock, density 0.1, radius 10",
        new: |n| Box::new(krabmaga_flock::Flockers::new(n)),
    },
    Contender {
        engine: "Wayfare",
        work: "2D flock, density 0.1, radius 10",
        new: |n| Box::new(ours::flock(n)),
    },
    Contender {
        engine: "rustsim-crowd 0.0.1",
        work: "2D social force, density 0.5, cutoff 1.64",
        new: |n| Box::new(rustsim::SocialForce::new(n, false)),
    },
    Contender {
        engine: "rustsim-crowd, `simd`",
        work: "2D social force, density 0.5, cutoff 1.64",
        new: |n| Box::new(rustsim::SocialForce::new(n, true)),
    },
    Contender {
        engine: "Wayfare",
        work: "2D separation and seek, density 0.5, radius 1.64",
        new: |n| Box::new(ours::walkers(n)),
    },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => table(),
        [engine, count] => {
            let contender =
                CONTENDERS.iter().find(|contender| contender.engine.starts_with(engine));
            match (contender, count.parse()) {
                (Some(contender), Ok(count)) => println!("{:.0}", run(contender, count).0),
                _ => usage(),
            }
        }
        _ => usage(),
    }
}

fn usage() -> ! {
    eprintln!("usage: [ENGINE COUNT]; the first engine whose name begins so, and its agents");
    std::process::exit(1)
}

/// The agent-steps per second of one run, and the mean neighbors of an agent.
fn run(contender: &Contender, count: usize) -> (f64, f64) {
    let ticks = (1_000_000 / count).clamp(10, 100);
    let mut engine = (contender.new)(count);
    (0..WARM_UP).for_each(|_| engine.step());
    let began = Instant::now();
    (0..ticks).for_each(|_| engine.step());
    let rate = (count * ticks) as f64 / began.elapsed().as_secs_f64();
    (rate, engine.mean_neighbors())
}

fn table() {
    println!("| engine | work | agents | neighbors | agent-steps/s | spread | ns/neighbor |");
    println!("|---|---|---|---|---|---|---|");
    for count in COUNTS {
        let mut rates: Vec<Vec<f64>> = CONTENDERS.iter().map(|_| Vec::new()).collect();
        let mut neighbors = [0.0; CONTENDERS.len()];
        for _ in 0..REPEATS {
            for (i, contender) in CONTENDERS.iter().enumerate() {
                let (rate, near) = run(contender, count);
                rates[i].push(rate);
                neighbors[i] = near;
            }
        }
        for ((contender, rates), neighbors) in CONTENDERS.iter().zip(&mut rates).zip(neighbors) {
            rates.sort_by(f64::total_cmp);
            let median = rates[REPEATS / 2];
            let spread = |rate: f64| (rate / median - 1.0) * 100.0;
            println!(
                "| {} | {} | {count} | {neighbors:.1} | {:.2}M | {:+.0} to {:+.0} % | {:.1} |",
                contender.engine,
                contender.work,
                median / 1e6,
                spread(rates[0]),
                spread(rates[REPEATS - 1]),
                1e9 / median / neighbors,
            );
        }
    }
}

/// The side of a square with that many agents at that density.
fn side(count: usize, density: f64) -> f64 {
    (count as f64 / density).sqrt()
}

/// How many others are within `radius` of each of the points, on the mean; differences are taken by
/// `way`.
fn near(points: &[[f64; 2]], radius: f64, way: impl Fn(f64) -> f64) -> f64 {
    // A sample is enough for a mean, and needs no grid.
    let sample = 500.min(points.len());
    let squared = |a: &[f64; 2], b: &[f64; 2]| way(a[0] - b[0]).powi(2) + way(a[1] - b[1]).powi(2);
    let step = points.len() / sample;
    let seen: usize = (0..sample)
        .map(|i| {
            points.iter().filter(|p| squared(&points[i * step], p) <= radius * radius).count() - 1
        })
        .sum();
    seen as f64 / sample as f64
}
