//! A crowd as a part of a larger one: the ticks of a part.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::crowd::Crowd;
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::part::{GroupArrival, HaloTooNarrow, PartLink, PartState};
use crate::crowd::pipeline;
use crate::crowd::pipeline::change::Change;
use crate::crowd::pipeline::contact::Others;
use crate::crowd::pipeline::index::{count_members, is_sort_due, sort};
use crate::id::AgentId;
use crate::order::Order;
use crate::threads::Share;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Makes this crowd a part of a larger one. Exactly one part has `runs_sources`: new agents
    /// enter the whole crowd by the sources of that part, and that part alone plans the routes of
    /// agents with `navigate`.
    pub fn become_part(&mut self, runs_sources: bool) {
        if !runs_sources {
            self.world.routes = None;
            self.world.find_routes(&self.origin.setup.navigation);
        }
        self.part = Some(Box::new(PartState { runs_sources, ..PartState::default() }));
    }

    /// Whether this crowd is a part of a larger one.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// The ids of agents that are targets of orders in this part, which are read at any distance;
    /// an id may occur more than once.
    pub fn ordered_targets(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.population.now.own.iter().filter_map(|own| match own.order {
            Some(Order::Agent(id)) => Some(id),
            _ => None,
        })
    }

    /// The row of the agent `id`, if this part owns it; valid until the crowd is stepped or
    /// changed.
    pub fn row(&self, id: impl Into<AgentId>) -> Option<u32> {
        self.row_of(id.into()).map(|row| row as u32)
    }

    /// The id of the next agent that is added or enters by a source.
    pub fn next_id(&self) -> AgentId {
        AgentId(self.population.next_id)
    }

    /// Raises the id of the next agent to at least `next`.
    pub fn reserve_ids(&mut self, next: AgentId) {
        self.population.next_id = self.population.next_id.max(next.0);
    }

    /// Whether the next tick sorts the rows: moving agents between parts before it costs no
    /// additional sort.
    pub fn sorts_next(&self) -> bool {
        is_sort_due(&self.world, &self.population, &self.tick).is_some()
    }

    /// Begins a tick of a part: sorts the rows, whose order stays until the end of the tick. Call
    /// [`set_copies`](Self::set_copies) and [`end_tick_of_part`](Self::end_tick_of_part) after it.
    pub fn begin_tick_of_part(&mut self) {
        self.clear_ghosts();
        self.run_shared(|crowd, shared| {
            sort(&crowd.world, &mut crowd.population, &mut crowd.tick, shared);
        });
        self.tick.is_sorted_for_part = true;
        self.tick.interior.clear();
    }

    /// Steps the agents that read no ghost while the ghosts are still in transfer: runs of agents
    /// whose bounding box (its two corners, length) satisfies `is_interior`. Does nothing where
    /// agents read others at any distance.
    pub fn advance_interior(&mut self, is_interior: &(dyn Fn(V, V) -> bool + Sync)) {
        let reads_all = |group: &CompiledGroup<V>| {
            group.searched
                || group.reads_order
                || !group.formations.is_empty()
                || !group.queue_memories.is_empty()
        };
        if !self.tick.is_sorted_for_part || self.world.groups.iter().any(reads_all) {
            return;
        }
        self.run_shared(|crowd, shared| {
            let Self { world, population, tick, origin, .. } = crowd;
            pipeline::begin_tick(world, population, tick, origin, shared);
            pipeline::move_interior(world, population, tick, origin, is_interior, shared);
        });
    }

    /// Ends a tick of a part.
    ///
    /// # Errors
    /// The halo is too narrow: all parts get the same error, and nothing has changed. Call
    /// [`set_copies`](Self::set_copies) with a wider halo, and then this again.
    pub fn end_tick_of_part(&mut self, others: &mut dyn PartLink) -> Result<(), HaloTooNarrow> {
        V::end_part(self, others)
    }

    pub(in crate::crowd) fn end_part_here(
        &mut self,
        others: &mut dyn PartLink,
    ) -> Result<(), HaloTooNarrow> {
        let others = &mut Others::new(others);
        self.run_shared(|crowd, shared| {
            let Self { world, population, tick, origin, .. } = crowd;
            pipeline::begin_tick(world, population, tick, origin, shared);
            pipeline::move_rest(world, population, tick, origin, shared);
        });
        // On this thread: others may belong to it.
        let Self { world, population, tick, .. } = self;
        let resolved =
            pipeline::resolve_contacts(world, population, tick, Some(others), Share::ALONE);
        if let Err(error) = resolved {
            self.changed(Change::Input);
            return Err(error);
        }
        self.tick.is_sorted_for_part = false;
        if self.world.tracker.has_order_stops() && others.have_orders() {
            // Agents arrive at where others are after the tick.
            self.population.ghosts.move_to(others.exchange(&self.population.next.position));
        }
        self.run_shared(|crowd, shared| {
            let Self { world, population, tick, origin, part } = crowd;
            pipeline::observe(world, population, tick, origin, part.as_deref_mut(), shared);
        });
        if !self.world.sources.is_empty() {
            count_members(&mut self.world, &mut self.population);
            let mut members: Vec<u32> =
                self.world.groups.iter().map(|group| group.member_count).collect();
            others.members_elsewhere(&mut members);
            if let Some(part) = &mut self.part {
                part.elsewhere = members;
            }
        }
        self.run_shared(|crowd, shared| {
            let Self { world, population, tick, origin, part } = crowd;
            pipeline::populate(world, population, tick, origin, part.as_deref(), shared);
        });
        Ok(())
    }

    /// The arrivals of each group in the last tick of a part. Empty in a crowd that is not a part,
    /// and where no member of any group can arrive.
    pub fn group_arrivals(&self) -> &[GroupArrival] {
        self.part.as_ref().map_or(&[], |part| &part.arrivals)
    }
}
