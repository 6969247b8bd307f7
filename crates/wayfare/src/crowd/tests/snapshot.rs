//! Snapshots: a restored run continues with the same bits, and bytes that are not a snapshot of
//! this crowd are refused.

use glam::{Vec2, Vec3, vec2};

use super::*;
use crate::agent::Memory;
use crate::annotation::DebugDraw;
use crate::behavior::{Arrive, Steer};
use crate::crowd::snapshot::seal;
use crate::order::WithoutOrder;
use crate::parameter::StateId;
use crate::registry::Behavior;

pub(super) mod everything;
mod migrate;
use everything::{Impatient, everything, play};

fn assert_a_restored_run_continues_like_the_original<V: Vector>(edge: Edge) {
    let mut first = Crowd::new(everything::<V>(edge)).unwrap();
    let start = first.snapshot();
    let expected = play(&mut first, 70);
    let raised =
        |what: fn(&Event) -> bool| expected.iter().flat_map(|(_, events, _)| events).any(what);
    assert!(
        raised(|e| matches!(e, Event::Crossed { .. }))
            && raised(|e| matches!(e, Event::Left { .. }))
            && raised(|e| matches!(e, Event::StateChanged { .. }))
    );
    for tick in [1, 24, 42, 65] {
        let snapshot = &expected[tick - 1].2;
        // A new crowd, a crowd that has run further, and a crowd that was restored before.
        let mut fresh = Crowd::new(everything::<V>(edge)).unwrap();
        for crowd in [&mut fresh, &mut first] {
            crowd.restore(snapshot).unwrap();
            assert_eq!(crowd.tick(), tick as u64);
            assert!(
                crowd.snapshot() == *snapshot,
                "the restored crowd gives the same snapshot: tick {tick}, {edge:?}"
            );
            assert!(play(crowd, 70) == expected[tick..], "from tick {tick}, {edge:?}");
        }
    }
    first.restore(&start).unwrap();
    assert!(play(&mut first, 70) == expected, "{edge:?}");
}

#[test]
fn a_run_restored_at_any_tick_continues_with_the_same_bits() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_a_restored_run_continues_like_the_original::<Vec2>(edge);
    }
    assert_a_restored_run_continues_like_the_original::<Vec3>(Edge::Wrap);
}

#[test]
fn a_restored_crowd_answers_queries_like_the_original() {
    let mut crowd = Crowd::new(everything::<Vec2>(Edge::Wrap)).unwrap();
    play(&mut crowd, 30);
    let mut other = Crowd::new(everything::<Vec2>(Edge::Wrap)).unwrap();
    play(&mut other, 45);
    // Search trees built by queries before `restore` are discarded.
    let query = |crowd: &Crowd<Vec2>| {
        let nearest = crowd
            .nearest(vec2(30.0, 30.0), None)
            .map(|member| (member.id, member.agent, member.state.map(str::to_string)));
        let between: Vec<Vec2> = crowd
            .within(vec2(50.0, 50.0), 30.0, None)
            .iter()
            .map(|m| crowd.between(crowd.row_of(m.id).unwrap() as u32, 0.3).unwrap())
            .collect();
        let counts: Vec<u64> = crowd
            .lines()
            .iter()
            .flat_map(|line| [line.left, line.right])
            .chain(crowd.exits().iter().map(|exit| exit.left))
            .collect();
        let obstacles = crowd.obstacles().to_vec();
        (
            nearest,
            between,
            counts,
            crowd.pointer(),
            obstacles,
            crowd.paths().to_vec(),
            format!("{:?}", crowd.ray(Vec2::ZERO, Vec2::ONE, 90.0)),
        )
    };
    assert!(query(&other) != query(&crowd));
    other.restore(&crowd.snapshot()).unwrap();
    assert!(query(&other) == query(&crowd));
    // Changed numbers of a group apply to agents added later, too.
    let added = [&mut crowd, &mut other].map(|crowd| {
        crowd.add(0, vec2(1.0, 2.0), None).map(|id| (id, crowd.get(id).unwrap().agent))
    });
    assert_eq!(added[0], added[1]);
}

