//! Text: outlines of the font Inter, filled like any other shape.
//!
//! The fonts are subsets of Inter 3 (© The Inter Project Authors, SIL Open Font License 1.1; the
//! license is next to the font files) with Latin, Greek and Cyrillic letters; other characters are
//! drawn as an empty box. Ligatures and scripts from right to left are not supported.

use tiny_skia::{Color, Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::canvas::{Canvas, TextStyle};
use super::geometry::{Point, point};

/// A font of one weight.
pub(super) struct Font {
    /// Whether its weight is semibold.
    pub(super) bold: bool,
    /// None only if the embedded file is broken; a test checks that it is not.
    face: Option<Face<'static>>,
}

/// The fonts of a picture.
pub(super) struct Fonts {
    pub(super) regular: Font,
    pub(super) bold: Font,
}

impl Fonts {
    pub(super) fn new() -> Self {
        let font = |bold, bytes| Font { bold, face: Face::parse(bytes, 0).ok() };
        Self {
            regular: font(false, super::FONT),
            bold: font(true, include_bytes!("../../assets/Inter-SemiBold.otf")),
        }
    }
}

/// The position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The point is at its left end.
    Left,
    /// The point is at its right end.
    Right,
}

impl Font {
    fn glyphs<'t>(&self, text: &'t str) -> impl Iterator<Item = (GlyphId, f64)> + use<'_, 't> {
        self.face.iter().flat_map(move |face| {
            // Line ends and other control characters are spaces.
            let shown = text.chars().filter(|&c| !is_invisible(c));
            shown.map(|c| if c.is_control() { ' ' } else { c }).map(move |c| {
                let glyph = face.glyph_index(c).unwrap_or_default();
                (
                    glyph,
                    f64::from(face.glyph_hor_advance(glyph).unwrap_or(0))
                        / f64::from(face.units_per_em()),
                )
            })
        })
    }

    /// The width of `text` at `size` (pixels).
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        self.glyphs(text).map(|(_, advance)| advance).sum::<f64>() * size
    }

    /// `text`, or the beginning of it that fits into `width` (pixels) with an ellipsis.
    pub(super) fn shortened(&self, text: &str, size: f64, width: f64) -> String {
        if self.width(text, size) <= width {
            return text.to_string();
        }
        let mut rest = width - self.width("…", size);
        let mut short = String::new();
        for c in text.chars() {
            rest -= self.width(c.encode_utf8(&mut [0; 4]), size);
            if rest < 0.0 {
                break;
            }
            short.push(c);
        }
        short.truncate(short.trim_end().len());
        short.push('…');
        short
    }

    pub(super) fn outline(&self, text: &str, size: f64, from: Point) -> Option<Path> {
        let face = self.face.as_ref()?;
        let scale = size / f64::from(face.units_per_em());
        let mut outline = Outline { path: PathBuilder::new(), from, scale };
        for (glyph, advance) in self.glyphs(text) {
            face.outline_glyph(glyph, &mut outline);
            outline.from.x += advance * size;
        }
        outline.path.finish()
    }
}

/// Whether `c` only modifies its neighbors: joiners, combining marks, variation selectors. They are
/// left out.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}

struct Outline {
    path: PathBuilder,
    from: Point,
    scale: f64,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (
            (self.from.x + f64::from(x) * self.scale) as f32,
            (self.from.y - f64::from(y) * self.scale) as f32,
        )
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}

impl Canvas<'_> {
    /// Writes `text` with its baseline through `at`; returns its width (pixels).
    pub(super) fn write(
        &mut self,
        font: &Font,
        text: &str,
        size: f64,
        at: Point,
        side: Side,
        color: Color,
    ) -> f64 {
        let width = font.width(text, size);
        let from = if side == Side::Left { at } else { at - point(width, 0.0) };
        self.text(text, TextStyle { font, size, side }, from, width, color);
        width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_the_characters_that_pictures_use() {
        let fonts = Fonts::new();
        for font in [&fonts.regular, &fonts.bold] {
            let face = font.face.as_ref().unwrap();
            for c in "Tick 0123456789,.-+… ·→↓×äéÑßŁøαωЖя".chars() {
                assert!(face.glyph_index(c).is_some_and(|glyph| glyph.0 != 0), "{c}");
            }
        }
        assert!(fonts.bold.width("walkers", 15.0) > fonts.regular.width("walkers", 15.0));
    }

    #[test]
    fn a_text_that_is_too_long_ends_in_an_ellipsis_and_fits() {
        let font = Fonts::new().regular;
        assert_eq!(font.shortened("short", 15.0, 100.0), "short");
        let short = font.shortened("a very long name that does not fit", 15.0, 100.0);
        assert!(
            short.starts_with("a very")
                && short.ends_with('…')
                && font.width(&short, 15.0) <= 100.0,
            "{short}"
        );
        assert_eq!(font.shortened("a", 15.0, 0.0), "…");
    }

    #[test]
    fn missing_glyphs_and_line_ends_are_drawn_and_combining_marks_have_no_width() {
        let font = Fonts::new().regular;
        assert!(font.outline("漢字\n\t\u{0}👩‍👩", 20.0, Point::default()).is_some());
        assert!(font.outline("", 20.0, Point::default()).is_none());
        assert_eq!(font.width("a\u{308}", 20.0), font.width("a", 20.0));
    }
}
