//! Commands of the setup, which a crowd applies by itself.

use super::*;
use crate::crowd::{Command, Setting, TimedCommand, tick_at};
use crate::log::Log;

fn setup() -> Setup<Vec2> {
    let sky = Shape::box_between(vec2(0.0, 0.0), vec2(90.0, 90.0));
    let mut birds = Group::new("birds", 300, Spawn::Inside(sky), 2.0);
    birds.steer = List::default().with(Wander::default().circle_radius(1.0).angle_change(0.5));
    Setup { dt: 0.5, groups: vec![birds], ..Setup::default() }
}

fn commands() -> Vec<TimedCommand<Vec2>> {
    let (group, position) = ("birds".to_string(), vec2(1.0, 2.0));
    let key_path = "group[0].max_speed".to_string();
    vec![
        TimedCommand::new(2.1, Command::Add { group, position, velocity: None }).every(1.5),
        TimedCommand::new(0.0, Command::Remove(AgentId(7))),
        TimedCommand::new(3.6, Command::Set { key_path, value: Setting::Number(1.0) }),
    ]
}

/// The same commands as a log of so many ticks.
fn log(ticks: u64) -> Log<Vec2> {
    let commands = commands();
    let due = |tick| commands.iter().filter(move |timed| timed.next_due(tick, 0.5) == Some(tick));
    Log::of((0..ticks).flat_map(|tick| due(tick).map(move |timed| (tick, timed.command.clone()))))
}

#[test]
fn timed_commands_are_those_of_a_log_in_parts_of_ticks_and_after_snapshots_too() {
    let ticks: Vec<u64> = log(30).commands().map(|(tick, _)| tick).collect();
    assert_eq!(ticks, [0, 5, 8, 8, 11, 14, 17, 20, 23, 26, 29]);
    let timed = Setup { commands: commands(), ..setup() };
    let [mut alone, mut parts] = [0; 2].map(|_| timed.clone().crowd().unwrap());
    let (mut logged, mut log) = (setup().crowd().unwrap(), log(30));
    // At a tick with commands, after they were applied.
    let late = Command::Remove(AgentId(301));
    for tick in 0..30 {
        log.apply(&mut logged).unwrap();
        parts.step_budgeted(9);
        if tick == 14 {
            for crowd in [&mut alone, &mut parts, &mut logged] {
                crowd.apply(&late).unwrap();
            }
        }
        let bytes = parts.snapshot();
        parts = timed.clone().crowd().unwrap();
        parts.restore(&bytes).unwrap();
        alone.step();
        logged.step();
        while !parts.step_budgeted(90) {}
        let digests = [&alone, &parts, &logged].map(|crowd| (crowd.tick(), crowd.digest()));
        assert_eq!(digests, [(tick + 1, logged.digest()); 3]);
    }
    // Back to the start by the state of another crowd.
    alone.restore(&timed.crowd().unwrap().snapshot()).unwrap();
    (0..14).for_each(|_| alone.step());
    alone.apply(&late).unwrap();
    (14..30).for_each(|_| alone.step());
    assert_eq!((alone.digest(), alone.refused_command()), (logged.digest(), None));
}

#[test]
fn times_of_timed_commands_are_validated_and_tell_setups_apart() {
    let times = |at, every| {
        let timed = TimedCommand { at, every, command: Command::Remove(AgentId(0)) };
        setup().command(timed)
    };
    let errors = times(-1.0, Some(0.1)).errors();
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "event[0].at: `at` is -1; allowed: a time from 0 to 1e9",
            "event[0].every: `every` is 0.1, which is less than a tick; allowed: a time from \
             `dt`, 0.5, to 1e9",
        ]
    );
    let prints = [times(1.0, None), times(2.0, None), setup()].map(|setup| setup.fingerprint());
    assert!(prints[0] != prints[1] && prints[1] != prints[2], "{prints:?}");
    assert_eq!([tick_at(0.0, 0.5), tick_at(1e18, 1e-9)], [0, u64::MAX]);
}
