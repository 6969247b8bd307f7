//! Motion that behaves: who meets passes, who has arrived stays, eyes and wheels turn no faster
//! than they can.

use wayfare::Agent;
use wayfare::glam::Vec2;
use wayfare::vector::rotation::angle_between;

use super::{crowd, members};

/// The least gap between the bodies of two, over all pairs.
fn least_gap(agents: &[Agent<Vec2>]) -> f32 {
    let pairs =
        agents.iter().enumerate().flat_map(|(i, a)| agents[..i].iter().map(move |b| (a, b)));
    pairs
        .map(|(a, b)| a.position.distance(b.position) - a.radius - b.radius)
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn who_meets_head_on_at_a_crossing_or_from_behind_passes_without_touching() {
    let mut crowd = crowd("avoid-agents");
    for tick in 0..400 {
        crowd.step();
        for groups in [&["head on"][..], &["crossing"], &["slow", "fast"]] {
            let agents: Vec<_> = groups.iter().flat_map(|group| members(&crowd, group)).collect();
            assert!(least_gap(&agents) > 0.0, "{groups:?} at {tick}: {}", least_gap(&agents));
        }
        let together: Vec<_> = members(&crowd, "together").collect();
        assert!(
            tick < 20 || least_gap(&together) > 0.0,
            "those who began on one point at {tick}: {}",
            least_gap(&together)
        );
    }
    // All are where they wanted to go: the fast one is ahead of the slow one.
    let arrived = crowd.agents().filter(|(_, agent)| agent.velocity.length() < 0.01).count();
    assert_eq!(arrived, 10);
    assert!(
        members(&crowd, "fast").next().unwrap().position.x
            > members(&crowd, "slow").next().unwrap().position.x + 0.8
    );
}

#[test]
fn fifty_guests_at_one_table_come_to_rest_in_a_dense_disc() {
    let mut crowd = crowd("settle");
    (0..600).for_each(|_| crowd.step());
    let guests = |crowd: &wayfare::Crowd<Vec2>| members(crowd, "guests").collect::<Vec<_>>();
    assert_eq!(guests(&crowd).len(), 50);
    // The densest packing of equal discs covers 0.9069 of the plane.
    let area: f32 = guests(&crowd).iter().map(|guest| guest.radius * guest.radius).sum();
    let packed = (area / 0.9069).sqrt();
    let (mut fastest, mut farthest) = (0.0_f32, 0.0_f32);
    for _ in 0..1_000 {
        crowd.step();
        let guests = guests(&crowd);
        let speed =
            guests.iter().map(|guest| guest.velocity.length() / guest.max_speed).sum::<f32>()
                / 50.0;
        fastest = fastest.max(speed);
        farthest = guests
            .iter()
            .map(|guest| guest.position.distance(Vec2::new(12.0, 9.0)) + guest.radius)
            .fold(farthest, f32::max);
    }
    println!(
        "mean speed up to {fastest} of max_speed, the farthest reaches {} of a packed disc",
        farthest / packed
    );
    assert!(fastest < 0.01, "{fastest}");
    assert!(farthest < 1.3 * packed, "{farthest} of {packed}");
    assert!(least_gap(&guests(&crowd)) > -0.01, "{}", least_gap(&guests(&crowd)));
}

#[test]
fn a_guest_who_is_alone_stops_on_its_target_and_stays() {
    let mut crowd = crowd("arrive");
    (0..1_500).for_each(|_| crowd.step());
    let before = members(&crowd, "guest").next().unwrap();
    for _ in 0..1_000 {
        crowd.step();
        let guest = members(&crowd, "guest").next().unwrap();
        assert!(
            guest.position.distance(before.position) < 1e-3
                && guest.velocity.length() < 1e-4 * guest.max_speed,
            "{guest:?}"
        );
    }
}

#[test]
fn by_context_nobody_touches_anybody_and_by_the_sum_some_do() {
    let mut crowd = crowd("context");
    let (mut by_context, mut by_sum) = (f32::INFINITY, f32::INFINITY);
    for _ in 0..500 {
        crowd.step();
        by_context = by_context.min(least_gap(&members(&crowd, "by context").collect::<Vec<_>>()));
        by_sum = by_sum.min(least_gap(&members(&crowd, "by the sum").collect::<Vec<_>>()));
        let outside = |agent: Agent<Vec2>| {
            crowd.obstacles().iter().all(|pillar| pillar.distance(agent.position) > 0.0)
        };
        assert!(members(&crowd, "by context").all(outside));
    }
    println!("least gap by context {by_context}, by the sum {by_sum}");
    assert!(by_context > 0.0 && by_sum < 0.0, "{by_context} {by_sum}");
    assert!(
        members(&crowd, "by context").all(|agent| agent.velocity.length() < 0.05),
        "all are on the other side"
    );
}

#[test]
fn guards_never_take_their_eyes_off_the_pointer_and_nobody_turns_faster_than_allowed() {
    let mut crowd = crowd("facing");
    let rates = [("guards", 120.0_f32), ("visitors", 90.0), ("dogs", 240.0)];
    let mut watched = 0;
    for _ in 0..1_200 {
        let before: Vec<Vec<Vec2>> = rates
            .iter()
            .map(|(group, _)| members(&crowd, group).map(|agent| agent.facing).collect())
            .collect();
        let pointer = crowd.pointer().unwrap();
        crowd.step();
        for ((group, rate), before) in rates.iter().zip(before) {
            for (agent, before) in members(&crowd, group).zip(before) {
                let turned = angle_between(before, agent.facing);
                assert!(turned <= rate.to_radians() * 0.05 * 1.001, "{group}: {turned}");
            }
        }
        watched += members(&crowd, "guards")
            .filter(|guard| {
                angle_between(guard.facing, (pointer - guard.position).normalize()) < 0.1
            })
            .count();
    }
    println!("guards look at the pointer in {watched} of 4,800 samples");
    assert!(watched > 4_400, "{watched}");
}

#[test]
fn nothing_on_wheels_moves_sideways_or_turns_on_a_smaller_circle() {
    let mut crowd = crowd("wheels");
    let groups = [("cars", 5.0), ("truck", 8.0)];
    let places = |crowd: &wayfare::Crowd<Vec2>| {
        groups
            .map(|(group, _)| members(crowd, group).map(|agent| agent.position).collect::<Vec<_>>())
    };
    let mut last = [places(&crowd), places(&crowd)];
    let mut tightest = [f32::INFINITY; 2];
    for tick in 0..3_000 {
        crowd.step();
        let now = places(&crowd);
        for (kind, (group, radius)) in groups.into_iter().enumerate() {
            for (k, agent) in members(&crowd, group).enumerate() {
                let across = agent.velocity.perp_dot(agent.heading).abs();
                assert!(
                    across <= 1e-6 * agent.max_speed && agent.velocity.dot(agent.heading) >= 0.0,
                    "{group}: {agent:?}"
                );
                if tick >= 2 {
                    let circle = circle_through(last[0][kind][k], last[1][kind][k], now[kind][k]);
                    tightest[kind] = tightest[kind].min(circle);
                    assert!(
                        circle > 0.99 * radius,
                        "{group} turns on a circle of {circle} at {tick}"
                    );
                }
            }
        }
        last = [last[1].clone(), now];
    }
    println!("the tightest circles of cars and truck: {tightest:?}");
    // They do turn.
    assert!(tightest[0] < 5.5 && tightest[1] < 8.5, "{tightest:?}");
}

/// The radius of the circle through three points (Menger), in f64: ways of a tenth of a unit far
/// from the origin leave f32 few digits.
fn circle_through(a: Vec2, b: Vec2, c: Vec2) -> f32 {
    let way = |a: Vec2, b: Vec2| (f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y));
    let length = |(x, y): (f64, f64)| x.hypot(y);
    let (ab, ac, bc) = (way(a, b), way(a, c), way(b, c));
    let twice_area = (ab.0 * ac.1 - ab.1 * ac.0).abs();
    if twice_area < 1e-9 {
        f32::INFINITY
    } else {
        (length(ab) * length(bc) * length(ac) / (2.0 * twice_area)) as f32
    }
}
