//! The algorithm: one crowd in several ranks.

use std::time::{Duration, Instant};

use wayfare::crowd::{Division, HaloTooNarrow, KeyPath, Setup};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{AgentId, Crowd, Vector};

use crate::domains::{Domains, Lattice};
use crate::error::ClusterError;
use crate::exchange::{Metered, TickLink};
use crate::link::Link;

mod balance;
mod command;
mod copies;
mod usage;
mod whole;

pub use usage::Usage;

use balance::shares;
use command::needs_all;

/// The part of the halo by which agents may be outside the domain of their rank.
const SLACK: f32 = 0.15;
/// The ticks over which costs are measured before domains are divided anew.
const WINDOW: u64 = 32;

/// Settings of the load balancer. Results do not depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The imbalance above which the domains are divided again: the time of the slowest rank by the
    /// mean over all ranks, minus 1. Default: 0.1.
    pub imbalance: f64,
    /// Divides the domains again at every tick that is a multiple of this number, regardless of the
    /// imbalance; for tests.
    pub rebalance_every: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { imbalance: 0.1, rebalance_every: None }
    }
}

/// One rank of a crowd that is distributed over several ranks.
///
/// Methods that return a [`ClusterError`] are collective: all ranks call them in the same order.
#[derive(Debug)]
pub struct Cluster<V: Vector, L> {
    crowd: Crowd<V>,
    link: Metered<L>,
    settings: Settings,
    division: Division,
    domains: Domains<V>,
    bounds: Option<Bounds<V>>,
    /// The distance up to which ranks copy agents across the borders of domains, without the
    /// slack; 0 if no agent reads another one nearby (length).
    reach: f32,
    /// The rows whose copies each rank has.
    sent: Vec<Vec<u32>>,
    copies: Vec<usize>,
    /// The time that this rank has worked since the balance was checked.
    busy: Duration,
    /// The tick at which it was checked.
    checked_at: u64,
    usage: Usage,
}

impl<V: Vector, L: Link> Cluster<V, L> {
    /// This rank of the crowd that `setup` describes; `setup` is equal on all ranks.
    ///
    /// # Errors
    /// The setup is invalid; the error holds all mistakes. Or a source is `apart`, and there are
    /// several ranks.
    pub fn new(setup: Setup<V>, link: L, settings: Settings) -> Result<Self, ClusterError> {
        let bounds = setup.bounds;
        if let Some(index) = setup.sources.iter().position(|source| source.apart)
            && link.size() > 1
        {
            let key_path = KeyPath::default().key("source").at(index).key("apart");
            return Err(needs_all(key_path).into());
        }
        let mut cluster = Self::of_whole(Crowd::new(setup)?, bounds, link, settings);
        cluster.keep_own(AgentId(0));
        Ok(cluster)
    }

    /// A cluster whose ranks all have the whole `crowd`, with the first domains.
    fn of_whole(
        mut crowd: Crowd<V>,
        bounds: Option<Bounds<V>>,
        link: L,
        settings: Settings,
    ) -> Self {
        crowd.become_part(link.rank() == 0);
        let size = link.size();
        let mut cluster = Self {
            division: crowd.division(),
            checked_at: crowd.tick(),
            domains: Domains::whole(size),
            crowd,
            link: Metered::new(link),
            settings,
            bounds,
            reach: 0.0,
            sent: vec![Vec::new(); size],
            copies: vec![0; size],
            busy: Duration::ZERO,
            usage: Usage::default(),
        };
        cluster.setup_changed();
        let (low, high) = cluster.extent();
        let mut lattice = Lattice::new(low, high);
        let mut pinned = 0.0;
        for row in 0..cluster.crowd.len() {
            cluster.add_cost(row, 1.0, &mut lattice, &mut pinned);
        }
        cluster.domains = Domains::divide(&lattice, &shares(&lattice, pinned, size), bounds);
        cluster
    }

    /// The agents that this rank owns, as a crowd.
    pub fn crowd(&self) -> &Crowd<V> {
        &self.crowd
    }

