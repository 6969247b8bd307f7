//! Social force: repulsion by other pedestrians and by walls. D. Helbing, I. Farkas and T. Vicsek
//! ("Simulating dynamical features of escape panic", Nature 407, 2000), and A. Johansson, D.
//! Helbing and P. K. Shukla ("Specification of the social force pedestrian model by evolutionary
//! adjustment to video tracking data", Advances in Complex Systems 10, 2007).
//!
//! Both models are one formula: an ellipse of a step of no time is a circle. The driving term, the
//! desired velocity minus the velocity, is the force of the behavior that says where to go. Their
//! accelerations are multiplied by the mass, since the vehicle divides forces by it.
//!
//! Departures from them: the exponential ends at 8, an overlap of 2.1 `range`, and is zero beyond a
//! gap of 13.9 `range`; the friction is the tangential part of the relative velocity, which
//! is the same in the plane and has a meaning in space; max_speed limits the speed. The set of 2007
//! has no walls: their numbers are those of D. Helbing, L. Buzna, A. Johansson and T. Werner
//! ("Self-organized pedestrian crowd dynamics", Transportation Science 39, 2005).

mod pair;
mod walls;

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::Obstacles;
use crate::parameter::{Groups, Kind, Range, Unit, parameters, words};
use crate::spatial::neighbors::{NeighborFilter, Neighbors};
use crate::spatial::space::Space;
use crate::vector::{Vector, ZERO_LENGTH};
use pair::{PUSH_UNIT, Pushes};

words! {
    /// A set of values for the parameters of [`SocialForce`] that are left out.
    pub enum SocialForcePreset {
        /// Crowds that push, by the gap between bodies, with forces of bodies that touch: Helbing,
        /// Farkas and Vicsek, 2000. Their forces divided by their mass of 80 kg.
        Helbing2000 = "helbing-2000",
        /// People who walk, by the distance between centers, foreseen for one step: the elliptical
        /// specification II of Johansson, Helbing and Shukla, 2007, which fits their videos best.
        Johansson2007 = "johansson-2007",
        /// The same without foresight: the circular specification of 2007.
        Johansson2007Circular = "johansson-2007-circular",
    }
}

parameters! {
    /// Pushed away by other pedestrians and by walls: m * (sum over the neighbors + sum over the
    /// walls). It follows what says where to go in a list combined by `sum`, such as `seek`.
    ///
    /// `mass` is the relaxation time tau of the model, 0.5 s in both sources, and `max_speed` the
    /// desired speed. Lengths are metres and times seconds; in other units, all parameters with a
    /// unit have to be given. Walls are obstacles and bounds that are walls. `"helbing-2000"` needs
    /// a `radius` of the group (0.25 to 0.35 in the source) and a `dt` of 0.02 or less, as bodies
    /// that touch push hard. The sets of 2007 know no bodies: where people meet closely, `[bodies]
    /// solid = true` keeps them apart.
    #[doc(alias = "social force model")]
    #[doc(alias = "helbing")]
    "social_force" needs(BODIES) is(AVOIDS) = pub struct SocialForce {
        /// The set of values for the numbers that are left out. `"helbing-2000"` measures distances
        /// between bodies, the sets of 2007 between centers.
        preset: SocialForcePreset = (SocialForcePreset::Helbing2000),
            Kind::Word(SocialForcePreset::WORDS);
        /// The acceleration A by a neighbor straight ahead at distance 0. Left out: 25, 0.04 or
        /// 0.42, in the order of the presets.
        strength: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Acceleration));
        /// The length B over which the acceleration falls to 37 %. Left out: 0.08, 3.22 or 1.65.
        range: Option<f32> = None, Kind::Number(Range::above_zero(Unit::Length));
        /// The part lambda of the acceleration that a neighbor straight behind causes; 1 is the
        /// same in all directions. Left out: 1, 0.06 or 0.12.
        lambda: Option<f32> = None, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        /// The time of the step over which the relative velocity is foreseen: the axis of the
        /// ellipse. Left out: 0, 0.5 or 0.
        stride_time: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Time));
        /// The acceleration k per overlap of two bodies, or of a body and a wall (1 / time^2). Left
        /// out: 1500, 0 or 0.
        body_force: Option<f32> = None, Kind::Number(Range::from_zero(Unit::None));
        /// The friction kappa of bodies that touch, and of walls: the acceleration per overlap and
        /// sliding speed (1 / (length * time)). Left out: 3000, 0 or 0.
        friction: Option<f32> = None, Kind::Number(Range::from_zero(Unit::None));
        /// The acceleration by a wall that the body touches. Left out: 25, 5 or 5.
        wall_strength: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Acceleration));
        /// The length over which the acceleration by a wall falls to 37 %. Left out: 0.08, 0.1 or
        /// 0.1.
        wall_range: Option<f32> = None, Kind::Number(Range::above_zero(Unit::Length));
        /// The distance between centers up to which neighbors count. Left out: 2, 10 or 10.
        radius: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Length));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
    }
}

/// The numbers that are used, in the units of the parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// Whether distances to neighbors are those between bodies.
    between_bodies: bool,
    pub(crate) strength: f32,
    pub(crate) range: f32,
    lambda: f32,
    stride_time: f32,
    pub(crate) body_force: f32,
    friction: f32,
    pub(crate) wall_strength: f32,
    pub(crate) wall_range: f32,
    radius: f32,
}

