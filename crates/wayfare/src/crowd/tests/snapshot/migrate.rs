//! A snapshot comes into a crowd whose setup has changed.

use glam::Vec2;

use super::*;
use crate::behavior::{Explore, Separation};
use crate::crowd::{GroupMatch, MigrationNote as Note};
use crate::order::Order;

fn matched(name: &str, agents: usize) -> GroupMatch {
    GroupMatch::Matched { name: name.to_string(), agents }
}

/// Sheep that graze, flee from the dogs, and have stamina; two dogs that follow a path; a wall.
fn meadow() -> Setup<Vec2> {
    let mut sheep = group("sheep", &[vec2(0.0, 0.0), vec2(3.0, 1.0), vec2(6.0, 0.0)]);
    sheep.max_speed = Distribution::Uniform(1.0, 2.0);
    sheep.speed_cap = Some(4.0);
    sheep.steer = List::default().with(wander());
    let stat = |name: &str, start: f32| Stat {
        name: name.to_string(),
        start: start.into(),
        min: 0.0,
        max: 10.0,
    };
    sheep.stats = vec![stat("wool", 2.0), stat("stamina", 5.0)];
    let state = |name: &str, steer, to: usize, when| State {
        rates: vec![(1.into(), -0.25)],
        steer,
        leave: vec![Transition { to: to.into(), when }],
        ..State::new(name)
    };
    let flee = crate::behavior::Flee::new(Target::Group(GroupId(1)));
    sheep.states = vec![
        state("graze", List::default(), 1, Condition::TimeInState(3.0.into())),
        state(
            "flight",
            List::default().with(flee).with(wander()),
            0,
            Condition::stat(1).at_most(1.0),
        ),
    ];
    let mut dogs = group("dogs", &[vec2(30.0, 0.0), vec2(30.0, 9.0)]);
    dogs.steer = List::default().with(FollowPath::new(PathId(0)));
    let path = |x: f32| Path::new(vec![vec2(x, 0.0), vec2(x, 30.0), vec2(x, 60.0)], 2.0, false);
    Setup {
        groups: vec![sheep, dogs],
        paths: vec![("round".to_string(), path(30.0)), ("fence".to_string(), path(50.0))],
        obstacles: vec![Shape::Circle { center: vec2(90.0, 0.0), radius: 3.0 }],
        lines: vec![Line::new("gate", vec2(-50.0, 0.5), vec2(90.0, 0.5))],
        ..Setup::default()
    }
}

/// The meadow after six ticks and a few orders.
fn played() -> Crowd<Vec2> {
    let mut crowd = Crowd::new(meadow()).unwrap();
    (0..6).for_each(|_| crowd.step());
    crowd.set_max_speed(1, Some(3.5)).unwrap();
    crowd.set_order(0, Some(Order::Agent(AgentId(3)))).unwrap();
    crowd.set_order(1, Some(Order::Path(PathId(1)))).unwrap();
    crowd.set_order(4, Some(Order::Agent(AgentId(2)))).unwrap();
    crowd.set_frozen(2, true).unwrap();
    assert_eq!(crowd.get(0).unwrap().state, Some("flight"));
    crowd
}

/// The meadow with a change, and the report of migrating [`played`] into it.
fn migrated(change: impl FnOnce(&mut Setup<Vec2>)) -> (Crowd<Vec2>, Migration) {
    let mut setup = meadow();
    change(&mut setup);
    let mut crowd = Crowd::new(setup).unwrap();
    crowd.step();
    let migration = crowd.migrate(&played().snapshot()).unwrap();
    // It goes on, and its own snapshots are restored as usual.
    let (mut first, mut other) = (crowd.clone(), crowd.clone());
    other.restore(&crowd.snapshot()).unwrap();
    assert!(other.snapshot() == crowd.snapshot());
    for _ in 0..9 {
        first.step();
        other.step();
    }
    assert_eq!(other.digest(), first.digest());
    (crowd, migration)
}

#[test]
fn with_the_same_setup_it_is_what_restoring_is() {
    let mut crowd = Crowd::new(meadow()).unwrap();
    let snapshot = played().snapshot();
    let migration = crowd.migrate(&snapshot).unwrap();
    assert!(migration.is_complete() && crowd.snapshot() == snapshot);
    assert_eq!(migration.groups, [matched("sheep", 3), matched("dogs", 2)]);
}

