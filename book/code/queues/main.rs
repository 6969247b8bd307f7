use wayfare::behavior::Seek;
use wayfare::crowd::{Group, Setup, Spawn};
use wayfare::glam::vec2;
use wayfare::solve::Queue;
use wayfare::{Crowd, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let to_the_door = Seek::new(vec2(430.0, 200.0));
    let mut slow = Group::new("slow", 1, Spawn::Points(vec![vec2(150.0, 200.0)]), 1.0);
    slow.mass = 20.0.into();
    slow.steer = List::default().with(to_the_door);

    let starts = vec![vec2(90.0, 195.0), vec2(60.0, 205.0)];
    let mut fast = Group::new("fast", 2, Spawn::Points(starts), 3.0);
    fast.mass = 20.0.into();
    // It brakes the forces before it, so it is the last of its list.
    fast.steer = List::default().with(to_the_door).with(Queue::new(16.0, 14.0));

    let mut crowd = Crowd::new(Setup { groups: vec![slow, fast], ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    // They are sorted in space, and printed by their ids.
    let mut agents: Vec<_> = crowd.agents().collect();
    agents.sort_by_key(|(id, _)| *id);
    for (_, agent) in agents {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
