//! Explanations: the forces of an agent at the next tick, and the annotations of its behaviors.

use super::crowd::Crowd;
use crate::annotation::{Explanation, Recorder};
use crate::id::AgentId;
use crate::threads::Share;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// The forces and annotations of the behaviors of the agent `id`, computed as the next step
    /// will; `None` if there is no such agent.
    ///
    /// The behaviors are evaluated even if the agent's turn (`think_every`) is not at that tick.
    /// The digest and the next tick do not change. The call may cost as much as a tick, since
    /// agents may have to be sorted.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let guest = Group::new("guest", 1, Spawn::point(vec2(0.0, 0.0)), 2.0)
    ///     .steer(Arrive::new(vec2(9.0, 0.0)));
    /// let mut crowd = Setup::new(1.0).group(guest).crowd()?;
    /// let why = crowd.explain(0).expect("there is one");
    /// assert_eq!(
    ///     (why.contributions[0].behavior, why.contributions[0].force),
    ///     ("arrive", vec2(2.0, 0.0))
    /// );
    /// assert_eq!(why.annotations[0].label, "slowing_radius");
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn explain(&mut self, id: impl Into<AgentId>) -> Option<Explanation<V>> {
        V::explain(self, id.into())
    }

    pub(in crate::crowd) fn explain_here(&mut self, id: AgentId) -> Option<Explanation<V>> {
        self.row_of(id)?;
        // This may sort the rows, so the row is looked up afterwards.
        self.begin_tick(Share::ALONE);
        let (row, recorder) = (self.row_of(id)?, Recorder::default());
        let (sum, force) = self.tick_input().explain(row, recorder.draw());
        Some(recorder.explanation(sum, force))
    }
}
