//! Shortest routes: A* over the corners of obstacles (P. Hart, N. Nilsson and B. Raphael, 1968).
//!
//! The corners that a corner sees are found by triangular expansion (F. Bungiu and others,
//! "Efficient computation of visibility polygons", EuroCG 2014): a cone of sight is cut by the
//! sides of the triangles that it passes. All cones are bounded by lines through points of the
//! mesh, so that every decision is an exact sign. Only taut routes are followed: a route turns only
//! at a corner, and around it.
//!
//! A cone waits with the shortest length that a route through it can have, as in Polyanya (M. Cui,
//! D. Harabor and A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", IJCAI 2017): in
//! the open a corner sees far in directions that no shortest route takes.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::exact::{Point, distance, dot, nearest_on, turn};
use super::triangles::{Corner, NONE, Triangles, next, prev};

/// The line through two points: one side of a cone of sight.
#[derive(Clone, Copy, Debug)]
struct Ray {
    from: Point,
    to: Point,
}

impl Ray {
    /// Above zero for a point to the left of the ray.
    #[inline]
    fn side(self, p: Point) -> f64 {
        turn(self.from, self.to, p)
    }
}

/// A cone of sight that leaves a triangle across a side.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// The half-edge of that side, in the triangle that the cone leaves.
    across: u32,
    right: Ray,
    left: Ray,
}

/// The point whose view is searched.
#[derive(Clone, Copy, Debug)]
struct Eye {
    point: Point,
    /// The length of the route to it (length).
    length: f64,
    /// Its corner; [`NONE`] for the start.
    corner: u32,
}

/// A cone waits where a route through it is longer than the best one by more than this part, on the
/// way to one end and to several: to wait costs more than to look a little too far.
const PATIENCE: [f64; 2] = [0.001, 0.03];
/// As many ends are found one by one, each straight ahead, before one search all around is tried.
const FEW: usize = 16;
/// Below this part of a length another one is shorter whatever was rounded.
const SURELY: f64 = 1.0 - 1e-9;

/// The best route to a corner or an end so far.
#[derive(Clone, Copy, Debug)]
struct Reached {
    /// The length of the route (length).
    length: f64,
    /// The corner before it; [`NONE`] for the start.
    before: u32,
}

const UNREACHED: Reached = Reached { length: f64::INFINITY, before: NONE };

/// A corner to expand, an end, or a cone that waits; the greatest one comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    /// No route to an end by the corner or through the cone is shorter (length).
    estimate: f64,
    /// The length of the route to the corner, or to the eye of the cone.
    length: f64,
    /// The corner; behind the corners are the ends, and behind those the cones that wait.
    index: u32,
}

impl Eq for Candidate {}
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let estimate = other.estimate.total_cmp(&self.estimate);
        // A tie goes to the corner nearer to the ends, and then to the lower index.
        estimate.then(self.length.total_cmp(&other.length)).then(other.index.cmp(&self.index))
    }
}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The buffers of searches.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    reached: Vec<Reached>,
    candidates: BinaryHeap<Candidate>,
    cones: Vec<Cone>,
    waiting: Vec<(Eye, Cone)>,
}

/// One search.
struct Search<'a> {
    mesh: &'a Triangles,
    buffers: &'a mut Buffers,
    ends: &'a [Point],
    /// The triangles that contain an end, each with its index, in order.
    goals: &'a [(u32, u32)],
    /// The box around the ends.
    low: Point,
    high: Point,
    eye: Eye,
    /// A cone with a greater estimate waits (length).
    longest: f64,
    /// The number of cones that were looked through.
    looked: u64,
}

/// The points of a shortest route from `from` to `to`, and its length; `starts` and `goals` are the
/// triangles that contain them. `None` if there is no route.
pub(super) fn shortest(
    mesh: &Triangles,
    buffers: &mut Buffers,
    from: (Point, &[u32]),
    (to, goals): (Point, &[u32]),
) -> Option<(Vec<Point>, f64)> {
    let goals: Vec<(u32, u32)> = goals.iter().map(|t| (*t, 0)).collect();
    let mut found = None;
    shortest_to_each(mesh, buffers, from, (&[to], &goals), |_, mut route, length| {
        route.reverse();
        found = Some((route, length));
    });
    found
}

