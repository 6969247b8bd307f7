//! Reports: a run or a trajectory as one HTML page that opens without a network.
//!
//! The page has the picture of the end, a player of the motion, plots of the measures, tables of
//! what happened, and all that is needed to repeat the run. Nothing in it depends on the time or
//! the machine: the same run gives the same bytes.
//!
//! [`Report`] is fed while a crowd runs; [`of_trajectory`] reads a file. The modules: `motion`
//! chooses and encodes what the player shows, `series` keeps what the plots show, `plot` and `axis`
//! draw them, `measured` and `happened` write the sections, `page` the file. `player.js` and
//! `page.css` are part of every page.
//!
//! ```
//! use wayfare::prelude::*;
//! use wayfare_record::output::{RunEnd, RunInfo, RunOutputs};
//! use wayfare_record::report::{Repeat, Report};
//!
//! let group = Group::new("walkers", 1, Spawn::point(vec2(0.0, 0.5)), 2.0);
//! let setup = Setup::new(1.0).group(group);
//! let info = RunInfo::new("walkers.toml", "Walkers", &setup, 10);
//! let mut crowd = setup.crowd()?;
//! let mut report = Report::begin(&crowd, &info, &[]);
//! let mut outputs = RunOutputs::<Vec<u8>, _>::begin([], &crowd, info)?;
//! for _ in 0..10 {
//!     crowd.step();
//!     report.record(&crowd);
//!     outputs.record(&crowd)?;
//! }
//! let (_, summary) = outputs.finish(&crowd, RunEnd::default())?;
//! let html = report.finish(&summary, Repeat::default());
//! assert!(html.starts_with("<!doctype html>") && html.contains("<h1>Walkers</h1>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use serde_json::Value;
use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_measure::Row;
use wayfare_scene::Presentation;

use crate::frame_data::Environment;
use crate::output::{FinishedRun, RunInfo};
use crate::picture::color::{Fill, Style, hex, in_dark};
use crate::picture::{Stage, View, grouped, number};
use crate::{Summary, Trails};

mod axis;
mod happened;
mod measured;
mod motion;
mod page;
mod plot;
mod series;
#[cfg(test)]
mod tests;
mod trajectory;

use motion::{Motion, Mover, Stamp};
use page::{GroupStyle, Page, PictureFile};
pub use trajectory::{Source, of_trajectory};

/// The most grounds of a player: of a world that changes more often, some are left out.
const MOST_GROUNDS: usize = 40;

/// The instructions to repeat a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeat {
    /// Command lines.
    pub commands: Vec<String>,
    /// The further requirements, as a sentence.
    pub note: String,
}

/// Collects the report of a run.
#[derive(Clone, Debug)]
pub struct Report<V: Vector> {
    presentation: Presentation,
    bounds: Option<Bounds<V>>,
    scene_text: String,
    measures: Vec<String>,
    every: u64,
    /// The last tick of the run that was asked for.
    until: u64,
    motion: Motion,
    /// The environments of the moments, each as long as it stays the same.
    grounds: Vec<Arc<Environment<V>>>,
    trails: Trails<V>,
    plots: series::Plots,
    fastest: f32,
}

impl<V: Vector> Report<V> {
    /// Begins the report of a run with measures of these names, and records the start.
    pub fn begin(crowd: &Crowd<V>, info: &RunInfo<V>, measures: &[String]) -> Self {
        let mut report = Self {
            presentation: info.presentation.clone(),
            bounds: info.bounds,
            scene_text: info.scene_text.clone(),
            measures: measures.to_vec(),
            every: info.every.max(1),
            until: crowd.tick().saturating_add(info.ticks),
            motion: Motion::default(),
            grounds: Vec::new(),
            trails: Trails::new(crowd),
            plots: series::Plots::default(),
            fastest: 0.0,
        };
        if report.motion.takes_next() {
            report.add_moment(crowd);
        }
        report
    }

