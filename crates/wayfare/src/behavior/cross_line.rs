//! Cross a line: by its nearest point that leaves room for the body, and straight on beyond it. The
//! way in which test persons are led through a door in measured scenes, such as the bottlenecks of
//! T. Kretz, A. Grünebohm and M. Schreckenberg (2006).

use super::{Steer, seek};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Kind, Range, Unit, parameters, words};
use crate::spatial::space::Space;
use crate::vector::Vector;
use alloc::vec::Vec;

words! {
    /// The side of a line on which a host ends, seen from the line's first end to its second.
    pub enum LineSide {
        /// It crosses the line to its left.
        Left = "left",
        /// It crosses the line to its right.
        Right = "right",
    }
}

/// The force that crosses the line between two points (length / time): before the line, seek the
/// point of it that is nearest to the host and at least `radius + margin` from both ends (length);
/// beyond the line, straight on: `normal * max_speed - v`, with `normal` the direction across it to
/// the side `to`.
///
/// "Beyond" is the other side of the line continued without end, so a host that is there from the
/// start goes straight on. In space the line is a vertical wall without end, and the host keeps its
/// height. A line that is too short for the margins is crossed in its middle. A host on the line is
/// beyond it. A line without length is a point that is sought.
///
/// ```
/// use wayfare::behavior::{LineSide, cross_line};
/// use wayfare::{Agent, glam::vec2};
/// let door = [vec2(5.0, 3.0), vec2(5.0, 7.0)];
/// let to = LineSide::Right;
/// let guest = Agent { radius: 0.5, ..Agent::new(vec2(1.0, 4.0), 2.0) };
/// // In line with the door: straight on, before it and beyond it.
/// assert_eq!(cross_line(&guest, door, to, 0.0), vec2(2.0, 0.0));
/// // Below the door: to the point (5, 3.5), which leaves room for the body.
/// let guest = Agent { position: vec2(5.0 - 3.0, 3.5 - 4.0), ..guest };
/// assert_eq!(cross_line(&guest, door, to, 0.0), vec2(1.2, 1.6));
/// ```
pub fn cross_line<V: Vector>(host: &impl Host<V>, line: [V; 2], to: LineSide, margin: f32) -> V {
    let host = &Agent::of(host);
    led(&Space::default(), host, line, to, margin, DebugDraw::OFF)
}

fn led<V: Vector>(
    space: &Space<V>,
    host: &Agent<V>,
    [from, to]: [V; 2],
    side: LineSide,
    margin: f32,
    debug: DebugDraw<'_, V>,
) -> V {
    let up = space.up();
    // The image of the host that is nearest to the line.
    let middle = (from + to) * 0.5;
    let inside = space.inside(middle);
    let p = up.ground(space.image(inside, host.position) + (middle - inside));
    let (from, to) = (up.ground(from), up.ground(to));
    let length = (to - from).length();
    let along = (to - from).unit();
    let left = along.perp() * up.sense();
    let normal = if side == LineSide::Left { left } else { -left };
    let force = |desired: V| desired * host.max_speed - host.velocity;
    if length > 0.0 && (p - from).dot(normal) >= 0.0 {
        return force(up.from_ground(normal));
    }
    let room = (host.radius + margin).min(length * 0.5);
    let at = from + along * (p - from).dot(along).clamp(room, length - room);
    let target: V = up.at_height_of(up.ground(host.position) + (at - p), host.position);
    debug.point("target", || target);
    if at == p { force(up.from_ground(normal)) } else { seek(host, target) }
}

parameters! {
    /// Across a line by its nearest point that leaves room for the body, then straight on:
    /// seek(point) before the line, normal * max_speed - v beyond it.
    ///
    /// A door, a gate or a finishing line, as one of several guests would cross it: in line with
    /// the door each goes straight on, and those beside it go to its nearer end. It finds no way
    /// round obstacles; beyond is the other side of the line continued without end.
    #[doc(alias = "door")]
    #[doc(alias = "gate")]
    "cross_line" is(ROUTES) = pub struct CrossLine<V> {
        /// The line.
        line: Vec<V> = required, Kind::Line;
        /// The side on which hosts end, seen from the line's first end to its second.
        to: LineSide = (LineSide::Left), Kind::Word(LineSide::WORDS);
        /// The distance from the line's ends that is kept beside the radius of the body.
        margin: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
    }
}

