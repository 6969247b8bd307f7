//! Encodes a crowd between two ticks as bytes, and decodes it: a restored run continues with the
//! same bits.
//!
//! A snapshot contains the state that the setup does not determine, and the changes of the setup by
//! commands; the setup itself is represented by its fingerprint. Agents are written in order of
//! ids, so equal crowds give equal bytes for any order of rows. docs/snapshots.md describes the
//! format.
//!
//! No input is trusted: every length is checked against the remaining bytes, every number against
//! its range, and the crowd is changed only after all of it has been validated.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::events::Event;
use super::routes::Routes;
use super::setup::{Condition, OwnCondition};
use crate::combine::List;
use crate::crowd::encoding::baseline::Baseline;
use crate::crowd::encoding::bytes::{Read, Reader, Writer, damaged};
use crate::crowd::encoding::changes::Changes;
use crate::crowd::encoding::envelope;
use crate::crowd::encoding::error::SnapshotError;
use crate::crowd::encoding::layout::{HEADER, SNAPSHOT_MAGIC};
use crate::crowd::encoding::users::Users;
#[cfg(test)]
use crate::crowd::encoding::{bytes::hash, layout::TRAILER};
use crate::crowd::facade::crowd::{Crowd, FirstAgents};
use crate::crowd::pipeline::change::Change;
use crate::crowd::population::spawn;
use crate::geometry::explored::Explored;
use crate::geometry::obstacle::Obstacle;
use crate::registry::Behavior;
use crate::spatial::bvh::Bvh;
use crate::vector::{Vector, WORLD_LIMIT};

mod agents;
mod event;
mod exchange;
mod migrate;
mod migration;
mod names;
mod packed;
#[cfg(feature = "navigation")]
mod routes;

use agents::{Agents, Frame};
use event::EVENT;
pub use migration::{GroupMatch, Migration, MigrationNote};
use names::Names;

/// The content of a valid snapshot.
struct Found<V: Vector> {
    tick: u64,
    next_id: u32,
    pointer: Option<V>,
    /// The agents that were put elsewhere since the last tick, and where they were after it.
    put_from: Vec<(u32, V)>,
    /// The first id that has entered a crowd of solid bodies since the last tick, if any has.
    entering_from: Option<u32>,
    /// Whether the commands of the setup at this tick have been applied.
    applied: bool,
    /// Crossings to the left and right of each line, agents that left by each exit, and agents
    /// that entered by and were rejected at each source.
    counts: Vec<u64>,
    events: Vec<Event>,
    /// `None` if the crowd's setup is unchanged.
    changes: Option<Changes<V>>,
    baseline: Baseline,
    /// The time of the last visit of each cell, for each `explore`.
    explored: Vec<Vec<u64>>,
    /// The routes of agents with `navigate`.
    routes: Option<Box<Routes<V>>>,
    agents: Agents<V>,
}

/// The position of the pointer, if a command holds it, whether the commands of the setup at this
/// tick have been applied, the agents that were put elsewhere since the last tick, and the first id
/// that has entered since, if any has.
type Between<V> = (Option<V>, bool, Vec<(u32, V)>, Option<u32>);

impl Reader<'_> {
    /// What has happened since the last tick.
    fn between<V: Vector>(&mut self) -> Read<Between<V>> {
        let (flags, pointer) = (self.u8()?, self.vector::<V>()?);
        if flags > 15 {
            return damaged(format!("flags are {flags}"));
        }
        if !(0..V::DIMENSION).all(|i| pointer.axis(i).abs() <= WORLD_LIMIT) {
            return damaged(format!("the pointer is at {pointer:?}"));
        }
        let count = if flags & 4 > 0 { self.count(4 + 4 * V::DIMENSION)? } else { 0 };
        let put_from = self.many(count, |reader| Ok((reader.u32()?, reader.vector()?)))?;
        let entering_from = if flags & 8 > 0 { Some(self.u32()?) } else { None };
        Ok(((flags & 1 > 0).then_some(pointer), flags & 2 > 0, put_from, entering_from))
    }
}

