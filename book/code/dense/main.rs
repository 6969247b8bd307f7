use wayfare::prelude::*;

fn people(name: &str, points: [Vec2; 3], velocity: Vec2, target: Vec2) -> Group<Vec2> {
    Group::new(name, 3, Spawn::points(points), 1.34)
        .velocity(velocity)
        .radius(0.1756)
        // Where to go comes first, the solver is the last of its list.
        .steer(Seek::new(target))
        .steer(Pedestrian::default())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let starts = [vec2(5.0, 0.0), vec2(5.6, 0.3), vec2(5.6, -0.3)];
    let west = people("westbound", starts, vec2(-1.34, 0.0), vec2(-100.0, 0.0));
    let starts = [vec2(0.0, 0.0), vec2(-0.6, 0.3), vec2(-0.6, -0.3)];
    let east = people("eastbound", starts, vec2(1.34, 0.0), vec2(100.0, 0.0));

    let mut crowd =
        Setup::new(0.05).bodies(Bodies::default().solid(true)).group(west).group(east).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
