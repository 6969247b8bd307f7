//! Queue: wait behind who is ahead. The tutorials' behavior ("Queue", 2013); its stages, hard stop, brake, and both with or without
//! separation, are settings of it.

use super::Steer;
use super::separation::{Separation, separation};
use crate::agent::{Agent, Host, Memory};
use crate::neighbors::{Neighbor, Neighbors};
use crate::parameter::{Kind, Parameters, Range, Unit, parameters, words};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

words! {
    /// When the velocity is damped.
    pub enum DampWhen {
        /// When who is ahead is within the radius of the host itself.
        Near = "near",
        /// Whenever somebody is ahead.
        Ahead = "ahead",
    }
}

parameters! {
    /// Wait behind who is ahead: brakes the sum of the forces before it, and damps the velocity. The last in its list.
    ///
    /// The tutorial's stages: hard stop (brake = false, damp_when = "ahead"), brake (damping = 1), both (the defaults), and both
    /// with separation.
    "queue" = pub struct Queue {
        /// How far ahead the host looks for somebody.
        ahead: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// How near to the point looked at somebody must be.
        radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// How much of the sum of the forces before it is taken back; `false` leaves that and the braking of the velocity out.
        brake: Option<f32> = (Some(0.8)), Kind::NumberOrOff(Range::new(0.0, 1e3, Unit::None));
        /// What is left of the velocity after one unit of time; 1 damps nothing.
        damping: f32 = 0.3, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        /// `"near"` damps when who is ahead is within the radius of the host, `"ahead"` whenever somebody is ahead.
        damp_when: DampWhen = (DampWhen::Near), Kind::Word(DampWhen::WORDS);
        /// How to keep apart while waiting; not at all if left out.
        separation: Option<Separation> = None, Kind::Nested(<Separation as Parameters<glam::Vec2>>::PARAMETERS);
    }
}

/// What queueing does to a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queueing<V> {
    /// The force to add to those before it (length / time).
    pub force: V,
    /// The velocity that the step starts from in place of the host's own (length / time).
    pub start: V,
}

/// Who is ahead of `host`: the neighbor nearest to `probe`, within `radius` of it; the lowest id in a tie.
fn who_is_ahead<V: Vector>(neighbors: &Neighbors<V>, probe: V, radius: f32) -> Option<&Neighbor<V>> {
    let squared = radius * radius;
    let mut best: Option<(f32, &Neighbor<V>)> = None;
    for neighbor in neighbors.iter() {
        let distance = (neighbor.offset - probe).length_squared();
        if distance <= squared && best.is_none_or(|(least, found)| (distance, neighbor.id) < (least, found.id)) {
            best = Some((distance, neighbor));
        }
    }
    best.map(|(_, neighbor)| neighbor)
}

/// Brakes where somebody is ahead: `-brake * sum - u + separation`, and the step starts from the damped velocity `u`.
///
/// `sum` is the sum of the forces before it, weighted and not truncated. With nobody ahead there is no force and no damping.
pub fn queue<V: Vector>(host: &impl Host<V>, sum: V, neighbors: &Neighbors<V>, parameters: &Queue, dt: f32) -> Queueing<V> {
    let velocity = host.velocity();
    let probe = host.heading() * parameters.ahead;
    let Some(ahead) = who_is_ahead(neighbors, probe, parameters.radius) else { return Queueing { force: V::ZERO, start: velocity } };
    let near = ahead.distance_squared <= parameters.radius * parameters.radius;
    let damped = parameters.damp_when == DampWhen::Ahead || near;
    let start = if damped { velocity * libm::powf(parameters.damping, dt) } else { velocity };
    let mut force = parameters.brake.map_or(V::ZERO, |brake| sum * -brake - start);
    if let Some(apart) = &parameters.separation {
        force += separation(host, neighbors, apart);
    }
    Queueing { force, start }
}

impl<V: Vector> Steer<V> for Queue {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        let queueing = queue(host, around.sum, around.neighbors, self, around.dt);
        around.start_from(queueing.start);
        queueing.force
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some((self.ahead + self.radius).max(self.separation.as_ref().map_or(0.0, |s| s.radius)))
    }
}
