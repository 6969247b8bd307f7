//! Command logs: a written log reads back, a replay equals the recorded run, and every wrong line
//! is explained.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::behavior::{Seek, Wander};
use wayfare::crowd::{
    AgentChange, Arrivals, Command, Distribution, Exit, ExitAction, Group, Limit, Line, Rhythm,
    Setting, Spawn,
};
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam::{Vec2, Vec3, vec2, vec3};
use wayfare::parameter::{Groups, Target};
use wayfare::{AgentId, Crowd, ExitId, GroupId, List, Log, ObstacleId, Order, SourceId, Vector};
use wayfare_scene::{AnyScene, Format, Severity, Source, log_text, problem_of, read, read_log};

/// A scene on which every command can be applied.
const SCENE: &str = r#"
[bounds]
min = [0, 0]
max = [300, 300]
edge = "wrap"
[pointer]
track = [[0, 100, 100], [60, 250, 30]]
[path.beat]
points = [[100, 100], [280, 60], [20, 200]]
radius = 20
closed = true
[line.door]
from = [150, 0]
to = [150, 300]
[[exit]]
circle = { center = [150, 150], radius = 12 }
groups = ["walkers"]
[[exit]]
circle = { center = [40, 250], radius = 20 }
then = { respawn = { box = { min = [10, 10], max = [290, 60] } } }
[[group]]
name = "walkers"
count = 60
spawn = { box = { min = [0, 0], max = [300, 300] } }
velocity = "random"
mass = { uniform = [5, 10] }
max_speed = { normal = [2, 0.4] }
[[group.steer]]
separation = { radius = 20, max_force = 2 }
[[group.steer]]
follow_path = { path = "beat" }
[[group.steer]]
avoid_obstacles = { see_ahead = 30, max_avoid_force = 3 }
[[group]]
name = "guests"
count = 20
spawn = { box = { min = [0, 0], max = [300, 300] } }
max_speed = 2
mass = 5
[[group.steer]]
arrive = { target = "pointer", slowing_radius = 40 }
[[group.steer]]
wander = { circle_distance = 6, circle_radius = 8, angle_change = 1 }
[group.stat."a b"]
start = 1
[[group.state]]
name = '"calm"'
"#;

fn source(text: &str) -> Source {
    Source { name: "log.jsonl".to_string(), text: text.to_string() }
}

fn crowd() -> Crowd<Vec2> {
    let Ok(AnyScene::TwoD(scene)) = read(&source(SCENE), Format::Toml) else {
        panic!("SCENE is not a scene of the plane")
    };
    Crowd::new(scene.setup).unwrap()
}

