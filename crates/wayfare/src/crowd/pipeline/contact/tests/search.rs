//! Bodies are searched again in time, and all that touch are found.

use super::super::pairs::MOST_DEEP;
use super::{SOLID, among_walls, at, crowd, position};
use crate::behavior::Seek;
use crate::crowd::{Distribution, Group, Setup};
use crate::geometry::obstacle::Shape;
use crate::random::Random;
use crate::spatial::space::{Bounds, Edge};
use crate::vector::Vector;
use crate::{Crowd, List};
use glam::{Vec2, vec2};

/// Steps a crowd and `eager`, which searches bodies in each tick, checks that their digests are
/// equal, and returns whether the crowd has searched.
fn searches_as_eager(crowd: &mut Crowd<Vec2>, eager: &mut Crowd<Vec2>) -> bool {
    eager.tick.solid.as_mut().unwrap().search.outdate();
    let searched = |crowd: &Crowd<Vec2>| {
        crowd.tick.solid.as_ref().unwrap().search.positions().axis(0).to_vec()
    };
    let before = searched(crowd);
    crowd.step();
    eager.step();
    assert_eq!(crowd.digest(), eager.digest(), "tick {}", crowd.tick());
    searched(crowd) != before
}

/// Checks that a search of the bodies that may touch is done again in time, whatever changes: a
/// crowd that searches in each tick has the same digests.
fn assert_searches_are_due_in_time(edge: Edge) {
    let obstacles = vec![Shape::box_between(vec2(20.0, 20.0), vec2(24.0, 26.0))];
    let mut crowd = among_walls(edge as u64, edge, obstacles);
    crowd.tick.dt = 0.02;
    let mut eager = crowd.clone();
    let box_at = |x: f32| Shape::box_between(vec2(x, 30.0), vec2(x + 5.0, 37.0));
    let mut kept = 0;
    for tick in 0..120_u32 {
        let change = |crowd: &mut Crowd<Vec2>| match tick % 12 {
            2 => assert!(crowd.put(tick / 2, vec2(31.0, 33.0), None).is_ok()),
            4 => assert!(crowd.remove(tick / 3)),
            5 => assert!(crowd.add(0, vec2(30.0, 31.0), None).is_ok()),
            7 => assert!(crowd.set_obstacle(0, box_at(20.0 + tick as f32 * 0.1)).is_ok()),
            8 => assert!(crowd.set_frozen(79, tick % 24 == 8).is_ok()),
            10 => assert!(crowd.set_radius(78, Some(0.5 + tick as f32 * 0.01)).is_ok()),
            _ => {}
        };
        change(&mut crowd);
        change(&mut eager);
        kept += u32::from(!searches_as_eager(&mut crowd, &mut eager));
    }
    assert!(kept > 5, "{kept} ticks kept a search");
}

#[test]
fn a_push_to_a_wall_does_not_depend_on_when_bodies_were_searched() {
    let mut group = at(&[vec2(0.0, 0.0), vec2(-0.829, -1.976), vec2(0.3, 2.01)]);
    group.max_speed = Distribution::Same(1.0);
    let obstacles = vec![Shape::box_between(vec2(1.3126, -50.0), vec2(5.0, 50.0))];
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, groups: vec![group], obstacles, ..Setup::default() })
            .unwrap();
    crowd.put(0, vec2(0.0, 0.0), Some(vec2(0.0624, 0.0))).unwrap();
    crowd.put(1, vec2(-0.829, -1.976), Some(vec2(0.0312, 0.05404))).unwrap();
    let mut eager = crowd.clone();
    for _ in 0..12 {
        searches_as_eager(&mut crowd, &mut eager);
    }
}

/// Checks that a crowd of these groups, each of which walks to a point far away, has the digests of
/// one that searches in each tick. Returns the number of searches.
fn searches_of_walkers(groups: Vec<(Group<Vec2>, Vec2)>, ticks: u32) -> usize {
    let walks = |(number, (group, target)): (usize, (Group<Vec2>, Vec2))| Group {
        name: format!("{number}"),
        steer: List::default().with(Seek::new(target)),
        ..group
    };
    let groups = groups.into_iter().enumerate().map(walks).collect();
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, dt: 0.2, groups, ..Setup::default() }).unwrap();
    let mut eager = crowd.clone();
    (0..ticks).filter(|_| searches_as_eager(&mut crowd, &mut eager)).count()
}

/// Bodies of a radius, on a lattice of this spacing from `corner` on, in rows of 10 (lengths).
fn lattice(count: usize, corner: Vec2, spacing: f32, radius: f32, max_speed: f32) -> Group<Vec2> {
    let point = |i: usize| corner + vec2((i % 10) as f32, (i / 10) as f32) * spacing;
    let mut group = at(&(0..count).map(point).collect::<Vec<_>>());
    group.radius = Distribution::Same(radius);
    group.max_speed = Distribution::Same(max_speed);
    group
}

const EAST: Vec2 = vec2(1e4, 0.0);

#[test]
fn bodies_that_walk_together_are_hardly_ever_searched() {
    let searches = searches_of_walkers(vec![(lattice(100, Vec2::ZERO, 2.2, 1.0, 1.0), EAST)], 200);
    // Each has walked 40 times its radius.
    assert!((1..20).contains(&searches), "{searches} searches");
}

#[test]
fn bodies_that_walk_into_each_other_are_searched_in_time() {
    let west = lattice(60, vec2(0.0, 0.0), 2.5, 1.0, 1.0);
    let east = lattice(60, vec2(30.0, 0.7), 2.5, 1.0, 1.0);
    let searches = searches_of_walkers(vec![(west, EAST), (east, -EAST)], 150);
    assert!(searches < 140, "{searches} searches");
}

