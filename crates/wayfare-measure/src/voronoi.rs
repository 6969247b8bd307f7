//! Voronoi cells of agents, cut at walls: the individual areas of pedestrians.
//!
//! The cell of an agent is all that is nearer to it than to any other agent, inside the bounds and
//! outside the obstacles; of several parts the one that holds the agent (PedPy,
//! `compute_individual_voronoi_polygons`; B. Steffen, A. Seyfried, "Methods for measuring
//! pedestrian density, flow, speed and direction with minimal scatter", Physica A 389, 2010). The
//! neighbors come from a Delaunay triangulation, so that a cell is a box cut by a few half-planes.

use std::collections::HashMap;

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;
use spade::{DelaunayTriangulation, HasPosition, Point2, Triangulation};

use crate::error::Fault;
use crate::frame::Frame;
use crate::line::{Line, side};
use crate::world::{Flat, MeasuredWorld, Outline, circle};

/// The cell of an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// The outer outline, counter-clockwise, and then its holes.
    rings: Vec<Outline>,
    /// Its size (length^2); agents at one position share theirs.
    pub(crate) area: f64,
    /// The part of the cell that is the agent's.
    share: f64,
}

/// The circle around an agent that bounds its cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CutOff {
    /// The radius (length).
    pub(crate) radius: f64,
    /// The segments of a quarter of the circle.
    pub(crate) quad_segments: usize,
}

impl CutOff {
    /// The cut-off by the parameters of a measure.
    ///
    /// # Errors
    /// Cells without a cut-off in a world without bounds.
    pub(crate) fn new(
        radius: Option<f32>,
        quad_segments: f32,
        world: &MeasuredWorld,
    ) -> Result<Option<Self>, Fault> {
        if radius.is_none() && world.bounds.is_none() {
            let message = "`cut_off` is missing: without bounds the outer cells are infinite";
            let allowed = "a `cut_off`, such as 1, or `bounds` at the top of the scene";
            return Err(("cut_off", message.to_string(), allowed.to_string()));
        }
        let quad_segments = quad_segments as usize;
        Ok(radius.map(|radius| Self { radius: radius.into(), quad_segments }))
    }
}

struct Site(Flat);

impl HasPosition for Site {
    type Scalar = f64;
    fn position(&self) -> Point2<f64> {
        Point2::new(self.0[0], self.0[1])
    }
}

/// The cell of each agent of the frame; `None` for an agent outside the bounds or inside an
/// obstacle.
pub(crate) fn cells(frame: &Frame, cut_off: Option<CutOff>) -> Vec<Option<Cell>> {
    let world = &frame.world;
    // Agents at one position share a cell.
    let mut sharing: HashMap<[u64; 2], (usize, usize)> = HashMap::new();
    let key = |p: Flat| p.map(|x| (x + 0.0).to_bits());
    for (i, body) in frame.bodies.iter().enumerate() {
        sharing.entry(key(body.flat())).or_insert((i, 0)).1 += 1;
    }
    let mut triangulation = DelaunayTriangulation::<Site>::new();
    let mut handles = vec![None; frame.bodies.len()];
    for shift in world.images(false) {
        for (i, body) in frame.bodies.iter().enumerate() {
            let [x, y] = body.flat();
            if sharing[&key([x, y])].0 != i {
                continue;
            }
            // Positions are finite.
            let handle = triangulation.insert(Site([x + shift[0], y + shift[1]])).ok();
            if shift == [0.0; 3] {
                handles[i] = handle;
            }
        }
    }
    let clips: Vec<(Outline, Flat, Flat)> = world
        .images(false)
        .iter()
        .flat_map(|shift| {
            world.walls.iter().map(move |wall| {
                let wall: Outline =
                    wall.iter().map(|[x, y]| [x + shift[0], y + shift[1]]).collect();
                let (low, high) = extent(&wall);
                (wall, low, high)
            })
        })
        .collect();
    let mut cells: Vec<Option<Cell>> = vec![None; frame.bodies.len()];
    for (i, body) in frame.bodies.iter().enumerate() {
        let at = body.flat();
        let (first, count) = sharing[&key(at)];
        if first != i {
            cells[i] = cells[first].clone();
            continue;
        }
        let Some(vertex) = handles[i].map(|handle| triangulation.vertex(handle)) else { continue };
        let mut outline = start(at, world, cut_off);
        for edge in vertex.out_edges() {
            let other = edge.to().data().0;
            outline = nearer(&outline, at, other);
        }
        if let Some(cut) = cut_off {
            let disc = circle(at, cut.radius, 4 * cut.quad_segments);
            outline = clipped(&outline, &disc);
        }
        cells[i] = cut_at_walls(outline, at, &clips).and_then(|rings| {
            let share = 1.0 / count as f64;
            let area = rings_area(&rings) * share;
            (area > 0.0).then_some(Cell { rings, area, share })
        });
    }
    cells
}

