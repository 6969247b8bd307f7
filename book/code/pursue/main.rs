use wayfare::behavior::Pursue;
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::vec2;
use wayfare::{Crowd, GroupId, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without behaviors it keeps its velocity.
    let mut ship = Group::new("ship", 1, Spawn::Points(vec![vec2(400.0, 20.0)]), 2.0);
    ship.velocity = StartVelocity::Same(vec2(0.0, 2.0));

    let mut pirate = Group::new("pirate", 1, Spawn::Points(vec![vec2(60.0, 240.0)]), 3.0);
    pirate.mass = 10.0.into();
    // The nearest member of the first group.
    pirate.steer = List::default().with(Pursue::new(GroupId(0)));

    let mut crowd = Crowd::new(Setup { groups: vec![ship, pirate], ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    // By their ids: in memory they are sorted in space.
    for id in 0..2 {
        if let Some(found) = crowd.get(id) {
            println!("{:.3} {:.3}", found.agent.position.x, found.agent.position.y);
        }
    }
    Ok(())
}
