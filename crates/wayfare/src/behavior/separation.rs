//! Separation: away from neighbors. Reynolds, GDC 1999, "Separation"; the fixed strength is the
//! tutorials' ("Leader Following", 2013).

use super::rules::Rule;
use super::{HostMotion, Steer};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{
    Auto, Formula, Groups, Kind, Range, Scale, Unit, nested, optional_word, parameters, words,
};
use crate::simd::{Simd, Term};
use crate::spatial::neighbors::{
    Neighbor, NeighborFilter, NeighborSum, Neighbors, PairTerms, Pairs,
};
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

words! {
    /// The dependence of the push on the distance.
    pub enum Falloff {
        /// It does not: the tutorials' fixed strength, in the direction away from the neighbors'
        /// mean position.
        Fixed = "fixed",
        /// By its inverse: Reynolds' version for flocks, stronger the nearer a neighbor is.
        Inverse = "inverse",
        /// By its inverse, without the part that points towards the nearest neighbor: the other
        /// neighbors never push the host towards it.
        Projected = "projected",
        /// By its inverse, and the pushes are added up, not averaged: Buckland's and Yuka's.
        Sum = "sum",
        /// That sum, of which the radius takes away what is left there: the push has no step, and
        /// a crowd comes to rest.
        Fading = "fading",
        /// That of each neighbor by its inverse, that of all together not at all: OpenSteer's.
        Direction = "direction",
    }
}

parameters! {
    /// Away from the neighbors within a radius, with a fixed strength or one that falls off with
    /// the distance.
    #[doc(alias = "separate")]
    "separation" = pub struct Separation {
        /// The distance up to which a neighbor counts; `"auto"` takes the spacing.
        radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// The strength of the push; `"auto"` takes max_force, or max_speed if that is less.
        max_force: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Speed), Formula::by_group(Scale::strength));
        /// `"fixed"` always pushes with max_force, `"inverse"` by the inverse of the distance;
        /// `"projected"` is the inverse push without its part towards the nearest neighbor, `"sum"`
        /// the inverse push times the number of neighbors, which is Buckland's and Yuka's,
        /// `"fading"` that sum without a step at the radius, `"direction"` the direction of the
        /// inverse push with max_force, which is OpenSteer's. Left out: the tutorials' `"fixed"`
        /// beside a number for `radius`, else `"fading"`.
        falloff: Option<Falloff> = None, Kind::Word(Falloff::WORDS);
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
    }
}

nested!(Separation);

optional_word!(Falloff);

impl Separation {
    /// The falloff that counts.
    pub(super) fn falloff_in_use(&self) -> Falloff {
        self.falloff.unwrap_or(match self.radius {
            Auto::Fixed(_) => Falloff::Fixed,
            Auto::Auto => Falloff::Fading,
        })
    }

    /// Sets the falloff that is left out.
    pub(crate) fn complete(&mut self) {
        self.falloff = Some(self.falloff_in_use());
    }

    /// The neighbors that count, in a crowd, where the radius has a number.
    pub(super) fn filter(&self) -> NeighborFilter<'_> {
        let Self { radius, of, field_of_view, .. } = self;
        NeighborFilter { radius: radius.known(), of, field_of_view: *field_of_view }
    }
}

