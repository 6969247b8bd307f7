//! Debug drawing by Bevy's gizmos: the feature `gizmos`.

use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::config::{DefaultGizmoConfigGroup, GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::{GizmoBuffer, Gizmos};
use bevy_math::{Isometry3d, Quat, Vec2, Vec3};
use bevy_reflect::Reflect;
use bevy_transform::components::Transform;
use wayfare::annotation::Figure;
use wayfare::geometry::obstacle::Shape;

use crate::components::{FlowGoal, Obstacle, SteerPath, SteeringId};
use crate::crowd::WayfareCrowd;
use crate::plane::{Dimension, Plane};
use crate::surroundings::shape_of;

/// The color of bodies and of obstacles.
const BODY: Color = Color::srgb(0.9, 0.9, 0.9);
/// The color of velocities.
const VELOCITY: Color = Color::srgb(0.35, 0.85, 0.45);
/// The color of the force that moves an agent.
const FORCE: Color = Color::srgb(1.0, 0.6, 0.2);
/// The color of the figures of behaviors.
const FIGURE: Color = Color::srgb(0.35, 0.65, 1.0);
/// The color of paths and fields.
const WAY: Color = Color::srgb(0.75, 0.55, 0.95);
/// Forces are as long as what they add to the velocity in this time, and velocities as what they
/// move an agent in it (time).
const SECOND: f32 = 1.0;

/// Draws by gizmos what the crowd knows of its entity, in every frame:
///
/// - of an agent: its body, its velocity, the force that moves it, and the figures of its
///   behaviors, such as targets, radii, probes and slots,
/// - of an [`Obstacle`]: its outline,
/// - of a [`SteerPath`]: its points, with its radius,
/// - of a [`FlowGoal`]: the directions of its field.
///
/// It needs Bevy's `GizmoPlugin`, which `DefaultPlugins` has.
#[derive(Clone, Component, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct ShowSteering {
    /// Whether the body and the velocity of an agent are drawn.
    pub body: bool,
    /// Whether the force that moves an agent is drawn.
    pub force: bool,
    /// Whether the figures of the behaviors are drawn.
    pub figures: bool,
}

impl Default for ShowSteering {
    fn default() -> Self {
        Self { body: true, force: true, figures: true }
    }
}

type Shown<'a> = (
    &'a ShowSteering,
    // A path has none.
    Option<&'a Transform>,
    Option<&'a SteeringId>,
    Option<&'a Obstacle>,
    Option<&'a SteerPath>,
    Option<&'a FlowGoal>,
);

/// Draws all entities with [`ShowSteering`].
pub(crate) fn draw<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    shown: Query<'_, '_, Shown<'_>>,
    mut gizmos: Gizmos<'_, '_, DefaultGizmoConfigGroup>,
) {
    // A drawn crowd is not a changed one.
    let crowd = crowd.bypass_change_detection();
    for (show, transform, id, obstacle, path, goal) in &shown {
        let transform = &transform.copied().unwrap_or_default();
        if let Some(id) = id {
            draw_agent(crowd, *id, *show, transform.translation, &mut gizmos);
        }
        if let Some(obstacle) = obstacle {
            let pen = Pen { plane: crowd.plane, rest: transform.translation };
            pen.shape(&shape_of::<V>(crowd.plane, obstacle, transform), &mut gizmos);
        }
        if let Some(path) = path {
            draw_path(crowd.plane, path, &mut gizmos);
        }
        if let Some(goal) = goal {
            draw_field(crowd, &goal.name, transform.translation, &mut gizmos);
        }
    }
}

/// Whether the app has gizmos.
pub(crate) fn has_gizmos(store: Option<Res<'_, GizmoConfigStore>>) -> bool {
    store.is_some()
}

/// Draws what the crowd knows of an agent into `gizmos`, as [`ShowSteering`] does: for buffers that
/// are drawn by other means. `at` is the place of its entity, from which comes the coordinate that
/// a plane does not have. An agent that is not in the crowd draws nothing.
pub fn draw_agent<V, C, T>(
    crowd: &mut WayfareCrowd<V>,
    id: SteeringId,
    show: ShowSteering,
    at: Vec3,
    gizmos: &mut GizmoBuffer<C, T>,
) where
    V: Dimension,
    C: GizmoConfigGroup,
    T: Send + Sync + 'static,
{
    let pen = Pen { plane: crowd.plane, rest: at };
    let Some(agent) = id.get().and_then(|id| crowd.crowd.get(id)).map(|found| found.agent) else {
        return;
    };
    let position = agent.position;
    let arrow = |along: V, color, gizmos: &mut GizmoBuffer<C, T>| {
        gizmos.arrow(pen.point(position), pen.point(position + along * SECOND), color);
    };
    if show.body {
        pen.circle(position, agent.radius, BODY, gizmos);
        arrow(agent.velocity, VELOCITY, gizmos);
    }
    if !(show.force || show.figures) {
        return;
    }
    let Some(why) = id.get().and_then(|id| crowd.crowd.explain(id)) else { return };
    if show.force {
        arrow(why.force, FORCE, gizmos);
    }
    for annotation in why.annotations.iter().filter(|_| show.figures) {
        match annotation.figure {
            Figure::Circle { center, radius } => pen.circle(center, radius, FIGURE, gizmos),
            Figure::Segment { from, to } => gizmos.line(pen.point(from), pen.point(to), FIGURE),
            Figure::Point(point) => {
                let size = agent.radius.max(0.02 * agent.max_speed);
                gizmos.cross(Isometry3d::from_translation(pen.point(point)), size, FIGURE);
            }
        }
    }
}

