//! After a step: the components follow the crowd.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use wayfare::crowd::Event;

use crate::components::{DesiredVelocity, FromSetup, Steer, SteerState, SteeringId, Velocity};
use crate::crowd::WayfareCrowd;
use crate::events::{
    Arrived, Crossed, Left, StateChanged, Stuck, TargetLost, Touched, Unreachable,
};
use crate::plane::Dimension;

/// The duration of slow motion after which an agent is stuck (time).
const STUCK_AFTER: f64 = 1.0;
/// The fraction of max_speed below which an agent is slow.
const SLOW: f32 = 0.05;

type Written<'a> = (
    &'a SteeringId,
    &'a mut Transform,
    &'a mut Velocity,
    &'a mut SteerState,
    Option<&'a mut DesiredVelocity>,
);

/// Writes transforms, velocities and states.
pub(crate) fn write_agents<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut agents: Query<'_, '_, Written<'_>, With<Steer<V>>>,
    mut commands: Commands<'_, '_>,
) {
    let crowd = &mut *crowd;
    crowd.index_rows();
    let patience = (STUCK_AFTER / crowd.crowd.dt()).ceil() as u32;
    for (id, mut transform, mut velocity, mut state, desired) in &mut agents {
        let Some(row) = crowd.row(id.0) else { continue };
        let Some(Some(slot)) = crowd.slots.get_mut(id.0 as usize) else { continue };
        let (inner, plane) = (&crowd.crowd, crowd.plane);
        let v = WayfareCrowd::<V>::vector(row as usize, |axis| inner.velocities(axis));
        let speed = v.dot(v).sqrt();
        let v = v.to_world(plane, Vec3::ZERO);
        if let Some(mut desired) = desired {
            desired.0 = v;
        } else {
            let at = WayfareCrowd::<V>::vector(row as usize, |axis| inner.positions(axis))
                .to_world(plane, transform.translation);
            slot.shown = at;
            transform.translation = at;
            if let Some(pose) = inner.pose(row, 1.0).filter(|_| crowd.habits.turn) {
                transform.rotation = plane.rotation(pose.facing.to_world(plane, Vec3::ZERO));
            }
            velocity.0 = v;
        }
        let has_arrived = inner.has_arrived_at_row(row);
        let slow = slot.target.is_some() && !has_arrived && {
            let limit = inner.agent_at_row(row).map_or(0.0, |agent| agent.agent.max_speed);
            speed < SLOW * limit
        };
        slot.slow = if slow { slot.slow.saturating_add(1) } else { 0 };
        let now = if has_arrived {
            SteerState::Arrived
        } else if slot.slow >= patience {
            SteerState::Stuck
        } else if slot.target.is_some() || speed > 0.0 {
            SteerState::Moving
        } else {
            SteerState::Idle
        };
        if now == SteerState::Stuck && *state != now {
            commands.trigger(Stuck { entity: slot.entity });
        }
        state.set_if_neq(now);
    }
}

/// Triggers the events of the tick, in the order of the crowd.
pub(crate) fn write_events<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    mut ids: Query<'_, '_, (&mut SteeringId, Has<FromSetup>)>,
    mut commands: Commands<'_, '_>,
) {
    let (mut left, mut entered) = (Vec::new(), Vec::new());
    for event in crowd.crowd.events() {
        match event {
            Event::Arrived { id } => {
                if let Some(entity) = crowd.entity(*id) {
                    commands.trigger(Arrived { entity });
                }
            }
            Event::StateChanged { id, from, to } => {
                if let Some(entity) = crowd.entity(*id) {
                    commands.trigger(StateChanged { entity, from: *from, to: *to });
                }
            }
            Event::Crossed { id, line, to_left } => {
                if let Some(entity) = crowd.entity(*id) {
                    commands.trigger(Crossed { entity, line: *line, to_left: *to_left });
                }
            }
            Event::Contact { id, other } => {
                let pair = (crowd.entity(*id), crowd.entity(*other));
                if let (Some(entity), Some(other)) = pair {
                    commands.trigger(Touched { entity, other });
                }
            }
            Event::TargetLost { id, .. } => {
                if let Some(entity) = crowd.entity(*id) {
                    commands.trigger(TargetLost { entity });
                }
            }
            Event::Unreachable { id } => {
                if let Some(entity) = crowd.entity(*id) {
                    commands.trigger(Unreachable { entity });
                }
            }
            Event::Entered { id, .. } => entered.push(*id),
            Event::Left { id, .. } | Event::Gone { id, .. } => left.push(*id),
            _ => {}
        }
    }
    crowd.newcomers.append(&mut entered);
    for id in left {
        let Some(entity) = crowd.entity(id) else { continue };
        commands.trigger(Left { entity });
        // One that respawns is still there.
        if crowd.crowd.get(id).is_some() {
            continue;
        }
        crowd.leave(entity);
        let Ok((mut written, from_setup)) = ids.get_mut(entity) else { continue };
        *written = SteeringId::default();
        if from_setup {
            commands.entity(entity).try_despawn();
        } else {
            commands.entity(entity).try_remove::<Steer<V>>();
        }
    }
}

/// Shows agents between the last two ticks.
pub(crate) fn interpolate<V: Dimension>(
    mut crowd: ResMut<'_, WayfareCrowd<V>>,
    time: Res<'_, Time<Fixed>>,
    mut agents: Query<
        '_,
        '_,
        (&SteeringId, &mut Transform),
        (With<Steer<V>>, Without<DesiredVelocity>),
    >,
) {
    let part = time.overstep_fraction();
    for (id, mut transform) in &mut agents {
        let Some(row) = crowd.row(id.0) else { continue };
        let Some(at) = crowd.crowd.between(row, part) else { continue };
        let at = at.to_world(crowd.plane, transform.translation);
        let Some(Some(slot)) = crowd.slots.get_mut(id.0 as usize) else { continue };
        // One that another system has moved stays where that has put it.
        if transform.translation != slot.shown || transform.translation == at {
            continue;
        }
        slot.shown = at;
        transform.translation = at;
    }
}
