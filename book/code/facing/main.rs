use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Walks to one point, and looks at another.
    let guard = Group::new("guard", 1, Spawn::point(vec2(60.0, 240.0)), 2.0)
        .mass(10.0)
        // Degrees per unit of time.
        .turn_rate(3.0)
        .steer(Seek::new(vec2(430.0, 220.0)))
        .steer(Face::new(vec2(200.0, 60.0)));

    // On wheels; its target is behind it.
    let car = Group::new("car", 1, Spawn::point(vec2(300.0, 300.0)), 3.0)
        .velocity(vec2(3.0, 0.0))
        .mass(5.0)
        .turning_radius(40.0)
        .steer(Arrive::new(vec2(120.0, 240.0)));

    let mut crowd = Setup::new(1.0).group(guard).group(car).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
