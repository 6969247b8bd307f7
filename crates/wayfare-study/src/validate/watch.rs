//! Watches every tick of a run: no center goes through a wall, and no two centers through one
//! another.
//!
//! - A wall is crossed by a step of a center that has a point in common with the surface of an
//!   obstacle that did not hold the center before.
//! - Two centers cross in a tick in which they come nearer than half of the smaller radius, with
//!   both going straight on from the tick's start to its end. Bodies that touch have centers that
//!   are two radii apart; so near are only those of which one passes through the other.
//!
//! An agent that enters or leaves in a tick is not watched in it. Agents must not be respawned.

use wayfare::Crowd;
use wayfare::geometry::visibility::line_of_sight;
use wayfare::glam::Vec2;
use wayfare::spatial::space::{Bounds, Space};

/// The findings in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found {
    /// The steps of centers through walls.
    pub(super) walls: u64,
    /// The steps in which two centers have crossed.
    pub(super) pairs: u64,
    /// The deepest overlap of two bodies, as a part of the smaller radius.
    pub(super) overlap: f32,
}

/// A body between two ticks.
#[derive(Clone, Copy, Debug)]
struct Moved {
    from: Vec2,
    step: Vec2,
    radius: f32,
}

/// Sees a run tick by tick.
pub(super) struct Watch {
    space: Space<Vec2>,
    /// The lower end and the extent of a wrapped world on x.
    wrapped: Option<(f32, f32)>,
    /// The positions at the tick before, by id.
    before: Vec<Option<Vec2>>,
    moved: Vec<Moved>,
    pub(super) found: Found,
}

impl Watch {
    pub(super) fn new(bounds: Option<Bounds<Vec2>>) -> Self {
        let space = Space::new(bounds);
        let wrapped = bounds.filter(|_| space.wraps()).map(|b| (b.min.x, b.max.x - b.min.x));
        Self { space, wrapped, before: Vec::new(), moved: Vec::new(), found: Found::default() }
    }

    /// Sees the start of a run, or the state after a tick.
    pub(super) fn record(&mut self, crowd: &Crowd<Vec2>) {
        let before = std::mem::take(&mut self.before);
        self.moved.clear();
        for (id, agent) in crowd.agents() {
            let at = id.0 as usize;
            if self.before.len() <= at {
                self.before.resize(at + 1, None);
            }
            self.before[at] = Some(agent.position);
            if let Some(from) = before.get(at).copied().flatten() {
                let step = self.space.difference(from, agent.position);
                self.moved.push(Moved { from, step, radius: agent.radius });
            }
        }
        let obstacles = crowd.obstacles();
        let through = |body: &&Moved| {
            body.step != Vec2::ZERO && !line_of_sight(body.from, body.from + body.step, obstacles)
        };
        self.found.walls += self.moved.iter().filter(through).count() as u64;
        self.found.pairs += self.crossing_pairs();
        let overlaps = [crowd.deepest_overlap(), crowd.deepest_entry()];
        self.found.overlap = overlaps.into_iter().flatten().fold(self.found.overlap, f32::max);
    }

    /// The pairs whose centers cross in this tick.
    fn crossing_pairs(&mut self) -> u64 {
        let reach = { self.moved.iter() }
            .map(|body| body.radius * 0.5 + 2.0 * body.step.length())
            .fold(0.0, f32::max);
        if let Some((low, right)) = self.wrapped {
            // The images of those beside the left edge: a sweep along x finds all neighbors.
            let images: Vec<Moved> = { self.moved.iter() }
                .filter(|body| body.from.x < low + reach)
                .map(|body| Moved { from: body.from + Vec2::new(right, 0.0), ..*body })
                .collect();
            self.moved.extend(images);
        }
        self.moved.sort_unstable_by(|a, b| a.from.x.total_cmp(&b.from.x));
        let mut pairs = 0;
        for (i, a) in self.moved.iter().enumerate() {
            let near = self.moved[i + 1..].iter().take_while(|b| b.from.x - a.from.x <= reach);
            pairs += near.filter(|b| cross(a, b)).count() as u64;
        }
        pairs
    }
}

/// Whether two centers come nearer than half of the smaller radius.
fn cross(a: &Moved, b: &Moved) -> bool {
    let (offset, step) = (b.from - a.from, b.step - a.step);
    let square = step.length_squared();
    let at = if square > 0.0 { (-offset.dot(step) / square).clamp(0.0, 1.0) } else { 0.0 };
    (offset + step * at).length() < 0.5 * a.radius.min(b.radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::vec2;
    use wayfare::spatial::space::Edge;

    fn watched(setup: Setup<Vec2>) -> Found {
        let mut watch = Watch::new(setup.bounds);
        let mut crowd = Crowd::new(setup).unwrap();
        watch.record(&crowd);
        for _ in 0..10 {
            crowd.step();
            watch.record(&crowd);
        }
        watch.found
    }

    fn walker(name: &str, from: Vec2, velocity: Vec2) -> Group<Vec2> {
        let mut group = Group::new(name, 1, Spawn::Points(vec![from]), 2.0);
        group.velocity = StartVelocity::Same(velocity);
        group.radius = wayfare::crowd::Distribution::Same(0.2);
        group
    }

    #[test]
    fn a_wall_that_is_crossed_and_centers_that_cross_are_counted_once() {
        let wall = Shape::Segment { from: vec2(5.0, -9.0), to: vec2(5.0, 9.0), thickness: 0.0 };
        let setup = |y: f32| Setup {
            groups: vec![
                walker("a", vec2(0.5, 0.0), vec2(1.0, 0.0)),
                walker("b", vec2(9.5, y), vec2(-1.0, 0.0)),
            ],
            obstacles: vec![wall.clone()],
            ..Setup::default()
        };
        // They meet halfway between two ticks.
        let through = watched(setup(0.05));
        assert_eq!((through.walls, through.pairs), (2, 1));
        let beside = watched(setup(0.3));
        assert_eq!((beside.walls, beside.pairs), (2, 0));
    }

    #[test]
    fn centers_cross_at_the_edge_of_a_wrapped_world() {
        let bounds = Bounds { min: vec2(-3.0, -20.0), max: vec2(17.0, 20.0), edge: Edge::Wrap };
        let setup = Setup {
            groups: vec![
                walker("a", vec2(15.6, 0.0), vec2(1.0, 0.0)),
                walker("b", vec2(-1.0, 0.0), vec2(-1.0, 0.0)),
            ],
            bounds: Some(bounds),
            ..Setup::default()
        };
        assert_eq!(watched(setup).pairs, 1);
    }
}
