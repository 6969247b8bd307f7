//! The drawing surface of pictures: a [`Canvas`] takes lines and shapes, clips them to its sheet,
//! and passes them to its [`Backend`], pixels or SVG.
//!
//! A backend knows no world, no agents and no legend, so two backends cannot show different
//! content.

use tiny_skia::Color;

use super::geometry::{Point, Rect, point};
use super::text::{Font, Side};

/// Shapes are clipped at this distance outside the sheet (pixels), so that no stroke along a
/// clipped edge is visible.
const BEYOND: f64 = 64.0;

/// The widest stroke (pixels): wider than any sheet.
pub(super) const WIDEST: f64 = 8192.0;

/// The output of a canvas. All positions are in pixels from the upper left corner of the innermost
/// part, and close to the sheet.
pub(super) trait Backend {
    /// A polygon, filled and then outlined.
    fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>);
    /// Lines drawn as one path: crossings and joints are not darker.
    fn lines(&mut self, lines: &[(Point, Point)], pen: &Pen);
    /// A disc, filled and then outlined.
    fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>);
    /// A square of whole pixels without antialiasing.
    fn square(&mut self, at: Point, size: u8, color: Color);
    /// A text of `width` from `from` on; its style says which of its ends is exact.
    fn text(&mut self, text: &str, style: TextStyle<'_>, from: Point, width: f64, color: Color);
    /// Begins a group with an identifier and a title for people; it lasts until
    /// [`end`](Self::end).
    fn begin(&mut self, name: &str, title: &str);
    /// Ends the group that [`begin`](Self::begin) began.
    fn end(&mut self);
    /// Clips everything until [`end_part`](Self::end_part) to a part of the sheet; positions are
    /// relative to its corner.
    fn begin_part(&mut self, part: Rect);
    /// Ends the part that [`begin_part`](Self::begin_part) began.
    fn end_part(&mut self);
}

/// A font, a size (pixels), and the end of the text that keeps its position in another font.
#[derive(Clone, Copy)]
pub(super) struct TextStyle<'f> {
    pub(super) font: &'f Font,
    pub(super) size: f64,
    pub(super) side: Side,
}

/// A sheet, or a part of one.
pub(super) struct Canvas<'m> {
    backend: &'m mut dyn Backend,
    sheet: Rect,
}

/// The width (pixels), color and style of a line.
#[derive(Clone, Debug)]
pub(super) struct Pen {
    pub(super) width: f64,
    pub(super) color: Color,
    pub(super) round: bool,
    /// The lengths of dashes and gaps (pixels); empty for a solid line.
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

impl<'m> Canvas<'m> {
    /// A sheet of this size (pixels) on `backend`.
    pub(super) fn new(backend: &'m mut dyn Backend, width: u32, height: u32) -> Self {
        Self {
            backend,
            sheet: Rect::new(Point::default(), point(f64::from(width), f64::from(height))),
        }
    }

    /// The whole sheet (pixels).
    pub(super) fn sheet(&self) -> Rect {
        self.sheet
    }

    /// Calls `draw` with a canvas for a part of the sheet, clipped to it, with the origin at its
    /// corner.
    pub(super) fn part<T>(
        &mut self,
        part: Rect,
        color: Color,
        draw: impl FnOnce(&mut Canvas<'_>) -> T,
    ) -> T {
        self.backend.begin_part(part);
        let mut canvas = Canvas {
            backend: &mut *self.backend,
            sheet: Rect::new(Point::default(), part.high - part.low),
        };
        canvas.backend.polygon(&canvas.sheet.corners(), color, None);
        let result = draw(&mut canvas);
        self.backend.end_part();
        result
    }

    /// Calls `draw` within a group with an identifier and a title for people.
    pub(super) fn group<T>(
        &mut self,
        name: &str,
        title: &str,
        draw: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.backend.begin(name, title);
        let result = draw(self);
        self.backend.end();
        result
    }

    /// A polygon, filled and then outlined.
    pub(super) fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>) {
        let cut = self.sheet.grown(BEYOND).cut_polygon(points);
        if cut.len() > 1 {
            self.backend.polygon(&cut, color, outline);
        }
    }

    /// Straight lines, clipped to the sheet and drawn as one path: crossings and joints are not
    /// darker.
    pub(super) fn lines(&mut self, lines: impl Iterator<Item = (Point, Point)>, pen: &Pen) {
        let sheet = self.sheet.grown(BEYOND + pen.width.min(WIDEST));
        let cut: Vec<_> = lines.filter_map(|(a, b)| sheet.cut(a, b)).collect();
        if !cut.is_empty() {
            self.backend.lines(&cut, pen);
        }
    }

    /// A disc no larger than the sheet, filled and then outlined; one outside the sheet is left
    /// out.
    pub(super) fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>) {
        if radius > 0.0 && radius < WIDEST && self.sheet.grown(radius + BEYOND).holds(center) {
            self.backend.disc(center, radius, color, outline);
        }
    }

    /// A square of whole pixels.
    pub(super) fn square(&mut self, at: Point, size: u8, color: Color) {
        self.backend.square(point(at.x.floor(), at.y.floor()), size, color);
    }

    /// Writes `text` from `from` on, with its baseline through `from`.
    pub(super) fn text(
        &mut self,
        text: &str,
        style: TextStyle<'_>,
        from: Point,
        width: f64,
        color: Color,
    ) {
        if !text.is_empty() {
            self.backend.text(text, style, from, width, color);
        }
    }
}
