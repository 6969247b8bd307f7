//! The events phase. The events are found in one pass over both generations of columns after a
//! step, shared by the threads; the pass is skipped for crowds in which no event is possible.

use alloc::vec::Vec;

use super::input::TickInput;
use super::leave::leave;
use super::tick::Tick;
use crate::annotation::Recorder;
use crate::crowd::events::arrival::{self, Stop, Targets};
use crate::crowd::events::scan::{Found, Scan};
use crate::crowd::events::{Contacts, Event};
use crate::crowd::origin::Origin;
use crate::crowd::part::{GroupArrival, PartState};
use crate::crowd::population::Population;
use crate::crowd::world::World;
use crate::id::{AgentId, GroupId};
use crate::parameter::Target;
use crate::platform::Mutex;
use crate::threads::{Share, buffer, share_rows};
use crate::vector::Vector;

/// Detects the events of the last step, and removes or respawns the agents that leave.
pub(super) fn detect_events<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    part: Option<&mut PartState>,
    shared: Share,
) {
    world.tracker.events.clear();
    if world.tracker.finds_nothing() && population.now.own_width == 0 && world.routes.is_none() {
        world.tracker.put_from.clear();
        if let Some(part) = part {
            note_group_arrivals(part, world, population, &[]);
        }
        return;
    }
    let mut found = core::mem::take(&mut world.tracker.found);
    // One of the buffers is that of the events.
    if let Some(first) = found.first_mut() {
        core::mem::swap(&mut buffer(first).events, &mut world.tracker.events);
    }
    let scan = scan(world, population, tick, origin);
    share_rows(0..population.now.len(), &found, shared, &|rows, found| scan.rows(rows, found));
    conclude(world, population, tick, origin, part, &mut found);
    world.tracker.found = found;
}

/// What the events of the step that was just taken follow from.
fn scan<'a, V: Vector>(
    world: &'a World<V>,
    population: &'a Population<V>,
    tick: &Tick<V>,
    origin: &'a Origin<V>,
) -> Scan<'a, V> {
    Scan {
        now: &population.now,
        before: &population.next,
        ghosts: &population.ghosts,
        row_index: &population.row_index,
        space: &world.space,
        possible: &world.tracker.groups,
        lines: &world.tracker.lines,
        exits: &world.tracker.exits,
        setup: &origin.setup.groups,
        groups: &world.groups,
        seed: tick.seed,
        dt: tick.dt,
        tick: tick.number,
        pointer: world.pointer_at(tick.time()),
        pointer_before: world.pointer_at((tick.number - 1) as f64 * tick.dt),
    }
}

/// Puts together what the threads found, in an order that does not depend on them.
fn conclude<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    part: Option<&mut PartState>,
    found: &mut [Mutex<Found>],
) {
    let Some((first, rest)) = found.split_first_mut() else { return };
    let first = buffer(first);
    rest.iter_mut().for_each(|other| first.append(buffer(other)));
    for (row, arrived) in first.arrived.drain(..) {
        population.now.state[row as usize].arrived = arrived;
    }
    let tracker = &mut world.tracker;
    core::mem::swap(&mut first.events, &mut tracker.events);
    for event in &tracker.events {
        if let Event::Crossed { line, to_left, .. } = *event {
            let line = tracker.lines.binary_search_by_key(&line, |count| count.id);
            if let Ok(index) = line {
                tracker.lines[index].count(to_left);
            }
        }
    }
    for row in first.lost.drain(..) {
        population.now.own[row as usize].order = None;
    }
    confirm_arrivals(world, population, tick, origin, first);
    first.arrived_groups.sort_unstable();
    first.arrived_groups.dedup();
    match part {
        Some(part) => note_group_arrivals(part, world, population, &first.arrived_groups),
        None => find_group_arrivals(world, population, &first.arrived_groups),
    }
    first.arrived_groups.clear();
    let World { tracker, space, routes, .. } = world;
    let Population { now, next, .. } = &*population;
    if tracker.has_contacts() {
        let contacts = tracker.contacts.get_or_insert_with(|| Contacts::new(now, space));
        let before = (next, &tracker.put_from[..]);
        contacts.find(&tracker.groups, now, before, space, &mut tracker.events);
    }
    tracker.put_from.clear();
    let unreachable = routes.iter().flat_map(|routes| routes.unreachable());
    tracker.events.extend(unreachable.map(|id| Event::Unreachable { id }));
    tracker.events.sort_unstable_by_key(Event::order);
    // An agent can arrive at several targets at once.
    tracker.events.dedup();
    leave(world, population, tick, origin, &mut first.leaving);
}

/// Raises an event for each of the groups `arrived`, of which a member has arrived in this tick, if
/// all of its members have.
fn find_group_arrivals<V: Vector>(
    world: &mut World<V>,
    population: &Population<V>,
    arrived: &[u32],
) {
    for &group in arrived {
        if have_all_arrived(world, population, group) {
            world.tracker.events.push(Event::GroupArrived { group: GroupId(group as usize) });
        }
    }
}

