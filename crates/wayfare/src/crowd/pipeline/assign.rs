//! The assign phase: formation slots, assigned to all members of a group before any agent steers.
//!
//! A slot is stored in the memory that a member has for its `formation`. While the members' slots
//! are 0, 1, 2, … in any order, all members keep their slots, but for those that are stuck beside
//! them: they change slots with others. When members enter or leave (the only ticks at which this
//! phase allocates again), all slots are assigned anew from the members' positions. While no member
//! is in a state with the formation, the slots are cleared.

use alloc::vec::Vec;

use super::input::TickInput;
use super::tick::Tick;
use crate::behavior::{assign, in_slot, is_at_rest};
use crate::context::{AgentView, SteerContext};
use crate::crowd::compiled::FormationSlots;
use crate::crowd::origin::Origin;
use crate::crowd::population::Population;
use crate::crowd::population::columns::Columns;
use crate::crowd::world::World;
use crate::id::AgentId;
use crate::parameter::Scale;
use crate::vector::Vector;

/// The number of ticks from one search for members that are stuck to the next.
const EXCHANGE_EVERY: u64 = 16;
/// The most of them that change slots at once.
const MOST_EXCHANGES: usize = 32;
/// The part of a member's squared distance that an exchange has to gain.
const LEAST_GAIN: f32 = 0.01;

/// Finds the `count` members of `group`, ids and rows, unless `members` are still they; returns
/// whether all rows were read.
fn find_members<V: Vector>(
    members: &mut Vec<(u32, usize)>,
    now: &Columns<V>,
    group: u32,
    count: usize,
) -> bool {
    let is_here = |&(id, row): &(u32, usize)| row < now.len() && now.id[row] == id;
    if members.len() == count && members.iter().all(is_here) {
        return false;
    }
    members.clear();
    members.extend((0..now.len()).filter(|&i| now.group[i] == group).map(|i| (now.id[i], i)));
    true
}

impl<V: Vector> FormationSlots<V> {
    /// Assigns the slots of this tick if necessary; returns the number of members.
    fn update(&mut self, world: &TickInput<'_, V>, group: u32) -> u32 {
        let now = world.now;
        let slot = |i: usize| now.memory(i).get(self.memory).and_then(|memory| memory.slot);
        self.slots.clear();
        let member_count = world.groups[group as usize].member_count as usize;
        find_members(&mut self.members, now, group, member_count);
        let count = self.members.len();
        let in_use = self.members.iter().any(|&(_, i)| self.states[now.state[i].state as usize]);
        if !in_use {
            if self.members.iter().any(|&(_, i)| slot(i).is_some()) {
                self.slots.resize(now.len(), None);
            }
            return count as u32;
        }
        self.taken.clear();
        self.taken.resize(count, false);
        for &(_, i) in &self.members {
            if let Some(taken) = slot(i).and_then(|slot| self.taken.get_mut(slot as usize)) {
                *taken = true;
            }
        }
        // The numbers of slots and members are equal: if each slot is taken, each member has a
        // slot.
        if !self.taken.iter().all(|taken| *taken) {
            self.assign(world, group);
        } else if world.context.rng_key.tick().is_multiple_of(EXCHANGE_EVERY) {
            self.exchange(world, group);
        }
        count as u32
    }

    /// Assigns all slots from the members' positions, in order of ids; without a leader it assigns
    /// none.
    fn assign(&mut self, world: &TickInput<'_, V>, group: u32) {
        if self.find_places(world, group).is_none() {
            return;
        }
        let slots = assign(&self.places[0], &self.places[1]);
        self.slots.resize(world.now.len(), None);
        self.members.iter().zip(slots).for_each(|(&(_, i), slot)| self.slots[i] = Some(slot));
    }

    /// Writes the positions of the members, in the order of their ids, and of the slots to
    /// `places`; returns the velocity of the leader, `None` without one.
    fn find_places(&mut self, world: &TickInput<'_, V>, group: u32) -> Option<V> {
        self.members.sort_unstable();
        let &(id, first) = self.members.first()?;
        let shared =
            world.shared(&world.groups[group as usize], first, world.now.remembered(first));
        let context = SteerContext {
            id: AgentId(id),
            goal: world.goal(first),
            shared: Some(&shared),
            groups: world,
            ..world.context
        };
        let leader = self.formation.leader(&world.now.agent(first), &context)?;
        // In a wrapped world every position is replaced by its image nearest to a point inside the
        // bounds.
        let space = &context.space;
        let center = space.inside(leader.position);
        let [from, to] = &mut self.places;
        from.clear();
        let image = |&(_, i): &(u32, usize)| space.image(center, world.now.position.get(i));
        from.extend(self.members.iter().map(image));
        let count = from.len() as u32;
        let at_center = AgentView { position: center, ..leader };
        let spacing = self.formation.spacing.known();
        let slot = |k| at_center.slot(self.formation.slot(k, count, spacing), space.up());
        to.clear();
        to.extend((0..count).map(slot));
        Some(leader.velocity)
    }

