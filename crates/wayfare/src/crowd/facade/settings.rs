//! Settings of single agents between two ticks: orders, limits, state, stats, group, facing, and
//! whether an agent is frozen.
//!
//! What an agent has of its own wins over its state, and its state over its group. A crowd without
//! own settings stores and reads none.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::crowd::Crowd;
use super::members::no_agent;
use crate::agent::{Agent, MIN_HEADING_SPEED, Progress};
use crate::crowd::pipeline::change::Change;
use crate::crowd::population::columns::{Limits, StateInstance};
use crate::crowd::population::spawn;
use crate::crowd::setup::allowed::{
    KeyPath, ValidationError, quoted, ranges as range, vector_error,
};
use crate::crowd::setup::validate::solver_reason;
use crate::crowd::setup::{Limit, draws};
use crate::id::{AgentId, GroupId};
use crate::order::Order;
use crate::parameter::Range;
use crate::spatial::bvh::Bvh;
use crate::vector::Vector;

fn refused(key: &str, message: impl Into<String>, allowed: impl Into<String>) -> ValidationError {
    ValidationError::new(KeyPath::default().key(key), message, allowed)
}

impl<V: Vector> Crowd<V> {
    /// Orders the agent `id` to a point, to another agent, or along a path; `None` ends its order.
    ///
    /// Behaviors read the order where they take the target, quarry, leader or path `"order"`:
    /// [`Target::Order`](crate::parameter::Target::Order), [`GroupId::ORDER`],
    /// [`PathId::ORDER`](crate::PathId::ORDER). Without an order an agent does what
    /// [`without_order`](crate::crowd::Group::without_order) of its group says. An ordered agent is
    /// followed until it leaves the crowd; then the order ends with the event
    /// [`TargetLost`](crate::crowd::Event::TargetLost). With every new order the agent can arrive
    /// again, however near it is. Constant time, and no allocation after the first order.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let unit = Group::new("unit", 1, Spawn::point(vec2(0.0, 0.0)), 2.0)
    ///     .steer(Arrive::new(Target::Order));
    /// let mut crowd = Setup::new(1.0).group(unit).crowd()?;
    /// crowd.step();
    /// assert_eq!(crowd.get(0).unwrap().agent.position, vec2(0.0, 0.0)); // it has no order yet
    /// crowd.set_order(0, Some(Order::Point(vec2(30.0, 0.0))))?;
    /// while !crowd.events().contains(&Event::Arrived { id: AgentId(0) }) {
    ///     crowd.step();
    /// }
    /// assert!((crowd.get(0).unwrap().agent.position.x - 30.0).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such agent or path, the order is to the agent itself, or a coordinate is out of
    /// range; then nothing changes.
    pub fn set_order(
        &mut self,
        id: impl Into<AgentId>,
        order: Option<Order<V>>,
    ) -> Result<(), ValidationError> {
        let row = self.checked_order(id.into(), order)?;
        self.population.own_settings(row).order = order;
        self.order_changed(row);
        Ok(())
    }

    /// Gives several agents the same order: [`set_order`](Self::set_order) for each of them.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let units = Group::new("units", 20, Spawn::grid(vec2(0.0, 0.0), 2.0, 5), 2.0)
    ///     .steer(Arrive::new(Target::Order));
    /// let mut crowd = Setup::new(1.0).group(units).crowd()?;
    /// let dragged = Shape::box_between(vec2(-1.0, -1.0), vec2(3.0, 3.0));
    /// let squad: Vec<AgentId> = crowd.inside(&dragged, None).iter().map(|unit| unit.id).collect();
    /// crowd.order(&squad, vec2(90.0, 0.0))?;
    /// crowd.step();
    /// let moves = |unit: &Agent<Vec2>| unit.velocity != Vec2::ZERO;
    /// assert_eq!(crowd.agents().filter(|(_, unit)| moves(unit)).count(), squad.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_order`](Self::set_order) for one of the agents; then no order changes.
    pub fn order(
        &mut self,
        ids: &[AgentId],
        order: impl Into<Order<V>>,
    ) -> Result<(), ValidationError> {
        let order = Some(order.into());
        ids.iter().try_for_each(|&id| self.checked_order(id, order).map(drop))?;
        ids.iter().try_for_each(|&id| self.set_order(id, order))
    }

