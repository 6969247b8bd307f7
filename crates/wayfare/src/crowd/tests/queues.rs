//! Queues along paths: places by the order of joining, one agent served at a time, all of them in
//! the end.

use crate::parameter::Auto;
use glam::{Vec2, vec2};

use super::*;
use crate::behavior::{QueueAlong, Separation, queue_place};
use crate::id::StateId;

/// The states of the guests.
const QUEUE: usize = 0;
const SERVED: usize = 1;
const AWAY: usize = 2;

fn state(name: &str, steer: List<Vec2>, leave: Option<Transition<Vec2>>) -> State<Vec2> {
    State { steer, leave: leave.into_iter().collect(), ..State::new(name) }
}

fn queue() -> QueueAlong {
    QueueAlong { slowing_radius: Auto::Fixed(16.0), ..QueueAlong::new(PathId(0)).spacing(12.0) }
}

/// `count` guests with bodies of radius 5 that spawn in `spawn`, queue at the end of a path along
/// +x, are served there for some time and go away.
fn guests(count: usize, spawn: Spawn<Vec2>) -> Group<Vec2> {
    let mut guests = Group::new("guests", count, spawn, 2.0);
    (guests.radius, guests.mass) = (Distribution::Same(5.0), Distribution::Same(2.0));
    let next = |to, when| Some(Transition { to: TransitionTarget::from(to), when });
    let queueing = || List::default().with(queue());
    let served = Condition::TimeInState(Distribution::Uniform(5.0, 25.0).into());
    let gone = Transition {
        to: TransitionTarget::Out(ExitAction::Remove),
        when: Condition::FarFrom(Target::Point(Vec2::ZERO), 300.0),
    };
    guests.states = vec![
        state("queue", queueing(), next(SERVED, Condition::FirstInQueue(true))),
        state("served", queueing(), next(AWAY, served)),
        state("away", List::default().with(seek(vec2(100.0, 400.0))), Some(gone)),
    ];
    guests
}

/// A world of solid bodies with a path of 200 that ends at (0, 0).
fn setup(groups: Vec<Group<Vec2>>) -> Setup<Vec2> {
    let path = Path::new(vec![vec2(-200.0, 0.0), Vec2::ZERO], 5.0, false);
    Setup {
        bodies: Bodies { solid: true, ..Bodies::default() },
        paths: vec![("counter".to_string(), path)],
        groups,
        ..Setup::default()
    }
}

/// Ids and places of the agents in the queue, in the order of their places.
fn places(crowd: &Crowd<Vec2>) -> Vec<(u32, u32)> {
    let place = |i: usize| crowd.population.now.memory(i).iter().find_map(|memory| memory.slot);
    let mut found: Vec<_> = (0..crowd.len())
        .filter_map(|i| place(i).map(|place| (place, crowd.population.now.id[i])))
        .collect();
    found.sort_unstable();
    found
}

fn count_in(crowd: &Crowd<Vec2>, state: usize) -> usize {
    (0..crowd.len()).filter(|&i| crowd.population.now.state[i].state as usize == state).count()
}

/// Steps until all agents have left, and fails unless they are served one at a time in the order in
/// which they got their places.
fn serve_all(crowd: &mut Crowd<Vec2>, ticks: usize) {
    let all = crowd.len();
    let (mut joined, mut served) = (Vec::new(), Vec::new());
    for _ in 0..ticks {
        crowd.step();
        let places = places(crowd);
        // The places are those of the start of the tick, so that they may have left since.
        assert!(places.iter().zip(0..).all(|((place, _), k)| *place == k), "{places:?}");
        joined.extend(
            places.iter().map(|(_, id)| *id).filter(|id| !joined.contains(id)).collect::<Vec<_>>(),
        );
        for event in crowd.events() {
            if let Event::StateChanged { id, to: StateId(SERVED), .. } = *event {
                served.push(id.0);
            }
        }
        assert!(count_in(crowd, SERVED) <= 1, "two are served at once");
        if crowd.is_empty() {
            break;
        }
    }
    assert_eq!(served.len(), all, "served after {} ticks", crowd.tick());
    assert_eq!(served, joined);
    assert!(crowd.is_empty(), "{} are left", crowd.len());
}

