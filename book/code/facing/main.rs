use wayfare::behavior::{Arrive, Face, Seek};
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::vec2;
use wayfare::parameter::Target;
use wayfare::{Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Walks to one point, and looks at another.
    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(60.0, 240.0)]), 2.0);
    guard.mass = 10.0.into();
    guard.turn_rate = 3.0; // Degrees per unit of time.
    guard.steer = List::default()
        .with(Seek::new(Target::Point(vec2(430.0, 220.0))))
        .with(Face::new(Target::Point(vec2(200.0, 60.0))));

    // On wheels; its target is behind it.
    let mut car = Group::new("car", 1, Spawn::Points(vec![vec2(300.0, 300.0)]), 3.0);
    car.velocity = StartVelocity::Same(vec2(3.0, 0.0));
    car.mass = 5.0.into();
    car.turning_radius = Some(40.0);
    car.steer = List::default().with(Arrive::new(Target::Point(vec2(120.0, 240.0))));

    let mut crowd = Crowd::new(Setup { groups: vec![guard, car], ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
