//! A crowd with every kind of state, and a run of it with commands.

use glam::Vec2;

use super::*;
use crate::parameter::Auto;
use crate::parameter::Needs;

/// A user's behavior with a memory: its force grows with the number of its evaluations.
#[derive(Debug)]
pub(in crate::crowd::tests) struct Impatient;

impl<V: Vector> Steer<V> for Impatient {
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        _: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        memory.own[0] += 0.01;
        memory.own[3] = f32::NAN;
        memory.heading = Some(host.heading);
        host.heading * memory.own[0]
    }
    fn needs(&self) -> Needs {
        Needs::MEMORY
    }
}

/// A setup with every kind of state that a snapshot includes.
pub(in crate::crowd::tests) fn everything<V: Vector>(edge: Edge) -> Setup<V> {
    let mut setup = mixed::<V>(box_of(edge));
    let middle = V::from_fn(|_| 50.0);
    let door =
        |name: &str, x| Line::new(name, V::from_flat(vec2(x, -50.0)), V::from_flat(vec2(x, 150.0)));
    setup.lines = vec![door("one", 20.0), door("two", 70.0)];
    let exit = |x: f32, radius, groups, then| {
        Exit::new(Shape::Circle { center: middle * x, radius }).groups(groups).then(then)
    };
    setup.exits = vec![
        exit(1.2, 6.0, Groups::only([0, 1]), ExitAction::Remove),
        exit(
            0.5,
            9.0,
            Groups::All,
            ExitAction::Respawn(Shape::Circle { center: middle, radius: 30.0 }),
        ),
    ];
    let arrivals = Arrivals::Rate { rate: 0.3, from: 4.0, until: 1e3, rhythm: Rhythm::Random };
    setup.sources = vec![Source {
        area: Shape::Circle { center: middle * 0.3, radius: 9.0 },
        group: GroupId(2),
        arrivals,
        most: 70,
        apart: false,
        to: vec![(middle, 1.0), (middle * 1.2, 2.0)],
    }];
    setup.groups[1].start_after = StartAfter::Drawn(Distribution::Uniform(0.0, 9.0));
    setup.groups[2].start_after = StartAfter::Drawn(Distribution::Normal(3.0, 2.0));
    setup.pointer = Some(Track { points: vec![(0.0, V::ZERO), (30.0, middle)] });
    setup.obstacles = vec![
        Shape::Circle { center: middle * 1.5, radius: 5.0 },
        Shape::Polygon { points: vec![Vec2::ZERO, vec2(9.0, 0.0), vec2(0.0, 9.0)] },
    ];
    let arrive =
        Arrive { target: Target::Pointer, slowing_radius: Auto::Auto, within: f32::INFINITY };
    let avoid = crate::behavior::AvoidObstacles::default().see_ahead(9.0).max_avoid_force(2.0);
    setup.groups[1]
        .steer
        .slots
        .insert(0, crate::combine::Slot::new(crate::combine::Entry::Behavior(avoid.into())));
    let explore = crate::behavior::Explore {
        area: Shape::box_between(middle * 0.2, middle * 1.8),
        cell: Auto::Fixed(30.0),
    };
    setup.groups[0]
        .steer
        .slots
        .push(crate::combine::Slot::new(crate::combine::Entry::Behavior(explore.into())));
    setup.groups[2].steer = List::default()
        .with(arrive)
        .with(Behavior::own("impatient", Impatient))
        .nested(0.5, setup.groups[2].steer.clone());
    setup
}

/// Commands of every kind for `tick`; some name agents that have left.
fn commands<V: Vector>(tick: u64) -> Vec<Command<V>> {
    let at = |k: f32| V::from_fn(|i| (tick as f32 * k + i as f32 * 31.0) % 100.0);
    let round = || "round".to_string();
    let set = |key_path: &str, x| Command::Set {
        key_path: key_path.to_string(),
        value: Setting::Number(x),
    };
    let off = |key_path: &str, off| Command::Set {
        key_path: key_path.to_string(),
        value: Setting::Flag(off),
    };
    match tick % 16 {
        0 => {
            vec![off("group[0].steer[1].off", tick < 16), off("group[2].steer[2].off", tick >= 16)]
        }
        1 => vec![
            Command::Pointer(Some(at(7.0))),
            Command::Add { group: "birds".to_string(), position: at(3.0), velocity: None },
        ],
        3 => vec![
            Command::Remove(AgentId(tick as u32)),
            Command::AddObstacle(Shape::Circle { center: at(5.0), radius: 3.0 }),
        ],
        5 => vec![
            Command::Move { id: AgentId(101), position: at(11.0), velocity: Some(V::X) },
            Command::AddPoint { path: round(), point: 1, position: at(13.0) },
        ],
        7 => vec![
            set("group[0].max_speed", 2.0 + tick as f32 * 0.1),
            set("group[0].steer[1].weight", 0.3),
        ],
        9 => vec![
            set("group[0].steer[2].explore.cell", if tick < 16 { 20.0 } else { 25.0 }),
            Command::MovePoint { path: round(), point: 0, position: at(2.0) },
            set("group[0].steer[0].flock.radius", 10.0 + tick as f32 * 0.1),
        ],
        11 => vec![
            Command::SetObstacle(ObstacleId(0), Shape::Circle { center: at(17.0), radius: 4.0 }),
            Command::Pointer(None),
        ],
        13 => vec![
            set("group[1].steer[2].queue.separation.radius", 9.0),
            set("group[2].steer[2].all[0].chance", 0.9),
        ],
        15 => vec![
            Command::RemoveObstacle(ObstacleId(1)),
            Command::RemovePoint { path: round(), point: 1 },
            set("group[1].mass", 3.0),
        ],
        _ => Vec::new(),
    }
}

/// Runs up to `end`; returns digest, events and snapshot of every tick.
pub(in crate::crowd::tests) fn play<V: Vector>(
    crowd: &mut Crowd<V>,
    end: u64,
) -> Vec<(u64, Vec<Event>, Vec<u8>)> {
    let mut ticks = Vec::new();
    while crowd.tick() < end {
        for command in commands(crowd.tick()) {
            let _ = crowd.apply(&command);
        }
        crowd.step();
        ticks.push((crowd.digest(), crowd.events().to_vec(), crowd.snapshot()));
    }
    ticks
}
