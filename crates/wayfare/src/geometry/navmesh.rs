//! Shortest routes round obstacles in the plane, for a body with a width (feature `navigation`).
//!
//! Each obstacle is grown by the clearance, curves as polygons; what is free between them is
//! triangulated (constrained Delaunay triangulation, by the crate spade). A search over the corners
//! of the grown obstacles, which the triangles show to each other, gives the shortest route in any
//! direction: not the shortest route through the middles or sides of triangles, and not one on a
//! grid. [`walkable_area`] gives what is free for points as polygons.

use alloc::vec::Vec;
use glam::Vec2;

use crate::geometry::obstacle::Obstacle;
use crate::platform::{Mutex, OnceLock};
use crate::spatial::space::{Edge, Space};
use crate::vector::Vector;

mod error;
mod exact;
mod inflate;
mod navigator;
mod outline;
mod rooms;
mod search;
#[cfg(test)]
mod tests;
mod triangles;
mod walkable;

use exact::{Point, distance, in_f64, nearest_on};
use outline::{Area, BoxTree, in_f32};
use rooms::Rooms;
use search::Buffers;
use triangles::{NONE as NO_TRIANGLE, Triangles};

pub use crate::route::{Aim, CurrentRoute, RouteState};
pub use error::NavMeshError;
pub(crate) use navigator::TOLERANCE;
pub(crate) use navigator::mesh_bytes;
pub use navigator::{Choice, Navigator, NavigatorState, UnitState};
pub use walkable::{WalkablePolygon, walkable_area};

/// The largest coordinate in a world without an edge, the largest clearance and the largest
/// tolerance (length).
const LIMIT: f32 = 1e9;

/// The widths of the grid of crossings that are tried, as the `bits` of [`grid`]: coarser grids
/// merge more of what is nearly one point.
const GRIDS: [i32; 3] = [44, 36, 28];

/// Whether a point is near enough to the origin for exact signs.
fn is_near(p: Vec2) -> bool {
    p.abs().max_element() <= 4.0 * LIMIT
}

/// The free part of a world between obstacles, prepared for searches of shortest routes.
///
/// Points are those of a body's center: they keep at least the clearance from every obstacle. In
/// a world with walls they are inside the bounds, in an open one within 1e9 of the origin on each
/// axis. A mesh does not change; when an obstacle does, make another one.
///
/// The same obstacles, in any order, give the same ways to the bit on every platform.
///
/// ```
/// use wayfare::geometry::navmesh::NavMesh;
/// use wayfare::geometry::obstacle::{Obstacle, Shape};
/// use wayfare::{glam::vec2, spatial::space::Space};
/// // A wall from (0, -10) to (0, 10), and a body of radius 0.5 on its left side.
/// let wall = Obstacle::from(Shape::box_between(vec2(-1.0, -10.0), vec2(1.0, 10.0)));
/// let mesh = NavMesh::new(&[wall], &Space::OPEN, 0.5, 0.01)?;
/// let route = mesh.route(vec2(-5.0, 9.0), vec2(5.0, 9.0)).unwrap();
/// // Round the upper end, around both of its corners.
/// assert_eq!((route.points[0], route.points.last()), (vec2(-5.0, 9.0), Some(&vec2(5.0, 9.0))));
/// assert!(route.points.iter().all(|p| p.y <= 10.51));
/// assert!((10.4..10.8).contains(&route.length), "{}", route.length);
/// // A point in the wall is taken to the nearest free one.
/// assert!(mesh.route(vec2(-5.0, 0.0), vec2(-0.9, 0.0)).unwrap().length < 3.51);
/// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
/// ```
#[derive(Debug)]
pub struct NavMesh {
    clearance: f32,
    tolerance: f32,
    polygons: Vec<Vec<Vec2>>,
    mesh: Triangles,
    /// Boxes around the triangles, and around the half-edges on the outline.
    triangles: BoxTree,
    boundary: Vec<u32>,
    outline: BoxTree,
    /// Made for the first route by rooms.
    rooms: OnceLock<Rooms>,
    /// Kept for their capacity; searches of one mesh wait for each other.
    buffers: Mutex<Buffers>,
}

