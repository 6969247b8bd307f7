//! Encodes and decodes a group and its states: each key of a group is written and read here.

use alloc::vec::Vec;

use super::bytes::{Read, Reader, Writer, damaged};
use super::structure::SetupReader;
use crate::combine::List;
use crate::crowd::setup::{
    Group, Perception, StartAfter, StartVelocity, Stat, State, StateLimits, Transition,
    TransitionTarget,
};
use crate::order::WithoutOrder;
use crate::vector::Vector;

/// The value in place of the index of a state if a transition leads out of the crowd: a 64-bit
/// constant, so that it is the same on 32-bit targets.
pub(super) const OUT: u64 = u64::MAX;

/// The same if it leads to one of several states.
pub(super) const ONE_OF: u64 = u64::MAX - 1;

/// Groups are equal if all of their values are, bit by bit; users' behaviors are compared by their
/// names and described parameters.
impl<V: Vector> PartialEq for Group<V> {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |group: &Self| {
            let mut writer = Writer::default();
            writer.group(group);
            writer.0
        };
        bytes(self) == bytes(other)
    }
}

// Every struct is destructured without `..`: a field that is not encoded does not compile.

impl Writer {
    /// The values of a group that commands can change, as [`Reader::changes_of_group`] reads them.
    pub(super) fn changes_of_group<V: Vector>(&mut self, group: &Group<V>) {
        [group.mass, group.max_speed, group.max_force, group.radius]
            .into_iter()
            .for_each(|distribution| self.distribution(distribution));
        group.lists().for_each(|list| self.list(list));
    }

