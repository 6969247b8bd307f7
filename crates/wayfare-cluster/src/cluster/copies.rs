//! The copies of agents that ranks send one another before a tick.

use wayfare::crowd::{Copies, Division};
use wayfare::{AgentId, Vector};

use super::{Cluster, SLACK, wrapped_size};
use crate::error::ClusterError;
use crate::interest::Interest;
use crate::link::Link;
use crate::sought::Sought;
use crate::wire::{Message, Numbers};

/// The message of a rank to all others before a tick.
pub(super) struct Header {
    pub(super) sorts: bool,
    pub(super) outside: f32,
    pub(super) busy: f64,
    /// Whether an agent of the rank has an order to an agent.
    pub(super) orders: bool,
}

impl Header {
    fn write(&self, message: &mut Message) {
        message.u32(u32::from(self.sorts));
        message.f32(self.outside);
        message.f64(self.busy);
        message.u32(u32::from(self.orders));
    }

    fn read(numbers: &mut Numbers<'_>) -> Self {
        Self {
            sorts: numbers.u32() != 0,
            outside: numbers.f32(),
            busy: numbers.f64(),
            orders: numbers.u32() != 0,
        }
    }
}

impl<V: Vector, L: Link> Cluster<V, L> {
    /// Exchanges what all ranks have to know of one another before a tick.
    pub(super) fn exchange_headers(&mut self) -> Result<Vec<Header>, ClusterError> {
        let header = Header {
            sorts: self.crowd.sorts_next(),
            outside: self.outside(),
            busy: self.busy.as_secs_f64(),
            orders: self.crowd.ordered_targets().next().is_some(),
        };
        let mut message = Message::default();
        header.write(&mut message);
        let all = self.link.all_gather(&message.0)?;
        Ok(all.iter().map(|bytes| Header::read(&mut Numbers(bytes))).collect())
    }

    /// The surroundings of the agents that the first rank has wherever they are, which it tells the
    /// others.
    pub(super) fn surroundings(&mut self) -> Result<Interest<V>, ClusterError> {
        let world = self.wrapped_size().and_then(|size| Some((self.bounds?.min, size)));
        let mut interest = Interest::new(self.reach, world);
        if self.ranks() == 1 || !self.holds() || self.reach == 0.0 {
            return Ok(interest);
        }
        let mut message = Message::default();
        if self.rank() == 0 {
            for row in (0..self.crowd.len()).filter(|row| self.is_pinned(*row)) {
                interest.add(self.position(row));
            }
            interest.write(&mut message);
        }
        let all = self.link.all_gather(&message.0)?;
        interest.read(&mut Numbers(&all[0]));
        Ok(interest)
    }

    /// Which members of groups that are sought at any distance the ranks need; `None` without such
    /// groups.
    pub(super) fn sought(&mut self) -> Result<Option<Sought<V>>, ClusterError> {
        let Division { any_distance, all_members, .. } = &self.division;
        if self.link.size() == 1 || !any_distance.contains(&true) {
            return Ok(None);
        }
        let (size, rounding) = (wrapped_size(self.bounds), self.rounding());
        Sought::ask(&self.crowd, &mut self.link, (any_distance, all_members), (size, rounding))
            .map(Some)
    }

    /// The ids of the agents that agents of each rank have orders to, if there are `any`.
    pub(super) fn wanted(&mut self, any: bool) -> Result<Vec<Vec<AgentId>>, ClusterError> {
        if !any {
            return Ok(Vec::new());
        }
        let mut message = Message::default();
        self.crowd.ordered_targets().for_each(|id| message.u32(id.0));
        let ids = |bytes: &Vec<u8>| {
            let mut numbers = Numbers(bytes);
            (0..bytes.len() / 4).map(|_| AgentId(numbers.u32())).collect()
        };
        Ok(self.link.all_gather(&message.0)?.iter().map(ids).collect())
    }

