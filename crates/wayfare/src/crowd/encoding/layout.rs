//! The numbers of the format.

/// The first bytes of every snapshot. The first byte is not text, so that a transfer in text mode
/// is detected at once.
pub const SNAPSHOT_MAGIC: [u8; 8] = *b"\x89WAYFARE";

/// The version of the format. Only this version can be restored.
pub const SNAPSHOT_VERSION: u32 = 13;

/// The bytes of magic, version, dimension and fingerprint.
pub(in crate::crowd) const START: usize = 24;

/// The start, tick, next id, number of agents.
pub(in crate::crowd) const HEADER: usize = START + 16;

/// The bytes of the hash at the end.
pub(in crate::crowd) const TRAILER: usize = 8;

/// The largest tick whose time is exact.
pub(in crate::crowd) const MOST_TICKS: u64 = 1 << 53;
