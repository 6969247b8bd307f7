//! Differences between two drafts of a scene as commands for its running crowd.

use wayfare::ObstacleId;
use wayfare::crowd::{Command, KeyPath, KeySegment};
use wayfare::vector::Up;
use wayfare_scene::edit::{Control, Draft, Value};

use crate::session::dimension::Dimension;
use crate::session::picking::Grabbed;

/// Moves a grabbed object in the scene's text; `None` if the text does not state its position as
/// points.
pub(crate) fn move_in_text<V: Dimension>(
    draft: &mut Draft,
    grabbed: &Grabbed<V>,
    offset: V,
    up: Up,
) -> Option<()> {
    let moved = |value: &Value| {
        let Value::List(items) = value else { return None };
        let flat = items.len().min(V::DIMENSION);
        let shifted = |(i, x): (usize, &Value)| {
            // The corners of a polygon are coordinates on the ground.
            let by = if flat == 2 { up.ground(offset)[i] } else { offset.axis(i) };
            Some(Value::from(((x.number()? + f64::from(by)) * 100.0).round() / 100.0))
        };
        items[..flat]
            .iter()
            .enumerate()
            .map(shifted)
            .collect::<Option<Vec<Value>>>()
            .map(Value::List)
    };
    match grabbed {
        Grabbed::Agent { .. } => None,
        Grabbed::Obstacle { id, .. } => {
            let path = KeyPath::default().key("obstacle").at(id.0 as usize);
            if let Some(Value::List(corners)) =
                draft.control(&path.key("polygon")).and_then(|field| field.value)
            {
                let corners = corners.iter().map(moved).collect::<Option<_>>()?;
                return draft.set(&path.key("polygon"), Value::List(corners)).ok();
            }
            let is_point = |field: &Control| {
                field.key_path.0.starts_with(&path.0)
                    && ["center", "min", "max", "from", "to"].contains(&field.name())
            };
            let mut points = draft
                .controls()
                .into_iter()
                .filter(is_point)
                .map(|field| Some((moved(field.value.as_ref()?)?, field.key_path)))
                .collect::<Option<Vec<_>>>()?;
            if points.is_empty() {
                // An obstacle of a file.
                return None;
            }
            // The corners of a box must stay in order after each change: raise the upper one first.
            if let [.., (max, corner)] = points.as_slice()
                && matches!(corner.0.last(), Some(KeySegment::Name(name)) if name == "max")
            {
                let (Value::List(new), Value::List(old)) = (max, draft.control(corner)?.value?)
                else {
                    return None;
                };
                let larger = new
                    .iter()
                    .zip(&old)
                    .map(|(a, b)| Some(Value::from(a.number()?.max(b.number()?))))
                    .collect::<Option<_>>()?;
                points.insert(0, (Value::List(larger), corner.clone()));
            }
            points.into_iter().try_for_each(|(point, path)| draft.set(&path, point).ok())
        }
        Grabbed::Point { path, point, .. } => {
            let path = KeyPath::default().key("path").key(path.clone());
            let Value::List(mut points) = draft.control(&path.key("points"))?.value? else {
                return None;
            };
            if draft.control(&path.key("curve")).is_some_and(|field| field.given) {
                return None;
            }
            let point = points.get_mut(*point)?;
            *point = moved(point)?;
            draft.set(&path.key("points"), Value::List(points)).ok()
        }
    }
}

/// The commands that move obstacles and path points from their positions in one draft to those in
/// another; `None` if these tables differ in anything else.
fn movements<V: Dimension>(before: &Draft, after: &Draft) -> Option<Vec<Command<V>>> {
    let (old, new) = (&V::scene(before.scene())?.setup, &V::scene(after.scene())?.setup);
    if old.obstacles.len() != new.obstacles.len() || old.paths.len() != new.paths.len() {
        return None;
    }
    let obstacles =
        old.obstacles.iter().zip(&new.obstacles).enumerate().filter(|(_, (a, b))| a != b);
    let mut commands: Vec<_> = obstacles
        .map(|(i, (_, shape))| Command::SetObstacle(ObstacleId(i as u32), shape.clone()))
        .collect();
    for ((name, a), (other, b)) in old.paths.iter().zip(&new.paths) {
        if name != other
            || a.points().len() != b.points().len()
            || (a.radius, a.is_closed()) != (b.radius, b.is_closed())
        {
            return None;
        }
        let points = a.points().iter().zip(b.points()).enumerate().filter(|(_, (a, b))| a != b);
        commands.extend(points.map(|(point, (_, &position))| Command::MovePoint {
            path: name.clone(),
            point,
            position,
        }));
    }
    Some(commands)
}

/// The commands that turn a running crowd of one draft into one of another; `None` if a difference
/// has no command.
pub(crate) fn commands_between<V: Dimension>(
    before: &Draft,
    after: &Draft,
) -> Option<Vec<Command<V>>> {
    let (old, new) = (before.controls(), after.controls());
    if before.lists() != after.lists() && !only_switches(before, after) {
        return None;
    }
    if old.len() != new.len() || old.iter().zip(&new).any(|(a, b)| a.key_path != b.key_path) {
        return None;
    }
    let is_movable = |path: &KeyPath| {
        let tables = ["obstacle", "path"];
        matches!(path.0.first(), Some(KeySegment::Name(name)) if tables.contains(&name.as_str()))
    };
    let (moved, set): (Vec<_>, Vec<_>) = old
        .iter()
        .zip(&new)
        .filter(|(a, b)| a.value != b.value)
        .map(|(_, field)| field)
        .partition(|field| is_movable(&field.key_path));
    let mut commands = if moved.is_empty() { Vec::new() } else { movements(before, after)? };
    let mut tables: Vec<&KeyPath> = Vec::new();
    for field in set {
        match after.command::<V>(&field.key_path) {
            Some(command) if !commands.contains(&command) => commands.push(command),
            Some(_) => {}
            // A table that differs because its entries do, which have commands of their own.
            None => tables.push(&field.key_path),
        }
    }
    let has_entries = |path: &&KeyPath| {
        let inside = |other: &&Control| {
            other.key_path.0.len() > path.0.len() && other.key_path.0.starts_with(&path.0)
        };
        new.iter().any(|field| inside(&field))
    };
    if !tables.iter().all(has_entries) || (!tables.is_empty() && commands.is_empty()) {
        return None;
    }
    // Without commands only comments and layout may differ, not something that is no field.
    if commands.is_empty() && format!("{:?}", before.scene()) != format!("{:?}", after.scene()) {
        return None;
    }
    Some(commands)
}

/// Whether the lists of behaviors differ at most in which entries are switched off.
fn only_switches(before: &Draft, after: &Draft) -> bool {
    let entries = |draft: &Draft| {
        draft
            .lists()
            .into_iter()
            .flat_map(|list| list.entries)
            .map(|entry| (entry.key_path, entry.behavior))
            .collect::<Vec<_>>()
    };
    entries(before) == entries(after)
}
