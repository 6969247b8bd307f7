//! The agents of a snapshot as agents of a crowd with another setup.

use alloc::string::String;
use alloc::vec::Vec;

use super::matches::Matches;
use super::old::Old;
use crate::agent::Agent;
use crate::crowd::encoding::bytes::{Read, damaged};
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::population::columns::{Columns, StateInstance};
use crate::crowd::population::spawn;
use crate::crowd::setup::allowed::MAX_AGENTS;
use crate::crowd::setup::{Limit, draws};
use crate::crowd::snapshot::agents::Agents;
use crate::crowd::snapshot::migration::{GroupMatch, Migration, MigrationNote as Note};
use crate::crowd::snapshot::names::{GroupNames, Names};
use crate::id::{AgentId, PathId};
use crate::order::Order;
use crate::simd::column::VectorColumn;
use crate::vector::Vector;

/// The correspondence of the parts of a group to those of the group of the same name in the crowd.
struct Parts {
    /// The index of the group in the crowd.
    group: usize,
    /// For each state of the snapshot, the state of the crowd.
    states: Vec<Option<usize>>,
    /// For each stat of the crowd, the stat of the snapshot.
    stats: Vec<Option<usize>>,
    /// (first memory in the snapshot, first memory in the crowd, number).
    memories: Vec<(usize, usize, usize)>,
    /// For each state of the snapshot, whether it and the group have the same behaviors as before.
    same_behaviors: Vec<bool>,
    /// For each remembered position of the crowd, that of the snapshot.
    remembered: Vec<Option<usize>>,
}

/// The counts of a group's agents and of the losses in their migration.
#[derive(Default)]
struct Tally {
    agents: usize,
    /// By the states of the snapshot.
    lost_states: Vec<usize>,
    /// By the stats of the crowd.
    clamped_stats: Vec<usize>,
    clamped_speeds: usize,
}

impl Parts {
    fn new(group: usize, old: &GroupNames, new: &GroupNames, notes: &mut Vec<Note>) -> Self {
        let name = || new.name.clone();
        let find = |list: &[String], name: &String| list.iter().position(|other| other == name);
        let mut states: Vec<_> = old.states.iter().map(|state| find(&new.states, state)).collect();
        let stats: Vec<_> = new.stats.iter().map(|stat| find(&old.stats, stat)).collect();
        for state in new.states.iter().filter(|state| find(&old.states, state).is_none()) {
            notes.push(Note::StateNew { group: name(), state: state.clone() });
        }
        for (stat, from) in new.stats.iter().zip(&stats) {
            if from.is_none() {
                notes.push(Note::StatNew { group: name(), stat: stat.clone() });
            }
        }
        for stat in old.stats.iter().filter(|stat| find(&new.stats, stat).is_none()) {
            notes.push(Note::StatGone { group: name(), stat: stat.clone() });
        }
        let lists = states.iter().enumerate().filter_map(|(s, to)| Some((s + 1, (*to)? + 1)));
        let mut memories = Vec::new();
        let mut same = vec![false; old.lists.len()];
        for (from, to) in core::iter::once((0, 0)).chain(lists) {
            same[from] = old.lists[from] == new.lists[to];
            if old.remembering(from) == new.remembering(to) {
                let (from, to) = (old.memories_of(from), new.memories_of(to));
                memories.push((from.start, to.start, to.len()));
            } else {
                let state = from.checked_sub(1).map(|state| old.states[state].clone());
                notes.push(Note::MemoryReset { group: name(), state });
            }
        }
        let mut same_behaviors: Vec<_> = same[1..].iter().map(|state| *state && same[0]).collect();
        // A group without states has one state without a name.
        if old.states.is_empty() {
            states = vec![new.states.is_empty().then_some(0)];
            same_behaviors = vec![same[0]];
        } else if new.states.is_empty() {
            same_behaviors.fill(false);
        }
        let seen = new.perceives.then_some(old.perceives.then_some(0));
        let anchors = new.stuck.iter().map(|distance| {
            let at = old.stuck.iter().position(|other| other == distance)?;
            Some(at + usize::from(old.perceives))
        });
        let remembered = seen.into_iter().chain(anchors).collect();
        Self { group, states, stats, memories, same_behaviors, remembered }
    }
}

