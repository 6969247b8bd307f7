//! The agents as bytes: column by column, in the order of ids, with the same number of bytes for
//! every agent.

use alloc::string::String;
use alloc::string::ToString;

use crate::agent::{Memory, Progress};
use crate::crowd::encoding::bytes::{Read, Reader, Writer, damaged};
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::population::columns::{
    Columns, Limits, OwnSettings, RememberedPosition, StateInstance,
};
use crate::crowd::setup::allowed::ranges as range;
use crate::crowd::setup::{LONGEST_WAIT, Limit};
use crate::id::{AgentId, PathId};
use crate::order::Order;
use crate::parameter::Range;
use crate::simd::column::VectorColumn;
use crate::spatial::space::Space;
use crate::vector::{Vector, WORLD_LIMIT};

/// The bytes of a memory.
fn memory_size<V: Vector>() -> usize {
    1 + 4 * V::DIMENSION + 4 * V::DIRECTION_NUMBERS + 8 + 16
}

/// The bytes of the own settings of an agent: order, limits, flags.
fn own_size<V: Vector>() -> usize {
    1 + 4 * V::DIMENSION + 4 + 2
}

/// The bytes of an agent, without own settings.
pub(super) fn size<V: Vector>(columns: &Columns<V>) -> usize {
    20 + 3 * 4 * V::DIMENSION
        + 16
        + 4 * V::DIMENSION * (1 + columns.facing_width + columns.force_width)
        + 4
        + 4 * columns.stats_width
        + memory_size::<V>() * columns.memory_width
        + (4 * V::DIMENSION + 8) * columns.remembered_width
}

/// The bounds that the agents of a snapshot are validated against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) tick: u64,
    pub(super) next_id: u32,
    pub(super) count: usize,
    /// The upper bound of every speed.
    pub(super) fastest: f32,
}

/// The agents of a snapshot.
#[derive(Debug)]
pub(super) struct Agents<V: Vector> {
    pub(super) now: Columns<V>,
    /// The positions of the previous tick, the only part of that generation that is restored.
    pub(super) before: VectorColumn<V>,
}

impl Writer {
    /// The agents in these rows, which are in the order of ids.
    pub(super) fn agents<V: Vector>(&mut self, crowd: &Crowd<V>, order: &[u32]) {
        let order = || order.iter().map(|&row| row as usize);
        let now = &crowd.population.now;
        self.flag(now.own_width > 0);
        order().for_each(|i| self.u32(now.id[i]));
        order().for_each(|i| self.u32(now.group[i]));
        order().for_each(|i| self.u32(now.state[i].state));
        order().for_each(|i| self.u64(now.state[i].entered));
        order().for_each(|i| self.vector(now.position.get(i)));
        order().for_each(|i| self.vector(now.velocity.get(i)));
        order().for_each(|i| self.vector(now.heading.get(i)));
        for i in order() {
            let Limits { mass, max_speed, max_force, radius } = now.limits[i];
            [mass, max_speed, max_force, radius].into_iter().for_each(|x| self.f32(x));
        }
        order().for_each(|i| self.vector(crowd.position_before(i)));
        order().for_each(|i| self.u32(now.state[i].arrived));
        order().for_each(|i| {
            now.facing.iter().skip(i).take(now.facing_width).for_each(|facing| self.vector(*facing))
        });
        order().for_each(|i| {
            now.force.iter().skip(i).take(now.force_width).for_each(|force| self.vector(*force))
        });
        order().for_each(|i| now.stats(i).iter().for_each(|x| self.f32(*x)));
        order().for_each(|i| now.memory(i).iter().for_each(|memory| self.memory(memory)));
        if now.own_width > 0 {
            order().for_each(|i| self.own(&now.own(i)));
        }
        for remembered in order().flat_map(|i| now.remembered(i)) {
            self.vector(remembered.position);
            self.u64(remembered.tick);
        }
    }

