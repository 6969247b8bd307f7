//! The one check of a [`Setup`]: after it nothing in a crowd can fail.

use core::fmt;
use std::collections::HashSet;

use glam::Vec2;

use super::setup::{Distribution, Group, Perception, Setup, Spawn, StartVelocity};
use crate::behavior::{Behavior, Steer};
use crate::combine::{Entry, List};
use crate::geometry::explored::{MOST_CELLS, cells_of};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::parameter::{Groups, Kind, LARGEST, Range, Target, Value, Words};
use crate::spatial::space::Edge;
use crate::vector::Vector;

mod doors;
mod fault;
mod polygon;
pub mod range;
mod states;

pub use fault::{KeyPath, KeySegment, SetupError, ValidationError};

/// The most agents a crowd holds.
pub const MOST_AGENTS: usize = 100_000_000;

/// The fewest thoughts that a group's members can have: one in so many ticks.
pub const MOST_THINK_EVERY: u32 = 1_000;

/// What a group needs for somebody to see.
const SIGHT: &str = "a `sight` of the group, such as { of = \"intruder\", within = 150 }";

/// The most ways out of a state: an agent that takes one notes its number in 16 bits.
const MOST_WAYS: usize = 65_000;

/// The most agents that enter by a source in a tick, by its rate.
pub const MOST_ARRIVALS: f64 = 10_000.0;

impl<V: Vector> Setup<V> {
    /// Everything that is wrong with it; an empty list for a setup that
    /// [`Crowd::new`](super::Crowd::new) takes.
    pub fn faults(&self) -> Vec<ValidationError> {
        let mut check = Check { setup: self, faults: Vec::new() };
        check.run();
        check.faults
    }
}

/// The checks of parts, for what changes while a crowd runs: the first thing that is wrong.
impl<V: Vector> Setup<V> {
    pub(super) fn check_shape(
        &self,
        place: &KeyPath,
        shape: &Shape<V>,
    ) -> Result<(), ValidationError> {
        self.first(|check| check.shape(place, shape))
    }

    pub(super) fn check_value(
        &self,
        place: &KeyPath,
        kind: Kind,
        value: &Value<V>,
    ) -> Result<(), ValidationError> {
        self.first(|check| check.value(place, kind, value))
    }

    /// The lists of the group with this index.
    pub(super) fn check_lists(&self, index: usize) -> Result<(), ValidationError> {
        let place = KeyPath::default().key("group").at(index);
        self.first(|check| {
            let group = &check.setup.groups[index];
            check.list(&place.key("steer"), &place, &group.steer);
            for (i, state) in group.states.iter().enumerate() {
                let place = place.key("state").at(i);
                check.list(&place.key("steer"), &place, &state.steer);
            }
        })
    }

    pub(super) fn check_bounds(&self) -> Result<(), ValidationError> {
        self.first(Check::bounds)
    }

    fn first<'a>(&'a self, look: impl FnOnce(&mut Check<'a, V>)) -> Result<(), ValidationError> {
        let mut check = Check { setup: self, faults: Vec::new() };
        look(&mut check);
        check.faults.into_iter().next().map_or(Ok(()), Err)
    }
}

struct Check<'a, V: Vector> {
    setup: &'a Setup<V>,
    faults: Vec<ValidationError>,
}

