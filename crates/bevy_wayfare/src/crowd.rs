//! The crowd of an app, and which entity is which agent.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_math::{Vec2, Vec3};
use bevy_transform::components::Transform;
use wayfare::crowd::{Added, AgentChange, Command, Group, Setup};
use wayfare::{AgentId, Crowd, FieldId, GroupId, Log, ObstacleId};

use crate::components::{Obstacle, Steer, SteerPlace, SteerTarget, Team};
use crate::plane::{Dimension, Plane};
use crate::plugin::PluginError;
use crate::threads::Threads;

/// The plugin's record of an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentRecord {
    pub(crate) entity: Entity,
    /// The translation that the plugin has read or written last: another one is a teleport.
    pub(crate) shown: Vec3,
    /// The target that its order is from.
    pub(crate) target: Option<SteerTarget>,
    /// Its team, which queries ask for.
    pub(crate) team: Option<Team>,
    /// Whether its order is from a `FormationOf`.
    pub(crate) in_formation: bool,
    /// The ticks in a row in which it was slow.
    pub(crate) slow: u32,
}

/// The plugin's record of an obstacle: its components as they were last read or written.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub(crate) id: ObstacleId,
    pub(crate) obstacle: Obstacle,
    pub(crate) transform: Transform,
}

/// The settings of the plugin that are kept when the crowd begins anew.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// Whether the plugin turns transforms along headings.
    pub(crate) turn: bool,
    /// Whether the plugin keeps what it sends.
    pub(crate) records: bool,
    pub(crate) threads: Threads,
}

/// The crowd that the plugin steps.
#[derive(Debug, Resource)]
pub struct WayfareCrowd<V: Dimension = Vec2> {
    pub(crate) crowd: Crowd<V>,
    pub(crate) plane: Plane,
    pub(crate) habits: Habits,
    /// By agent id.
    pub(crate) slots: Vec<Option<AgentRecord>>,
    /// The rows of agents by their ids, made after each step.
    pub(crate) rows: Vec<u32>,
    pub(crate) ids: HashMap<Entity, AgentId>,
    /// By the address of the settings, which are kept so that it stays theirs.
    kinds: HashMap<usize, (Arc<Group<V>>, GroupId)>,
    pub(crate) obstacles: HashMap<Entity, Placement>,
    /// The paths of entities, by their names in the crowd.
    pub(crate) paths: HashMap<Entity, String>,
    /// The flow fields of goals, with their names.
    pub(crate) goals: HashMap<Entity, (String, FieldId)>,
    /// The number of fields of the setup, which stay.
    setup_fields: usize,
    /// The number of paths added so far: names are never used twice.
    pub(crate) path_count: u64,
    /// The commands that were sent to the crowd, each with its tick, if the plugin records them.
    log: Log<V>,
    /// The commands still to send to the crowd, each with its tick, in a plugin that replays.
    pub(crate) replay: VecDeque<(u64, Command<V>)>,
    /// Whether the crowd has been restored: groups of the snapshot may then have no settings here.
    is_restored: bool,
    /// Whether the obstacles and the paths of the setup have entities.
    pub(crate) setup_is_spawned: bool,
    /// Agents that have no entities yet: members of the setup, and those of sources.
    pub(crate) newcomers: Vec<AgentId>,
    /// Agents that follow entities which are no agents, and where those were.
    pub(crate) followers: BTreeMap<u32, (Entity, V)>,
}

impl<V: Dimension> WayfareCrowd<V> {
    pub(crate) fn new(setup: Setup<V>, plane: Plane, habits: Habits) -> Result<Self, PluginError> {
        let mut crowd = Crowd::new(setup)?;
        habits.threads.give(&mut crowd)?;
        let setup_fields = crowd.fields().len();
        let mut newcomers: Vec<AgentId> = crowd.ids().collect();
        newcomers.sort_unstable();
        Ok(Self {
            crowd,
            newcomers,
            setup_is_spawned: false,
            is_restored: false,
            plane,
            habits,
            slots: Vec::new(),
            rows: Vec::new(),
            ids: HashMap::new(),
            kinds: HashMap::new(),
            obstacles: HashMap::new(),
            paths: HashMap::new(),
            goals: HashMap::new(),
            setup_fields,
            path_count: 0,
            log: Log::default(),
            replay: VecDeque::new(),
            followers: BTreeMap::new(),
        })
    }