    fn own<V: Vector>(&mut self, own: &OwnSettings<V>) {
        let OwnSettings { order, limits, frozen } = *own;
        let (kind, point, index) = match order {
            None => (0, V::ZERO, 0),
            Some(Order::Point(point)) => (1, point, 0),
            Some(Order::Agent(id)) => (2, V::ZERO, id.0),
            Some(Order::Path(path)) => (3, V::ZERO, path.0 as u32),
        };
        self.u8(kind);
        self.vector(point);
        self.u32(index);
        self.u8(limits);
        self.flag(frozen);
    }

    fn memory<V: Vector>(&mut self, memory: &Memory<V>) {
        let Memory {
            heading,
            wander,
            path: Progress { node, backwards, done, begun },
            slot,
            arrived,
            own,
        } = *memory;
        let (heading_bit, wander_bit) = (heading.is_some(), wander.is_some());
        let flags = [heading_bit, wander_bit, backwards, done, slot.is_some(), arrived, begun];
        self.u8(flags.iter().rev().fold(0, |bits, flag| bits << 1 | u8::from(*flag)));
        self.vector(heading.unwrap_or(V::ZERO));
        let numbers = wander.map_or([0.0; 3], V::direction_numbers);
        numbers[..V::DIRECTION_NUMBERS].iter().for_each(|x| self.f32(*x));
        self.u32(node);
        self.u32(slot.unwrap_or(0));
        own.into_iter().for_each(|x| self.f32(x));
    }
}

impl Reader<'_> {
    /// All agents, validated against `crowd` and `frame`; they fill the remaining bytes.
    pub(super) fn agents<V: Vector>(&mut self, crowd: &Crowd<V>, frame: Frame) -> Read<Agents<V>> {
        let agents =
            self.columns(Columns::with_widths(crowd.population.now.widths()), frame.count)?;
        agents.check(crowd, frame)?;
        Ok(agents)
    }

    /// All agents, in columns of the widths of `now`; they fill the remaining bytes. Their numbers
    /// are not validated.
    pub(super) fn columns<V: Vector>(
        &mut self,
        mut now: Columns<V>,
        count: usize,
    ) -> Read<Agents<V>> {
        let own_width = usize::from(self.flag()?);
        let size = size(&now) + own_width * own_size::<V>();
        if count.checked_mul(size) != Some(self.0.len()) {
            return damaged(format!(
                "{} bytes are left for {count} agents of {size} bytes each",
                self.0.len()
            ));
        }
        let &Columns {
            stats_width, memory_width, facing_width, force_width, remembered_width, ..
        } = &now;
        now.own_width = own_width;
        now.id = self.many(count, Self::u32)?;
        now.group = self.many(count, Self::u32)?;
        let states = self.many(count, Self::u32)?;
        let entered = self.many(count, Self::u64)?;
        now.state = states
            .into_iter()
            .zip(entered)
            .map(|(state, entered)| StateInstance::new(state, entered))
            .collect();
        now.position = self.column(count)?;
        now.velocity = self.column(count)?;
        now.heading = self.column(count)?;
        now.limits = self.many(count, |r| {
            Ok(Limits {
                mass: r.f32()?,
                max_speed: r.f32()?,
                max_force: r.f32()?,
                radius: r.f32()?,
            })
        })?;
        let before = self.column(count)?;
        let arrived = self.many(count, Self::u32)?;
        now.state.iter_mut().zip(arrived).for_each(|(state, arrived)| state.arrived = arrived);
        now.facing = self.many(count * facing_width, Self::vector)?;
        now.force = self.many(count * force_width, Self::vector)?;
        now.stats = self.many(count * stats_width, Self::f32)?;
        now.memory = self.many(count * memory_width, Self::memory)?;
        now.own = self.many(count * own_width, Self::own)?;
        now.remembered = self.many(count * remembered_width, |r| {
            Ok(RememberedPosition { position: r.vector()?, tick: r.u64()? })
        })?;
        now.pad();
        Ok(Agents { now, before })
    }

    fn own<V: Vector>(&mut self) -> Read<OwnSettings<V>> {
        let (kind, point, index) = (self.u8()?, self.vector()?, self.u32()?);
        let order = match kind {
            0 => None,
            1 => Some(Order::Point(point)),
            2 => Some(Order::Agent(AgentId(index))),
            3 => Some(Order::Path(PathId(index as usize))),
            kind => return damaged(format!("there is no order of kind {kind}")),
        };
        Ok(OwnSettings { order, limits: self.u8()?, frozen: self.flag()? })
    }

    fn column<V: Vector>(&mut self, count: usize) -> Read<VectorColumn<V>> {
        let mut column = VectorColumn::default();
        column.resize(count);
        for i in 0..count {
            column.set(i, self.vector()?);
        }
        Ok(column)
    }

    /// All numbers are accepted: a user's behavior may store anything, and built-in behaviors turn
    /// any number into a finite force.
    fn memory<V: Vector>(&mut self) -> Read<Memory<V>> {
        let flags = self.u8()?;
        if flags > 127 {
            return damaged(format!("the flags of a memory are {flags}"));
        }
        let flag = |bit: u8| flags & 1 << bit != 0;
        let heading = self.vector()?;
        let mut numbers = [0.0; 3];
        for x in &mut numbers[..V::DIRECTION_NUMBERS] {
            *x = self.f32()?;
        }
        Ok(Memory {
            heading: flag(0).then_some(heading),
            wander: flag(1).then(|| V::direction_of(numbers)),
            path: Progress { node: self.u32()?, backwards: flag(2), done: flag(3), begun: flag(6) },
            slot: Some(self.u32()?).filter(|_| flag(4)),
            arrived: flag(5),
            own: [self.f32()?, self.f32()?, self.f32()?, self.f32()?],
        })
    }
}

