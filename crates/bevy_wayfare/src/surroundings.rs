//! Before a step: the crowd follows the components of obstacles, paths and goals.

use bevy_ecs::prelude::*;
use bevy_math::EulerRot;
use bevy_transform::components::Transform;
use wayfare::crowd::{Added, Command};
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;

use crate::components::{FlowGoal, Obstacle, SteerPath, SteerTarget};
use crate::crowd::WayfareCrowd;
use crate::inbox::{Inbox, Placed};
use crate::plane::{Dimension, Plane};
use crate::read::report;

/// Adds, changes and removes obstacles.
pub(crate) fn read_obstacles<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut inbox: ResMut<'_, Inbox<V>>,
    obstacles: Query<'_, '_, (&Obstacle, &Transform)>,
    changed: Query<'_, '_, Entity, (With<Obstacle>, Or<(Changed<Obstacle>, Changed<Transform>)>)>,
    mut commands: Commands<'_, '_>,
) {
    let crowd = &mut *crowd;
    for placed in inbox.0.obstacles.drain(..) {
        match placed {
            Placed::Inserted(entity) if !crowd.obstacles.contains_key(&entity) => {
                let Ok((obstacle, transform)) = obstacles.get(entity) else { continue };
                let shape = shape_of::<V>(crowd.plane, obstacle, transform);
                let added = crowd.send(Command::AddObstacle(shape));
                if let Some(Some(Added::Obstacle(id))) = report(&mut commands, entity, added) {
                    crowd.obstacles.insert(entity, id);
                }
            }
            Placed::Inserted(_) => {}
            Placed::Removed(entity) => {
                if let Some(id) = crowd.obstacles.remove(&entity) {
                    report(&mut commands, entity, crowd.send(Command::RemoveObstacle(id)));
                }
            }
        }
    }
    for entity in &changed {
        let (Some(&id), Ok((obstacle, transform))) =
            (crowd.obstacles.get(&entity), obstacles.get(entity))
        else {
            continue;
        };
        let shape = shape_of::<V>(crowd.plane, obstacle, transform);
        // One that has just been added has this shape.
        if crowd.crowd.obstacle(id).is_none_or(|there| *there.shape() != shape) {
            report(&mut commands, entity, crowd.send(Command::SetObstacle(id, shape)));
        }
    }
}

pub(crate) fn shape_of<V: Dimension>(
    plane: Plane,
    obstacle: &Obstacle,
    transform: &Transform,
) -> Shape<V> {
    let center = V::from_world(plane, transform.translation);
    match obstacle {
        Obstacle::Circle { radius } => Shape::Circle { center, radius: *radius },
        Obstacle::Box { size } => {
            let angle = match plane {
                Plane::Xy => transform.rotation.to_euler(EulerRot::ZYX).0,
                Plane::Ground | Plane::Space => transform.rotation.to_euler(EulerRot::YXZ).0,
            };
            // An extent has no direction.
            let half = V::from_world(plane, *size * 0.5);
            Shape::Box { center, half: V::from_fn(|axis| half.axis(axis).abs()), angle }
        }
    }
}

/// Adds and removes paths. A changed path becomes a new one, and orders along it go to that.
pub(crate) fn read_paths<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut inbox: ResMut<'_, Inbox<V>>,
    paths: Query<'_, '_, &SteerPath>,
    mut commands: Commands<'_, '_>,
) {
    let (crowd, inbox) = (&mut *crowd, &mut *inbox);
    for placed in inbox.0.paths.drain(..) {
        let (Placed::Inserted(entity) | Placed::Removed(entity)) = placed;
        let before = crowd.paths.remove(&entity);
        if let Placed::Inserted(_) = placed
            && let Ok(path) = paths.get(entity)
        {
            let points = path.points.iter().map(|p| V::from_world(crowd.plane, *p)).collect();
            let path = Path::new(points, path.radius, path.closed);
            let name = format!("path {}", crowd.path_count);
            crowd.path_count += 1;
            let added = crowd.send(Command::AddPath { name: name.clone(), path });
            if report(&mut commands, entity, added).is_some() {
                crowd.paths.insert(entity, name);
            }
        }
        if let Some(before) = before {
            for slot in crowd.slots.iter_mut().flatten() {
                if slot.target == Some(SteerTarget::Path(entity)) {
                    slot.target = None;
                    inbox.0.settings.push(slot.entity);
                }
            }
            report(&mut commands, entity, crowd.send(Command::RemovePath(before)));
        }
    }
}

/// Adds and removes the flow fields of goals.
pub(crate) fn read_goals<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut inbox: ResMut<'_, Inbox<V>>,
    goals: Query<'_, '_, (&FlowGoal, &Transform)>,
    mut commands: Commands<'_, '_>,
) {
    let crowd = &mut *crowd;
    for placed in inbox.0.goals.drain(..) {
        let (Placed::Inserted(entity) | Placed::Removed(entity)) = placed;
        if let Some(before) = crowd.goals.remove(&entity) {
            let removed = crowd.send(Command::RemoveField(before.0.clone()));
            if report(&mut commands, entity, removed).is_none() {
                crowd.goals.insert(entity, before);
                continue;
            }
        }
        if let Placed::Inserted(_) = placed
            && let Ok((goal, transform)) = goals.get(entity)
        {
            let shape = Obstacle::Box { size: goal.size };
            let corners = |(a, b)| (V::from_world(crowd.plane, a), V::from_world(crowd.plane, b));
            let plan = FieldPlan::Toward {
                goals: vec![shape_of::<V>(crowd.plane, &shape, transform)],
                cell: goal.cell,
                clearance: goal.clearance,
                area: goal.area.map(corners).map(|(a, b)| {
                    let corner = |pick: fn(f32, f32) -> f32| {
                        V::from_fn(|axis| pick(a.axis(axis), b.axis(axis)))
                    };
                    (corner(f32::min), corner(f32::max))
                }),
            };
            let name = goal.name.clone();
            let added = crowd.send(Command::AddField { name: name.clone(), plan });
            if let Some(Some(Added::Field(id))) = report(&mut commands, entity, added) {
                crowd.goals.insert(entity, (name, id));
            }
        }
    }
}