    /// A crowd of another setup, with the same plane, threads and habits.
    #[cfg(feature = "scenes")]
    pub(crate) fn anew(&self, setup: Setup<V>) -> Result<Self, String> {
        let setup = Setup { up: V::UP, ..setup };
        Self::new(setup, self.plane, self.habits).map_err(|error| error.to_string())
    }

    /// The crowd itself: its agents, groups, queries and digest.
    pub fn crowd(&self) -> &Crowd<V> {
        &self.crowd
    }

    /// The part of the world in which the crowd steers.
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// A number that two crowds share only if they are equal to the last bit, with overwhelming
    /// probability.
    pub fn digest(&self) -> u64 {
        self.crowd.digest()
    }

    /// The commands that the plugin has sent to the crowd, each with its tick: applied to a crowd
    /// of the same setup, they give the same digest. Empty unless the plugin
    /// [records](crate::WayfarePlugin).
    pub fn log(&self) -> &Log<V> {
        &self.log
    }

    /// The agent of an entity.
    pub fn agent(&self, entity: Entity) -> Option<AgentId> {
        self.ids.get(&entity).copied()
    }

    /// The entity of an agent.
    pub fn entity(&self, id: AgentId) -> Option<Entity> {
        self.slot(id).map(|slot| slot.entity)
    }

    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<GroupId> {
        self.crowd.group_names().position(|other| other == name).map(GroupId)
    }

    /// The flow field of this name, for `FollowFlow`: one of the setup, or of a
    /// [`FlowGoal`](crate::FlowGoal).
    pub fn field(&self, name: &str) -> Option<FieldId> {
        // The crowd keeps the names of removed fields.
        let mut of_setup = self.crowd.field_names().take(self.setup_fields);
        let of_goal = || self.goals.values().find(|(other, _)| other == name).map(|(_, id)| *id);
        of_setup.position(|other| other == name).map(FieldId).or_else(of_goal)
    }

    /// Sends a command to the crowd, and records it if the plugin does.
    pub(crate) fn send(&mut self, command: Command<V>) -> Result<Option<Added>, String> {
        let added = if self.habits.records {
            self.log.record(&mut self.crowd, command)
        } else {
            self.crowd.apply(&command)
        };
        added.map_err(|error| error.to_string())
    }

    /// Sends a change of one agent.
    pub(crate) fn change(&mut self, id: AgentId, change: AgentChange<V>) -> Result<(), String> {
        self.send(Command::Agent { id, change }).map(drop)
    }

    /// The name of a group.
    pub(crate) fn name_of(&self, group: GroupId) -> &str {
        self.crowd.group_names().nth(group.0).unwrap_or_default()
    }

    pub(crate) fn slot(&self, id: AgentId) -> Option<&AgentRecord> {
        self.slots.get(id.0 as usize)?.as_ref()
    }

    pub(crate) fn slot_mut(&mut self, id: AgentId) -> Option<&mut AgentRecord> {
        self.slots.get_mut(id.0 as usize)?.as_mut()
    }

    /// The group of an agent with this component, which the first one adds to the crowd.
    pub(crate) fn group_of(&mut self, steer: &Steer<V>) -> Result<GroupId, String> {
        let own = match &steer.0 {
            SteerPlace::Own(own) => own,
            #[cfg(feature = "scenes")]
            SteerPlace::OfFile(own) => own,
            SteerPlace::Named(name) => {
                let names = || self.crowd.group_names().collect::<Vec<_>>().join("`, `");
                return self
                    .group(name)
                    .ok_or_else(|| format!("there is no group `{name}`; allowed: `{}`", names()));
            }
        };
        let address = Arc::as_ptr(own) as usize;
        if let Some((_, group)) = self.kinds.get(&address) {
            return Ok(*group);
        }
        let known = self.kinds.values().find(|(other, _)| other.name == own.name);
        let group = match known
            .map(|(other, group)| (format!("{other:?}") == format!("{own:?}"), *group))
        {
            Some((true, group)) => group,
            #[cfg(feature = "scenes")]
            Some((false, group)) if matches!(steer.0, SteerPlace::OfFile(_)) => {
                self.replace(group, own)?
            }
            Some((false, _)) => {
                return Err(format!(
                    "the group `{}` has other settings; allowed: clones of one `Steer`, or another \
                     name",
                    own.name
                ));
            }
            None => match self.group(&own.name).filter(|_| self.is_restored) {
                Some(group) => group,
                None => self.add_group(Group::clone(own))?,
            },
        };
        self.kinds.insert(address, (Arc::clone(own), group));
        Ok(group)
    }

