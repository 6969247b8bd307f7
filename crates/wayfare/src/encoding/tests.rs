use core::fmt::Debug;
use core::iter::successors;

use glam::{Vec2, vec2};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::testing::some_values;
use crate::behavior::{Arrive, Steer};
use crate::combine::List;
use crate::context::SteerContext;
use crate::crowd::{
    AgentChange, Arrivals, Command, Distribution, Event, Exit, ExitAction, Group, Limit, Line,
    Perception, Rhythm, Setting, Setup, Source, Spawn, Stat, State,
};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::geometry::path::Path;
use crate::id::{AgentId, ExitId, GroupId, LineId, ObstacleId, SourceId, StateId};
use crate::order::Order;
use crate::parameter::{Groups, Kind, Range, Target, Unit, Value, parameters};
use crate::registry::{Behavior, Registry};

/// The value after a round trip through JSON, which is read by people and describes itself, and
/// through postcard, which neither.
fn through_both<T: Serialize + DeserializeOwned>(value: &T) -> [T; 2] {
    let text = serde_json::to_string(value).unwrap();
    let bytes = postcard::to_allocvec(value).unwrap();
    let read = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    [read, postcard::from_bytes(&bytes).unwrap()]
}

fn is_kept<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    for read in through_both(value) {
        assert_eq!(read, *value);
    }
}

/// The error of reading `text` as a `T`.
fn error<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

/// A setup with one group, whose only behavior is `behavior`.
fn setup_of(behavior: Behavior<Vec2>) -> Setup<Vec2> {
    let mut group = Group::new("guests", 1, Spawn::Points(vec![Vec2::ZERO]), 2.0);
    group.steer = List::default().with(behavior);
    Setup { groups: vec![group], ..Setup::default() }
}

#[test]
fn every_parameter_of_every_behavior_is_kept() {
    for description in Behavior::<Vec2>::LIST {
        let mut behavior = Behavior::<Vec2>::from_name(description.name).unwrap();
        for parameter in description.parameters {
            for value in some_values(parameter.kind) {
                assert!(behavior.set(parameter.name, value.clone()));
                for read in through_both(&behavior) {
                    assert_eq!(format!("{read:?}"), format!("{behavior:?}"), "{value:?}");
                }
            }
        }
    }
}

/// An event of each kind: after one, that of the next kind.
fn after(event: &Event) -> Option<Event> {
    let (id, group) = (AgentId(7), GroupId(2));
    Some(match event {
        Event::Arrived { .. } => Event::StateChanged { id, from: StateId(1), to: StateId(2) },
        Event::StateChanged { .. } => Event::Crossed { id, line: LineId(3), to_left: true },
        Event::Crossed { .. } => Event::Left { id, group, exit: ExitId(4) },
        Event::Left { .. } => Event::Gone { id, group, state: StateId(5) },
        Event::Gone { .. } => Event::TargetLost { id, target: AgentId(8) },
        Event::TargetLost { .. } => Event::GroupArrived { group },
        Event::GroupArrived { .. } => Event::Contact { id, other: AgentId(9) },
        Event::Contact { .. } => Event::Unreachable { id },
        Event::Unreachable { .. } => Event::Entered { id, group, source: SourceId(6) },
        Event::Entered { .. } => return None,
    })
}

