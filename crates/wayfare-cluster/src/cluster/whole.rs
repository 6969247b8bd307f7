//! The whole crowd, from what its ranks know: digest, counts, events, the state of a checkpoint.

use wayfare::Vector;
use wayfare::crowd::{Counts, DigestPart, Event, join_events};

use super::{Cluster, Usage};
use crate::error::ClusterError;
use crate::events;
use crate::link::Link;
use crate::wire::{Message, Numbers};

impl<V: Vector, L: Link> Cluster<V, L> {
    /// The number of agents of all ranks.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn agents(&mut self) -> Result<u64, ClusterError> {
        Ok(self.all_numbers(self.crowd.len() as u64)?.iter().sum())
    }

    /// The digest of the whole crowd: that of [`Crowd::digest`](wayfare::Crowd::digest), on every
    /// rank.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn digest(&mut self) -> Result<u64, ClusterError> {
        let parts = self.digest_parts()?;
        let mut message = Message::default();
        // The first rank has the groups that must be in one part.
        if self.rank() == 0 {
            message.u64(self.crowd.digest_with(&parts[1..]));
        }
        let all = self.link.all_gather(&message.0)?;
        Ok(Numbers(&all[0]).u64())
    }

    pub(super) fn digest_parts(&mut self) -> Result<Vec<DigestPart>, ClusterError> {
        let own = self.crowd.digest_part();
        let mut message = Message::default();
        message.u64(own.sum);
        message.u64(own.agents);
        let all = self.link.all_gather(&message.0)?;
        let part = |bytes: &Vec<u8>| {
            let mut numbers = Numbers(bytes);
            DigestPart { sum: numbers.u64(), agents: numbers.u64() }
        };
        Ok(all.iter().map(part).collect())
    }

    /// The counts of the lines and exits of the whole crowd.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn counts(&mut self) -> Result<Counts, ClusterError> {
        let own = self.crowd.counts();
        let mut message = Message::default();
        message.u64(own.lines.len() as u64);
        own.lines.iter().flat_map(|(left, right)| [left, right]).for_each(|x| message.u64(*x));
        message.u64(own.exits.len() as u64);
        own.exits.iter().for_each(|x| message.u64(*x));
        let mut sum = Counts::default();
        for bytes in self.link.all_gather(&message.0)? {
            let mut numbers = Numbers(&bytes);
            let lines = (0..numbers.u64()).map(|_| (numbers.u64(), numbers.u64())).collect();
            let exits = (0..numbers.u64()).map(|_| numbers.u64()).collect();
            sum.add(&Counts { lines, exits });
        }
        Ok(sum)
    }

    /// The events of the last tick of the whole crowd, in the order of
    /// [`Crowd::events`](wayfare::Crowd::events).
    ///
    /// # Errors
    /// A rank is gone.
    pub fn events(&mut self) -> Result<Vec<Event>, ClusterError> {
        let (mut events, mut arrivals) = (Vec::new(), Vec::new());
        let message = events::to_bytes(self.crowd.events(), self.crowd.group_arrivals());
        for bytes in self.link.all_gather(&message)? {
            let (of_rank, of_groups) = events::from_bytes(&bytes);
            events.extend(of_rank);
            arrivals.push(of_groups);
        }
        Ok(join_events(events, &arrivals))
    }

    /// The work and the costs of all ranks, in the order of ranks.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn all_usage(&mut self) -> Result<Vec<Usage>, ClusterError> {
        let all = self.link.all_gather(&self.usage().to_bytes())?;
        Ok(all.iter().map(|bytes| Usage::from_bytes(bytes)).collect())
    }

    /// The number that each rank gives, in the order of ranks.
    pub(crate) fn all_numbers(&mut self, number: u64) -> Result<Vec<u64>, ClusterError> {
        let all = self.link.all_gather(&number.to_le_bytes())?;
        Ok(all.iter().map(|bytes| Numbers(bytes).u64()).collect())
    }

    /// The first rank with an error, and its message; `error` is that of this rank.
    pub(crate) fn first_error(
        &mut self,
        error: Option<&str>,
    ) -> Result<Option<(usize, String)>, ClusterError> {
        let all = self.link.all_gather(error.unwrap_or_default().as_bytes())?;
        let first = all.iter().enumerate().find(|(_, message)| !message.is_empty());
        Ok(first.map(|(rank, message)| (rank, String::from_utf8_lossy(message).into_owned())))
    }

    /// The agents of this rank, for [`receive`](Self::receive).
    pub(crate) fn agents_as_bytes(&self) -> Result<Vec<u8>, ClusterError> {
        Ok(self.crowd.copy(self.crowd.id_column())?)
    }

    /// The state of the first rank, with what all ranks have counted.
    pub(crate) fn world_as_bytes(&mut self, counts: &Counts) -> Vec<u8> {
        let own = self.crowd.counts();
        self.crowd.set_counts(counts);
        let bytes = self.crowd.snapshot();
        self.crowd.set_counts(&own);
        bytes
    }

    /// Takes over the state of the world that the first rank had, without agents.
    pub(crate) fn set_world(&mut self, bytes: &[u8]) -> Result<(), ClusterError> {
        self.crowd.restore(bytes)?;
        let runs_sources = self.rank() == 0;
        self.crowd.become_part(runs_sources);
        if !runs_sources {
            self.crowd.set_counts(&Counts::default());
        }
        self.crowd.keep_rows(|_, _| false);
        Ok(())
    }

    /// Adds agents of another rank.
    pub(crate) fn receive(&mut self, bytes: &[u8]) -> Result<(), ClusterError> {
        Ok(self.crowd.receive(bytes)?)
    }

    /// Divides the world among the ranks after they have received their first agents.
    pub(crate) fn resumed(&mut self) -> Result<(), ClusterError> {
        self.setup_changed();
        self.divide()?;
        self.usage = Usage::default();
        self.move_agents()
    }
}
