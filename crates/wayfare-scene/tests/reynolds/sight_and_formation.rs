//! What the scenes on sight, on being stuck and on formations promise, seen on the scenes
//! themselves.

use std::collections::BTreeSet;

use wayfare::behavior::{FormationShape, formation_slot};
use wayfare::glam::{Vec2, vec2};
use wayfare::{Agent, Crowd};
use wayfare_scene::bundled;

use super::{crowd, read_setup};

fn agent(crowd: &Crowd<Vec2>, id: u32) -> Agent<Vec2> {
    crowd.get(id).unwrap().agent
}

/// Whether nothing stands between two points: point by point along the way, and not by the geometry
/// that the crowd goes by.
fn free(crowd: &Crowd<Vec2>, from: Vec2, to: Vec2) -> bool {
    (0..=2_000).all(|i| {
        crowd
            .obstacles()
            .iter()
            .all(|obstacle| obstacle.distance(from.lerp(to, i as f32 / 2_000.0)) > -1e-3)
    })
}

#[test]
fn the_guard_hunts_only_what_it_sees_searches_where_it_saw_it_last_and_gives_up() {
    let mut crowd = crowd("guard");
    let (mut entered, mut before, mut last_seen, mut hunted) =
        (BTreeSet::new(), "patrol".to_string(), None, 0);
    for tick in 0..1_600_u32 {
        // A tick's state follows from where all were when it began.
        let (guard, thief) = (agent(&crowd, 0), agent(&crowd, 1));
        crowd.step();
        let state = crowd.get(0).unwrap().state.unwrap().to_string();
        let way = thief.position - guard.position;
        let sees = way.length() <= 130.0
            && way.angle_to(guard.heading).abs().to_degrees() <= 100.0
            && free(&crowd, guard.position, thief.position);
        if sees {
            last_seen = Some((tick, thief.position));
        }
        if state == "hunt" {
            assert!(sees, "it hunts what it does not see, at {tick}");
            hunted += 1;
        }
        if state != before {
            let (seen_at, place) = last_seen.unwrap();
            match state.as_str() {
                "patrol" => assert_eq!(tick - seen_at, 141, "it gives up at {tick}"),
                "look about" => assert!(
                    place.distance(guard.position) <= 12.0,
                    "it looks about at {} at {tick}",
                    guard.position
                ),
                "search" => assert!(!sees, "it searches at {tick} for what it sees"),
                _ => {}
            }
            assert!(guard.position.distance(place) < 200.0);
            entered.insert(state.clone());
            before = state;
        }
    }
    assert_eq!(
        entered.iter().map(String::as_str).collect::<Vec<_>>(),
        ["hunt", "look about", "patrol", "search"]
    );
    println!("of 1600 ticks it hunts for {hunted}");
    assert!(hunted > 300);
}

#[test]
fn who_finds_that_it_is_stuck_comes_out_of_the_pocket_and_who_does_not_stays_there() {
    let goal = vec2(560.0, 240.0);
    let text = bundled("stuck").unwrap().text;
    let arrives = |text: String, id: u32| {
        let mut crowd = Crowd::new(read_setup(&text)).unwrap();
        (0..900).find(|_| {
            crowd.step();
            agent(&crowd, id).position.distance(goal) < 2.0
        })
    };
    let remedy = text.lines().find(|line| line.contains("stuck_within")).unwrap();
    let without = text
        .replace(remedy, "")
        .replace("leave = [{ to = \"go\", when = { time_in_state = 120 } }]", "");
    let [stubborn, clever, without] =
        [arrives(text.to_string(), 0), arrives(text.to_string(), 1), arrives(without, 1)];
    println!("with the remedy it is there at {clever:?}");
    assert_eq!([stubborn, without], [None, None]);
    assert!(clever.is_some());
    // Wherever they begin, and whatever they draw.
    for (seed, y) in (1..=8).zip([140, 180, 200, 220, 260, 280, 300, 340]) {
        let other = text
            .replace("seed = 3", &format!("seed = {seed}"))
            .replace("[[80, 260]]", &format!("[[80, {y}]]"));
        let mut crowd = Crowd::new(read_setup(&other)).unwrap();
        assert!((0..4_000).any(|_| {
            crowd.step();
            agent(&crowd, 1).position.distance(goal) < 2.0
        }));
    }
}

