//! A log of commands: a setup and a log are a whole run, which a replay repeats with the same bits.

use alloc::vec::Vec;

pub use crate::crowd::Refused;
use crate::crowd::{Added, AgentChange, Command, Crowd, ValidationError};
use crate::id::AgentId;
use crate::vector::Vector;

/// Commands in the order of their ticks, and the number of those that are applied.
///
/// A command of tick t takes effect before the step from t to t + 1.
///
/// ```
/// use wayfare::prelude::*;
/// let units = Group::new("units", 20, Spawn::ring(Vec2::ZERO, 9.0), 2.0)
///     .steer(Arrive::new(Target::Order));
/// let setup = Setup::new(0.1).group(units);
/// let (mut crowd, mut log) = (setup.clone().crowd()?, Log::default());
/// crowd.step();
/// let squad: Vec<AgentId> = crowd.ids().take(5).collect();
/// log.change(&mut crowd, &squad, &AgentChange::order(vec2(90.0, 0.0)))?;
/// log.record(&mut crowd, Command::Remove(AgentId(7)))?;
/// (0..50).for_each(|_| crowd.step());
///
/// let mut again = setup.crowd()?;
/// log.replay(&mut again, crowd.tick())?;
/// assert_eq!(again.digest(), crowd.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` a log is written in any format. The crate `wayfare-scene` reads and
/// writes the text that `wayfare run SCENE --input LOG` replays.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Log<V: Vector> {
    commands: Vec<(u64, Command<V>)>,
    /// The number of commands that have been applied.
    applied: usize,
}

impl<V: Vector> Default for Log<V> {
    fn default() -> Self {
        Self { commands: Vec::new(), applied: 0 }
    }
}

impl<V: Vector> Log<V> {
    /// A log of these commands, each with its tick, in the order of ticks; they are applied in the
    /// given order.
    pub fn of(commands: impl IntoIterator<Item = (u64, Command<V>)>) -> Self {
        Self { commands: commands.into_iter().collect(), applied: 0 }
    }

    /// The commands with their ticks.
    pub fn commands(&self) -> impl ExactSizeIterator<Item = (u64, &Command<V>)> {
        self.commands.iter().map(|(tick, command)| (*tick, command))
    }

    /// The number of commands that are not applied yet.
    pub fn remaining(&self) -> usize {
        self.commands.len() - self.applied
    }

    /// Goes to `tick`, forwards or back: the commands of earlier ticks count as applied, the others
    /// are not applied yet. For a crowd that was restored at the beginning of that tick.
    pub fn go_to(&mut self, tick: u64) {
        self.applied = self.commands.partition_point(|(other, _)| *other < tick);
    }

    /// Removes the commands that are not applied yet: from here on the run differs.
    pub fn cut(&mut self) {
        self.commands.truncate(self.applied);
    }

    /// Applies the commands of the crowd's present tick to it, and earlier ones that are not
    /// applied yet.
    ///
    /// # Errors
    /// The first command that the crowd refuses; it and those after it stay in the log.
    pub fn apply(&mut self, crowd: &mut Crowd<V>) -> Result<(), Refused> {
        while let Some((tick, command)) = self.commands.get(self.applied)
            && *tick <= crowd.tick()
        {
            let (index, tick) = (self.applied, *tick);
            crowd.apply(command).map_err(|error| Refused { index, tick, error })?;
            self.applied += 1;
        }
        Ok(())
    }

    /// Steps a crowd that is at the beginning of its tick to `tick`, with the commands of each tick
    /// on the way: a new crowd, or one that was [restored](Crowd::restore). Does nothing for a tick
    /// that is over.
    ///
    /// # Errors
    /// The first command that the crowd refuses; the crowd is at its tick.
    pub fn replay(&mut self, crowd: &mut Crowd<V>, tick: u64) -> Result<(), Refused> {
        self.go_to(crowd.tick());
        while crowd.tick() < tick {
            self.apply(crowd)?;
            crowd.step();
        }
        Ok(())
    }

