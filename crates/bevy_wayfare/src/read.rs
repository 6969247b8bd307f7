//! Before a step: the crowd follows the components.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use wayfare::behavior::formation_slot;
use wayfare::crowd::{Added, AgentChange, Command, Limit};
use wayfare::{AgentId, Order};

use crate::components::{
    DesiredVelocity, FormationOf, FromSetup, Frozen, Limits, Steer, SteerTarget, SteeringId, Team,
    Velocity,
};
use crate::crowd::WayfareCrowd;
use crate::events::{Refused, ReplayRefused, TargetLost};
use crate::inbox::{Inbox, Population};
use crate::plane::Dimension;

/// Reports what the crowd has refused.
pub(crate) fn report<T, E: ToString>(
    commands: &mut Commands<'_, '_>,
    entity: Entity,
    result: Result<T, E>,
) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            commands.trigger(Refused { entity, reason: error.to_string() });
            None
        }
    }
}

/// Applies the commands of the setup that are due at this tick, and sends those of the log, if the
/// plugin replays.
pub(crate) fn replay<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut commands: Commands<'_, '_>,
) {
    if crowd.replay.is_empty() && !crowd.crowd.has_due_commands() {
        return;
    }
    let crowd = &mut *crowd;
    let now = crowd.crowd.tick();
    let mut has_changed = false;
    // They are not recorded: each run of the setup has them.
    for (index, command) in crowd.crowd.take_due_commands() {
        let before = crowd.crowd.len();
        match crowd.crowd.apply(&command) {
            Ok(added) => has_changed |= added.is_some() || crowd.crowd.len() != before,
            Err(error) => {
                let reason = error.at_event(index).to_string();
                commands.trigger(ReplayRefused { tick: now, reason });
            }
        }
    }
    while let Some((tick, command)) = crowd.replay.pop_front_if(|(tick, _)| *tick <= now) {
        let before = crowd.crowd.len();
        match crowd.send(command) {
            Ok(added) => has_changed |= added.is_some() || crowd.crowd.len() != before,
            Err(reason) => {
                crowd.replay.clear();
                commands.trigger(ReplayRefused { tick, reason });
            }
        }
    }
    if has_changed {
        let mut entered: Vec<AgentId> =
            crowd.crowd.ids().filter(|id| crowd.slot(*id).is_none()).collect();
        entered.sort_unstable();
        // Those of this tick may already wait for an entity.
        crowd.newcomers = entered;
        let left = { crowd.ids.iter() }
            .filter(|(_, id)| crowd.crowd.get(**id).is_none())
            .map(|(entity, _)| *entity);
        for entity in left.collect::<Vec<Entity>>() {
            crowd.leave(entity);
            commands.entity(entity).try_despawn();
        }
    }
}

type Agent<'a, V> = (&'a Steer<V>, &'a Transform, &'a Velocity);
type Settings<'a> =
    (Option<&'a Limits>, Option<&'a SteerTarget>, Option<&'a Team>, Has<Frozen>, Has<FormationOf>);
type Changes = Or<(Changed<Limits>, Changed<SteerTarget>, Changed<Team>, Changed<Frozen>)>;

/// Spawns entities for agents that have none.
pub(crate) fn spawn_newcomers<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut commands: Commands<'_, '_>,
) {
    let newcomers = core::mem::take(&mut crowd.newcomers);
    for id in &newcomers {
        let Some(found) = crowd.crowd.get(*id) else { continue };
        let place = |vector: V| vector.to_world(crowd.plane, Vec3::ZERO);
        let name = crowd.name_of(found.group);
        commands.spawn((
            FromSetup,
            SteeringId(id.0),
            Steer::<V>::named(name),
            Transform::from_translation(place(found.agent.position)),
            Velocity(place(found.agent.velocity)),
        ));
    }
}

