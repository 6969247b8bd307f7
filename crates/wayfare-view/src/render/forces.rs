//! Drawing of the forces on agents: arrows, annotated geometry and a legend.

use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2,
};
use wayfare::annotation::Figure;
use wayfare::glam;

use crate::render::camera::Camera;
use crate::render::theme::Theme;
use crate::session::explanation::ForceDiagram;

/// Number of agents whose forces are shown if none is selected.
pub(crate) const MOST_AGENTS: usize = 12;

/// Length of the arrow of the top speed, and of the longest arrow (points of the screen).
const UNIT: f32 = 70.0;
const LONGEST: f32 = 180.0;
/// Circles with a larger radius (points of the screen) are not drawn: their rim is off screen.
const LARGEST_RADIUS: f32 = 4_000.0;

/// Draws the annotated geometry, below the agents. A figure that several agents share, such as a
/// slowing radius, is drawn once.
pub(crate) fn draw_figures(
    all: &[ForceDiagram],
    painter: &Painter,
    camera: &Camera,
    theme: &Theme,
) {
    let figures = all
        .iter()
        .enumerate()
        .flat_map(|(i, diagram)| diagram.figures.iter().map(move |figure| (i, figure)));
    for (_, (part, figure)) in figures
        .filter(|(i, figure)| !all[..*i].iter().any(|before| before.figures.contains(figure)))
    {
        let color = theme.part(*part);
        let stroke = Stroke::new(1.3, color.gamma_multiply(0.75));
        let at = |p: glam::Vec2| camera.to_screen(p);
        match *figure {
            Figure::Circle { center, radius } if radius * camera.scale < LARGEST_RADIUS => {
                painter.circle(
                    at(center),
                    radius * camera.scale,
                    color.gamma_multiply(0.05),
                    stroke,
                );
            }
            Figure::Circle { .. } => {}
            Figure::Segment { from, to } => {
                painter.extend(Shape::dashed_line(&[at(from), at(to)], stroke, 5.0, 3.0));
                painter.circle_filled(at(to), 3.0, color);
            }
            Figure::Point(p) => {
                painter.circle_stroke(at(p), 4.0, stroke);
            }
        }
    }
}

/// Draws the arrows of one agent, above the agents.
pub(crate) fn draw_arrows(
    diagram: &ForceDiagram,
    painter: &Painter,
    camera: &Camera,
    theme: &Theme,
) {
    let from = camera.to_screen(diagram.position);
    let draw = |v: glam::Vec2, color: Color32, width: f32| {
        let scaled = v / diagram.max_speed * UNIT;
        let length = scaled.length();
        if length > 2.0 && length.is_finite() {
            let shown = scaled * (length.min(LONGEST) / length);
            arrow(painter, from, vec2(shown.x, shown.y), Stroke::new(width, color), theme.paper);
        }
    };
    draw(diagram.velocity, theme.velocity(), 2.2);
    for (i, (_, force)) in diagram.parts.iter().enumerate() {
        draw(*force, theme.part(i), 2.2);
    }
    if diagram.parts.len() > 1 {
        draw(diagram.force, theme.text, 2.6);
    }
}

/// Draws the legend of colors in the upper right corner; for one agent with the lengths.
pub(crate) fn draw_legend(all: &[ForceDiagram], painter: &Painter, area: Rect, theme: &Theme) {
    let Some(first) = all.first() else { return };
    let mut lines: Vec<(Color32, String)> = Vec::new();
    for (i, (behavior, force)) in first.parts.iter().enumerate() {
        lines.push((
            theme.part(i),
            if all.len() == 1 {
                format!("{behavior}  {:.2}", force.length())
            } else {
                (*behavior).to_string()
            },
        ));
    }
    if first.parts.len() > 1 {
        lines.push((
            theme.text,
            if all.len() == 1 {
                format!("together  {:.2}", first.force.length())
            } else {
                "together".to_string()
            },
        ));
    }
    lines.push((
        theme.velocity(),
        if all.len() == 1 {
            format!("velocity  {:.2}", first.velocity.length())
        } else {
            "velocity".to_string()
        },
    ));
    let font = FontId::proportional(13.0);
    let texts: Vec<_> = lines
        .iter()
        .map(|(_, text)| painter.layout_no_wrap(text.clone(), font.clone(), theme.text))
        .collect();
    let width = texts.iter().map(|text| text.size().x).fold(0.0, f32::max) + 38.0;
    let size = vec2(width, 18.0 * lines.len() as f32 + 10.0);
    let rect = Rect::from_min_size(pos2(area.right() - size.x - 10.0, area.top() + 10.0), size);
    painter.rect(
        rect,
        5.0,
        theme.paper.gamma_multiply(0.9),
        Stroke::new(1.0, theme.edge.gamma_multiply(0.3)),
        StrokeKind::Inside,
    );
    for (i, ((color, text), _)) in lines.iter().zip(&texts).enumerate() {
        let y = rect.top() + 14.0 + 18.0 * i as f32;
        arrow(
            painter,
            pos2(rect.left() + 8.0, y),
            vec2(16.0, 0.0),
            Stroke::new(2.2, *color),
            theme.paper,
        );
        painter.text(
            pos2(rect.left() + 31.0, y),
            Align2::LEFT_CENTER,
            text,
            font.clone(),
            theme.text,
        );
    }
}

/// An arrow with a halo, visible on any background.
fn arrow(painter: &Painter, from: Pos2, offset: Vec2, stroke: Stroke, halo: Color32) {
    let (to, unit) = (from + offset, offset.normalized());
    let size = 7.0_f32.min(offset.length() * 0.6);
    let head = |grown: f32| {
        let (back, across) = (unit * -(size + grown), unit.rot90() * (0.5 * size + grown));
        vec![to + unit * grown, to + back + across, to + back - across]
    };
    let neck = to - unit * size * 0.8;
    painter.line_segment([from, neck], Stroke::new(stroke.width + 2.0, halo.gamma_multiply(0.7)));
    painter.add(Shape::convex_polygon(head(1.2), halo.gamma_multiply(0.7), Stroke::NONE));
    painter.line_segment([from, neck], stroke);
    painter.add(Shape::convex_polygon(head(0.0), stroke.color, Stroke::NONE));
}
