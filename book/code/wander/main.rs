use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fish = Group::new("fish", 1, Spawn::point(vec2(320.0, 240.0)), 2.0)
        .velocity(vec2(2.0, 0.0))
        .mass(20.0)
        // The distance of the circle, its radius, and how much the angle changes.
        .steer(Wander::default().circle_distance(6.0).circle_radius(8.0).angle_change(0.5));

    let mut crowd = Setup::new(1.0).seed(5).group(fish).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
