//! Who stands, who gets on, who walks back, who arrives.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use wayfare::parameter::{Groups, Kind, Range, Unit, parameters};
use wayfare::{GroupId, Vector};

use super::EVERY;
use super::smoothness::angle;
use crate::error::Fault;
use crate::frame::{Body, Frame};
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::world::MeasuredWorld;

parameters! {
    /// Who stands, how straight and how calmly the others move, how much they walk back, how many
    /// arrive.
    ///
    /// A member stands while it is slower than `standing` of its max_speed; members without one do
    /// not count. The straightness of a member is the distance between its places at the ends of a
    /// `window` by the length of its way between them (E. Batschelet, "Circular Statistics in
    /// Biology", 1981): 1 on a line, near 0 where it jitters. It has none with a way that a
    /// standing member can go. A member with a route walks back where what is left of the route
    /// gets longer, by at most its step: more is a new target.
    "motion" = pub struct Motion {
        /// A member that is slower than this part of its max_speed stands.
        standing: f32 = 0.05, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        /// The ticks over which straightness is taken, one window after the other.
        window: f32 = 20.0, Kind::Number(Range::new(1.0, 1e6, Unit::Count));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// A row at every so many ticks; the values of the run take every tick.
        every: f32 = 1.0, EVERY;
    }
}

quantities! {
    STANDING = "standing", "", Tick, "The part of the members that stand.";
    TURNING = "turning", "degrees / time", Tick, "The mean turn rate of those that do not.";
    STRAIGHTNESS = "straightness", "", Interval,
        "The mean straightness; the row's tick is the window's end.";
    MEAN_STANDING = "mean_standing", "", Run, "The mean of the part that stands over the ticks.";
    MEAN_TURNING = "mean_turning", "degrees / time", Run,
        "The mean turn rate of those that do not stand.";
    MEAN_STRAIGHTNESS = "mean_straightness", "", Run, "The mean straightness.";
    BACKTRACKING = "backtracking", "", Run,
        "The length that members with a route walked back, by the length of their ways.";
    ARRIVED = "arrived", "", Run, "The part of the members that have arrived at least once.";
}

impl<V: Vector> MeasureKind<V> for Motion {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, _world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        Ok(Box::new(Running {
            motion: self.clone(),
            ways: HashMap::new(),
            arrived: HashSet::new(),
            standing: Statistics::default(),
            turning: Statistics::default(),
            straightness: Statistics::default(),
            back: 0.0,
            on_routes: 0.0,
            last: Moment::default(),
        }))
    }
}

/// An agent at the last tick at which it was there.
struct Way {
    body: Body,
    /// The steps of the window so far: their number, their sum, and the sum of their lengths.
    steps: u64,
    offset: [f64; 3],
    length: f64,
}

impl Way {
    fn from(body: &Body) -> Self {
        Self { body: *body, steps: 0, offset: [0.0; 3], length: 0.0 }
    }
}

