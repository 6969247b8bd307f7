//! Formation: keep a slot of a formation behind a leader, or around a point. Reynolds, GDC 1999,
//! builds a formation by `offset_pursue` with given offsets; slots by shape and number are those of
//! D. Pottinger, "Implementing coordinated movement", Game Developer, 1999.
//!
//! Departure from `offset_pursue`: the leader's velocity is added to that of the arrival at the
//! slot, so that the host does not lag while the leader moves. `arrive` at a predicted position
//! lags by slowing_radius * v / (max_speed + v).

use super::{Steer, WithoutLeader};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::parameter::{Auto, Formula, Kind, Range, Scale, Target, Unit, parameters, words};
use crate::vector::{Up, Vector};

mod assign;

pub use assign::assign;

words! {
    /// The shape of a [`formation`].
    pub enum FormationShape {
        /// Side by side, one spacing behind the leader.
        Line = "line",
        /// One behind another.
        Column = "column",
        /// Two oblique lines, alternately to the left and to the right, as geese fly.
        Wedge = "wedge",
        /// Evenly around the leader, with at least one spacing to the neighbors and to the leader.
        Circle = "circle",
        /// Rows behind the leader, as many as there are slots in a row, or one less; the last row
        /// is centered.
        Grid = "grid",
    }
}

/// The position of slot `k` of `count` relative to the leader, as (ahead, beside) (lengths): ahead
/// along its heading, beside to its left.
///
/// Slots count from the front to the back, in a row from the left to the right, in a circle from
/// the front to the left. `k` should be below `count`.
///
/// ```
/// use wayfare::behavior::{FormationShape, formation_slot};
/// let wedge = [0, 1, 2, 3].map(|k| formation_slot(FormationShape::Wedge, k, 4, 10.0));
/// assert_eq!(wedge, [(-10.0, 10.0), (-10.0, -10.0), (-20.0, 20.0), (-20.0, -20.0)]);
/// ```
pub fn formation_slot(shape: FormationShape, k: u32, count: u32, spacing: f32) -> (f32, f32) {
    // The offset of slot `j` in a row of `many` slots.
    let in_row =
        |j: u32, many: u32| ((f64::from(many) - 1.0) * 0.5 - f64::from(j)) as f32 * spacing;
    let behind = |rank: u32| -(f64::from(rank) + 1.0) as f32 * spacing;
    match shape {
        FormationShape::Line => (behind(0), in_row(k, count)),
        FormationShape::Column => (behind(k), 0.0),
        FormationShape::Wedge => {
            let back = behind(k / 2);
            (back, if k.is_multiple_of(2) { -back } else { back })
        }
        FormationShape::Circle => {
            let count = f64::from(count.max(1));
            // With six slots the distance between neighbors equals the distance to the leader.
            let radius =
                if count > 6.0 { 0.5 / libm::sin(core::f64::consts::PI / count) } else { 1.0 };
            let angle = core::f64::consts::TAU * f64::from(k) / count;
            let at = |x: f64| (x * radius) as f32 * spacing;
            (at(libm::cos(angle)), at(libm::sin(angle)))
        }
        FormationShape::Grid => {
            let columns = libm::ceil(libm::sqrt(f64::from(count))).max(1.0) as u32;
            let row = k / columns;
            (behind(row), in_row(k % columns, columns.min(count.saturating_sub(row * columns))))
        }
    }
}

/// The position of slot `k` relative to the center of the formation: for a formation around a
/// point.
fn centered(shape: FormationShape, k: u32, count: u32, spacing: f32) -> (f32, f32) {
    let (ahead, beside) = formation_slot(shape, k, count, spacing);
    let front_and_back = [0, count.max(1) - 1].map(|k| formation_slot(shape, k, count, spacing).0);
    let middle = if shape == FormationShape::Circle {
        0.0
    } else {
        (front_and_back[0] + front_and_back[1]) * 0.5
    };
    (ahead - middle, beside)
}

