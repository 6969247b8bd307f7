//! A map from ids to rows in constant time.
//!
//! It is an open hash table with linear probing (D. Knuth, "The Art of Computer Programming",
//! volume 3, section 6.4) that stores only rows; the ids are read from the column. A table indexed
//! by the id itself would grow without bound in a crowd with sources, because ids are never used
//! again.

use alloc::vec::Vec;

/// The id of an agent of a crowd, or of a unit of a navigator.
pub(crate) trait IndexedId: Copy + Eq {
    /// Bits that are spread evenly where ids are consecutive.
    fn spread(self) -> u32;
}

impl IndexedId for u32 {
    /// Multiplicative hashing by the golden ratio.
    fn spread(self) -> u32 {
        self.wrapping_mul(0x9E37_79B9)
    }
}

impl IndexedId for u64 {
    fn spread(self) -> u32 {
        (self.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }
}

/// The rows of a column of ids. An empty table must be built before it is asked.
#[derive(Clone, Debug)]
pub(crate) struct RowIndex {
    /// A row in each used slot; at most half of the slots are used.
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl RowIndex {
    /// The rows of `ids`, which are all different.
    pub(crate) fn new(ids: &[impl IndexedId]) -> Self {
        let mut index = Self::with_room_for(ids.len());
        (0..).zip(ids).for_each(|(row, &id)| index.insert(id, row));
        index
    }

    /// No rows, with room for so many ids.
    pub(crate) fn with_room_for(count: usize) -> Self {
        Self { slots: vec![EMPTY; (4 * count).next_power_of_two().max(16)] }
    }

    /// The rows have been reordered: row `i` is row `rows[i]` now, and so are the ids.
    pub(crate) fn permute(&mut self, rows: &[u32]) {
        for slot in self.slots.iter_mut().filter(|slot| **slot != EMPTY) {
            *slot = rows[*slot as usize];
        }
    }

    /// The row of `id`.
    pub(crate) fn get<I: IndexedId>(&self, id: I, ids: &[I]) -> Option<usize> {
        self.slot(id, ids).map(|slot| self.slots[slot] as usize)
    }

    /// Whether one more id fits; otherwise the index must be built anew.
    pub(crate) fn has_room(&self, count: usize) -> bool {
        2 * (count + 1) <= self.slots.len()
    }

    /// Adds `id`, which is not in the index, at `row`.
    pub(crate) fn insert(&mut self, id: impl IndexedId, row: u32) {
        let mut slot = self.first_slot(id);
        while self.slots[slot] != EMPTY {
            slot = self.after(slot);
        }
        self.slots[slot] = row;
    }

    /// Says that `id` is at `row` from now on; `ids` is still the column as it was.
    pub(crate) fn relocate<I: IndexedId>(&mut self, id: I, row: u32, ids: &[I]) {
        if let Some(slot) = self.slot(id, ids) {
            self.slots[slot] = row;
        }
    }

    /// Removes `id`; `ids` still holds it.
    pub(crate) fn remove<I: IndexedId>(&mut self, id: I, ids: &[I]) {
        let Some(mut free) = self.slot(id, ids) else { return };
        // Entries that were displaced past the freed slot move back into it.
        let mut slot = self.after(free);
        while self.slots[slot] != EMPTY {
            let first = self.first_slot(ids[self.slots[slot] as usize]);
            let displaced = |from: usize| slot.wrapping_sub(from) & (self.slots.len() - 1);
            if displaced(first) >= displaced(free) {
                self.slots[free] = self.slots[slot];
                free = slot;
            }
            slot = self.after(slot);
        }
        self.slots[free] = EMPTY;
    }

    fn slot<I: IndexedId>(&self, id: I, ids: &[I]) -> Option<usize> {
        let mut slot = self.first_slot(id);
        while self.slots[slot] != EMPTY {
            if ids[self.slots[slot] as usize] == id {
                return Some(slot);
            }
            slot = self.after(slot);
        }
        None
    }

    fn first_slot(&self, id: impl IndexedId) -> usize {
        let bits = self.slots.len().trailing_zeros();
        (id.spread() >> (32 - bits)) as usize
    }

    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_index_finds_what_a_search_through_all_ids_finds() {
        let mut random = Random::new(5, 0, 0, 0);
        let mut ids: Vec<u32> = (0..200).map(|i| i * 7).collect();
        let mut index = RowIndex::new(&ids);
        for next in 1_400..4_000 {
            if random.bits().is_multiple_of(2) && !ids.is_empty() {
                let row = random.bits() as usize % ids.len();
                let (id, last) = (ids[row], ids[ids.len() - 1]);
                index.remove(id, &ids);
                if id != last {
                    index.relocate(last, row as u32, &ids);
                }
                ids.swap_remove(row);
            } else {
                if !index.has_room(ids.len()) {
                    index = RowIndex::new(&ids);
                }
                index.insert(next, ids.len() as u32);
                ids.push(next);
            }
            for id in [next, next / 2, next / 3, next / 7 * 7] {
                assert_eq!(index.get(id, &ids), ids.iter().position(|other| *other == id));
            }
        }
    }
}