#[test]
fn restoring_a_snapshot_repeatedly_gives_the_same_bits_each_time() {
    // No command in between: only the order of agents and the search trees of queries are out of
    // date.
    let mut crowd = Crowd::new(many::<Vec2>(Edge::Wrap)).unwrap();
    crowd.step();
    let snapshot = crowd.snapshot();
    let ahead = |crowd: &mut Crowd<Vec2>| {
        let nearest = crowd.nearest(vec2(50.0, 50.0), Some(GroupId(2))).map(|member| member.id);
        (0..3).for_each(|_| crowd.step());
        (
            nearest,
            crowd.nearest(vec2(50.0, 50.0), Some(GroupId(2))).map(|member| member.id),
            crowd.digest(),
        )
    };
    let first = ahead(&mut crowd);
    for _ in 0..3 {
        crowd.restore(&snapshot).unwrap();
        assert_eq!(ahead(&mut crowd), first);
    }
}

#[test]
fn an_agent_that_has_arrived_does_not_arrive_again_after_restoring() {
    let mut crowd = small();
    let mut arrived = 0;
    while arrived < 2 && crowd.tick() < 500 {
        crowd.step();
        arrived +=
            crowd.events().iter().filter(|event| matches!(event, Event::Arrived { .. })).count();
    }
    let snapshot = crowd.snapshot();
    let mut other = small();
    other.restore(&snapshot).unwrap();
    assert!(
        arrived == 2
            && other.snapshot() == snapshot
            && !other.events().is_empty()
            && other.events() == crowd.events()
    );
    for _ in 0..20 {
        other.step();
        assert_eq!(other.events(), []);
    }
}

#[test]
fn equal_crowds_give_equal_bytes_in_any_order_in_memory() {
    let mut crowd = Crowd::new(everything::<Vec3>(Edge::Wall)).unwrap();
    play(&mut crowd, 20);
    let snapshot = crowd.snapshot();
    crowd.permute(&(0..crowd.len() as u32).rev().collect::<Vec<_>>());
    assert!(crowd.snapshot() == snapshot);
    crowd.add(0, Vec3::ONE, None).unwrap();
    assert!(crowd.snapshot() != snapshot);
}

#[cfg(feature = "parallel")]
#[test]
fn a_restored_crowd_may_have_other_threads() {
    let mut crowd = Crowd::new(many::<Vec2>(Edge::Wrap)).unwrap();
    (0..5).for_each(|_| crowd.step());
    let snapshot = crowd.snapshot();
    (0..5).for_each(|_| crowd.step());
    for count in [1, 2, 5] {
        let mut other = Crowd::new(many::<Vec2>(Edge::Wrap)).unwrap();
        other.set_threads(count).unwrap();
        other.restore(&snapshot).unwrap();
        assert_eq!(other.threads(), count);
        (0..5).for_each(|_| other.step());
        assert_eq!(other.digest(), crowd.digest(), "{count} threads");
    }
}

/// A crowd of two agents that arrive, one of them across a line: its snapshot is short.
fn small() -> Crowd<Vec2> {
    let mut pair = group("pair", &[vec2(0.0, 0.0), vec2(20.0, 0.0)]);
    pair.steer = List::default().with(Arrive::new(vec2(9.0, 0.0)));
    let line = Line::new("line", vec2(0.1, -9.0), vec2(0.1, 9.0));
    let mut crowd =
        Crowd::new(Setup { lines: vec![line], groups: vec![pair], ..Setup::default() }).unwrap();
    crowd.set_pointer(Some(vec2(1.0, 2.0)));
    crowd.step();
    assert_eq!(crowd.events().len(), 1);
    crowd
}

