//! The origin of a crowd: its setup and ids, and what snapshots compare them with.

use alloc::sync::Arc;

use super::encoding::baseline::Baseline;
use super::encoding::users::Users;
use super::setup::Setup;
use super::setup::command::timed::TimedCommands;
use super::structure::Structure;
use crate::vector::Vector;

/// The setup and the ids of everything that has one.
#[derive(Clone, Debug)]
pub(super) struct Origin<V: Vector> {
    /// The current setup, which commands change. Spawn points, obstacles, paths, lines, exits and
    /// sources are moved out of it into the [`World`](super::world::World).
    pub(super) setup: Setup<V>,
    /// The ids of groups and of everything in the world.
    pub(super) structure: Structure,
    /// The setup and ids from before anything but an obstacle was added or removed.
    pub(super) original: Option<Arc<(Setup<V>, Structure)>>,
    /// The users' code of groups that a restored snapshot has removed: a later one may have it
    /// again.
    pub(super) users: Users<V>,
    /// Hashes of what commands can change, as the setup has it.
    pub(super) baseline: Baseline,
    /// A hash of the original setup, which identifies the setup in snapshots.
    pub(super) fingerprint: u64,
    /// The commands of the setup, moved out of it.
    pub(super) timed: TimedCommands<V>,
}
