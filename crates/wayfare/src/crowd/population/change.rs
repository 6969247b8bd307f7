//! Who comes, who goes, and who is put elsewhere, between two ticks.
//!
//! Ids count up and are never used again. Both generations of columns change together: they hold
//! the same agents in the same order.

use super::spawn;
use crate::agent::Agent;
use crate::crowd::Crowd;
use crate::crowd::setup::validate::{
    KeyPath, MAX_AGENTS, ValidationError, ranges as range, vector_error,
};
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Adds a member of `group` (its index) at `position` (length), and gives back its id, which
    /// nobody had before.
    ///
    /// Its limits are drawn from the group's ranges by its id, as those of the first members are.
    /// Without a `velocity` (length / time) it moves as the group does at the start; one beyond
    /// its top speed is shortened to it.
    ///
    /// ```
    /// use wayfare::{crowd::{Group, Setup, Spawn}, glam::vec2, Crowd};
    /// let groups = vec![Group::new("guests", 0, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0)];
    /// let mut crowd = Crowd::new(Setup { groups, ..Setup::default() })?;
    /// let id = crowd.add(0, vec2(5.0, 5.0), Some(vec2(1.0, 0.0)))?;
    /// crowd.step();
    /// assert_eq!((id, crowd.get(id).unwrap().agent.position), (1, vec2(6.0, 5.0)));
    /// assert!(crowd.remove(id) && !crowd.remove(id));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such group, a number is beyond its range, or the crowd is full; then nothing has
    /// changed.
    pub fn add(
        &mut self,
        group: usize,
        position: V,
        velocity: Option<V>,
    ) -> Result<u32, ValidationError> {
        let place = KeyPath::default();
        let Some(of) = self.setup.groups.get(group) else {
            let allowed = format!("a group's index below {}", self.setup.groups.len());
            return Err(ValidationError {
                key_path: place.key("group"),
                message: format!("there is no group {group}"),
                allowed,
            });
        };
        self.check_motion(position, velocity)?;
        if self.len() >= MAX_AGENTS || self.next_id == u32::MAX {
            let message =
                format!("there are {} agents, and {} have been", self.len(), self.next_id);
            return Err(ValidationError {
                key_path: place,
                message,
                allowed: format!("at most {MAX_AGENTS} at a time, and {} ever", u32::MAX),
            });
        }
        let id = self.next_id;
        let mut agent = spawn::newcomer(self.seed, id, of, self.inside(position));
        if let Some(velocity) = velocity {
            agent = Agent { heading: V::X, ..agent }.moving(velocity.truncate(agent.max_speed));
        }
        for columns in [&mut self.now, &mut self.next] {
            columns.push(id, group as u32, spawn::start(of, self.tick), &agent);
            columns.pad();
        }
        self.next_id += 1;
        self.disordered();
        Ok(id)
    }

    /// Takes the agent `id` out of the crowd; `false` where there is none.
    pub fn remove(&mut self, id: u32) -> bool {
        let found = self.place_of(id);
        if let Some(i) = found {
            self.remove_at(i);
        }
        found.is_some()
    }

    /// Puts the agent `id` to `position` (length), and lets it move with `velocity` (length / time)
    /// if one is given, shortened to its top speed. It crosses no line on the way.
    ///
    /// # Errors
    /// There is no such agent, or a number is beyond its range; then nothing has changed.
    pub fn put(
        &mut self,
        id: u32,
        position: V,
        velocity: Option<V>,
    ) -> Result<(), ValidationError> {
        let i = self.place_of(id).ok_or_else(|| no_agent(KeyPath::default().key("id"), id))?;
        self.check_motion(position, velocity)?;
        let position = self.inside(position);
        let agent = self.now.agent(i);
        let agent =
            velocity.map_or(agent, |velocity| agent.moving(velocity.truncate(agent.max_speed)));
        for columns in [&mut self.now, &mut self.next] {
            columns.position.set(i, position);
            columns.velocity.set(i, agent.velocity);
            columns.heading.set(i, agent.heading);
            columns.facing[i * columns.facing_width..(i + 1) * columns.facing_width]
                .fill(agent.facing);
        }
        self.disordered();
        Ok(())
    }

    /// The agent `id`, if it is in the crowd.
    pub fn get(&self, id: u32) -> Option<crate::crowd::Member<'_, V>> {
        self.place_of(id).map(|i| self.at(i as u32))
    }

    /// Where the agent `id` is in the columns.
    pub(in crate::crowd) fn place_of(&self, id: u32) -> Option<usize> {
        self.now.id[..self.len()].iter().position(|&other| other == id)
    }

    /// Takes the agent at `i` out; the last one comes to its place.
    pub(in crate::crowd) fn remove_at(&mut self, i: usize) {
        self.now.swap_remove(i);
        self.next.swap_remove(i);
        self.disordered();
    }

    /// The agents are to be sorted anew: somebody came, went, or is elsewhere.
    pub(in crate::crowd) fn disordered(&mut self) {
        self.moved = f32::INFINITY;
        self.placed = true;
        self.forget();
    }

    /// `position` as it is kept: differences are taken between places inside the bounds of a
    /// wrapped world.
    pub(in crate::crowd) fn inside(&self, position: V) -> V {
        if self.space.wraps() { self.space.wrapped(position) } else { position }
    }

    fn check_motion(&self, position: V, velocity: Option<V>) -> Result<(), ValidationError> {
        let place = KeyPath::default();
        let position = vector_error(place.key("position"), position, range::COORDINATE);
        position
            .or_else(|| vector_error(place.key("velocity"), velocity?, range::VELOCITY))
            .map_or(Ok(()), Err)
    }
}

/// What is said of an id that nobody has.
pub(in crate::crowd) fn no_agent(place: KeyPath, id: u32) -> ValidationError {
    ValidationError {
        key_path: place,
        message: format!("there is no agent {id}"),
        allowed: "the id of an agent that is in the crowd".to_string(),
    }
}
