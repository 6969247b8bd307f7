//! Brings a snapshot into a crowd with another setup: a saved game survives a change of its scene.
//!
//! Everything is matched by name. What commands had changed is taken from the snapshot where the
//! setups agree about the value before the change, else from the crowd's setup: a hash of each part
//! as the setup had it tells both.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::agents::Frame;
use super::event::EVENT;
use super::migration::{GroupMatch, Migration, MigrationNote as Note};
use super::names::Names;
use crate::crowd::encoding::baseline::{obstacles_hash, points_hash};
use crate::crowd::encoding::bytes::{Read, Reader, Writer, damaged, hash};
use crate::crowd::encoding::changes::Changes;
use crate::crowd::encoding::envelope;
use crate::crowd::encoding::error::SnapshotError;
use crate::crowd::encoding::layout::{HEADER, SNAPSHOT_MAGIC};
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::setup::Group;
use crate::threads::Share;
use crate::vector::Vector;

mod agents;
mod matches;
mod old;

use matches::Matches;
use old::{Old, Values};

impl<V: Vector> Crowd<V> {
    /// Restores the state of `snapshot`, whose crowd may have had another setup: with other groups,
    /// states, stats, behaviors, numbers, paths or obstacles. A saved game survives a patch.
    ///
    /// This crowd is one that was made from the new setup. The snapshot gives the tick, the
    /// pointer, and the agents of each group whose name this crowd has, with their ids, positions,
    /// velocities, states and stats by name, own settings, and memories where the list has the same
    /// behaviors. Limits and parameters are those of the new setup, except what commands had
    /// changed of a part (a group, a path, the obstacles) that the new setup has as before. A group
    /// that the snapshot does not have starts now: with the agents that this crowd has of it, which
    /// get new ids. Agents of a group that is gone are left out. The events of the last tick are
    /// left out.
    ///
    /// If the snapshot is of a crowd with the same setup, this is [`restore`](Self::restore).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let group = |name, x| Group::new(name, 1, Spawn::point(vec2(x, 0.0)), 2.0);
    /// let sheep = group("sheep", 0.0);
    /// let mut old = Setup::new(1.0).group(sheep.clone()).group(group("dogs", 5.0)).crowd()?;
    /// old.put(0, vec2(7.0, 0.0), None)?;
    ///
    /// let mut new = Setup::new(1.0).group(group("wolves", 9.0)).group(sheep).crowd()?;
    /// let migration = new.migrate(&old.snapshot())?;
    /// assert_eq!(new.get(0).unwrap().agent.position, vec2(7.0, 0.0));
    /// assert_eq!(
    ///     migration.to_string(),
    ///     "Group \"sheep\": 1 agent kept.\n\
    ///      Group \"dogs\" is gone: 1 agent left out.\n\
    ///      Group \"wolves\" is new: it starts with 1 agent."
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The bytes are not a snapshot, are of another version or dimension, or are damaged; then
    /// nothing has changed. The input may be any bytes.
    pub fn migrate(&mut self, snapshot: &[u8]) -> Result<Migration, SnapshotError> {
        V::migrate(self, snapshot)
    }

    pub(in crate::crowd) fn migrate_here(
        &mut self,
        snapshot: &[u8],
    ) -> Result<Migration, SnapshotError> {
        match self.restore_here(snapshot) {
            Err(SnapshotError::OtherSetup) => {}
            result => return result.map(|()| self.all_matched()),
        }
        let old = self.read_old(snapshot)?;
        let mut crowd = self.clone();
        let migration = crowd.take_over(old)?;
        *self = crowd;
        Ok(migration)
    }

    /// The report of a crowd that was restored.
    fn all_matched(&self) -> Migration {
        let matched = self.group_names_in_use().map(|name| {
            let group = self.group_named(name).map_or(usize::MAX, |group| group.0);
            let members = self.groups().filter(|of| of.0 == group);
            GroupMatch::Matched { name: name.to_string(), agents: members.count() }
        });
        Migration { groups: matched.collect(), notes: Vec::new() }
    }

