//! Settings of single agents of a running scene, and the commands that change and restore them.

use wayfare::crowd::{AgentChange, Command, Limit, ValidationError};
use wayfare::glam::Vec2;
use wayfare::parameter::Range;
use wayfare::{AgentId, Order, PathId};

use crate::session::agent_settings::{AgentEdit, AgentSettings, LimitNow};
use crate::session::dimension::Dimension;
use crate::session::edit::UndoStep;
use crate::session::scene::RunningScene;
use crate::session::states::StatNow;
use crate::session::traits::Agents;

impl<V: Dimension> Agents for RunningScene<V> {
    fn agent_settings(&self, id: AgentId) -> Option<AgentSettings> {
        let found = self.crowd.get(id)?;
        let groups: Vec<String> = self.crowd.group_names().map(str::to_string).collect();
        // The draft has the present numbers of groups; the setup those of the start.
        let group = V::scene(self.draft.scene())?.setup.groups.get(found.group.0);
        let stats = group.into_iter().flat_map(|group| &group.stats).zip(found.stats);
        let range = |limit: Limit| match group {
            Some(group) if limit == Limit::MaxSpeed => {
                Range { max: group.largest_max_speed(), ..limit.range() }
            }
            _ => limit.range(),
        };
        let agent = found.agent;
        let limits = Limit::ALL.into_iter().map(|limit| LimitNow {
            limit,
            value: match limit {
                Limit::Mass => agent.mass,
                Limit::MaxSpeed => agent.max_speed,
                Limit::MaxForce => agent.max_force,
                Limit::Radius => agent.radius,
            },
            is_own: self.crowd.own_limit(id, limit).is_some(),
            range: range(limit),
        });
        let facing = self.seen(agent.facing);
        Some(AgentSettings {
            id,
            group: groups.get(found.group.0).cloned().unwrap_or_default(),
            groups,
            state: found.state.map(str::to_string),
            states: self.crowd.state_names(found.group).map(str::to_string).collect(),
            order: found.order.map(|order| self.order_text(order)),
            limits: limits.collect(),
            stats: stats
                .map(|(stat, &value)| StatNow {
                    name: stat.name.clone(),
                    value,
                    min: stat.min,
                    max: stat.max,
                })
                .collect(),
            frozen: found.frozen,
            // The sum turns -0 into 0.
            facing: (facing.y * self.setup.up.sense() + 0.0).atan2(facing.x).to_degrees(),
        })
    }

    fn change_agent(
        &mut self,
        id: AgentId,
        edit: &AgentEdit,
        new_step: bool,
    ) -> Result<(), ValidationError> {
        let change = self.agent_change(id, edit);
        let earlier = self.earlier_settings(id, &change);
        let command = |change| Command::Agent { id, change };
        self.try_apply(command(change))?;
        if new_step || !matches!(self.undo.last(), Some(UndoStep::Commands(_))) {
            self.undo.push(UndoStep::Commands(earlier.into_iter().map(command).collect()));
        }
        Ok(())
    }
}

impl<V: Dimension> RunningScene<V> {
    /// The change of the agent `id` that the user asks for.
    fn agent_change(&self, id: AgentId, edit: &AgentEdit) -> AgentChange<V> {
        let up = self.setup.up;
        match edit {
            AgentEdit::Order(to) => {
                let height = self.crowd.get(id).map_or(V::ZERO, |found| found.agent.position);
                AgentChange::Order(to.map(|at| Order::Point(up.at_height_of(at, height))))
            }
            AgentEdit::Limit(limit, value) => AgentChange::Limit(*limit, *value),
            AgentEdit::State(name) => AgentChange::State(name.clone()),
            AgentEdit::Stat(name, value) => AgentChange::Stat(name.clone(), *value),
            AgentEdit::Group(name) => AgentChange::Group(name.clone()),
            AgentEdit::Frozen(frozen) => AgentChange::Frozen(*frozen),
            AgentEdit::Facing(degrees) => {
                AgentChange::Facing(up.turned(V::X, Vec2::from_angle(degrees.to_radians())))
            }
        }
    }

    /// The changes that give the agent `id` back what `change` takes from it. Its velocity, the
    /// time in its state and the memory of its behaviors are not restored.
    fn earlier_settings(&self, id: AgentId, change: &AgentChange<V>) -> Vec<AgentChange<V>> {
        let Some(found) = self.crowd.get(id) else { return Vec::new() };
        let state = || found.state.map(|name| AgentChange::State(name.to_string()));
        let stats = V::scene(self.draft.scene())
            .and_then(|scene| scene.setup.groups.get(found.group.0))
            .into_iter()
            .flat_map(|group| &group.stats)
            .zip(found.stats)
            .map(|(stat, &value)| AgentChange::Stat(stat.name.clone(), value));
        match change {
            AgentChange::Order(_) => {
                let name = |path: PathId| {
                    self.crowd.path_names().nth(path.0).map(str::to_string).ok_or(())
                };
                let order = found.order.and_then(|order| order.map_path(name).ok());
                vec![AgentChange::Order(order)]
            }
            AgentChange::Limit(limit, _) => {
                vec![AgentChange::Limit(*limit, self.crowd.own_limit(id, *limit))]
            }
            AgentChange::State(_) => state().into_iter().collect(),
            AgentChange::Stat(name, _) => stats
                .filter(|stat| matches!(stat, AgentChange::Stat(known, _) if known == name))
                .collect(),
            // The agent entered the start state of the other group, and lost the stats and the
            // facing that the other group does not have.
            AgentChange::Group(_) => {
                let name = self.crowd.group_names().nth(found.group.0).unwrap_or_default();
                let facing = AgentChange::Facing(found.agent.facing);
                let first = [AgentChange::Group(name.to_string()), facing];
                first.into_iter().chain(state()).chain(stats).collect()
            }
            AgentChange::Frozen(_) => vec![AgentChange::Frozen(found.frozen)],
            AgentChange::Facing(_) => vec![AgentChange::Facing(found.agent.facing)],
            _ => Vec::new(),
        }
    }

    fn order_text(&self, order: Order<V>) -> String {
        match order {
            Order::Point(point) => {
                let coordinates: Vec<String> =
                    (0..V::DIMENSION).map(|i| format!("{:.1}", point.axis(i))).collect();
                format!("to ({})", coordinates.join(", "))
            }
            Order::Agent(id) => format!("to agent {id}"),
            Order::Path(path) => {
                format!("along “{}”", self.crowd.path_names().nth(path.0).unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests;
