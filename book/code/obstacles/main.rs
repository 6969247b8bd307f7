use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let starts = Spawn::points([vec2(40.0, 140.0), vec2(40.0, 80.0)]);
    let walkers = Group::new("walkers", 2, starts, 3.0)
        .mass(8.0)
        .max_force(5.0)
        .radius(6.0)
        .steer(Seek::new(vec2(460.0, 100.0)))
        // The whole body stays outside, and not only its center.
        .steer(
            AvoidObstacles::default()
                .see_ahead(60.0)
                .max_avoid_force(6.0)
                .clearance(Clearance::Body),
        );

    let pillar = Shape::circle(vec2(200.0, 150.0), 40.0);
    let wall = Shape::Box { center: vec2(300.0, 60.0), half: vec2(20.0, 45.0), angle: 0.0 };
    let mut crowd = Setup::new(1.0).group(walkers).obstacle(pillar).obstacle(wall).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