    /// Takes the state of the crowd; to be called after each tick.
    pub fn record(&mut self, crowd: &Crowd<V>) {
        self.trails.record(crowd);
        if crowd.tick().is_multiple_of(self.every) && self.motion.takes_next() {
            self.add_moment(crowd);
        }
    }

    /// Takes rows of the measures, in their order.
    pub fn measured(&mut self, rows: &[Row]) {
        self.plots.take(rows);
    }

    fn add_moment(&mut self, crowd: &Crowd<V>) {
        let environment = Environment::of(crowd, &self.presentation);
        if self.grounds.last().is_none_or(|last| **last != environment) {
            self.grounds.push(Arc::new(environment));
        }
        let up = crowd.up();
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        for member in order.iter().filter_map(|&row| crowd.agent_at_row(row)) {
            self.fastest = self.fastest.max(member.agent.max_speed);
        }
        let movers = order.iter().filter_map(|&row| {
            let member = crowd.agent_at_row(row)?;
            Some(Mover {
                id: member.id.0,
                group: member.group.0 as u32,
                radius: member.agent.radius,
                at: up.ground(member.agent.position),
                heading: up.ground(member.agent.facing),
            })
        });
        let at = Stamp {
            tick: crowd.tick(),
            time: crowd.time(),
            ground: self.grounds.len() - 1,
            pointer: crowd.pointer().map(|pointer| up.ground(pointer)),
        };
        self.motion.push(at, movers);
    }

    /// The page of the run of `summary`, which has ended.
    pub fn finish(mut self, summary: &Summary<'_, V>, repeat: Repeat) -> String {
        let crowd = summary.crowd;
        if self.motion.moments().last().is_none_or(|last| last.at.tick != crowd.tick()) {
            self.add_moment(crowd);
        }
        let run = FinishedRun { crowd, shown: crowd, trails: &self.trails, summary };
        run.picture().with_view(|view| self.page(view, summary, repeat)).html()
    }

    fn page(&self, view: &View<'_, V>, summary: &Summary<'_, V>, repeat: Repeat) -> Page {
        let crowd = summary.crowd;
        let units = &self.presentation.units;
        let environment = &view.frame.environment;
        let stage = Stage::of(view);
        let (grounds, shown) = chosen(self.grounds.len());
        let mut player = self.motion.encoded(&stage, f64::from(self.fastest), crowd.dt());
        if let Some(Value::Array(ground)) = player.get_mut("ground") {
            for index in ground {
                let known = index.as_u64().and_then(|i| shown.get(i as usize));
                *index = Value::from(known.copied().unwrap_or(0));
            }
        }
        let start: usize = summary.counters.groups().iter().map(|group| group.start).sum();
        let ticks = summary.ticks() as usize;
        let time = format!("{}{}", significant(crowd.time()), units.after_time());
        let title = if summary.title.is_empty() { &summary.scene } else { &summary.title };
        let labels =
            measured::Labels { measures: &self.measures, groups: &environment.groups, units };
        let sections = measured::section(&self.plots, &summary.end.measures, &labels)
            + &happened::section(summary);
        let facts = vec![
            ("scene", summary.scene.clone()),
            ("seed", summary.seed.to_string()),
            (
                "ticks",
                format!(
                    "{} to {}",
                    grouped(&summary.start.to_string()),
                    grouped(&crowd.tick().to_string())
                ),
            ),
            ("length of a tick", format!("{}{}", crowd.dt(), units.after_time())),
            ("simulated time", time.clone()),
            (
                "agents",
                format!(
                    "{} at the start, {} at the end",
                    grouped(&start.to_string()),
                    grouped(&crowd.len().to_string())
                ),
            ),
            ("program", format!("Wayfare {}", env!("CARGO_PKG_VERSION"))),
            ("digest of the end", format!("{:016x}", crowd.digest())),
        ];
        Page {
            title: title.clone(),
            lead: format!(
                "{}, {} to time {time}, seed {}",
                amount(start, "agent"),
                amount(ticks, "tick"),
                summary.seed
            ),
            warning: summary.end.interrupted.then(|| {
                format!(
                    "The run was interrupted at tick {} of {}: this report is about its part up \
                     to there.",
                    crowd.tick(),
                    self.until
                )
            }),
            groups: styles(environment),
            player,
            grounds: grounds.iter().map(|&i| stage.svg(&self.grounds[i], self.bounds)).collect(),
            player_note: self.player_note(crowd.dt(), grounds.len()),
            time_unit: units.after_time(),
            sample: sample(&self.motion),
            picture: PictureFile::of(&view.whole_svg(), || view.whole_png()),
            picture_about: format!("{}: {}", view.name(), view.description()),
            sections,
            facts,
            repeat,
            scene_text: self.scene_text.clone(),
        }
    }