impl Cell {
    /// The size of the part that is in a convex outline (length^2).
    pub(crate) fn area_in(&self, convex: &[Flat]) -> f64 {
        let part = |ring: &Outline| area(&clipped(ring, convex));
        // Holes are clockwise: their areas are below zero.
        self.rings.iter().map(part).sum::<f64>() * self.share
    }

    /// The length of the part of a line that is in the cell (length).
    pub(crate) fn length_on(&self, line: &Line) -> f64 {
        let [dx, dy] = [line.to[0] - line.from[0], line.to[1] - line.from[1]];
        let mut cuts = vec![0.0, 1.0];
        for ring in &self.rings {
            for (a, b) in edges(ring) {
                let (sa, sb) = (side(line.from, line.to, a), side(line.from, line.to, b));
                if (sa > 0.0) == (sb > 0.0) {
                    continue;
                }
                let part = sa / (sa - sb);
                let p = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
                let along = (p[0] - line.from[0]) * dx + (p[1] - line.from[1]) * dy;
                cuts.push((along / (dx * dx + dy * dy)).clamp(0.0, 1.0));
            }
        }
        cuts.sort_unstable_by(f64::total_cmp);
        let inside = |t: f64| self.contains([line.from[0] + t * dx, line.from[1] + t * dy]);
        let parts = cuts.windows(2).filter(|w| w[1] > w[0] && inside(0.5 * (w[0] + w[1])));
        parts.map(|w| w[1] - w[0]).sum::<f64>() * line.length() * self.share
    }

    fn contains(&self, p: Flat) -> bool {
        self.rings.iter().filter(|ring| is_inside(ring, p)).count() % 2 == 1
    }
}

/// The box from which a cell is cut.
fn start(at: Flat, world: &MeasuredWorld, cut_off: Option<CutOff>) -> Outline {
    let (low, high) = match (world.bounds, cut_off) {
        (Some((min, max)), _) if world.wraps => {
            let size = [max[0] - min[0], max[1] - min[1]];
            ([at[0] - size[0], at[1] - size[1]], [at[0] + size[0], at[1] + size[1]])
        }
        (Some((min, max)), _) => ([min[0], min[1]], [max[0], max[1]]),
        (None, Some(CutOff { radius, .. })) => {
            ([at[0] - radius, at[1] - radius], [at[0] + radius, at[1] + radius])
        }
        // Refused when the measure began.
        (None, None) => return Vec::new(),
    };
    if at[0] < low[0] || at[0] > high[0] || at[1] < low[1] || at[1] > high[1] {
        return Vec::new();
    }
    vec![low, [high[0], low[1]], high, [low[0], high[1]]]
}

/// The part of an outline that is nearer to `at` than to `other`.
fn nearer(outline: &[Flat], at: Flat, other: Flat) -> Outline {
    let normal = [other[0] - at[0], other[1] - at[1]];
    let middle = [0.5 * (at[0] + other[0]), 0.5 * (at[1] + other[1])];
    half_plane(outline, |p| (middle[0] - p[0]) * normal[0] + (middle[1] - p[1]) * normal[1])
}

