//! SVG as the [`Backend`] of a picture: sharp at any size, with texts that can be searched.
//!
//! The same picture has the same bytes. Positions are written in hundredths of a pixel, connected
//! lines become one path, and points on the straight line between their neighbors are left out: a
//! picture with long trails of thousands of agents takes one or two megabytes.

use core::fmt::Write;
use std::collections::HashMap;

use tiny_skia::Color;

use super::canvas::{Backend, Pen, TextStyle};
use super::geometry::{Point, Rect, point};
use super::text::Side;

/// The largest distance of a point that is left out from the line without it (hundredths of a
/// pixel).
const TOLERANCE: f64 = 20.0;
/// The most consecutive points that are left out: each is tested again with every further one.
const MOST_LEFT_OUT: usize = 40;

/// The SVG text of a picture.
pub(super) struct Svg {
    width: u32,
    height: u32,
    ground: Color,
    body: String,
    /// The CSS classes of shapes, by the text of their style.
    classes: HashMap<String, usize>,
    styles: Vec<String>,
    /// The identifiers in use: each is unique in a file.
    names: Vec<String>,
    /// Whether each open group has an element: one whose identifier is in use has none.
    open: Vec<bool>,
    /// The parts of the sheet, as clip paths.
    parts: Vec<Rect>,
    /// The color and size of the squares of the open path: consecutive squares of one color are
    /// one path.
    squares: Option<(Color, u8)>,
}

impl Svg {
    pub(super) fn new(width: u32, height: u32, ground: Color) -> Self {
        let (body, classes, styles) = (String::new(), HashMap::new(), Vec::new());
        let names = ["name", "about", "cut"].map(str::to_string).to_vec();
        Self {
            width,
            height,
            ground,
            body,
            classes,
            styles,
            names,
            open: Vec::new(),
            parts: Vec::new(),
            squares: None,
        }
    }

    /// The whole file; `name` is its title and `about` its description.
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