impl<V: Vector> Steer<V> for CrossLine<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let &[from, to] = &self.line[..] else { return V::ZERO };
        led(&context.space, host, [from, to], self.to, self.margin, debug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone};
    use crate::spatial::space::{Bounds, Edge};
    use crate::vector::Up;
    use glam::{Vec2, Vec3, vec2, vec3};

    const DOOR: [Vec2; 2] = [vec2(5.0, 3.0), vec2(5.0, 7.0)];

    fn force(p: Vec2, line: [Vec2; 2], to: LineSide) -> Vec2 {
        let host = Agent { radius: 0.4, ..Agent::new(p, 10.0) }.moving(vec2(0.0, 1.0));
        let cross = CrossLine { to, margin: 0.1, ..CrossLine::new(line.to_vec()) };
        force_alone(&cross, &host)
    }

    #[test]
    fn a_host_goes_to_the_nearest_point_with_room_for_its_body_and_straight_on_beyond() {
        let right = |p| force(p, DOOR, LineSide::Right);
        // In line with the door, beyond it, and beyond the line but not behind the door.
        for p in [vec2(1.0, 4.0), vec2(5.0, 4.0), vec2(9.0, 4.0), vec2(5.5, 90.0)] {
            assert_near(right(p), vec2(10.0, -1.0));
        }
        // Above and below the door: to the points 0.5 from its ends.
        assert_near(right(vec2(1.0, 9.5)), vec2(8.0, -7.0));
        assert_near(right(vec2(1.0, 0.5)), vec2(8.0, 5.0));
        // To the other side: a host at x = 1 is beyond the line.
        assert_near(force(vec2(1.0, 9.5), DOOR, LineSide::Left), vec2(-10.0, -1.0));
        assert_near(force(vec2(9.0, 9.5), DOOR, LineSide::Left), vec2(-8.0, -7.0));
    }

    #[test]
    fn a_short_line_is_crossed_in_its_middle_and_a_point_is_sought() {
        let short = [vec2(5.0, 4.9), vec2(5.0, 5.1)];
        assert_near(force(vec2(1.0, 8.0), short, LineSide::Right), vec2(8.0, -7.0));
        for p in [vec2(1.0, 8.0), vec2(9.0, 8.0)] {
            let toward = (vec2(5.0, 5.0) - p).normalize() * 10.0;
            let point = [vec2(5.0, 5.0); 2];
            assert_near(force(p, point, LineSide::Left), toward - vec2(0.0, 1.0));
        }
        // Exactly on the point, and with less than two points.
        assert_near(force(vec2(5.0, 5.0), [vec2(5.0, 5.0); 2], LineSide::Left), vec2(0.0, -1.0));
        let host = Agent::new(vec2(1.0, 4.0), 10.0);
        assert_eq!(force_alone(&CrossLine::new(vec![vec2(5.0, 3.0)]), &host), Vec2::ZERO);
    }

    #[test]
    fn in_space_the_height_is_kept_with_each_axis_up() {
        for up in [Up::Z, Up::Y] {
            let at = |v: Vec3| up.from_z_up(v);
            let space = Space::<Vec3>::OPEN.with_up(up);
            let host = Agent::new(at(vec3(1.0, 9.0, 6.0)), 10.0);
            let line = [at(vec3(5.0, 3.0, 0.0)), at(vec3(5.0, 6.0, 2.0))];
            let force = led(&space, &host, line, LineSide::Right, 0.0, DebugDraw::OFF);
            assert_near(force, at(vec3(8.0, -6.0, 0.0)));
            let host = Agent::new(at(vec3(6.0, 9.0, 6.0)), 10.0);
            let force = led(&space, &host, line, LineSide::Right, 0.0, DebugDraw::OFF);
            assert_near(force, at(vec3(10.0, 0.0, 0.0)));
        }
    }

    #[test]
    fn a_line_beside_the_edge_of_a_wrapped_world_is_crossed_by_the_shortest_way() {
        let bounds = Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap };
        let space = Space::new(Some(bounds));
        for x in [2.0, 102.0] {
            let line = [vec2(x, 40.0), vec2(x, 60.0)];
            let host = Agent::new(vec2(98.0, 50.0), 10.0);
            let force = led(&space, &host, line, LineSide::Right, 0.0, DebugDraw::OFF);
            assert_near(force, vec2(10.0, 0.0));
            let host = Agent::new(vec2(99.0, 36.0), 10.0);
            let force = led(&space, &host, line, LineSide::Right, 0.0, DebugDraw::OFF);
            assert_near(force, vec2(6.0, 8.0));
        }
    }
}
