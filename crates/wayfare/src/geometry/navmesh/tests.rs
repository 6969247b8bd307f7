use super::exact::{is_inside, pairs, turn};
use super::*;
use crate::geometry::obstacle::Shape;
use crate::random::Random;
use crate::spatial::space::Bounds;
use glam::{Vec3, vec2, vec3};

const SIZE: f32 = 100.0;

fn walls() -> Space<Vec2> {
    let edge = Edge::Wall;
    Space::new(Some(Bounds { min: Vec2::ZERO, max: Vec2::splat(SIZE), edge }))
}

/// Circles, boxes, walls and polygons; on a lattice of whole numbers edges touch and coincide.
fn field(random: &mut Random, lattice: bool) -> Vec<Obstacle<Vec2>> {
    let count = 2 + (random.unit() * 9.0) as usize;
    let number = |random: &mut Random, low: f32, high: f32| {
        let x = random.between(low, high);
        if lattice { (x / 10.0).round() * 10.0 } else { x }
    };
    let shape = |random: &mut Random| {
        let center = vec2(number(random, 0.0, SIZE), number(random, 0.0, SIZE));
        let width = |random: &mut Random| number(random, 5.0, 25.0);
        match (random.unit() * 4.0) as u32 {
            0 => Shape::Circle { center, radius: width(random) * 0.5 },
            1 => {
                let angle = if lattice { 0.0 } else { random.between(-3.0, 3.0) };
                Shape::Box { center, half: vec2(width(random), width(random)) * 0.5, angle }
            }
            2 => {
                let to = vec2(number(random, 0.0, SIZE), number(random, 0.0, SIZE));
                let thickness = if lattice { 0.0 } else { random.between(0.0, 4.0) };
                Shape::Segment { from: center, to: center.lerp(to, 0.5), thickness }
            }
            _ => {
                // An arrowhead: not convex.
                let (x, y) = (width(random), width(random));
                let points = [vec2(0.0, 0.0), vec2(x, y), vec2(0.0, 0.4 * y), vec2(-x, y)];
                Shape::Polygon { points: points.map(|p| center + p).to_vec() }
            }
        }
    };
    (0..count).map(|_| Obstacle::from(shape(random))).collect()
}

/// A polygon in `f64`, with the box around it.
struct Outline {
    corners: Vec<Point>,
    low: Point,
    high: Point,
    is_convex: bool,
}

impl Outline {
    fn new(polygon: &[Vec2]) -> Self {
        let corners: Vec<Point> = polygon.iter().map(|p| in_f64(*p)).collect();
        let fold = |f: fn(f64, f64) -> f64, of: fn(&Point) -> f64| {
            corners.iter().map(of).reduce(f).unwrap()
        };
        let (low, high) = (
            Point { x: fold(f64::min, |p| p.x), y: fold(f64::min, |p| p.y) },
            Point { x: fold(f64::max, |p| p.x), y: fold(f64::max, |p| p.y) },
        );
        let n = corners.len();
        let is_convex =
            (0..n).all(|i| turn(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]) >= 0.0);
        Self { corners, low, high, is_convex }
    }

    /// Whether a part of the segment is deeper than `depth` in this convex polygon (M. Cyrus and
    /// J. Beck, 1978).
    fn is_entered(&self, a: Point, b: Point, depth: f64) -> bool {
        if a.x.max(b.x) < self.low.x
            || a.x.min(b.x) > self.high.x
            || a.y.max(b.y) < self.low.y
            || a.y.min(b.y) > self.high.y
        {
            return false;
        }
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let next = self.corners.iter().cycle().skip(1);
        for (p, q) in self.corners.iter().zip(next) {
            let length = distance(*p, *q);
            let inside =
                |x: Point| ((q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x)) / length - depth;
            let (from, to) = (inside(a), inside(b));
            if from <= 0.0 && to <= 0.0 {
                return false;
            }
            if from <= 0.0 {
                enter = enter.max(from / (from - to));
            } else if to <= 0.0 {
                leave = leave.min(from / (from - to));
            }
        }
        enter < leave
    }
}

