//! The units that are led, in the order of their ids.

use alloc::vec::Vec;

use super::traveller::Traveller;
use crate::row_index::RowIndex;
use crate::simd::prefetch;

/// The travellers by id: found in constant time, and visited in the order of ids.
#[derive(Clone, Debug)]
pub(super) struct Travellers {
    /// In ascending order after a [sort](Self::sort).
    ids: Vec<u64>,
    travellers: Vec<Traveller>,
    index: RowIndex,
    is_sorted: bool,
}

impl Default for Travellers {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            travellers: Vec::new(),
            index: RowIndex::with_room_for(0),
            is_sorted: true,
        }
    }
}

impl Travellers {
    #[inline(always)]
    pub(super) fn get(&self, id: u64) -> Option<&Traveller> {
        Some(&self.travellers[self.row(id)?])
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut Traveller> {
        let row = self.row(id)?;
        Some(&mut self.travellers[row])
    }

    /// Prefetches the traveller that is `id` if every unit from 0 on is led.
    #[inline(always)]
    pub(super) fn prefetch(&self, id: u64) {
        if let Some(traveller) = self.travellers.get(id as usize) {
            prefetch(traveller);
            prefetch(&traveller.mesh);
        }
    }

    /// The row of the traveller `id`.
    #[inline(always)]
    fn row(&self, id: u64) -> Option<usize> {
        // While every unit from 0 on is led, its id is its row.
        if self.ids.get(id as usize) == Some(&id) {
            return Some(id as usize);
        }
        self.index.get(id, &self.ids)
    }

    /// The traveller `id`, which is made by `new` if there is none.
    #[inline(always)]
    pub(super) fn get_or_insert_with(
        &mut self,
        id: u64,
        new: impl FnOnce() -> Traveller,
    ) -> &mut Traveller {
        let row = match self.row(id) {
            Some(row) => row,
            None => self.push(id, new()),
        };
        &mut self.travellers[row]
    }

    #[cold]
    fn push(&mut self, id: u64, traveller: Traveller) -> usize {
        let row = self.ids.len();
        self.is_sorted &= self.ids.last().is_none_or(|last| *last < id);
        if !self.index.has_room(row) {
            self.index = RowIndex::new(&self.ids);
        }
        self.index.insert(id, row as u32);
        self.ids.push(id);
        self.travellers.push(traveller);
        row
    }

    pub(super) fn remove(&mut self, id: u64) -> Option<Traveller> {
        let row = self.row(id)?;
        self.index.remove(id, &self.ids);
        if let Some(&last) = self.ids.last().filter(|last| **last != id) {
            self.index.relocate(last, row as u32, &self.ids);
            self.is_sorted = false;
        }
        self.ids.swap_remove(row);
        Some(self.travellers.swap_remove(row))
    }

    /// Stores the travellers in the order of their ids.
    pub(super) fn sort(&mut self) {
        if self.is_sorted {
            return;
        }
        let mut order: Vec<(u64, Traveller)> =
            self.ids.drain(..).zip(self.travellers.drain(..)).collect();
        order.sort_unstable_by_key(|(id, _)| *id);
        (self.ids, self.travellers) = order.into_iter().unzip();
        self.index = RowIndex::new(&self.ids);
        self.is_sorted = true;
    }

    /// All travellers with their ids, in the order in which they are stored.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (u64, &mut Traveller)> {
        self.ids.iter().copied().zip(&mut self.travellers)
    }

    /// All travellers in the order of their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Traveller)> {
        let mut order: Vec<usize> = Vec::new();
        if !self.is_sorted {
            order.extend(0..self.ids.len());
            order.sort_unstable_by_key(|&row| self.ids[row]);
        }
        (0..self.ids.len()).map(move |k| {
            let row = order.get(k).copied().unwrap_or(k);
            (self.ids[row], &self.travellers[row])
        })
    }

    /// Keeps the travellers for which `keep` returns true, in their order.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(u64, &mut Traveller) -> bool) {
        let mut kept = 0;
        for row in 0..self.ids.len() {
            if keep(self.ids[row], &mut self.travellers[row]) {
                if kept < row {
                    self.ids.swap(kept, row);
                    self.travellers.swap(kept, row);
                }
                kept += 1;
            }
        }
        if kept < self.ids.len() {
            self.ids.truncate(kept);
            self.travellers.truncate(kept);
            self.index = RowIndex::new(&self.ids);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use alloc::collections::BTreeMap;
    use glam::Vec2;

    #[test]
    fn travellers_are_found_and_visited_as_in_a_tree() {
        let mut random = Random::new(3, 0, 0, 0);
        let (mut tree, mut travellers) = (BTreeMap::new(), Travellers::default());
        for round in 0..3_000_usize {
            let id = random.bits() % 300;
            match random.bits() % 8 {
                0..5 => {
                    let new = || Traveller::new(Vec2::ZERO, round);
                    let mesh = travellers.get_or_insert_with(id, new).mesh;
                    assert_eq!(mesh, *tree.entry(id).or_insert(round));
                }
                5 | 6 => {
                    let removed = travellers.remove(id).map(|traveller| traveller.mesh);
                    assert_eq!(removed, tree.remove(&id));
                }
                _ if random.bits().is_multiple_of(8) => {
                    let divisor = random.bits() % 5 + 1;
                    travellers.sort();
                    let mut visited = Vec::new();
                    travellers.retain(|id, traveller| {
                        visited.push((id, traveller.mesh));
                        !id.is_multiple_of(divisor)
                    });
                    assert!(visited.into_iter().eq(tree.clone()));
                    tree.retain(|id, _| !id.is_multiple_of(divisor));
                }
                _ => {}
            }
            let mesh = travellers.get(id).map(|traveller| traveller.mesh);
            assert_eq!(mesh, tree.get(&id).copied());
            let all = travellers.iter().map(|(id, traveller)| (id, traveller.mesh));
            assert!(all.eq(tree.clone()), "round {round}");
        }
    }
}