    /// The row of the agent `id`, which may have this order.
    fn checked_order(
        &self,
        id: AgentId,
        order: Option<Order<V>>,
    ) -> Result<usize, ValidationError> {
        let row = self.row_of_setting(id)?;
        if order == Some(Order::Agent(id)) {
            let message = format!("agent {id} is ordered to itself");
            return Err(refused("order", message, "another agent of the crowd"));
        }
        self.check_order(order).map(|()| row)
    }

    pub(in crate::crowd) fn check_order(
        &self,
        order: Option<Order<V>>,
    ) -> Result<(), ValidationError> {
        match order {
            Some(Order::Point(point)) => {
                // Many agents are ordered at once: only an error needs the key.
                if (0..V::DIMENSION).any(|i| !range::COORDINATE.holds(point.axis(i))) {
                    let key_path = KeyPath::default().key("order");
                    vector_error(key_path, point, range::COORDINATE).map_or(Ok(()), Err)?;
                }
            }
            // In a part the other agent may be elsewhere.
            Some(Order::Agent(other)) if !self.is_part() => {
                self.row_of(other)
                    .ok_or_else(|| no_agent(KeyPath::default().key("order"), other))?;
            }
            Some(Order::Path(path))
                if self.origin.structure.removed_paths.get(path.0) != Some(&false) =>
            {
                return Err(refused(
                    "order",
                    format!("there is no path {}", path.0),
                    quoted(self.path_names_in_use(), "no path: there are none"),
                ));
            }
            Some(Order::Path(_) | Order::Agent(_)) | None => {}
        }
        Ok(())
    }

    /// Lets the agent in `row` arrive at its new order, and starts its path from the beginning.
    fn order_changed(&mut self, row: usize) {
        self.changed(Change::Input);
        let (group, state) = (
            self.population.now.group[row] as usize,
            self.population.now.state[row].state as usize,
        );
        self.population.now.state[row].arrived &= !self.world.tracker.order_stops(group, state);
        let list = &self.world.groups[group].states[state].list;
        for (memory, behavior) in list.remembering() {
            if behavior.names_order() {
                let memory = &mut self.population.now.memory
                    [row * self.population.now.memory_width + memory];
                (memory.path, memory.arrived) = (Progress::default(), false);
            }
        }
    }

    /// Gives the agent `id` a max_speed of its own (length / time), or with `None` takes it away:
    /// then the agent has that of its state or group. A faster velocity is truncated at once.
    /// Constant time.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let units = Group::new("units", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).speed_cap(5.0);
    /// let mut crowd = Setup::new(1.0).group(units).crowd()?;
    /// crowd.set_max_speed(0, Some(3.5))?;
    /// assert_eq!(crowd.get(0).unwrap().agent.max_speed, 3.5);
    /// assert!(crowd.set_max_speed(0, Some(5.5)).is_err());
    /// crowd.set_max_speed(0, None)?;
    /// assert_eq!(crowd.get(0).unwrap().agent.max_speed, 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such agent, or the number is not above zero or beyond the
    /// [`speed_cap`](crate::crowd::Group::speed_cap) of its group; then nothing changes.
    pub fn set_max_speed(
        &mut self,
        id: impl Into<AgentId>,
        max_speed: Option<f32>,
    ) -> Result<(), ValidationError> {
        self.set_limit(id, Limit::MaxSpeed, max_speed)
    }

    /// Gives the agent `id` a max_force of its own (length / time; infinity for no limit), or with
    /// `None` takes it away. Constant time.
    ///
    /// # Errors
    /// There is no such agent, or the number is out of range; then nothing changes.
    pub fn set_max_force(
        &mut self,
        id: impl Into<AgentId>,
        max_force: Option<f32>,
    ) -> Result<(), ValidationError> {
        self.set_limit(id, Limit::MaxForce, max_force)
    }

    /// Gives the agent `id` a mass of its own, which is a reaction time (time), or with `None`
    /// takes it away. Constant time.
    ///
    /// # Errors
    /// There is no such agent, or the number is out of range; then nothing changes.
    pub fn set_mass(
        &mut self,
        id: impl Into<AgentId>,
        mass: Option<f32>,
    ) -> Result<(), ValidationError> {
        self.set_limit(id, Limit::Mass, mass)
    }

    /// Gives the agent `id` a body radius of its own (length), or with `None` takes it away.
    /// Constant time.
    ///
    /// # Errors
    /// There is no such agent, or the number is out of range; then nothing changes.
    pub fn set_radius(
        &mut self,
        id: impl Into<AgentId>,
        radius: Option<f32>,
    ) -> Result<(), ValidationError> {
        self.set_limit(id, Limit::Radius, radius)
    }