/// The part of an outline where `height` is at least 0; `height` is linear (I. Sutherland, G.
/// Hodgman, "Reentrant polygon clipping", 1974).
fn half_plane(outline: &[Flat], height: impl Fn(Flat) -> f64) -> Outline {
    let mut part = Vec::with_capacity(outline.len() + 1);
    for (a, b) in edges(outline) {
        let (ha, hb) = (height(a), height(b));
        if ha >= 0.0 {
            part.push(a);
        }
        if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
            let t = ha / (ha - hb);
            part.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
        }
    }
    part
}

/// The part of an outline inside a convex one, which is counter-clockwise. Parts of an outline that
/// is not convex stay joined by edges of no area.
fn clipped(outline: &[Flat], convex: &[Flat]) -> Outline {
    edges(convex).fold(outline.to_vec(), |part, (a, b)| half_plane(&part, |p| side(a, b, p)))
}

/// The part of a convex outline outside the walls that holds the agent: its outer ring and holes.
fn cut_at_walls(
    outline: Outline,
    at: Flat,
    walls: &[(Outline, Flat, Flat)],
) -> Option<Vec<Outline>> {
    if outline.len() < 3 {
        return None;
    }
    let (low, high) = extent(&outline);
    let touched: Vec<Outline> = walls
        .iter()
        .filter(|(_, min, max)| (0..2).all(|i| min[i] <= high[i] && max[i] >= low[i]))
        .map(|(wall, ..)| wall.clone())
        .collect();
    if touched.is_empty() {
        return Some(vec![outline]);
    }
    let shapes = outline.overlay_as::<i64>(&touched, OverlayRule::Difference, FillRule::NonZero);
    let holds =
        |shape: &&Vec<Outline>| shape.iter().filter(|ring| is_inside(ring, at)).count() % 2 == 1;
    // Its outer rings are counter-clockwise and its holes clockwise.
    shapes.iter().find(holds).cloned()
}

/// The edges of an outline.
fn edges(outline: &[Flat]) -> impl Iterator<Item = (Flat, Flat)> + '_ {
    (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()]))
}

/// The area of an outline; above zero if it is counter-clockwise.
pub(crate) fn area(outline: &[Flat]) -> f64 {
    let Some(&first) = outline.first() else { return 0.0 };
    // Relative to a corner, so that outlines far from the origin lose no digits.
    0.5 * edges(outline).map(|(a, b)| side(first, a, b)).sum::<f64>()
}

fn rings_area(rings: &[Outline]) -> f64 {
    rings.iter().map(|ring| area(ring)).sum()
}

fn extent(outline: &[Flat]) -> (Flat, Flat) {
    let ends = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    outline.iter().fold(ends, |(low, high), p| {
        ([0, 1].map(|i| low[i].min(p[i])), [0, 1].map(|i| high[i].max(p[i])))
    })
}

