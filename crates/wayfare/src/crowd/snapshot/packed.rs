//! Encodes some agents of a crowd as bytes for [`Crowd::extract`], and decodes them for
//! [`Crowd::insert`]. The layout of agents is that of a snapshot.

use alloc::vec::Vec;

use super::agents::{Agents, Frame};
use crate::crowd::encoding::bytes::{Reader, damaged};
use crate::crowd::encoding::envelope;
use crate::crowd::encoding::error::SnapshotError;
use crate::crowd::encoding::layout::START;
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::population::columns::{Columns, Widths};
use crate::crowd::setup::allowed::MAX_AGENTS;
use crate::simd::column::VectorColumn;
use crate::vector::Vector;

/// The first bytes of packed agents. The first byte is not text, as in a snapshot.
const MAGIC: [u8; 8] = *b"\x89WAYAGNT";
/// The start, the widths of the columns, and the number of agents.
const HEADER: usize = START + 8 * 6 + 4;

/// Encodes the agents in these rows, which are in order of ids.
pub(in crate::crowd) fn pack<V: Vector>(crowd: &Crowd<V>, rows: &[u32]) -> Vec<u8> {
    let mut writer = envelope::begin::<V>(crowd.origin.fingerprint, MAGIC, 0);
    layout(crowd).into_iter().for_each(|x| writer.index(x));
    writer.u32(rows.len() as u32);
    writer.agents(crowd, rows);
    envelope::end(writer)
}

/// The widths of the layout of agents, which change with added or removed groups.
fn layout<V: Vector>(crowd: &Crowd<V>) -> [usize; 6] {
    let Widths { facing, force, stats, memory, remembered, limits_change: _ } =
        crowd.population.now.widths();
    [crowd.world.groups.len(), facing, force, stats, memory, remembered]
}

/// Decodes packed agents, validated against `crowd`, with their positions of the previous tick.
pub(in crate::crowd) fn unpack<V: Vector>(
    crowd: &Crowd<V>,
    bytes: &[u8],
) -> Result<(Columns<V>, VectorColumn<V>), SnapshotError> {
    let mut reader = envelope::open::<V>(crowd.origin.fingerprint, MAGIC, HEADER, bytes)?;
    if reader.many(6, Reader::index)? != layout(crowd) {
        return Err(SnapshotError::OtherSetup);
    }
    let count = reader.u32()? as usize;
    if count > MAX_AGENTS {
        return damaged(format!("it has {count} agents; allowed: at most {MAX_AGENTS}"));
    }
    let frame = Frame {
        tick: crowd.tick.number,
        next_id: u32::MAX,
        count,
        fastest: crowd.population.max_speed,
    };
    let Agents { now, before } = reader.agents(crowd, frame)?;
    Ok((now, before))
}
