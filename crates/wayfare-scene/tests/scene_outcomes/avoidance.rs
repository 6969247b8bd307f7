//! The scenes `avoid-agents`, `settle`, `context`, `avoid-corrected` and `ring-200`: bodies do not
//! touch, and agents come to rest where they belong.

use wayfare::Agent;
use wayfare::glam::Vec2;

use super::{agent, crowd, crowd_at_end, first_member, members};

/// The smallest distance between the surfaces of two bodies, over all pairs.
fn smallest_gap(agents: &[Agent<Vec2>]) -> f32 {
    let pairs =
        agents.iter().enumerate().flat_map(|(i, a)| agents[..i].iter().map(move |b| (a, b)));
    pairs
        .map(|(a, b)| a.position.distance(b.position) - a.radius - b.radius)
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn agents_that_meet_head_on_at_a_crossing_or_from_behind_pass_without_touching() {
    let mut crowd = crowd("avoid-agents");
    for tick in 0..400 {
        crowd.step();
        for groups in [&["head on"][..], &["crossing"], &["slow", "fast"]] {
            let agents: Vec<_> = groups.iter().flat_map(|group| members(&crowd, group)).collect();
            let gap = smallest_gap(&agents);
            assert!(gap > 0.0, "{groups:?} at tick {tick}: {gap}");
        }
        // These start on one point.
        let gap = smallest_gap(&members(&crowd, "together").collect::<Vec<_>>());
        assert!(tick < 20 || gap > 0.0, "together at tick {tick}: {gap}");
    }
    let resting = crowd.agents().filter(|(_, agent)| agent.velocity.length() < 0.01).count();
    assert_eq!(resting, 10, "all have reached their targets");
    let [fast, slow] = ["fast", "slow"].map(|group| first_member(&crowd, group).position.x);
    assert!(fast > slow + 0.8, "the fast one has overtaken the slow one");
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
        let mean_speed =
            guests.iter().map(|guest| guest.velocity.length() / guest.max_speed).sum::<f32>()
                / 50.0;
        fastest = fastest.max(mean_speed);
        farthest = guests
            .iter()
            .map(|guest| guest.position.distance(Vec2::new(12.0, 9.0)) + guest.radius)
            .fold(farthest, f32::max);
    }
    println!(
        "mean speed at most {fastest} of max_speed, farthest edge at {} radii of a packed disc",
        farthest / packed
    );
    assert!(fastest < 0.01, "{fastest}");
    assert!(farthest < 1.3 * packed, "{farthest} of {packed}");
    assert!(smallest_gap(&guests(&crowd)) > -0.01, "{}", smallest_gap(&guests(&crowd)));
}

#[test]
fn agents_combined_by_context_never_touch_and_agents_combined_by_sum_do() {
    let mut crowd = crowd("context");
    let (mut by_context, mut by_sum) = (f32::INFINITY, f32::INFINITY);
    for _ in 0..500 {
        crowd.step();
        by_context =
            by_context.min(smallest_gap(&members(&crowd, "by context").collect::<Vec<_>>()));
        by_sum = by_sum.min(smallest_gap(&members(&crowd, "by the sum").collect::<Vec<_>>()));
        let is_outside = |agent: Agent<Vec2>| {
            crowd.obstacles().iter().all(|pillar| pillar.distance(agent.position) > 0.0)
        };
        assert!(members(&crowd, "by context").all(is_outside));
    }
    println!("smallest gap by context {by_context}, by the sum {by_sum}");
    assert!(by_context > 0.0 && by_sum < 0.0, "{by_context} {by_sum}");
    assert!(
        members(&crowd, "by context").all(|agent| agent.velocity.length() < 0.05),
        "all have crossed and rest"
    );
}

#[test]
fn the_corrections_of_avoid_obstacles_keep_guests_out_of_rocks_and_let_them_come_to_rest() {
    let [(before, _), (after, off)] = ["avoid-uncorrected", "avoid-corrected"].map(|name| {
        let crowd = crowd_at_end(name);
        let distance_to_rocks = |id: u32| {
            let position = agent(&crowd, id).position;
            let distances = crowd.obstacles().iter().map(|rock| rock.distance(position));
            distances.fold(f32::INFINITY, f32::min)
        };
        let from_target = agent(&crowd, 1).position - Vec2::new(355.0, 334.0);
        ([0, 1].map(distance_to_rocks), from_target.length())
    });
    assert!(before.iter().all(|&distance| distance < 0.0), "uncorrected: {before:?}");
    assert!(after.iter().all(|&distance| distance > 0.0), "corrected: {after:?}");
    assert!(off < 1.0, "it rests {off} from its target");
}

#[test]
fn all_agents_of_the_ring_rest_at_the_opposite_point() {
    let start: Vec<_> = crowd("ring-200").agents().collect();
    let crowd = crowd_at_end("ring-200");
    for (id, start) in start {
        let end = agent(&crowd, id);
        assert!(
            (end.position + start.position).length() < 0.5,
            "agent {id} started at {} and is at {}",
            start.position,
            end.position
        );
        assert!(end.velocity.length() < 0.1, "agent {id} still moves");
    }
}
