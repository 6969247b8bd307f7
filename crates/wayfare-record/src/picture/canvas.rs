//! What is drawn, before it is pixels or SVG: a [`Canvas`] takes strokes and fillings, cuts them to
//! its sheet, and hands them to its [`Medium`].
//!
//! There is one source of what a picture shows. A medium knows no world, no agents and no legend,
//! so two media cannot show different things.

use tiny_skia::Color;

use super::geometry::{Point, Rect, point};
use super::text::{Font, Side};

/// How far beyond the sheet shapes are kept (pixels): no stroke that follows a cut is that wide.
const BEYOND: f64 = 64.0;

/// The widest stroke (pixels): wider than any sheet.
pub(super) const WIDEST: f64 = 8192.0;

/// What marks are put on. All places are in pixels from the upper left corner of the innermost
/// part, and not far off the sheet.
pub(super) trait Medium {
    /// A polygon, filled and then outlined.
    fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>);
    /// Lines drawn as one: where they cross or meet, nothing is darker.
    fn lines(&mut self, lines: &[(Point, Point)], pen: &Pen);
    /// A disc, filled and then outlined.
    fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>);
    /// A square of whole pixels around which nothing is softened.
    fn square(&mut self, at: Point, size: u8, color: Color);
    /// A text that is `width` wide and begins at `from`; its letters say which of its ends has to
    /// be exact.
    fn text(&mut self, text: &str, letters: Letters<'_>, from: Point, width: f64, color: Color);
    /// What comes until [`end`](Self::end) belongs together, under a name of its own and with a
    /// title that a person can read.
    fn begin(&mut self, name: &str, title: &str);
    /// The end of what [`begin`](Self::begin) began.
    fn end(&mut self);
    /// What comes until [`end_part`](Self::end_part) is cut to a part of the sheet, and counted
    /// from that part's corner.
    fn begin_part(&mut self, part: Rect);
    /// The end of what [`begin_part`](Self::begin_part) began.
    fn end_part(&mut self);
}

/// A font, a size (pixels), and the end of a text that stays where it is in another font.
#[derive(Clone, Copy)]
pub(super) struct Letters<'f> {
    pub(super) font: &'f Font,
    pub(super) size: f64,
    pub(super) side: Side,
}

/// A sheet, or a part of one, and what is on it.
pub(super) struct Canvas<'m> {
    medium: &'m mut dyn Medium,
    sheet: Rect,
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

impl<'m> Canvas<'m> {
    /// A sheet of this size (pixels) on `medium`.
    pub(super) fn new(medium: &'m mut dyn Medium, width: u32, height: u32) -> Self {
        Self {
            medium,
            sheet: Rect::new(Point::default(), point(f64::from(width), f64::from(height))),
        }
    }

    /// The whole sheet (pixels).
    pub(super) fn sheet(&self) -> Rect {
        self.sheet
    }

    /// Lets `draw` draw on a part of the sheet with a corner and whole pixels of its own, where
    /// nothing reaches beyond it.
    pub(super) fn part<T>(
        &mut self,
        part: Rect,
        color: Color,
        draw: impl FnOnce(&mut Canvas<'_>) -> T,
    ) -> T {
        self.medium.begin_part(part);
        let mut canvas = Canvas {
            medium: &mut *self.medium,
            sheet: Rect::new(Point::default(), part.high - part.low),
        };
        canvas.medium.polygon(&canvas.sheet.corners(), color, None);
        let result = draw(&mut canvas);
        self.medium.end_part();
        result
    }

    /// What `draw` draws belongs together: it has a name, which is a word, and a title for people.
    pub(super) fn group<T>(
        &mut self,
        name: &str,
        title: &str,
        draw: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.medium.begin(name, title);
        let result = draw(self);
        self.medium.end();
        result
    }

    /// A polygon, filled and then outlined.
    pub(super) fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>) {
        let cut = self.sheet.grown(BEYOND).cut_polygon(points);
        if cut.len() > 1 {
            self.medium.polygon(&cut, color, outline);
        }
    }

    /// Straight lines, cut to the sheet and drawn as one: where they cross or meet, nothing is
    /// darker.
    pub(super) fn lines(&mut self, lines: impl Iterator<Item = (Point, Point)>, pen: &Pen) {
        let sheet = self.sheet.grown(BEYOND + pen.width.min(WIDEST));
        let cut: Vec<_> = lines.filter_map(|(a, b)| sheet.cut(a, b)).collect();
        if !cut.is_empty() {
            self.medium.lines(&cut, pen);
        }
    }

    /// A disc that is no larger than the sheet, filled and then outlined; one that is off the sheet
    /// is left out.
    pub(super) fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>) {
        if radius > 0.0 && radius < WIDEST && self.sheet.grown(radius + BEYOND).holds(center) {
            self.medium.disc(center, radius, color, outline);
        }
    }

    /// A square of whole pixels.
    pub(super) fn square(&mut self, at: Point, size: u8, color: Color) {
        self.medium.square(point(at.x.floor(), at.y.floor()), size, color);
    }

    /// Writes `text` from `from` on, on the line that goes through it.
    pub(super) fn text(
        &mut self,
        text: &str,
        letters: Letters<'_>,
        from: Point,
        width: f64,
        color: Color,
    ) {
        if !text.is_empty() {
            self.medium.text(text, letters, from, width, color);
        }
    }
}
