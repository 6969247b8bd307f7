//! Ghosts given to a crowd, and agents and ghosts by their rows.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::agents::AgentRef;
use super::crowd::Crowd;
use crate::agent::Agent;
use crate::crowd::pipeline::change::Change;
use crate::crowd::pipeline::index::count_members;
use crate::crowd::population::ghosts::{Ghost, GhostRow, columns_of};
use crate::crowd::setup::allowed::{
    KeyPath, MAX_AGENTS, ValidationError, ranges as range, vector_error,
};
use crate::id::{AgentId, GroupId};
use crate::parameter::Range as NumberRange;
use crate::row_index::RowIndex;
use crate::vector::{Vector, WORLD_LIMIT};

impl<V: Vector> Crowd<V> {
    /// Replaces all ghosts: copies of agents that this crowd reads and does not own. The owner of a
    /// ghost is a process of a cluster that steps another part of the crowd, or an engine that
    /// moves a body itself.
    ///
    /// Ghosts are read by all that reads other agents: neighbors, targets that are the nearest
    /// member of a group, perceptions, conditions, and the queries [`nearest`](Self::nearest),
    /// [`within`](Self::within) and [`ray`](Self::ray), which return them with
    /// [`owned`](AgentRef::owned) `false`. A crowd that is cut in two moves with the same bits as
    /// the whole one, if before each tick each part gets as ghosts the agents of the other part
    /// that its own agents can read: those that are as near to the cut as the largest neighbor
    /// radius or `within` of a target, and all members of groups that are targets at any distance.
    /// A group that explores, keeps a formation or stands in a queue must be in one part. Solid
    /// bodies are the exception: a ghost goes on with its velocity, and pushes bodies without being
    /// pushed.
    ///
    /// Ghosts stay as they are until they are replaced or [cleared](Self::clear_ghosts): a step
    /// does not move them. They raise no events, keep no slots of formations and no places in
    /// queues, explore no cells, and are not part of [`len`](Self::len), [`get`](Self::get), the
    /// columns, [`digest`](Self::digest), [`snapshot`](Self::snapshot) and logs of commands.
    /// [`restore`](Self::restore) clears them. An agent that enters never gets the id of a ghost;
    /// an agent that is [inserted](Self::insert) replaces the ghost with its id. An engine that
    /// chooses the ids of its ghosts itself takes them from `u32::MAX - 1` down.
    ///
    /// In a wrapped world a position may be given anywhere.
    ///
    /// ```
    /// use wayfare::crowd::Ghost;
    /// use wayfare::prelude::*;
    /// let people =
    ///     Group::new("people", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).steer(Flee::new(GroupId(1)));
    /// let cars = Group::new("cars", 0, Spawn::points(Vec::new()), 20.0);
    /// let mut crowd = Setup::new(1.0).group(people).group(cars).crowd()?;
    /// // The engine drives the car.
    /// let car = Agent::new(vec2(9.0, 0.0), 20.0).moving(vec2(-5.0, 0.0));
    /// crowd.set_ghosts(&[Ghost { id: AgentId(u32::MAX - 1), group: GroupId(1), agent: car }])?;
    /// crowd.step();
    /// assert_eq!(crowd.get(0).unwrap().agent.velocity, vec2(-2.0, 0.0));
    /// assert_eq!((crowd.len(), crowd.ghost_count()), (1, 1));
    /// assert!(!crowd.nearest(vec2(8.0, 0.0), None).unwrap().owned);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A number is not finite or out of range, a ghost is faster than every group, its group does
    /// not exist, or its id is that of an agent of the crowd or of another ghost; then nothing
    /// changes.
    pub fn set_ghosts(&mut self, ghosts: &[Ghost<V>]) -> Result<(), ValidationError> {
        let index = self.ghost_index(ghosts)?;
        let rows: Vec<_> = ghosts.iter().map(GhostRow::from).collect();
        self.replace_ghosts(&rows, index);
        Ok(())
    }

    /// Removes all ghosts.
    pub fn clear_ghosts(&mut self) {
        self.population.ghosts.clear();
        self.changed(Change::Bodies);
    }

