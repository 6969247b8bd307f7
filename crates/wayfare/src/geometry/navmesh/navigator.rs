//! Ways of many travellers, planned a few per tick.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use glam::Vec2;

use super::{NavMesh, NavMeshError, Route};
use crate::geometry::obstacle::Obstacle;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The tolerance of curves as a fraction of the clearance: circles of 16 sides.
const TOLERANCE: f32 = 0.02;
/// How far from a corner the point to steer for is, as a fraction of the clearance: a traveller
/// that passes a corner at speed does not rub along the wall behind it.
const MARGIN: f32 = 0.25;

/// Leads units, each with a target of its own, along shortest ways round obstacles.
///
/// It plans a stated number of ways per tick. Requests are served by their tick and then by id;
/// until then a unit follows its former way, or goes straight on towards its target. A unit
/// requests a way when it gets another target, when the obstacles change, and when it has been
/// pushed to where it no longer sees the next corner of its way.
///
/// The same calls give the same bits, on every platform.
///
/// ```
/// use wayfare::geometry::navmesh::{Navigator, RouteState};
/// use wayfare::geometry::obstacle::{Obstacle, Shape};
/// use wayfare::{Agent, behavior::seek, glam::vec2, spatial::space::Space};
/// let wall = Obstacle::from(Shape::box_between(vec2(-1.0, -20.0), vec2(1.0, 10.0)));
/// let mut units = [Agent::new(vec2(-5.0, 0.0), 0.1), Agent::new(vec2(-6.0, 2.0), 0.1)];
/// let mut navigator = Navigator::new(&[wall], &Space::OPEN, 1);
/// for id in 0..2 {
///     navigator.set_target(id, vec2(5.0, 0.0), 0.5)?;
/// }
/// for tick in 0..400 {
///     navigator.step(|id| units.get(id as usize).map(|unit| unit.position));
///     // One search per tick: the second unit waits for the second tick.
///     assert_eq!(navigator.state(1) == Some(RouteState::Waiting), tick == 0);
///     for (id, unit) in (0..).zip(&mut units) {
///         let Some(aim) = navigator.aim(id, unit.position) else { continue };
///         unit.velocity += seek(unit, aim.point);
///         unit.position += unit.velocity;
///     }
/// }
/// assert!(units.iter().all(|unit| unit.position.distance(vec2(5.0, 0.0)) < 0.2));
/// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator {
    obstacles: Vec<Obstacle<Vec2>>,
    space: Space<Vec2>,
    searches_per_tick: usize,
    tick: u64,
    /// One mesh for each clearance.
    meshes: Vec<NavMesh>,
    travellers: BTreeMap<u64, Traveller>,
    /// The travellers that wait for a search: ticks of their requests, and ids.
    queue: BTreeSet<(u64, u64)>,
}

/// What a [`Navigator`] knows of the way of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteState {
    /// The unit waits for its first search, or after a change for another one since the last found
    /// no way.
    Waiting,
    /// There is a way. It may be that of an earlier search, while the unit waits for a new one.
    Known,
    /// The last search found no way.
    Unreachable,
}

/// The point that a unit steers for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The point (length): beside the next corner of the way, or the target.
    pub point: Vec2,
    /// Whether it is the target, or the nearest free point to it: a unit may slow down there.
    pub is_target: bool,
    /// The length of the way that is left (length); while the first search is not made, that of
    /// the straight line.
    pub left: f32,
}

#[derive(Clone, Debug)]
struct Traveller {
    target: Vec2,
    /// The index of its mesh.
    mesh: usize,
    state: RouteState,
    /// The points of its way, and the index of the one that it steers for.
    points: Vec<Vec2>,
    next: usize,
    /// The tick of its request, while it waits for a search.
    requested: Option<u64>,
}

impl Navigator {
    /// A navigator for a world with these obstacles. `searches_per_tick` is the largest number of
    /// ways that it plans per tick; with 0 it plans none.
    pub fn new(
        obstacles: &[Obstacle<Vec2>],
        space: &Space<Vec2>,
        searches_per_tick: usize,
    ) -> Self {
        Self {
            obstacles: obstacles.to_vec(),
            space: *space,
            searches_per_tick,
            tick: 0,
            meshes: Vec::new(),
            travellers: BTreeMap::new(),
            queue: BTreeSet::new(),
        }
    }

