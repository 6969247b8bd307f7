//! What holds for every scene.

use std::collections::HashMap;
use std::fmt::Debug;

use serde_json::Value as Json;
use wayfare::crowd::{Command, Event, Setup};
use wayfare::geometry::obstacle::Obstacle;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{AgentId, Crowd, Vector};
use wayfare_scene::edit::Draft;
use wayfare_scene::{AnyScene, Format, Source};

use super::commands::Commands;
use super::document::written;
use super::draw::scene_of;

/// The ticks of a run, and the tick at which it is saved and loaded.
const TICKS: u64 = 40;
const SAVED: u64 = 17;
/// The most agents of a scene that runs: pairs are tested one by one.
const MOST_AGENTS: usize = 150;
/// The most cells of its fields, which are made again for each snapshot.
const MOST_CELLS: usize = 50_000;

/// The promise that a scene breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// The promise, in a word.
    pub(super) promise: &'static str,
    pub(super) how: String,
}

type Kept = Result<(), Broken>;

fn broken(promise: &'static str, how: impl Into<String>) -> Kept {
    Err(Broken { promise, how: how.into() })
}

fn equal<T: PartialEq + Debug>(promise: &'static str, at: &str, found: T, expected: T) -> Kept {
    if found == expected {
        return Ok(());
    }
    broken(promise, format!("{at}: {found:?} for {expected:?}"))
}

/// Runs a scene and looks at every promise.
///
/// # Errors
/// The first that is broken.
pub(super) fn kept(document: &Json, number: u32) -> Kept {
    let Ok(scene) = scene_of(document, Format::Toml) else { return Ok(()) };
    match scene_of(document, Format::Json) {
        Ok(json) => equal("JSON = TOML", "scene", format!("{json:?}"), format!("{scene:?}"))?,
        Err((_, problems)) => return broken("JSON = TOML", format!("{problems:?}")),
    }
    let text = written(document, Format::Toml).text;
    match scene {
        AnyScene::TwoD(scene) => runs(&scene.setup, &text, number),
        AnyScene::ThreeD(scene) => runs(&scene.setup, &text, number),
    }
}

fn runs<V: Vector>(setup: &Setup<V>, text: &str, number: u32) -> Kept {
    let mut crowd = match Crowd::new(setup.clone()) {
        Ok(crowd) => crowd,
        Err(error) => return broken("decoded = valid", error.to_string()),
    };
    let cells = |field: &wayfare::geometry::flow_field::FlowField<V>| field.cells().count();
    let cells: usize = crowd.fields().iter().map(cells).sum();
    if crowd.len() > MOST_AGENTS || cells > MOST_CELLS {
        return Ok(());
    }
    let mut observed = Observed::new(setup);
    let mut digests = Vec::new();
    for _ in 0..TICKS {
        crowd.step();
        // Events move agents and obstacles.
        if setup.commands.is_empty() {
            observed.look(&crowd)?;
        } else {
            finite(&crowd)?;
        }
        digests.push(crowd.digest());
        if crowd.len() > 2 * MOST_AGENTS {
            break;
        }
    }
    let mut again = fresh(setup)?;
    again.set_threads(3).expect("threads start");
    for (tick, digest) in (0..).zip(&digests) {
        if tick == SAVED {
            again = loaded(&again, setup)?;
        }
        again.step();
        equal("threads, snapshots", &format!("tick {tick}"), again.digest(), *digest)?;
    }
    commanded(setup, text, number)
}

fn fresh<V: Vector>(setup: &Setup<V>) -> Result<Crowd<V>, Broken> {
    let how = |error: wayfare::crowd::SetupError| error.to_string();
    Crowd::new(setup.clone()).map_err(|error| Broken { promise: "setup again", how: how(error) })
}

/// The crowd from its snapshot.
fn loaded<V: Vector>(crowd: &Crowd<V>, setup: &Setup<V>) -> Result<Crowd<V>, Broken> {
    let mut again = fresh(setup)?;
    if let Err(error) = again.restore(&crowd.snapshot()) {
        broken("a snapshot loads", error.to_string())?;
    }
    equal("a snapshot loads", "digest", again.digest(), crowd.digest())?;
    Ok(again)
}

