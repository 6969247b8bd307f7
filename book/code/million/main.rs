use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (low, high) = (Vec2::ZERO, vec2(850.0, 640.0));
    let birds = Group::new("birds", 1000, Spawn::inside(Shape::box_between(low, high)), 3.0)
        .velocity(StartVelocity::Random)
        .mass(8.0)
        // Each bird steers at every second tick.
        .think_every(2)
        .steer(Flock::default().radius(40.0));

    let setup = Setup::new(1.0).seed(1).bounds(low, high, Edge::Wrap);
    let mut crowd = setup.group(birds).crowd()?;
    crowd.set_threads(2)?; // The result does not depend on it.
    for _ in 0..100 {
        crowd.step();
    }
    let mut lines: Vec<_> = crowd.agents().map(|(id, agent)| (id, agent.position)).collect();
    lines.sort_by_key(|(id, _)| *id); // Agents are in memory by place, not by id.
    for (_, position) in lines {
        println!("{:.3} {:.3}", position.x, position.y);
    }
    Ok(())
}
