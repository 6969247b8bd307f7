//! Each step of the formula by hand, symmetry, and what has no effect.

use glam::{Vec2, vec2};

use super::*;
use crate::behavior::testing::assert_near;
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::id::AgentId;
use crate::random::Random;
use crate::spatial::neighbors::Neighbor;
use crate::spatial::space::{Bounds, Edge};

/// A neighbor: offset, velocity, radius. Its top speed is 1.3.
type Other = (Vec2, Vec2, f32);

const REST: Vec2 = Vec2::ZERO;

fn neighbors(others: &[Other]) -> Neighbors<Vec2> {
    let mut neighbors = Neighbors::none();
    for (id, &(offset, velocity, radius)) in (0..).zip(others) {
        neighbors.push(Neighbor {
            radius,
            max_speed: 1.3,
            ..Neighbor::new(AgentId(id), offset, velocity)
        });
    }
    neighbors.set_host(AgentId(1_000), Vec2::ZERO, 0, 2.0);
    neighbors
}

/// A host at rest with a body of radius 0.2 and a top speed of 1.3.
fn host() -> Agent<Vec2> {
    Agent { radius: 0.2, ..Agent::new(Vec2::ZERO, 1.3) }
}

/// Parameters with which the velocity follows at once in a tick of 0.05.
fn at_once() -> Pedestrian {
    Pedestrian { tau: 0.05, ..Pedestrian::default() }
}

/// The next velocity of `host`, which prefers the velocity `preferred`, after a tick of 0.05.
fn next(host: &Agent<Vec2>, preferred: Vec2, others: &[Other], parameters: &Pedestrian) -> Vec2 {
    let walls = (Obstacles::NONE, &Space::OPEN);
    let sum = preferred - host.velocity;
    pedestrian(host, sum, &neighbors(others), walls, parameters, 0.05).start
}

#[test]
fn without_neighbors_the_velocity_approaches_the_preferred_one_in_the_time_tau() {
    let moving = host().moving(vec2(0.5, 0.0));
    // 0.5 + (1.2 - 0.5) * 0.05 / 0.1695.
    let default = Pedestrian::default();
    assert_near(next(&moving, vec2(1.2, 0.0), &[], &default), vec2(0.706_489_7, 0.0));
    // Faster than max_speed is no wish: 0.5 + (1.3 - 0.5) * 0.05 / 0.1695.
    assert_near(next(&moving, vec2(9.0, 0.0), &[], &default), vec2(0.735_988_2, 0.0));
    // A tau below the tick is the tick.
    let quick = Pedestrian { tau: 1e-3, ..Pedestrian::default() };
    assert_near(next(&moving, vec2(0.0, 1.2), &[], &quick), vec2(0.0, 1.2));
    // Below a thousandth of max_speed the host stands: 0.5 - 0.5 * 0.05 / 0.1695.
    let standing = next(&moving, vec2(0.0, 1.29e-3), &[], &default);
    assert_near(standing, vec2(0.352_507_4, 0.0));
    assert_ne!(next(&moving, vec2(0.0, 1.31e-3), &[], &default), standing);
}

#[test]
fn a_side_step_is_the_sum_over_the_neighbors_ahead() {
    // Bodies without width block no way.
    let free = Pedestrian { width: 0.0, ..at_once() };
    let step = |host: &Agent<Vec2>, others: &[Other]| next(host, vec2(1.0, 0.0), others, &free);
    let turned = |tangent: f32| vec2(1.0, tangent).normalize();
    // s = 1, n = (0.6, 0.8), D = 0.5, y = 0.8 + 0.0887, beyond 0.5 * 0.5:
    // -1.112 * exp(-0.5 / 0.317) * 1.5 * 0.36.
    let ahead_left = (vec2(0.6, 0.8), REST, 0.3);
    assert_near(step(&host(), &[ahead_left]), turned(-0.124_019_93));
    // Approach with (1.5, 0).n = 0.9 shortens the gap by 0.0986 * 0.9, and who comes head on
    // counts twice: -1.112 * exp(-0.41126 / 0.317) * 2 * 0.36.
    let moving = host().moving(vec2(1.0, 0.0));
    let coming = (vec2(0.6, 0.8), vec2(-0.5, 0.0), 0.3);
    assert_near(step(&moving, &[coming]), turned(-0.218_778_82));
    // Retreat lengthens no gap: -1.112 * exp(-0.5 / 0.317) * 1 * 0.36.
    let going = (vec2(0.6, 0.8), vec2(2.0, 0.0), 0.3);
    assert_near(step(&moving, &[going]), turned(-0.082_679_95));
    // Nearly straight ahead, y = 0.01 + 0.0887 of 0.25 is 0.3948 of the full step.
    assert_near(step(&host(), &[(vec2(1.0, 0.01), REST, 0.3)]), turned(-0.135_973_47));
    // To the right, y = -0.2 + 0.0887, and a step to the left.
    let right = (vec2(1.0, -0.2), REST, 0.3);
    assert_near(step(&host(), &[right]), turned(0.138_541_27));
    assert_near(step(&host(), &[ahead_left, right]), turned(0.014_521_342));
    // Behind, and beyond the sight.
    let unseen = [(vec2(-0.6, 0.8), REST, 0.3), (vec2(0.0, 2.51), REST, 0.3)];
    assert_eq!(step(&host(), &unseen), vec2(1.0, 0.0));
    let gentle = Pedestrian { max_turn: 0.1, ..free.clone() };
    let most = next(&host(), vec2(1.0, 0.0), &[ahead_left, ahead_left], &gentle);
    assert_near(most, turned(-0.1));
}

