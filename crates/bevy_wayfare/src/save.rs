//! A crowd at a point in time, with the entities of its agents.

use std::collections::{HashMap, HashSet};

use bevy_ecs::prelude::*;
use bevy_ecs::query::ReadOnlyQueryData;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use wayfare::crowd::{Limit, SnapshotError};
use wayfare::{AgentId, FieldId, ObstacleId, Order};

use crate::components::{
    FlowGoal, FromSetup, Frozen, Limits, Obstacle, Steer, SteerPath, SteerTarget, SteeringId, Team,
    Velocity,
};
use crate::crowd::{Placement, WayfareCrowd};
use crate::inbox::{Inbox, Notes, Placed};
use crate::plane::Dimension;

/// The result of [`save`]: the state of a crowd, and the entity of each of its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The state, versioned and with a hash at its end (docs/snapshots.md).
    pub snapshot: Vec<u8>,
    /// The agents that have entities, by their ids, with their teams.
    pub agents: Vec<(AgentId, Entity, Option<Team>)>,
    /// The entities among all of these that have [`FromSetup`].
    pub from_setup: Vec<Entity>,
    /// The agents that follow entities which are no agents, and those.
    pub followers: Vec<(AgentId, Entity)>,
    /// The entities with [`Obstacle`], each with its id in the crowd, and its components as the
    /// crowd has read them; `None` for one that it has not read yet, or has refused.
    pub obstacles: Vec<(Entity, Option<ObstacleId>, Obstacle, Transform)>,
    /// The entities with [`SteerPath`], each with the name of its path in the crowd.
    pub paths: Vec<(Entity, Option<String>, SteerPath)>,
    /// The entities with [`FlowGoal`], each with its field in the crowd.
    pub goals: Vec<(Entity, Option<FieldId>, FlowGoal, Transform)>,
    /// The number of paths added so far; their names are not used again.
    pub path_count: u64,
}

/// The crowd as it is after the last tick; `None` without a crowd.
///
/// Changes of agents and obstacles since then are not in it.
pub fn save<V: Dimension>(world: &World) -> Option<Saved> {
    let crowd = world.get_resource::<WayfareCrowd<V>>()?;
    let agents = (0..).zip(&crowd.slots).filter_map(|(id, slot)| Some((AgentId(id), (*slot)?)));
    let agents = agents.map(|(id, slot)| (id, slot.entity, slot.team));
    let followers = crowd.followers.iter().map(|(id, (followed, _))| (AgentId(*id), *followed));
    let is_from_setup = |entity: &Entity| {
        world.get_entity(*entity).is_ok_and(|there| there.contains::<FromSetup>())
    };
    // Those of other crowds' setups are not for this one.
    let mut obstacles =
        components::<(&Obstacle, &Transform), _>(world, |entity, (obstacle, at)| {
            match crowd.obstacles.get(&entity) {
                Some(known) => (entity, Some(known.id), known.obstacle.clone(), known.transform),
                None => (entity, None, obstacle.clone(), *at),
            }
        });
    obstacles.retain(|(entity, id, ..)| id.is_some() || !is_from_setup(entity));
    let mut paths = components::<&SteerPath, _>(world, |entity, path| {
        (entity, crowd.paths.get(&entity).cloned(), path.clone())
    });
    paths.retain(|(entity, name, _)| name.is_some() || !is_from_setup(entity));
    let goals = components::<(&FlowGoal, &Transform), _>(world, |entity, (goal, at)| {
        let field = crowd.goals.get(&entity).map(|(_, field)| *field);
        (entity, field, goal.clone(), *at)
    });
    let agents: Vec<_> = agents.collect();
    let all = { agents.iter().map(|(_, entity, _)| entity) }
        .chain(obstacles.iter().map(|(entity, ..)| entity))
        .chain(paths.iter().map(|(entity, ..)| entity));
    let mut from_setup: Vec<Entity> = all.filter(|entity| is_from_setup(entity)).copied().collect();
    from_setup.sort_unstable_by_key(|entity| entity.index_u32());
    Some(Saved {
        snapshot: crowd.crowd.snapshot(),
        agents,
        from_setup,
        followers: followers.collect(),
        obstacles,
        paths,
        goals,
        path_count: crowd.path_count,
    })
}

/// The results of `keep` for each entity that has the components, by the indices of entities.
fn components<D: ReadOnlyQueryData, T>(
    world: &World,
    keep: impl Fn(Entity, D::Item<'_, '_>) -> T,
) -> Vec<T> {
    let Some(mut query) = world.try_query::<(Entity, D)>() else { return Vec::new() };
    let found = query.iter(world).map(|(entity, parts)| (entity, keep(entity, parts)));
    let mut found: Vec<(Entity, T)> = found.collect();
    found.sort_unstable_by_key(|(entity, _)| entity.index_u32());
    found.into_iter().map(|(_, kept)| kept).collect()
}

