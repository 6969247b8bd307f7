//! The surroundings of agents that a rank owns wherever they are: cells of a grid.
//!
//! The members of groups that must be in one part are outside the domain of their rank. The rank
//! tells the others the cells that are within the halo of them.

use std::collections::HashSet;

use wayfare::Vector;

use crate::wire::{Message, Numbers};

/// A set of grid cells that are as wide as the halo, or wider.
#[derive(Clone, Debug)]
pub(crate) struct Interest<V> {
    width: V,
    low: V,
    /// The number of cells on each axis of a wrapped world.
    counts: Option<[i32; 3]>,
    cells: HashSet<[i32; 3]>,
}

impl<V: Vector> Interest<V> {
    /// No cells, for a halo of this width (length); `world` is the lower corner and the size of a
    /// wrapped world.
    pub(crate) fn new(halo: f32, world: Option<(V, V)>) -> Self {
        let halo = halo.max(f32::MIN_POSITIVE);
        let (mut low, mut width, mut counts) = (V::ZERO, V::from_fn(|_| halo), None);
        if let Some((min, size)) = world {
            let count = |axis: usize| (size.axis(axis) / halo).clamp(1.0, 1e6) as i32;
            let number = |axis: usize| if axis < V::DIMENSION { count(axis) } else { 1 };
            low = min;
            width = V::from_fn(|axis| size.axis(axis) / count(axis) as f32);
            counts = Some(std::array::from_fn(number));
        }
        Self { width, low, counts, cells: HashSet::new() }
    }

    fn cell(&self, p: V) -> [i32; 3] {
        std::array::from_fn(|axis| {
            if axis >= V::DIMENSION {
                return 0;
            }
            let cell = ((p.axis(axis) - self.low.axis(axis)) / self.width.axis(axis)).floor();
            // Far beyond the cells of any world with more than one of them.
            self.wrapped(axis, cell.clamp(-1e9, 1e9) as i32)
        })
    }

    fn wrapped(&self, axis: usize, cell: i32) -> i32 {
        self.counts.map_or(cell, |counts| cell.rem_euclid(counts[axis]))
    }

    /// Adds all cells within the halo of `p`.
    pub(crate) fn add(&mut self, p: V) {
        let middle = self.cell(p);
        let depth = if V::DIMENSION == 3 { -1..=1 } else { 0..=0 };
        for dz in depth {
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let by = [dx, dy, dz];
                    let cell = |axis: usize| self.wrapped(axis, middle[axis] + by[axis]);
                    let cell = std::array::from_fn(cell);
                    self.cells.insert(cell);
                }
            }
        }
    }

    pub(crate) fn contains(&self, p: V) -> bool {
        !self.cells.is_empty() && self.cells.contains(&self.cell(p))
    }

    pub(crate) fn write(&self, message: &mut Message) {
        message.u64(self.cells.len() as u64);
        for cell in &self.cells {
            cell.iter().for_each(|x| message.u32(*x as u32));
        }
    }

    pub(crate) fn read(&mut self, numbers: &mut Numbers<'_>) {
        self.cells.clear();
        for _ in 0..numbers.u64() {
            self.cells.insert(std::array::from_fn(|_| numbers.u32() as i32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::glam::{Vec2, vec2};

    #[test]
    fn every_position_within_the_halo_is_in_the_set_also_across_the_edge() {
        let mut random = wayfare::random::Random::new(4, 0, 0, 0);
        let size = vec2(100.0, 55.0);
        for world in [None, Some((Vec2::ZERO, size))] {
            let mut interest = Interest::new(7.0, world);
            let center = vec2(99.0, 2.0);
            interest.add(center);
            for _ in 0..1_000 {
                let by = vec2(random.between(-4.9, 4.9), random.between(-4.9, 4.9));
                let mut p = center + by;
                if world.is_some() {
                    p = p.rem_euclid(size);
                }
                assert!(interest.contains(p), "{p}");
            }
            assert!(!interest.contains(vec2(50.0, 30.0)));
        }
        let mut message = Message::default();
        let mut written = Interest::new(2.0, None);
        written.add(vec2(-30.0, 4.0));
        written.write(&mut message);
        let mut read = Interest::new(2.0, None);
        read.read(&mut Numbers(&message.0));
        assert!(read.contains(vec2(-31.0, 5.0)) && !read.contains(Vec2::ZERO));
    }
}