    /// The ghosts, in no particular order.
    pub fn ghosts(&self) -> impl Iterator<Item = Ghost<V>> + '_ {
        self.population.ghosts.iter()
    }

    /// The number of ghosts.
    pub fn ghost_count(&self) -> usize {
        self.population.ghosts.len()
    }

    /// Removes the ghosts with these sorted ids: the crowd owns these agents from now on.
    pub(in crate::crowd) fn own_ghosts(&mut self, ids: &[AgentId]) {
        if ids.iter().any(|id| self.population.ghosts.contain(id.0)) {
            let rest = self.ghosts().filter(|ghost| ids.binary_search(&ghost.id).is_err());
            let rest: Vec<_> = rest.map(|ghost| GhostRow::from(&ghost)).collect();
            let ids: Vec<_> = rest.iter().map(|ghost| ghost.id).collect();
            self.replace_ghosts(&rest, RowIndex::new(&ids));
        }
    }

    /// An owned agent or a ghost, by its row in [`columns_of`].
    pub(in crate::crowd) fn agent_or_ghost_at_row(&self, row: u32) -> AgentRef<'_, V> {
        let (columns, i) = columns_of(&self.population.now, &self.population.ghosts, row as usize);
        if i == row as usize {
            return self.at_row(i);
        }
        AgentRef {
            order: None,
            frozen: false,
            starts_at: None,
            id: AgentId(columns.id[i]),
            group: GroupId(columns.group[i] as usize),
            agent: columns.agent(i),
            state: None,
            stats: &[],
            owned: false,
        }
    }

    pub(in crate::crowd) fn replace_ghosts(&mut self, ghosts: &[GhostRow<V>], rows: RowIndex) {
        // A crowd without neighbors looks for ghosts in trees only.
        let width = self.tick.cell_width.unwrap_or(f32::INFINITY);
        self.population.ghosts.replace(
            ghosts,
            rows,
            width,
            &self.world.space,
            self.world.groups.len(),
        );
        // A step must not allocate.
        count_members(&mut self.world, &mut self.population);
        for (index, group) in self.world.groups.iter_mut().enumerate() {
            if group.searched {
                let count = group.member_count + self.population.ghosts.count(index);
                group.members.reserve(count as usize);
            }
        }
        self.changed(Change::Bodies);
    }

    /// Validates `ghosts`; returns their rows in the list by their ids.
    fn ghost_index(&self, ghosts: &[Ghost<V>]) -> Result<RowIndex, ValidationError> {
        let list = KeyPath::default().key("ghosts");
        if ghosts.len() > MAX_AGENTS {
            return Err(ValidationError {
                key_path: list,
                message: format!("there are {} ghosts", ghosts.len()),
                allowed: format!("at most {MAX_AGENTS}"),
            });
        }
        let ids: Vec<_> = ghosts.iter().map(|ghost| ghost.id.0).collect();
        let mut rows = RowIndex::with_room_for(ghosts.len());
        for (i, ghost) in ghosts.iter().enumerate() {
            let id = ghost.id;
            let id_error = |message, allowed: &str| {
                let key_path = list.at(i).key("id");
                Err(ValidationError { key_path, message, allowed: allowed.to_string() })
            };
            if id == AgentId::NONE {
                return id_error(format!("the id is {id}"), "an id below it");
            }
            if let Some(other) = rows.get(id.0, &ids) {
                let message = format!("the id {id} is that of ghost {other}, too");
                return id_error(message, "each id once");
            }
            if self.row_of(id).is_some() {
                let message = format!("the id {id} is that of an agent of this crowd");
                return id_error(message, "an id that no agent of the crowd has");
            }
            if let Some(error) = self.ghost_error(&list.at(i), ghost) {
                return Err(error);
            }
            rows.insert(id.0, i as u32);
        }
        Ok(rows)
    }

    /// The first invalid value of a ghost, but for its id.
    fn ghost_error(&self, key_path: &KeyPath, ghost: &Ghost<V>) -> Option<ValidationError> {
        let &Ghost { group, agent, .. } = ghost;
        if let Err(error) = self.check_group(key_path.key("group"), group) {
            return Some(error);
        }
        // An agent that has left the range of coordinates of setups is a valid ghost, too.
        let position = NumberRange { min: -WORLD_LIMIT, max: WORLD_LIMIT, ..range::COORDINATE };
        let vectors =
            [("position", agent.position, position), ("velocity", agent.velocity, range::VELOCITY)];
        let invalid = |(name, v, range)| vector_error(key_path.key(name), v, range);
        if let Some(error) = vectors.into_iter().find_map(invalid) {
            return Some(error);
        }
        let error = |name: &str, message: String, allowed: String| {
            Some(ValidationError { key_path: key_path.key(name), message, allowed })
        };
        // Truncating a velocity rounds.
        let (speed, fastest) = (agent.velocity.length(), self.population.max_speed * 1.001);
        if speed > fastest {
            let allowed =
                format!("up to the top speed of the groups, {}", self.population.max_speed);
            return error("velocity", format!("the speed is {speed}"), allowed);
        }
        for (name, v) in [("heading", agent.heading), ("facing", agent.facing)] {
            let length = v.length();
            if !(0.999..=1.001).contains(&length) {
                return error(name, format!("`{name}` is {length} long"), "1".to_string());
            }
        }
        let &Agent { mass, max_speed, max_force, radius, .. } = &agent;
        let limits = [
            ("mass", mass, range::MASS),
            ("max_speed", max_speed, range::MAX_SPEED),
            ("max_force", max_force, range::MAX_FORCE),
            ("radius", radius, range::RADIUS),
        ];
        let (name, x, range) = limits.into_iter().find(|(_, x, range)| {
            // A number drawn from a range may be rounded beyond its end.
            !NumberRange { max: range.max * 1.000_001, ..*range }.holds(*x)
        })?;
        error(name, format!("`{name}` is {x}"), range.to_string())
    }
}
