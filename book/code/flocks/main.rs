use wayfare::prelude::*;

fn birds(name: &str, points: [Vec2; 2], velocity: Vec2) -> Group<Vec2> {
    Group::new(name, 2, Spawn::points(points), 2.0)
        .velocity(velocity)
        .mass(8.0)
        .max_force(2.0)
        // Neighbors count up to 90, and push each other apart up to 12.
        .steer(Flock::default().radius(90.0).separation_radius(12.0))
        // Without a push ahead the flock would come to rest.
        .steer(Wander::default().circle_distance(1.0).circle_radius(0.2).angle_change(0.5))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let east = birds("eastbound", [vec2(100.0, 200.0), vec2(90.0, 212.0)], vec2(2.0, 0.0));
    let south = birds("southbound", [vec2(150.0, 150.0), vec2(162.0, 140.0)], vec2(0.0, 2.0));

    let mut crowd = Setup::new(1.0).seed(7).group(east).group(south).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
