use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without behaviors it keeps its velocity.
    let captain =
        Group::new("captain", 1, Spawn::point(vec2(120.0, 200.0)), 2.0).velocity(vec2(2.0, 0.0));

    // The third one stands in the captain's way.
    let starts = [vec2(60.0, 120.0), vec2(60.0, 210.0), vec2(200.0, 190.0)];
    let apart = Separation::default().radius(26.0).max_force(3.0).falloff(Falloff::Inverse);
    // The first group; 40 behind it, a sight radius of 30, a slowing radius of 72.
    let follow = FollowLeader::new(GroupId(0))
        .behind(40.0)
        .sight_radius(30.0)
        .slowing_radius(72.0)
        .separation(apart);
    let soldiers = Group::new("soldiers", 3, Spawn::points(starts), 3.0).mass(6.0).steer(follow);

    let mut crowd = Setup::new(1.0).group(captain).group(soldiers).crowd()?;
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
