use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wall = Shape::Box { center: vec2(300.0, 200.0), half: vec2(10.0, 120.0), angle: 0.0 };
    let goal = Shape::Box { center: vec2(580.0, 200.0), half: vec2(20.0, 20.0), angle: 0.0 };
    // Ways keep 15 from the wall.
    let way = FieldPlan::Toward {
        goals: vec![goal],
        cell: 10.0,
        clearance: 15.0,
        area: Some((Vec2::ZERO, vec2(640.0, 400.0))),
    };

    let starts = Spawn::points([vec2(200.0, 180.0), vec2(200.0, 230.0)]);
    let walkers = Group::new("walkers", 2, starts, 2.0)
        .mass(5.0)
        // The first field of the setup.
        .steer(FollowFlow::new(FieldId(0)));

    let mut crowd = Setup::new(1.0).obstacle(wall).field("way", way).group(walkers).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