/// The push away from the neighbors (length / time); zero without neighbors.
///
/// Fixed: `unit(mean(p - q)) * max_force`. Inverse: `mean(unit(p - q) * radius / max(d, radius /
/// 64)) * max_force`. A neighbor at the host's own position counts with a unit vector that depends
/// only on the two ids. The velocities do not matter.
///
/// Both can push the host towards its nearest neighbor where others behind it are many. Projected
/// cannot: with f the inverse push and n the direction to the nearest neighbor, the lowest id among
/// equally near ones, it is `f - n * max(0, f.n)` (the projection of f onto the half-space of the
/// vectors with `f.n <= 0`; S. Boyd and L. Vandenberghe, "Convex Optimization", 2004, 8.1.1). With
/// one neighbor it is the inverse push.
///
/// Sum: `sum(unit(p - q) * radius / max(d, radius / 64)) * max_force`, the separation of M.
/// Buckland's "Programming Game AI by Example" (2005, chapter 3) and of Yuka, whose weight is
/// radius * max_force here.
///
/// Fading: `sum(unit(p - q) * (radius / max(d, radius / 64) - d / radius)) * max_force`, the sum
/// without what is left of it at the radius, so that a neighbor that crosses it changes nothing. A
/// push with a step there keeps a crowd in motion that should rest.
///
/// Direction: `unit(mean((p - q) / d^2)) * max_force`, the separation of C. Reynolds' OpenSteer
/// (2004, `SteerLibrary::steerForSeparation`), whose weight is max_force here.
///
/// ```
/// use wayfare::{Agent, Neighbors, behavior::{Separation, separation}, glam::vec2};
/// let guest = Agent::new(vec2(0.0, 0.0), 3.0);
/// let others = [(vec2(4.0, 0.0), vec2(0.0, 0.0)), (vec2(90.0, 0.0), vec2(0.0, 0.0))];
/// let neighbors = Neighbors::of(&guest, others);
/// // The second one is beyond the radius.
/// assert_eq!(separation(&guest, &neighbors, &Separation::default().radius(10.0)
///     .max_force(2.0)), vec2(-2.0, 0.0));
/// ```
#[inline(always)]
pub fn separation<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    parameters: &Separation,
) -> V {
    let radius = parameters.radius.of(host, Scale::spacing);
    let (filter, heading) = (NeighborFilter { radius, ..parameters.filter() }, host.heading());
    let falloff = parameters.falloff_in_use();
    let push = if falloff == Falloff::Fixed {
        let [push] = neighbors.sums_in_unit_of_length(filter, heading, |unit| {
            (unit * SHORTEST, Fixed { neighbors, scale: -1.0 / unit })
        });
        push.mean::<V>().unit()
    } else {
        by_inverse(neighbors, filter, heading, falloff)
    };
    push * parameters.max_force.of(host, Scale::strength)
}

/// The force from the sum of the pushes (length / time), of all falloffs but the projected one.
#[inline(always)]
pub(super) fn force_of<V: Vector>(sum: &NeighborSum, falloff: Falloff, max_force: f32) -> V {
    let push = match falloff {
        Falloff::Sum | Falloff::Fading => sum.total(),
        Falloff::Inverse | Falloff::Projected => sum.mean(),
        Falloff::Fixed | Falloff::Direction => sum.mean::<V>().unit(),
    };
    push * max_force
}

/// The push by the inverse of the distance, for a strength of 1.
#[inline(never)]
fn by_inverse<V: Vector>(
    neighbors: &Neighbors<V>,
    filter: NeighborFilter<'_>,
    heading: V,
    falloff: Falloff,
) -> V {
    let close = saturation_distance(filter.radius);
    let (radius, fade) = (filter.radius, fade(filter.radius, falloff));
    if falloff == Falloff::Projected {
        let terms = Inverse::<_, true> { neighbors, radius, fade };
        let ([push], nearest) = neighbors.sums_and_nearest(filter, heading, close, &terms);
        nearest
            .map_or(V::ZERO, |nearest| without_part_towards(push.mean(), -neighbors.away(&nearest)))
    } else {
        let terms = Inverse::<_, false> { neighbors, radius, fade };
        let [push] = neighbors.sums(filter, heading, close, &terms);
        force_of(&push, falloff, 1.0)
    }
}

/// The component of the projected push away from the nearest neighbor, as a part of the push: more
/// than the rounding of a few operations, so that rounding does not turn it towards the neighbor.
const AWAY: f32 = 1.0 / 524_288.0;

/// `push` without its part along the unit vector `towards`.
fn without_part_towards<V: Vector>(push: V, towards: V) -> V {
    let part = push.dot(towards) + push.length() * AWAY;
    if part > 0.0 { push - towards * part } else { push }
}

/// The pair term of the fixed push: p - q, in the unit of length of the sum.
struct Fixed<'a, V: Vector> {
    neighbors: &'a Neighbors<V>,
    scale: f32,
}

impl<V: Vector> PairTerms<V, 1> for Fixed<'_, V> {
    const READS_VELOCITIES: bool = false;
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 1] {
        [pairs.offset.times(L::splat(self.scale))]
    }
    /// An offset too short for the fixed-point sum is lengthened, which keeps its direction. At the
    /// same position the push has full strength.
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 1] {
        [self.neighbors.away(neighbor)
            * if neighbor.distance_squared < ZERO_LENGTH_SQUARED { 1.0 } else { SHORTEST }]
    }
}