/// Finds a shortest route from `from` to each of `ends`: tells the index of each end to which there
/// is one, the points of its route from the end back to `from`, and its length. `starts` are the
/// triangles that contain `from`; `goals` those that contain an end, each with the index of the
/// end, in order.
pub(super) fn shortest_to_each(
    mesh: &Triangles,
    buffers: &mut Buffers,
    (from, starts): (Point, &[u32]),
    (ends, goals): (&[Point], &[(u32, u32)]),
    mut found: impl FnMut(usize, Vec<Point>, f64),
) {
    let mut left: Vec<u32> = (0..ends.len() as u32).collect();
    if ends.len() > FEW {
        // The first ones tell how much a search for each takes: one search for all may take less,
        // or is given up.
        let rest = left.split_off(FEW);
        let looked = one_by_one(mesh, buffers, (from, starts), (ends, goals), &left, &mut found);
        let most = looked / FEW as u64 * rest.len() as u64;
        left = rest;
        let goals = goals.iter().filter(|(_, end)| *end >= FEW as u32);
        let goals: Vec<_> = goals.map(|(t, end)| (*t, *end - FEW as u32)).collect();
        let mut is_found = vec![false; left.len()];
        let mut mark = |i: usize, route: Vec<Point>, length: f64| {
            is_found[i] = true;
            found(i + FEW, route, length);
        };
        let all = (&ends[FEW..], &goals[..]);
        if search(mesh, buffers, (from, starts), all, most, &mut mark) <= most {
            return;
        }
        left.retain(|i| !is_found[*i as usize - FEW]);
    }
    one_by_one(mesh, buffers, (from, starts), (ends, goals), &left, &mut found);
}

/// Finds the routes to these ends, each by a search of its own; returns through how many cones the
/// searches have looked.
fn one_by_one(
    mesh: &Triangles,
    buffers: &mut Buffers,
    (from, starts): (Point, &[u32]),
    (ends, goals): (&[Point], &[(u32, u32)]),
    these: &[u32],
    found: &mut dyn FnMut(usize, Vec<Point>, f64),
) -> u64 {
    let mut by_end: Vec<(u32, u32)> = goals.iter().map(|(t, end)| (*end, *t)).collect();
    by_end.sort_unstable();
    let mut looked = 0;
    for &i in these {
        let first = by_end.partition_point(|(end, _)| *end < i);
        let own = by_end[first..].iter().take_while(|(end, _)| *end == i).map(|(_, t)| (*t, 0));
        let (end, own) = ([ends[i as usize]], own.collect::<Vec<_>>());
        let mut found = |_, route, length| found(i as usize, route, length);
        looked += search(mesh, buffers, (from, starts), (&end, &own), u64::MAX, &mut found);
    }
    looked
}

/// Finds the routes, in the order of their lengths, unless it would look through more than `most`
/// cones; returns through how many it has looked.
fn search(
    mesh: &Triangles,
    buffers: &mut Buffers,
    (from, starts): (Point, &[u32]),
    (ends, goals): (&[Point], &[(u32, u32)]),
    most: u64,
    found: &mut dyn FnMut(usize, Vec<Point>, f64),
) -> u64 {
    let island = |t: u32| mesh.island[t as usize];
    let mut reachable: Vec<u32> = goals
        .iter()
        .filter(|(goal, _)| starts.iter().any(|s| island(*s) == island(*goal)))
        .map(|(_, end)| *end)
        .collect();
    reachable.sort_unstable();
    reachable.dedup();
    let mut left = reachable.len();
    let Some(first) = reachable.first().map(|end| ends[*end as usize]) else { return 0 };
    let (mut low, mut high) = (first, first);
    for end in &reachable {
        let p = ends[*end as usize];
        low = Point { x: low.x.min(p.x), y: low.y.min(p.y) };
        high = Point { x: high.x.max(p.x), y: high.y.max(p.y) };
    }
    buffers.reached.clear();
    buffers.candidates.clear();
    buffers.waiting.clear();
    // The ends come after the corners.
    let corners = mesh.corners.len();
    buffers.reached.resize(corners + ends.len(), UNREACHED);
    let eye = Eye { point: from, length: 0.0, corner: NONE };
    let patience = 1.0 + PATIENCE[usize::from(low != high)];
    let longest = 0.0;
    let mut search = Search { mesh, buffers, ends, goals, low, high, eye, longest, looked: 0 };
    search.longest = search.estimate(from, 0.0) * patience;
    starts.iter().for_each(|t| search.look_around(*t));
    while left > 0
        && search.looked <= most
        && let Some(Candidate { estimate, length, index: corner }) = search.buffers.candidates.pop()
    {
        search.longest = estimate * patience;
        if let Some(waiting) = (corner as usize).checked_sub(corners + ends.len()) {
            let (eye, cone) = search.buffers.waiting[waiting];
            search.eye = eye;
            search.look_across(cone.across, cone.right, cone.left);
            continue;
        }
        let Reached { length: best, before } = search.buffers.reached[corner as usize];
        // A shorter route has been found since.
        if length > best {
            continue;
        }
        if let Some(end) = (corner as usize).checked_sub(corners) {
            let mut route = vec![ends[end]];
            let mut corner = before;
            while corner != NONE {
                route.push(mesh.corners[corner as usize].point);
                corner = search.buffers.reached[corner as usize].before;
            }
            route.push(from);
            found(end, straightened(route), best);
            left -= 1;
            continue;
        }
        let came_from = match before {
            NONE => from,
            before => mesh.corners[before as usize].point,
        };
        search.turn_around(came_from, corner);
    }
    search.looked
}