impl<V: Vector> Agents<V> {
    pub(super) fn check(&self, crowd: &Crowd<V>, frame: Frame) -> Read<()> {
        let now = &self.now;
        for i in 0..frame.count {
            let id = now.id[i];
            if id >= frame.next_id || (i > 0 && id <= now.id[i - 1]) {
                return damaged(format!(
                    "the id {id} is out of order, or not below {}",
                    frame.next_id
                ));
            }
            if let Some(what) = self.error(i, crowd, frame) {
                return damaged(format!("agent {id}: {what}"));
            }
        }
        Ok(())
    }

    /// The first invalid value of the agent in row `i`.
    fn error(&self, i: usize, crowd: &Crowd<V>, frame: Frame) -> Option<String> {
        self.error_of_state(i, crowd, frame)
            .or_else(|| self.error_of_motion(i, &crowd.world.space, frame))
            .or_else(|| self.error_of_settings(i, crowd, frame))
    }

    /// The same of its group and state.
    fn error_of_state(&self, i: usize, crowd: &Crowd<V>, frame: Frame) -> Option<String> {
        let now = &self.now;
        let Some(group) = crowd.world.groups.get(now.group[i] as usize) else {
            return Some(format!(
                "its group is {}; allowed: below {}",
                now.group[i],
                crowd.world.groups.len()
            ));
        };
        let StateInstance { state, entered, .. } = now.state[i];
        if state as usize >= group.states.len() {
            return Some(format!("its state is {state}; allowed: below {}", group.states.len()));
        }
        // An agent that waits begins at a later tick.
        let last = frame.tick.saturating_add(LONGEST_WAIT);
        if entered > last {
            return Some(format!("it enters its state at tick {entered}; allowed: up to {last}"));
        }
        if entered > frame.tick && now.velocity.get(i) != V::ZERO {
            return Some("it waits and moves; allowed: a velocity of zero".to_string());
        }
        None
    }

