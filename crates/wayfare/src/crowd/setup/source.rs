//! Sources: the area, the times and the number of entering agents.

use alloc::vec::Vec;

use super::allowed::{MAX_AGENTS, ranges};
use crate::geometry::obstacle::Shape;
use crate::id::GroupId;
use crate::parameter::{Kind, describe_variants, described, parameters, part_field, words};
use crate::random::{Random, chosen};

parameters! {
    /// A circle or a box in which agents enter at random positions at the end of a tick, by a
    /// `rate` or a `schedule`.
    "source" = pub struct Source<V> {
        /// The area: a circle or a box.
        area: Shape<V> = required, Kind::Shape(&["circle", "box"]);
        /// The group whose members enter; it may have none at the start.
        group: GroupId = required, Kind::Group, "\"guest\"";
        /// The times and numbers of arrivals.
        arrivals: Arrivals = required, Kind::Arrivals;
        /// The most members that the group has at once; further arrivals are turned away. This
        /// number bounds the RAM of the group.
        most: usize = 10000, Kind::Integer(0, MAX_AGENTS as u64), "40";
        /// Whether an agent enters only where its body is free of others, also on the way on which
        /// it would come to rest, its velocity times its mass. One that finds no such place in 16
        /// draws waits, among those turned away, and so do those behind it.
        apart: bool = false, Kind::Flag;
        /// Where agents go: the name of an exit, or several with their shares (an
        /// origin-destination table). Each agent draws one by the seed and its id as its order, the
        /// target `"order"`.
        to as "to": Vec<(V, f32)> = (Vec::new()), Kind::Destinations,
            "{ north = 0.7, south = 0.3 }";
    }
}

described!(Source<V>);

impl<V: Copy> Source<V> {
    /// One more destination: a point (length) with its share, above 0.
    #[must_use]
    pub fn to(mut self, point: V, share: f32) -> Self {
        self.to.push((point, share));
        self
    }

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

impl Arrivals {
    /// `rate` agents per unit of time, evenly, from the start on: [`Arrivals::Rate`].
    pub fn rate(rate: f64) -> Self {
        Arrivals::Rate { rate, from: 0.0, until: f64::INFINITY, rhythm: Rhythm::Regular }
    }
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

part_field!(Arrivals, Arrivals::Schedule(Vec::new()));
