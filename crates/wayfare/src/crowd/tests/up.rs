//! A world with y up moves like the same world with z up, rotated; with the wrong axis up it does
//! not, so that each test covers what it names.

use glam::{Vec2, Vec3, vec3};

use super::*;
use crate::behavior::{
    Arrive, AvoidAgents, AvoidObstacles, Contain, Explore, FollowFlow, FollowWall, Formation,
    FormationShape, Hide, OffsetPursue,
};
use crate::geometry::flow_field::{FieldPlan, FlowField};
use crate::geometry::obstacle::Obstacles;
use crate::parameter::Auto;
use crate::parameter::FieldId;

/// Expresses places of the world with z up in the world with this axis up.
#[derive(Clone, Copy)]
struct Place(Up);

impl Place {
    fn at(self, x: f32, y: f32, z: f32) -> Vec3 {
        self.0.from_z_up(vec3(x, y, z))
    }

    fn ball(self, (x, y, z): (f32, f32, f32), radius: f32) -> Shape<Vec3> {
        Shape::Circle { center: self.at(x, y, z), radius }
    }

    /// A box with these half widths, turned by `degrees`.
    fn block(self, (x, y, z): (f32, f32, f32), half: Vec3, degrees: f32) -> Shape<Vec3> {
        Shape::Box {
            center: self.at(x, y, z),
            half: self.0.swap_widths(half),
            angle: degrees.to_radians(),
        }
    }

    fn prism(self, corners: &[(f32, f32)]) -> Shape<Vec3> {
        let corner = |&(x, y): &(f32, f32)| self.0.ground(self.at(x, y, 0.0));
        Shape::Polygon { points: corners.iter().map(corner).collect() }
    }

    /// A cube around the origin.
    fn bounds(self, half: f32, edge: Edge) -> Option<Bounds<Vec3>> {
        Some(Bounds { min: Vec3::splat(-half), max: Vec3::splat(half), edge })
    }

    fn group(self, name: &str, points: &[(f32, f32, f32)]) -> Group<Vec3> {
        let points: Vec<_> = points.iter().map(|&(x, y, z)| self.at(x, y, z)).collect();
        let mut group = Group::new(name, 0, Spawn::Points(points), 3.0);
        group.mass = Distribution::Same(4.0);
        group
    }
}

/// A group of walkers in a row at different heights.
fn row(place: Place, steer: List<Vec3>) -> Group<Vec3> {
    let points: Vec<_> = (0..12_u8)
        .map(|i| (-90.0, 9.0 * f32::from(i) - 50.0, 0.5 * f32::from(i * 7 % 12)))
        .collect();
    Group { steer, ..place.group("walkers", &points) }
}

/// Position, velocity and facing of each agent, in the world with z up.
fn states(crowd: &Crowd<Vec3>, up: Up) -> Vec<Vec3> {
    let vectors = |agent: Agent<Vec3>| [agent.position, agent.velocity, agent.facing];
    agents(crowd).into_iter().flat_map(vectors).map(|v| up.to_z_up(v)).collect()
}

/// The largest difference of two states.
fn difference(a: &[Vec3], b: &[Vec3]) -> f32 {
    if a.len() != b.len() {
        return f32::INFINITY;
    }
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max)
}

/// Steps the setup with z up, the rotated one with y up, and the rotated one wrongly with z up.
/// Fails unless the first two move alike and the third does not. Returns all three.
#[track_caller]
fn assert_alike(ticks: u32, build: impl Fn(Place) -> Setup<Vec3>) -> [Crowd<Vec3>; 3] {
    let crowd = |place, up| Crowd::new(Setup { up, ..build(Place(place)) }).unwrap();
    let mut crowds = [crowd(Up::Z, Up::Z), crowd(Up::Y, Up::Y), crowd(Up::Y, Up::Z)];
    let start = states(&crowds[0], Up::Z);
    let (mut wrong, mut moved) = (0.0_f32, 0.0_f32);
    for tick in 0..=ticks {
        let [z, y, strays] = &crowds;
        let expected = states(z, Up::Z);
        let found = difference(&expected, &states(y, Up::Y));
        assert!(found < 2e-3, "off by {found} at tick {tick}");
        wrong = wrong.max(difference(&expected, &states(strays, Up::Y)));
        moved = moved.max(difference(&expected, &start));
        crowds.iter_mut().for_each(|crowd| crowd.step());
    }
    assert!(wrong > 0.5, "the wrong axis changes nothing: {wrong}");
    assert!(moved > 1.0, "nothing moves");
    crowds
}

