//! One unit that is led: its target, its route, and where it is on it.

use alloc::vec::Vec;

use glam::Vec2;

use super::queue::{Ends, Goal, Queue};
use super::{Choice, DRIFT, MARGIN, NEAR, STRIDES};
use crate::geometry::navmesh::{NO_TRIANGLE, NavMesh, Route, SightBuffers};
use crate::route::{Aim, RouteState};
use crate::vector::Vector;

/// The state of one unit. The fields that an aim reads are in the first cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Traveller {
    /// The points of its route, and the index of the one that it steers for.
    pub(super) points: Vec<Vec2>,
    pub(super) next: usize,
    /// That point itself, so that an aim reads no list: `target` without a route (length).
    pub(super) corner: Vec2,
    /// The point to steer for, and the length of the route from the next point (lengths).
    pub(super) point: Vec2,
    pub(super) after: f32,
    pub(super) state: RouteState,
    pub(super) target: Vec2,
    /// The target of its last search (length).
    pub(super) planned: Vec2,
    /// Its position when it last looked along its route (length); `None` if it looks in this tick.
    pub(super) looked: Option<Vec2>,
    /// Its position in this tick, if it is led (length).
    pub(super) at: Option<Vec2>,
    /// The index of its mesh.
    pub(super) mesh: usize,
    /// The index of its choice among several targets.
    pub(super) choice: Option<usize>,
    /// The tick of its request, while it waits for a search.
    pub(super) requested: Option<u64>,
    /// The tick of its last choice.
    pub(super) chosen: u64,
    /// The triangles in which it and the point that it steers for were when it last looked: guesses
    /// that make the next look faster and change no result.
    pub(super) triangles: [u32; 2],
}

impl Traveller {
    pub(super) fn new(target: Vec2, mesh: usize) -> Self {
        Self {
            target,
            planned: target,
            looked: None,
            point: target,
            after: 0.0,
            mesh,
            state: RouteState::Waiting,
            points: Vec::new(),
            next: 0,
            corner: target,
            requested: None,
            choice: None,
            chosen: 0,
            at: None,
            triangles: [NO_TRIANGLE; 2],
        }
    }

    /// The goal of its search.
    pub(super) fn goal(&self) -> Goal {
        let target = [self.target.x, self.target.y].map(f32::to_bits);
        Goal { mesh: self.mesh, ends: self.choice.map_or(Ends::Target(target), Ends::Choice) }
    }

    /// The points of its route that it has not passed.
    pub(super) fn ahead(&self) -> &[Vec2] {
        self.points.get(self.next..).unwrap_or(&[])
    }

    /// Waits for a search, unless it already does.
    pub(super) fn request(&mut self, id: u64, tick: u64, queue: &mut Queue) {
        if self.requested.is_none() {
            self.requested = Some(tick);
            queue.insert((tick, id), self.goal());
            if self.state == RouteState::Unreachable {
                self.state = RouteState::Waiting;
            }
            self.go_straight();
        }
    }

    /// Heads for the target until it looks for a route by rooms, if it waits without a former
    /// route.
    pub(super) fn go_straight(&mut self) {
        if self.state == RouteState::Waiting {
            (self.point, self.looked) = (self.target, None);
        }
    }

    /// Whether the unit, now at `position`, waits and has reached the point of its route by rooms,
    /// or may have been pushed off.
    pub(super) fn has_to_look_by_rooms(&self, position: Vec2, mesh: &NavMesh) -> bool {
        let is_within = |p: Vec2, fraction| p.distance(position) < fraction * mesh.clearance();
        self.state == RouteState::Waiting
            && (is_within(self.point, 1.0) || !self.looked.is_some_and(|p| is_within(p, NEAR)))
    }

    /// Finds the next point of the route by rooms from `position`.
    pub(super) fn look_by_rooms(
        &mut self,
        position: Vec2,
        mesh: &NavMesh,
        buffers: &mut SightBuffers,
    ) {
        self.looked = Some(position);
        self.point = mesh.by_rooms(buffers, position, self.target).unwrap_or(self.target);
    }

    /// Follows another way.
    pub(super) fn follow(&mut self, route: Option<Route>) {
        (self.state, self.points) = match route {
            Some(route) => (RouteState::Known, route.points),
            None => (RouteState::Unreachable, Vec::new()),
        };
        (self.planned, self.looked) = (self.target, None);
        self.heads_for(1);
        self.after = self.length_from(1);
    }

    /// Says that the next point of its route has this index.
    pub(super) fn heads_for(&mut self, next: usize) {
        self.next = next;
        self.corner = self.points.get(next).copied().unwrap_or(self.target);
    }