#[test]
fn bodies_that_go_back_do_not_depend_on_when_bodies_were_searched() {
    // A body that comes fast into those that press goes back among bodies that touch nothing.
    let bounds = Bounds { min: Vec2::ZERO, max: Vec2::splat(30.0), edge: Edge::Wall };
    let press = |corner, max_speed| {
        let group = lattice(60, corner, 2.05, 1.0, max_speed).mass(0.05);
        group.steer(Seek::new(vec2(90.0, 40.0)))
    };
    let fast = Group { name: "fast".into(), ..press(vec2(1.1, 16.0), 9.0) };
    let (groups, bounds) = (vec![press(vec2(9.0, 1.1), 1.5), fast], Some(bounds));
    let setup = Setup { bodies: SOLID, dt: 0.1, groups, bounds, ..Setup::default() };
    let (mut crowd, mut back) = (Crowd::new(setup).unwrap(), 0);
    let mut eager = crowd.clone();
    for _ in 0..300 {
        searches_as_eager(&mut crowd, &mut eager);
        back += u32::from(crowd.deepest_overlap().unwrap() > 0.18);
    }
    assert!(back > 10, "{back} ticks press to the bound");
}

#[test]
fn bodies_that_are_found_by_place_are_searched_also_where_they_walk_together() {
    // The skin follows the largest body: all small ones are candidates of each other, too many for
    // lists. They walk so close that they push.
    let small = lattice(60, Vec2::ZERO, 1.001, 0.5, 10.0);
    let large = lattice(1, vec2(0.0, -300.0), 1.0, 100.0, 10.0);
    let searches = searches_of_walkers(vec![(small, EAST * 0.05), (large, EAST)], 100);
    assert!(searches > 3, "{searches} searches");
}

#[test]
fn bodies_that_may_touch_are_searched_again_whenever_it_is_due() {
    [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce]
        .into_iter()
        .for_each(assert_searches_are_due_in_time);
}

/// One iteration of bodies in an open plane without walls, each against all others: the positions
/// after it, and the deepest overlap before it.
fn iteration(now: &[Vec2], radii: &[f32]) -> (Vec<Vec2>, f32) {
    let (mut next, mut deepest) = (now.to_vec(), 0.0_f32);
    for i in 0..now.len() {
        let (mut sum, mut count) = ([0_i64; 2], 0.0_f32);
        let scale = 16_777_216.0 / crate::quantity::power_of_two_from(radii[i]);
        for j in (0..now.len()).rev().filter(|j| *j != i) {
            let (offset, touching) = (now[j] - now[i], radii[i] + radii[j]);
            let squared = Vector::length_squared(offset);
            if squared < touching * touching {
                let depth = touching - squared.sqrt();
                let push = offset * (-1.0 / squared.sqrt()) * (depth * 0.5 * scale);
                sum = [sum[0] + push.x as i64, sum[1] + push.y as i64];
                count += 1.0;
                deepest = deepest.max(depth / radii[i].min(radii[j]));
            }
        }
        if count > 0.0 {
            let factor = 1.5 / count.sqrt() / scale;
            let push = vec2(sum[0] as f32 * factor, sum[1] as f32 * factor);
            next[i] = now[i] + Vector::truncate(push, 0.5 * radii[i]);
        }
    }
    (next, deepest)
}

/// One tick of bodies at rest, with the iterations of the phase.
fn apart(points: &[Vec2], radii: &[f32]) -> Vec<Vec2> {
    let mut now = points.to_vec();
    for number in 0..32 {
        let (next, deepest) = iteration(&now, radii);
        if deepest == 0.0 || (number >= 6 && deepest <= 0.02) {
            break;
        }
        now = next;
    }
    // Those that overlap too deeply go back, but for those that did before the tick.
    let depth = |at: &[Vec2], i: usize, j: usize| {
        let distance = Vector::length_squared(at[j] - at[i]).sqrt();
        (radii[i] + radii[j] - distance) / radii[i].min(radii[j])
    };
    let others = |i: usize| (0..points.len()).filter(move |j| *j != i);
    let is_packed =
        |i: usize| others(i).any(|j| depth(&now, i, j) > 0.0 && depth(points, i, j) > MOST_DEEP);
    let packed: Vec<bool> = (0..now.len()).map(is_packed).collect();
    loop {
        let goes =
            |i: usize| !packed[i] && others(i).any(|j| !packed[j] && depth(&now, i, j) > MOST_DEEP);
        let back = (0..now.len()).map(|i| if goes(i) { points[i] } else { now[i] }).collect();
        if back == now {
            return now;
        }
        now = back;
    }
}

#[test]
fn a_search_by_cells_finds_every_body_that_touches() {
    let mut random = Random::new(11, 0, 0, 0);
    for (count, extent) in [(2, 2.0), (40, 6.0), (300, 40.0), (700, 18.0), (300, 3.0)] {
        let points: Vec<Vec2> = (0..count)
            .map(|_| vec2(random.between(0.0, extent), random.between(0.0, extent)))
            .collect();
        let mut crowd =
            crowd(vec![Group { radius: Distribution::Uniform(0.2, 1.5), ..at(&points) }]);
        let radii: Vec<f32> =
            (0..count as u32).map(|id| crowd.get(id).unwrap().agent.radius).collect();
        crowd.step();
        let found: Vec<Vec2> = (0..count as u32).map(|id| position(&crowd, id)).collect();
        assert_eq!(found, apart(&points, &radii), "{count} in {extent}");
    }
}