    /// Decodes a snapshot of any setup.
    fn read_old(&self, bytes: &[u8]) -> Read<Old<V>> {
        let mut reader = envelope::open_any::<V>(SNAPSHOT_MAGIC, HEADER, bytes)?;
        reader.u64()?;
        let (tick, next_id, count) = reader.header()?;
        let length = reader.count(1)?;
        let changes = reader.bytes(length)?;
        let names = reader.names()?;
        let (pointer, applied, ..) = reader.between()?;
        let counts = reader.many(names.counts(), Reader::u64)?;
        let events = reader.count(EVENT)?;
        reader.many(events, Reader::event)?;
        let explored = names.groups.iter().map(|group| {
            let grids = group.explored.iter().map(|&(_, cells)| {
                if cells > reader.0.len() / 8 {
                    return damaged(format!("it is too short for the times of {cells} cells"));
                }
                reader.many(cells, Reader::u64)
            });
            grids.collect()
        });
        let explored = explored.collect::<Read<_>>()?;
        // Agents request routes anew.
        let length = reader.count(1)?;
        reader.bytes(length)?;
        let agents = reader.columns(names.columns(), count)?;
        let values = self.read_values(&names, changes)?;
        Ok(Old { tick, next_id, pointer, applied, names, values, counts, explored, agents })
    }

    /// The values that commands can change; `None` if they cannot be decoded without a behavior
    /// that only the old crowd had.
    fn read_values(&self, names: &Names, bytes: &[u8]) -> Read<Option<Values<V>>> {
        let mut reader = Reader(bytes);
        if reader.flag()? {
            let Ok((setup, structure)) = reader.structure(&self.known_users()) else {
                return Ok(None);
            };
            let bytes = |group: &Group<V>| {
                let mut writer = Writer::default();
                writer.changes_of_group(group);
                writer.0
            };
            let groups = setup.groups.iter().map(bytes).collect();
            let paths = setup.paths.into_iter().map(|(_, path)| path.points().to_vec()).collect();
            let (obstacles, obstacle_ids) = (setup.obstacles, structure.obstacles);
            return Ok(Some(Values { obstacles, obstacle_ids, paths, groups }));
        }
        let count = reader.count(1)?;
        let obstacles = reader.many(count, Reader::shape)?;
        let obstacle_ids = reader.ids(count)?;
        let paths = reader.many(names.paths.len(), Reader::vectors)?;
        let groups = reader.many(names.groups.len(), |reader| {
            let length = reader.count(1)?;
            reader.bytes(length).map(<[u8]>::to_vec)
        })?;
        Ok(Some(Values { obstacles, obstacle_ids, paths, groups }))
    }

    /// Takes the state of `old` over. After an error the crowd is in no valid state.
    fn take_over(&mut self, old: Old<V>) -> Read<Migration> {
        let mut new_names = Names::of(self)?;
        let mut migration = Migration { groups: Vec::new(), notes: Vec::new() };
        let matches = Matches::new(&old.names, &new_names);
        if let Some(values) = &old.values {
            let changes = self.merged(&old.names, &new_names, &matches, values, &mut migration);
            changes.check(&self.origin.setup)?;
            self.apply_changes(changes);
            // A changed parameter can change what an explored grid is made from.
            new_names = Names::of(self)?;
        }
        self.take_counts(&old, &new_names, &matches, &mut migration);
        let spawned = core::mem::take(&mut self.population.now);
        (self.tick.number, self.world.pointer) = (old.tick, old.pointer);
        self.go_on_from(old.tick, old.applied);
        let (agents, next_id) =
            self.migrated_agents(&old, &new_names, &matches, &spawned, &mut migration)?;
        let count = agents.now.len();
        let frame = Frame { tick: old.tick, next_id, count, fastest: self.population.max_speed };
        // The check reads the widths and the groups of the crowd.
        self.population.now = agents.now.clone();
        agents.check(self, frame)?;
        self.population.next_id = next_id;
        self.population.next.clone_from(&agents.now);
        (self.population.next.position, self.population.has_previous) = (agents.before, true);
        self.world.tracker.events.clear();
        self.world.tracker.put_from.clear();
        self.world.routes = None;
        self.world.find_routes(&self.origin.setup.navigation);
        self.take_explored(&old, &new_names, &matches, &mut migration);
        self.restored();
        Ok(migration)
    }

