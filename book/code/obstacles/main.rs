use wayfare::behavior::{AvoidObstacles, Clearance, Seek};
use wayfare::crowd::{Group, Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::vec2;
use wayfare::{Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let points = vec![vec2(40.0, 140.0), vec2(40.0, 80.0)];
    let mut walkers = Group::new("walkers", 2, Spawn::Points(points), 3.0);
    walkers.mass = 8.0.into();
    walkers.max_force = 5.0.into();
    walkers.radius = 6.0.into();
    // The whole body stays outside, and not only its center.
    let avoid = AvoidObstacles { clearance: Clearance::Body, ..AvoidObstacles::new(60.0, 6.0) };
    walkers.steer = List::default().with(Seek::new(vec2(460.0, 100.0))).with(avoid);

    let obstacles = vec![
        Shape::Circle { center: vec2(200.0, 150.0), radius: 40.0 },
        Shape::Box { center: vec2(300.0, 60.0), half: vec2(20.0, 45.0), angle: 0.0 },
    ];
    let setup = Setup { groups: vec![walkers], obstacles, ..Setup::default() };
    let mut crowd = Crowd::new(setup)?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