fn avoid(clearance: crate::behavior::Clearance) -> AvoidObstacles {
    let probe = crate::behavior::Probe::Points;
    AvoidObstacles {
        probe,
        clearance,
        ..AvoidObstacles::default().see_ahead(25.0).max_avoid_force(3.0)
    }
}

/// Walkers that cross these obstacles towards +x.
fn crossing(place: Place, obstacles: Vec<Shape<Vec3>>) -> Setup<Vec3> {
    let across = seek(place.at(150.0, 5.0, 2.0));
    let clearance = crate::behavior::Clearance::Body;
    let mut walkers = row(place, List::default().with(across).with(avoid(clearance)));
    walkers.radius = Distribution::Same(1.5);
    Setup { obstacles, groups: vec![walkers], ..Setup::default() }
}

#[test]
fn a_formation_with_y_up_moves_like_the_one_with_z_up() {
    assert_alike(150, |place| {
        let mut leader = place.group("leader", &[(0.0, 0.0, 0.0)]);
        leader.max_speed = Distribution::Same(2.0);
        leader.steer = List::default().with(seek(place.at(90.0, 250.0, 40.0)));
        let formation =
            Formation::new(Target::Group(GroupId(0)), FormationShape::Wedge).spacing(12.0);
        let behind = OffsetPursue { ahead: -10.0, beside: 30.0, ..OffsetPursue::new(GroupId(0)) };
        let wing = row(place, List::default().with(formation));
        let mut guard = place.group("guard", &[(-40.0, 0.0, 9.0)]);
        guard.steer = List::default().with(behind);
        // A formation around a point faces +x.
        let mut ring = place.group("ring", &[(7.0, 1.0, 0.0), (3.0, 9.0, 2.0), (-8.0, 4.0, 1.0)]);
        ring.steer = List::default().with(Formation {
            around: Target::Point(place.at(30.0, -20.0, 5.0)),
            shape: FormationShape::Circle,
            ..formation
        });
        Setup { groups: vec![leader, wing, guard, ring], ..Setup::default() }
    });
}

#[test]
fn follow_wall_with_y_up_moves_like_with_z_up() {
    assert_alike(150, |place| {
        let follow =
            FollowWall { distance: Auto::Fixed(6.0), lookahead: Auto::Fixed(8.0), within: 60.0 };
        let mut walkers = row(place, List::default().with(follow));
        walkers.velocity = StartVelocity::Same(place.at(2.0, 0.5, 0.0));
        let obstacles = vec![
            place.block((-20.0, -10.0, 0.0), vec3(40.0, 12.0, 60.0), 35.0),
            place.prism(&[(30.0, 20.0), (70.0, 35.0), (50.0, 70.0)]),
        ];
        Setup { obstacles, groups: vec![walkers], ..Setup::default() }
    });
}

