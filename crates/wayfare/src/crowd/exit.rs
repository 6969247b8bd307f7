//! Who leaves the crowd after a step, or begins anew elsewhere: who stands in an exit, or takes a
//! way out of its state.

use core::cmp::Reverse;

use glam::Vec2;

use super::setup::{Exit, ExitAction, TransitionTarget};
use super::{Crowd, spawn};
use crate::geometry::obstacle::Obstacle;
use crate::spatial::space::Space;
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
    /// The middle of its extent, inside a wrapped world, and what lies between that and the shape
    /// as given.
    anchor: V,
    away: V,
}

/// How somebody leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// By the exit with this index.
    Exit(usize),
    /// By this way out of its state.
    OfState(usize),
}

impl<V: Vector> ExitCount<V> {
    pub(super) fn new(exit: Exit<V>, space: &Space<V>) -> Self {
        let shape = Obstacle::from(exit.shape.clone());
        let (low, high) = exit.shape.extent();
        let anchor = if space.wraps() { space.wrapped(shape.middle()) } else { shape.middle() };
        Self {
            away: shape.middle() - anchor,
            anchor,
            low: low.flat(),
            high: high.flat(),
            shape,
            exit,
            left: 0,
        }
    }

    /// Whether a member of `group` that stands at `p` leaves.
    pub(super) fn takes(&self, group: usize, p: V, space: &Space<V>) -> bool {
        let p = if space.wraps() { space.image(self.anchor, p) + self.away } else { p };
        let flat = p.flat();
        flat.cmpge(self.low).all()
            && flat.cmple(self.high).all()
            && self.exit.groups.contain(group)
            && self.shape.contains(p)
    }
}

impl<V: Vector> Crowd<V> {
    /// The exits in the order of the setup, and how many have left by each.
    pub fn exits(&self) -> &[ExitCount<V>] {
        &self.tracker.exits
    }

    /// Lets those go who stand in an exit, or whom a way out of their state leads out; with their
    /// places in the columns.
    pub(super) fn leave(&mut self, leaving: &mut Vec<(u32, Way)>) {
        // From the last place on: who is taken out is replaced by the last one, who then stays.
        leaving.sort_unstable_by_key(|(place, _)| Reverse(*place));
        for &(place, way) in leaving.iter() {
            let i = place as usize;
            let group = &self.setup.groups[self.now.group[i] as usize];
            let then = match way {
                Way::Exit(exit) => {
                    let exit = &mut self.tracker.exits[exit];
                    exit.left += 1;
                    &exit.exit.then
                }
                Way::OfState(way) => match &self.groups[self.now.group[i] as usize].states
                    [self.now.state[i].state as usize]
                    .leave[way]
                    .to
                {
                    TransitionTarget::Out(then) => then,
                    TransitionTarget::State(_) => continue,
                },
            };
            match then {
                ExitAction::Remove => self.remove_row(i),
                ExitAction::Respawn(area) => {
                    let mut agent = spawn::respawned(
                        self.seed,
                        self.now.id[i],
                        self.tick,
                        group,
                        area,
                        &self.now.agent(i),
                    );
                    agent.position = if self.space.wraps() {
                        self.space.wrapped(agent.position)
                    } else {
                        agent.position
                    };
                    for columns in [&mut self.now, &mut self.next] {
                        columns.restart(i, spawn::start(group, self.tick), &agent);
                    }
                    self.agents_changed();
                }
            }
        }
        leaving.clear();
    }
}
