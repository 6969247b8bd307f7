//! The agents, with the direction that they face.

use wayfare::Vector;

use super::camera::Camera;
use super::canvas::{Canvas, Pen};
use super::color::{self, Fill, Style, ink};
use super::geometry::Point;
use crate::PointGrid;
use crate::frame_data::{FrameAgent, FrameData};

/// Bodies of at least this radius (pixels) are drawn as discs: a smaller disc shows no color.
const LEAST_DISC: f64 = 1.2;
/// Discs of at least this radius (pixels) have room for a line that shows the heading; smaller
/// ones have a tip.
const LEAST_LINE: f64 = 4.0;
/// Overlaps of at least this depth (pixels) are outlined: a shallower one is not visible.
const VISIBLE_DEPTH: f64 = 0.75;
/// The most pairs that are tested for overlaps, which takes some hundredths of a second.
const MOST_TESTS: usize = 5_000_000;
/// From this many agents on, marks are plain squares of pixels.
const VERY_MANY: usize = 100_000;

/// The shape of the members of a group (pixels).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AgentMark {
    /// A dart of this length.
    Dart(f64),
    /// A disc with the radius of the agent.
    Disc,
    /// A square of this many whole pixels.
    Square(u8),
}

/// The marks of all groups: bodies that are large enough are discs, others are darts that are
/// smaller in a larger crowd.
pub(super) fn marks<V: Vector>(frame: &FrameData<V>, camera: &Camera, area: f64) -> Vec<AgentMark> {
    // On a sheet below about 500 x 500 pixels darts are smaller.
    let (least, most) =
        ((area.sqrt() / 65.0).clamp(4.0, 6.0), (area.sqrt() / 33.0).clamp(11.0, 15.0));
    let dart = ((area / frame.len().max(1) as f64).sqrt() * 0.36).clamp(least, most);
    let mut widest = vec![0.0_f64; frame.environment.groups.len()];
    for agent in frame.agents() {
        widest[agent.group] = widest[agent.group].max(camera.length(agent.radius));
    }
    let mark = |radius: f64| {
        if radius >= LEAST_DISC {
            AgentMark::Disc
        } else if frame.len() >= VERY_MANY {
            AgentMark::Square(if frame.len() as f64 * 8.0 < area { 2 } else { 1 })
        } else {
            AgentMark::Dart(dart.max(radius * 2.4))
        }
    };
    widest.into_iter().map(mark).collect()
}

/// Draws all agents in the order of ids, in 3D the lower ones first; returns the number of agents
/// outside the picture.
pub(super) fn draw<V: Vector>(
    canvas: &mut Canvas,
    camera: &Camera,
    frame: &FrameData<V>,
    marks: &[AgentMark],
) -> usize {
    let mut agents: Vec<FrameAgent<V>> = frame.agents().collect();
    let up = camera.up();
    if V::DIMENSION > 2 {
        let height = |agent: &FrameAgent<V>| up.height(agent.position);
        agents.sort_by(|a, b| height(a).total_cmp(&height(b)));
    }
    let sheet = canvas.sheet();
    let style = |group: usize| frame.environment.styles[group];
    let is_disc = |agent: &FrameAgent<V>| marks[agent.group] == AgentMark::Disc;
    let tips: Vec<_> = agents
        .iter()
        .filter(|agent| is_disc(agent) && camera.length(agent.radius) < LEAST_LINE)
        .collect();
    // Below all bodies: a tip covers no body.
    if !tips.is_empty() {
        canvas.group("headings", "Headings", |canvas| {
            for agent in tips {
                let at = camera.of(agent.position);
                if sheet.grown(20.0).holds(at) {
                    let heading = Point::from(up.ground(agent.heading));
                    tip(canvas, at, heading, camera.length(agent.radius), style(agent.group));
                }
            }
        });
    }
    let mut outside = 0;
    for members in agents.chunk_by(|a, b| a.group == b.group) {
        let group = members[0].group;
        canvas.group(&format!("group-{group}"), &frame.environment.groups[group], |canvas| {
            for agent in members {
                let at = camera.of(agent.position);
                let body = camera.length(agent.radius);
                if !sheet.holds(at) {
                    outside += 1;
                }
                if sheet.grown(body.max(20.0)).holds(at) {
                    mark(
                        canvas,
                        at,
                        Point::from(up.ground(agent.heading)),
                        marks[group],
                        body,
                        style(group),
                    );
                }
            }
        });
    }
    let bodies: Vec<_> = agents.into_iter().filter(is_disc).collect();
    let hidden = overlapping(&bodies, VISIBLE_DEPTH / camera.scale);
    if !hidden.is_empty() {
        canvas.group("overlaps", "Outlines of overlapping bodies", |canvas| {
            for agent in hidden {
                let at = camera.of(agent.position);
                let radius = camera.length(agent.radius);
                let style = style(agent.group);
                let rgb = if style.fill == Fill::Hollow { style.color } else { color::PAPER };
                let pen = Pen::new((radius * 0.2).clamp(0.5, 1.2), ink(rgb, 1.0));
                canvas.disc(at, radius, ink(color::PAPER, 0.0), Some(&pen));
            }
        });
    }
    outside
}

