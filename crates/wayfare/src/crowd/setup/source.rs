//! Sources: where, when and how many agents enter.

use crate::geometry::obstacle::Shape;
use crate::parameter::words;

/// Where agents enter: at the end of a tick, at random places inside the area.
#[derive(Clone, Debug, PartialEq)]
pub struct Source<V> {
    /// Where it is: a circle or a box.
    pub area: Shape<V>,
    /// The index of the group whose members enter.
    pub group: usize,
    /// When, and how many.
    pub arrivals: Arrivals,
    /// How many members of the group there may be at once: who would come then is turned away.
    /// Memory stays within it.
    pub most: usize,
}

/// When agents enter by a source.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// So many per unit of time.
    Rate {
        /// How many per unit of time; at most 10,000 per tick.
        rate: f64,
        /// When it begins (time).
        from: f64,
        /// When it ends (time); infinity for never.
        until: f64,
        /// How they come one after another.
        rhythm: Rhythm,
    },
    /// (time above zero, how many), in the order of time.
    Schedule(Vec<(f64, usize)>),
}

words! {
    /// How agents come one after another.
    pub enum Rhythm {
        /// Evenly: one after each 1 / rate.
        Regular = "regular",
        /// Each on its own: how many come in a tick is drawn from the Poisson distribution, by the seed, the source and the tick.
        Random = "random",
    }
}
