//! The obstacles of a world, and searches among them.

use alloc::vec::Vec;

use super::{Obstacle, Shape};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::bvh::{BOXES, Bvh, Item};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Obstacles in the order of their index. A crowd indexes them by a tree: the cost of a query
/// hardly depends on their number.
///
/// ```
/// use wayfare::{
///     SteerContext,
///     geometry::obstacle::{Obstacle, Obstacles, Shape},
///     glam::vec2,
/// };
/// let trees = [1.0, 500.0]
///     .map(|x| Obstacle::from(Shape::Circle { center: vec2(x, 0.0), radius: 2.0 }));
/// let context =
///     SteerContext { obstacles: Obstacles::from(&trees), ..SteerContext::empty(1.0) };
/// let mut found = false;
/// context.obstacles.near(&context.space, vec2(490.0, -5.0), vec2(510.0, 5.0), |_, tree| {
///     found |= tree.contains(vec2(501.0, 0.0))
/// });
/// assert!(found);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Obstacles<'a, V: Vector> {
    all: &'a [Obstacle<V>],
    tree: Option<&'a Bvh<V>>,
}

/// The number of obstacles that one search of [`Obstacles::near_in_order`] finds.
const AT_ONCE: usize = 16;

/// The tree over obstacles that [`Obstacles::indexed`] takes.
pub(crate) fn bvh_of<V: Vector>(obstacles: &[Obstacle<V>]) -> Bvh<V> {
    let mut tree = Bvh::default();
    tree.build((0..).zip(obstacles).map(|(index, o)| Item {
        low: o.low,
        high: o.high,
        rank: index,
        index,
    }));
    tree
}

/// Obstacles of a user's own with a tree over them, for agents that no crowd holds: the behaviors
/// that read obstacles search it in time that hardly depends on the number of obstacles.
///
/// ```
/// use wayfare::annotation::DebugDraw;
/// use wayfare::behavior::{AvoidObstacles, Steer, avoid_obstacles};
/// use wayfare::geometry::obstacle::{ObstacleIndex, Shape};
/// use wayfare::{Agent, Memory, SteerContext, glam::vec2, spatial::space::Space};
///
/// let trees =
///     (0..10_000).map(|i| Shape::Circle { center: vec2(40.0 * i as f32, 3.0), radius: 8.0 });
/// let forest = ObstacleIndex::new(trees, Space::OPEN);
/// let deer = Agent::new(vec2(3_980.0, 0.0), 2.0).moving(vec2(2.0, 0.0));
/// let avoid = AvoidObstacles::default().see_ahead(50.0).max_avoid_force(5.0);
/// let mut context =
///     SteerContext { obstacles: forest.obstacles(), ..SteerContext::empty(1.0) };
/// let force = avoid.force(&deer, &mut Memory::default(), &mut context, DebugDraw::OFF);
/// // The same as after a test of all trees.
/// assert!(force.y < 0.0);
/// assert_eq!(force, avoid_obstacles(&deer, forest.obstacles(), &avoid));
/// ```
#[derive(Clone, Debug)]
pub struct ObstacleIndex<V: Vector> {
    all: Vec<Obstacle<V>>,
    tree: Bvh<V>,
    space: Space<V>,
}

impl<V: Vector> ObstacleIndex<V> {
    /// The index of these shapes in `space`, with its up axis. In a wrapped space each obstacle is
    /// the image of its shape whose middle is inside the bounds; give the same space to the
    /// [`SteerContext`](crate::SteerContext).
    pub fn new(shapes: impl IntoIterator<Item = Shape<V>>, space: Space<V>) -> Self {
        let all: Vec<_> =
            shapes.into_iter().map(|shape| Obstacle::in_space(shape, &space)).collect();
        Self { tree: bvh_of(&all), all, space }
    }

    /// Replaces all obstacles, in time in proportion to n log n.
    pub fn rebuild(&mut self, shapes: impl IntoIterator<Item = Shape<V>>) {
        *self = Self::new(shapes, self.space);
    }

    /// The obstacles as behaviors read them, in the order of the shapes.
    pub fn obstacles(&self) -> Obstacles<'_, V> {
        Obstacles::indexed(&self.all, &self.tree)
    }
}

impl<'a, V: Vector> Obstacles<'a, V> {
    /// No obstacles.
    pub const NONE: Self = Self { all: &[], tree: None };

    /// The obstacles that `tree` was made from.
    pub(crate) fn indexed(all: &'a [Obstacle<V>], tree: &'a Bvh<V>) -> Self {
        Self { all, tree: Some(tree) }
    }

