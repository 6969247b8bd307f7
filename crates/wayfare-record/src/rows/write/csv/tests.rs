//! The rows of crowds as CSV.

use wayfare::crowd::{
    Condition, Group, Setup, Spawn, StartVelocity, State, Transition, TransitionTarget,
};
use wayfare::glam::{Vec2, vec2, vec3};
use wayfare::{Crowd, List, Vector};

use super::*;
use crate::rows::CrowdRows;

/// The CSV of a crowd, tick by tick, with the columns that a run writes.
struct Csv {
    rows: CrowdRows,
    writer: Box<CsvRows<Vec<u8>>>,
}

impl Csv {
    fn new<V: Vector>(crowd: &Crowd<V>) -> Self {
        let mut header = CrowdRows::header(crowd, 1);
        header.columns.facing = crowd.has_facings();
        header.columns.state = crowd.has_states();
        Self { rows: CrowdRows::default(), writer: Box::new(CsvRows::new(Vec::new(), &header)) }
    }

    fn record<V: Vector>(&mut self, crowd: &Crowd<V>) {
        self.rows.for_each(crowd, |row, names| self.writer.row(row, names)).unwrap();
    }

    fn finish(self) -> String {
        String::from_utf8(self.writer.finish(&self.rows.names, None).unwrap()).unwrap()
    }
}

fn crowd<V: Vector>(groups: Vec<Group<V>>, dt: f64) -> Crowd<V> {
    Crowd::new(Setup { groups, dt, ..Setup::default() }).unwrap()
}

fn moving<V: Vector>(name: &str, points: Vec<V>, velocity: V) -> Group<V> {
    Group {
        velocity: StartVelocity::Same(velocity),
        ..Group::new(name, 0, Spawn::Points(points), 1e6)
    }
}

fn run<V: Vector>(mut crowd: Crowd<V>, ticks: u32) -> String {
    let mut rows = Csv::new(&crowd);
    rows.record(&crowd);
    for _ in 0..ticks {
        crowd.step();
        rows.record(&crowd);
    }
    rows.finish()
}

#[test]
fn a_crowd_in_2d_is_written_exactly() {
    let groups = vec![
        moving("cats", vec![vec2(0.0, 0.1), vec2(-2.5, 3.0)], vec2(0.5, 0.0)),
        moving("dogs", vec![vec2(1e9, 1e-7)], Vec2::ZERO),
    ];
    let mut crowd = crowd(groups, 0.5);
    crowd.set_radius(1, Some(0.25)).unwrap();
    let rows = [
        "tick,time,id,group,x,y,vx,vy,radius",
        "0,0,0,cats,0,0.1,0.5,0,0",
        "0,0,1,cats,-2.5,3,0.5,0,0.25",
        "0,0,2,dogs,1000000000,1e-7,0,0,0",
        "1,0.5,0,cats,0.25,0.1,0.5,0,0",
        "1,0.5,1,cats,-2.25,3,0.5,0,0.25",
        "1,0.5,2,\"dogs\",1000000000,1e-7,0,0,0",
    ];
    assert_eq!(run(crowd, 1).lines().collect::<Vec<_>>(), rows);
}

#[test]
fn a_crowd_in_3d_has_columns_for_z() {
    let groups = vec![moving("birds", vec![vec3(1.0, 2.0, 3.0)], vec3(0.0, 0.0, -0.1))];
    let text = "tick,time,id,group,x,y,z,vx,vy,vz,radius\n0,0,0,birds,1,2,3,0,0,-0.1,0\n\
                1,0.1,0,\"birds\",1,2,2.99,0,0,-0.1,0\n";
    assert_eq!(run(crowd(groups, 0.1), 1), text);
}

#[test]
fn rows_are_in_the_order_of_ids_for_any_order_in_memory() {
    let mut mixed = crowd(
        vec![moving("a", vec![vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 0.0)], Vec2::ZERO)],
        1.0,
    );
    mixed.permute(&[2, 0, 1]);
    let text = run(mixed, 0);
    assert_eq!(
        text.lines().skip(1).collect::<Vec<_>>(),
        ["0,0,0,a,0,0,0,0,0", "0,0,1,a,1,0,0,0,0", "0,0,2,\"a\",2,0,0,0,0"]
    );
}

#[test]
fn a_name_with_commas_quotes_or_line_ends_is_quoted() {
    let names = ["plain", "a, b", "say \"hi\"", "two\nlines", "Größe"];
    let groups = names.iter().map(|name| moving(name, vec![Vec2::ZERO], Vec2::ZERO)).collect();
    let text = run(crowd(groups, 1.0), 0);
    for quoted in [
        "0,0,0,plain,",
        "0,0,1,\"a, b\",",
        "0,0,2,\"say \"\"hi\"\"\",",
        "0,0,3,\"two\nlines\",",
        "0,0,4,\"Größe\",",
    ] {
        assert!(text.contains(quoted), "{quoted} is not in {text}");
    }
}

