//! Communication between ranks: a transport that the algorithm is independent of.

use std::fmt;

/// The connection of one rank to all others.
///
/// Every call is collective: all ranks make the same calls in the same order, and each call blocks
/// until all of them have made it.
pub trait Link {
    /// The index of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Sends `bytes` to all ranks; returns those of all ranks, in the order of ranks.
    ///
    /// # Errors
    /// A rank has ended, or the transport has failed.
    fn all_gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, LinkError>;

    /// Sends `messages[r]` to each rank `r`, and returns the messages that this rank receives, in
    /// the order of ranks. An empty message costs nothing. The message to the rank itself is
    /// ignored; an empty one is returned in its place.
    ///
    /// # Errors
    /// A rank has ended, or the transport has failed.
    fn exchange(&mut self, messages: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, LinkError> {
        self.exchange_during(messages, &mut || ())
    }

    /// [Exchanges](Self::exchange) messages, and calls `work` during the transfer.
    ///
    /// # Errors
    /// A rank has ended, or the transport has failed.
    fn exchange_during(
        &mut self,
        messages: &[Vec<u8>],
        work: &mut dyn FnMut(),
    ) -> Result<Vec<Vec<u8>>, LinkError>;
}

/// Why communication between ranks has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// A rank has ended before the others did.
    Lost {
        /// The index of that rank.
        rank: usize,
    },
    /// The transport has failed, with its message.
    Failed(String),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost { rank } => write!(f, "rank {rank} has ended before the others"),
            Self::Failed(what) => write!(f, "communication between the ranks failed: {what}"),
        }
    }
}

impl std::error::Error for LinkError {}
