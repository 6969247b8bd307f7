//! A sheet of pixels, and the strokes and fillings that go on it.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Stroke, StrokeDash, Transform};

use super::geometry::{Point, Rect, point};

/// How far beyond the sheet shapes are kept (pixels): no stroke that follows a cut is that wide.
const BEYOND: f64 = 64.0;

/// The widest stroke (pixels): wider than any sheet.
const WIDEST: f64 = 8192.0;

/// A sheet of pixels.
pub(super) struct Canvas {
    pub(super) pixmap: Pixmap,
}

/// A line's width (pixels), color and manner.
#[derive(Clone, Debug)]
pub(super) struct Pen {
    pub(super) width: f64,
    pub(super) color: Color,
    pub(super) round: bool,
    /// The lengths of dashes and gaps (pixels); none for a line without gaps.
    pub(super) dashes: Vec<f32>,
}

impl Pen {
    pub(super) fn new(width: f64, color: Color) -> Self {
        Self { width, color, round: false, dashes: Vec::new() }
    }

    pub(super) fn round(self) -> Self {
        Self { round: true, ..self }
    }

    pub(super) fn dashed(self, dashes: &[f32]) -> Self {
        Self { dashes: dashes.to_vec(), ..self }
    }
}

impl Canvas {
    /// A sheet of at least one pixel; `None` if the memory for it cannot be had.
    pub(super) fn new(width: u32, height: u32, color: Color) -> Option<Self> {
        let mut pixmap = Pixmap::new(width.max(1), height.max(1))?;
        pixmap.fill(color);
        Some(Self { pixmap })
    }

    /// The whole sheet (pixels).
    pub(super) fn sheet(&self) -> Rect {
        Rect::new(Point::default(), point(f64::from(self.pixmap.width()), f64::from(self.pixmap.height())))
    }

    pub(super) fn fill_path(&mut self, path: Option<Path>, color: Color) {
        if let Some(path) = path {
            self.pixmap.fill_path(&path, &paint(color), FillRule::Winding, Transform::identity(), None);
        }
    }

    pub(super) fn stroke_path(&mut self, path: Option<Path>, pen: &Pen) {
        let Some(path) = path else { return };
        let (line_cap, line_join) = if pen.round { (LineCap::Round, LineJoin::Round) } else { (LineCap::Butt, LineJoin::Miter) };
        let dash = if pen.dashes.is_empty() { None } else { StrokeDash::new(pen.dashes.clone(), 0.0) };
        let stroke = Stroke { width: pen.width.clamp(0.1, WIDEST) as f32, miter_limit: 4.0, line_cap, line_join, dash };
        self.pixmap.stroke_path(&path, &paint(pen.color), &stroke, Transform::identity(), None);
    }

    /// A polygon, filled and then outlined.
    pub(super) fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>) {
        let cut = self.sheet().grown(BEYOND).cut_polygon(points);
        let path = closed(&cut);
        if let Some(pen) = outline {
            self.fill_path(path.clone(), color);
            self.stroke_path(path, pen);
        } else {
            self.fill_path(path, color);
        }
    }

    /// Straight lines, cut to the sheet and drawn as one: where they cross or meet, nothing is darker.
    pub(super) fn lines(&mut self, lines: impl Iterator<Item = (Point, Point)>, pen: &Pen) {
        let sheet = self.sheet().grown(BEYOND + pen.width.min(WIDEST));
        let mut path = PathBuilder::new();
        for (a, b) in lines {
            if let Some((a, b)) = sheet.cut(a, b) {
                add_line(&mut path, a, b);
            }
        }
        self.stroke_path(path.finish(), pen);
    }

    /// A disc that is no larger than the sheet, filled and then outlined; one that is off the sheet is left out.
    pub(super) fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>) {
        if radius > 0.0 && radius < WIDEST && self.sheet().grown(radius + BEYOND).holds(center) {
            let path = PathBuilder::from_circle(center.x as f32, center.y as f32, radius as f32);
            self.fill_path(path.clone(), color);
            if let Some(pen) = outline {
                self.stroke_path(path, pen);
            }
        }
    }

    /// A square of whole pixels.
    pub(super) fn square(&mut self, at: Point, size: u8, color: Color) {
        if let Some(square) = tiny_skia::Rect::from_xywh(at.x.floor() as f32, at.y.floor() as f32, f32::from(size), f32::from(size)) {
            self.pixmap.fill_rect(square, &Paint { anti_alias: false, ..paint(color) }, Transform::identity(), None);
        }
    }

    /// Lays another sheet on this one, its corner at (`x`, `y`).
    pub(super) fn lay(&mut self, other: &Canvas, x: u32, y: u32) {
        self.pixmap.draw_pixmap(x as i32, y as i32, other.pixmap.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
}

/// Adds a line of its own to `path`; one without length gets a little, so that round ends make a dot of it.
pub(super) fn add_line(path: &mut PathBuilder, a: Point, b: Point) {
    let b = if a == b { b + point(0.01, 0.0) } else { b };
    path.move_to(a.x as f32, a.y as f32);
    path.line_to(b.x as f32, b.y as f32);
}

/// The closed path through `points`; none for fewer than two.
fn closed(points: &[Point]) -> Option<Path> {
    let (first, rest) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(first.x as f32, first.y as f32);
    for p in rest {
        path.line_to(p.x as f32, p.y as f32);
    }
    path.close();
    path.finish()
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color);
    paint
}