impl SocialForcePreset {
    fn numbers(self) -> Numbers {
        let helbing = Numbers {
            between_bodies: true,
            strength: 25.0,
            range: 0.08,
            lambda: 1.0,
            stride_time: 0.0,
            body_force: 1_500.0,
            friction: 3_000.0,
            wall_strength: 25.0,
            wall_range: 0.08,
            radius: 2.0,
        };
        let johansson = Numbers {
            between_bodies: false,
            strength: 0.04,
            range: 3.22,
            lambda: 0.06,
            stride_time: 0.5,
            body_force: 0.0,
            friction: 0.0,
            wall_strength: 5.0,
            wall_range: 0.1,
            radius: 10.0,
        };
        match self {
            Self::Helbing2000 => helbing,
            Self::Johansson2007 => johansson,
            Self::Johansson2007Circular => {
                Numbers { strength: 0.42, range: 1.65, lambda: 0.12, stride_time: 0.0, ..johansson }
            }
        }
    }
}

impl SocialForce {
    /// The parameters of this preset.
    pub fn from_preset(preset: SocialForcePreset) -> Self {
        Self { preset, ..Self::default() }
    }

    /// The numbers that are used: its own, or those of the preset.
    pub(crate) fn numbers(&self) -> Numbers {
        let preset = self.preset.numbers();
        Numbers {
            between_bodies: preset.between_bodies,
            strength: self.strength.unwrap_or(preset.strength),
            range: self.range.unwrap_or(preset.range),
            lambda: self.lambda.unwrap_or(preset.lambda),
            stride_time: self.stride_time.unwrap_or(preset.stride_time),
            body_force: self.body_force.unwrap_or(preset.body_force),
            friction: self.friction.unwrap_or(preset.friction),
            wall_strength: self.wall_strength.unwrap_or(preset.wall_strength),
            wall_range: self.wall_range.unwrap_or(preset.wall_range),
            radius: self.radius.unwrap_or(preset.radius),
        }
    }
}

/// The force of neighbors and walls (length / time): the mass times the sum of their accelerations;
/// zero with none of them in reach.
///
/// With d = p - q from a neighbor to the host, s its length, n = d / s, the sum D of both radii,
/// and y the velocity of the neighbor relative to the host times `stride_time`, a neighbor causes
///
/// 1. `w * strength * exp((D - b) / range) * g`, where D is 0 unless the preset measures between
///    bodies: `2 b = sqrt((|d| + |d - y|)^2 - |y|^2)`, `g = (|d| + |d - y|) / (2 b) * (n + unit(d -
///    y)) / 2`, and `w = lambda + (1 - lambda) (1 + cos) / 2` with the cosine of the angle between
///    the heading and the neighbor. Without a `stride_time` b is s, and g is n.
/// 2. where the bodies overlap, `(D - s) * (body_force * n + friction * u)` with the part u of the
///    neighbor's relative velocity across n.
///
/// A surface at the distance s from the center with the normal n causes `wall_strength * exp((r -
/// s) / wall_range) * n` and, where the body overlaps it, the same as a neighbor at rest. Each
/// obstacle is one surface, of a polygon each edge; from inside it pushes out the shortest way.
///
/// The exponential is at most 8, as is the whole first term in units of `strength`, and zero below
/// 9e-7. An overlap of two bodies counts up to 4 radii of the host. Where the step leads exactly
/// through the neighbor, each of the two turns to its left, and one that is overtaken to its right.
/// A neighbor at the same position pushes in a direction that depends on both ids alone. A host at
/// rest is pushed as well, by its last heading.
///
/// ```
/// use wayfare::behavior::{SocialForce, seek, social_force};
/// use wayfare::geometry::obstacle::Obstacles;
/// use wayfare::spatial::space::Space;
/// use wayfare::{Agent, Neighbors, glam::vec2};
/// let guest = Agent { mass: 0.5, radius: 0.3, ..Agent::new(vec2(0.0, 0.0), 1.3) };
/// let neighbors = Neighbors::of(&guest, [(vec2(0.3, 0.0), vec2(0.0, 0.0))]);
/// let walls = (Obstacles::NONE, &Space::OPEN);
/// // The other one is a point that the body touches: 25 m/s2 for half a second.
/// let push = social_force(&guest, &neighbors, walls, &SocialForce::default());
/// assert!((push - vec2(-12.5, 0.0)).length() < 1e-3);
/// let force = seek(&guest, vec2(0.0, 50.0)) + push;
/// # assert!(force.is_finite());
/// ```
pub fn social_force<V: Vector>(
    host: &impl Host<V>,
    neighbors: &Neighbors<V>,
    (obstacles, space): (Obstacles<'_, V>, &Space<V>),
    parameters: &SocialForce,
) -> V {
    let host = &Agent::of(host);
    let numbers = &parameters.numbers();
    let filter =
        NeighborFilter { radius: numbers.radius, of: &parameters.of, field_of_view: 360.0 };
    let speed = neighbors.unit_of_speed(&filter);
    let pushes = Pushes::new(host, neighbors, space.up(), numbers, speed);
    let [social, contact] = neighbors.sums(filter, host.heading, ZERO_LENGTH, &pushes);
    let acceleration = social.total::<V>() * (numbers.strength * PUSH_UNIT)
        + contact.total::<V>() * pushes.contact_unit()
        + walls::acceleration(host, obstacles, space, numbers);
    (acceleration.clamped() * host.mass).clamped()
}

impl<V: Vector> Steer<V> for SocialForce {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.circle("radius", || (host.position, self.numbers().radius));
        social_force(host, context.neighbors, (context.obstacles, &context.space), self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.numbers().radius)
    }
}

#[cfg(test)]
mod tests;