    /// Replaces the obstacles: makes all meshes anew, and requests a new way for each unit.
    ///
    /// # Errors
    /// Those of [`NavMesh::new`]; then nothing changes.
    pub fn set_obstacles(&mut self, obstacles: &[Obstacle<Vec2>]) -> Result<(), NavMeshError> {
        let again = |mesh: &NavMesh| {
            NavMesh::new(obstacles, &self.space, mesh.clearance(), mesh.tolerance())
        };
        self.meshes = self.meshes.iter().map(again).collect::<Result<_, _>>()?;
        self.obstacles = obstacles.to_vec();
        for (id, traveller) in &mut self.travellers {
            traveller.request(*id, self.tick, &mut self.queue);
        }
        Ok(())
    }

    /// Sends unit `id` to `target` (length), for a body that keeps `clearance` (length, above zero)
    /// from obstacles: at least its radius. The call for a unit that is already sent there changes
    /// nothing.
    ///
    /// The first unit with a clearance makes a mesh, whose curves have a tolerance of a fiftieth of
    /// the clearance.
    ///
    /// # Errors
    /// Those of [`NavMesh::new`]; then nothing changes.
    pub fn set_target(
        &mut self,
        id: u64,
        target: Vec2,
        clearance: f32,
    ) -> Result<(), NavMeshError> {
        let mesh = self.mesh_for(clearance)?;
        let new = || {
            let (points, state) = (Vec::new(), RouteState::Waiting);
            // Not the target yet: below it is found to be another.
            let target = Vec2::NAN;
            Traveller { target, mesh, state, points, next: 0, requested: None }
        };
        let traveller = self.travellers.entry(id).or_insert_with(new);
        if traveller.target != target || traveller.mesh != mesh {
            (traveller.target, traveller.mesh) = (target, mesh);
            traveller.request(id, self.tick, &mut self.queue);
        }
        Ok(())
    }

    /// The index of the mesh for a clearance.
    fn mesh_for(&mut self, clearance: f32) -> Result<usize, NavMeshError> {
        let known = self.meshes.iter().position(|mesh| mesh.clearance() == clearance);
        if let Some(known) = known {
            return Ok(known);
        }
        let tolerance = TOLERANCE * clearance;
        self.meshes.push(NavMesh::new(&self.obstacles, &self.space, clearance, tolerance)?);
        Ok(self.meshes.len() - 1)
    }

    /// Forgets unit `id`.
    pub fn remove(&mut self, id: u64) {
        if let Some(tick) = self.travellers.remove(&id).and_then(|old| old.requested) {
            self.queue.remove(&(tick, id));
        }
    }

    /// Begins a tick: plans the ways of the units that have waited longest, from where `position`
    /// says that they are (length). A unit whose turn it is and that has no position is forgotten.
    pub fn step(&mut self, mut position: impl FnMut(u64) -> Option<Vec2>) {
        self.tick += 1;
        for _ in 0..self.searches_per_tick {
            let Some((_, id)) = self.queue.pop_first() else { break };
            let Some(traveller) = self.travellers.get_mut(&id) else { continue };
            traveller.requested = None;
            let Some(from) = position(id) else {
                self.travellers.remove(&id);
                continue;
            };
            let route = self.meshes[traveller.mesh].route(from, traveller.target);
            traveller.follow(route);
        }
    }

    /// The number of units that wait for a search.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// The state of the way of unit `id`; `None` for a unit without a target.
    pub fn state(&self, id: u64) -> Option<RouteState> {
        self.travellers.get(&id).map(|traveller| traveller.state)
    }

    /// The points of the way of unit `id`, from where it was planned to the target (length); none
    /// while it waits, and if its target is unreachable.
    pub fn points(&self, id: u64) -> &[Vec2] {
        self.travellers.get(&id).map_or(&[], |traveller| &traveller.points)
    }