/// The length of the shortest route by the definition: Dijkstra's search over all corners that lie
/// in no polygon, each joined to all others that it sees.
fn naive(mesh: &NavMesh, from: Vec2, to: Vec2) -> Option<f64> {
    const DEPTH: f64 = 1e-5;
    let outlines: Vec<Outline> = mesh.polygons().iter().map(|p| Outline::new(p)).collect();
    let is_free = |p: &Point| {
        let inside = |x: f64| (0.0..=f64::from(SIZE)).contains(&x);
        let blocked = |(polygon, outline): (&Vec<Vec2>, &Outline)| {
            let deep = outline.is_convex && outline.is_entered(*p, *p, DEPTH);
            deep || !outline.is_convex && is_inside(pairs(polygon), *p)
        };
        inside(p.x) && inside(p.y) && !mesh.polygons().iter().zip(&outlines).any(blocked)
    };
    let mut points = vec![in_f64(from), in_f64(to)];
    points.extend(outlines.iter().flat_map(|o| &o.corners).filter(|p| is_free(p)));
    let mut length = vec![f64::INFINITY; points.len()];
    let mut done = vec![false; points.len()];
    length[0] = 0.0;
    loop {
        let open = (0..points.len()).filter(|&i| !done[i] && length[i] < f64::INFINITY);
        let estimate = |i: &usize| length[*i] + distance(points[*i], points[1]);
        let i = open.min_by(|i, k| estimate(i).total_cmp(&estimate(k)))?;
        if i == 1 {
            return Some(length[1]);
        }
        done[i] = true;
        for k in 0..points.len() {
            let longer = length[i] + distance(points[i], points[k]);
            let sees = || {
                let convex = outlines.iter().filter(|o| o.is_convex);
                !convex.into_iter().any(|o| o.is_entered(points[i], points[k], DEPTH))
            };
            if !done[k] && longer < length[k] && sees() {
                length[k] = longer;
            }
        }
    }
}

#[test]
fn a_route_is_the_shortest_way_of_a_visibility_graph_and_enters_no_grown_obstacle() {
    let mut random = Random::new(16, 0, 0, 0);
    let (mut turns, mut none) = (0, 0);
    for round in 0..1_000 {
        let obstacles = field(&mut random, round % 4 == 0);
        let clearance = random.between(0.2, 3.0);
        let mesh = NavMesh::new(&obstacles, &walls(), clearance, 0.05 * clearance).unwrap();
        let mut point = || vec2(random.between(0.0, SIZE), random.between(0.0, SIZE));
        let [from, to] = [point(), point()].map(|p| mesh.nearest_free(p).unwrap());
        let route = mesh.route(from, to);
        let exact = naive(&mesh, from, to);
        let place = format!("round {round}, from {from} to {to}: {route:?}, {obstacles:?}");
        let Some(route) = route else {
            assert_eq!(exact, None, "{place}");
            none += 1;
            continue;
        };
        let exact = exact.unwrap_or_else(|| panic!("{place}"));
        assert!((f64::from(route.length) - exact).abs() <= 1e-5 * exact + 1e-4, "{exact}, {place}");
        let along: f32 = route.points.windows(2).map(|p| p[0].distance(p[1])).sum();
        assert!((along - route.length).abs() <= 1e-5 * along + 1e-4, "{place}");
        let outlines = mesh.polygons().iter().map(|p| Outline::new(p));
        for outline in outlines.filter(|o| o.is_convex) {
            let enters = |p: &[Vec2]| outline.is_entered(in_f64(p[0]), in_f64(p[1]), 1e-4);
            assert!(!route.points.windows(2).any(enters), "{place}");
        }
        assert_eq!(mesh.sees(from, to), route.points.len() == 2, "{place}");
        turns += route.points.len() - 2;
    }
    assert!(turns > 800 && (5..200).contains(&none), "{turns} turns, {none} without a route");
}

fn tree(random: &mut Random) -> Obstacle<Vec2> {
    let center = vec2(random.between(0.0, SIZE), random.between(0.0, SIZE));
    Shape::Circle { center, radius: 0.5 }.into()
}

#[test]
fn ways_from_many_starts_in_one_search_are_as_short_as_those_of_single_searches() {
    let mut random = Random::new(19, 0, 0, 0);
    let (mut turns, mut none) = (0, 0);
    for round in 0..100 {
        let mut obstacles = field(&mut random, round % 4 == 0);
        if round % 20 == 0 {
            // A wood: there a search for each start takes less than one for all.
            obstacles = (0..150).map(|_| tree(&mut random)).collect();
        }
        let mesh = NavMesh::new(&obstacles, &walls(), 1.0, 0.05).unwrap();
        let mut point = || vec2(random.between(0.0, SIZE), random.between(0.0, SIZE));
        let to = mesh.nearest_free(point()).unwrap();
        let starts: Vec<Vec2> = [(); 40]
            .map(|()| mesh.nearest_free(point()).unwrap())
            .into_iter()
            .chain([to])
            .collect();
        for (from, route) in starts.iter().zip(mesh.routes_from_each(&starts, to)) {
            let alone = mesh.route(*from, to);
            assert_eq!(route.is_none(), alone.is_none());
            none += usize::from(route.is_none());
            let (Some(route), Some(alone)) = (route, alone) else { continue };
            assert_eq!(
                (route.points[0], route.points.last()),
                (alone.points[0], alone.points.last())
            );
            let (length, expected) = (route.length, alone.length);
            let difference = (length - expected).abs();
            assert!(difference <= 1e-5 * expected + 1e-4, "round {round}: {route:?}, {alone:?}");
            turns += route.points.len() - 2;
        }
    }
    assert!(turns > 3_000 && none > 2, "{turns} turns, {none} without a route");
}