/// Runs the scene with random commands: a refused one changes nothing, and after each other one
/// the snapshot loads; the same commands give the same run.
fn commanded<V: Vector>(setup: &Setup<V>, text: &str, number: u32) -> Kept {
    let source = Source { name: "scene".to_string(), text: text.to_string() };
    let Ok(draft) = Draft::new(source, Format::Toml) else {
        return broken("an editor opens it", text);
    };
    let mut commands = Commands::new(setup, &draft.controls(), number);
    let mut crowd = fresh(setup)?;
    let mut log: Vec<(u64, Command<V>)> = Vec::new();
    // Commands may add a source of many.
    while crowd.tick() < TICKS / 2 && crowd.len() <= 2 * MOST_AGENTS {
        let tick = crowd.tick();
        // Any command lets the events of the tick act first.
        let _ = crowd.apply(&Command::Remove(AgentId(u32::MAX)));
        for _ in 0..2 {
            let command = commands.next(&crowd);
            let before = crowd.snapshot();
            if crowd.apply(&command).is_ok() {
                log.push((tick, command));
                loaded(&crowd, setup).map_err(|broken| fewer(setup, &mut log, broken))?;
            } else {
                let is_same = before == crowd.snapshot();
                equal("a refused command changes nothing", &format!("{command:?}"), is_same, true)?;
            }
        }
        crowd.step();
        finite(&crowd)?;
    }
    let mut again = fresh(setup)?;
    let mut commands = log.iter().peekable();
    for tick in 0..crowd.tick() {
        while let Some((_, command)) = commands.next_if(|(at, _)| *at == tick) {
            if let Err(error) = again.apply(command) {
                broken("a log replays", format!("{error} at {command:?}"))?;
            }
        }
        again.step();
    }
    equal("a log replays", "digest", again.digest(), crowd.digest())
}

/// What is broken, with the fewest commands after which it still is.
fn fewer<V: Vector>(setup: &Setup<V>, log: &mut Vec<(u64, Command<V>)>, broken: Broken) -> Broken {
    let breaks = |log: &[(u64, Command<V>)]| {
        let mut crowd = fresh(setup).ok()?;
        for (tick, command) in log {
            while crowd.tick() < *tick {
                crowd.step();
            }
            crowd.apply(command).ok()?;
        }
        loaded(&crowd, setup).err()
    };
    let mut found = broken;
    for i in (0..log.len()).rev() {
        let command = log.remove(i);
        match breaks(log) {
            Some(broken) => found = broken,
            None => log.insert(i, command),
        }
    }
    found.how = format!("{}, after {log:?}", found.how);
    found
}

fn finite<V: Vector>(crowd: &Crowd<V>) -> Kept {
    for (id, agent) in crowd.agents() {
        let is_fine = agent.position.is_finite()
            && agent.velocity.is_finite()
            && (agent.heading.length() - 1.0).abs() < 1e-4
            && agent.velocity.length() <= agent.max_speed * 1.001;
        equal("finite, at most max_speed", &format!("{id:?} {agent:?}"), is_fine, true)?;
    }
    Ok(())
}

/// What was seen of a run so far.
struct Observed<'a, V: Vector> {
    setup: &'a Setup<V>,
    obstacles: Vec<Obstacle<V>>,
    /// The agents whose centers are free, by id.
    free: HashMap<AgentId, V>,
    /// The deepest overlap after the last tick, also of those that had just entered.
    deepest: f32,
    /// Those that had just entered then: in this tick they are counted apart.
    entered: Vec<AgentId>,
}

impl<'a, V: Vector> Observed<'a, V> {
    fn new(setup: &'a Setup<V>) -> Self {
        let obstacles = setup.obstacles.iter().cloned().map(Obstacle::from).collect();
        Self { setup, obstacles, free: HashMap::new(), deepest: f32::INFINITY, entered: Vec::new() }
    }

