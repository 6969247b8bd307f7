//! Ghost rows: copies of agents that a crowd reads and does not step.
//!
//! A crowd owns its rows: it steps them, and they are its state. The owner of a ghost is another
//! one: a process of a cluster that steps another part of the same crowd, or an engine that moves a
//! body itself. Ghosts have columns and a neighbor grid of their own, so that a crowd without them
//! pays for one test per grid cell.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

use super::AgentRef;
use super::columns::{Columns, Start, StateInstance};
use crate::agent::Agent;
use crate::crowd::Crowd;
use crate::crowd::change::Change;
use crate::crowd::setup::validate::{
    KeyPath, MAX_AGENTS, ValidationError, ranges as range, vector_error,
};
use crate::crowd::snapshot::{SnapshotError, unpack};
use crate::id::{AgentId, GroupId};
use crate::parameter::Range as NumberRange;
use crate::row_index::RowIndex;
use crate::simd::column::VectorColumn;
use crate::spatial::grid::Grid;
use crate::spatial::space::Space;
use crate::threads::Share;
use crate::vector::{Vector, WORLD_LIMIT};

/// A copy of an agent that another owner moves; see [`Crowd::set_ghosts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ghost<V> {
    /// Its id, which no agent of the crowd has.
    pub id: AgentId,
    /// Its group.
    pub group: GroupId,
    /// Its state of motion and its limits. Neighbors and queries read position, velocity, heading,
    /// facing and radius.
    pub agent: Agent<V>,
}

/// The ghosts of a crowd, sorted by the cells of their own grid.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Ghosts<V: Vector> {
    columns: Columns<V>,
    grid: Grid<V>,
    /// The rows of their ids in `columns`.
    rows: RowIndex,
    /// The number of ghosts of each group; empty without ghosts.
    counts: Vec<u32>,
    /// The corners of the box around their positions (length).
    low: V,
    high: V,
    /// The largest speed of a ghost (length / time).
    max_speed: f32,
    /// The row of each ghost, in the order in which they were given.
    order: Vec<u32>,
    /// Whether each one is frozen, by row: then contacts do not move it.
    frozen: Vec<bool>,
    /// The positions after the last tick, by row, where another part of the crowd has sent them
    /// (length); else empty.
    moved_to: Vec<V>,
}

/// A ghost, with what only another part of the same crowd knows of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct GhostRow<V> {
    pub(in crate::crowd) id: u32,
    pub(in crate::crowd) group: u32,
    pub(in crate::crowd) state: StateInstance,
    pub(in crate::crowd) frozen: bool,
    pub(in crate::crowd) agent: Agent<V>,
}

impl<V: Vector> From<&Ghost<V>> for GhostRow<V> {
    fn from(ghost: &Ghost<V>) -> Self {
        let &Ghost { id, group, agent } = ghost;
        let state = StateInstance::new(0, 0);
        Self { id: id.0, group: group.0 as u32, state, frozen: false, agent }
    }
}

impl<V: Vector> Default for Ghosts<V> {
    fn default() -> Self {
        Self {
            // A ghost has a facing in any crowd: a neighbor may read it.
            columns: Columns { facing_width: 1, ..Columns::default() },
            grid: Grid::default(),
            rows: RowIndex::with_room_for(0),
            counts: Vec::new(),
            low: V::ZERO,
            high: V::ZERO,
            max_speed: 0.0,
            order: Vec::new(),
            frozen: Vec::new(),
            moved_to: Vec::new(),
        }
    }
}

impl<V: Vector> Ghosts<V> {
    pub(in crate::crowd) fn len(&self) -> usize {
        self.columns.len()
    }

    pub(in crate::crowd) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns, in the order of cells.
    pub(in crate::crowd) fn columns(&self) -> &Columns<V> {
        &self.columns
    }

    /// The number of ghosts of `group`.
    pub(in crate::crowd) fn count(&self, group: usize) -> u32 {
        self.counts.get(group).copied().unwrap_or(0)
    }

