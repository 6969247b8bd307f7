//! Flock: separation, alignment and cohesion at one radius. Reynolds, GDC 1999, "Flocking" (after
//! "Flocks, Herds, and Schools", SIGGRAPH 1987). The zone of separation that goes before cohesion
//! is the "zone of repulsion" of I. Couzin, J. Krause, R. James, G. Ruxton and N. Franks,
//! "Collective memory and spatial sorting in animal groups" (2002), 2; alignment goes on in it
//! here, as it damps the motion of neighbors relative to one another.

use super::Steer;
use super::alignment::align;
use super::cohesion::cohere;
use super::separation::{away_close, away_far, saturation_distance};
use crate::agent::{Agent, Host, Memory, strength};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Auto, Formula, Groups, Kind, Range, Scale, Unit, parameters};
use crate::simd::{Simd, Term};
use crate::spatial::neighbors::{Neighbor, NeighborFilter, Neighbors, PairTerms, Pairs};
use crate::vector::Vector;

parameters! {
    /// Separation (by inverse falloff), alignment and cohesion at one radius, each with its weight.
    #[doc(alias = "boids")]
    #[doc(alias = "flocking")]
    "flock" = pub struct Flock {
        /// The distance up to which a neighbor counts; `"auto"` takes 8 spacing, and then the
        /// `separation_radius` that is left out is the spacing.
        radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::sight));
        /// The weight of separation; its strength is the host's max_force, or its max_speed if that
        /// is unlimited.
        separation: f32 = 1.5, Kind::Number(Range::any(Unit::None));
        /// The weight of alignment.
        alignment: f32 = 1.0, Kind::Number(Range::any(Unit::None));
        /// The weight of cohesion.
        cohesion: f32 = 1.0, Kind::Number(Range::any(Unit::None));
        /// The distance up to which separation counts, by unit(p - q) * (separation_radius / d - 1)
        /// of each neighbor; a host with a neighbor so near ignores cohesion. A twelfth of `radius`
        /// holds a flock together, with about this distance between neighbors. Left out: up to
        /// `radius`, by the mean of unit(p - q) * radius / d, and cohesion always counts.
        separation_radius: Option<f32> = None, Kind::Number(Range::above_zero(Unit::Length));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
    }
}

impl Flock {
    /// The radius of the zone of separation, if there is one: the spacing where neither radius is
    /// given.
    fn zone(&self, scale: impl FnOnce() -> Scale) -> Option<f32> {
        let is_auto = self.radius == Auto::Auto;
        self.separation_radius.or_else(|| is_auto.then(|| scale().spacing()))
    }

    /// Sets the zone of separation that a flock without radii has.
    pub(crate) fn complete(&mut self, scale: &Scale) {
        self.separation_radius = self.zone(|| *scale);
    }
}

/// The weighted sum of [`separation`](super::separation()), [`alignment`](super::alignment()) and
/// [`cohesion`](super::cohesion()) (length / time); zero without neighbors.
///
/// Separation over the whole `radius` is a mean, which does not grow with the density: where it is
/// weaker than cohesion the flock shrinks to a clump, and where it is stronger the flock dissolves.
/// With a `separation_radius` s it is the sum of `unit(p - q) * (s / max(d, s / 64) - 1)` over the
/// neighbors within s, and cohesion counts only without such a neighbor: no pressure of cohesion
/// adds up from agent to agent, so that neighbors keep about the distance s at any size of a flock.
///
/// ```
/// use wayfare::{Agent, Neighbors, behavior::{Flock, flock}, glam::vec2};
/// let bird = Agent { max_force: 2.0, ..Agent::new(vec2(0.0, 0.0), 5.0) };
/// let neighbors = Neighbors::of(&bird, [(vec2(3.0, 4.0), vec2(0.0, 2.0))]);
/// // Weights of separation, alignment and cohesion.
/// let force = |separation, alignment, cohesion| {
///     flock(&bird, &neighbors, &Flock { separation, alignment, cohesion, ..Flock::default()
///         .radius(10.0) })
/// };
/// assert_eq!(force(0.0, 1.0, 0.0), vec2(0.0, 2.0));
/// let towards = force(0.0, 0.0, 1.0);
/// assert!((towards - vec2(3.0, 4.0)).length() < 1e-3);
/// assert!(force(1.0, 0.0, 0.0).dot(towards) < 0.0);
/// ```
pub fn flock<V: Vector>(host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Flock) -> V {
    V::flock(&Agent::of(host), neighbors, parameters)
}

