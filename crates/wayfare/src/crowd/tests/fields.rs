//! Flow fields in a crowd: errors, and updates after changes of obstacles.

use glam::{Vec2, vec2};

use super::*;
use crate::behavior::FollowFlow;
use crate::geometry::flow_field::{FieldPlan, FlowField};
use crate::parameter::FieldId;

/// The shortest paths to the right side of a world from (0, 0) to (100, 100).
pub(super) fn toward(cell: f32) -> FieldPlan<Vec2> {
    FieldPlan::Toward {
        goals: vec![Shape::box_between(vec2(95.0, 40.0), vec2(100.0, 60.0))],
        cell,
        clearance: 2.0,
        area: Some((Vec2::ZERO, vec2(100.0, 100.0))),
    }
}

/// Twenty agents on the left, and a wall in the middle.
fn setup(edge: Edge) -> Setup<Vec2> {
    let mut guests = Group::new(
        "guests",
        20,
        Spawn::Inside(Shape::box_between(vec2(5.0, 30.0), vec2(20.0, 70.0))),
        1.0,
    );
    guests.mass = Distribution::Same(3.0);
    guests.steer =
        List::default().with(FollowFlow { slowing_radius: 15.0, ..FollowFlow::new(FieldId(0)) });
    Setup {
        bounds: box_of(edge),
        obstacles: vec![Shape::box_between(vec2(50.0, 20.0), vec2(54.0, 80.0))],
        fields: vec![("way".to_string(), toward(2.0)), ("other".to_string(), toward(5.0))],
        groups: vec![guests],
        ..Setup::default()
    }
}

fn commands() -> [Command<Vec2>; 4] {
    let circle = |x, y| Shape::Circle { center: vec2(x, y), radius: 8.0 };
    [
        Command::AddObstacle(circle(30.0, 20.0)),
        Command::SetObstacle(
            ObstacleId(0),
            Shape::box_between(vec2(60.0, -10.0), vec2(64.0, 70.0)),
        ),
        Command::AddObstacle(circle(70.0, 90.0)),
        Command::RemoveObstacle(ObstacleId(1)),
    ]
}

/// Fails unless the crowd's fields equal fields built from scratch.
fn assert_fresh(crowd: &Crowd<Vec2>) {
    for (field, (name, plan)) in crowd.fields().iter().zip(&crowd.origin.setup.fields) {
        let fresh = FlowField::new(
            plan,
            Obstacles::from(crowd.obstacles()),
            crowd.origin.setup.bounds.as_ref(),
        )
        .unwrap();
        assert!(field.cells().eq(fresh.cells()), "{name}");
    }
}

#[test]
fn all_agents_move_around_the_wall_and_stay_in_the_goal_in_every_kind_of_world() {
    for edge in [Edge::Open, Edge::Wall, Edge::Wrap] {
        let mut crowd = Crowd::new(setup(edge)).unwrap();
        for _ in 0..400 {
            crowd.step();
            assert!(
                crowd.agents().all(|(_, agent)| !crowd.obstacles()[0].contains(agent.position))
            );
        }
        let far = crowd
            .agents()
            .map(|(_, agent)| (agent.position - vec2(97.0, 50.0)).abs())
            .fold(Vec2::ZERO, Vec2::max);
        assert!(
            far.x < 4.0
                && far.y < 12.0
                && crowd.agents().all(|(_, agent)| agent.velocity.length() < 0.05),
            "{far}"
        );
    }
}

#[test]
fn fields_are_updated_when_commands_or_snapshots_change_obstacles() {
    let mut crowd = Crowd::new(setup(Edge::Open)).unwrap();
    let (start, first) = (crowd.snapshot(), crowd.fields()[0].cells().collect::<Vec<_>>());
    for command in commands() {
        crowd.apply(&command).unwrap();
        (0..20).for_each(|_| crowd.step());
        assert_fresh(&crowd);
    }
    let (later, digest) = (crowd.snapshot(), crowd.digest());
    let after = |crowd: &mut Crowd<Vec2>| {
        (0..60).for_each(|_| crowd.step());
        crowd.digest()
    };
    let expected = after(&mut crowd);
    let mut other = Crowd::new(setup(Edge::Open)).unwrap();
    other.restore(&later).unwrap();
    assert_fresh(&other);
    assert_eq!((other.digest(), after(&mut other)), (digest, expected));
    // Restoring the start undoes the changes.
    crowd.restore(&start).unwrap();
    assert_fresh(&crowd);
    assert!(crowd.fields()[0].cells().eq(first));
    crowd.restore(&later).unwrap();
    assert_eq!(after(&mut crowd), expected);
}

#[test]
fn a_group_is_set_to_another_field_by_its_name() {
    let mut crowd = Crowd::new(setup(Edge::Open)).unwrap();
    let set = |name: &str| Command::Set {
        key_path: "group[0].steer[0].follow_flow.field".to_string(),
        value: Setting::Text(name.to_string()),
    };
    crowd.apply(&set("other")).unwrap();
    assert_eq!(
        crowd.origin.setup.groups[0].steer.behaviors().next().unwrap().get("field"),
        Some(Value::Field(FieldId(1)))
    );
    let snapshot = crowd.snapshot();
    crowd.apply(&set("way")).unwrap();
    crowd.restore(&snapshot).unwrap();
    assert_eq!(
        crowd.origin.setup.groups[0].steer.behaviors().next().unwrap().get("field"),
        Some(Value::Field(FieldId(1)))
    );
    let refused = crowd.apply(&set("nowhere")).unwrap_err().to_string();
    assert_eq!(
        refused,
        "group[0].steer[0].follow_flow.field: there is no field \"nowhere\"; allowed: \"way\", \
         \"other\""
    );
}

#[test]
fn errors_of_fields_name_the_key_path_the_value_and_the_allowed_range() {
    let faults = |change: fn(&mut Setup<Vec2>)| {
        let mut setup = setup(Edge::Open);
        change(&mut setup);
        setup.errors().iter().map(|fault| fault.key_path.to_string()).collect::<Vec<_>>()
    };
    let goal =
        |shape| FieldPlan::Toward { goals: vec![shape], cell: 2.0, clearance: 0.0, area: None };
    assert_eq!(faults(|_| ()), Vec::<String>::new());
    assert_eq!(faults(|s| s.fields[1].1 = toward(0.0)), ["field.other.cell"]);
    assert_eq!(faults(|s| s.fields[1].1 = toward(0.001)), ["field.other.cell"]);
    assert_eq!(faults(|s| s.fields[1].0 = "way".to_string()), ["field.way"]);
    assert_eq!(
        faults(|s| s.groups[0].steer = List::default().with(FollowFlow::new(FieldId(2)))),
        ["group[0].steer[0].follow_flow.field"]
    );
    let mut other = setup(Edge::Open);
    other.fields[0].1 = goal(Shape::Circle { center: Vec2::ZERO, radius: -1.0 });
    assert_eq!(
        other.errors()[0].to_string(),
        "field.way.goal[0].circle.radius: `radius` is -1; allowed: a length from 0 to 1e9"
    );
    other.fields[0].1 = goal(Shape::Circle { center: Vec2::ZERO, radius: 1.0 });
    assert_eq!(other.errors(), []);
    other.bounds = None;
    assert_eq!(other.errors()[0].key_path.to_string(), "field.way.area");
}
