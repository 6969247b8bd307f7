use wayfare::behavior::{Formation, FormationShape};
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::vec2;
use wayfare::parameter::Target;
use wayfare::{Crowd, GroupId, List};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without behaviors it keeps its velocity.
    let mut leader = Group::new("leader", 1, Spawn::Points(vec![vec2(200.0, 240.0)]), 1.5);
    leader.velocity = StartVelocity::Same(vec2(1.5, 0.0));

    let points = [(60.0, 200.0), (40.0, 240.0), (60.0, 280.0), (90.0, 300.0)];
    let points = points.map(|(x, y)| vec2(x, y)).to_vec();
    let mut wing = Group::new("wing", 4, Spawn::Points(points), 3.0);
    wing.mass = 5.0.into();
    // Behind the first group, at a spacing of 30.
    let around = Target::Group(GroupId(0));
    wing.steer = List::default().with(Formation::new(around, FormationShape::Wedge, 30.0));

    let mut crowd = Crowd::new(Setup { groups: vec![leader, wing], ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    let mut lines: Vec<_> = crowd.agents().map(|(id, agent)| (id, agent.position)).collect();
    lines.sort_by_key(|(id, _)| *id); // Agents are in memory by place, not by id.
    for (_, position) in lines {
        println!("{:.3} {:.3}", position.x, position.y);
    }
    Ok(())
}
