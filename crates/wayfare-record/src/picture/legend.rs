//! The margins of a picture: title, legend, scale.

use tiny_skia::Color;
use wayfare::Vector;
use wayfare::spatial::space::Edge;
use wayfare::vector::Up;
use wayfare_scene::Units;

use super::View;
use super::agents::{AgentMark, mark};
use super::camera::{Camera, FOOTER, GAP, HEADER, LEGEND, Layout, SIDE};
use super::canvas::{Canvas, Pen};
use super::color::{self, Style, ink};
use super::environment::{
    edge_pen, exit_ink, exit_pen, mark_line, mark_stroke, obstacle_pen, pointer, source_ink,
    source_pen,
};
use super::geometry::{Point, point};
use super::text::{Fonts, Side};
use crate::field_arrows::ShownField;
use crate::frame_data::FrameData;

/// The title line: the title, and the tick.
pub(super) fn header<V: Vector>(canvas: &mut Canvas, fonts: &Fonts, picture: &View<'_, V>) {
    let right = canvas.sheet().high.x - SIDE;
    let line = HEADER - 26.0;
    let when = when(picture.frame);
    let width = canvas.write(
        &fonts.regular,
        &when,
        17.0,
        point(right, line),
        Side::Right,
        ink(color::MUTED, 1.0),
    );
    let title = fonts.bold.shortened(picture.title, 25.0, right - SIDE - width - 28.0);
    canvas.write(&fonts.bold, &title, 25.0, point(SIDE, line), Side::Left, ink(color::TEXT, 1.0));
}

/// The line below: the scale, the axes, and notes on what is not shown.
pub(super) fn footer<V: Vector>(
    canvas: &mut Canvas,
    fonts: &Fonts,
    picture: &View<'_, V>,
    camera: &Camera,
    layout: &Layout,
    notes: &[String],
) {
    let line = canvas.sheet().high.y - FOOTER + 33.0;
    let (length, label) = scale_bar(camera.scale, &picture.frame.environment.units);
    let (from, to) = (point(SIDE + 1.0, line - 5.0), point(SIDE + 1.0 + length, line - 5.0));
    let ends = [from, to].map(|p| (p - point(0.0, 5.0), p + point(0.0, 5.0)));
    canvas.lines([(from, to)].into_iter().chain(ends), &Pen::new(1.6, ink(color::TEXT, 1.0)));
    let mut x = to.x + 12.0;
    x += canvas.write(
        &fonts.regular,
        &label,
        14.0,
        point(x, line),
        Side::Left,
        ink(color::TEXT, 1.0),
    ) + 28.0;
    let axes = match (V::DIMENSION, camera.up()) {
        (3, Up::Z) => "x →   y ↓   seen along z, from above",
        (3, Up::Y) => "x →   z ↓   seen along y, from above",
        _ => "x →   y ↓",
    };
    x += canvas.write(
        &fonts.regular,
        axes,
        14.0,
        point(x, line),
        Side::Left,
        ink(color::MUTED, 1.0),
    ) + 28.0;
    let right = f64::from(layout.width) - SIDE;
    let notes = fonts.regular.shortened(&notes.join("  ·  "), 14.0, right - x);
    canvas.write(
        &fonts.regular,
        &notes,
        14.0,
        point(right, line),
        Side::Right,
        ink(color::MUTED, 1.0),
    );
}

/// The tick and time of a frame.
pub(super) fn when<V>(frame: &FrameData<V>) -> String {
    let (sample, unit) = (&frame.sample, frame.environment.units.after_time());
    format!("tick {}, time {}{unit}", grouped(&sample.tick.to_string()), number(sample.time))
}

/// The number of members of each group.
pub(super) fn counts<V: Vector>(frame: &FrameData<V>) -> Vec<usize> {
    let mut counts = vec![0_usize; frame.environment.groups.len()];
    for agent in frame.agents() {
        counts[agent.group] += 1;
    }
    counts
}

/// The symbol of a row of the legend.
enum Symbol {
    Agent(AgentMark, Style),
    Obstacle,
    Path,
    Field,
    Line,
    Exit,
    Source,
    Pointer,
    Bounds(Edge),
    Nothing,
}

struct Row {
    symbol: Symbol,
    name: String,
    count: Option<usize>,
}