/// Restores a crowd, and the components of its entities: of agents transform, velocity, target,
/// team, limits and whether they are frozen; and obstacles, paths and goals. Returns the entities
/// that were spawned in place of those that are gone, by the latter.
///
/// Agents that have entered since the crowd was saved leave it: entities with [`FromSetup`] are
/// despawned, others lose their [`Steer`]. So do obstacles, paths and goals. A saved crowd may be
/// restored in another process: map the entities of [`Saved`] first, or leave them, and all are
/// spawned.
///
/// # Errors
/// The bytes are no snapshot of a crowd with the same setup, or are damaged; then nothing changes.
pub fn restore<V: Dimension>(
    world: &mut World,
    saved: &Saved,
) -> Result<HashMap<Entity, Entity>, SnapshotError> {
    let Some(mut crowd) = world.remove_resource::<WayfareCrowd<V>>() else {
        return Ok(HashMap::new());
    };
    let mut spawned = HashMap::new();
    let restored = crowd.crowd.restore(&saved.snapshot);
    if restored.is_ok() {
        crowd.restored();
        let before: Vec<Entity> = crowd.ids.keys().copied().collect();
        crowd.ids.clear();
        crowd.slots.clear();
        crowd.followers.clear();
        crowd.newcomers.clear();
        crowd.setup_is_spawned = true;
        let kept: HashSet<Entity> = saved.agents.iter().map(|(_, entity, _)| *entity).collect();
        for entity in before.into_iter().filter(|entity| !kept.contains(entity)) {
            leave::<V>(world, entity);
        }
        let unread = place(world, &mut crowd, saved, &mut spawned);
        enter(world, &mut crowd, saved, &mut spawned);
        for entity in &saved.from_setup {
            let now = spawned.get(entity).unwrap_or(entity);
            if let Ok(mut entity) = world.get_entity_mut(*now) {
                entity.insert(FromSetup);
            }
        }
        // The notes of hooks are done, except the unread ones.
        if let Some(mut inbox) = world.get_resource_mut::<Inbox<V>>() {
            inbox.0 = unread;
        }
    }
    crowd.index_rows();
    world.insert_resource(crowd);
    restored.map(|()| spawned)
}

/// Gives obstacles, paths and goals of the restored crowd their entities. Returns notes of those
/// that the crowd had not read when it was saved.
fn place<V: Dimension>(
    world: &mut World,
    crowd: &mut WayfareCrowd<V>,
    saved: &Saved,
    spawned: &mut HashMap<Entity, Entity>,
) -> Notes {
    let mut unread = Notes::default();
    crowd.path_count = saved.path_count;
    let obstacles = core::mem::take(&mut crowd.obstacles).into_keys().collect();
    let paths = core::mem::take(&mut crowd.paths).into_keys().collect();
    let goals = core::mem::take(&mut crowd.goals).into_keys().collect();
    remove_others::<Obstacle>(
        world,
        &obstacles,
        saved.obstacles.iter().map(|(entity, ..)| *entity),
    );
    remove_others::<SteerPath>(world, &paths, saved.paths.iter().map(|(entity, ..)| *entity));
    remove_others::<FlowGoal>(world, &goals, saved.goals.iter().map(|(entity, ..)| *entity));
    for (entity, id, obstacle, at) in &saved.obstacles {
        let (obstacle, transform) = (obstacle.clone(), *at);
        let now = put(world, *entity, (obstacle.clone(), transform), spawned);
        match *id {
            Some(id) => drop(crowd.obstacles.insert(now, Placement { id, obstacle, transform })),
            None => unread.obstacles.push(Placed::Inserted(now)),
        }
    }
    for (entity, name, path) in &saved.paths {
        let now = put(world, *entity, path.clone(), spawned);
        if let Some(name) = name {
            crowd.paths.insert(now, name.clone());
            if saved.from_setup.contains(entity) {
                world.entity_mut(now).insert(Name::new(name.clone()));
            }
        }
        // One that the crowd has is compared with it.
        unread.paths.push(Placed::Inserted(now));
    }
    for (entity, field, goal, at) in &saved.goals {
        let now = put(world, *entity, (goal.clone(), *at), spawned);
        match field {
            Some(field) => drop(crowd.goals.insert(now, (goal.name.clone(), *field))),
            None => unread.goals.push(Placed::Inserted(now)),
        }
    }
    unread
}

/// Takes a component from all entities but `kept`. Of those with [`FromSetup`], the crowd has
/// `known`: they are despawned, and the others are of other crowds.
fn remove_others<C: Component>(
    world: &mut World,
    known: &HashSet<Entity>,
    kept: impl Iterator<Item = Entity>,
) {
    let kept: HashSet<Entity> = kept.collect();
    let mut there = world.query_filtered::<(Entity, Has<FromSetup>), With<C>>();
    let others = there.iter(world).filter(|(entity, _)| !kept.contains(entity));
    let others: Vec<(Entity, bool)> = others.collect();
    for (other, from_setup) in others {
        match (from_setup, known.contains(&other)) {
            (false, _) => drop(world.entity_mut(other).remove::<C>()),
            (true, true) => drop(world.despawn(other)),
            (true, false) => {}
        }
    }
}