/// Whether the straight line from `from` to `to` is free; `starts` and `goals` are the triangles
/// that contain them. `ahead` is a buffer.
pub(super) fn sees(
    mesh: &Triangles,
    (from, starts): (Point, &[u32]),
    (to, goals): (Point, &[u32]),
    ahead: &mut Vec<u32>,
) -> bool {
    if starts.iter().any(|t| goals.contains(t)) {
        return true;
    }
    let line = Ray { from, to };
    // The line leaves a triangle across a side with its right end on the right, and its left end on
    // the left; through a corner it leaves across both sides there.
    let crosses = |h: &u32| line.side(mesh.start(*h)) <= 0.0 && line.side(mesh.end(*h)) >= 0.0;
    let away = |h: &u32| turn(from, mesh.start(*h), mesh.end(*h)) > 0.0;
    let sides = starts.iter().flat_map(|t| 3 * t..3 * t + 3);
    ahead.clear();
    ahead.extend(sides.filter(|h| away(h) && crosses(h)));
    while let Some(across) = ahead.pop() {
        let twin = mesh.twin[across as usize];
        if twin == NONE {
            continue;
        }
        if goals.contains(&(twin / 3)) {
            return true;
        }
        ahead.extend([next(twin), prev(twin)].into_iter().filter(|h| away(h) && crosses(h)));
    }
    false
}

/// Without points between their neighbors.
fn straightened(route: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(route.len());
    for p in route {
        while let [.., a, b] = kept[..]
            && turn(a, b, p) == 0.0
        {
            kept.pop();
        }
        kept.push(p);
    }
    kept
}

impl<'a> Search<'a> {
    /// Looks from the start, which is in triangle `t`, in all directions.
    fn look_around(&mut self, t: u32) {
        self.ends_in(t).for_each(|end| self.reach_end(end));
        for h in 3 * t..3 * t + 3 {
            self.see(h);
            let (right, left) = (self.mesh.start(h), self.mesh.end(h));
            if turn(self.eye.point, right, left) > 0.0 {
                self.look_across(h, self.ray(right), self.ray(left));
            }
        }
    }

    /// Looks from a corner into the directions in which a route from `before` may turn there:
    /// between its straight continuation and the edge of the obstacle that it turns around.
    fn turn_around(&mut self, before: Point, corner: u32) {
        let Corner { point, first, last, ahead, behind } = self.mesh.corners[corner as usize];
        self.eye = Eye { point, corner, length: self.buffers.reached[corner as usize].length };
        let straight = Ray { from: before, to: point };
        let (ahead_side, behind_side) = (straight.side(ahead), straight.side(behind));
        let turns_left = match (ahead_side == 0.0, behind_side == 0.0) {
            // Along a straight wall.
            (true, true) => dot(point, before, ahead) > 0.0,
            (true, false) => behind_side > 0.0,
            _ => ahead_side > 0.0,
        };
        if turns_left {
            self.turn_left(straight, last);
        } else {
            self.turn_right(straight, first);
        }
    }