    /// The class of a style.
    fn class(&mut self, style: String) -> usize {
        let next = self.styles.len();
        let styles = &mut self.styles;
        *self.classes.entry(style).or_insert_with_key(|style| {
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

impl Backend for Svg {
    fn polygon(&mut self, points: &[Point], color: Color, outline: Option<&Pen>) {
        self.end_squares();
        let class = self.shape_class(color, outline);
        let _ = write!(self.body, "<path class=\"c{class}\" d=\"");
        let points: Vec<_> = points.iter().map(|&p| Hundredths::of(p)).collect();
        push_polyline(&mut self.body, &points);
        self.body.push_str("z\"/>\n");
    }

    fn lines(&mut self, lines: &[(Point, Point)], pen: &Pen) {
        self.end_squares();
        let class = self.class(format!("fill:none;{}", stroke(pen)));
        let _ = write!(self.body, "<path class=\"c{class}\" d=\"");
        for polyline in joined(lines) {
            push_polyline(&mut self.body, &simplified(&polyline));
        }
        self.body.push_str("\"/>\n");
    }

    fn disc(&mut self, center: Point, radius: f64, color: Color, outline: Option<&Pen>) {
        self.end_squares();
        let class = self.shape_class(color, outline);
        let Hundredths { x, y } = Hundredths::of(center);
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

    fn text(&mut self, text: &str, style: TextStyle<'_>, from: Point, width: f64, color: Color) {
        self.end_squares();
        let weight = if style.font.bold { ";font-weight:600" } else { "" };
        let (anchor, from) = if style.side == Side::Left {
            ("", from)
        } else {
            (";text-anchor:end", from + point(width, 0.0))
        };
        let class = self.class(format!(
            "{};font-size:{}px{weight}{anchor}",
            paint("fill", color),
            style.size
        ));
        let Hundredths { x, y } = Hundredths::of(from);
        let _ = write!(self.body, "<text class=\"c{class}\" x=\"");
        push_hundredths(&mut self.body, x);
        self.body.push_str("\" y=\"");
        push_hundredths(&mut self.body, y);
        // Another font is stretched or compressed to the same width, so that texts do not overlap.
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

/// The number in the identifier of a part; the first has none.
fn number_of(i: usize) -> String {
    if i == 0 { String::new() } else { i.to_string() }
}

/// A point in whole hundredths of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Hundredths {
    x: i32,
    y: i32,
}

impl Hundredths {
    fn of(p: Point) -> Self {
        Self { x: hundredths(p.x), y: hundredths(p.y) }
    }

    /// The distance from the line from `a` to `b` (hundredths of a pixel).
    fn distance(self, a: Hundredths, b: Hundredths) -> f64 {
        let at = |s: Hundredths| point(f64::from(s.x), f64::from(s.y));
        let (line, here) = (at(b) - at(a), at(self) - at(a));
        let square = line.x * line.x + line.y * line.y;
        let along = if square == 0.0 {
            0.0
        } else {
            ((here.x * line.x + here.y * line.y) / square).clamp(0.0, 1.0)
        };
        (here - line * along).length()
    }
}

fn hundredths(x: f64) -> i32 {
    (x * 100.0).round() as i32
}

/// Joins lines that begin at the end of another to one polyline.
fn joined(lines: &[(Point, Point)]) -> Vec<Vec<Hundredths>> {
    let mut polylines: Vec<Vec<Hundredths>> = Vec::new();
    // The polyline that ends at each point.
    let mut ends: HashMap<Hundredths, usize> = HashMap::new();
    for &(a, b) in lines {
        let (a, b) = (Hundredths::of(a), Hundredths::of(b));
        let polyline = ends.remove(&a).unwrap_or_else(|| {
            polylines.push(vec![a]);
            polylines.len() - 1
        });
        polylines[polyline].push(b);
        ends.insert(b, polyline);
    }
    polylines
}

/// A polyline without the points that are close to the line between their neighbors.
fn simplified(polyline: &[Hundredths]) -> Vec<Hundredths> {
    let mut kept = vec![polyline[0]];
    let mut from = 0;
    for i in 1..polyline.len() {
        let next = i + 1;
        let fits = |next: usize| {
            next - from <= MOST_LEFT_OUT
                && polyline[from + 1..next]
                    .iter()
                    .all(|p| p.distance(polyline[from], polyline[next]) <= TOLERANCE)
        };
        if next == polyline.len() || !fits(next) {
            kept.push(polyline[i]);
            from = i;
        }
    }
    kept
}

/// Writes a polyline as the commands of a path.
fn push_polyline(out: &mut String, polyline: &[Hundredths]) {
    let mut before = polyline[0];
    out.push('M');
    push_pair(out, before.x, before.y);
    for (i, &points) in polyline[1..].iter().enumerate() {
        // The command letter is needed only before the first pair.
        let apart = if i == 0 {
            out.push('l');
            false
        } else {
            true
        };
        let (x, y) = (points.x - before.x, points.y - before.y);
        if apart && x >= 0 {
            out.push(' ');
        }
        push_pair(out, x, y);
        before = points;
    }
}

fn push_pair(out: &mut String, x: i32, y: i32) {
    push_hundredths(out, x);
    if y >= 0 {
        out.push(' ');
    }
    push_hundredths(out, y);
}

/// Writes hundredths as a number without trailing zeros.
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

/// A color as the value of `fill` or `stroke`, with its opacity.
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

/// `text` escaped for XML. Characters that XML forbids become spaces, as in pixels.
pub(crate) fn escaped(text: &str) -> String {
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

/// A file with further rules for viewers that show pages in dark colors: a class of each style.
pub(crate) fn both_schemes(svg: &str) -> String {
    let Some((start, rest)) = svg.split_once("</style>\n") else { return svg.to_string() };
    let mut rules = String::new();
    for rule in start.lines().filter(|line| line.starts_with(".c")) {
        let dark = in_dark(rule);
        if dark != rule {
            rules.push_str(&dark);
        }
    }
    let ground = rest.lines().find(|line| line.starts_with("<rect "));
    if let Some((_, fill)) = ground.and_then(|line| line.split_once("fill=\"")) {
        rules.push_str(&in_dark(&format!("svg>rect{{fill:{}}}", &fill[..7])));
    }
    format!("{start}@media(prefers-color-scheme:dark){{{rules}}}\n</style>\n{rest}")
}

/// A rule with dark colors in the place of its light ones.
fn in_dark(rule: &str) -> String {
    let mut parts = rule.split('#');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let color = part.get(..6).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match color {
            Some(color) => {
                let [_, red, green, blue] = color.to_be_bytes();
                text.push_str(&super::color::hex(super::color::in_dark([red, green, blue])));
                text.push_str(&part[6..]);
            }
            None => {
                text.push('#');
                text.push_str(part);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polyline(points: &[(i32, i32)]) -> Vec<Hundredths> {
        points.iter().map(|&(x, y)| Hundredths { x, y }).collect()
    }

    fn text(polyline: &[Hundredths]) -> String {
        let mut out = String::new();
        push_polyline(&mut out, polyline);
        out
    }

    #[test]
    fn numbers_are_short_and_separated() {
        assert_eq!(
            text(&polyline(&[(0, 0), (100, -5), (50, -10), (51, 240), (-1234, 240)])),
            "M0 0l1-.05-.5-.05 .01 2.5-12.85 0"
        );
    }

    #[test]
    fn connected_lines_become_one_polyline() {
        let p = |x: f64| point(x, x * x);
        let lines = [
            (p(0.0), p(1.0)),
            (p(5.0), p(6.0)),
            (p(1.0), p(2.0)),
            (p(6.0), p(7.0)),
            (p(1.0), p(9.0)),
        ];
        let polylines: Vec<usize> = joined(&lines).iter().map(Vec::len).collect();
        assert_eq!(polylines, [3, 3, 2]);
    }

    #[test]
    fn points_on_a_straight_line_are_left_out_and_bends_are_kept() {
        let line: Vec<_> = (0..30).map(|i| Hundredths { x: i * 100, y: i % 2 }).collect();
        assert_eq!(simplified(&line).len(), 2);
        let arc: Vec<_> =
            (0..200).map(|i| Hundredths { x: i * 100, y: (i - 100) * (i - 100) }).collect();
        let kept = simplified(&arc);
        assert!(kept.len() < 100 && kept.len() > 10, "{}", kept.len());
        for p in &arc {
            let off = kept
                .windows(2)
                .map(|ends| p.distance(ends[0], ends[1]))
                .fold(f64::INFINITY, f64::min);
            assert!(off <= TOLERANCE, "{p:?} is {off} off");
        }
        assert_eq!(simplified(&polyline(&[(0, 0), (0, 0)])).len(), 2);
        // A line that returns to its start is not straight.
        assert_eq!(simplified(&polyline(&[(0, 0), (500, 0), (0, 0)])).len(), 3);
    }

    #[test]
    fn characters_that_xml_forbids_are_escaped_or_spaces() {
        assert_eq!(
            escaped("a<b>&\"c\"\u{0}\u{1b}\n\u{ffff}é漢"),
            "a&lt;b&gt;&amp;&quot;c&quot;    é漢"
        );
    }
}