    fn look(&mut self, crowd: &Crowd<V>) -> Kept {
        finite(crowd)?;
        for event in crowd.events() {
            if let Event::Left { id, .. } | Event::Gone { id, .. } = event {
                self.free.remove(id);
            }
        }
        let bounds =
            self.setup.bounds.filter(|bounds| matches!(bounds.edge, Edge::Wall | Edge::Bounce));
        for agent in bodies(crowd, self.setup) {
            let p = agent.1.position;
            let outside = bounds.is_some_and(|bounds| p != p.max(bounds.min).min(bounds.max));
            let inside = self.obstacles.iter().any(|obstacle| obstacle.distance(p) < 0.0);
            if !outside && !inside {
                self.free.insert(agent.0, p);
            } else if let Some(before) = self.free.get(&agent.0).filter(|_| !agent.2) {
                let at = format!("tick {}, {:?} from {before:?} to {p:?}", crowd.tick(), agent.0);
                equal("out of walls", &at, outside || inside, false)?;
            }
        }
        let (Some(others), Some(entry)) = (crowd.deepest_overlap(), crowd.deepest_entry()) else {
            return Ok(());
        };
        let told = others.max(entry);
        let new: Vec<AgentId> =
            crowd.events().iter().filter(|e| is_new(e)).map(Event::id).collect();
        let (found, rounding) = deepest(crowd, self.setup, &new);
        // Those that leave after the step have no position that is written.
        let gone = |e: &Event| matches!(e, Event::Left { .. } | Event::Gone { .. });
        let left = crowd.events().iter().any(gone);
        let found = if left { found.max(told) } else { found };
        let entered = |e: &&Event| matches!(e, Event::Entered { .. });
        let now = crowd.events().iter().filter(entered).map(Event::id).collect();
        let entered = std::mem::replace(&mut self.entered, now);
        // Those that entered a tick ago are told apart.
        let (there, _) = deepest(crowd, self.setup, &[new, entered].concat());
        for (told, found) in [(told, found), (others, if left { there.max(others) } else { there })]
        {
            let is_same = (told - found).abs() <= 1e-3 * (1.0 + found) + rounding;
            let at = format!("tick {}: {told} for {found}", crowd.tick());
            equal("summary = trajectory", &at, is_same, true)?;
        }
        let at = format!("tick {}: {found} after {}", crowd.tick(), self.deepest);
        let is_bounded = self.deepest > 0.2 || found <= 0.2 + rounding;
        // One that is in a wall moves out of it, whatever it then overlaps.
        let is_in_wall = bodies(crowd, self.setup).iter().any(|(_, agent, _)| {
            let (p, r) = (agent.position, agent.radius * 0.99);
            let held = |bounds: &Bounds<V>| {
                let free = (0..V::DIMENSION).all(|i| {
                    (bounds.min.axis(i) + r..=bounds.max.axis(i) - r).contains(&p.axis(i))
                });
                !free
            };
            bounds.as_ref().is_some_and(held)
                || self.obstacles.iter().any(|obstacle| obstacle.distance(p) < r)
        });
        self.deepest = if is_in_wall { f32::INFINITY } else { deepest(crowd, self.setup, &[]).0 };
        equal("overlaps stay below a fifth", &at, is_bounded, true)
    }
}

/// The solid bodies: id, agent, whether it is frozen.
fn bodies<V: Vector>(
    crowd: &Crowd<V>,
    setup: &Setup<V>,
) -> Vec<(AgentId, wayfare::Agent<V>, bool)> {
    let mut rows = Vec::new();
    crowd.rows_by_id(&mut rows);
    let members = rows.iter().filter_map(|&row| crowd.agent_at_row(row));
    members
        .filter(|member| setup.bodies.solid && setup.groups[member.group.0].solid)
        .filter(|member| member.agent.radius > 0.0)
        .map(|member| (member.id, member.agent, member.frozen))
        .collect()
}

/// Whether it says that a body has just entered, or begun again elsewhere: it counts from its
/// second tick.
fn is_new(event: &Event) -> bool {
    matches!(event, Event::Entered { .. } | Event::Left { .. } | Event::Gone { .. })
}

/// The deepest overlap of solid bodies, as a part of the smaller radius, pair by pair, and by how
/// much rounding may change it. The bodies `without` do not count.
fn deepest<V: Vector>(crowd: &Crowd<V>, setup: &Setup<V>, without: &[AgentId]) -> (f32, f32) {
    let (mut bodies, space) = (bodies(crowd, setup), setup.space());
    bodies.retain(|(id, ..)| !without.contains(id));
    let (mut deepest, mut rounding) = (0.0_f64, 0.0_f32);
    for (i, (_, a, _)) in bodies.iter().enumerate() {
        for (_, b, _) in &bodies[..i] {
            let difference = space.difference(a.position, b.position);
            let axes = (0..V::DIMENSION).map(|axis| f64::from(difference.axis(axis)).powi(2));
            let largest = (a.radius + b.radius).max(a.position.length()).max(b.position.length());
            let smaller = a.radius.min(b.radius);
            rounding = rounding.max(4.0 * f32::EPSILON * largest / smaller);
            let depth = f64::from(a.radius + b.radius) - axes.sum::<f64>().sqrt();
            deepest = deepest.max(depth / f64::from(smaller));
        }
    }
    (deepest as f32, rounding)
}