    /// The same of its positions, limits and velocity.
    fn error_of_motion(&self, i: usize, space: &Space<V>, frame: Frame) -> Option<String> {
        let now = &self.now;
        for (name, p) in
            [("position", now.position.get(i)), ("position a tick before", self.before.get(i))]
        {
            if is_outside(space, p) {
                return Some(format!("its {name} is {p:?}; allowed: inside the world"));
            }
        }
        let Limits { mass, max_speed, max_force, radius } = now.limits[i];
        let limits = [
            ("mass", mass, range::MASS),
            ("max_speed", max_speed, range::MAX_SPEED),
            ("max_force", max_force, range::MAX_FORCE),
        ];
        for (name, x, range) in limits.into_iter().chain([("radius", radius, range::RADIUS)]) {
            // A number drawn from a range may round to slightly beyond its end.
            let padded = Range { max: range.max * 1.000_001, ..range };
            if !padded.holds(x) {
                return Some(format!("its {name} is {x}; allowed: {range}"));
            }
        }
        // Truncation of a vector also rounds.
        let fastest = frame.fastest * 1.001;
        for (name, speed) in [("max_speed", max_speed), ("speed", now.velocity.get(i).length())] {
            if !(0.0..=fastest).contains(&speed) {
                return Some(format!(
                    "its {name} is {speed}; allowed: up to the bound of the groups, {fastest}"
                ));
            }
        }
        let facing = now.facing.get(i).map(|facing| ("facing", facing.length()));
        for (name, length) in [("heading", now.heading.get(i).length())].into_iter().chain(facing) {
            if !(0.999..=1.001).contains(&length) {
                return Some(format!("its {name} is {length} long; allowed: 1"));
            }
        }
        if let Some(force) = now.force.get(i).filter(|force| **force != force.clamped()) {
            return Some(format!("its force is {force:?}; allowed: finite numbers"));
        }
        None
    }

    /// The same of what it remembers, its own settings and its stats.
    fn error_of_settings(&self, i: usize, crowd: &Crowd<V>, frame: Frame) -> Option<String> {
        let (now, group) = (&self.now, &crowd.world.groups[self.now.group[i] as usize]);
        for (k, remembered) in now.remembered(i).iter().enumerate() {
            if is_outside(&crowd.world.space, remembered.position) {
                return Some(format!(
                    "its remembered position {k} is {:?}; allowed: inside the world",
                    remembered.position
                ));
            }
            // A column that is wider than the group needs has room that nothing reads.
            let never = remembered.tick == RememberedPosition::<V>::NEVER
                && (k >= group.remembered_count() || k == 0 && group.perception.is_some());
            if remembered.tick > frame.tick && !never {
                return Some(format!(
                    "its remembered position {k} is of tick {}; allowed: up to {}",
                    remembered.tick, frame.tick
                ));
            }
        }
        let own = now.own(i);
        match own.order {
            Some(Order::Point(point)) if outside_of(point, range::COORDINATE) => {
                return Some(format!(
                    "it is ordered to {point:?}; allowed: coordinates {}",
                    range::COORDINATE
                ));
            }
            Some(Order::Path(path)) if path.0 >= crowd.world.paths.len() => {
                return Some(format!(
                    "it is ordered along path {}; allowed: below {}",
                    path.0,
                    crowd.world.paths.len()
                ));
            }
            _ => {}
        }
        if own.limits >= 1 << Limit::ALL.len() {
            return Some(format!("the flags of its own limits are {}", own.limits));
        }
        if own.frozen && now.velocity.get(i) != V::ZERO {
            return Some("it is frozen and moves; allowed: a velocity of zero".to_string());
        }
        for (s, x) in now.stats(i).iter().enumerate() {
            let (min, max) = group.stats.get(s).copied().unwrap_or((0.0, 0.0));
            if !(min..=max).contains(x) {
                return Some(format!("its stat {s} is {x}; allowed: from {min} to {max}"));
            }
        }
        None
    }
}

/// Whether `p` is outside the world: in a wrapped world differences are taken between positions
/// inside the bounds.
pub(super) fn is_outside<V: Vector>(space: &Space<V>, p: V) -> bool {
    (0..V::DIMENSION).any(|k| !(-WORLD_LIMIT..=WORLD_LIMIT).contains(&p.axis(k)))
        || (space.wraps() && space.wrapped(p) != p)
}

/// Whether a coordinate of `point` is out of `range`.
fn outside_of<V: Vector>(point: V, range: Range) -> bool {
    (0..V::DIMENSION).any(|axis| !range.holds(point.axis(axis)))
}