    /// Sets the number of threads that step the agents of this rank.
    ///
    /// # Errors
    /// The threads could not be started.
    pub fn set_threads(&mut self, count: usize) -> Result<(), wayfare::crowd::ThreadsError> {
        self.crowd.set_threads(count)
    }

    /// The index of this rank, from 0.
    pub fn rank(&self) -> usize {
        self.link.rank()
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.link.size()
    }

    /// The domains of the ranks.
    pub fn domains(&self) -> &Domains<V> {
        &self.domains
    }

    /// The work and the costs of this rank since its start.
    pub fn usage(&self) -> Usage {
        Usage { exchange: self.link.time, bytes: self.link.sent, ..self.usage }
    }

    /// Takes a tick.
    ///
    /// # Errors
    /// A rank is gone; then the crowd is of no use any more. Or a command of the setup is refused
    /// at this tick.
    pub fn step(&mut self) -> Result<(), ClusterError> {
        self.apply_due_commands()?;
        let (began, before) = (Instant::now(), self.link.time);
        let headers = self.exchange_headers()?;
        self.balance(&headers)?;
        let have_orders = headers.iter().any(|header| header.orders);
        // After agents have moved with their orders.
        let wanted = self.wanted(have_orders)?;
        let mut interest = self.surroundings()?;
        self.crowd.begin_tick_of_part();
        let sought = self.sought()?;
        let mut redone = false;
        loop {
            self.select(&wanted, sought.as_ref(), &interest);
            self.copy(redone)?;
            let mut others = TickLink {
                link: &mut self.link,
                halo: self.reach,
                have_orders,
                sent: &self.sent,
                copies: &self.copies,
                dimension: V::DIMENSION,
                error: None,
            };
            let ended = self.crowd.end_tick_of_part(&mut others);
            if let Some(error) = others.error {
                return Err(error.into());
            }
            match ended {
                Ok(()) => break,
                Err(HaloTooNarrow(needed)) => {
                    // All ranks know this number. Some more, so that it does not happen often.
                    (self.reach, redone) = (1.2 * needed, true);
                    interest = self.surroundings()?;
                }
            }
        }
        let time = began.elapsed();
        self.busy += time.saturating_sub(self.link.time - before);
        self.usage.time += time;
        self.usage.ticks += 1;
        self.usage.agent_steps += self.crowd.len() as u64;
        Ok(())
    }

    /// The size of a wrapped world (length).
    fn wrapped_size(&self) -> Option<V> {
        wrapped_size(self.bounds)
    }

    #[inline(always)]
    fn position(&self, row: usize) -> V {
        V::from_fn(|axis| self.crowd.positions(axis)[row])
    }

    /// Whether some groups are on the first rank wherever their members are.
    fn holds(&self) -> bool {
        self.division.pinned.iter().any(Option::is_some)
    }

    /// Whether the first rank has the agent in `row` wherever it is.
    fn is_pinned(&self, row: usize) -> bool {
        self.division.pinned[self.crowd.group_column()[row] as usize].is_some()
    }

    /// Finds how the crowd can be divided, after its setup has changed.
    fn setup_changed(&mut self) {
        self.division = self.crowd.division();
        // Bodies that touch, and what they may move in a tick; the crowd tells if it is more.
        let bodies = 3.0 * self.division.body;
        let reach = self.division.reach.max(bodies);
        let reach = if reach > 0.0 { reach + self.rounding() } else { 0.0 };
        self.reach = self.reach.max(reach);
    }

    /// An upper bound of the rounding of distances across the edges of a wrapped world (length),
    /// which are rounded by parts of its size; 0 in other worlds.
    fn rounding(&self) -> f32 {
        self.wrapped_size().map_or(0.0, |size| {
            let magnitude =
                |axis| size.axis(axis) + self.bounds.map_or(0.0, |b| b.min.axis(axis).abs());
            16.0 * f32::EPSILON * (0..V::DIMENSION).map(magnitude).fold(0.0, f32::max)
        })
    }
}

/// The size of a wrapped world (length).
fn wrapped_size<V: Vector>(bounds: Option<Bounds<V>>) -> Option<V> {
    bounds.filter(|bounds| bounds.edge == Edge::Wrap).map(|bounds| bounds.max - bounds.min)
}
