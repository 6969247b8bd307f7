//! A hash of the crowd's state: equal for equal bits, in any order of the rows.

use super::crowd::Crowd;
use crate::agent::Memory;
use crate::crowd::population::columns::{Columns, RememberedPosition, StateInstance};
use crate::random::{absorb, mix};
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// A hash of the simulated state: the tick, the number of agents, and each agent's id, group,
    /// state, tick of entry into the state, position, velocity, heading, facing, stored force (with
    /// `think_every`), stats, formation slots, places in queues and remembered positions; then the
    /// times at which cells were explored, and the routes of agents with `navigate` with the
    /// searches that wait. The digest does not depend on the order of rows, threads or
    /// instructions.
    ///
    /// Not hashed, because they affect the hashed values by the next tick: limits, orders, whether
    /// an agent is frozen, the other fields of the agents' [`Memory`] (wander directions, progress
    /// on paths, own numbers), whether an agent has arrived, the pointer, the setup and its
    /// changes by commands, counts and events. A [snapshot](Self::snapshot) holds all of these.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let walker =
    ///     Group::new("walker", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).velocity(vec2(2.0, 0.0));
    /// let mut here = Setup::new(1.0).group(walker).crowd()?;
    /// let mut there = here.clone();
    /// here.step();
    /// there.step();
    /// assert_eq!(here.digest(), there.digest());
    /// there.put(0, vec2(9.0, 9.0), None);
    /// assert_ne!(here.digest(), there.digest());
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn digest(&self) -> u64 {
        self.digest_with(&[])
    }

    /// The hash of the agents of a part of a crowd, for [`digest_with`](Self::digest_with).
    pub fn digest_part(&self) -> DigestPart {
        DigestPart { sum: sum(&self.population.now), agents: self.len() as u64 }
    }

    /// The [`digest`](Self::digest) of a whole crowd of which this part has all groups that must be
    /// in one part, from those of the other parts.
    pub fn digest_with(&self, others: &[DigestPart]) -> u64 {
        let all = others.iter().fold(self.digest_part(), |all, other| DigestPart {
            sum: all.sum.wrapping_add(other.sum),
            agents: all.agents + other.agents,
        });
        let explored = self.world.groups.iter().flat_map(|group| &group.explored);
        let explored = explored
            .flat_map(|(_, explored)| explored.times())
            .fold(absorb(absorb(all.sum, self.tick.number), all.agents), |hash, time| {
                absorb(hash, *time)
            });
        self.world.routes.iter().fold(explored, |hash, routes| routes.digest(hash))
    }
}

/// The hash of the agents of a part of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestPart {
    /// The sum of the hashes of all agents.
    pub sum: u64,
    /// The number of agents.
    pub agents: u64,
}

/// Each agent is hashed with its id and the hashes are added, so that the sum does not depend on
/// the order.
fn sum<V: Vector>(columns: &Columns<V>) -> u64 {
    // Destructured without `..`: a new column does not compile until it is hashed or excluded here.
    let Columns {
        id,
        group,
        state,
        position,
        velocity,
        heading,
        // Limits and orders affect the velocities.
        limits: _,
        limits_change: _,
        own: _,
        own_width: _,
        facing,
        facing_width,
        force,
        force_width,
        stats: _,
        stats_width: _,
        memory: _,
        memory_width: _,
        remembered: _,
        remembered_width: _,
    } = columns;
    let bits = |hash: u64, x: f32| absorb(hash, u64::from(x.to_bits()));
    let vector =
        |hash: u64, v: V| (0..V::DIMENSION).fold(hash, |hash, axis| bits(hash, v.axis(axis)));
    let mut sum = 0_u64;
    for i in 0..columns.len() {
        // `arrived` only decides events; `exit` is 0 between ticks.
        let StateInstance { state, entered, arrived: _, exit: _ } = state[i];
        let mut hash = absorb(mix(u64::from(id[i])), u64::from(group[i]) << 32 | u64::from(state));
        hash = absorb(hash, entered);
        hash = vector(hash, position.get(i));
        hash = vector(hash, velocity.get(i));
        hash = vector(hash, heading.get(i));
        hash = facing.get(i).into_iter().take(*facing_width).fold(hash, |h, v| vector(h, *v));
        hash = force.get(i).into_iter().take(*force_width).fold(hash, |h, v| vector(h, *v));
        hash = columns.stats(i).iter().fold(hash, |hash, stat| bits(hash, *stat));
        for memory in columns.memory(i) {
            // The other fields of a memory affect the next velocities.
            let Memory { slot, heading: _, wander: _, path: _, arrived: _, own: _ } = memory;
            hash = slot.map_or(hash, |slot| absorb(hash, u64::from(slot)));
        }
        for RememberedPosition { position, tick } in columns.remembered(i) {
            hash = absorb(vector(hash, *position), *tick);
        }
        sum = sum.wrapping_add(mix(hash));
    }
    sum
}
