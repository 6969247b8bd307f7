//! Agents that leave the crowd after a step, or respawn: those in an exit, and those whose
//! transition leads out.

use alloc::vec::Vec;
use core::cmp::Reverse;

use glam::Vec2;

use super::setup::{Exit, ExitAction, TransitionTarget};
use super::{Crowd, spawn};
use crate::crowd::change::Change;
use crate::geometry::obstacle::Obstacle;
use crate::id::{ExitId, GroupId};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// An exit, and the number of agents that have left by it since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct ExitCount<V: Vector> {
    /// The id of the exit.
    pub id: ExitId,
    /// The exit.
    pub exit: Exit<V>,
    /// The number of agents that have left by this exit.
    pub left: u64,
    shape: Obstacle<V>,
    /// The exit's bounding box on the axes of the ground, which excludes most agents by a cheap
    /// test.
    low: Vec2,
    high: Vec2,
    /// The center of the exit's bounding box, in a wrapped world its image inside the bounds, and
    /// the offset from there to the shape as given.
    anchor: V,
    offset: V,
}

/// The exit or the transition by which an agent leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum LeaveBy {
    /// By the exit with this index.
    Exit(usize),
    /// By the transition with this index of its state.
    Transition(usize),
}

impl<V: Vector> ExitCount<V> {
    pub(super) fn new(id: ExitId, exit: Exit<V>, space: &Space<V>) -> Self {
        let up = space.up();
        let shape = Obstacle::with_up(exit.shape.clone(), up);
        let (low, high) = exit.shape.extent(up);
        let anchor = if space.wraps() { space.wrapped(shape.middle()) } else { shape.middle() };
        Self {
            id,
            offset: shape.middle() - anchor,
            anchor,
            low: up.ground(low),
            high: up.ground(high),
            shape,
            exit,
            left: 0,
        }
    }

    /// Whether a member of `group` at the position `p` leaves.
    pub(super) fn takes(&self, group: GroupId, p: V, space: &Space<V>) -> bool {
        let p = if space.wraps() { space.image(self.anchor, p) + self.offset } else { p };
        let flat = space.up().ground(p);
        flat.cmpge(self.low).all()
            && flat.cmple(self.high).all()
            && self.exit.groups.contain(group)
            && self.shape.contains(p)
    }
}

impl<V: Vector> Crowd<V> {
    /// The exits in the order of their ids, with the number of agents that have left by each.
    pub fn exits(&self) -> &[ExitCount<V>] {
        &self.world.tracker.exits
    }

    /// Removes or respawns the agents in these rows.
    pub(super) fn leave(&mut self, leaving: &mut Vec<(u32, LeaveBy)>) {
        // From the highest row to the lowest: a removed row is replaced by the last row, which is
        // already processed.
        leaving.sort_unstable_by_key(|(row, _)| Reverse(*row));
        for &(row, by) in leaving.iter() {
            let i = row as usize;
            let group = &self.origin.setup.groups[self.population.now.group[i] as usize];
            let then = match by {
                LeaveBy::Exit(exit) => {
                    let exit = &mut self.world.tracker.exits[exit];
                    exit.left += 1;
                    &exit.exit.then
                }
                LeaveBy::Transition(index) => match &self.world.groups
                    [self.population.now.group[i] as usize]
                    .states[self.population.now.state[i].state as usize]
                    .leave[index]
                    .to
                {
                    TransitionTarget::Out(then) => then,
                    TransitionTarget::State(_) | TransitionTarget::OneOf(_) => continue,
                },
            };
            match then {
                ExitAction::Remove => self.remove_row(i),
                ExitAction::Respawn(area) => {
                    let limits = spawn::limits(
                        self.tick.seed,
                        self.population.now.id[i],
                        group,
                        group.start.0,
                    )
                    .with_own(self.population.now.own(i).limits, self.population.now.limits[i]);
                    let mut agent = spawn::respawned(
                        self.tick.seed,
                        self.population.now.id[i],
                        self.tick.number,
                        group,
                        area,
                        &limits.agent([self.population.now.position.get(i); 3], None),
                        self.world.space.up(),
                    );
                    agent.position = if self.world.space.wraps() {
                        self.world.space.wrapped(agent.position)
                    } else {
                        agent.position
                    };
                    let entry = self.entry(
                        self.population.now.id[i],
                        GroupId(self.population.now.group[i] as usize),
                    );
                    let (start, agent) = spawn::entering(entry, group, &agent);
                    for columns in [&mut self.population.now, &mut self.population.next] {
                        columns.restart(i, start, &agent);
                    }
                    self.changed(Change::Agents);
                }
            }
        }
        leaving.clear();
    }
}