#[test]
fn walls_take_away_the_part_of_the_direction_towards_them() {
    let walk = |obstacles: &[Obstacle<Vec2>], space: &Space<Vec2>, preferred: Vec2| {
        let walls = (Obstacles::from(obstacles), space);
        pedestrian(&host(), preferred, &Neighbors::none(), walls, &at_once(), 0.05).start
    };
    let below = |y: f32| Obstacle::from(Shape::box_between(vec2(-9.0, -9.0), vec2(9.0, y)));
    let down = vec2(1.0, -1.0).normalize();
    // 0.06 of the buffer of 0.12 is left: half of the part towards the wall is taken away.
    assert_near(walk(&[below(-0.26)], &Space::OPEN, down), vec2(1.0, -0.5).normalize());
    // The body touches the wall: all of it.
    assert_near(walk(&[below(-0.2)], &Space::OPEN, down), vec2(1.0, 0.0));
    assert_near(walk(&[below(-0.32)], &Space::OPEN, down), down);
    assert_near(walk(&[below(-0.2)], &Space::OPEN, vec2(0.3, 1.0)), vec2(0.3, 1.0));
    // Straight into a wall there is no way.
    assert_eq!(walk(&[below(-0.2)], &Space::OPEN, vec2(0.0, -1.0)), Vec2::ZERO);
    // One wall after the other: with the part 0.8 of the second wall's normal (-0.6, 0.8) gone,
    // (0.8, 0) leads along it, (0.64, 0.48) by a length of 0.8.
    let slope = Shape::Segment {
        from: vec2(0.12 - 8.0, -0.16 - 6.0),
        to: vec2(0.12 + 8.0, -0.16 + 6.0),
        thickness: 0.0,
    };
    let both = [below(-0.2), Obstacle::from(slope)];
    assert_near(walk(&both, &Space::OPEN, down), vec2(0.8, 0.6));
    // Walls of the bounds, and none where the bounds have no walls.
    let bounds =
        |edge| Space::new(Some(Bounds { min: vec2(-9.0, -0.26), max: vec2(9.0, 9.0), edge }));
    assert_near(walk(&[], &bounds(Edge::Wall), down), vec2(1.0, -0.5).normalize());
    assert_near(walk(&[], &bounds(Edge::Open), down), down);
}

#[test]
fn people_turn_away_from_walls_beside_them_if_they_keep_a_distance() {
    let shy = Pedestrian { wall_distance: 0.4, ..at_once() };
    let walk = |walls: &[Obstacle<Vec2>], preferred: Vec2| {
        let walls = (Obstacles::from(walls), &Space::OPEN);
        pedestrian(&host(), preferred, &Neighbors::none(), walls, &shy, 0.05).start
    };
    let below = |y: f32| Obstacle::from(Shape::box_between(vec2(-9.0, -9.0), vec2(9.0, y)));
    let above = |y: f32| Obstacle::from(Shape::box_between(vec2(-9.0, y), vec2(9.0, 9.0)));
    let (east, turned) = (vec2(1.0, 0.0), |tangent: f32| vec2(1.0, tangent).normalize());
    assert_near(walk(&[below(-0.2)], east), turned(0.3));
    assert_near(walk(&[below(-0.4)], east), turned(0.15));
    assert_near(walk(&[below(-0.6)], east), east);
    // In the middle of a passage, both turns cancel.
    assert_near(walk(&[below(-0.25), above(0.25)], east), east);
    assert_near(walk(&[below(-0.25), above(0.4)], east), turned(0.2625 - 0.15));
    // A wall ahead turns no walker.
    assert_near(walk(&[above(0.5)], vec2(0.0, 1.0)), vec2(0.0, 1.0));
}

