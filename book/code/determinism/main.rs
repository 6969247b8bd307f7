use wayfare::behavior::{Separation, Wander};
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::vec2;
use wayfare::{Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let area = Shape::Circle { center: vec2(320.0, 240.0), radius: 100.0 };
    let mut fish = Group::new("fish", 3, Spawn::Inside(area), 2.0);
    fish.velocity = StartVelocity::Random;
    fish.mass = 10.0.into();
    fish.steer = List::default().with(Wander::new(6.0, 8.0, 0.5)).with(Separation::new(60.0, 2.0));

    let mut crowd = Crowd::new(Setup { seed: 9, groups: vec![fish], ..Setup::default() })?;
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
