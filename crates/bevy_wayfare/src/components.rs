//! The components of agents, obstacles and paths.

use std::sync::Arc;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Vec2, Vec3};
use bevy_reflect::Reflect;
use bevy_transform::components::Transform;
use wayfare::List;
use wayfare::behavior::FormationShape;
use wayfare::crowd::{Distribution, Group, Spawn};

use crate::inbox::{Placed, Population, note, note_all};
use crate::plane::Dimension;

/// The behaviors of an agent, with the settings of a group of Wayfare: an entity with this
/// component is an agent of the crowd.
///
/// Clones share their behaviors, and their entities are one group, which behaviors and queries find
/// by its name. `V` is `Vec2` for planes and `Vec3` for space.
#[derive(Clone, Component, Debug, Reflect)]
#[component(on_insert = Self::inserted, on_remove = Self::removed)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug)]
#[require(Transform, SteeringId, SteerState, Velocity)]
pub struct Steer<V: Dimension = Vec2>(pub(crate) SteerPlace<V>);

/// [`Steer`] in a plane, also on the ground.
pub type Steer2d = Steer<Vec2>;
/// [`Steer`] in space.
pub type Steer3d = Steer<Vec3>;

/// The place of the behaviors of an agent.
#[derive(Clone, Debug)]
pub(crate) enum SteerPlace<V: Dimension> {
    /// In a group that the first entity adds to the crowd.
    Own(Arc<Group<V>>),
    /// The same, of a file: it takes the place of the group of the file as it was before.
    #[cfg(feature = "scenes")]
    OfFile(Arc<Group<V>>),
    /// In the group of this name.
    Named(Arc<str>),
}

impl<V: Dimension> Steer<V> {
    /// Agents that steer by `list`, with this max_speed (length / time).
    ///
    /// [`Limits`] can give an agent any speed up to four times as fast; [`from_group`] sets all
    /// else.
    ///
    /// [`from_group`]: Self::from_group
    pub fn new(name: &str, max_speed: f32, list: List<V>) -> Self {
        let mut group = Group::new(name, 0, Spawn::Points(Vec::new()), max_speed);
        group.steer = list;
        group.speed_cap = Some(4.0 * max_speed);
        Self::from_group(group)
    }

    /// Agents with the settings of this group. Its members are the entities: its count and its
    /// spawn do not matter.
    pub fn from_group(group: Group<V>) -> Self {
        Self(SteerPlace::Own(Arc::new(without_members(group))))
    }

    /// Agents with the settings of this group of a file.
    #[cfg(feature = "scenes")]
    pub(crate) fn of_file(group: Group<V>) -> Self {
        Self(SteerPlace::OfFile(Arc::new(without_members(group))))
    }

    /// Agents of a group of the plugin's setup, or of one that another entity has added.
    pub fn named(group: &str) -> Self {
        Self(SteerPlace::Named(group.into()))
    }

    /// The same settings with this reaction time (time), above 0.
    #[must_use]
    pub fn with_mass(self, mass: f32) -> Self {
        self.changed(|group| group.mass = Distribution::Same(mass))
    }

    /// The same settings with bodies of this radius (length), from 0.
    #[must_use]
    pub fn with_radius(self, radius: f32) -> Self {
        self.changed(|group| group.radius = Distribution::Same(radius))
    }

    /// The same settings with this maximum force (length / time), above 0.
    #[must_use]
    pub fn with_max_force(self, max_force: f32) -> Self {
        self.changed(|group| group.max_force = Distribution::Same(max_force))
    }

