//! What the trees find is what a search through all finds.

use super::*;
use crate::agent::Memory;
use crate::behavior::{AvoidObstacles, Separation, Steer};

/// Three groups that mix: with or without a grid, spread or in a cluster, of which some stand on one point.
fn mixing<V: Vector>(edge: Edge, grid: bool) -> Crowd<V> {
    let area = Shape::box_between(V::ZERO, V::from_fn(|_| 100.0));
    let spawns =
        [(120, area), (40, Shape::Circle { center: V::from_fn(|_| 99.0), radius: 2.0 }), (9, Shape::Circle { center: V::from_fn(|_| 5.0), radius: 0.0 })];
    let groups = spawns.into_iter().enumerate().map(|(i, (count, area))| {
        let mut group = Group::new(&i.to_string(), count, Spawn::Inside(area), 5.0);
        group.velocity = StartVelocity::Random;
        group.steer = List::default().with(seek(V::from_fn(|_| 50.0))).with(Seek { target: Target::Group(2 - i), within: 60.0 });
        if grid {
            group.steer = group.steer.with(Separation { radius: 9.0, max_force: 3.0, ..<Separation as Parameters<V>>::blank() });
        }
        group
    });
    Crowd::new(Setup { bounds: box_of(edge), groups: groups.collect(), ..Setup::default() }).unwrap()
}

fn assert_the_nearest_members_are_found<V: Vector>(edge: Edge, grid: bool) {
    let mut crowd = mixing::<V>(edge, grid);
    let mut random = Random::new(4, 0, 0, 0);
    for tick in 0..30 {
        crowd.step();
        if tick % 7 == 6 {
            let mut place: Vec<u32> = (0..crowd.len() as u32).collect();
            place.sort_by_cached_key(|_| random.bits());
            crowd.permute(&place);
        }
        let (now, space) = (&crowd.now, crowd.space);
        for (g, group) in crowd.groups.iter_mut().enumerate() {
            targets::follow(&mut group.members, now, g as u32);
            for i in 0..now.len() {
                let (to, except) = (now.position.get(i), now.id[i]);
                let within = [f32::INFINITY, 30.0, 1.0, 0.0][i % 4];
                let squared = |j: usize| space.difference(to, now.position.get(j)).length_squared();
                let others = (0..now.len()).filter(|&j| now.group[j] == g as u32 && now.id[j] != except);
                let nearest = others.min_by(|&a, &b| (squared(a), now.id[a]).partial_cmp(&(squared(b), now.id[b])).unwrap());
                let expected = nearest.filter(|&j| squared(j).sqrt() <= within);
                assert_eq!(targets::nearest(&group.members, &space, to, within, except), expected, "{edge:?}, tick {tick}, group {g}, agent {i}");
            }
        }
    }
}

#[test]
fn the_nearest_member_is_the_one_that_a_search_through_all_finds() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall] {
        for grid in [false, true] {
            assert_the_nearest_members_are_found::<Vec2>(edge, grid);
            assert_the_nearest_members_are_found::<Vec3>(edge, grid);
        }
    }
}

#[derive(Debug)]
struct Own;

impl<V: Vector> Steer<V> for Own {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        around.member(host, 1, f32::INFINITY).map_or(V::ZERO, |seen| seen.position - host.position)
    }
}

#[test]
fn members_are_kept_up_with_where_a_behavior_or_a_condition_may_look_for_them() {
    let sought = |change: &dyn Fn(&mut Group<Vec2>)| {
        let mut groups = vec![group("a", &[Vec2::ZERO]), group("b", &[Vec2::X]), group("c", &[Vec2::Y])];
        change(&mut groups[0]);
        crowd(groups).groups.iter().map(|group| group.sought).collect::<Vec<_>>()
    };
    let leave = |when| State { name: "s".to_string(), rates: vec![], steer: List::default(), leave: vec![Transition { to: 0, when }] };
    assert_eq!(sought(&|g| g.steer = List::default().with(seek(Vec2::ZERO)).with(AvoidObstacles::blank())), [false; 3]);
    assert_eq!(sought(&|g| g.steer = List::default().with(Seek { target: Target::Group(2), within: 1.0 })), [false, false, true]);
    let pursue = Pursue { quarry: GroupId(0), ..<Pursue as Parameters<Vec2>>::blank() };
    assert_eq!(sought(&|g| g.steer = List::default().nested(1.0, List::default().with(pursue))), [true, false, false]);
    let near = Condition::Not(Box::new(Condition::All(vec![Condition::Any(vec![Condition::Near(Target::Group(1), 1.0)])])));
    assert_eq!(sought(&|g| g.states = vec![leave(near.clone())]), [false, true, false]);
    assert_eq!(sought(&|g| g.states = vec![leave(Condition::FarFrom(Target::Group(2), 1.0))]), [false, false, true]);
    // Nobody knows whom a behavior of the user's own asks for.
    assert_eq!(sought(&|g| g.steer = List::default().with(crate::behavior::Behavior::own("own", Own))), [true; 3]);
}
