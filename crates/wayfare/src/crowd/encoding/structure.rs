//! Decodes a whole setup, as [`setup`](super::setup) encodes it, for the snapshots of crowds to
//! which groups or parts of the world were added, or from which they were removed.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::bytes::{Read, Reader, Writer, damaged};
use super::changes::anywhere;
use super::setup::{DANGER, OFF};
use super::users::Users;
use crate::combine::{Combine, Entry, List, Slot};
use crate::crowd::setup::allowed::SetupError;
use crate::crowd::setup::{Arrivals, Condition, ExitAction, Setup, Spawn, Track};
use crate::crowd::structure::{GroupEntry, Ids, Structure};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::path::Path;
use crate::id::PathId;
use crate::parameter::{Kind, Part, Value, Variants};
use crate::registry::Behavior;
use crate::vector::{Up, Vector};

impl Writer {
    pub(in crate::crowd) fn ids(&mut self, ids: &Ids) {
        ids.ids.iter().for_each(|id| self.u32(*id));
        self.u32(ids.next);
    }

    /// The whole setup and the ids of a crowd whose structure has changed.
    pub(in crate::crowd) fn structure<V: Vector>(
        &mut self,
        setup: &Setup<V>,
        structure: &Structure,
    ) {
        self.setup(setup);
        // Without `..`: a new field does not compile until it is encoded here.
        let Structure {
            changed: _,
            groups,
            removed_paths,
            removed_fields,
            obstacles,
            lines,
            exits,
            sources,
        } = structure;
        for GroupEntry { first_id, removed } in groups {
            self.u32(*first_id);
            self.flag(*removed);
        }
        removed_paths.iter().chain(removed_fields).for_each(|removed| self.flag(*removed));
        [obstacles, lines, exits, sources].into_iter().for_each(|ids| self.ids(ids));
    }
}

impl Reader<'_> {
    /// The ids of so many items.
    pub(in crate::crowd) fn ids(&mut self, count: usize) -> Read<Ids> {
        let ids = Ids { ids: self.many(count, Self::u32)?, next: self.u32()? };
        if ids.fit(count) { Ok(ids) } else { damaged("ids are out of order") }
    }

    /// The setup and the ids of a crowd whose structure has changed, both validated; `users` are
    /// the users' code that it may have.
    pub(in crate::crowd) fn structure<V: Vector>(
        &mut self,
        users: &Users<V>,
    ) -> Read<(Setup<V>, Structure)> {
        let mut reader = SetupReader { reader: self, users };
        let setup = reader.setup()?;
        let mut groups = Vec::new();
        for _ in &setup.groups {
            groups.push(GroupEntry { first_id: self.u32()?, removed: self.flag()? });
        }
        let structure = Structure {
            changed: true,
            groups,
            removed_paths: self.many(setup.paths.len(), Self::flag)?,
            removed_fields: self.many(setup.fields.len(), Self::flag)?,
            obstacles: self.ids(setup.obstacles.len())?,
            lines: self.ids(setup.lines.len())?,
            exits: self.ids(setup.exits.len())?,
            sources: self.ids(setup.sources.len())?,
        };
        validate(&setup, &structure)?;
        Ok((setup, structure))
    }
}

/// Validates a setup of which some groups, paths and fields have been removed.
fn validate<V: Vector>(setup: &Setup<V>, structure: &Structure) -> Read<()> {
    let mut setup = setup.clone();
    // The entry of a removed item may have the name of another one.
    let unused = |i: usize| format!("\u{1}{i}");
    for (i, (group, entry)) in setup.groups.iter_mut().zip(&structure.groups).enumerate() {
        group.spawn = anywhere();
        if entry.removed {
            group.name = unused(i);
        }
    }
    for (i, ((name, path), removed)) in
        setup.paths.iter_mut().zip(&structure.removed_paths).enumerate()
    {
        if *removed {
            (*name, *path) = (unused(i), Path::new(vec![V::ZERO], 0.0, false));
        }
    }
    for (i, ((name, _), removed)) in
        setup.fields.iter_mut().zip(&structure.removed_fields).enumerate()
    {
        if *removed {
            *name = unused(i);
        }
    }
    match setup.validate() {
        Ok(()) => Ok(()),
        Err(SetupError(errors)) => damaged(errors[0].to_string()),
    }
}

