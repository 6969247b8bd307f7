//! Groups of a running crowd.

use alloc::vec::Vec;

use super::crowd::Crowd;
use super::structure::under;
use crate::crowd::pipeline::change::Change;
use crate::crowd::population::spawn;
use crate::crowd::setup::allowed::{KeyPath, MAX_AGENTS, ValidationError, quoted};
use crate::crowd::setup::draws::{self, Place};
use crate::crowd::setup::places::{self, Room};
use crate::crowd::setup::validate::no_room;
use crate::crowd::setup::{Group, Spawn, State};
use crate::crowd::structure::GroupEntry;
use crate::geometry::obstacle::Obstacles;
use crate::id::GroupId;
use crate::threads::Share;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Adds a group with its `count` members, which enter between two ticks like those of
    /// [`add`](Self::add); its name must be unused. It compiles all groups anew and removes
    /// [ghosts](Self::set_ghosts).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let prey = Group::new("prey", 1, Spawn::point(vec2(50.0, 0.0)), 1.0);
    /// let mut crowd = Setup::new(1.0).group(prey).crowd()?;
    /// let hunters =
    ///     Group::new("hunters", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).steer(Pursue::new(0));
    /// let hunters = crowd.add_group(hunters)?;
    /// crowd.step();
    /// assert_eq!(crowd.get(1).unwrap().agent.position, vec2(2.0, 0.0));
    /// crowd.remove_group(hunters)?;
    /// assert_eq!(crowd.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The name is taken, a value of the group is not allowed, or the crowd is full; then nothing
    /// changes.
    pub fn add_group(&mut self, group: Group<V>) -> Result<GroupId, ValidationError> {
        const KEY: &str = "add_group";
        self.name_is_free(KEY, "group", &group.name, self.group_names_in_use())?;
        let (count, index) = (group.count, self.origin.setup.groups.len());
        let first_id = self.population.unused_id();
        let free = MAX_AGENTS.saturating_sub(self.len()).min((u32::MAX - first_id) as usize);
        if count > free {
            return Err(ValidationError::new(
                KeyPath::default().key(KEY).key("count"),
                format!("the group has {count} members"),
                format!("up to {free}: so many more agents can enter the crowd"),
            ));
        }
        self.origin.setup.groups.push(group);
        let result = self.origin.setup.validate_last_group();
        let added = self.origin.setup.groups.pop();
        result.map_err(|error| under(KEY, error))?;
        let places = { added.iter() }
            .map(|group| self.places_of(group, first_id))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| under(KEY, error))?
            .concat();
        self.keep_original();
        self.clear_ghosts();
        added.iter().for_each(|group| self.origin.baseline.add_group(group));
        self.origin.setup.groups.extend(added);
        self.origin.structure.groups.push(GroupEntry { first_id, removed: false });
        self.groups_changed();
        let group = &self.origin.setup.groups[index];
        for (id, agent) in draws::members(&self.origin.setup, group, first_id, &places) {
            let entry = spawn::Entry {
                seed: self.tick.seed,
                id,
                first: first_id,
                tick: self.tick.number,
                dt: self.tick.dt,
            };
            let (start, agent) = spawn::entering(entry, group, &agent);
            self.population.push((id, index as u32), start, &agent);
        }
        self.population.next_id = first_id + count as u32;
        if let Spawn::Points(points) = &mut self.origin.setup.groups[index].spawn {
            *points = Vec::new();
        }
        self.mark_explored(Share::ALONE);
        self.changed(Change::Agents);
        Ok(GroupId(index))
    }

    /// The places of the members of a valid group that enters, where they do not follow from the
    /// ids.
    fn places_of(&self, group: &Group<V>, first_id: u32) -> Result<Vec<Place<V>>, ValidationError> {
        match &group.spawn {
            Spawn::Along(path) => Ok(places::along(&self.world.paths[path.0], group.count)),
            Spawn::Apart(area) => {
                let others =
                    (0..self.population.now.len()).map(|row| self.population.now.agent(row));
                let largest = others.clone().map(|other| other.radius);
                let largest = largest.fold(group.largest_radius(), f32::max);
                let obstacles = Obstacles::indexed(&self.world.obstacles, &self.world.obstacle_bvh);
                let mut room = Room::new(self.world.space, obstacles, largest);
                others.for_each(|other| room.take(other.position, other.radius));
                room.place(self.tick.seed, group, area, first_id).map_err(|placed| {
                    no_room(
                        &KeyPath::default().key("group").at(self.origin.setup.groups.len()),
                        group,
                        placed,
                    )
                })
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Removes a group and its members. Behaviors that refer to it find no member any more; exits
    /// and conditions that name it stay as they are. [Ghosts](Self::set_ghosts) are removed.
    ///
    /// # Errors
    /// There is no such group, or a source adds members to it; then nothing changes.
    pub fn remove_group(&mut self, id: impl Into<GroupId>) -> Result<(), ValidationError> {
        let (id, key) = (id.into(), KeyPath::default().key("remove_group"));
        if self.origin.structure.groups.get(id.0).is_none_or(|group| group.removed) {
            return Err(ValidationError::new(
                key,
                format!("there is no group {id}"),
                quoted(self.group_names_in_use(), "no group: there are none"),
            ));
        }
        if let Some(count) = self.world.sources.iter().find(|count| count.source.group == id) {
            return Err(ValidationError::new(
                key,
                format!(
                    "source {} adds members to the group \"{}\"",
                    count.id, self.origin.setup.groups[id.0].name
                ),
                "a group without a source",
            ));
        }
        self.keep_original();
        for row in (0..self.population.now.len()).rev() {
            if self.population.now.group[row] as usize == id.0 {
                self.remove_row(row);
            }
        }
        self.clear_ghosts();
        let group = &mut self.origin.setup.groups[id.0];
        // Conditions of other groups may name its states.
        let states = group.states.iter().map(|state| State::new(&*state.name)).collect();
        let empty =
            Group::new(&core::mem::take(&mut group.name), 0, Spawn::Points(Vec::new()), 1.0);
        *group = Group { states, ..empty };
        self.origin.structure.groups[id.0].removed = true;
        self.groups_changed();
        Ok(())
    }

    /// The names of the groups that have not been removed.
    pub(in crate::crowd) fn group_names_in_use(&self) -> impl Iterator<Item = &str> {
        let entries = self.group_names().zip(&self.origin.structure.groups);
        entries.filter(|(_, entry)| !entry.removed).map(|(name, _)| name)
    }

    /// The index of the group of this name.
    pub(in crate::crowd) fn group_named(&self, name: &str) -> Option<GroupId> {
        let mut entries = self.group_names().zip(&self.origin.structure.groups);
        entries.position(|(other, entry)| other == name && !entry.removed).map(GroupId)
    }

    /// Whether there is a group `id` that has not been removed.
    pub(in crate::crowd) fn check_group(
        &self,
        key_path: KeyPath,
        id: GroupId,
    ) -> Result<(), ValidationError> {
        match self.origin.structure.groups.get(id.0) {
            Some(entry) if !entry.removed => Ok(()),
            Some(_) => Err(ValidationError::new(
                key_path,
                format!("group {id} was removed"),
                quoted(self.group_names_in_use(), "no group: there are none"),
            )),
            None => Err(ValidationError::new(
                key_path,
                format!("there is no group {id}"),
                format!("a group's index below {}", self.origin.setup.groups.len()),
            )),
        }
    }
}