    /// The length of the route from its point `next` (length).
    fn length_from(&self, next: usize) -> f32 {
        let ahead = self.points.get(next..).unwrap_or(&[]);
        ahead.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// The length of the route that is left in this tick (length); `None` without a route, and for
    /// a unit that is not led.
    pub(super) fn left(&self) -> Option<f32> {
        let at = self.at.filter(|_| self.state == RouteState::Known)?;
        Some(at.distance(self.corner) + self.after)
    }

    /// Whether the unit has to choose again.
    pub(super) fn has_to_choose(&self, tick: u64, choices: &[Choice]) -> bool {
        self.state == RouteState::Known
            && self
                .choice
                .and_then(|choice| choices[choice].rechoose)
                .is_some_and(|ticks| tick - self.chosen.min(tick) >= ticks)
    }

    /// Moves the end of the route to `target`; returns whether that is possible without a search.
    pub(super) fn follows_target(
        &mut self,
        target: Vec2,
        mesh: &NavMesh,
        buffers: &mut SightBuffers,
    ) -> bool {
        let Some(looked) = self.looked.filter(|_| self.state == RouteState::Known) else {
            return false;
        };
        let Some(end) = mesh.nearest_free(target) else { return false };
        let last = self.points.len() - 1;
        let is_straight = self.next == last;
        let corner = if is_straight { looked } else { self.points[last - 1] };
        let left = looked.distance(self.corner) + self.after;
        let is_near = is_straight || target.distance(self.planned) <= DRIFT * left;
        if !is_near || !mesh.sees_with(buffers, corner, end) {
            return false;
        }
        (self.points[last], self.looked) = (end, None);
        self.heads_for(self.next);
        true
    }

    /// Whether the unit, now at `position`, may have passed a corner, or may have been pushed off.
    pub(super) fn has_to_look(&self, position: Vec2, mesh: &NavMesh) -> bool {
        let is_within = |p: Vec2, fraction| p.distance(position) < fraction * mesh.clearance();
        let stride = STRIDES[usize::from(is_within(self.point, NEAR))];
        // At the point itself a unit that others hold up looks at every tick.
        self.state == RouteState::Known
            && (is_within(self.point, 1.0) || !self.looked.is_some_and(|p| is_within(p, stride)))
    }

    /// Finds the next point of the route from `position`; returns whether it is in sight. A unit
    /// that was pushed back a little goes round the corner before it once more.
    pub(super) fn look(
        &mut self,
        position: Vec2,
        mesh: &NavMesh,
        buffers: &mut SightBuffers,
    ) -> bool {
        self.looked = Some(position);
        let [here, there] = &mut self.triangles;
        let Some(from) = mesh.place_near(position, here, &mut buffers.starts) else {
            return false;
        };
        let (points, last) = (&self.points, self.points.len() - 1);
        let mut is_seen = false;
        while self.next < last && mesh.sees_on(buffers, from, points[self.next + 1]) {
            (self.next, is_seen) = (self.next + 1, true);
        }
        is_seen = is_seen || mesh.sees_near(buffers, from, points[self.next], there);
        if !is_seen && self.next > 1 {
            // Pushed back a little behind a corner that it had passed.
            let corner = points[self.next - 1];
            is_seen =
                corner.distance(position) < mesh.clearance() && mesh.sees_on(buffers, from, corner);
            self.next -= usize::from(is_seen);
        }
        let next = self.next;
        self.heads_for(next);
        self.after = self.length_from(next);
        let (points, corner) = (&self.points, self.corner);
        self.point = corner;
        if next < last {
            // Away from the inside of the turn.
            let came = Vector::unit(corner - points[next - 1]);
            let outward = Vector::unit(came - Vector::unit(points[next + 1] - corner));
            let beside = corner + outward * (MARGIN * mesh.clearance());
            if mesh.sees_on(buffers, from, beside) {
                self.point = beside;
            }
        }
        is_seen
    }

    pub(super) fn aim(&self, position: Vec2) -> Option<Aim> {
        match self.state {
            RouteState::Unreachable => None,
            RouteState::Waiting => {
                let (point, is_target) = (self.point, self.point == self.target);
                let left = point.distance(position) + point.distance(self.target);
                Some(Aim { point, is_target, left })
            }
            RouteState::Known => Some(Aim {
                point: self.point,
                is_target: self.next + 1 == self.points.len(),
                left: position.distance(self.corner) + self.after,
            }),
        }
    }
}