/// The force that keeps a slot (length / time): the leader's velocity plus the arrival at the slot,
/// as `truncate(leader.v + unit(slot - p) * max_speed * min(1, d / slowing_radius), max_speed) -
/// v`, where `d = |slot - p|` and the slot is `leader.p + heading * ahead + left * beside`.
///
/// With a leader at rest this is `arrive` at the slot. The slot rotates with the leader's heading;
/// in 3D it lies in the plane of the heading and of `left`, which is horizontal, with z up. Exactly
/// on the slot the force is `leader.v - v`; with radius 0 the host moves at full speed to the slot.
pub fn formation<V: Vector>(
    host: &impl Host<V>,
    leader: &AgentView<V>,
    slot: (f32, f32),
    slowing_radius: f32,
) -> V {
    formation_at(host, leader, leader.slot(slot, Up::Z), slowing_radius)
}

/// [`formation()`] by the position of the slot.
fn formation_at<V: Vector>(
    host: &impl Host<V>,
    leader: &AgentView<V>,
    slot: V,
    slowing_radius: f32,
) -> V {
    let offset = slot - host.position();
    let distance = offset.length();
    let part = if distance < slowing_radius { distance / slowing_radius } else { 1.0 };
    (leader.velocity + offset.unit() * (host.max_speed() * part)).truncate(host.max_speed())
        - host.velocity()
}

/// Up to a hundredth of its top speed an agent is at rest: one that arrives never quite is.
pub(crate) fn is_at_rest<V: Vector>(velocity: V, max_speed: f32) -> bool {
    let rest = max_speed * 0.01;
    velocity.length_squared() <= rest * rest
}

/// The distance from its slot up to which the host is in it (length), as with `arrive`.
pub(crate) fn in_slot<V: Vector>(host: &Agent<V>, slowing_radius: f32) -> f32 {
    host.radius.max(slowing_radius * 0.01)
}

parameters! {
    /// Keep a slot of a shape behind a leader, or around a point. Slots are assigned to the whole
    /// group at once, so that paths cross little, and kept until members enter or leave: then the
    /// slots close up. Where a member is stuck beside its slot, it changes slots with the one that
    /// is in its way. A member has arrived in its slot while the leader is at rest.
    #[doc(alias = "formation")]
    #[derive(Copy)]
    "formation" needs(MEMORY MEMBERS) is(ROUTES ARRIVES) = pub struct Formation<V> {
        /// The leader: of a group the member nearest to the host, so a group of one is useful; its
        /// heading is that of the formation. Around a point the formation faces +x, with its center
        /// on the point; so it does around an order, also one to an agent.
        around: Target<V> = required, Kind::Target;
        /// `"line"`, side by side, `"column"`, `"wedge"`, `"circle"`, or `"grid"`, a block of rows.
        shape: FormationShape = required, Kind::Word(FormationShape::WORDS);
        /// The distance between slots, and of the first from the leader; `"auto"` takes the
        /// spacing.
        spacing: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// The distance from the slot at which slowing begins; `"auto"` takes the larger of mass *
        /// max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The distance up to which the leader counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
        /// While the group that is followed has no other member: `"hold"` brakes with the force
        /// -v, `"coast"` exerts no force.
        without_leader: WithoutLeader = (WithoutLeader::Hold), Kind::Word(WithoutLeader::WORDS);
    }
}

impl<V: Vector> Formation<V> {
    /// The leader, or an agent at rest at the formation's point.
    pub(crate) fn leader(
        &self,
        host: &Agent<V>,
        context: &SteerContext<'_, V>,
    ) -> Option<AgentView<V>> {
        match self.around {
            Target::Group(group) => context.member(host, group, self.within),
            point => context
                .target(host, &point, self.within)
                .map(|point| AgentView::new(point, V::ZERO)),
        }
    }

    /// The position of slot `k` of `count`, with this spacing (length): ahead of the leader, and to
    /// its left.
    pub(crate) fn slot(&self, k: u32, count: u32, spacing: f32) -> (f32, f32) {
        let slot = if matches!(self.around, Target::Group(_)) { formation_slot } else { centered };
        slot(self.shape, k, count, spacing)
    }
}

