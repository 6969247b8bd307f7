//! What a run was about, as a text for people and as JSON for programs.

use std::path::Path;

use serde_json::{Map, Value, json};
use wayfare::crowd::ExitAction;
use wayfare::{Crowd, Vector};
use wayfare_record::{Overlaps, Tally};
use wayfare_scene::{counted, short};

use crate::shown;

/// The most groups, lines, exits, sources and states that the text names.
const MOST_NAMED: usize = 6;

/// A run that has ended, and what happened in it.
pub(crate) struct Summary<'a, V: Vector> {
    /// The scene's file or name.
    pub(crate) scene: &'a str,
    pub(crate) title: &'a str,
    pub(crate) seed: u64,
    pub(crate) crowd: &'a Crowd<V>,
    pub(crate) tally: &'a Tally<V>,
    /// Those at the end; none if they are too many to count.
    pub(crate) overlaps: Option<Overlaps>,
    /// The tick that the run began with.
    pub(crate) start: u64,
    /// How long it all took, with what was written meanwhile (seconds).
    pub(crate) seconds: f64,
    /// How long the ticks alone took (seconds).
    pub(crate) stepping: f64,
    /// How many commands of the log came after the end.
    pub(crate) undone: usize,
    pub(crate) interrupted: bool,
    pub(crate) files: Vec<&'a Path>,
}

