//! Encodes a setup: all of it for its fingerprint, and the parts that commands can change, which
//! [`changes`](super::changes) decodes.

use alloc::vec::Vec;

use super::bytes::{Writer, hash};
use crate::combine::{Entry, List, SlotSettings};
use crate::crowd::setup::{
    Arrivals, Condition, Distribution, ExitAction, Setup, Spawn, Track, Transition,
};
use crate::geometry::flow_field::FieldPlan;
use crate::parameter::{Groups, Kind, Parameter, Part, Target, Value, Variants};
use crate::registry::Behavior;
use crate::vector::Vector;

/// A hash of everything in `setup`; of user-defined behaviors only the names.
pub(in crate::crowd) fn fingerprint<V: Vector>(setup: &Setup<V>) -> u64 {
    let mut writer = Writer::default();
    writer.setup(setup);
    hash(&writer.0)
}

impl<V: Vector> Setup<V> {
    /// A hash of everything in the setup; of user-defined behaviors only the names.
    ///
    /// A snapshot is accepted by a crowd whose setup has the same. Equal setups of the same version
    /// of the library give the same runs.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let (one, two) = (Setup::<Vec2>::new(1.0), Setup::<Vec2>::new(0.05));
    /// assert_ne!(one.fingerprint(), two.fingerprint());
    /// ```
    pub fn fingerprint(&self) -> u64 {
        fingerprint(self)
    }
}

/// Flags of a slot's byte, whose lowest bit is 0 for a behavior and 1 for a list.
pub(in crate::crowd) const OFF: u8 = 2;
pub(in crate::crowd) const DANGER: u8 = 4;

impl Writer {
    // Every struct is destructured without `..`: a field that is not encoded does not compile.