impl<V: Vector> Crowd<V> {
    /// The current state of the crowd, to [restore](Self::restore) later or elsewhere: versioned,
    /// with a hash at the end.
    ///
    /// Equal crowds give equal bytes for any order of agents in memory. A snapshot takes about 70
    /// bytes per agent, and the time of a few copies of these bytes. Threads, SIMD level and a
    /// [`Clock`](super::Clock) are not included, and of user-defined behaviors only the names are:
    /// store their state in [`Memory`](crate::Memory).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let walker =
    ///     Group::new("walker", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).velocity(vec2(2.0, 0.0));
    /// let mut crowd = Setup::new(1.0).group(walker).crowd()?;
    /// crowd.step();
    /// let earlier = crowd.snapshot();
    /// crowd.step();
    /// let digest = crowd.digest();
    /// crowd.restore(&earlier)?;
    /// assert_eq!((crowd.tick(), crowd.get(0).unwrap().agent.position), (1, vec2(2.0, 0.0)));
    /// crowd.step();
    /// assert_eq!(crowd.digest(), digest);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        V::snapshot(self)
    }

    pub(super) fn snapshot_here(&self) -> Vec<u8> {
        let room = HEADER + 1_024 + self.len() * agents::size(&self.population.now);
        let mut writer = envelope::begin::<V>(self.origin.fingerprint, SNAPSHOT_MAGIC, room);
        writer.u64(self.tick.number);
        writer.u32(self.population.next_id);
        writer.u32(self.len() as u32);
        let mut changes = Writer::default();
        changes.changes(self);
        writer.index(changes.0.len());
        writer.0.extend_from_slice(&changes.0);
        writer.names(self);
        let (moved, applied) = (self.world.pointer.is_some(), self.has_applied_due());
        let put_from = &self.world.tracker.put_from;
        let entering_from = self.tick.solid.as_ref().map(|solid| solid.entering_from);
        let entering_from = entering_from.filter(|id| *id < self.population.next_id);
        let flags = [moved, applied, !put_from.is_empty(), entering_from.is_some()];
        writer.u8(flags.iter().rev().fold(0, |bits, flag| bits << 1 | u8::from(*flag)));
        writer.vector(self.world.pointer.unwrap_or(V::ZERO));
        if !put_from.is_empty() {
            writer.index(put_from.len());
            put_from.iter().for_each(|(id, from)| {
                writer.u32(*id);
                writer.vector(*from);
            });
        }
        entering_from.into_iter().for_each(|id| writer.u32(id));
        self.world.tracker.lines.iter().for_each(|line| {
            [line.left, line.right].into_iter().for_each(|count| writer.u64(count))
        });
        self.world.tracker.exits.iter().for_each(|exit| writer.u64(exit.left));
        self.world.sources.iter().for_each(|source| {
            [source.entered, source.turned_away].into_iter().for_each(|count| writer.u64(count))
        });
        writer.index(self.world.tracker.events.len());
        self.world.tracker.events.iter().for_each(|event| writer.event(event));
        self.world
            .groups
            .iter()
            .flat_map(|group| &group.explored)
            .for_each(|(_, explored)| explored.times().iter().for_each(|time| writer.u64(*time)));
        let routes = Writer::default();
        #[cfg(feature = "navigation")]
        let routes = routes.routes(self);
        writer.index(routes.0.len());
        writer.0.extend_from_slice(&routes.0);
        let mut order = Vec::new();
        self.rows_by_id(&mut order);
        writer.agents(self, &order);
        envelope::end(writer)
    }

    /// Restores the state of `snapshot`, which must be of a crowd with the same setup and the same
    /// user-defined behaviors. Afterwards the crowd continues with the same bits, with any number
    /// of threads. [Ghosts](Self::set_ghosts) are not part of a snapshot: the crowd has none
    /// afterwards.
    ///
    /// # Errors
    /// The bytes are not a snapshot, are of another version or setup, or are damaged; then nothing
    /// has changed. The input may be any bytes.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        V::restore(self, snapshot)
    }

    pub(super) fn restore_here(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        if let Some(mut other) = self.with_structure_of(snapshot)? {
            other.restore_values(snapshot)?;
            *self = other;
            return Ok(());
        }
        self.restore_values(snapshot)
    }

    /// A crowd without agents that has the groups and the world of `snapshot`; `None` if this crowd
    /// has them.
    fn with_structure_of(&self, snapshot: &[u8]) -> Read<Option<Self>> {
        let mut reader =
            envelope::open::<V>(self.origin.fingerprint, SNAPSHOT_MAGIC, HEADER, snapshot)?;
        reader.bytes(16)?;
        let length = reader.count(1)?;
        let bytes = reader.bytes(length)?;
        let mut reader = Reader(bytes);
        let changed = reader.flag()?;
        if !changed && !self.origin.structure.changed {
            return Ok(None);
        }
        let original = self.origin.original.clone().unwrap_or_else(|| self.as_original());
        let users = self.known_users();
        let (setup, structure) = if changed {
            let mut own = Writer::default();
            own.changes(self);
            if own.0 == bytes {
                return Ok(None);
            }
            reader.structure(&users)?
        } else {
            (original.0.clone(), original.1.clone())
        };
        let mut other =
            Self::from_parts(setup, structure, self.origin.fingerprint, FirstAgents::None, None);
        (other.origin.original, other.origin.users) = (Some(original), users);
        other.origin.timed = self.origin.timed.clone();
        other.tick.threads = self.tick.threads.clone();
        other.tick.dispatch = self.tick.dispatch;
        other.make_scratch();
        Ok(Some(other))
    }

    /// The users' code that this crowd has or has had: a snapshot has only its names.
    fn known_users(&self) -> Users<V> {
        let before = self.origin.original.iter().flat_map(|original| &original.0.groups);
        let mut users = self.origin.users.clone();
        for group in before.chain(&self.origin.setup.groups) {
            let behaviors = group.lists().flat_map(List::behaviors);
            users.behaviors.extend(behaviors.filter(|behavior| behavior.is_users()).cloned());
            for transition in group.states.iter().flat_map(|state| &state.leave) {
                transition.when.visit(&mut |condition| {
                    if let Condition::Own(own) = condition {
                        users.conditions.push(own.clone());
                    }
                });
            }
        }
        users.behaviors.sort_by_key(Behavior::name);
        users.behaviors.dedup_by_key(|behavior| behavior.name());
        users.conditions.sort_by_key(OwnCondition::name);
        users.conditions.dedup_by_key(|condition| condition.name());
        users
    }

    fn restore_values(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        let found = self.read(snapshot)?;
        (self.tick.number, self.population.next_id, self.world.pointer) =
            (found.tick, found.next_id, found.pointer);
        self.go_on_from(found.tick, found.applied);
        let mut counts = found.counts.into_iter();
        for line in &mut self.world.tracker.lines {
            (line.left, line.right) = (counts.next().unwrap_or(0), counts.next().unwrap_or(0));
        }
        self.world.tracker.exits.iter_mut().for_each(|exit| exit.left = counts.next().unwrap_or(0));
        for source in &mut self.world.sources {
            (source.entered, source.turned_away) =
                (counts.next().unwrap_or(0), counts.next().unwrap_or(0));
        }
        (self.world.tracker.events, self.world.tracker.put_from) = (found.events, found.put_from);
        if let Some(solid) = &mut self.tick.solid {
            // Agents of the start have not entered.
            let none = if found.tick > 0 { found.next_id } else { u32::MAX };
            solid.entering_from = found.entering_from.unwrap_or(none);
        }
        self.origin.baseline = found.baseline;
        let Agents { now, before } = found.agents;
        self.population.next.clone_from(&now);
        (self.population.now, self.population.next.position, self.population.has_previous) =
            (now, before, true);
        if let Some(changes) = found.changes {
            self.apply_changes(changes);
        }
        let explored = self.world.groups.iter_mut().flat_map(|group| &mut group.explored);
        explored.zip(&found.explored).for_each(|((_, explored), times)| explored.restore(times));
        // Without `navigate` it has none, whatever the snapshot holds.
        self.world.routes = found.routes;
        self.world.find_routes(&self.origin.setup.navigation);
        self.restored();
        Ok(())
    }

    /// Sets what commands can change.
    fn apply_changes(&mut self, changes: Changes<V>) {
        let Changes { obstacles, obstacle_ids, paths, groups } = changes;
        self.origin.structure.obstacles = obstacle_ids;
        let before = core::mem::replace(
            &mut self.world.obstacles,
            obstacles
                .into_iter()
                .map(|shape| Obstacle::in_space(shape, &self.world.space))
                .collect(),
        );
        let (common, after) = (before.len().min(self.world.obstacles.len()), &self.world.obstacles);
        let moved = before.iter().zip(after).filter(|(a, b)| a != b).flat_map(|(a, b)| [a, b]);
        let changed: Vec<_> =
            moved.chain(&before[common..]).chain(&after[common..]).map(Obstacle::aabb).collect();
        self.world.index_obstacles(&changed);
        (self.world.paths, self.origin.setup.groups) = (paths, groups);
        self.rebuild();
    }

    /// Updates what is derived from the agents after all of them have been replaced.
    fn restored(&mut self) {
        self.world.groups.iter_mut().for_each(|group| group.members = Bvh::default());
        self.find_standing();
        self.clear_ghosts();
        self.changed(Change::Rows);
        self.changed(Change::Agents);
    }

    fn read(&self, bytes: &[u8]) -> Read<Found<V>> {
        let mut reader =
            envelope::open::<V>(self.origin.fingerprint, SNAPSHOT_MAGIC, HEADER, bytes)?;
        let (tick, next_id, count) = reader.header()?;
        let length = reader.count(1)?;
        let changes = self.read_changes(reader.bytes(length)?)?;
        let Names { baseline, .. } = reader.names()?;
        if (baseline.groups.len(), baseline.paths.len())
            != (self.world.groups.len(), self.world.paths.len())
        {
            return damaged("the names are not those of its groups and paths");
        }
        let (pointer, applied, put_from, entering_from) = reader.between()?;
        let outside = |(_, from): &(u32, V)| agents::is_outside(&self.world.space, *from);
        if put_from.iter().any(outside) || !put_from.is_sorted_by(|a, b| a.0 < b.0) {
            return damaged("an agent was put from outside the world, or is out of order");
        }
        let counts = reader.many(
            2 * self.world.tracker.lines.len()
                + self.world.tracker.exits.len()
                + 2 * self.world.sources.len(),
            Reader::u64,
        )?;
        let events = self.read_events(&mut reader)?;
        let groups = changes.as_ref().map_or(&self.origin.setup.groups, |changes| &changes.groups);
        let lists = groups.iter().flat_map(|group| group.lists()).flat_map(|list| list.exploring());
        let mut explored = Vec::new();
        for (_, explore) in lists {
            let count = Explored::new(&explore.area, explore.cell_width()).len();
            if count > reader.0.len() / 8 {
                return damaged(format!("it is too short for the times of {count} cells"));
            }
            explored.push(reader.many(count, Reader::u64)?);
        }
        if let Some(time) = explored.iter().flatten().find(|time| **time > tick + 1) {
            return damaged(format!(
                "a cell was visited at tick {}; allowed: up to {tick}",
                time - 1
            ));
        }
        let length = reader.count(1)?;
        let _bytes = reader.bytes(length)?;
        let routes = None;
        #[cfg(feature = "navigation")]
        let routes = self.read_routes(_bytes, changes.as_ref())?.or(routes);
        let frame = Frame { tick, next_id, count, fastest: spawn::max_speed(groups) };
        let agents = reader.agents(self, frame)?;
        Ok(Found {
            tick,
            next_id,
            pointer,
            put_from,
            entering_from,
            applied,
            counts,
            events,
            changes,
            baseline,
            explored,
            routes,
            agents,
        })
    }

    /// The changes by commands; `None` if their bytes equal those of the current changes: then
    /// nothing has to be rebuilt.
    fn read_changes(&self, bytes: &[u8]) -> Read<Option<Changes<V>>> {
        let mut own = Writer::default();
        own.changes(self);
        if own.0 == bytes {
            return Ok(None);
        }
        let mut reader = Reader(bytes);
        if reader.flag()? || self.origin.structure.changed {
            return damaged("what was added or removed differs after decoding");
        }
        let changes = reader.changes(&self.world.paths, &self.origin.setup.groups)?;
        if !reader.0.is_empty() {
            return damaged(format!("{} bytes follow what commands have changed", reader.0.len()));
        }
        changes.check(&self.origin.setup)?;
        Ok(Some(changes))
    }

    fn read_events(&self, reader: &mut Reader<'_>) -> Read<Vec<Event>> {
        let count = reader.count(EVENT)?;
        let events = reader.many(count, Reader::event)?;
        let states = self.world.groups.iter().map(|group| group.states.len()).max().unwrap_or(0);
        let fits = |event: &Event| match *event {
            Event::Arrived { .. }
            | Event::TargetLost { .. }
            | Event::Contact { .. }
            | Event::Unreachable { .. } => true,
            Event::GroupArrived { group } => group.0 < self.world.groups.len(),
            Event::StateChanged { from, to, .. } => from.0 < states && to.0 < states,
            // The item that an event refers to may have been removed since.
            Event::Crossed { line, .. } => line.0 < self.origin.structure.lines.next,
            Event::Left { group, exit, .. } => {
                group.0 < self.world.groups.len() && exit.0 < self.origin.structure.exits.next
            }
            Event::Gone { group, state, .. } => {
                group.0 < self.world.groups.len() && state.0 < states
            }
            Event::Entered { group, source, .. } => {
                group.0 < self.world.groups.len() && source.0 < self.origin.structure.sources.next
            }
        };
        if !events.iter().all(fits) || !events.is_sorted_by(|a, b| a.order() < b.order()) {
            return damaged("an event does not fit the setup, or is out of order");
        }
        Ok(events)
    }
}