/// The bodies of which each overlaps another one by at least `depth` (length), in their order;
/// none if there are too many pairs to test.
fn overlapping<V: Vector>(bodies: &[FrameAgent<V>], depth: f64) -> Vec<FrameAgent<V>> {
    let positions: Vec<V> = bodies.iter().map(|body| body.position).collect();
    let widest = bodies.iter().map(|body| body.radius).fold(0.0, f32::max);
    let grid = PointGrid::new(&positions, None, 2.0 * widest);
    let mut tests = 0;
    let mut found = vec![false; bodies.len()];
    for (i, body) in bodies.iter().enumerate() {
        // Each pair is tested by its larger body, or by the later of two equal ones.
        grid.visit_near(body.position, 2.0 * body.radius, |candidates| {
            tests += candidates.len();
            for &k in candidates.iter().filter(|_| tests <= MOST_TESTS) {
                let (k, other) = (k as usize, &bodies[k as usize]);
                if (other.radius, k) < (body.radius, i) {
                    let distance = (other.position - body.position).length();
                    if f64::from(body.radius + other.radius - distance) >= depth {
                        (found[i], found[k]) = (true, true);
                    }
                }
            }
        });
        if tests > MOST_TESTS {
            return Vec::new();
        }
    }
    bodies.iter().zip(found).filter(|(_, found)| *found).map(|(body, _)| *body).collect()
}

/// One agent at `at`; `heading` is shorter than 1 if it points out of the plane of the picture.
pub(super) fn mark(
    canvas: &mut Canvas,
    at: Point,
    heading: Point,
    mark: AgentMark,
    body: f64,
    style: Style,
) {
    match mark {
        AgentMark::Square(size) => {
            canvas.square(at, size, ink(style.color, if size > 1 { 0.8 } else { 0.5 }))
        }
        AgentMark::Disc => disc(canvas, at, heading, body, style),
        AgentMark::Dart(length) => dart(canvas, at, heading, length, style),
    }
}

/// The colors of fill and outline.
fn inks(style: Style, size: f64) -> (tiny_skia::Color, Pen) {
    let color = ink(style.color, 1.0);
    let width = if size > 9.0 { 1.0 } else { 0.6 };
    match style.fill {
        Fill::Solid | Fill::Dotted => (color, Pen::new(width, ink(color::PAPER, 0.9))),
        Fill::Hollow => (ink(color::PAPER, 1.0), Pen::new(width + 0.6, color)),
        Fill::Edged => (color, Pen::new(width + 0.3, ink(color::POINTER, 1.0))),
    }
}

fn dart(canvas: &mut Canvas, at: Point, heading: Point, length: f64, style: Style) {
    let (fill, pen) = inks(style, length);
    let (direction, length_in_plane) = (heading.unit(), heading.length());
    // A dark or colored outline makes a mark look larger.
    let length =
        if matches!(style.fill, Fill::Hollow | Fill::Edged) { length * 0.88 } else { length };
    if length_in_plane < 0.15 {
        // Straight up or down: there is no direction in the picture.
        canvas.disc(at, length * 0.3, fill, Some(&pen));
        return;
    }
    let long = direction * (length * length_in_plane.max(0.55));
    let wide = direction.across() * (length * 0.36);
    let back = at - long * 0.42;
    let corners = [at + long * 0.58, back + wide, at - long * 0.2, back - wide];
    // The light outline is drawn below, so that it does not cover a small mark.
    if style.fill == Fill::Solid || style.fill == Fill::Dotted {
        canvas.polygon(&corners, fill, Some(&Pen::new(pen.width * 2.0, pen.color)));
        canvas.polygon(&corners, fill, None);
    } else {
        canvas.polygon(&corners, fill, Some(&pen));
    }
    if style.fill == Fill::Dotted {
        canvas.disc(at - long * 0.04, (length * 0.12).max(0.9), ink(color::PAPER, 1.0), None);
    }
}

/// The tip of a small body, which shows its heading.
fn tip(canvas: &mut Canvas, at: Point, heading: Point, radius: f64, style: Style) {
    let wide = heading.unit().across() * (radius * 0.95);
    let end = at + heading * (radius + (radius * 0.8).max(2.2));
    canvas.polygon(&[at + wide, end, at - wide], ink(style.color, 1.0), None);
}

/// A body to scale.
fn disc(canvas: &mut Canvas, at: Point, heading: Point, radius: f64, style: Style) {
    let (fill, pen) = inks(style, radius * 2.0);
    let pen = Pen { width: pen.width.min(radius * 0.2), ..pen };
    canvas.disc(at, radius, fill, Some(&pen));
    if radius < LEAST_LINE {
        return;
    }
    let line =
        if style.fill == Fill::Hollow { ink(style.color, 1.0) } else { ink(color::PAPER, 1.0) };
    let tip = at + heading * (radius * 0.7);
    canvas.lines([(at, tip)].into_iter(), &Pen::new((radius * 0.24).clamp(1.3, 6.0), line).round());
    if style.fill == Fill::Dotted {
        canvas.disc(at, radius * 0.34, line, None);
    }
}
