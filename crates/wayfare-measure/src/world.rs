//! The world as measures read it: its bounds, whether it wraps, and its walls as outlines.

use wayfare::Vector;
use wayfare::crowd::Setup;
use wayfare::geometry::obstacle::Shape;
use wayfare::spatial::space::Edge;
use wayfare::vector::Up;

/// A point or a vector on the ground, in the world with z up.
pub(crate) type Flat = [f64; 2];

/// A closed outline on the ground.
pub(crate) type Outline = Vec<Flat>;

/// The corners of a full circle in an outline.
pub(crate) const CIRCLE_CORNERS: usize = 64;

/// The width that a wall without thickness has in an outline, as a part of its length.
const THIN: f64 = 1e-6;

/// The world at a tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasuredWorld {
    /// The length of a tick (time).
    pub(crate) dt: f64,
    pub(crate) up: Up,
    /// The corners of the bounds in the world with z up; the third coordinate is 0 in the plane.
    pub(crate) bounds: Option<([f64; 3], [f64; 3])>,
    /// Whether agents that leave on one side enter on the other.
    pub(crate) wraps: bool,
    /// Whether agents are held inside the bounds.
    pub(crate) walled: bool,
    pub(crate) dimension: usize,
    /// The outlines of the obstacles.
    pub(crate) walls: Vec<Outline>,
}

impl MeasuredWorld {
    pub(crate) fn of<V: Vector>(setup: &Setup<V>) -> Self {
        let up = setup.up;
        let bounds = setup.bounds.as_ref().map(|bounds| {
            let (a, b) = (point(up, bounds.min), point(up, bounds.max));
            let corner = |pick: fn(f64, f64) -> f64| [0, 1, 2].map(|i| pick(a[i], b[i]));
            (corner(f64::min), corner(f64::max))
        });
        Self {
            dt: setup.dt,
            up,
            bounds,
            wraps: setup.bounds.as_ref().is_some_and(|bounds| bounds.edge == Edge::Wrap),
            walled: setup.bounds.as_ref().is_some_and(|bounds| bounds.edge.has_walls()),
            dimension: V::DIMENSION,
            walls: setup.obstacles.iter().map(|shape| outline(up, shape)).collect(),
        }
    }

    /// The offset from `a` to `b`; in a wrapped world to the nearest image of `b`.
    pub(crate) fn offset(&self, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        let offset = [0, 1, 2].map(|i| b[i] - a[i]);
        match self.bounds {
            Some((min, max)) if self.wraps => [0, 1, 2].map(|i| {
                let size = max[i] - min[i];
                if size > 0.0 { offset[i] - size * (offset[i] / size).round() } else { offset[i] }
            }),
            _ => offset,
        }
    }

    /// The shifts to all images of the world, the first of which is zero; in space only with
    /// `height` along the vertical axis as well.
    pub(crate) fn images(&self, height: bool) -> Vec<[f64; 3]> {
        let Some((min, max)) = self.bounds.filter(|_| self.wraps) else { return vec![[0.0; 3]] };
        let mut shifts = vec![[0.0; 3]];
        let axes = if height { self.dimension } else { 2 };
        for axis in 0..axes {
            let size = max[axis] - min[axis];
            for i in 0..shifts.len() {
                for sign in [-1.0, 1.0] {
                    let mut shift = shifts[i];
                    shift[axis] += sign * size;
                    shifts.push(shift);
                }
            }
        }
        shifts
    }
}

/// A point of the world in the world with z up; the third coordinate is 0 in the plane.
pub(crate) fn point<V: Vector>(up: Up, p: V) -> [f64; 3] {
    let p = up.to_z_up(p);
    [0, 1, 2].map(|i| if i < V::DIMENSION { f64::from(p.axis(i)) } else { 0.0 })
}

/// A point on the ground.
pub(crate) fn flat<V: Vector>(up: Up, p: V) -> Flat {
    let [x, y, _] = point(up, p);
    [x, y]
}

/// The outline of a shape on the ground: circles have [`CIRCLE_CORNERS`] corners.
pub(crate) fn outline<V: Vector>(up: Up, shape: &Shape<V>) -> Outline {
    match shape {
        Shape::Circle { center, radius } => {
            circle(flat(up, *center), f64::from(*radius), CIRCLE_CORNERS)
        }
        Shape::Box { center, half, angle } => {
            let (center, half) = (flat(up, *center), point(up, *half).map(f64::abs));
            let (sin, cos) = turn(*angle);
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                .map(|[x, y]| {
                    let (x, y) = (x * half[0], y * half[1]);
                    [center[0] + x * cos - y * sin, center[1] + x * sin + y * cos]
                })
                .to_vec()
        }
        Shape::Segment { from, to, thickness } => {
            capsule(flat(up, *from), flat(up, *to), f64::from(*thickness) * 0.5)
        }
        Shape::Polygon { points } => {
            points.iter().map(|p| flat::<V>(up, up.from_ground(*p))).collect()
        }
    }
}

/// The sine and the cosine of an angle (radians), exact at no turn.
pub(crate) fn turn(angle: f32) -> (f64, f64) {
    (libm::sin(f64::from(angle)), libm::cos(f64::from(angle)))
}

/// A regular polygon whose corners are on the circle, one of them to the right of the center.
pub(crate) fn circle([x, y]: Flat, radius: f64, corners: usize) -> Outline {
    let step = std::f64::consts::TAU / corners as f64;
    (0..corners)
        .map(|i| {
            let angle = i as f64 * step;
            [x + radius * libm::cos(angle), y + radius * libm::sin(angle)]
        })
        .collect()
}

/// A straight wall with round ends; one without thickness has square ends and is very thin.
fn capsule(from: Flat, to: Flat, radius: f64) -> Outline {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    if length == 0.0 {
        return circle(from, radius, CIRCLE_CORNERS);
    }
    let unit = [along[0] / length, along[1] / length];
    let at = |[x, y]: Flat, ahead: f64, left: f64| {
        [x + ahead * unit[0] - left * unit[1], y + ahead * unit[1] + left * unit[0]]
    };
    if radius == 0.0 {
        let width = THIN * length * 0.5;
        return vec![
            at(from, 0.0, -width),
            at(to, 0.0, -width),
            at(to, 0.0, width),
            at(from, 0.0, width),
        ];
    }
    let half = CIRCLE_CORNERS / 2;
    let end = |p: Flat, sign: f64| {
        (0..=half).map(move |i| {
            let angle = (i as f64 / half as f64 - 0.5) * std::f64::consts::PI;
            at(p, sign * radius * libm::cos(angle), sign * radius * libm::sin(angle))
        })
    };
    end(to, 1.0).chain(end(from, -1.0)).collect()
}