#[test]
fn every_event_is_kept() {
    let first = Event::Arrived { id: AgentId(7) };
    let events: Vec<Event> = successors(Some(first), after).collect();
    is_kept(&events);
    let text = serde_json::to_string(&events[2]).unwrap();
    assert_eq!(text, r#"{"crossed":{"id":7,"line":3,"to_left":true}}"#);
}

/// A change of an agent of each kind: after one, that of the next kind.
fn change_after(change: &AgentChange<Vec2>) -> Option<AgentChange<Vec2>> {
    let text = |text: &str| text.to_string();
    Some(match change {
        AgentChange::Order(_) => AgentChange::Limit(Limit::MaxForce, Some(f32::INFINITY)),
        AgentChange::Limit(_, Some(_)) => AgentChange::Limit(Limit::Mass, None),
        AgentChange::Limit(_, None) => AgentChange::State(text("flight")),
        AgentChange::State(_) => AgentChange::Stat(text("stamina"), 0.1),
        AgentChange::Stat(..) => AgentChange::Group(text("wolves")),
        AgentChange::Group(_) => AgentChange::Frozen(true),
        AgentChange::Frozen(_) => AgentChange::Facing(vec2(0.1, -0.2)),
        AgentChange::Facing(_) => return None,
    })
}

/// A setting of each kind: after one, that of the next kind.
fn setting_after(setting: &Setting<Vec2>) -> Option<Setting<Vec2>> {
    Some(match setting {
        Setting::Number(_) => Setting::Flag(false),
        Setting::Flag(_) => Setting::Text("pointer".to_string()),
        Setting::Text(_) => Setting::Texts(vec!["wolves".to_string(), "sheep".to_string()]),
        Setting::Texts(_) => Setting::Point(vec2(1.0, 1e-7)),
        Setting::Point(_) => Setting::Area(Shape::box_between(Vec2::ZERO, Vec2::ONE)),
        Setting::Area(_) => return None,
    })
}

/// A command of each kind: after one, that of the next kind.
fn command_after(command: &Command<Vec2>) -> Option<Command<Vec2>> {
    let (id, position, path) = (AgentId(3), vec2(0.3, -4.5), || "road".to_string());
    let shape = || Shape::Circle { center: position, radius: 2.0 };
    Some(match command {
        Command::Pointer(_) => {
            Command::Add { group: "wolves".to_string(), position, velocity: None }
        }
        Command::Add { .. } => Command::Remove(id),
        Command::Remove(_) => Command::Move { id, position, velocity: Some(Vec2::X) },
        Command::Move { .. } => Command::Agent { id, change: AgentChange::Frozen(true) },
        Command::Agent { .. } => {
            let change = AgentChange::Order(Some(Order::Path(path())));
            Command::Members { group: "wolves".to_string(), change }
        }
        Command::Members { .. } => Command::AddObstacle(shape()),
        Command::AddObstacle(_) => Command::SetObstacle(ObstacleId(1), shape()),
        Command::SetObstacle(..) => Command::RemoveObstacle(ObstacleId(2)),
        Command::RemoveObstacle(_) => {
            let group = setup_of(Behavior::from_name("flock").unwrap()).groups.remove(0);
            Command::AddGroup(Box::new(group))
        }
        Command::AddGroup(_) => Command::RemoveGroup("wolves".to_string()),
        Command::RemoveGroup(_) => {
            let points = vec![position, Vec2::ZERO];
            Command::AddPath { name: path(), path: Path::new(points, 0.1, true) }
        }
        Command::AddPath { .. } => Command::RemovePath(path()),
        Command::RemovePath(_) => {
            let (cell, clearance, area) = (0.1, 0.2, Some((Vec2::ZERO, Vec2::ONE)));
            let plan = FieldPlan::Toward { goals: vec![shape()], cell, clearance, area };
            Command::AddField { name: path(), plan }
        }
        Command::AddField { .. } => Command::RemoveField(path()),
        Command::RemoveField(_) => Command::AddLine(Line::new(path(), position, Vec2::ONE)),
        Command::AddLine(_) => Command::RemoveLine(path()),
        Command::RemoveLine(_) => {
            let (groups, then) = (Groups::only([1]), ExitAction::Respawn(shape()));
            Command::AddExit(Exit::new(shape()).groups(groups).then(then))
        }
        Command::AddExit(_) => Command::RemoveExit(ExitId(3)),
        Command::RemoveExit(_) => {
            let (rate, from, until) = (0.1, 2.0, f64::INFINITY);
            let arrivals = Arrivals::Rate { rate, from, until, rhythm: Rhythm::Random };
            Command::AddSource(Source::new(shape(), GroupId(1), arrivals).most(9))
        }
        Command::AddSource(_) => Command::RemoveSource(SourceId(4)),
        Command::RemoveSource(_) => Command::AddPoint { path: path(), point: 1, position },
        Command::AddPoint { .. } => Command::MovePoint { path: path(), point: 2, position },
        Command::MovePoint { .. } => Command::RemovePoint { path: path(), point: 3 },
        Command::RemovePoint { .. } => {
            let key_path = "group[0].max_force".to_string();
            Command::Set { key_path, value: Setting::Number(f32::INFINITY) }
        }
        Command::Set { .. } => return None,
    })
}

#[test]
fn every_command_with_every_change_and_setting_is_kept() {
    is_kept(&successors(Some(Command::Pointer(None)), command_after).collect::<Vec<_>>());
    is_kept(&Command::Pointer(Some(vec2(1.5, 2.5))));
    is_kept(&successors(Some(AgentChange::Order(None)), change_after).collect::<Vec<_>>());
    is_kept(&successors(Some(Setting::Number(0.1)), setting_after).collect::<Vec<_>>());
    for order in
        [Order::Point(vec2(1.0, 2.0)), Order::Agent(AgentId(4)), Order::Path("road".to_string())]
    {
        is_kept(&AgentChange::Order(Some(order)));
    }
}

#[test]
fn infinite_numbers_are_words_in_text() {
    is_kept(&Agent::new(vec2(1.0, 2.0), 3.0));
    let text = serde_json::to_string(&Agent::new(vec2(1.0, 2.0), 3.0)).unwrap();
    assert!(text.contains(r#""max_force":"inf""#), "{text}");
    is_kept(&Perception::new(Target::<Vec2>::Pointer));
    is_kept(&State::<Vec2>::new("free").max_force(f32::INFINITY));
    is_kept(&Distribution::Uniform(-3.0, f32::INFINITY));
    is_kept(&Distribution::Same(f32::NEG_INFINITY));
    is_kept(&Stat::new("gold", 5.0));
    let setup = setup_of(Behavior::from_name("arrive").unwrap());
    for read in through_both(&setup) {
        assert_eq!(format!("{read:?}"), format!("{setup:?}"));
    }
    assert!(
        error::<Agent<Vec2>>(&text.replace("\"inf\"", "\"far\""))
            .contains("invalid value: string \"far\", expected a number, \"inf\" or \"-inf\"")
    );
}

#[test]
fn an_error_names_the_key() {
    let arrive =
        |parameters: &str| error::<Behavior<Vec2>>(&format!(r#"{{"arrive":{parameters}}}"#));
    let missing = arrive(r#"{"slowing_radius":3}"#);
    assert!(missing.starts_with("`arrive.target` is missing"), "{missing}");
    let unknown = arrive(r#"{"radius":3}"#);
    assert!(
        unknown.starts_with("unknown parameter `arrive.radius`; allowed: `target`"),
        "{unknown}"
    );
    let wrong = arrive(r#"{"target":"pointer","slowing_radius":"far"}"#);
    assert!(wrong.starts_with("`arrive.slowing_radius`: it is \"far\"; allowed: "), "{wrong}");
    let kind = arrive(r#"{"target":3}"#);
    assert!(kind.starts_with("`arrive.target`: "), "{kind}");
    let twice = arrive(r#"{"target":"pointer","target":"pointer"}"#);
    assert!(twice.starts_with("`arrive.target` is given twice"), "{twice}");
    let name = error::<Behavior<Vec2>>(r#"{"arive":{}}"#);
    assert!(name.starts_with("there is no behavior `arive`; allowed: "), "{name}");
    for text in ["{}", r#"{"seek":{"target":"pointer"},"flee":{}}"#, "3"] {
        let count = error::<Behavior<Vec2>>(text);
        assert!(count.contains("the name of a behavior as its only key"), "{count}");
    }
    let setup = error::<Setup<Vec2>>(r#"{"group":[]}"#);
    assert!(setup.starts_with("unknown field `group`, expected one of `dt`"), "{setup}");
    let group = error::<Setup<Vec2>>(r#"{"groups":[{"name":"a"}]}"#);
    assert!(group.starts_with("`group.count` is missing"), "{group}");
    let state = error::<State<Vec2>>(r#"{"name":"a","max_sped":3}"#);
    assert!(state.starts_with("unknown parameter `state.max_sped`"), "{state}");
}

#[test]
fn a_group_of_an_older_log_is_read() {
    let text = r#"{"name":"a","count":1,"spawn":{"points":[[0,1]]},"goal":null,
        "max_speed":{"same":2},
        "stats":[{"name":"s","start":{"same":1},"min":"-inf","max":9}],
        "states":[{"name":"run",
            "limits":{"mass":null,"max_speed":3,"max_force":"inf","radius":null},
            "rates":[[0,0.5]],"steer":{"combine":"sum","epsilon":1e-6,"slots":[]},"leave":[]}]}"#;
    let group: Group<Vec2> = serde_json::from_str(text).unwrap();
    let run = State::new("run").max_speed(3.0).max_force(f32::INFINITY);
    let expected = Group::new("a", 1, Spawn::point(Vec2::Y), 2.0)
        .stat(Stat::new("s", 1.0).max(9.0))
        .state(run.rate(0, 0.5));
    assert_eq!(group, expected);
}

parameters! {
    /// A constant force.
    "drift" = pub struct Drift {
        /// Its length.
        strength: f32 = 1.0, Kind::Number(Range::from_zero(Unit::Speed));
    }
}

impl Steer<Vec2> for Drift {
    fn force(
        &self,
        _: &Agent<Vec2>,
        _: &mut Memory<Vec2>,
        _: &mut SteerContext<'_, Vec2>,
        _: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        vec2(self.strength, 0.0)
    }
}

#[test]
fn a_behavior_of_a_user_is_read_through_its_registry() {
    let mut drift = Behavior::described(Drift { strength: 0.5 });
    assert!(drift.set("strength", Value::Number(0.25)));
    let text = serde_json::to_string(&setup_of(drift)).unwrap();
    let refused = error::<Setup<Vec2>>(&text);
    let expected = "`group.steer`: there is no behavior `drift`; allowed: ";
    assert!(refused.starts_with(expected), "{refused}");
    let mut registry = Registry::default();
    registry.register::<Vec2, Drift>().unwrap();
    let read: Setup<Vec2> = registry.reading(|| serde_json::from_str(&text)).unwrap();
    let behavior = read.groups[0].steer.behaviors().next().unwrap();
    assert_eq!(behavior.get("strength"), Some(Value::Number(0.25)));
    // The registry is in use during the call only.
    assert_eq!(error::<Setup<Vec2>>(&text), refused);
}

#[test]
fn a_behavior_without_described_parameters_is_not_written() {
    let own = Behavior::own("swirl", Arrive::new(Vec2::ZERO));
    let error = serde_json::to_string(&setup_of(own)).unwrap_err().to_string();
    assert!(error.starts_with("the behavior `swirl` has no described parameters"), "{error}");
}
