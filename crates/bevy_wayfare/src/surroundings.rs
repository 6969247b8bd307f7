//! Before a step: the crowd follows the components of obstacles, paths and goals.

use bevy_ecs::prelude::*;
use bevy_math::{EulerRot, Quat, Vec3};
use bevy_transform::components::Transform;
use wayfare::crowd::{Added, Command};
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;

use crate::components::{FlowGoal, FromSetup, Obstacle, SteerPath, SteerTarget};
use crate::crowd::{Placement, WayfareCrowd};
use crate::inbox::{Inbox, Placed};
use crate::plane::{Dimension, Plane};
use crate::read::report;

/// Spawns entities for the obstacles and the paths of the setup.
pub(crate) fn spawn_setup<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut commands: Commands<'_, '_>,
) {
    if crowd.setup_is_spawned {
        return;
    }
    let crowd = &mut *crowd;
    crowd.setup_is_spawned = true;
    for (id, obstacle) in crowd.crowd.obstacle_ids().zip(crowd.crowd.obstacles()) {
        let (obstacle, transform) = components_of(crowd.plane, obstacle.shape());
        let entity = commands.spawn((FromSetup, obstacle.clone(), transform)).id();
        crowd.obstacles.insert(entity, Placement { id, obstacle, transform });
    }
    for (name, path) in crowd.crowd.path_names().zip(crowd.crowd.paths()) {
        let points = path.points().iter().map(|p| p.to_world(crowd.plane, Vec3::ZERO)).collect();
        let path = SteerPath { points, radius: path.radius, closed: path.is_closed() };
        let entity = commands.spawn((FromSetup, Name::new(name.to_string()), path)).id();
        crowd.paths.insert(entity, name.to_string());
    }
}

/// Adds, changes and removes obstacles.
pub(crate) fn read_obstacles<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut inbox: ResMut<'_, Inbox<V>>,
    obstacles: Query<'_, '_, (&Obstacle, &Transform, Has<FromSetup>)>,
    changed: Query<'_, '_, Entity, (With<Obstacle>, Or<(Changed<Obstacle>, Changed<Transform>)>)>,
    mut commands: Commands<'_, '_>,
) {
    let crowd = &mut *crowd;
    for placed in inbox.0.obstacles.drain(..) {
        match placed {
            Placed::Inserted(entity) if !crowd.obstacles.contains_key(&entity) => {
                let Ok((obstacle, transform, from_setup)) = obstacles.get(entity) else { continue };
                if from_setup {
                    // It is another crowd's.
                    continue;
                }
                let shape = shape_of::<V>(crowd.plane, obstacle, transform);
                let added = crowd.send(Command::AddObstacle(shape));
                if let Some(Some(Added::Obstacle(id))) = report(&mut commands, entity, added) {
                    let (obstacle, transform) = (obstacle.clone(), *transform);
                    crowd.obstacles.insert(entity, Placement { id, obstacle, transform });
                }
            }
            Placed::Inserted(_) => {}
            Placed::Removed(entity) => {
                if let Some(known) = crowd.obstacles.remove(&entity) {
                    report(&mut commands, entity, crowd.send(Command::RemoveObstacle(known.id)));
                }
            }
        }
    }
    for entity in &changed {
        let (Some(known), Ok((obstacle, transform, _))) =
            (crowd.obstacles.get_mut(&entity), obstacles.get(entity))
        else {
            continue;
        };
        // The shape of a scene file may differ in its last bits from that of its components, so
        // these are compared and not the shapes.
        if known.obstacle == *obstacle && known.transform == *transform {
            continue;
        }
        let id = known.id;
        *known = Placement { id, obstacle: obstacle.clone(), transform: *transform };
        let shape = shape_of::<V>(crowd.plane, obstacle, transform);
        report(&mut commands, entity, crowd.send(Command::SetObstacle(id, shape)));
    }
}

