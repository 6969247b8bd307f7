//! The states of a group as a graph, and its stats as bars.

use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, ProgressBar, Rect, Sense, Shape, Stroke, StrokeKind,
    Ui, vec2,
};

use wayfare_scene::Presentation;

use crate::platform::services;
use crate::render::theme::Theme;
use crate::session::states::StatesNow;

/// The bend of the lines of transitions to their right, as a part of their length.
const BEND: f32 = 0.14;
/// Number of segments of a line.
const SEGMENTS: usize = 28;

/// The centers of `count` boxes: on an ellipse that fills the room, from the top.
fn box_centers(count: usize, room: Rect) -> Vec<Pos2> {
    if count == 1 {
        return vec![room.center()];
    }
    // Two boxes are side by side.
    let first = if count == 2 { std::f32::consts::PI } else { -std::f32::consts::FRAC_PI_2 };
    let center = |i: usize| {
        let (sin, cos) = (first + i as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
        room.center() + 0.5 * vec2(cos * room.width(), sin * room.height())
    };
    (0..count).map(center).collect()
}

/// The line from one box to another, bent, so that the transition back has a line beside it.
fn transition_line(from: Rect, to: Rect) -> Vec<Pos2> {
    let (a, b) = (from.center(), to.center());
    let middle = a + 0.5 * (b - a) + 2.0 * BEND * (b - a).rot90();
    let at = |t: f32| {
        let (near, far) = (a + t * (middle - a), middle + t * (b - middle));
        near + t * (far - near)
    };
    let (from, to) = (from.expand(2.0), to.expand(3.0));
    (0..=SEGMENTS)
        .map(|i| at(i as f32 / SEGMENTS as f32))
        .filter(|p| !from.contains(*p) && !to.contains(*p))
        .collect()
}

fn draw_arrow(painter: &Painter, points: Vec<Pos2>, stroke: Stroke) {
    let [.., before, end] = points[..] else { return };
    let unit = (end - before).normalized();
    let head = |back: f32, across: f32| end - unit * back + unit.rot90() * across;
    painter.add(Shape::line(points, stroke));
    painter.add(Shape::convex_polygon(
        vec![end + unit * 2.0, head(6.0, 4.0), head(6.0, -4.0)],
        stroke.color,
        Stroke::NONE,
    ));
}

/// Shows the graph of the states and the bars of the stats. The states that the agent or members of
/// the group are in have the group's color.
pub(crate) fn show(ui: &mut Ui, now: &StatesNow, presentation: &Presentation) {
    let theme = Theme::of(ui.visuals().dark_mode);
    let color = theme.agent(now.group, None, presentation);
    if !now.states.is_empty() {
        graph(ui, now, &theme, color);
        conditions(ui, now);
    }
    for stat in &now.stats {
        let part = if stat.max > stat.min {
            ((stat.value - stat.min) / (stat.max - stat.min)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let (name, value) = (&stat.name, number(stat.value));
        let mean = if now.single_agent { "" } else { " (mean)" };
        ui.label(format!(
            "{name}  {value}{mean}, from {} to {}",
            number(stat.min),
            number(stat.max)
        ));
        let bar = ui.add(ProgressBar::new(part).desired_height(8.0).fill(color));
        services::mark_control(&format!("stat:{name}"), bar.rect);
    }
}

fn number(x: f32) -> String {
    if x.fract() == 0.0 || x.abs() >= 1e4 { format!("{x:.0}") } else { format!("{x:.1}") }
}

fn graph(ui: &mut Ui, now: &StatesNow, theme: &Theme, color: Color32) {
    let height = if now.states.len() > 2 { 190.0 } else { 80.0 };
    let (room, _) =
        ui.allocate_exact_size(vec2(ui.available_width().min(460.0), height), Sense::hover());
    services::mark_control("states", room);
    let painter = ui.painter_at(room);
    let font = FontId::proportional(13.0);
    let text = |(name, count): &(String, usize)| {
        if now.single_agent { name.clone() } else { format!("{name}  {count}") }
    };
    let texts: Vec<_> = now
        .states
        .iter()
        .map(|state| painter.layout_no_wrap(text(state), font.clone(), theme.text))
        .collect();
    let widest = texts.iter().map(|text| text.size().x).fold(0.0, f32::max) + 20.0;
    let inner = room.shrink2(vec2(0.5 * widest + 4.0, 20.0));
    let boxes: Vec<Rect> = box_centers(now.states.len(), inner)
        .into_iter()
        .zip(&texts)
        .map(|(at, text)| Rect::from_center_size(at, text.size() + vec2(18.0, 12.0)))
        .collect();
    let all: usize = now.states.iter().map(|(_, count)| count).sum();
    for &(from, to, _) in &now.transitions {
        let active = now.single_agent && now.states[from].1 > 0;
        let stroke = if active {
            Stroke::new(1.8, theme.text)
        } else {
            Stroke::new(1.2, theme.edge.gamma_multiply(0.55))
        };
        draw_arrow(&painter, transition_line(boxes[from], boxes[to]), stroke);
    }
    for ((rect, text), (_, count)) in boxes.iter().zip(&texts).zip(&now.states) {
        let part = if all == 0 { 0.0 } else { *count as f32 / all as f32 };
        let stroke = Stroke::new(
            if part > 0.0 { 2.0 } else { 1.0 },
            if part > 0.0 { color } else { theme.edge.gamma_multiply(0.6) },
        );
        painter.rect_filled(*rect, 6.0, theme.paper);
        let fill = if part > 0.0 {
            color.gamma_multiply(0.12 + 0.38 * part)
        } else {
            Color32::TRANSPARENT
        };
        painter.rect(*rect, 6.0, fill, stroke, StrokeKind::Inside);
        painter.galley(
            Align2::CENTER_CENTER.align_size_within_rect(text.size(), *rect).min,
            text.clone(),
            theme.text,
        );
    }
}

/// The conditions of the transitions out of the agent's state; of a group all transitions.
fn conditions(ui: &mut Ui, now: &StatesNow) {
    let active = |from: usize| !now.single_agent || now.states[from].1 > 0;
    for (from, to, when) in now.transitions.iter().filter(|(from, ..)| active(*from)) {
        let [from, to] = [*from, *to].map(|i| &now.states[i].0);
        let begin = if now.single_agent { format!("to {to}") } else { format!("{from} to {to}") };
        ui.weak(format!("{begin} when {when}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    #[test]
    fn transitions_in_both_directions_have_separate_lines_that_end_at_the_boxes() {
        let [a, b] = [0.0, 200.0].map(|x| Rect::from_center_size(pos2(x, 0.0), vec2(60.0, 24.0)));
        let (forward, back) = (transition_line(a, b), transition_line(b, a));
        let middle = |line: &[Pos2]| line[line.len() / 2].y;
        assert!((middle(&forward) - middle(&back)).abs() > 20.0, "{forward:?} {back:?}");
        assert!(forward.iter().all(|p| !a.contains(*p) && !b.contains(*p)));
        assert!(
            a.distance_to_pos(forward[0]) < 15.0
                && b.distance_to_pos(forward[forward.len() - 1]) < 15.0
        );
    }

    #[test]
    fn boxes_are_apart_and_inside_the_room() {
        let room = Rect::from_min_size(pos2(10.0, 10.0), vec2(300.0, 150.0));
        for count in 1..8 {
            let centers = box_centers(count, room);
            assert!(centers.iter().all(|p| room.expand(0.1).contains(*p)));
            assert!(
                centers
                    .iter()
                    .enumerate()
                    .all(|(i, p)| centers[..i].iter().all(|q| p.distance(*q) > 50.0)),
                "{centers:?}"
            );
        }
    }
}
