use wayfare::behavior::{Pursue, Stop};
use wayfare::crowd::{Condition, Group, Setup, Spawn, StartVelocity, Stat, State, Transition};
use wayfare::glam::vec2;
use wayfare::parameter::Target;
use wayfare::{Crowd, GroupId, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut thief = Group::new("thief", 1, Spawn::Points(vec![vec2(100.0, 40.0)]), 2.0);
    thief.velocity = StartVelocity::Same(vec2(2.0, 0.0));

    let near = Condition::Near(Target::Group(GroupId(0)), 120.0, None);
    // From 30 on, so that the guard does not start again with no breath.
    let fit = Condition::All(vec![near, Condition::at_least(0, 30.0)]);
    let wait = State {
        rates: vec![(0, 1.0)],
        steer: List::default().with(Stop {}),
        leave: vec![Transition { to: 1.into(), when: fit }],
        ..State::new("wait")
    };
    let hunt = State {
        rates: vec![(0, -1.0)],
        steer: List::default().with(Pursue::new(GroupId(0))),
        leave: vec![Transition { to: 0.into(), when: Condition::at_most(0, 0.0) }],
        ..State::new("hunt")
    };
    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(200.0, 140.0)]), 3.0);
    guard.mass = 8.0.into();
    guard.stats = vec![Stat { min: 0.0, max: 40.0, ..Stat::new("stamina", 40.0) }];
    guard.states = vec![wait, hunt];

    let mut crowd = Crowd::new(Setup { groups: vec![thief, guard], ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
