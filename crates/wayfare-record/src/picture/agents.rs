//! The agents where they are now, with the way they face.

use wayfare::Vector;

use super::camera::Camera;
use super::canvas::{Canvas, Pen};
use super::color::{self, Filling, Style, ink};
use super::geometry::Point;
use crate::moment::{Moment, Standing};

/// Bodies of at least this radius (pixels) are drawn as the discs that they are.
const LEAST_DISC: f64 = 4.0;
/// From this many agents on, marks are plain squares of pixels.
const VERY_MANY: usize = 100_000;

/// How a group's members are marked (pixels).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// A dart of this length.
    Dart(f64),
    /// A disc with the body's own radius.
    Disc,
    /// A square of this many whole pixels.
    Square(u8),
}

/// The marks of all groups: bodies of some size are discs, others darts that are smaller in a
/// larger crowd.
pub(super) fn marks<V: Vector>(moment: &Moment<V>, camera: &Camera, area: f64) -> Vec<Mark> {
    // On a sheet of less than about 500 x 500 pixels they are smaller.
    let (least, most) =
        ((area.sqrt() / 65.0).clamp(4.0, 6.0), (area.sqrt() / 33.0).clamp(11.0, 15.0));
    let dart = ((area / moment.len().max(1) as f64).sqrt() * 0.36).clamp(least, most);
    let mut widest = vec![0.0_f64; moment.land.groups.len()];
    for agent in moment.agents() {
        widest[agent.group] = widest[agent.group].max(camera.length(agent.radius));
    }
    let mark = |radius: f64| {
        if radius >= LEAST_DISC {
            Mark::Disc
        } else if moment.len() >= VERY_MANY {
            Mark::Square(if moment.len() as f64 * 8.0 < area { 2 } else { 1 })
        } else {
            Mark::Dart(dart.max(radius * 2.4))
        }
    };
    widest.into_iter().map(mark).collect()
}

/// Draws all agents in the order of ids, in space the lower ones first; gives back how many are
/// outside the picture.
pub(super) fn draw<V: Vector>(
    canvas: &mut Canvas,
    camera: &Camera,
    moment: &Moment<V>,
    marks: &[Mark],
) -> usize {
    let mut agents: Vec<Standing<V>> = moment.agents().collect();
    if V::DIMENSION > 2 {
        agents.sort_by(|a, b| a.position.axis(2).total_cmp(&b.position.axis(2)));
    }
    let sheet = canvas.sheet();
    let mut outside = 0;
    for members in agents.chunk_by(|a, b| a.group == b.group) {
        let group = members[0].group;
        canvas.group(&format!("group-{group}"), &moment.land.groups[group], |canvas| {
            for agent in members {
                let at = camera.at(agent.position.flat());
                let body = camera.length(agent.radius);
                if !sheet.holds(at) {
                    outside += 1;
                }
                if sheet.grown(body.max(20.0)).holds(at) {
                    mark(
                        canvas,
                        at,
                        Point::from(agent.heading.flat()),
                        marks[group],
                        body,
                        Style::of(group),
                    );
                }
            }
        });
    }
    outside
}

/// One agent at `at`; `heading` is shorter than 1 where it leans out of the plane.
pub(super) fn mark(
    canvas: &mut Canvas,
    at: Point,
    heading: Point,
    mark: Mark,
    body: f64,
    style: Style,
) {
    match mark {
        Mark::Square(size) => {
            canvas.square(at, size, ink(style.color, if size > 1 { 0.8 } else { 0.5 }))
        }
        Mark::Disc => disc(canvas, at, heading, body.max(2.0), style),
        Mark::Dart(length) => dart(canvas, at, heading, length, style),
    }
}

/// The colors of inside and outline.
fn inks(style: Style, size: f64) -> (tiny_skia::Color, Pen) {
    let color = ink(style.color, 1.0);
    let width = if size > 9.0 { 1.0 } else { 0.6 };
    match style.filling {
        Filling::Solid | Filling::Dotted => (color, Pen::new(width, ink(color::PAPER, 0.9))),
        Filling::Hollow => (ink(color::PAPER, 1.0), Pen::new(width + 0.6, color)),
        Filling::Edged => (color, Pen::new(width + 0.3, ink(color::POINTER, 1.0))),
    }
}

fn dart(canvas: &mut Canvas, at: Point, heading: Point, length: f64, style: Style) {
    let (fill, pen) = inks(style, length);
    let (way, lean) = (heading.unit(), heading.length());
    // A dark or colored outline makes a mark larger, a light one does not.
    let length = if matches!(style.filling, Filling::Hollow | Filling::Edged) {
        length * 0.88
    } else {
        length
    };
    if lean < 0.15 {
        // Straight up or down: seen from above there is no direction.
        canvas.disc(at, length * 0.3, fill, Some(&pen));
        return;
    }
    let long = way * (length * lean.max(0.55));
    let wide = way.across() * (length * 0.36);
    let back = at - long * 0.42;
    let corners = [at + long * 0.58, back + wide, at - long * 0.2, back - wide];
    // The light line goes below, so that it does not eat a small mark up.
    if style.filling == Filling::Solid || style.filling == Filling::Dotted {
        canvas.polygon(&corners, fill, Some(&Pen::new(pen.width * 2.0, pen.color)));
        canvas.polygon(&corners, fill, None);
    } else {
        canvas.polygon(&corners, fill, Some(&pen));
    }
    if style.filling == Filling::Dotted {
        canvas.disc(at - long * 0.04, (length * 0.12).max(0.9), ink(color::PAPER, 1.0), None);
    }
}

fn disc(canvas: &mut Canvas, at: Point, heading: Point, radius: f64, style: Style) {
    let (fill, pen) = inks(style, radius * 2.0);
    canvas.disc(at, radius, fill, Some(&pen));
    let line = if style.filling == Filling::Hollow {
        ink(style.color, 1.0)
    } else {
        ink(color::PAPER, 1.0)
    };
    let tip = at + heading * (radius * 0.7);
    canvas.lines([(at, tip)].into_iter(), &Pen::new((radius * 0.24).clamp(1.3, 6.0), line).round());
    if style.filling == Filling::Dotted {
        canvas.disc(at, radius * 0.34, line, None);
    }
}
