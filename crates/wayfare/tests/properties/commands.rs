//! Random commands of every kind on a running crowd, against a model that stores what each agent
//! and the world should have, and replayed with other threads through a snapshot to the same
//! digest.

mod model;

use wayfare::behavior::{AvoidObstacles, FollowPath, Seek, Separation, Wander};
use wayfare::crowd::{
    AgentChange, Arrivals, Command, Distribution, Event, Exit, ExitAction, Group, Limit, Line,
    Setting, Setup, Source, Spawn, Stat, State, Track,
};
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::{Auto, Groups, Parameters, StateId, Target};
use wayfare::random::Random;
use wayfare::{AgentId, Crowd, ExitId, GroupId, List, ObstacleId, Order, PathId, SourceId};

use model::Model;

const TICKS: u64 = 200;
const PATHS: [&str; 2] = ["beat", "round"];
const STATES: [[&str; 2]; 2] = [["calm", "hurry"], ["rest", "run"]];

/// Two groups with states that nothing but a command changes, and stats without rates.
fn setup(agents: usize) -> Setup<Vec2> {
    let state = |name: &str, max_speed, radius| State { max_speed, radius, ..State::new(name) };
    let side = (agents as f32).sqrt() * 8.0;
    let area = Shape::box_between(Vec2::ZERO, vec2(side, side));
    let mut red = Group::new("red", agents / 2, Spawn::Inside(area.clone()), 3.0);
    red.speed_cap = Some(6.0);
    red.mass = Distribution::Same(4.0);
    red.steer = List::default()
        .with(Seek { target: Target::Order, within: f32::INFINITY })
        .with(Separation {
            radius: Auto::Fixed(12.0),
            max_force: Auto::Fixed(1.0),
            ..Parameters::<Vec2>::undecoded()
        })
        .with(AvoidObstacles {
            see_ahead: Auto::Fixed(9.0),
            max_avoid_force: Auto::Fixed(2.0),
            ..Parameters::<Vec2>::undecoded()
        });
    red.states = vec![state("calm", None, None), state("hurry", Some(5.0), Some(2.0))];
    red.stats = vec![stat("health", 50.0, 100.0), stat("ammo", 3.0, 9.0)];
    let mut blue = Group::new("blue", agents / 2, Spawn::Inside(area), 2.0);
    blue.steer = List::default()
        .with(FollowPath { path: PathId::ORDER, ..Parameters::<Vec2>::undecoded() })
        .with(Wander::default().circle_distance(3.0).circle_radius(2.0).angle_change(0.7));
    blue.states = vec![state("rest", Some(1.0), None), state("run", Some(4.0), None)];
    blue.start = StateId(1);
    blue.stats = vec![stat("gold", 0.0, 5.0), stat("health", 20.0, 60.0)];
    let path = |points: &[Vec2]| Path::new(points.to_vec(), 4.0, false);
    Setup {
        seed: 7,
        pointer: Some(Track { points: vec![(0.0, Vec2::ZERO)] }),
        obstacles: vec![Shape::Circle { center: vec2(side, side), radius: 5.0 }],
        paths: vec![
            (PATHS[0].to_string(), path(&[vec2(0.0, 0.0), vec2(side, 0.0)])),
            (PATHS[1].to_string(), path(&[vec2(9.0, 9.0), vec2(9.0, side)])),
        ],
        groups: vec![red, blue],
        ..Setup::default()
    }
}

fn stat(name: &str, start: f32, max: f32) -> Stat {
    Stat { name: name.to_string(), start: start.into(), min: 0.0, max }
}

/// A group to be added, with other columns than those of the setup: wider, or with a facing.
fn extra_group(name: String, position: Vec2) -> Group<Vec2> {
    let area = Shape::Circle { center: position, radius: 9.0 };
    let mut group = Group::new(&name, 2, Spawn::Inside(area), 3.0);
    let wander = || Wander::default().circle_distance(3.0).circle_radius(2.0).angle_change(0.7);
    group.steer = List::default()
        .with(Seek { target: Target::Order, within: f32::INFINITY })
        .with(Separation {
            radius: Auto::Fixed(9.0),
            max_force: Auto::Fixed(1.0),
            ..Parameters::<Vec2>::undecoded()
        })
        .with(wander());
    group.states = vec![State::new("calm")];
    group.stats = vec![stat("health", 50.0, 100.0)];
    match name.as_str() {
        "green" => {
            group.steer = group.steer.with(wander()).with(wander());
            group.stats.extend([stat("mana", 1.0, 2.0), stat("luck", 0.5, 1.0)]);
            group.states[0].max_speed = Some(2.0);
        }
        "gold" => (group.turn_rate, group.think_every) = (90.0, 3),
        _ => {}
    }
    group
}

/// A field of one cell.
fn wind() -> FieldPlan<Vec2> {
    let vectors = vec![vec2(1.0, 0.0)];
    FieldPlan::Vectors { origin: Vec2::ZERO, cell: 9.0, columns: 1, rows: Some(1), vectors }
}

