//! The scenes of dense crowds: lanes, rooms that share a corridor, bodyguards, routes.

use std::collections::{BTreeMap, BTreeSet};

use wayfare::crowd::Event;
use wayfare::glam::Vec2;
use wayfare::{Crowd, StateId};

use super::{crowd, first_member, members, scene, setup};

/// The separation of two groups into lanes, from 0 to 1: strips of 0.4 m along a corridor 4 m wide.
fn order(crowd: &Crowd<Vec2>) -> f32 {
    let mut strips = [[0.0_f32; 2]; 10];
    for (i, group) in ["eastbound", "westbound"].into_iter().enumerate() {
        for person in members(crowd, group) {
            strips[((person.position.y / 0.4) as usize).min(9)][i] += 1.0;
        }
    }
    let share = |[a, b]: &[f32; 2]| if a + b > 0.0 { (a - b).powi(2) / (a + b) } else { 0.0 };
    strips.iter().map(share).sum::<f32>() / crowd.len() as f32
}

#[test]
fn two_mixed_streams_sort_themselves_into_lanes() {
    let ticks = scene("corridor-lanes").ticks();
    let mut crowd = crowd("corridor-lanes");
    assert!(order(&crowd) < 0.1, "the crowd is mixed at the start");
    (0..600).for_each(|_| crowd.step());
    assert!(order(&crowd) > 0.9, "{} after half a minute", order(&crowd));
    (600..ticks).for_each(|_| crowd.step());
    assert!(order(&crowd) > 0.9, "{} at the end", order(&crowd));
    let along = |group, sign: f32| members(&crowd, group).map(move |p| p.velocity.x * sign);
    let speed: f32 = along("eastbound", 1.0).chain(along("westbound", -1.0)).sum();
    assert!(speed / 120.0 > 0.7, "a mean speed of {} m/s", speed / 120.0);
    assert_eq!(crowd.len(), 120);
}

#[test]
fn both_rooms_empty_through_their_doors_and_the_corridor() {
    let mut crowd = crowd("two-rooms");
    let mut times = Vec::new();
    for _ in 0..2000 {
        crowd.step();
        for event in crowd.events() {
            if let Event::Left { .. } = event {
                times.push(crowd.time());
            }
        }
    }
    let crossings = crowd.lines().iter().map(|line| (line.left, line.right));
    assert_eq!(crossings.collect::<Vec<_>>(), [(75, 0), (75, 0)]);
    assert_eq!((crowd.len(), times.len()), (0, 150));
    // Two doors of 1 m let no more than 4 people per second through.
    let flow = 120.0 / (times[134] - times[14]);
    assert!((1.5..4.0).contains(&flow), "{flow} persons per second");
}

#[test]
fn those_who_count_the_queue_leave_by_two_doors_and_earlier() {
    let mut crowd = crowd("two-doors");
    let mut last = [0.0; 2];
    for _ in 0..scene("two-doors").ticks() {
        crowd.step();
        for (group, last) in last.iter_mut().enumerate() {
            let inside = |id| crowd.get(id).is_some_and(|agent| agent.group.0 == group);
            if crowd.agents().any(|(id, _)| inside(id)) {
                *last = crowd.time();
            }
        }
    }
    let crossings: Vec<_> = crowd.lines().iter().map(|line| (line.left, line.right)).collect();
    assert_eq!(crossings[..2], [(60, 0), (0, 0)]);
    let [near, far] = [crossings[2].0, crossings[3].0];
    assert!(near + far == 60 && near > far && far >= 25, "{near} and {far}");
    // The near door lets 60 people through in about 30 s, and both doors in about half of that.
    let [by_the_way, by_the_wait] = last;
    assert!(crowd.is_empty() && by_the_wait < 0.75 * by_the_way, "{last:?}");
}

#[test]
fn bodyguards_keep_fans_off_and_the_guest_arrives() {
    let ticks = scene("bodyguards").ticks();
    let mut crowd = crowd("bodyguards");
    let (mut near, mut all) = (0, 0);
    for _ in 0..ticks {
        crowd.step();
        let guest = first_member(&crowd, "guest").position;
        let fans = members(&crowd, "fans");
        near += usize::from(fans.into_iter().any(|fan| fan.position.distance(guest) < 0.7));
        all += 1;
    }
    let guest = first_member(&crowd, "guest").position;
    assert!(guest.distance(Vec2::new(30.0, 10.0)) < 0.5, "{guest}");
    assert!(near * 20 < all, "a fan is within reach of the guest in {near} of {all} ticks");
}

#[test]
fn everyone_in_the_office_finds_the_way_to_a_desk_for_coffee_and_back() {
    let ticks = scene("office-30").ticks();
    let mut crowd = crowd("office-30");
    let mut at_desk = [0; 30];
    for _ in 0..ticks {
        crowd.step();
        for event in crowd.events() {
            match *event {
                Event::StateChanged { id, to: StateId(1), .. } => at_desk[id.0 as usize] += 1,
                Event::Unreachable { id } => panic!("{id:?} finds no route"),
                _ => {}
            }
        }
    }
    // 90 s are enough for two turns, and the longest route there and back takes one of them.
    assert!(at_desk.iter().all(|times| *times >= 1), "{at_desk:?}");
    assert!(at_desk.iter().filter(|times| **times >= 2).count() >= 20, "{at_desk:?}");
}