    /// Whether they are clones of one group of a file.
    #[cfg(feature = "scenes")]
    pub(crate) fn is_of_same_file(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (SteerPlace::OfFile(a), SteerPlace::OfFile(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    fn changed(self, change: impl FnOnce(&mut Group<V>)) -> Self {
        match self.0 {
            SteerPlace::Own(mut group) => {
                change(Arc::make_mut(&mut group));
                Self(SteerPlace::Own(group))
            }
            other => Self(other),
        }
    }

    fn inserted(mut world: DeferredWorld<'_>, context: HookContext) {
        note::<V>(&mut world, |notes| notes.population.push(Population::Enters(context.entity)));
    }

    fn removed(mut world: DeferredWorld<'_>, context: HookContext) {
        note::<V>(&mut world, |notes| notes.population.push(Population::Leaves(context.entity)));
    }
}

fn without_members<V: Dimension>(mut group: Group<V>) -> Group<V> {
    (group.count, group.spawn, group.goal) = (0, Spawn::Points(Vec::new()), None);
    group
}

/// The id of an entity's agent in the crowd, written by the plugin: ids count up in the order in
/// which [`Steer`] is inserted, and no id is given twice.
#[derive(Clone, Component, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct SteeringId(pub(crate) u32);

impl Default for SteeringId {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl SteeringId {
    /// The id, once the crowd has the agent.
    pub fn get(self) -> Option<wayfare::AgentId> {
        (self.0 != u32::MAX).then_some(wayfare::AgentId(self.0))
    }
}

/// An entity that the plugin has spawned: for a member, an obstacle or a path of its setup, or for
/// an agent that has entered by a source. That of an agent is despawned when the agent leaves.
#[derive(Clone, Component, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct FromSetup;

/// Limits of one agent in place of those of its [`Steer`]; `None` leaves them.
#[derive(Clone, Component, Copy, Debug, Default, PartialEq, Reflect)]
#[component(on_remove = setting_removed)]
#[reflect(Component)]
pub struct Limits {
    /// Reaction time (time), above 0.
    pub mass: Option<f32>,
    /// The maximum speed (length / time), above 0 and up to the speed cap of the group.
    pub max_speed: Option<f32>,
    /// The maximum force (length / time), above 0.
    pub max_force: Option<f32>,
    /// The radius of the body (length), from 0.
    pub radius: Option<f32>,
}

/// The order of an agent: behaviors read it as `Target::Order`, `GroupId::ORDER` or
/// `PathId::ORDER`. Without it the agent has no order.
#[derive(Clone, Component, Copy, Debug, PartialEq, Reflect)]
#[component(on_remove = setting_removed)]
#[reflect(Component)]
pub enum SteerTarget {
    /// To a point of the world (length).
    Point(Vec3),
    /// To another entity: an agent, or one that only has a transform.
    Entity(Entity),
    /// Along the path of an entity with [`SteerPath`].
    Path(Entity),
}

/// The activity of an agent, written by the plugin.
#[derive(Clone, Component, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub enum SteerState {
    /// It has no target and stands.
    #[default]
    Idle,
    /// It is on its way.
    Moving,
    /// It has arrived at its target, or at the end of its path, and has not been outside the
    /// slowing radius since.
    Arrived,
    /// It has a target, has not arrived, and has been slower than a twentieth of its max_speed for
    /// a second.
    Stuck,
}

/// The velocity of an agent (length / time): as it enters it is read, then the plugin writes it.
///
/// With [`DesiredVelocity`] it is the other way round.
#[derive(Clone, Component, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component)]
pub struct Velocity(pub Vec3);

/// The velocity that an agent wants (length / time), written by the plugin. The plugin does not
/// move an entity with this component: physics moves it by this velocity, and the crowd takes its
/// transform and its [`Velocity`] at each tick.
#[derive(Clone, Component, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component)]
pub struct DesiredVelocity(pub Vec3);

/// The team of an agent, for the queries of [`Wayfare`](crate::Wayfare): agents of one group may be
/// of several teams, and a team may have several groups. A change is seen by queries after the next
/// tick.
#[derive(Clone, Component, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[component(on_remove = setting_removed)]
#[reflect(Component)]
pub struct Team(pub u32);

/// An agent with this component stands, and others walk round it.
#[derive(Clone, Component, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[component(on_remove = setting_removed)]
#[reflect(Component)]
pub struct Frozen;

/// An obstacle, placed and turned by its transform; its scale does not matter.
#[derive(Clone, Component, Debug, PartialEq, Reflect)]
#[component(on_insert = Self::inserted, on_remove = Self::removed)]
#[reflect(Component)]
#[require(Transform)]
pub enum Obstacle {
    /// A disc in a plane, a ball in space.
    Circle {
        /// Its radius (length), above 0.
        radius: f32,
    },
    /// A box, turned with the transform about the axis that is normal to the plane, or that points
    /// up in space.
    Box {
        /// Its extent on each axis (length), above 0.
        size: Vec3,
    },
    /// A straight wall with round ends.
    Segment {
        /// One end, from the place of the transform (length).
        from: Vec3,
        /// The other end, from the place of the transform (length).
        to: Vec3,
        /// Its full thickness (length), from 0, and above 0 in space.
        thickness: f32,
    },
    /// A simple polygon; in space a vertical prism without ends.
    Polygon {
        /// Its corners in order, at least three, from the place of the transform (length).
        points: Vec<Vec3>,
    },
}

impl Obstacle {
    fn inserted(world: DeferredWorld<'_>, context: HookContext) {
        note_all(world, |notes| notes.obstacles.push(Placed::Inserted(context.entity)));
    }

    fn removed(world: DeferredWorld<'_>, context: HookContext) {
        note_all(world, |notes| notes.obstacles.push(Placed::Removed(context.entity)));
    }
}

/// A path in the world, for [`SteerTarget::Path`]; the transform of its entity does not matter.
/// A changed path is read when it is inserted again.
#[derive(Clone, Component, Debug, Default, PartialEq, Reflect)]
#[component(on_insert = Self::inserted, on_remove = Self::removed)]
#[reflect(Component)]
pub struct SteerPath {
    /// Its points in order, at least two (length).
    pub points: Vec<Vec3>,
    /// The largest distance from the path at which an agent is still on it (length).
    pub radius: f32,
    /// Whether it leads from the last point back to the first.
    pub closed: bool,
}

impl SteerPath {
    fn inserted(world: DeferredWorld<'_>, context: HookContext) {
        note_all(world, |notes| notes.paths.push(Placed::Inserted(context.entity)));
    }

    fn removed(world: DeferredWorld<'_>, context: HookContext) {
        note_all(world, |notes| notes.paths.push(Placed::Removed(context.entity)));
    }
}

/// A goal at the place of its transform, to which agents follow the shortest routes round the
/// obstacles: it adds a flow field of this name, which [`WayfareCrowd::field`] finds for
/// `FollowFlow`, and which is there while the component is.
///
/// The goal stays where it was inserted. A field that behaviors follow cannot be removed.
///
/// [`WayfareCrowd::field`]: crate::WayfareCrowd::field
#[derive(Clone, Component, Debug, PartialEq, Reflect)]
#[component(on_insert = Self::inserted, on_remove = Self::removed)]
#[reflect(Component)]
#[require(Transform)]
pub struct FlowGoal {
    /// The name of the field.
    pub name: String,
    /// The extent of the goal on each axis (length), above 0.
    pub size: Vec3,
    /// The width of the field's cells (length), above 0.
    pub cell: f32,
    /// The distance that routes keep from obstacles (length), from 0.
    pub clearance: f32,
    /// Two corners of the box in which routes stay (length); `None` for the bounds of the crowd.
    pub area: Option<(Vec3, Vec3)>,
}

impl FlowGoal {
    fn inserted(world: DeferredWorld<'_>, context: HookContext) {
        note_all(world, |notes| notes.goals.push(Placed::Inserted(context.entity)));
    }

    fn removed(world: DeferredWorld<'_>, context: HookContext) {
        note_all(world, |notes| notes.goals.push(Placed::Removed(context.entity)));
    }
}

/// A slot of a formation behind a leader, in place of a [`SteerTarget`]: the order of the agent is
/// the slot, which its behaviors read as `Target::Order`.
///
/// Slots are those of `formation_slot`, counted by [`SteeringId`] over the agents that are there;
/// they turn with the leader's heading, or with the rotation of one that is no agent.
#[derive(Clone, Component, Copy, Debug, PartialEq, Reflect)]
#[component(on_remove = setting_removed)]
#[reflect(Component)]
pub struct FormationOf {
    /// The leader: an agent, or any entity with a transform.
    pub leader: Entity,
    /// The shape.
    #[reflect(ignore, default = "FormationOf::line")]
    pub shape: FormationShape,
    /// The distance between slots, and of the first from the leader (length).
    pub spacing: f32,
}

impl FormationOf {
    fn line() -> FormationShape {
        FormationShape::Line
    }
}

fn setting_removed(world: DeferredWorld<'_>, context: HookContext) {
    note_all(world, |notes| notes.settings.push(context.entity));
}
