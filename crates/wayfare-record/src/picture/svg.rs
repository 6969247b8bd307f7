//! SVG as the [`Medium`] of a picture: a text that any browser shows, sharp at any size, with its
//! texts as texts.
//!
//! The same picture is the same bytes. Places are written to a hundredth of a pixel, lines that
//! meet are joined to one, and points that lie on the way between their neighbors are left out: a
//! picture with long trails of thousands of agents is a megabyte or two.

use core::fmt::Write;
use std::collections::HashMap;

use tiny_skia::Color;

use super::canvas::{Letters, Medium, Pen};
use super::geometry::{Point, Rect, point};
use super::text::Side;

/// A point may be left out if it is not farther than this from the line without it (hundredths of a
/// pixel).
const STRAIGHT: f64 = 20.0;
/// How many points in a row may be left out: each is looked at again with every one that follows.
const MOST_LEFT_OUT: usize = 40;

/// The text of a picture.
pub(super) struct Svg {
    width: u32,
    height: u32,
    ground: Color,
    body: String,
    /// The looks of marks, by the text of their style; the class of one is its number.
    looks: HashMap<String, usize>,
    styles: Vec<String>,
    /// The names that are taken: no two things in a file have the same.
    names: Vec<String>,
    /// Whether each group that has begun is written: one whose name is taken goes on without.
    open: Vec<bool>,
    /// The part of the sheet that is cut out.
    parts: Vec<Rect>,
    /// Squares of one color that follow one another are one path.
    squares: Option<(Color, u8)>,
}

impl Svg {
    pub(super) fn new(width: u32, height: u32, ground: Color) -> Self {
        let (body, looks, styles) = (String::new(), HashMap::new(), Vec::new());
        let names = ["name", "about", "cut"].map(str::to_string).to_vec();
        Self {
            width,
            height,
            ground,
            body,
            looks,
            styles,
            names,
            open: Vec::new(),
            parts: Vec::new(),
            squares: None,
        }
    }

    /// The whole file; `name` is what it shows, and `about` tells what is in it.
    pub(super) fn into_text(mut self, name: &str, about: &str) -> String {
        self.end_squares();
        let (width, height) = (self.width, self.height);
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg \
             xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" xml:space=\"preserve\" role=\"img\" \
             aria-labelledby=\"name about\">\n<title id=\"name\">{}</title>\n<desc \
             id=\"about\">{}</desc>\n",
            escaped(name),
            escaped(about)
        );
        text.push_str("<style>\ntext{font-family:Inter,\"Helvetica Neue\",Arial,sans-serif}\n");
        for (i, style) in self.styles.iter().enumerate() {
            let _ = writeln!(text, ".c{i}{{{style}}}");
        }
        text.push_str("</style>\n");
        for (i, part) in self.parts.iter().enumerate() {
            let _ = writeln!(
                text,
                "<clipPath id=\"cut{}\"><rect width=\"{}\" height=\"{}\"/></clipPath>",
                number_of(i),
                part.width(),
                part.height()
            );
        }
        let _ = writeln!(
            text,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
            hex(self.ground)
        );
        text.push_str(&self.body);
        text.push_str("</svg>\n");
        text
    }

    /// The class of a look.
    fn class(&mut self, style: String) -> usize {
        let next = self.styles.len();
        let styles = &mut self.styles;
        *self.looks.entry(style).or_insert_with_key(|style| {
            styles.push(style.clone());
            next
        })
    }

    fn shape_class(&mut self, color: Color, outline: Option<&Pen>) -> usize {
        let mut style = paint("fill", color);
        if let Some(pen) = outline {
            style.push(';');
            style.push_str(&stroke(pen));
        }
        self.class(style)
    }

    fn end_squares(&mut self) {
        if self.squares.take().is_some() {
            self.body.push_str("\"/>\n");
        }
    }
}

