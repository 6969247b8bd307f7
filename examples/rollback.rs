//! Rollback, for netcode: a command comes eight ticks late, so the crowd goes back to the snapshot
//! of its tick and simulates the ticks since then again. The result has the same bits.
//!
//! Inside one process clones of the crowd take the place of snapshots, at a lower cost.
//!
//! Run it: `cargo run --release -p wayfare --example rollback`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::prelude::*;

/// The digest after 300 frames, if the command of frame 100 comes in this frame.
fn run(comes_in: u64) -> Result<u64, Box<dyn std::error::Error>> {
    let units = Group::new("units", 64, Spawn::grid(vec2(0.0, 0.0), 2.0, 8), 3.0)
        .mass(0.3)
        .steer(Arrive::new(Target::Order))
        .steer(Separation::default().radius(1.5).max_force(1.0));
    let mut crowd = Setup::new(1.0 / 60.0).group(units).crowd()?;
    let mut saves: Vec<Vec<u8>> = Vec::new();
    for frame in 0..=300 {
        if frame == 20 {
            (0..64).try_for_each(|id| crowd.order(&[AgentId(id)], vec2(id as f32, 30.0)))?;
        }
        if frame == comes_in {
            let back = saves.len() - (comes_in - 100) as usize;
            if let Some(save) = saves.drain(back..).next() {
                crowd.restore(&save)?;
            }
            crowd.order(&[AgentId(7)], vec2(50.0, 50.0))?;
        }
        while crowd.tick() < frame {
            saves.push(crowd.snapshot());
            crowd.step();
        }
        saves.drain(..saves.len().saturating_sub(10));
    }
    println!("tick {}, {} snapshots of {} bytes", crowd.tick(), saves.len(), saves[0].len());
    Ok(crowd.digest())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(run(100)?, run(108)?);
    Ok(())
}
