//! The states of a group as a small graph, and stats as bars.

use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, ProgressBar, Rect, Sense, Shape, Stroke, StrokeKind,
    Ui, vec2,
};

use crate::platform::host;
use crate::render::theme::Theme;
use crate::session::scene::States;

/// How far ways between states are bent to their right, as a part of their length.
const BEND: f32 = 0.14;
/// Of so many pieces is a way.
const PIECES: usize = 28;

/// Where `count` states are: in a circle as wide as there is room, from the top.
fn places(count: usize, room: Rect) -> Vec<Pos2> {
    if count == 1 {
        return vec![room.center()];
    }
    // Two are beside one another.
    let first = if count == 2 { std::f32::consts::PI } else { -std::f32::consts::FRAC_PI_2 };
    let place = |i: usize| {
        let (sin, cos) = (first + i as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
        room.center() + 0.5 * vec2(cos * room.width(), sin * room.height())
    };
    (0..count).map(place).collect()
}

/// The way from one box to another, bent, so that the way back lies beside it.
fn way(from: Rect, to: Rect) -> Vec<Pos2> {
    let (a, b) = (from.center(), to.center());
    let middle = a + 0.5 * (b - a) + 2.0 * BEND * (b - a).rot90();
    let at = |t: f32| {
        let (near, far) = (a + t * (middle - a), middle + t * (b - middle));
        near + t * (far - near)
    };
    let (from, to) = (from.expand(2.0), to.expand(3.0));
    (0..=PIECES)
        .map(|i| at(i as f32 / PIECES as f32))
        .filter(|p| !from.contains(*p) && !to.contains(*p))
        .collect()
}

fn draw_way(painter: &Painter, points: Vec<Pos2>, stroke: Stroke) {
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

/// Draws the graph of the states and the bars of the stats; what is lit is the state of the agent,
/// or those that members are in.
pub(crate) fn states(ui: &mut Ui, now: &States) {
    let theme = Theme::of(ui.visuals().dark_mode);
    if !now.states.is_empty() {
        graph(ui, now, &theme);
        words(ui, now);
    }
    for stat in &now.stats {
        let part = if stat.max > stat.min {
            ((stat.value - stat.min) / (stat.max - stat.min)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let (name, value) = (&stat.name, number(stat.value));
        let of = if now.one { "" } else { ", the mean" };
        ui.label(format!("{name}  {value}{of}, from {} to {}", number(stat.min), number(stat.max)));
        let bar = ui.add(ProgressBar::new(part).desired_height(8.0).fill(theme.group(now.group)));
        host::place(&format!("stat:{name}"), bar.rect);
    }
}

fn number(x: f32) -> String {
    if x.fract() == 0.0 || x.abs() >= 1e4 { format!("{x:.0}") } else { format!("{x:.1}") }
}

fn graph(ui: &mut Ui, now: &States, theme: &Theme) {
    let height = if now.states.len() > 2 { 190.0 } else { 80.0 };
    let (room, _) =
        ui.allocate_exact_size(vec2(ui.available_width().min(460.0), height), Sense::hover());
    host::place("states", room);
    let painter = ui.painter_at(room);
    let font = FontId::proportional(13.0);
    let text = |(name, count): &(String, usize)| {
        if now.one { name.clone() } else { format!("{name}  {count}") }
    };
    let texts: Vec<_> = now
        .states
        .iter()
        .map(|state| painter.layout_no_wrap(text(state), font.clone(), theme.text))
        .collect();
    let widest = texts.iter().map(|text| text.size().x).fold(0.0, f32::max) + 20.0;
    let inner = room.shrink2(vec2(0.5 * widest + 4.0, 20.0));
    let boxes: Vec<Rect> = places(now.states.len(), inner)
        .into_iter()
        .zip(&texts)
        .map(|(at, text)| Rect::from_center_size(at, text.size() + vec2(18.0, 12.0)))
        .collect();
    let all: usize = now.states.iter().map(|(_, count)| count).sum();
    for &(from, to, _) in &now.ways {
        let lit = now.one && now.states[from].1 > 0;
        let stroke = if lit {
            Stroke::new(1.8, theme.text)
        } else {
            Stroke::new(1.2, theme.edge.gamma_multiply(0.55))
        };
        draw_way(&painter, way(boxes[from], boxes[to]), stroke);
    }
    let color = theme.group(now.group);
    for ((place, text), (_, count)) in boxes.iter().zip(&texts).zip(&now.states) {
        let part = if all == 0 { 0.0 } else { *count as f32 / all as f32 };
        let stroke = Stroke::new(
            if part > 0.0 { 2.0 } else { 1.0 },
            if part > 0.0 { color } else { theme.edge.gamma_multiply(0.6) },
        );
        painter.rect_filled(*place, 6.0, theme.paper);
        let fill = if part > 0.0 {
            color.gamma_multiply(0.12 + 0.38 * part)
        } else {
            Color32::TRANSPARENT
        };
        painter.rect(*place, 6.0, fill, stroke, StrokeKind::Inside);
        painter.galley(
            Align2::CENTER_CENTER.align_size_within_rect(text.size(), *place).min,
            text.clone(),
            theme.text,
        );
    }
}

/// When the lit state is left; of a group each way.
fn words(ui: &mut Ui, now: &States) {
    let lit = |from: usize| !now.one || now.states[from].1 > 0;
    for (from, to, when) in now.ways.iter().filter(|(from, ..)| lit(*from)) {
        let [from, to] = [*from, *to].map(|i| &now.states[i].0);
        let begin = if now.one { format!("to {to}") } else { format!("{from} to {to}") };
        ui.weak(format!("{begin} when {when}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    #[test]
    fn the_way_there_and_the_way_back_lie_beside_one_another_and_end_at_the_boxes() {
        let [a, b] = [0.0, 200.0].map(|x| Rect::from_center_size(pos2(x, 0.0), vec2(60.0, 24.0)));
        let (there, back) = (way(a, b), way(b, a));
        let middle = |way: &[Pos2]| way[way.len() / 2].y;
        assert!((middle(&there) - middle(&back)).abs() > 20.0, "{there:?} {back:?}");
        assert!(there.iter().all(|p| !a.contains(*p) && !b.contains(*p)));
        assert!(
            a.distance_to_pos(there[0]) < 15.0 && b.distance_to_pos(there[there.len() - 1]) < 15.0
        );
    }

    #[test]
    fn states_stand_apart_inside_their_room() {
        let room = Rect::from_min_size(pos2(10.0, 10.0), vec2(300.0, 150.0));
        for count in 1..8 {
            let places = places(count, room);
            assert!(places.iter().all(|p| room.expand(0.1).contains(*p)));
            assert!(
                places
                    .iter()
                    .enumerate()
                    .all(|(i, p)| places[..i].iter().all(|q| p.distance(*q) > 50.0)),
                "{places:?}"
            );
        }
    }
}
