//! Cohesion: towards the mean position of the neighbors. Reynolds, GDC 1999, "Cohesion".

use super::rules::{Rule, RuleForce};
use super::{HostMotion, Steer};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Auto, Formula, Groups, Kind, Range, Scale, Unit, parameters};
use crate::simd::{Simd, Term};
use crate::spatial::neighbors::{
    Neighbor, NeighborFilter, NeighborSum, Neighbors, PairTerms, Pairs,
};
use crate::vector::Vector;

parameters! {
    /// Full speed towards the neighbors' mean position.
    #[doc(alias = "cohere")]
    "cohesion" = pub struct Cohesion {
        /// The distance up to which a neighbor counts; `"auto"` takes 8 spacing.
        radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::sight));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
        /// `"steering"` seeks that position, `"direction"` gives its direction with the length 1,
        /// which is OpenSteer's: there the entry's weight is the strength.
        force: RuleForce = (RuleForce::Steering), Kind::Word(RuleForce::WORDS);
    }
}

impl Cohesion {
    /// The neighbors that count, in a crowd, where the radius has a number.
    pub(super) fn filter(&self) -> NeighborFilter<'_> {
        let Self { radius, of, field_of_view, .. } = self;
        NeighborFilter { radius: radius.known(), of, field_of_view: *field_of_view }
    }
}

/// The force that seeks the neighbors' mean position (length / time); zero without neighbors, `-v`
/// exactly on their mean position.
///
/// Direction: `unit(mean(q) - p)`, the cohesion of OpenSteer (`SteerLibrary::steerForCohesion`).
pub fn cohesion<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    parameters: &Cohesion,
) -> V {
    let radius = parameters.radius.of(host, Scale::sight);
    let filter = NeighborFilter { radius, ..parameters.filter() };
    let [sum] = neighbors.sums_in_unit_of_length(filter, host.heading(), |unit| {
        (0.0, NeighborOffset { scale: 1.0 / unit })
    });
    cohere_to(host, &sum, parameters.force)
}

/// The pair term: the offset of the neighbor, in the length unit of the sum.
struct NeighborOffset {
    scale: f32,
}

impl<V: Vector> PairTerms<V, 1> for NeighborOffset {
    const READS_VELOCITIES: bool = false;
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 1] {
        [pairs.offset.times(L::splat(self.scale))]
    }
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 1] {
        [neighbor.offset * self.scale]
    }
}

/// The force from the sum of the offsets of neighbors, in any unit.
#[inline(always)]
pub(super) fn cohere_to<V: Vector>(host: &impl Host<V>, sum: &NeighborSum, force: RuleForce) -> V {
    match force {
        _ if sum.count() == 0 => V::ZERO,
        RuleForce::Steering => cohere(host, sum.mean()),
        RuleForce::Direction => sum.mean::<V>().unit(),
    }
}

/// The force from the mean offset of the neighbors, in any unit.
pub(super) fn cohere<V: Vector>(host: &impl Host<V>, mean: V) -> V {
    mean.unit() * host.max_speed() - host.velocity()
}

impl<V: Vector> Steer<V> for Cohesion {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.circle("radius", || (host.position, self.radius.of(host, Scale::sight)));
        cohesion(host, context.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius.known())
    }
    fn motion_of_host(&self) -> HostMotion {
        match self.force {
            _ if self.field_of_view < 360.0 => HostMotion::Read,
            RuleForce::Steering => HostMotion::Subtracted,
            RuleForce::Direction => HostMotion::Ignored,
        }
    }
    fn rule(&self) -> Option<Rule<'_>> {
        Some(Rule::Cohesion(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, neighbors_at};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters() -> Cohesion {
        Cohesion::default().radius(16.0)
    }

    #[test]
    fn the_force_is_full_speed_towards_the_mean_position_minus_the_velocity() {
        // The mean of the offsets is (3, 4), of length 5: desired (6, 8), less (1, 3).
        let others = neighbors_at(&[(vec2(2.0, 0.0), Vec2::X, 0), (vec2(4.0, 8.0), Vec2::X, 3)]);
        assert_near(
            cohesion(
                &Agent::new(vec2(9.0, 9.0), 10.0).moving(vec2(1.0, 3.0)),
                &others,
                &parameters(),
            ),
            vec2(5.0, 5.0),
        );
        // The mean is (1, -2, 2), of length 3: desired (2, -4, 4), less (0, 0, 1).
        let others =
            neighbors_at(&[(vec3(2.0, 0.0, 0.0), Vec3::X, 0), (vec3(0.0, -4.0, 4.0), Vec3::X, 0)]);
        assert_near(
            cohesion(
                &Agent::new(Vec3::ZERO, 6.0).moving(vec3(0.0, 0.0, 1.0)),
                &others,
                &parameters(),
            ),
            vec3(2.0, -4.0, 3.0),
        );
    }

    #[test]
    fn on_the_mean_position_the_host_brakes_and_without_neighbors_there_is_no_force() {
        let host = Agent::new(Vec2::ZERO, 5.0).moving(vec2(1.0, 3.0));
        assert_eq!(
            cohesion(
                &host,
                &neighbors_at(&[(vec2(2.0, 1.0), Vec2::X, 0), (vec2(-2.0, -1.0), Vec2::X, 0)]),
                &parameters()
            ),
            vec2(-1.0, -3.0)
        );
        assert_eq!(
            cohesion(&host, &neighbors_at(&[(Vec2::ZERO, Vec2::X, 0)]), &parameters()),
            vec2(-1.0, -3.0)
        );
        assert_eq!(cohesion(&host, &Neighbors::none(), &parameters()), Vec2::ZERO);
    }

    #[test]
    fn only_neighbors_within_the_radius_the_groups_and_the_view_count() {
        let others = [
            (vec2(16.0, 0.0), Vec2::X, 1),
            (vec2(0.0, 16.1), Vec2::X, 1),
            (vec2(0.0, 3.0), Vec2::X, 0),
            (vec2(-3.0, 0.0), Vec2::X, 1),
        ];
        let parameters = Cohesion { of: Groups::only([1]), field_of_view: 270.0, ..parameters() };
        assert_near(
            cohesion(&Agent::new(Vec2::ZERO, 2.0), &neighbors_at(&others), &parameters),
            vec2(2.0, 0.0),
        );
    }
}
