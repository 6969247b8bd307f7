//! The tutorials' hunter and prey, written as in a game: the game's own types, the host traits, and
//! the manager.
//!
//! The hunter wanders until a prey is near, hunts while its stamina lasts, and then wanders until
//! it has recovered. A prey evades a hunter in range; otherwise it approaches a near pointer, or
//! wanders.
//!
//! Run it: `cargo run --release -p wayfare --example hunter_and_prey`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::parameter::Auto;
use wayfare::prelude::*;

const MAX_STAMINA: f32 = 120.0;
const HUNTER_SIGHT: f32 = 140.0;
const PREY_SIGHT: f32 = 120.0;
const STROLL: Wander = Wander {
    circle_distance: Auto::Fixed(6.0),
    circle_radius: Auto::Fixed(8.0),
    angle_change: Auto::Fixed(1.0),
    see_ahead: 0.0,
};

/// A sprite of the game: steering needs only the numbers below.
struct Body {
    position: Vec2,
    velocity: Vec2,
    mass: f32,
    max_speed: f32,
}

steerable!(body: Body as Vec2 {
    position: body.position,
    velocity: body.velocity,
    max_speed: body.max_speed,
    max_force: 5.4,
    mass: body.mass,
});

#[derive(Debug, PartialEq)]
enum Mood {
    Looking,
    Hunting,
    Resting,
}

struct Hunter {
    body: Body,
    steering: Steering<Vec2>,
    memory: Memory<Vec2>,
    stamina: f32,
    mood: Mood,
}

struct Prey {
    body: Body,
    steering: Steering<Vec2>,
    memory: Memory<Vec2>,
}

impl Hunter {
    fn think(&mut self, prey: &[Prey]) {
        let here = self.body.position;
        let distance = |p: &&Prey| (p.body.position - here).length();
        let nearest = prey.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let near = nearest.filter(|p| distance(p) <= HUNTER_SIGHT);
        self.mood = match (&self.mood, near) {
            (Mood::Hunting, _) if self.stamina <= 0.0 => Mood::Resting,
            (Mood::Resting, _) if self.stamina < MAX_STAMINA => Mood::Resting,
            (_, Some(_)) => Mood::Hunting,
            (_, None) => Mood::Looking,
        };
        match (&self.mood, nearest) {
            (Mood::Hunting, Some(prey)) => {
                self.steering.pursue(&self.body, &prey.body);
                self.stamina = (self.stamina - 2.0).max(0.0);
            }
            _ => {
                self.steering.wander(&self.body, &STROLL, &mut self.memory, 1.0);
                self.stamina = (self.stamina + 1.0).min(MAX_STAMINA);
            }
        }
        self.steering.update(&mut self.body, &mut self.memory, 1.0);
    }
}

impl Prey {
    fn think(&mut self, hunter: &Body, pointer: Vec2) {
        if (hunter.position - self.body.position).length() <= PREY_SIGHT {
            self.steering.evade(&self.body, hunter, PREY_SIGHT);
        } else if (pointer - self.body.position).length() <= 300.0 {
            self.steering.arrive(&self.body, pointer, 100.0);
        } else {
            self.steering.wander(&self.body, &STROLL, &mut self.memory, 1.0);
        }
        self.steering.update(&mut self.body, &mut self.memory, 1.0);
    }
}

fn main() {
    let body = |x, y, mass, max_speed| Body {
        position: vec2(x, y),
        velocity: Vec2::ZERO,
        mass,
        max_speed,
    };
    let mut hunter = Hunter {
        body: body(60.0, 60.0, 15.0, 3.0),
        steering: Steering::new(5),
        memory: Memory::default(),
        stamina: MAX_STAMINA,
        mood: Mood::Looking,
    };
    let mut prey: Vec<Prey> = (0..5)
        .map(|i| Prey {
            body: body(200.0 + 60.0 * i as f32, 120.0 + 50.0 * i as f32, 10.0, 2.9),
            steering: Steering::new(10 + i),
            memory: Memory::default(),
        })
        .collect();
    let (mut caught, mut rests) = (0, 0);
    for frame in 0..3_000 {
        // The mouse pointer, moving in a circle.
        let pointer = vec2(320.0, 240.0) + Vec2::from_angle(frame as f32 * 0.005) * 150.0;
        let before = hunter.mood == Mood::Resting;
        hunter.think(&prey);
        rests += usize::from(!before && hunter.mood == Mood::Resting);
        for p in &mut prey {
            p.think(&hunter.body, pointer);
        }
        // One at a time, and after its meal the hunter is tired.
        if let Some(i) =
            prey.iter().position(|p| (p.body.position - hunter.body.position).length() <= 6.0)
        {
            prey.remove(i);
            hunter.stamina = 0.0;
            caught += 1;
        }
        if frame % 500 == 0 {
            println!(
                "frame {frame}: the hunter is {:?} with stamina {}, {} prey left",
                hunter.mood,
                hunter.stamina,
                prey.len()
            );
        }
    }
    println!(
        "after 3000 frames: {caught} caught, {} got away, the hunter rested {rests} times",
        prey.len()
    );
}