/// Adds the outlines of obstacle `index`, grown by a clearance with a tolerance (lengths).
///
/// # Errors
/// They are too far out, or too coarse for the clearance.
pub(crate) fn grow<V: Vector>(
    obstacle: &Obstacle<V>,
    index: usize,
    (clearance, tolerance): (f32, f32),
    polygons: &mut Vec<Vec<Vec2>>,
) -> Result<(), NavMeshError> {
    let first = polygons.len();
    inflate::inflate(obstacle.shape(), clearance.into(), tolerance.into(), polygons);
    let of_obstacle = &polygons[first..];
    if !of_obstacle.iter().flatten().all(|p| is_near(*p)) {
        return Err(NavMeshError::Obstacle(index));
    }
    if of_obstacle.iter().any(|p| p.len() < 3) {
        return Err(NavMeshError::Rounding(index));
    }
    Ok(())
}

impl Clone for NavMesh {
    fn clone(&self) -> Self {
        Self {
            clearance: self.clearance,
            tolerance: self.tolerance,
            polygons: self.polygons.clone(),
            mesh: self.mesh.clone(),
            triangles: self.triangles.clone(),
            boundary: self.boundary.clone(),
            outline: self.outline.clone(),
            rooms: self.rooms.clone(),
            buffers: Mutex::default(),
        }
    }
}

/// Buffers of lines of sight, kept for their capacity.
#[derive(Clone, Debug, Default)]
struct SightBuffers {
    /// The triangles of the two ends.
    starts: Vec<u32>,
    goals: Vec<u32>,
    /// Sides that the line may cross.
    ahead: Vec<u32>,
}

/// A shortest route.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The start, the corners at which the route turns, and the target (length): at least two
    /// points, which are equal where start and target are.
    pub points: Vec<Vec2>,
    /// The length of the route (length).
    pub length: f32,
}

impl NavMesh {
    /// The mesh of a world for bodies whose centers keep `clearance` (length, above zero) from
    /// every obstacle: at least the radius of a body.
    ///
    /// Circles, and corners, which grow round, are taken as polygons around them: routes keep up to
    /// `tolerance` (length, above zero) more than the clearance. The tolerance is at least
    /// 1/100,000 of a circle's radius; a fiftieth of the clearance gives 16 sides. Rounding to
    /// `f32` may take a ten-millionth of a coordinate off the clearance. A gap that is narrower
    /// than twice the clearance is closed.
    pub fn new<V: Vector>(
        obstacles: &[Obstacle<V>],
        space: &Space<V>,
        clearance: f32,
        tolerance: f32,
    ) -> Result<Self, NavMeshError> {
        let allowed = |x: f32| x > 0.0 && x <= LIMIT;
        match space.edge() {
            _ if V::DIMENSION != 2 => return Err(NavMeshError::Space),
            Edge::Wrap => return Err(NavMeshError::Wrapped),
            _ if !allowed(clearance) => return Err(NavMeshError::Clearance(clearance)),
            _ if !allowed(tolerance) => return Err(NavMeshError::Tolerance(tolerance)),
            Edge::Open | Edge::Wall | Edge::Bounce => {}
        }
        let (low, high) = if space.edge().has_walls() {
            let low = space.min().flat();
            (low, low + space.size().flat())
        } else {
            (Vec2::splat(-LIMIT), Vec2::splat(LIMIT))
        };
        if !(low.x < high.x && low.y < high.y && is_near(low) && is_near(high)) {
            return Err(NavMeshError::Bounds);
        }
        let mut polygons = Vec::new();
        for (index, obstacle) in obstacles.iter().enumerate() {
            grow(obstacle, index, (clearance, tolerance), &mut polygons)?;
        }
        let reaches = |polygon: &Vec<Vec2>| {
            let first = polygon[0];
            let ends = |(l, h): (Vec2, Vec2), p: &Vec2| (l.min(*p), h.max(*p));
            let (l, h) = polygon.iter().fold((first, first), ends);
            l.cmple(high).all() && h.cmpge(low).all()
        };
        polygons.retain(reaches);
        let area = Area::new(low, high, &polygons);
        let triangulate = |bits: i32| {
            let outline = outline::outline(&area, grid(&polygons, bits));
            Triangles::new(&area, &outline)
        };
        let mesh = GRIDS.into_iter().find_map(triangulate).ok_or(NavMeshError::Precision)?;
        let triangles = BoxTree::new((0..mesh.len() as u32).map(|t| mesh.triangle(t)));
        let boundary: Vec<u32> = mesh.boundary().collect();
        let outline = BoxTree::new(boundary.iter().map(|h| [mesh.start(*h), mesh.end(*h)]));
        let (rooms, buffers) = (OnceLock::new(), Mutex::default());
        Ok(Self {
            clearance,
            tolerance,
            polygons,
            mesh,
            triangles,
            boundary,
            outline,
            rooms,
            buffers,
        })
    }