/// The legend to the right of the world: the groups, and the kinds of objects.
pub(super) fn legend<V: Vector>(
    canvas: &mut Canvas,
    fonts: &Fonts,
    picture: &View<'_, V>,
    layout: &Layout,
    marks: &[AgentMark],
) {
    let frame = picture.frame;
    let counts = counts(frame);
    let world = world_rows(picture);
    let space = f64::from(layout.plot_height);
    let heading = 34.0;
    let gap = if world.is_empty() { 0.0 } else { 14.0 };
    let lines = marks.len() + world.len();
    let row = ((space - heading - gap) / lines.max(1) as f64).clamp(17.0, 27.0);
    let room = ((space - heading - gap) / row) as usize;
    let shown = if lines <= room { marks.len() } else { room.saturating_sub(world.len() + 1) };

    let left = f64::from(layout.left + layout.plot_width) + GAP;
    let right = left + LEGEND;
    let mut y = f64::from(layout.top) + 18.0;
    let all = format!(
        "{} {}",
        grouped(&frame.len().to_string()),
        if frame.len() == 1 { "agent" } else { "agents" }
    );
    canvas.write(&fonts.bold, &all, 16.0, point(left, y), Side::Left, ink(color::TEXT, 1.0));
    y += heading - 6.0;

    let groups = frame.environment.groups.iter().zip(marks).enumerate().take(shown);
    let mut rows: Vec<_> = groups
        .map(|(i, (name, &mark))| Row {
            symbol: Symbol::Agent(mark, frame.environment.styles[i]),
            name: name.to_string(),
            count: Some(counts[i]),
        })
        .collect();
    if shown < marks.len() {
        let rest = counts[shown..].iter().sum();
        rows.push(Row {
            symbol: Symbol::Nothing,
            name: format!("… {} more groups", marks.len() - shown),
            count: Some(rest),
        });
    }
    let size = (row * 0.6).min(15.0);
    let mut write = |row_at: f64, row: Row| {
        let end = row.count.map_or(0.0, |count| {
            canvas.write(
                &fonts.regular,
                &grouped(&count.to_string()),
                size,
                point(right, row_at),
                Side::Right,
                ink(color::MUTED, 1.0),
            ) + 10.0
        });
        let name = fonts.regular.shortened(&row.name, size, LEGEND - 34.0 - end);
        canvas.write(
            &fonts.regular,
            &name,
            size,
            point(left + 34.0, row_at),
            Side::Left,
            ink(color::TEXT, 1.0),
        );
        draw_symbol(canvas, point(left + 11.0, row_at - size * 0.36), &row.symbol);
    };
    for one in rows {
        write(y, one);
        y += row;
    }
    y += gap;
    for one in world {
        write(y, one);
        y += row;
    }
}

/// The rows of everything but agents.
fn world_rows<V: Vector>(picture: &View<'_, V>) -> Vec<Row> {
    let several = |symbol: Symbol, count: usize, one: &str, many: &str| {
        let name = if count == 1 { one } else { many };
        (count > 0).then(|| Row { symbol, name: name.to_string(), count: Some(count) })
    };
    let edge = picture.bounds.map(|bounds| {
        let name = match bounds.edge {
            Edge::Open => "bounds, open",
            Edge::Wall => "bounds, a wall",
            Edge::Bounce => "bounds, reflecting",
            Edge::Wrap => "bounds, wrapped",
        };
        Row { symbol: Symbol::Bounds(bounds.edge), name: name.to_string(), count: None }
    });
    let environment = &picture.frame.environment;
    let pointer = picture.frame.pointer.map(|_| Row {
        symbol: Symbol::Pointer,
        name: "pointer".to_string(),
        count: None,
    });
    let obstacles = several(Symbol::Obstacle, environment.obstacles.len(), "obstacle", "obstacles");
    let paths = several(Symbol::Path, environment.paths.len(), "path", "paths");
    let field = environment.field.as_ref().map(|field| Row {
        symbol: Symbol::Field,
        name: field_name(field),
        count: (field.of == 1).then_some(1),
    });
    let lines = several(Symbol::Line, environment.lines.len(), "line", "lines");
    let exits = several(Symbol::Exit, environment.exits.len(), "exit", "exits");
    let sources = several(Symbol::Source, environment.sources.len(), "source", "sources");
    [obstacles, paths, field, lines, exits, sources, pointer, edge].into_iter().flatten().collect()
}

/// The name of the field that is shown: of several, which one it is.
pub(super) fn field_name<V>(field: &ShownField<V>) -> String {
    match field.of {
        1 => "field".to_string(),
        of => format!("field {}, of {of}", field.name),
    }
}

fn swatch(at: Point) -> [Point; 4] {
    [(-10.0, -6.0), (10.0, -6.0), (10.0, 6.0), (-10.0, 6.0)].map(|(x, y)| at + point(x, y))
}

