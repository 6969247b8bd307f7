//! Roam: go to one random point after another. The tutorials' first attempt at wandering ("Wander", 2012), and their monsters.

use super::{Steer, arrive};
use crate::agent::{Agent, Memory};
use crate::obstacle::Shape;
use crate::parameter::{Kind, Range, Unit, parameters};
use crate::random::Random;
use crate::surroundings::Surroundings;
use crate::vector::Vector;

parameters! {
    /// To a new random point of an area every so often: seek it, or arrive at it with a slowing radius.
    ///
    /// The turns are sudden and the way between them is straight, which looks like somebody sent on errands; `wander` changes
    /// its mind a little at every tick, and looks alive. Roam keeps its agents in the area, though.
    "roam" = pub struct Roam<V> {
        /// Where the points are drawn.
        area: Shape<V> = required, Kind::Area;
        /// How long each point is made for.
        every: f32 = required, Kind::Number(Range::above_zero(Unit::Time));
        /// The distance at which slowing begins; 0 goes at full speed.
        slowing_radius: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
    }
}

/// The point of `area` that agent `id` makes for at `time`: a new one every `every` (time), and nothing to remember.
pub fn roam_target<V: Vector>(parameters: &Roam<V>, seed: u64, id: u32, stream: u32, time: f64) -> V {
    let turn = libm::floor(time / f64::from(parameters.every));
    parameters.area.random_point(&mut Random::new(seed, id, turn as u64, stream))
}

impl<V: Vector> Steer<V> for Roam<V> {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        let target = roam_target(self, around.seed, around.id, around.stream, around.time);
        arrive(host, around.space.image(host.position, target), self.slowing_radius)
    }
}