    /// The distance that routes keep from obstacles (length).
    pub fn clearance(&self) -> f32 {
        self.clearance
    }

    /// The largest distance between a grown curve and its polygon (length).
    pub fn tolerance(&self) -> f32 {
        self.tolerance
    }

    /// The grown obstacles that reach into the world: polygons whose insides no route enters. They
    /// may overlap. An obstacle that is a polygon gives several: its inside, and each edge grown.
    pub fn polygons(&self) -> &[Vec<Vec2>] {
        &self.polygons
    }

    /// The free triangles, counter-clockwise.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [Vec2; 3]> + '_ {
        (0..self.mesh.len() as u32).map(|t| self.mesh.triangle(t).map(in_f32))
    }

    /// Whether a body's center can be at `p`.
    pub fn is_free(&self, p: Vec2) -> bool {
        let mut found = Vec::new();
        self.triangles_at(in_f64(p), &mut found);
        !found.is_empty()
    }

    /// `p` if it is free; otherwise the nearest free point, within rounding. `None` where nothing
    /// is free, or if `p` is not finite.
    pub fn nearest_free(&self, p: Vec2) -> Option<Vec2> {
        self.place(p).map(|(p, _)| in_f32(p))
    }

    /// The shortest route from `from` to `to`; `None` if there is none.
    ///
    /// Each of the points that is not free (inside a grown obstacle, or outside the world) is
    /// replaced by the [nearest free point](Self::nearest_free). The route is the shortest among
    /// the [polygons](Self::polygons); of several equally short ones always the same is given.
    pub fn route(&self, from: Vec2, to: Vec2) -> Option<Route> {
        let (from, starts) = self.place(from)?;
        let (to, goals) = self.place(to)?;
        let mut buffers = self.buffers.lock();
        let (points, length) =
            search::shortest(&self.mesh, &mut buffers, (from, &starts), (to, &goals))?;
        Some(Route { points: points.into_iter().map(in_f32).collect(), length: length as f32 })
    }

    /// The shortest route from each of `starts` to `to`, in one search; `None` where there is none.
    ///
    /// Each route is as short as that of [`route`](Self::route), within rounding. One search for
    /// all costs at most as much as one that visits the whole mesh, and hardly more with more
    /// starts.
    ///
    /// ```
    /// use wayfare::geometry::{navmesh::NavMesh, obstacle::{Obstacle, Shape}};
    /// use wayfare::{glam::vec2, spatial::space::Space};
    /// let wall = Obstacle::from(Shape::box_between(vec2(-1.0, -10.0), vec2(1.0, 10.0)));
    /// let mesh = NavMesh::new(&[wall], &Space::OPEN, 0.5, 0.01)?;
    /// let exit = vec2(5.0, 0.0);
    /// let routes = mesh.routes_from_each(&[vec2(9.0, 3.0), vec2(-5.0, 4.0)], exit);
    /// let lengths: Vec<f32> = routes.iter().flatten().map(|route| route.length).collect();
    /// // The first is in sight; the second goes round the end of the wall.
    /// assert!(lengths[0] == 5.0 && (20.0..22.0).contains(&lengths[1]));
    /// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
    /// ```
    pub fn routes_from_each(&self, starts: &[Vec2], to: Vec2) -> Vec<Option<Route>> {
        let mut routes = vec![None; starts.len()];
        let Some((to, of_target)) = self.place(to) else { return routes };
        let (mut ends, mut indices, mut goals) = (Vec::new(), Vec::new(), Vec::new());
        let mut triangles = Vec::new();
        for (index, start) in starts.iter().enumerate() {
            if let Some(end) = self.place_with(*start, &mut triangles) {
                goals.extend(triangles.iter().map(|t| (*t, ends.len() as u32)));
                ends.push(end);
                indices.push(index);
            }
        }
        goals.sort_unstable();
        let mut buffers = self.buffers.lock();
        let from = (to, &of_target[..]);
        search::shortest_to_each(
            &self.mesh,
            &mut buffers,
            from,
            (&ends, &goals),
            |end, route, length| {
                let points = route.into_iter().map(in_f32).collect();
                routes[indices[end]] = Some(Route { points, length: length as f32 });
            },
        );
        routes
    }

    /// The shortest route from `from` to one of several targets, and the index of that target: to
    /// the one for which the length of the route plus the extra length beside it is least, the
    /// first in a tie. `None` if none of them can be reached.
    ///
    /// Extra lengths (length, from 0) stand for what is not the route, such as the queue at a
    /// counter; a target whose extra length is not a number is left out.
    ///
    /// ```
    /// use wayfare::geometry::{navmesh::NavMesh, obstacle::{Obstacle, Shape}};
    /// use wayfare::{glam::vec2, spatial::space::Space};
    /// let wall = Obstacle::from(Shape::box_between(vec2(-1.0, -10.0), vec2(1.0, 10.0)));
    /// let mesh = NavMesh::new(&[wall], &Space::OPEN, 0.5, 0.01)?;
    /// // One counter behind the wall, one farther away, and one with a queue.
    /// let counters = [(vec2(4.0, 0.0), 0.0), (vec2(-14.0, 0.0), 0.0), (vec2(-9.0, 0.0), 8.0)];
    /// let (counter, route) = mesh.route_to_nearest(vec2(-4.0, 0.0), &counters).unwrap();
    /// assert_eq!((counter, route.length), (1, 10.0));
    /// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
    /// ```
    pub fn route_to_nearest(&self, from: Vec2, targets: &[(Vec2, f32)]) -> Option<(usize, Route)> {
        let (from, starts) = self.place(from)?;
        let place = |(i, (target, extra)): (usize, &(Vec2, f32))| {
            let (to, goals) = self.place(*target)?;
            let extra = f64::from(*extra);
            (extra >= 0.0).then(|| (distance(from, to) + extra, i, extra, to, goals))
        };
        let mut places: Vec<_> = targets.iter().enumerate().filter_map(place).collect();
        // No route is shorter than the straight line.
        places.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut buffers = self.buffers.lock();
        let mut best: Option<(f64, usize, Vec<Point>, f64)> = None;
        for (least, i, extra, to, goals) in places {
            if best.as_ref().is_some_and(|best| least > best.0) {
                break;
            }
            let found = search::shortest(&self.mesh, &mut buffers, (from, &starts), (to, &goals));
            let Some((points, length)) = found else { continue };
            let key = (length + extra, i);
            if best.as_ref().is_none_or(|best| key < (best.0, best.1)) {
                best = Some((key.0, i, points, length));
            }
        }
        let (_, i, points, length) = best?;
        let points = points.into_iter().map(in_f32).collect();
        Some((i, Route { points, length: length as f32 }))
    }

    /// Whether the straight line from `from` to `to` is free; points that are not free are replaced
    /// as in [`route`](Self::route).
    pub fn sees(&self, from: Vec2, to: Vec2) -> bool {
        self.sees_with(&mut SightBuffers::default(), from, to)
    }

    /// [`sees`](Self::sees), which allocates nothing once the buffers have grown.
    fn sees_with(&self, buffers: &mut SightBuffers, from: Vec2, to: Vec2) -> bool {
        let from = self.place_with(from, &mut buffers.starts);
        from.is_some_and(|from| self.sees_on(buffers, from, to))
    }

    /// [`sees`](Self::sees) from a point that was placed in `buffers.starts`.
    fn sees_on(&self, buffers: &mut SightBuffers, from: Point, to: Vec2) -> bool {
        self.sees_near(buffers, from, to, &mut NO_TRIANGLE.clone())
    }

    /// [`sees_on`](Self::sees_on) with a guess as in [`place_near`](Self::place_near).
    fn sees_near(
        &self,
        buffers: &mut SightBuffers,
        from: Point,
        to: Vec2,
        guess: &mut u32,
    ) -> bool {
        let SightBuffers { starts, goals, ahead } = buffers;
        let to = self.place_near(to, guess, goals);
        to.is_some_and(|to| search::sees(&self.mesh, (from, starts), (to, goals), ahead))
    }

    /// A point in sight of `from` on a route to `to`, which is not the shortest but known at once;
    /// `None` where none is known.
    fn by_rooms(&self, buffers: &mut SightBuffers, from: Vec2, to: Vec2) -> Option<Vec2> {
        let mut triangles = Vec::new();
        let to = self.place_with(to, &mut triangles)?;
        let goal = *triangles.first()?;
        let from = self.place_with(from, &mut triangles)?;
        buffers.starts.clone_from(&triangles);
        let rooms = self.rooms.get_or_init(|| Rooms::new(&self.mesh));
        let sees = |p| self.sees_on(buffers, from, in_f32(p));
        rooms.towards(&self.mesh, (&triangles, (to, goal)), sees).map(in_f32)
    }

    /// The nearest free point, and the triangles that it is in.
    fn place(&self, p: Vec2) -> Option<(Point, Vec<u32>)> {
        let mut triangles = Vec::new();
        self.place_with(p, &mut triangles).map(|p| (p, triangles))
    }

    /// The nearest free point; `triangles` become those that it is in.
    fn place_with(&self, p: Vec2, triangles: &mut Vec<u32>) -> Option<Point> {
        self.place_near(p, &mut NO_TRIANGLE.clone(), triangles)
    }

    /// [`place_with`](Self::place_with), faster where `guess` is the triangle; it becomes the one
    /// that was found.
    fn place_near(&self, p: Vec2, guess: &mut u32, triangles: &mut Vec<u32>) -> Option<Point> {
        if !p.is_finite() {
            return None;
        }
        let p = in_f64(p);
        if self.mesh.surrounds(*guess, p) {
            triangles.clear();
            triangles.push(*guess);
            return Some(p);
        }
        self.triangles_at(p, triangles);
        *guess = triangles.first().copied().unwrap_or(NO_TRIANGLE);
        if triangles.is_empty() { self.nearest_on_outline(p, triangles) } else { Some(p) }
    }

    /// Finds the triangles that contain `p`.
    fn triangles_at(&self, p: Point, found: &mut Vec<u32>) {
        self.triangles.near(&[p], 0.0, found);
        found.retain(|t| self.mesh.contains(*t, p));
    }

    /// The point of the outline nearest to `p`, moved into its triangle by as little as rounding
    /// asks for; `near` becomes the triangles that it is in: several at a point of the outline.
    fn nearest_on_outline(&self, p: Point, near: &mut Vec<u32>) -> Option<Point> {
        let mut room = f64::from(self.clearance);
        let mut best: Option<(f64, Point, u32)> = None;
        loop {
            self.outline.near(&[p], room, near);
            for h in near.iter().map(|i| self.boundary[*i as usize]) {
                let point = nearest_on(self.mesh.start(h), self.mesh.end(h), p);
                let distance = distance(point, p);
                if best.is_none_or(|best| distance < best.0) {
                    best = Some((distance, point, h / 3));
                }
            }
            // Nearer points would have been found.
            if best.is_some_and(|best| best.0 <= room) || near.len() == self.boundary.len() {
                break;
            }
            room *= 2.0;
        }
        let (_, point, triangle) = best?;
        let middle = self.mesh.middle(triangle);
        // From nothing, in steps from far below the coordinates' precision in `f32`.
        let far = distance(point, middle);
        let mut step = 0.0;
        while step < 0.5 * far {
            let part = step / far;
            let inside = Point {
                x: point.x + (middle.x - point.x) * part,
                y: point.y + (middle.y - point.y) * part,
            };
            if self.mesh.contains(triangle, inside) {
                self.triangles_at(inside, near);
                return Some(inside);
            }
            let finest = libm::ldexp(point.x.abs().max(point.y.abs()).max(1e-9), -50);
            step = finest.max(2.0 * step);
        }
        near.clear();
        near.push(triangle);
        Some(middle)
    }
}

/// A power of two far below the coordinates of these polygons (length): their largest coordinate
/// divided by 2 to the power of `bits`.
fn grid(polygons: &[Vec<Vec2>], bits: i32) -> f64 {
    let largest = polygons.iter().flatten().map(|p| p.abs().max_element()).fold(1e-9, f32::max);
    libm::ldexp(1.0, libm::frexp(f64::from(largest)).1 - bits)
}