impl<V: Vector> Check<'_, V> {
    fn fault(&mut self, place: KeyPath, message: impl Into<String>, allowed: impl Into<String>) {
        self.faults.push(ValidationError {
            place,
            message: message.into(),
            allowed: allowed.into(),
        });
    }

    fn number(&mut self, place: KeyPath, x: f32, range: Range) {
        if !range.holds(x) {
            let name = name_of(&place);
            self.fault(place, format!("`{name}` is {}", plain(x)), range.to_string());
        }
    }

    fn point(&mut self, place: KeyPath, p: V) {
        self.faults.extend(vector_fault(place, p, range::COORDINATE));
    }

    fn run(&mut self) {
        let top = KeyPath::default();
        let setup = self.setup;
        self.number(top.key("dt"), setup.dt as f32, range::DT);
        if let Some(track) = &setup.pointer {
            let place = top.key("pointer").key("track");
            if track.points.is_empty() {
                self.fault(place.clone(), "`track` is empty", "at least one [time, x, y]");
            }
            let mut before = f64::NEG_INFINITY;
            for (i, (time, p)) in track.points.iter().enumerate() {
                if time.is_nan() || time.abs() > f64::from(LARGEST) {
                    self.fault(
                        place.at(i),
                        format!("the time is {}", plain(*time)),
                        "a time from -1e9 to 1e9",
                    );
                } else {
                    if *time <= before {
                        let message = format!(
                            "the time {} does not come after {}",
                            plain(*time),
                            plain(before)
                        );
                        self.fault(
                            place.at(i),
                            message,
                            "times that grow from point to point, up to 1e9",
                        );
                    }
                    before = *time;
                }
                self.point(place.at(i), *p);
            }
        }
        for (i, shape) in setup.obstacles.iter().enumerate() {
            self.shape(&top.key("obstacle").at(i), shape);
        }
        let mut names = HashSet::new();
        for (name, path) in &setup.paths {
            if !names.insert(name) {
                self.fault(
                    top.key("path").key(name),
                    format!("there is a path \"{name}\" already"),
                    "a name that no other path has",
                );
            }
            let place = top.key("path").key(name);
            if path.points.is_empty() {
                self.fault(
                    place.key("points"),
                    format!("the path `{name}` has no points"),
                    "at least one point such as [100, 50]",
                );
            }
            for (i, p) in path.points.iter().enumerate() {
                self.point(place.key("points").at(i), *p);
            }
            self.number(place.key("radius"), path.radius, range::RADIUS);
        }
        self.fields();
        self.lines();
        self.exits();
        self.sources();
        let mut total = 0_usize;
        names.clear();
        for (i, group) in setup.groups.iter().enumerate() {
            let place = top.key("group").at(i);
            total = total.saturating_add(group.count);
            if group.name.is_empty() {
                self.fault(
                    place.key("name"),
                    "the group's name is empty",
                    "a name that no other group has",
                );
            } else if group.name == "pointer" {
                self.fault(
                    place.key("name"),
                    "\"pointer\" is no name for a group",
                    "any other name: \"pointer\" is the pointer",
                );
            } else if group.name == "goal" {
                self.fault(
                    place.key("name"),
                    "\"goal\" is no name for a group",
                    "any other name: \"goal\" is each member's own `goal`",
                );
            } else if group.name == "last_seen" {
                self.fault(
                    place.key("name"),
                    "\"last_seen\" is no name for a group",
                    "any other name: \"last_seen\" is where a member last saw somebody",
                );
            } else if !names.insert(&group.name) {
                self.fault(
                    place.key("name"),
                    format!("there is a group \"{}\" already", group.name),
                    "a name that no other group has",
                );
            }
            self.group(&place, group);
        }
        if total > MOST_AGENTS {
            self.fault(
                top.key("group"),
                format!("the groups have {total} agents together"),
                format!("at most {MOST_AGENTS}"),
            );
        }
        self.bounds();
    }

    fn bounds(&mut self) {
        let Some(bounds) = self.setup.bounds else { return };
        let place = KeyPath::default().key("bounds");
        let before = self.faults.len();
        self.point(place.key("min"), bounds.min);
        self.point(place.key("max"), bounds.max);
        if self.faults.len() > before {
            return;
        }
        let size = bounds.max - bounds.min;
        let narrowest = (0..V::DIMENSION).map(|i| size.axis(i)).fold(f32::INFINITY, f32::min);
        if narrowest <= 0.0 {
            return self.fault(
                place.key("max"),
                format!("`max` is {} and `min` is {}", list(bounds.max), list(bounds.min)),
                "a `max` above `min` on every axis",
            );
        }
        if bounds.edge != Edge::Wrap {
            return;
        }
        for (i, group) in self.setup.groups.iter().enumerate() {
            let radius =
                group.lists().filter_map(|list| list.neighbor_radius()).fold(0.0, f32::max);
            if narrowest < 2.0 * radius {
                let message = format!(
                    "the wrapped world is {narrowest} wide, and group \"{}\" looks for neighbors \
                     up to {radius} away",
                    group.name
                );
                self.fault(
                    place.key("edge"),
                    message,
                    format!(
                        "a world at least {} wide on every axis, or smaller radii in group[{i}]",
                        2.0 * radius
                    ),
                );
            }
        }
    }

    fn shape(&mut self, place: &KeyPath, shape: &Shape<V>) {
        match shape {
            Shape::Circle { center, radius } => {
                self.point(place.key("circle").key("center"), *center);
                self.number(place.key("circle").key("radius"), *radius, range::RADIUS);
            }
            Shape::Box { center, half, angle } => {
                let place = place.key("box");
                self.point(place.clone(), *center);
                if !angle.is_finite() {
                    self.fault(place.key("angle"), format!("`angle` is {angle}"), "a finite angle");
                }
                if (0..V::DIMENSION).any(|i| !range::RADIUS.holds(half.axis(i))) {
                    self.fault(
                        place,
                        format!("its size is {}", list(*half * 2.0)),
                        "a `max` that is not below `min`, or a `size` from 0 to 1e9 on every axis",
                    );
                }
            }
            Shape::Segment { from, to, thickness } => {
                self.point(place.key("segment").key("from"), *from);
                self.point(place.key("segment").key("to"), *to);
                self.number(place.key("segment").key("thickness"), *thickness, range::RADIUS);
            }
            Shape::Polygon { points } => {
                let place = place.key("polygon");
                if points.len() < 3 {
                    self.fault(
                        place.clone(),
                        format!("the polygon has {} corners", points.len()),
                        "at least 3 corners",
                    );
                }
                let before = self.faults.len();
                for (i, p) in points.iter().enumerate() {
                    self.point(place.at(i), V::from_flat(*p));
                }
                if points.len() >= 3 && self.faults.len() == before {
                    self.polygon(place, points);
                }
            }
        }
    }

    /// A polygon whose inside is in doubt: no formula fails on it, and none gives what its author
    /// sees.
    fn polygon(&mut self, place: KeyPath, points: &[Vec2]) {
        let point = |p: Vec2| format!("[{}, {}]", plain(p.x), plain(p.y));
        if let Some((i, k)) = polygon::crossing(points) {
            let edge = |i: usize| {
                format!("{} to {}", point(points[i]), point(points[(i + 1) % points.len()]))
            };
            self.fault(
                place,
                format!("the polygon crosses itself: {} and {}", edge(i), edge(k)),
                "corners in the order of its outline",
            );
        } else if polygon::is_flat(points) {
            self.fault(
                place,
                "the polygon has no area: its corners lie on a line",
                "at least 3 corners that are not on one line; a `segment` is a line",
            );
        }
    }

    fn fields(&mut self) {
        let (setup, mut names) = (self.setup, HashSet::new());
        for (name, plan) in &setup.fields {
            let place = KeyPath::default().key("field").key(name);
            if !names.insert(name) {
                self.fault(
                    place.clone(),
                    format!("there is a field \"{name}\" already"),
                    "a name that no other field has",
                );
            }
            if let FieldPlan::Toward { goals, .. } = plan {
                goals
                    .iter()
                    .enumerate()
                    .for_each(|(i, goal)| self.shape(&place.key("goal").at(i), goal));
            }
            // Numbers of bounds that are none make no sense of an area; they are complained of
            // themselves.
            if let Err(wrong) = plan.check(setup.bounds.as_ref()) {
                self.fault(place.key(wrong.key), wrong.message, wrong.allowed);
            }
        }
    }

    fn spread(&mut self, place: KeyPath, spread: Distribution, range: Range) {
        match spread {
            Distribution::Same(x) => self.number(place, x, range),
            Distribution::Uniform(low, high) => {
                let place = place.key("uniform");
                let both = Range { infinite: false, ..range };
                if !both.holds(low) || !both.holds(high) || low > high {
                    self.fault(
                        place,
                        format!("`uniform` is [{}, {}]", plain(low), plain(high)),
                        format!("two numbers, the smaller first, each {both}"),
                    );
                }
            }
        }
    }

    fn group(&mut self, place: &KeyPath, group: &Group<V>) {
        self.spread(place.key("mass"), group.mass, range::MASS);
        self.spread(place.key("max_speed"), group.max_speed, range::MAX_SPEED);
        self.spread(place.key("max_force"), group.max_force, range::MAX_FORCE);
        self.spread(place.key("radius"), group.radius, range::RADIUS);
        self.number(place.key("drag"), group.drag, range::DRAG);
        self.number(place.key("turn_rate"), group.turn_rate, range::TURN_RATE);
        if let Some(radius) = group.turning_radius {
            self.number(place.key("turning_radius"), radius, range::TURNING_RADIUS);
        }
        if !(1..=MOST_THINK_EVERY).contains(&group.think_every) {
            let message = format!("`think_every` is {}", group.think_every);
            self.fault(
                place.key("think_every"),
                message,
                format!("a whole number from 1 to {MOST_THINK_EVERY}"),
            );
        }
        if let StartVelocity::Same(v) = group.velocity {
            for i in 0..V::DIMENSION {
                self.number(place.key("velocity"), v.axis(i), range::VELOCITY);
            }
        }
        self.places(place, "spawn", group.count, &group.spawn);
        if let Some(goal) = &group.goal {
            self.places(place, "goal", group.count, goal);
        }
        if let Some(sight) = &group.sight {
            self.sight(&place.key("sight"), sight);
        }
        self.list(&place.key("steer"), place, &group.steer);
        for (i, stat) in group.stats.iter().enumerate() {
            let at = place.key("stat").key(&stat.name);
            if group.stats[..i].iter().any(|other| other.name == stat.name) {
                self.fault(
                    at.clone(),
                    format!("there is a stat \"{}\" already", stat.name),
                    "a name that no other stat of the group has",
                );
            }
            self.number(at.key("start"), stat.start, range::STAT);
            for (name, x) in [("min", stat.min), ("max", stat.max)] {
                if x.is_nan() {
                    self.fault(at.key(name), format!("`{name}` is NaN"), "a number, or inf");
                }
            }
            if stat.start < stat.min || stat.start > stat.max {
                self.fault(
                    at.key("start"),
                    format!("`start` is {}", plain(stat.start)),
                    format!(
                        "a number from `min`, {}, to `max`, {}",
                        plain(stat.min),
                        plain(stat.max)
                    ),
                );
            }
        }
        if group.start != 0 && group.start >= group.states.len() {
            self.fault(
                place.key("start"),
                format!("there is no state {}", group.start),
                "one of the group's states",
            );
        }
        for (i, state) in group.states.iter().enumerate() {
            self.state(&place.key("state").at(i), group, state, i);
        }
        self.queues_are_last(place, group);
    }

    /// What stands under `key`, `spawn` or `goal`, of a group: places for `count` members.
    fn places(&mut self, group: &KeyPath, key: &str, count: usize, places: &Spawn<V>) {
        let place = group.key(key);
        match places {
            Spawn::Inside(shape) => self.area(&place, shape),
            Spawn::Grid { origin, spacing, columns, rows } => {
                let grid = place.key("grid");
                self.point(grid.key("origin"), *origin);
                self.number(grid.key("spacing"), *spacing, range::RADIUS);
                for (name, count) in [("columns", *columns), ("rows", *rows)] {
                    if count == 0 {
                        self.fault(
                            grid.key(name),
                            format!("`{name}` is 0"),
                            "a whole number from 1",
                        );
                    }
                }
            }
            Spawn::Ring { center, radius, turn } => {
                let ring = place.key("ring");
                self.point(ring.key("center"), *center);
                self.number(ring.key("radius"), *radius, range::RADIUS);
                if !turn.is_finite() {
                    self.fault(ring.key("turn"), format!("`turn` is {turn}"), "a finite angle");
                }
            }
            Spawn::Points(points) => {
                if points.len() != count {
                    let (at, allowed) = match key {
                        "spawn" => (group.key("count"), "the number of points, or left out"),
                        _ => (place.key("points"), "a point for each member"),
                    };
                    self.fault(
                        at,
                        format!("`count` is {count}, and the number of points is {}", points.len()),
                        allowed,
                    );
                }
                for (i, p) in points.iter().enumerate() {
                    self.point(place.key("points").at(i), *p);
                }
            }
        }
    }

    fn sight(&mut self, place: &KeyPath, sight: &Perception<V>) {
        match sight.of {
            Target::LastSeen => {
                self.fault(
                    place.key("of"),
                    "`of` is \"last_seen\", which follows from what is seen",
                    "a point, \"pointer\", \"goal\", or a group",
                );
            }
            of => self.target(place.key("of"), of),
        }
        self.number(place.key("within"), sight.within, range::SIGHT);
        self.number(place.key("field_of_view"), sight.field_of_view, range::FIELD_OF_VIEW);
        self.number(place.key("memory"), sight.memory, range::MEMORY);
    }

    fn target(&mut self, place: KeyPath, target: Target<V>) {
        match target {
            Target::Point(p) => self.point(place, p),
            Target::Pointer if self.setup.pointer.is_none() => {
                self.fault(
                    place,
                    "the target is \"pointer\", and the scene has no [pointer]",
                    "a [pointer] with a track, or another target",
                );
            }
            Target::Pointer => {}
            Target::Goal if self.group_at(&place).is_none_or(|group| group.goal.is_none()) => {
                self.fault(
                    place,
                    "the target is \"goal\", and the group has no `goal`",
                    "a `goal` of the group, such as { circle = { center = [100, 50], radius = 20 \
                     } }, or another target",
                );
            }
            Target::Goal => {}
            Target::LastSeen if self.group_at(&place).is_none_or(|group| group.sight.is_none()) => {
                self.fault(
                    place,
                    "the target is \"last_seen\", and the group has no `sight`",
                    format!("{SIGHT}, or another target"),
                );
            }
            Target::LastSeen => {}
            Target::Group(group) if group >= self.setup.groups.len() => {
                self.fault(place, format!("there is no group {group}"), "a group of the scene")
            }
            Target::Group(_) => {}
        }
    }

    /// The group in which `place` is.
    fn group_at(&self, place: &KeyPath) -> Option<&Group<V>> {
        if let [KeySegment::Name(group), KeySegment::At(i), ..] = &place.0[..]
            && group == "group"
        {
            return self.setup.groups.get(*i);
        }
        None
    }

    fn groups(&mut self, place: &KeyPath, list: &[usize]) {
        for (i, group) in list.iter().enumerate().filter(|(_, g)| **g >= self.setup.groups.len()) {
            self.fault(place.at(i), format!("there is no group {group}"), "a group of the scene");
        }
    }

    fn area(&mut self, place: &KeyPath, shape: &Shape<V>) {
        self.shape(place, shape);
        if !matches!(shape, Shape::Circle { .. } | Shape::Box { .. }) {
            self.fault(
                place.clone(),
                "the shape has no inside to draw points from",
                Kind::Area.to_string(),
            );
        }
    }

    /// `outer` is the table that holds the list: its rule and epsilon stand there.
    fn list(&mut self, place: &KeyPath, outer: &KeyPath, list: &List<V>) {
        self.number(outer.key("epsilon"), list.epsilon, range::EPSILON);
        for (i, slot) in list.slots.iter().enumerate() {
            let at = place.at(i);
            self.number(at.key("weight"), slot.weight, range::WEIGHT);
            self.number(at.key("chance"), slot.chance, range::CHANCE);
            match &slot.entry {
                Entry::List(inner) => self.list(&at.key("all"), &at, inner),
                Entry::Behavior(behavior) => self.behavior(&at.key(behavior.name()), behavior),
            }
        }
    }

    fn behavior(&mut self, place: &KeyPath, behavior: &Behavior<V>) {
        for parameter in behavior.parameters() {
            if let Some(value) = behavior.get(parameter.name) {
                self.value(&place.key(parameter.name), parameter.kind, &value);
            }
        }
        if let Behavior::Explore(explore) = behavior {
            let cells = cells_of(&explore.area, explore.cell);
            if cells > MOST_CELLS as f64 {
                let message = format!(
                    "`cell` is {}, and the area has {cells:e} such cells",
                    plain(explore.cell)
                );
                self.fault(
                    place.key("cell"),
                    message,
                    format!("cells so wide that the area has at most {MOST_CELLS}"),
                );
            }
        }
    }

    fn value(&mut self, place: &KeyPath, kind: Kind, value: &Value<V>) {
        let groups = self.setup.groups.len();
        match (kind, value) {
            (_, Value::Target(target)) => self.target(place.clone(), *target),
            (_, Value::Group(group)) if group.0 >= groups => self.fault(
                place.clone(),
                format!("there is no group {}", group.0),
                "a group of the scene",
            ),
            (_, Value::Groups(Groups::Only(list))) => self.groups(place, list),
            (_, Value::Path(path)) if path.0 >= self.setup.paths.len() => {
                self.fault(
                    place.clone(),
                    format!("there is no path {}", path.0),
                    "a path of the scene",
                );
            }
            (_, Value::Field(field)) if field.0 >= self.setup.fields.len() => {
                self.fault(
                    place.clone(),
                    format!("there is no field {}", field.0),
                    "a field of the scene",
                );
            }
            (_, Value::Area(shape)) => self.area(place, shape),
            (Kind::Nested(parameters), Value::Nested(values)) => {
                for (name, value) in values {
                    if let Some(parameter) = parameters.iter().find(|p| p.name == *name) {
                        self.value(&place.key(*name), parameter.kind, value);
                    }
                }
            }
            (_, value) => {
                if let Err(allowed) = kind.check(value) {
                    let (name, shown) = (name_of(place), show(value));
                    self.fault(place.clone(), format!("`{name}` is {shown}"), allowed);
                }
            }
        }
    }

    /// Queue brakes the sum of what stands before it, so it must be the last; a state's list
    /// follows the group's own.
    fn queues_are_last(&mut self, place: &KeyPath, group: &Group<V>) {
        let follows = group.states.iter().any(|state| !state.steer.slots.is_empty());
        self.queue_is_last(&place.key("steer"), &group.steer, follows);
        for (i, state) in group.states.iter().enumerate() {
            self.queue_is_last(&place.key("state").at(i).key("steer"), &state.steer, false);
        }
    }

    fn queue_is_last(&mut self, place: &KeyPath, list: &List<V>, follows: bool) {
        for (i, slot) in list.slots.iter().enumerate() {
            match &slot.entry {
                Entry::Behavior(Behavior::Queue(_)) if follows || i + 1 < list.slots.len() => {
                    let after = if i + 1 < list.slots.len() {
                        "others stand after it in its list"
                    } else {
                        "the lists of the states come after it"
                    };
                    self.fault(
                        place.at(i).key("queue"),
                        format!("`queue` brakes the forces before it, and {after}"),
                        "`queue` as the last of its list",
                    );
                }
                Entry::List(inner) => self.queue_is_last(&place.at(i).key("all"), inner, false),
                Entry::Behavior(_) => {}
            }
        }
    }
}