    /// The obstacle is on the left: triangles clockwise from it, as far as the straight line.
    fn turn_left(&mut self, straight: Ray, last: u32) {
        let mut h = last;
        self.see(prev(h));
        if straight.side(self.mesh.start(prev(h))) == 0.0 {
            // Along the wall.
            self.look_for_ends(h / 3, straight, straight);
        }
        while straight.side(self.mesh.start(prev(h))) > 0.0 {
            let (right, left) = (self.mesh.end(h), self.mesh.start(prev(h)));
            let side = straight.side(right);
            if side >= 0.0 {
                self.see(next(h));
            }
            let right = if side > 0.0 { self.ray(right) } else { straight };
            let left = self.ray(left);
            self.look_for_ends(h / 3, right, left);
            self.look_across(next(h), right, left);
            match self.mesh.twin[h as usize] {
                NONE => break,
                _ if side <= 0.0 => break,
                twin => h = next(twin),
            }
        }
    }

    /// The obstacle is on the right: triangles counter-clockwise from it.
    fn turn_right(&mut self, straight: Ray, first: u32) {
        let mut h = first;
        self.see(next(h));
        if straight.side(self.mesh.end(h)) == 0.0 {
            self.look_for_ends(h / 3, straight, straight);
        }
        while straight.side(self.mesh.end(h)) < 0.0 {
            let (right, left) = (self.mesh.end(h), self.mesh.start(prev(h)));
            let side = straight.side(left);
            if side <= 0.0 {
                self.see(prev(h));
            }
            let left = if side < 0.0 { self.ray(left) } else { straight };
            let right = self.ray(right);
            self.look_for_ends(h / 3, right, left);
            self.look_across(next(h), right, left);
            match self.mesh.twin[prev(h) as usize] {
                NONE => break,
                _ if side >= 0.0 => break,
                twin => h = twin,
            }
        }
    }

    fn ray(&self, to: Point) -> Ray {
        Ray { from: self.eye.point, to }
    }

    /// Looks across a side of a triangle, between two rays, until all sight ends at obstacles or
    /// waits.
    fn look_across(&mut self, across: u32, right: Ray, left: Ray) {
        self.look_or_wait(Cone { across, right, left });
        while let Some(Cone { across, right, left }) = self.buffers.cones.pop() {
            self.looked += 1;
            let twin = self.mesh.twin[across as usize];
            // The far triangle: the side runs from left to right there.
            let (right_side, left_side) = (next(twin), prev(twin));
            let tip = self.mesh.start(left_side);
            let (from_right, from_left) = (right.side(tip), left.side(tip));
            self.look_for_ends(twin / 3, right, left);
            if from_right >= 0.0 && from_left <= 0.0 {
                self.see(left_side);
            }
            if from_right > 0.0 {
                let left = if from_left < 0.0 { self.ray(tip) } else { left };
                self.look_or_wait(Cone { across: right_side, right, left });
            }
            if from_left < 0.0 {
                let right = if from_right > 0.0 { self.ray(tip) } else { right };
                self.look_or_wait(Cone { across: left_side, right, left });
            }
        }
    }

    /// Puts a cone among those that are looked through at once, or among those that wait; drops one
    /// that no shortest route goes through.
    fn look_or_wait(&mut self, cone: Cone) {
        if self.mesh.twin[cone.across as usize] == NONE {
            return;
        }
        let Eye { point: eye, length, .. } = self.eye;
        let (a, b) = (self.mesh.start(cone.across), self.mesh.end(cone.across));
        let (right, left) = (crossing(&cone.right, a, b), crossing(&cone.left, a, b));
        let (to_right, to_left) = (distance(eye, right), distance(eye, left));
        // By an end of the side, and along it, is shorter to all points of the cone on it: then it
        // is shorter to its far point (S. Xin and G. Wang, "Improving Chen and Han's Algorithm on
        // the Discrete Geodesic Problem", TOG 2009).
        let by = |h: u32| self.mesh.corner[h as usize];
        let known = |corner: u32| self.buffers.reached[corner as usize].length;
        let is_longer = |corner: u32, from: Point, to: Point, here: f64| {
            corner != NONE && known(corner) + distance(from, to) < (length + here) * SURELY
        };
        if is_longer(by(cone.across), a, left, to_left)
            || is_longer(by(next(cone.across)), b, right, to_right)
        {
            return;
        }
        let least = if self.low == self.high {
            self.least_through(&cone, [a, b], [right, left])
        } else {
            // Several ends: to the side, or straight to the box around them.
            self.estimate(eye, 0.0).max(distance(eye, nearest_on(right, left, eye)))
        };
        // Where the eye is on the line of the side there is no crossing.
        let least = if least.is_finite() { least } else { self.estimate(eye, 0.0) };
        let estimate = length + least;
        if estimate <= self.longest {
            return self.buffers.cones.push(cone);
        }
        let index = self.buffers.reached.len() + self.buffers.waiting.len();
        self.buffers.waiting.push((self.eye, cone));
        self.buffers.candidates.push(Candidate { estimate, length, index: index as u32 });
    }

