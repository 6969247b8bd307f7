//! The obstacles of a world, and those of them that are near a place.

use super::Obstacle;
use crate::space::Space;
use crate::tree::{Extent, Item, Tree};
use crate::vector::Vector;

/// What stands in the way, in the order of the scene; in a crowd it is indexed, so that a look around does not cost more where there is more.
///
/// ```
/// use wayfare::{glam::vec2, obstacle::{Obstacle, Obstacles, Shape}, Surroundings};
/// let trees = [1.0, 500.0].map(|x| Obstacle::from(Shape::Circle { center: vec2(x, 0.0), radius: 2.0 }));
/// let around = Surroundings { obstacles: Obstacles::from(&trees), ..Surroundings::empty(1.0) };
/// let near: Vec<_> = around.obstacles.near(&around.space, vec2(490.0, -5.0), vec2(510.0, 5.0)).collect();
/// assert_eq!(near, [(1, &trees[1])]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Obstacles<'a, V: Vector> {
    all: &'a [Obstacle<V>],
    tree: Option<&'a Tree<V>>,
}

/// A tree over obstacles, which [`Obstacles::indexed`] takes.
pub(crate) fn tree_of<V: Vector>(obstacles: &[Obstacle<V>]) -> Tree<V> {
    let mut tree = Tree::default();
    tree.build((0..).zip(obstacles).map(|(place, o)| Item { extent: Extent { low: o.low, high: o.high, rank: place }, place }));
    tree
}

impl<'a, V: Vector> Obstacles<'a, V> {
    /// No obstacles.
    pub const NONE: Self = Self { all: &[], tree: None };

    /// The obstacles that `tree` was made from.
    pub(crate) fn indexed(all: &'a [Obstacle<V>], tree: &'a Tree<V>) -> Self {
        Self { all, tree: Some(tree) }
    }

    /// All of them, in the order of the scene.
    pub fn iter(&self) -> core::slice::Iter<'a, Obstacle<V>> {
        self.all.iter()
    }

    /// Those that may touch the box from `low` to `high` (length), across the edge of a wrapped `space` as well, with their places
    /// in the order of the scene: each once, in any order, and some that are near and do not touch it.
    pub fn near(&self, space: &Space<V>, low: V, high: V) -> impl Iterator<Item = (usize, &'a Obstacle<V>)> + use<'a, V> {
        let (all, space) = (self.all, *space);
        let touched = move |a: V, b: V| space.gap((low, high), (a, b)) == V::ZERO;
        let unsorted = if self.tree.is_none() { all } else { &[] };
        let listed = unsorted.iter().enumerate().filter(move |(_, o)| touched(o.low, o.high));
        let indexed = self.tree.map(|tree| tree.all(move |extent: &Extent<V>| touched(extent.low, extent.high)));
        listed.chain(indexed.into_iter().flatten().map(|item| (item.place as usize, &all[item.place as usize])))
    }
}

impl<'a, V: Vector, T: AsRef<[Obstacle<V>]> + ?Sized> From<&'a T> for Obstacles<'a, V> {
    fn from(all: &'a T) -> Self {
        Self { all: all.as_ref(), tree: None }
    }
}

impl<'a, V: Vector> IntoIterator for Obstacles<'a, V> {
    type Item = &'a Obstacle<V>;
    type IntoIter = core::slice::Iter<'a, Obstacle<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
