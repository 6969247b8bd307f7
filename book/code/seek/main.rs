use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let car = Group::new("car", 1, Spawn::point(vec2(60.0, 240.0)), 3.0)
        .velocity(vec2(0.0, 3.0))
        .mass(20.0)
        .steer(Seek::new(vec2(430.0, 220.0)));

    let mut crowd = Setup::new(1.0).group(car).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
