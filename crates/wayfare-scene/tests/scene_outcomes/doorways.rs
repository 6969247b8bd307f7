//! The doorway scenes: overlap of bodies and time to leave, for each way of queueing, and the flow
//! through a door of one metre.

use wayfare::crowd::{Event, Setup};
use wayfare::geometry::obstacle::Obstacle;
use wayfare::glam::Vec2;
use wayfare::{Agent, Crowd};
use wayfare_scene::bundled;

use super::{crowd, scene, setup};

/// The far side of the wall with the doorway in the classic scenes (y).
const DOOR: f32 = 256.0;

/// The outcome of an evacuation of the room.
#[derive(Clone, Copy, Debug)]
struct Evacuation {
    /// The overlap of bodies, summed over all pairs (length): its mean over the ticks until the
    /// room is empty.
    overlap: f32,
    /// The tick at which the room is empty; 2000 where it is not empty by then.
    ticks: u64,
}

fn evacuation(name: &str, seed: u64) -> Evacuation {
    let mut crowd = Crowd::new(Setup { seed, ..setup(name) }).unwrap();
    let (mut sum, mut agents) = (0.0, Vec::new());
    loop {
        agents.clear();
        agents.extend(crowd.agents().map(|(_, agent)| agent));
        if agents.iter().all(|agent| agent.position.y > DOOR) || crowd.tick() == 2000 {
            return Evacuation { overlap: sum / crowd.tick() as f32, ticks: crowd.tick() };
        }
        for (i, a) in agents.iter().enumerate() {
            let overlap = |b: &Agent<Vec2>| {
                (a.radius + b.radius - (a.position - b.position).length()).max(0.0)
            };
            sum += agents[..i].iter().map(overlap).sum::<f32>();
        }
        crowd.step();
    }
}

#[test]
fn queueing_at_a_doorway_costs_time_and_reduces_overlap_and_separation_removes_most_of_it() {
    for seed in [7, 1, 2, 3, 4] {
        let [free, hard, brake, both, separated] = [
            "doorway-free",
            "doorway-hard-stop",
            "doorway-brake",
            "doorway-brake-and-stop",
            "doorway-separation",
        ]
        .map(|name| evacuation(name, seed));
        let all = format!(
            "seed {seed}: free {free:?}, hard stop {hard:?}, brake {brake:?}, both {both:?}, with \
             separation {separated:?}"
        );
        assert!(brake.overlap < free.overlap && hard.overlap < brake.overlap, "{all}");
        assert!(separated.overlap < 0.5 * hard.overlap, "{all}");
        assert!(
            [free, brake, both, separated].iter().all(|other| other.ticks < hard.ticks)
                && hard.ticks < 2000,
            "{all}"
        );
    }
}

#[test]
fn the_doorway_scenes_differ_only_in_how_agents_queue() {
    let common_lines = |name| {
        let lines = bundled(name).unwrap().text.lines();
        lines
            .filter(|line| {
                !["#", "title", "duration", "poster", "    { queue", "    { separation"]
                    .iter()
                    .any(|start| line.starts_with(start))
            })
            .collect::<Vec<_>>()
    };
    for name in
        ["doorway-hard-stop", "doorway-brake", "doorway-brake-and-stop", "doorway-separation"]
    {
        assert_eq!(common_lines(name), common_lines("doorway-free"), "{name}");
    }
}

#[test]
fn all_agents_pass_the_doorway_and_none_jams_behind_it() {
    let scene = scene("doorway-separation");
    let ticks = scene.ticks();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    // By id: the tick since which the agent is in the strip of 40 behind the door.
    let mut entered_at = [None; 40];
    let mut longest = 0;
    for tick in 0..ticks {
        crowd.step();
        for (id, agent) in crowd.agents() {
            let entered_at = &mut entered_at[id.0 as usize];
            match agent.position.y > DOOR && agent.position.y < DOOR + 40.0 {
                true => longest = longest.max(tick - *entered_at.get_or_insert(tick)),
                false => *entered_at = None,
            }
        }
    }
    assert_eq!((crowd.len(), crowd.lines()[0].left), (40, 40));
    assert!(crowd.agents().all(|(_, agent)| agent.position.y > 300.0));
    // The slowest agent walks at 1.6, so it needs 25 ticks for the strip.
    assert!(longest < 50, "an agent stays behind the door for {longest} ticks");
}

#[test]
fn the_flow_through_a_door_of_one_metre_is_within_the_measured_range() {
    let mut crowd = crowd("doorway-150");
    let walls: Vec<Obstacle<Vec2>> =
        setup("doorway-150").obstacles.into_iter().map(Obstacle::from).collect();
    let mut times = Vec::new();
    for _ in 0..2400 {
        crowd.step();
        for event in crowd.events() {
            if let Event::Crossed { to_left: true, .. } = event {
                times.push(crowd.time());
            }
        }
        for (id, person) in crowd.agents() {
            let gaps = walls.iter().map(|wall| wall.distance(person.position) - person.radius);
            let gap = gaps.fold(f32::INFINITY, f32::min);
            assert!(gap > -1e-3, "{gap} m between the body of {id} and a wall");
        }
        if crowd.tick() > 100 {
            let deepest = crowd.deepest_overlap().unwrap();
            assert!(deepest < 0.2, "bodies overlap by {deepest} of a radius");
        }
    }
    assert_eq!(times.len(), 150, "each person passes the door once, and none comes back");
    let flow = 120.0 / (times[134] - times[14]);
    assert!((1.3..1.95).contains(&flow), "{flow} persons per second");
}

/// The walk of the 40 people of a room to their door.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    /// The length of the way up to the door, per person (length).
    way: f32,
    /// The angle by which the direction of motion turned on it, per person (radians).
    turned: f32,
    /// When the last one left (time).
    last: f64,
}

#[test]
fn before_a_busy_door_people_who_may_stand_wait_where_others_circle() {
    for seed in 1..=12 {
        let mut crowd = Crowd::new(Setup { seed, ..setup("busy-door") }).unwrap();
        let mut found = [Waiting::default(); 2];
        let mut before: Vec<Option<Agent<Vec2>>> = vec![None; crowd.len()];
        for _ in 0..800 {
            crowd.step();
            for (id, person) in crowd.agents() {
                let room = &mut found[crowd.get(id).unwrap().group.0];
                room.last = crowd.time();
                if let Some(before) = before[id.0 as usize].filter(|b| b.position.x < 7.9) {
                    room.way += (person.position - before.position).length() / 40.0;
                    let turned = before.velocity.angle_to(person.velocity).abs();
                    let walks = before.velocity.length().min(person.velocity.length()) > 0.02;
                    room.turned += if walks { turned / 40.0 } else { 0.0 };
                }
                before[id.0 as usize] = Some(person);
            }
        }
        let [walk, stand] = found;
        assert!(crowd.is_empty(), "seed {seed}: {} people have not left", crowd.len());
        assert!(stand.way < 0.75 * walk.way, "seed {seed}: {found:?}");
        assert!(stand.turned < 0.8 * walk.turned, "seed {seed}: {found:?}");
        assert!(stand.last < 1.25 * walk.last, "seed {seed}: {found:?}");
    }
}