/// [`flock()`] in the crate that compiles it.
#[inline(always)]
pub(crate) fn flock_here<V: Vector>(
    host: &Agent<V>,
    neighbors: &Neighbors<V>,
    parameters: &Flock,
) -> V {
    let radius = parameters.radius.of(host, Scale::sight);
    let filter =
        NeighborFilter { radius, of: &parameters.of, field_of_view: parameters.field_of_view };
    if let Some(separation_radius) = parameters.zone(|| Scale::of(host, 0.0)) {
        return flock_in_zones(host, neighbors, parameters, filter, separation_radius);
    }
    let unit_of_speed = neighbors.unit_of_speed(&filter);
    let in_unit = |unit_of_length: f32| {
        let (speed, length) = (1.0 / unit_of_speed, 1.0 / unit_of_length);
        (saturation_distance(radius), Rules { neighbors, radius, speed, length })
    };
    let [push, velocity, offset] =
        neighbors.sums_in_unit_of_length(filter, host.heading(), in_unit);
    if push.count() == 0 {
        return V::ZERO;
    }
    let share = push.share();
    push.times::<V>(share) * (strength(host) * parameters.separation)
        + align(host, velocity.times(share), unit_of_speed) * parameters.alignment
        + cohere(host, offset.times(share)) * parameters.cohesion
}

/// [`flock()`] with a `separation_radius` (length).
#[inline(never)]
fn flock_in_zones<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    parameters: &Flock,
    filter: NeighborFilter<'_>,
    separation_radius: f32,
) -> V {
    let zone = NeighborFilter { radius: separation_radius, ..filter };
    let [push] = neighbors.sums(
        zone,
        host.heading(),
        saturation_distance(separation_radius),
        &Zone { neighbors, radius: separation_radius },
    );
    let unit_of_speed = neighbors.unit_of_speed(&filter);
    let [velocity, offset] =
        neighbors.sums_in_unit_of_length(filter, host.heading(), |unit_of_length| {
            (0.0, Company { speed: 1.0 / unit_of_speed, length: 1.0 / unit_of_length })
        });
    let mut force = push.total::<V>() * (strength(host) * parameters.separation);
    if velocity.count() > 0 {
        force += align(host, velocity.mean(), unit_of_speed) * parameters.alignment;
        if push.count() == 0 {
            force += cohere(host, offset.mean()) * parameters.cohesion;
        }
    }
    force
}

/// The pair term of separation with a radius of its own: unit(p - q) * (radius / d - 1).
struct Zone<'a, V: Vector> {
    neighbors: &'a Neighbors<V>,
    radius: f32,
}

impl<V: Vector> PairTerms<V, 1> for Zone<'_, V> {
    const READS_VELOCITIES: bool = false;
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 1] {
        let inverse = L::splat(1.0) / pairs.distance_squared.sqrt();
        [pairs.offset.times(inverse - L::splat(self.radius) / pairs.distance_squared)]
    }
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 1] {
        [self.neighbors.away(neighbor) * 63.0]
    }
}

/// The pair terms of alignment and cohesion: velocity and offset.
struct Company {
    /// The factors that scale velocities and offsets to about length 1.
    speed: f32,
    length: f32,
}

impl<V: Vector> PairTerms<V, 2> for Company {
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 2] {
        [pairs.velocity.times(L::splat(self.speed)), pairs.offset.times(L::splat(self.length))]
    }
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 2] {
        [neighbor.velocity * self.speed, neighbor.offset * self.length]
    }
}

/// The pair terms of the three rules, in one pass: push, velocity and offset.
struct Rules<'a, V: Vector> {
    neighbors: &'a Neighbors<V>,
    radius: f32,
    /// The factors that scale velocities and offsets to about length 1.
    speed: f32,
    length: f32,
}

impl<V: Vector> PairTerms<V, 3> for Rules<'_, V> {
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 3] {
        [
            away_far(pairs, self.radius),
            pairs.velocity.times(L::splat(self.speed)),
            pairs.offset.times(L::splat(self.length)),
        ]
    }
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 3] {
        [
            away_close(self.neighbors, neighbor),
            neighbor.velocity * self.speed,
            neighbor.offset * self.length,
        ]
    }
}

