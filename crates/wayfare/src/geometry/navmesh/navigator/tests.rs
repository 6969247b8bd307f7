use super::*;
use crate::geometry::obstacle::Shape;
use crate::spatial::space::{Bounds, Edge};
use glam::vec2;

const BODY: f32 = 0.3;

fn world(size: Vec2) -> Space<Vec2> {
    Space::new(Some(Bounds { min: Vec2::ZERO, max: size, edge: Edge::Wall }))
}

fn wall(from: Vec2, to: Vec2) -> Obstacle<Vec2> {
    Shape::Segment { from, to, thickness: 0.2 }.into()
}

/// Two rows of 15 offices of 4 m by 5 m along a corridor 2 m wide, each with a door of 1 m.
fn office() -> Vec<Obstacle<Vec2>> {
    let mut walls = Vec::new();
    for (corridor, far) in [(5.0, 0.0), (7.0, 12.0)] {
        for room in 0..15_u8 {
            let (left, right) = (4.0 * f32::from(room), 4.0 * f32::from(room + 1));
            walls.push(wall(vec2(left, corridor), vec2(left + 1.5, corridor)));
            walls.push(wall(vec2(left + 2.5, corridor), vec2(right, corridor)));
            walls.push(wall(vec2(right, corridor), vec2(right, far)));
        }
    }
    walls
}

/// The middle of an office.
fn desk(room: u64) -> Vec2 {
    let y = if room < 15 { 2.0 } else { 10.0 };
    vec2(4.0 * (room % 15) as f32 + 2.0, y)
}

#[test]
fn units_in_an_office_of_30_rooms_reach_each_others_desks_and_touch_no_wall() {
    let walls = office();
    let mut navigator = Navigator::new(&walls, &world(vec2(60.0, 12.0)), 4);
    let target = |id: u64| desk((id * 7 + 11) % 30);
    let mut units: Vec<Vec2> = (0..30).map(desk).collect();
    for id in 0..30 {
        navigator.set_target(id, target(id), BODY).unwrap();
    }
    let mut walked = [0.0_f32; 30];
    for tick in 0..1_500 {
        navigator.step(|id| Some(units[id as usize]));
        assert_eq!(navigator.waiting(), 30_usize.saturating_sub(4 * (tick + 1)), "{tick}");
        for (id, unit) in (0..).zip(&mut units) {
            if navigator.state(id) == Some(RouteState::Waiting) {
                continue;
            }
            let aim = navigator.aim(id, *unit).unwrap();
            let step = (aim.point - *unit).clamp_length_max(0.05);
            walked[id as usize] += step.length();
            *unit += step;
            let gap = walls.iter().map(|w| w.distance(*unit)).fold(f32::INFINITY, f32::min);
            assert!(gap > BODY - 1e-4, "unit {id} at {unit} is {gap} from a wall");
        }
    }
    for id in 0..30 {
        assert!(units[id as usize].distance(target(id)) < 1e-3, "unit {id}");
        let points = navigator.points(id);
        let planned: f32 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
        let walked = walked[id as usize];
        assert!((0.999..1.02).contains(&(walked / planned)), "{walked} of {planned}");
    }
}

/// A wall across a world of 20 by 10, with a door above y = 8 if it is open.
fn door(open: bool) -> [Obstacle<Vec2>; 1] {
    [wall(vec2(10.0, 0.0), vec2(10.0, if open { 8.0 } else { 10.0 }))]
}

#[test]
fn requests_are_served_by_their_tick_and_then_by_id() {
    let mut navigator = Navigator::new(&door(true), &world(vec2(20.0, 10.0)), 2);
    let at = |_| Some(vec2(5.0, 2.0));
    let target = vec2(15.0, 2.0);
    navigator.set_target(9, target, BODY).unwrap();
    navigator.step(|_| None);
    assert_eq!(navigator.state(9), None);
    // Targets of their own: no two units share a search.
    let own = |id: u8| target + vec2(0.0, 0.1 * f32::from(id));
    for id in [8, 3, 5] {
        navigator.set_target(id.into(), own(id), BODY).unwrap();
    }
    navigator.step(at);
    // Requests of a later tick wait, whatever their ids.
    navigator.set_target(1, own(1), BODY).unwrap();
    navigator.set_target(0, own(0), BODY).unwrap();
    let known = |navigator: &Navigator| {
        let known = |id: &u64| navigator.state(*id) == Some(RouteState::Known);
        (0..10).filter(known).collect::<Vec<u64>>()
    };
    assert_eq!(known(&navigator), [3, 5]);
    // A waiting unit goes towards the door.
    let aim = navigator.aim(8, vec2(5.0, 2.0)).unwrap();
    assert!(aim.point.y > 8.0 && !aim.is_target && aim.left > 10.0, "{aim:?}");
    navigator.step(at);
    assert_eq!(known(&navigator), [0, 3, 5, 8]);
    navigator.remove(1);
    navigator.step(at);
    assert_eq!((known(&navigator).len(), navigator.waiting()), (4, 0));
}

