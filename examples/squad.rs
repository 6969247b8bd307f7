//! A squad with orders, as in a real-time strategy game: a selection box, a formation of points, an
//! attack on the nearest enemy, death, and the events that tell the game what happened.
//!
//! Run it: `cargo run --release -p wayfare --example squad`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use wayfare::behavior::{FormationShape, assign, formation_slot};
use wayfare::prelude::*;

const RED: GroupId = GroupId(0);
const BLUE: GroupId = GroupId(1);
/// The distance at which a soldier hits (length), and the damage per tick.
const REACH: f32 = 14.0;
const DAMAGE: f32 = 2.0;

fn soldiers(name: &str, spawn: Spawn<Vec2>, count: usize) -> Group<Vec2> {
    Group::new(name, count, spawn, 2.5)
        .mass(6.0)
        .radius(5.0)
        .steer(Arrive::new(Target::Order))
        .steer(Separation::default().radius(12.0).max_force(1.5))
        .stat(Stat { min: 0.0, max: 50.0, ..Stat::new("health", 50.0) })
}

fn setup() -> Setup<Vec2> {
    let grid = |x| Spawn::grid(vec2(x, 40.0), 20.0, 3);
    Setup::new(1.0).seed(4).group(soldiers("red", grid(20.0), 9)).group(soldiers(
        "blue",
        grid(420.0),
        4,
    ))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = setup().crowd()?;
    // The player drags a box over the two rows that stand in front.
    let dragged = Shape::box_between(vec2(30.0, 0.0), vec2(90.0, 120.0));
    let squad: Vec<AgentId> =
        crowd.inside(&dragged, Some(RED)).iter().map(|agent| agent.id).collect();
    println!("selected: {} of {} red soldiers", squad.len(), crowd.members(RED).len());
    // They line up and face +x: each is ordered to a slot of its own, so that paths cross little.
    let count = squad.len() as u32;
    let slots: Vec<Vec2> = (0..count)
        .map(|k| formation_slot(FormationShape::Line, k, count, 18.0))
        .map(|(ahead, beside)| vec2(268.0 + ahead, 75.0 + beside))
        .collect();
    let from: Vec<Vec2> =
        squad.iter().flat_map(|id| crowd.get(*id)).map(|soldier| soldier.agent.position).collect();
    for (id, slot) in squad.iter().zip(assign(&from, &slots)) {
        crowd.set_order(*id, Some(Order::Point(slots[slot as usize])))?;
    }
    let mut marching = squad.clone();
    while !marching.is_empty() {
        crowd.step();
        marching.retain(|id| !crowd.events().contains(&Event::Arrived { id: *id }));
    }
    println!("tick {}: the squad has lined up", crowd.tick());
    // Attack: each one pursues the nearest enemy, runs, and takes the next one when it has fallen.
    let attack = |crowd: &mut Crowd<Vec2>, id: AgentId| {
        let Some(soldier) = crowd.get(id) else { return Ok(()) };
        let enemy = crowd.nearest(soldier.agent.position, Some(BLUE)).map(|enemy| enemy.id);
        crowd.set_order(id, enemy.map(Order::Agent))
    };
    for id in &squad {
        attack(&mut crowd, *id)?;
    }
    while !crowd.members(BLUE).is_empty() {
        crowd.step();
        let idle: Vec<AgentId> = { crowd.events().iter() }
            .filter_map(|event| match event {
                Event::TargetLost { id, .. } => Some(*id),
                _ => None,
            })
            .collect();
        for id in idle {
            attack(&mut crowd, id)?;
        }
        for id in &squad {
            let Some(soldier) = crowd.get(*id) else { continue };
            let Some(Order::Agent(enemy)) = soldier.order else { continue };
            let Some(target) = crowd.get(enemy) else { continue };
            if (target.agent.position - soldier.agent.position).length() < REACH {
                let health = target.stats[0] - DAMAGE;
                if health <= 0.0 {
                    crowd.remove(enemy);
                    println!("tick {}: agent {enemy} falls", crowd.tick());
                } else {
                    crowd.set_stat(enemy, "health", health)?;
                    // A blow stuns.
                    crowd.set_frozen(enemy, true)?;
                }
            }
        }
    }
    println!("tick {}: the field is won", crowd.tick());
    assert_eq!(crowd.members(RED).len(), crowd.len());
    Ok(())
}