/// A command of any kind, which may be refused.
fn any_command(random: &mut Random, next_id: u32) -> Command<Vec2> {
    let mut below = |n: u32| random.bits() as u32 % n;
    let id = AgentId(below(next_id + 1));
    let mut point = || vec2(below(640) as f32 / 8.0, below(640) as f32 / 8.0);
    let position = point();
    let shape = Shape::Circle { center: point(), radius: 3.0 };
    let to = point();
    let group = ["red", "blue", "green", "gold"][below(4) as usize].to_string();
    let path = PATHS[below(2) as usize].to_string();
    let index = below(4) as usize;
    let velocity = (below(2) == 0).then(|| vec2(1.5, 0.5));
    let number = 0.5 + below(64) as f32 / 8.0;
    let agent = |change| Command::Agent { id, change };
    let item = below(6);
    let extra = ["green", "gold", "blue"][below(3) as usize].to_string();
    match below(38) {
        0 => Command::Pointer(Some(position)),
        1 => Command::Add { group, position, velocity },
        2 => Command::Remove(id),
        3 => Command::Move { id, position, velocity },
        4 => Command::AddObstacle(shape),
        5 => Command::SetObstacle(ObstacleId(index as u32), shape),
        6 => Command::RemoveObstacle(ObstacleId(index as u32)),
        7 => Command::AddPoint { path, point: index, position },
        8 => Command::MovePoint { path, point: index, position },
        9 => Command::RemovePoint { path, point: index },
        10 => Command::Set {
            key_path: format!("group[{}].max_speed", below(4)),
            value: Setting::Number(number),
        },
        11 => agent(AgentChange::Order(None)),
        12 => agent(AgentChange::Order(Some(Order::Path(path)))),
        13 | 14 => agent(AgentChange::Order(Some(Order::Agent(AgentId(below(next_id)))))),
        15 | 16 => agent(AgentChange::Order(Some(Order::Point(position)))),
        17 => agent(AgentChange::Limit(
            Limit::ALL[below(4) as usize],
            (below(3) > 0).then_some(number),
        )),
        18 => {
            let state = STATES[below(2) as usize][below(2) as usize];
            agent(AgentChange::State(state.to_string()))
        }
        19 => {
            let stat = ["health", "ammo", "gold"][below(3) as usize].to_string();
            agent(AgentChange::Stat(stat, number * 9.0))
        }
        20 => agent(AgentChange::Group(group)),
        21 => agent(AgentChange::Facing(vec2(0.0, 1.0))),
        22 | 23 => agent(AgentChange::Frozen(below(2) == 0)),
        24 | 25 => Command::AddGroup(Box::new(extra_group(extra, position))),
        26 => Command::RemoveGroup(extra),
        27 => Command::AddPath { name: path, path: Path::new(vec![position, to], 2.0, false) },
        28 => Command::RemovePath(path),
        29 => Command::AddField { name: extra, plan: wind() },
        30 => Command::RemoveField(extra),
        31 => Command::AddLine(Line { name: extra, from: position, to: vec2(-9.0, -9.0) }),
        32 => Command::RemoveLine(extra),
        // So far away that no agent leaves, and so late that none enters.
        33 => Command::AddExit(Exit {
            shape: Shape::Circle { center: vec2(1e8, 0.0), radius: 1.0 },
            groups: Groups::All,
            then: ExitAction::Remove,
        }),
        34 => Command::RemoveExit(ExitId(item)),
        35 => Command::AddSource(Source {
            area: shape,
            group: GroupId(item as usize),
            arrivals: Arrivals::Schedule(vec![(1e6, 1)]),
            most: 9,
            apart: false,
            to: Vec::new(),
        }),
        _ => Command::RemoveSource(SourceId(item)),
    }
}

/// Runs random commands on a crowd of `agents`, checked against the model, then replays them.
fn run(sequence: u32, agents: usize) {
    let setup = setup(agents);
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    let mut model = Model::new(&setup);
    let mut random = Random::new(11, sequence, 0, 0);
    let mut log: Vec<(u64, Command<Vec2>)> = Vec::new();
    for tick in 0..TICKS {
        while random.bits().is_multiple_of(2) {
            let command = any_command(&mut random, model.next_id);
            let accepts = model.apply(&command, &crowd);
            let why = format!("sequence {sequence}, tick {tick}: {command:?}");
            let before = (sequence.is_multiple_of(50) && !accepts).then(|| crowd.snapshot());
            let result = crowd.apply(&command);
            assert_eq!(result.is_ok(), accepts, "{why}: {result:?}");
            assert!(before.is_none_or(|before| before == crowd.snapshot()), "{why}");
            if accepts {
                log.push((tick, command));
                if agents < 100 {
                    model.check(&crowd, &why);
                }
            }
        }
        let lost = model.lose_targets();
        crowd.step();
        let found = crowd.events().iter().filter_map(|event| match event {
            Event::TargetLost { id, target } => Some((id.0, target.0)),
            _ => None,
        });
        assert_eq!(found.collect::<Vec<_>>(), lost, "sequence {sequence}, tick {tick}");
        model.check(&crowd, &format!("sequence {sequence}, after tick {tick}"));
    }
    let mut again = Crowd::new(setup.clone()).unwrap();
    #[cfg(feature = "parallel")]
    again.set_threads(3).unwrap();
    let mut commands = log.iter().peekable();
    for tick in 0..TICKS {
        if tick == TICKS / 2 {
            let snapshot = again.snapshot();
            again = Crowd::new(setup.clone()).unwrap();
            again.restore(&snapshot).unwrap();
        }
        while let Some((_, command)) = commands.next_if(|(at, _)| *at == tick) {
            again.apply(command).unwrap();
        }
        again.step();
    }
    assert_eq!(again.digest(), crowd.digest(), "sequence {sequence}");
    assert_eq!(again.snapshot(), crowd.snapshot(), "sequence {sequence}");
}

#[test]
fn a_thousand_runs_of_random_commands_do_what_a_naive_model_says_and_replay() {
    (0..1_000).for_each(|sequence| run(sequence, 10));
}

#[test]
fn random_commands_on_a_crowd_that_threads_share_replay_to_the_same_digest() {
    (1_000..1_006).for_each(|sequence| run(sequence, 700));
}