    /// Lets members that are stuck beside their slots, around a leader at rest, change slots with
    /// those in their way: with the one with which the sum of their squared distances becomes the
    /// smallest.
    fn exchange(&mut self, world: &TickInput<'_, V>, group: u32) {
        let now = world.now;
        let rests = |states: &[bool], i: usize| {
            states[now.state[i].state as usize]
                && is_at_rest(now.velocity.get(i), now.limits[i].max_speed)
        };
        if !self.members.iter().any(|&(_, i)| rests(&self.states, i)) {
            return;
        }
        let Some(leader) = self.find_places(world, group) else { return };
        if !is_at_rest(leader, now.limits[self.members[0].1].max_speed) {
            return;
        }
        let Self { states, members, places: [from, to], order: slots, .. } = self;
        let slot = |&(_, i): &(u32, usize)| now.memory(i)[self.memory].slot.unwrap_or(0) as usize;
        slots.clear();
        slots.extend(members.iter().map(slot));
        let squared = |m: usize, slot: usize| (from[m] - to[slot]).length_squared();
        let mut changed = 0;
        for m in 0..slots.len() {
            let (i, own) = (members[m].1, squared(m, slots[m]));
            if changed == MOST_EXCHANGES || !rests(states, i) {
                continue;
            }
            let host = now.agent(i);
            let slowing = self.formation.slowing_radius.of(&host, Scale::slowing_radius);
            let near = in_slot(&host, slowing);
            if own <= near * near {
                continue;
            }
            let mut best = (own * LEAST_GAIN, m);
            for (other, &(_, row)) in members.iter().enumerate() {
                let before = own + squared(other, slots[other]);
                let gain = before - squared(m, slots[other]) - squared(other, slots[m]);
                if gain > best.0 && states[now.state[row].state as usize] {
                    best = (gain, other);
                }
            }
            if best.1 != m {
                slots.swap(m, best.1);
                changed += 1;
            }
        }
        if changed > 0 {
            self.slots.resize(now.len(), None);
            let slots = self.members.iter().zip(&self.order);
            slots.for_each(|(&(_, i), slot)| self.slots[i] = Some(*slot as u32));
        }
    }
}

/// Assigns the formation slots of this tick. The steer phase stores them in the columns.
pub(super) fn assign_slots<V: Vector>(
    world: &mut World<V>,
    population: &Population<V>,
    tick: &Tick<V>,
    origin: &Origin<V>,
) {
    for group in 0..world.groups.len() {
        if world.groups[group].formations.is_empty() {
            continue;
        }
        let mut formations = core::mem::take(&mut world.groups[group].formations);
        let input = TickInput::new(world, population, tick, origin);
        let counts = formations.iter_mut().map(|formation| formation.update(&input, group as u32));
        let size = counts.fold(0, u32::max);
        (world.groups[group].formations, world.groups[group].formation_size) = (formations, size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn the_rows_of_members_are_searched_only_after_they_have_changed() {
        let mut now = Columns::<Vec2> { id: vec![4, 7, 5, 6], ..Columns::default() };
        now.group = vec![1, 0, 1, 0];
        now.state.resize(4, crate::crowd::population::columns::StateInstance::new(0, 0));
        let mut members = Vec::new();
        assert!(find_members(&mut members, &now, 1, 2));
        assert_eq!(members, [(4, 0), (5, 2)]);
        assert!(!find_members(&mut members, &now, 1, 2));
        // Rows change places; a member enters; the last row is removed.
        now.id.swap(1, 2);
        now.group.swap(1, 2);
        assert!(find_members(&mut members, &now, 1, 2));
        assert_eq!(members, [(4, 0), (5, 1)]);
        (now.id[3], now.group[3]) = (9, 1);
        assert!(find_members(&mut members, &now, 1, 3));
        assert_eq!(members, [(4, 0), (5, 1), (9, 3)]);
        now.state.pop();
        assert!(find_members(&mut members, &now, 1, 2));
        assert_eq!(members, [(4, 0), (5, 1)]);
    }
}
