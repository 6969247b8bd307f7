//! Plots as SVG for a page: lines over time, histograms and scatter plots. Their colors are
//! variables of the page's style, so that they follow its light or dark theme.

use std::fmt::Write;

use super::axis::Axis;
use crate::picture::{escaped, number};

/// The size of a plot and its margins (pixels).
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 240.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// About the width of a character of a label (pixels).
const CHARACTER: f64 = 7.0;
/// The most bars of a histogram; it has about 1.5 of the root of the number of values.
const MOST_BARS: f64 = 24.0;

/// A set of values with its name and color.
pub(super) struct Named<T> {
    pub(super) name: String,
    /// The CSS class of its color.
    pub(super) class: String,
    pub(super) data: T,
}

/// A line of a plot.
pub(super) struct LineData {
    pub(super) points: Vec<(f64, f64)>,
    /// Whether a value holds until the next one.
    pub(super) holds: bool,
}

/// Lines over x.
pub(super) fn lines(lines: &[Named<LineData>], x: &str, y: &str, about: &str) -> String {
    let all = || lines.iter().flat_map(|line| &line.data.points);
    let across = Axis::of(all().map(|p| p.0), false, 5, true);
    let sheet = Sheet::new(across, Axis::of(all().map(|p| p.1), true, 4, false));
    let mut svg = sheet.begin(x, y, about);
    for line in lines {
        let mut d = String::new();
        let mut before: Option<(f64, f64)> = None;
        for &(x, y) in &line.data.points {
            let (x, y) = sheet.at(x, y);
            let _ = match before {
                None => write!(d, "M{x} {y}"),
                Some((_, last)) if line.data.holds && last != y => write!(d, "H{x}V{y}"),
                Some(_) => write!(d, "L{x} {y}"),
            };
            before = Some((x, y));
        }
        // A single point is a dot.
        if line.data.points.len() == 1 {
            d.push_str("h0.01");
        }
        let _ = writeln!(svg, "<path class=\"line {}\" d=\"{d}\"/>", line.class);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Numbers of values by their size, stacked.
pub(super) fn histogram(sets: &[Named<&[f64]>], x: &str, about: &str) -> String {
    let all = || sets.iter().flat_map(|set| set.data.iter().copied());
    let count = all().count();
    let bars = (1.5 * (count as f64).sqrt()).ceil().clamp(5.0, MOST_BARS) as usize;
    let axis = Axis::of(all(), false, bars, false);
    let bars = axis.ticks().len().saturating_sub(1).max(1);
    let counts: Vec<Vec<usize>> = sets
        .iter()
        .map(|set| {
            let mut counts = vec![0; bars];
            for value in set.data {
                let bar = (axis.part(*value) * bars as f64 + 1e-9).floor();
                counts[bar.clamp(0.0, (bars - 1) as f64) as usize] += 1;
            }
            counts
        })
        .collect();
    let most = (0..bars).map(|bar| counts.iter().map(|set| set[bar]).sum::<usize>()).max();
    let upward = Axis::of([most.unwrap_or(0) as f64], true, 4, false);
    // Fewer labels than bars.
    let across = Axis::of([axis.low, axis.high], false, 5, true);
    let sheet = Sheet::new(across, upward);
    let mut svg = sheet.begin(x, "number", about);
    let width = (axis.high - axis.low) / bars as f64;
    let mut below = vec![0; bars];
    for (set, counts) in sets.iter().zip(&counts) {
        let mut d = String::new();
        for (bar, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let left = axis.low + bar as f64 * width;
            let (x0, y0) = sheet.at(left, below[bar] as f64);
            let (x1, y1) = sheet.at(left + width, (below[bar] + count) as f64);
            let _ = write!(d, "M{x0} {y0}V{y1}H{x1}V{y0}z");
            below[bar] += count;
        }
        let _ = writeln!(svg, "<path class=\"bar {}\" d=\"{d}\"/>", set.class);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Points.
pub(super) fn scatter(points: &[(f64, f64)], x: &str, y: &str, about: &str) -> String {
    let sheet = Sheet::new(
        Axis::of(points.iter().map(|p| p.0), true, 5, false),
        Axis::of(points.iter().map(|p| p.1), true, 4, false),
    );
    let mut svg = sheet.begin(x, y, about);
    let mut d = String::new();
    for &(x, y) in points {
        let (x, y) = sheet.at(x, y);
        let _ = write!(d, "M{x} {y}h0");
    }
    let _ = writeln!(svg, "<path class=\"dots all\" d=\"{d}\"/>");
    svg.push_str("</svg>\n");
    svg
}

/// A plot between its axes.
struct Sheet {
    x: Axis,
    y: Axis,
    left: f64,
}

impl Sheet {
    fn new(x: Axis, y: Axis) -> Self {
        let widest = y.ticks().iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        Self { x, y, left: 34.0 + CHARACTER * widest as f64 }
    }

    /// The position of a value (pixels), in tenths.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let tenth = |x: f64| (x * 10.0).round() / 10.0;
        (
            tenth(self.left + self.x.part(x) * (WIDTH - RIGHT - self.left)),
            tenth(TOP + (1.0 - self.y.part(y)) * (HEIGHT - TOP - BOTTOM)),
        )
    }

    /// The start of a file: the axes and their names.
    fn begin(&self, x: &str, y: &str, about: &str) -> String {
        let mut svg = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             aria-label=\"{}\">\n",
            escaped(about)
        );
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let mut grid = String::new();
        for (value, label) in self.y.ticks() {
            let (_, at) = self.at(self.x.low, value);
            let _ = write!(grid, "M{} {at}H{right}", self.left);
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" class=\"end\">{label}</text>",
                self.left - 7.0,
                at + 4.0
            );
        }
        let mut ticks = String::new();
        for (value, label) in self.x.ticks() {
            let (at, _) = self.at(value, self.y.low);
            let _ = write!(ticks, "M{at} {bottom}v5");
            let _ = writeln!(
                svg,
                "<text x=\"{at}\" y=\"{}\" class=\"middle\">{label}</text>",
                bottom + 18.0
            );
        }
        let _ = writeln!(svg, "<path class=\"grid\" d=\"{grid}\"/>");
        let _ =
            writeln!(svg, "<path class=\"axis\" d=\"M{} {bottom}H{right}{ticks}\"/>", self.left);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" class=\"middle name\">{}</text>",
            0.5 * (self.left + right),
            HEIGHT - 4.0,
            escaped(x)
        );
        let middle = 0.5 * (TOP + bottom);
        let _ = writeln!(
            svg,
            "<text transform=\"translate(13 {middle}) rotate(-90)\" class=\"middle \
             name\">{}</text>",
            escaped(y)
        );
        svg
    }
}