    /// The largest speed of a ghost (length / time); 0 without ghosts.
    pub(in crate::crowd) fn max_speed(&self) -> f32 {
        self.max_speed
    }

    /// The rows, in the order in which the ghosts were given.
    pub(in crate::crowd) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Whether the ghost in `row` is frozen.
    pub(in crate::crowd) fn is_frozen(&self, row: usize) -> bool {
        self.frozen[row]
    }

    /// Whether one of them has this id.
    pub(in crate::crowd) fn contain(&self, id: u32) -> bool {
        self.row_of(id).is_some()
    }

    /// The row of the ghost `id`.
    pub(in crate::crowd) fn row_of(&self, id: u32) -> Option<usize> {
        if self.is_empty() { None } else { self.rows.get(id, &self.columns.id) }
    }

    /// The position of the ghost `id`, if it is in `row` (length).
    pub(in crate::crowd) fn position_of(&self, id: u32, row: usize) -> Option<V> {
        (row < self.len() && self.columns.id[row] == id).then(|| self.columns.position.get(row))
    }

    /// The position of the ghost in `row` after the last tick, if it is known, else before it
    /// (length).
    pub(in crate::crowd) fn position_after(&self, row: usize) -> V {
        self.moved_to.get(row).copied().unwrap_or_else(|| self.columns.position.get(row))
    }

    /// Takes the positions after the tick (length), in the order in which the ghosts were given.
    pub(in crate::crowd) fn move_to(&mut self, positions: impl IntoIterator<Item = (usize, V)>) {
        self.moved_to.clear();
        self.moved_to.extend((0..self.columns.len()).map(|row| self.columns.position.get(row)));
        for (index, position) in positions {
            if let Some(row) = self.order.get(index) {
                self.moved_to[*row as usize] = position;
            }
        }
    }

    /// Whether a ghost may be at most `radius` (length) from the box between these corners.
    pub(in crate::crowd) fn may_be_near(
        &self,
        space: &Space<V>,
        low: V,
        high: V,
        radius: f32,
    ) -> bool {
        // Room for the rounding of squares and roots, as in the grid.
        let radius = radius * 1.002;
        !self.is_empty()
            && (space.wraps()
                || (0..V::DIMENSION).all(|i| {
                    self.low.axis(i) - high.axis(i) <= radius
                        && low.axis(i) - self.high.axis(i) <= radius
                }))
    }

    /// Adds to `runs` the rows that together hold all ghosts within `radius` (length) of the box
    /// between these corners.
    pub(in crate::crowd) fn collect_runs(
        &self,
        low: V,
        high: V,
        radius: f32,
        runs: &mut Vec<Range<u32>>,
    ) {
        self.grid.collect_runs(low, high, radius, runs);
    }

    /// Counts the speeds of all ghosts among those of the crowd, whose bound they keep: they are
    /// copies of agents of the same whole.
    pub(in crate::crowd) fn keep_the_bound_of_speeds(&mut self) {
        self.max_speed = 0.0;
    }

    /// Removes all ghosts and keeps the room.
    fn clear(&mut self) {
        self.columns.clear();
        self.counts.clear();
        self.order.clear();
        self.frozen.clear();
        self.moved_to.clear();
        self.max_speed = 0.0;
    }

