//! Five hundred fish and two sharks in space, drawn between ticks at a variable frame time.
//!
//! Run it: `cargo run --release -p wayfare --features space --example aquarium`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::prelude::*;

const FISH: GroupId = GroupId(0);
const SHARKS: GroupId = GroupId(1);

/// The aquarium from the side.
fn draw(crowd: &Crowd<Vec3>, part: f32) {
    let mut screen = [[b' '; 72]; 18];
    for pose in crowd.poses(part) {
        let (x, y) = (pose.position.x / 60.0 * 72.0, 18.0 - pose.position.z / 30.0 * 18.0);
        if let Some(cell) = screen.get_mut(y as usize).and_then(|line| line.get_mut(x as usize)) {
            *cell = (*cell).max(if pose.group == SHARKS { b'S' } else { b'.' });
        }
    }
    screen.iter().for_each(|line| println!("{}", String::from_utf8_lossy(line)));
}

fn main() -> Result<(), SetupError> {
    let tank = Shape::box_between(vec3(0.0, 0.0, 0.0), vec3(60.0, 40.0, 30.0));
    let stay = Contain::default().region(tank.clone()).lookahead(1.0);
    let fish = Group::new("fish", 500, Spawn::inside(tank.clone()), 4.0)
        .velocity(StartVelocity::Random)
        .mass(0.4)
        .steer(Flock::default().radius(8.0).separation_radius(1.2))
        .weighted(3.0, Evade::new(SHARKS).panic_radius(8.0))
        .weighted(4.0, stay.clone());
    let sharks = Group::new("sharks", 2, Spawn::inside(tank), 5.0)
        .velocity(StartVelocity::Random)
        .mass(0.8)
        .steer(Pursue::new(FISH).within(25.0))
        .steer(Wander::default().circle_distance(2.0).circle_radius(1.0).angle_change(2.0))
        .weighted(4.0, stay);
    let mut crowd = Setup::new(1.0 / 60.0).group(fish).group(sharks).crowd()?;
    let mut clock = Clock::new(1.0);
    for frame in 0..600 {
        // The seconds since the last frame.
        clock.advance(&mut crowd, [0.016, 0.017, 0.030, 0.008][frame % 4]);
        if frame % 300 == 299 {
            println!("frame {frame}, tick {}, part {:.2}", crowd.tick(), clock.part(&crowd));
            draw(&crowd, clock.part(&crowd));
        }
    }
    assert!(crowd.tick() > 630 && crowd.agents().all(|(_, fish)| fish.position.x.abs() < 66.0));
    Ok(())
}
