//! Herd: a dog gathers a flock and drives it to a target. D. Strömbom et al., "Solving the
//! shepherding problem: heuristics for herding autonomous, interacting agents", J. R. Soc.
//! Interface 11, 2014, section 2.2; the host is its shepherd.
//!
//! Departures: the host slows down before its position, as in `arrive`, and has no angular noise.
//! The reduced speed is a part of the host's own: the source's 0.3 r_a in a time step, with r_a = 2
//! m, is 0.4 of its shepherd's 1.5 m. In space the formulas are those of the plane. A flock with
//! nothing at its center is not gathered: between two halves the source's shepherd stands for ever,
//! unless the sheep see it from afar, as the source's do.
//!
//! The source has one shepherd. Members of a group share the work by rules of our own: a flock is
//! gathered where all of it is as near to its center as they are when they drive, and they go round
//! it, so that one does not undo what another has done.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::id::AgentId;
use crate::parameter::{Auto, Formula, GroupId, Kind, Range, Scale, Target, Unit, parameters};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::spatial::group_center::GroupCenter;
use crate::spatial::space::Space;
use crate::vector::Vector;

parameters! {
    /// Gather a flock and drive it to the target, from behind it. If all N members are within
    /// spacing * N^(2/3) of their center, and one within spacing * sqrt(N) / 2, the host drives: it
    /// goes to the point spacing * sqrt(N) behind the center, as seen from the target. If not, it
    /// collects: it goes to the point one spacing behind the member that is farthest from the
    /// center, as seen from there.
    ///
    /// Several members of a group share the work: the one nearest to that point collects there,
    /// another one a stray on the opposite side, if there is one, and the others drive, from both
    /// sides of the point behind the center. For them the flock is gathered within spacing *
    /// sqrt(N), and they go round it.
    ///
    /// The flock moves only if it flees from the host: give its members `flee`, with a panic_radius
    /// above spacing * sqrt(N). A host alone goes straight to its point, also through the flock.
    #[doc(alias = "shepherd")]
    #[doc(alias = "sheepdog")]
    #[derive(Copy)]
    "herd" needs(CENTERS PEERS) is(ROUTES) = pub struct Herd<V> {
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
    let nearest_to = |to: V| {
        let squared = |p: &V| (*p - to).length_squared();
        flock.iter().copied().reduce(|best, p| if squared(&p) < squared(&best) { p } else { best })
    };
    let (space, id) = (&Space::OPEN, AgentId::NONE);
    let work = Work { space, flock: &center, target, nearest_to, id, host_at: |_, _| None };
    work.force(host, parameters, DebugDraw::OFF)
}

/// What a host of [`herd()`] knows, in a world that may be wrapped.
struct Work<'a, V: Vector, N, P> {
    space: &'a Space<V>,
    flock: &'a GroupCenter<V>,
    target: V,
    /// The member of the flock nearest to a point, at its image there.
    nearest_to: N,
    /// The host's id, and the member of its group nearest to a point, at its image there, but for
    /// one id: the host itself, if it is the nearest one.
    id: AgentId,
    host_at: P,
}

/// Of hosts that drive together, the distance of each from the line of the drive, as a part of its
/// distance behind the center.
const FLANK: f32 = 0.3;
/// The way round the flock is this part of the driving distance farther out than the flock and the
/// place at its end.
const CLEARANCE: f32 = 0.5;
/// The cosine and sine of the angle about the center by which a host that goes round the flock
/// looks ahead: 40 degrees. At a smaller angle it goes straight to its place.
const ROUND: (f32, f32) = (0.766_044_44, 0.642_787_6);