#[test]
fn with_a_group_more_that_is_empty_the_run_goes_on_with_the_same_bits() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        let mut first = Crowd::new(everything::<Vec2>(edge)).unwrap();
        let expected = play(&mut first, 60);
        let mut setup = everything::<Vec2>(edge);
        setup.groups.push(group("new", &[]));
        for tick in [1, 24, 42] {
            let mut crowd = Crowd::new(setup.clone()).unwrap();
            crowd.step();
            let migration = crowd.migrate(&expected[tick - 1].2).unwrap();
            assert_eq!(migration.notes, []);
            let mut same = Crowd::new(everything::<Vec2>(edge)).unwrap();
            same.restore(&expected[tick - 1].2).unwrap();
            let columns = |crowd: &Crowd<Vec2>| format!("{:?}", crowd.population.now);
            assert!(columns(&crowd) == columns(&same), "from tick {tick}, {edge:?}");
            let digests = play(&mut crowd, 60).into_iter().map(|(digest, ..)| digest);
            let expected = expected[tick..].iter().map(|(digest, ..)| *digest);
            assert!(digests.eq(expected), "from tick {tick}, {edge:?}");
        }
    }
}

#[test]
fn a_group_more_starts_and_the_others_keep_their_agents_whatever_the_order() {
    let before = played();
    let (crowd, migration) = migrated(|setup| {
        setup.groups.push(group("wolves", &[vec2(70.0, 70.0), vec2(80.0, 70.0)]));
        setup.groups.rotate_right(1);
        setup.groups[1].states[1].steer = List::default()
            .with(crate::behavior::Flee::new(Target::Group(GroupId(2))))
            .with(wander());
    });
    let new = GroupMatch::New { name: "wolves".to_string(), agents: 2 };
    assert_eq!(migration.groups, [matched("sheep", 3), matched("dogs", 2), new]);
    assert_eq!((migration.notes, crowd.len(), crowd.tick()), (vec![], 7, 6));
    for id in 0..5 {
        let (old, new) = (before.get(id).unwrap(), crowd.get(id).unwrap());
        assert_eq!(new.agent, old.agent);
        assert_eq!((new.state, new.stats, new.order), (old.state, old.stats, old.order));
        assert_eq!((new.frozen, new.group.0), (old.frozen, old.group.0 + 1));
    }
    assert_eq!(crowd.get(5).unwrap().group, GroupId(0));
    assert_eq!(crowd.lines()[0].left + crowd.lines()[0].right, {
        before.lines()[0].left + before.lines()[0].right
    });
}

#[test]
fn a_group_less_takes_its_agents_and_the_orders_to_them_along() {
    let (crowd, migration) = migrated(|setup| {
        setup.groups.remove(0);
    });
    let gone = GroupMatch::Gone { name: "sheep".to_string(), agents: 3 };
    assert_eq!(migration.groups, [gone, matched("dogs", 2)]);
    assert_eq!(migration.notes, [Note::OrdersEnded { agents: 1 }]);
    assert_eq!((crowd.len(), crowd.get(4).unwrap().order), (2, None));
    assert_eq!(
        migration.to_string(),
        "Group \"sheep\" is gone: 3 agents left out.\nGroup \"dogs\": 2 agents kept.\n\
         The orders of 1 agent ended: their targets are gone."
    );
}

#[test]
fn numbers_of_the_new_setup_count_and_own_ones_within_its_cap() {
    let (crowd, migration) = migrated(|setup| {
        setup.groups[0].mass = Distribution::Same(7.0);
        setup.groups[0].speed_cap = Some(3.0);
        setup.groups[0].stats[1].max = 2.0;
        setup.groups[0].stats[1].start = Distribution::Same(2.0);
    });
    let agents = 3;
    let (group, stat) = ("sheep".to_string(), "stamina".to_string());
    let clamped = Note::StatClamped { group: group.clone(), stat, agents };
    assert_eq!(migration.notes, [clamped, Note::SpeedsClamped { group, agents: 1 }]);
    let sheep = crowd.get(1).unwrap();
    assert_eq!((sheep.agent.mass, sheep.agent.max_speed, sheep.stats), (7.0, 3.0, &[2.0, 2.0][..]));
}