#[test]
fn one_search_serves_256_units_that_wait_for_ways_to_one_target() {
    let mut navigator = Navigator::new(&office(), &world(vec2(60.0, 12.0)), 1);
    let at = |id: u64| desk(id % 30) + vec2(0.001 * id as f32, 0.0);
    let exit = vec2(59.0, 6.0);
    navigator.set_target(0, desk(29), BODY).unwrap();
    for id in 1..300 {
        navigator.set_target(id, exit, BODY).unwrap();
    }
    // Its target was changed while it waited.
    navigator.set_target(299, desk(29), BODY).unwrap();
    navigator.step(|id| Some(at(id)));
    assert_eq!(navigator.waiting(), 298);
    assert_eq!(navigator.state(299), Some(RouteState::Known));
    navigator.step(|id| Some(at(id)));
    assert_eq!(navigator.waiting(), 298 - 256);
    navigator.step(|id| Some(at(id)));
    assert_eq!(navigator.waiting(), 0);
    let mesh = NavMesh::new(&office(), &world(vec2(60.0, 12.0)), BODY, TOLERANCE * BODY).unwrap();
    for id in 1..299 {
        let points = navigator.points(id);
        let length: f32 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
        let alone = mesh.route(at(id), exit).unwrap();
        assert_eq!((points[0], points.last()), (at(id), Some(&exit)));
        assert!((length - alone.length).abs() < 1e-4, "{length} of {}", alone.length);
    }
}

#[test]
fn a_unit_follows_its_former_way_until_a_search_after_a_change_finds_another_or_none() {
    let mut navigator = Navigator::new(&door(true), &world(vec2(20.0, 10.0)), 1);
    let (from, target) = (vec2(5.0, 2.0), vec2(15.0, 2.0));
    navigator.set_target(0, target, BODY).unwrap();
    navigator.step(|_| Some(from));
    let route = navigator.points(0).to_vec();
    assert!(route.len() > 2 && navigator.aim(0, from).unwrap().point.y > 8.0, "{route:?}");
    // The same target again is no request; a closed door is one.
    navigator.set_target(0, target, BODY).unwrap();
    assert_eq!(navigator.waiting(), 0);
    navigator.set_obstacles(&door(false)).unwrap();
    assert_eq!((navigator.waiting(), navigator.points(0)), (1, &route[..]));
    navigator.step(|_| Some(from));
    assert_eq!(navigator.state(0), Some(RouteState::Unreachable));
    assert_eq!(navigator.aim(0, from), None);
    navigator.set_target(0, target, BODY).unwrap();
    assert_eq!(navigator.waiting(), 0);
    navigator.set_obstacles(&door(true)).unwrap();
    assert_eq!(navigator.state(0), Some(RouteState::Waiting));
    navigator.step(|_| Some(from));
    assert_eq!((navigator.state(0), navigator.points(0)), (Some(RouteState::Known), &route[..]));
}

#[test]
fn a_restored_navigator_goes_on_as_the_saved_one_and_requests_ways_that_are_not_whole() {
    let mut navigator = Navigator::new(&office(), &world(vec2(60.0, 12.0)), 3);
    for id in 0..30 {
        navigator.set_target(id, desk((id * 7 + 11) % 30), BODY).unwrap();
    }
    (0..4).for_each(|_| navigator.step(|id| Some(desk(id))));
    let saved = navigator.save();
    let mut restored = Navigator::new(&office(), &world(vec2(60.0, 12.0)), 3);
    restored.restore(&saved).unwrap();
    assert_eq!((restored.save(), restored.waiting()), (saved.clone(), 18));
    for navigator in [&mut navigator, &mut restored] {
        navigator.step(|id| Some(desk(id)));
        (0..30).for_each(|id| _ = navigator.aim(id, desk(id) + vec2(0.1, 0.0)));
    }
    assert_eq!(restored.save(), navigator.save());
    let mut damaged = saved;
    damaged.units[0].next = 99;
    restored.restore(&damaged).unwrap();
    assert_eq!((restored.state(0), restored.waiting()), (Some(RouteState::Waiting), 19));
    damaged.units[5].target.x = f32::NAN;
    assert!(matches!(restored.restore(&damaged), Err(NavMeshError::Target(_))));
    assert_eq!(restored.waiting(), 19);
}

#[test]
fn a_unit_that_is_pushed_out_of_sight_of_its_way_requests_another() {
    let mut navigator = Navigator::new(&door(true), &world(vec2(20.0, 10.0)), 1);
    navigator.set_target(0, vec2(5.0, 2.0), BODY).unwrap();
    navigator.step(|_| Some(vec2(2.0, 2.0)));
    // Aside, but in sight.
    navigator.step(|_| Some(vec2(3.0, 6.0)));
    let aim = navigator.aim(0, vec2(3.0, 6.0)).unwrap();
    assert_eq!((aim.point, navigator.waiting()), (vec2(5.0, 2.0), 0));
    // To the other side of the wall.
    navigator.step(|_| Some(vec2(12.0, 2.0)));
    assert!(navigator.aim(0, vec2(12.0, 2.0)).is_some());
    assert_eq!(navigator.waiting(), 1);
    navigator.step(|_| Some(vec2(12.0, 2.0)));
    let aim = navigator.aim(0, vec2(12.0, 2.0)).unwrap();
    assert!(!aim.is_target && aim.point.y > 8.0 && aim.left > 13.0, "{aim:?}");
}