/// Inserts components into an entity, or into one that is spawned in its place.
fn put(
    world: &mut World,
    entity: Entity,
    parts: impl Bundle,
    spawned: &mut HashMap<Entity, Entity>,
) -> Entity {
    let now = spawned.get(&entity).copied().unwrap_or(entity);
    if let Ok(mut there) = world.get_entity_mut(now) {
        there.insert(parts);
        return now;
    }
    let now = world.spawn(parts).id();
    spawned.insert(entity, now);
    now
}

/// Takes an entity out of the crowd.
fn leave<V: Dimension>(world: &mut World, entity: Entity) {
    let Ok(mut entity) = world.get_entity_mut(entity) else { return };
    if entity.contains::<FromSetup>() {
        entity.despawn();
    } else {
        entity.remove::<Steer<V>>().insert(SteeringId::default());
    }
}

/// Gives the agents of the restored crowd their entities.
fn enter<V: Dimension>(
    world: &mut World,
    crowd: &mut WayfareCrowd<V>,
    saved: &Saved,
    spawned: &mut HashMap<Entity, Entity>,
) {
    for (id, entity, team) in &saved.agents {
        let Some(agent) = crowd.crowd.get(*id) else { continue };
        let steers = world.get::<Steer<V>>(*entity).is_some();
        let now = if steers {
            *entity
        } else {
            put(world, *entity, Steer::<V>::named(crowd.name_of(agent.group)), spawned)
        };
        let rest = world.get::<Transform>(now).map_or(Vec3::ZERO, |at| at.translation);
        crowd.enter(now, *id, agent.agent.position.to_world(crowd.plane, rest));
        if let Some(slot) = crowd.slot_mut(*id) {
            slot.team = *team;
        }
    }
    // Orders name other agents, so all have entities first.
    let entities: Vec<(AgentId, Entity)> =
        crowd.ids.iter().map(|(entity, id)| (*id, *entity)).collect();
    let followed: HashMap<AgentId, Entity> = saved.followers.iter().copied().collect();
    for (id, entity) in entities {
        write(world, crowd, (id, entity), followed.get(&id).copied());
    }
}

/// Writes the components of an agent, which may follow an entity that is no agent.
fn write<V: Dimension>(
    world: &mut World,
    crowd: &mut WayfareCrowd<V>,
    (id, entity): (AgentId, Entity),
    followed: Option<Entity>,
) {
    let (Some(agent), Some(slot)) = (crowd.crowd.get(id), crowd.slot(id)) else { return };
    let (plane, at, team, order) = (crowd.plane, slot.shown, slot.team, agent.order);
    let target = match order {
        Some(Order::Point(point)) => {
            let point = point.to_world(plane, Vec3::ZERO);
            // One that has gone is a point from now on.
            let followed = followed.filter(|followed| world.get_entity(*followed).is_ok());
            Some(followed.map_or(SteerTarget::Point(point), SteerTarget::Entity))
        }
        Some(Order::Agent(other)) => crowd.entity(other).map(SteerTarget::Entity),
        Some(Order::Path(path)) => {
            let name = crowd.crowd.path_names().nth(path.0);
            let found = crowd.paths.iter().find(|(_, other)| Some(other.as_str()) == name);
            found.map(|(entity, _)| SteerTarget::Path(*entity))
        }
        _ => None,
    };
    let own = |limit| crowd.crowd.own_limit(id, limit);
    let limits = Limits {
        mass: own(Limit::Mass),
        max_speed: own(Limit::MaxSpeed),
        max_force: own(Limit::MaxForce),
        radius: own(Limit::Radius),
    };
    let velocity = Velocity(agent.agent.velocity.to_world(plane, Vec3::ZERO));
    let frozen = agent.frozen;
    if let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.insert((SteeringId(id.0), velocity));
        if let Some(mut transform) = entity.get_mut::<Transform>() {
            transform.translation = at;
        }
        match target {
            Some(target) => entity.insert(target),
            None => entity.remove::<SteerTarget>(),
        };
        match limits == Limits::default() {
            true => entity.remove::<Limits>(),
            false => entity.insert(limits),
        };
        match team {
            Some(team) => entity.insert(team),
            None => entity.remove::<Team>(),
        };
        match frozen {
            true => entity.insert(Frozen),
            false => entity.remove::<Frozen>(),
        };
    }
    if let Some(slot) = crowd.slot_mut(id) {
        slot.target = target;
    }
    if let (Some(SteerTarget::Entity(followed)), Some(Order::Point(point))) = (target, order) {
        crowd.followers.insert(id.0, (followed, point));
    }
}