impl<V: Vector> Steer<V> for Formation<V> {
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(leader) = self.leader(host, context) else {
            memory.arrived = false;
            let Target::Group(group) = self.around else { return V::ZERO };
            return self.without_leader.force(host, context, group, self.within);
        };
        let Some(k) = memory.slot else {
            memory.arrived = false;
            return V::ZERO;
        };
        let spacing = self.spacing.of(host, Scale::spacing);
        let slot = self.slot(k, context.members().max(k.saturating_add(1)), spacing);
        let slot = leader.slot(slot, context.space.up());
        let slowing_radius = self.slowing_radius.of(host, Scale::slowing_radius);
        // As with `arrive`: once arrived it stays so within the slowing radius.
        let near = in_slot(host, slowing_radius);
        let close = if memory.arrived { near.max(slowing_radius) } else { near };
        memory.arrived =
            is_at_rest(leader.velocity, host.max_speed) && (slot - host.position).length() <= close;
        debug.segment("slot", || (leader.position, slot));
        debug.circle("slowing_radius", || (slot, slowing_radius));
        formation_at(host, &leader, slot, slowing_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::arrive;
    use crate::behavior::testing::{Other, assert_near};
    use crate::context::Shared;
    use crate::id::GroupId;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn slots(shape: FormationShape, count: u32) -> Vec<(f32, f32)> {
        (0..count).map(|k| formation_slot(shape, k, count, 10.0)).collect()
    }

    #[test]
    fn each_shape_places_its_slots_as_documented() {
        assert_eq!(slots(FormationShape::Line, 3), [(-10.0, 10.0), (-10.0, 0.0), (-10.0, -10.0)]);
        assert_eq!(slots(FormationShape::Column, 3), [(-10.0, 0.0), (-20.0, 0.0), (-30.0, 0.0)]);
        assert_eq!(slots(FormationShape::Wedge, 3), [(-10.0, 10.0), (-10.0, -10.0), (-20.0, 20.0)]);
        // Five in a grid: a row of three, and a centered row of two.
        assert_eq!(
            slots(FormationShape::Grid, 5),
            [(-10.0, 10.0), (-10.0, 0.0), (-10.0, -10.0), (-20.0, 5.0), (-20.0, -5.0)]
        );
        let close =
            |(a, b): (f32, f32), (c, d): (f32, f32)| (a - c).abs() < 1e-5 && (b - d).abs() < 1e-5;
        let four = slots(FormationShape::Circle, 4);
        assert!(
            four.iter()
                .zip([(10.0, 0.0), (0.0, 10.0), (-10.0, 0.0), (0.0, -10.0)])
                .all(|(a, b)| close(*a, b)),
            "{four:?}"
        );
        for count in 1..40 {
            for shape in [
                FormationShape::Line,
                FormationShape::Column,
                FormationShape::Wedge,
                FormationShape::Circle,
                FormationShape::Grid,
            ] {
                let slots = slots(shape, count);
                let apart = |(a, b): (f32, f32), (c, d): (f32, f32)| (a - c).hypot(b - d);
                assert!(
                    (0..slots.len()).all(|i| apart(slots[i], (0.0, 0.0)) > 9.99
                        && (0..i).all(|k| apart(slots[i], slots[k]) > 9.99)),
                    "{shape:?} {count}"
                );
                if shape == FormationShape::Circle && count > 6 {
                    assert!((apart(slots[0], slots[1]) - 10.0).abs() < 1e-3);
                }
            }
        }
        // Counts of no slot and one slot, and counts at the end of the range.
        for shape in [
            FormationShape::Line,
            FormationShape::Column,
            FormationShape::Wedge,
            FormationShape::Circle,
            FormationShape::Grid,
        ] {
            for (k, count) in
                [(0, 0), (0, 1), (7, 3), (u32::MAX, 0), (0, u32::MAX), (u32::MAX, u32::MAX)]
            {
                let (ahead, beside) = formation_slot(shape, k, count, 1e9);
                assert!(ahead.is_finite() && beside.is_finite(), "{shape:?} {k} of {count}");
                assert!(centered(shape, k, count, 1e9).0.is_finite());
            }
        }
    }

    #[test]
    fn the_host_moves_with_the_leader_and_arrives_at_its_slot() {
        // The leader moves up, so its left is -x: the slot 10 behind and 20 to the left is (10,
        // 40), at the offset (30, 40) from the host, half a slowing radius away.
        let leader = AgentView::new(vec2(30.0, 50.0), vec2(0.0, 2.0));
        let host = Agent::new(vec2(-20.0, 0.0), 10.0).moving(vec2(1.0, 0.0));
        assert_near(
            formation(&host, &leader, (-10.0, 20.0), 100.0),
            vec2(3.0, 4.0 + 2.0) - vec2(1.0, 0.0),
        );
        // Farther away the sum is truncated to the top speed.
        assert_near(
            formation(&host, &leader, (-10.0, 20.0), 0.0),
            vec2(6.0, 10.0).normalize() * 10.0 - vec2(1.0, 0.0),
        );
        // On the slot the host moves like the leader; behind a leader at rest the host arrives.
        assert_near(
            formation(&Agent { position: vec2(10.0, 40.0), ..host }, &leader, (-10.0, 20.0), 0.0),
            vec2(-1.0, 2.0),
        );
        let still = AgentView { velocity: Vec2::ZERO, ..leader };
        assert_near(
            formation(&host, &still, (-10.0, 20.0), 100.0),
            arrive(&host, vec2(10.0, 40.0), 100.0),
        );
        // In 3D the left of +x is +y.
        let leader = AgentView::new(Vec3::ZERO, vec3(1.0, 0.0, 0.0));
        assert_near(
            formation(&Agent::new(vec3(-6.0, 0.0, 3.0), 5.0), &leader, (-6.0, 4.0), 0.0),
            vec3(1.0, 4.0, -3.0) * (5.0 / 26.0_f32.sqrt()),
        );
    }

    #[test]
    fn behind_a_moving_leader_the_host_does_not_lag() {
        let mut host = Agent { mass: 3.0, ..Agent::new(vec2(-80.0, 30.0), 3.2) };
        let mut leader = AgentView::new(Vec2::ZERO, vec2(2.0, 0.0));
        for _ in 0..150 {
            let force = formation(&host, &leader, (-20.0, -10.0), 38.4);
            let (position, velocity) = host.step(force, host.velocity, 1.0, 1.0);
            host = Agent { position, ..host }.moving(velocity);
            leader.position.x += 2.0;
        }
        assert_near(host.position, leader.position + vec2(-20.0, -10.0));
        assert_near(host.velocity, leader.velocity);
    }

    #[test]
    fn a_host_without_a_slot_coasts_and_without_a_leader_brakes_and_a_point_is_the_center() {
        let leader = Other(AgentView::new(vec2(30.0, 0.0), Vec2::ZERO));
        let host = Agent::new(vec2(0.0, 0.0), 5.0);
        let moving = host.moving(vec2(3.0, 0.0));
        let force_on = |host, around, slot, within| {
            let slowing_radius = Auto::Fixed(0.0);
            let rules = Formation::new(around, FormationShape::Column).spacing(10.0);
            let rules = Formation { slowing_radius, within, ..rules };
            let mut memory = Memory { slot, ..Memory::default() };
            rules.force(
                host,
                &mut memory,
                &mut SteerContext {
                    groups: &leader,
                    shared: Some(&Shared { members: 3, ..Shared::nothing() }),
                    ..SteerContext::empty(1.0)
                },
                DebugDraw::OFF,
            )
        };
        let force = |around, slot, within| force_on(&host, around, slot, within);
        let group = Target::Group(GroupId(0));
        for (around, slot, within, expected) in [
            (group, None, 99.0, 0.0),
            (group, Some(0), 29.0, 0.0),
            (Target::Pointer, Some(0), 99.0, 0.0),
            (Target::Group(GroupId(1)), Some(0), 99.0, -3.0),
            (Target::Group(GroupId(1)), None, 99.0, -3.0),
        ] {
            assert_eq!(force_on(&moving, around, slot, within), vec2(expected, 0.0), "{around:?}");
        }
        assert_near(force(group, Some(0), 30.0), vec2(5.0, 0.0));
        // In a column of three around (0, -10) the second slot is on the point, the first slot 10
        // ahead of it.
        let point = Target::Point(vec2(0.0, -10.0));
        assert_near(force(point, Some(1), 99.0), vec2(0.0, -5.0));
        assert_near(force(point, Some(0), 99.0), vec2(10.0, -10.0).normalize() * 5.0);
    }
}