    /// The values that commands can change: those of the snapshot where the setups agree about the
    /// value before, else those of this crowd.
    fn merged(
        &self,
        old: &Names,
        new: &Names,
        matches: &Matches,
        values: &Values<V>,
        migration: &mut Migration,
    ) -> Changes<V> {
        let own = self.world.obstacles.iter().map(|obstacle| obstacle.shape().clone());
        let (mut obstacles, mut ids): (Vec<_>, _) =
            (own.collect(), self.origin.structure.obstacles.clone());
        if obstacles_hash(values.obstacles.iter()) != old.baseline.obstacles {
            if old.baseline.obstacles == new.baseline.obstacles {
                (obstacles, ids) = (values.obstacles.clone(), values.obstacle_ids.clone());
            } else {
                let with_ids = values.obstacles.iter().zip(&values.obstacle_ids.ids);
                let added = with_ids.filter(|(_, id)| **id >= old.baseline.obstacle_count);
                let before = obstacles.len();
                for (shape, _) in added {
                    obstacles.push(shape.clone());
                    ids.push();
                }
                let kept = obstacles.len() - before;
                migration.notes.push(Note::ObstaclesMerged { kept });
            }
        }
        let mut paths = self.world.paths.clone();
        for (i, points) in values.paths.iter().enumerate() {
            let (Some(Some(at)), Some(&before)) = (matches.paths.get(i), old.baseline.paths.get(i))
            else {
                continue;
            };
            if points_hash(points) == before {
                continue;
            }
            if new.baseline.paths[*at] == before {
                paths[*at] = paths[*at].through(points.clone());
            } else {
                migration.notes.push(Note::PointsLost { path: old.paths[i].clone() });
            }
        }
        let mut groups = self.origin.setup.groups.clone();
        for (i, bytes) in values.groups.iter().enumerate() {
            let (Some(Some(at)), Some(&before)) =
                (matches.groups.get(i), old.baseline.groups.get(i))
            else {
                continue;
            };
            if hash(bytes) == before {
                continue;
            }
            let mut group = groups[*at].clone();
            let same = new.baseline.groups[*at] == before && matches.same_indices;
            if same && Reader(bytes).changes_of_group(&mut group).is_ok() {
                groups[*at] = group;
            } else {
                migration.notes.push(Note::NumbersLost { group: old.groups[i].name.clone() });
            }
        }
        Changes { obstacles, obstacle_ids: ids, paths, groups }
    }

    /// Takes over the counts of lines, exits and sources.
    fn take_counts(
        &mut self,
        old: &Old<V>,
        new: &Names,
        matches: &Matches,
        migration: &mut Migration,
    ) {
        for path in old.names.paths.iter().zip(&matches.paths).filter(|(_, at)| at.is_none()) {
            if !path.0.is_empty() {
                migration.notes.push(Note::PathGone { path: path.0.clone() });
            }
        }
        let (lines, rest) = old.counts.split_at(2 * old.names.lines.len());
        let (exits, sources) = rest.split_at(old.names.exits);
        for (name, counts) in old.names.lines.iter().zip(lines.chunks_exact(2)) {
            match new.lines.iter().position(|other| other == name) {
                Some(at) => {
                    let line = &mut self.world.tracker.lines[at];
                    (line.left, line.right) = (counts[0], counts[1]);
                }
                None => migration.notes.push(Note::LineGone { line: name.clone() }),
            }
        }
        if exits.len() == new.exits {
            self.world
                .tracker
                .exits
                .iter_mut()
                .zip(exits)
                .for_each(|(exit, left)| exit.left = *left);
        } else {
            migration.notes.push(Note::ExitCountsReset);
        }
        let groups = old.names.sources.iter().map(|group| matches.groups[*group]);
        if groups.eq(new.sources.iter().map(|group| Some(*group))) {
            for (source, counts) in self.world.sources.iter_mut().zip(sources.chunks_exact(2)) {
                (source.entered, source.turned_away) = (counts[0], counts[1]);
            }
        } else {
            migration.notes.push(Note::SourceCountsReset);
        }
    }

    /// Takes over what the agents have explored, where an `explore` is the same.
    fn take_explored(
        &mut self,
        old: &Old<V>,
        new: &Names,
        matches: &Matches,
        migration: &mut Migration,
    ) {
        let mut some_are_new = false;
        for (g, group) in self.world.groups.iter_mut().enumerate() {
            let from = matches.groups.iter().position(|at| *at == Some(g));
            let mut left: Vec<_> = from.map_or(Vec::new(), |from| {
                old.names.groups[from].explored.iter().zip(&old.explored[from]).collect()
            });
            for ((_, grid), key) in group.explored.iter_mut().zip(&new.groups[g].explored) {
                match left.iter().position(|(other, _)| *other == key) {
                    Some(at) if left[at].1.iter().all(|time| *time <= old.tick + 1) => {
                        grid.restore(left.remove(at).1);
                    }
                    _ => {
                        grid.restore(&vec![0; grid.len()]);
                        some_are_new = true;
                    }
                }
            }
            if !left.is_empty() {
                let group = new.groups[g].name.clone();
                migration.notes.push(Note::ExploredReset { group });
            }
        }
        self.world.exclude_unreachable_cells();
        if some_are_new {
            self.mark_explored(Share::ALONE);
        }
    }
}
