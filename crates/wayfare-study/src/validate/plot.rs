//! A picture of a series as SVG: what was reached, with its spread, beside what was expected.

use std::fmt::Write;

use super::report::Chart;

/// The size of the picture, and of the room beside its axes (pixels).
const SIZE: [f64; 2] = [560.0, 360.0];
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 50.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 20.0;
/// The colors of expected and reached values: blue and vermilion of Okabe and Ito, which are told
/// apart by all readers and on white and dark paper.
const EXPECTED: &str = "#0072b2";
const REACHED: &str = "#d55e00";

/// An axis: its largest value and the distance of its marks.
fn axis(largest: f64) -> (f64, f64) {
    let rough = largest / 5.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough);
    let step = step.unwrap_or(10.0 * power);
    ((largest / step).ceil() * step, step)
}

/// The picture.
pub(super) fn svg(chart: &Chart) -> String {
    let plot = &chart.plot;
    let largest = |column: fn(&[f64; 4]) -> f64, curve: usize| {
        let points = chart.points.iter().map(column);
        let all = points.chain(plot.curve.iter().map(|p| p[curve]));
        all.filter(|x| x.is_finite()).fold(f64::MIN_POSITIVE, f64::max)
    };
    let (right, x_step) = axis(largest(|p| p[0], 0));
    let (top, y_step) = axis(largest(|p| p[1].max(p[2] + p[3]), 1));
    let x = |value: f64| LEFT + value / right * (SIZE[0] - LEFT - RIGHT);
    let y = |value: f64| SIZE[1] - BOTTOM - value / top * (SIZE[1] - BOTTOM - TOP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#ffffff\"/>\n",
        SIZE[0], SIZE[1], SIZE[0]
    );
    let mut put = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "{text}");
    };
    put(format_args!(
        "<text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>",
        escaped(&plot.title)
    ));
    let marks =
        |top: f64, step: f64| (0..=(top / step).round() as u32).map(move |i| f64::from(i) * step);
    for value in marks(right, x_step) {
        let at = x(value);
        put(format_args!(
            "<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"#dddddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{}</text>",
            y(0.0),
            y(top),
            y(0.0) + 18.0,
            short(value)
        ));
    }
    for value in marks(top, y_step) {
        let at = y(value);
        put(format_args!(
            "<path d=\"M{:.1} {at:.1}H{:.1}\" stroke=\"#dddddd\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            x(0.0),
            x(right),
            LEFT - 8.0,
            at + 4.0,
            short(value)
        ));
    }
    put(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        x(right / 2.0),
        SIZE[1] - 12.0,
        escaped(&plot.x)
    ));
    put(format_args!(
        "<text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        y(top / 2.0),
        escaped(&plot.y)
    ));
    let line = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let points: Vec<String> = points.map(|[a, b]| format!("{:.1},{:.1}", x(a), y(b))).collect();
        points.join(" ")
    };
    let expected = || chart.points.iter().map(|p| [p[0], p[1]]);
    let expected_line = if plot.curve.is_empty() {
        line(&mut expected())
    } else {
        line(&mut plot.curve.iter().copied().filter(|p| p[1] <= top))
    };
    put(format_args!(
        "<polyline points=\"{expected_line}\" fill=\"none\" stroke=\"{EXPECTED}\" \
         stroke-width=\"1.5\"/>"
    ));
    if plot.curve.is_empty() {
        for [a, b] in expected() {
            put(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\" fill=\"{EXPECTED}\"/>",
                x(a) - 3.5,
                y(b) - 3.5
            ));
        }
    }
    for [a, _, mean, deviation] in &chart.points {
        if mean.is_nan() {
            continue;
        }
        put(format_args!(
            "<path d=\"M{0:.1} {1:.1}V{2:.1}\" stroke=\"{REACHED}\" stroke-width=\"1.5\"/><circle \
             cx=\"{0:.1}\" cy=\"{3:.1}\" r=\"4\" fill=\"{REACHED}\"/>",
            x(*a),
            y(mean - deviation),
            y(mean + deviation),
            y(*mean)
        ));
    }
    // The legend, where a series leaves room: at the right of a falling one.
    let falls = chart.points.first().zip(chart.points.last()).is_some_and(|(a, b)| b[1] < a[1]);
    let at = if falls { x(right) - 260.0 } else { LEFT + 14.0 };
    for (i, (color, text)) in
        [(EXPECTED, &*plot.measured), (REACHED, "Wayfare, mean and spread")].into_iter().enumerate()
    {
        let row = TOP + 14.0 + 19.0 * i as f64;
        put(format_args!(
            "<rect x=\"{at:.1}\" y=\"{:.1}\" width=\"9\" height=\"9\" fill=\"{color}\"/><text \
             x=\"{:.1}\" y=\"{row:.1}\">{}</text>",
            row - 9.0,
            at + 15.0,
            escaped(text)
        ));
    }
    out.push_str("</svg>\n");
    out
}

/// A mark's number without digits that come from rounding.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_a_mark_at_or_above_the_largest_value() {
        for (largest, expected) in
            [(1.2, (1.5, 0.5)), (2.19, (2.5, 0.5)), (5.0, (5.0, 1.0)), (1.34, (1.5, 0.5))]
        {
            let (top, step) = axis(largest);
            assert!(
                (top - expected.0).abs() < 1e-9 && (step - expected.1).abs() < 1e-9,
                "{largest}"
            );
        }
    }
}
