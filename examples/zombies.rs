//! Two thousand zombies chase three survivors, who hide behind rocks. A touch turns a survivor.
//!
//! Run it: `cargo run --release -p wayfare --example zombies`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::prelude::*;

const ZOMBIES: GroupId = GroupId(0);
const SURVIVORS: GroupId = GroupId(1);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let south = Shape::box_between(vec2(0.0, 0.0), vec2(200.0, 120.0));
    let zombies = Group::new("zombies", 2000, Spawn::inside(south), 1.0)
        .mass(0.5)
        .radius(0.3)
        .steer(Pursue::new(SURVIVORS))
        .weighted(2.0, Separation::default().radius(1.0).max_force(1.0))
        .steer(AvoidObstacles::default().see_ahead(3.0).max_avoid_force(2.0));
    let north = Spawn::points([vec2(40.0, 180.0), vec2(100.0, 190.0), vec2(160.0, 180.0)]);
    let survivors = Group::new("survivors", 3, north, 1.6)
        .mass(0.3)
        .radius(0.3)
        .contacts(true)
        .combine(Combine::Priority)
        .steer(AvoidObstacles::default().see_ahead(3.0).max_avoid_force(3.0).bounds(true))
        .steer(Evade::new(ZOMBIES).panic_radius(8.0))
        .steer(Hide::new(ZOMBIES).margin(1.0));
    let rocks = [vec2(60.0, 150.0), vec2(110.0, 160.0), vec2(150.0, 140.0)];
    let mut crowd = Setup::new(1.0 / 30.0)
        .bounds(vec2(0.0, 0.0), vec2(200.0, 200.0), Edge::Wall)
        .obstacles(rocks.map(|rock| Shape::circle(rock, 5.0)))
        .group(zombies)
        .group(survivors)
        .crowd()?;
    while !crowd.members(SURVIVORS).is_empty() && crowd.tick() < 10_000 {
        crowd.step();
        for event in crowd.take_events() {
            let Event::Contact { id, other } = event else { continue };
            for id in [id, other] {
                if crowd.get(id).is_some_and(|agent| agent.group == SURVIVORS) {
                    crowd.set_group(id, ZOMBIES)?;
                    println!("{:.1} s: survivor {id} has turned", crowd.time());
                }
            }
        }
    }
    assert_eq!(crowd.members(ZOMBIES).len(), 2003);
    Ok(())
}