#[test]
fn turned_boxes_with_y_up_are_avoided_left_and_entered_like_with_z_up() {
    let crowds = assert_alike(120, |place| {
        let high = vec3(12.0, 7.0, 30.0);
        let mut setup = crossing(
            place,
            vec![
                place.block((-50.0, -20.0, 0.0), high, 25.0),
                place.block((-40.0, 30.0, 0.0), high, -40.0),
                place.block((10.0, 0.0, 4.0), vec3(3.0, 20.0, 3.0), 70.0),
            ],
        );
        let area = place.block((0.0, -80.0, 0.0), vec3(30.0, 10.0, 5.0), 30.0);
        let mut inside = Group::new("inside", 20, Spawn::Inside(area.clone()), 2.0);
        inside.velocity = StartVelocity::Random;
        inside.steer = List::default()
            .with(Contain { region: Some(area.clone()), ..Contain::default().lookahead(5.0) })
            .weighted(
                0.2,
                Roam { area: area.clone(), every: Auto::Fixed(15.0), slowing_radius: 0.0 },
            );
        setup.groups.push(inside);
        setup.exits =
            vec![Exit::new(place.block((60.0, 27.0, 0.0), vec3(2.0, 20.0, 20.0), 20.0)).then(
                ExitAction::Respawn(place.block((-90.0, 0.0, 0.0), vec3(2.0, 40.0, 2.0), 10.0)),
            )];
        setup
    });
    assert!(crowds[0].exits()[0].left > 0);
    assert_eq!(crowds[0].exits()[0].left, crowds[1].exits()[0].left);
}

#[test]
fn polygons_with_y_up_are_avoided_and_hidden_behind_like_with_z_up() {
    assert_alike(120, |place| {
        let corner = [(-50.0, -40.0), (-20.0, -45.0), (-22.0, 10.0), (-35.0, 12.0), (-33.0, -25.0)];
        let mut setup = crossing(
            place,
            vec![place.prism(&corner), place.prism(&[(0.0, 20.0), (25.0, 30.0), (5.0, 60.0)])],
        );
        let mut threat = place.group("threat", &[(60.0, -60.0, 30.0)]);
        threat.steer = List::default().with(seek(place.at(60.0, 60.0, 30.0)));
        let mut shy = place.group("shy", &[(0.0, -60.0, 0.0), (40.0, 60.0, 5.0)]);
        shy.steer = List::default().with(Hide::new(GroupId(1)).margin(5.0));
        setup.groups.extend([threat, shy]);
        setup
    });
}

#[test]
fn rings_with_y_up_are_horizontal_and_start_and_turn_like_with_z_up() {
    let crowds = assert_alike(60, |place| {
        let ring = |turn| Spawn::Ring { center: place.at(10.0, 20.0, 30.0), radius: 50.0, turn };
        let mut walkers = Group::new("walkers", 9, ring(0.4), 3.0);
        walkers.goal = Some(ring(2.5));
        walkers.steer = List::default()
            .with(Arrive { slowing_radius: Auto::Fixed(10.0), ..Arrive::new(Target::Goal) });
        Setup { groups: vec![walkers], ..Setup::default() }
    });
    assert!(agents(&crowds[1]).iter().all(|agent| (agent.position.y - 30.0).abs() < 1e-4));
}

#[test]
fn lines_with_y_up_count_the_same_crossings_as_with_z_up() {
    let crowds = assert_alike(120, |place| {
        let mut setup = crossing(place, vec![place.block((-50.0, -20.0, 0.0), Vec3::ONE, 25.0)]);
        let line = |name: &str, from: (f32, f32), to: (f32, f32)| {
            Line::new(name, place.at(from.0, from.1, -7.0), place.at(to.0, to.1, 30.0))
        };
        setup.lines = vec![
            line("all", (-60.0, -200.0), (-50.0, 200.0)),
            line("some", (0.0, 60.0), (10.0, 0.0)),
            line("along", (-100.0, 0.0), (100.0, 1.0)),
        ];
        setup.bounds = place.bounds(160.0, Edge::Wrap);
        setup.groups[0].steer = List::default();
        setup.groups[0].velocity = StartVelocity::Same(place.at(2.5, 0.4, 0.3));
        let turned = place.block((0.0, -80.0, 0.0), vec3(30.0, 10.0, 5.0), 30.0);
        setup.groups.push(Group::new("still", 3, Spawn::Inside(turned), 1.0));
        setup
    });
    let counts = |crowd: &Crowd<Vec3>| -> Vec<(u64, u64)> {
        crowd.lines().iter().map(|line| (line.left, line.right)).collect()
    };
    let [expected, found, wrong] = crowds.each_ref().map(counts);
    assert_eq!(expected, found);
    assert_ne!(expected, wrong);
    assert!(expected.iter().all(|(left, right)| left + right > 0), "{expected:?}");
}

