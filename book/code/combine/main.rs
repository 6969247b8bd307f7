use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let starts = Spawn::points([vec2(60.0, 240.0), vec2(60.0, 260.0)]);
    let guards = Group::new("guards", 2, starts, 3.0)
        .mass(8.0)
        .radius(6.0)
        // The most important first.
        .combine(Combine::Priority)
        .steer(AvoidObstacles::default().see_ahead(60.0).max_avoid_force(4.0))
        .steer(Separation::default().radius(25.0).max_force(2.0))
        .steer(Seek::new(vec2(560.0, 240.0)));

    let pillar = Shape::circle(vec2(300.0, 250.0), 50.0);
    let mut crowd = Setup::new(1.0).group(guards).obstacle(pillar).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
