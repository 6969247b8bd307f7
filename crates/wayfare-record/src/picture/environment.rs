//! The environment of the agents: bounds, obstacles, paths, flow fields, lines, exits, sources and
//! the pointer.

use tiny_skia::Color;
use wayfare::Vector;
use wayfare::crowd::Line;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam::Vec2;
use wayfare::spatial::space::Edge;
use wayfare::vector::Up;

use super::camera::Camera;
use super::canvas::{Canvas, Pen};
use super::color::{self, ink};
use super::geometry::{Point, Rect, point};

/// The background inside the bounds.
pub(super) fn floor(canvas: &mut Canvas, bounds: Rect) {
    canvas.polygon(&bounds.corners(), ink(color::PAPER, 1.0), None);
}

/// The outline of the bounds (pixels): dashed for an open edge, solid for a wall, long dashes
/// for a reflecting edge, dotted with arrows across the line for a wrapped edge.
pub(super) fn edge(canvas: &mut Canvas, bounds: Rect, edge: Edge) {
    let corners = bounds.corners();
    let side = |from: usize| (corners[from], corners[(from + 1) % 4]);
    canvas.lines((0..4).map(side), &edge_pen(edge));
    if edge == Edge::Wrap {
        for i in 0..4 {
            let (a, b) = side(i);
            let out = (a + b) * 0.5 - bounds.middle();
            for part in [0.25, 0.75] {
                let at = a + (b - a) * part;
                chevron(
                    canvas,
                    at - out.unit() * 1.0,
                    out.unit(),
                    5.0,
                    &Pen::new(1.8, ink(color::EDGE, 0.9)).round(),
                );
                chevron(
                    canvas,
                    at + out.unit() * 5.0,
                    out.unit(),
                    5.0,
                    &Pen::new(1.8, ink(color::EDGE, 0.9)).round(),
                );
            }
        }
    }
}

pub(super) fn edge_pen(edge: Edge) -> Pen {
    match edge {
        Edge::Open => Pen::new(1.3, ink(color::EDGE, 0.55)).dashed(&[9.0, 6.0]),
        Edge::Wall => Pen::new(3.0, ink(color::EDGE, 1.0)).round(),
        Edge::Bounce => Pen::new(3.0, ink(color::EDGE, 1.0)).dashed(&[24.0, 4.0]),
        Edge::Wrap => Pen::new(2.2, ink(color::EDGE, 0.75)).round().dashed(&[0.1, 6.0]),
    }
}

/// An open arrow head with its point at `tip`.
fn chevron(canvas: &mut Canvas, tip: Point, direction: Point, size: f64, pen: &Pen) {
    let (back, across) = (direction * -size, direction.across() * size);
    canvas.lines([(tip + back + across, tip), (tip, tip + back - across)].into_iter(), pen);
}

/// An obstacle; in 3D its projection.
pub(super) fn obstacle<V: Vector>(canvas: &mut Canvas, camera: &Camera, shape: &Shape<V>) {
    canvas.polygon(&outline(camera, shape), ink(color::OBSTACLE, 1.0), Some(&obstacle_pen()));
}

/// The area of an exit.
pub(super) fn exit<V: Vector>(canvas: &mut Canvas, camera: &Camera, shape: &Shape<V>) {
    canvas.polygon(&outline(camera, shape), exit_ink(), Some(&exit_pen()));
}

/// The area of a source.
pub(super) fn source<V: Vector>(canvas: &mut Canvas, camera: &Camera, shape: &Shape<V>) {
    canvas.polygon(&outline(camera, shape), source_ink(), Some(&source_pen()));
}

pub(super) fn source_ink() -> Color {
    ink(color::SOURCE, color::SOURCE_OPACITY)
}

pub(super) fn source_pen() -> Pen {
    Pen::new(1.3, ink(color::SOURCE, 0.7))
}

pub(super) fn exit_ink() -> Color {
    ink(color::EXIT, color::EXIT_OPACITY)
}

