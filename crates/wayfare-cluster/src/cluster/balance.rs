//! Which rank owns which agents: domains by cost, and agents that move from rank to rank.

use std::time::Duration;

use wayfare::spatial::space::Edge;
use wayfare::{AgentId, Vector};

use super::copies::Header;
use super::{Cluster, SLACK, WINDOW};
use crate::domains::{Domains, Lattice};
use crate::error::ClusterError;
use crate::link::Link;
use crate::wire::{Message, Numbers};

impl<V: Vector, L: Link> Cluster<V, L> {
    /// Divides the domains anew where they are out of balance, and lets agents move to the rank of
    /// their domain where that is due.
    pub(super) fn balance(&mut self, headers: &[Header]) -> Result<(), ClusterError> {
        let tick = self.crowd.tick();
        let is_forced = self
            .settings
            .rebalance_every
            .is_some_and(|every| tick > 0 && tick.is_multiple_of(every.max(1)));
        let mut divides = is_forced;
        if tick >= self.checked_at + WINDOW {
            let mean = headers.iter().map(|header| header.busy).sum::<f64>() / headers.len() as f64;
            let slowest = headers.iter().map(|header| header.busy).fold(0.0, f64::max);
            divides |= slowest > (1.0 + self.settings.imbalance) * mean;
            self.checked_at = tick;
            if !divides {
                self.busy = Duration::ZERO;
            }
        }
        if divides {
            self.divide()?;
        }
        let slack = if self.reach > 0.0 { SLACK * self.reach } else { f32::INFINITY };
        let all_sort = headers.iter().all(|header| header.sorts);
        // At infinity where the first rank has to have an agent.
        let is_outside =
            |header: &Header| header.outside > slack || header.outside == f32::INFINITY;
        if divides || (all_sort && slack.is_finite()) || headers.iter().any(is_outside) {
            self.move_agents()?;
        }
        Ok(())
    }

    /// Divides the domains anew, by the time that each rank has worked for its agents.
    pub(super) fn divide(&mut self) -> Result<(), ClusterError> {
        self.usage.rebalanced += 1;
        let (low, high) = self.extent();
        let mut message = Message::default();
        (0..V::DIMENSION).for_each(|axis| {
            message.f32(low.axis(axis));
            message.f32(-high.axis(axis));
        });
        let mut all = [f32::INFINITY; 6];
        for bytes in self.link.all_gather(&message.0)? {
            let mut numbers = Numbers(&bytes);
            all.iter_mut().take(2 * V::DIMENSION).for_each(|x| *x = x.min(numbers.f32()));
        }
        let low = V::from_fn(|axis| all[2 * axis]);
        let high = V::from_fn(|axis| -all[2 * axis + 1]);
        let mut lattice = Lattice::new(low, high);
        let cost = self.busy.as_secs_f64().max(1e-9) / self.crowd.len().max(1) as f64;
        let mut pinned = 0.0;
        for row in 0..self.crowd.len() {
            self.add_cost(row, cost, &mut lattice, &mut pinned);
        }
        let mut message = Message::default();
        message.f64(pinned);
        message.0.extend(lattice.to_bytes());
        let mut sum = Lattice::new(low, high);
        pinned = 0.0;
        for bytes in self.link.all_gather(&message.0)? {
            pinned += Numbers(&bytes).f64();
            sum.add_bytes(&bytes[8..]);
        }
        let shares = shares(&sum, pinned, self.ranks());
        self.domains = Domains::divide(&sum, &shares, self.bounds);
        self.busy = Duration::ZERO;
        self.checked_at = self.crowd.tick();
        Ok(())
    }

    /// Adds the cost of the agent in `row` to its cell, or to that of the agents that the first
    /// rank has wherever they are.
    pub(super) fn add_cost(
        &self,
        row: usize,
        cost: f64,
        lattice: &mut Lattice<V>,
        pinned: &mut f64,
    ) {
        if self.is_pinned(row) {
            *pinned += cost;
        } else {
            lattice.add(self.position(row), cost);
        }
    }

    /// The corners of the world, or without bounds of the box around the agents (length).
    pub(super) fn extent(&self) -> (V, V) {
        if let Some(bounds) = self.bounds.filter(|bounds| bounds.edge != Edge::Open) {
            return (bounds.min, bounds.max);
        }
        let over = |axis: usize, start: f32, join: fn(f32, f32) -> f32| {
            self.crowd.positions(axis).iter().copied().fold(start, join)
        };
        (
            V::from_fn(|axis| over(axis, f32::INFINITY, f32::min)),
            V::from_fn(|axis| over(axis, f32::NEG_INFINITY, f32::max)),
        )
    }

    /// Sends the agents that are outside the domain of this rank to their owners.
    pub(super) fn move_agents(&mut self) -> Result<(), ClusterError> {
        if self.ranks() == 1 {
            return Ok(());
        }
        let (own, holds) = (self.rank(), self.holds());
        let region = self.domains.region(own);
        let mut leaving = vec![Vec::new(); self.ranks()];
        for row in 0..self.crowd.len() {
            if !holds && region.contains(self.position(row)) {
                continue;
            }
            let owner = self.owner(row);
            if owner != own {
                leaving[owner].push(row as u32);
            }
        }
        self.usage.moved += leaving.iter().map(|rows| rows.len() as u64).sum::<u64>();
        let messages = self.crowd.extract_rows(&leaving);
        for bytes in self.link.exchange(&messages)? {
            if !bytes.is_empty() {
                self.crowd.receive(&bytes)?;
            }
        }
        Ok(())
    }

    /// By how much an agent of this rank is outside its domain at most (length).
    pub(super) fn outside(&self) -> f32 {
        if self.ranks() == 1 {
            return 0.0;
        }
        let (region, size) = (self.domains.region(self.rank()), self.wrapped_size());
        if !self.holds() {
            return region.farthest(|axis| self.crowd.positions(axis), size);
        }
        let first = self.rank() == 0;
        let distance = |row| {
            if self.is_pinned(row) {
                return if first { 0.0 } else { f32::INFINITY };
            }
            region.distance(self.position(row), size)
        };
        (0..self.crowd.len()).map(distance).fold(0.0, f32::max)
    }

    pub(super) fn owner(&self, row: usize) -> usize {
        if self.is_pinned(row) { 0 } else { self.domains.owner(self.position(row)) }
    }

    /// Removes the agents of other ranks, among those with ids from `first` on, which all ranks
    /// have.
    pub(super) fn keep_own(&mut self, first: AgentId) {
        let own = self.rank();
        let is_own = |row| self.crowd.id_column()[row] < first.0 || self.owner(row) == own;
        let keep: Vec<bool> = (0..self.crowd.len()).map(is_own).collect();
        self.crowd.keep_rows(|_, row| keep[row as usize]);
    }
}

/// The part of the divisible cost that each rank takes, so that the first one, which has the agents
/// that are pinned besides, has as much to do as the others.
pub(super) fn shares<V: Vector>(lattice: &Lattice<V>, pinned: f64, ranks: usize) -> Vec<f64> {
    let total = lattice.total();
    let each = (total + pinned) / ranks as f64;
    let first = (each - pinned).max(0.0);
    let rest = if ranks > 1 { (total - first) / (ranks - 1) as f64 } else { 0.0 };
    (0..ranks).map(|rank| if rank == 0 { first } else { rest }).collect()
}
