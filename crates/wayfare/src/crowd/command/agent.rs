//! Changes of agents as data: the setters of [`Crowd`], with names in place of indices.

use alloc::string::String;
use alloc::vec::Vec;

use crate::crowd::facade::crowd::Crowd;
use crate::crowd::setup::allowed::{KeyPath, ValidationError, quoted};
use crate::crowd::setup::command::list::AgentChange;
use crate::id::{AgentId, FieldId, GroupId, LineId, PathId};
use crate::order::Order;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Applies a change to the agent `id`.
    pub(super) fn change_agent(
        &mut self,
        id: AgentId,
        change: &AgentChange<V>,
    ) -> Result<(), ValidationError> {
        match change {
            AgentChange::Order(order) => {
                let order = self.named_order(order.as_ref())?;
                self.set_order(id, order)
            }
            AgentChange::Limit(limit, value) => self.set_limit(id, *limit, *value),
            AgentChange::State(name) => self.set_state(id, name),
            AgentChange::Stat(name, value) => self.set_stat(id, name, *value),
            AgentChange::Group(name) => {
                let group = self.group_of_name("group", name)?;
                self.set_group(id, group)
            }
            AgentChange::Frozen(frozen) => self.set_frozen(id, *frozen),
            AgentChange::Facing(direction) => self.set_facing(id, *direction),
        }
    }

    /// Applies a change to all members of a group that are here. It is checked for the group, so
    /// that it is refused by all parts of a crowd, or by none, and before it has changed a member.
    pub(super) fn change_members(
        &mut self,
        group: &str,
        change: &AgentChange<V>,
    ) -> Result<(), ValidationError> {
        let group = self.group_of_name("members", group)?;
        let mut to_itself = None;
        match change {
            AgentChange::Order(order) => {
                let order = self.named_order(order.as_ref())?;
                self.check_order(order)?;
                // The one that the others are led to goes on as before.
                if let Some(Order::Agent(id)) = order {
                    to_itself = Some(id);
                }
            }
            AgentChange::Limit(limit, value) => self.check_limit(group, *limit, *value)?,
            AgentChange::State(name) => self.state_of_name(group, name).map(drop)?,
            AgentChange::Stat(name, value) => self.checked_stat(group, name, *value).map(drop)?,
            AgentChange::Frozen(_) => {}
            // Whether they are possible depends on the agent.
            AgentChange::Group(_) | AgentChange::Facing(_) => {
                let key = if matches!(change, AgentChange::Group(_)) { "group" } else { "facing" };
                let message = format!("`{key}` is a change of single agents");
                let allowed = format!("`{key}` beside `agent`, the id of one");
                return Err(ValidationError::new(KeyPath::default().key(key), message, allowed));
            }
        }
        let ids: Vec<_> = self.members(group).iter().map(|member| member.id).collect();
        let mut changed = ids.into_iter().filter(|id| Some(*id) != to_itself);
        changed.try_for_each(|id| self.change_agent(id, change))
    }

    fn named_order(
        &self,
        order: Option<&Order<V, String>>,
    ) -> Result<Option<Order<V>>, ValidationError> {
        order.cloned().map(|order| order.map_path(|name| self.path_id("path", &name))).transpose()
    }

    /// The path of this name; `key` is the key of a log that names it, here and below.
    pub(super) fn path_id(&self, key: &str, name: &str) -> Result<PathId, ValidationError> {
        let removed = &self.origin.structure.removed_paths;
        let found = self.path_names().zip(removed).position(|(n, removed)| n == name && !removed);
        let names = || quoted(self.path_names_in_use(), "none, as there are no paths");
        found.map(PathId).ok_or_else(|| no_name(key, "path", name, names()))
    }

    /// The flow field of this name.
    pub(super) fn field_id(&self, key: &str, name: &str) -> Result<FieldId, ValidationError> {
        let removed = &self.origin.structure.removed_fields;
        let found = self.field_names().zip(removed).position(|(n, removed)| n == name && !removed);
        let names = || quoted(self.field_names_in_use(), "none, as there are no fields");
        found.map(FieldId).ok_or_else(|| no_name(key, "field", name, names()))
    }

    /// The line of this name.
    pub(super) fn line_id(&self, key: &str, name: &str) -> Result<LineId, ValidationError> {
        let found = self.lines().iter().find(|count| count.line.name == name);
        let names = self.lines().iter().map(|count| count.line.name.as_str());
        found
            .map(|count| count.id)
            .ok_or_else(|| no_name(key, "line", name, quoted(names, "none, as there are no lines")))
    }

    /// The group of this name.
    pub(super) fn group_of_name(&self, key: &str, name: &str) -> Result<GroupId, ValidationError> {
        let names = || quoted(self.group_names_in_use(), "none, as there are no groups");
        self.group_named(name).ok_or_else(|| no_name(key, "group", name, names()))
    }
}

fn no_name(key: &str, what: &str, name: &str, allowed: String) -> ValidationError {
    let message = format!("there is no {what} \"{name}\"");
    ValidationError::new(KeyPath::default().key(key), message, allowed)
}
