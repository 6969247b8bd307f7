use wayfare::behavior::{AtEnd, FollowPath};
use wayfare::crowd::{Group, Setup, Spawn};
use wayfare::geometry::path::Path;
use wayfare::glam::vec2;
use wayfare::{Crowd, List, PathId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let points =
        vec![vec2(60.0, 240.0), vec2(200.0, 240.0), vec2(260.0, 120.0), vec2(430.0, 100.0)];
    let beat = Path::new(points, 20.0, false);

    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(40.0, 200.0)]), 3.0);
    guard.mass = 8.0.into();
    // The first path of the setup, there and back.
    let follow = FollowPath { at_end: Some(AtEnd::Patrol), ..FollowPath::new(PathId(0)) };
    guard.steer = List::default().with(follow);

    let paths = vec![("beat".to_string(), beat)];
    let mut crowd = Crowd::new(Setup { groups: vec![guard], paths, ..Setup::default() })?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