#[test]
fn states_and_stats_are_found_by_name() {
    let before = played();
    let (crowd, migration) = migrated(|setup| {
        let sheep = &mut setup.groups[0];
        let mut sleep = sheep.states[0].clone();
        sleep.name = "sleep".to_string();
        sleep.leave[0].to = 2.into();
        sheep.states.insert(0, sleep);
        sheep.states[1].leave[0].to = 2.into();
        sheep.states[2].leave[0] =
            Transition { to: 1.into(), when: Condition::TimeInState(5.0.into()) };
        sheep.states.iter_mut().for_each(|state| state.rates[0].0 = 0.into());
        sheep.stats.remove(0);
        let age = Stat { name: "age".to_string(), start: 3.0.into(), min: 0.0, max: 9.0 };
        sheep.stats.push(age);
    });
    let group = || "sheep".to_string();
    let (sleep, wool, age) = ("sleep".to_string(), "wool".to_string(), "age".to_string());
    assert_eq!(
        migration.notes,
        [
            Note::StateNew { group: group(), state: sleep },
            Note::StatNew { group: group(), stat: age },
            Note::StatGone { group: group(), stat: wool },
        ]
    );
    let (old, new) = (before.get(0).unwrap(), crowd.get(0).unwrap());
    assert_eq!((new.state, new.stats), (Some("flight"), &[old.stats[1], 3.0][..]));
    // Without the state, agents are in the first one.
    let (crowd, migration) = migrated(|setup| setup.groups[0].states[1].name.push('s'));
    let state = "flight".to_string();
    assert!(migration.notes.contains(&Note::StateGone { group: group(), state, agents: 3 }));
    assert_eq!(crowd.get(0).unwrap().state, Some("graze"));
}

#[test]
fn memories_stay_unless_the_list_has_other_behaviors_with_one() {
    let memories = |crowd: &Crowd<Vec2>, id: u32| {
        let row = crowd.row_of(AgentId(id)).unwrap();
        crowd.population.now.memory(row).to_vec()
    };
    let before = played();
    assert!(memories(&before, 0).iter().all(|memory| memory.wander.is_some()));
    // A behavior without a memory.
    let separation = || {
        crate::combine::Slot::new(crate::combine::Entry::Behavior(
            Separation::default().radius(5.0).max_force(1.0).into(),
        ))
    };
    let (crowd, migration) = migrated(|setup| setup.groups[0].steer.slots.insert(0, separation()));
    assert_eq!((migration.notes, memories(&crowd, 0)), (vec![], memories(&before, 0)));
    // One more with a memory, in the list of the group: those of the states are kept.
    let (crowd, migration) = migrated(|setup| {
        let sheep = &mut setup.groups[0];
        sheep.steer = core::mem::take(&mut sheep.steer).with(FollowPath::new(PathId(0)));
    });
    let group = "sheep".to_string();
    assert_eq!(migration.notes, [Note::MemoryReset { group, state: None }]);
    let (old, new) = (memories(&before, 0), memories(&crowd, 0));
    assert_eq!((new[0], new[1], new[2]), (Memory::default(), Memory::default(), old[1]));
    assert_eq!(memories(&crowd, 3)[0].path, memories(&before, 3)[0].path);
}

#[test]
fn what_commands_changed_is_kept_where_the_setup_has_not_changed() {
    let set = |crowd: &mut Crowd<Vec2>, key_path: &str, x| {
        let (key_path, value) = (key_path.to_string(), Setting::Number(x));
        crowd.apply(&Command::Set { key_path, value }).unwrap();
    };
    let changed = |change: fn(&mut Setup<Vec2>)| {
        let mut crowd = played();
        set(&mut crowd, "group[1].mass", 9.0);
        crowd.add_obstacle(Shape::Circle { center: vec2(-90.0, 0.0), radius: 7.0 }).unwrap();
        crowd.set_obstacle(0, Shape::Circle { center: vec2(90.0, 0.0), radius: 8.0 }).unwrap();
        let (path, position) = ("round".to_string(), vec2(31.0, 60.0));
        crowd.apply(&Command::MovePoint { path, point: 2, position }).unwrap();
        let mut setup = meadow();
        setup.groups[0].drag = 0.1;
        change(&mut setup);
        let mut other = Crowd::new(setup).unwrap();
        let migration = other.migrate(&crowd.snapshot()).unwrap();
        let radii: Vec<f32> = other
            .obstacles()
            .iter()
            .map(|o| match o.shape() {
                Shape::Circle { radius, .. } => *radius,
                _ => 0.0,
            })
            .collect();
        let mass = other.get(3).unwrap().agent.mass;
        (migration.notes, mass, radii, other.paths()[0].points()[2])
    };
    assert_eq!(changed(|_| ()), (vec![], 9.0, vec![8.0, 7.0], vec2(31.0, 60.0)));
    let other = changed(|setup| {
        setup.groups[1].mass = Distribution::Same(2.0);
        setup.obstacles[0] = Shape::Circle { center: vec2(95.0, 0.0), radius: 4.0 };
        let path = &mut setup.paths[0].1;
        let mut points = path.points().to_vec();
        points[2] = vec2(33.0, 60.0);
        *path = path.through(points);
    });
    let notes = vec![
        Note::ObstaclesMerged { kept: 1 },
        Note::PointsLost { path: "round".to_string() },
        Note::NumbersLost { group: "dogs".to_string() },
    ];
    assert_eq!(other, (notes, 2.0, vec![4.0, 7.0], vec2(33.0, 60.0)));
}