/// The pair term of the inverse push; with `NEAREST` the sum also finds the nearest neighbor.
struct Inverse<'a, V: Vector, const NEAREST: bool> {
    neighbors: &'a Neighbors<V>,
    radius: f32,
    /// What is taken away from the push, for each unit of distance (1 / length).
    fade: f32,
}

/// What the fading push takes away for each unit of distance (1 / length); zero for the others.
pub(super) fn fade(radius: f32, falloff: Falloff) -> f32 {
    if falloff == Falloff::Fading { 1.0 / radius } else { 0.0 }
}

impl<V: Vector, const NEAREST: bool> PairTerms<V, 1> for Inverse<'_, V, NEAREST> {
    const READS_VELOCITIES: bool = false;
    const FINDS_NEAREST: bool = NEAREST;
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 1] {
        let push = L::splat(-self.radius) / pairs.distance_squared + L::splat(self.fade);
        [pairs.offset.times(push)]
    }
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 1] {
        [away_close(self.neighbors, neighbor) + neighbor.offset * self.fade]
    }
}

/// The shortest offset of a neighbor in the fixed push, in the unit of length of the sum.
pub(super) const SHORTEST: f32 = 1.0 / 4_096.0;

/// The distance below which the inverse push does not grow (length).
pub(super) fn saturation_distance(radius: f32) -> f32 {
    radius / 64.0
}

/// The pair term of the inverse push: unit(p - q) * radius / d.
#[inline(always)]
pub(super) fn away_far<L: Simd>(pairs: &Pairs<L>, radius: f32) -> Term<L> {
    pairs.offset.times(L::splat(-radius) / pairs.distance_squared)
}

/// The pair term of the inverse push for a neighbor nearer than [`saturation_distance`].
pub(super) fn away_close<V: Vector>(neighbors: &Neighbors<V>, neighbor: &Neighbor<V>) -> V {
    neighbors.away(neighbor) * 64.0
}

