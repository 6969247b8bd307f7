//! Adding, removing and relocating agents between two ticks.
//!
//! Ids count up and are never used again. Both generations of columns change together: they hold
//! the same agents in the same rows.

use alloc::string::ToString;

use super::crowd::Crowd;
use crate::agent::Agent;
use crate::crowd::pipeline::change::Change;
use crate::crowd::population::spawn;
use crate::crowd::setup::allowed::{
    KeyPath, MAX_AGENTS, ValidationError, ranges as range, vector_error,
};
use crate::crowd::setup::draws;
use crate::id::{AgentId, GroupId};
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Adds a member of `group` at `position` (length) and returns its new id.
    ///
    /// Its limits are drawn from the group's ranges by its id, like those of the first members.
    /// Without a `velocity` (length / time) it moves as the group does at the start; a velocity
    /// beyond its max_speed is truncated to it. A member that waits is at rest.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let guests = Group::new("guests", 1, Spawn::point(vec2(0.0, 0.0)), 2.0);
    /// let mut crowd = Setup::new(1.0).group(guests).crowd()?;
    /// let id = crowd.add(0, vec2(5.0, 5.0), Some(vec2(1.0, 0.0)))?;
    /// crowd.step();
    /// assert_eq!((id, crowd.get(id).unwrap().agent.position), (AgentId(1), vec2(6.0, 5.0)));
    /// assert!(crowd.remove(id) && !crowd.remove(id));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such group, a number is out of range, or the crowd is full; then nothing
    /// changes.
    pub fn add(
        &mut self,
        group: impl Into<GroupId>,
        position: V,
        velocity: Option<V>,
    ) -> Result<AgentId, ValidationError> {
        let (key_path, group) = (KeyPath::default(), group.into());
        self.check_group(key_path.key("group"), group)?;
        let of = &self.origin.setup.groups[group.0];
        self.check_motion(position, velocity)?;
        let id = self.population.unused_id();
        if self.len() >= MAX_AGENTS || id == u32::MAX {
            let message = format!("there are {} agents, and {id} have been", self.len());
            return Err(ValidationError {
                key_path,
                message,
                allowed: format!("at most {MAX_AGENTS} at a time, and {} ever", u32::MAX),
            });
        }
        let mut agent = draws::newcomer(
            self.tick.seed,
            id,
            of,
            self.stored_position(position),
            self.world.space.up(),
        );
        if let Some(velocity) = velocity {
            agent = Agent { heading: V::X, ..agent }.moving(velocity.truncate(agent.max_speed));
        }
        let entry = self.tick.entry(&self.origin.structure, id, group);
        let (start, agent) = spawn::entering(entry, of, &agent);
        self.population.push((id, group.0 as u32), start, &agent);
        self.population.next_id = id + 1;
        self.changed(Change::Agents);
        Ok(AgentId(id))
    }

    /// Removes the agent `id` from the crowd; `false` if it is not there.
    pub fn remove(&mut self, id: impl Into<AgentId>) -> bool {
        let row = self.row_of(id.into());
        if let Some(row) = row {
            self.remove_row(row);
        }
        row.is_some()
    }

    /// Moves the agent `id` to `position` (length) and gives it `velocity` (length / time) if there
    /// is one, truncated to its max_speed. This is no crossing of a line; if its body then touches
    /// another that it did not touch after the last tick, that is a
    /// [`Contact`](crate::crowd::Event::Contact).
    ///
    /// # Errors
    /// There is no such agent, or a number is out of range; then nothing changes.
    pub fn put(
        &mut self,
        id: impl Into<AgentId>,
        position: V,
        velocity: Option<V>,
    ) -> Result<(), ValidationError> {
        let id = id.into();
        let i = self.row_of(id).ok_or_else(|| no_agent(KeyPath::default().key("id"), id))?;
        self.check_motion(position, velocity)?;
        let moves = velocity.is_some_and(|velocity| velocity != V::ZERO);
        let waits = self.population.now.state[i].waits(self.tick.number);
        if moves && (self.population.now.own(i).frozen || waits) {
            let why = if waits { "has not started" } else { "is frozen" };
            return Err(ValidationError {
                key_path: KeyPath::default().key("velocity"),
                message: format!("agent {id} {why}"),
                allowed: "no velocity, or an agent that can move".to_string(),
            });
        }
        let position = self.stored_position(position);
        let agent = self.population.now.agent(i);
        self.world.tracker.put(id.0, agent.position);
        let agent =
            velocity.map_or(agent, |velocity| agent.moving(velocity.truncate(agent.max_speed)));
        for columns in [&mut self.population.now, &mut self.population.next] {
            columns.position.set(i, position);
            columns.velocity.set(i, agent.velocity);
            columns.heading.set(i, agent.heading);
            columns.facing[i * columns.facing_width..(i + 1) * columns.facing_width]
                .fill(agent.facing);
        }
        self.changed(Change::Agents);
        Ok(())
    }

    /// Removes row `row`; the last row moves there.
    pub(in crate::crowd) fn remove_row(&mut self, row: usize) {
        self.population.remove_row(row);
        self.changed(Change::Agents);
    }

    /// `position` as it is stored: in a wrapped world inside the bounds, which differences of
    /// positions rely on.
    pub(in crate::crowd) fn stored_position(&self, position: V) -> V {
        self.world.space.inside(position)
    }

    fn check_motion(&self, position: V, velocity: Option<V>) -> Result<(), ValidationError> {
        let key_path = KeyPath::default();
        let position = vector_error(key_path.key("position"), position, range::COORDINATE);
        position
            .or_else(|| vector_error(key_path.key("velocity"), velocity?, range::VELOCITY))
            .map_or(Ok(()), Err)
    }
}

/// The error about an id that is not in the crowd.
pub(in crate::crowd) fn no_agent(key_path: KeyPath, id: AgentId) -> ValidationError {
    ValidationError {
        key_path,
        message: format!("there is no agent {id}"),
        allowed: "the id of an agent that is in the crowd".to_string(),
    }
}
