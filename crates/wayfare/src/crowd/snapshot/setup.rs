//! A setup as bytes: all of it for its fingerprint, and what commands can change of it, which
//! [`changes`](super::changes) reads back.

use super::bytes::{Writer, hash};
use crate::combine::{Entry, List};
use crate::crowd::Crowd;
use crate::crowd::setup::{
    Condition, Distribution, Group, Perception, Setup, Source, Spawn, StartVelocity,
    TransitionTarget,
};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::parameter::{Groups, Kind, Target, Value, Variants};
use crate::registry::Behavior;
use crate::vector::Vector;

/// A hash of everything in `setup`; of own behaviors the names.
pub(in crate::crowd) fn fingerprint<V: Vector>(setup: &Setup<V>) -> u64 {
    let mut writer = Writer::default();
    writer.setup(setup);
    hash(&writer.0)
}

/// What stands for the index of a state where a transition leads out of the crowd: a constant of 64
/// bits, the same on targets of 32 bits.
const OUT: u64 = u64::MAX;

/// What a place is beside a behavior, 0, or a list, 1.
pub(super) const OFF: u8 = 2;
pub(super) const DANGER: u8 = 4;

impl Writer {
    /// What commands can change, as it is now.
    pub(super) fn changes<V: Vector>(&mut self, crowd: &Crowd<V>) {
        self.index(crowd.obstacles.len());
        crowd.obstacles.iter().for_each(|obstacle| self.shape(obstacle.shape()));
        crowd.paths.iter().for_each(|path| self.vectors(&path.points));
        crowd.setup.groups.iter().for_each(|group| self.changes_of_group(group));
    }

    fn changes_of_group<V: Vector>(&mut self, group: &Group<V>) {
        [group.mass, group.max_speed, group.max_force, group.radius]
            .into_iter()
            .for_each(|spread| self.spread(spread));
        group.lists().for_each(|list| self.list(list));
    }

    fn setup<V: Vector>(&mut self, setup: &Setup<V>) {
        self.f64(setup.dt);
        self.u64(setup.seed);
        self.flag(setup.bounds.is_some());
        if let Some(bounds) = setup.bounds {
            self.vector(bounds.min);
            self.vector(bounds.max);
            self.u8(bounds.edge as u8);
        }
        self.flag(setup.pointer.is_some());
        if let Some(track) = &setup.pointer {
            self.index(track.points.len());
            for (time, point) in &track.points {
                self.f64(*time);
                self.vector(*point);
            }
        }
        self.index(setup.obstacles.len());
        setup.obstacles.iter().for_each(|shape| self.shape(shape));
        self.index(setup.paths.len());
        for (name, path) in &setup.paths {
            self.text(name);
            self.vectors(&path.points);
            self.f32(path.radius);
            self.flag(path.closed);
        }
        self.index(setup.lines.len());
        for line in &setup.lines {
            self.text(&line.name);
            self.vectors(&[line.from, line.to]);
        }
        self.index(setup.exits.len());
        for exit in &setup.exits {
            self.shape(&exit.shape);
            self.groups(&exit.groups);
            self.variant(&exit.then);
        }
        self.index(setup.sources.len());
        setup.sources.iter().for_each(|source| self.source(source));
        self.index(setup.groups.len());
        setup.groups.iter().for_each(|group| self.group(group));
        // At the end, where the bytes of a setup without fields end: they are as they were before
        // there were fields.
        for (name, plan) in &setup.fields {
            self.text(name);
            self.field(plan);
        }
    }

    fn source<V: Vector>(&mut self, source: &Source<V>) {
        self.shape(&source.area);
        self.index(source.group);
        self.index(source.most);
        self.variant::<V>(&source.arrivals);
    }

    fn field<V: Vector>(&mut self, plan: &FieldPlan<V>) {
        match plan {
            FieldPlan::Vectors { origin, cell, columns, rows, vectors } => {
                self.u8(0);
                self.vector(*origin);
                self.f32(*cell);
                self.u32(*columns);
                self.u32(rows.unwrap_or(0));
                self.vectors(vectors);
            }
            FieldPlan::Toward { goals, cell, clearance, area } => {
                self.u8(1);
                self.index(goals.len());
                goals.iter().for_each(|goal| self.shape(goal));
                self.f32(*cell);
                self.f32(*clearance);
                self.flag(area.is_some());
                area.iter().for_each(|(low, high)| self.vectors(&[*low, *high]));
            }
        }
    }

    fn group<V: Vector>(&mut self, group: &Group<V>) {
        self.text(&group.name);
        self.index(group.count);
        self.places(&group.spawn);
        self.flag(group.goal.is_some());
        if let Some(goal) = &group.goal {
            self.places(goal);
        }
        match group.velocity {
            StartVelocity::Same(v) => {
                self.u8(0);
                self.vector(v);
            }
            StartVelocity::Random => self.u8(1),
        }
        self.f32(group.drag);
        self.f32(group.turn_rate);
        self.f32(group.turning_radius.unwrap_or(0.0));
        self.u32(group.think_every);
        self.flag(group.sight.is_some());
        if let Some(Perception { of, within, field_of_view, memory }) = group.sight {
            self.target(of);
            [within, field_of_view, memory].into_iter().for_each(|x| self.f32(x));
        }
        self.changes_of_group(group);
        self.index(group.stats.len());
        for stat in &group.stats {
            self.text(&stat.name);
            [stat.start, stat.min, stat.max].into_iter().for_each(|x| self.f32(x));
        }
        self.index(group.states.len());
        self.index(group.start);
        for state in &group.states {
            self.text(&state.name);
            self.index(state.rates.len());
            for (stat, rate) in &state.rates {
                self.index(*stat);
                self.f32(*rate);
            }
            self.index(state.leave.len());
            for transition in &state.leave {
                match &transition.to {
                    TransitionTarget::State(state) => self.index(*state),
                    TransitionTarget::Out(then) => {
                        self.u64(OUT);
                        self.variant(then);
                    }
                }
                self.condition(&transition.when);
            }
        }
    }

