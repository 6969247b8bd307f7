//! Converts real time to ticks of fixed length, and interpolates positions between two ticks for
//! drawing.

use alloc::vec::Vec;

use super::crowd::Crowd;
use crate::crowd::events::Event;
use crate::id::{AgentId, GroupId};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::vector::Vector;

/// Steps a crowd in real time, in ticks of the crowd's dt: results never depend on the frame rate.
///
/// Time that does not fill a tick is carried over to the next call (G. Fiedler, "Fix Your
/// Timestep!", 2004); frames between two ticks are drawn at [`Crowd::between`]. A clock is not part
/// of the crowd's state.
///
/// ```
/// use wayfare::prelude::*;
/// let walker =
///     Group::new("walker", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).velocity(vec2(2.0, 0.0));
/// let mut crowd = Setup::new(0.1).group(walker).crowd()?;
/// let mut clock = Clock::new(1.0);
/// assert_eq!(clock.advance(&mut crowd, 0.25), 2); // two ticks, and half of the next
/// let x = crowd.between(0, clock.part(&crowd)).unwrap().x;
/// assert!((x - 0.3).abs() < 1e-6); // half way from tick 1, at 0.2, to tick 2, at 0.4
///
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// Simulated time per second of real time: 1 for a crowd in seconds, 60 for a crowd whose dt
    /// of 1 is a frame of a classic demo. At zero or below the crowd is paused.
    pub rate: f64,
    /// The largest number of ticks per call; the default is 8. Time beyond that is dropped: after
    /// a pause, or if a tick takes longer than its dt.
    pub most: u32,
    /// Simulated time carried over: less than a tick (time).
    behind: f64,
    /// The events of the ticks of the last `advance`.
    events: Vec<Event>,
}

impl Clock {
    /// A clock with `rate` units of simulated time per second, and at most 8 ticks per call.
    pub fn new(rate: f64) -> Self {
        Self { rate, most: 8, behind: 0.0, events: Vec::new() }
    }

    /// The number of ticks of `crowd` that are due after another `seconds` of real time; the caller
    /// takes them.
    pub fn due<V: Vector>(&mut self, crowd: &Crowd<V>, seconds: f64) -> u32 {
        let passed = seconds * self.rate;
        if passed.is_finite() && passed > 0.0 {
            self.behind += passed;
        }
        let dt = crowd.dt();
        let due = (self.behind / dt).floor();
        self.behind = (self.behind - due * dt).clamp(0.0, dt);
        due.min(f64::from(self.most)) as u32
    }

    /// Steps `crowd` by another `seconds` of real time, and returns the number of ticks.
    pub fn advance<V: Vector>(&mut self, crowd: &mut Crowd<V>, seconds: f64) -> u32 {
        let due = self.due(crowd, seconds);
        self.events.clear();
        for _ in 0..due {
            crowd.step();
            self.events.extend_from_slice(crowd.events());
        }
        due
    }

    /// The events of all ticks of the last [`advance`](Self::advance), in the order of the ticks;
    /// [`Crowd::events`] has those of the last tick alone. The crowd can be changed while they are
    /// read.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let guests = Group::new("guests", 0, Spawn::points([vec2(0.0, 0.0), vec2(-1.0, 0.0)]), 2.0)
    ///     .steer(Arrive::new(vec2(9.0, 0.0)));
    /// let mut crowd = Setup::new(0.1).group(guests).crowd()?;
    /// let mut clock = Clock::new(1.0);
    /// let mut arrived = 0;
    /// for _ in 0..40 {
    ///     clock.advance(&mut crowd, 0.5); // five ticks
    ///     for event in clock.events() {
    ///         if let Event::Arrived { id } = *event {
    ///             arrived += 1;
    ///             crowd.remove(id);
    ///         }
    ///     }
    /// }
    /// assert_eq!(arrived, 2);
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The fraction of the next tick that has passed, from 0 to 1.
    pub fn part<V: Vector>(&self, crowd: &Crowd<V>) -> f32 {
        (self.behind / crowd.dt()) as f32
    }
}

/// The data for drawing an agent; see [`Crowd::pose`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<V> {
    /// The agent's id.
    pub id: AgentId,
    /// The position (length).
    pub position: V,
    /// The facing, a unit vector.
    pub facing: V,
    /// The radius of the body (length).
    pub radius: f32,
    /// The agent's group.
    pub group: GroupId,
}

