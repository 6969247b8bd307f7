//! The planning of routes round obstacles.

use crate::parameter::{Kind, described, parameters};

parameters! {
    /// How the routes of `navigate` are planned.
    #[derive(Copy)]
    "navigation" = pub struct Navigation {
        /// The largest number of searches for routes per tick. Requests are served by their tick,
        /// then by id; a search serves up to 256 agents that wait for a route to the same point.
        /// Agents that wait follow their former route, or a coarse one by rooms.
        searches_per_tick: u32 = 16, Kind::Integer(1, u32::MAX as u64), "64";
    }
}

described!(Navigation);
