use wayfare::behavior::Seek;
use wayfare::crowd::{Bodies, Group, Setup, Spawn, StartVelocity};
use wayfare::glam::{Vec2, vec2};
use wayfare::solve::Pedestrian;
use wayfare::{Crowd, List};

fn people(name: &str, points: [Vec2; 3], velocity: Vec2, target: Vec2) -> Group<Vec2> {
    let mut people = Group::new(name, 3, Spawn::Points(points.to_vec()), 1.34);
    people.velocity = StartVelocity::Same(velocity);
    people.radius = 0.1756.into();
    // Where to go comes first, the solver is the last of its list.
    people.steer = List::default().with(Seek::new(target)).with(Pedestrian::default());
    people
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let starts = [vec2(5.0, 0.0), vec2(5.6, 0.3), vec2(5.6, -0.3)];
    let west = people("westbound", starts, vec2(-1.34, 0.0), vec2(-100.0, 0.0));
    let starts = [vec2(0.0, 0.0), vec2(-0.6, 0.3), vec2(-0.6, -0.3)];
    let east = people("eastbound", starts, vec2(1.34, 0.0), vec2(100.0, 0.0));

    let mut crowd = Crowd::new(Setup {
        dt: 0.05,
        bodies: Bodies { solid: true, ..Bodies::default() },
        groups: vec![west, east],
        ..Setup::default()
    })?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
