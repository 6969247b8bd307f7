//! Routes that are left: how far agents with `navigate` have to go.

use std::sync::Arc;

use wayfare::parameter::{Groups, Kind, parameters};
use wayfare::route::RouteState;
use wayfare::{GroupId, Vector};

use super::EVERY;
use crate::error::Fault;
use crate::frame::Frame;
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::world::MeasuredWorld;

parameters! {
    /// The routes of agents with `navigate`: how long they still are, and how many agents wait for
    /// a search or cannot reach their target.
    ///
    /// The length of a route is that of the condition `route_length`: from the agent to the next
    /// corner, and on from corner to corner to the target. Agents without a target have no route.
    /// One whose first search is not made waits, and counts in no length.
    "route" = pub struct Route {
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// A row at every so many ticks; the values of the run take every tick.
        every: f32 = 1.0, EVERY;
    }
}

quantities! {
    ROUTE_LENGTH = "route_length", "length", Tick, "The mean length of the routes that are left.";
    LONGEST = "longest_route", "length", Tick, "The length of the longest of them.";
    WITH_ROUTE = "with_route", "", Tick, "The number of agents that have a route.";
    WAITING = "waiting", "", Tick, "The number of agents that wait for their first search.";
    UNREACHABLE = "unreachable", "", Tick, "The number of agents whose last search found no route.";
    MEAN_LENGTH = "mean_route_length", "length", Run,
        "The mean over the ticks of the mean length.";
    LONGEST_OF_ALL = "longest_route_of_all", "length", Run, "The length of the longest route.";
    MOST_WAITING = "most_waiting", "", Run, "The largest number of agents that wait.";
    MOST_UNREACHABLE = "most_unreachable", "", Run,
        "The largest number of agents whose last search found no route.";
}

impl<V: Vector> MeasureKind<V> for Route {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, _world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        Ok(Box::new(Running {
            of: self.of.clone(),
            every: self.every as u64,
            means: Statistics::default(),
            longest: Statistics::default(),
            waiting: Statistics::default(),
            unreachable: Statistics::default(),
            last: Moment::default(),
        }))
    }
}

struct Running {
    of: Groups,
    every: u64,
    /// Over the ticks.
    means: Statistics,
    longest: Statistics,
    waiting: Statistics,
    unreachable: Statistics,
    last: Moment,
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        self.last = frame.at;
        let (mut lengths, mut waiting, mut unreachable) = (Statistics::default(), 0_u32, 0_u32);
        for body in &frame.bodies {
            if !self.of.contain(GroupId(body.group as usize)) {
                continue;
            }
            match body.route {
                Some((RouteState::Known, left)) => lengths.add(left),
                Some((RouteState::Waiting, _)) => waiting += 1,
                Some((RouteState::Unreachable, _)) => unreachable += 1,
                None => {}
            }
        }
        self.waiting.add(waiting.into());
        self.unreachable.add(unreachable.into());
        let (mean, longest) = (lengths.mean(), lengths.largest());
        mean.into_iter().for_each(|mean| self.means.add(mean));
        longest.into_iter().for_each(|longest| self.longest.add(longest));
        if !frame.at.tick.is_multiple_of(self.every) {
            return;
        }
        for (quantity, value) in [(&ROUTE_LENGTH, mean), (&LONGEST, longest)] {
            value.into_iter().for_each(|value| rows.put(frame.at, quantity, value));
        }
        rows.put(frame.at, &WITH_ROUTE, lengths.count() as f64);
        rows.put(frame.at, &WAITING, waiting.into());
        rows.put(frame.at, &UNREACHABLE, unreachable.into());
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        let values = [
            (&MEAN_LENGTH, self.means.mean()),
            (&LONGEST_OF_ALL, self.longest.largest()),
            (&MOST_WAITING, self.waiting.largest()),
            (&MOST_UNREACHABLE, self.unreachable.largest()),
        ];
        for (quantity, value) in values {
            value.into_iter().for_each(|value| rows.put(self.last, quantity, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Body;
    use crate::testing::{frames, measured_in, values};
    use crate::{Measure, Measures};
    use wayfare::behavior::Navigate;
    use wayfare::crowd::{Distribution, Group, Setup, Spawn};
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::{Crowd, List};

    #[test]
    fn lengths_are_those_of_known_ways_and_the_other_agents_are_counted() {
        let stays = vec![Some([0.0, 0.0]); 2];
        let bodies = frames(&[stays.clone(), stays.clone(), stays.clone(), stays], |i, body| {
            let route = [
                Some((RouteState::Known, 2.0)),
                Some((RouteState::Known, 5.0)),
                Some((RouteState::Waiting, 9.0)),
                None,
            ];
            Body { route: route[i], ..body }
        });
        let world = MeasuredWorld::of(&Setup::<Vec2> { dt: 1.0, ..Setup::default() });
        let rows = measured_in::<Vec2>(world, Route::default(), &bodies);
        for (quantity, value) in [
            ("route_length", 3.5),
            ("longest_route", 5.0),
            ("with_route", 2.0),
            ("waiting", 1.0),
            ("unreachable", 0.0),
        ] {
            assert_eq!(values(&rows, quantity), [(0, value), (1, value)], "{quantity}");
        }
        assert_eq!(values(&rows, "mean_route_length"), [(1, 3.5)]);
        assert_eq!(values(&rows, "most_waiting"), [(1, 1.0)]);
    }

    #[test]
    fn the_way_round_a_wall_is_longer_than_the_straight_one_and_ends_at_the_target() {
        let mut walker = Group::new("walker", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 1.0);
        walker.radius = Distribution::Same(0.2);
        walker.steer = List::default().with(Navigate::new(vec2(10.0, 0.0)));
        let obstacles = vec![Shape::box_between(vec2(4.0, -6.0), vec2(5.0, 1.0))];
        let setup = Setup { groups: vec![walker], obstacles, ..Setup::default() };
        let mut measures =
            Measures::new(&[Measure::new("routes", Route::default())], &setup).unwrap();
        let mut crowd = Crowd::new(setup).unwrap();
        for _ in 0..40 {
            crowd.step();
            measures.record(&crowd);
        }
        let lengths = values(measures.rows(), "route_length");
        let first = lengths.first().unwrap().1;
        assert!((9.0..12.0).contains(&first), "{first}");
        assert!(lengths.last().unwrap().1 < 0.5);
        assert!(lengths.is_sorted_by(|a, b| a.1 >= b.1 - 1e-3), "{lengths:?}");
    }
}
