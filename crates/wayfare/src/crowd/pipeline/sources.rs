//! The sources of the population phase: agents enter a running crowd.

use super::change::{Change, changed};
use super::tick::Tick;
use crate::agent::Agent;
use crate::crowd::events::Event;
use crate::crowd::origin::Origin;
use crate::crowd::part::PartState;
use crate::crowd::population::{Population, spawn};
use crate::crowd::setup::allowed::MAX_AGENTS;
use crate::crowd::setup::{Group, Source, draws, stream};
use crate::crowd::source::SourceCount;
use crate::crowd::world::World;
use crate::id::{AgentId, GroupId};
use crate::order::Order;
use crate::random::Random;
use crate::vector::Vector;

/// Adds the agents that arrive in the last tick.
pub(super) fn run_sources<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    part: Option<&PartState>,
) {
    let Some(last) = tick.number.checked_sub(1) else { return };
    if part.is_some_and(|part| !part.runs_sources) {
        return;
    }
    for s in 0..world.sources.len() {
        let SourceCount { source, turned_away, id, .. } = &world.sources[s];
        let mut random = Random::new(tick.seed, id.0, last, stream::ARRIVALS);
        let (group, most, apart) = (source.group, source.most, source.apart);
        let waiting = if apart { *turned_away } else { 0 };
        let due = source.arrivals.due(last, tick.dt, &mut random).saturating_add(waiting);
        if due == 0 {
            continue;
        }
        let free = due.min(room_for_arrivals(population, part, group, most) as u64);
        let mut entered = 0;
        while entered < free && enter_by(world, population, tick, origin, s, group) {
            entered += 1;
        }
        let count = &mut world.sources[s];
        count.entered += entered;
        let turned_away = if apart { 0 } else { count.turned_away };
        count.turned_away = turned_away.saturating_add(due - entered);
    }
}

/// The number of agents that may still enter by a source into `group`, which takes at most `most`
/// members.
pub(in crate::crowd) fn room_for_arrivals<V: Vector>(
    population: &Population<V>,
    part: Option<&PartState>,
    group: GroupId,
    most: usize,
) -> usize {
    let elsewhere = part.map_or(&[][..], |part| &part.elsewhere);
    let others = elsewhere.get(group.0).map_or(0, |count| *count as usize);
    let elsewhere: usize = elsewhere.iter().map(|count| *count as usize).sum();
    let count = population.now.len();
    let of = &population.now.group[..count];
    let members = of.iter().filter(|of| **of as usize == group.0).count();
    let ids = (u32::MAX - population.next_id) as usize;
    most.min(MAX_AGENTS)
        .saturating_sub(members + others)
        .min(MAX_AGENTS.saturating_sub(count + elsewhere))
        .min(ids.saturating_sub(population.ghosts.len()))
}

/// The most draws of a place that is free of other bodies.
const DRAWS: usize = 16;

/// The position at which the agent `id` enters by a source; `None` if that has to be apart from
/// others, and no drawn place is.
fn entry_of<V: Vector>(
    world: &World<V>,
    population: &Population<V>,
    tick: &Tick<V>,
    source: &Source<V>,
    (id, of): (u32, &Group<V>),
) -> Option<V> {
    let (space, up, now) = (&world.space, world.space.up(), &population.now);
    if !source.apart {
        return Some(space.inside(draws::inside(tick.seed, id, &source.area, up)));
    }
    let newcomer: Agent<V> = draws::newcomer(tick.seed, id, of, V::ZERO, up);
    let Agent { radius, mass, velocity, max_speed, .. } = newcomer;
    // The way on which it would come to rest, by `stop`.
    let way = velocity.truncate(max_speed) * mass;
    let squared = way.length_squared();
    // By the tick too: it draws other places the next time.
    let mut random = Random::new(tick.seed, id, tick.number, stream::POSITION);
    let is_free = |place: &V| {
        (0..now.len()).all(|row| {
            let touching = radius + now.limits[row].radius;
            let offset = space.difference(*place, now.position.get(row));
            let part = if squared > 0.0 { offset.dot(way) / squared } else { 0.0 };
            (offset - way * part.clamp(0.0, 1.0)).length_squared() >= touching * touching
        })
    };
    (0..DRAWS).map(|_| space.inside(source.area.random_point(&mut random, up))).find(is_free)
}

/// Adds a member of `group` by the source `s`, unless it finds no place; the caller has checked
/// that it may enter.
fn enter_by<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    s: usize,
    group: GroupId,
) -> bool {
    let (id, of, up) = (population.unused_id(), &origin.setup.groups[group.0], world.space.up());
    let source = &world.sources[s];
    let Some(position) = entry_of(world, population, tick, &source.source, (id, of)) else {
        return false;
    };
    let agent = draws::newcomer(tick.seed, id, of, position, up);
    let agent = Agent { velocity: agent.velocity.truncate(agent.max_speed), ..agent };
    let entry = tick.entry(&origin.structure, id, group);
    let (start, agent) = spawn::entering(entry, of, &agent);
    population.push((id, group.0 as u32), start, &agent);
    let random = Random::new(tick.seed, id, 0, stream::DESTINATION);
    if let Some(point) = source.source.destination(random) {
        let row = population.now.len() - 1;
        population.own_settings(row).order = Some(Order::Point(point));
    }
    population.next_id = id + 1;
    // The new id is the highest so far, so the events stay in order.
    let source = source.id;
    world.tracker.events.push(Event::Entered { id: AgentId(id), group, source });
    changed(population, tick, Change::Agents);
    true
}
