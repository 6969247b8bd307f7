//! Stepping a run tick by tick in parts, so that a signal ends it within a long tick.

use std::time::{Duration, Instant};

use wayfare::log::{Log, Refused};
use wayfare::{Crowd, Vector};

/// The desired duration of a part of a tick: a signal is noticed between two parts.
const PART: Duration = Duration::from_millis(50);

/// Steps a crowd with its log, and stops on request even within a tick.
///
/// The results do not depend on how a tick is divided, so the parts may follow the clock.
pub struct Stepper {
    /// The ticks of the commands of the log, in order.
    command_ticks: Vec<u64>,
    /// The agents of the next part, per thread.
    agents: usize,
    /// The duration of the last tick; the first is assumed to be long.
    last_tick: Duration,
    total: Duration,
}

impl Stepper {
    /// A stepper of a crowd with this log.
    pub fn new<V: Vector>(log: &Log<V>) -> Self {
        Self {
            command_ticks: log.commands().map(|(tick, _)| tick).collect(),
            agents: 64,
            last_tick: PART,
            total: Duration::ZERO,
        }
    }

    /// The duration of all ticks (seconds).
    pub fn seconds(&self) -> f64 {
        self.total.as_secs_f64()
    }

    /// Applies the log and steps the crowd by a tick, and returns true. If `stop` becomes true
    /// before the tick has ended, the crowd is restored to its state before the commands of the
    /// tick, and the result is false.
    ///
    /// # Errors
    /// The first command that the crowd refuses.
    pub fn tick<V: Vector>(
        &mut self,
        crowd: &mut Crowd<V>,
        log: &mut Log<V>,
        mut stop: impl FnMut() -> bool,
    ) -> Result<bool, Refused> {
        if stop() {
            return Ok(false);
        }
        let next = self.command_ticks.len() - log.remaining();
        let has_commands = crowd.has_due_commands()
            || self.command_ticks.get(next).is_some_and(|&tick| tick <= crowd.tick());
        // A snapshot takes less time than a long tick; a short tick is not interrupted.
        let before = (has_commands && self.last_tick >= PART).then(|| crowd.snapshot());
        let may_stop = !has_commands || before.is_some();
        log.apply(crowd)?;
        let began = Instant::now();
        while !self.part(crowd) {
            if may_stop && stop() {
                if let Some(before) = before {
                    // A snapshot of this crowd is always accepted.
                    let _ = crowd.restore(&before);
                    log.go_to(crowd.tick());
                }
                return Ok(false);
            }
        }
        self.last_tick = began.elapsed();
        self.total += self.last_tick;
        Ok(true)
    }

    /// Steps a part of a tick and chooses the size of the next; returns whether the tick has ended.
    fn part<V: Vector>(&mut self, crowd: &mut Crowd<V>) -> bool {
        let began = Instant::now();
        let ended = crowd.step_budgeted(self.agents.saturating_mul(crowd.threads()));
        let took = began.elapsed();
        if took < PART / 2 && !ended {
            self.agents = self.agents.saturating_mul(2);
        } else if took > PART * 2 {
            self.agents = (self.agents / 2).max(1);
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::behavior::Wander;
    use wayfare::crowd::{Command, Group, Setup, Spawn};
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::{AgentId, List};

    fn crowd() -> Crowd<Vec2> {
        let sky = Shape::box_between(vec2(0.0, 0.0), vec2(600.0, 400.0));
        let mut birds = Group::new("birds", 900, Spawn::Inside(sky), 2.0);
        birds.steer = List::default()
            .with(Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(0.5));
        Crowd::new(Setup { groups: vec![birds], ..Setup::default() }).unwrap()
    }

    fn log() -> Log<Vec2> {
        Log::of([(0, Command::Remove(AgentId(7))), (1, Command::Remove(AgentId(8)))])
    }

    #[test]
    fn a_stopped_tick_leaves_the_crowd_and_the_log_as_they_were() {
        for mut log in [Log::default(), log()] {
            let (mut crowd, commands) = (crowd(), log.remaining());
            let (begin, mut stepper) = (crowd.digest(), Stepper::new(&log));
            // False before the tick, true after its first part.
            let mut asked = 0;
            let stop = || {
                asked += 1;
                asked > 1
            };
            assert!(!stepper.tick(&mut crowd, &mut log, stop).unwrap_or(true));
            assert_eq!((asked, crowd.tick(), log.remaining()), (2, 0, commands));
            assert_eq!((crowd.digest(), crowd.len()), (begin, 900));
        }
    }

    #[test]
    fn a_run_in_parts_ends_in_the_same_digest_and_goes_on_after_a_stop() {
        let (mut whole, mut whole_log) = (crowd(), log());
        for _ in 0..5 {
            assert!(whole_log.apply(&mut whole).is_ok());
            whole.step();
        }
        let (mut parts, mut parts_log) = (crowd(), log());
        let mut stepper = Stepper::new(&parts_log);
        let mut asked = 0;
        while parts.tick() < 5 {
            let stop = || {
                asked += 1;
                asked == 2
            };
            assert!(stepper.tick(&mut parts, &mut parts_log, stop).is_ok());
        }
        assert!(asked > 5);
        assert_eq!((parts.digest(), parts_log.remaining()), (whole.digest(), 0));
    }
}
