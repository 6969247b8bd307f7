use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without behaviors it keeps its velocity.
    let ship = Group::new("ship", 1, Spawn::point(vec2(400.0, 20.0)), 2.0).velocity(vec2(0.0, 2.0));

    let pirate = Group::new("pirate", 1, Spawn::point(vec2(60.0, 240.0)), 3.0)
        .mass(10.0)
        // The nearest member of the first group.
        .steer(Pursue::new(GroupId(0)));

    let mut crowd = Setup::new(1.0).group(ship).group(pirate).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    // By their ids: in memory they are sorted in space.
    for id in 0..2 {
        if let Some(found) = crowd.get(id) {
            println!("{:.3} {:.3}", found.agent.position.x, found.agent.position.y);
        }
    }
    Ok(())
}
