//! An enemy of the game's own type pursues a player, and avoids two walls on its way.
//!
//! Run it: `cargo run --release -p wayfare --example enemy`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::prelude::*;

/// A character of the game, in metres and seconds.
struct Enemy {
    at: Vec2,
    motion: Vec2,
}

// The mass is the reaction time.
steerable!(enemy: Enemy as Vec2 {
    position: enemy.at, velocity: enemy.motion, max_speed: 3.0, mass: 0.3, radius: 0.4,
});

fn main() {
    let wall = |from, to| Obstacle::from(Shape::segment(from, to, 0.2));
    let walls = [wall(vec2(5.0, -4.0), vec2(5.0, 1.0)), wall(vec2(10.0, -1.0), vec2(10.0, 6.0))];
    let avoid = AvoidObstacles::default().see_ahead(3.0).max_avoid_force(8.0);
    let avoid = avoid.probe(Probe::Cylinder).clearance(Clearance::Body);
    let mut enemy = Enemy { at: Vec2::ZERO, motion: Vec2::ZERO };
    let mut player = Enemy { at: vec2(14.0, 0.0), motion: vec2(0.0, 0.5) };
    let (mut steering, mut memory, dt) = (Steering::new(0), Memory::default(), 1.0 / 60.0);
    let mut closest = f32::INFINITY;
    let caught = (0..60 * 60).find(|_| {
        player.at += player.motion * dt;
        steering.pursue(&enemy, &player).avoid_obstacles(&enemy, &walls, &avoid);
        steering.update(&mut enemy, &mut memory, dt);
        closest = walls.iter().map(|wall| wall.distance(enemy.at)).fold(closest, f32::min);
        enemy.at.distance(player.at) < 0.8
    });
    println!("caught in frame {caught:?} at {}, {closest:.2} m from a wall at least", enemy.at);
    assert!(caught.is_some() && closest > 0.0);
}
