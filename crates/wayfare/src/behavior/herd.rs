//! Herd: a dog gathers a flock and drives it to a target. D. Strömbom et al., "Solving the
//! shepherding problem: heuristics for herding autonomous, interacting agents", J. R. Soc.
//! Interface 11, 2014, section 2.2; the host is its shepherd.
//!
//! Departures: the host slows down before its position, as in `arrive`, and has no angular noise.
//! The reduced speed is a part of the host's own: the source's 0.3 r_a in a time step, with r_a = 2
//! m, is 0.4 of its shepherd's 1.5 m. In space the formulas are those of the plane.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::id::AgentId;
use crate::parameter::{Auto, Formula, GroupId, Kind, Range, Scale, Target, Unit, parameters};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::group_center::GroupCenter;
use crate::spatial::space::Space;
use crate::vector::Vector;

parameters! {
    /// Gather a flock and drive it to the target, from behind it. If all N members are within
    /// spacing * N^(2/3) of their center, the host drives: it goes to the point spacing * sqrt(N)
    /// behind the center, as seen from the target. If not, it collects: it goes to the point one
    /// spacing behind the member that is farthest from the center, as seen from there.
    ///
    /// The flock moves only if it flees from the host: give its members `flee`, with a panic_radius
    /// above spacing * sqrt(N). The host goes straight to its point, also through the flock.
    #[doc(alias = "shepherd")]
    #[doc(alias = "sheepdog")]
    #[derive(Copy)]
    "herd" needs(CENTERS) is(ROUTES) = pub struct Herd<V> {
        /// The group that is herded.
        flock: GroupId = required, Kind::Group;
        /// The point that the flock is driven to.
        target: Target<V> = required, Kind::Target;
        /// The distance that members keep from each other, the source's r_a. With a larger one the
        /// host drives a flock that is less dense, and stays farther behind. `"auto"` takes the
        /// spacing of the host.
        spacing: Auto = (Auto::Auto),
            Kind::Auto(Range::above_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// The distance to the nearest member below which the host slows down, in spacings.
        near: f32 = 3.0, Kind::Number(Range::from_zero(Unit::None));
        /// The speed near a member, as a part of max_speed: slower than the flock flees, so that
        /// the host does not split it.
        near_speed: f32 = 0.4, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        /// The distance from its point at which slowing begins; `"auto"` takes the larger of mass *
        /// max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
    }
}

/// The force that gathers a flock and drives it to `target` (length / time): `arrive` at the
/// driving or collecting position, at most at `near_speed * max_speed` near a member.
///
/// `flock` are the positions of its members (length); the flock and the target in `parameters` are
/// not read. Of several members that are farthest from the center the first one counts. Zero
/// without members; `-v` if the gathered flock has its center on the target, or the host is on its
/// position.
///
/// ```
/// use wayfare::behavior::{Herd, herd};
/// use wayfare::{Agent, glam::vec2};
/// let flock = [vec2(49.0, 0.0), vec2(50.0, 1.0), vec2(50.0, -1.0), vec2(51.0, 0.0)];
/// let target = vec2(0.0, 0.0);
/// // 2 spacings of 5 behind the center: (60, 0).
/// let dog = Agent::new(vec2(60.0, 80.0), 6.0);
/// let force = herd(&dog, &flock, target, &Herd::new(0, target).spacing(5.0));
/// assert_eq!(force, vec2(0.0, -6.0));
/// ```
pub fn herd<V: Vector>(host: &impl Host<V>, flock: &[V], target: V, parameters: &Herd<V>) -> V {
    let members = flock.iter().enumerate().map(|(id, p)| (AgentId(id as u32), *p));
    let Some(center) = GroupCenter::of(&Space::OPEN, members) else { return V::ZERO };
    let distance = |p: &V| (*p - host.position()).length();
    let nearest = flock.iter().map(distance).fold(f32::INFINITY, f32::min);
    let is_near = nearest < parameters.near * parameters.spacing.of(host, Scale::spacing);
    herd_in(&Space::OPEN, host, &center, target, is_near, parameters, DebugDraw::OFF)
}

/// [`herd()`] of a flock with this center in a world that may be wrapped. `is_near` is whether a
/// member is near the host.
fn herd_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    flock: &GroupCenter<V>,
    target: V,
    is_near: bool,
    parameters: &Herd<V>,
    debug: DebugDraw<'_, V>,
) -> V {
    let (p, spacing) = (host.position(), parameters.spacing.of(host, Scale::spacing));
    let center = space.image(p, flock.position);
    let count = flock.count as f32;
    let gathered = spacing * libm::cbrtf(count * count);
    debug.circle("gathered", || (center, gathered));
    let position = if flock.radius <= gathered {
        let behind = (center - space.image(center, target)).unit();
        if behind == V::ZERO {
            return -host.velocity();
        }
        debug.segment("drive", || (center, space.image(center, target)));
        center + behind * (spacing * count.sqrt())
    } else {
        let stray = space.image(center, flock.farthest_position);
        debug.segment("collect", || (stray, center));
        stray + (stray - center).unit() * spacing
    };
    let position = space.image(p, position);
    debug.point("target", || position);
    let offset = position - p;
    let (distance, slowing) =
        (offset.length(), parameters.slowing_radius.of(host, Scale::slowing_radius));
    let ramp = if distance < slowing { distance / slowing } else { 1.0 };
    let most = if is_near { parameters.near_speed } else { 1.0 };
    offset.unit() * (host.max_speed() * ramp.min(most)) - host.velocity()
}