    /// Replaces all ghosts by `given`, which are validated, with their rows by id; `width` is that
    /// of the cells (length).
    fn replace(
        &mut self,
        given: &[GhostRow<V>],
        mut rows: RowIndex,
        width: f32,
        space: &Space<V>,
        groups: usize,
    ) {
        self.clear();
        let mut positions = VectorColumn::default();
        positions.resize(given.len());
        for (i, ghost) in given.iter().enumerate() {
            let position = ghost.agent.position;
            // Differences of positions rely on both being inside the bounds.
            positions.set(i, if space.wraps() { space.wrapped(position) } else { position });
        }
        self.grid.build(&positions, width, space, Share::ALONE);
        (self.low, self.high) = positions.extent();
        let mut order = vec![0_u32; given.len()];
        (0..).zip(self.grid.rows()).for_each(|(i, &row)| order[row as usize] = i);
        self.counts.resize(groups, 0);
        for i in order.into_iter().map(|i| i as usize) {
            let GhostRow { id, group, state, frozen, agent } = given[i];
            let agent = Agent { position: positions.get(i), ..agent };
            let start = Start { state, stats: &[], seed: 0, tick: 0, perceives: false };
            self.columns.push(id, group, start, &agent);
            self.frozen.push(frozen);
            self.counts[group as usize] += 1;
            self.max_speed = self.max_speed.max(agent.velocity.length());
        }
        self.columns.pad();
        self.order.extend_from_slice(self.grid.rows());
        rows.permute(self.grid.rows());
        self.rows = rows;
    }

    /// The ghosts in row order.
    fn iter(&self) -> impl Iterator<Item = Ghost<V>> + '_ {
        (0..self.len()).map(|row| Ghost {
            id: AgentId(self.columns.id[row]),
            group: GroupId(self.columns.group[row] as usize),
            agent: self.columns.agent(row),
        })
    }
}

/// The columns that hold a row of the owned agents `now` and of the ghosts behind them, and the row
/// there.
#[inline(always)]
pub(in crate::crowd) fn columns_of<'a, V: Vector>(
    now: &'a Columns<V>,
    ghosts: &'a Ghosts<V>,
    row: usize,
) -> (&'a Columns<V>, usize) {
    match row.checked_sub(now.len()) {
        None => (now, row),
        Some(row) => (&ghosts.columns, row),
    }
}

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
    /// use wayfare::{
    ///     Agent, AgentId, Crowd, GroupId, List,
    ///     behavior::Flee,
    ///     crowd::{Ghost, Group, Setup, Spawn},
    ///     glam::vec2,
    /// };
    /// let mut people = Group::new("people", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
    /// people.steer = List::default().with(Flee::new(GroupId(1)));
    /// let cars = Group::new("cars", 0, Spawn::Points(Vec::new()), 20.0);
    /// let mut crowd = Crowd::new(Setup { groups: vec![people, cars], ..Setup::default() })?;
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

    /// The agents that [`copy`](Self::copy) or [`extract`](Self::extract) of a crowd with the same
    /// setup returned, as ghosts for [`set_ghosts`](Self::set_ghosts). This crowd does not change.
    ///
    /// # Errors
    /// The bytes are not agents of a crowd with this setup, or a number is out of range. Any bytes
    /// may be given.
    pub fn read_ghosts(&self, agents: &[u8]) -> Result<Vec<Ghost<V>>, SnapshotError> {
        let (columns, _) = unpack(self, agents)?;
        let ghost = |i: usize| Ghost {
            id: AgentId(columns.id[i]),
            group: GroupId(columns.group[i] as usize),
            agent: columns.agent(i),
        };
        Ok((0..columns.len()).map(ghost).collect())
    }

    /// Removes the ghosts with these sorted ids: the crowd owns these agents from now on.
    pub(super) fn own_ghosts(&mut self, ids: &[AgentId]) {
        if ids.iter().any(|id| self.population.ghosts.contain(id.0)) {
            let rest = self.ghosts().filter(|ghost| ids.binary_search(&ghost.id).is_err());
            let rest: Vec<_> = rest.map(|ghost| GhostRow::from(&ghost)).collect();
            let ids: Vec<_> = rest.iter().map(|ghost| ghost.id).collect();
            self.replace_ghosts(&rest, RowIndex::new(&ids));
        }
    }

    /// The first id from `next_id` on that no ghost has; `u32::MAX` if there is none.
    pub(in crate::crowd) fn unused_id(&self) -> u32 {
        let mut id = self.population.next_id;
        while self.population.ghosts.contain(id) {
            id += 1;
        }
        id
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
        self.count_members();
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
