use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let points =
        vec![vec2(60.0, 240.0), vec2(200.0, 240.0), vec2(260.0, 120.0), vec2(430.0, 100.0)];
    let beat = Path::new(points, 20.0, false);

    let guard = Group::new("guard", 1, Spawn::point(vec2(40.0, 200.0)), 3.0)
        .mass(8.0)
        // The first path of the setup, there and back.
        .steer(FollowPath::new(PathId(0)).at_end(AtEnd::Patrol));

    let mut crowd = Setup::new(1.0).path("beat", beat).group(guard).crowd()?;
    for _ in 0..100 {
        crowd.step();
    }
    for (_, agent) in crowd.agents() {
        println!("{:.3} {:.3}", agent.position.x, agent.position.y);
    }
    Ok(())
}