#[test]
fn a_grid_with_y_up_fills_the_ground_along_x_and_z_before_the_next_layer_above() {
    let grid = Spawn::Grid { origin: vec3(5.0, 6.0, 7.0), spacing: 2.0, columns: 2, rows: 3 };
    let start = |up| {
        let groups = vec![Group::new("a", 8, grid.clone(), 1.0)];
        let crowd = Crowd::new(Setup { up, groups, ..Setup::default() }).unwrap();
        agents(&crowd).iter().map(|agent| agent.position - vec3(5.0, 6.0, 7.0)).collect::<Vec<_>>()
    };
    let z =
        [(0, 0, 0), (2, 0, 0), (0, 2, 0), (2, 2, 0), (0, 4, 0), (2, 4, 0), (0, 0, 2), (2, 0, 2)]
            .map(|(x, y, z)| vec3(x as f32, y as f32, z as f32));
    assert_eq!(start(Up::Z), z);
    assert_eq!(start(Up::Y), z.map(|p| vec3(p.x, p.z, p.y)));
}

#[test]
fn turns_to_the_left_with_y_up_stay_in_the_horizontal_plane_as_with_z_up() {
    // Agents that must turn around, on wheels and with a turn rate, and agents that meet head-on.
    let crowds = assert_alike(60, |place| {
        let back = || List::default().with(seek(place.at(-500.0, 0.0, 0.0)));
        let eastward = StartVelocity::Same(place.at(2.0, 0.0, 0.0));
        let mut wheels = place.group("wheels", &[(0.0, 0.0, 0.0)]);
        (wheels.velocity, wheels.turning_radius, wheels.steer) = (eastward, Some(4.0), back());
        let mut lookouts = place.group("lookouts", &[(0.0, 0.0, 0.0)]);
        (lookouts.velocity, lookouts.turn_rate, lookouts.steer) = (eastward, 5.0, back());
        let meet = |x: f32| {
            let avoid =
                AvoidAgents { margin: 2.0, ..AvoidAgents::default().horizon(20.0).radius(60.0) };
            let mut group = place.group("meeting", &[(x, 90.0, 0.0)]);
            group.name = format!("from {x}");
            group.velocity = StartVelocity::Same(place.at(-x.signum() * 2.0, 0.0, 0.0));
            group.steer = List::default().with(avoid);
            group
        };
        let mut choosing = place.group("choosing", &[(0.0, 40.0, 0.0)]);
        choosing.steer = List::new(Combine::Context)
            .with(seek(place.at(80.0, 40.0, 10.0)))
            .with(avoid(crate::behavior::Clearance::Center));
        choosing.steer.slots[1].danger = true;
        // A probe through the center of a ball.
        let mut straight = place.group("straight", &[(0.0, -40.0, 0.0)]);
        straight.steer = List::default()
            .with(seek(place.at(90.0, -40.0, 0.0)))
            .with(avoid(crate::behavior::Clearance::Center));
        let obstacles =
            vec![place.ball((40.0, 40.0, 3.0), 12.0), place.ball((40.0, -40.0, 0.0), 9.0)];
        let groups = vec![wheels, lookouts, meet(-30.0), meet(30.0), choosing, straight];
        Setup { obstacles, groups, ..Setup::default() }
    });
    let y = agents(&crowds[1]);
    assert!(y[..4].iter().all(|agent| agent.position.y.abs() + agent.facing.y.abs() < 1e-5));
}

