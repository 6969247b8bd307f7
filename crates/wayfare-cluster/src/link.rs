//! How ranks talk to one another.

use std::fmt;

/// The connection of one rank with all others.
///
/// All ranks call the same methods in the same order: each call waits for the others.
pub trait Link {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Sends `bytes` to all ranks; returns those of all ranks, in the order of ranks.
    ///
    /// # Errors
    /// A rank is gone.
    fn all_gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, LinkError>;

    /// Sends a message to each rank, in the order of ranks, and returns those that they have sent
    /// to this one. Empty messages cost nothing; that to the rank itself is not sent, and comes
    /// back empty.
    ///
    /// # Errors
    /// A rank is gone.
    fn exchange(&mut self, messages: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, LinkError> {
        self.exchange_during(messages, &mut || ())
    }

    /// [Exchanges](Self::exchange) messages, and does `work` while they are on their way.
    ///
    /// # Errors
    /// A rank is gone.
    fn exchange_during(
        &mut self,
        messages: &[Vec<u8>],
        work: &mut dyn FnMut(),
    ) -> Result<Vec<Vec<u8>>, LinkError>;
}

/// Why ranks cannot talk to one another any more.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// A rank has ended before the others.
    Lost {
        /// The rank.
        rank: usize,
    },
    /// The library that sends the messages has failed.
    Failed(String),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost { rank } => write!(f, "rank {rank} has ended before the others"),
            Self::Failed(what) => write!(f, "the ranks cannot talk to one another: {what}"),
        }
    }
}

impl std::error::Error for LinkError {}