impl<V: Vector, N, P> Work<'_, V, N, P>
where
    N: Fn(V) -> Option<V>,
    P: Fn(V, AgentId) -> Option<AgentView<V>>,
{
    fn force(&self, host: &impl Host<V>, parameters: &Herd<V>, debug: DebugDraw<'_, V>) -> V {
        let (p, spacing) = (host.position(), parameters.spacing.of(host, Scale::spacing));
        let Some(position) = self.position(p, spacing, debug) else { return -host.velocity() };
        let position = self.space.image(p, position);
        debug.point("target", || position);
        let offset = position - p;
        let (distance, slowing) =
            (offset.length(), parameters.slowing_radius.of(host, Scale::slowing_radius));
        let ramp = if distance < slowing { distance / slowing } else { 1.0 };
        let is_near = (self.nearest_to)(p)
            .is_some_and(|member| (member - p).length() < parameters.near * spacing);
        let most = if is_near { parameters.near_speed } else { 1.0 };
        offset.unit() * (host.max_speed() * ramp.min(most)) - host.velocity()
    }

    /// The position that a host at `p` goes to; `None` if the flock is on its target.
    fn position(&self, p: V, spacing: f32, debug: DebugDraw<'_, V>) -> Option<V> {
        let (space, flock) = (self.space, self.flock);
        let center = space.image(p, flock.position);
        let count = flock.count as f32;
        let standoff = spacing * count.sqrt();
        let peer = (self.host_at)(p, self.id);
        let is_gathered = if peer.is_some() {
            debug.circle("gathered", || (center, standoff));
            flock.radius <= standoff
        } else {
            let radius = spacing * libm::cbrtf(count * count);
            debug.circle("gathered", || (center, radius));
            let inner = (self.nearest_to)(center).map_or(0.0, |inner| (inner - center).length());
            flock.radius <= radius && inner <= standoff * 0.5
        };
        if !is_gathered && let Some(stray) = self.stray(center, spacing, standoff) {
            debug.segment("collect", || (stray, center));
            let place = stray + (stray - center).unit() * spacing;
            return Some(if peer.is_some() {
                self.round(p, center, place, standoff)
            } else {
                place
            });
        }
        let behind = (center - space.image(center, self.target)).unit();
        if behind == V::ZERO {
            return None;
        }
        debug.segment("drive", || (center, space.image(center, self.target)));
        let Some(peer) = peer else { return Some(center + behind * standoff) };
        let apart = p - peer.position;
        let side = (apart - behind * apart.dot(behind)).unit();
        let place = center + (behind + side * FLANK).unit() * standoff;
        Some(self.round(p, center, place, standoff))
    }

    /// The member of the flock that the host collects; `None` if others do that.
    fn stray(&self, center: V, spacing: f32, standoff: f32) -> Option<V> {
        let behind = |stray: V| stray + (stray - center).unit() * spacing;
        // The one that is nearest to its place collects it.
        let collector = |stray, except| {
            (self.host_at)(behind(stray), except).map(|host| host.id).filter(|id| *id != self.id)
        };
        let stray = self.space.image(center, self.flock.farthest_position);
        let Some(first) = collector(stray, AgentId::NONE) else { return Some(stray) };
        let opposite = (self.nearest_to)(self.space.image(center, center * 2.0 - stray))?;
        let opposite = self.space.image(center, opposite);
        let is_stray = (opposite - center).length() > standoff;
        (is_stray && collector(opposite, first).is_none()).then_some(opposite)
    }

    /// The next point of a way round the flock to `place` from `p`.
    fn round(&self, p: V, center: V, place: V, standoff: f32) -> V {
        let (from, to) = ((p - center).unit(), (place - center).unit());
        let cosine = from.dot(to);
        if from == V::ZERO || cosine >= ROUND.0 {
            return place;
        }
        let across = (to - from * cosine).unit();
        let across = if across == V::ZERO { self.space.up().left(from) } else { across };
        let radius = (place - center).length().max(self.flock.radius) + standoff * CLEARANCE;
        center + (from * ROUND.0 + across * ROUND.1) * radius
    }
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
        let Some(flock) = context.center(self.flock) else { return V::ZERO };
        let context = &*context;
        let member = |to: V| {
            context.groups.nearest(self.flock, to, f32::INFINITY, context.id).map(|m| m.position)
        };
        let work = Work {
            space: &context.space,
            flock: &flock,
            target,
            nearest_to: member,
            id: context.id,
            host_at: |to, except| context.nearest_of_group(to, except),
        };
        work.force(host, self, debug)
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
            let nearest_to = |to: Vec2| Some(space.image(to, flock[0].1));
            let (flock, id) = (&center, AgentId::NONE);
            let work = Work { space: &space, flock, target, nearest_to, id, host_at: |_, _| None };
            let found = work.force(&host, &Herd { near: 0.0, ..herding(2.0) }, DebugDraw::OFF);
            assert_near(found, vec2(expected, 0.0));
        }
    }

    #[test]
    fn a_flock_with_nothing_at_its_center_is_not_gathered() {
        // Two halves of four, 3 to both sides of (100, 0): within f(8) = 4, and beyond sqrt(8) / 2.
        let halves: Vec<Vec2> =
            (0..8).map(|i| vec2(100.0 + if i < 4 { 3.0 } else { -3.0 }, 0.0)).collect();
        let host = dog(vec2(150.0, 0.0));
        let force = herd(&host, &halves, vec2(100.0, -500.0), &herding(1.0));
        assert_near(force, vec2(-10.0, 0.0) - host.velocity);
        // It drives from (100, 4.2) otherwise.
        let wide = herd(&host, &halves, vec2(100.0, -500.0), &herding(3.0));
        assert!(wide.y > 0.0 - host.velocity.y + 1.0, "{wide}");
    }

    /// What the first of these hosts goes for, of a flock that is herded to (0, 0).
    fn place(flock: &[Vec2], hosts: &[(u32, Vec2)]) -> Vec2 {
        let members = flock.iter().enumerate().map(|(id, p)| (AgentId(id as u32), *p));
        let center = GroupCenter::of(&Space::OPEN, members).unwrap();
        let nearest_to = |to: Vec2| {
            flock.iter().copied().min_by(|a, b| a.distance(to).total_cmp(&b.distance(to)))
        };
        let host_at = |to: Vec2, except: AgentId| {
            let others = hosts.iter().filter(|(id, _)| AgentId(*id) != except);
            let nearest = others
                .min_by(|(a, p), (b, q)| p.distance(to).total_cmp(&q.distance(to)).then(a.cmp(b)));
            let view = |(id, p): &(u32, Vec2)| AgentView {
                id: AgentId(*id),
                ..AgentView::new(*p, Vec2::ZERO)
            };
            nearest.map(view)
        };
        let ((id, p), space, target) = (hosts[0], &Space::OPEN, Vec2::ZERO);
        let work = Work { space, flock: &center, target, nearest_to, id: AgentId(id), host_at };
        work.position(p, 2.0, DebugDraw::OFF).unwrap()
    }

    #[test]
    fn hosts_of_one_group_share_the_strays_and_drive_from_both_sides() {
        let (near, far) = ((0, vec2(160.0, 0.0)), (9, vec2(40.0, 0.0)));
        // Strays at both ends: each host collects the nearer one, and a third one drives.
        let mut flock = vec![vec2(100.0, 0.0); 7];
        flock.extend([vec2(130.0, 0.0), vec2(71.0, 0.0)]);
        assert_near(place(&flock, &[near, far]), vec2(132.0, 0.0));
        assert_near(place(&flock, &[far, near]), vec2(69.0, 0.0));
        let third = place(&flock, &[(3, vec2(190.0, 0.0)), near, far]);
        assert!((third - vec2(100.0, 0.0)).length() < 10.0, "{third}");
        // Of two that are as near the one with the lower id.
        let [one, two] = [(0, vec2(150.0, 9.0)), (1, vec2(150.0, -9.0))];
        assert_near(place(&flock[..8], &[one, two]), vec2(132.0, 0.0));
        assert!(place(&flock[..8], &[two, one]).x < 120.0);
        // A gathered flock: both are behind it, each on its own side of the line.
        let both = [(0, vec2(160.0, 1.0)), (1, vec2(160.0, -1.0))];
        let one = place(&flock[..7], &both);
        assert!(one.x > 100.0 && one.y > 1.0, "{one}");
        assert_near(place(&flock[..7], &[both[1], both[0]]), vec2(one.x, -one.y));
    }

    #[test]
    fn hosts_of_one_group_go_round_the_flock_and_not_through_it() {
        // They drive from x = 105.3 to 105.7, and go round 8.5 from the center, 40 degrees ahead.
        let flock = [vec2(100.0, 0.0); 8];
        for (y, degrees) in [(-1.0, 223.0_f32), (1.0, 137.0)] {
            let point =
                place(&flock, &[(0, vec2(80.0, y)), (1, vec2(80.0, -y))]) - vec2(100.0, 0.0);
            let turned =
                (point.to_angle() - degrees.to_radians()).rem_euclid(core::f32::consts::TAU);
            assert!((point.length() - 8.49).abs() < 0.01, "{point}");
            assert!(turned.min(core::f32::consts::TAU - turned) < 0.01, "{point}");
        }
    }
}
