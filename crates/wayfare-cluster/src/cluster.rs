//! The algorithm: one crowd in several ranks.

use std::time::{Duration, Instant};

use wayfare::crowd::{
    Added, AgentChange, Command, Copies, Counts, DigestPart, Division, Event, HaloTooNarrow,
    KeyPath, Setup, ValidationError, join_events,
};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{AgentId, Crowd, Order, Vector};

use crate::domains::{Domains, Lattice};
use crate::error::ClusterError;
use crate::events;
use crate::exchange::{Metered, TickLink};
use crate::interest::Interest;
use crate::link::Link;
use crate::sought::Sought;
use crate::wire::{Message, Numbers};

/// The part of the halo by which agents may be outside the domain of their rank.
const SLACK: f32 = 0.15;
/// The ticks over which costs are measured before domains are divided anew.
const WINDOW: u64 = 32;

/// How a cluster works; the results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// By how much the slowest rank may be slower than the mean before the domains are divided
    /// anew; 0.1 by default.
    pub imbalance: f64,
    /// Divides the domains anew at every tick that is a multiple of this, whatever the costs are;
    /// for tests.
    pub rebalance_every: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { imbalance: 0.1, rebalance_every: None }
    }
}

/// What a rank has done since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// The number of ticks.
    pub ticks: u64,
    /// The steps of single agents.
    pub agent_steps: u64,
    /// The duration of all ticks.
    pub time: Duration,
    /// The part of it in which the rank has sent messages or waited for others.
    pub exchange: Duration,
    /// The bytes that it has sent.
    pub bytes: u64,
    /// The copies of agents that it has received.
    pub copies: u64,
    /// The agents that have moved to another rank.
    pub moved: u64,
    /// How often the domains were divided anew.
    pub rebalanced: u64,
}

/// One rank of a crowd that several ranks step together.
///
/// All ranks call the same methods in the same order.
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

/// What a rank tells all others before a tick.
struct Header {
    sorts: bool,
    outside: f32,
    busy: f64,
}

impl Header {
    fn write(&self, message: &mut Message) {
        message.u32(u32::from(self.sorts));
        message.f32(self.outside);
        message.f64(self.busy);
    }

    fn read(numbers: &mut Numbers<'_>) -> Self {
        Self { sorts: numbers.u32() != 0, outside: numbers.f32(), busy: numbers.f64() }
    }
}

impl<V: Vector, L: Link> Cluster<V, L> {
    /// This rank of the crowd of `setup`, which all ranks have.
    ///
    /// # Errors
    /// Every error in the setup.
    pub fn new(setup: Setup<V>, link: L, settings: Settings) -> Result<Self, ClusterError> {
        let bounds = setup.bounds;
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
        let mut held = 0.0;
        for row in 0..cluster.crowd.len() {
            cluster.add_cost(row, 1.0, &mut lattice, &mut held);
        }
        cluster.domains = Domains::divide(&lattice, &shares(&lattice, held, size), bounds);
        cluster
    }

    /// The part of the crowd that this rank owns.
    pub fn crowd(&self) -> &Crowd<V> {
        &self.crowd
    }

    /// The number of threads that share the ticks of this rank.
    ///
    /// # Errors
    /// The threads could not be started.
    pub fn set_threads(&mut self, count: usize) -> Result<(), wayfare::crowd::ThreadsError> {
        self.crowd.set_threads(count)
    }

    /// The number of this rank, from 0.
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

    /// What this rank has done since its start.
    pub fn usage(&self) -> Usage {
        Usage { exchange: self.link.time, bytes: self.link.sent, ..self.usage }
    }

