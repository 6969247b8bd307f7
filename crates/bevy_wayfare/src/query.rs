//! Questions about the crowd of the last tick.

use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Res, SystemParam};
use bevy_math::{Vec2, Vec3};
use wayfare::crowd::AgentRef;
use wayfare::geometry::obstacle::Shape;

use crate::crowd::WayfareCrowd;
use crate::plane::Dimension;

/// Queries of the crowd, with an index and in world coordinates. Among equals the agent with the
/// lowest id is first. A `team` is the name of a group; `None` means all.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use bevy_math::Vec3;
/// use bevy_wayfare::Wayfare;
/// fn alarm(crowd: Wayfare) {
///     if let Some(thief) = crowd.nearest(Vec3::ZERO, Some("thieves")) {
///         // …
///     }
/// }
/// ```
#[derive(Debug, SystemParam)]
pub struct Wayfare<'w, V: Dimension = Vec2> {
    crowd: Res<'w, WayfareCrowd<V>>,
}

impl<V: Dimension> Wayfare<'_, V> {
    /// The agent that is nearest to `point` (length).
    pub fn nearest(&self, point: Vec3, team: Option<&str>) -> Option<Entity> {
        let team = self.team(team)?;
        let found = self.crowd.crowd.nearest(self.inner(point), team)?;
        self.crowd.entity(found.id)
    }

    /// The agents at most `radius` from `point` (length), by their ids.
    pub fn within(&self, point: Vec3, radius: f32, team: Option<&str>) -> Vec<Entity> {
        let Some(team) = self.team(team) else { return Vec::new() };
        self.entities(self.crowd.crowd.within(self.inner(point), radius, team))
    }

    /// The agents inside the shape, which has the crowd's own coordinates, by their ids.
    pub fn inside(&self, shape: &Shape<V>, team: Option<&str>) -> Vec<Entity> {
        let Some(team) = self.team(team) else { return Vec::new() };
        self.entities(self.crowd.crowd.inside(shape, team))
    }

    /// The first body that a ray hits within `length`, and how far it is (length).
    pub fn ray(&self, from: Vec3, direction: Vec3, length: f32) -> Option<(Entity, f32)> {
        let hits = self.crowd.crowd.ray(self.inner(from), self.inner(direction), length);
        let (agent, hit) = hits.agent?;
        // A wall in between hides it.
        if hits.obstacle.is_some_and(|(_, wall)| wall.distance < hit.distance) {
            return None;
        }
        Some((self.crowd.entity(agent.id)?, hit.distance))
    }

    /// Whether no obstacle is between two points.
    pub fn line_of_sight(&self, from: Vec3, to: Vec3) -> bool {
        let (from, to) = (self.inner(from), self.inner(to));
        let way = to - from;
        let length = way.dot(way).sqrt();
        self.crowd.crowd.ray(from, way, length).obstacle.is_none()
    }

    /// The crowd with all that it knows.
    pub fn crowd(&self) -> &WayfareCrowd<V> {
        &self.crowd
    }

    fn inner(&self, vector: Vec3) -> V {
        V::from_world(self.crowd.plane, vector)
    }

    /// The group of this name; `None` if there is none.
    #[allow(clippy::option_option)] // No group is another thing than no such group.
    fn team(&self, team: Option<&str>) -> Option<Option<wayfare::GroupId>> {
        match team {
            None => Some(None),
            Some(name) => self.crowd.group(name).map(Some),
        }
    }

    fn entities(&self, agents: Vec<AgentRef<'_, V>>) -> Vec<Entity> {
        agents.iter().filter_map(|agent| self.crowd.entity(agent.id)).collect()
    }
}