pub(super) fn exit_pen() -> Pen {
    Pen::new(1.3, ink(color::EXIT, 0.6)).dashed(&[3.0, 4.0])
}

/// A line that counts crossings, with an arrow on its left.
pub(super) fn line<V: Vector>(canvas: &mut Canvas, camera: &Camera, line: &Line<V>) {
    mark_line(canvas, camera.of(line.from), camera.of(line.to), camera.up(), 5.0);
}

/// The mark of a line that counts crossings.
pub(super) fn mark_line(canvas: &mut Canvas, from: Point, to: Point, up: Up, size: f64) {
    let pen = Pen::new(1.6, ink(color::LINE, 0.85)).round();
    let left = (to - from).unit().across() * f64::from(up.sense());
    let ends = [from, to].map(|end| (end - left * (size * 0.8), end + left * (size * 0.8)));
    canvas.lines([(from, to)].into_iter().chain(ends), &pen);
    chevron(canvas, (from + to) * 0.5 + left * (size * 1.6), left, size * 0.8, &pen);
}

fn outline<V: Vector>(camera: &Camera, shape: &Shape<V>) -> Vec<Point> {
    match shape {
        Shape::Circle { center, radius } => {
            disc(camera.of(*center), camera.length(*radius).max(1.5))
        }
        Shape::Box { center, half, angle } => {
            let up = camera.up();
            let (center, half) = (Point::from(up.ground(*center)), Point::from(up.ground(*half)));
            let turn = Point::from(<Vec2 as Vector>::direction_unit(up.sense() * *angle));
            Rect::new(half * -1.0, half)
                .corners()
                .map(|corner| camera.at(center + turn * corner.x + turn.across() * corner.y))
                .to_vec()
        }
        Shape::Segment { from, to, thickness } => {
            capsule(camera.of(*from), camera.of(*to), (camera.length(*thickness) * 0.5).max(1.0))
        }
        Shape::Polygon { points } => points.iter().map(|&p| camera.at(p)).collect(),
    }
}

pub(super) fn obstacle_pen() -> Pen {
    Pen::new(1.4, ink(color::OBSTACLE_EDGE, 1.0)).round()
}

/// The corners of a disc; their number keeps each side within 0.1 pixels of the circle.
fn disc(center: Point, radius: f64) -> Vec<Point> {
    arc(center, point(1.0, 0.0), radius, 2.0)
}

/// The corners of a thick line with round ends.
fn capsule(a: Point, b: Point, radius: f64) -> Vec<Point> {
    let direction = (b - a).unit();
    if direction == Point::default() {
        return disc(a, radius);
    }
    let mut points = arc(b, direction.across() * -1.0, radius, 1.0);
    points.extend(arc(a, direction.across(), radius, 1.0));
    points
}

/// The corners of an arc of `half_turns` from the direction `start` on, turning from x to y.
fn arc(center: Point, start: Point, radius: f64, half_turns: f64) -> Vec<Point> {
    let count = (half_turns * (4.0 + 4.0 * radius.sqrt())).min(20_000.0) as u32;
    let corner = |i: u32| {
        let turn = Point::from(<Vec2 as Vector>::direction_unit(
            (f64::from(i) / f64::from(count) * half_turns * core::f64::consts::PI) as f32,
        ));
        center + (start * turn.x + start.across() * turn.y) * radius
    };
    (0..=count).map(corner).collect()
}

