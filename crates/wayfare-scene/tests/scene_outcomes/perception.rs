//! The scenes `guard` and `stuck`: conditions on what an agent sees, remembers, and whether it is
//! stuck.

use std::collections::BTreeSet;

use wayfare::Crowd;
use wayfare::glam::{Vec2, vec2};
use wayfare_scene::bundled;

use super::{agent, crowd, read_scene};

/// Whether no obstacle covers one of 2,001 points of the line: independent of the crowd's geometry.
fn is_line_free(crowd: &Crowd<Vec2>, from: Vec2, to: Vec2) -> bool {
    (0..=2_000).all(|i| {
        let point = from.lerp(to, i as f32 / 2_000.0);
        crowd.obstacles().iter().all(|obstacle| obstacle.distance(point) > -1e-3)
    })
}

#[test]
fn the_guard_hunts_only_what_it_sees_searches_where_it_saw_it_last_and_gives_up() {
    let mut crowd = crowd("guard");
    let (mut entered, mut before, mut last_seen, mut hunted) =
        (BTreeSet::new(), "patrol".to_string(), None, 0);
    for tick in 0..1_600_u32 {
        // The state of a tick follows from the positions at its start.
        let (guard, thief) = (agent(&crowd, 0), agent(&crowd, 1));
        crowd.step();
        let state = crowd.get(0).unwrap().state.unwrap().to_string();
        let offset = thief.position - guard.position;
        let sees = offset.length() <= 130.0
            && offset.angle_to(guard.heading).abs().to_degrees() <= 100.0
            && is_line_free(&crowd, guard.position, thief.position);
        if sees {
            last_seen = Some((tick, thief.position));
        }
        if state == "hunt" {
            assert!(sees, "it hunts what it does not see, at tick {tick}");
            hunted += 1;
        }
        if state != before {
            let (seen_at, seen_position) = last_seen.unwrap();
            match state.as_str() {
                "patrol" => assert_eq!(tick - seen_at, 141, "it gives up at tick {tick}"),
                "look about" => assert!(
                    seen_position.distance(guard.position) <= 12.0,
                    "it looks about at {} at tick {tick}",
                    guard.position
                ),
                "search" => assert!(!sees, "it searches for what it sees, at tick {tick}"),
                _ => {}
            }
            assert!(guard.position.distance(seen_position) < 200.0);
            entered.insert(state.clone());
            before = state;
        }
    }
    assert_eq!(
        entered.iter().map(String::as_str).collect::<Vec<_>>(),
        ["hunt", "look about", "patrol", "search"]
    );
    println!("it hunts in {hunted} of 1,600 ticks");
    assert!(hunted > 300);
}

#[test]
fn an_agent_that_reacts_to_being_stuck_leaves_the_pocket_and_one_that_does_not_stays() {
    let goal = vec2(560.0, 240.0);
    let text = bundled("stuck").unwrap().text;
    let arrival = |text: String, id: u32, ticks: u32| {
        let mut crowd = Crowd::new(read_scene(&text).setup).unwrap();
        (0..ticks).find(|_| {
            crowd.step();
            agent(&crowd, id).position.distance(goal) < 2.0
        })
    };
    let reaction = text.lines().find(|line| line.contains("stuck_within")).unwrap();
    let without = text
        .replace(reaction, "")
        .replace("leave = [{ to = \"go\", when = { time_in_state = 120 } }]", "");
    let [stubborn, clever, clever_without] =
        [(text.to_string(), 0), (text.to_string(), 1), (without, 1)]
            .map(|(text, id)| arrival(text, id, 900));
    println!("with the reaction it arrives at tick {clever:?}");
    assert_eq!([stubborn, clever_without], [None, None]);
    assert!(clever.is_some());
    // It also arrives from other starts and with other seeds.
    for (seed, y) in (1..=8).zip([140, 180, 200, 220, 260, 280, 300, 340]) {
        let other = text
            .replace("seed = 3", &format!("seed = {seed}"))
            .replace("[[80, 260]]", &format!("[[80, {y}]]"));
        assert!(arrival(other, 1, 4_000).is_some(), "seed {seed}, start at y {y}");
    }
}
