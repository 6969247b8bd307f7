//! Ranks that are processes of MPI.

use mpi::collective::CommunicatorCollectives;
use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::request::WaitGuard;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Source};

use crate::link::{Link, LinkError};

/// The link of a process.
pub(super) struct MpiLink {
    world: SimpleCommunicator,
}

/// Starts MPI; the link is of no use after the universe is dropped.
pub(super) fn start() -> Result<(Universe, MpiLink), String> {
    // Threads share the steps of a rank, but only the first one sends messages.
    let (universe, _) = mpi::initialize_with_threading(mpi::Threading::Funneled)
        .ok_or("error: MPI cannot be started twice")?;
    let world = universe.world();
    Ok((universe, MpiLink { world }))
}

/// Ends all ranks with this exit code (`MPI_Abort`).
pub(super) fn abort(universe: &Universe, code: u8) -> ! {
    universe.world().abort(code.into())
}

/// The length of a message as MPI counts it.
fn length(bytes: &[u8]) -> Result<i32, LinkError> {
    i32::try_from(bytes.len()).map_err(|_| {
        LinkError::Failed(format!("a message has {} bytes; allowed: below 2^31", bytes.len()))
    })
}

/// The offsets of messages of these lengths in a buffer, and the length of the buffer (bytes).
fn starts(lengths: &[i32]) -> Result<(Vec<i32>, usize), LinkError> {
    let mut end = 0_i32;
    let mut starts = Vec::with_capacity(lengths.len());
    for length in lengths {
        starts.push(end);
        end = end.checked_add(*length).ok_or_else(|| {
            LinkError::Failed("the messages of all ranks have 2^31 bytes or more".to_string())
        })?;
    }
    Ok((starts, end as usize))
}

impl Link for MpiLink {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn all_gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, LinkError> {
        let mut lengths = vec![0_i32; self.size()];
        self.world.all_gather_into(&length(bytes)?, &mut lengths[..]);
        let (starts, end) = starts(&lengths)?;
        let mut buffer = vec![0_u8; end.max(1)];
        // The address of an empty list is 1, which MPI takes for MPI_IN_PLACE.
        let bytes = if bytes.is_empty() { &[0_u8][..0] } else { bytes };
        let mut parts = PartitionMut::new(&mut buffer[..], &lengths[..], &starts[..]);
        self.world.all_gather_varcount_into(bytes, &mut parts);
        let part = |(start, length): (&i32, &i32)| {
            buffer[*start as usize..(*start + *length) as usize].to_vec()
        };
        Ok(starts.iter().zip(&lengths).map(part).collect())
    }

    fn exchange_during(
        &mut self,
        messages: &[Vec<u8>],
        work: &mut dyn FnMut(),
    ) -> Result<Vec<Vec<u8>>, LinkError> {
        let own = self.rank();
        let mut lengths =
            messages.iter().map(|bytes| length(bytes)).collect::<Result<Vec<_>, _>>()?;
        lengths.resize(self.size(), 0);
        lengths[own] = 0;
        let mut incoming = vec![0_i32; self.size()];
        self.world.all_to_all_into(&lengths[..], &mut incoming[..]);
        let mut received: Vec<Vec<u8>> =
            incoming.iter().map(|length| vec![0; *length as usize]).collect();
        mpi::request::scope(|scope| {
            let mut guards = Vec::new();
            for (rank, buffer) in received.iter_mut().enumerate().filter(|(_, b)| !b.is_empty()) {
                let from = self.world.process_at_rank(rank as i32);
                guards.push(WaitGuard::from(from.immediate_receive_into(scope, &mut buffer[..])));
            }
            let outgoing = messages.iter().enumerate().filter(|(_, m)| !m.is_empty());
            for (rank, message) in outgoing.filter(|(rank, _)| *rank != own) {
                let to = self.world.process_at_rank(rank as i32);
                guards.push(WaitGuard::from(to.immediate_send(scope, &message[..])));
            }
            work();
        });
        Ok(received)
    }
}
