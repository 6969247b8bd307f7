//! Visibility: the line of sight between two points, and whether an agent sees a point.
//!
//! M. Buckland, "Programming Game AI by Example", 2005, chapter 5 ("Making it tougher: sensory
//! memory"), has the same three tests: the distance, the field of view, and the line of sight. The
//! crowd keeps the last seen position: [`Perception`](crate::crowd::Perception).

use crate::agent::{Agent, Host};
use crate::geometry::obstacle::Obstacles;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Whether no surface of an obstacle lies on the segment from `from` to `to` (lengths).
///
/// An obstacle that contains `from` does not count: an agent inside a bush sees out of it, and is
/// not seen from outside. In space a segment without thickness hides nothing. A point always sees
/// itself.
///
/// ```
/// use wayfare::{
///     geometry::obstacle::{Obstacle, Shape},
///     geometry::visibility::line_of_sight,
///     glam::vec2,
/// };
/// let wall = [Obstacle::from(Shape::Segment {
///     from: vec2(50.0, -20.0),
///     to: vec2(50.0, 20.0),
///     thickness: 4.0,
/// })];
/// assert!(!line_of_sight(vec2(0.0, 0.0), vec2(100.0, 0.0), &wall));
/// assert!(line_of_sight(vec2(0.0, 0.0), vec2(100.0, 60.0), &wall));
/// ```
pub fn line_of_sight<'a, V: Vector>(
    from: V,
    to: V,
    obstacles: impl Into<Obstacles<'a, V>>,
) -> bool {
    line_of_sight_in(&Space::default(), from, to, obstacles.into())
}

/// [`line_of_sight`] from a point inside the bounds to the nearest image of another one.
pub(crate) fn line_of_sight_in<V: Vector>(
    space: &Space<V>,
    from: V,
    to: V,
    obstacles: Obstacles<'_, V>,
) -> bool {
    let (low, high, mut free) = (from.min(to), from.max(to), true);
    obstacles.near(space, low, high, |_, obstacle| {
        // In a wrapped world the line may hit any image of the obstacle.
        free = free
            && space.image_offsets().all(|turn| {
                let p = from + turn;
                !obstacle.touches(low + turn, high + turn)
                    || obstacle.cast_segment(p, to + turn, 0.0).is_none()
                    || obstacle.contains(p)
            });
    });
    free
}

/// Whether `host` sees `target` (length): at most `within` away (length), inside the field of view
/// (degrees) around the host's facing, and [in line of sight](line_of_sight). A target at distance
/// zero is seen.
///
/// A host whose type stores no heading faces +x at rest; with
/// [`Memory::agent_with_heading`](crate::Memory::agent_with_heading) it keeps its last heading.
///
/// ```
/// use wayfare::{
///     Agent, geometry::obstacle::Obstacles, geometry::visibility::can_see, glam::vec2,
/// };
/// let guard = Agent::new(vec2(0.0, 0.0), 3.0); // it faces +x
/// assert!(can_see(&guard, vec2(30.0, 29.0), 50.0, 90.0, Obstacles::NONE));
/// assert!(!can_see(&guard, vec2(30.0, 31.0), 50.0, 90.0, Obstacles::NONE));
/// ```
pub fn can_see<'a, V: Vector>(
    host: &impl Host<V>,
    target: V,
    within: f32,
    field_of_view: f32,
    obstacles: impl Into<Obstacles<'a, V>>,
) -> bool {
    let cone = ViewCone::new(within, field_of_view);
    cone.see(&Space::default(), &Agent::of(host), target, obstacles.into())
}

/// The range and the field of view of an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewCone {
    pub(crate) within: f32,
    /// The cosine of half the field of view; `None` for 360 degrees.
    cosine: Option<f32>,
}

impl ViewCone {
    /// `within` is a length, `field_of_view` in degrees.
    pub(crate) fn new(within: f32, field_of_view: f32) -> Self {
        Self {
            within,
            cosine: (field_of_view < 360.0).then(|| libm::cosf((field_of_view * 0.5).to_radians())),
        }
    }