impl<V: Vector> Crowd<V> {
    /// The agents of `old` and of the groups that it does not have, whose members are among
    /// `spawned`; and the next id. Their numbers are not validated.
    pub(super) fn migrated_agents(
        &mut self,
        old: &Old<V>,
        new: &Names,
        matches: &Matches,
        spawned: &Columns<V>,
        migration: &mut Migration,
    ) -> Read<(Agents<V>, u32)> {
        let mut parts: Vec<Option<Parts>> = Vec::new();
        for (names, at) in old.names.groups.iter().zip(&matches.groups) {
            parts.push(at.map(|at| Parts::new(at, names, &new.groups[at], &mut migration.notes)));
        }
        let mut tallies: Vec<Tally> = Vec::new();
        for names in &old.names.groups {
            tallies.push(Tally {
                lost_states: vec![0; names.states.len().max(1)],
                ..Tally::default()
            });
        }
        for (tally, parts) in tallies.iter_mut().zip(&parts) {
            tally.clamped_stats = vec![0; parts.as_ref().map_or(0, |parts| parts.stats.len())];
        }
        let mut now: Columns<V> = new.columns();
        now.limits_change = spawned.limits_change;
        now.own_width = old.agents.now.own_width;
        let mut before = VectorColumn::default();
        let from = &old.agents;
        for row in 0..from.now.len() {
            let id = from.now.id[row];
            if id >= old.next_id || (row > 0 && id <= from.now.id[row - 1]) {
                return damaged(format!("the id {id} is out of order"));
            }
            let Some(parts) = parts.get(from.now.group[row] as usize) else {
                return damaged(format!("agent {id} is of group {}", from.now.group[row]));
            };
            let tally = &mut tallies[from.now.group[row] as usize];
            if from.now.state[row].state as usize >= tally.lost_states.len() {
                return damaged(format!("agent {id} is in state {}", from.now.state[row].state));
            }
            tally.agents += 1;
            if let Some(parts) = parts {
                self.push_migrated(&mut now, from, row, parts, tally);
                before.push(self.stored_position(from.before.get(row)));
            }
        }
        self.end_orders(&mut now, matches, migration);
        report(old, new, &parts, &tallies, migration);
        let next_id =
            self.start_new_groups(old, new, matches, spawned, (&mut now, &mut before), migration)?;
        now.pad();
        Ok((Agents { now, before }, next_id))
    }

    /// Adds the agent in `row` of `from` to `now`.
    fn push_migrated(
        &self,
        now: &mut Columns<V>,
        from: &Agents<V>,
        row: usize,
        parts: &Parts,
        tally: &mut Tally,
    ) {
        let (old, tick) = (&from.now, self.tick.number);
        let (group, id) = (&self.origin.setup.groups[parts.group], old.id[row]);
        let mut start = spawn::start(self.tick.seed, group, tick);
        let before = old.state[row];
        match parts.states[before.state as usize] {
            Some(state) => {
                start.state = StateInstance::new(state as u32, before.entered);
                if parts.same_behaviors[before.state as usize] {
                    start.state.arrived = before.arrived;
                }
            }
            None => tally.lost_states[before.state as usize] += 1,
        }
        let own = old.own(row);
        let state = start.state.state as usize;
        let mut limits =
            draws::limits(self.tick.seed, id, group, state).with_own(own.limits, old.limits[row]);
        let cap = group.largest_max_speed();
        if own.limits & Limit::MaxSpeed.bit() != 0 && limits.max_speed > cap {
            limits.max_speed = cap;
            tally.clamped_speeds += 1;
        }
        // Truncation rounds: a velocity that may stay keeps its bits.
        let mut velocity = old.velocity.get(row);
        if limits.max_speed < old.limits[row].max_speed {
            velocity = velocity.truncate(limits.max_speed);
        }
        let position = self.stored_position(old.position.get(row));
        let motion = [position, velocity, old.heading.get(row)];
        let turns = self.world.groups[parts.group].turn_rate.is_some();
        let facing = old.facing.get(row).filter(|_| turns);
        let agent: Agent<V> = limits.agent(motion, facing);
        now.push(id, parts.group as u32, start, &agent);
        let i = now.len() - 1;
        if let (1, Some(force)) = (now.force_width, old.force.get(row)) {
            let state = now.state[i].state as usize;
            // Other behaviors may have kept a force where these keep a preferred velocity.
            now.force[i] = match &self.world.groups[parts.group].states[state].decider {
                Some(_) if !parts.same_behaviors[before.state as usize] => velocity,
                _ => *force,
            };
        }
        if let Some(kept) = now.own.get_mut(i) {
            *kept = own;
        }
        let stats = old.stats(row);
        for (s, (stat, at)) in group.stats.iter().zip(&parts.stats).enumerate() {
            let Some(value) = at.map(|at| stats[at]) else { continue };
            let clamped = value.clamp(stat.min, stat.max);
            tally.clamped_stats[s] += usize::from(clamped != value);
            now.stats[i * now.stats_width + s] = clamped;
        }
        for &(first, to, count) in &parts.memories {
            let to = i * now.memory_width + to;
            now.memory[to..to + count].copy_from_slice(&old.memory(row)[first..first + count]);
        }
        for (k, at) in parts.remembered.iter().enumerate() {
            let kept = &mut now.remembered[i * now.remembered_width + k];
            match at {
                Some(at) => {
                    *kept = old.remembered(row)[*at];
                    kept.position = self.stored_position(kept.position);
                }
                // A new anchor: the agent has been there since now.
                None if k > 0 || group.sight.is_none() => kept.tick = tick,
                None => {}
            }
        }
    }

