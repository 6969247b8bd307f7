use wayfare::behavior::Wander;
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::vec2;
use wayfare::{Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut fish = Group::new("fish", 1, Spawn::Points(vec![vec2(320.0, 240.0)]), 2.0);
    fish.velocity = StartVelocity::Same(vec2(2.0, 0.0));
    fish.mass = 20.0.into();
    // The distance of the circle, its radius, and how much the angle changes.
    fish.steer = List::default().with(Wander::new(6.0, 8.0, 0.5));

    let mut crowd = Crowd::new(Setup { seed: 5, groups: vec![fish], ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
