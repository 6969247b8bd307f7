use wayfare::behavior::Seek;
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::vec2;
use wayfare::{Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut car = Group::new("car", 1, Spawn::Points(vec![vec2(60.0, 240.0)]), 3.0);
    car.velocity = StartVelocity::Same(vec2(0.0, 3.0));
    car.mass = 20.0.into();
    car.steer = List::default().with(Seek::new(vec2(430.0, 220.0)));

    let mut crowd = Crowd::new(Setup { groups: vec![car], ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