    /// The point that unit `id`, now at `position` (length), steers for: once per tick. `None` for
    /// a unit without a target, and while the target is unreachable.
    ///
    /// A corner is passed when the point after it is in sight.
    pub fn aim(&mut self, id: u64, position: Vec2) -> Option<Aim> {
        let traveller = self.travellers.get_mut(&id)?;
        match traveller.state {
            RouteState::Unreachable => return None,
            RouteState::Waiting => {
                let left = traveller.target.distance(position);
                return Some(Aim { point: traveller.target, is_target: true, left });
            }
            RouteState::Known => {}
        }
        let mesh = &self.meshes[traveller.mesh];
        let points = &traveller.points;
        let last = points.len() - 1;
        while traveller.next < last && mesh.sees(position, points[traveller.next + 1]) {
            traveller.next += 1;
        }
        let next = traveller.next;
        if !mesh.sees(position, points[next]) {
            // Pushed off: the former way is followed until the search.
            traveller.request(id, self.tick, &mut self.queue);
        }
        let points = &traveller.points;
        let after: f32 = points[next..].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let left = position.distance(points[next]) + after;
        if next == last {
            return Some(Aim { point: points[last], is_target: true, left });
        }
        // Away from the inside of the turn.
        let corner = points[next];
        let came = Vector::unit(corner - points[next - 1]);
        let outward = Vector::unit(came - Vector::unit(points[next + 1] - corner));
        let beside = corner + outward * (MARGIN * mesh.clearance());
        let point = if mesh.sees(position, beside) { beside } else { corner };
        Some(Aim { point, is_target: false, left })
    }
}

impl Traveller {
    /// Waits for a search, unless it already does.
    fn request(&mut self, id: u64, tick: u64, queue: &mut BTreeSet<(u64, u64)>) {
        if self.requested.is_none() {
            self.requested = Some(tick);
            queue.insert((tick, id));
            if self.state == RouteState::Unreachable {
                self.state = RouteState::Waiting;
            }
        }
    }