impl<V: Vector> Crowd<V> {
    /// The position at which to draw the agent in this row (see [`rows_by_id`](Self::rows_by_id))
    /// when `part` (0 to 1) of a tick has passed since the last one: interpolated between the
    /// positions of the last two ticks, so one tick late (length). `None` beyond the last row.
    ///
    /// In a wrapped world the interpolation follows the shortest offset. An agent that has just
    /// entered, respawned or been moved by a command is drawn at its new position at once.
    #[inline]
    pub fn between(&self, row: u32, part: f32) -> Option<V> {
        let row = row as usize;
        (row < self.len()).then(|| {
            let now = self.population.now.position.get(row);
            let before = self.position_before(row);
            self.stored_position(before + self.world.space.difference(before, now) * part)
        })
    }

    /// The data for drawing the agent in this row, with the position of [`between`](Self::between);
    /// `None` beyond the last row. The call reads fewer columns than
    /// [`agent_at_row`](Self::agent_at_row).
    #[inline]
    pub fn pose(&self, row: u32, part: f32) -> Option<Pose<V>> {
        let position = self.between(row, part)?;
        let row = row as usize;
        Some(Pose {
            id: AgentId(self.population.now.id[row]),
            position,
            facing: self
                .population
                .now
                .facing
                .get(row)
                .copied()
                .unwrap_or_else(|| self.population.now.heading.get(row)),
            radius: self.population.now.limits[row].radius,
            group: GroupId(self.population.now.group[row] as usize),
        })
    }