/// Whether a point is inside an outline, by the crossings of a ray to the right.
fn is_inside(outline: &[Flat], p: Flat) -> bool {
    let crosses = |(a, b): &(Flat, Flat)| {
        (a[1] > p[1]) != (b[1] > p[1]) && (side(*a, *b, p) > 0.0) == (b[1] > a[1])
    };
    edges(outline).filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Moment;
    use crate::testing::frames;
    use std::sync::Arc;
    use wayfare::crowd::Setup;
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::spatial::space::{Bounds, Edge};

    /// A room of 4 by 2 with obstacles, and the areas of the cells of agents in it.
    fn areas(
        obstacles: Vec<Shape<Vec2>>,
        edge: Edge,
        cut_off: Option<CutOff>,
        at: &[Flat],
    ) -> Vec<Option<f64>> {
        let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(4.0, 2.0), edge });
        let world = MeasuredWorld::of(&Setup::<Vec2> { bounds, obstacles, ..Setup::default() });
        let tracks: Vec<_> = at.iter().map(|p| vec![Some(*p)]).collect();
        let bodies = frames(&tracks, |_, body| body).remove(0);
        let frame = Frame { at: Moment::default(), bodies, world: Arc::new(world) };
        let round = |cell: Cell| (cell.area * 1e6).round() / 1e6;
        cells(&frame, cut_off).into_iter().map(|cell| cell.map(round)).collect()
    }

    #[test]
    fn two_agents_divide_a_room_at_their_middle_and_one_alone_has_all_of_it() {
        let found = areas(Vec::new(), Edge::Wall, None, &[[0.5, 1.0], [1.5, 1.0]]);
        assert_eq!(found, [Some(2.0), Some(6.0)]);
        assert_eq!(areas(Vec::new(), Edge::Wall, None, &[[0.5, 1.0]]), [Some(8.0)]);
        let outside = areas(Vec::new(), Edge::Open, None, &[[0.5, 1.0], [9.5, 1.0]]);
        assert_eq!(outside, [Some(8.0), None]);
    }

    #[test]
    fn a_cell_is_cut_by_a_wall_and_keeps_the_part_that_holds_the_agent() {
        // The wall reaches through the room at x from 2 to 2.5: the right part is not reached.
        let wall = Shape::box_between(vec2(2.0, -1.0), vec2(2.5, 3.0));
        assert_eq!(areas(vec![wall.clone()], Edge::Wall, None, &[[0.5, 1.0]]), [Some(4.0)]);
        assert_eq!(areas(vec![wall.clone()], Edge::Wall, None, &[[3.5, 1.0]]), [Some(3.0)]);
        assert_eq!(areas(vec![wall], Edge::Wall, None, &[[2.2, 1.0]]), [None]);
        // With a gap of 1 the right part belongs to the cell.
        let wall = Shape::box_between(vec2(2.0, -1.0), vec2(2.5, 1.0));
        assert_eq!(areas(vec![wall], Edge::Wall, None, &[[0.5, 1.0]]), [Some(7.5)]);
        // A pillar is a hole.
        let pillar = Shape::box_between(vec2(3.0, 0.5), vec2(3.5, 1.0));
        assert_eq!(areas(vec![pillar], Edge::Wall, None, &[[0.5, 1.0]]), [Some(7.75)]);
        // A wall without thickness.
        let (from, to) = (vec2(3.0, -1.0), vec2(3.0, 3.0));
        let line = Shape::Segment { from, to, thickness: 0.0 };
        let found = areas(vec![line], Edge::Wall, None, &[[0.5, 1.0]])[0].unwrap();
        assert!((found - 6.0).abs() < 1e-5, "{found}");
    }

    #[test]
    fn a_cut_off_is_a_polygon_and_agents_at_one_position_share_a_cell() {
        // A quarter by one segment is a square with the diagonal 2 r.
        let cut = Some(CutOff { radius: 0.5, quad_segments: 1 });
        assert_eq!(areas(Vec::new(), Edge::Wall, cut, &[[2.0, 1.0]]), [Some(0.5)]);
        let found = areas(Vec::new(), Edge::Wall, None, &[[1.0, 1.0], [1.0, 1.0], [3.0, 1.0]]);
        assert_eq!(found, [Some(2.0), Some(2.0), Some(4.0)]);
    }

    #[test]
    fn cells_of_a_wrapped_world_reach_across_its_edges() {
        let found = areas(Vec::new(), Edge::Wrap, None, &[[0.5, 1.0], [1.5, 1.0]]);
        // To the middles at 1 and, across the edge, at -1.
        assert_eq!(found, [Some(4.0), Some(4.0)]);
        assert_eq!(areas(Vec::new(), Edge::Wrap, None, &[[0.5, 1.0]]), [Some(8.0)]);
    }

    #[test]
    fn the_parts_of_a_cell_in_an_area_and_on_a_line_add_up() {
        let rings = vec![
            vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]],
            vec![[1.0, 1.0], [1.0, 3.0], [3.0, 3.0], [3.0, 1.0]],
        ];
        let cell = Cell { area: rings_area(&rings), rings, share: 1.0 };
        assert_eq!(cell.area, 12.0);
        // Half of the ring around the hole.
        let half = [[0.0, 0.0], [2.0, 0.0], [2.0, 4.0], [0.0, 4.0]];
        assert_eq!(cell.area_in(&half), 6.0);
        // Through the hole: from 0 to 1 and from 3 to 4 of a line from -1 to 5.
        let line = Line { from: [-1.0, 2.0], to: [5.0, 2.0] };
        assert!((cell.length_on(&line) - 2.0).abs() < 1e-12);
    }
}