    fn places<V: Vector>(&mut self, places: &Spawn<V>) {
        match places {
            Spawn::Inside(shape) => {
                self.u8(0);
                self.shape(shape);
            }
            Spawn::Grid { origin, spacing, columns, rows } => {
                self.u8(1);
                self.vector(*origin);
                self.f32(*spacing);
                self.u32(*columns);
                self.u32(*rows);
            }
            Spawn::Points(points) => {
                self.u8(2);
                self.vectors(points);
            }
            Spawn::Ring { center, radius, turn } => {
                self.u8(3);
                self.vector(*center);
                self.f32(*radius);
                self.f32(*turn);
            }
        }
    }

    fn condition<V: Vector>(&mut self, condition: &Condition<V>) {
        self.variant(condition);
        self.index(condition.operands().len());
        condition.operands().iter().for_each(|operand| self.condition(operand));
    }

    /// The name of a variant, and its parameters in the order of its description.
    fn variant<V: Vector>(&mut self, variant: &impl Variants<V>) {
        self.text(variant.name());
        for parameter in variant.parameters() {
            self.value(parameter.kind, variant.get(parameter.name).as_ref());
        }
    }

    fn spread(&mut self, spread: Distribution) {
        let (tag, low, high) = match spread {
            Distribution::Same(x) => (0, x, x),
            Distribution::Uniform(low, high) => (1, low, high),
        };
        self.u8(tag);
        self.f32(low);
        self.f32(high);
    }

    fn shape<V: Vector>(&mut self, shape: &Shape<V>) {
        match shape {
            Shape::Circle { center, radius } => {
                self.u8(0);
                self.vector(*center);
                self.f32(*radius);
            }
            Shape::Box { center, half, angle } => {
                self.u8(1);
                self.vector(*center);
                self.vector(*half);
                self.f32(*angle);
            }
            Shape::Segment { from, to, thickness } => {
                self.u8(2);
                self.vector(*from);
                self.vector(*to);
                self.f32(*thickness);
            }
            Shape::Polygon { points } => {
                self.u8(3);
                self.vectors(points);
            }
        }
    }

    fn list<V: Vector>(&mut self, list: &List<V>) {
        self.u8(list.combine as u8);
        self.f32(list.epsilon);
        self.index(list.slots.len());
        for slot in &list.slots {
            self.f32(slot.weight);
            self.f32(slot.chance);
            let flags = if slot.off { OFF } else { 0 } | if slot.danger { DANGER } else { 0 };
            match &slot.entry {
                Entry::Behavior(behavior) => {
                    self.u8(flags);
                    self.behavior(behavior);
                }
                Entry::List(inner) => {
                    self.u8(flags | 1);
                    self.list(inner);
                }
            }
        }
    }

    pub(super) fn behavior<V: Vector>(&mut self, behavior: &Behavior<V>) {
        self.text(behavior.name());
        behavior.parameters().iter().for_each(|parameter| {
            self.value(parameter.kind, behavior.get(parameter.name).as_ref())
        });
    }

    fn value<V: Vector>(&mut self, kind: Kind, value: Option<&Value<V>>) {
        match value {
            None => self.u8(0),
            Some(Value::Number(x)) => {
                self.u8(1);
                self.f32(*x);
            }
            Some(Value::Word(word)) => {
                self.u8(2);
                self.text(word);
            }
            Some(Value::Off) => self.u8(3),
            Some(Value::Target(target)) => {
                self.u8(4);
                self.target(*target);
            }
            Some(Value::Group(group)) => {
                self.u8(5);
                self.index(group.0);
            }
            Some(Value::Groups(groups)) => {
                self.u8(6);
                self.groups(groups);
            }
            Some(Value::Path(path)) => {
                self.u8(7);
                self.index(path.0);
            }
            Some(Value::Field(field)) => {
                self.u8(10);
                self.index(field.0);
            }
            Some(Value::Area(shape)) => {
                self.u8(8);
                self.shape(shape);
            }
            Some(Value::Double(x)) => {
                self.u8(11);
                self.f64(*x);
            }
            Some(Value::Flag(x)) => {
                self.u8(12);
                self.flag(*x);
            }
            Some(Value::Stat(stat)) => {
                self.u8(13);
                self.index(stat.0);
            }
            Some(Value::Schedule(list)) => {
                self.u8(14);
                self.index(list.len());
                for (time, count) in list {
                    self.f64(*time);
                    self.index(*count);
                }
            }
            Some(Value::Nested(values)) => {
                self.u8(9);
                let parameters = if let Kind::Nested(parameters) = kind { parameters } else { &[] };
                for parameter in parameters {
                    self.value(
                        parameter.kind,
                        values
                            .iter()
                            .find(|(name, _)| *name == parameter.name)
                            .map(|(_, value)| value),
                    );
                }
            }
        }
    }

    fn target<V: Vector>(&mut self, target: Target<V>) {
        match target {
            Target::Point(point) => {
                self.u8(0);
                self.vector(point);
            }
            Target::Pointer => self.u8(1),
            Target::Goal => self.u8(3),
            Target::LastSeen => self.u8(4),
            Target::Group(group) => {
                self.u8(2);
                self.index(group);
            }
        }
    }

    fn groups(&mut self, groups: &Groups) {
        self.flag(matches!(groups, Groups::Only(_)));
        if let Groups::Only(list) = groups {
            self.index(list.len());
            list.iter().for_each(|group| self.index(*group));
        }
    }
}
