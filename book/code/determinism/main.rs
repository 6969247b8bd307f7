use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let area = Shape::circle(vec2(320.0, 240.0), 100.0);
    let fish = Group::new("fish", 3, Spawn::inside(area), 2.0)
        .velocity(StartVelocity::Random)
        .mass(10.0)
        .steer(Wander::default().circle_distance(6.0).circle_radius(8.0).angle_change(0.5))
        .steer(Separation::default().radius(60.0).max_force(2.0));

    let mut crowd = Setup::new(1.0).seed(9).group(fish).crowd()?;
    (0..50).for_each(|_| crowd.step());
    let snapshot = crowd.snapshot();
    (0..50).for_each(|_| crowd.step());
    let digest = crowd.digest();

    // Back to tick 50, and on from there again.
    crowd.restore(&snapshot)?;
    (0..50).for_each(|_| crowd.step());
    if crowd.digest() != digest {
        return Err("the second run is another one".into());
    }

    let mut lines: Vec<_> = crowd.agents().map(|(id, agent)| (id, agent.position)).collect();
    lines.sort_by_key(|(id, _)| *id); // Agents are in memory by place, not by id.
    for (_, position) in lines {
        println!("{:.3} {:.3}", position.x, position.y);
    }
    Ok(())
}
