//! Some agents of a crowd as bytes: what [`Crowd::extract`] gives and [`Crowd::insert`] takes. The
//! agents are laid out as in a snapshot.

use super::agents::{Agents, Frame};
use super::bytes::{Reader, Writer, damaged, hash};
use super::{SNAPSHOT_VERSION, SnapshotError};
use crate::crowd::Crowd;
use crate::crowd::population::columns::Columns;
use crate::crowd::setup::validate::MAX_AGENTS;
use crate::simd::column::VectorColumn;
use crate::vector::Vector;

/// The first bytes of packed agents. The first byte is not text, as in a snapshot.
const MAGIC: [u8; 8] = *b"\x89WAYAGNT";
/// Magic, version, dimension, fingerprint, number of agents.
const HEADER: usize = 28;
/// The hash at the end.
const TRAILER: usize = 8;

/// The agents in these rows, which are in the order of ids, as bytes.
pub(in crate::crowd) fn pack<V: Vector>(crowd: &Crowd<V>, rows: &[u32]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.0.extend_from_slice(&MAGIC);
    writer.u32(SNAPSHOT_VERSION);
    writer.u32(V::DIMENSION as u32);
    writer.u64(crowd.fingerprint);
    writer.u32(rows.len() as u32);
    writer.agents(crowd, rows);
    let sum = hash(&writer.0);
    writer.u64(sum);
    writer.0
}

/// The agents of packed bytes, each of which could be one of `crowd`, and their positions a tick
/// before.
pub(in crate::crowd) fn unpack<V: Vector>(
    crowd: &Crowd<V>,
    bytes: &[u8],
) -> Result<(Columns<V>, VectorColumn<V>), SnapshotError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(SnapshotError::Foreign);
    }
    if bytes.len() < HEADER + TRAILER {
        return Err(SnapshotError::TooShort(bytes.len()));
    }
    let (body, end) = bytes.split_at(bytes.len() - TRAILER);
    let mut reader = Reader(&body[MAGIC.len()..]);
    let version = reader.u32()?;
    if version != SNAPSHOT_VERSION {
        return Err(SnapshotError::Version(version));
    }
    if Reader(end).u64()? != hash(body) {
        return damaged("its hash does not match");
    }
    let dimension = reader.u32()?;
    if dimension as usize != V::DIMENSION {
        return Err(SnapshotError::Dimension(dimension));
    }
    if reader.u64()? != crowd.fingerprint {
        return Err(SnapshotError::OtherSetup);
    }
    let count = reader.u32()? as usize;
    if count > MAX_AGENTS {
        return damaged(format!("it has {count} agents; allowed: at most {MAX_AGENTS}"));
    }
    let frame = Frame { tick: crowd.tick, next_id: u32::MAX, count, fastest: crowd.max_speed };
    let Agents { now, before } = reader.agents(crowd, frame)?;
    Ok((now, before))
}
