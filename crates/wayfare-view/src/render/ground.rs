//! What agents move among, drawn by egui: bounds, obstacles, paths, lines, exits, sources and the
//! pointer.

use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Shape as Drawn, Stroke, StrokeKind, Vec2, pos2,
    vec2,
};
use wayfare::Vector;
use wayfare::crowd::LineCount;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::spatial::space::{Bounds, Edge};

use crate::render::camera::Camera;
use crate::render::theme::Theme;
use crate::session::scene::screen;

pub(crate) struct Ground<'a> {
    pub(crate) painter: &'a Painter,
    pub(crate) camera: &'a Camera,
    pub(crate) theme: &'a Theme,
}

impl Ground<'_> {
    fn at<V: Vector>(&self, p: V) -> Pos2 {
        self.camera.at(screen(p))
    }

    /// The paper inside the bounds, and their edge: dashed if they are open, thick for a wall,
    /// dotted if they wrap.
    pub(crate) fn floor<V: Vector>(&self, bounds: Option<&Bounds<V>>) {
        let Some(bounds) = bounds else {
            self.painter.rect_filled(self.camera.screen, 0.0, self.theme.paper);
            return;
        };
        let place = Rect::from_two_pos(self.at(bounds.min), self.at(bounds.max));
        self.painter.rect_filled(place, 0.0, self.theme.paper);
        let corners = [
            place.left_top(),
            place.right_top(),
            place.right_bottom(),
            place.left_bottom(),
            place.left_top(),
        ];
        match bounds.edge {
            Edge::Wall => {
                self.painter.rect_stroke(
                    place,
                    0.0,
                    Stroke::new(3.0, self.theme.edge),
                    StrokeKind::Outside,
                );
            }
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

    pub(crate) fn obstacle<V: Vector>(&self, shape: &Shape<V>) {
        self.shape(shape, self.theme.obstacle, Stroke::new(1.4, self.theme.obstacle_edge));
    }

    pub(crate) fn exit<V: Vector>(&self, shape: &Shape<V>) {
        self.shape(
            shape,
            self.theme.exit.gamma_multiply(0.14),
            Stroke::new(1.2, self.theme.exit.gamma_multiply(0.7)),
        );
    }

    pub(crate) fn source<V: Vector>(&self, shape: &Shape<V>) {
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
                let (middle, half) =
                    (self.at(*center), screen(*half).to_vec2() * self.camera.scale);
                let (sin, cos) = angle.sin_cos();
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
                let points: Vec<Pos2> =
                    points.iter().map(|&p| self.camera.at(pos2(p.x, p.y))).collect();
                // The renderer fills convex shapes only.
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

    /// The band of a path's radius, its line with arrows in the direction of travel, and its
    /// points.
    pub(crate) fn path<V: Vector>(&self, path: &Path<V>) {
        let line: Vec<Pos2> = path.points.iter().map(|&p| self.at(p)).collect();
        let Some(&first) = line.first() else { return };
        let all: Vec<Pos2> = line.iter().copied().chain(path.closed.then_some(first)).collect();
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
            let way = pair[1] - pair[0];
            if way.length() > 30.0 {
                self.chevron(
                    pair[0] + way * 0.55,
                    way.normalized(),
                    5.0,
                    Stroke::new(1.8, self.theme.path),
                );
            }
        }
        for &p in line.iter().filter(|_| few) {
            self.painter.circle(p, 3.5, self.theme.paper, Stroke::new(1.5, self.theme.path));
        }
    }

    /// What a field says at some places, faintly: strokes with a tip, as long as what leads on from
    /// there.
    pub(crate) fn field<V: Vector>(&self, strokes: &[(V, V)]) {
        let stroke = Stroke::new(1.0, self.theme.path.gamma_multiply(0.4));
        for &(at, way) in strokes {
            let (from, to) = (self.at(at - way * 0.32), self.at(at + way * 0.32));
            self.painter.line_segment([from, to], stroke);
            self.chevron(
                to,
                (to - from).normalized(),
                (0.28 * (to - from).length()).min(4.0),
                stroke,
            );
        }
    }

    fn chevron(&self, tip: Pos2, way: Vec2, size: f32, stroke: Stroke) {
        let (back, across) = (way * -size, way.rot90() * size);
        self.painter.line_segment([tip + back + across, tip], stroke);
        self.painter.line_segment([tip + back - across, tip], stroke);
    }

    /// A line that counts, with an arrow on its left and the counts of both directions beside it.
    pub(crate) fn line<V: Vector>(&self, count: &LineCount<V>) {
        let (from, to) = (self.at(count.line.from), self.at(count.line.to));
        let stroke = Stroke::new(1.8, self.theme.line);
        self.painter.line_segment([from, to], stroke);
        let left = left_of(from, to);
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
        let text = self.painter.layout_no_wrap(text, FontId::proportional(13.0), self.theme.line);
        let place = Align2::LEFT_CENTER.anchor_size(to + vec2(8.0, 0.0), text.size());
        self.painter.rect_filled(
            place.expand2(vec2(4.0, 1.0)),
            3.0,
            self.theme.paper.gamma_multiply(0.9),
        );
        self.painter.galley(place.min, text, self.theme.line);
    }

    /// A cross, and a ring that leaves room for who has come to it.
    pub(crate) fn pointer(&self, at: Pos2) {
        let at = self.camera.at(at);
        for (width, color) in [(4.0, self.theme.paper), (1.8, self.theme.pointer)] {
            let stroke = Stroke::new(width, color);
            self.painter.circle_stroke(at, 10.0, stroke);
            for way in [vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)] {
                self.painter.line_segment([at + way * 6.5, at + way * 15.0], stroke);
            }
        }
    }
}

