//! [`Migration`]: what of a snapshot was found again in a crowd with another setup.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

/// The result of [`Crowd::migrate`](crate::Crowd::migrate): the parts that were found again in a
/// crowd with another setup, and the treatment of the rest. It prints as a list of sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The groups: those of the snapshot in its order, then the new ones.
    pub groups: Vec<GroupMatch>,
    /// Everything else that differs.
    pub notes: Vec<MigrationNote>,
}

impl Migration {
    /// Whether the setups have the same groups, and nothing else of the snapshot was lost or set
    /// anew.
    pub fn is_complete(&self) -> bool {
        self.notes.is_empty()
            && self.groups.iter().all(|group| matches!(group, GroupMatch::Matched { .. }))
    }
}

/// The result of the migration for a group.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupMatch {
    /// The snapshot and the crowd have it.
    Matched {
        /// Its name.
        name: String,
        /// The number of its agents, all of which were kept.
        agents: usize,
    },
    /// Only the snapshot has it: its agents were left out.
    Gone {
        /// Its name.
        name: String,
        /// The number of agents that were left out.
        agents: usize,
    },
    /// Only the crowd has it: its members start now.
    New {
        /// Its name.
        name: String,
        /// The number of its members.
        agents: usize,
    },
}

/// A difference between a snapshot and the crowd that it was migrated into, and what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MigrationNote {
    /// Only the snapshot has this state: its agents entered the start state.
    StateGone {
        /// The name of the group.
        group: String,
        /// The name of the state; empty if the group had no states.
        state: String,
        /// The number of its agents.
        agents: usize,
    },
    /// Only the crowd has this state.
    StateNew {
        /// The name of the group.
        group: String,
        /// The name of the state.
        state: String,
    },
    /// Only the snapshot has this stat: its values were left out.
    StatGone {
        /// The name of the group.
        group: String,
        /// The name of the stat.
        stat: String,
    },
    /// Only the crowd has this stat: it has its start value.
    StatNew {
        /// The name of the group.
        group: String,
        /// The name of the stat.
        stat: String,
    },
    /// Values of a stat were beyond its new range: they are its nearest end now.
    StatClamped {
        /// The name of the group.
        group: String,
        /// The name of the stat.
        stat: String,
        /// The number of agents.
        agents: usize,
    },
    /// The list has other behaviors: the agents' memories of them are empty, and an agent that has
    /// arrived may arrive again.
    MemoryReset {
        /// The name of the group.
        group: String,
        /// The name of the state; `None` for the list of the group.
        state: Option<String>,
    },
    /// The explored cells of an `explore` of the group were forgotten: the `explore` is gone, or
    /// has another area or cell.
    ExploredReset {
        /// The name of the group.
        group: String,
    },
    /// Commands had set numbers or parameters of the group, and the setup has others now: those of
    /// the setup were taken.
    NumbersLost {
        /// The name of the group.
        group: String,
    },
    /// Own top speeds were beyond the cap of the group: they are its cap now.
    SpeedsClamped {
        /// The name of the group.
        group: String,
        /// The number of agents.
        agents: usize,
    },
    /// Orders of agents have ended: the agent or the path is gone.
    OrdersEnded {
        /// The number of agents that had them.
        agents: usize,
    },
    /// Only the snapshot has this path.
    PathGone {
        /// Its name.
        path: String,
    },
    /// Commands had moved points of the path, and the setup has others now: those of the setup were
    /// taken.
    PointsLost {
        /// The name of the path.
        path: String,
    },
    /// Commands had changed obstacles, and the setup has others now: those of the setup were taken,
    /// and the added ones with new ids.
    ObstaclesMerged {
        /// The number of added obstacles that were kept.
        kept: usize,
    },
    /// Only the snapshot has this line: its counts were left out.
    LineGone {
        /// Its name.
        line: String,
    },
    /// There is another number of exits: their counts begin at 0.
    ExitCountsReset,
    /// There are other sources: their counts begin at 0.
    SourceCountsReset,
}

/// The number of agents, in words.
fn agents(count: usize) -> String {
    if count == 1 { "1 agent".to_string() } else { format!("{count} agents") }
}

impl fmt::Display for Migration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.groups.iter().map(ToString::to_string);
        let lines = groups.chain(self.notes.iter().map(ToString::to_string));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

impl fmt::Display for GroupMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Matched { name, agents: count } => {
                write!(f, "Group \"{name}\": {} kept.", agents(*count))
            }
            Self::Gone { name, agents: count } => {
                write!(f, "Group \"{name}\" is gone: {} left out.", agents(*count))
            }
            Self::New { name, agents: count } => {
                write!(f, "Group \"{name}\" is new: it starts with {}.", agents(*count))
            }
        }
    }
}

impl fmt::Display for MigrationNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateGone { group, state, agents: count } if state.is_empty() => write!(
                f,
                "Group \"{group}\" has states now: {} entered its start state.",
                agents(*count)
            ),
            Self::StateGone { group, state, agents: count } => write!(
                f,
                "State \"{state}\" of group \"{group}\" is gone: {} entered its start state.",
                agents(*count)
            ),
            Self::StateNew { group, state } => {
                write!(f, "State \"{state}\" of group \"{group}\" is new.")
            }
            Self::StatGone { group, stat } => {
                write!(f, "Stat \"{stat}\" of group \"{group}\" is gone.")
            }
            Self::StatNew { group, stat } => {
                write!(f, "Stat \"{stat}\" of group \"{group}\" is new: it has its start value.")
            }
            Self::StatClamped { group, stat, agents: count } => write!(
                f,
                "Stat \"{stat}\" of group \"{group}\" has another range: the values of {} were \
                 brought into it.",
                agents(*count)
            ),
            Self::MemoryReset { group, state: None } => write!(
                f,
                "Group \"{group}\" has other behaviors: its agents' memories of them are empty."
            ),
            Self::MemoryReset { group, state: Some(state) } => write!(
                f,
                "State \"{state}\" of group \"{group}\" has other behaviors: the agents' memories \
                 of them are empty."
            ),
            Self::ExploredReset { group } => {
                write!(f, "Group \"{group}\" explores another area: it begins anew.")
            }
            Self::NumbersLost { group } => write!(
                f,
                "Group \"{group}\" has other numbers in the setup: what commands had set is lost."
            ),
            Self::SpeedsClamped { group, agents: count } => write!(
                f,
                "Group \"{group}\" has a lower speed cap: {} got it as top speed.",
                agents(*count)
            ),
            Self::OrdersEnded { agents: count } => {
                write!(f, "The orders of {} ended: their targets are gone.", agents(*count))
            }
            Self::PathGone { path } => write!(f, "Path \"{path}\" is gone."),
            Self::PointsLost { path } => write!(
                f,
                "Path \"{path}\" has other points in the setup: what commands had moved is lost."
            ),
            Self::ObstaclesMerged { kept } => write!(
                f,
                "The setup has other obstacles: {kept} added by commands were kept, other changes \
                 by commands are lost."
            ),
            Self::LineGone { line } => write!(f, "Line \"{line}\" is gone, and its counts."),
            Self::ExitCountsReset => write!(f, "The exits differ: their counts begin at 0."),
            Self::SourceCountsReset => write!(f, "The sources differ: their counts begin at 0."),
        }
    }
}