#[test]
fn every_damaged_byte_is_detected_and_changes_nothing() {
    let (valid, mut crowd) = (small().snapshot(), small());
    crowd.step();
    let before = format!("{crowd:?}");
    for i in 0..valid.len() {
        for bits in [0x01, 0x80, 0xff] {
            let mut bytes = valid.clone();
            bytes[i] ^= bits;
            let error = crowd.restore(&bytes).unwrap_err();
            let expected = match i {
                0..8 => error == SnapshotError::Foreign,
                8..12 => matches!(error, SnapshotError::Version(_)),
                _ => matches!(error, SnapshotError::Damaged(_)),
            };
            assert!(expected, "byte {i}: {error}");
        }
    }
    for length in 0..valid.len() {
        let error = crowd.restore(&valid[..length]).unwrap_err();
        assert!(
            if length < 48 {
                error == SnapshotError::TooShort(length)
            } else {
                matches!(error, SnapshotError::Damaged(_))
            },
            "{length}: {error}"
        );
    }
    for tail in [&[0][..], &[0; 8], &valid] {
        assert!(crowd.restore(&[&valid, tail].concat()).is_err());
    }
    for foreign in [&b"[[group]]\nname = \"a\""[..], b"\x89PNG\r\n\x1a\n", &[0; 100]] {
        assert_eq!(crowd.restore(foreign), Err(SnapshotError::Foreign));
    }
    assert!(format!("{crowd:?}") == before);
    assert_eq!(crowd.restore(&valid), Ok(()));
}

#[test]
fn a_snapshot_of_another_scene_dimension_or_version_is_refused_and_says_so() {
    let crowd = |change: fn(&mut Setup<Vec2>)| {
        let mut setup = everything::<Vec2>(Edge::Wrap);
        change(&mut setup);
        Crowd::new(setup).unwrap()
    };
    let mut same = crowd(|_| ());
    let mut snapshot = same.snapshot();
    let changes: [fn(&mut Setup<Vec2>); 40] = [
        |s| s.dt = 0.25,
        |s| s.seed = 43,
        |s| s.bounds = box_of(Edge::Wall),
        |s| s.pointer = Some(Track::fixed(Vec2::ONE)),
        |s| s.obstacles.push(Shape::Circle { center: Vec2::ONE, radius: 1.0 }),
        |s| s.paths[0].0.push('a'),
        |s| s.fields.push(("way".to_string(), super::fields::toward(4.0))),
        |s| s.paths[0].1.radius = 6.0,
        |s| s.paths[0].1 = s.paths[0].1.through(vec![Vec2::ZERO]),
        |s| {
            let path = &mut s.paths[0].1;
            *path = Path::new(path.points().to_vec(), path.radius, !path.is_closed());
        },
        |s| s.lines[1].to.y = 7.0,
        |s| s.exits[0].groups = Groups::All,
        |s| s.exits[1].then = ExitAction::Remove,
        |s| s.groups.reverse(),
        |s| s.groups[0].name.push('a'),
        |s| s.groups[0].count = 61,
        |s| s.groups[0].drag = 0.1,
        |s| s.groups[0].velocity = StartVelocity::Same(Vec2::X),
        |s| s.groups[0].max_speed = Distribution::Same(4.0),
        |s| s.groups[0].steer.slots[1].weight = 0.2,
        |s| s.groups[0].steer.slots.truncate(2),
        |s| {
            s.groups[2].steer.slots[1] = crate::combine::Slot::new(crate::combine::Entry::Behavior(
                Behavior::own("patient", Impatient),
            ))
        },
        |s| s.groups[0].heading = Some(glam::Vec2::Y),
        |s| s.groups[3].stats[0].start = Distribution::Same(6.0),
        |s| s.groups[3].states[0].rates[0].1 = -2.0,
        |s| s.groups[3].states[1].leave[0].when = Condition::stat(0).at_most(10.0),
        |s| s.groups[3].start = StateId(1),
        |s| s.groups[3].states[1].leave[0].to = TransitionTarget::Out(ExitAction::Remove),
        |s| s.sources[0].most = 7,
        |s| s.sources[0].arrivals = Arrivals::Schedule(vec![(3.0, 1)]),
        |s| s.groups[0].turn_rate = 90.0,
        |s| s.groups[0].speed_cap = Some(90.0),
        |s| s.groups[0].without_order = WithoutOrder::Coast,
        |s| s.groups[3].states[1].mass = Some(3.0),
        |s| s.groups[3].states[1].drag = Some(0.5),
        |s| s.groups[3].states[1].combine = Some(crate::combine::Combine::Dither),
        |s| s.groups[0].turning_radius = Some(3.0),
        |s| s.groups[0].heading_time = 3.0,
        |s| s.groups[0].steer.slots[1].danger = true,
        |s| s.groups[0].steer.combine = crate::combine::Combine::Context,
    ];
    for (i, change) in changes.into_iter().enumerate() {
        assert_eq!(crowd(change).restore(&snapshot), Err(SnapshotError::OtherSetup), "change {i}");
    }
    let deep = Crowd::new(everything::<Vec3>(Edge::Wrap)).unwrap().snapshot();
    assert_eq!(same.restore(&deep), Err(SnapshotError::Dimension(3)));
    assert_eq!(same.restore(&snapshot), Ok(()));
    snapshot[8] = 3;
    seal(&mut snapshot);
    let error = same.restore(&snapshot).unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error),
        ("it is a snapshot of version 3; allowed: version 13", SnapshotError::Version(3))
    );
}