#[test]
fn visitors_of_the_museum_stay_at_every_exhibit_and_leave() {
    let (setup, ticks) = (setup("museum"), scene("museum").ticks());
    let is_stay = |state: usize| setup.groups[0].states[state].name.starts_with("at ");
    let mut crowd = crowd("museum");
    let mut since = BTreeMap::new();
    let (mut stays, mut shortest, mut longest) = (BTreeMap::<usize, u64>::new(), u64::MAX, 0);
    let mut most = 0;
    for tick in 0..ticks {
        crowd.step();
        most = most.max(crowd.len());
        for event in crowd.events() {
            match *event {
                Event::StateChanged { id, from: StateId(from), .. } => {
                    if let Some(begun) = since.remove(&id).filter(|_| is_stay(from)) {
                        (shortest, longest) =
                            (shortest.min(tick - begun), longest.max(tick - begun));
                        *stays.entry(from).or_insert(0) += 1;
                    }
                    since.insert(id, tick);
                }
                Event::Unreachable { id } => panic!("{id:?} finds no route"),
                _ => {}
            }
        }
    }
    // 8 to 25 s are 160 to 500 ticks.
    assert!((160..=170).contains(&shortest) && (490..=501).contains(&longest));
    assert!(stays.len() == 6 && stays.values().all(|stays| *stays >= 15), "{stays:?}");
    assert!(most <= 60 && crowd.exits()[0].left >= 20, "{most}, {}", crowd.exits()[0].left);
}

#[test]
fn the_dog_pens_all_sheep_and_lies_down() {
    for seed in 1..=5 {
        let mut setup = setup("sheepdog");
        setup.seed = seed;
        let mut crowd = Crowd::new(setup).unwrap();
        let penned = |crowd: &Crowd<Vec2>| {
            let inside = |p: Vec2| (74.0..94.0).contains(&p.x) && (20.0..40.0).contains(&p.y);
            members(crowd, "sheep").filter(|sheep| inside(sheep.position)).count()
        };
        (0..scene("sheepdog").ticks() / 4).for_each(|_| crowd.step());
        assert_eq!(penned(&crowd), 0, "seed {seed}: the flock is still to be gathered");
        (0..scene("sheepdog").ticks() / 4 * 3).for_each(|_| crowd.step());
        let speed = first_member(&crowd, "dog").velocity.length();
        assert!(penned(&crowd) == 40 && speed < 0.1, "seed {seed}: {} penned", penned(&crowd));
    }
}

#[test]
fn twelve_cars_and_a_truck_neither_collide_nor_brake_hard() {
    let mut crowd = crowd("cars");
    let all = |crowd: &Crowd<Vec2>| {
        let all = members(crowd, "cars").chain(members(crowd, "truck"));
        all.collect::<Vec<_>>()
    };
    let start = all(&crowd);
    let (mut hardest, mut nearest, mut most_at_rest) = (0.0_f32, f32::MAX, 0);
    let mut turned = vec![0.0; start.len()];
    let center = wayfare::glam::vec2(150.0, 90.0);
    for _ in 0..scene("cars").ticks() {
        let before = all(&crowd);
        crowd.step();
        let after = all(&crowd);
        for (i, (before, after)) in before.iter().zip(&after).enumerate() {
            let braking = (before.velocity.length() - after.velocity.length()) / 0.05;
            hardest = hardest.max(braking);
            turned[i] += (before.position - center).angle_to(after.position - center);
        }
        for (i, one) in after.iter().enumerate() {
            for other in &after[..i] {
                let gap = one.position.distance(other.position) - one.radius - other.radius;
                nearest = nearest.min(gap);
            }
        }
        let at_rest = after.iter().filter(|vehicle| vehicle.velocity.length() < 0.5).count();
        most_at_rest = most_at_rest.max(at_rest);
    }
    assert!(hardest < 3.0 && nearest > 0.5, "{hardest} m/s2, {nearest} m");
    assert!(most_at_rest >= 10, "{most_at_rest} at rest");
    // No vehicle overtakes another, and each drives more than one lap.
    let least = turned.iter().copied().fold(f32::MAX, f32::min);
    let most = turned.iter().copied().fold(f32::MIN, f32::max);
    let lap = std::f32::consts::TAU;
    assert!(least > lap && most - least < lap, "{least} to {most} radians");
}

#[test]
fn customers_are_served_one_by_one_at_each_counter_in_the_order_in_which_they_stand() {
    let mut crowd = crowd("counters");
    // (ahead, behind) of all that have stood in one queue, and the order of those served.
    let (mut pairs, mut served) = (BTreeSet::new(), Vec::new());
    for _ in 0..scene("counters").ticks() {
        crowd.step();
        for (x, queue, counter) in
            [(4.0, "queue left", "served left"), (10.0, "queue right", "served right")]
        {
            let in_state = |state| {
                let all = crowd.ids().filter_map(|id| crowd.get(id));
                all.filter(move |one| one.state == Some(state))
            };
            let mut standing: Vec<_> = in_state(queue)
                .filter(|one| (one.agent.position.x - x).abs() < 0.3)
                .map(|one| (one.agent.position.y, one.id))
                .collect();
            standing.sort_by(|a, b| a.0.total_cmp(&b.0));
            let clear = standing.windows(2).filter(|pair| pair[1].0 - pair[0].0 > 0.5);
            pairs.extend(clear.map(|pair| (pair[0].1, pair[1].1)));
            let at_counter: Vec<_> = in_state(counter).map(|one| one.id).collect();
            assert!(at_counter.len() <= 1, "{at_counter:?} are at the counter");
            for id in at_counter {
                if !served.contains(&id) {
                    served.push(id);
                }
            }
        }
    }
    let turn = |id| served.iter().position(|other| *other == id).unwrap_or(usize::MAX);
    assert!(pairs.len() > 10 && pairs.iter().all(|(a, b)| turn(*a) <= turn(*b)), "{served:?}");
    let left: Vec<_> = crowd.exits().iter().map(|exit| exit.left).collect();
    assert!(left.iter().all(|left| *left >= 10), "{left:?}");
}
