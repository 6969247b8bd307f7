use wayfare::behavior::Flock;
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (min, max) = (Vec2::ZERO, vec2(850.0, 640.0));
    let mut birds = Group::new("birds", 1000, Spawn::Inside(Shape::box_between(min, max)), 3.0);
    birds.velocity = StartVelocity::Random;
    birds.mass = 8.0.into();
    birds.think_every = 2; // Each bird steers at every second tick.
    birds.steer = List::default().with(Flock::new(40.0));

    let bounds = Some(Bounds { min, max, edge: Edge::Wrap });
    let setup = Setup { seed: 1, bounds, groups: vec![birds], ..Setup::default() };
    let mut crowd = Crowd::new(setup)?;
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
