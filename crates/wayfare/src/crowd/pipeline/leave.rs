//! Agents that leave the crowd after a step, or respawn: those in an exit, and those whose
//! transition leads out. Part of the events phase.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::change::{Change, changed};
use super::tick::Tick;
use crate::crowd::exit::LeaveBy;
use crate::crowd::origin::Origin;
use crate::crowd::population::Population;
use crate::crowd::population::spawn;
use crate::crowd::setup::{ExitAction, TransitionTarget, draws};
use crate::crowd::world::World;
use crate::geometry::obstacle::Shape;
use crate::id::GroupId;
use crate::vector::Vector;

/// Removes or respawns the agents in these rows.
pub(super) fn leave<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    leaving: &mut Vec<(u32, LeaveBy)>,
) {
    // From the highest row to the lowest: a removed row is replaced by the last row, which is
    // already processed.
    leaving.sort_unstable_by_key(|(row, _)| Reverse(*row));
    for (row, by) in leaving.drain(..) {
        let i = row as usize;
        let then = match by {
            LeaveBy::Exit(exit) => {
                world.tracker.exits[exit].left += 1;
                &world.tracker.exits[exit].exit.then
            }
            LeaveBy::Transition(index) => {
                let group = &world.groups[population.now.group[i] as usize];
                let state = &group.states[population.now.state[i].state as usize];
                match &state.leave[index].to {
                    TransitionTarget::Out(then) => then,
                    TransitionTarget::State(_) | TransitionTarget::OneOf(_) => continue,
                }
            }
        };
        match then {
            ExitAction::Remove => population.remove_row(i),
            ExitAction::Respawn(area) => respawn(world, population, tick, origin, i, area),
        }
        changed(population, tick, Change::Agents);
    }
}

/// Moves the agent in row `i` to a place in `area`, as if it entered anew.
fn respawn<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &Tick<V>,
    origin: &Origin<V>,
    i: usize,
    area: &Shape<V>,
) {
    let now = &population.now;
    let (id, of) = (now.id[i], GroupId(now.group[i] as usize));
    let group = &origin.setup.groups[of.0];
    let limits = draws::limits(tick.seed, id, group, group.start.0)
        .with_own(now.own(i).limits, now.limits[i]);
    let leaver = limits.agent([now.position.get(i); 3], None);
    let up = world.space.up();
    let mut agent = draws::respawned(tick.seed, id, tick.number, group, area, &leaver, up);
    agent.position = world.space.inside(agent.position);
    let entry = tick.entry(&origin.structure, id, of);
    let (start, agent) = spawn::entering(entry, group, &agent);
    for columns in [&mut population.now, &mut population.next] {
        columns.restart(i, start, &agent);
    }
}