/// Adds and removes agents, in the order in which their components were.
pub(crate) fn read_population<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut inbox: ResMut<'_, Inbox<V>>,
    agents: Query<'_, '_, Agent<'_, V>>,
    mut ids: Query<'_, '_, &mut SteeringId>,
    mut commands: Commands<'_, '_>,
) {
    let (crowd, inbox) = (&mut *crowd, &mut *inbox);
    for change in inbox.0.population.drain(..) {
        let entity = match change {
            Population::Enters(entity) => entity,
            Population::Leaves(entity) => {
                if let Some(id) = crowd.leave(entity) {
                    report(&mut commands, entity, crowd.send(Command::Remove(id)));
                    if let Ok(mut written) = ids.get_mut(entity) {
                        *written = SteeringId::default();
                    }
                }
                continue;
            }
        };
        // One that has gone since leaves by the next entry, if it has entered.
        let Ok((steer, transform, velocity)) = agents.get(entity) else { continue };
        let Some(group) = report(&mut commands, entity, crowd.group_of(steer)) else { continue };
        let before = ids.get(entity).ok().and_then(|id| id.get());
        if let Some(id) = before.filter(|id| crowd.waits_for_entity(*id)) {
            crowd.enter(entity, id, transform.translation);
            continue;
        }
        if let Some(id) = crowd.agent(entity) {
            if crowd.crowd.get(id).is_some_and(|agent| agent.group != group) {
                let change = AgentChange::Group(crowd.name_of(group).to_string());
                report(&mut commands, entity, crowd.change(id, change));
            }
        } else {
            let (at, plane) = (transform.translation, crowd.plane);
            let velocity = (velocity.0 != Vec3::ZERO).then(|| V::from_world(plane, velocity.0));
            let (group, position) = (crowd.name_of(group).to_string(), V::from_world(plane, at));
            let added = crowd.send(Command::Add { group, position, velocity });
            let Some(Some(Added::Agent(id))) = report(&mut commands, entity, added) else {
                continue;
            };
            crowd.enter(entity, id, at);
            if let Ok(mut written) = ids.get_mut(entity) {
                written.0 = id.0;
            }
        }
        inbox.0.settings.push(entity);
    }
}

/// Sends limits, orders and what is frozen, and notes teams.
pub(crate) fn read_settings<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut inbox: ResMut<'_, Inbox<V>>,
    settings: Query<'_, '_, Settings<'_>, With<Steer<V>>>,
    changed: Query<'_, '_, Entity, (With<Steer<V>>, Changes)>,
    transforms: Query<'_, '_, &Transform>,
    mut commands: Commands<'_, '_>,
) {
    let crowd = &mut *crowd;
    inbox.0.settings.extend(&changed);
    inbox.0.settings.sort_unstable();
    inbox.0.settings.dedup();
    for entity in inbox.0.settings.drain(..) {
        let Some(id) = crowd.agent(entity) else { continue };
        let Ok((limits, target, team, frozen, in_formation)) = settings.get(entity) else {
            continue;
        };
        let limits = limits.copied().unwrap_or_default();
        for (limit, value) in [
            (Limit::Mass, limits.mass),
            (Limit::MaxSpeed, limits.max_speed),
            (Limit::MaxForce, limits.max_force),
            (Limit::Radius, limits.radius),
        ] {
            if crowd.crowd.own_limit(id, limit) != value {
                let change = AgentChange::Limit(limit, value);
                report(&mut commands, entity, crowd.change(id, change));
            }
        }
        if crowd.crowd.get(id).is_some_and(|agent| agent.frozen) != frozen {
            report(&mut commands, entity, crowd.change(id, AgentChange::Frozen(frozen)));
        }
        let Some(slot) = crowd.slot_mut(id) else { continue };
        slot.team = team.copied();
        if in_formation {
            continue;
        }
        let has_left_formation = core::mem::take(&mut slot.in_formation);
        if has_left_formation || slot.target.as_ref() != target {
            order(crowd, id, entity, target, &transforms, &mut commands);
        }
    }
    follow(crowd, &transforms, &mut commands);
}

/// Gives the agent the order of this target.
fn order<V: Dimension>(
    crowd: &mut WayfareCrowd<V>,
    id: AgentId,
    entity: Entity,
    target: Option<&SteerTarget>,
    transforms: &Query<'_, '_, &Transform>,
    commands: &mut Commands<'_, '_>,
) {
    let plane = crowd.plane;
    crowd.followers.remove(&id.0);
    let order = match target {
        None => Ok(None),
        Some(SteerTarget::Point(point)) => Ok(Some(Order::Point(V::from_world(plane, *point)))),
        Some(SteerTarget::Path(path)) => match crowd.paths.get(path) {
            Some(path) => Ok(Some(Order::Path(path.clone()))),
            None => Err(format!("{path} has no path; allowed: an entity with `SteerPath`")),
        },
        Some(SteerTarget::Entity(other)) => match (crowd.agent(*other), transforms.get(*other)) {
            (Some(agent), _) => Ok(Some(Order::Agent(agent))),
            (None, Ok(transform)) => {
                let point = V::from_world(plane, transform.translation);
                crowd.followers.insert(id.0, (*other, point));
                Ok(Some(Order::Point(point)))
            }
            (None, Err(_)) => {
                Err(format!("{other} is not in the world; allowed: an entity with a transform"))
            }
        },
    };
    let sent = order.and_then(|order| crowd.change(id, AgentChange::Order(order)));
    report(commands, entity, sent);
    if let Some(slot) = crowd.slot_mut(id) {
        // A refused order is not tried again at each tick.
        slot.target = target.copied();
    }
}

