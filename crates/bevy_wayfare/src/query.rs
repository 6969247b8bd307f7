//! Questions about the crowd of the last tick.

use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Res, SystemParam};
use bevy_math::{Vec2, Vec3};
use wayfare::crowd::AgentRef;
use wayfare::geometry::obstacle::Shape;
use wayfare::{AgentId, GroupId};

use crate::components::Team;
use crate::crowd::WayfareCrowd;
use crate::plane::Dimension;

/// Which agents a query counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Who<'a> {
    /// All agents.
    #[default]
    All,
    /// The members of the group of this name.
    Group(&'a str),
    /// The agents with this [`Team`].
    Team(Team),
    /// The agents with another [`Team`]; one without a team is no enemy.
    EnemiesOf(Team),
}

/// Queries of the crowd, with an index and in world coordinates. Among equals the agent with the
/// lowest id is first.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use bevy_math::Vec3;
/// use bevy_wayfare::{Wayfare, Who};
/// fn alarm(crowd: Wayfare) {
///     if let Some(thief) = crowd.nearest(Vec3::ZERO, Who::Group("thieves")) {
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
    pub fn nearest(&self, point: Vec3, who: Who<'_>) -> Option<Entity> {
        let (crowd, point) = (&self.crowd.crowd, self.inner(point));
        let found = match who {
            Who::All => crowd.nearest(point, None),
            Who::Group(name) => crowd.nearest(point, Some(self.crowd.group(name)?)),
            Who::Team(_) | Who::EnemiesOf(_) => {
                crowd.nearest_that(point, None, |agent| self.counts(who, agent.id))
            }
        };
        self.crowd.entity(found?.id)
    }

    /// The agents at most `radius` from `point` (length), by their ids.
    pub fn within(&self, point: Vec3, radius: f32, who: Who<'_>) -> Vec<Entity> {
        let Some(group) = self.group(who) else { return Vec::new() };
        self.entities(who, self.crowd.crowd.within(self.inner(point), radius, group))
    }

    /// The agents inside the shape, which has the crowd's own coordinates, by their ids.
    pub fn inside(&self, shape: &Shape<V>, who: Who<'_>) -> Vec<Entity> {
        let Some(group) = self.group(who) else { return Vec::new() };
        self.entities(who, self.crowd.crowd.inside(shape, group))
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

    /// The only group whose agents count, if there is one; `None` without a group of that name.
    #[allow(clippy::option_option)] // No group is another thing than no such group.
    fn group(&self, who: Who<'_>) -> Option<Option<GroupId>> {
        match who {
            Who::Group(name) => self.crowd.group(name).map(Some),
            Who::All | Who::Team(_) | Who::EnemiesOf(_) => Some(None),
        }
    }

    /// Whether the team of an agent counts.
    fn counts(&self, who: Who<'_>, id: AgentId) -> bool {
        let team = self.crowd.slot(id).and_then(|slot| slot.team);
        match who {
            Who::All | Who::Group(_) => true,
            Who::Team(asked) => team == Some(asked),
            Who::EnemiesOf(asked) => team.is_some_and(|team| team != asked),
        }
    }

    fn entities(&self, who: Who<'_>, agents: Vec<AgentRef<'_, V>>) -> Vec<Entity> {
        let counted = agents.iter().filter(|agent| self.counts(who, agent.id));
        counted.filter_map(|agent| self.crowd.entity(agent.id)).collect()
    }
}