/// The range of the finite values, in words.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> String {
    let all = values.into_iter().filter(|x| x.is_finite());
    let range = all.fold(None, |range: Option<[f64; 2]>, x| {
        let [low, high] = range.unwrap_or([x, x]);
        Some([low.min(x), high.max(x)])
    });
    range.map_or_else(
        || "no values".to_string(),
        |[low, high]| format!("from {} to {}", number(low), number(high)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_every_value_once() {
        let values = [1.0, 1.5, 2.0, 2.0, 9.0];
        let set = Named { name: String::new(), class: "all".to_string(), data: &values[..] };
        let svg = histogram(&[set], "time", "Times");
        // Each bar is a path of five commands; the axis upward ends at the largest number, 2.
        let bars = svg.split("class=\"bar all\" d=\"").nth(1).unwrap();
        let bars = bars.split('"').next().unwrap();
        assert_eq!(bars.matches('z').count(), 3, "{bars}");
        assert!(svg.contains(">2</text>") && svg.contains("aria-label=\"Times\""), "{svg}");
        assert!(roxmltree::Document::parse(&svg).is_ok());
    }

    #[test]
    fn a_plot_of_names_that_are_markup_is_escaped() {
        let data = LineData { points: vec![(0.0, 1.0), (1.0, 2.0)], holds: true };
        let line = Named { name: String::new(), class: "all".to_string(), data };
        let svg = lines(&[line], "<script>", "a & \"b\"", "</svg>");
        let text = roxmltree::Document::parse(&svg).unwrap();
        assert!(text.descendants().any(|node| node.text() == Some("<script>")), "{svg}");
    }
}