impl Writer {
    /// Encodes the current values of the parts that commands can change: the whole setup if groups
    /// or parts of the world have been added or removed.
    fn changes<V: Vector>(&mut self, crowd: &Crowd<V>) {
        self.flag(crowd.origin.structure.changed);
        if crowd.origin.structure.changed {
            return self.structure(&crowd.current_setup(), &crowd.origin.structure);
        }
        self.index(crowd.world.obstacles.len());
        crowd.world.obstacles.iter().for_each(|obstacle| self.shape(obstacle.shape()));
        self.ids(&crowd.origin.structure.obstacles);
        crowd.world.paths.iter().for_each(|path| self.vectors(path.points()));
        for group in &crowd.origin.setup.groups {
            // The length first, so that a reader can skip a group that it does not know.
            let start = self.0.len();
            self.u64(0);
            self.changes_of_group(group);
            let length = (self.0.len() - start - 8) as u64;
            self.0[start..start + 8].copy_from_slice(&length.to_le_bytes());
        }
    }
}

/// Replaces the hash at the end by that of the preceding bytes, for tests of damage that only the
/// validation of numbers can detect.
#[cfg(test)]
pub(super) fn seal(snapshot: &mut [u8]) {
    if let Some(end) = snapshot.len().checked_sub(TRAILER) {
        let sum = hash(&snapshot[..end]);
        snapshot[end..].copy_from_slice(&sum.to_le_bytes());
    }
}