/// Moves the orders of agents that follow entities which are no agents.
fn follow<V: Dimension>(
    crowd: &mut WayfareCrowd<V>,
    transforms: &Query<'_, '_, &Transform>,
    commands: &mut Commands<'_, '_>,
) {
    let mut followers = core::mem::take(&mut crowd.followers);
    followers.retain(|id, (followed, was)| {
        let id = AgentId(*id);
        let Some(entity) = crowd.entity(id) else { return false };
        if let Some(agent) = crowd.agent(*followed) {
            let order = AgentChange::Order(Some(Order::Agent(agent)));
            report(commands, entity, crowd.change(id, order));
            return false;
        }
        let Ok(transform) = transforms.get(*followed) else {
            report(commands, entity, crowd.change(id, AgentChange::Order(None)));
            commands.trigger(TargetLost { entity });
            return false;
        };
        let point = V::from_world(crowd.plane, transform.translation);
        if point != *was {
            *was = point;
            let order = AgentChange::Order(Some(Order::Point(point)));
            report(commands, entity, crowd.change(id, order));
        }
        true
    });
    crowd.followers.append(&mut followers);
}

/// Orders the followers of leaders to their slots.
pub(crate) fn read_formations<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    followers: Query<'_, '_, (Entity, &SteeringId, &FormationOf), With<Steer<V>>>,
    transforms: Query<'_, '_, &Transform>,
    mut places: Local<'_, Vec<(Entity, u32, Entity)>>,
    mut commands: Commands<'_, '_>,
) {
    let crowd = &mut *crowd;
    places.clear();
    let placed = followers.iter().filter(|(_, id, _)| id.get().is_some());
    places.extend(placed.map(|(entity, id, of)| (of.leader, id.0, entity)));
    places.sort_unstable();
    for members in places.chunk_by(|(a, ..), (b, ..)| a == b) {
        let leader = pose_of(crowd, members[0].0, &transforms);
        for (k, &(_, id, entity)) in (0..).zip(members) {
            let (id, Ok((.., of))) = (AgentId(id), followers.get(entity)) else { continue };
            let place = leader.map(|(position, heading)| {
                let count = members.len() as u32;
                let (ahead, beside) = formation_slot(of.shape, k, count, of.spacing);
                position + heading * ahead + V::UP.left(heading) * beside
            });
            if let Some(slot) = crowd.slot_mut(id) {
                slot.target = place.map(|_| SteerTarget::Entity(of.leader));
                slot.in_formation = true;
            }
            crowd.followers.remove(&id.0);
            if crowd.crowd.get(id).is_some_and(|agent| agent.order == place.map(Order::Point)) {
                continue;
            }
            if place.is_none() {
                commands.trigger(TargetLost { entity });
            }
            let order = AgentChange::Order(place.map(Order::Point));
            report(&mut commands, entity, crowd.change(id, order));
        }
    }
}

/// The position of a leader (length), and its heading, a unit vector.
fn pose_of<V: Dimension>(
    crowd: &WayfareCrowd<V>,
    leader: Entity,
    transforms: &Query<'_, '_, &Transform>,
) -> Option<(V, V)> {
    let plane = crowd.plane;
    if let Some(found) = crowd.agent(leader).and_then(|id| crowd.crowd.get(id)) {
        return Some((found.agent.position, found.agent.heading));
    }
    let transform = transforms.get(leader).ok()?;
    let heading = V::from_world(plane, plane.forward(transform.rotation));
    let length = heading.dot(heading).sqrt();
    let heading = if length > 0.0 { heading * (1.0 / length) } else { V::X };
    Some((V::from_world(plane, transform.translation), heading))
}

type Moved<'a> = (Entity, &'a SteeringId, &'a Transform);

/// Moves agents whose transforms another system has moved, and those that physics moves.
pub(crate) fn read_positions<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    moved: Query<'_, '_, Moved<'_>, (With<Steer<V>>, Without<DesiredVelocity>, Changed<Transform>)>,
    driven: Query<
        '_,
        '_,
        (Moved<'_>, &Velocity, Has<Frozen>),
        (With<Steer<V>>, With<DesiredVelocity>),
    >,
    mut commands: Commands<'_, '_>,
) {
    let crowd = &mut *crowd;
    for (entity, id, transform) in &moved {
        let Some(id) = id.get() else { continue };
        let at = transform.translation;
        let Some(slot) = crowd.slot_mut(id).filter(|slot| slot.shown != at) else { continue };
        slot.shown = at;
        let position = V::from_world(crowd.plane, at);
        let moved = crowd.send(Command::Move { id, position, velocity: None });
        report(&mut commands, entity, moved);
    }
    for ((entity, id, transform), velocity, frozen) in &driven {
        let Some(id) = id.get() else { continue };
        let at = transform.translation;
        if let Some(slot) = crowd.slot_mut(id) {
            slot.shown = at;
        }
        let position = V::from_world(crowd.plane, at);
        // One that is frozen has no velocity.
        let velocity = (!frozen).then(|| V::from_world(crowd.plane, velocity.0));
        let moved = crowd.send(Command::Move { id, position, velocity });
        report(&mut commands, entity, moved);
    }
}
