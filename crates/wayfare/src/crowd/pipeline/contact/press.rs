//! Bodies that press so hard that the iterations of a tick leave deep overlaps.
//!
//! An iteration passes a push on from body to body, and each body of a crowd that seeks one point
//! adds its step in each tick: the pressure of all would end at those in front. Where an overlap is
//! deeper than [`DEEP`] after the last iteration, further ones are accelerated: each begins where
//! the last movement would lead to (accelerated gradient descent, Y. Nesterov, 1983; for contacts
//! H. Mazhar et al., "Using Nesterov's method to accelerate multibody dynamics with friction and
//! contact", ACM Transactions on Graphics 34, 2015). A push then reaches as many bodies as there
//! are iterations, and not the square root of their number.

use super::others::Others;
use super::search::larger;
use super::solid::SolidBodies;
use super::walls::Walls;
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::threads::Share;
use crate::vector::Vector;

/// The overlap, as a part of the smaller radius, from which on iterations are accelerated. Bodies
/// that walk do not come near it: results change only where they press.
const DEEP: f32 = 0.08;
/// The overlap at which they end.
const ENOUGH: f32 = 0.05;
/// The number of iterations in a block. Each block begins from rest: what went too far comes back.
const BLOCK: u32 = 32;
/// The largest number of blocks.
const MOST_BLOCKS: u32 = 16;
/// The longest way ahead, as a part of the radius: with the longest correction less than a radius,
/// so that no center passes a wall.
const AHEAD: f32 = 0.25;

impl<V: Vector> SolidBodies<V> {
    /// The further iterations of a tick whose longest step this is (length), where the last one has
    /// left deep overlaps.
    pub(super) fn separate_pressed(
        &mut self,
        walls: Walls<'_, V>,
        longest: f32,
        mut others: Option<&mut Others<'_>>,
        shared: Share,
    ) {
        if self.deepest <= DEEP {
            return;
        }
        let count = self.bodies.len();
        self.last.resize(count);
        for _ in 0..MOST_BLOCKS {
            self.last.copy_from(&self.position, count);
            for iteration in 0..BLOCK {
                let found = self.iterate(walls, longest, others.as_deref_mut(), shared);
                if iteration == 0 && (found.deepest <= ENOUGH || found.moved == 0.0) {
                    return;
                }
                core::mem::swap(&mut self.position, &mut self.after);
                let (number, is_last) = (iteration as f32, iteration + 1 == BLOCK);
                let part = if is_last { 0.0 } else { (number + 1.0) / (number + 4.0) };
                let ahead = self.go_ahead(walls, part, others.as_deref_mut());
                self.note_moved(found.moved + ahead, others.as_deref_mut());
            }
        }
        self.iterate(walls, longest, others, shared);
    }

    /// Moves each body on by this part of its way since the last iteration; returns the longest way
    /// of one (length).
    fn go_ahead(&mut self, walls: Walls<'_, V>, part: f32, others: Option<&mut Others<'_>>) -> f32 {
        let mut longest = 0.0;
        // Also those that were pushed away from all others: which may touch any depends on when
        // they were searched.
        for i in 0..self.agents {
            let (from, to) = (self.last.get(i), self.position.get(i));
            self.last.set(i, to);
            let way = walls.space.difference(from, to) * part;
            let way = way.truncate(AHEAD * self.bodies[i].radius);
            longest = larger(longest, way.length_squared());
            self.position.set(i, walls.space.inside(to + way));
        }
        // An iteration writes only those that may touch something.
        self.after.copy_from(&self.position, self.bodies.len());
        let mut numbers = [longest];
        if let Some(others) = others {
            others.parts.largest(&mut numbers);
        }
        numbers[0].sqrt()
    }
}
