//! A crowd at a point in time, with the entities of its agents.

use std::collections::HashMap;

use bevy_ecs::entity::Entity;
use bevy_ecs::world::World;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use wayfare::crowd::{Limit, SnapshotError};
use wayfare::{AgentId, Order};

use crate::components::{FromSetup, Frozen, Limits, Steer, SteerTarget, SteeringId, Velocity};
use crate::crowd::WayfareCrowd;
use crate::inbox::Inbox;
use crate::plane::Dimension;

/// What [`save`] keeps: the state of a crowd, and which entity is which agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The state, versioned and with a hash at its end (docs/snapshots.md).
    pub snapshot: Vec<u8>,
    /// The agents that have entities, by their ids.
    pub agents: Vec<(AgentId, Entity)>,
    /// The agents that follow entities which are no agents, and those.
    pub followers: Vec<(AgentId, Entity)>,
}

/// The crowd as it is after the last tick; `None` without a crowd.
///
/// Changes of components since then are not in it.
pub fn save<V: Dimension>(world: &World) -> Option<Saved> {
    let crowd = world.get_resource::<WayfareCrowd<V>>()?;
    let agents = (0..).zip(&crowd.slots);
    let agents = agents.filter_map(|(id, slot)| Some((AgentId(id), slot.as_ref()?.entity)));
    let followers = crowd.followers.iter().map(|(id, (followed, _))| (AgentId(*id), *followed));
    Some(Saved {
        snapshot: crowd.crowd.snapshot(),
        agents: agents.collect(),
        followers: followers.collect(),
    })
}

/// Restores a crowd, and the components of its agents: transform, velocity, target, limits, frozen.
/// Returns the entities that were spawned in place of those that are gone, by the latter.
///
/// Agents that have entered since the crowd was saved leave it: entities with [`FromSetup`] are
/// despawned, others lose their [`Steer`]. Obstacles and paths are those of the snapshot; their
/// entities have to be the same as when it was saved. A saved crowd may be restored in another
/// process: map the entities of [`Saved::agents`] first, or leave them, and all are spawned.
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
    let restored = crowd.crowd.restore(&saved.snapshot);
    if restored.is_ok() {
        crowd.restored();
        let before: Vec<Entity> = crowd.ids.keys().copied().collect();
        crowd.ids.clear();
        crowd.slots.clear();
        crowd.followers.clear();
        crowd.newcomers.clear();
        let kept: HashMap<Entity, AgentId> =
            saved.agents.iter().map(|(id, entity)| (*entity, *id)).collect();
        for entity in before.into_iter().filter(|entity| !kept.contains_key(entity)) {
            leave::<V>(world, entity);
        }
    }
    let map = restored.map(|()| enter(world, &mut crowd, saved));
    crowd.index_rows();
    world.insert_resource(crowd);
    if map.is_ok() {
        // What hooks have noted is done.
        if let Some(mut inbox) = world.get_resource_mut::<Inbox<V>>() {
            inbox.0.population.clear();
            inbox.0.settings.clear();
        }
    }
    map
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
) -> HashMap<Entity, Entity> {
    let mut spawned = HashMap::new();
    for (id, entity) in &saved.agents {
        let Some(agent) = crowd.crowd.get(*id) else { continue };
        let steer = Steer::<V>::named(crowd.name_of(agent.group));
        let now = match world.get_entity_mut(*entity) {
            Ok(mut there) => {
                if !there.contains::<Steer<V>>() {
                    there.insert(steer);
                }
                *entity
            }
            Err(_) => {
                let now = world.spawn(steer).id();
                spawned.insert(*entity, now);
                now
            }
        };
        let rest = world.get::<Transform>(now).map_or(Vec3::ZERO, |at| at.translation);
        crowd.enter(now, *id, agent.agent.position.to_world(crowd.plane, rest));
    }
    // Orders name other agents, so all have entities first.
    let entities: Vec<(AgentId, Entity)> =
        crowd.ids.iter().map(|(entity, id)| (*id, *entity)).collect();
    let followed: HashMap<AgentId, Entity> = saved.followers.iter().copied().collect();
    for (id, entity) in entities {
        write(world, crowd, (id, entity), followed.get(&id).copied());
    }
    spawned
}

/// Writes the components of an agent, which may follow an entity that is no agent.
fn write<V: Dimension>(
    world: &mut World,
    crowd: &mut WayfareCrowd<V>,
    (id, entity): (AgentId, Entity),
    followed: Option<Entity>,
) {
    let (Some(agent), Some(slot)) = (crowd.crowd.get(id), crowd.slot(id)) else { return };
    let (plane, at, order) = (crowd.plane, slot.shown, agent.order);
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