#[test]
fn a_crowd_to_which_groups_were_added_is_migrated_too() {
    let mut crowd = played();
    crowd.add_group(group("cats", &[vec2(9.0, 9.0)])).unwrap();
    crowd.remove_group(1).unwrap();
    let mut setup = meadow();
    setup.groups[0].drag = 0.1;
    let mut other = Crowd::new(setup).unwrap();
    let migration = other.migrate(&crowd.snapshot()).unwrap();
    let gone = GroupMatch::Gone { name: "cats".to_string(), agents: 1 };
    let new = GroupMatch::New { name: "dogs".to_string(), agents: 2 };
    assert_eq!(migration.groups, [matched("sheep", 3), gone, new]);
    // A group that the game adds first takes its agents over.
    let cats = other.add_group(group("cats", &[])).unwrap();
    let migration = other.migrate(&crowd.snapshot()).unwrap();
    assert!(migration.groups.contains(&matched("cats", 1)));
    assert_eq!(other.get(5).unwrap().group, cats);
}

#[test]
fn goals_paths_and_explored_cells_follow_their_agents() {
    let setup = |change: fn(&mut Setup<Vec2>)| {
        let mut setup = meadow();
        let area = Shape::box_between(vec2(-99.0, -99.0), vec2(99.0, 99.0));
        let dogs = &mut setup.groups[1];
        dogs.goal = Some(Spawn::Points(vec![vec2(1.0, 2.0), vec2(3.0, 4.0)]));
        dogs.steer = List::default()
            .with(Seek { target: Target::Goal, within: f32::INFINITY })
            .with(Explore { area, cell: Auto::Fixed(30.0) });
        change(&mut setup);
        setup
    };
    let mut old = Crowd::new(setup(|_| ())).unwrap();
    (0..20).for_each(|_| old.step());
    old.set_order(0, Some(Order::Path(PathId(1)))).unwrap();
    let patched = || {
        setup(|setup| {
            setup.groups[0].count = 1;
            setup.groups[0].spawn = Spawn::Points(vec![Vec2::ZERO]);
            setup.groups[0].drag = 0.5;
            setup.paths.insert(0, ("detour".to_string(), setup.paths[0].1.clone()));
        })
    };
    let mut new = Crowd::new(patched()).unwrap();
    new.migrate(&old.snapshot()).unwrap();
    assert_eq!(new.get(0).unwrap().order, Some(Order::Path(PathId(2))));
    let times = |crowd: &Crowd<Vec2>| crowd.explored(1).next().unwrap().times().to_vec();
    assert_eq!(times(&new), times(&old));
    for crowd in [&mut old, &mut new] {
        (0..5).for_each(|_| crowd.step());
    }
    assert_eq!(new.get(3).unwrap().agent.position, old.get(3).unwrap().agent.position);
    // The first ids are in its snapshots.
    let mut other = Crowd::new(patched()).unwrap();
    other.restore(&new.snapshot()).unwrap();
    other.step();
    new.step();
    assert_eq!(other.get(3).unwrap().agent.position, new.get(3).unwrap().agent.position);
}

#[test]
fn broken_bytes_are_refused_and_change_nothing() {
    let valid = small().snapshot();
    let mut pair = group("pair", &[vec2(0.0, 0.0), vec2(20.0, 0.0)]);
    pair.drag = 0.5;
    let mut crowd = Crowd::new(Setup { groups: vec![pair], ..Setup::default() }).unwrap();
    let before = format!("{crowd:?}");
    for length in 0..valid.len() {
        assert!(crowd.migrate(&valid[..length]).is_err(), "{length}");
        let mut bytes = valid[..length].to_vec();
        seal(&mut bytes);
        assert!(crowd.migrate(&bytes).is_err(), "{length}");
    }
    for i in 0..valid.len() {
        let mut bytes = valid.clone();
        bytes[i] ^= 0x80;
        assert!(crowd.migrate(&bytes).is_err(), "byte {i}");
    }
    assert!(format!("{crowd:?}") == before);
    let mut random = Random::new(7, 0, 0, 0);
    let mut taken = 0;
    for valid in [valid, played().snapshot()] {
        for _ in 0..2_000 {
            let mut bytes = valid.clone();
            for _ in 0..=random.bits() % 3 {
                let at = 24 + (random.bits() % (bytes.len() as u64 - 40)) as usize;
                bytes[at] = random.bits() as u8;
            }
            seal(&mut bytes);
            if crowd.migrate(&bytes).is_ok() {
                taken += 1;
                crowd.step();
                assert!(crowd.agents().all(|(_, agent)| agent.position.is_finite()));
            }
        }
    }
    assert!(taken > 300, "most numbers may be any: {taken}");
}
