//! Solid bodies stay apart and on their side of every wall: in the bundled scenes, and in
//! a hundred random buildings whose people walk by `pedestrian` and by `orca`.
//!
//! `cargo xtask validate` prints the table.

use std::fmt::Write;

use wayfare::Crowd;
use wayfare::crowd::{Exit, ExitAction};
use wayfare::geometry::obstacle::Obstacle;
use wayfare::glam::Vec2;
use wayfare::random::Random;
use wayfare_record::counters::SolidStatistics;
use wayfare_scene::{AnyScene, BUNDLED, Format, Severity, Source, read};

/// The ticks at the start in which a packed spawn moves apart (ticks).
const UNPACKED: u64 = 100;
/// An overlap is deep from this part of the smaller radius on.
const DEEP: f32 = 0.05;
/// The largest part of the ticks of a run in which the deepest overlap may be deep.
const RARE: f64 = 0.001;

/// The solver of the people in a random building.
#[derive(Clone, Copy, Debug)]
enum Solver {
    Pedestrian,
    Orca,
}

/// The observations in a run.
#[derive(Clone, Copy, Debug, Default)]
struct Watched {
    people: usize,
    /// The ticks after the first hundred, and those of them with a deep overlap.
    ticks: u64,
    deep: u64,
    deepest: f32,
    /// The number of times that a center which had been outside of all obstacles was in one, and
    /// that it went through one in a tick.
    inside: u64,
    through: u64,
}

/// Runs a scene for this time, or for its duration; `None` if its bodies are not solid.
fn watched(name: &str, text: &str, time: Option<f64>) -> Option<Watched> {
    let source = Source { name: name.to_string(), text: text.to_string() };
    let scene = read(&source, Format::Toml).unwrap_or_else(|problems| {
        panic!("{}\n{text}", source.render(Severity::Error, &problems, false))
    });
    let AnyScene::TwoD(mut scene) = scene else { return None };
    if !scene.setup.bodies.solid {
        return None;
    }
    scene.duration = time.unwrap_or(scene.duration);
    let ticks = scene.ticks();
    let space = scene.setup.space();
    let obstacles: Vec<Obstacle<Vec2>> =
        scene.setup.obstacles.iter().cloned().map(Obstacle::from).collect();
    let respawns = |exit: &Exit<Vec2>| matches!(exit.then, ExitAction::Respawn(_));
    let respawns = scene.setup.exits.iter().any(respawns);
    let mut crowd = Crowd::new(scene.setup).unwrap();
    let mut found = Watched { people: crowd.len(), ..Watched::default() };
    let mut before: Vec<Option<Vec2>> = Vec::new();
    for tick in 0..ticks {
        crowd.step();
        for (id, agent) in crowd.agents() {
            let (id, p) = (id.0 as usize, agent.position);
            before.resize(before.len().max(id + 1), None);
            // Some start in a pillar, and one in two obstacles that overlap does not get out.
            let inside = obstacles.iter().any(|o| o.distance(p) < 0.0);
            found.inside += u64::from(inside && before[id].is_some());
            if inside {
                continue;
            }
            // An agent that starts again at an exit goes through nothing.
            let step = before[id].map(|before| space.difference(before, p));
            if let Some(step) = step.filter(|step| !respawns || step.length() < 1.0) {
                let crosses = |o: &&Obstacle<Vec2>| o.cast_segment(p - step, p, 0.0).is_some();
                found.through += obstacles.iter().filter(crosses).count() as u64;
            }
            before[id] = Some(p);
        }
        if tick >= UNPACKED {
            let deepest = crowd.deepest_overlap().unwrap();
            found.ticks += 1;
            found.deep += u64::from(deepest > DEEP);
            found.deepest = found.deepest.max(deepest);
        }
    }
    let Watched { people, ticks, deep, deepest, .. } = found;
    println!("{name}: {people} people, deepest overlap {deepest:.3}, deep in {deep} of {ticks}");
    Some(found)
}

/// Asserts what holds for each run: deep overlaps are rare in each, not only in all together.
fn assert_honest(name: &str, found: &Watched) {
    let walls = (found.inside, found.through);
    assert_eq!(walls, (0, 0), "{name}: centers in obstacles, and through them");
    let deepest = found.deepest;
    assert!(deepest < SolidStatistics::BOUND, "{name}: an overlap of {deepest} of a radius");
    let (deep, ticks) = (found.deep, found.ticks);
    assert!(deep as f64 <= RARE * ticks as f64, "{name}: deep overlaps in {deep} of {ticks} ticks");
}

#[test]
fn bodies_in_bundled_scenes_stay_apart_and_out_of_walls() {
    let mut solid = 0;
    for scene in BUNDLED {
        if let Some(found) = watched(scene.name, scene.text, None) {
            assert_honest(scene.name, &found);
            solid += 1;
        }
    }
    assert!(solid >= 15, "only {solid} scenes have solid bodies");
}

#[test]
fn pedestrians_in_random_buildings_stay_apart_and_out_of_walls() {
    assert_all_honest(Solver::Pedestrian);
}

#[test]
fn people_with_orca_in_random_buildings_stay_apart_and_out_of_walls() {
    assert_all_honest(Solver::Orca);
}

fn assert_all_honest(solver: Solver) {
    for (name, found) in watched_buildings(solver) {
        assert_honest(&name, &found);
    }
}

/// The observations in each of a hundred random buildings, by name.
fn watched_buildings(solver: Solver) -> Vec<(String, Watched)> {
    let run = |seeds: std::ops::RangeInclusive<u64>| {
        let run = |seed| {
            let (name, text) =
                (format!("building {seed}, {solver:?}"), random_building(seed, solver));
            let found = watched(&name, &text, Some(40.0)).unwrap();
            (name, found)
        };
        seeds.map(run).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| run(1..=50));
        let second = run(51..=100);
        [first.join().unwrap(), second].concat()
    })
}