impl<V: Vector> Steer<V> for Flock {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.circle("radius", || (host.position, self.radius.of(host, Scale::sight)));
        if let Some(separation_radius) = self.zone(|| Scale::of(host, 0.0)) {
            debug.circle("separation_radius", || (host.position, separation_radius));
        }
        flock_here(host, context.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        let radius = self.radius.known();
        Some(self.separation_radius.map_or(radius, |zone| zone.max(radius)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, neighbors_at};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn parameters() -> Flock {
        Flock::default().radius(10.0)
    }

    fn host() -> Agent<Vec2> {
        Agent { max_force: 2.0, ..Agent::new(vec2(9.0, 9.0), 5.0).moving(vec2(1.0, 0.0)) }
    }

    #[test]
    fn the_three_rules_are_added_with_their_weights() {
        // Separation -(0.6, 0.8) * 10 / 5 * 2 = (-2.4, -3.2), alignment (0, 2) - (1, 0) = (-1, 2),
        // cohesion (3, 4) - (1, 0) = (2, 4).
        let others = neighbors_at(&[(vec2(3.0, 4.0), vec2(0.0, 2.0), 0)]);
        assert_near(
            flock(&host(), &others, &parameters()),
            vec2(-3.6 - 1.0 + 2.0, -4.8 + 2.0 + 4.0),
        );
        let weights = Flock { separation: 2.0, alignment: 3.0, cohesion: -4.0, ..parameters() };
        assert_near(flock(&host(), &others, &weights), vec2(-4.8 - 3.0 - 8.0, -6.4 + 6.0 - 16.0));
        // In 3D, along z and x.
        let host =
            Agent { max_force: 2.0, ..Agent::new(Vec3::ZERO, 5.0).moving(vec3(1.0, 0.0, 0.0)) };
        let others = neighbors_at(&[(vec3(3.0, 0.0, 4.0), vec3(0.0, 0.0, 2.0), 0)]);
        assert_near(flock(&host, &others, &parameters()), vec3(-2.6, 0.0, 1.2));
    }

    #[test]
    fn without_a_limit_of_force_the_strength_of_separation_is_max_speed() {
        // Separation -(0.6, 0.8) * 10 / 5 * 5 = (-6, -8), times 1.5; alignment and cohesion as
        // above.
        let others = neighbors_at(&[(vec2(3.0, 4.0), vec2(0.0, 2.0), 0)]);
        let host = Agent { max_force: f32::INFINITY, ..host() };
        assert_near(
            flock(&host, &others, &parameters()),
            vec2(-9.0 - 1.0 + 2.0, -12.0 + 2.0 + 4.0),
        );
    }

    #[test]
    fn all_three_rules_read_the_same_neighbors_and_without_them_there_is_no_force() {
        let others = [
            (vec2(0.0, 10.1), Vec2::Y, 1),
            (vec2(0.0, 3.0), Vec2::Y, 0),
            (vec2(-3.0, 0.0), Vec2::Y, 1),
        ];
        let parameters = Flock { of: Groups::only([1]), field_of_view: 270.0, ..parameters() };
        assert_eq!(flock(&host(), &neighbors_at(&others), &parameters), Vec2::ZERO);
        // (8, 0) counts: separation -10 / 8 * 2 * 1.5 = -3.75, alignment (0, 1) - (1, 0), cohesion
        // 5 - 1.
        let with_another = [&others[..], &[(vec2(8.0, 0.0), Vec2::Y, 1)]].concat();
        assert_near(
            flock(&host(), &neighbors_at(&with_another), &parameters),
            vec2(-3.75 - 1.0 + 4.0, 1.0),
        );
    }
    #[test]
    fn in_its_zone_separation_is_a_sum_and_there_is_no_cohesion() {
        // Separation in a zone of 4: -(0.6, 0.8) * (4 / 2 - 1) and (0, 1) * (4 / 1 - 1), times 2 *
        // 1.5; alignment (0, 1) - (1, 0), over all three.
        let near = [
            (vec2(1.2, 1.6), vec2(0.0, 3.0), 0),
            (vec2(0.0, -1.0), Vec2::ZERO, 0),
            (vec2(9.0, 0.0), Vec2::ZERO, 0),
        ];
        let parameters = Flock { separation_radius: Some(4.0), ..parameters() };
        assert_near(
            flock(&host(), &neighbors_at(&near), &parameters),
            vec2(-1.8 - 1.0, -2.4 + 9.0 + 1.0),
        );
        // Without a neighbor in the zone, alignment -(1, 0) and cohesion (5, 0) - (1, 0).
        assert_near(flock(&host(), &neighbors_at(&near[2..]), &parameters), vec2(3.0, 0.0));
        // A zone beyond the radius pushes alone: by 12 / 11 - 1, times 3.
        let beyond = Flock { separation_radius: Some(12.0), ..parameters.clone() };
        let others = neighbors_at(&[(vec2(0.0, 11.0), Vec2::X, 0)]);
        assert_near(flock(&host(), &others, &beyond), vec2(0.0, -3.0 / 11.0));
        assert_eq!(flock(&host(), &Neighbors::none(), &parameters), Vec2::ZERO);
        // At the same position the push is 63 times the strength, in a direction by the ids.
        let others = neighbors_at(&[(Vec2::ZERO, Vec2::X, 0)]);
        let push = flock(&host(), &others, &parameters);
        assert!((push.length() - 63.0 * 3.0).abs() < 1e-2, "{push}");
    }
}