#[test]
fn sixty_solid_guests_from_all_sides_are_served_one_by_one_in_the_order_of_joining() {
    for seed in 0..4 {
        let around = Spawn::Inside(Shape::Circle { center: Vec2::ZERO, radius: 160.0 });
        let mut guests = guests(60, around);
        // With and without a distance that they keep.
        if seed % 2 == 1 {
            let apart = Separation::default().radius(14.0).max_force(1.0);
            guests.steer = List::default().with(apart);
        }
        let mut crowd = Crowd::new(Setup { seed, ..setup(vec![guests]) }).unwrap();
        serve_all(&mut crowd, 6_000);
    }
}

#[test]
fn a_guest_that_leaves_frees_its_place_and_comes_back_as_the_last_one() {
    let row = (0..5).map(|k| vec2(-12.0 * k as f32, 3.0)).collect();
    let mut guests = guests(5, Spawn::Points(row));
    guests.states[0].leave.clear();
    let mut crowd = Crowd::new(setup(vec![guests])).unwrap();
    // One joins at each tick, the nearest to the free place first.
    crowd.step();
    assert_eq!(places(&crowd), [(0, 0)]);
    (0..60).for_each(|_| crowd.step());
    assert_eq!(places(&crowd), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]);
    // A state with the same queue keeps the place, another one frees it in the next tick.
    crowd.set_state(1, "served").unwrap();
    crowd.step();
    assert_eq!(places(&crowd)[1], (1, 1));
    crowd.set_state(1, "away").unwrap();
    crowd.step();
    assert_eq!(places(&crowd), [(0, 0), (1, 2), (2, 3), (3, 4)]);
    crowd.set_state(1, "queue").unwrap();
    (0..300).for_each(|_| crowd.step());
    assert_eq!(places(&crowd), [(0, 0), (1, 2), (2, 3), (3, 4), (4, 1)]);
    for (place, id) in places(&crowd) {
        let at = queue_place(&crowd.paths()[0], 12.0, place);
        let distance = (crowd.get(id).unwrap().agent.position - at).length();
        assert!(distance < 0.5, "{id} is {distance} from place {place}");
    }
    assert!(crowd.remove(0));
    crowd.step();
    assert_eq!(places(&crowd), [(0, 2), (1, 3), (2, 4), (3, 1)]);
}

#[test]
fn two_groups_stand_in_one_queue_and_a_wall_keeps_a_guest_from_joining() {
    let near = |x, y| Spawn::Points(vec![vec2(x, y)]);
    let mut first = guests(1, near(-2.0, 0.0));
    first.states[0].leave.clear();
    let second = Group { name: "others".to_string(), ..guests(1, near(-12.0, 8.0)) };
    let wall = Shape::Segment { from: vec2(-40.0, 4.0), to: vec2(40.0, 4.0), thickness: 0.5 };
    for (obstacles, expected) in [(vec![], vec![(0, 0), (1, 1)]), (vec![wall], vec![(0, 0)])] {
        let groups = vec![first.clone(), second.clone()];
        let mut crowd = Crowd::new(Setup { obstacles, ..setup(groups) }).unwrap();
        (0..3).for_each(|_| crowd.step());
        assert_eq!(places(&crowd), expected);
    }
}

#[test]
fn the_shorter_queue_has_fewer_agents_with_those_that_walk_to_it() {
    let mut choosing = guests(1, Spawn::Points(vec![vec2(0.0, 90.0)]));
    choosing.states[0].steer = List::default();
    let when = Condition::ShorterQueue(PathId(1), PathId(0));
    choosing.states[0].leave[0].when = when;
    let far = |count| Spawn::Points((0..count).map(|k| vec2(150.0, 20.0 * k as f32)).collect());
    let mut waiting = guests(2, far(2));
    waiting.name = "waiting".to_string();
    let mut other = guests(2, far(2));
    other.name = "other".to_string();
    other.states[0].steer = List::default().with(QueueAlong { path: PathId(1), ..queue() });
    for (count, chosen) in [(1, SERVED), (2, QUEUE)] {
        let other = Group { count, spawn: far(count), ..other.clone() };
        let mut setup = setup(vec![choosing.clone(), waiting.clone(), other]);
        let beside = Path::new(vec![vec2(-200.0, 50.0), vec2(0.0, 50.0)], 5.0, false);
        setup.paths.push(("other".to_string(), beside));
        let mut crowd = Crowd::new(setup).unwrap();
        crowd.step();
        let row = (0..crowd.len()).find(|&i| crowd.population.now.id[i] == 0).unwrap();
        assert_eq!(
            crowd.population.now.state[row].state as usize, chosen,
            "{count} in the other queue"
        );
    }
}