/// What is wrong with a vector whose coordinates are to be in `range`.
pub(super) fn vector_fault<V: Vector>(
    place: KeyPath,
    v: V,
    range: Range,
) -> Option<ValidationError> {
    let x = (0..V::DIMENSION).map(|i| v.axis(i)).find(|x| !range.holds(*x))?;
    let message = format!("a coordinate of `{}` is {}", name_of(&place), plain(x));
    Some(ValidationError { place, message, allowed: range.to_string() })
}

/// A number as a person writes it: 1e30 and not thirty digits.
fn plain<T: Copy + Into<f64> + fmt::Display + fmt::LowerExp>(x: T) -> String {
    let size = x.into().abs();
    if size != 0.0 && size.is_finite() && !(1e-5..1e9).contains(&size) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}

fn name_of(place: &KeyPath) -> String {
    place
        .0
        .iter()
        .rev()
        .find_map(|key| if let KeySegment::Name(name) = key { Some(name.clone()) } else { None })
        .unwrap_or_default()
}

/// A vector as it stands in a scene file.
fn list<V: Vector>(v: V) -> String {
    let axes: Vec<String> = (0..V::DIMENSION).map(|i| plain(v.axis(i))).collect();
    format!("[{}]", axes.join(", "))
}

pub(super) fn show<V: Vector>(value: &Value<V>) -> String {
    match value {
        Value::Number(x) => plain(*x),
        Value::Word(word) => Words(&[word]).to_string(),
        Value::Off => "false".to_string(),
        other => format!("{other:?}"),
    }
}

impl<V: Vector> Group<V> {
    /// Whether its members turn where they look, apart from their velocity.
    pub fn turns(&self) -> bool {
        self.turn_rate.is_finite() || self.lists().any(|list| list.behaviors().any(Steer::faces))
    }

    /// The group's own list and those of its states.
    pub fn lists(&self) -> impl Iterator<Item = &List<V>> {
        core::iter::once(&self.steer).chain(self.states.iter().map(|state| &state.steer))
    }
}
