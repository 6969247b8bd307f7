//! The units of sums over neighbors: a group out of range changes no bit.

use crate::behavior::{Alignment, Cohesion, Flock, Separation};
use crate::combine::List;
use crate::crowd::{Distribution, Group, Setup, Spawn, StartVelocity};
use crate::geometry::obstacle::Shape;
use crate::id::AgentId;
use crate::parameter::Groups;
use crate::vector::Vector;
use crate::{Agent, Crowd};
use glam::{Vec2, Vec3, vec2};

/// A group of `count` agents around `center` that flock by each of the four neighbor behaviors.
fn birds<V: Vector>(name: &str, count: usize, center: V, radius: f32, speed: f32) -> Group<V> {
    let sky = Shape::Box { center, half: V::from_fn(|_| 40.0), angle: 0.0 };
    let mut group = Group::new(name, count, Spawn::Inside(sky), speed);
    group.velocity = StartVelocity::Random;
    let (of, field_of_view) = (Groups::All, 360.0);
    group.steer = List::default()
        .with(Flock::default().radius(radius))
        .with(Cohesion::default().radius(2.0 * radius).of(of.clone()).field_of_view(field_of_view))
        .with(Alignment::default().radius(radius).of(of.clone()).field_of_view(300.0))
        .with(Separation::default().radius(radius).max_force(0.5));
    group
}

fn agents_after<V: Vector>(groups: Vec<Group<V>>, ticks: usize) -> Vec<(AgentId, Agent<V>)> {
    let mut crowd = Crowd::new(Setup { groups, ..Setup::default() }).unwrap();
    (0..ticks).for_each(|_| crowd.step());
    let mut agents: Vec<_> = crowd.agents().collect();
    agents.sort_unstable_by_key(|(id, _)| *id);
    agents
}

#[test]
fn an_empty_group_with_a_huge_max_speed_changes_no_bit() {
    let flock = || birds("birds", 200, Vec2::ZERO, 12.0, 2.0);
    let alone = agents_after(vec![flock()], 60);
    for max_speed in [1e6, 1e8] {
        let shells = birds("shells", 0, Vec2::ZERO, 12.0, max_speed);
        assert_eq!(agents_after(vec![flock(), shells], 60), alone, "{max_speed}");
    }
}

fn assert_a_crowd_can_be_cut_in_two<V: Vector>(radius: f32, speeds: [f32; 2]) {
    let far = V::X * 1e5;
    let [one, other] = [
        birds("one", 150, V::ZERO, radius, speeds[0]),
        birds("other", 150, far, radius, speeds[1]),
    ];
    let apart = agents_after(vec![one.clone()], 60);
    let both = agents_after(vec![one, other], 60);
    assert_eq!(both[..150], apart);
}

#[test]
fn a_group_far_away_changes_no_bit() {
    // Radii smaller and larger than the flock's extent: with the larger one the extent of the crowd
    // must not count.
    for radius in [12.0, 2_000.0] {
        assert_a_crowd_can_be_cut_in_two::<Vec2>(radius, [2.0, 2.0]);
        assert_a_crowd_can_be_cut_in_two::<Vec3>(radius, [2.0, 300.0]);
    }
}

#[test]
fn sums_keep_their_digits_where_the_radius_is_huge() {
    let mut group =
        Group::new("walkers", 2, Spawn::Points(vec![vec2(0.0, 0.0), vec2(3.0, 4.0)]), 1.0);
    let (of, field_of_view) = (Groups::All, 360.0);
    group.steer =
        List::default().with(Cohesion::default().radius(1e9).of(of).field_of_view(field_of_view));
    group.max_force = Distribution::Same(f32::INFINITY);
    let (_, first) = agents_after(vec![group], 1)[0];
    assert!((first.position - vec2(0.6, 0.8)).length() < 1e-5, "{}", first.position);
}

#[test]
fn a_neighbor_a_thousand_times_faster_counts_with_its_full_speed() {
    let [slow, fast] = [0.0, 5.0].map(|x| Spawn::Points(vec![vec2(x, 0.0)]));
    let mut slow = Group::new("slow", 1, slow, 1.0);
    let (of, field_of_view) = (Groups::All, 360.0);
    slow.steer =
        List::default().with(Alignment::default().radius(9.0).of(of).field_of_view(field_of_view));
    slow.max_force = Distribution::Same(f32::INFINITY);
    let mut fast = Group::new("fast", 1, fast, 1_000.0);
    fast.velocity = StartVelocity::Same(vec2(600.0, 800.0));
    let mut crowd = Crowd::new(Setup { groups: vec![slow, fast], ..Setup::default() }).unwrap();
    let sum = crowd.explain(0).unwrap().sum;
    assert!((sum - vec2(600.0, 800.0)).length() < 0.01, "{sum}");
}
