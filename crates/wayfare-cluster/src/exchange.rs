//! The messages between ranks during a tick, and their costs in time and bytes.

use std::time::{Duration, Instant};

use wayfare::crowd::PartLink;

use crate::link::{Link, LinkError};
use crate::wire::{Message, Numbers};

/// A link that measures itself.
#[derive(Debug)]
pub(crate) struct Metered<L> {
    link: L,
    /// The time in which this rank has sent messages or waited for others.
    pub(crate) time: Duration,
    /// The bytes that this rank has sent to others.
    pub(crate) sent: u64,
}

impl<L: Link> Metered<L> {
    pub(crate) fn new(link: L) -> Self {
        Self { link, time: Duration::ZERO, sent: 0 }
    }

    pub(crate) fn rank(&self) -> usize {
        self.link.rank()
    }

    pub(crate) fn size(&self) -> usize {
        self.link.size()
    }

    pub(crate) fn all_gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, LinkError> {
        let began = Instant::now();
        let all = self.link.all_gather(bytes)?;
        self.time += began.elapsed();
        self.sent += (bytes.len() * (self.link.size() - 1)) as u64;
        Ok(all)
    }

    pub(crate) fn exchange(&mut self, messages: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, LinkError> {
        self.exchange_during(messages, || ())
    }

    /// Exchanges messages, and does `work` meanwhile, whose time does not count.
    pub(crate) fn exchange_during(
        &mut self,
        messages: &[Vec<u8>],
        work: impl FnOnce(),
    ) -> Result<Vec<Vec<u8>>, LinkError> {
        let (began, mut worked) = (Instant::now(), Duration::ZERO);
        let mut work = Some(work);
        let received = self.link.exchange_during(messages, &mut || {
            let began = Instant::now();
            if let Some(work) = work.take() {
                work();
            }
            worked += began.elapsed();
        })?;
        self.time += began.elapsed().saturating_sub(worked);
        self.sent += messages.iter().map(|message| message.len() as u64).sum::<u64>();
        Ok(received)
    }
}

/// The other ranks, as the crowd sees them during a tick.
///
/// The crowd cannot fail in a tick, so that the first error waits for its end: after it, this rank
/// goes on with its own numbers.
pub(crate) struct TickLink<'a, L> {
    pub(crate) link: &'a mut Metered<L>,
    pub(crate) halo: f32,
    /// Whether an agent of some rank has an order to an agent.
    pub(crate) have_orders: bool,
    /// The rows whose copies each rank has.
    pub(crate) sent: &'a [Vec<u32>],
    /// The number of copies that this rank has of the agents of each rank.
    pub(crate) copies: &'a [usize],
    /// The number of coordinates.
    pub(crate) dimension: usize,
    pub(crate) error: Option<LinkError>,
}

impl<L: Link> TickLink<'_, L> {
    fn try_all_gather(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        if self.error.is_some() {
            return Vec::new();
        }
        self.link.all_gather(bytes).unwrap_or_else(|error| {
            self.error = Some(error);
            Vec::new()
        })
    }
}

impl<L: Link> PartLink for TickLink<'_, L> {
    fn halo(&self) -> f32 {
        self.halo
    }

    fn have_orders(&self) -> bool {
        self.have_orders
    }

    fn largest(&mut self, numbers: &mut [f32]) {
        let mut message = Message::default();
        numbers.iter().for_each(|x| message.f32(*x));
        for bytes in self.try_all_gather(&message.0) {
            let mut other = Numbers(&bytes);
            numbers.iter_mut().for_each(|x| *x = x.max(other.f32()));
        }
    }

    fn members_elsewhere(&mut self, members: &mut [u32]) {
        let mut message = Message::default();
        members.iter().for_each(|x| message.u32(*x));
        members.fill(0);
        let own = self.link.rank();
        for (rank, bytes) in self.try_all_gather(&message.0).iter().enumerate() {
            if rank != own {
                let mut other = Numbers(bytes);
                members.iter_mut().for_each(|x| *x += other.u32());
            }
        }
    }

    fn positions(
        &mut self,
        own: &mut dyn FnMut(u32) -> [f32; 3],
        copy: &mut dyn FnMut(usize, [f32; 3]),
    ) {
        if self.error.is_some() {
            return;
        }
        let dimension = self.dimension;
        let write = |rows: &Vec<u32>| {
            let mut message = Message(Vec::with_capacity(rows.len() * dimension * 4));
            for row in rows {
                own(*row)[..dimension].iter().for_each(|x| message.f32(*x));
            }
            message.0
        };
        let messages: Vec<Vec<u8>> = self.sent.iter().map(write).collect();
        let received = match self.link.exchange(&messages) {
            Ok(received) => received,
            Err(error) => {
                self.error = Some(error);
                return;
            }
        };
        let mut index = 0;
        for (bytes, count) in received.iter().zip(self.copies) {
            let mut numbers = Numbers(bytes);
            for _ in 0..*count {
                let mut p = [0.0; 3];
                p[..dimension].iter_mut().for_each(|x| *x = numbers.f32());
                copy(index, p);
                index += 1;
            }
        }
    }
}