fn draw_path<C: GizmoConfigGroup, T: Send + Sync + 'static>(
    plane: Plane,
    path: &SteerPath,
    gizmos: &mut GizmoBuffer<C, T>,
) {
    let back = path.points.first().filter(|_| path.closed);
    gizmos.linestrip(path.points.iter().chain(back).copied(), WAY);
    for point in &path.points {
        let pen = Pen { plane, rest: *point };
        match plane {
            Plane::Space => pen.circle(*point, path.radius, WAY, gizmos),
            _ => {
                pen.circle(<Vec2 as Dimension>::from_world(plane, *point), path.radius, WAY, gizmos)
            }
        }
    }
}

fn draw_field<V: Dimension, C: GizmoConfigGroup, T: Send + Sync + 'static>(
    crowd: &WayfareCrowd<V>,
    name: &str,
    rest: Vec3,
    gizmos: &mut GizmoBuffer<C, T>,
) {
    let pen = Pen { plane: crowd.plane, rest };
    let Some(field) = crowd.field(name).and_then(|field| crowd.crowd.fields().get(field.0)) else {
        return;
    };
    let length = 0.8 * field.cell();
    for (cell, direction) in field.cells() {
        gizmos.arrow(pen.point(cell), pen.point(cell + direction * length), WAY);
    }
}

/// Draws figures of a crowd in the world.
#[derive(Clone, Copy)]
struct Pen {
    plane: Plane,
    /// The point whose coordinate completes those of a plane (length).
    rest: Vec3,
}

impl Pen {
    fn point<V: Dimension>(self, point: V) -> Vec3 {
        point.to_world(self.plane, self.rest)
    }

    /// A circle in a plane, a sphere in space.
    fn circle<V, C, T>(self, center: V, radius: f32, color: Color, gizmos: &mut GizmoBuffer<C, T>)
    where
        V: Dimension,
        C: GizmoConfigGroup,
        T: Send + Sync + 'static,
    {
        // One without a border would be drawn as an endless one.
        if !radius.is_finite() {
            return;
        }
        let center = self.point(center);
        match self.plane {
            Plane::Space => {
                gizmos.sphere(Isometry3d::from_translation(center), radius, color);
            }
            plane => {
                gizmos.circle(Isometry3d::new(center, plane.lay()), radius, color);
            }
        }
    }

    fn shape<V, C, T>(self, shape: &Shape<V>, gizmos: &mut GizmoBuffer<C, T>)
    where
        V: Dimension,
        C: GizmoConfigGroup,
        T: Send + Sync + 'static,
    {
        match shape {
            Shape::Circle { center, radius } => self.circle(*center, *radius, BODY, gizmos),
            Shape::Box { center, half, angle } => {
                let corner = |x: f32, y: f32| {
                    let (sin, cos) = angle.sin_cos();
                    let (x, y) = (x * half.axis(0), y * half.axis(1));
                    *center + V::X * (x * cos - y * sin) + V::UP.left(V::X) * (x * sin + y * cos)
                };
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
                gizmos.linestrip(corners.map(|(x, y)| self.point(corner(x, y))), BODY);
            }
            Shape::Segment { from, to, thickness } => {
                let radius = 0.5 * thickness;
                self.circle(*from, radius, BODY, gizmos);
                self.circle(*to, radius, BODY, gizmos);
                let along = *to - *from;
                let length = along.dot(along).sqrt().max(f32::MIN_POSITIVE);
                let side = V::UP.left(along * (1.0 / length)) * radius;
                for side in [side, -side] {
                    gizmos.line(self.point(*from + side), self.point(*to + side), BODY);
                }
            }
            Shape::Polygon { points } => {
                let height = V::from_world(self.plane, self.rest);
                let corners = points.iter().chain(points.first());
                let corner = |ground: &Vec2| self.point(V::UP.at_height_of(*ground, height));
                gizmos.linestrip(corners.map(corner), BODY);
            }
        }
    }
}

impl Plane {
    /// The rotation that lays a circle of x and y into the plane.
    fn lay(self) -> Quat {
        match self {
            Plane::Ground => Quat::from_rotation_x(-core::f32::consts::FRAC_PI_2),
            Plane::Xy | Plane::Space => Quat::IDENTITY,
        }
    }
}
