//! The forces on an agent and what its behaviors go by, as the library tells them: arrows, circles,
//! ways and a legend.

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use wayfare::Vector;
use wayfare::annotation::{Explanation, Figure};

use crate::render::camera::Camera;
use crate::render::theme::Theme;
use crate::session::scene::screen;

/// So many agents at once show their forces, unless one was chosen.
pub(crate) const MOST: usize = 12;

/// How long an arrow is that stands for the top speed (points of the screen), and the longest one.
const UNIT: f32 = 70.0;
const LONGEST: f32 = 180.0;

/// An explanation as it lies on the screen's plane.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    pub(crate) at: Pos2,
    velocity: Vec2,
    max_speed: f32,
    parts: Vec<(&'static str, Vec2)>,
    force: Vec2,
    figures: Vec<(usize, Figure<wayfare::glam::Vec2>)>,
}

impl Why {
    pub(crate) fn new<V: Vector>(agent: &wayfare::Agent<V>, why: &Explanation<V>) -> Self {
        let flat = |v: V| screen(v).to_vec2();
        // Figures have the color of the part whose behavior they belong to.
        let of =
            |place: u32| why.contributions.iter().position(|part| part.slot == place).unwrap_or(0);
        let figure = |figure: Figure<V>| match figure {
            Figure::Circle { center, radius } => Figure::Circle { center: center.flat(), radius },
            Figure::Segment { from, to } => Figure::Segment { from: from.flat(), to: to.flat() },
            Figure::Point(p) => Figure::Point(p.flat()),
        };
        Self {
            at: screen(agent.position),
            velocity: flat(agent.velocity),
            max_speed: agent.max_speed,
            parts: why.contributions.iter().map(|part| (part.behavior, flat(part.force))).collect(),
            force: flat(why.force),
            figures: why.annotations.iter().map(|a| (of(a.slot), figure(a.figure))).collect(),
        }
    }

    /// The geometry below the agents; what several go by, such as a slowing radius, is there once.
    pub(crate) fn draw_figures(all: &[Self], painter: &Painter, camera: &Camera, theme: &Theme) {
        let figures = all
            .iter()
            .enumerate()
            .flat_map(|(i, why)| why.figures.iter().map(move |figure| (i, figure)));
        for (_, (part, figure)) in figures
            .filter(|(i, figure)| !all[..*i].iter().any(|before| before.figures.contains(figure)))
        {
            let color = theme.part(*part);
            let stroke = Stroke::new(1.3, color.gamma_multiply(0.75));
            let at = |p: wayfare::glam::Vec2| camera.at(pos2(p.x, p.y));
            match *figure {
                // What is larger than the screen is nowhere on it.
                Figure::Circle { center, radius } if radius * camera.scale < 4_000.0 => {
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

    /// The arrows above the agents.
    pub(crate) fn draw_arrows(&self, painter: &Painter, camera: &Camera, theme: &Theme) {
        let from = camera.at(self.at);
        let draw = |v: Vec2, color: Color32, width: f32| {
            let way = v / self.max_speed * UNIT;
            let length = way.length();
            if length > 2.0 && length.is_finite() {
                arrow(
                    painter,
                    from,
                    way * (length.min(LONGEST) / length),
                    Stroke::new(width, color),
                    theme.paper,
                );
            }
        };
        draw(self.velocity, theme.velocity(), 2.2);
        for (i, (_, force)) in self.parts.iter().enumerate() {
            draw(*force, theme.part(i), 2.2);
        }
        if self.parts.len() > 1 {
            draw(self.force, theme.text, 2.6);
        }
    }

    /// What each color is, in the upper right corner; the numbers are those of the first one.
    pub(crate) fn legend(all: &[Self], painter: &Painter, area: Rect, theme: &Theme) {
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
        let place =
            Rect::from_min_size(pos2(area.right() - size.x - 10.0, area.top() + 10.0), size);
        painter.rect(
            place,
            5.0,
            theme.paper.gamma_multiply(0.9),
            Stroke::new(1.0, theme.edge.gamma_multiply(0.3)),
            eframe::egui::StrokeKind::Inside,
        );
        for (i, ((color, text), _)) in lines.iter().zip(&texts).enumerate() {
            let y = place.top() + 14.0 + 18.0 * i as f32;
            arrow(
                painter,
                pos2(place.left() + 8.0, y),
                vec2(16.0, 0.0),
                Stroke::new(2.2, *color),
                theme.paper,
            );
            painter.text(
                pos2(place.left() + 31.0, y),
                Align2::LEFT_CENTER,
                text,
                font.clone(),
                theme.text,
            );
        }
    }
}

/// An arrow with a halo, so that it stands out on whatever is below.
fn arrow(painter: &Painter, from: Pos2, way: Vec2, stroke: Stroke, halo: Color32) {
    let (to, unit) = (from + way, way.normalized());
    let size = 7.0_f32.min(way.length() * 0.6);
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
