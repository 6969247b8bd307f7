//! A program of a user: a flock in the plane.

use wayfare::behavior::Flock;
use wayfare::crowd::{Group, Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::{Crowd, List};

fn main() {
    let area = Shape::box_between(Vec2::ZERO, vec2(100.0, 100.0));
    let mut birds = Group::new("birds", 1_000, Spawn::Inside(area), 9.0);
    birds.steer = List::default().with(Flock::default().radius(12.0));
    let mut crowd = Crowd::new(Setup { groups: vec![birds], ..Setup::default() }).unwrap();
    (0..100).for_each(|_| crowd.step());
    println!("{:016x}", crowd.digest());
}