    /// Gives the agent `id` a limit of its own, which wins over that of its state and group, or
    /// with `None` takes it away. Constant time.
    ///
    /// # Errors
    /// There is no such agent, or the number is out of range or beyond the cap; then nothing
    /// changes.
    pub fn set_limit(
        &mut self,
        id: impl Into<AgentId>,
        limit: Limit,
        value: Option<f32>,
    ) -> Result<(), ValidationError> {
        let row = self.row_of_setting(id.into())?;
        self.check_limit(self.group_of_row(row), limit, value)?;
        let radius = self.population.now.limits[row].radius;
        if let Some(x) = value {
            self.population.own_settings(row).limits |= limit.bit();
            *self.population.now.limits[row].of_kind(limit) = x;
        } else {
            self.population.own_settings(row).limits &= !limit.bit();
            self.population.now.limits[row] =
                self.limits_of_row(row, self.population.now.limits[row]);
        }
        self.limits_changed(row, radius);
        Ok(())
    }

    /// Refuses a limit that no member of the group may have.
    pub(in crate::crowd) fn check_limit(
        &self,
        group: GroupId,
        limit: Limit,
        value: Option<f32>,
    ) -> Result<(), ValidationError> {
        let group = &self.origin.setup.groups[group.0];
        let (mut allowed, solver) = group.range_of(limit);
        if limit == Limit::MaxSpeed {
            allowed = Range { max: group.largest_max_speed(), ..allowed };
        }
        let Some(x) = value.filter(|x| !allowed.holds(*x)) else { return Ok(()) };
        Err(refused(
            limit.name(),
            format!("`{}` is {x}", limit.name()),
            if limit == Limit::MaxSpeed {
                format!("{allowed}, the `speed_cap` of group \"{}\"", group.name)
            } else {
                format!("{allowed}{}", solver_reason(solver))
            },
        ))
    }

