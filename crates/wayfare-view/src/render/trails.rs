//! Drawing of trails.

use eframe::egui::{Color32, Painter, Shape, Stroke};

use crate::render::camera::Camera;
use crate::session::trails::{LENGTH, Trails};
use wayfare::GroupId;

/// Number of colors from faint to strong.
const SHADES: usize = 20;
/// Shortest segment (points of the screen): standing agents leave no trail.
const SHORTEST: f32 = 0.5;

/// Draws trails, older parts fainter.
pub(crate) fn draw_trails(
    trails: &Trails,
    painter: &Painter,
    camera: &Camera,
    color: impl Fn(GroupId) -> Color32,
) {
    let samples: Vec<_> = trails.drawn().collect();
    // A line of several segments has no blobs at its joints and one color, so a trail is a few
    // lines.
    let steps = samples.len().div_ceil(SHADES).max(1);
    for from in (0..samples.len().saturating_sub(1)).step_by(steps) {
        let part = &samples[from..(from + steps + 1).min(samples.len())];
        let fresh = (part[0].0 + LENGTH - trails.len()) as f32 / LENGTH as f32;
        let mut later: Vec<_> =
            part[1..].iter().map(|(_, sample)| sample.iter().peekable()).collect();
        for first in part[0].1 {
            let stroke = Stroke::new(1.5, color(first.group).gamma_multiply(0.08 + 0.5 * fresh));
            let mut last = first.position;
            let mut line = vec![camera.to_screen(last)];
            for sample in &mut later {
                while sample.next_if(|point| point.id < first.id).is_some() {}
                let Some(next) = sample.next_if(|point| point.id == first.id) else { break };
                if (next.position - last).length() >= trails.longest_step {
                    painter.add(Shape::line(std::mem::take(&mut line), stroke));
                }
                let at = camera.to_screen(next.position);
                if line.last().is_none_or(|end| end.distance(at) > SHORTEST) {
                    line.push(at);
                }
                last = next.position;
            }
            if line.len() > 1 {
                painter.add(Shape::line(line, stroke));
            }
        }
    }
}
