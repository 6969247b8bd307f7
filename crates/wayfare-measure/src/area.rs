//! Measurement areas: a circle or a box on the ground.

use wayfare::Vector;
use wayfare::geometry::obstacle::Shape;

use crate::error::Fault;
use crate::world::{Flat, MeasuredWorld, Outline, flat, outline, point, turn};

/// A measurement area.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Area {
    form: Form,
    /// Its corners, counter-clockwise; of a circle those of a regular polygon inside it.
    pub(crate) corners: Outline,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Circle { center: Flat, radius: f64 },
    Box { center: Flat, half: Flat, sin: f64, cos: f64 },
}

impl Area {
    /// The area of a shape of the scene.
    pub(crate) fn new<V: Vector>(shape: &Shape<V>, world: &MeasuredWorld) -> Result<Self, Fault> {
        let up = world.up;
        let form = match shape {
            Shape::Circle { center, radius } => {
                Form::Circle { center: flat(up, *center), radius: f64::from(*radius) }
            }
            Shape::Box { center, half, angle } => {
                let (center, half) = (flat(up, *center), point(up, *half).map(f64::abs));
                let (sin, cos) = turn(*angle);
                Form::Box { center, half: [half[0], half[1]], sin, cos }
            }
            Shape::Segment { .. } | Shape::Polygon { .. } => {
                let message = "`area` is neither a circle nor a box".to_string();
                return Err(("area", message, "a circle or a box".to_string()));
            }
        };
        let area = Self { form, corners: outline(up, shape) };
        if area.size() > 0.0 {
            return Ok(area);
        }
        Err(("area", "`area` has no size".to_string(), "a size above 0".to_string()))
    }

    /// Its size (length^2).
    pub(crate) fn size(&self) -> f64 {
        match self.form {
            Form::Circle { radius, .. } => std::f64::consts::PI * radius * radius,
            Form::Box { half, .. } => 4.0 * half[0] * half[1],
        }
    }

    /// Whether a point is inside; a point on the edge is not (PedPy, `shapely.contains`).
    pub(crate) fn contains(&self, [x, y]: Flat) -> bool {
        match self.form {
            Form::Circle { center, radius } => {
                let (x, y) = (x - center[0], y - center[1]);
                x * x + y * y < radius * radius
            }
            Form::Box { center, half, sin, cos } => {
                let (x, y) = (x - center[0], y - center[1]);
                (x * cos + y * sin).abs() < half[0] && (y * cos - x * sin).abs() < half[1]
            }
        }
    }

    /// Whether a point, or an image of it in a wrapped world, is inside.
    pub(crate) fn holds(&self, [x, y]: Flat, world: &MeasuredWorld) -> bool {
        if !world.wraps {
            return self.contains([x, y]);
        }
        world.images(false).iter().any(|shift| self.contains([x + shift[0], y + shift[1]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::Setup;
    use wayfare::glam::{Vec2, vec2};

    #[test]
    fn a_point_on_the_edge_of_an_area_is_not_inside() {
        let world = MeasuredWorld::of(&Setup::<Vec2>::default());
        let area = |shape| Area::new(&shape, &world).unwrap();
        let square = area(Shape::box_between(vec2(0.0, 0.0), vec2(2.0, 4.0)));
        assert_eq!(square.size(), 8.0);
        assert!(square.contains([1.0, 3.9]) && !square.contains([2.0, 3.0]));
        let half_turn = std::f32::consts::FRAC_PI_2;
        let turned = Shape::Box { center: vec2(0.0, 0.0), half: vec2(2.0, 1.0), angle: half_turn };
        assert!(area(turned.clone()).contains([0.9, 1.9]) && !area(turned).contains([1.9, 0.9]));
        let circle = area(Shape::Circle { center: vec2(1.0, 0.0), radius: 2.0 });
        assert!(circle.contains([2.9, 0.0]) && !circle.contains([3.0, 0.0]));
        let nothing = Shape::Circle { center: vec2(1.0, 0.0), radius: 0.0 };
        assert_eq!(Area::new(&nothing, &world).unwrap_err().1, "`area` has no size");
    }
}