/// A scene, as text: two rooms with a door between them, walls of any thickness, pillars, and
/// people that leave, gather, change rooms or press towards one point.
fn random_building(seed: u64, solver: Solver) -> String {
    let mut random = Random::new(seed, 0, 0, 0);
    let mut between = |low: f32, high: f32| random.between(low, high);
    let mut text = String::new();
    let (left, right) = (between(4.0, 14.0), between(3.0, 10.0));
    let height = between(3.0, 10.0);
    let door = between(0.6, 2.0);
    let middle = between(0.2 + door * 0.5, height - 0.2 - door * 0.5);
    let thickness = [0.0, 0.05, 0.2, 0.5][between(0.0, 4.0) as usize];
    let dt = [0.02, 0.05, 0.05, 0.1][between(0.0, 4.0) as usize];
    let kind = between(0.0, 5.0) as usize;
    let low = middle - door * 0.5;
    let high = middle + door * 0.5;
    writeln!(text, "# Building {seed}\ndt = {dt}\nseed = {seed}").unwrap();
    writeln!(
        text,
        "[bounds]\nmin = [{}, -1]\nmax = [{}, {}]",
        -left - 1.0,
        right + 4.0,
        height + 1.0
    )
    .unwrap();
    let mut wall = |from: [f32; 2], to: [f32; 2]| {
        writeln!(
            text,
            "[[obstacle]]\nsegment = {{ from = {from:?}, to = {to:?}, thickness = {thickness} }}"
        )
        .unwrap();
    };
    wall([-left, 0.0], [right, 0.0]);
    wall([-left, height], [right, height]);
    wall([-left, 0.0], [-left, height]);
    wall([0.0, 0.0], [0.0, low - thickness * 0.5]);
    wall([0.0, high + thickness * 0.5], [0.0, height]);
    if kind == 0 {
        wall([right, 0.0], [right, low]);
        wall([right, high], [right, height]);
    } else {
        wall([right, 0.0], [right, height]);
    }
    for _ in 0..between(0.0, 5.0) as usize {
        let (x, y) = (between(-left, right), between(0.0, height));
        if (x > -1.5 && x < 1.5) || x > right - 1.5 {
            continue;
        }
        let (a, b) = (between(0.2, 0.8), between(0.1, 1.2));
        let shape = match between(0.0, 3.0) as usize {
            0 => format!("circle = {{ center = [{x}, {y}], radius = {a} }}"),
            1 => format!(
                "box = {{ center = [{x}, {y}], size = [{a}, {b}], angle = {} }}",
                between(0.0, 90.0)
            ),
            _ => format!(
                "polygon = [[{x}, {y}], [{}, {y}], [{}, {}], [{x}, {}]]",
                x + a + b,
                x + a,
                y + a,
                y + a + b
            ),
        };
        writeln!(text, "[[obstacle]]\n{shape}").unwrap();
    }
    let goal = |x: [f32; 2]| {
        format!(
            "goal = [{{ box = {{ min = [{}, 0.2], max = [{}, {}] }} }}]\ncell = 0.15\nclearance = \
             0.15",
            x[0],
            x[1],
            height - 0.2
        )
    };
    let far = if kind == 0 { [right + 2.0, right + 4.0] } else { [right - 1.0, right - 0.1] };
    writeln!(text, "[field.right]\n{}", goal(far)).unwrap();
    writeln!(text, "[field.left]\n{}", goal([0.1 - left, 1.0 - left])).unwrap();
    if kind == 0 {
        let (x, y) = (right + 2.0, height + 1.0);
        writeln!(text, "[[exit]]\nbox = {{ min = [{x}, -1], max = [{}, {y}] }}", x + 4.0).unwrap();
    }
    let density = between(0.5, 4.0);
    let point = [between(-left, right), between(0.0, height)];
    let solver = match solver {
        Solver::Pedestrian => "pedestrian = {}",
        // Metres and seconds: the defaults are for bodies with a radius of 2.
        Solver::Orca => "orca = { neighbor_dist = 3, time_horizon = 1.5, time_horizon_obst = 0.3 }",
    };
    let mut group = |name: &str, x: [f32; 2], steer: &str, radius: &str| {
        let area = (x[1] - x[0]) * (height - 0.6);
        let count = ((density * area) as usize).clamp(1, 150);
        writeln!(
            text,
            "[[group]]\nname = \"{name}\"\ncount = {count}\nspawn = {{ box = {{ min = [{}, 0.3], \
             max = [{}, {}] }} }}\npreset = \"experiment\"\n{radius}steer = [{steer}, {{ \
             {solver} }}]",
            x[0],
            x[1],
            height - 0.3
        )
        .unwrap();
    };
    let follow = |field: &str| format!("{{ follow_flow = {{ field = \"{field}\" }} }}");
    let seek = format!("{{ seek = {{ target = {point:?} }} }}");
    let various = "radius = { uniform = [0.15, 0.28] }\n";
    let (in_left, in_right) = ([0.3 - left, -0.5], [0.5, right - 0.3]);
    match kind {
        0 | 1 => group("people", in_left, &follow("right"), ""),
        2 => group("people", in_left, &follow("right"), various),
        3 => {
            group("eastbound", in_left, &follow("right"), "");
            group("westbound", in_right, &follow("left"), various);
        }
        _ => {
            group("people", in_left, &seek, various);
            group("others", in_right, &seek, "");
        }
    }
    text
}
