//! A behavior and conditions of the game's own: wolves circle the nearest elk, which flees while
//! many of them are near.
//!
//! Run it: `cargo run --release -p wayfare --example wolves`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::prelude::*;

const WOLVES: GroupId = GroupId(0);
const ELK: GroupId = GroupId(1);
const RADIUS: f32 = 8.0;

fn main() -> Result<(), SetupError> {
    let circle = Behavior::from_fn("circle", |wolf, memory, context| {
        let Some(elk) = context.member(wolf, ELK, f32::INFINITY) else { return Vec2::ZERO };
        // The wolf turns the other way round now and then.
        memory.own[0] += context.dt;
        let side = if memory.own[0] % 20.0 < 10.0 { 1.0 } else { -1.0 };
        let offset = elk.position - wolf.position;
        let inward = offset.normalize_or_zero();
        let correction = ((offset.length() - RADIUS) / RADIUS).clamp(-1.0, 1.0);
        let desired = inward.perp() * side + inward * correction;
        desired.normalize_or_zero() * wolf.max_speed - wolf.velocity
    });
    let line = |x| Spawn::grid(vec2(x, 0.0), 2.0, 6);
    let wolves = Group::new("wolves", 12, line(0.0), 3.0)
        .mass(0.3)
        .steer(circle)
        .weighted(2.0, Separation::default().radius(3.0).max_force(3.0));
    let many = Condition::own("many", |elk, context| context.count(elk, WOLVES, 10.0) >= 4);
    let few = Condition::own("few", |elk, context| context.count(elk, WOLVES, 10.0) <= 1);
    let elk = Group::new("elk", 6, line(40.0), 2.0)
        .mass(0.5)
        .state(State::new("graze").steer(Stop::default()).leave("flee", many))
        .state(State::new("flee").steer(Flee::new(WOLVES)).leave("graze", few));
    let mut crowd = Setup::new(1.0 / 30.0).group(wolves).group(elk).crowd()?;
    let mut changes = 0;
    for _ in 0..30 * 60 {
        crowd.step();
        let changed = |event: &&Event| matches!(event, Event::StateChanged { .. });
        changes += crowd.events().iter().filter(changed).count();
    }
    println!("{changes} changes of state, digest {:016x}", crowd.digest());
    let near = |wolf: Vec2| crowd.within(wolf, 2.0 * RADIUS, Some(ELK)).len();
    assert!(changes > 0 && crowd.members(WOLVES).iter().all(|wolf| near(wolf.agent.position) > 0));
    Ok(())
}