    pub(super) fn group<V: Vector>(&mut self, group: &Group<V>) {
        let Group {
            name,
            count,
            spawn,
            goal,
            velocity,
            heading,
            start_after,
            // Encoded by `changes`, together with the lists.
            mass: _,
            max_speed: _,
            max_force: _,
            radius: _,
            steer: _,
            speed_cap,
            drag,
            turn_rate,
            turning_radius,
            heading_time,
            think_every,
            contacts,
            solid,
            inertia,
            without_order,
            sight,
            stats,
            states,
            start,
        } = group;
        self.text(name);
        self.index(*count);
        self.positions(spawn);
        self.flag(goal.is_some());
        goal.iter().for_each(|goal| self.positions(goal));
        match velocity {
            StartVelocity::Same(v) => {
                self.u8(0);
                self.vector(*v);
            }
            StartVelocity::Random => self.u8(1),
        }
        self.flag(heading.is_some());
        heading.iter().for_each(|heading| self.vector(*heading));
        match start_after {
            StartAfter::Drawn(distribution) => {
                self.flag(false);
                self.distribution(*distribution);
            }
            StartAfter::Listed(times) => {
                self.flag(true);
                self.index(times.len());
                times.iter().for_each(|time| self.f32(*time));
            }
        }
        self.f32(*drag);
        self.f32(*turn_rate);
        self.flag(turning_radius.is_some());
        turning_radius.iter().for_each(|radius| self.f32(*radius));
        self.f32(*heading_time);
        self.u32(*think_every);
        self.flag(*contacts);
        self.flag(*solid);
        self.f32(*inertia);
        self.flag(speed_cap.is_some());
        speed_cap.iter().for_each(|cap| self.f32(*cap));
        match without_order {
            WithoutOrder::Hold => self.u8(0),
            WithoutOrder::Coast => self.u8(1),
            WithoutOrder::Target(target) => {
                self.u8(2);
                self.target(*target);
            }
        }
        self.flag(sight.is_some());
        if let Some(Perception { of, within, field_of_view, memory }) = sight {
            self.target(*of);
            [within, field_of_view, memory].into_iter().for_each(|x| self.f32(*x));
        }
        self.index(states.len());
        self.changes_of_group(group);
        self.index(stats.len());
        for Stat { name, start, min, max } in stats {
            self.text(name);
            self.distribution(*start);
            [min, max].into_iter().for_each(|x| self.f32(*x));
        }
        self.index(*start);
        // The lists of the states are encoded by `changes`.
        for State { name, limits, drag, combine, rates, steer: _, leave } in states {
            self.text(name);
            for (_, limit) in limits.named() {
                self.flag(limit.is_some());
                limit.iter().for_each(|x| self.f32(*x));
            }
            self.flag(drag.is_some());
            drag.iter().for_each(|x| self.f32(*x));
            self.flag(combine.is_some());
            combine.iter().for_each(|rule| self.u8(*rule as u8));
            self.index(rates.len());
            for (stat, rate) in rates {
                self.index(*stat);
                self.f32(*rate);
            }
            self.index(leave.len());
            for Transition { to, when } in leave {
                match to {
                    TransitionTarget::State(state) => self.index(*state),
                    TransitionTarget::OneOf(states) => {
                        self.u64(ONE_OF);
                        self.index(states.len());
                        for (state, weight) in states {
                            self.index(*state);
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
        }
    }
}

impl Reader<'_> {
    /// Reads what commands can change of a group into one with the same lists.
    pub(super) fn changes_of_group<V: Vector>(&mut self, group: &mut Group<V>) -> Read<()> {
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
    pub(super) fn group(&mut self) -> Read<Group<V>> {
        let (name, count) = (self.text()?, self.reader.index()?);
        let mut group = Group::new(&name, count, self.positions()?, 1.0);
        // Spawn points, which give a new group its count, are not stored after the start.
        group.count = count;
        group.goal = self.optional(Self::positions)?;
        group.velocity = match self.reader.u8()? {
            0 => StartVelocity::Same(self.reader.vector()?),
            1 => StartVelocity::Random,
            kind => return damaged(format!("there is no start velocity {kind}")),
        };
        group.heading = self.optional(|r| r.reader.vector())?;
        group.start_after = if self.reader.flag()? {
            StartAfter::Listed(self.list(4, |r| r.reader.f32())?)
        } else {
            StartAfter::Drawn(self.reader.distribution()?)
        };
        group.drag = self.reader.f32()?;
        group.turn_rate = self.reader.f32()?;
        group.turning_radius = self.optional(|r| r.reader.f32())?;
        group.heading_time = self.reader.f32()?;
        group.think_every = self.reader.u32()?;
        group.contacts = self.reader.flag()?;
        group.solid = self.reader.flag()?;
        group.inertia = self.reader.f32()?;
        group.speed_cap = self.optional(|r| r.reader.f32())?;
        group.without_order = match self.reader.u8()? {
            0 => WithoutOrder::Hold,
            1 => WithoutOrder::Coast,
            2 => WithoutOrder::Target(self.reader.target()?),
            kind => return damaged(format!("there is nothing to do {kind} without an order")),
        };
        group.sight = self.optional(|r| {
            Ok(Perception {
                of: r.reader.target()?,
                within: r.reader.f32()?,
                field_of_view: r.reader.f32()?,
                memory: r.reader.f32()?,
            })
        })?;
        let count = self.reader.count(16)?;
        group.mass = self.reader.distribution()?;
        group.max_speed = self.reader.distribution()?;
        group.max_force = self.reader.distribution()?;
        group.radius = self.reader.distribution()?;
        group.steer = self.steer()?;
        let lists = (0..count).map(|_| self.steer()).collect::<Read<Vec<_>>>()?;
        group.stats = self.list(16, |r| {
            let name = r.text()?;
            let start = r.reader.distribution()?;
            let [min, max] = [r.reader.f32()?, r.reader.f32()?];
            Ok(Stat { name, start, min, max })
        })?;
        group.start = self.reader.index()?;
        for steer in lists {
            group.states.push(self.state(steer)?);
        }
        Ok(group)
    }

    fn state(&mut self, steer: List<V>) -> Read<State<V>> {
        let name = self.text()?;
        let mut limits = StateLimits::default();
        let StateLimits { mass, max_speed, max_force, radius } = &mut limits;
        for limit in [mass, max_speed, max_force, radius] {
            *limit = self.optional(|r| r.reader.f32())?;
        }
        let drag = self.optional(|r| r.reader.f32())?;
        let combine = self.optional(|r| r.rule())?;
        let rates = self.list(12, |r| Ok((r.reader.index()?, r.reader.f32()?)))?;
        let leave = self.list(9, |r| {
            let to = match r.reader.u64()? {
                OUT => TransitionTarget::Out(r.variant()?),
                ONE_OF => TransitionTarget::OneOf(
                    r.list(12, |r| Ok((r.reader.index()?, r.reader.f32()?)))?,
                ),
                state => TransitionTarget::State(
                    usize::try_from(state).or_else(|_| damaged(format!("a state is {state}")))?,
                ),
            };
            Ok(Transition { to, when: r.condition(0)? })
        })?;
        Ok(State { name, limits, drag, combine, rates, steer, leave })
    }
}
