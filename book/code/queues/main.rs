use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let to_the_door = Seek::new(vec2(430.0, 200.0));
    let slow =
        Group::new("slow", 1, Spawn::point(vec2(150.0, 200.0)), 1.0).mass(20.0).steer(to_the_door);

    let starts = vec![vec2(90.0, 195.0), vec2(60.0, 205.0)];
    let fast = Group::new("fast", 2, Spawn::points(starts), 3.0)
        .mass(20.0)
        // It brakes the forces before it, so it is the last of its list.
        .steer(to_the_door)
        .steer(Queue::default().ahead(16.0).radius(14.0));

    let mut crowd = Setup::new(1.0).group(slow).group(fast).crowd()?;
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
