//! Turn rates, accelerations and jerks.

use std::collections::HashMap;
use std::sync::Arc;

use wayfare::parameter::{Groups, Kind, parameters};
use wayfare::{GroupId, Vector};

use super::EVERY;
use crate::error::Fault;
use crate::frame::{Body, Frame};
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::world::MeasuredWorld;

parameters! {
    /// How smoothly agents move: the mean turn rate, acceleration and jerk.
    ///
    /// With v(t) the velocity of an agent: the turn rate is the angle between v(t - Δt) and v(t) by
    /// Δt, of agents that move at both; the acceleration |v(t) - v(t - Δt)| / Δt; the jerk
    /// |v(t) - 2 v(t - Δt) + v(t - 2 Δt)| / Δt², whose root mean square over a run is the measure
    /// that a smooth motion makes small (T. Flash, N. Hogan, "The coordination of arm movements",
    /// J. Neurosci. 5, 1985). The velocities are those of the agents' state.
    "smoothness" = pub struct Smoothness {
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// A row at every so many ticks; the values of the run take every tick.
        every: f32 = 1.0, EVERY;
    }
}

quantities! {
    TURN_RATE = "turn_rate", "degrees / time", Tick, "The mean turn rate.";
    ACCELERATION = "acceleration", "length / time^2", Tick, "The mean acceleration.";
    JERK = "jerk", "length / time^3", Tick, "The mean jerk.";
    MEAN_TURN_RATE = "mean_turn_rate", "degrees / time", Run, "The mean turn rate.";
    MEAN_ACCELERATION = "mean_acceleration", "length / time^2", Run, "The mean acceleration.";
    MEAN_JERK = "mean_jerk", "length / time^3", Run, "The mean jerk.";
    RMS_JERK = "root_mean_square_jerk", "length / time^3", Run, "The root mean square of the jerk.";
    LARGEST_JERK = "largest_jerk", "length / time^3", Run, "The largest jerk.";
}

impl<V: Vector> MeasureKind<V> for Smoothness {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, _world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        Ok(Box::new(Running {
            of: self.of.clone(),
            every: self.every as u64,
            before: HashMap::new(),
            of_run: [Statistics::default(); 3],
            last: Moment::default(),
        }))
    }
}

/// The velocities of an agent at the last tick and, if it was there, at the one before.
#[derive(Clone, Copy)]
struct Earlier {
    episode: u32,
    velocity: [f64; 3],
    before: Option<[f64; 3]>,
}

struct Running {
    of: Groups,
    every: u64,
    /// By id.
    before: HashMap<u32, Earlier>,
    /// Of turn rate, acceleration, jerk.
    of_run: [Statistics; 3],
    last: Moment,
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The angle between two velocities (degrees); `None` if one is zero.
pub(super) fn angle(a: [f64; 3], b: [f64; 3]) -> Option<f64> {
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let moves = length(a) > 0.0 && length(b) > 0.0;
    moves.then(|| libm::atan2(length(cross), dot).to_degrees())
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        let dt = frame.world.dt;
        let mut of_tick = [Statistics::default(); 3];
        let mut now = HashMap::with_capacity(frame.bodies.len());
        let is_of = |body: &&Body| self.of.contain(GroupId(body.group as usize));
        for body in frame.bodies.iter().filter(is_of) {
            let v = body.velocity;
            let earlier = self.before.get(&body.id).filter(|e| e.episode == body.episode);
            if let Some(Earlier { velocity: u, before, .. }) = earlier {
                let turn = angle(*u, v).map(|angle| angle / dt);
                let acceleration = length([0, 1, 2].map(|i| v[i] - u[i])) / dt;
                let jerk =
                    before.map(|w| length([0, 1, 2].map(|i| v[i] - 2.0 * u[i] + w[i])) / (dt * dt));
                for (i, value) in [turn, Some(acceleration), jerk].into_iter().enumerate() {
                    if let Some(value) = value {
                        of_tick[i].add(value);
                        self.of_run[i].add(value);
                    }
                }
            }
            let before = earlier.map(|earlier| earlier.velocity);
            now.insert(body.id, Earlier { episode: body.episode, velocity: v, before });
        }
        self.before = now;
        self.last = frame.at;
        if frame.at.tick.is_multiple_of(self.every) {
            let quantities = [&TURN_RATE, &ACCELERATION, &JERK];
            for (quantity, statistics) in quantities.into_iter().zip(of_tick) {
                if let Some(mean) = statistics.mean() {
                    rows.put(frame.at, quantity, mean);
                }
            }
        }
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        let [turn, acceleration, jerk] = self.of_run;
        let ends = [
            (&MEAN_TURN_RATE, turn.mean()),
            (&MEAN_ACCELERATION, acceleration.mean()),
            (&MEAN_JERK, jerk.mean()),
            (&RMS_JERK, jerk.root_mean_square()),
            (&LARGEST_JERK, jerk.largest()),
        ];
        for (quantity, value) in ends {
            if let Some(value) = value {
                rows.put(self.last, quantity, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{frames, measured_in, values};
    use wayfare::crowd::Setup;
    use wayfare::glam::Vec2;

    #[test]
    fn a_right_turn_and_a_stop_have_the_turn_rate_acceleration_and_jerk_of_their_velocities() {
        let velocities = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]];
        let mut bodies = frames(&[vec![Some([0.0, 0.0]); 4]], |_, body| body);
        for (tick, [x, y]) in bodies.iter_mut().zip(velocities) {
            tick[0].velocity = [x, y, 0.0];
        }
        let world = MeasuredWorld::of(&Setup::<Vec2> { dt: 0.5, ..Setup::default() });
        let rows = measured_in::<Vec2>(world, Smoothness::default(), &bodies);
        assert_eq!(values(&rows, "turn_rate"), [(1, 0.0), (2, 180.0)]);
        let root = 2.0_f64.sqrt();
        assert_eq!(values(&rows, "acceleration"), [(1, 0.0), (2, 2.0 * root), (3, 2.0)]);
        // (0, 1) - 2 (1, 0) + (1, 0) and (0, 0) - 2 (0, 1) + (1, 0), by a quarter.
        let jerks = [(2, 4.0 * root), (3, 4.0 * 5.0_f64.sqrt())];
        assert_eq!(values(&rows, "jerk"), jerks);
        let rms = (0.5 * (32.0 + 80.0_f64)).sqrt();
        assert!((values(&rows, "root_mean_square_jerk")[0].1 - rms).abs() < 1e-12);
    }
}