/// A path: the band of its radius, its line, discs on its points, and arrows in the direction of
/// travel.
pub(super) fn path<V: Vector>(canvas: &mut Canvas, camera: &Camera, path: &Path<V>) {
    let pieces = || path.pieces().map(|(a, b)| (camera.of(a), camera.of(b)));
    let Some(first) = path.points().first().map(|p| camera.of(*p)) else { return };
    let band =
        Pen::new(camera.length(path.radius) * 2.0, ink(color::PATH, color::PATH_BAND)).round();
    let lone = path.points().len() == 1;
    if path.radius > 0.0 {
        canvas.lines(pieces().chain(lone.then_some((first, first))), &band);
    }
    canvas.lines(pieces(), &Pen::new(1.2, ink(color::PATH, 0.6)).round());

    // Short segments are probably those of a flattened curve: then only the ends are marked.
    let (mut length, mut count) = (0.0, 0);
    for (a, b) in pieces() {
        length += (b - a).length();
        count += 1;
    }
    let marked = if length / f64::from(count.max(1)) >= 40.0 { path.points().len() } else { 1 };
    let outline = Pen::new(1.4, ink(color::PATH, 0.9));
    for (i, p) in path.points().iter().enumerate() {
        if i < marked || (!path.is_closed() && i + 1 == path.points().len()) {
            canvas.disc(camera.of(*p), 3.0, ink(color::PAPER, 1.0), Some(&outline));
        }
    }
    arrows(canvas, pieces(), length);
}

/// A flow field: faint arrows.
pub(super) fn field<V: Vector>(canvas: &mut Canvas, camera: &Camera, arrows: &[(V, V)]) {
    for (center, vector) in arrows {
        let up = camera.up();
        let (center, half) = (up.ground(*center), up.ground(*vector) * 0.32);
        mark_stroke(canvas, camera.at(center - half), camera.at(center + half));
    }
}

/// The mark of a vector of a flow field.
pub(super) fn mark_stroke(canvas: &mut Canvas, from: Point, to: Point) {
    let pen = Pen::new(1.0, ink(color::PATH, 0.38)).round();
    canvas.lines([(from, to)].into_iter(), &pen);
    chevron(canvas, to, (to - from).unit(), (0.28 * (to - from).length()).min(4.0), &pen);
}

/// An arrow about every 110 pixels along a path, away from its ends.
fn arrows(canvas: &mut Canvas, pieces: impl Iterator<Item = (Point, Point)>, length: f64) {
    let sheet = canvas.sheet().grown(10.0);
    let spacing = if length < 110.0 { length } else { length / (length / 110.0).round() };
    if length.is_nan() || length < 24.0 {
        return;
    }
    let pen = Pen::new(1.8, ink(color::PATH, 0.95)).round();
    let mut before = 0.0;
    for (a, b) in pieces {
        let (direction, piece) = ((b - a).unit(), (b - a).length());
        if let Some((enter, leave)) = sheet.part(a, b) {
            let mut arrow_index = ((before + enter * piece) / spacing - 0.5).ceil();
            // On a very long path adding 1 to the index may not change it: the loop is bounded.
            for _ in 0..1000 {
                let along = (arrow_index + 0.5) * spacing - before;
                if along > leave * piece || along > piece {
                    break;
                }
                // Away from corners, where the arrow would hide the disc of the path's point.
                let along = if piece < 26.0 { along } else { along.clamp(13.0, piece - 13.0) };
                chevron(canvas, a + direction * (along + 3.0), direction, 5.0, &pen);
                arrow_index += 1.0;
            }
        }
        before += piece;
    }
}

/// The pointer: a cross and a ring, open in the middle for agents.
pub(super) fn pointer(canvas: &mut Canvas, at: Point, size: f64) {
    let spokes = |from: f64, to: f64| {
        [point(1.0, 0.0), point(0.0, 1.0), point(-1.0, 0.0), point(0.0, -1.0)]
            .into_iter()
            .map(move |unit| (at + unit * (from * size), at + unit * (to * size)))
    };
    let ring = |canvas: &mut Canvas, pen: &Pen| {
        let clear = ink(color::PAPER, 0.0);
        canvas.disc(at, 10.0 * size, clear, Some(pen));
        canvas.lines(spokes(6.5, 15.0), pen);
    };
    ring(canvas, &Pen::new(4.5, ink(color::PAPER, 0.9)).round());
    ring(canvas, &Pen::new(1.8, ink(color::POINTER, 1.0)).round());
}