/// Every command at least once, with and without its optional parts, with numbers that need all
/// digits to be written.
fn commands() -> Vec<Command<Vec2>> {
    let set = |place: &str, value| Command::Set { key_path: place.to_string(), value };
    let agent = |id, change| Command::Agent { id: AgentId(id), change };
    let (beat, guests) = (|| "beat".to_string(), || "guests".to_string());
    vec![
        Command::Pointer(Some(vec2(0.1, 1.0 / 3.0))),
        Command::Add {
            group: guests(),
            position: vec2(1e-7, 299.999_97),
            velocity: Some(vec2(-0.0, 1.5)),
        },
        Command::Add {
            group: "walkers".to_string(),
            position: vec2(16_777_215.0, 5.0),
            velocity: None,
        },
        Command::Remove(AgentId(3)),
        Command::Move { id: AgentId(5), position: vec2(-0.0, 120.5), velocity: None },
        Command::Move {
            id: AgentId(6),
            position: vec2(9.25, 1e9),
            velocity: Some(vec2(0.7, -0.7)),
        },
        agent(70, AgentChange::Order(Some(Order::Point(vec2(33.3, 0.1))))),
        agent(71, AgentChange::Order(Some(Order::Agent(AgentId(70))))),
        agent(72, AgentChange::Order(Some(Order::Path(beat())))),
        agent(72, AgentChange::Order(None)),
        agent(71, AgentChange::Limit(Limit::MaxSpeed, Some(0.7))),
        agent(71, AgentChange::Limit(Limit::MaxForce, Some(f32::INFINITY))),
        agent(71, AgentChange::Limit(Limit::Mass, Some(5.3))),
        agent(71, AgentChange::Limit(Limit::Radius, Some(0.1))),
        agent(71, AgentChange::Limit(Limit::MaxSpeed, None)),
        agent(61, AgentChange::State("\"calm\"".to_string())),
        agent(61, AgentChange::Stat("a b".to_string(), 0.1)),
        agent(62, AgentChange::Group("walkers".to_string())),
        agent(73, AgentChange::Frozen(true)),
        agent(73, AgentChange::Facing(vec2(0.3, -0.7))),
        agent(73, AgentChange::Frozen(false)),
        Command::AddObstacle(Shape::Circle { center: vec2(100.3, 90.1), radius: 13.7 }),
        Command::AddObstacle(Shape::Box {
            center: vec2(200.0, 50.0),
            half: vec2(20.3, 7.7),
            angle: 0.123_456_79,
        }),
        Command::SetObstacle(
            ObstacleId(0),
            Shape::Segment { from: vec2(10.0, 20.0), to: vec2(50.0, 90.0), thickness: 3.3 },
        ),
        Command::SetObstacle(
            ObstacleId(1),
            Shape::Polygon { points: vec![vec2(70.0, 90.0), vec2(90.0, 90.0), vec2(80.1, 110.0)] },
        ),
        Command::RemoveObstacle(ObstacleId(0)),
        Command::AddGroup(Box::new(patrol())),
        Command::AddPath {
            name: "a \"b\"".to_string(),
            path: Path::new(vec![vec2(0.1, 0.7), vec2(9.0, 1.0)], 3.3, true),
        },
        Command::AddField {
            name: "wind".to_string(),
            plan: FieldPlan::Vectors {
                origin: Vec2::ZERO,
                cell: 9.1,
                columns: 1,
                rows: None,
                vectors: vec![vec2(0.3, 0.1)],
            },
        },
        Command::AddLine(Line {
            name: "gate".to_string(),
            from: vec2(0.1, 0.0),
            to: vec2(9.0, 0.3),
        }),
        Command::AddExit(Exit {
            shape: Shape::Circle { center: vec2(800.0, 0.0), radius: 0.1 },
            groups: Groups::only([0]),
            then: ExitAction::Respawn(Shape::box_between(Vec2::ZERO, vec2(0.3, 9.0))),
        }),
        Command::AddSource(wayfare::crowd::Source {
            area: Shape::Circle { center: Vec2::ZERO, radius: 0.7 },
            group: GroupId(0),
            arrivals: Arrivals::Rate {
                rate: 0.1,
                from: 0.3,
                until: f64::INFINITY,
                rhythm: Rhythm::Random,
            },
            most: 80,
            apart: false,
            to: Vec::new(),
        }),
        Command::RemoveSource(SourceId(0)),
        Command::RemoveExit(ExitId(2)),
        Command::RemoveLine("gate".to_string()),
        Command::RemoveField("wind".to_string()),
        Command::RemovePath("a \"b\"".to_string()),
        Command::RemoveGroup("patrol".to_string()),
        Command::AddPoint { path: beat(), point: 3, position: vec2(250.0, 250.1) },
        Command::MovePoint { path: beat(), point: 1, position: vec2(270.0, 90.3) },
        Command::RemovePoint { path: beat(), point: 0 },
        set("group[0].steer[0].separation.radius", Setting::Number(24.3)),
        set("group[0].steer[0].weight", Setting::Number(1.1)),
        set("group[0].steer[0].separation.of", Setting::Texts(vec![guests()])),
        set("group[1].max_speed", Setting::Number(2.3)),
        set("group[1].max_force", Setting::Text("inf".to_string())),
        set("group[1].steer[0].arrive.slowing_radius", Setting::Text("auto".to_string())),
        set("group[1].steer[0].arrive.target", Setting::Point(vec2(33.3, 44.4))),
        Command::Pointer(None),
    ]
}