    /// Applies `command` to `crowd` now and records it at the crowd's tick. Returns what the
    /// command has added, if anything.
    ///
    /// Commands that are not applied yet are removed: from here on the run differs.
    ///
    /// # Errors
    /// Why the crowd refuses it; then it is neither applied nor recorded.
    pub fn record(
        &mut self,
        crowd: &mut Crowd<V>,
        command: Command<V>,
    ) -> Result<Option<Added>, ValidationError> {
        let added = crowd.apply(&command)?;
        self.cut();
        self.commands.push((crowd.tick(), command));
        self.applied = self.commands.len();
        Ok(added)
    }

    /// [Records](Self::record) the same change of several agents.
    ///
    /// # Errors
    /// Why the crowd refuses it for one of the agents; those before it are changed.
    pub fn change(
        &mut self,
        crowd: &mut Crowd<V>,
        ids: &[AgentId],
        change: &AgentChange<V>,
    ) -> Result<(), ValidationError> {
        ids.iter().try_for_each(|&id| {
            self.record(crowd, Command::Agent { id, change: change.clone() }).map(drop)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{Group, Limit, Setup, Spawn};
    use alloc::string::ToString;
    use glam::{Vec2, vec2};

    fn crowd() -> Crowd<Vec2> {
        let units = Group::new("units", 9, Spawn::ring(Vec2::ZERO, 9.0), 2.0)
            .steer(crate::behavior::Arrive::new(crate::parameter::Target::Order));
        Setup::new(0.5).group(units).crowd().unwrap()
    }

    #[test]
    fn a_replay_from_a_snapshot_takes_the_commands_from_its_tick_on() {
        let (mut crowd, mut log, mut saved) = (self::crowd(), Log::default(), Vec::new());
        let squad: Vec<AgentId> = crowd.ids().take(4).collect();
        for tick in 0..40 {
            if tick == 20 {
                saved = crowd.snapshot();
            }
            if tick % 20 == 0 {
                let go = AgentChange::order(vec2(tick as f32 - 90.0, 0.0));
                log.change(&mut crowd, &squad, &go).unwrap();
            }
            crowd.step();
        }
        for from_snapshot in [false, true] {
            let mut again = self::crowd();
            if from_snapshot {
                again.restore(&saved).unwrap();
            }
            log.replay(&mut again, 40).unwrap();
            assert_eq!((again.tick(), again.digest()), (40, crowd.digest()));
            // A tick that is over.
            log.replay(&mut again, 3).unwrap();
            assert_eq!(again.tick(), 40);
        }
    }

    #[test]
    fn a_refused_change_stops_at_its_agent_and_is_not_recorded() {
        let (mut crowd, mut log) = (crowd(), Log::default());
        let slower = AgentChange::Limit(Limit::MaxSpeed, Some(1.0));
        let ids = [AgentId(1), AgentId(99), AgentId(2)];
        log.change(&mut crowd, &ids, &slower).unwrap_err();
        assert_eq!(log.commands().len(), 1);
        let speed = |id: u32| crowd.get(id).unwrap().agent.max_speed;
        assert_eq!((speed(1), speed(2)), (1.0, 2.0));
    }

    #[test]
    fn a_refused_command_of_a_replay_is_named_with_its_tick() {
        let remove = |tick| (tick, Command::Remove(AgentId(1)));
        let (mut crowd, mut log) = (crowd(), Log::of([remove(2), remove(5)]));
        let refused = log.replay(&mut crowd, 9).unwrap_err();
        assert_eq!((refused.index, refused.tick, crowd.tick(), log.remaining()), (1, 5, 5, 1));
        assert_eq!(
            refused.to_string(),
            "at tick 5 remove: there is no agent 1; allowed: the id of an agent that is in the \
             crowd"
        );
    }
}
