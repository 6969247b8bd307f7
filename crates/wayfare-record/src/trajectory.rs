//! Trajectories as CSV (RFC 4180, with line feeds as line ends): a row per agent and tick, in the
//! order of ids.
//!
//! The columns are `tick,time,id,group,x,y,vx,vy,radius`, in space
//! `tick,time,id,group,x,y,z,vx,vy,vz,radius`, then `fx,fy` (`fx,fy,fz`) if a group has a facing
//! apart from its velocity, and `state` if a group has states. Positions and radii are lengths,
//! velocities length / time, both in the crowd's own units; time is tick * dt, computed in `f64`.
//! Numbers are in the shortest form that parses to the same value: time as `f64`, all others as
//! `f32`. The group of the last line is quoted, or its id if the group has to be: this
//! marks the end of the file.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use crate::rows::CrowdRows;
use crate::rows::write::WriteRows;
use crate::rows::write::csv::CsvRows;

/// Writes a trajectory.
///
/// ```
/// # use wayfare::{crowd::{Group, Setup, Spawn}, glam::vec2, Crowd};
/// # use wayfare_record::Trajectory;
/// # let group = Group::new("walkers", 1, Spawn::Points(vec![vec2(1.0, 0.25)]), 2.0);
/// # let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap();
/// let mut rows = Trajectory::new(Vec::new(), &crowd);
/// rows.record(&crowd)?; // the start, tick 0
/// crowd.step();
/// rows.record(&crowd)?;
/// let text = String::from_utf8(rows.finish()?)?;
/// assert_eq!(
///     text.lines().collect::<Vec<_>>(),
///     [
///         "tick,time,id,group,x,y,vx,vy,radius",
///         "0,0,0,walkers,1,0.25,0,0,0",
///         "1,1,0,\"walkers\",1,0.25,0,0,0"
///     ]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Trajectory<W: Write> {
    rows: CrowdRows,
    writer: Box<CsvRows<W>>,
}

impl<W: Write> Trajectory<W> {
    /// A trajectory of `crowd`, without rows.
    /// There are `fx,fy` columns (unit vectors) if any group has a facing apart from its velocity,
    /// and a `state` column if any group has states. `out` needs no buffer of its own.
    pub fn new<V: Vector>(out: W, crowd: &Crowd<V>) -> Self {
        let mut header = CrowdRows::header(crowd, 1);
        header.columns.facing = crowd.has_facings();
        header.columns.state = crowd.has_states();
        Self { rows: CrowdRows::default(), writer: Box::new(CsvRows::new(out, &header)) }
    }

    /// Adds a row for each agent of `crowd`, in the order of ids. It is the crowd that the
    /// trajectory began with.
    ///
    /// # Errors
    /// The error of the output, which is then incomplete.
    pub fn record<V: Vector>(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        self.rows.for_each(crowd, |row, names| self.writer.row(row, names))
    }

    /// Writes the rest, flushes, and returns the output.
    ///
    /// # Errors
    /// The error of the output.
    pub fn finish(self) -> io::Result<W> {
        self.writer.finish(&self.rows.names, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::List;
    use wayfare::crowd::{
        Condition, Group, Setup, Spawn, StartVelocity, State, StateLimits, Transition,
        TransitionTarget,
    };
    use wayfare::glam::{Vec2, vec2, vec3};

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
        let mut rows = Trajectory::new(Vec::new(), &crowd);
        rows.record(&crowd).unwrap();
        for _ in 0..ticks {
            crowd.step();
            rows.record(&crowd).unwrap();
        }
        String::from_utf8(rows.finish().unwrap()).unwrap()
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
        let mut text = Vec::new();
        let mut rows = Trajectory::new(&mut text, &crowd);
        crowd.add_group(moving("b, c", vec![Vec2::ONE], Vec2::ZERO)).unwrap();
        rows.record(&crowd).unwrap();
        rows.finish().unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.ends_with("0,0,0,a,0,0,0,0,0\n0,0,\"1\",\"b, c\",1,1,0,0,0\n"), "{text}");
    }

    #[test]
    fn a_group_with_states_adds_a_column_for_them() {
        let mut rabbits = moving("rabbits", vec![Vec2::ZERO], Vec2::ZERO);
        let state = |name: &str, leave| State {
            name: name.to_string(),
            limits: StateLimits::default(),
            drag: None,
            combine: None,
            rates: Vec::new(),
            steer: List::default(),
            leave,
        };
        rabbits.states = vec![
            state(
                "rest",
                vec![Transition {
                    to: TransitionTarget::State(1),
                    when: Condition::TimeInState(1.0.into()),
                }],
            ),
            state("run, hide", Vec::new()),
        ];
        let text =
            run(crowd(vec![rabbits, moving("stones", vec![Vec2::ZERO], Vec2::ZERO)], 1.0), 2);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "tick,time,id,group,x,y,vx,vy,radius,state");
        assert_eq!(
            (lines[1], lines[2]),
            ("0,0,0,rabbits,0,0,0,0,0,rest", "0,0,1,stones,0,0,0,0,0,")
        );
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
        assert_eq!(
            (lines[1], lines[2]),
            ("0,0,0,guards,0,0,1,0,0,1,0", "0,0,1,stones,0,0,0,0,0,1,0")
        );
        assert!(lines[3].starts_with("1,1,0,guards,1,0,1,0,0,0.21"), "{}", lines[3]);
    }

    #[test]
    fn agents_have_rows_only_for_the_ticks_in_which_they_are_in_the_crowd() {
        let mut rabbits = moving("rabbits", vec![], Vec2::ZERO);
        rabbits.states = vec![State {
            name: "rest".to_string(),
            limits: StateLimits::default(),
            drag: None,
            combine: None,
            rates: Vec::new(),
            steer: List::default(),
            leave: Vec::new(),
        }];
        let mut crowd = crowd(vec![rabbits, moving("stones", vec![Vec2::ZERO], Vec2::ZERO)], 1.0);
        let mut rows = Trajectory::new(Vec::new(), &crowd);
        rows.record(&crowd).unwrap();
        crowd.add(0, vec2(3.0, 4.0), None).unwrap();
        assert!(crowd.remove(0));
        crowd.step();
        rows.record(&crowd).unwrap();
        let text = "tick,time,id,group,x,y,vx,vy,radius,state\n0,0,0,stones,0,0,0,0,0,\n\
                    1,1,1,\"rabbits\",3,4,0,0,0,rest\n";
        assert_eq!(String::from_utf8(rows.finish().unwrap()).unwrap(), text);
    }

    #[test]
    fn times_and_positions_parse_to_the_same_values() {
        let mut crowd = crowd(vec![moving("a", vec![vec2(0.1, 1.0 / 3.0)], vec2(0.7, 1e-9))], 0.1);
        let mut rows = Trajectory::new(Vec::new(), &crowd);
        let mut expected = Vec::new();
        for _ in 0..50 {
            crowd.step();
            rows.record(&crowd).unwrap();
            let agent = crowd.agents().next().unwrap().1;
            expected.push((crowd.time(), agent.position));
        }
        let text = String::from_utf8(rows.finish().unwrap()).unwrap();
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

    #[test]
    fn a_full_disk_is_reported() {
        let empty = crowd(vec![moving("a", vec![Vec2::ZERO], Vec2::ZERO)], 1.0);
        let rows = Trajectory::new(crate::testing::FullDisk, &empty);
        assert_eq!(rows.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
