//! Decodes the parts of a setup that commands can change, as [`setup`](super::setup) encodes them.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::bytes::{Read, Reader, damaged};
use super::setup::{DANGER, OFF};
use crate::combine::{Entry, List};
use crate::crowd::setup::allowed::SetupError;
use crate::crowd::setup::{Distribution, Group, Setup, Spawn};
use crate::crowd::structure::Ids;
use crate::geometry::obstacle::Shape;
use crate::geometry::path::Path;
use crate::parameter::{FieldId, GroupId, Groups, Kind, PathId, StatId, StateId, Target, Value};
use crate::registry::Behavior;
use crate::vector::Vector;

/// The parts of a setup that commands can change.
#[derive(Debug)]
pub(in crate::crowd) struct Changes<V: Vector> {
    pub(in crate::crowd) obstacles: Vec<Shape<V>>,
    pub(in crate::crowd) obstacle_ids: Ids,
    pub(in crate::crowd) paths: Vec<Path<V>>,
    pub(in crate::crowd) groups: Vec<Group<V>>,
}

impl Reader<'_> {
    /// The changeable parts of a setup with these paths and groups, whose structure is that of the
    /// snapshot; the numbers are not validated yet.
    pub(in crate::crowd) fn changes<V: Vector>(
        &mut self,
        before: &[Path<V>],
        groups: &[Group<V>],
    ) -> Read<Changes<V>> {
        let count = self.count(1)?;
        let obstacles = self.many(count, Self::shape)?;
        let obstacle_ids = self.ids(obstacles.len())?;
        let mut paths = Vec::new();
        for path in before {
            paths.push(path.through(self.vectors()?));
        }
        let mut groups = groups.to_vec();
        for group in &mut groups {
            self.index()?;
            self.changes_of_group(group)?;
        }
        Ok(Changes { obstacles, obstacle_ids, paths, groups })
    }

    pub(in crate::crowd) fn distribution(&mut self) -> Read<Distribution> {
        let (tag, first, second) = (self.u8()?, self.f32()?, self.f32()?);
        Ok(match tag {
            0 => Distribution::Same(first),
            1 => Distribution::Uniform(first, second),
            2 => Distribution::Normal(first, second),
            tag => return damaged(format!("there is no distribution {tag}")),
        })
    }

    pub(in crate::crowd) fn shape<V: Vector>(&mut self) -> Read<Shape<V>> {
        Ok(match self.u8()? {
            0 => Shape::Circle { center: self.vector()?, radius: self.f32()? },
            1 => Shape::Box { center: self.vector()?, half: self.vector()?, angle: self.f32()? },
            2 => {
                Shape::Segment { from: self.vector()?, to: self.vector()?, thickness: self.f32()? }
            }
            3 => Shape::Polygon { points: self.vectors()? },
            kind => return damaged(format!("there is no shape {kind}")),
        })
    }

    /// Reads weights, chances, parameters and switches into a list of the same behaviors.
    pub(in crate::crowd) fn list<V: Vector>(&mut self, list: &mut List<V>) -> Read<()> {
        let frame = (self.u8()?, self.u32()?, self.u32()?, self.index()?);
        let (epsilon, standing) = (list.epsilon.to_bits(), list.standing.to_bits());
        if frame != (list.combine as u8, epsilon, standing, list.slots.len()) {
            return damaged("a list differs from that of the setup");
        }
        for slot in &mut list.slots {
            slot.weight = self.f32()?;
            slot.chance = self.f32()?;
            let kind = self.u8()?;
            (slot.off, slot.danger) = (kind & OFF != 0, kind & DANGER != 0);
            match (&mut slot.entry, kind & !(OFF | DANGER)) {
                (Entry::Behavior(behavior), 0) => self.behavior(behavior)?,
                (Entry::List(inner), 1) => self.list(inner)?,
                _ => return damaged("a list differs from that of the setup"),
            }
        }
        Ok(())
    }

    /// Reads all parameters of a behavior; a user's own behavior is left unchanged.
    pub(in crate::crowd) fn behavior<V: Vector>(&mut self, behavior: &mut Behavior<V>) -> Read<()> {
        let name = self.text()?;
        if name != behavior.name() {
            return damaged(format!("it has `{name}` where the setup has `{}`", behavior.name()));
        }
        if matches!(behavior, Behavior::Own(..)) {
            return Ok(());
        }
        // Optional parameters may be set on one side only.
        if let Some(defaults) = Behavior::from_name(name) {
            *behavior = defaults;
        }
        for parameter in behavior.parameters() {
            if let Some(value) = self.value(parameter.kind)?
                && !behavior.set(parameter.name, value)
            {
                return damaged(format!("`{name}.{}` does not take its value", parameter.name));
            }
        }
        Ok(())
    }

    pub(in crate::crowd) fn value<V: Vector>(&mut self, kind: Kind) -> Read<Option<Value<V>>> {
        Ok(Some(match self.u8()? {
            0 => return Ok(None),
            1 => Value::Number(self.f32()?),
            2 => {
                let word = self.text()?;
                match kind.words().iter().find(|known| **known == word) {
                    Some(known) => Value::Word(known),
                    None => return damaged(format!("there is no word \"{word}\"")),
                }
            }
            3 => Value::Off,
            4 => Value::Target(self.target()?),
            5 => Value::Group(GroupId(self.index()?)),
            6 => Value::Groups(self.groups()?),
            7 => Value::Path(PathId(self.index()?)),
            8 => Value::Area(self.shape()?),
            10 => Value::Field(FieldId(self.index()?)),
            9 => {
                let Kind::Nested(parameters) = kind else {
                    return damaged("it has a table where the parameter takes none");
                };
                let mut values = Vec::new();
                for parameter in parameters {
                    values.extend(self.value(parameter.kind)?.map(|value| (parameter.name, value)));
                }
                Value::Nested(values)
            }
            11 => Value::Double(self.f64()?),
            12 => Value::Flag(self.flag()?),
            13 => Value::Stat(StatId(self.index()?)),
            14 => {
                let count = self.count(16)?;
                Value::Schedule(self.many(count, |r| Ok((r.f64()?, r.index()?)))?)
            }
            15 => Value::Distribution(self.distribution()?),
            16 => Value::State(StateId(self.index()?)),
            17 => Value::Points(self.vectors()?),
            18 => Value::Text(self.text()?.to_string()),
            19 => Value::Integer(self.u64()?),
            20 => Value::Point(self.vector()?),
            21 => {
                let count = self.count(4)?;
                Value::Numbers(self.many(count, Self::f32)?)
            }
            22 => {
                let count = self.count(12)?;
                Value::Rates(self.many(count, |r| Ok((r.named()?, r.f32()?)))?)
            }
            23 => {
                let count = self.count(8)?;
                Value::Destinations(self.many(count, |r| Ok((r.vector()?, r.f32()?)))?)
            }
            kind => return damaged(format!("there is no value {kind}")),
        }))
    }

    pub(in crate::crowd) fn target<V: Vector>(&mut self) -> Read<Target<V>> {
        Ok(match self.u8()? {
            0 => Target::Point(self.vector()?),
            1 => Target::Pointer,
            2 => Target::Group(GroupId(self.index()?)),
            3 => Target::Goal,
            4 => Target::LastSeen,
            5 => Target::Order,
            kind => return damaged(format!("there is no target {kind}")),
        })
    }

    pub(in crate::crowd) fn groups(&mut self) -> Read<Groups> {
        if !self.flag()? {
            return Ok(Groups::All);
        }
        let count = self.count(8)?;
        Ok(Groups::only(self.many(count, Self::index)?))
    }
}

/// In place of spawn points, which are not stored after the start.
pub(in crate::crowd) fn anywhere<V: Vector>() -> Spawn<V> {
    Spawn::Inside(Shape::Circle { center: V::ZERO, radius: 0.0 })
}

impl<V: Vector> Changes<V> {
    /// Validates `setup` with these changes.
    pub(in crate::crowd) fn check(&self, setup: &Setup<V>) -> Read<()> {
        let mut groups = self.groups.clone();
        groups.iter_mut().for_each(|group| group.spawn = anywhere());
        let names = setup.paths.iter().map(|(name, _)| name.clone());
        let paths = names.zip(self.paths.iter().cloned()).collect();
        let setup = Setup { obstacles: self.obstacles.clone(), paths, groups, ..setup.clone() };
        match setup.validate() {
            Ok(()) => Ok(()),
            Err(SetupError(errors)) => damaged(errors[0].to_string()),
        }
    }
}