#[test]
fn a_way_by_rooms_leads_to_each_target_that_has_a_way_and_enters_no_grown_obstacle() {
    let mut random = Random::new(20, 0, 0, 0);
    let (mut walked, mut shortest, mut buffers) = (0.0, 0.0, SightBuffers::default());
    for round in 0..200 {
        let mesh = NavMesh::new(&field(&mut random, round % 4 == 0), &walls(), 1.0, 0.05).unwrap();
        let mut point = || vec2(random.between(0.0, SIZE), random.between(0.0, SIZE));
        let [from, to] = [point(), point()].map(|p| mesh.nearest_free(p).unwrap());
        let route = mesh.route(from, to);
        let (mut at, mut steps) = (from, 0);
        while let Some(next) = mesh.by_rooms(&mut buffers, at, to) {
            assert!(mesh.sees(at, next), "round {round}: from {at} to {next}");
            (walked, at, steps) = (walked + at.distance(next), next, steps + 1);
            if at.distance(to) < 1e-3 {
                break;
            }
            assert!(steps < 100, "round {round}, from {from} to {to}: still at {at}");
        }
        assert_eq!(at.distance(to) < 1e-3, route.is_some(), "round {round}, from {from} to {to}");
        shortest += route.map_or(0.0, |route| route.length);
    }
    assert!(walked > shortest && walked < 1.5 * shortest, "{walked} of {shortest}");
}

#[test]
fn the_nearest_target_is_that_with_the_least_sum_of_way_and_extra_length() {
    let mut random = Random::new(18, 0, 0, 0);
    let mut detours = 0;
    for _ in 0..100 {
        let mesh = NavMesh::new(&field(&mut random, false), &walls(), 1.0, 0.05).unwrap();
        let mut point = || vec2(random.between(0.0, SIZE), random.between(0.0, SIZE));
        let from = point();
        let mut targets: Vec<(Vec2, f32)> = (0..6).map(|_| (point(), 0.0)).collect();
        targets[3].1 = 20.0;
        targets[4].1 = f32::NAN;
        let sum =
            |&(target, extra): &(Vec2, f32)| mesh.route(from, target).map(|r| r.length + extra);
        let sums: Vec<f32> = targets.iter().filter_map(sum).filter(|sum| !sum.is_nan()).collect();
        let least = sums.iter().copied().reduce(f32::min);
        let found = mesh.route_to_nearest(from, &targets);
        assert_eq!(found.as_ref().map(|(i, route)| route.length + targets[*i].1), least);
        if let Some((i, route)) = found {
            assert_eq!(mesh.route(from, targets[i].0), Some(route));
            let straight = |(p, extra): &(Vec2, f32)| p.distance(from) + extra;
            detours += u32::from(targets.iter().any(|t| straight(t) < straight(&targets[i])));
        }
    }
    assert!(detours > 5, "{detours}");
}

#[test]
fn the_order_of_the_obstacles_changes_no_bit() {
    let mut random = Random::new(17, 0, 0, 0);
    for round in 0..50 {
        let mut obstacles = field(&mut random, round % 2 == 0);
        let mesh = NavMesh::new(&obstacles, &walls(), 1.0, 0.05).unwrap();
        obstacles.reverse();
        obstacles.rotate_left(1);
        let other = NavMesh::new(&obstacles, &walls(), 1.0, 0.05).unwrap();
        let (from, to) = (vec2(1.0, 2.0), vec2(97.0, 95.0));
        assert_eq!(mesh.route(from, to), other.route(from, to));
        assert!(mesh.triangles().eq(other.triangles()));
    }
}

/// A wall along x = 50 with a gap of width 2 about y = 30.
fn door() -> [Obstacle<Vec2>; 2] {
    let wall = |from, to| Shape::Segment { from, to, thickness: 0.0 };
    [
        wall(vec2(50.0, 0.0), vec2(50.0, 29.0)).into(),
        wall(vec2(50.0, 31.0), vec2(50.0, 100.0)).into(),
    ]
}

