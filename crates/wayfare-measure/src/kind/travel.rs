//! Travel times, path lengths and time lost.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayfare::parameter::{Groups, Kind, parameters, words_of};
use wayfare::{GroupId, Vector};

use crate::error::Fault;
use crate::frame::{Body, Frame};
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::shortest::ShortestRoutes;
use crate::world::MeasuredWorld;

/// When the journey of an agent ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JourneyEnd {
    /// When it leaves the crowd or is respawned.
    Left,
    /// When it arrives, or leaves before.
    Arrived,
}

words_of! { JourneyEnd { Left = "left", Arrived = "arrived", } }

/// The route that is ideal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdealRoute {
    /// The shortest route round the obstacles.
    Shortest,
    /// The straight route.
    Straight,
}

words_of! { IdealRoute { Shortest = "shortest", Straight = "straight", } }

parameters! {
    /// The travel time, path length and time lost of each agent whose journey has ended.
    ///
    /// A journey begins at the first tick at which the agent is in the crowd. The path length is
    /// the sum of its steps, and the ideal length that of the shortest route round the obstacles,
    /// of a point, between its first and its last position. The ideal time is the ideal length by
    /// the agent's top speed; the time lost is the travel time less the ideal time, and the detour
    /// the path length by the ideal length. (The time loss of SUMO takes the length of the route
    /// that was driven: <https://sumo.dlr.de/docs/Simulation/Output/TripInfo.html>.) In a wrapped
    /// world and in space, and where no route is found, the ideal route is the straight one. The
    /// last position is that of the last tick in the crowd: the step into an exit is not seen.
    "travel" = pub struct Travel {
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// `"left"`: the journey ends when the agent leaves the crowd. `"arrived"`: when it
        /// arrives for the first time, or leaves before.
        until: JourneyEnd = (JourneyEnd::Left), Kind::Word(JourneyEnd::WORDS);
        /// `"shortest"`: the ideal route is the shortest one round the obstacles. `"straight"`: it
        /// goes through them.
        ideal: IdealRoute = (IdealRoute::Shortest), Kind::Word(IdealRoute::WORDS);
    }
}

quantities! {
    TRAVEL_TIME = "travel_time", "time", Agent, "The duration of the journey.";
    PATH_LENGTH = "path_length", "length", Agent, "The length of the route that the agent went.";
    IDEAL_LENGTH = "ideal_length", "length", Agent, "The length of the ideal route.";
    DETOUR = "detour", "", Agent, "Path length by ideal length; none without an ideal length.";
    TIME_LOST = "time_lost", "time", Agent, "The travel time less the ideal time.";
    JOURNEYS = "journeys", "", Run, "The number of journeys that have ended.";
    MEAN_TRAVEL_TIME = "mean_travel_time", "time", Run, "The mean travel time.";
    MEAN_PATH_LENGTH = "mean_path_length", "length", Run, "The mean path length.";
    MEAN_DETOUR = "mean_detour", "", Run, "The mean detour.";
    MEAN_TIME_LOST = "mean_time_lost", "time", Run, "The mean time lost.";
}

impl<V: Vector> MeasureKind<V> for Travel {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, _world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        Ok(Box::new(Running {
            of: self.of.clone(),
            until: self.until,
            routes: (self.ideal == IdealRoute::Shortest).then(ShortestRoutes::default),
            journeys: BTreeMap::new(),
            last: Moment::default(),
            ended: Ended::default(),
        }))
    }
}

/// A journey that has not ended, or that has ended by an arrival.
struct Journey {
    begin: Moment,
    from: [f64; 3],
    /// The offset from the first to the last position, across the edges of a wrapped world.
    offset: [f64; 3],
    length: f64,
    last: Moment,
    body: Body,
    has_ended: bool,
}

struct Running {
    of: Groups,
    until: JourneyEnd,
    /// None where the straight route is ideal.
    routes: Option<ShortestRoutes>,
    /// By id.
    journeys: BTreeMap<u32, Journey>,
    last: Moment,
    ended: Ended,
}

/// The statistics of all journeys that have ended.
#[derive(Default)]
struct Ended {
    /// Of travel time, path length, detour, time lost.
    means: [Statistics; 4],
    count: u64,
}

impl Ended {
    fn add(&mut self, journey: &Journey, ideal: f64, rows: &mut Sink<'_>) {
        let (at, names) = (journey.last, journey.body.names());
        let time = at.time - journey.begin.time;
        let lost = time - ideal / journey.body.max_speed;
        rows.of_agent(at, &TRAVEL_TIME, time, names);
        rows.of_agent(at, &PATH_LENGTH, journey.length, names);
        rows.of_agent(at, &IDEAL_LENGTH, ideal, names);
        if ideal > 0.0 {
            rows.of_agent(at, &DETOUR, journey.length / ideal, names);
            self.means[2].add(journey.length / ideal);
        }
        rows.of_agent(at, &TIME_LOST, lost, names);
        self.means[0].add(time);
        self.means[1].add(journey.length);
        self.means[3].add(lost);
        self.count += 1;
    }
}