/// A group of two, with numbers that no short decimal has.
fn patrol() -> Group<Vec2> {
    let points = vec![vec2(0.1, 0.2), vec2(1.0 / 3.0, 7.0)];
    let mut patrol = Group::new("patrol", 2, Spawn::Points(points), 1.3);
    patrol.mass = Distribution::Uniform(0.3, 0.7);
    patrol.radius = Distribution::Normal(0.3, 0.1);
    let seek = Seek { target: Target::Group(GroupId(0)), within: f32::INFINITY };
    patrol.steer = List::default()
        .weighted(0.1, seek)
        .with(Wander::default().circle_distance(2.2).circle_radius(1.1).angle_change(0.7));
    patrol
}

#[test]
fn a_replay_of_scene_and_log_equals_the_recorded_run() {
    let (mut recorded, mut log) = (crowd(), Log::default());
    let (mut digests, mut events) = (Vec::new(), Vec::new());
    let mut commands = commands().into_iter();
    for tick in 0..90 {
        // Four commands at every sixth tick, from tick 0 on.
        if tick % 6 == 0 {
            for command in commands.by_ref().take(4) {
                log.record(&mut recorded, command.clone())
                    .unwrap_or_else(|error| panic!("{command:?}: {error}"));
            }
        }
        recorded.step();
        digests.push(recorded.digest());
        events.push(recorded.events().to_vec());
    }
    assert!(
        commands.next().is_none()
            && recorded.exits().iter().all(|exit| exit.left > 0)
            && recorded.lines()[0].left > 0
    );

    let text = log_text(&log);
    let mut replayed = read_log(&source(&text), 1.0).unwrap_or_else(|problems| {
        panic!("{}", source(&text).render(Severity::Error, &problems, false))
    });
    let mut crowd = crowd();
    for tick in 0..90 {
        replayed.apply(&mut crowd).unwrap();
        // The order of rows must not matter.
        let count = crowd.len() as u32;
        crowd.permute(&(0..count).map(|i| (i + tick) % count).collect::<Vec<_>>());
        crowd.step();
        assert_eq!(
            (crowd.digest(), crowd.events()),
            (digests[tick as usize], &events[tick as usize][..]),
            "at tick {tick}"
        );
    }
    assert_eq!(
        (replayed.remaining(), crowd.lines(), log_text(&replayed)),
        (0, recorded.lines(), text)
    );
}

fn assert_reads_back<V: Vector>(commands: Vec<Command<V>>) {
    let mut text = String::new();
    for (i, command) in commands.iter().enumerate() {
        // Log::of does not check commands: a log is checked when it is applied.
        text.push_str(&log_text(&Log::of([(i as u64 / 2, command.clone())])));
    }
    let log = read_log::<V>(&source(&text), 1.0).unwrap_or_else(|problems| {
        panic!("{}", source(&text).render(Severity::Error, &problems, false))
    });
    let back: Vec<_> = log.commands().map(|(tick, command)| (tick, command.clone())).collect();
    let expected: Vec<_> =
        commands.into_iter().enumerate().map(|(i, command)| (i as u64 / 2, command)).collect();
    assert_eq!(format!("{back:?}"), format!("{expected:?}"));
}

#[test]
fn every_written_command_reads_back_to_the_bit() {
    let set = |value| Command::Set {
        key_path: "group[0].state[1].steer[2].all[0].roam.area".to_string(),
        value,
    };
    let more = [
        set(Setting::Flag(false)),
        set(Setting::Text("a \"quoted\" \\ name\n\u{1b}\u{7f} ü".to_string())),
        set(Setting::Texts(vec![])),
        set(Setting::Area(Shape::Box {
            center: vec2(-0.0, 1.0),
            half: vec2(0.1, 0.3),
            angle: -3.1,
        })),
        Command::AddObstacle(Shape::Circle {
            center: vec2(f32::MIN_POSITIVE, -1e9),
            radius: 1e-30,
        }),
        Command::Remove(AgentId(u32::MAX)),
    ];
    let to_members = |command: Command<Vec2>| match command {
        Command::Agent { change, .. } => Some(Command::Members { group: "a b".into(), change }),
        _ => None,
    };
    let commands = || commands().into_iter().chain(commands().into_iter().filter_map(to_members));
    assert_reads_back(commands().chain(more).collect());
    let text = log_text(&Log::of(commands().map(|command| (0, command))));
    for keys in wayfare_scene::log_commands() {
        let has = |line: &str| keys.iter().all(|key| line.contains(&format!("\"{key}\": ")));
        assert!(text.lines().any(has), "no command here is written with {keys:?}");
    }
    let point = vec3(0.1, -0.0, 3e-8);
    assert_reads_back::<Vec3>(vec![
        Command::Pointer(Some(point)),
        Command::Add { group: String::new(), position: point, velocity: Some(point) },
        Command::AddObstacle(Shape::Box { center: point, half: vec3(0.1, 0.2, 0.3), angle: 1.0 }),
        Command::AddObstacle(Shape::Polygon {
            points: vec![vec2(0.0, 0.1), vec2(5.0, 0.0), vec2(1.0, 7.0)],
        }),
        Command::Set {
            key_path: "group[0].steer[0].seek.target".to_string(),
            value: Setting::Point(point),
        },
    ]);
}

