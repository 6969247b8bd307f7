//! The units that wait for a search.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// The tick of a request, and the id of the unit.
type Request = (u64, u64);

/// The goal of one search: the index of a mesh, and the end of the routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Goal {
    pub(super) mesh: usize,
    pub(super) ends: Ends,
}

/// The place where routes end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ends {
    /// At a target, given by its bits.
    Target([u32; 2]),
    /// At one of the targets of the choice with this index.
    Choice(usize),
}

/// Requests in their order, and those for each goal.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    requests: BTreeMap<Request, Goal>,
    of_goals: BTreeSet<(Goal, Request)>,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.requests.len()
    }

    pub(super) fn insert(&mut self, request: Request, goal: Goal) {
        if let Some(old) = self.requests.insert(request, goal) {
            self.of_goals.remove(&(old, request));
        }
        self.of_goals.insert((goal, request));
    }

    pub(super) fn remove(&mut self, request: Request) {
        if let Some(goal) = self.requests.remove(&request) {
            self.of_goals.remove(&(goal, request));
        }
    }

    /// Takes out the first request and the next ones for the same goal: `most` together. The ids
    /// of the units are written to `ids`, in the order of their requests.
    pub(super) fn take_first(&mut self, most: usize, ids: &mut Vec<u64>) -> Option<Goal> {
        let (_, &goal) = self.requests.first_key_value()?;
        ids.clear();
        while ids.len() < most
            && let Some(&(of, request)) = self.of_goals.range((goal, (0, 0))..).next()
            && of == goal
        {
            self.remove(request);
            ids.push(request.1);
        }
        Some(goal)
    }
}