    /// The shortest length of a way from the eye to the one end through a cone, which crosses the
    /// side from `a` to `b` between these points (length).
    fn least_through(&self, cone: &Cone, [a, b]: [Point; 2], [right, left]: [Point; 2]) -> f64 {
        let eye = self.eye.point;
        // A way through the side to an end before it is as long as one to the end's mirror image.
        let end = match plain_turn(a, b, self.low) {
            side if side > 0.0 => mirrored(a, b, self.low, side),
            _ => self.low,
        };
        if plain_turn(cone.right.from, cone.right.to, end) < 0.0 {
            distance(eye, right) + distance(right, end)
        } else if plain_turn(cone.left.from, cone.left.to, end) > 0.0 {
            distance(eye, left) + distance(left, end)
        } else {
            distance(eye, end)
        }
    }

    /// The ends in triangle `t`.
    fn ends_in(&self, t: u32) -> impl Iterator<Item = u32> + use<'a> {
        let goals = self.goals;
        let first = goals.partition_point(|goal| goal.0 < t);
        goals[first..].iter().take_while(move |goal| goal.0 == t).map(|goal| goal.1)
    }

    /// Reaches the ends in triangle `t` between the rays.
    fn look_for_ends(&mut self, t: u32, right: Ray, left: Ray) {
        for end in self.ends_in(t) {
            let p = self.ends[end as usize];
            if right.side(p) >= 0.0 && left.side(p) <= 0.0 {
                self.reach_end(end);
            }
        }
    }

    fn reach_end(&mut self, end: u32) {
        self.reach(self.mesh.corners.len() as u32 + end, self.ends[end as usize]);
    }

    /// Reaches the corner where half-edge `h` starts, if a route can turn or pass there: the
    /// obstacle is on one side of the line of sight.
    fn see(&mut self, h: u32) {
        let index = self.mesh.corner[h as usize];
        if index == NONE {
            return;
        }
        let corner = &self.mesh.corners[index as usize];
        if corner.point == self.eye.point {
            return;
        }
        let ray = self.ray(corner.point);
        let (ahead, behind) = (ray.side(corner.ahead), ray.side(corner.behind));
        if !(ahead > 0.0 && behind < 0.0 || ahead < 0.0 && behind > 0.0) {
            self.reach(index, corner.point);
        }
    }

    fn reach(&mut self, corner: u32, point: Point) {
        let length = self.eye.length + distance(self.eye.point, point);
        let reached = &mut self.buffers.reached[corner as usize];
        if length < reached.length {
            *reached = Reached { length, before: self.eye.corner };
            let estimate = self.estimate(point, length);
            self.buffers.candidates.push(Candidate { estimate, length, index: corner });
        }
    }

    /// The least length of a route that has come to `point` by this `length` (lengths): no route to
    /// an end is shorter than the straight line to the box around all.
    fn estimate(&self, point: Point, length: f64) -> f64 {
        let clamped = |x: f64, low: f64, high: f64| if x < low { low } else { x.min(high) };
        let nearest = Point {
            x: clamped(point.x, self.low.x, self.high.x),
            y: clamped(point.y, self.low.y, self.high.y),
        };
        length + distance(point, nearest)
    }
}

/// [`turn`] as it rounds, for estimates.
fn plain_turn(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// The mirror image of `p` beyond the line from `a` to `b`, where `side` is its [`plain_turn`].
fn mirrored(a: Point, b: Point, p: Point, side: f64) -> Point {
    let twice = 2.0 * side / dot(a, b, b);
    Point { x: p.x + (b.y - a.y) * twice, y: p.y - (b.x - a.x) * twice }
}

/// The point in which a ray crosses the line from `a` to `b`.
fn crossing(ray: &Ray, a: Point, b: Point) -> Point {
    if ray.to == a || ray.to == b {
        return ray.to;
    }
    let (from_a, from_b) = (plain_turn(ray.from, ray.to, a), plain_turn(ray.from, ray.to, b));
    let fraction = from_a / (from_a - from_b);
    Point { x: a.x + (b.x - a.x) * fraction, y: a.y + (b.y - a.y) * fraction }
}