impl Journey {
    /// The length of the ideal route (length).
    fn ideal(&self, routes: &mut Option<ShortestRoutes>, world: &Arc<MeasuredWorld>) -> f64 {
        let straight = length(self.offset);
        let Some(routes) = routes.as_mut().filter(|_| !world.wraps && world.dimension == 2) else {
            return straight;
        };
        routes.length(world, [self.from[0], self.from[1]], self.body.flat())
    }
}

fn length(offset: [f64; 3]) -> f64 {
    offset.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        self.last = frame.at;
        let Self { journeys, ended, routes, .. } = self;
        let world = &frame.world;
        journeys.retain(|_, journey| {
            let is_there = frame.same(&journey.body).is_some();
            if !is_there && !journey.has_ended {
                ended.add(journey, journey.ideal(routes, world), rows);
            }
            is_there
        });
        for body in &frame.bodies {
            if !self.of.contain(GroupId(body.group as usize)) {
                continue;
            }
            let journey = journeys.entry(body.id).or_insert_with(|| Journey {
                begin: frame.at,
                from: body.position,
                offset: [0.0; 3],
                length: 0.0,
                last: frame.at,
                body: *body,
                has_ended: false,
            });
            if journey.has_ended {
                continue;
            }
            let step = frame.world.offset(journey.body.position, body.position);
            journey.offset = if frame.world.wraps {
                [0, 1, 2].map(|i| journey.offset[i] + step[i])
            } else {
                // Not the sum of steps, which rounds.
                [0, 1, 2].map(|i| body.position[i] - journey.from[i])
            };
            journey.length += length(step);
            (journey.last, journey.body) = (frame.at, *body);
            if body.arrived && self.until == JourneyEnd::Arrived {
                journey.has_ended = true;
                ended.add(journey, journey.ideal(routes, world), rows);
            }
        }
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        rows.put(self.last, &JOURNEYS, self.ended.count as f64);
        let ends = [&MEAN_TRAVEL_TIME, &MEAN_PATH_LENGTH, &MEAN_DETOUR, &MEAN_TIME_LOST];
        for (quantity, mean) in ends.into_iter().zip(self.ended.means) {
            if let Some(mean) = mean.mean() {
                rows.put(self.last, quantity, mean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{frames, measured, measured_in, values};
    use wayfare::crowd::Setup;
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::{Vec2, vec2};

    /// 3 along x, then 4 along y, in three ticks with a wait; then it leaves.
    fn round_a_corner() -> Vec<Option<[f64; 2]>> {
        vec![Some([0.0, 0.0]), Some([3.0, 0.0]), Some([3.0, 0.0]), Some([3.0, 4.0]), None]
    }

    #[test]
    fn a_way_round_a_corner_is_compared_with_the_straight_way() {
        let rows = measured(Travel::default(), 4.0, &[round_a_corner()]);
        // 12 for 7 on the way and 5 straight, which take 5 at the top speed of 1.
        assert_eq!(values(&rows, "travel_time"), [(3, 12.0)]);
        assert_eq!(values(&rows, "path_length"), [(3, 7.0)]);
        assert_eq!(values(&rows, "ideal_length"), [(3, 5.0)]);
        assert_eq!(values(&rows, "detour"), [(3, 1.4)]);
        assert_eq!(values(&rows, "time_lost"), [(3, 7.0)]);
        assert_eq!(values(&rows, "mean_time_lost"), [(4, 7.0)]);
    }

    #[test]
    fn the_ideal_way_goes_round_the_obstacles_unless_the_straight_one_is_asked_for() {
        let wall = Shape::box_between(vec2(1.0, 0.0), vec2(9.0, 3.0));
        let world = || {
            MeasuredWorld::of(&Setup::<Vec2> { obstacles: vec![wall.clone()], ..Setup::default() })
        };
        let bodies = frames(&[round_a_corner()], |_, body| body);
        let ideal = |ideal| {
            let travel = Travel { ideal, ..Travel::default() };
            values(&measured_in::<Vec2>(world(), travel, &bodies), "ideal_length")[0].1
        };
        assert_eq!(ideal(IdealRoute::Straight), 5.0);
        // From (0, 0) to the corner (1, 3), and from there to (3, 4).
        let round = 10.0_f64.sqrt() + 5.0_f64.sqrt();
        assert!((ideal(IdealRoute::Shortest) - round).abs() < 5e-3);
    }

    #[test]
    fn a_journey_ends_once_by_an_arrival_and_not_while_the_agent_is_inside() {
        let stays = vec![Some([0.0, 0.0]); 5];
        let rows = measured(Travel::default(), 1.0, &[stays]);
        assert_eq!(values(&rows, "journeys"), [(4, 0.0)]);
        let mut bodies = frames(&[round_a_corner()], |_, body| body);
        (bodies[1][0].arrived, bodies[3][0].arrived) = (true, true);
        let until = Travel { until: JourneyEnd::Arrived, ..Travel::default() };
        let rows =
            measured_in::<Vec2>(MeasuredWorld::of(&Setup::<Vec2>::default()), until, &bodies);
        assert_eq!(values(&rows, "path_length"), [(1, 3.0)]);
    }
}