    /// Whether `host` sees `target`, which is its image nearest to the host.
    pub(crate) fn see<V: Vector>(
        &self,
        space: &Space<V>,
        host: &Agent<V>,
        target: V,
        obstacles: Obstacles<'_, V>,
    ) -> bool {
        let offset = target - host.position;
        let distance = offset.length();
        let in_view = || {
            distance == 0.0
                || self.cosine.is_none_or(|cosine| offset.dot(host.facing) >= cosine * distance)
        };
        distance <= self.within
            && in_view()
            && line_of_sight_in(space, host.position, target, obstacles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::obstacle::{Obstacle, Shape, bvh_of};
    use crate::random::Random;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn shapes() -> Vec<Obstacle<Vec2>> {
        let polygon =
            [(100.0, 0.0), (110.0, 0.0), (110.0, 4.0), (104.0, 4.0), (104.0, 10.0), (100.0, 10.0)];
        [
            Shape::Circle { center: vec2(0.0, 0.0), radius: 10.0 },
            Shape::Box {
                center: vec2(50.0, 0.0),
                half: vec2(10.0, 2.0),
                angle: core::f32::consts::FRAC_PI_2,
            },
            Shape::Polygon { points: polygon.map(|(x, y)| vec2(x, y)).to_vec() },
            Shape::Segment { from: vec2(150.0, -5.0), to: vec2(150.0, 5.0), thickness: 0.0 },
        ]
        .map(Obstacle::from)
        .to_vec()
    }

    #[test]
    fn each_shape_hides_points_behind_it_and_none_beside_it() {
        let obstacles = shapes();
        let free = |from: (f32, f32), to: (f32, f32)| {
            line_of_sight(Vec2::from(from), Vec2::from(to), Obstacles::from(&obstacles))
        };
        // Each pair passes a shape: through it, and just beside it. The turned box ends at y = 10.
        assert_eq!(
            [free((-20.0, 9.9), (20.0, 9.9)), free((-20.0, 10.1), (20.0, 10.1))],
            [false, true]
        );
        assert_eq!(
            [free((40.0, 9.9), (60.0, 9.9)), free((40.0, 10.1), (60.0, 10.1))],
            [false, true]
        );
        // In the corner of the L, and from there to behind it.
        assert_eq!(
            [free((105.0, 9.0), (109.0, 5.0)), free((105.0, 9.0), (99.0, 9.0))],
            [true, false]
        );
        assert_eq!(
            [free((140.0, 0.0), (160.0, 0.0)), free((140.0, 5.1), (160.0, 5.1))],
            [false, true]
        );
        // The line ends before the shape; a point sees itself, also inside.
        assert!(
            free((-20.0, 0.0), (-10.1, 0.0))
                && free((30.0, 0.0), (30.0, 0.0))
                && free((0.0, 0.0), (0.0, 0.0))
        );
        // Out of a shape and not into it; also within it. The outline of a polygon does not count
        // from inside.
        assert!(
            free((0.0, 0.0), (0.0, 20.0))
                && !free((0.0, 20.0), (0.0, 0.0))
                && free((0.0, 5.0), (0.0, -5.0))
        );
        assert!(free((102.0, 2.0), (90.0, 2.0)) && !free((90.0, 2.0), (102.0, 2.0)));
        // In space: a ball, and a wall without an end along z.
        let ball = [Obstacle::from(Shape::Circle { center: vec3(0.0, 0.0, 5.0), radius: 2.0 })];
        assert!(
            !line_of_sight(Vec3::ZERO, vec3(0.0, 0.0, 10.0), Obstacles::from(&ball))
                && line_of_sight(Vec3::ZERO, vec3(0.0, 9.0, 10.0), Obstacles::from(&ball))
        );
    }

    #[test]
    fn targets_beyond_the_range_or_outside_the_field_of_view_are_not_seen() {
        let sees = |heading: Vec2, target: Vec2, within: f32, view: f32| {
            let host = Agent { facing: heading, ..Agent::new(vec2(10.0, 20.0), 1.0) };
            can_see(&host, target, within, view, Obstacles::NONE)
        };
        assert_eq!(
            [
                sees(Vec2::X, vec2(13.0, 24.0), 5.0, 360.0),
                sees(Vec2::X, vec2(13.0, 24.0), 4.9, 360.0)
            ],
            [true, false]
        );
        // 60 degrees to the left of the heading: a little wider than 120, a little narrower.
        let aside = vec2(10.0, 20.0) + Vec2::from_angle(60.0_f32.to_radians()) * 8.0;
        assert_eq!(
            [
                sees(Vec2::X, aside, 9.0, 120.1),
                sees(Vec2::X, aside, 9.0, 119.9),
                sees(Vec2::Y, aside, 9.0, 60.1)
            ],
            [true, false, true]
        );
        // At distance zero everything is seen, and at 0 degrees targets straight ahead.
        assert!(
            sees(Vec2::X, vec2(10.0, 20.0), 0.0, 0.0)
                && sees(Vec2::X, vec2(15.0, 20.0), 9.0, 0.0)
                && !sees(Vec2::X, vec2(5.0, 20.0), 9.0, 359.0)
        );
        let up = Agent { facing: Vec3::Z, ..Agent::new(Vec3::ZERO, 1.0) };
        assert!(
            can_see(&up, vec3(1.0, 1.0, 3.0), 9.0, 90.0, Obstacles::NONE)
                && !can_see(&up, vec3(3.0, 3.0, 1.0), 9.0, 90.0, Obstacles::NONE)
        );
    }

    #[test]
    fn a_wall_hides_across_the_edge_of_a_wrapped_world_with_and_without_an_index() {
        let space =
            Space::new(Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap }));
        let wall = [Obstacle::from(Shape::Segment {
            from: vec2(2.0, 40.0),
            to: vec2(2.0, 60.0),
            thickness: 1.0,
        })];
        let tree = bvh_of(&wall);
        for obstacles in [Obstacles::from(&wall), Obstacles::indexed(&wall, &tree)] {
            let free = |from: Vec2, to: Vec2| {
                line_of_sight_in(&space, from, space.image(from, to), obstacles)
            };
            // The shortest segments from 95 to 5 and from 20 to 90 cross the wall at 2; the one
            // from 5 to 50 does not.
            assert_eq!(
                [free(vec2(95.0, 50.0), vec2(5.0, 50.0)), free(vec2(5.0, 50.0), vec2(95.0, 50.0))],
                [false, false]
            );
            assert_eq!(
                [free(vec2(20.0, 50.0), vec2(90.0, 50.0)), free(vec2(5.0, 50.0), vec2(50.0, 50.0))],
                [false, true]
            );
            assert!(free(vec2(95.0, 70.0), vec2(5.0, 70.0)));
        }
        // Many shapes, with and without a tree, compared with a test of all of them.
        let mut random = Random::new(5, 0, 0, 0);
        let mut point = || vec2(random.between(0.0, 300.0), random.between(0.0, 300.0));
        let many: Vec<Obstacle<Vec2>> = (0..60)
            .map(|_| [point(), point()])
            .map(|[p, q]| Shape::Segment { from: p, to: p + q * 0.1, thickness: 2.0 }.into())
            .collect();
        let tree = bvh_of(&many);
        let mut hidden = 0;
        for _ in 0..300 {
            let (from, to) = (point(), point());
            let one_by_one =
                many.iter().all(|o| o.contains(from) || o.cast_segment(from, to, 0.0).is_none());
            assert_eq!(
                [
                    line_of_sight(from, to, Obstacles::from(&many)),
                    line_of_sight(from, to, Obstacles::indexed(&many, &tree))
                ],
                [one_by_one; 2]
            );
            hidden += u32::from(!one_by_one);
        }
        assert!((50..290).contains(&hidden), "{hidden}");
    }
}
