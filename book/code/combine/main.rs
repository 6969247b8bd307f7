use wayfare::behavior::{AvoidObstacles, Seek, Separation};
use wayfare::crowd::{Group, Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::vec2;
use wayfare::{Combine, Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let points = vec![vec2(60.0, 240.0), vec2(60.0, 260.0)];
    let mut guards = Group::new("guards", 2, Spawn::Points(points), 3.0);
    guards.mass = 8.0.into();
    guards.radius = 6.0.into();
    // The most important first.
    guards.steer = List::new(Combine::Priority)
        .with(AvoidObstacles::new(60.0, 4.0))
        .with(Separation::new(25.0, 2.0))
        .with(Seek::new(vec2(560.0, 240.0)));

    let obstacles = vec![Shape::Circle { center: vec2(300.0, 250.0), radius: 50.0 }];
    let setup = Setup { groups: vec![guards], obstacles, ..Setup::default() };
    let mut crowd = Crowd::new(setup)?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