    /// The [`pose`](Self::pose) of every agent, in the order of rows.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let swarm = Group::new("swarm", 20, Spawn::ring(Vec2::ZERO, 9.0), 2.0)
    ///     .steer(Seek::new(vec2(50.0, 0.0)));
    /// let mut crowd = Setup::new(0.1).group(swarm).crowd()?;
    /// let mut clock = Clock::new(1.0);
    /// clock.advance(&mut crowd, 0.016);
    /// let part = clock.part(&crowd);
    /// assert!(crowd.poses(part).all(|pose| pose.position.length() < 9.1));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn poses(&self, part: f32) -> impl Iterator<Item = Pose<V>> + '_ {
        (0..self.len() as u32).filter_map(move |row| self.pose(row, part))
    }

    /// The position of the agent in row `i` one tick ago (length); during a tick, whose results
    /// overwrite the old columns, the current position.
    #[inline]
    pub(in crate::crowd) fn position_before(&self, i: usize) -> V {
        if self.population.has_previous {
            self.population.next.position.get(i)
        } else {
            self.population.now.position.get(i)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{Exit, ExitAction, Group, Setup, Spawn, StartVelocity};
    use crate::geometry::obstacle::Shape;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, vec2};

    fn walkers(edge: Edge, exits: Vec<Exit<Vec2>>) -> Crowd<Vec2> {
        let bounds = Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge });
        let mut group =
            Group::new("a", 0, Spawn::Points(vec![vec2(98.0, 50.0), vec2(10.0, 50.0)]), 4.0);
        group.velocity = StartVelocity::Same(vec2(4.0, 0.0));
        Crowd::new(Setup { dt: 0.5, bounds, exits, groups: vec![group], ..Setup::default() })
            .unwrap()
    }

    fn drawn(crowd: &Crowd<Vec2>, id: AgentId, part: f32) -> Vec2 {
        crowd.between(crowd.row_of(id).unwrap() as u32, part).unwrap()
    }

    #[test]
    fn the_ticks_do_not_depend_on_how_time_is_divided_into_frames() {
        let run = |frames: &[f64]| {
            let (mut crowd, mut clock) = (walkers(Edge::Open, vec![]), Clock::new(2.0));
            let ticks: u32 = frames.iter().map(|&seconds| clock.advance(&mut crowd, seconds)).sum();
            (ticks, clock.part(&crowd))
        };
        // Two units of time to a second, in ticks of 0.5.
        assert_eq!([run(&[1.0]), run(&[0.5, 0.5]), run(&[0.125; 8])], [(4, 0.0); 3]);
        assert_eq!(run(&[0.3125, 0.25]), (2, 0.25));
        // Invalid durations count as no time.
        assert_eq!(run(&[f64::NAN, -9.0, f64::INFINITY, 0.0]), (0, 0.0));
    }

    #[test]
    fn after_a_pause_at_most_the_allowed_ticks_are_taken_and_further_time_is_dropped() {
        let (mut crowd, mut clock) = (walkers(Edge::Open, vec![]), Clock::new(1.0));
        assert_eq!(clock.advance(&mut crowd, 3_600.25), 8);
        assert_eq!((clock.part(&crowd), clock.advance(&mut crowd, 0.25)), (0.5, 1));
        clock.most = 2;
        assert_eq!(clock.advance(&mut crowd, 5.0), 2);
    }

    #[test]
    fn the_events_of_all_ticks_of_an_advance_are_kept() {
        let exit = |x| Exit::new(Shape::Circle { center: vec2(x, 50.0), radius: 1.0 });
        // One leaves in the first tick, the other in the second.
        let mut crowd = walkers(Edge::Open, vec![exit(100.0), exit(14.0)]);
        let mut clock = Clock::new(1.0);
        assert_eq!(clock.advance(&mut crowd, 1.5), 3);
        let left: Vec<AgentId> = clock.events().iter().map(Event::id).collect();
        assert_eq!(left, [AgentId(0), AgentId(1)]);
        assert_eq!((crowd.len(), crowd.events().len()), (0, 0));
        clock.advance(&mut crowd, 0.1);
        assert!(clock.events().is_empty());
    }

    #[test]
    fn positions_between_two_ticks_follow_the_shortest_offset_across_an_edge() {
        let mut crowd = walkers(Edge::Wrap, vec![]);
        assert_eq!(drawn(&crowd, AgentId(0), 0.7), vec2(98.0, 50.0));
        crowd.step();
        assert_eq!(
            [0.0, 0.25, 0.75, 1.0].map(|part| drawn(&crowd, AgentId(0), part).x),
            [98.0, 98.5, 99.5, 0.0]
        );
        crowd.step();
        assert_eq!(
            (drawn(&crowd, AgentId(0), 0.5).x, drawn(&crowd, AgentId(1), 0.5).x),
            (1.0, 13.0)
        );
        // The result does not depend on the order of rows.
        crowd.permute(&[1, 0]);
        assert_eq!(
            (drawn(&crowd, AgentId(0), 0.5).x, drawn(&crowd, AgentId(1), 0.5).x),
            (1.0, 13.0)
        );
    }

    #[test]
    fn beyond_the_last_row_there_is_no_pose_no_position_and_no_agent() {
        let crowd = walkers(Edge::Open, vec![]);
        assert!(crowd.pose(1, 0.5).is_some() && crowd.between(1, 0.5).is_some());
        assert_eq!(crowd.agent_at_row(1).map(|agent| agent.id), Some(AgentId(1)));
        // The columns are padded beyond the last row.
        for row in [2, 3, u32::MAX] {
            assert_eq!((crowd.between(row, 0.5), crowd.pose(row, 0.5)), (None, None), "{row}");
            assert!(crowd.agent_at_row(row).is_none(), "{row}");
        }
    }

    #[test]
    fn agents_that_enter_or_are_moved_are_drawn_at_their_new_position_at_once() {
        let away = Shape::Circle { center: vec2(50.0, 90.0), radius: 0.0 };
        let exit = Exit::new(Shape::Circle { center: vec2(14.0, 50.0), radius: 0.5 })
            .then(ExitAction::Respawn(away));
        let mut crowd = walkers(Edge::Open, vec![exit]);
        crowd.step();
        crowd.put(0, vec2(20.0, 20.0), None).unwrap();
        let new = crowd.add(0, vec2(70.0, 70.0), None).unwrap();
        assert_eq!(
            [AgentId(0), new].map(|id| drawn(&crowd, id, 0.5)),
            [vec2(20.0, 20.0), vec2(70.0, 70.0)]
        );
        crowd.step();
        assert_eq!(
            [AgentId(0), AgentId(1), new].map(|id| drawn(&crowd, id, 0.5)),
            [vec2(21.0, 20.0), vec2(50.0, 90.0), vec2(71.0, 70.0)]
        );
        // Removing an agent does not affect the positions of the others.
        assert!(crowd.remove(0));
        assert_eq!(
            [AgentId(1), new].map(|id| drawn(&crowd, id, 0.5)),
            [vec2(50.0, 90.0), vec2(71.0, 70.0)]
        );
    }
}
