//! The planning of ways round obstacles.

/// The planning of the ways of [`Navigate`](crate::behavior::Navigate).
///
/// ```
/// use wayfare::crowd::{Navigation, Setup};
/// use wayfare::glam::Vec2;
/// let setup =
///     Setup::<Vec2> { navigation: Navigation { searches_per_tick: 4 }, ..Setup::default() };
/// assert_eq!(Setup::<Vec2>::default().navigation.searches_per_tick, 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Navigation {
    /// The largest number of searches for ways per tick, at least 1. Requests are served by their
    /// tick, then by id; a search serves up to 256 agents that wait for a way to the same point. An
    /// agent that waits follows its former way, or a coarse one by rooms.
    pub searches_per_tick: u32,
}

impl Default for Navigation {
    /// 16 searches per tick.
    fn default() -> Self {
        Self { searches_per_tick: 16 }
    }
}