/// The components of a shape of the crowd. A segment and a polygon are placed at the mean of their
/// points.
fn components_of<V: Dimension>(plane: Plane, shape: &Shape<V>) -> (Obstacle, Transform) {
    let world = |point: V| point.to_world(plane, Vec3::ZERO);
    match shape {
        Shape::Circle { center, radius } => {
            (Obstacle::Circle { radius: *radius }, Transform::from_translation(world(*center)))
        }
        Shape::Box { center, half, angle } => {
            // An extent has no direction.
            let size = half.to_world(plane, Vec3::splat(0.5)).abs() * 2.0;
            let at = Transform::from_translation(world(*center));
            (Obstacle::Box { size }, at.with_rotation(Quat::from_axis_angle(plane.up(), *angle)))
        }
        Shape::Segment { from, to, thickness } => {
            let (from, to) = (world(*from), world(*to));
            let center = (from + to) * 0.5;
            let (from, to, thickness) = (from - center, to - center, *thickness);
            let at = Transform::from_translation(center);
            (Obstacle::Segment { from, to, thickness }, at)
        }
        Shape::Polygon { points } => {
            let corners = points.iter().map(|point| world(V::UP.from_ground(*point)));
            let center = corners.clone().sum::<Vec3>() / points.len() as f32;
            let points = corners.map(|corner| corner - center).collect();
            (Obstacle::Polygon { points }, Transform::from_translation(center))
        }
    }
}

pub(crate) fn shape_of<V: Dimension>(
    plane: Plane,
    obstacle: &Obstacle,
    transform: &Transform,
) -> Shape<V> {
    let center = V::from_world(plane, transform.translation);
    let placed =
        |local: Vec3| V::from_world(plane, transform.translation + transform.rotation * local);
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
        Obstacle::Segment { from, to, thickness } => {
            Shape::Segment { from: placed(*from), to: placed(*to), thickness: *thickness }
        }
        Obstacle::Polygon { points } => {
            let ground = |point: &Vec3| V::UP.ground(placed(*point));
            Shape::Polygon { points: points.iter().map(ground).collect() }
        }
    }
}

/// Adds, changes and removes paths. One with another radius, or that is closed now, becomes a new
/// path, and orders along it go to that.
pub(crate) fn read_paths<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut inbox: ResMut<'_, Inbox<V>>,
    paths: Query<'_, '_, (&SteerPath, Has<FromSetup>)>,
    mut commands: Commands<'_, '_>,
) {
    let (crowd, inbox) = (&mut *crowd, &mut *inbox);
    for placed in inbox.0.paths.drain(..) {
        let (Placed::Inserted(entity) | Placed::Removed(entity)) = placed;
        let found = paths.get(entity);
        let after = found.map(|(path, _)| {
            let points = path.points.iter().map(|p| V::from_world(crowd.plane, *p)).collect();
            Path::new(points, path.radius, path.closed)
        });
        if let Some(name) = crowd.paths.get(&entity).cloned() {
            if let Ok(after) = &after
                && let Some(changed) = move_points(crowd, &name, after)
            {
                report(&mut commands, entity, changed);
                continue;
            }
            let removed = crowd.send(Command::RemovePath(name));
            if report(&mut commands, entity, removed).is_none() {
                continue;
            }
            crowd.paths.remove(&entity);
            for slot in crowd.slots.iter_mut().flatten() {
                if slot.target == Some(SteerTarget::Path(entity)) {
                    slot.target = None;
                    inbox.0.settings.push(slot.entity);
                }
            }
        } else if found.is_ok_and(|(_, from_setup)| from_setup) {
            // It is another crowd's.
            continue;
        }
        if let (Placed::Inserted(_), Ok(path)) = (placed, after) {
            let name = format!("path {}", crowd.path_count);
            crowd.path_count += 1;
            let added = crowd.send(Command::AddPath { name: name.clone(), path });
            if report(&mut commands, entity, added).is_some() {
                crowd.paths.insert(entity, name);
            }
        }
    }
}

/// Gives a path of the crowd the points of `after`; `None` if it differs in more than points.
fn move_points<V: Dimension>(
    crowd: &mut WayfareCrowd<V>,
    name: &str,
    after: &Path<V>,
) -> Option<Result<(), String>> {
    let index = crowd.crowd.path_names().position(|other| other == name)?;
    let before = crowd.crowd.paths()[index].clone();
    let (old, new) = (before.points(), after.points());
    let is_another = (before.radius, before.is_closed()) != (after.radius, after.is_closed());
    if is_another || new.is_empty() {
        return None;
    }
    let path = || name.to_string();
    let change = (0..).zip(new).filter_map(|(point, &position)| match old.get(point) {
        Some(there) if *there == position => None,
        Some(_) => Some(Command::MovePoint { path: path(), point, position }),
        None => Some(Command::AddPoint { path: path(), point, position }),
    });
    let surplus = (new.len()..old.len()).rev();
    let removal = surplus.map(|point| Command::RemovePoint { path: path(), point });
    let changes: Vec<Command<V>> = change.chain(removal).collect();
    Some(changes.into_iter().try_for_each(|change| crowd.send(change).map(drop)))
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