struct Running {
    motion: Motion,
    /// By id, of all agents that were ever there.
    ways: HashMap<u32, Way>,
    arrived: HashSet<u32>,
    standing: Statistics,
    turning: Statistics,
    straightness: Statistics,
    /// The lengths that were walked back, and along routes.
    back: f64,
    on_routes: f64,
    last: Moment,
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        let (dt, tick) = (frame.world.dt, frame.at.tick);
        let (part, window) = (f64::from(self.motion.standing), self.motion.window as u64);
        let is_end = tick.is_multiple_of(window);
        let [mut standing, mut turning, mut straightness] = [Statistics::default(); 3];
        let is_of = |body: &&Body| {
            self.motion.of.contain(GroupId(body.group as usize)) && body.max_speed > 0.0
        };
        for body in frame.bodies.iter().filter(is_of) {
            let slow = part * body.max_speed;
            let stands = |body: &Body| length(body.velocity) < slow;
            standing.add(f64::from(u8::from(stands(body))));
            if body.arrived {
                self.arrived.insert(body.id);
            }
            let way = self.ways.entry(body.id).or_insert_with(|| Way::from(body));
            if way.body.episode != body.episode {
                *way = Way::from(body);
            } else if tick > self.last.tick {
                let offset = frame.world.offset(way.body.position, body.position);
                let step = length(offset);
                way.steps += 1;
                (0..3).for_each(|i| way.offset[i] += offset[i]);
                way.length += step;
                if let (Some((_, before)), Some((_, left))) = (way.body.route, body.route) {
                    let longer = left - before;
                    // Positions and routes have the precision of the crowd.
                    if longer > 0.0 && longer <= step * (1.0 + 1e-3) {
                        self.back += longer;
                    }
                    self.on_routes += step;
                }
                if !stands(body)
                    && !stands(&way.body)
                    && let Some(angle) = angle(way.body.velocity, body.velocity)
                {
                    turning.add(angle / dt);
                    self.turning.add(angle / dt);
                }
                way.body = *body;
            }
            if is_end {
                if way.steps == window && way.length > slow * dt * window as f64 {
                    let value = length(way.offset) / way.length;
                    straightness.add(value);
                    self.straightness.add(value);
                }
                *way = Way::from(body);
            }
        }
        if let Some(mean) = standing.mean() {
            self.standing.add(mean);
        }
        self.last = frame.at;
        let is_row = tick.is_multiple_of(self.motion.every as u64);
        let values = [
            (&STANDING, standing.mean().filter(|_| is_row)),
            (&TURNING, turning.mean().filter(|_| is_row)),
            (&STRAIGHTNESS, straightness.mean()),
        ];
        for (quantity, value) in values {
            if let Some(value) = value {
                rows.put(frame.at, quantity, value);
            }
        }
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        let members = self.ways.len() as f64;
        let part = |part: f64, of: f64| (of > 0.0).then(|| part / of);
        let ends = [
            (&MEAN_STANDING, self.standing.mean()),
            (&MEAN_TURNING, self.turning.mean()),
            (&MEAN_STRAIGHTNESS, self.straightness.mean()),
            (&BACKTRACKING, part(self.back, self.on_routes)),
            (&ARRIVED, part(self.arrived.len() as f64, members)),
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
    use wayfare::route::RouteState;

    /// The rows of agents on these tracks, with a window of two ticks and the tick 1.
    fn rows(tracks: &[Vec<[f64; 2]>], change: impl Fn(usize, usize, &mut Body)) -> Vec<crate::Row> {
        let tracks: Vec<_> =
            tracks.iter().map(|track| track.iter().copied().map(Some).collect()).collect();
        let mut bodies = frames(&tracks, |_, body| body);
        for (tick, bodies) in bodies.iter_mut().enumerate() {
            bodies.iter_mut().enumerate().for_each(|(i, body)| change(i, tick, body));
        }
        let world = MeasuredWorld::of(&Setup::<Vec2> { dt: 1.0, ..Setup::default() });
        measured_in::<Vec2>(world, Motion::default().window(2.0), &bodies)
    }

    #[test]
    fn an_agent_stands_below_a_twentieth_of_its_top_speed() {
        let speeds = [0.04, 0.06, 1.0, 0.0];
        let tracks = vec![vec![[0.0, 0.0]]; 4];
        let found = rows(&tracks, |i, _, body| body.velocity[0] = speeds[i]);
        assert_eq!(values(&found, "standing"), [(0, 0.5)]);
        assert_eq!(values(&found, "mean_standing"), [(0, 0.5)]);
        // A right turn of one that moves, and one of another that stands.
        let turn = rows(&vec![vec![[0.0, 0.0]; 2]; 2], |i, tick, body| {
            body.velocity[tick] = [1.0, 0.01][i];
        });
        assert_eq!(values(&turn, "turning"), [(1, 90.0)]);
    }

    #[test]
    fn a_line_is_straight_a_corner_is_not_and_one_who_steps_back_has_none_left() {
        let (line, corner) =
            ([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
        let back = [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]];
        let of =
            |track: [[f64; 2]; 3]| values(&rows(&[track.to_vec()], |_, _, _| ()), "straightness");
        assert_eq!(of(line), [(2, 1.0)]);
        assert_eq!(of(corner), [(2, 0.5_f64.sqrt())]);
        assert_eq!(of(back), [(2, 0.0)]);
        // Who hardly moves has no direction.
        assert_eq!(of([[0.0, 0.0], [0.04, 0.0], [0.0, 0.0]]), []);
    }

    #[test]
    fn a_route_that_gets_longer_is_walked_back_but_a_new_target_is_not() {
        let track = vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [1.0, 0.0]];
        let left = [4.0, 3.0, 3.5, 90.0];
        let rows = rows(&[track], |_, tick, body| {
            body.route = Some((RouteState::Known, left[tick]));
            body.arrived = tick == 3;
        });
        // Half a length of two.
        assert_eq!(values(&rows, "backtracking"), [(3, 0.25)]);
        assert_eq!(values(&rows, "arrived"), [(3, 1.0)]);
    }
}