    /// Finds the rows whose copies the other ranks need; agents of theirs have orders to the agents
    /// `wanted`.
    pub(super) fn select(
        &mut self,
        wanted: &[Vec<AgentId>],
        sought: Option<&Sought<V>>,
        interest: &Interest<V>,
    ) {
        let (own, ranks) = (self.rank(), self.ranks());
        let mut sent = std::mem::take(&mut self.sent);
        sent.iter_mut().for_each(Vec::clear);
        let size = self.wrapped_size();
        let halo = self.halo();
        let by_group = sought.is_some() || self.holds();
        if ranks > 1 && (halo > 0.0 || sought.is_some()) {
            let interior = self.domains.interior(own, halo);
            let has_interest = self.holds();
            let others: Vec<usize> = (0..ranks).filter(|rank| *rank != own).collect();
            let columns: [&[f32]; 3] = std::array::from_fn(|axis| self.crowd.positions(axis));
            let groups = self.crowd.group_column();
            for row in 0..self.crowd.len() {
                let p = V::from_fn(|axis| columns[axis][row]);
                let is_inside = interior.contains(p);
                if is_inside && !by_group {
                    continue;
                }
                let group = groups[row] as usize;
                let (is_sought, is_pinned) = if by_group {
                    (sought.is_some() && self.division.any_distance[group], self.is_pinned(row))
                } else {
                    (false, false)
                };
                let is_of_interest = own != 0 && has_interest && interest.contains(p);
                if !is_pinned && !is_sought && !is_of_interest && is_inside {
                    continue;
                }
                for &rank in &others {
                    let near = || self.domains.region(rank).distance(p, size) <= halo;
                    let needed = || sought.is_some_and(|sought| sought.needs(rank, group, p));
                    if (rank == 0 && is_of_interest)
                        || (halo > 0.0 && near())
                        || (is_sought && needed())
                    {
                        sent[rank].push(row as u32);
                    }
                }
            }
        }
        for (rank, ids) in wanted.iter().enumerate().filter(|(rank, _)| *rank != own) {
            let rows: Vec<u32> = ids.iter().filter_map(|id| self.crowd.row(*id)).collect();
            if !rows.is_empty() {
                sent[rank].extend(rows);
                sent[rank].sort_unstable();
                sent[rank].dedup();
            }
        }
        self.sent = sent;
    }

    /// Sends the copies of the selected rows, and takes those of the other ranks; `redone` is
    /// whether the tick begins again.
    pub(super) fn copy(&mut self, redone: bool) -> Result<(), ClusterError> {
        let copies = |rows: &Vec<u32>| {
            let mut bytes = Vec::new();
            self.crowd.copy_rows(rows, &mut bytes);
            bytes
        };
        let messages: Vec<Vec<u8>> = self.sent.iter().map(copies).collect();
        // Agents that are far from the borders read no copies: they move meanwhile. Those of groups
        // that the first rank has may be anywhere.
        let overlaps = !redone && messages.len() > 1 && !self.holds();
        let interior = self.domains.interior(self.link.rank(), self.halo());
        let inside = |low, high| interior.contains(low) && interior.contains(high);
        let crowd = &mut self.crowd;
        let received = self.link.exchange_during(&messages, || {
            if overlaps {
                crowd.advance_interior(&inside);
            }
        })?;
        let size = self.crowd.copy_size();
        self.copies = received.iter().map(|bytes| bytes.len() / size).collect();
        self.usage.copies += self.copies.iter().sum::<usize>() as u64;
        let copies: Vec<_> = received.iter().map(|bytes| Copies(bytes)).collect();
        self.crowd.set_copies(&copies)?;
        Ok(())
    }

    /// The distance from a domain up to which its rank gets copies (length): an agent may be
    /// outside the domain of its rank by the slack.
    pub(super) fn halo(&self) -> f32 {
        (1.0 + SLACK) * self.reach
    }
}
