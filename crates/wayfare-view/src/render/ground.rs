//! Drawing of the ground: bounds, obstacles, paths, flow fields, lines, exits, sources and the
//! pointer.

use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Shape as Drawn, Stroke, StrokeKind, Vec2, vec2,
};
use wayfare::crowd::LineCount;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::vector::Up;
use wayfare::{AgentId, Vector};

use crate::render::camera::Camera;
use crate::render::theme::Theme;
use crate::session::traits::{AnyCrowd, CrowdView};

/// Draws parts of the ground with one camera.
pub(crate) struct Ground<'a> {
    pub(crate) painter: &'a Painter,
    pub(crate) camera: &'a Camera,
    pub(crate) theme: &'a Theme,
    /// The axis that points up, along which the camera looks down.
    pub(crate) up: Up,
    /// The agent whose flow field is shown.
    pub(crate) agent: Option<AgentId>,
}

impl Ground<'_> {
    /// Draws the ground of a crowd: everything but agents and the pointer.
    pub(crate) fn draw(&self, crowd: AnyCrowd<'_>) {
        match crowd {
            AnyCrowd::TwoD(view) => self.draw_all(&view),
            AnyCrowd::ThreeD(view) => self.draw_all(&view),
        }
    }

    fn draw_all<V: Vector>(&self, view: &CrowdView<'_, V>) {
        let crowd = view.crowd;
        self.floor(view.bounds);
        crowd.exits().iter().for_each(|count| self.exit(&count.exit.shape));
        crowd.sources().iter().for_each(|count| self.source(&count.source.area));
        let field = wayfare_record::ShownField::of(crowd, self.agent);
        field.iter().for_each(|field| self.field(&field.arrows));
        crowd.paths().iter().for_each(|path| self.path(path));
        crowd.obstacles().iter().for_each(|obstacle| self.obstacle(obstacle.shape()));
        crowd.lines().iter().for_each(|count| self.line(count));
    }

    fn at<V: Vector>(&self, p: V) -> Pos2 {
        self.camera.to_screen(self.up.ground(p))
    }

    /// The paper inside the bounds, and the edge: dashed if open, thick for a wall, in thick
    /// dashes if it reflects, dotted if the world wraps.
    fn floor<V: Vector>(&self, bounds: Option<&Bounds<V>>) {
        let Some(bounds) = bounds else {
            self.painter.rect_filled(self.camera.screen, 0.0, self.theme.paper);
            return;
        };
        let rect = Rect::from_two_pos(self.at(bounds.min), self.at(bounds.max));
        self.painter.rect_filled(rect, 0.0, self.theme.paper);
        let corners = [
            rect.left_top(),
            rect.right_top(),
            rect.right_bottom(),
            rect.left_bottom(),
            rect.left_top(),
        ];
        match bounds.edge {
            Edge::Wall => {
                self.painter.rect_stroke(
                    rect,
                    0.0,
                    Stroke::new(3.0, self.theme.edge),
                    StrokeKind::Outside,
                );
            }
            Edge::Bounce => self.painter.extend(Drawn::dashed_line(
                &corners,
                Stroke::new(3.0, self.theme.edge),
                24.0,
                4.0,
            )),
            Edge::Open => self.painter.extend(Drawn::dashed_line(
                &corners,
                Stroke::new(1.0, self.theme.edge.gamma_multiply(0.5)),
                8.0,
                6.0,
            )),
            Edge::Wrap => self.painter.extend(Drawn::dotted_line(
                &corners,
                self.theme.edge.gamma_multiply(0.7),
                7.0,
                1.2,
            )),
        }
    }

    fn obstacle<V: Vector>(&self, shape: &Shape<V>) {
        self.shape(shape, self.theme.obstacle, Stroke::new(1.4, self.theme.obstacle_edge));
    }

    fn exit<V: Vector>(&self, shape: &Shape<V>) {
        self.shape(
            shape,
            self.theme.exit.gamma_multiply(0.14),
            Stroke::new(1.2, self.theme.exit.gamma_multiply(0.7)),
        );
    }

    fn source<V: Vector>(&self, shape: &Shape<V>) {
        self.shape(
            shape,
            self.theme.source.gamma_multiply(0.14),
            Stroke::new(1.2, self.theme.source.gamma_multiply(0.8)),
        );
    }

    fn shape<V: Vector>(&self, shape: &Shape<V>, fill: Color32, stroke: Stroke) {
        match shape {
            Shape::Circle { center, radius } => {
                self.painter.circle(
                    self.at(*center),
                    (radius * self.camera.scale).max(1.5),
                    fill,
                    stroke,
                );
            }
            Shape::Box { center, half, angle } => {
                let (middle, half) = (self.at(*center), self.up.ground(*half) * self.camera.scale);
                let (sin, cos) = (self.up.sense() * angle).sin_cos();
                let corner = |x: f32, y: f32| {
                    middle
                        + vec2(
                            cos * x * half.x - sin * y * half.y,
                            sin * x * half.x + cos * y * half.y,
                        )
                };
                let corners = vec![
                    corner(-1.0, -1.0),
                    corner(1.0, -1.0),
                    corner(1.0, 1.0),
                    corner(-1.0, 1.0),
                ];
                self.painter.add(Drawn::convex_polygon(corners, fill, stroke));
            }
            Shape::Segment { from, to, thickness } => {
                let (from, to, wide) =
                    (self.at(*from), self.at(*to), (thickness * self.camera.scale).max(2.0));
                let line = |width: f32, color: Color32| {
                    self.painter.line_segment([from, to], Stroke::new(width, color));
                    [from, to].into_iter().for_each(|end| {
                        self.painter.circle_filled(end, width * 0.5, color);
                    });
                };
                line(wide + 2.0 * stroke.width, stroke.color);
                line(wide, Color32::from_rgb(fill.r(), fill.g(), fill.b()));
            }
            Shape::Polygon { points } => {
                let points: Vec<Pos2> = points.iter().map(|&p| self.camera.to_screen(p)).collect();
                // egui fills convex shapes only.
                for triangle in triangles(&points) {
                    self.painter.add(Drawn::convex_polygon(
                        triangle.to_vec(),
                        fill,
                        Stroke::new(0.7, fill),
                    ));
                }
                self.painter.add(Drawn::closed_line(points, stroke));
            }
        }
    }

    /// A path: a band of its radius, a line with arrows in the direction of travel, and its points.
    fn path<V: Vector>(&self, path: &Path<V>) {
        let line: Vec<Pos2> = path.points().iter().map(|&p| self.at(p)).collect();
        let Some(&first) = line.first() else { return };
        let all: Vec<Pos2> =
            line.iter().copied().chain(path.is_closed().then_some(first)).collect();
        let wide = 2.0 * path.radius * self.camera.scale;
        if wide > 2.0 {
            let band = blend(self.theme.paper, self.theme.path, 0.13);
            all.windows(2).for_each(|pair| {
                self.painter.line_segment([pair[0], pair[1]], Stroke::new(wide, band));
            });
            all.iter().for_each(|&p| {
                self.painter.circle_filled(p, wide * 0.5, band);
            });
        }
        self.painter
            .add(Drawn::line(all.clone(), Stroke::new(1.2, self.theme.path.gamma_multiply(0.7))));
        let few = line.len() <= 40;
        for pair in all.windows(2).filter(|_| few) {
            let offset = pair[1] - pair[0];
            if offset.length() > 30.0 {
                self.chevron(
                    pair[0] + offset * 0.55,
                    offset.normalized(),
                    5.0,
                    Stroke::new(1.8, self.theme.path),
                );
            }
        }
        for &p in line.iter().filter(|_| few) {
            self.painter.circle(p, 3.5, self.theme.paper, Stroke::new(1.5, self.theme.path));
        }
    }

    /// The directions of a flow field at some points: faint strokes with a tip, as long as the
    /// field's vectors there.
    fn field<V: Vector>(&self, strokes: &[(V, V)]) {
        let stroke = Stroke::new(1.0, self.theme.path.gamma_multiply(0.4));
        for &(at, offset) in strokes {
            let (from, to) = (self.at(at - offset * 0.32), self.at(at + offset * 0.32));
            self.painter.line_segment([from, to], stroke);
            self.chevron(
                to,
                (to - from).normalized(),
                (0.28 * (to - from).length()).min(4.0),
                stroke,
            );
        }
    }

    fn chevron(&self, tip: Pos2, direction: Vec2, size: f32, stroke: Stroke) {
        let (back, across) = (direction * -size, direction.rot90() * size);
        self.painter.line_segment([tip + back + across, tip], stroke);
        self.painter.line_segment([tip + back - across, tip], stroke);
    }

    /// A counting line, with an arrow to its left and the counts of both directions.
    fn line<V: Vector>(&self, count: &LineCount<V>) {
        let (from, to) = (self.at(count.line.from), self.at(count.line.to));
        let stroke = Stroke::new(1.8, self.theme.line);
        self.painter.line_segment([from, to], stroke);
        let left = left_of(from, to) * self.up.sense();
        let middle = from + (to - from) * 0.5;
        self.chevron(middle + left * 8.0, left, 4.0, stroke);
        let text = format!(
            "{}: {} {}  {} {}",
            count.line.name,
            count.left,
            arrow(left),
            count.right,
            arrow(-left)
        );
        let text = self.painter.layout_no_wrap(text, FontId::monospace(12.0), self.theme.line);
        let rect = Align2::LEFT_CENTER.anchor_size(to + vec2(8.0, 0.0), text.size());
        self.painter.rect_filled(
            rect.expand2(vec2(4.0, 1.0)),
            3.0,
            self.theme.paper.gamma_multiply(0.9),
        );
        self.painter.galley(rect.min, text, self.theme.line);
    }

    /// The pointer: a cross with a ring, open in the middle so that an agent on it stays visible.
    pub(crate) fn pointer(&self, at: glam::Vec2) {
        let at = self.camera.to_screen(at);
        for (width, color) in [(4.0, self.theme.paper), (1.8, self.theme.pointer)] {
            let stroke = Stroke::new(width, color);
            self.painter.circle_stroke(at, 10.0, stroke);
            for arm in [vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)] {
                self.painter.line_segment([at + arm * 6.5, at + arm * 15.0], stroke);
            }
        }
    }
}

