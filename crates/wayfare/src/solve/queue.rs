//! Queue: wait behind an agent ahead. The behavior of the tutorial "Queue" (2013), whose stages
//! (hard stop, brake, and both, with or without separation) are settings of the parameters.

use super::{Solution, Solve};
use crate::agent::{Agent, Host};
use crate::annotation::DebugDraw;
use crate::behavior::{Separation, separation};
use crate::context::SteerContext;
use crate::parameter::{
    Auto, Formula, Groups, Kind, Parameters, Range, Scale, Unit, parameters, words,
};
use crate::simd::{Simd, SimdVector};
use crate::spatial::neighbors::{Neighbor, NeighborFilter, Neighbors, PairVisitor, Pairs};
use crate::vector::Vector;

words! {
    /// When the velocity is damped.
    pub enum DampWhen {
        /// If the agent ahead is also within the radius of the host itself.
        Near = "near",
        /// Whenever an agent is ahead.
        Ahead = "ahead",
    }
}

parameters! {
    /// Wait behind an agent ahead, by braking the sum of the forces before it and damping the
    /// velocity: -brake * sum - u + separation, with u = v * damping^dt where it damps. The last
    /// of its list.
    ///
    /// The tutorial's stages: hard stop (brake = false, damp_when = "ahead"), brake (damping = 1),
    /// both (the defaults), and both with separation.
    "queue" = pub struct Queue {
        /// The distance from the host to the probe point, which lies along its heading; `"auto"`
        /// takes the spacing.
        ahead: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// The largest distance from the probe point at which a neighbor counts as ahead; of
        /// several the nearest to the point counts. `"auto"` takes the spacing.
        radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// The part of the sum of the preceding forces that is subtracted while an agent is ahead.
        /// With a number the velocity is subtracted too; `false` subtracts neither. The default is
        /// the tutorial's.
        brake: Option<f32> = (Some(0.8)), Kind::NumberOrOff(Range::new(0.0, 1e3, Unit::None));
        /// The factor on the velocity per unit of time while it is damped: 1 damps nothing, 0
        /// leaves none. Left out: the tutorial's 0.3 beside a number for `ahead`, else 0.3^(8 /
        /// reaction).
        damping: Option<f32> = None, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        /// `"near"` damps if the agent ahead is also within `radius` of the host itself, `"ahead"`
        /// whenever an agent is ahead. The default is the tutorial's last stage.
        damp_when: DampWhen = (DampWhen::Near), Kind::Word(DampWhen::WORDS);
        /// The groups whose members count as ahead; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading, seen from the host, in which a neighbor can count as
        /// ahead; by default all around, as the probe point selects already.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
        /// The separation whose force is added while an agent is ahead, also with `brake = false`;
        /// none if left out.
        separation: Option<Separation> = None,
            Kind::Nested(<Separation as Parameters<glam::Vec2>>::PARAMETERS);
    }
}

/// The tutorial's factor on the velocity in a tick.
const DAMPING: f32 = 0.3;

impl Queue {
    /// The factor on the velocity per unit of time while it is damped.
    pub(crate) fn damping_of(&self, scale: &Scale) -> f32 {
        self.damping.unwrap_or_else(|| match self.ahead {
            Auto::Fixed(_) => DAMPING,
            Auto::Auto => libm::powf(DAMPING, 8.0 / scale.reaction()),
        })
    }

    /// Sets the damping, and the falloff of the separation, that are left out.
    pub(crate) fn complete(&mut self, scale: &Scale) {
        self.damping = Some(self.damping_of(scale));
        self.separation.iter_mut().for_each(Separation::complete);
    }
}

/// The force, and the velocity from which the step starts; see [`Solution`].
pub type Queueing<V> = Solution<V>;

/// The agent ahead of a host with this heading: the neighbor nearest to the probe point `probe`
/// (relative to the host), within `radius`; the lowest id in a tie.
fn agent_ahead<V: Vector>(
    neighbors: &Neighbors<V>,
    heading: V,
    probe: V,
    radius: f32,
    parameters: &Queue,
) -> Option<Neighbor<V>> {
    // The test selects by the distance from the probe point.
    let filter = NeighborFilter {
        radius: f32::INFINITY,
        of: &parameters.of,
        field_of_view: parameters.field_of_view,
    };
    let squared = radius * radius;
    let mut search = NearestToProbe { probe, squared, found: None };
    neighbors.visit(filter, heading, &mut search);
    search.found
}

/// The search for the neighbor nearest to the probe point.
struct NearestToProbe<V: Vector> {
    /// The probe point relative to the host (length).
    probe: V,
    /// The squared distance from the probe point up to which a neighbor counts (length squared).
    squared: f32,
    found: Option<Neighbor<V>>,
}