/// `part` of `over` on `under`, opaque: bands that cover each other stay of one color.
fn blend(under: Color32, over: Color32, part: f32) -> Color32 {
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part) as u8;
    Color32::from_rgb(mix(under.r(), over.r()), mix(under.g(), over.g()), mix(under.b(), over.b()))
}

/// A polygon that does not cross itself, cut into triangles by taking off ears.
fn triangles(points: &[Pos2]) -> Vec<[Pos2; 3]> {
    let cross = |a: Pos2, b: Pos2, c: Pos2| (b - a).x * (c - a).y - (b - a).y * (c - a).x;
    let mut left: Vec<Pos2> = points.to_vec();
    let area: f32 = (0..left.len())
        .map(|i| left[i].to_vec2())
        .zip((1..=left.len()).map(|i| left[i % left.len()].to_vec2()))
        .map(|(a, b)| a.x * b.y - a.y * b.x)
        .sum();
    if area < 0.0 {
        left.reverse();
    }
    let mut found = Vec::new();
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).find(|&i| {
            let (a, b, c) = (left[(i + count - 1) % count], left[i], left[(i + 1) % count]);
            let inside =
                |p: Pos2| cross(a, b, p) > 0.0 && cross(b, c, p) > 0.0 && cross(c, a, p) > 0.0;
            cross(a, b, c) > 0.0 && !left.iter().any(|&p| inside(p))
        });
        // Without an ear it is flat: what is left has no area.
        let Some(i) = ear else { break };
        found.push([left[(i + count - 1) % count], left[i], left[(i + 1) % count]]);
        left.remove(i);
    }
    if let [a, b, c] = left[..] {
        found.push([a, b, c]);
    }
    found
}

/// The left of who looks from one to the other, as the library counts it: the picture has the
/// world's axes.
fn left_of(from: Pos2, to: Pos2) -> Vec2 {
    let left = Vector::unit_perp(wayfare::glam::Vec2::new(to.x - from.x, to.y - from.y).unit());
    vec2(left.x, left.y)
}

/// The arrow that is nearest to this direction on the screen.
fn arrow(way: Vec2) -> &'static str {
    let eighth = (way.angle() / std::f32::consts::FRAC_PI_4).round() as i32;
    ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"][eighth.rem_euclid(8) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_crosses_a_door_is_counted_beside_the_arrow_of_their_way() {
        let text = "[line.door]\nfrom = [0, 10]\nto = [20, 10]\n[[group]]\nname = \"a\"\nspawn = \
                    { points = [[10, 9]] }\nvelocity = [0, 2]\nmax_speed = 2\n";
        let source = wayfare_scene::Source { name: "door".to_string(), text: text.to_string() };
        let Ok(wayfare_scene::AnyScene::TwoD(scene)) =
            wayfare_scene::read(&source, wayfare_scene::Format::Toml)
        else {
            panic!("it is flat")
        };
        let mut crowd = wayfare::Crowd::new(scene.setup).unwrap();
        crowd.step();
        let line = &crowd.lines()[0];
        let left =
            left_of(pos2(line.line.from.x, line.line.from.y), pos2(line.line.to.x, line.line.to.y));
        // They go to where y grows, which is down.
        let counts = [(line.left, arrow(left)), (line.right, arrow(-left))];
        assert_eq!(counts, [(1, "↓"), (0, "↑")]);
    }

    #[test]
    fn triangles_cover_a_polygon_that_is_not_convex() {
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