#[test]
fn the_pace_is_the_smallest_that_a_neighbor_ahead_allows() {
    // Without side-steps.
    let straight = Pedestrian { repulsion: 0.0, ..at_once() };
    let pace = |others: &[Other]| next(&host(), vec2(1.0, 0.0), others, &straight);
    // W = 0.946 * 0.4: free = 1 - sqrt(W^2 - 0.1^2) - 0.14 = 0.495, and
    // 0.344 * 0.495 / 1.066 + 0.656 * 0.5.
    let leader = (vec2(1.0, 0.1), vec2(0.5, 0.0), 0.2);
    assert_near(pace(&[leader]), vec2(0.487_754_33, 0.0));
    // By the other preset 0.7 * 0.495 / 1.7 + 0.3 * 0.5, and an own key wins.
    let regulation = Pedestrian {
        tau: 0.05,
        repulsion: 0.0,
        ..Pedestrian::from_preset(PedestrianPreset::Regulation)
    };
    assert_near(next(&host(), vec2(1.0, 0.0), &[leader], &regulation), vec2(0.353_845_2, 0.0));
    let own = Pedestrian { time_gap: Some(1.066), follow: Some(0.656), ..regulation };
    assert_near(next(&host(), vec2(1.0, 0.0), &[leader], &own), vec2(0.487_754_33, 0.0));
    let standing = (vec2(0.8, -0.2), REST, 0.2);
    assert_near(pace(&[leader, standing]), vec2(0.109_322_73, 0.0));
    // Beside the way, beside the host, and behind.
    let beside = [(vec2(1.0, 0.379), REST, 0.2), (vec2(0.0, 0.3), REST, 0.2)];
    assert_eq!(pace(&beside), vec2(1.0, 0.0));
    assert_eq!(pace(&[(vec2(-0.3, 0.0), vec2(1.3, 0.0), 0.2)]), vec2(1.0, 0.0));
    // Touching: the least speed, and 0.6 of `squeeze` past a neighbor that comes from ahead.
    assert_near(pace(&[(vec2(0.5, 0.0), REST, 0.2)]), vec2(0.048_2, 0.0));
    assert_near(pace(&[(vec2(0.45, 0.1), vec2(-0.6, 0.8), 0.2)]), vec2(0.055_5, 0.0));
    // Never faster than the wish.
    let slow = next(&host(), vec2(0.01, 0.0), &[(vec2(0.5, 0.0), REST, 0.2)], &straight);
    assert_near(slow, vec2(0.01, 0.0));
}

#[test]
fn a_neighbor_that_is_behind_by_both_directions_blocks_no_way() {
    let straight = Pedestrian { repulsion: 0.0, ..at_once() };
    let downwards = host().moving(vec2(0.0, -1.0));
    let pace = |velocity| {
        next(&downwards, vec2(1.0, 0.0), &[(vec2(0.5, 0.2), velocity, 0.2)], &straight).x
    };
    // Both walk downwards, and the neighbor is above.
    assert_eq!(pace(vec2(0.0, -1.0)), 1.0);
    // ((0, -1) + (1, 0)).(0.5, 0.2) is above zero.
    assert!(pace(vec2(1.0, 0.0)) < 1.0);
    // A neighbor that stands has no direction: (0, -1).(0.5, 0.2) is below zero. Slower than a
    // hundredth of its top speed, 0.013, it stands.
    assert_eq!((pace(REST), pace(vec2(0.012, 0.0))), (1.0, 1.0));
    assert!(pace(vec2(0.014, 0.0)) < 1.0);
    // The direction of a host that stands is that of its way.
    let others = [(vec2(0.5, 0.2), vec2(0.0, -1.0), 0.2)];
    assert!(next(&host(), vec2(1.0, 0.0), &others, &straight).x < 1.0);
}