#[test]
fn a_group_that_is_added_while_recording_has_its_name_in_its_rows() {
    let mut crowd = crowd(vec![moving("a", vec![Vec2::ZERO], Vec2::ZERO)], 1.0);
    let mut rows = Csv::new(&crowd);
    crowd.add_group(moving("b, c", vec![Vec2::ONE], Vec2::ZERO)).unwrap();
    rows.record(&crowd);
    let text = rows.finish();
    assert!(text.ends_with("0,0,0,a,0,0,0,0,0\n0,0,\"1\",\"b, c\",1,1,0,0,0\n"), "{text}");
}

#[test]
fn a_group_with_states_adds_a_column_for_them() {
    let mut rabbits = moving("rabbits", vec![Vec2::ZERO], Vec2::ZERO);
    let state = |name: &str, leave| State { leave, ..State::new(name) };
    rabbits.states = vec![
        state(
            "rest",
            vec![Transition {
                to: TransitionTarget::from(1),
                when: Condition::TimeInState(1.0.into()),
            }],
        ),
        state("run, hide", Vec::new()),
    ];
    let text = run(crowd(vec![rabbits, moving("stones", vec![Vec2::ZERO], Vec2::ZERO)], 1.0), 2);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "tick,time,id,group,x,y,vx,vy,radius,state");
    assert_eq!((lines[1], lines[2]), ("0,0,0,rabbits,0,0,0,0,0,rest", "0,0,1,stones,0,0,0,0,0,"));
    assert_eq!(lines[5], "2,2,0,rabbits,0,0,0,0,0,\"run, hide\"");
}

#[test]
fn a_group_with_a_turn_rate_adds_columns_for_facings() {
    let mut guards = moving("guards", vec![Vec2::ZERO], vec2(0.0, 1.0));
    (guards.velocity, guards.turn_rate) = (StartVelocity::Same(vec2(1.0, 0.0)), 90.0);
    guards.steer = List::default().with(wayfare::behavior::Face {
        target: wayfare::parameter::Target::Point(vec2(2.0, 9.0)),
        within: 9.5,
    });
    let text = run(crowd(vec![guards, moving("stones", vec![Vec2::ZERO], Vec2::ZERO)], 1.0), 1);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "tick,time,id,group,x,y,vx,vy,radius,fx,fy");
    assert_eq!((lines[1], lines[2]), ("0,0,0,guards,0,0,1,0,0,1,0", "0,0,1,stones,0,0,0,0,0,1,0"));
    assert!(lines[3].starts_with("1,1,0,guards,1,0,1,0,0,0.21"), "{}", lines[3]);
}

#[test]
fn agents_have_rows_only_for_the_ticks_in_which_they_are_in_the_crowd() {
    let mut rabbits = moving("rabbits", vec![], Vec2::ZERO);
    rabbits.states = vec![State::new("rest")];
    let mut crowd = crowd(vec![rabbits, moving("stones", vec![Vec2::ZERO], Vec2::ZERO)], 1.0);
    let mut rows = Csv::new(&crowd);
    rows.record(&crowd);
    crowd.add(0, vec2(3.0, 4.0), None).unwrap();
    assert!(crowd.remove(0));
    crowd.step();
    rows.record(&crowd);
    let text = "tick,time,id,group,x,y,vx,vy,radius,state\n0,0,0,stones,0,0,0,0,0,\n\
                1,1,1,\"rabbits\",3,4,0,0,0,rest\n";
    assert_eq!(rows.finish(), text);
}

#[test]
fn times_and_positions_parse_to_the_same_values() {
    let mut crowd = crowd(vec![moving("a", vec![vec2(0.1, 1.0 / 3.0)], vec2(0.7, 1e-9))], 0.1);
    let mut rows = Csv::new(&crowd);
    let mut expected = Vec::new();
    for _ in 0..50 {
        crowd.step();
        rows.record(&crowd);
        let agent = crowd.agents().next().unwrap().1;
        expected.push((crowd.time(), agent.position));
    }
    let text = rows.finish();
    for (line, (time, position)) in text.lines().skip(1).zip(expected) {
        let fields: Vec<_> = line.split(',').collect();
        assert_eq!(
            (fields[1].parse(), fields[4].parse(), fields[5].parse()),
            (Ok(time), Ok(position.x), Ok(position.y))
        );
    }
}

#[test]
fn a_field_of_the_last_line_is_quoted_as_the_mark_of_the_end() {
    let one = crowd(vec![moving("a", vec![Vec2::ZERO], Vec2::ZERO)], 1.0);
    assert_eq!(run(one, 1).lines().last(), Some("1,1,0,\"a\",0,0,0,0,0"));
    let empty = crowd(vec![moving("a", vec![], Vec2::ZERO)], 1.0);
    assert_eq!(run(empty, 1), "tick,time,id,\"group\",x,y,vx,vy,radius\n");
    let quoted = crowd(vec![moving("a, b", vec![Vec2::ZERO], Vec2::ZERO)], 1.0);
    assert_eq!(run(quoted, 0).lines().last(), Some("0,0,\"0\",\"a, b\",0,0,0,0,0"));
}