    /// Follows another way.
    fn follow(&mut self, route: Option<Route>) {
        (self.state, self.points) = match route {
            Some(route) => (RouteState::Known, route.points),
            None => (RouteState::Unreachable, Vec::new()),
        };
        self.next = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::obstacle::Shape;
    use crate::spatial::space::{Bounds, Edge};
    use glam::vec2;

    const BODY: f32 = 0.3;

    fn world(size: Vec2) -> Space<Vec2> {
        Space::new(Some(Bounds { min: Vec2::ZERO, max: size, edge: Edge::Wall }))
    }

    fn wall(from: Vec2, to: Vec2) -> Obstacle<Vec2> {
        Shape::Segment { from, to, thickness: 0.2 }.into()
    }

    /// Two rows of 15 offices of 4 m by 5 m along a corridor 2 m wide, each with a door of 1 m.
    fn office() -> Vec<Obstacle<Vec2>> {
        let mut walls = Vec::new();
        for (corridor, far) in [(5.0, 0.0), (7.0, 12.0)] {
            for room in 0..15_u8 {
                let (left, right) = (4.0 * f32::from(room), 4.0 * f32::from(room + 1));
                walls.push(wall(vec2(left, corridor), vec2(left + 1.5, corridor)));
                walls.push(wall(vec2(left + 2.5, corridor), vec2(right, corridor)));
                walls.push(wall(vec2(right, corridor), vec2(right, far)));
            }
        }
        walls
    }

    /// The middle of an office.
    fn desk(room: u64) -> Vec2 {
        let y = if room < 15 { 2.0 } else { 10.0 };
        vec2(4.0 * (room % 15) as f32 + 2.0, y)
    }

    #[test]
    fn units_in_an_office_of_30_rooms_reach_each_others_desks_and_touch_no_wall() {
        let walls = office();
        let mut navigator = Navigator::new(&walls, &world(vec2(60.0, 12.0)), 4);
        let target = |id: u64| desk((id * 7 + 11) % 30);
        let mut units: Vec<Vec2> = (0..30).map(desk).collect();
        for id in 0..30 {
            navigator.set_target(id, target(id), BODY).unwrap();
        }
        let mut walked = [0.0_f32; 30];
        for tick in 0..1_500 {
            navigator.step(|id| Some(units[id as usize]));
            assert_eq!(navigator.waiting(), 30_usize.saturating_sub(4 * (tick + 1)), "{tick}");
            for (id, unit) in (0..).zip(&mut units) {
                if navigator.state(id) == Some(RouteState::Waiting) {
                    continue;
                }
                let aim = navigator.aim(id, *unit).unwrap();
                let step = (aim.point - *unit).clamp_length_max(0.05);
                walked[id as usize] += step.length();
                *unit += step;
                let gap = walls.iter().map(|w| w.distance(*unit)).fold(f32::INFINITY, f32::min);
                assert!(gap > BODY - 1e-4, "unit {id} at {unit} is {gap} from a wall");
            }
        }
        for id in 0..30 {
            assert!(units[id as usize].distance(target(id)) < 1e-3, "unit {id}");
            let points = navigator.points(id);
            let planned: f32 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
            let walked = walked[id as usize];
            assert!((0.999..1.02).contains(&(walked / planned)), "{walked} of {planned}");
        }
    }

    /// A wall across a world of 20 by 10, with a door above y = 8 if it is open.
    fn door(open: bool) -> [Obstacle<Vec2>; 1] {
        [wall(vec2(10.0, 0.0), vec2(10.0, if open { 8.0 } else { 10.0 }))]
    }

    #[test]
    fn requests_are_served_by_their_tick_and_then_by_id() {
        let mut navigator = Navigator::new(&door(true), &world(vec2(20.0, 10.0)), 2);
        let at = |_| Some(vec2(5.0, 2.0));
        let target = vec2(15.0, 2.0);
        navigator.set_target(9, target, BODY).unwrap();
        navigator.step(|_| None);
        assert_eq!(navigator.state(9), None);
        for id in [8, 3, 5] {
            navigator.set_target(id, target, BODY).unwrap();
        }
        navigator.step(at);
        // Requests of a later tick wait, whatever their ids.
        navigator.set_target(1, target, BODY).unwrap();
        navigator.set_target(0, target, BODY).unwrap();
        let known = |navigator: &Navigator| {
            let known = |id: &u64| navigator.state(*id) == Some(RouteState::Known);
            (0..10).filter(known).collect::<Vec<u64>>()
        };
        assert_eq!(known(&navigator), [3, 5]);
        // A waiting unit goes straight on.
        let aim = navigator.aim(8, vec2(5.0, 2.0));
        assert_eq!(aim, Some(Aim { point: target, is_target: true, left: 10.0 }));
        navigator.step(at);
        assert_eq!(known(&navigator), [0, 3, 5, 8]);
        navigator.remove(1);
        navigator.step(at);
        assert_eq!((known(&navigator).len(), navigator.waiting()), (4, 0));
    }

    #[test]
    fn a_unit_follows_its_former_way_until_a_search_after_a_change_finds_another_or_none() {
        let mut navigator = Navigator::new(&door(true), &world(vec2(20.0, 10.0)), 1);
        let (from, target) = (vec2(5.0, 2.0), vec2(15.0, 2.0));
        navigator.set_target(0, target, BODY).unwrap();
        navigator.step(|_| Some(from));
        let way = navigator.points(0).to_vec();
        assert!(way.len() > 2 && navigator.aim(0, from).unwrap().point.y > 8.0, "{way:?}");
        // The same target again is no request; a closed door is one.
        navigator.set_target(0, target, BODY).unwrap();
        assert_eq!(navigator.waiting(), 0);
        navigator.set_obstacles(&door(false)).unwrap();
        assert_eq!((navigator.waiting(), navigator.points(0)), (1, &way[..]));
        navigator.step(|_| Some(from));
        assert_eq!(navigator.state(0), Some(RouteState::Unreachable));
        assert_eq!(navigator.aim(0, from), None);
        navigator.set_target(0, target, BODY).unwrap();
        assert_eq!(navigator.waiting(), 0);
        navigator.set_obstacles(&door(true)).unwrap();
        assert_eq!(navigator.state(0), Some(RouteState::Waiting));
        navigator.step(|_| Some(from));
        assert_eq!((navigator.state(0), navigator.points(0)), (Some(RouteState::Known), &way[..]));
    }

    #[test]
    fn a_unit_that_is_pushed_out_of_sight_of_its_way_requests_another() {
        let mut navigator = Navigator::new(&door(true), &world(vec2(20.0, 10.0)), 1);
        navigator.set_target(0, vec2(5.0, 2.0), BODY).unwrap();
        navigator.step(|_| Some(vec2(2.0, 2.0)));
        // Aside, but in sight.
        let aim = navigator.aim(0, vec2(3.0, 6.0)).unwrap();
        assert_eq!((aim.point, navigator.waiting()), (vec2(5.0, 2.0), 0));
        // To the other side of the wall.
        assert!(navigator.aim(0, vec2(12.0, 2.0)).is_some());
        assert_eq!(navigator.waiting(), 1);
        navigator.step(|_| Some(vec2(12.0, 2.0)));
        let aim = navigator.aim(0, vec2(12.0, 2.0)).unwrap();
        assert!(!aim.is_target && aim.point.y > 8.0 && aim.left > 13.0, "{aim:?}");
    }
}
