//! A guard of the game's own type: it walks its beat around a rock, chases a thief that it sees,
//! and goes back to its beat when the thief is caught or gone.
//!
//! Run it: `cargo run --release -p wayfare --example guard`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::geometry::visibility::can_see;
use wayfare::prelude::*;

/// One frame (seconds).
const DT: f32 = 1.0 / 60.0;
/// The guard sees a thief up to this distance (metres), and in this field of view (degrees).
const SIGHT: f32 = 9.0;
const VIEW: f32 = 220.0;
/// At this distance it has caught the thief (metres).
const REACH: f32 = 0.8;

/// A character of the game, in metres and seconds.
struct Character {
    name: &'static str,
    position: Vec2,
    velocity: Vec2,
    /// Walks or runs (metres / second).
    top_speed: f32,
}

steerable!(it: Character as Vec2 {
    position: it.position,
    velocity: it.velocity,
    max_speed: it.top_speed,
    mass: 0.25, // the reaction time in seconds
    radius: 0.4,
});

/// A character, and beside it what steers it.
struct Walker {
    body: Character,
    steering: Steering<Vec2>,
    memory: Memory<Vec2>,
}

impl Walker {
    fn new(name: &'static str, position: Vec2, seed: u64) -> Self {
        let body = Character { name, position, velocity: Vec2::ZERO, top_speed: 1.5 };
        Self { body, steering: Steering::new(seed), memory: Memory::default() }
    }

    fn update(&mut self) {
        self.steering.update(&mut self.body, &mut self.memory, DT);
    }
}

fn main() {
    let corners = vec![vec2(0.0, 0.0), vec2(30.0, 0.0), vec2(30.0, 20.0), vec2(0.0, 20.0)];
    let beat = Path::new(corners, 0.6, true);
    let walk = FollowPath::new(PathId(0)); // `follow_path` is given the path itself
    let rocks = [Obstacle::from(Shape::circle(vec2(15.0, 0.5), 3.0))];
    let avoid = AvoidObstacles::default().see_ahead(4.0).max_avoid_force(3.0);
    let mut guard = Walker::new("Ada", vec2(0.0, 0.0), 1);
    let mut thief = Some(Walker::new("Kid", vec2(44.0, 12.0), 2));
    let (mut was_chasing, mut bumps, mut beats) = (false, 0, 0);
    for frame in 0..60 * 90 {
        // The thief goes for the middle of the yard, and runs from a guard that is near.
        if let Some(thief) = &mut thief {
            let near = (guard.body.position - thief.body.position).length() < 6.0;
            thief.body.top_speed = if near { 2.0 } else { 1.0 };
            thief.steering.priority(|s| {
                s.evade(&thief.body, &guard.body, 6.0).arrive(&thief.body, vec2(15.0, 12.0), 2.0)
            });
            thief.update();
        }
        let seen = thief
            .as_ref()
            .filter(|thief| can_see(&guard.body, thief.body.position, SIGHT, VIEW, &rocks));
        let is_chasing = seen.is_some();
        guard.body.top_speed = if is_chasing { 3.0 } else { 1.5 };
        match seen {
            Some(thief) => guard.steering.pursue(&guard.body, &thief.body),
            None => guard.steering.follow_path(&guard.body, &beat, &walk, &mut guard.memory),
        };
        guard.steering.avoid_obstacles(&guard.body, &rocks, &avoid);
        guard.update();
        let second = frame as f32 * DT;
        if is_chasing != was_chasing {
            was_chasing = is_chasing;
            let what = if was_chasing { "sees a thief and runs" } else { "walks its beat again" };
            println!("{second:5.1} s: {} {what}", guard.body.name);
        }
        let caught =
            |thief: &mut Walker| (thief.body.position - guard.body.position).length() < REACH;
        if let Some(thief) = thief.take_if(caught) {
            println!("{second:5.1} s: {} has caught {}", guard.body.name, thief.body.name);
        }
        bumps += usize::from(rocks[0].distance(guard.body.position) < -0.5);
        beats += usize::from((guard.body.position - vec2(0.0, 20.0)).length() < 0.6);
    }
    println!("after 90 s: {bumps} frames in the rock");
    assert!(thief.is_none() && bumps == 0 && beats > 0);
}
