//! Encodes events, and decodes them.

use crate::crowd::encoding::bytes::{Read, Reader, Writer, damaged};
use crate::crowd::events::Event;
use crate::id::{AgentId, ExitId, GroupId, LineId, SourceId, StateId};

/// The bytes of an event: its kind, the id, and two numbers.
pub(super) const EVENT: usize = 13;

impl Writer {
    pub(super) fn event(&mut self, event: &Event) {
        let (kind, id, a, b) = match *event {
            Event::Arrived { id } => (0, id, 0, 0),
            Event::StateChanged { id, from, to } => (1, id, from.0, to.0),
            Event::Crossed { id, line, to_left } => (2, id, line.0 as usize, usize::from(to_left)),
            Event::Left { id, group, exit } => (3, id, group.0, exit.0 as usize),
            Event::Gone { id, group, state } => (4, id, group.0, state.0),
            Event::Entered { id, group, source } => (5, id, group.0, source.0 as usize),
            Event::TargetLost { id, target } => (6, id, target.0 as usize, 0),
            Event::GroupArrived { group } => (7, AgentId::NONE, group.0, 0),
            Event::Contact { id, other } => (8, id, other.0 as usize, 0),
            Event::Unreachable { id } => (9, id, 0, 0),
        };
        self.u8(kind);
        [id.0, a as u32, b as u32].into_iter().for_each(|x| self.u32(x));
    }
}

impl Reader<'_> {
    pub(super) fn event(&mut self) -> Read<Event> {
        let (kind, id, a, b) =
            (self.u8()?, AgentId(self.u32()?), self.u32()? as usize, self.u32()? as usize);
        Ok(match (kind, b) {
            (0, _) => Event::Arrived { id },
            (1, _) => Event::StateChanged { id, from: StateId(a), to: StateId(b) },
            (2, 0 | 1) => Event::Crossed { id, line: LineId(a as u32), to_left: b == 1 },
            (3, _) => Event::Left { id, group: GroupId(a), exit: ExitId(b as u32) },
            (4, _) => Event::Gone { id, group: GroupId(a), state: StateId(b) },
            (5, _) => Event::Entered { id, group: GroupId(a), source: SourceId(b as u32) },
            (6, _) => Event::TargetLost { id, target: AgentId(a as u32) },
            (7, _) => Event::GroupArrived { group: GroupId(a) },
            (8, _) => Event::Contact { id, other: AgentId(a as u32) },
            (9, _) => Event::Unreachable { id },
            _ => return damaged(format!("there is no event {kind}")),
        })
    }
}