#[test]
fn numbers_that_cannot_be_are_refused_although_the_hash_is_right() {
    let (valid, mut crowd) = (small().snapshot(), small());
    // 72 bytes for each of two agents, column by column, before the hash.
    let columns = valid.len() - 8 - 2 * 72;
    let agent = |column: usize, size: usize| columns + 2 * column + size;
    // The values after the names: pointer, counts of the line, one event, no ways, no own settings.
    let after = columns - 55;
    let nan = f32::NAN.to_le_bytes();
    let cases: [(usize, &[u8], &str); 20] = [
        (24, &[0xff; 8], "at tick 18446744073709551615"),
        (32, &[1, 0, 0, 0], "the id 1 is out of order, or not below 1"),
        (36, &[3, 0, 0, 0], "144 bytes are left for 3 agents of 72 bytes each"),
        (36, &[0xff; 4], "it is of 4294967295 agents"),
        (40, &[0xff; 8], "it is too short for a list of"),
        (after, &[16], "flags are 16"),
        (after + 1, &nan, "the pointer is at Vec2(NaN, 2.0)"),
        // Two counts of the line, the number of events, and the one event: its kind, who, and the
        // line.
        (after + 25, &[0xff; 8], "it is too short for a list of 18446744073709551615"),
        (after + 33, &[10], "there is no event 10"),
        (after + 38, &[1], "an event does not fit the setup"),
        (agent(0, 4), &[0; 4], "the id 0 is out of order"),
        (agent(4, 4), &[1], "agent 1: its group is 1; allowed: below 1"),
        (agent(8, 0), &[1], "agent 0: its state is 1; allowed: below 1"),
        (agent(12, 0), &[2], "agent 0: it waits and moves; allowed: a velocity of zero"),
        (agent(20, 0), &nan, "agent 0: its position is Vec2(NaN, 0.0)"),
        (agent(28, 0), &nan, "agent 0: its speed is NaN"),
        (agent(36, 0), &nan, "agent 0: its heading is NaN long"),
        (agent(44, 0), &[0; 4], "agent 0: its mass is 0; allowed: a time above 0"),
        (agent(44, 4), &[0, 0, 0, 0x7f], "agent 0: its max_speed is"),
        (agent(60, 8), &nan, "agent 1: its position a tick before is"),
    ];
    for (at, bytes, expected) in cases {
        let mut snapshot = valid.clone();
        snapshot[at..at + bytes.len()].copy_from_slice(bytes);
        seal(&mut snapshot);
        let error = crowd.restore(&snapshot).unwrap_err().to_string();
        assert!(
            error.starts_with("it is damaged: ") && error.contains(expected),
            "{error}\n{expected}"
        );
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let mut random = Random::new(5, 0, 0, 0);
    let scenes = [
        small().snapshot(),
        Crowd::new(everything::<Vec2>(Edge::Wrap)).unwrap().snapshot(),
        super::structure::built::<Vec2>(Edge::Wrap).snapshot(),
    ];
    let crowds = [
        small(),
        Crowd::new(everything::<Vec2>(Edge::Wrap)).unwrap(),
        super::structure::built::<Vec2>(Edge::Wrap),
    ];
    let (scenes, crowds) = (scenes.to_vec(), crowds.to_vec());
    #[cfg(feature = "navigation")]
    let (scenes, crowds) = {
        let (walking, start) = super::navigate::on_the_way();
        ([scenes, vec![walking.snapshot()]].concat(), [crowds, vec![start]].concat())
    };
    let mut restored = 0;
    let rounds = [4_000, 2_000, 2_000, 2_000];
    for ((valid, mut crowd), rounds) in scenes.into_iter().zip(crowds).zip(rounds) {
        for _ in 0..rounds {
            let mut bytes = valid.clone();
            // Up to three changes anywhere behind the fingerprint, of one byte or four, and
            // sometimes another length.
            for _ in 0..=random.bits() % 3 {
                let at = 24 + (random.bits() % (bytes.len() as u64 - 40)) as usize;
                let by = random.bits().to_le_bytes();
                let size = if random.bits().is_multiple_of(2) { 1 } else { 4 };
                bytes[at..at + size].copy_from_slice(&by[..size]);
            }
            if random.bits().is_multiple_of(4) {
                bytes.truncate((random.bits() % bytes.len() as u64) as usize);
            }
            seal(&mut bytes);
            if crowd.restore(&bytes).is_ok() {
                restored += 1;
                crowd.step();
                assert!(crowd.agents().all(|(_, agent)| agent.position.is_finite()));
            }
            let noise: Vec<u8> = (0..random.bits() % 200).map(|_| random.bits() as u8).collect();
            assert!(crowd.restore(&noise).is_err());
        }
        crowd.restore(&valid).unwrap();
    }
    assert!(restored > 300, "most numbers may be any: {restored}");
}

#[test]
fn every_parameter_of_every_behavior_is_kept() {
    use crate::behavior::testing::some_values;
    let groups = |behavior: Behavior<Vec2>| {
        let mut others: Vec<_> = ["b", "c"].map(|name| group(name, &[vec2(1.0, 1.0)])).to_vec();
        let mut first = group("a", &[vec2(0.0, 0.0)]);
        (first.steer, first.radius) = (List::default().with(behavior), Distribution::Same(0.5));
        others.insert(0, first);
        others
    };
    let paths: Vec<_> = ["p", "q", "r", "s"]
        .map(|name| (name.to_string(), Path::new(vec![Vec2::ZERO, Vec2::ONE], 1.0, false)))
        .to_vec();
    let fields: Vec<_> =
        ["p", "q", "r", "s"].map(|name| (name.to_string(), super::fields::toward(9.0))).to_vec();
    for description in super::available() {
        let mut blank = Behavior::<Vec2>::from_name(description.name).unwrap();
        for parameter in description.parameters.iter().filter(|parameter| parameter.required) {
            blank.set(parameter.name, some_values(parameter.kind).pop().unwrap());
        }
        if description.name == "queue_along" {
            blank.set("path", Value::Path(PathId(3)));
        }
        let (paths, fields, pointer) =
            (paths.clone(), fields.clone(), Some(Track::fixed(Vec2::ONE)));
        let setup =
            Setup { paths, fields, pointer, groups: groups(blank.clone()), ..Setup::default() };
        let mut crowd = Crowd::new(setup).unwrap();
        let start = crowd.snapshot();
        for parameter in description.parameters {
            // Of the smallest cells there would be too many.
            let fits = |value: &Value<Vec2>| {
                (description.name != "explore" || *value != Value::Number(1e-9))
                    && (description.name != "queue_along" || *value != Value::Path(PathId::ORDER))
            };
            for value in some_values(parameter.kind).into_iter().filter(fits) {
                let crate::combine::Entry::Behavior(behavior) =
                    &mut crowd.origin.setup.groups[0].steer.slots[0].entry
                else {
                    panic!("it is one")
                };
                if description.name == "navigate" && parameter.name != "target" {
                    // A choice needs several points.
                    behavior.set("target", Value::Target(Target::Point(vec2(9.0, 9.0))));
                    behavior.set("alternatives", Value::Points(vec![Vec2::ONE]));
                }
                assert!(behavior.set(parameter.name, value.clone()));
                let key_path = format!("{}.{}", description.name, parameter.name);
                crowd.rebuild();
                let snapshot = crowd.snapshot();
                crowd.restore(&start).unwrap();
                assert!(crowd.snapshot() == start, "{key_path}");
                assert_eq!(crowd.restore(&snapshot), Ok(()), "{key_path}");
                let behavior = crowd.origin.setup.groups[0].steer.behaviors().next().unwrap();
                assert_eq!(behavior.get(parameter.name), Some(value), "{key_path}");
            }
        }
    }
}