impl<V: Vector> PairVisitor<V> for NearestToProbe<V> {
    #[inline(always)]
    fn test<L: Simd>(&self, pairs: &Pairs<L>) -> u32 {
        let from_probe = pairs.offset - SimdVector::splat(self.probe);
        L::to_bits(from_probe.length_squared::<V>().le(L::splat(self.squared)))
    }
    fn visit(&mut self, neighbor: &Neighbor<V>) {
        let squared = (neighbor.offset - self.probe).length_squared();
        if self.found.is_none_or(|found| (squared, neighbor.id) < (self.squared, found.id)) {
            (self.squared, self.found) = (squared, Some(*neighbor));
        }
    }
}

/// Brakes behind an agent ahead: the force is `-brake * sum - u + separation`, and the step starts
/// from the damped velocity `u`.
///
/// `sum` is the weighted sum of the preceding forces, not truncated (length / time). Without an
/// agent ahead there is no force and no damping. The probe of a host at rest lies along its
/// heading. An agent at the host's own position counts as ahead if `ahead` is at most `radius`.
pub fn queue<V: Vector>(
    host: &impl Host<V>,
    sum: V,
    neighbors: &Neighbors<V>,
    parameters: &Queue,
    dt: f32,
) -> Queueing<V> {
    queue_annotated(host, sum, neighbors, parameters, dt, DebugDraw::OFF)
}

/// [`queue()`] with debug annotations.
fn queue_annotated<V: Vector>(
    host: &impl Host<V>,
    sum: V,
    neighbors: &Neighbors<V>,
    parameters: &Queue,
    dt: f32,
    debug: DebugDraw<'_, V>,
) -> Queueing<V> {
    let velocity = host.velocity();
    let radius = parameters.radius.of(host, Scale::spacing);
    let probe = host.heading() * parameters.ahead.of(host, Scale::spacing);
    debug.segment("probe", || (host.position(), host.position() + probe));
    debug.circle("radius", || (host.position() + probe, radius));
    let Some(ahead) = agent_ahead(neighbors, host.heading(), probe, radius, parameters) else {
        return Queueing { force: V::ZERO, start: velocity };
    };
    let close = ahead.distance_squared <= radius * radius;
    let damped = parameters.damp_when == DampWhen::Ahead || close;
    let start = if damped {
        velocity * libm::powf(parameters.damping_of(&Scale::of(host, 0.0)), dt)
    } else {
        velocity
    };
    let mut force = parameters.brake.map_or(V::ZERO, |brake| sum * -brake - start);
    if let Some(apart) = &parameters.separation {
        force += separation(host, neighbors, apart);
    }
    Queueing { force, start }
}