/// The members of the wing by their slots, if each slot has one within `near` of it.
fn wing(crowd: &Crowd<Vec2>, near: f32) -> Option<Vec<u32>> {
    let (leader, group) =
        (agent(crowd, 0), crowd.group_names().position(|name| name == "wing").unwrap());
    let members: Vec<_> = (1..40)
        .filter_map(|id| crowd.get(id))
        .filter(|member| member.group == group)
        .map(|member| (member.id, member.agent.position))
        .collect();
    let count = members.len() as u32;
    let who = |k: u32| {
        let (ahead, beside) = formation_slot(FormationShape::Wedge, k, count, 18.0);
        let slot = leader.position + leader.heading * ahead + leader.heading.perp() * beside;
        members.iter().find(|(_, position)| position.distance(slot) <= near).map(|(id, _)| *id)
    };
    (0..count).map(who).collect()
}

#[test]
fn after_each_right_angle_of_the_leader_all_slots_are_regained_within_120_and_nobody_swaps() {
    let mut crowd = crowd("formation");
    let (mut turning_since, mut turned, mut slowest) = (Some(0), 0, 0);
    let mut first: Option<Vec<u32>> = None;
    let mut heading = agent(&crowd, 0).heading;
    for tick in 0..900 {
        crowd.step();
        // A turn begins where the leader leaves its straight way by two degrees.
        let now = agent(&crowd, 0).heading;
        if turning_since.is_none() && now.angle_to(heading).abs().to_degrees() > 2.0 {
            (turning_since, turned) = (Some(tick), turned + 1);
        }
        let Some(whole) = wing(&crowd, 2.0) else { continue };
        // Those who are in a slot are in it for good.
        assert_eq!(first.get_or_insert(whole.clone()), &whole, "somebody has swapped at {tick}");
        if let Some(since) = turning_since.filter(|since| tick - since > 20) {
            assert!(tick - since <= 120, "from {since} to {tick}");
            slowest = slowest.max(tick - since);
            (turning_since, heading) = (None, now);
        }
    }
    println!("after {turned} turns all slots were regained within {slowest}");
    assert_eq!((turned, turning_since), (3, None));
}

#[test]
fn when_a_member_is_lost_the_wing_closes_up_and_the_ring_stays_round() {
    let mut crowd = crowd("formation");
    (0..150).for_each(|_| crowd.step());
    let whole = wing(&crowd, 2.0).unwrap();
    // The third on the left.
    assert!(crowd.remove(whole[4]));
    assert_eq!(wing(&crowd, 2.0), None);
    let regained = (0..80).find_map(|tick| {
        crowd.step();
        wing(&crowd, 2.0).map(|who| (tick, who))
    });
    let (after, who) = regained.unwrap();
    println!("eleven closed up after {after}");
    assert_eq!(who.len(), 11);
    // As ranks do: many a little, and nobody farther than from one wing to the other beside the
    // tip.
    let place = |who: &[u32], id: u32| {
        who.iter()
            .zip(0..)
            .find(|(other, _)| **other == id)
            .map(|(_, k)| Vec2::from(formation_slot(FormationShape::Wedge, k, 12, 18.0)))
    };
    for &id in &who {
        let way = place(&who, id).unwrap() - place(&whole, id).unwrap();
        assert!(way.length() <= 36.0, "{id} goes {way}");
    }
    let ring = crowd.group_names().position(|name| name == "ring of honour").unwrap();
    let radius = 12.0 / (std::f32::consts::PI / 14.0).sin();
    for member in (0..40).filter_map(|id| crowd.get(id)).filter(|member| member.group == ring) {
        assert!((member.agent.position.distance(vec2(440.0, 300.0)) - radius).abs() < 0.1);
    }
}
