//! The results of a run: its length, arrivals, crossings, states and overlaps, as data and as JSON
//! for programs.

use serde_json::{Map, Value, json};
use wayfare::crowd::{ExitAction, ExitCount, LineCount, SourceCount};
use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_scene::Presentation;

use crate::Overlaps;
use crate::counters::{RunCounters, SolidStatistics, StateCounters};
use crate::output::RunEnd;

/// A run that has ended, and what happened in it.
#[derive(Clone, Debug)]
pub struct Summary<'a, V: Vector> {
    /// The file or the name of the scene.
    pub scene: String,
    /// The title of the scene; it may be empty.
    pub title: String,
    /// The seed of the run.
    pub seed: u64,
    /// The bounds of the world (length), if it has any.
    pub bounds: Option<Bounds<V>>,
    /// The colors of the groups and the names of the units.
    pub presentation: Presentation,
    /// The crowd after the last tick.
    pub crowd: &'a Crowd<V>,
    /// The counts of the run.
    pub counters: RunCounters<V>,
    /// The overlaps after the last tick; none if there are too many to count.
    pub overlaps: Option<Overlaps>,
    /// The tick that the run began with.
    pub start: u64,
    /// The data that are known only at the end.
    pub end: RunEnd,
}

impl<V: Vector> Summary<'_, V> {
    /// The number of ticks of the run.
    pub fn ticks(&self) -> u64 {
        self.crowd.tick() - self.start
    }

    /// Ticks per second of stepping, without the time that outputs took; 0 if it was not measured.
    pub fn ticks_per_second(&self) -> f64 {
        let seconds = self.end.step_seconds;
        if seconds > 0.0 { self.ticks() as f64 / seconds } else { 0.0 }
    }

    /// Whether any agent has a radius above 0: without one, nothing can overlap.
    pub fn has_bodies(&self) -> bool {
        self.overlaps.is_none_or(|found| found.bodies > 0)
            || self.counters.overlap_statistics().is_some_and(|sampled| sampled.most_pairs > 0)
    }

    /// The summary as one JSON object; docs/outputs.md explains its keys. All values but the two
    /// of speed depend on the run alone.
    pub fn json(&self) -> String {
        let (crowd, groups) = (self.crowd, self.counters.groups());
        let agents = groups
            .iter()
            .map(|group| (group.name.clone(), json!({ "start": group.start, "end": group.end })))
            .collect::<Map<_, _>>();
        let state = |state: &StateCounters| {
            (state.name.clone(), json!({ "entered": state.entered, "inside": state.inside }))
        };
        let states = groups
            .iter()
            .filter(|group| !group.states.is_empty())
            .map(|group| {
                (group.name.clone(), Value::Object(group.states.iter().map(state).collect()))
            })
            .collect::<Map<_, _>>();
        let gone = groups
            .iter()
            .filter(|group| group.gone > 0)
            .map(|group| (group.name.clone(), json!(group.gone)))
            .collect::<Map<_, _>>();
        let arrived = self.counters.can_arrive().then(
            || json!({ "agents": self.counters.arrived(), "times": self.counters.arrivals() }),
        );
        let summary = json!({
            "scene": self.scene,
            "title": self.title,
            "seed": self.seed,
            "dt": crowd.dt(),
            "units": self.units_json(),
            "from_tick": self.start,
            "tick": crowd.tick(),
            "time": crowd.time(),
            "interrupted": self.end.interrupted,
            "agents": agents,
            "lines": crowd.lines().iter().map(line).collect::<Map<_, _>>(),
            "exits": crowd.exits().iter().enumerate().map(|(i, count)| {
                let name = self.presentation.exits.get(i).filter(|name| !name.is_empty());
                exit(count, name)
            }).collect::<Vec<_>>(),
            "sources": crowd.sources().iter().map(|count| self.source(count)).collect::<Vec<_>>(),
            "gone": gone,
            "arrived": arrived,
            "unreachable": self.counters.unreachable(),
            "states": states,
            "overlaps": self.overlaps_json(),
            "measures": self.measures_json(),
            "commands_left": self.end.commands_left,
            "digest": format!("{:016x}", crowd.digest()),
            "seconds": self.end.seconds,
            "ticks_per_second": self.ticks_per_second(),
            "files": self.end.files,
        });
        format!("{summary:#}\n")
    }

    fn units_json(&self) -> Value {
        let units = &self.presentation.units;
        let name = |name: &str| (!name.is_empty()).then(|| name.to_string());
        json!({ "length": name(&units.length), "time": name(&units.time) })
    }

    fn source(&self, count: &SourceCount<V>) -> Value {
        let group =
            self.counters.groups().get(count.source.group.0).map(|group| group.name.as_str());
        json!({ "group": group, "entered": count.entered, "turned_away": count.turned_away })
    }

    /// By measure, and by quantity or group and quantity.
    fn measures_json(&self) -> Value {
        let mut all = Map::new();
        for end in &self.end.measures {
            let measure = all.entry(end.measure.clone()).or_insert_with(|| json!({}));
            let value = Some(end.value).filter(|value| value.is_finite());
            match &end.group {
                Some(group) => measure[group][end.quantity] = json!(value),
                None => measure[end.quantity] = json!(value),
            }
        }
        Value::Object(all)
    }

    fn overlaps_json(&self) -> Option<Value> {
        let found = self.overlaps.filter(|_| self.has_bodies())?;
        let over_the_run = self.counters.overlap_statistics().map(|sampled| {
            json!({
                "ticks": sampled.ticks,
                "mean_pairs": sampled.mean_pairs,
                "most_pairs": sampled.most_pairs,
                "deepest": number(sampled.deepest),
            })
        });
        Some(json!({
            "bodies": found.bodies,
            "pairs": found.pairs,
            "deepest": number(found.deepest),
            "mean_depth": found.mean,
            "over_the_run": over_the_run,
            "solid": self.counters.solid_statistics().map(|solid| {
                json!({
                    "ticks": solid.ticks,
                    "above_5_percent": solid.above_5_percent,
                    "deepest": number(solid.deepest),
                    "entering": number(solid.entering),
                    "bound": number(SolidStatistics::BOUND),
                })
            }),
        }))
    }
}

fn line<V: Vector>(count: &LineCount<V>) -> (String, Value) {
    (count.line.name.clone(), json!({ "left": count.left, "right": count.right }))
}

fn exit<V: Vector>(count: &ExitCount<V>, name: Option<&String>) -> Value {
    let then = if count.exit.then == ExitAction::Remove { "remove" } else { "respawn" };
    json!({ "name": name, "then": then, "left": count.left })
}

/// The shortest decimal number that reads back to `x`, without the further digits of its `f64`.
fn number(x: f32) -> Value {
    x.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}