impl<V: Vector> Solve<V> for Queue {
    fn solve(
        &self,
        host: &Agent<V>,
        sum: V,
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> Solution<V> {
        queue_annotated(host, sum, context.neighbors, self, context.dt, debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        let apart = self.separation.as_ref().map_or(0.0, |apart| apart.radius.known());
        Some((self.ahead.known() + self.radius.known()).max(apart))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, neighbors_at};
    use crate::id::AgentId;
    use glam::{Vec2, Vec3, vec2, vec3};

    /// The sum of the preceding forces in these tests.
    const SUM: Vec2 = Vec2::new(5.0, 1.0);

    fn parameters(ahead: f32, radius: f32) -> Queue {
        Queue::default().ahead(ahead).radius(radius)
    }

    /// The solution for a host that moves with (2, 0), at dt = 1, with neighbors at these offsets.
    fn queueing(others: &[Vec2], parameters: &Queue) -> Queueing<Vec2> {
        let others: Vec<_> = others.iter().map(|&offset| (offset, Vec2::Y, 0)).collect();
        queue(
            &Agent::new(vec2(9.0, 9.0), 5.0).moving(vec2(2.0, 0.0)),
            SUM,
            &neighbors_at(&others),
            parameters,
            1.0,
        )
    }

    #[test]
    fn an_agent_ahead_brakes_the_forces_and_the_velocity() {
        // (13, 0) is 3 from the probe point, (10, 0), and 13 from the host: -0.8 * (5, 1) - (2,
        // 0), nothing damped.
        let far = queueing(&[vec2(13.0, 0.0)], &parameters(10.0, 4.0));
        assert_near(far.force, vec2(-6.0, -0.8));
        assert_eq!(far.start, vec2(2.0, 0.0));
        // (2, 1) is also within 4 of the host: u = 0.3 * (2, 0).
        let close = queueing(&[vec2(2.0, 1.0)], &parameters(3.0, 4.0));
        assert_near(close.force, vec2(-4.6, -0.8));
        assert_near(close.start, vec2(0.6, 0.0));
        // In 3D, along z: -0.8 * (1, 0, 5) - 0.3 * (0, 0, 2).
        let host = Agent::new(Vec3::ZERO, 5.0).moving(vec3(0.0, 0.0, 2.0));
        let close = queue(
            &host,
            vec3(1.0, 0.0, 5.0),
            &neighbors_at(&[(vec3(0.0, 1.0, 2.0), Vec3::X, 0)]),
            &parameters(3.0, 4.0),
            1.0,
        );
        assert_near(close.force, vec3(-0.8, 0.0, -4.6));
        assert_near(close.start, vec3(0.0, 0.0, 0.6));
    }

    #[test]
    fn without_an_agent_ahead_there_is_no_force_and_no_damping() {
        let nothing = Queueing { force: Vec2::ZERO, start: vec2(2.0, 0.0) };
        assert_eq!(queueing(&[], &parameters(10.0, 4.0)), nothing);
        assert_eq!(
            queueing(&[vec2(5.9, 0.0), vec2(10.0, 4.1), vec2(-10.0, 0.0)], &parameters(10.0, 4.0)),
            nothing
        );
        assert_ne!(queueing(&[vec2(6.0, 0.0)], &parameters(10.0, 4.0)), nothing);
    }

    #[test]
    fn parameters_express_all_stages_of_the_tutorial() {
        let ahead = [vec2(13.0, 0.0)];
        let hard = queueing(
            &ahead,
            &Queue { brake: None, damp_when: DampWhen::Ahead, ..parameters(10.0, 4.0) },
        );
        assert_eq!(hard.force, Vec2::ZERO);
        assert_near(hard.start, vec2(0.6, 0.0));
        let brake =
            queueing(&[vec2(2.0, 1.0)], &Queue { damping: Some(1.0), ..parameters(3.0, 4.0) });
        assert_near(brake.force, vec2(-6.0, -0.8));
        assert_eq!(brake.start, vec2(2.0, 0.0));
        // The braking force of the close agent in the first test, -0.8 * (5, 1) - (0.6, 0), plus a
        // separation of 4 along -x.
        let apart = Separation {
            radius: Auto::Fixed(6.0),
            max_force: Auto::Fixed(4.0),
            falloff: None,
            of: Groups::All,
            field_of_view: 360.0,
        };
        let all = Queue { separation: Some(apart), ..parameters(3.0, 4.0) };
        assert_near(queueing(&[vec2(2.0, 0.0)], &all).force, vec2(-4.6 - 4.0, -0.8));
        assert_near(
            queueing(&[vec2(2.0, 0.0)], &Queue { brake: None, ..all }).force,
            vec2(-4.0, 0.0),
        );
    }

    #[test]
    fn the_damping_is_per_unit_of_time() {
        let host = Agent::new(Vec2::ZERO, 5.0).moving(vec2(2.0, 0.0));
        let start = |dt| {
            queue(
                &host,
                SUM,
                &neighbors_at(&[(vec2(2.0, 1.0), Vec2::X, 0)]),
                &parameters(3.0, 4.0),
                dt,
            )
            .start
        };
        // 0.3^0.5 = 0.547723, 0.3^2 = 0.09.
        assert_near(start(0.5), vec2(1.095_445, 0.0));
        assert_near(start(2.0), vec2(0.18, 0.0));
    }

    #[test]
    fn the_neighbor_nearest_to_the_probe_point_counts_and_the_lowest_id_in_a_tie() {
        // Both are 6 from (10, 0); only (4, 0) is within 8 of the host, and damps.
        let (close, far) = (vec2(4.0, 0.0), vec2(16.0, 0.0));
        assert_near(queueing(&[close, far], &parameters(10.0, 8.0)).start, vec2(0.6, 0.0));
        assert_eq!(queueing(&[far, close], &parameters(10.0, 8.0)).start, vec2(2.0, 0.0));
        assert_eq!(
            queueing(&[close, vec2(15.9, 0.0)], &parameters(10.0, 8.0)).start,
            vec2(2.0, 0.0)
        );
        // The neighbors are not in the order of their ids.
        let mut others = Neighbors::none();
        for (id, offset) in [(1, far), (0, close)] {
            others.push(Neighbor::new(AgentId(id), offset, Vec2::Y));
        }
        let host = Agent::new(Vec2::ZERO, 5.0).moving(vec2(2.0, 0.0));
        assert_near(queue(&host, SUM, &others, &parameters(10.0, 8.0), 1.0).start, vec2(0.6, 0.0));
    }

    #[test]
    fn the_probe_of_a_host_at_rest_lies_along_its_heading_and_the_host_cancels_only_the_sum() {
        let host = Agent { heading: Vec2::Y, ..Agent::new(Vec2::ZERO, 5.0) };
        let waiting = queue(
            &host,
            SUM,
            &neighbors_at(&[(vec2(0.0, 3.0), Vec2::X, 0)]),
            &parameters(3.0, 4.0),
            1.0,
        );
        assert_near(waiting.force, vec2(-4.0, -0.8));
        assert_eq!(waiting.start, Vec2::ZERO);
    }

    #[test]
    fn the_neighbor_radius_covers_the_probe_and_the_separation() {
        let radius = |separation: Option<f32>| {
            let apart = separation.map(|radius| Separation {
                radius: Auto::Fixed(radius),
                max_force: Auto::Fixed(1.0),
                falloff: None,
                of: Groups::All,
                field_of_view: 360.0,
            });
            Solve::<Vec2>::neighbor_radius(&Queue { separation: apart, ..parameters(10.0, 8.0) })
        };
        assert_eq!(
            [radius(None), radius(Some(17.0)), radius(Some(19.0))],
            [Some(18.0), Some(18.0), Some(19.0)]
        );
    }
}
