//! What the last tick has found: events, arrivals, counts, routes.

use alloc::vec::Vec;

use super::crowd::Crowd;
use crate::crowd::events::Event;
use crate::crowd::exit::ExitCount;
use crate::crowd::line::LineCount;
use crate::crowd::source::SourceCount;
use crate::id::AgentId;
use crate::route::CurrentRoute;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// The events of the last tick, in the order of ids, and for each id in the order of the
    /// variants of [`Event`]; then those of groups, and last those of agents that have entered.
    /// [`Clock::events`](crate::crowd::Clock::events) has those of several ticks.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let walker =
    ///     Group::new("walker", 1, Spawn::point(vec2(0.0, 1.0)), 2.0).velocity(vec2(0.0, -2.0));
    /// let door = Line::new("door", vec2(-5.0, 0.0), vec2(5.0, 0.0));
    /// let mut crowd = Setup::new(1.0).group(walker).line(door).crowd()?;
    /// crowd.step();
    /// let crossed = Event::Crossed { id: AgentId(0), line: LineId(0), to_left: false };
    /// assert_eq!(crowd.events(), [crossed]);
    /// assert_eq!((crowd.lines()[0].left, crowd.lines()[0].right), (0, 1));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.world.tracker.events
    }

    /// Takes the [`events`](Self::events) of the last tick out of the crowd, which can be changed
    /// while they are read. Until the next tick it has none, and nor has a snapshot.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let guest = Group::new("guest", 1, Spawn::point(vec2(0.0, 0.0)), 2.0)
    ///     .steer(Arrive::new(Target::Order));
    /// let mut crowd = Setup::new(1.0).group(guest).crowd()?;
    /// crowd.order(&[AgentId(0)], vec2(9.0, 0.0))?;
    /// let mut laps = 0;
    /// while laps < 3 {
    ///     crowd.step();
    ///     for event in crowd.take_events() {
    ///         if let Event::Arrived { id } = event {
    ///             laps += 1;
    ///             crowd.order(&[id], vec2(9.0 * (laps + 1) as f32, 0.0))?;
    ///         }
    ///     }
    /// }
    /// assert!(crowd.events().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.world.tracker.events)
    }

    /// The lines in the order of their ids, with the counts of their crossings.
    pub fn lines(&self) -> &[LineCount<V>] {
        &self.world.tracker.lines
    }

    /// The exits in the order of their ids, with the number of agents that have left by each.
    pub fn exits(&self) -> &[ExitCount<V>] {
        &self.world.tracker.exits
    }

    /// The sources in the order of their ids, with the counts of their arrivals.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let walkers = Group::new("walkers", 0, Spawn::points([]), 2.0);
    /// let gate = Shape::box_between(vec2(0.0, 0.0), vec2(2.0, 9.0));
    /// let source = Source::new(gate, GroupId(0), Arrivals::rate(0.5)).most(3);
    /// let mut crowd = Setup::new(1.0).group(walkers).source(source).crowd()?;
    /// (0..10).for_each(|_| crowd.step());
    /// let count = &crowd.sources()[0];
    /// assert_eq!((crowd.len(), count.entered, count.turned_away), (3, 3, 2));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn sources(&self) -> &[SourceCount<V>] {
        &self.world.sources
    }

    /// Whether the agent in this row (see [`rows_by_id`](Self::rows_by_id)) has arrived by the
    /// rules of [`Event::Arrived`], and not set out again since; `false` beyond the last row.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let guest = Group::new("guest", 1, Spawn::point(vec2(0.0, 0.0)), 2.0)
    ///     .steer(Arrive::new(vec2(9.0, 0.0)));
    /// let mut crowd = Setup::new(1.0).group(guest).crowd()?;
    /// assert!(!crowd.has_arrived_at_row(0));
    /// (0..100).for_each(|_| crowd.step());
    /// assert!(crowd.has_arrived_at_row(0));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn has_arrived_at_row(&self, row: u32) -> bool {
        let row = row as usize;
        row < self.len() && self.world.tracker.has_arrived(&self.population.now, row)
    }

    /// The route of agent `id` to the target of its `navigate`; `None` without one, for an unknown
    /// id, and before the first tick with a target.
    ///
    /// ```
    /// # #[cfg(feature = "navigation")] {
    /// use wayfare::prelude::*;
    /// let guests = Group::new("guests", 1, Spawn::point(vec2(-5.0, 0.0)), 0.1)
    ///     .radius(0.5)
    ///     .steer(Navigate::new(vec2(5.0, 0.0)));
    /// let wall = Shape::box_between(vec2(-1.0, -20.0), vec2(1.0, 10.0));
    /// let mut crowd = Setup::new(1.0).group(guests).obstacle(wall).crowd()?;
    /// crowd.step();
    /// // Round the upper end of the wall.
    /// let route = crowd.route(0).unwrap();
    /// assert_eq!(route.points.last(), Some(&vec2(5.0, 0.0)));
    /// assert!((24.0..25.0).contains(&route.aim.unwrap().left));
    /// (0..300).for_each(|_| crowd.step());
    /// assert!(crowd.get(0).unwrap().agent.position.distance(vec2(5.0, 0.0)) < 0.5);
    /// # }
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn route(&self, id: impl Into<AgentId>) -> Option<CurrentRoute<'_>> {
        let id = id.into();
        let position = self.get(id)?.agent.position;
        self.world.routes.as_deref()?.current(id.0, self.world.space.up().ground(position))
    }
}