impl Medium for Svg {
    fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>) {
        self.end_squares();
        let class = self.shape_class(color, outline);
        let _ = write!(self.body, "<path class=\"c{class}\" d=\"");
        let points: Vec<_> = points.iter().map(|&p| Spot::of(p)).collect();
        push_way(&mut self.body, &points);
        self.body.push_str("z\"/>\n");
    }

    fn lines(&mut self, lines: &[(Point, Point)], pen: &Pen) {
        self.end_squares();
        let class = self.class(format!("fill:none;{}", stroke(pen)));
        let _ = write!(self.body, "<path class=\"c{class}\" d=\"");
        for way in joined(lines) {
            push_way(&mut self.body, &straightened(&way));
        }
        self.body.push_str("\"/>\n");
    }

    fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>) {
        self.end_squares();
        let class = self.shape_class(color, outline);
        let Spot { x, y } = Spot::of(center);
        let _ = write!(self.body, "<circle class=\"c{class}\" cx=\"");
        push_hundredths(&mut self.body, x);
        self.body.push_str("\" cy=\"");
        push_hundredths(&mut self.body, y);
        self.body.push_str("\" r=\"");
        push_hundredths(&mut self.body, hundredths(radius));
        self.body.push_str("\"/>\n");
    }

    fn square(&mut self, at: Point, size: u8, color: Color) {
        if self.squares != Some((color, size)) {
            self.end_squares();
            let class = self.class(format!("{};shape-rendering:crispEdges", paint("fill", color)));
            let _ = write!(self.body, "<path class=\"c{class}\" d=\"");
            self.squares = Some((color, size));
        }
        let _ = write!(self.body, "M{} {}h{size}v{size}h-{size}z", at.x, at.y);
    }

    fn text(&mut self, text: &str, letters: Letters<'_>, from: Point, width: f64, color: Color) {
        self.end_squares();
        let weight = if letters.font.bold { ";font-weight:600" } else { "" };
        let (anchor, from) = if letters.side == Side::Left {
            ("", from)
        } else {
            (";text-anchor:end", from + point(width, 0.0))
        };
        let class = self.class(format!(
            "{};font-size:{}px{weight}{anchor}",
            paint("fill", color),
            letters.size
        ));
        let Spot { x, y } = Spot::of(from);
        let _ = write!(self.body, "<text class=\"c{class}\" x=\"");
        push_hundredths(&mut self.body, x);
        self.body.push_str("\" y=\"");
        push_hundredths(&mut self.body, y);
        // Where the font is another, its letters are spread or drawn together: what stands beside
        // it is not met.
        self.body.push_str("\" textLength=\"");
        push_hundredths(&mut self.body, hundredths(width));
        let _ =
            writeln!(self.body, "\" lengthAdjust=\"spacingAndGlyphs\">{}</text>", escaped(text));
    }

    fn begin(&mut self, name: &str, title: &str) {
        self.end_squares();
        let new = !self.names.iter().any(|taken| taken == name);
        if new {
            let _ = writeln!(
                self.body,
                "<g id=\"{}\"><title>{}</title>",
                escaped(name),
                escaped(title)
            );
            self.names.push(name.to_string());
        }
        self.open.push(new);
    }

    fn end(&mut self) {
        self.end_squares();
        if self.open.pop() == Some(true) {
            self.body.push_str("</g>\n");
        }
    }

    fn begin_part(&mut self, part: Rect) {
        self.end_squares();
        let _ = writeln!(
            self.body,
            "<g transform=\"translate({} {})\" clip-path=\"url(#cut{})\">",
            part.low.x,
            part.low.y,
            number_of(self.parts.len())
        );
        self.parts.push(part);
    }

    fn end_part(&mut self) {
        self.end_squares();
        self.body.push_str("</g>\n");
    }
}

/// The first thing of its kind has no number.
fn number_of(i: usize) -> String {
    if i == 0 { String::new() } else { i.to_string() }
}

/// A place in whole hundredths of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Spot {
    x: i32,
    y: i32,
}

impl Spot {
    fn of(p: Point) -> Self {
        Self { x: hundredths(p.x), y: hundredths(p.y) }
    }

    /// How far it is from the line from `a` to `b` (hundredths of a pixel).
    fn off(self, a: Spot, b: Spot) -> f64 {
        let at = |s: Spot| point(f64::from(s.x), f64::from(s.y));
        let (way, here) = (at(b) - at(a), at(self) - at(a));
        let square = way.x * way.x + way.y * way.y;
        let along = if square == 0.0 {
            0.0
        } else {
            ((here.x * way.x + here.y * way.y) / square).clamp(0.0, 1.0)
        };
        (here - way * along).length()
    }
}

fn hundredths(x: f64) -> i32 {
    (x * 100.0).round() as i32
}

/// Lines that begin where another ends become one way with it.
fn joined(lines: &[(Point, Point)]) -> Vec<Vec<Spot>> {
    let mut ways: Vec<Vec<Spot>> = Vec::new();
    // The way that ends at a place, if one does.
    let mut ends: HashMap<Spot, usize> = HashMap::new();
    for &(a, b) in lines {
        let (a, b) = (Spot::of(a), Spot::of(b));
        let way = ends.remove(&a).unwrap_or_else(|| {
            ways.push(vec![a]);
            ways.len() - 1
        });
        ways[way].push(b);
        ends.insert(b, way);
    }
    ways
}

/// A way without the points that hardly bend it.
fn straightened(way: &[Spot]) -> Vec<Spot> {
    let mut kept = vec![way[0]];
    let mut from = 0;
    for i in 1..way.len() {
        let next = i + 1;
        let fits = |next: usize| {
            next - from <= MOST_LEFT_OUT
                && way[from + 1..next].iter().all(|p| p.off(way[from], way[next]) <= STRAIGHT)
        };
        if next == way.len() || !fits(next) {
            kept.push(way[i]);
            from = i;
        }
    }
    kept
}

