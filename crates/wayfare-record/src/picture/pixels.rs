//! Pixels as the [`Backend`] of a picture: tiny-skia without the operations that round differently
//! from platform to platform.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Stroke,
    StrokeDash, Transform,
};

use super::canvas::{Backend, Pen, TextStyle, WIDEST};
use super::geometry::{Point, Rect, point};

/// A sheet of pixels.
pub(crate) struct Pixels {
    /// The sheet and the parts that were begun, each with the position of its corner.
    parts: Vec<(Pixmap, i32, i32)>,
}

impl Pixels {
    /// A sheet of at least one pixel, filled with `ground`.
    pub(super) fn new(width: u32, height: u32, ground: Color) -> Self {
        let mut sheet = blank(width, height);
        sheet.fill(ground);
        Self { parts: vec![(sheet, 0, 0)] }
    }

    /// The pixels of the whole sheet.
    pub(super) fn into_pixmap(mut self) -> Pixmap {
        while self.parts.len() > 1 {
            self.end_part();
        }
        self.parts.pop().map_or_else(|| blank(1, 1), |(sheet, _, _)| sheet)
    }

    fn fill_path(&mut self, path: &Path, color: Color) {
        if let Some((sheet, _, _)) = self.parts.last_mut() {
            sheet.fill_path(path, &paint(color), FillRule::Winding, Transform::identity(), None);
        }
    }

    fn stroke_path(&mut self, path: &Path, pen: &Pen) {
        let (line_cap, line_join) = if pen.round {
            (LineCap::Round, LineJoin::Round)
        } else {
            (LineCap::Butt, LineJoin::Miter)
        };
        let dash =
            if pen.dashes.is_empty() { None } else { StrokeDash::new(pen.dashes.clone(), 0.0) };
        let stroke = Stroke {
            width: pen.width.clamp(0.1, WIDEST) as f32,
            miter_limit: 4.0,
            line_cap,
            line_join,
            dash,
        };
        if let Some((sheet, _, _)) = self.parts.last_mut() {
            sheet.stroke_path(path, &paint(pen.color), &stroke, Transform::identity(), None);
        }
    }

    fn shape(&mut self, path: Option<Path>, color: Color, outline: Option<&Pen>) {
        let Some(path) = path else { return };
        self.fill_path(&path, color);
        if let Some(pen) = outline {
            self.stroke_path(&path, pen);
        }
    }
}

impl Backend for Pixels {
    fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>) {
        self.shape(closed(points), color, outline);
    }

    fn lines(&mut self, lines: &[(Point, Point)], pen: &Pen) {
        let mut path = PathBuilder::new();
        for &(a, b) in lines {
            // A line of length 0 gets a small length, so that round caps make it a dot.
            let b = if a == b { b + point(0.01, 0.0) } else { b };
            path.move_to(a.x as f32, a.y as f32);
            path.line_to(b.x as f32, b.y as f32);
        }
        if let Some(path) = path.finish() {
            self.stroke_path(&path, pen);
        }
    }

    fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>) {
        self.shape(
            PathBuilder::from_circle(center.x as f32, center.y as f32, radius as f32),
            color,
            outline,
        );
    }

    fn square(&mut self, at: Point, size: u8, color: Color) {
        let square =
            tiny_skia::Rect::from_xywh(at.x as f32, at.y as f32, f32::from(size), f32::from(size));
        if let (Some(square), Some((sheet, _, _))) = (square, self.parts.last_mut()) {
            sheet.fill_rect(
                square,
                &Paint { anti_alias: false, ..paint(color) },
                Transform::identity(),
                None,
            );
        }
    }

    fn text(&mut self, text: &str, style: TextStyle<'_>, from: Point, _: f64, color: Color) {
        if let Some(path) = style.font.outline(text, style.size, from) {
            self.fill_path(&path, color);
        }
    }

    fn begin(&mut self, _: &str, _: &str) {}

    fn end(&mut self) {}

    fn begin_part(&mut self, part: Rect) {
        self.parts.push((
            blank(part.width() as u32, part.height() as u32),
            part.low.x as i32,
            part.low.y as i32,
        ));
    }

    fn end_part(&mut self) {
        let part = self.parts.pop();
        if let (Some((part, x, y)), Some((below, _, _))) = (part, self.parts.last_mut()) {
            below.draw_pixmap(
                x,
                y,
                part.as_ref(),
                &PixmapPaint::default(),
                Transform::identity(),
                None,
            );
        }
    }
}

fn blank(width: u32, height: u32) -> Pixmap {
    let Some(sheet) = Pixmap::new(width.max(1), height.max(1)) else {
        // Only a size beyond memory is refused, and these are at most some million pixels.
        unreachable!("a sheet of {width} x {height} pixels")
    };
    sheet
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
