use wayfare::behavior::{Falloff, FollowLeader, Separation};
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::vec2;
use wayfare::{Crowd, GroupId, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without behaviors it keeps its velocity.
    let mut captain = Group::new("captain", 1, Spawn::Points(vec![vec2(120.0, 200.0)]), 2.0);
    captain.velocity = StartVelocity::Same(vec2(2.0, 0.0));

    // The third one stands in the captain's way.
    let starts = vec![vec2(60.0, 120.0), vec2(60.0, 210.0), vec2(200.0, 190.0)];
    let mut soldiers = Group::new("soldiers", 3, Spawn::Points(starts), 3.0);
    soldiers.mass = 6.0.into();
    let apart = Separation { falloff: Falloff::Inverse, ..Separation::new(26.0, 3.0) };
    // The first group; 40 behind it, a sight radius of 30, a slowing radius of 72.
    let follow = FollowLeader::new(GroupId(0), 40.0, 30.0, 72.0);
    soldiers.steer = List::default().with(FollowLeader { separation: Some(apart), ..follow });

    let mut crowd = Crowd::new(Setup { groups: vec![captain, soldiers], ..Setup::default() })?;
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