#[test]
fn random_starts_and_walks_with_y_up_are_those_with_z_up_rotated() {
    assert_alike(80, |place| {
        let ball = place.ball((10.0, 20.0, 30.0), 60.0);
        let mut walkers = Group::new("walkers", 20, Spawn::Inside(ball.clone()), 3.0);
        walkers.velocity = StartVelocity::Random;
        walkers.mass = Distribution::Same(5.0);
        walkers.steer = List::default()
            .with(wander())
            .weighted(0.3, Roam { area: ball, every: Auto::Fixed(20.0), slowing_radius: 5.0 });
        let area = place.block((0.0, 0.0, 0.0), vec3(50.0, 30.0, 20.0), 40.0);
        let mut scouts = place.group("scouts", &[(5.0, 5.0, 5.0), (-9.0, 3.0, 1.0)]);
        scouts.steer =
            List::default().with(Explore { area: area.clone(), cell: Auto::Fixed(14.0) });
        let arrivals = Arrivals::Schedule(vec![(5.0, 3), (30.0, 4)]);
        let sources = vec![Source::new(area, GroupId(0), arrivals).most(40)];
        Setup { groups: vec![walkers, scouts], sources, seed: 9, ..Setup::default() }
    });
}

#[test]
fn flow_fields_with_y_up_lead_like_those_with_z_up() {
    assert_alike(150, |place| {
        let corners = [place.at(-100.0, -70.0, -20.0), place.at(60.0, 70.0, 20.0)];
        let plan = FieldPlan::Toward {
            goals: vec![place.block((40.0, -30.0, 0.0), vec3(12.0, 4.0, 20.0), 50.0)],
            cell: 5.0,
            clearance: 3.0,
            area: Some((corners[0].min(corners[1]), corners[0].max(corners[1]))),
        };
        let obstacles = vec![place.prism(&[(-10.0, -60.0), (0.0, -60.0), (10.0, 40.0)])];
        let steer = List::default().with(FollowFlow {
            field: FieldId(0),
            lookahead: 0.0,
            slowing_radius: 0.0,
        });
        let groups = vec![row(place, steer)];
        Setup { fields: vec![("way".to_string(), plan)], obstacles, groups, ..Setup::default() }
    });
    // Given vectors are listed by rows on the ground, then by layers.
    let vectors = (1..=12_u8).map(|i| Vec3::X * (f32::from(i) / 16.0)).collect();
    let plan =
        FieldPlan::Vectors { origin: Vec3::ZERO, cell: 1.0, columns: 2, rows: Some(3), vectors };
    let fields =
        [Up::Z, Up::Y].map(|up| FlowField::with_up(&plan, Obstacles::NONE, None, up).unwrap());
    for (x, row, layer) in [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 1, 1), (1, 2, 1)] {
        let [a, b, c] = [x, row, layer].map(|i| i as f32 + 0.5);
        let found = [vec3(a, b, c), vec3(a, c, b)];
        let value = (layer * 6 + row * 2 + x + 1) as f32 / 16.0;
        let direction = |k: usize| fields[k].direction(found[k], Obstacles::NONE);
        assert_eq!([direction(0), direction(1)], [Some(Vec3::X * value); 2]);
    }
}

#[test]
fn a_plane_refuses_an_up_and_a_line_must_not_be_vertical() {
    let groups = || vec![group("a", &[Vec2::ZERO])];
    let errors = Setup { up: Up::Y, groups: groups(), ..Setup::default() }.errors();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].key_path.to_string(), "up");
    assert!(Setup { up: Up::Z, groups: groups(), ..Setup::default() }.errors().is_empty());
    for (up, to, is_vertical) in [
        (Up::Y, Vec3::Y, true),
        (Up::Y, Vec3::Z, false),
        (Up::Z, Vec3::Z, true),
        (Up::Z, Vec3::Y, false),
    ] {
        let line = Line::<Vec3>::new("door", Vec3::ZERO, to);
        let setup = Setup { up, lines: vec![line], ..Setup::default() };
        assert_eq!(setup.errors().len(), usize::from(is_vertical), "{up:?} to {to}");
    }
}

#[test]
fn a_snapshot_belongs_to_the_up_axis_that_it_was_taken_with() {
    let new = |up| {
        let groups = vec![group("a", &[vec3(1.0, 2.0, 3.0)])];
        Crowd::new(Setup { up, groups, ..Setup::default() }).unwrap()
    };
    let bytes = new(Up::Y).snapshot();
    assert!(new(Up::Y).restore(&bytes).is_ok());
    assert!(new(Up::Z).restore(&bytes).is_err());
}