    /// The note below the player: its moments, the changes of the world, and the view.
    fn player_note(&self, dt: f64, grounds: usize) -> String {
        let mut note = moments_note(&self.motion, Some(dt), &self.presentation);
        if grounds < self.grounds.len() {
            note.push_str(&format!(
                " The world changes {} times, of which {grounds} are shown.",
                self.grounds.len()
            ));
        }
        if V::DIMENSION > 2 {
            note.push_str(" The world is seen from above.");
        }
        note
    }
}

/// Of so many grounds the indices of those that are shown, and for each ground the index of the
/// shown one in its place.
fn chosen(count: usize) -> (Vec<usize>, Vec<usize>) {
    let most = count.min(MOST_GROUNDS);
    let shown: Vec<usize> = (0..most).map(|i| i * count / most).collect();
    let places = (0..count).map(|i| shown.partition_point(|known| *known <= i) - 1).collect();
    (shown, places)
}

/// The number of moments and the interval between them, and the share of agents, as sentences.
fn moments_note(motion: &Motion, dt: Option<f64>, presentation: &Presentation) -> String {
    let count = motion.moments().len();
    let mut note = match motion.interval() {
        None => format!("The animation has {}.", amount(count, "moment")),
        Some(ticks) => {
            let time = dt.map_or_else(String::new, |dt| {
                let units = &presentation.units;
                format!(" (time {}{})", significant(ticks as f64 * dt), units.after_time())
            });
            let interval =
                if ticks == 1 { "each tick".to_string() } else { format!("every {ticks} ticks") };
            format!(
                "The animation has {} moments, one for {interval}{time}; agents move evenly from \
                 one to the next.",
                grouped(&count.to_string())
            )
        }
    };
    if motion.one_of() > 1 {
        note.push_str(&format!(" Of {} agents one is shown.", motion.one_of()));
    }
    note
}

/// The end of a sentence about the agents that are seen.
fn sample(motion: &Motion) -> String {
    match motion.one_of() {
        1 => String::new(),
        more => format!(" (one of {more} agents is shown)"),
    }
}

/// The groups of an environment.
fn styles<V>(environment: &Environment<V>) -> Vec<GroupStyle> {
    let style = |(name, style): (&String, &Style)| GroupStyle {
        name: name.clone(),
        light: hex(style.color),
        dark: hex(in_dark(style.color)),
        fill: match style.fill {
            Fill::Solid => "solid",
            Fill::Hollow => "hollow",
            Fill::Edged => "edged",
            Fill::Dotted => "dotted",
        },
        note: String::new(),
    };
    environment.groups.iter().zip(&environment.styles).map(style).collect()
}

/// `1 agent` or `2,000 agents`.
fn amount(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(&count.to_string()), if count == 1 { "" } else { "s" })
}

/// A number with four significant digits, commas between groups of three digits before the point.
fn significant(x: f64) -> String {
    let text = format!("{x:.3e}");
    let power = text.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok());
    match power {
        Some(power) if (-6..9).contains(&power) => {
            let places = (3 - power).max(0) as usize;
            let text = format!("{x:.places$}");
            let short =
                if places > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            grouped(short)
        }
        _ => number(x),
    }
}
