//! The engine of the demos inside the pages of the book: it runs a scene of the plane, and gives
//! what the page draws as arrays of numbers and as JSON. The page's JavaScript (`book/theme`) does
//! the drawing, so that the module is a fraction of the gallery's.

use serde_json::Value;
use wayfare::annotation::Figure;
use wayfare::crowd::{AgentChange, Command, Setting};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::Bounds;
use wayfare::{AgentId, Crowd};
use wayfare_scene::{Format, Presentation, Scene, Severity, Source};

#[cfg(target_arch = "wasm32")]
mod page;

/// The number of values per agent in [`Demo::agents`]: its id, x, y, its facing's x and y, its
/// radius, its group.
pub const STRIDE: usize = 7;

/// A scene that runs.
#[derive(Debug)]
pub struct Demo {
    crowd: Crowd<Vec2>,
    start: Scene<Vec2>,
    /// The settings that were changed, which a restart keeps.
    settings: Vec<(String, f32)>,
}

impl Demo {
    /// Reads a scene file.
    ///
    /// # Errors
    /// What is wrong, as the command shows it; or the scene is in space.
    pub fn new(name: &str, text: &str) -> Result<Self, String> {
        let source = Source { name: name.to_string(), text: text.to_string() };
        let start = wayfare_scene::read_in::<Vec2>(&source, Format::Toml)
            .map_err(|problems| source.render(Severity::Error, &problems, false))?;
        let crowd = Crowd::new(start.setup.clone()).map_err(|error| error.to_string())?;
        Ok(Self { crowd, start, settings: Vec::new() })
    }

    /// The scene's title.
    pub fn title(&self) -> &str {
        &self.start.title
    }

    /// The duration of a tick (time).
    pub fn dt(&self) -> f64 {
        self.crowd.dt()
    }

    /// The number of ticks so far.
    pub fn tick(&self) -> u64 {
        self.crowd.tick()
    }