    /// Brings orders to other indices of paths, and ends those whose agent or path is gone.
    fn end_orders(&self, now: &mut Columns<V>, matches: &Matches, migration: &mut Migration) {
        let ids = &now.id[..now.state.len()];
        let mut agents = 0;
        for own in &mut now.own {
            let order = own.order.and_then(|order| match order {
                Order::Point(_) => Some(order),
                Order::Agent(AgentId(id)) => ids.binary_search(&id).is_ok().then_some(order),
                Order::Path(path) => {
                    let at = matches.paths.get(path.0).copied().flatten();
                    at.map(|at| Order::Path(PathId(at)))
                }
            });
            agents += usize::from(own.order.is_some() && order.is_none());
            own.order = order;
        }
        if agents > 0 {
            migration.notes.push(Note::OrdersEnded { agents });
        }
    }

    /// Adds the members of the groups that the snapshot does not have, under new ids; returns the
    /// next id.
    fn start_new_groups(
        &mut self,
        old: &Old<V>,
        new: &Names,
        matches: &Matches,
        spawned: &Columns<V>,
        (now, before): (&mut Columns<V>, &mut VectorColumn<V>),
        migration: &mut Migration,
    ) -> Read<u32> {
        let mut first_ids: Vec<u32> = new.groups.iter().map(|group| group.first_id).collect();
        for (group, at) in old.names.groups.iter().zip(&matches.groups) {
            if let Some(at) = at {
                first_ids[*at] = group.first_id;
            }
        }
        let mut rows: Vec<usize> = (0..spawned.len()).collect();
        rows.sort_unstable_by_key(|row| spawned.id[*row]);
        let mut next_id = old.next_id;
        for (g, names) in new.groups.iter().enumerate() {
            if matches.groups.contains(&Some(g)) || names.name.is_empty() {
                continue;
            }
            let group = &self.origin.setup.groups[g];
            first_ids[g] = next_id;
            let members = rows.iter().filter(|row| spawned.group[**row] as usize == g);
            let mut agents = 0;
            for &row in members {
                if now.len() >= MAX_AGENTS || next_id == u32::MAX {
                    return damaged(format!("there is no room for group \"{}\"", names.name));
                }
                let agent = spawned.agent(row);
                let limits = draws::limits(self.tick.seed, next_id, group, group.start.0);
                let velocity = agent.velocity.truncate(limits.max_speed);
                let motion = [agent.position, velocity, agent.heading];
                let agent = limits.agent(motion, Some(&agent.facing));
                let (seed, dt, tick) = (self.tick.seed, self.tick.dt, self.tick.number);
                let entry = spawn::Entry { seed, id: next_id, first: first_ids[g], tick, dt };
                let (start, agent) = spawn::entering(entry, group, &agent);
                now.push(next_id, g as u32, start, &agent);
                before.push(agent.position);
                next_id += 1;
                agents += 1;
            }
            migration.groups.push(GroupMatch::New { name: names.name.clone(), agents });
        }
        self.keep_goals(&first_ids);
        Ok(next_id)
    }

    /// Each agent keeps its goal, which follows from its id and the first id of its group.
    fn keep_goals(&mut self, first_ids: &[u32]) {
        let moved = |crowd: &Self, g: usize| {
            crowd.origin.setup.groups[g].goal.is_some()
                && crowd.origin.structure.groups[g].first_id != first_ids[g]
        };
        let groups: Vec<_> = (0..first_ids.len()).filter(|g| moved(self, *g)).collect();
        if groups.is_empty() {
            return;
        }
        // They do not follow from the setup any more: snapshots have to hold them.
        self.keep_original();
        for g in groups {
            self.origin.structure.groups[g].first_id = first_ids[g];
            self.world.groups[g].first_id = first_ids[g];
        }
    }
}

/// Reports what happened to the agents of the groups of the snapshot.
fn report<V: Vector>(
    old: &Old<V>,
    new: &Names,
    parts: &[Option<Parts>],
    tallies: &[Tally],
    migration: &mut Migration,
) {
    for ((names, parts), tally) in old.names.groups.iter().zip(parts).zip(tallies) {
        let (name, agents) = (names.name.clone(), tally.agents);
        let Some(parts) = parts else {
            if !name.is_empty() {
                migration.groups.push(GroupMatch::Gone { name, agents });
            }
            continue;
        };
        migration.groups.push(GroupMatch::Matched { name: name.clone(), agents });
        for s in (0..parts.states.len()).filter(|s| parts.states[*s].is_none()) {
            let state = names.states.get(s).cloned().unwrap_or_default();
            let (group, agents) = (name.clone(), tally.lost_states[s]);
            migration.notes.push(Note::StateGone { group, state, agents });
        }
        let stats = new.groups[parts.group].stats.iter().zip(&tally.clamped_stats);
        for (stat, &agents) in stats.filter(|(_, agents)| **agents > 0) {
            let (group, stat) = (name.clone(), stat.clone());
            migration.notes.push(Note::StatClamped { group, stat, agents });
        }
        if tally.clamped_speeds > 0 {
            migration.notes.push(Note::SpeedsClamped { group: name, agents: tally.clamped_speeds });
        }
    }
}
