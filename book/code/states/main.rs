use wayfare::prelude::*;

fn main() -> Result<(), SetupError> {
    let thief =
        Group::new("thief", 1, Spawn::point(vec2(100.0, 40.0)), 2.0).velocity(Vec2::X * 2.0);

    let near = Condition::Near(Target::Group(GroupId(0)), 120.0, None);
    // From 30 on, so that the guard does not start again with no breath.
    let fit = Condition::All(vec![near, Condition::stat("stamina").at_least(30.0)]);
    let spent = Condition::stat("stamina").at_most(0.0);
    let wait = State::new("wait").rate("stamina", 1.0).steer(Stop {}).leave("hunt", fit);
    let hunt = State::new("hunt")
        .rate("stamina", -1.0)
        .steer(Pursue::new(GroupId(0)))
        .leave("wait", spent);
    let guard = Group::new("guard", 1, Spawn::point(vec2(200.0, 140.0)), 3.0)
        .mass(8.0)
        .stat(Stat::new("stamina", 40.0).min(0.0).max(40.0))
        .state(wait)
        .state(hunt);

    let mut crowd = Setup::new(1.0).group(thief).group(guard).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
