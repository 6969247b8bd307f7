//! Serialized ghosts: the fields of an agent that behaviors, conditions and contacts of other parts
//! read.

use alloc::vec::Vec;

use super::crowd::Crowd;
use crate::agent::Agent;
use crate::crowd::encoding::error::SnapshotError;
use crate::crowd::population::columns::StateInstance;
use crate::crowd::population::ghosts::GhostRow;
use crate::row_index::RowIndex;
use crate::vector::Vector;

/// The fields of a ghost besides id, position and velocity. They follow from the setup, so that all
/// parts have the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// The group; there is more than one.
    group: bool,
    /// Heading and facing: agents read single others.
    views: bool,
    facing: bool,
    /// State, for conditions.
    state: bool,
    /// Radius, top speed and whether it is frozen.
    body: bool,
}

impl Layout {
    fn of<V: Vector>(crowd: &Crowd<V>) -> Self {
        let groups = &crowd.world.groups;
        let views = groups.iter().any(|group| group.searched || group.reads_order);
        Self {
            group: groups.len() > 1,
            views,
            facing: views && crowd.population.now.facing_width > 0,
            state: groups.iter().any(|group| group.searched && group.states.len() > 1),
            body: crowd.tick.solid.is_some() || groups.iter().any(|group| group.reads_bodies),
        }
    }

    /// The bytes of a copy.
    fn size<V: Vector>(self) -> usize {
        let vectors = 2 + usize::from(self.views) + usize::from(self.facing);
        4 + 4 * usize::from(self.group)
            + 4 * V::DIMENSION * vectors
            + 4 * usize::from(self.state)
            + 9 * usize::from(self.body)
    }
}

/// Serialized ghosts, as written by [`Crowd::copy_rows`] of the part that owns the agents.
#[derive(Clone, Copy, Debug)]
pub struct Copies<'a>(pub &'a [u8]);

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }
    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }
    fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }
    fn vector<V: Vector>(&mut self) -> Option<V> {
        let mut numbers = [0.0; 3];
        for number in &mut numbers[..V::DIMENSION] {
            *number = self.f32()?;
        }
        Some(V::from_fn(|axis| numbers[axis]))
    }
}

impl<V: Vector> Crowd<V> {
    /// The size of a serialized ghost (bytes), equal in all parts.
    pub fn copy_size(&self) -> usize {
        Layout::of(self).size::<V>()
    }

    /// Serializes the agents in these rows as ghosts and appends them to `bytes`, for
    /// [`set_copies`](Self::set_copies) of another part.
    ///
    /// # Panics
    /// There is no such row.
    pub fn copy_rows(&self, rows: &[u32], bytes: &mut Vec<u8>) {
        let layout = Layout::of(self);
        bytes.reserve(rows.len() * layout.size::<V>());
        let now = &self.population.now;
        for i in rows.iter().map(|row| *row as usize) {
            assert!(i < self.len(), "there is no row {i}");
            bytes.extend_from_slice(&now.id[i].to_le_bytes());
            if layout.group {
                bytes.extend_from_slice(&now.group[i].to_le_bytes());
            }
            let mut vector = |v: V| {
                for axis in 0..V::DIMENSION {
                    bytes.extend_from_slice(&v.axis(axis).to_le_bytes());
                }
            };
            vector(now.position.get(i));
            vector(now.velocity.get(i));
            if layout.views {
                vector(now.heading.get(i));
            }
            if layout.facing {
                vector(now.facing[i]);
            }
            if layout.state {
                bytes.extend_from_slice(&now.state[i].state.to_le_bytes());
            }
            if layout.body {
                bytes.extend_from_slice(&now.limits[i].radius.to_le_bytes());
                bytes.extend_from_slice(&now.limits[i].max_speed.to_le_bytes());
                bytes.push(u8::from(now.own(i).frozen));
            }
        }
    }

    /// Replaces all ghosts by those that other parts have serialized. Ghosts are numbered through
    /// all lists.
    ///
    /// # Errors
    /// The bytes are not ghosts of a crowd with this setup; nothing changes.
    pub fn set_copies(&mut self, copies: &[Copies<'_>]) -> Result<(), SnapshotError> {
        let layout = Layout::of(self);
        let size = layout.size::<V>();
        let damaged = || SnapshotError::Damaged("it holds no copies of agents".into());
        let count: usize = copies.iter().map(|Copies(bytes)| bytes.len() / size).sum();
        let mut rows = Vec::with_capacity(count);
        for Copies(bytes) in copies {
            if bytes.len() % size != 0 {
                return Err(damaged());
            }
            for bytes in bytes.chunks_exact(size) {
                let row: GhostRow<V> = read(layout, bytes).ok_or_else(damaged)?;
                let finite = row.agent.position.is_finite() && row.agent.velocity.is_finite();
                if !finite || row.group as usize >= self.world.groups.len() {
                    return Err(damaged());
                }
                rows.push(row);
            }
        }
        // Only orders to agents search a ghost by its id.
        let index = if self.population.now.own_width > 0 {
            let ids: Vec<u32> = rows.iter().map(|row| row.id).collect();
            RowIndex::new(&ids)
        } else {
            RowIndex::with_room_for(0)
        };
        self.replace_ghosts(&rows, index);
        self.population.ghosts.keep_the_bound_of_speeds();
        Ok(())
    }
}

fn read<V: Vector>(layout: Layout, bytes: &[u8]) -> Option<GhostRow<V>> {
    let mut bytes = Bytes(bytes);
    let id = bytes.u32()?;
    let group = if layout.group { bytes.u32()? } else { 0 };
    let position = bytes.vector()?;
    let velocity = bytes.vector()?;
    let mut agent = Agent { velocity, ..Agent::new(position, 1.0) };
    if layout.views {
        agent.heading = bytes.vector()?;
        agent.facing = agent.heading;
    }
    if layout.facing {
        agent.facing = bytes.vector()?;
    }
    let state = StateInstance::new(if layout.state { bytes.u32()? } else { 0 }, 0);
    let mut frozen = false;
    if layout.body {
        agent.radius = bytes.f32()?;
        agent.max_speed = bytes.f32()?;
        frozen = bytes.take::<1>()? != [0];
    }
    Some(GhostRow { id, group, state, frozen, agent })
}