/// `over` mixed into `under` by `part`, opaque, so that overlapping bands have one color.
fn blend(under: Color32, over: Color32, part: f32) -> Color32 {
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part) as u8;
    Color32::from_rgb(mix(under.r(), over.r()), mix(under.g(), over.g()), mix(under.b(), over.b()))
}

/// Cuts a simple polygon into triangles by ear clipping.
fn triangles(points: &[Pos2]) -> Vec<[Pos2; 3]> {
    let cross = |a: Pos2, b: Pos2, c: Pos2| (b - a).x * (c - a).y - (b - a).y * (c - a).x;
    let mut rest: Vec<Pos2> = points.to_vec();
    let area: f32 = (0..rest.len())
        .map(|i| rest[i].to_vec2())
        .zip((1..=rest.len()).map(|i| rest[i % rest.len()].to_vec2()))
        .map(|(a, b)| a.x * b.y - a.y * b.x)
        .sum();
    if area < 0.0 {
        rest.reverse();
    }
    let mut found = Vec::new();
    while rest.len() > 3 {
        let count = rest.len();
        let ear = (0..count).find(|&i| {
            let (a, b, c) = (rest[(i + count - 1) % count], rest[i], rest[(i + 1) % count]);
            let inside =
                |p: Pos2| cross(a, b, p) > 0.0 && cross(b, c, p) > 0.0 && cross(c, a, p) > 0.0;
            cross(a, b, c) > 0.0 && !rest.iter().any(|&p| inside(p))
        });
        // Without an ear the rest has no area.
        let Some(i) = ear else { break };
        found.push([rest[(i + count - 1) % count], rest[i], rest[(i + 1) % count]]);
        rest.remove(i);
    }
    if let [a, b, c] = rest[..] {
        found.push([a, b, c]);
    }
    found
}

