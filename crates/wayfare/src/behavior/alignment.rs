//! Alignment: move as the neighbors do. Reynolds, GDC 1999, "Alignment".

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
    /// Move as the neighbors do: mean(v of neighbors) - v.
    #[doc(alias = "align")]
    "alignment" = pub struct Alignment {
        /// The distance up to which a neighbor counts; `"auto"` takes 8 spacing.
        radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::sight));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
        /// `"steering"` gives this force, `"direction"` its direction with the length 1, which is
        /// OpenSteer's: there the entry's weight is the strength.
        force: RuleForce = (RuleForce::Steering), Kind::Word(RuleForce::WORDS);
    }
}

impl Alignment {
    /// The neighbors that count, in a crowd, where the radius has a number.
    pub(super) fn filter(&self) -> NeighborFilter<'_> {
        let Self { radius, of, field_of_view, .. } = self;
        NeighborFilter { radius: radius.known(), of, field_of_view: *field_of_view }
    }
}

/// The force that matches the neighbors' mean velocity (length / time): `mean(v of neighbors) - v`;
/// zero without neighbors. Their distance does not matter.
///
/// Direction: `unit(mean(v of neighbors) - v)`, zero where the two are equal. OpenSteer
/// (`SteerLibrary::steerForAlignment`) takes the headings in place of the velocities: the same
/// where all move equally fast.
pub fn alignment<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    parameters: &Alignment,
) -> V {
    let radius = parameters.radius.of(host, Scale::sight);
    let filter = NeighborFilter { radius, ..parameters.filter() };
    let unit = neighbors.unit_of_speed(&filter);
    let [sum] = neighbors.sums(filter, host.heading(), 0.0, &Velocity(1.0 / unit));
    align_to(host, &sum, unit, parameters.force)
}

/// The pair term: the neighbor's velocity, in a unit whose inverse is the field.
struct Velocity(f32);

impl<V: Vector> PairTerms<V, 1> for Velocity {
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 1] {
        [pairs.velocity.times(L::splat(self.0))]
    }
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 1] {
        [neighbor.velocity * self.0]
    }
}

/// The force from the sum of the velocities of neighbors, in this unit of speed.
#[inline(always)]
pub(super) fn align_to<V: Vector>(
    host: &impl Host<V>,
    sum: &NeighborSum,
    unit: f32,
    force: RuleForce,
) -> V {
    if sum.count() == 0 {
        return V::ZERO;
    }
    let steering = align(host, sum.mean(), unit);
    if force == RuleForce::Direction { steering.unit() } else { steering }
}

/// The force from the mean velocity of the neighbors, in the `unit` of its sum.
pub(super) fn align<V: Vector>(host: &impl Host<V>, mean: V, unit: f32) -> V {
    mean * unit - host.velocity()
}

impl<V: Vector> Steer<V> for Alignment {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.circle("radius", || (host.position, self.radius.of(host, Scale::sight)));
        alignment(host, context.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius.known())
    }
    fn motion_of_host(&self) -> HostMotion {
        if self.field_of_view < 360.0 || self.force == RuleForce::Direction {
            HostMotion::Read
        } else {
            HostMotion::Subtracted
        }
    }
    fn rule(&self) -> Option<Rule<'_>> {
        Some(Rule::Alignment(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, neighbors_at};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters() -> Alignment {
        Alignment::default().radius(8.0)
    }

    #[test]
    fn the_force_matches_the_mean_velocity_of_the_neighbors() {
        // The means are (30, 10) and (1, 2, -3); minus the host's velocity.
        let others = neighbors_at(&[
            (vec2(1.0, 0.0), vec2(20.0, 0.0), 0),
            (vec2(0.0, 2.0), vec2(40.0, 20.0), 3),
        ]);
        assert_near(
            alignment(
                &Agent::new(vec2(9.0, 9.0), 5.0).moving(vec2(1.0, 3.0)),
                &others,
                &parameters(),
            ),
            vec2(29.0, 7.0),
        );
        let others = neighbors_at(&[
            (vec3(1.0, 0.0, 0.0), vec3(2.0, 0.0, -6.0), 0),
            (vec3(0.0, 0.0, 2.0), vec3(0.0, 4.0, 0.0), 0),
        ]);
        assert_near(
            alignment(
                &Agent::new(Vec3::ZERO, 5.0).moving(vec3(0.0, 0.0, 1.0)),
                &others,
                &parameters(),
            ),
            vec3(1.0, 2.0, -4.0),
        );
    }

    #[test]
    fn among_neighbors_at_rest_the_host_brakes_and_without_neighbors_there_is_no_force() {
        let host = Agent::new(Vec2::ZERO, 5.0).moving(vec2(1.0, 3.0));
        assert_near(
            alignment(&host, &neighbors_at(&[(Vec2::ZERO, Vec2::ZERO, 0)]), &parameters()),
            vec2(-1.0, -3.0),
        );
        assert_eq!(alignment(&host, &Neighbors::none(), &parameters()), Vec2::ZERO);
    }

    #[test]
    fn only_neighbors_within_the_radius_the_groups_and_the_view_count() {
        let others = [
            (vec2(8.0, 0.0), vec2(0.0, 2.0), 1),
            (vec2(0.0, 8.1), Vec2::X, 1),
            (vec2(0.0, 3.0), Vec2::X, 0),
            (vec2(-3.0, 0.0), Vec2::X, 1),
        ];
        let parameters = Alignment { of: Groups::only([1]), field_of_view: 270.0, ..parameters() };
        assert_near(
            alignment(&Agent::new(Vec2::ZERO, 1.0), &neighbors_at(&others), &parameters),
            vec2(0.0, 2.0),
        );
    }
}
