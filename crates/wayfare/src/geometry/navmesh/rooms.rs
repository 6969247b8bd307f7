//! Routes by rooms: coarse routes, found at once, for units that wait for a search.
//!
//! A room is a part of connected triangles. For each pair of rooms the next one on a short route is
//! known; inside a room a unit goes from triangle to triangle. Such a route enters no obstacle, and
//! is not the shortest.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;

use super::exact::{Point, distance};
use super::triangles::{NONE, Triangles};

/// The least number of triangles of a room, unless fewer are connected.
const SMALLEST: usize = 8;

/// The rooms of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooms {
    /// The room of each triangle; empty where there are too many rooms.
    room_of: Vec<u32>,
    /// For each target, and each room, the next room on the way; [`NONE`] where there is no route.
    next: Vec<u32>,
    count: usize,
}

/// The half-edges out of a triangle to free triangles, and those triangles.
fn exits(mesh: &Triangles, t: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
    (3 * t..3 * t + 3)
        .map(|h| (h, mesh.twin[h as usize]))
        .filter(|(_, twin)| *twin != NONE)
        .map(|(h, twin)| (h, twin / 3))
}

fn between(a: Point, b: Point) -> Point {
    Point { x: 0.5 * (a.x + b.x), y: 0.5 * (a.y + b.y) }
}

impl Rooms {
    /// The rooms of a mesh: about as many as a room has triangles.
    pub(super) fn new(mesh: &Triangles) -> Self {
        let side = libm::ceil(libm::sqrt(mesh.len() as f64)) as usize;
        let mut rooms = Self::default();
        rooms.divide(mesh, side.max(4 * SMALLEST));
        // Many closed cells: the table for all pairs would be larger than the mesh.
        if rooms.count > 4 * side + 64 {
            return Self::default();
        }
        rooms.find_next(mesh);
        rooms
    }

    /// Divides the triangles into rooms of up to `size`.
    fn divide(&mut self, mesh: &Triangles, size: usize) {
        self.room_of = vec![NONE; mesh.len()];
        let mut members = Vec::new();
        for first in 0..mesh.len() as u32 {
            if self.room_of[first as usize] != NONE {
                continue;
            }
            let room = self.count as u32;
            members.clear();
            members.push(first);
            self.room_of[first as usize] = room;
            let mut done = 0;
            while done < members.len() {
                for (_, t) in exits(mesh, members[done]) {
                    if members.len() < size && self.room_of[t as usize] == NONE {
                        self.room_of[t as usize] = room;
                        members.push(t);
                    }
                }
                done += 1;
            }
            // A small remainder between rooms belongs to one of them.
            let around = members.iter().flat_map(|t| exits(mesh, *t)).map(|(_, t)| t);
            let other = around.map(|t| self.room_of[t as usize]).find(|other| *other < room);
            match other {
                Some(other) if members.len() < SMALLEST => {
                    members.iter().for_each(|t| self.room_of[*t as usize] = other);
                }
                _ => self.count += 1,
            }
        }
    }

    /// Finds the next room for each pair: Dijkstra's search over the middles of rooms, from each.
    fn find_next(&mut self, mesh: &Triangles) {
        let mut middles = vec![(0.0, Point { x: 0.0, y: 0.0 }); self.count];
        let mut doors = BTreeSet::new();
        for t in 0..mesh.len() as u32 {
            let room = self.room_of[t as usize];
            let (count, sum) = &mut middles[room as usize];
            let p = mesh.middle(t);
            (*count, *sum) = (*count + 1.0, Point { x: sum.x + p.x, y: sum.y + p.y });
            let others = exits(mesh, t).map(|(_, t)| self.room_of[t as usize]);
            doors.extend(others.filter(|other| *other != room).map(|other| (room, other)));
        }
        let middle = |room: u32| {
            let (count, sum) = middles[room as usize];
            Point { x: sum.x / count, y: sum.y / count }
        };
        self.next = vec![NONE; self.count * self.count];
        let mut queue = BTreeSet::new();
        for (target, next) in (0..).zip(self.next.chunks_mut(self.count)) {
            let mut lengths = vec![f64::INFINITY; next.len()];
            lengths[target as usize] = 0.0;
            next[target as usize] = target;
            // The bits of positive numbers are in their order.
            queue.insert((0, target));
            while let Some((_, room)) = queue.pop_first() {
                for &(_, other) in doors.range((room, 0)..(room + 1, 0)) {
                    let length = lengths[room as usize] + distance(middle(room), middle(other));
                    let known = &mut lengths[other as usize];
                    if length < *known {
                        queue.remove(&(known.to_bits(), other));
                        *known = length;
                        next[other as usize] = room;
                        queue.insert((length.to_bits(), other));
                    }
                }
            }
        }
    }

    /// A point in sight on a route by rooms from the triangles `starts`, which contain the start,
    /// to `to`, with a triangle that contains it; `sees` says whether a point is in sight of the
    /// start. `None` where no route is known.
    pub(super) fn towards(
        &self,
        mesh: &Triangles,
        (starts, to): (&[u32], (Point, u32)),
        mut sees: impl FnMut(Point) -> bool,
    ) -> Option<Point> {
        let room_of = |t: u32| self.room_of.get(t as usize).copied();
        let (room, target) = (room_of(*starts.first()?)?, room_of(to.1)?);
        let next = self.next[target as usize * self.count + room as usize];
        let is_end = |t: u32| if room == target { t == to.1 } else { room_of(t) == Some(next) };
        if next == NONE {
            return None;
        }
        // The half-edges by which triangles of the room were reached, breadth first.
        let starts = starts.iter().filter(|t| is_end(**t) || room_of(**t) == Some(room));
        let mut queue: VecDeque<u32> = starts.copied().collect();
        let mut reached: BTreeMap<u32, u32> = queue.iter().map(|t| (*t, NONE)).collect();
        let mut end = queue.iter().copied().find(|t| is_end(*t));
        while end.is_none() {
            let t = queue.pop_front()?;
            for (h, other) in exits(mesh, t) {
                let is_end = is_end(other);
                if (is_end || room_of(other) == Some(room)) && !reached.contains_key(&other) {
                    reached.insert(other, h);
                    queue.push_back(other);
                    end = end.or(is_end.then_some(other));
                }
            }
        }
        let mut at = end?;
        // Back from the target, or from the middle of the first triangle of the next room: a unit
        // that stands on the door goes on.
        let mut points = Vec::from([if room == target { to.0 } else { mesh.middle(at) }]);
        while let Some(&h) = reached.get(&at)
            && h != NONE
        {
            points.push(between(mesh.start(h), mesh.end(h)));
            at = h / 3;
        }
        // As far ahead as is in sight; the last one always is, from its triangle.
        let last = points.len() - 1;
        let ahead = [0, last / 4, last / 2, last.saturating_sub(1)].map(|i| points[i]);
        Some(ahead.into_iter().find(|p| sees(*p)).unwrap_or(points[last]))
    }
}
