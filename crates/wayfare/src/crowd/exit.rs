//! Exits: who stands in one after a step leaves the crowd, or begins anew elsewhere.

use glam::Vec2;

use super::setup::{Exit, Then};
use super::{Crowd, spawn};
use crate::obstacle::Obstacle;
use crate::space::Space;
use crate::vector::Vector;

/// An exit, and how many have left by it since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct ExitCount<V> {
    /// The exit.
    pub exit: Exit<V>,
    /// How many have left by it.
    pub left: u64,
    shape: Obstacle<V>,
    /// The shadow of its extent: most are outside even of that.
    low: Vec2,
    high: Vec2,
    /// The middle of its extent, inside a wrapped world, and what lies between that and the shape as given.
    anchor: V,
    away: V,
}

impl<V: Vector> ExitCount<V> {
    pub(super) fn new(exit: Exit<V>, space: &Space<V>) -> Self {
        let shape = Obstacle::from(exit.shape.clone());
        let (low, high) = exit.shape.extent();
        let anchor = if space.wraps() { space.wrapped(shape.middle()) } else { shape.middle() };
        Self { away: shape.middle() - anchor, anchor, low: low.flat(), high: high.flat(), shape, exit, left: 0 }
    }

    /// Whether a member of `group` that stands at `p` leaves.
    pub(super) fn takes(&self, group: usize, p: V, space: &Space<V>) -> bool {
        let p = if space.wraps() { space.image(self.anchor, p) + self.away } else { p };
        let flat = p.flat();
        flat.cmpge(self.low).all() && flat.cmple(self.high).all() && self.exit.groups.contain(group) && self.shape.contains(p)
    }
}

impl<V: Vector> Crowd<V> {
    /// The exits in the order of the setup, and how many have left by each.
    pub fn exits(&self) -> &[ExitCount<V>] {
        &self.watch.exits
    }

    /// Lets those go who stand in an exit: (place in the columns, index of the exit).
    pub(super) fn leave(&mut self, leaving: &mut Vec<(u32, u32)>) {
        // From the last place on: who is taken out is replaced by the last one, who then stays.
        leaving.sort_unstable_by(|a, b| b.cmp(a));
        for &(place, exit) in leaving.iter() {
            let (i, exit) = (place as usize, &mut self.watch.exits[exit as usize]);
            exit.left += 1;
            match &exit.exit.then {
                Then::Remove => self.remove_at(i),
                Then::Respawn(area) => {
                    let group = &self.setup.groups[self.now.group[i] as usize];
                    let mut agent = spawn::respawned(self.seed, self.now.id[i], self.tick, group, area, &self.now.agent(i));
                    agent.position = if self.space.wraps() { self.space.wrapped(agent.position) } else { agent.position };
                    for columns in [&mut self.now, &mut self.next] {
                        columns.restart(i, spawn::start(group, self.tick), &agent);
                    }
                    self.disordered();
                }
            }
        }
        leaving.clear();
    }
}
