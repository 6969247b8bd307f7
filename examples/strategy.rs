//! Real-time strategy: a selection box, orders round a wall, a new building, a saved game, and a
//! replay of the log of commands with the same bits.
//!
//! Run it: `cargo run --release -p wayfare --features navigation --example strategy`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::prelude::*;

fn level() -> Result<Crowd<Vec2>, SetupError> {
    let units = Group::new("units", 200, Spawn::grid(vec2(10.0, 10.0), 2.0, 20), 2.0)
        .mass(0.4)
        .radius(0.5)
        .speed_cap(4.0)
        .steer(Navigate::new(Target::Order))
        .steer(AvoidAgents::default().horizon(3.0).radius(6.0));
    let wall = Shape::box_between(vec2(70.0, 0.0), vec2(74.0, 60.0));
    Setup::new(0.05).seed(1).group(units).obstacle(wall).crowd()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut crowd, mut log) = (level()?, Log::default());
    let dragged = Shape::box_between(vec2(9.0, 9.0), vec2(29.0, 19.0));
    let squad: Vec<AgentId> = crowd.inside(&dragged, None).iter().map(|unit| unit.id).collect();
    let there = vec2(120.0, 20.0);
    let faster = AgentChange::Limit(Limit::MaxSpeed, Some(3.5));
    let house = Shape::box_between(vec2(60.0, 50.0), vec2(68.0, 80.0));
    let (mut saved, mut arrived) = (Vec::new(), 0);
    for tick in 0..2400 {
        let moves =
            |id: &&AgentId| crowd.get(**id).is_some_and(|unit| unit.agent.velocity.length() > 0.1);
        match tick {
            0 | 140 => log.change(&mut crowd, &squad, &AgentChange::order(there))?,
            100 => log.change(&mut crowd, &squad, &AgentChange::Order(None))?,
            130 => assert_eq!(squad.iter().filter(moves).count(), 0),
            160 => log.change(&mut crowd, &squad[..10], &faster)?,
            300 => drop(log.record(&mut crowd, Command::AddObstacle(house.clone()))?),
            600 => saved = crowd.snapshot(),
            _ => {}
        }
        crowd.step();
        arrived += crowd.events().iter().filter(|e| matches!(e, Event::Arrived { .. })).count();
    }
    let near = crowd.within(there, 8.0, None).len();
    println!("{} units, {arrived} arrived, {near} near, saved {} bytes", squad.len(), saved.len());
    let (mut loaded, mut replayed) = (level()?, level()?);
    loaded.restore(&saved)?;
    log.replay(&mut loaded, crowd.tick())?;
    log.replay(&mut replayed, crowd.tick())?;
    assert_eq!([loaded.digest(), replayed.digest()], [crowd.digest(); 2]);
    assert_eq!(near, squad.len());
    Ok(())
}
