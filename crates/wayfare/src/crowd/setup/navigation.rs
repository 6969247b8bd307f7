//! The planning of ways round obstacles.

use crate::parameter::{Kind, described, parameters};

parameters! {
    /// How the ways of `navigate` are planned.
    ///
    /// ```
    /// use wayfare::crowd::{Navigation, Setup};
    /// use wayfare::glam::Vec2;
    /// let setup = Setup::<Vec2>::new(0.1).navigation(Navigation::default().searches_per_tick(4));
    /// assert_eq!(Setup::<Vec2>::default().navigation.searches_per_tick, 16);
    /// ```
    #[derive(Copy)]
    "navigation" = pub struct Navigation {
        /// The largest number of searches for ways per tick. Requests are served by their tick,
        /// then by id; a search serves up to 256 agents that wait for a way to the same point.
        /// Agents that wait follow their former way, or a coarse one by rooms.
        searches_per_tick: u32 = 16, Kind::Integer(1, u32::MAX as u64), "64";
    }
}

described!(Navigation);