impl<V: Vector> Steer<V> for Herd<V> {
    // Out of line: the code of the other behaviors in the dispatch stays as it is.
    #[inline(never)]
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(target) = context.target(host, &self.target, f32::INFINITY) else {
            return V::ZERO;
        };
        let Some(center) = context.center(self.flock) else { return V::ZERO };
        let near = self.near * self.spacing.of(host, Scale::spacing);
        let nearest = context.member(host, self.flock, near);
        let is_near =
            nearest.is_some_and(|member| (member.position - host.position).length() < near);
        herd_in(&context.space, host, &center, target, is_near, self, debug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone, force_with};
    use crate::context::AgentView;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn dog(p: Vec2) -> Agent<Vec2> {
        Agent::new(p, 10.0).moving(vec2(1.0, 2.0))
    }

    fn herding(spacing: f32) -> Herd<Vec2> {
        Herd { slowing_radius: Auto::Fixed(0.0), ..Herd::new(0, Vec2::ZERO).spacing(spacing) }
    }

    /// Eight members: seven at (100, 0), and one farther to the right.
    fn flock(beyond: f32) -> [Vec2; 8] {
        let mut flock = [vec2(100.0, 0.0); 8];
        flock[3].x += beyond;
        flock
    }

    #[test]
    fn a_gathered_flock_is_driven_from_behind_and_a_stray_is_collected() {
        // f(8) = 4 spacings. The stray is 7/8 of 8 from the center at (101, 0): 7 away.
        let host = dog(vec2(101.0, 90.0));
        let force = |spacing| herd(&host, &flock(8.0), Vec2::ZERO, &herding(spacing));
        let drives = vec2(101.0 + 1.75 * 8.0_f32.sqrt(), 0.0);
        let collects = vec2(108.0 + 1.74, 0.0);
        for (spacing, position) in [(1.75, drives), (1.74, collects)] {
            let wanted = (position - host.position).unit() * 10.0;
            assert_near(force(spacing), wanted - host.velocity);
        }
        let high = Agent::new(vec3(0.0, 0.0, 60.0), 10.0);
        let parameters =
            Herd { slowing_radius: Auto::Fixed(0.0), ..Herd::new(0, Vec3::ZERO).spacing(2.0) };
        // The driving position is (0, 0, 42).
        let force = herd(&high, &[vec3(0.0, 0.0, 40.0)], Vec3::ZERO, &parameters);
        assert_near(force, vec3(0.0, 0.0, -10.0));
    }