    /// The limit that the agent `id` has of its own; `None` if it has that of its state or group,
    /// or is not in the crowd. Constant time.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let unit = Group::new("unit", 1, Spawn::point(vec2(0.0, 0.0)), 2.0);
    /// let mut crowd = Setup::new(1.0).group(unit).crowd()?;
    /// assert_eq!(crowd.own_limit(0, Limit::Radius), None);
    /// crowd.set_radius(0, Some(1.5))?;
    /// assert_eq!(crowd.own_limit(0, Limit::Radius), Some(1.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn own_limit(&self, id: impl Into<AgentId>, limit: Limit) -> Option<f32> {
        let row = self.row_of(id.into())?;
        let is_own = self.population.now.own(row).limits & limit.bit() != 0;
        is_own.then(|| *{ self.population.now.limits[row] }.of_kind(limit))
    }

    /// The limits of the agent in `row` in its state, with those of `before` that are its own.
    pub(in crate::crowd) fn limits_of_row(&self, row: usize, before: Limits) -> Limits {
        let group = &self.origin.setup.groups[self.population.now.group[row] as usize];
        let state = self.population.now.state[row].state as usize;
        draws::limits(self.tick.seed, self.population.now.id[row], group, state)
            .with_own(self.population.now.own(row).limits, before)
    }

    /// Truncates the velocity of the agent in `row` to its new max_speed.
    fn limits_changed(&mut self, row: usize, radius_before: f32) {
        let velocity = self
            .population
            .now
            .velocity
            .get(row)
            .truncate(self.population.now.limits[row].max_speed);
        self.population.now.velocity.set(row, velocity);
        // Only bodies stand in the trees of queries.
        let is_same_body = self.population.now.limits[row].radius == radius_before;
        self.changed(if is_same_body { Change::Input } else { Change::Bodies });
    }

    /// Puts the agent `id` into the state of this name. The time in the state begins anew, also if
    /// it was in that state already. Raises no event. Constant time but for the search for the name
    /// among the states of the group.
    ///
    /// # Errors
    /// There is no such agent, or its group has no such state; then nothing changes.
    pub fn set_state(
        &mut self,
        id: impl Into<AgentId>,
        state: &str,
    ) -> Result<(), ValidationError> {
        let row = self.row_of_setting(id.into())?;
        let index = self.state_of_name(self.group_of_row(row), state)?;
        let radius = self.population.now.limits[row].radius;
        let now = &mut self.population.now;
        let states = &self.world.groups[now.group[row] as usize].states;
        for path in states[index].paths_after(&states[now.state[row].state as usize]) {
            now.memory[row * now.memory_width + path].path.begun = false;
        }
        now.state[row] = StateInstance::new(index as u32, self.tick.number);
        self.population.now.limits[row] = self.limits_of_row(row, self.population.now.limits[row]);
        self.limits_changed(row, radius);
        Ok(())
    }

    /// Sets the stat `name` of the agent `id`. Constant time but for the search for the name among
    /// the stats of the group.
    ///
    /// # Errors
    /// There is no such agent or stat, or the value is not from its `min` to its `max`; then
    /// nothing changes.
    pub fn set_stat(
        &mut self,
        id: impl Into<AgentId>,
        name: &str,
        value: f32,
    ) -> Result<(), ValidationError> {
        let row = self.row_of_setting(id.into())?;
        let index = self.checked_stat(self.group_of_row(row), name, value)?;
        self.population.now.stats[row * self.population.now.stats_width + index] = value;
        self.changed(Change::Input);
        Ok(())
    }

    /// Moves the agent `id` to another group: it changes its team.
    ///
    /// It keeps position, velocity, heading, id, own limits, order and whether it is frozen. It
    /// gets the other limits of the new group, enters its start state, forgets what its behaviors
    /// and its perception remember, and keeps the stats whose names the new group has, within their
    /// ranges. The next step sorts the agents again.
    ///
    /// # Errors
    /// There is no such agent or group, or its own max_speed is beyond the
    /// [`speed_cap`](crate::crowd::Group::speed_cap) of the new group; then nothing changes.
    pub fn set_group(
        &mut self,
        id: impl Into<AgentId>,
        group: impl Into<GroupId>,
    ) -> Result<(), ValidationError> {
        let (row, to) = (self.row_of_setting(id.into())?, group.into());
        let from = GroupId(self.population.now.group[row] as usize);
        self.check_group(KeyPath::default().key("group"), to)?;
        let group = &self.origin.setup.groups[to.0];
        if from == to {
            return Ok(());
        }
        let own = self.population.now.own(row);
        let (max_speed, cap) =
            (self.population.now.limits[row].max_speed, group.largest_max_speed());
        if own.limits & Limit::MaxSpeed.bit() != 0 && max_speed > cap {
            return Err(refused(
                "group",
                format!("the agent has a `max_speed` of its own, {max_speed}"),
                format!("up to {cap}, the `speed_cap` of group \"{}\"", group.name),
            ));
        }
        let (agent, start) =
            (self.population.now.agent(row), spawn::start(self.tick.seed, group, self.tick.number));
        let old_stats = &self.origin.setup.groups[from.0].stats;
        let stats: Vec<f32> = { group.stats.iter().enumerate() }
            .map(|(s, stat)| {
                let first =
                    draws::start_of_stat(self.tick.seed, self.population.now.id[row], s, stat);
                let kept = old_stats.iter().position(|old| old.name == stat.name);
                kept.map_or(first, |s| self.population.now.stats(row)[s].clamp(stat.min, stat.max))
            })
            .collect();
        let limits =
            draws::limits(self.tick.seed, self.population.now.id[row], group, group.start.0)
                .with_own(own.limits, self.population.now.limits[row]);
        let motion = [agent.position, agent.velocity.truncate(limits.max_speed), agent.heading];
        let turns = self.world.groups[to.0].turn_rate.is_some();
        let agent: Agent<V> = limits.agent(motion, turns.then_some(&agent.facing));
        for columns in [&mut self.population.now, &mut self.population.next] {
            columns.group[row] = to.0 as u32;
            columns.restart(row, start, &agent);
            if let Some(kept) = columns.own.get_mut(row) {
                *kept = own;
            }
            let first = row * columns.stats_width;
            columns.stats[first..first + stats.len()].copy_from_slice(&stats);
        }
        self.world.groups[to.0].has_frozen |= own.frozen;
        for group in [from, to] {
            self.world.groups[group.0].members = Bvh::default();
        }
        self.changed(Change::Agents);
        Ok(())
    }

    /// Freezes the agent `id`, or releases it. A frozen agent does not steer, does not change its
    /// state, and does not move: its velocity is zero, as others see it. It stays in its place
    /// among neighbors, queries and events. Constant time.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn set_frozen(
        &mut self,
        id: impl Into<AgentId>,
        frozen: bool,
    ) -> Result<(), ValidationError> {
        let row = self.row_of_setting(id.into())?;
        self.population.own_settings(row).frozen = frozen;
        if frozen {
            self.population.now.velocity.set(row, V::ZERO);
            if self.population.now.force_width > 0 {
                self.population.now.force[row] = V::ZERO;
            }
            self.world.groups[self.population.now.group[row] as usize].has_frozen = true;
        }
        self.changed(Change::Input);
        Ok(())
    }

    /// Turns the agent `id` to `direction`, of any length.
    ///
    /// In a group whose facing is separate from the velocity
    /// ([`turns`](crate::crowd::Group::turns)) it sets the facing. In other groups an agent faces
    /// along its heading: at rest both are set; in motion the facing follows the velocity, and the
    /// call is refused. Constant time.
    ///
    /// # Errors
    /// There is no such agent, `direction` is zero or not finite, or the agent moves and faces
    /// along its heading; then nothing changes.
    pub fn set_facing(
        &mut self,
        id: impl Into<AgentId>,
        direction: V,
    ) -> Result<(), ValidationError> {
        let row = self.row_of_setting(id.into())?;
        let key = || KeyPath::default().key("facing");
        vector_error(key(), direction, range::COORDINATE).map_or(Ok(()), Err)?;
        let unit = direction.unit();
        if unit == V::ZERO {
            return Err(refused("facing", "`facing` has no direction".to_string(), "not zero"));
        }
        let group = &self.world.groups[self.population.now.group[row] as usize];
        if group.turn_rate.is_none() {
            let slow = self.population.now.limits[row].max_speed * MIN_HEADING_SPEED;
            if self.population.now.velocity.get(row).length_squared() >= slow * slow {
                return Err(refused(
                    "facing",
                    "the agent moves, and its group faces along its heading".to_string(),
                    "an agent at rest, or a group with a finite `turn_rate` or a behavior such as \
                     `face`",
                ));
            }
            self.population.now.heading.set(row, unit);
        }
        if self.population.now.facing_width > 0 {
            self.population.now.facing[row] = unit;
        }
        self.changed(Change::Input);
        Ok(())
    }

    pub(in crate::crowd) fn state_of_name(
        &self,
        group: GroupId,
        state: &str,
    ) -> Result<usize, ValidationError> {
        let group = &self.world.groups[group.0];
        group.state_names.iter().position(|name| name == state).ok_or_else(|| {
            refused(
                "state",
                format!("group \"{}\" has no state \"{state}\"", group.name),
                quoted(group.state_names.iter().map(String::as_str), "an agent of another group"),
            )
        })
    }

    /// The index of the stat of this name, which may have this value.
    pub(in crate::crowd) fn checked_stat(
        &self,
        group: GroupId,
        name: &str,
        value: f32,
    ) -> Result<usize, ValidationError> {
        let group = &self.origin.setup.groups[group.0];
        let index = group.stats.iter().position(|stat| stat.name == name).ok_or_else(|| {
            refused(
                "stat",
                format!("group \"{}\" has no stat \"{name}\"", group.name),
                quoted(group.stats.iter().map(|stat| &*stat.name), "an agent of another group"),
            )
        })?;
        let stat = &group.stats[index];
        if value.is_finite() && (stat.min..=stat.max).contains(&value) {
            return Ok(index);
        }
        Err(refused(
            "value",
            format!("`{name}` is {value}"),
            format!("a number from {} to {}", stat.min, stat.max),
        ))
    }

    fn group_of_row(&self, row: usize) -> GroupId {
        GroupId(self.population.now.group[row] as usize)
    }

    /// The row of the agent `id`, whose settings are to be changed.
    fn row_of_setting(&self, id: AgentId) -> Result<usize, ValidationError> {
        self.row_of(id).ok_or_else(|| no_agent(KeyPath::default().key("agent"), id))
    }

    /// Finds the groups that have frozen members, or members that wait for their start.
    pub(in crate::crowd) fn find_standing(&mut self) {
        for (own, &group) in self.population.now.own.iter().zip(&self.population.now.group) {
            self.world.groups[group as usize].has_frozen |= own.frozen;
        }
        for (state, &group) in self.population.now.state.iter().zip(&self.population.now.group) {
            self.world.groups[group as usize].has_waiting |= state.waits(self.tick.number);
        }
    }
}
