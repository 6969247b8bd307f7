//! Encodes and decodes described tables, such as groups and states, by their descriptions.

use alloc::string::ToString;

use super::bytes::{Read, Reader, Writer, damaged};
use super::structure::SetupReader;
use crate::combine::List;
use crate::crowd::setup::{Group, Transition, TransitionTarget};
use crate::id::Named;
use crate::parameter::{Parameters, Table};
use crate::vector::Vector;

/// The value in place of the index of a state if a transition leads out of the crowd: a 64-bit
/// constant, so that it is the same on 32-bit targets.
const OUT: u64 = u64::MAX;

/// The same if it leads to one of several states.
const ONE_OF: u64 = u64::MAX - 1;

/// The same before a name in place of an index.
const NAMED: u64 = u64::MAX - 2;

/// Lists are equal if all of their values are, bit by bit; users' behaviors are compared by their
/// names and described parameters.
impl<V: Vector> PartialEq for List<V> {
    fn eq(&self, other: &Self) -> bool {
        V::lists_are_equal(self, other)
    }
}

impl<V: Vector> List<V> {
    pub(crate) fn is_equal_here(&self, other: &Self) -> bool {
        let bytes = |list: &Self| {
            let mut writer = Writer::default();
            writer.list(list);
            writer.0
        };
        bytes(self) == bytes(other)
    }
}

impl Writer {
    /// The values of a described table, in the order of the description.
    pub(in crate::crowd) fn table<V: Vector>(&mut self, table: &dyn Table<V>) {
        for parameter in table.parameters() {
            self.value(parameter.kind, table.value(parameter.name).as_ref());
        }
    }

    /// The values of a group that commands can change, as [`Reader::changes_of_group`] reads them.
    pub(in crate::crowd) fn changes_of_group<V: Vector>(&mut self, group: &Group<V>) {
        [group.mass, group.max_speed, group.max_force, group.radius]
            .into_iter()
            .for_each(|distribution| self.distribution(distribution));
        group.lists().for_each(|list| self.list(list));
    }

    pub(in crate::crowd) fn transition<V: Vector>(
        &mut self,
        Transition { to, when }: &Transition<V>,
    ) {
        match to {
            TransitionTarget::State(state) => self.named(state),
            TransitionTarget::OneOf(states) => {
                self.u64(ONE_OF);
                self.index(states.len());
                for (state, weight) in states {
                    self.named(state);
                    self.f32(*weight);
                }
            }
            TransitionTarget::Out(then) => {
                self.u64(OUT);
                self.variant(then);
            }
        }
        self.condition(when);
    }

    pub(in crate::crowd) fn named<I: Copy + Into<usize>>(&mut self, item: &Named<I>) {
        match item {
            Named::Id(id) => self.index((*id).into()),
            Named::Name(name) => {
                self.u64(NAMED);
                self.text(name);
            }
        }
    }
}

impl Reader<'_> {
    pub(in crate::crowd) fn named<I: From<usize>>(&mut self) -> Read<Named<I>> {
        let id = self.u64()?;
        self.named_after(id)
    }

    /// The item that begins with this number.
    fn named_after<I: From<usize>>(&mut self, id: u64) -> Read<Named<I>> {
        if id == NAMED {
            return Ok(Named::Name(self.text()?.to_string()));
        }
        let id = usize::try_from(id).or_else(|_| damaged(format!("an index is {id}")))?;
        Ok(Named::Id(id.into()))
    }

    /// Reads what commands can change of a group into one with the same lists.
    pub(in crate::crowd) fn changes_of_group<V: Vector>(
        &mut self,
        group: &mut Group<V>,
    ) -> Read<()> {
        for distribution in
            [&mut group.mass, &mut group.max_speed, &mut group.max_force, &mut group.radius]
        {
            *distribution = self.distribution()?;
        }
        self.list(&mut group.steer)?;
        group.states.iter_mut().try_for_each(|state| self.list(&mut state.steer))
    }
}

impl<V: Vector> SetupReader<'_, '_, '_, V> {
    /// A described table: what was not given has its default.
    pub(in crate::crowd) fn table<T: Parameters<V>>(&mut self) -> Read<T> {
        let mut table = T::undecoded();
        self.values_of(&mut table)?;
        Ok(table)
    }

    fn values_of(&mut self, table: &mut dyn Table<V>) -> Read<()> {
        for parameter in table.parameters() {
            if let Some(value) = self.value(parameter.kind)?
                && !table.set_value(parameter.name, value)
            {
                let name = table.name();
                return damaged(format!("`{name}.{}` has another value", parameter.name));
            }
        }
        Ok(())
    }

    pub(in crate::crowd) fn transition(&mut self) -> Read<Transition<V>> {
        let to = match self.reader.u64()? {
            OUT => TransitionTarget::Out(self.variant()?),
            ONE_OF => TransitionTarget::OneOf(
                self.list(12, |r| Ok((r.reader.named()?, r.reader.f32()?)))?,
            ),
            state => TransitionTarget::State(self.reader.named_after(state)?),
        };
        Ok(Transition { to, when: self.condition(0)? })
    }
}

#[cfg(test)]
mod tests {
    use core::fmt::Debug;

    use glam::Vec2;

    use super::*;
    use crate::behavior::testing::some_values;
    use crate::crowd::encoding::users::Users;
    use crate::crowd::setup::{Bodies, Exit, Line, Navigation, Perception, Source, Stat, State};
    use crate::spatial::space::Bounds;

    /// Each key with each of some values, alone; returns how many there were.
    fn is_kept<T: Parameters<Vec2> + PartialEq + Debug>() -> usize {
        let mut count = 0;
        for parameter in T::PARAMETERS {
            for value in some_values(parameter.kind) {
                let mut table = T::undecoded();
                // NaN, the placeholder of a required number, equals nothing.
                for required in T::PARAMETERS.iter().filter(|p| p.required) {
                    table.set(required.name, some_values(required.kind).remove(0));
                }
                let name = format!("{}.{}", T::NAME, parameter.name);
                assert!(table.set(parameter.name, value.clone()), "{name} = {value:?}");
                assert_eq!(table.get(parameter.name), Some(value), "{name}");
                let mut writer = Writer::default();
                writer.table::<Vec2>(&table);
                let mut reader = Reader(&writer.0);
                let read: T =
                    SetupReader { reader: &mut reader, users: &Users::default() }.table().unwrap();
                assert_eq!(read, table, "{name}");
                assert!(reader.0.is_empty(), "{name}");
                count += 1;
            }
        }
        count
    }

    #[test]
    fn every_key_of_a_table_keeps_its_values_as_bytes() {
        let counts = [
            is_kept::<Group<Vec2>>(),
            is_kept::<State<Vec2>>(),
            is_kept::<Stat>(),
            is_kept::<Perception<Vec2>>(),
            is_kept::<Line<Vec2>>(),
            is_kept::<Bounds<Vec2>>(),
            is_kept::<Exit<Vec2>>(),
            is_kept::<Source<Vec2>>(),
            is_kept::<Bodies>(),
            is_kept::<Navigation>(),
        ];
        assert!(counts.iter().sum::<usize>() > 80, "{counts:?}");
    }
}