#[test]
fn a_body_goes_only_through_doors_that_are_wide_enough() {
    let route = |clearance| {
        let mesh = NavMesh::new(&door(), &walls(), clearance, 0.01).unwrap();
        mesh.route(vec2(40.0, 70.0), vec2(60.0, 70.0))
    };
    let route_of_thin = route(0.9).unwrap();
    assert!((81.0..84.0).contains(&route_of_thin.length), "{route_of_thin:?}");
    assert_eq!(route(1.01), None);
}

#[test]
fn points_in_obstacles_and_outside_the_world_are_taken_to_the_nearest_free_point() {
    let house = [Shape::box_between(vec2(40.0, 40.0), vec2(60.0, 60.0)).into()];
    let mesh = NavMesh::new(&house, &walls(), 1.0, 0.02).unwrap();
    assert!(!mesh.is_free(vec2(50.0, 58.0)) && mesh.is_free(vec2(50.0, 61.5)));
    assert_eq!(mesh.nearest_free(vec2(50.0, 58.0)), Some(vec2(50.0, 61.0)));
    assert_eq!(mesh.nearest_free(vec2(-4.0, 7.0)), Some(vec2(0.0, 7.0)));
    assert_eq!(mesh.nearest_free(vec2(3.0, 7.0)), Some(vec2(3.0, 7.0)));
    let route = mesh.route(vec2(-4.0, 7.0), vec2(59.0, 50.0)).unwrap();
    let ends = (route.points[0], route.points[route.points.len() - 1]);
    assert_eq!(ends, (vec2(0.0, 7.0), vec2(61.0, 50.0)));
    assert_eq!(mesh.route(vec2(f32::NAN, 7.0), vec2(59.0, 50.0)), None);
    // Start and target in one point.
    let route = mesh.route(vec2(3.0, 7.0), vec2(3.0, 7.0)).unwrap();
    assert_eq!(route, Route { points: vec![vec2(3.0, 7.0); 2], length: 0.0 });
    // Nothing is free.
    let all = [Shape::box_between(vec2(-1.0, -1.0), vec2(101.0, 101.0)).into()];
    let mesh = NavMesh::new(&all, &walls(), 1.0, 0.02).unwrap();
    assert_eq!((mesh.nearest_free(Vec2::ZERO), mesh.route(Vec2::ZERO, Vec2::ONE)), (None, None));
}

#[test]
fn a_way_runs_along_walls_that_touch_and_starts_and_ends_on_their_outline() {
    // Three boxes in a row, whose grown upper sides are one line: y = 21.
    let row =
        [10.0, 20.0, 30.0].map(|x| Shape::box_between(vec2(x, 10.0), vec2(x + 10.0, 20.0)).into());
    let mesh = NavMesh::new(&row, &Space::OPEN, 1.0, 0.02).unwrap();
    let route = mesh.route(vec2(12.0, 21.0), vec2(38.0, 21.0)).unwrap();
    assert_eq!(route, Route { points: vec![vec2(12.0, 21.0), vec2(38.0, 21.0)], length: 26.0 });
    // From the middle of the lower side to the middle of the upper side, round one end.
    let route = mesh.route(vec2(12.0, 9.0), vec2(12.0, 21.0)).unwrap();
    assert!((17.0..18.0).contains(&route.length), "{route:?}");
}

#[test]
fn worlds_and_numbers_without_a_mesh_are_refused_by_name() {
    let none: [Obstacle<Vec2>; 0] = [];
    let refused = |space: &Space<Vec2>, clearance, tolerance| {
        NavMesh::new(&none, space, clearance, tolerance).unwrap_err()
    };
    let bounds = Bounds { min: Vec2::ZERO, max: vec2(9.0, 9.0), edge: Edge::Wrap };
    assert_eq!(refused(&Space::new(Some(bounds)), 1.0, 0.1), NavMeshError::Wrapped);
    assert_eq!(refused(&walls(), 0.0, 0.1), NavMeshError::Clearance(0.0));
    assert!(matches!(refused(&walls(), 1.0, f32::NAN), NavMeshError::Tolerance(_)));
    let far = [Shape::Circle { center: vec2(0.0, f32::INFINITY), radius: 1.0 }.into()];
    let error = NavMesh::new(&far, &walls(), 1.0, 0.1).unwrap_err();
    assert_eq!(error, NavMeshError::Obstacle(0));
    let ball = [Shape::Circle { center: vec3(0.0, 0.0, 0.0), radius: 1.0 }.into()];
    let error = NavMesh::new(&ball, &Space::<Vec3>::OPEN, 1.0, 0.1).unwrap_err();
    assert_eq!(error.to_string(), "the world has 3 dimensions; allowed: 2");
}