/// The left side of a line, as the library counts crossings in the plane and with z up; the screen
/// has the axes of the ground.
fn left_of(from: Pos2, to: Pos2) -> Vec2 {
    let left = Vector::unit_perp(glam::Vec2::new(to.x - from.x, to.y - from.y).unit());
    vec2(left.x, left.y)
}

/// The arrow character nearest to a direction on the screen; the proportional font has none.
fn arrow(direction: Vec2) -> &'static str {
    let eighth = (direction.angle() / std::f32::consts::FRAC_PI_4).round() as i32;
    ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"][eighth.rem_euclid(8) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    #[test]
    fn a_crossing_is_counted_beside_the_arrow_of_its_direction() {
        let text = "[line.door]\nfrom = [0, 10]\nto = [20, 10]\n[[group]]\nname = \"a\"\nspawn = \
                    { points = [[10, 9]] }\nvelocity = [0, 2]\nmax_speed = 2\n";
        let source = wayfare_scene::Source { name: "door".to_string(), text: text.to_string() };
        let Ok(wayfare_scene::AnyScene::TwoD(scene)) =
            wayfare_scene::read(&source, wayfare_scene::Format::Toml)
        else {
            panic!("a scene in the plane")
        };
        let mut crowd = wayfare::Crowd::new(scene.setup).unwrap();
        crowd.step();
        let line = &crowd.lines()[0];
        let left =
            left_of(pos2(line.line.from.x, line.line.from.y), pos2(line.line.to.x, line.line.to.y));
        // The agent goes to larger y, which is down on the screen.
        let counts = [(line.left, arrow(left)), (line.right, arrow(-left))];
        assert_eq!(counts, [(1, "↓"), (0, "↑")]);
    }

    #[test]
    fn triangles_cover_a_concave_polygon() {
        let corner = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 4.0), (0.0, 4.0)]
            .map(|(x, y)| pos2(x, y));
        let area = |t: &[Pos2; 3]| {
            0.5 * ((t[1] - t[0]).x * (t[2] - t[0]).y - (t[1] - t[0]).y * (t[2] - t[0]).x).abs()
        };
        for turned in [corner.to_vec(), corner.iter().rev().copied().collect()] {
            assert_eq!(triangles(&turned).iter().map(area).sum::<f32>(), 7.0);
        }
    }
}
