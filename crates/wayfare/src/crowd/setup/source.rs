//! Sources: the area, the times and the number of entering agents.

use alloc::vec::Vec;

use super::validate::ranges;
use crate::geometry::obstacle::Shape;
use crate::id::GroupId;
use crate::parameter::{Kind, describe_variants, words};
use crate::random::{Random, chosen};

/// A source: agents enter at the end of a tick, at random positions inside the area.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Source<V> {
    /// The area: a circle or a box.
    pub area: Shape<V>,
    /// The group whose members enter.
    pub group: GroupId,
    /// The times and numbers of arrivals.
    pub arrivals: Arrivals,
    /// The largest number of members of the group at a time; further arrivals are rejected. This
    /// number bounds the RAM of the group.
    pub most: usize,
    /// The destinations of agents: points (length) with their shares, above 0 (an
    /// origin-destination table). Each agent that enters draws one of them by the seed and its id,
    /// and is ordered to it; see [`Crowd::set_order`](crate::Crowd::set_order). Empty for agents
    /// without an order.
    #[cfg_attr(feature = "serde", serde(default = "no_destinations"))]
    pub to: Vec<(V, f32)>,
}

#[cfg(feature = "serde")]
fn no_destinations<V>() -> Vec<(V, f32)> {
    Vec::new()
}

impl<V: Copy> Source<V> {
    /// The destination of an agent with these random numbers (length); `None` without any.
    pub(in crate::crowd) fn destination(&self, mut random: Random) -> Option<V> {
        let shares = self.to.iter().map(|(_, share)| *share);
        chosen(shares, &mut random).map(|index| self.to[index].0)
    }
}

/// The times at which agents enter by a source. Described by its
/// [`LIST`](crate::parameter::Variants::LIST).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Arrivals {
    /// At a rate.
    Rate {
        /// Agents per unit of time; at most 10,000 per tick.
        rate: f64,
        /// The time at which the rate begins (time).
        from: f64,
        /// The time at which the rate ends (time); infinity for never.
        #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))]
        until: f64,
        /// The spacing of the arrivals in time.
        rhythm: Rhythm,
    },
    /// (time above zero, number of agents), in the order of time.
    Schedule(Vec<(f64, usize)>),
}

words! {
    /// The spacing of arrivals in time.
    pub enum Rhythm {
        /// Evenly: one agent after each 1 / rate.
        Regular = "regular",
        /// Independently: the number of arrivals in a tick is drawn from the Poisson distribution,
        /// keyed by the seed, the source and the tick.
        Random = "random",
    }
}

describe_variants!(Arrivals {
    Rate = "rate", "Agents enter at a rate, from one time to another.", "{ rate = 0.5 }" {
        rate "rate": f64 = required, Kind::Double(ranges::RATE),
            "Agents per unit of time, at most 10,000 per tick.";
        from "from": f64 = 0.0, Kind::Double(ranges::FROM), "When the `rate` begins.";
        until "until": f64 = (f64::INFINITY), Kind::Double(ranges::UNTIL), "When the `rate` ends.";
        rhythm "arrivals": Rhythm = (Rhythm::Regular), Kind::Word(Rhythm::WORDS),
            "`\"regular\"`: evenly, one agent after each 1 / `rate`. `\"random\"`: independently, \
             from the Poisson distribution.";
    }
    Schedule = "schedule", "Agents enter at given times.", "{ schedule = [[10, 5], [60, 20]] }" {
        0 "schedule": Vec<(f64, usize)> = required, Kind::Schedule,
            "Times above 0 that grow, and how many agents enter at each.";
    }
});