#[test]
fn a_command_recorded_during_a_replay_replaces_the_rest_of_the_log() {
    let (mut crowd, mut log) =
        (crowd(), Log::of([(0, Command::Remove(AgentId(1))), (5, Command::Remove(AgentId(2)))]));
    log.apply(&mut crowd).unwrap();
    crowd.step();
    assert_eq!(
        (log.remaining(), log.record(&mut crowd, Command::Remove(AgentId(9)))),
        (1, Ok(None))
    );
    assert_eq!(
        log_text(&log),
        "{\"format\": 1}\n{\"tick\": 0, \"remove\": 1}\n{\"tick\": 1, \"remove\": 9}\n"
    );
    // A refused command is not recorded.
    assert!(
        log.record(&mut crowd, Command::Remove(AgentId(9))).is_err() && log.commands().count() == 2
    );
}

#[test]
fn every_wrong_line_is_explained_at_its_position() {
    insta::glob!("logs/*.jsonl", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = Source { name, text: std::fs::read_to_string(path).unwrap() };
        let problems = match read_log::<Vec2>(&source, 1.0) {
            Err(problems) => problems,
            // These lines read, but the crowd refuses them: each is applied by itself.
            Ok(_) => source
                .text
                .split_inclusive('\n')
                .scan(0, |start, line| {
                    let mut text = "\n".repeat(*start);
                    *start += line.len();
                    text.push_str(line);
                    let padded = Source { text, ..source.clone() };
                    let mut log = read_log::<Vec2>(&padded, 1.0).unwrap();
                    Some(problem_of(log.apply(&mut crowd()).expect_err(line), &padded))
                })
                .collect(),
        };
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            snapshot_path => "logs/snapshots",
            omit_expression => true
        }, {
            insta::assert_snapshot!("explained", source.render(Severity::Error, &problems, false));
        });
    });
}

#[test]
fn a_cut_log_keeps_the_commands_before_the_cut_and_can_be_continued() {
    let text = "{\"tick\": 0, \"remove\": 3}\n{\"tick\": 2, \"remove\": 4}\n{\"tick\": 5, \
                \"remove\": 5}\n";
    let mut log = read_log::<Vec2>(&source(text), 1.0).unwrap();
    log.go_to(2);
    assert_eq!(log.remaining(), 2);
    log.cut();
    let kept = "{\"format\": 1}\n{\"tick\": 0, \"remove\": 3}\n";
    assert_eq!((log.remaining(), log_text(&log).as_str()), (0, kept));
    let mut crowd = crowd();
    log.record(&mut crowd, Command::Remove(AgentId(7))).unwrap();
    assert_eq!(
        log.commands().map(|(tick, command)| (tick, command.clone())).collect::<Vec<_>>(),
        [(0, Command::Remove(AgentId(3))), (0, Command::Remove(AgentId(7)))]
    );
}

#[test]
fn a_log_is_read_with_and_without_the_number_of_its_format() {
    let line = "{\"tick\": 0, \"remove\": 3}\n";
    let old = read_log::<Vec2>(&source(line), 1.0).unwrap();
    let new = read_log::<Vec2>(&source(&format!("{{\"format\": 1}}\n{line}")), 1.0).unwrap();
    assert!(old.commands().eq(new.commands()) && log_text(&old) == log_text(&new));
    let later = read_log::<Vec2>(&source(&format!("{{\"format\": 2}}\n{line}")), 1.0).unwrap_err();
    assert_eq!(later[0].message, "`format` is the number 2");
}
