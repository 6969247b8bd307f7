//! The changes of the indices in lists of behaviors since a scene was opened.

use wayfare::crowd::{KeyPath, KeySegment};

/// One change of the indices in the list of behaviors with this path.
#[derive(Clone, Debug)]
enum Move {
    /// An entry was inserted at this index.
    Added(KeyPath, usize),
    /// The entry at this index was removed.
    Removed(KeyPath, usize),
    /// The entries at this index and the next were swapped.
    Swapped(KeyPath, usize),
}

/// All changes of indices since the scene was opened, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves(Vec<Move>);

impl Moves {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn add(&mut self, list: &KeyPath, index: usize) {
        self.0.push(Move::Added(list.clone(), index));
    }

    pub(super) fn remove(&mut self, list: &KeyPath, index: usize) {
        self.0.push(Move::Removed(list.clone(), index));
    }

    pub(super) fn swap(&mut self, list: &KeyPath, index: usize) {
        self.0.push(Move::Swapped(list.clone(), index));
    }

    /// The path that `path` had when the scene was opened; `None` for a part that was added since.
    pub(super) fn original_path(&self, path: &KeyPath) -> Option<KeyPath> {
        let mut path = path.clone();
        for change in self.0.iter().rev() {
            let (Move::Added(list, _) | Move::Removed(list, _) | Move::Swapped(list, _)) = change;
            let depth = list.0.len();
            let Some(KeySegment::At(index)) =
                path.0.get(depth).filter(|_| path.0.starts_with(&list.0)).cloned()
            else {
                continue;
            };
            let before = match *change {
                Move::Added(_, i) if index == i => return None,
                Move::Added(_, i) if index > i => index - 1,
                Move::Removed(_, i) if index >= i => index + 1,
                Move::Swapped(_, i) if index == i => i + 1,
                Move::Swapped(_, i) if index == i + 1 => i,
                _ => index,
            };
            path.0[depth] = KeySegment::At(before);
        }
        Some(path)
    }
}
