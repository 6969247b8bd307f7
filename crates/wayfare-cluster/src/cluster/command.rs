//! Commands, which all ranks apply together.

use wayfare::crowd::{Added, AgentChange, Command, KeyPath, MAX_AGENTS, Spawn, ValidationError};
use wayfare::{AgentId, Order, Vector};

use super::Cluster;
use crate::error::ClusterError;
use crate::link::Link;
use crate::wire::{Message, Numbers};

impl<V: Vector, L: Link> Cluster<V, L> {
    /// Applies a command; collective, with the same command on all ranks. Returns what it has
    /// added; the id of an added agent is returned on the first rank only.
    ///
    /// # Errors
    /// The command is refused; then nothing has changed on any rank. Or a rank is gone. With more
    /// than one rank a group with `Spawn::Apart` is refused, and a source that lets agents enter
    /// apart.
    pub fn apply(&mut self, command: &Command<V>) -> Result<Option<Added>, ClusterError> {
        self.apply_due_commands()?;
        self.apply_now(command)
    }

    /// Applies the commands of the setup that are due now.
    pub(super) fn apply_due_commands(&mut self) -> Result<(), ClusterError> {
        for (index, command) in self.crowd.take_due_commands() {
            self.apply_now(&command).map_err(|error| match error {
                ClusterError::Command(error) => error.at_event(index).into(),
                other => other,
            })?;
        }
        Ok(())
    }

    fn apply_now(&mut self, command: &Command<V>) -> Result<Option<Added>, ClusterError> {
        let is_here = match command {
            Command::Add { .. } => self.rank() == 0,
            _ => agent_of(command).is_none_or(|(_, id)| self.crowd.get(id).is_some()),
        };
        if let Command::Agent { change, .. } | Command::Members { change, .. } = command
            && let AgentChange::Order(Some(Order::Agent(target))) = change
        {
            let found = self.crowd.get(*target).is_some();
            let all = self.link.all_gather(&[u8::from(found)])?;
            if all.iter().all(|found| found == &[0]) {
                let key_path = KeyPath::default().key("order");
                return Err(no_agent(key_path, *target).into());
            }
        }
        self.check_room(command)?;
        let apart = match command {
            Command::AddGroup(group) if matches!(group.spawn, Spawn::Apart(_)) => {
                Some(KeyPath::default().key("add_group").key("spawn"))
            }
            Command::AddSource(source) if source.apart => {
                Some(KeyPath::default().key("add_source").key("apart"))
            }
            _ => None,
        };
        if let Some(key_path) = apart.filter(|_| self.ranks() > 1) {
            return Err(needs_all(key_path).into());
        }
        if let Command::AddGroup(_) = command {
            let mut message = Message::default();
            message.u32(self.crowd.next_id().0);
            let all = self.link.all_gather(&message.0)?;
            self.crowd.reserve_ids(AgentId(Numbers(&all[0]).u32()));
        }
        let first = self.crowd.next_id();
        let applied = if is_here { Some(self.crowd.apply(command)) } else { None };
        let outcome = match &applied {
            None => vec![0],
            Some(Ok(_)) => vec![1],
            Some(Err(ValidationError { key_path, message, allowed })) => {
                [&[2][..], format!("{key_path}\0{message}\0{allowed}").as_bytes()].concat()
            }
        };
        let outcomes = self.link.all_gather(&outcome)?;
        if let Some(Err(error)) = applied {
            return Err(error.into());
        }
        if let Some(refused) = outcomes.iter().find(|outcome| outcome[0] == 2) {
            let text = String::from_utf8_lossy(&refused[1..]);
            let mut fields = text.split('\0').map(str::to_string);
            let mut next = || fields.next().unwrap_or_default();
            return Err(ValidationError {
                key_path: KeyPath::default().key(next()),
                message: next(),
                allowed: next(),
            }
            .into());
        }
        if outcomes.iter().all(|outcome| outcome[0] == 0)
            && let Some((key, id)) = agent_of(command)
        {
            return Err(no_agent(KeyPath::default().key(key), id).into());
        }
        self.setup_changed();
        if let Command::AddGroup(_) = command {
            // All ranks have its members.
            self.keep_own(first);
        }
        Ok(applied.and_then(Result::ok).flatten())
    }

    /// Refuses agents beyond the largest number of a crowd, which no rank can count alone.
    fn check_room(&mut self, command: &Command<V>) -> Result<(), ClusterError> {
        let (key_path, count, message) = match command {
            Command::Add { .. } => (KeyPath::default().key("add"), 1, "one more agent".to_string()),
            Command::AddGroup(group) => {
                let key_path = KeyPath::default().key("add_group").key("count");
                (key_path, group.count as u64, format!("the group has {} members", group.count))
            }
            _ => return Ok(()),
        };
        let free = (MAX_AGENTS as u64).saturating_sub(self.agents()?);
        if count <= free {
            return Ok(());
        }
        Err(ValidationError {
            key_path,
            message,
            allowed: format!("up to {free}: so many more agents can enter the crowd"),
        }
        .into())
    }
}

/// The key of a command to one agent, and the agent.
fn agent_of<V: Vector>(command: &Command<V>) -> Option<(&'static str, AgentId)> {
    match command {
        Command::Remove(id) => Some(("remove", *id)),
        Command::Move { id, .. } => Some(("move", *id)),
        Command::Agent { id, .. } => Some(("agent", *id)),
        _ => None,
    }
}

/// The error of what would need the places of all agents.
pub(super) fn needs_all(key_path: KeyPath) -> ValidationError {
    ValidationError {
        key_path,
        message: "no rank knows where all agents are".to_string(),
        allowed: "one that is not `apart`, in a crowd of several ranks".to_string(),
    }
}

fn no_agent(key_path: KeyPath, id: AgentId) -> ValidationError {
    ValidationError {
        key_path,
        message: format!("there is no agent {id}"),
        allowed: "the id of an agent that is in the crowd".to_string(),
    }
}