    /// What all ranks have done, in the order of ranks.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn all_usage(&mut self) -> Result<Vec<Usage>, ClusterError> {
        let all = self.link.all_gather(&self.usage().to_bytes())?;
        Ok(all.iter().map(|bytes| Usage::from_bytes(bytes)).collect())
    }

    /// The number of agents of all ranks.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn agents(&mut self) -> Result<u64, ClusterError> {
        Ok(self.digest_parts()?.iter().map(|part| part.agents).sum())
    }

    /// The digest of the whole crowd: that of [`Crowd::digest`], on every rank.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn digest(&mut self) -> Result<u64, ClusterError> {
        let parts = self.digest_parts()?;
        let mut message = Message::default();
        // The first rank has the groups that must be in one part.
        if self.rank() == 0 {
            message.u64(self.crowd.digest_with(&parts[1..]));
        }
        let all = self.link.all_gather(&message.0)?;
        Ok(Numbers(&all[0]).u64())
    }

    fn digest_parts(&mut self) -> Result<Vec<DigestPart>, ClusterError> {
        let own = self.crowd.digest_part();
        let mut message = Message::default();
        message.u64(own.sum);
        message.u64(own.agents);
        let all = self.link.all_gather(&message.0)?;
        let part = |bytes: &Vec<u8>| {
            let mut numbers = Numbers(bytes);
            DigestPart { sum: numbers.u64(), agents: numbers.u64() }
        };
        Ok(all.iter().map(part).collect())
    }

    /// What the lines and exits of the whole crowd have counted.
    ///
    /// # Errors
    /// A rank is gone.
    pub fn counts(&mut self) -> Result<Counts, ClusterError> {
        let own = self.crowd.counts();
        let mut message = Message::default();
        message.u64(own.lines.len() as u64);
        own.lines.iter().flat_map(|(left, right)| [left, right]).for_each(|x| message.u64(*x));
        message.u64(own.exits.len() as u64);
        own.exits.iter().for_each(|x| message.u64(*x));
        let mut sum = Counts::default();
        for bytes in self.link.all_gather(&message.0)? {
            let mut numbers = Numbers(&bytes);
            let lines = (0..numbers.u64()).map(|_| (numbers.u64(), numbers.u64())).collect();
            let exits = (0..numbers.u64()).map(|_| numbers.u64()).collect();
            sum.add(&Counts { lines, exits });
        }
        Ok(sum)
    }

    /// The events of the last tick of the whole crowd, in the order of [`Crowd::events`].
    ///
    /// # Errors
    /// A rank is gone.
    pub fn events(&mut self) -> Result<Vec<Event>, ClusterError> {
        let (mut events, mut arrivals) = (Vec::new(), Vec::new());
        let message = events::to_bytes(self.crowd.events(), self.crowd.group_arrivals());
        for bytes in self.link.all_gather(&message)? {
            let (of_rank, of_groups) = events::from_bytes(&bytes);
            events.extend(of_rank);
            arrivals.push(of_groups);
        }
        Ok(join_events(events, &arrivals))
    }

    /// The number that each rank gives, in the order of ranks.
    pub(crate) fn all_numbers(&mut self, number: u64) -> Result<Vec<u64>, ClusterError> {
        let all = self.link.all_gather(&number.to_le_bytes())?;
        Ok(all.iter().map(|bytes| Numbers(bytes).u64()).collect())
    }

    /// The first rank with an error, and its message; `error` is that of this rank.
    pub(crate) fn first_error(
        &mut self,
        error: Option<&str>,
    ) -> Result<Option<(usize, String)>, ClusterError> {
        let all = self.link.all_gather(error.unwrap_or_default().as_bytes())?;
        let first = all.iter().enumerate().find(|(_, message)| !message.is_empty());
        Ok(first.map(|(rank, message)| (rank, String::from_utf8_lossy(message).into_owned())))
    }

    /// The agents of this rank, for [`receive`](Self::receive).
    pub(crate) fn agents_as_bytes(&self) -> Result<Vec<u8>, ClusterError> {
        Ok(self.crowd.copy(self.crowd.ids())?)
    }

    /// The state of the first rank, with what all ranks have counted.
    pub(crate) fn world_as_bytes(&mut self, counts: &Counts) -> Vec<u8> {
        let own = self.crowd.counts();
        self.crowd.set_counts(counts);
        let bytes = self.crowd.snapshot();
        self.crowd.set_counts(&own);
        bytes
    }

    /// Takes over the state of the world that the first rank had, without agents.
    pub(crate) fn set_world(&mut self, bytes: &[u8]) -> Result<(), ClusterError> {
        self.crowd.restore(bytes)?;
        let admits = self.rank() == 0;
        self.crowd.become_part(admits);
        if !admits {
            self.crowd.set_counts(&Counts::default());
        }
        self.crowd.keep_rows(|_, _| false);
        Ok(())
    }

    /// Adds agents of another rank.
    pub(crate) fn receive(&mut self, bytes: &[u8]) -> Result<(), ClusterError> {
        Ok(self.crowd.receive(bytes)?)
    }

    /// Divides the world among the ranks after they have received their first agents.
    pub(crate) fn resumed(&mut self) -> Result<(), ClusterError> {
        self.setup_changed();
        self.divide()?;
        self.usage = Usage::default();
        self.move_agents()
    }

    /// Applies a command on all ranks, which have the same one; returns what it has added.
    ///
    /// # Errors
    /// The command is refused; then nothing has changed.
    pub fn apply(&mut self, command: &Command<V>) -> Result<Option<Added>, ClusterError> {
        let is_here = match command {
            Command::Add { .. } => self.rank() == 0,
            Command::Remove(id) | Command::Move { id, .. } | Command::Agent { id, .. } => {
                self.crowd.get(*id).is_some()
            }
            _ => true,
        };
        if let Command::Agent { change: AgentChange::Order(Some(Order::Agent(target))), .. } =
            command
        {
            let found = self.crowd.get(*target).is_some();
            let all = self.link.all_gather(&[u8::from(found)])?;
            if all.iter().all(|found| found == &[0]) {
                let key_path = KeyPath::default().key("order");
                return Err(no_agent(key_path, *target).into());
            }
        }
        if let Command::AddGroup(_) = command {
            let mut message = Message::default();
            message.u32(self.crowd.next_id().0);
            let all = self.link.all_gather(&message.0)?;
            self.crowd.reserve_ids(AgentId(Numbers(&all[0]).u32()));
        }
        let first = self.crowd.next_id();
        let applied = if is_here { Some(self.crowd.apply(command)) } else { None };
        let outcome = match &applied {
            None => vec![0],
            Some(Ok(_)) => vec![1],
            Some(Err(error)) => [&[2][..], error.message.as_bytes()].concat(),
        };
        let outcomes = self.link.all_gather(&outcome)?;
        if let Some(Err(error)) = applied {
            return Err(error.into());
        }
        if let Some(refused) = outcomes.iter().find(|outcome| outcome[0] == 2) {
            // Only the owner of an agent knows the whole error.
            let message = String::from_utf8_lossy(&refused[1..]).into_owned();
            let allowed = "a command that the owner of the agent takes".to_string();
            return Err(ValidationError { key_path: KeyPath::default(), message, allowed }.into());
        }
        if outcomes.iter().all(|outcome| outcome[0] == 0) {
            if let Command::Remove(id) | Command::Move { id, .. } | Command::Agent { id, .. } =
                command
            {
                return Err(no_agent(KeyPath::default().key("id"), *id).into());
            }
        }
        self.setup_changed();
        if let Command::AddGroup(_) = command {
            // All ranks have its members.
            self.keep_own(first);
        }
        Ok(applied.and_then(Result::ok).flatten())
    }

    /// Takes a tick.
    ///
    /// # Errors
    /// A rank is gone; then the crowd is of no use any more.
    pub fn step(&mut self) -> Result<(), ClusterError> {
        let (began, before) = (Instant::now(), self.link.time);
        let mut interest = self.new_interest();
        let headers = self.tell(&mut interest)?;
        self.balance(&headers)?;
        // After agents have moved with their orders.
        let wanted = self.wanted()?;
        self.crowd.begin_tick_of_part();
        let sought = self.sought()?;
        let mut redone = false;
        loop {
            self.select(&wanted, sought.as_ref(), &interest);
            self.copy(redone)?;
            let mut others = TickLink {
                link: &mut self.link,
                halo: self.reach,
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
                    interest = self.new_interest();
                    self.tell(&mut interest)?;
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

    /// No surroundings, at the present reach.
    fn new_interest(&self) -> Interest<V> {
        let world = self.wrapped_size().and_then(|size| Some((self.bounds?.min, size)));
        Interest::new(self.reach, world)
    }

    /// The size of a wrapped world (length).
    fn wrapped_size(&self) -> Option<V> {
        wrapped_size(self.bounds)
    }

    /// Tells the others about this rank before a tick, and hears about them; the surroundings are
    /// those that the first rank has told.
    fn tell(&mut self, interest: &mut Interest<V>) -> Result<Vec<Header>, ClusterError> {
        let header = Header {
            sorts: self.crowd.sorts_next(),
            outside: self.outside(),
            busy: self.busy.as_secs_f64(),
        };
        let mut message = Message::default();
        header.write(&mut message);
        if self.rank() == 0 {
            if self.holds() && self.reach > 0.0 {
                for row in 0..self.crowd.len() {
                    if self.is_held(row) {
                        interest.add(self.position(row));
                    }
                }
            }
            interest.write(&mut message);
        }
        let mut headers = Vec::with_capacity(self.ranks());
        for (rank, bytes) in self.link.all_gather(&message.0)?.iter().enumerate() {
            let mut numbers = Numbers(bytes);
            headers.push(Header::read(&mut numbers));
            if rank == 0 {
                interest.read(&mut numbers);
            }
        }
        Ok(headers)
    }

    /// Divides the domains anew where they are out of balance, and lets agents move to the rank of
    /// their domain where that is due.
    fn balance(&mut self, headers: &[Header]) -> Result<(), ClusterError> {
        let tick = self.crowd.tick();
        let is_forced =
            self.settings.rebalance_every.is_some_and(|every| tick > 0 && tick % every.max(1) == 0);
        let mut divides = is_forced;
        if tick >= self.checked_at + WINDOW {
            let mean = headers.iter().map(|header| header.busy).sum::<f64>() / headers.len() as f64;
            let slowest = headers.iter().map(|header| header.busy).fold(0.0, f64::max);
            divides |= slowest > (1.0 + self.settings.imbalance) * mean;
            self.checked_at = tick;
            if !divides {
                self.busy = Duration::ZERO;
            }
        }
        if divides {
            self.divide()?;
        }
        let slack = if self.reach > 0.0 { SLACK * self.reach } else { f32::INFINITY };
        let all_sort = headers.iter().all(|header| header.sorts);
        let is_outside = |header: &Header| header.outside > slack;
        if divides || (all_sort && slack.is_finite()) || headers.iter().any(is_outside) {
            self.move_agents()?;
        }
        Ok(())
    }

    /// Divides the domains anew, by the time that each rank has worked for its agents.
    fn divide(&mut self) -> Result<(), ClusterError> {
        self.usage.rebalanced += 1;
        let (low, high) = self.extent();
        let mut message = Message::default();
        (0..V::DIMENSION).for_each(|axis| {
            message.f32(low.axis(axis));
            message.f32(-high.axis(axis));
        });
        let mut all = [f32::INFINITY; 6];
        for bytes in self.link.all_gather(&message.0)? {
            let mut numbers = Numbers(&bytes);
            all.iter_mut().take(2 * V::DIMENSION).for_each(|x| *x = x.min(numbers.f32()));
        }
        let low = V::from_fn(|axis| all[2 * axis]);
        let high = V::from_fn(|axis| -all[2 * axis + 1]);
        let mut lattice = Lattice::new(low, high);
        let cost = self.busy.as_secs_f64().max(1e-9) / self.crowd.len().max(1) as f64;
        let mut held = 0.0;
        for row in 0..self.crowd.len() {
            self.add_cost(row, cost, &mut lattice, &mut held);
        }
        let mut message = Message::default();
        message.f64(held);
        message.0.extend(lattice.to_bytes());
        let mut sum = Lattice::new(low, high);
        held = 0.0;
        for bytes in self.link.all_gather(&message.0)? {
            held += Numbers(&bytes).f64();
            sum.add_bytes(&bytes[8..]);
        }
        let shares = shares(&sum, held, self.ranks());
        self.domains = Domains::divide(&sum, &shares, self.bounds);
        self.busy = Duration::ZERO;
        self.checked_at = self.crowd.tick();
        Ok(())
    }

    /// Adds the cost of the agent in `row` to its cell, or to that of the agents that the first
    /// rank has wherever they are.
    fn add_cost(&self, row: usize, cost: f64, lattice: &mut Lattice<V>, held: &mut f64) {
        if self.is_held(row) {
            *held += cost;
        } else {
            lattice.add(self.position(row), cost);
        }
    }

    /// The corners of the world, or without bounds of the box around the agents (length).
    fn extent(&self) -> (V, V) {
        if let Some(bounds) = self.bounds.filter(|bounds| bounds.edge != Edge::Open) {
            return (bounds.min, bounds.max);
        }
        let over = |axis: usize, start: f32, join: fn(f32, f32) -> f32| {
            self.crowd.positions(axis).iter().copied().fold(start, join)
        };
        (
            V::from_fn(|axis| over(axis, f32::INFINITY, f32::min)),
            V::from_fn(|axis| over(axis, f32::NEG_INFINITY, f32::max)),
        )
    }

    /// Sends the agents that are outside the domain of this rank to their owners.
    fn move_agents(&mut self) -> Result<(), ClusterError> {
        if self.ranks() == 1 {
            return Ok(());
        }
        let (own, holds) = (self.rank(), self.holds());
        let region = self.domains.region(own);
        let mut leaving = vec![Vec::new(); self.ranks()];
        for row in 0..self.crowd.len() {
            if !holds && region.contains(self.position(row)) {
                continue;
            }
            let owner = self.owner(row);
            if owner != own {
                leaving[owner].push(row as u32);
            }
        }
        self.usage.moved += leaving.iter().map(|rows| rows.len() as u64).sum::<u64>();
        let messages = self.crowd.extract_rows(&leaving);
        for bytes in self.link.exchange(&messages)? {
            if !bytes.is_empty() {
                self.crowd.receive(&bytes)?;
            }
        }
        Ok(())
    }

    /// The ids of the agents that agents of each rank have orders to.
    fn wanted(&mut self) -> Result<Vec<Vec<AgentId>>, ClusterError> {
        if !self.division.orders {
            return Ok(Vec::new());
        }
        let mut message = Message::default();
        self.crowd.ordered_targets().for_each(|id| message.u32(id.0));
        let ids = |bytes: &Vec<u8>| {
            let mut numbers = Numbers(bytes);
            (0..bytes.len() / 4).map(|_| AgentId(numbers.u32())).collect()
        };
        Ok(self.link.all_gather(&message.0)?.iter().map(ids).collect())
    }

    /// Which members of groups that are sought at any distance the ranks need; `None` without such
    /// groups.
    fn sought(&mut self) -> Result<Option<Sought<V>>, ClusterError> {
        let Division { everywhere, whole, .. } = &self.division;
        if self.link.size() == 1 || !everywhere.contains(&true) {
            return Ok(None);
        }
        let size = wrapped_size(self.bounds);
        Sought::ask(&self.crowd, &mut self.link, (everywhere, whole), size).map(Some)
    }

    /// Finds the rows whose copies the other ranks need; agents of theirs have orders to the agents
    /// `wanted`.
    fn select(
        &mut self,
        wanted: &[Vec<AgentId>],
        sought: Option<&Sought<V>>,
        interest: &Interest<V>,
    ) {
        let (own, ranks) = (self.rank(), self.ranks());
        let mut sent = std::mem::take(&mut self.sent);
        sent.iter_mut().for_each(Vec::clear);
        let size = self.wrapped_size();
        let halo = self.halo();
        let by_group = sought.is_some() || self.holds();
        if ranks > 1 && (halo > 0.0 || sought.is_some()) {
            let interior = self.domains.interior(own, halo);
            let has_interest = self.holds();
            let others: Vec<usize> = (0..ranks).filter(|rank| *rank != own).collect();
            let columns: [&[f32]; 3] = std::array::from_fn(|axis| self.crowd.positions(axis));
            let groups = self.crowd.groups();
            for row in 0..self.crowd.len() {
                let p = V::from_fn(|axis| columns[axis][row]);
                let is_inside = interior.contains(p);
                if is_inside && !by_group {
                    continue;
                }
                let group = groups[row] as usize;
                let (is_sought, is_held) = if by_group {
                    (sought.is_some() && self.division.everywhere[group], self.is_held(row))
                } else {
                    (false, false)
                };
                let is_of_interest = own != 0 && has_interest && interest.contains(p);
                if !is_held && !is_sought && !is_of_interest && is_inside {
                    continue;
                }
                for &rank in &others {
                    let near = || self.domains.region(rank).distance(p, size) <= halo;
                    let needed = || sought.is_some_and(|sought| sought.needs(rank, group, p));
                    if (rank == 0 && is_of_interest)
                        || (halo > 0.0 && near())
                        || (is_sought && needed())
                    {
                        sent[rank].push(row as u32);
                    }
                }
            }
        }
        for (rank, ids) in wanted.iter().enumerate().filter(|(rank, _)| *rank != own) {
            let rows: Vec<u32> = ids.iter().filter_map(|id| self.crowd.row(*id)).collect();
            if !rows.is_empty() {
                sent[rank].extend(rows);
                sent[rank].sort_unstable();
                sent[rank].dedup();
            }
        }
        self.sent = sent;
    }

    /// Sends the copies of the selected rows, and takes those of the other ranks; `redone` is
    /// whether the tick begins again.
    fn copy(&mut self, redone: bool) -> Result<(), ClusterError> {
        let copies = |rows: &Vec<u32>| {
            let mut bytes = Vec::new();
            self.crowd.copy_rows(rows, &mut bytes);
            bytes
        };
        let messages: Vec<Vec<u8>> = self.sent.iter().map(copies).collect();
        // Agents that are far from the borders read no copies: they move meanwhile. Those of groups
        // that the first rank has may be anywhere.
        let overlaps = !redone && messages.len() > 1 && !self.holds();
        let interior = self.domains.interior(self.link.rank(), self.halo());
        let inside = |low, high| interior.contains(low) && interior.contains(high);
        let crowd = &mut self.crowd;
        let received = self.link.exchange_during(&messages, || {
            if overlaps {
                crowd.advance_interior(&inside);
            }
        })?;
        let size = self.crowd.copy_size();
        self.copies = received.iter().map(|bytes| bytes.len() / size).collect();
        self.usage.copies += self.copies.iter().sum::<usize>() as u64;
        let copies: Vec<_> = received.iter().map(|bytes| Copies(bytes)).collect();
        self.crowd.set_copies(&copies)?;
        Ok(())
    }

    /// The distance from a domain up to which its rank gets copies (length): an agent may be
    /// outside the domain of its rank by the slack.
    fn halo(&self) -> f32 {
        (1.0 + SLACK) * self.reach
    }

    /// By how much an agent of this rank is outside its domain at most (length).
    fn outside(&self) -> f32 {
        if self.ranks() == 1 {
            return 0.0;
        }
        let (region, size) = (self.domains.region(self.rank()), self.wrapped_size());
        if !self.holds() {
            return region.farthest(|axis| self.crowd.positions(axis), size);
        }
        let first = self.rank() == 0;
        let distance = |row| {
            if self.is_held(row) {
                return if first { 0.0 } else { f32::INFINITY };
            }
            region.distance(self.position(row), size)
        };
        (0..self.crowd.len()).map(distance).fold(0.0, f32::max)
    }

    #[inline(always)]
    fn position(&self, row: usize) -> V {
        V::from_fn(|axis| self.crowd.positions(axis)[row])
    }

    /// Whether some groups are on the first rank wherever their members are.
    fn holds(&self) -> bool {
        self.division.together.iter().any(Option::is_some)
    }

    /// Whether the first rank has the agent in `row` wherever it is.
    fn is_held(&self, row: usize) -> bool {
        self.division.together[self.crowd.groups()[row] as usize].is_some()
    }

    fn owner(&self, row: usize) -> usize {
        if self.is_held(row) { 0 } else { self.domains.owner(self.position(row)) }
    }

    /// Removes the agents of other ranks, among those with ids from `first` on, which all ranks
    /// have.
    fn keep_own(&mut self, first: AgentId) {
        let own = self.rank();
        let is_own = |row| self.crowd.ids()[row] < first.0 || self.owner(row) == own;
        let keep: Vec<bool> = (0..self.crowd.len()).map(is_own).collect();
        self.crowd.keep_rows(|_, row| keep[row as usize]);
    }

    /// Finds how the crowd can be divided, after its setup has changed.
    fn setup_changed(&mut self) {
        self.division = self.crowd.division();
        // Bodies that touch, and what they may move in a tick; the crowd tells if it is more.
        let bodies = 3.0 * self.division.body;
        self.reach = self.reach.max(self.division.reach).max(bodies);
    }
}

/// The part of the divisible cost that each rank takes, so that the first one, which has the agents
/// that are held besides, has as much to do as the others.
fn shares<V: Vector>(lattice: &Lattice<V>, held: f64, ranks: usize) -> Vec<f64> {
    let total = lattice.total();
    let each = (total + held) / ranks as f64;
    let first = (each - held).max(0.0);
    let rest = if ranks > 1 { (total - first) / (ranks - 1) as f64 } else { 0.0 };
    (0..ranks).map(|rank| if rank == 0 { first } else { rest }).collect()
}

/// The size of a wrapped world (length).
fn wrapped_size<V: Vector>(bounds: Option<Bounds<V>>) -> Option<V> {
    bounds.filter(|bounds| bounds.edge == Edge::Wrap).map(|bounds| bounds.max - bounds.min)
}

fn no_agent(key_path: KeyPath, id: AgentId) -> ValidationError {
    ValidationError {
        key_path,
        message: format!("there is no agent {id}"),
        allowed: "the id of an agent that is in the crowd".to_string(),
    }
}

impl Usage {
    /// What was done after `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            ticks: self.ticks - before.ticks,
            agent_steps: self.agent_steps - before.agent_steps,
            time: self.time - before.time,
            exchange: self.exchange - before.exchange,
            bytes: self.bytes - before.bytes,
            copies: self.copies - before.copies,
            moved: self.moved - before.moved,
            rebalanced: self.rebalanced - before.rebalanced,
        }
    }

    fn to_bytes(self) -> Vec<u8> {
        let mut message = Message::default();
        let Self { ticks, agent_steps, time, exchange, bytes, copies, moved, rebalanced } = self;
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        [ticks, agent_steps, nanoseconds(time), nanoseconds(exchange), bytes, copies, moved]
            .into_iter()
            .chain([rebalanced])
            .for_each(|x| message.u64(x));
        message.0
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut numbers = Numbers(bytes);
        Self {
            ticks: numbers.u64(),
            agent_steps: numbers.u64(),
            time: Duration::from_nanos(numbers.u64()),
            exchange: Duration::from_nanos(numbers.u64()),
            bytes: numbers.u64(),
            copies: numbers.u64(),
            moved: numbers.u64(),
            rebalanced: numbers.u64(),
        }
    }
}
