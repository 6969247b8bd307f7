use wayfare::behavior::{Flock, Wander};
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::{Vec2, vec2};
use wayfare::{Crowd, List};

fn birds(name: &str, points: [Vec2; 2], velocity: Vec2) -> Group<Vec2> {
    let mut birds = Group::new(name, 2, Spawn::Points(points.to_vec()), 2.0);
    birds.velocity = StartVelocity::Same(velocity);
    birds.mass = 8.0.into();
    birds.max_force = 2.0.into();
    // Neighbors count up to 90, and push each other apart up to 12.
    let flock = Flock { separation_radius: Some(12.0), ..Flock::new(90.0) };
    // Without a push ahead the flock would come to rest.
    birds.steer = List::default().with(flock).with(Wander::new(1.0, 0.2, 0.5));
    birds
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let east = birds("eastbound", [vec2(100.0, 200.0), vec2(90.0, 212.0)], vec2(2.0, 0.0));
    let south = birds("southbound", [vec2(150.0, 150.0), vec2(162.0, 140.0)], vec2(0.0, 2.0));

    let setup = Setup { seed: 7, groups: vec![east, south], ..Setup::default() };
    let mut crowd = Crowd::new(setup)?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
