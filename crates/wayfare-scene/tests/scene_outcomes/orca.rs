//! Reciprocal collision avoidance: the scene `ring-orca`, and the published scene "Blocks" of the
//! library RVO2, 100 agents that change corners between four blocks.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use wayfare::Crowd;
use wayfare::crowd::{Event, Setup};
use wayfare::geometry::obstacle::Obstacle;
use wayfare::glam::Vec2;

use super::{read_scene, scene};

#[test]
fn in_the_ring_of_orca_all_arrive_and_no_overlap_is_deeper_than_a_twentieth_of_a_radius() {
    for seed in [1, 2, 3, 4, 5, 6] {
        let scene = scene("ring-orca");
        let ticks = scene.ticks();
        ring(Setup { seed, ..scene.setup }, ticks);
    }
}

fn ring(setup: Setup<Vec2>, ticks: u64) {
    let dt = setup.dt as f32;
    let mut crowd = Crowd::new(setup).unwrap();
    // The way across the ring at the member's own top speed.
    let ideal: f32 = crowd.agents().map(|(_, walker)| 40.0 / walker.max_speed).sum();
    let (mut times, mut arrived, mut deepest) = (0.0, BTreeSet::new(), 0.0_f32);
    for _ in 0..ticks {
        crowd.step();
        deepest = deepest.max(crowd.deepest_overlap().unwrap());
        for event in crowd.events() {
            if let Event::Arrived { id, .. } = event
                && arrived.insert(*id)
            {
                times += crowd.tick() as f32 * dt;
            }
        }
    }
    assert_eq!(arrived.len(), 200);
    assert!(times < 1.5 * ideal, "{times} {ideal}, {} of it", times / ideal);
    assert!(deepest < 0.05, "{deepest}");
}

/// The scene "Blocks": a group of 25 in each corner, bound for the opposite one.
fn blocks() -> String {
    let mut text = "dt = 0.25\nseed = 1\n".to_string();
    for (x, y) in [(-40, 10), (10, 10), (10, -40), (-40, -40)] {
        let (right, top) = (x + 30, y + 30);
        let _ =
            write!(text, "[[obstacle]]\nbox = {{ min = [{x}, {y}], max = [{right}, {top}] }}\n");
    }
    for (name, x, y) in [("a", 1, 1), ("b", -1, 1), ("c", 1, -1), ("d", -1, -1)] {
        let start = |sign: i32| if sign > 0 { 55 } else { -95 };
        let _ = write!(
            text,
            "[[group]]\nname = \"{name}\"\ncount = 25\nmax_speed = 2\nradius = 2\n\
             spawn = {{ grid = {{ origin = [{}, {}], spacing = 10, columns = 5 }} }}\n\
             [[group.steer]]\nseek = {{ target = [{}, {}] }}\n\
             [[group.steer]]\norca = {{}}\n",
            start(x),
            start(y),
            -75 * x,
            -75 * y,
        );
    }
    text
}

#[test]
fn between_the_blocks_of_rvo2_no_agent_touches_a_block_and_most_reach_their_corner() {
    let setup = read_scene(&blocks()).setup;
    let blocks: Vec<Obstacle<Vec2>> = setup.obstacles.iter().cloned().map(Obstacle::from).collect();
    let mut crowd = Crowd::new(setup).unwrap();
    let corner = |group: usize| {
        [(-75.0, -75.0), (75.0, -75.0), (-75.0, 75.0), (75.0, 75.0)].map(|(x, y)| Vec2::new(x, y))
            [group]
    };
    for _ in 0..1_600 {
        crowd.step();
        for (id, agent) in crowd.agents() {
            let depth = agent.radius
                - blocks.iter().map(|b| b.distance(agent.position)).fold(f32::INFINITY, f32::min);
            assert!(depth < 0.01 * agent.radius, "{id} at tick {}: {depth}", crowd.tick());
        }
    }
    let near = (0..100)
        .filter_map(|id| crowd.get(id))
        .filter(|member| (member.agent.position - corner(member.group.0)).length() < 25.0);
    assert!(near.count() >= 60);
}