    /// The digest of the crowd, as `wayfare run --digest` prints it.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.crowd.digest())
    }

    /// Advances the crowd by one tick.
    pub fn step(&mut self) {
        self.crowd.step();
    }

    /// Starts again, with the settings as they are.
    pub fn restart(&mut self) {
        // A setup that was valid is valid.
        if let Ok(crowd) = Crowd::new(self.start.setup.clone()) {
            self.crowd = crowd;
        }
        for (key_path, value) in self.settings.clone() {
            // A setting that was allowed before is allowed now.
            let _ = self.send(&key_path, value);
        }
    }

    /// Moves the pointer (length); a restart returns it to its track.
    pub fn point(&mut self, point: Vec2) {
        self.crowd.set_pointer(Some(point));
    }

    /// Gives an agent a position (length) and a velocity (length / time), which is cut to its
    /// `max_speed`.
    ///
    /// # Errors
    /// There is no such agent, or a number is not finite; then nothing changes.
    pub fn put(&mut self, id: u32, position: Vec2, velocity: Vec2) -> Result<(), String> {
        let velocity = Some(velocity);
        self.apply(&Command::Move { id: AgentId(id), position, velocity })
    }

    /// Turns an agent to a direction of any length.
    ///
    /// # Errors
    /// There is no such agent, it faces along its velocity, or the direction has no length.
    pub fn face(&mut self, id: u32, direction: Vec2) -> Result<(), String> {
        let change = AgentChange::Facing(direction);
        self.apply(&Command::Agent { id: AgentId(id), change })
    }

    /// Changes a setting by its key path, such as `group[0].steer[0].arrive.slowing_radius`.
    ///
    /// # Errors
    /// There is no such setting, or it cannot have this value; then nothing changes.
    pub fn set(&mut self, key_path: &str, value: f32) -> Result<(), String> {
        self.send(key_path, value)?;
        self.settings.retain(|(other, _)| other != key_path);
        self.settings.push((key_path.to_string(), value));
        Ok(())
    }

    fn send(&mut self, key_path: &str, value: f32) -> Result<(), String> {
        let (key_path, value) = (key_path.to_string(), Setting::Number(value));
        self.apply(&Command::Set { key_path, value })
    }

    fn apply(&mut self, command: &Command<Vec2>) -> Result<(), String> {
        self.crowd.apply(command).map(drop).map_err(|error| error.to_string())
    }

    /// [`STRIDE`] numbers for each agent, in the order of their ids.
    pub fn agents(&self) -> Vec<f32> {
        let mut agents = Vec::with_capacity(STRIDE * self.crowd.len());
        let mut rows: Vec<_> = self.crowd.ids().zip(0..).collect();
        rows.sort_unstable();
        for (id, row) in rows {
            let Some(found) = self.crowd.agent_at_row(row) else { continue };
            let (agent, group) = (found.agent, found.group.0 as f32);
            let (at, heading) = (agent.position, agent.facing);
            agents.extend([id.0 as f32, at.x, at.y, heading.x, heading.y, agent.radius, group]);
        }
        agents
    }

    /// The parts of the world that do not move: `{"bounds": [x, y, x, y] or null, "groups":
    /// [{"name", "color" or null}], "obstacles": […], "paths": [{"points", "radius"}]}`.
    pub fn world(&self) -> Value {
        let bounds = match &self.start.setup.bounds {
            Some(Bounds { min, max, .. }) => numbers(&[min.x, min.y, max.x, max.y]),
            None => Value::Null,
        };
        let groups = self.start.setup.groups.iter().enumerate();
        let groups = groups.map(|(index, group)| {
            let color = color(&self.start.presentation, index);
            object(vec![("name", Value::from(group.name.as_str())), ("color", color)])
        });
        let obstacles = self.crowd.obstacles().iter().map(|obstacle| drawn(obstacle.shape()));
        let paths = self.crowd.paths().iter().map(|path| {
            let pieces: Vec<(Vec2, Vec2)> = path.pieces().collect();
            let first = pieces.first().map(|(from, _)| pair(*from));
            let points = first.into_iter().chain(pieces.iter().map(|(_, to)| pair(*to)));
            object(vec![("points", points.collect()), ("radius", path.radius.into())])
        });
        object(vec![
            ("bounds", bounds),
            ("groups", groups.collect()),
            ("obstacles", obstacles.collect()),
            ("paths", paths.collect()),
        ])
    }

    /// The pointer, if it is somewhere.
    pub fn pointer(&self) -> Option<Vec2> {
        self.crowd.pointer()
    }

    /// The forces on an agent at the next tick: `{"position", "velocity", "max_speed", "state": the
    /// name or null, "stats": [number], "force", "forces": [{"behavior", "force"}], "figures":
    /// [{"label", …}]}`; null for one that is not there.
    pub fn forces(&mut self, id: u32) -> Value {
        let Some(found) = self.crowd.get(AgentId(id)) else { return Value::Null };
        let (agent, state, stats) = (found.agent, Value::from(found.state), numbers(found.stats));
        let (position, velocity) = (pair(agent.position), pair(agent.velocity));
        let max_speed = agent.max_speed;
        let Some(explained) = self.crowd.explain(AgentId(id)) else { return Value::Null };
        let forces = explained.contributions.iter().map(|contribution| {
            let behavior = Value::from(contribution.behavior);
            object(vec![("behavior", behavior), ("force", pair(contribution.force))])
        });
        let figures = explained.annotations.iter().map(|annotation| {
            let label = ("label", Value::from(annotation.label));
            match annotation.figure {
                Figure::Circle { center, radius } => {
                    object(vec![label, ("circle", pair(center)), ("radius", radius.into())])
                }
                Figure::Segment { from, to } => {
                    object(vec![label, ("from", pair(from)), ("to", pair(to))])
                }
                Figure::Point(point) => object(vec![label, ("point", pair(point))]),
            }
        });
        object(vec![
            ("position", position),
            ("velocity", velocity),
            ("max_speed", max_speed.into()),
            ("state", state),
            ("stats", stats),
            ("force", pair(explained.force)),
            ("forces", forces.collect()),
            ("figures", figures.collect()),
        ])
    }
}

/// One function in place of the macro `json!`, whose code is repeated at each use.
fn object(entries: Vec<(&str, Value)>) -> Value {
    entries.into_iter().collect()
}

fn numbers(numbers: &[f32]) -> Value {
    numbers.iter().copied().collect()
}

fn pair(point: Vec2) -> Value {
    numbers(&[point.x, point.y])
}

/// The color of a group, `#rrggbb`; null where the scene gives none.
fn color(presentation: &Presentation, group: usize) -> Value {
    let color = presentation.color(group);
    color.map_or(Value::Null, |[r, g, b]| Value::from(format!("#{r:02x}{g:02x}{b:02x}")))
}

/// A circle, or a polygon with the thickness of its edge.
fn drawn(shape: &Shape<Vec2>) -> Value {
    let polygon = |points: Vec<Vec2>, thickness: f32| {
        let points = points.into_iter().map(pair).collect();
        object(vec![("points", points), ("thickness", thickness.into())])
    };
    match shape {
        Shape::Circle { center, radius } => {
            object(vec![("circle", pair(*center)), ("radius", (*radius).into())])
        }
        Shape::Box { center, half, angle } => {
            let turn = Vec2::from_angle(*angle);
            let corner = |x: f32, y: f32| *center + turn.rotate(vec2(x * half.x, y * half.y));
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            polygon(corners.map(|(x, y)| corner(x, y)).to_vec(), 0.0)
        }
        Shape::Segment { from, to, thickness } => polygon(vec![*from, *to], *thickness),
        Shape::Polygon { points } => polygon(points.clone(), 0.0),
    }
}