fn draw_symbol(canvas: &mut Canvas, at: Point, symbol: &Symbol) {
    let (west, east) = (at - point(11.0, 0.0), at + point(11.0, 0.0));
    let solid = |rgb| -> Color { ink(rgb, 1.0) };
    match symbol {
        Symbol::Agent(kind, style) => {
            // The symbol of a dot of two pixels is larger than the dot, so that its color is
            // visible.
            let kind =
                if *kind == AgentMark::Disc { AgentMark::Disc } else { AgentMark::Dart(15.0) };
            mark(canvas, at, point(1.0, 0.0), kind, 7.0, *style);
        }
        Symbol::Obstacle => {
            canvas.polygon(&swatch(at), solid(color::OBSTACLE), Some(&obstacle_pen()))
        }
        Symbol::Path => {
            canvas.lines([(west, east)].into_iter(), &Pen::new(11.0, ink(color::PATH, 0.2)));
            canvas.lines([(west, east)].into_iter(), &Pen::new(1.2, ink(color::PATH, 0.7)));
            let tip = at + point(4.0, 0.0);
            canvas.lines(
                [(tip - point(5.0, 5.0), tip), (tip, tip - point(5.0, -5.0))].into_iter(),
                &Pen::new(1.8, solid(color::PATH)).round(),
            );
        }
        Symbol::Field => mark_stroke(canvas, west + point(2.0, 0.0), east - point(2.0, 0.0)),
        Symbol::Line => {
            mark_line(canvas, east + point(0.0, 2.0), west + point(0.0, 2.0), Up::Z, 4.0)
        }
        Symbol::Exit => canvas.polygon(&swatch(at), exit_ink(), Some(&exit_pen())),
        Symbol::Source => canvas.polygon(&swatch(at), source_ink(), Some(&source_pen())),
        Symbol::Pointer => pointer(canvas, at, 0.65),
        Symbol::Bounds(edge) => canvas.lines([(west, east)].into_iter(), &edge_pen(*edge)),
        Symbol::Nothing => {}
    }
}

/// A length of 60 to 150 pixels that is 1, 2 or 5 times a power of ten length units (pixels), and
/// its label.
fn scale_bar(scale: f64, units: &Units) -> (f64, String) {
    let fits = |text: &String| text.parse::<f64>().is_ok_and(|length| length * scale <= 150.0);
    // A power of ten that is parsed from text is exact on every platform.
    let steps = (-45..45).flat_map(|power| [1, 2, 5].map(|digit| format!("{digit}e{power}")));
    let length = steps.take_while(fits).last().and_then(|text| text.parse().ok()).unwrap_or(1e-45);
    (length * scale, format!("{} {}", number(length), units.lengths(length)))
}

/// A number for people: at most three digits after the decimal point, commas between groups of
/// three, an exponent if it is large.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-3..1e9).contains(&size) {
        let text = format!("{x:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", without_zeros(digits));
    }
    grouped(without_zeros(&format!("{x:.3}")))
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Digits with a comma between groups of three.
pub(crate) fn grouped(text: &str) -> String {
    let whole = text.find('.').unwrap_or(text.len());
    let mut out = String::new();
    for (i, c) in text.char_indices() {
        if i > 0
            && i < whole
            && (whole - i).is_multiple_of(3)
            && text.as_bytes()[i - 1].is_ascii_digit()
        {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_people() {
        let texts = [
            0.0,
            1.0,
            12.5,
            0.300_000_000_000_04,
            1_234.0,
            1_234_567.25,
            -4_321.0,
            5e17,
            2e-6,
            1e9,
        ]
        .map(number);
        assert_eq!(
            texts,
            ["0", "1", "12.5", "0.3", "1,234", "1,234,567.25", "-4,321", "5e17", "2e-6", "1e9"]
        );
    }

    #[test]
    fn the_scale_bar_is_a_round_number_of_60_to_150_pixels() {
        let plain = Units::default();
        let scale_bar = |scale| scale_bar(scale, &plain);
        assert_eq!(scale_bar(1.0), (100.0, "100 length units".to_string()));
        assert_eq!(scale_bar(149.0), (149.0, "1 length unit".to_string()));
        assert_eq!(scale_bar(3.0), (150.0, "50 length units".to_string()));
        assert_eq!(scale_bar(4e-15).1, "2e16 length units");
        let metric = Units { length: "m".to_string(), time: "s".to_string() };
        assert_eq!(super::scale_bar(149.0, &metric).1, "1 m");
        for i in 0..600 {
            let scale = 1e-17 * 1.1_f64.powi(i);
            let (length, name) = scale_bar(scale);
            assert!((59.9..150.1).contains(&length), "{length} px for {name}");
        }
    }
}