    pub(in crate::crowd) fn setup<V: Vector>(&mut self, setup: &Setup<V>) {
        let Setup {
            dt,
            seed,
            up,
            bounds,
            bodies,
            navigation,
            pointer,
            obstacles,
            paths,
            fields,
            lines,
            exits,
            sources,
            groups,
            commands,
        } = setup;
        self.f64(*dt);
        self.u64(*seed);
        self.flag(bounds.is_some());
        bounds.iter().for_each(|bounds| self.table(bounds));
        self.flag(pointer.is_some());
        if let Some(Track { points }) = pointer {
            self.index(points.len());
            for (time, point) in points {
                self.f64(*time);
                self.vector(*point);
            }
        }
        self.index(obstacles.len());
        obstacles.iter().for_each(|shape| self.shape(shape));
        self.index(paths.len());
        for (name, path) in paths {
            self.text(name);
            self.vectors(path.points());
            self.f32(path.radius);
            self.flag(path.is_closed());
        }
        self.index(fields.len());
        for (name, plan) in fields {
            self.text(name);
            self.field(plan);
        }
        self.index(lines.len());
        lines.iter().for_each(|line| self.table(line));
        self.index(exits.len());
        exits.iter().for_each(|exit| self.table(exit));
        self.index(sources.len());
        sources.iter().for_each(|source| self.table(source));
        self.index(groups.len());
        groups.iter().for_each(|group| self.table(group));
        self.u8(*up as u8);
        self.table::<V>(bodies);
        self.table::<V>(navigation);
        // Only the fingerprint needs them: a crowd has moved them out of its setup.
        for timed in commands {
            self.text(&format!("{timed:?}"));
        }
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

    pub(in crate::crowd) fn condition<V: Vector>(&mut self, condition: &Condition<V>) {
        self.variant(condition);
        if let Condition::Own(own) = condition {
            self.text(own.name());
        }
        self.index(condition.operands().len());
        condition.operands().iter().for_each(|operand| self.condition(operand));
    }

    /// Encodes the name of a variant, and its parameters in the order of its description.
    pub(in crate::crowd) fn variant<V: Vector>(&mut self, variant: &impl Variants<V>) {
        self.text(variant.name());
        for parameter in variant.parameters() {
            self.value(parameter.kind, variant.get(parameter.name).as_ref());
        }
    }

    pub(in crate::crowd) fn distribution(&mut self, distribution: Distribution) {
        let (tag, low, high) = match distribution {
            Distribution::Same(x) => (0, x, x),
            Distribution::Uniform(low, high) => (1, low, high),
            Distribution::Normal(mean, deviation) => (2, mean, deviation),
        };
        self.u8(tag);
        self.f32(low);
        self.f32(high);
    }

    pub(in crate::crowd) fn list<V: Vector>(&mut self, list: &List<V>) {
        let List { combine, epsilon, standing, slots } = list;
        self.u8(*combine as u8);
        self.f32(*epsilon);
        self.f32(*standing);
        self.index(slots.len());
        for slot in slots {
            let SlotSettings { entry, weight, chance, danger, off } = slot.settings();
            self.f32(weight);
            self.f32(chance);
            let flags = if off { OFF } else { 0 } | if danger { DANGER } else { 0 };
            match entry {
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

    pub(in crate::crowd) fn behavior<V: Vector>(&mut self, behavior: &Behavior<V>) {
        self.text(behavior.name());
        behavior.parameters().iter().for_each(|parameter| {
            self.value(parameter.kind, behavior.get(parameter.name).as_ref())
        });
    }

    pub(in crate::crowd) fn value<V: Vector>(&mut self, kind: Kind, value: Option<&Value<V>>) {
        match value {
            None => self.u8(0),
            Some(Value::Number(x)) => self.tag(1).f32(*x),
            Some(Value::Word(word)) => self.tag(2).text(word),
            Some(Value::Off) => self.u8(3),
            Some(Value::Target(target)) => self.tag(4).target(*target),
            Some(Value::Group(group)) => self.tag(5).index(group.0),
            Some(Value::Groups(groups)) => self.tag(6).groups(groups),
            Some(Value::Path(path)) => self.tag(7).index(path.0),
            Some(Value::Area(shape)) => self.tag(8).shape(shape),
            Some(Value::Nested(values)) => {
                let parameters = if let Kind::Nested(parameters) = kind { parameters } else { &[] };
                self.tag(9).values(parameters, values);
            }
            Some(Value::Field(field)) => self.tag(10).index(field.0),
            Some(Value::Double(x)) => self.tag(11).f64(*x),
            Some(Value::Flag(x)) => self.tag(12).flag(*x),
            Some(Value::Stat(stat)) => self.tag(13).index(stat.0),
            Some(Value::Schedule(list)) => self.tag(14).items(list, |writer, (time, count)| {
                writer.f64(*time);
                writer.index(*count);
            }),
            Some(Value::Distribution(x)) => self.tag(15).distribution(*x),
            Some(Value::State(state)) => self.tag(16).index(state.0),
            Some(Value::Points(points)) => self.tag(17).vectors(points),
            Some(Value::Text(text)) => self.tag(18).text(text),
            Some(Value::Integer(x)) => self.tag(19).u64(*x),
            Some(Value::Point(point)) => self.tag(20).vector(*point),
            Some(Value::Numbers(list)) => self.tag(21).items(list, |writer, x| writer.f32(*x)),
            Some(Value::Rates(list)) => self.tag(22).items(list, |writer, (stat, rate)| {
                writer.named(stat);
                writer.f32(*rate);
            }),
            Some(Value::Destinations(list)) => {
                self.tag(23).items(list, |writer, (point, share)| {
                    writer.vector(*point);
                    writer.f32(*share);
                })
            }
            Some(Value::Part(part)) => self.part::<V>(part),
            Some(Value::Tables(tables)) => {
                let parameters = if let Kind::Tables(parameters) = kind { parameters } else { &[] };
                self.tag(27).items(tables, |writer, table| writer.values(parameters, table));
            }
        }
    }

    /// Writes the number that tells which value follows.
    fn tag(&mut self, tag: u8) -> &mut Self {
        self.u8(tag);
        self
    }

    fn items<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.index(items.len());
        items.iter().for_each(|item| one(self, item));
    }

    fn part<V: Vector>(&mut self, part: &Part) {
        if let Some(positions) = part.get::<Spawn<V>>() {
            self.u8(24);
            self.positions(positions);
        }
        if let Some(list) = part.get::<List<V>>() {
            self.u8(25);
            self.list(list);
        }
        if let Some(list) = part.get::<Vec<Transition<V>>>() {
            self.u8(26);
            self.index(list.len());
            list.iter().for_each(|transition| self.transition(transition));
        }
        if let Some(arrivals) = part.get::<Arrivals>() {
            self.u8(28);
            self.variant::<V>(arrivals);
        }
        if let Some(then) = part.get::<ExitAction<V>>() {
            self.u8(29);
            self.variant(then);
        }
    }

    fn values<V: Vector>(&mut self, parameters: &[Parameter], values: &[(&str, Value<V>)]) {
        for parameter in parameters {
            let mut given = values.iter().filter(|(name, _)| *name == parameter.name);
            self.value(parameter.kind, given.next().map(|(_, value)| value));
        }
    }

    pub(in crate::crowd) fn target<V: Vector>(&mut self, target: Target<V>) {
        match target {
            Target::Point(point) => {
                self.u8(0);
                self.vector(point);
            }
            Target::Pointer => self.u8(1),
            Target::Goal => self.u8(3),
            Target::LastSeen => self.u8(4),
            Target::Order => self.u8(5),
            Target::Group(group) => {
                self.u8(2);
                self.index(group.0);
            }
        }
    }

    fn groups(&mut self, groups: &Groups) {
        self.flag(matches!(groups, Groups::Only(_)));
        if let Groups::Only(list) = groups {
            self.index(list.len());
            list.iter().for_each(|group| self.index(group.0));
        }
    }
}