/// Reads the parts of a setup in the order of [`Writer::setup`].
pub(in crate::crowd) struct SetupReader<'r, 'b, 'u, V: Vector> {
    pub(in crate::crowd) reader: &'r mut Reader<'b>,
    pub(in crate::crowd) users: &'u Users<V>,
}

impl<V: Vector> SetupReader<'_, '_, '_, V> {
    fn setup(&mut self) -> Read<Setup<V>> {
        let (dt, seed) = (self.reader.f64()?, self.reader.u64()?);
        let mut setup = Setup { dt, seed, ..Setup::default() };
        setup.bounds = self.optional(Self::table)?;
        if self.reader.flag()? {
            let points = self.list(8, |r| Ok((r.reader.f64()?, r.reader.vector()?)))?;
            setup.pointer = Some(Track { points });
        }
        setup.obstacles = self.list(1, |r| r.reader.shape())?;
        setup.paths = self.list(1, |r| {
            let name = r.text()?;
            let points = r.reader.vectors()?;
            Ok((name, Path::new(points, r.reader.f32()?, r.reader.flag()?)))
        })?;
        setup.fields = self.list(1, |r| Ok((r.text()?, r.field()?)))?;
        setup.lines = self.list(1, Self::table)?;
        setup.exits = self.list(1, Self::table)?;
        setup.sources = self.list(1, Self::table)?;
        setup.groups = self.list(1, Self::table)?;
        setup.up = one_of(&[Up::Z, Up::Y], |up| up as u8, self.reader.u8()?)?;
        setup.bodies = self.table()?;
        setup.navigation = self.table()?;
        Ok(setup)
    }

    /// A list of items of at least `size` bytes.
    pub(in crate::crowd) fn list<T>(
        &mut self,
        size: usize,
        mut item: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = self.reader.count(size)?;
        (0..count).map(|_| item(self)).collect()
    }

    pub(in crate::crowd) fn text(&mut self) -> Read<String> {
        self.reader.text().map(str::to_string)
    }

    pub(in crate::crowd) fn optional<T>(
        &mut self,
        value: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<Option<T>> {
        if self.reader.flag()? { value(self).map(Some) } else { Ok(None) }
    }

    fn field(&mut self) -> Read<FieldPlan<V>> {
        Ok(match self.reader.u8()? {
            0 => FieldPlan::Vectors {
                origin: self.reader.vector()?,
                cell: self.reader.f32()?,
                columns: self.reader.u32()?,
                rows: Some(self.reader.u32()?).filter(|rows| *rows > 0),
                vectors: self.reader.vectors()?,
            },
            1 => FieldPlan::Toward {
                goals: self.list(1, |r| r.reader.shape())?,
                cell: self.reader.f32()?,
                clearance: self.reader.f32()?,
                area: self.optional(|r| match r.reader.vectors()?[..] {
                    [low, high] => Ok((low, high)),
                    _ => damaged("an area does not have two corners"),
                })?,
            },
            kind => return damaged(format!("there is no field {kind}")),
        })
    }

    pub(in crate::crowd) fn positions(&mut self) -> Read<Spawn<V>> {
        let reader = &mut *self.reader;
        Ok(match reader.u8()? {
            0 => Spawn::Inside(reader.shape()?),
            1 => Spawn::Grid {
                origin: reader.vector()?,
                spacing: reader.f32()?,
                columns: reader.u32()?,
                rows: reader.u32()?,
            },
            2 => Spawn::Points(reader.vectors()?),
            3 => {
                Spawn::Ring { center: reader.vector()?, radius: reader.f32()?, turn: reader.f32()? }
            }
            4 => Spawn::Apart(reader.shape()?),
            5 => Spawn::Along(PathId(reader.index()?)),
            kind => return damaged(format!("there is no spawn {kind}")),
        })
    }

    pub(in crate::crowd) fn condition(&mut self, depth: usize) -> Read<Condition<V>> {
        if depth > MOST_DEPTH {
            return damaged("a condition is nested too deep");
        }
        let mut condition: Condition<V> = match Reader(self.reader.0).text()? {
            "own" => self.own_condition()?,
            _ => self.variant()?,
        };
        let operands = self.list(8, |r| r.condition(depth + 1))?;
        let takes = !condition.operands().is_empty() || !operands.is_empty();
        if takes && !condition.set_operands(operands) {
            return damaged("a condition has operands that it does not take");
        }
        Ok(condition)
    }

    fn own_condition(&mut self) -> Read<Condition<V>> {
        let (_, name) = (self.reader.text()?, self.reader.text()?);
        match self.users.conditions.iter().find(|own| own.name() == name) {
            Some(own) => Ok(Condition::Own(own.clone())),
            None => damaged(format!("the crowd has no condition `{name}`")),
        }
    }

    pub(in crate::crowd) fn variant<T: Variants<V>>(&mut self) -> Read<T> {
        let name = self.reader.text()?;
        let Some(mut variant) = T::from_name(name) else {
            return damaged(format!("there is no `{name}`"));
        };
        for parameter in variant.parameters() {
            if let Some(value) = self.reader.value(parameter.kind)?
                && !variant.set(parameter.name, value)
            {
                return damaged(format!("`{name}.{}` does not take its value", parameter.name));
            }
        }
        Ok(variant)
    }

    pub(in crate::crowd) fn rule(&mut self) -> Read<Combine> {
        one_of(Combine::LIST, |rule| rule as u8, self.reader.u8()?)
    }

    /// A value as [`Writer::value`] writes it.
    pub(in crate::crowd) fn value(&mut self, kind: Kind) -> Read<Option<Value<V>>> {
        // Those that hold behaviors or variants are read here, the others by the reader of bytes.
        let tag = match kind {
            Kind::Positions(_)
            | Kind::Behaviors
            | Kind::Transitions
            | Kind::Tables(_)
            | Kind::Arrivals
            | Kind::ExitAction => self.reader.u8()?,
            _ => return self.reader.value(kind),
        };
        Ok(Some(match (kind, tag) {
            (_, 0) => return Ok(None),
            (Kind::Positions(_), 24) => Value::Part(Part::new(self.positions()?)),
            (Kind::Behaviors, 25) => Value::Part(Part::new(self.steer(0)?)),
            (Kind::Transitions, 26) => Value::Part(Part::new(self.list(9, Self::transition)?)),
            (Kind::Tables(parameters), 27) => Value::Tables(self.list(1, |r| {
                let mut values = Vec::new();
                for parameter in parameters {
                    values.extend(r.value(parameter.kind)?.map(|value| (parameter.name, value)));
                }
                Ok(values)
            })?),
            (Kind::Arrivals, 28) => Value::Part(Part::new(self.variant::<Arrivals>()?)),
            (Kind::ExitAction, 29) => Value::Part(Part::new(self.variant::<ExitAction<V>>()?)),
            (_, tag) => return damaged(format!("there is no value {tag}")),
        }))
    }

    fn steer(&mut self, depth: usize) -> Read<List<V>> {
        if depth > MOST_DEPTH {
            return damaged("a list is nested too deep");
        }
        let combine = self.rule()?;
        let (epsilon, standing) = (self.reader.f32()?, self.reader.f32()?);
        let mut list = List { combine, epsilon, standing, ..List::default() };
        list.slots = self.list(9, |r| {
            let (weight, chance) = (r.reader.f32()?, r.reader.f32()?);
            let kind = r.reader.u8()?;
            let entry = match kind & !(OFF | DANGER) {
                0 => Entry::Behavior(r.behavior()?),
                1 => Entry::List(r.steer(depth + 1)?),
                kind => return damaged(format!("there is no slot {kind}")),
            };
            let mut slot = Slot::new(entry);
            (slot.weight, slot.chance) = (weight, chance);
            (slot.off, slot.danger) = (kind & OFF != 0, kind & DANGER != 0);
            Ok(slot)
        })?;
        Ok(list)
    }

    fn behavior(&mut self) -> Read<Behavior<V>> {
        let name = Reader(self.reader.0).text()?;
        let users =
            || self.users.behaviors.iter().find(|behavior| behavior.name() == name).cloned();
        let Some(mut behavior) = Behavior::from_name(name).or_else(users) else {
            return damaged(format!("the crowd has no behavior `{name}`"));
        };
        self.reader.behavior(&mut behavior)?;
        Ok(behavior)
    }
}

/// The largest depth of nested lists and conditions in a snapshot: deeper ones come from no crowd.
const MOST_DEPTH: usize = 600;

/// The item that is encoded as this number.
fn one_of<T: Copy>(items: &[T], encoded: impl Fn(T) -> u8, number: u8) -> Read<T> {
    let mut items = items.iter().copied();
    let found = items.find(|item| encoded(*item) == number);
    found.map_or_else(|| damaged(format!("a choice is {number}")), Ok)
}
