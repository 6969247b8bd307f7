//! Starts that a scene describes: bodies apart, members along a path, headings, stats from a range,
//! and conditions on members in a state.

use wayfare::Crowd;
use wayfare::glam::Vec2;

use super::{members, read_scene};

const TEXT: &str = r#"
seed = 7
[path.track]
points = [[0, 0], [60, 0], [60, 40], [0, 40]]
radius = 3
closed = true

[[group]]
name = "cars"
count = 4
spawn = { along = "track" }
max_speed = 5

[[group]]
name = "people"
count = 40
spawn = { box = { min = [10, 10], max = [20, 20] }, apart = true }
heading = [0, -2]
radius = { uniform = [0.4, 0.6] }
max_speed = 1.4
[group.stat.patience]
start = { uniform = [20, 60] }
[[group.state]]
name = "calm"
leave = [{ to = "leave", when = { near = "guards", within = 90, state = "awake" } }]
[[group.state]]
name = "leave"

[[group]]
name = "guards"
spawn = { points = [[0, 0]] }
max_speed = 1
[[group.state]]
name = "asleep"
leave = [{ to = "awake", when = { time_in_state = 3 } }]
[[group.state]]
name = "awake"
"#;

fn crowd() -> Crowd<Vec2> {
    Crowd::new(read_scene(TEXT).setup).unwrap()
}

#[test]
fn cars_start_along_their_path_and_people_apart_with_the_heading_that_the_scene_gives() {
    let crowd = crowd();
    let cars: Vec<_> = members(&crowd, "cars").map(|car| (car.position, car.heading)).collect();
    let expected = [((0.0, 0.0), Vec2::X), ((50.0, 0.0), Vec2::X), ((60.0, 40.0), -Vec2::X)];
    assert_eq!(cars[..3], expected.map(|(position, heading)| (Vec2::from(position), heading)));
    let people: Vec<_> = members(&crowd, "people").collect();
    assert_eq!(people.len(), 40);
    for (i, a) in people.iter().enumerate() {
        assert_eq!(a.heading, -Vec2::Y);
        let overlaps =
            people[..i].iter().any(|b| a.position.distance(b.position) < a.radius + b.radius);
        assert!(!overlaps, "{a:?}");
    }
}

#[test]
fn stats_start_in_their_range_and_a_condition_counts_members_in_its_state() {
    let mut crowd = crowd();
    let person = |crowd: &Crowd<Vec2>, id| {
        let person = crowd.get(id).unwrap();
        (person.stats[0], person.state.unwrap().to_string())
    };
    let (first, second) = (person(&crowd, 4_u32), person(&crowd, 5_u32));
    assert!((20.0..=60.0).contains(&first.0) && first.0 != second.0);
    (0..4).for_each(|_| crowd.step());
    assert_eq!(person(&crowd, 4_u32).1, "calm");
    crowd.step();
    assert_eq!(person(&crowd, 4_u32).1, "leave");
}