/// Notes in the state of a part which groups have arrived in it, of which those `arrived` have a
/// member that has arrived in this tick.
fn note_group_arrivals<V: Vector>(
    part: &mut PartState,
    world: &World<V>,
    population: &Population<V>,
    arrived: &[u32],
) {
    part.arrivals.clear();
    part.arrivals.extend((0..world.groups.len() as u32).map(|group| GroupArrival {
        now: arrived.contains(&group),
        all: world.tracker.can_arrive(group as usize) && have_all_arrived(world, population, group),
    }));
}

/// Whether all members of `group` have arrived.
fn have_all_arrived<V: Vector>(world: &World<V>, population: &Population<V>, group: u32) -> bool {
    let now = &population.now;
    let mut members = (0..now.len()).filter(|&row| now.group[row] == group);
    members.all(|row| world.tracker.has_arrived(now, row))
}

/// Raises the arrivals of the candidates whose list evaluated the `arrive` in the last tick. The
/// list is evaluated again on the columns of that tick.
fn confirm_arrivals<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    found: &mut Found,
) {
    if found.candidates.is_empty() {
        return;
    }
    // Ids, groups and limits are stored in one generation only: `take_step` does not exchange them.
    population.now.take_step(&mut population.next);
    tick.number -= 1;
    found.candidates.retain(|&(row, k)| {
        let (row, recorder) = (row as usize, Recorder::default());
        let group = &world.tracker.groups[population.now.group[row] as usize];
        let slot = group.stops[population.next.state[row].state as usize][k].slot;
        let input = TickInput::new(world, population, tick, origin);
        let (sum, force) = input.explain(row, recorder.draw());
        let explanation = recorder.explanation(sum, force);
        explanation.contributions.iter().any(|contribution| contribution.slot == slot)
    });
    tick.number += 1;
    population.now.take_step(&mut population.next);
    for (row, k) in found.candidates.drain(..) {
        let row = row as usize;
        population.now.state[row].arrived |= arrival::bit(k);
        let id = AgentId(population.now.id[row]);
        world.tracker.events.push(Event::Arrived { id });
        found.arrived_groups.push(population.now.group[row]);
    }
}

/// Lets agents arrive again at stops whose target differs from that in `before`, unless they are at
/// the new target.
pub(in crate::crowd) fn rearm_arrivals_since<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &Tick<V>,
    origin: &Origin<V>,
    before: &[Vec<Vec<Stop<V>>>],
) {
    let target = |stops: &[Vec<Vec<Stop<V>>>], group: usize, state: usize, k: usize| {
        Some(stops.get(group)?.get(state)?.get(k)?.arrive.target)
    };
    rearm_arrivals(world, population, tick, origin, |stop, group, state, k| {
        target(before, group, state, k) != Some(stop.arrive.target)
    });
}

/// Lets agents arrive again at the pointer, which has been moved, unless they are at it.
pub(in crate::crowd) fn rearm_arrivals_at_pointer<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &Tick<V>,
    origin: &Origin<V>,
) {
    let at_pointer = |stop: &Stop<V>| stop.arrive.target == Target::Pointer;
    if world.tracker.groups.iter().flat_map(|group| &group.stops).flatten().any(at_pointer) {
        rearm_arrivals(world, population, tick, origin, |stop, _, _, _| at_pointer(stop));
    }
}

/// Lets agents arrive again at stops whose target a command has moved away from them. `moved`
/// returns whether a stop was moved, by stop, group, state and number.
fn rearm_arrivals<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &Tick<V>,
    origin: &Origin<V>,
    moved: impl Fn(&Stop<V>, usize, usize, usize) -> bool,
) {
    let Population { now, ghosts, row_index, .. } = population;
    let pointer = world.pointer_at(tick.time());
    for i in 0..now.len() {
        let instance = now.state[i];
        if instance.arrived == 0 {
            continue;
        }
        let (group, state) = (now.group[i] as usize, instance.state as usize);
        let targets = Targets {
            now,
            ghosts,
            row_index,
            seed: tick.seed,
            dt: tick.dt,
            tick: tick.number,
            up: world.space.up(),
            pointer,
            setup: &origin.setup.groups[group],
            group: &world.groups[group],
        };
        let agent = now.agent(i);
        let mut arrived = instance.arrived;
        for (k, stop) in world.tracker.groups[group].stops[state].iter().enumerate() {
            let target = targets.position(stop.arrive.target, i, now.remembered(i));
            let at = |target| stop.proximity(&agent, target, &world.space).at;
            if moved(stop, group, state, k) && !target.is_some_and(at) {
                arrived &= !arrival::bit(k);
            }
        }
        now.state[i].arrived = arrived;
    }
}