/// Writes a way as the commands of a path.
fn push_way(out: &mut String, way: &[Spot]) {
    let mut before = way[0];
    out.push('M');
    push_pair(out, before.x, before.y);
    for (i, &spot) in way[1..].iter().enumerate() {
        // After its first pair the letter may be left out.
        let apart = if i == 0 {
            out.push('l');
            false
        } else {
            true
        };
        let (x, y) = (spot.x - before.x, spot.y - before.y);
        if apart && x >= 0 {
            out.push(' ');
        }
        push_pair(out, x, y);
        before = spot;
    }
}

fn push_pair(out: &mut String, x: i32, y: i32) {
    push_hundredths(out, x);
    if y >= 0 {
        out.push(' ');
    }
    push_hundredths(out, y);
}

/// Writes hundredths as a number without needless zeros.
fn push_hundredths(out: &mut String, x: i32) {
    let sign = if x < 0 { "-" } else { "" };
    let (whole, part) = (x.unsigned_abs() / 100, x.unsigned_abs() % 100);
    let _ = match (whole, part) {
        (_, 0) => write!(out, "{sign}{whole}"),
        (0, _) if part % 10 == 0 => write!(out, "{sign}.{}", part / 10),
        (0, _) => write!(out, "{sign}.{part:02}"),
        _ if part % 10 == 0 => write!(out, "{sign}{whole}.{}", part / 10),
        _ => write!(out, "{sign}{whole}.{part:02}"),
    };
}

/// A color as the value of `fill` or `stroke`, and how opaque it is.
fn paint(key: &str, color: Color) -> String {
    if color.alpha() == 0.0 {
        return format!("{key}:none");
    }
    let opacity = (f64::from(color.alpha()) * 1000.0).round() / 1000.0;
    if opacity == 1.0 {
        format!("{key}:{}", hex(color))
    } else {
        format!("{key}:{};{key}-opacity:{opacity}", hex(color))
    }
}

fn hex(color: Color) -> String {
    let color = color.to_color_u8();
    format!("#{:02x}{:02x}{:02x}", color.red(), color.green(), color.blue())
}

fn stroke(pen: &Pen) -> String {
    let width = (pen.width.clamp(0.1, super::canvas::WIDEST) * 100.0).round() / 100.0;
    let mut style = format!("{};stroke-width:{width}", paint("stroke", pen.color));
    if pen.round {
        style.push_str(";stroke-linecap:round;stroke-linejoin:round");
    }
    if !pen.dashes.is_empty() {
        let dashes: Vec<String> = pen.dashes.iter().map(f32::to_string).collect();
        let _ = write!(style, ";stroke-dasharray:{}", dashes.join(" "));
    }
    style
}

/// `text` as it may stand in XML. What may not stand there at all is a space, as it is in pixels.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(spots: &[(i32, i32)]) -> Vec<Spot> {
        spots.iter().map(|&(x, y)| Spot { x, y }).collect()
    }

    fn text(way: &[Spot]) -> String {
        let mut out = String::new();
        push_way(&mut out, way);
        out
    }

    #[test]
    fn numbers_are_short_and_never_run_into_one_another() {
        assert_eq!(
            text(&way(&[(0, 0), (100, -5), (50, -10), (51, 240), (-1234, 240)])),
            "M0 0l1-.05-.5-.05 .01 2.5-12.85 0"
        );
    }

    #[test]
    fn lines_that_meet_are_one_way_and_others_are_not() {
        let p = |x: f64| point(x, x * x);
        let lines = [
            (p(0.0), p(1.0)),
            (p(5.0), p(6.0)),
            (p(1.0), p(2.0)),
            (p(6.0), p(7.0)),
            (p(1.0), p(9.0)),
        ];
        let ways: Vec<usize> = joined(&lines).iter().map(Vec::len).collect();
        assert_eq!(ways, [3, 3, 2]);
    }

    #[test]
    fn points_on_the_way_are_left_out_and_bends_are_kept() {
        let line: Vec<_> = (0..30).map(|i| Spot { x: i * 100, y: i % 2 }).collect();
        assert_eq!(straightened(&line).len(), 2);
        let arc: Vec<_> = (0..200).map(|i| Spot { x: i * 100, y: (i - 100) * (i - 100) }).collect();
        let kept = straightened(&arc);
        assert!(kept.len() < 100 && kept.len() > 10, "{}", kept.len());
        for p in &arc {
            let off =
                kept.windows(2).map(|ends| p.off(ends[0], ends[1])).fold(f64::INFINITY, f64::min);
            assert!(off <= STRAIGHT, "{p:?} is {off} off");
        }
        assert_eq!(straightened(&way(&[(0, 0), (0, 0)])).len(), 2);
        // Forth and back is no straight line.
        assert_eq!(straightened(&way(&[(0, 0), (500, 0), (0, 0)])).len(), 3);
    }

    #[test]
    fn what_xml_forbids_is_escaped_or_a_space() {
        assert_eq!(
            escaped("a<b>&\"c\"\u{0}\u{1b}\n\u{ffff}é漢"),
            "a&lt;b&gt;&amp;&quot;c&quot;    é漢"
        );
    }
}