#[test]
fn a_snapshot_in_the_middle_continues_the_queue() {
    let around = Spawn::Inside(Shape::Circle { center: Vec2::ZERO, radius: 80.0 });
    let setup = setup(vec![guests(20, around)]);
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    (0..150).for_each(|_| crowd.step());
    assert!(places(&crowd).len() > 5);
    let mut restored = Crowd::new(setup).unwrap();
    restored.restore(&crowd.snapshot()).unwrap();
    for _ in 0..300 {
        crowd.step();
        restored.step();
        assert_eq!(crowd.digest(), restored.digest());
    }
}

#[test]
fn a_command_that_would_leave_the_path_of_a_queue_without_length_is_refused() {
    let mut crowd = Crowd::new(setup(vec![guests(3, Spawn::Points(vec![Vec2::ZERO; 3]))])).unwrap();
    let name = crowd.path_names().next().unwrap().to_string();
    let last = crowd.paths()[0].points().len() - 1;
    let first = crowd.paths()[0].points()[0];
    // Down to two points, then to one, or to two at one place.
    for point in (2..=last).rev() {
        crowd.apply(&Command::RemovePoint { path: name.clone(), point }).unwrap();
    }
    let before = crowd.snapshot();
    let remove = Command::RemovePoint { path: name.clone(), point: 1 };
    let fold = Command::MovePoint { path: name, point: 1, position: first };
    for command in [remove, fold] {
        let error = crowd.apply(&command).unwrap_err();
        assert!(
            error.message.contains("would have no length, and `queue_along` of group \"guests\""),
            "{error}"
        );
        assert_eq!(crowd.snapshot(), before);
    }
    // What the run writes is read.
    crowd.clone().restore(&before).unwrap();
}

#[test]
fn a_queue_needs_an_open_path_and_is_the_only_one_of_a_state() {
    let errors = |change: &dyn Fn(&mut Setup<Vec2>)| {
        let mut setup = setup(vec![guests(1, Spawn::Points(vec![Vec2::ZERO]))]);
        setup.groups[0].states.truncate(1);
        setup.groups[0].states[0].leave.clear();
        change(&mut setup);
        setup.errors().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(errors(&|_| ()), [""; 0]);
    let key = "group[0].state[0].steer[0].queue_along.path";
    for (change, expected) in [
        (
            &(|setup: &mut Setup<Vec2>| {
                let path = &mut setup.paths[0].1;
                *path = Path::new(path.points().to_vec(), path.radius, true);
            }) as &dyn Fn(&mut Setup<Vec2>),
            format!("{key}: the path \"counter\" is closed, and a queue needs an end"),
        ),
        (
            &|setup| {
                let path = &mut setup.paths[0].1;
                *path = path.through(path.points()[..1].to_vec());
            },
            format!("{key}: the path \"counter\" has no length"),
        ),
        (
            &|setup| {
                let order = QueueAlong { path: PathId::ORDER, ..queue() };
                setup.groups[0].states[0].steer = List::default().with(order);
            },
            format!("{key}: the path is \"order\", and all members of a queue stand on one path"),
        ),
        (
            &|setup| setup.groups[0].steer = List::default().with(queue()),
            "group[0].state[0].steer[0].queue_along: `queue_along` is the second of its list, and \
             an agent is in one queue at a time"
                .to_string(),
        ),
        (
            &|setup| {
                let nowhere = QueueAlong { path: PathId(7), ..queue() };
                setup.groups[0].states[0].steer = List::default().with(nowhere);
            },
            format!("{key}: there is no path 7"),
        ),
    ] {
        let found = errors(change);
        assert!(found.len() == 1 && found[0].starts_with(&expected), "{found:?}");
    }
}