impl<V: Vector> Summary<'_, V> {
    /// How many ticks were run.
    fn ticks(&self) -> u64 {
        self.crowd.tick() - self.start
    }

    fn ticks_per_second(&self) -> f64 {
        if self.stepping > 0.0 { self.ticks() as f64 / self.stepping } else { 0.0 }
    }

    /// Whether anybody has a body: without, nothing can overlap.
    fn has_bodies(&self) -> bool {
        self.overlaps.is_none_or(|found| found.bodies > 0)
            || self.tally.looked().is_some_and(|looked| looked.most_pairs > 0)
    }

    /// The summary for people: only what the scene is about.
    pub(crate) fn text(&self) -> String {
        let (crowd, tally) = (self.crowd, self.tally);
        let named = tally
            .groups()
            .iter()
            .take(MOST_NAMED)
            .map(|group| format!("{} {}", group.before, short(&group.name, 100)));
        let mut agents: Vec<String> = named.collect();
        if let Some(more) = tally.groups().len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            agents.push(format!(
                "and {}: {} in all",
                counted(more, "more group"),
                counted(crowd.len(), "agent")
            ));
        }
        let ticks = counted(self.ticks() as usize, "tick");
        let mut text = format!(
            "{}\n  {}; {ticks} to time {}, {:.0} ticks/s\n",
            short(self.title, 100),
            agents.join(", "),
            crowd.time(),
            self.ticks_per_second()
        );
        for count in crowd.lines().iter().take(MOST_NAMED) {
            text.push_str(&format!(
                "  line {}: {} to the left, {} to the right\n",
                short(&count.line.name, 100),
                count.left,
                count.right
            ));
        }
        for (i, count) in crowd.exits().iter().enumerate().take(MOST_NAMED) {
            let done = if count.exit.then == ExitAction::Remove { "left" } else { "respawned" };
            text.push_str(&format!("  exit[{i}]: {} {done}\n", count.left));
        }
        for (i, count) in crowd.sources().iter().enumerate().take(MOST_NAMED) {
            let away = if count.turned_away > 0 {
                format!(", {} turned away", count.turned_away)
            } else {
                String::new()
            };
            text.push_str(&format!("  source[{i}]: {} entered{away}\n", count.entered));
        }
        let more = [crowd.lines().len(), crowd.exits().len(), crowd.sources().len()]
            .map(|count| count.saturating_sub(MOST_NAMED))
            .iter()
            .sum::<usize>();
        if more > 0 {
            let what = if crowd.sources().len() > MOST_NAMED {
                "lines, exits or sources"
            } else {
                "lines or exits"
            };
            text.push_str(&format!("  and {more} more {what}\n"));
        }
        for group in tally.groups().iter().filter(|group| group.gone > 0).take(MOST_NAMED) {
            text.push_str(&format!("  {}: {} gone\n", short(&group.name, 40), group.gone));
        }
        if tally.can_arrive() {
            let again = if tally.arrivals() > tally.arrived() as u64 {
                format!(", {} times", tally.arrivals())
            } else {
                String::new()
            };
            text.push_str(&format!("  {} arrived{again}\n", tally.arrived()));
        }
        for group in tally.groups().iter().filter(|group| group.states.len() > 1).take(MOST_NAMED) {
            let state = |state: &wayfare_record::tally::StateTally| {
                format!(
                    "{} entered {}, {} in it",
                    short(&state.name, 40),
                    times(state.entered),
                    state.inside
                )
            };
            // Nobody misses a state that nobody has been in since.
            let known: Vec<_> =
                group.states.iter().filter(|state| state.entered > 0 || state.inside > 0).collect();
            let mut states: Vec<String> =
                known.iter().take(MOST_NAMED).map(|known| state(known)).collect();
            if let Some(more) = known.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
                states.push(format!("and {}", counted(more, "more state")));
            }
            if !states.is_empty() {
                text.push_str(&format!("  {}: {}\n", short(&group.name, 40), states.join("; ")));
            }
        }
        if self.has_bodies() {
            text.push_str(&match self.overlaps {
                None => "  overlaps: too many to count\n".to_string(),
                Some(found) if found.pairs == 0 => "  no bodies overlap\n".to_string(),
                Some(found) => {
                    let overlap = if found.pairs == 1 { "overlaps" } else { "overlap" };
                    format!(
                        "  {} of bodies {overlap}, the deepest by {:.3}\n",
                        counted(found.pairs as usize, "pair"),
                        found.deepest
                    )
                }
            });
        }
        if self.undone > 0 {
            text.push_str(&format!(
                "  {} of the log not done: the run ended before\n",
                counted(self.undone, "command")
            ));
        }
        for path in &self.files {
            text.push_str(&format!("  wrote {}\n", shown(path)));
        }
        text
    }

    /// The summary for programs: one object, whose keys docs/outputs.md explains. All but the two
    /// of speed depend on the run alone.
    pub(crate) fn json(&self) -> String {
        let (crowd, tally) = (self.crowd, self.tally);
        let mut agents = Map::new();
        let mut states = Map::new();
        for group in tally.groups() {
            agents.insert(group.name.clone(), json!({ "start": group.before, "end": group.now }));
            if !group.states.is_empty() {
                let entry = |state: &wayfare_record::tally::StateTally| {
                    (
                        state.name.clone(),
                        json!({ "entered": state.entered, "inside": state.inside }),
                    )
                };
                states.insert(
                    group.name.clone(),
                    Value::Object(group.states.iter().map(entry).collect()),
                );
            }
        }
        let line = |count: &wayfare::crowd::LineCount<V>| {
            (count.line.name.clone(), json!({ "left": count.left, "right": count.right }))
        };
        let exit = |count: &wayfare::crowd::ExitCount<V>| json!({ "then": if count.exit.then == ExitAction::Remove { "remove" } else { "respawn" }, "left": count.left });
        let source = |count: &wayfare::crowd::SourceCount<V>| {
            let group = tally.groups().get(count.source.group).map(|group| group.name.as_str());
            json!({ "group": group, "entered": count.entered, "turned_away": count.turned_away })
        };
        let overlaps = self.overlaps.filter(|_| self.has_bodies()).map(|found| {
            let looked = tally.looked().map(
                |looked| json!({ "ticks": looked.ticks, "mean_pairs": looked.mean_pairs, "most_pairs": looked.most_pairs, "deepest": number(looked.deepest) }),
            );
            json!({ "bodies": found.bodies, "pairs": found.pairs, "deepest": number(found.deepest), "mean_depth": found.mean, "over_the_run": looked })
        });
        let summary = json!({
            "scene": self.scene,
            "title": self.title,
            "seed": self.seed,
            "dt": crowd.dt(),
            "from_tick": self.start,
            "tick": crowd.tick(),
            "time": crowd.time(),
            "interrupted": self.interrupted,
            "agents": agents,
            "lines": crowd.lines().iter().map(line).collect::<Map<_, _>>(),
            "exits": crowd.exits().iter().map(exit).collect::<Vec<_>>(),
            "sources": crowd.sources().iter().map(source).collect::<Vec<_>>(),
            "gone": tally.groups().iter().filter(|group| group.gone > 0).map(|group| (group.name.clone(), json!(group.gone))).collect::<Map<_, _>>(),
            "arrived": tally.can_arrive().then(|| json!({ "agents": tally.arrived(), "times": tally.arrivals() })),
            "states": states,
            "overlaps": overlaps,
            "commands_left": self.undone,
            "digest": format!("{:016x}", crowd.digest()),
            "seconds": self.seconds,
            "ticks_per_second": self.ticks_per_second(),
            "files": self.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        });
        format!("{summary:#}\n")
    }
}

/// A number in single precision as the shortest text that reads back to it, not as the digits of
/// its double.
fn number(x: f32) -> Value {
    x.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        _ => format!("{count} times"),
    }
}