impl<V: Vector> Steer<V> for Separation {
    #[inline(always)]
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.circle("radius", || (host.position, self.radius.of(host, Scale::spacing)));
        separation(host, context.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius.known())
    }
    fn motion_of_host(&self) -> HostMotion {
        if self.field_of_view < 360.0 { HostMotion::Read } else { HostMotion::Ignored }
    }
    fn rule(&self) -> Option<Rule<'_>> {
        Some(Rule::Separation(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, falloffs, neighbors_at};
    use crate::id::AgentId;
    use crate::random::Random;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters(radius: f32, max_force: f32, falloff: Falloff) -> Separation {
        Separation {
            radius: Auto::Fixed(radius),
            max_force: Auto::Fixed(max_force),
            falloff: Some(falloff),
            of: Groups::All,
            field_of_view: 360.0,
        }
    }

    fn at<V: Vector>(offsets: &[V]) -> Neighbors<V> {
        neighbors_at(&offsets.iter().map(|&offset| (offset, V::X, 0)).collect::<Vec<_>>())
    }

    #[test]
    fn the_fixed_push_has_one_strength_away_from_the_mean_position() {
        // The means of p - q are (-1.5, -2), of length 2.5, and (-1, 2, -2), of length 3.
        let push = separation(
            &Agent::new(vec2(7.0, 7.0), 1.0),
            &at(&[vec2(3.0, 0.0), vec2(0.0, 4.0)]),
            &parameters(8.0, 10.0, Falloff::Fixed),
        );
        assert_near(push, vec2(-6.0, -8.0));
        let push = separation(
            &Agent::new(Vec3::ZERO, 1.0),
            &at(&[vec3(2.0, 0.0, 0.0), vec3(0.0, -4.0, 4.0)]),
            &parameters(8.0, 6.0, Falloff::Fixed),
        );
        assert_near(push, vec3(-2.0, 4.0, -4.0));
    }

    #[test]
    fn the_inverse_push_grows_as_distance_shrinks_and_is_divided_by_the_number_of_neighbors() {
        // A neighbor at 2 gives 8 / 2 = 4, one at 4 gives 8 / 4 = 2; half of the sum, times 3.
        let push = separation(
            &Agent::new(vec2(7.0, 7.0), 1.0),
            &at(&[vec2(2.0, 0.0), vec2(0.0, 4.0)]),
            &parameters(8.0, 3.0, Falloff::Inverse),
        );
        assert_near(push, vec2(-6.0, -3.0));
        let push = separation(
            &Agent::new(Vec3::ZERO, 1.0),
            &at(&[vec3(0.0, 0.0, -2.0), vec3(0.0, 4.0, 0.0)]),
            &parameters(8.0, 3.0, Falloff::Inverse),
        );
        assert_near(push, vec3(0.0, -3.0, 6.0));
    }

    #[test]
    fn the_inverse_push_is_constant_within_a_64th_of_the_radius() {
        let strength = |distance| {
            separation(
                &Agent::new(Vec2::ZERO, 1.0),
                &at(&[vec2(distance, 0.0)]),
                &parameters(64.0, 1.0, Falloff::Inverse),
            )
            .x
        };
        assert_eq!(
            [strength(64.0), strength(32.0), strength(2.0), strength(1.0), strength(0.25)],
            [-1.0, -2.0, -32.0, -64.0, -64.0]
        );
    }

    #[test]
    fn the_push_of_buckland_and_yuka_adds_up() {
        // Yuka's is unit(p - q) / d each, (-0.5, 0) and (0, -0.25), times a weight of 24.
        let push = separation(
            &Agent::new(vec2(7.0, 7.0), 1.0),
            &at(&[vec2(2.0, 0.0), vec2(0.0, 4.0)]),
            &parameters(8.0, 3.0, Falloff::Sum),
        );
        assert_near(push, vec2(-12.0, -6.0));
    }

    #[test]
    fn the_fading_push_is_the_sum_without_what_is_left_at_the_radius() {
        // 8 / 2 - 2 / 8 = 3.75 and 8 / 4 - 4 / 8 = 1.5, times 2.
        let push = |others: &[Vec2]| {
            let fading = parameters(8.0, 2.0, Falloff::Fading);
            separation(&Agent::new(vec2(7.0, 7.0), 1.0), &at(others), &fading)
        };
        assert_near(push(&[vec2(2.0, 0.0), vec2(0.0, 4.0)]), vec2(-7.5, -3.0));
        // A neighbor that crosses the radius changes nothing; one that is close is not a step.
        assert!(push(&[vec2(7.999, 0.0)]).length() < 1e-3);
        let [inside, outside] = [0.124_99, 0.125_01].map(|d| push(&[vec2(d, 0.0)]).x);
        assert!((inside - outside).abs() < 0.03 && inside < -127.0, "{inside} {outside}");
    }

    #[test]
    fn the_push_fades_without_numbers_and_is_the_tutorials_beside_a_radius() {
        let host = Agent { radius: 1.0, ..Agent::new(Vec2::ZERO, 1.0) };
        let others = at(&[vec2(1.5, 0.0)]);
        let push = |parameters: &Separation| separation(&host, &others, parameters);
        let (auto, fixed) = (Separation::default(), Separation::default().radius(2.0));
        assert_eq!(push(&auto), push(&auto.clone().falloff(Falloff::Fading)));
        assert_eq!(push(&fixed), push(&fixed.clone().falloff(Falloff::Fixed)));
        assert_ne!(push(&auto), push(&auto.clone().falloff(Falloff::Fixed)));
    }

    #[test]
    fn the_push_of_opensteer_has_the_direction_of_the_inverse_push_and_always_its_strength() {
        // (p - q) / d^2 is (-0.5, 0) and (0, -0.25), whose sum is 0.25 * (-2, -1).
        let push = separation(
            &Agent::new(vec2(7.0, 7.0), 1.0),
            &at(&[vec2(2.0, 0.0), vec2(0.0, 4.0)]),
            &parameters(8.0, 5.0, Falloff::Direction),
        );
        assert_near(push, vec2(-2.0, -1.0) * 5.0_f32.sqrt());
    }

    /// A neighbor ahead at the distance 1, and a crowd of others behind it and at its sides, in a
    /// radius of 8; one in four crowds has a second neighbor at exactly the distance 1.
    fn one_ahead_of_many<V: Vector>(random: &mut Random) -> Vec<V> {
        let mut ahead = vec![V::X];
        if random.between(0.0, 1.0) < 0.25 {
            ahead.push(V::from_fn(|axis| f32::from(u8::from(axis == 1))));
        }
        let count = random.between(1.0, 20.0) as usize;
        let others = (0..count).map(|_| {
            let distance = random.between(1.0, 8.0);
            V::random_unit(random) * distance
        });
        ahead.extend(others);
        ahead
    }

    fn assert_projected_never_points_to_the_nearest_neighbor<V: Vector>() -> [usize; 2] {
        let mut random = Random::new(5, 0, 0, 0);
        let mut towards = [0; 2];
        for case in 0..4_000 {
            let others = one_ahead_of_many::<V>(&mut random);
            let neighbors = at(&others);
            let host = Agent::new(V::ZERO, 1.0);
            let push = |falloff| separation(&host, &neighbors, &parameters(8.0, 3.0, falloff));
            // The part towards the nearest neighbor, which is at the distance 1.
            let part = |falloff| {
                let axes = (0..V::DIMENSION).map(|i| (push(falloff).axis(i), others[0].axis(i)));
                axes.map(|(push, offset)| f64::from(push) * f64::from(offset)).sum::<f64>()
            };
            assert!(part(Falloff::Projected) <= 0.0, "case {case}: {others:?}");
            // No more than the part towards the nearest neighbor is taken away.
            let (inverse, projected) = (push(Falloff::Inverse), push(Falloff::Projected));
            let taken = (inverse - projected).length() as f64;
            let most = part(Falloff::Inverse).max(0.0) + 1e-5 * f64::from(inverse.length());
            assert!(taken <= most, "case {case}: {taken} of {most}");
            for (count, falloff) in towards.iter_mut().zip([Falloff::Fixed, Falloff::Inverse]) {
                *count += usize::from(part(falloff) > 1e-3);
            }
        }
        towards
    }

    #[test]
    fn the_projected_push_never_points_to_the_nearest_neighbor_and_the_others_can() {
        for towards in [
            assert_projected_never_points_to_the_nearest_neighbor::<Vec2>(),
            assert_projected_never_points_to_the_nearest_neighbor::<Vec3>(),
        ] {
            assert!(towards.iter().all(|count| *count > 200), "{towards:?}");
        }
        // At the same position the nearest neighbor has a direction, too.
        let others = at(&[Vec2::ZERO, vec2(1.0, 0.0), vec2(0.0, 1.0)]);
        let host = Agent::new(Vec2::ZERO, 1.0);
        let push = separation(&host, &others, &parameters(8.0, 3.0, Falloff::Projected));
        let nearest = others.iter().next().unwrap();
        assert!(push.dot(others.away(&nearest)) > 0.0);
    }

    #[test]
    fn only_neighbors_within_the_radius_the_groups_and_the_view_count() {
        let others = neighbors_at(&[
            (vec2(8.0, 0.0), Vec2::X, 1),
            (vec2(0.0, 8.1), Vec2::X, 1),
            (vec2(0.0, 3.0), Vec2::X, 0),
            (vec2(-3.0, 0.0), Vec2::X, 1),
        ]);
        let host = Agent::new(Vec2::ZERO, 1.0);
        for falloff in falloffs() {
            let parameters = Separation {
                of: Groups::only([1]),
                field_of_view: 270.0,
                ..parameters(8.0, 5.0, falloff)
            };
            // At the radius the fading push has faded.
            let push = if falloff == Falloff::Fading { 0.0 } else { -5.0 };
            assert_near(separation(&host, &others, &parameters), vec2(push, 0.0));
            assert_eq!(separation(&host, &Neighbors::none(), &parameters), Vec2::ZERO);
        }
    }

    #[test]
    fn coincident_agents_are_pushed_in_opposite_directions_that_depend_only_on_their_ids() {
        let push = |host: u32, other: u32, falloff, position| {
            let mut neighbors = Neighbors::none();
            neighbors.push(Neighbor::new(AgentId(other), Vec3::ZERO, Vec3::ZERO));
            neighbors.set_host(AgentId(host), Vec3::ZERO, 0, 1.0);
            separation(&Agent::new(position, 1.0), &neighbors, &parameters(8.0, 2.0, falloff))
        };
        for (falloff, strength) in [
            (Falloff::Fixed, 2.0),
            (Falloff::Inverse, 128.0),
            (Falloff::Projected, 128.0),
            (Falloff::Fading, 128.0),
            (Falloff::Direction, 2.0),
        ] {
            let one = push(4, 9, falloff, Vec3::ZERO);
            assert!((one.length() - strength).abs() < 1e-4 * strength, "{one}");
            assert_near(push(9, 4, falloff, Vec3::ZERO), -one);
            assert_eq!(push(4, 9, falloff, Vec3::ONE), one);
            assert_ne!(push(4, 10, falloff, Vec3::ZERO), one);
        }
    }
}