    fn add_group(&mut self, group: Group<V>) -> Result<GroupId, String> {
        match self.send(Command::AddGroup(Box::new(group)))? {
            Some(Added::Group(group)) => Ok(group),
            _ => Err("the crowd has added no group".to_string()),
        }
    }

    /// Puts a group with the settings `own` in the place of `before`, with its members and under
    /// its name. If one of them cannot change, all stay in `before`.
    #[cfg(feature = "scenes")]
    fn replace(&mut self, before: GroupId, own: &Arc<Group<V>>) -> Result<GroupId, String> {
        let mut interim = Group::clone(own);
        // Two groups cannot share a name.
        interim.name = format!("{} (new)", own.name);
        let between = interim.name.clone();
        let interim = self.add_group(interim)?;
        if let Err(reason) = self.move_members(before, &between) {
            self.move_members(interim, &own.name)?;
            self.send(Command::RemoveGroup(between))?;
            return Err(reason);
        }
        self.send(Command::RemoveGroup(own.name.clone()))?;
        let group = self.add_group(Group::clone(own))?;
        self.move_members(interim, &own.name)?;
        self.send(Command::RemoveGroup(between))?;
        self.kinds.retain(|_, (_, other)| *other != before);
        Ok(group)
    }

    #[cfg(feature = "scenes")]
    fn move_members(&mut self, from: GroupId, to: &str) -> Result<(), String> {
        let members: Vec<_> = self.crowd.members(from).iter().map(|member| member.id).collect();
        members.into_iter().try_for_each(|id| self.change(id, AgentChange::Group(to.to_string())))
    }

    /// Forgets the settings of groups that a restored crowd does not have.
    pub(crate) fn restored(&mut self) {
        self.is_restored = true;
        let names: Vec<&str> = self.crowd.group_names().collect();
        self.kinds.retain(|_, (own, group)| names.get(group.0) == Some(&own.name.as_str()));
    }

    /// Whether this agent is in the crowd and has no entity.
    pub(crate) fn waits_for_entity(&self, id: AgentId) -> bool {
        self.slot(id).is_none() && self.crowd.get(id).is_some()
    }

    pub(crate) fn enter(&mut self, entity: Entity, id: AgentId, at: Vec3) {
        let (target, team, in_formation, slow) = (None, None, false, 0);
        let slot = AgentRecord { entity, shown: at, target, team, in_formation, slow };
        let index = id.0 as usize;
        if self.slots.len() <= index {
            self.slots.resize(index + 1, None);
        }
        self.slots[index] = Some(slot);
        self.ids.insert(entity, id);
    }

    /// Forgets the entity, whose agent has left or leaves now.
    pub(crate) fn leave(&mut self, entity: Entity) -> Option<AgentId> {
        let id = self.ids.remove(&entity)?;
        self.slots[id.0 as usize] = None;
        self.followers.remove(&id.0);
        Some(id)
    }

    /// Makes the table of rows by ids, which is valid until agents enter or leave.
    pub(crate) fn index_rows(&mut self) {
        self.rows.clear();
        self.rows.resize(self.slots.len(), u32::MAX);
        for (row, id) in (0..).zip(self.crowd.ids()) {
            if let Some(place) = self.rows.get_mut(id.0 as usize) {
                *place = row;
            }
        }
    }

    /// The row of an agent that has an entity; `None` for one that has left the crowd.
    pub(crate) fn row(&self, id: u32) -> Option<u32> {
        self.rows.get(id as usize).copied().filter(|row| *row != u32::MAX)
    }

    /// The vector of a row in columns of the crowd.
    pub(crate) fn vector<'a>(row: usize, column: impl Fn(usize) -> &'a [f32]) -> V {
        V::from_fn(|axis| column(axis)[row])
    }
}