    #[test]
    fn the_host_slows_down_near_a_member_and_before_its_position() {
        let speed = |host: Vec2, slowing_radius| {
            let parameters = Herd { slowing_radius, ..herding(2.0) };
            let host = dog(host);
            (herd(&host, &flock(0.0), Vec2::ZERO, &parameters) + host.velocity).length()
        };
        let seek = Auto::Fixed(0.0);
        // Three spacings are 6.
        assert_near(vec2(speed(vec2(100.0, 6.0), seek), 0.0), vec2(10.0, 0.0));
        assert_near(vec2(speed(vec2(100.0, 5.9), seek), 0.0), vec2(4.0, 0.0));
        let behind = vec2(100.0 + 2.0 * 8.0_f32.sqrt(), 0.0);
        let far = Herd { near: 0.0, slowing_radius: Auto::Fixed(20.0), ..herding(2.0) };
        let host = Agent::new(behind + vec2(0.0, 5.0), 10.0);
        assert_near(herd(&host, &flock(0.0), Vec2::ZERO, &far), vec2(0.0, -2.5));
    }

    #[test]
    fn without_a_flock_there_is_no_force_and_on_its_position_or_at_the_end_the_host_brakes() {
        let host = dog(vec2(30.0, 40.0));
        assert_eq!(herd(&host, &[], Vec2::ZERO, &herding(2.0)), Vec2::ZERO);
        assert_eq!(force_alone(&herding(2.0), &host), Vec2::ZERO);
        // The center is on the target; the host is on the center; the host is on its position.
        let around = [vec2(1.0, 0.0), vec2(-1.0, 0.0)];
        assert_eq!(herd(&host, &around, Vec2::ZERO, &herding(2.0)), -host.velocity);
        let inside = dog(Vec2::ZERO);
        assert_eq!(herd(&inside, &around, Vec2::ZERO, &herding(2.0)), -host.velocity);
        let behind = dog(vec2(12.0, 0.0));
        assert_eq!(herd(&behind, &[vec2(10.0, 0.0)], Vec2::ZERO, &herding(2.0)), -host.velocity);
        // A host on the center drives, too: it goes to the position behind.
        let found = herd(&dog(vec2(100.0, 0.0)), &flock(0.0), Vec2::ZERO, &herding(2.0));
        assert_near(found, vec2(4.0, 0.0) - host.velocity);
    }

    #[test]
    fn the_behavior_is_the_function_and_in_a_wrapped_world_it_drives_across_the_edge() {
        let (host, sheep) = (dog(vec2(30.0, 40.0)), vec2(28.0, 40.0));
        for behavior in [herding(2.0), Herd { near: 0.5, ..herding(2.0) }] {
            let found = force_with(&behavior, &host, AgentView::new(sheep, Vec2::ZERO));
            assert_eq!(found, herd(&host, &[sheep], Vec2::ZERO, &behavior));
        }
        let bounds = Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap };
        let space = Space::new(Some(bounds));
        let flock = [(AgentId(0), vec2(98.0, 50.0)), (AgentId(1), vec2(2.0, 50.0))];
        let center = GroupCenter::of(&space, flock.into_iter()).unwrap();
        for (target, expected) in [(20.0, -10.0), (80.0, 10.0)] {
            // The position is 2.8 behind the center at 0.
            let host = Agent::new(vec2(if target == 20.0 { 10.0 } else { 90.0 }, 50.0), 10.0);
            let target = vec2(target, 50.0);
            let found =
                herd_in(&space, &host, &center, target, false, &herding(2.0), DebugDraw::OFF);
            assert_near(found, vec2(expected, 0.0));
        }
    }
}