    /// All of them, in order.
    pub fn iter(&self) -> core::slice::Iter<'a, Obstacle<V>> {
        self.all.iter()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Visits the obstacles that may touch the box from `low` to `high` (length), also across the
    /// edge of a wrapped `space`, with their indices: each once, in any order. Some of those that
    /// are visited do not touch the box.
    #[inline(always)]
    pub fn near(
        &self,
        space: &Space<V>,
        low: V,
        high: V,
        mut visit: impl FnMut(usize, &'a Obstacle<V>),
    ) {
        match self.tree {
            Some(tree) => tree.touching(space, low, high, |index| {
                visit(index as usize, &self.all[index as usize])
            }),
            None => {
                self.all.iter().enumerate().for_each(|(index, obstacle)| visit(index, obstacle))
            }
        }
    }

    /// [`near`](Self::near) in the order of the indices.
    #[inline(always)]
    pub(crate) fn near_in_order(
        &self,
        space: &Space<V>,
        low: V,
        high: V,
        mut visit: impl FnMut(usize, &'a Obstacle<V>),
    ) {
        if self.all.is_empty() {
            return;
        }
        let mut next = 0;
        loop {
            // The lowest indices from `next` on, in order.
            let (mut found, mut count) = ([usize::MAX; AT_ONCE], 0);
            self.near(space, low, high, |index, _| {
                if index < next || (count == AT_ONCE && index > found[AT_ONCE - 1]) {
                    return;
                }
                let at = found[..count].partition_point(|&other| other < index);
                count = (count + 1).min(AT_ONCE);
                found[at..count].rotate_right(1);
                found[at] = index;
            });
            found[..count].iter().for_each(|&index| visit(index, &self.all[index]));
            if count < AT_ONCE {
                return;
            }
            next = found[AT_ONCE - 1] + 1;
        }
    }

    /// The obstacles for searches of boxes inside the one from `low` to `high` (length): none if
    /// none is near that one.
    #[inline(always)]
    pub(crate) fn within(self, space: &Space<V>, low: V, high: V) -> Self {
        // Across an edge, differences of positions round.
        if space.wraps() || self.tree.is_none() {
            return self;
        }
        let mut none = true;
        self.near(space, low, high, |_, _| none = false);
        if none { Self::NONE } else { self }
    }

    /// The obstacle whose surface is nearest to `p`, its index, and its signed distance (length;
    /// negative inside), if that is at most `within`; the first in a tie. In a wrapped `space` the
    /// shortest distance to an image counts.
    pub fn nearest(
        &self,
        space: &Space<V>,
        p: V,
        within: f32,
    ) -> Option<(usize, &'a Obstacle<V>, f32)> {
        self.least(space, p, within, 0.0, |obstacle| {
            obstacle.distance(space.image(obstacle.middle(), p))
        })
    }

    /// The obstacle with the least measure, if that is at most `within`; the first in a tie.
    ///
    /// The measure of an obstacle is at least the distance from `p` to its bounding box minus
    /// `slack` (length), or any number where that distance is at most `slack`; NaN does not count.
    pub(crate) fn least(
        &self,
        space: &Space<V>,
        p: V,
        within: f32,
        slack: f32,
        measure: impl Fn(&Obstacle<V>) -> f32,
    ) -> Option<(usize, &'a Obstacle<V>, f32)> {
        let found = match self.tree {
            Some(tree) => {
                let at = space.inside(p);
                let below = |squared: f32| {
                    if squared.sqrt() > slack { squared.sqrt() - slack } else { f32::NEG_INFINITY }
                };
                let least = tree.min_by(
                    within,
                    |block| {
                        let mut gaps = block.gaps(space, at, at);
                        for lane in 0..BOXES {
                            gaps[lane] = below(gaps[lane]);
                        }
                        gaps
                    },
                    |block| {
                        let gaps = block.gaps(space, at, at);
                        let mut measures = [f32::NAN; BOXES];
                        for lane in 0..BOXES {
                            // An unused box is infinitely far away.
                            let is_near = gaps[lane] < f32::INFINITY && below(gaps[lane]) <= within;
                            // At the limit of the world that is as far as a place can be.
                            let near = self.all.get(block.index[lane] as usize);
                            if let Some(obstacle) = near.filter(|_| is_near) {
                                measures[lane] = measure(obstacle);
                            }
                        }
                        measures
                    },
                );
                least.map(|(least, _, index)| (index as usize, least))
            }
            None => {
                let measures =
                    self.all.iter().map(measure).enumerate().filter(|(_, x)| *x <= within);
                measures.reduce(|best, next| if next.1 < best.1 { next } else { best })
            }
        };
        found.map(|(index, least)| (index, &self.all[index], least))
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, vec2};

    #[test]
    fn obstacles_are_visited_in_their_order_however_many_there_are() {
        let shapes = (0..100).map(|i| {
            let center = vec2((i * 37 % 100) as f32 * 0.1, (i % 7) as f32 * 0.1);
            Shape::Circle { center, radius: 0.5 }
        });
        let index = ObstacleIndex::new(shapes, Space::OPEN);
        let found = |obstacles: Obstacles<'_, Vec2>| {
            let mut found = Vec::new();
            let (low, high) = (vec2(2.0, 0.0), vec2(6.0, 1.0));
            obstacles.near_in_order(&Space::OPEN, low, high, |i, obstacle| {
                if obstacle.touches(low, high) {
                    found.push(i);
                }
            });
            found
        };
        let indexed = found(index.obstacles());
        assert!(indexed.len() > 2 * AT_ONCE && indexed.is_sorted(), "{indexed:?}");
        let all: Vec<_> = index.obstacles().iter().cloned().collect();
        assert_eq!(indexed, found(Obstacles::from(&all)));
    }
}