#[test]
fn a_pedestrian_goes_straight_where_that_leads_farther() {
    // All count as left of the way, and the step to the right leads to the neighbor there.
    let right = Pedestrian { side_bias: 1.0, ..at_once() };
    let (left_hand, right_hand) = ((vec2(0.9, 0.39), REST, 0.2), (vec2(0.6, -0.45), REST, 0.2));
    let wish = vec2(1.0, 0.0);
    assert_eq!(next(&host(), wish, &[left_hand, right_hand], &right), wish);
    // With the way straight ahead blocked as well, the step is made.
    let ahead = (vec2(0.5, 0.0), REST, 0.2);
    assert!(next(&host(), wish, &[left_hand, right_hand, ahead], &right).y < 0.0);
}

#[test]
fn of_two_at_the_same_position_one_counts_as_ahead_and_neither_is_slowed_down() {
    let gentle = Pedestrian { repulsion: 0.3, ..at_once() };
    let step = |host_id: u32, other: u32| {
        let mut neighbors = neighbors(&[(REST, REST, 0.2)]);
        neighbors.set_host(AgentId(host_id), Vec2::ZERO, 0, 2.0);
        let mut same = Neighbors::none();
        neighbors.iter().for_each(|n| same.push(Neighbor { id: AgentId(other), ..n }));
        same.set_host(AgentId(host_id), Vec2::ZERO, 0, 2.0);
        let walls = (Obstacles::NONE, &Space::OPEN);
        pedestrian(&host(), vec2(1.0, 0.0), &same, walls, &gentle, 0.05).start
    };
    for id in 0..20 {
        let (one, two) = (step(id, 50), step(50, id));
        assert!((one.length() - 1.0).abs() < 1e-6 && (two.length() - 1.0).abs() < 1e-6);
        assert!((one == vec2(1.0, 0.0)) != (two == vec2(1.0, 0.0)), "{one} {two}");
    }
}

/// Neighbors at random within the sight.
fn crowd(seed: u64) -> Vec<Other> {
    let mut random = Random::new(seed, 0, 0, 0);
    let mut between = |low, high| random.between(low, high);
    let other = |_| {
        let (x, y) = (between(-1.5, 2.0), between(-1.5, 1.5));
        (vec2(x, y), vec2(between(-1.0, 1.0), between(-1.0, 1.0)), between(0.1, 0.2))
    };
    (0..9).map(other).collect()
}

#[test]
fn a_turned_or_mirrored_world_gives_the_turned_or_mirrored_velocity() {
    let mirror = |v: Vec2| vec2(v.x, -v.y);
    let turn = |v: Vec2| Vec2::from_angle(2.0).rotate(v);
    let fair = Pedestrian { side_bias: 0.0, passing_bias: 0.0, ..Pedestrian::default() };
    let biased = Pedestrian::default();
    let left = Pedestrian { side_bias: -biased.side_bias, ..fair.clone() };
    let left = Pedestrian { passing_bias: -biased.passing_bias, ..left };
    for seed in 0..100 {
        let others = crowd(seed);
        let walk = |change: &dyn Fn(Vec2) -> Vec2, parameters: &Pedestrian| {
            let others: Vec<Other> =
                others.iter().map(|&(x, v, r)| (change(x), change(v), r)).collect();
            let host = host().moving(change(vec2(0.6, 0.3)));
            next(&host, change(vec2(1.2, 0.1)), &others, parameters)
        };
        assert_near(walk(&turn, &biased), turn(walk(&|v| v, &biased)));
        assert_near(walk(&mirror, &fair), mirror(walk(&|v| v, &fair)));
        assert_near(walk(&mirror, &left), mirror(walk(&|v| v, &biased)));
    }
}

#[test]
fn the_order_of_the_neighbors_changes_no_bit() {
    for seed in 0..100 {
        let mut others = crowd(seed);
        let step = |others: &[Other]| {
            next(&host(), vec2(1.2, 0.1), others, &at_once()).to_array().map(f32::to_bits)
        };
        let before = step(&others);
        others.reverse();
        others.rotate_left(seed as usize % 9);
        assert_eq!(step(&others), before);
    }
}

#[test]
fn the_solution_cancels_the_sum_so_that_mass_and_max_force_have_no_effect() {
    let moving = Agent { max_force: 0.1, mass: 20.0, ..host().moving(vec2(0.5, 0.0)) };
    let (sum, walls) = (vec2(0.7, 0.4), (Obstacles::NONE, &Space::OPEN));
    let solution = pedestrian(&moving, sum, &Neighbors::none(), walls, &at_once(), 0.05);
    let (_, velocity) = moving.step(sum + solution.force, solution.start, 1.0, 0.05);
    assert_eq!(velocity, solution.start);
    assert_near(velocity, vec2(1.2, 0.4));
}
