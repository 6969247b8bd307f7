//! Commands, which all ranks apply together.

use wayfare::crowd::{Added, AgentChange, Command, KeyPath, Spawn, ValidationError};
use wayfare::{AgentId, Order, Vector};

use super::Cluster;
use crate::error::ClusterError;
use crate::link::Link;
use crate::wire::{Message, Numbers};

impl<V: Vector, L: Link> Cluster<V, L> {
    /// Applies a command on all ranks, which have the same one; returns what it has added.
    ///
    /// # Errors
    /// The command is refused; then nothing has changed.
    pub fn apply(&mut self, command: &Command<V>) -> Result<Option<Added>, ClusterError> {
        let is_here = match command {
            Command::Add { .. } => self.rank() == 0,
            Command::Remove(id) | Command::Move { id, .. } | Command::Agent { id, .. } => {
                self.crowd.get(*id).is_some()
            }
            _ => true,
        };
        if let Command::Agent { change: AgentChange::Order(Some(Order::Agent(target))), .. } =
            command
        {
            let found = self.crowd.get(*target).is_some();
            let all = self.link.all_gather(&[u8::from(found)])?;
            if all.iter().all(|found| found == &[0]) {
                let key_path = KeyPath::default().key("order");
                return Err(no_agent(key_path, *target).into());
            }
        }
        if let Command::AddGroup(group) = command
            && self.ranks() > 1
            && matches!(group.spawn, Spawn::Apart(_))
        {
            return Err(ValidationError {
                key_path: KeyPath::default().key("add_group").key("spawn"),
                message: "no rank knows where all agents are".to_string(),
                allowed: "a spawn that is not `apart`, in a crowd of several ranks".to_string(),
            }
            .into());
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
            Some(Err(error)) => [&[2][..], error.message.as_bytes()].concat(),
        };
        let outcomes = self.link.all_gather(&outcome)?;
        if let Some(Err(error)) = applied {
            return Err(error.into());
        }
        if let Some(refused) = outcomes.iter().find(|outcome| outcome[0] == 2) {
            // Only the owner of an agent knows the whole error.
            let message = String::from_utf8_lossy(&refused[1..]).into_owned();
            let allowed = "a command that the owner of the agent takes".to_string();
            return Err(ValidationError { key_path: KeyPath::default(), message, allowed }.into());
        }
        if outcomes.iter().all(|outcome| outcome[0] == 0)
            && let Command::Remove(id) | Command::Move { id, .. } | Command::Agent { id, .. } =
                command
        {
            return Err(no_agent(KeyPath::default().key("id"), *id).into());
        }
        self.setup_changed();
        if let Command::AddGroup(_) = command {
            // All ranks have its members.
            self.keep_own(first);
        }
        Ok(applied.and_then(Result::ok).flatten())
    }
}

fn no_agent(key_path: KeyPath, id: AgentId) -> ValidationError {
    ValidationError {
        key_path,
        message: format!("there is no agent {id}"),
        allowed: "the id of an agent that is in the crowd".to_string(),
    }
}
