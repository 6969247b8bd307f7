use wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without behaviors it keeps its velocity.
    let leader =
        Group::new("leader", 1, Spawn::point(vec2(200.0, 240.0)), 1.5).velocity(vec2(1.5, 0.0));

    let points = [(60.0, 200.0), (40.0, 240.0), (60.0, 280.0), (90.0, 300.0)];
    let points = points.map(|(x, y)| vec2(x, y));
    let wing = Group::new("wing", 4, Spawn::points(points), 3.0)
        .mass(5.0)
        // Behind the first group, at a spacing of 30.
        .steer(Formation::new(GroupId(0), FormationShape::Wedge).spacing(30.0));

    let mut crowd = Setup::new(1.0).group(leader).group(wing).crowd()?;
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
