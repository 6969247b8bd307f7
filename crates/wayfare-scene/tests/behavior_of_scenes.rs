//! Bundled scenes do what their comments say: figures, and not only bits.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::collections::BTreeSet;

use wayfare::behavior::{Behavior, Wander, wander};
use wayfare::crowd::{Distribution, Event, Setup};
use wayfare::glam::Vec2;
use wayfare::random::Random;
use wayfare::{Agent, Crowd, Host};
use wayfare_scene::{AnyScene, Format, Scene, Source, bundled, read};

/// The bundled scene of that name.
fn scene(name: &str) -> Scene<Vec2> {
    let source =
        Source { name: format!("{name}.toml"), text: bundled(name).unwrap().text.to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&source, Format::Toml) else {
        panic!("{name} is not a scene of the plane")
    };
    scene
}

/// How leaving a room went.
#[derive(Clone, Copy, Debug)]
struct Leaving {
    /// The depth by which bodies stand in one another, summed over all pairs: its mean over the
    /// ticks at which somebody is inside (length).
    overlap: f32,
    /// The tick at which nobody is inside any more.
    ticks: u64,
}

/// Where the doorway of the classic scenes ends.
const DOOR: f32 = 256.0;

fn leaving(name: &str, seed: u64) -> Leaving {
    let mut crowd = Crowd::new(Setup { seed, ..scene(name).setup }).unwrap();
    let (mut sum, mut agents) = (0.0, Vec::new());
    loop {
        agents.clear();
        agents.extend(crowd.agents().map(|(_, agent)| agent));
        if agents.iter().all(|agent| agent.position.y > DOOR) || crowd.tick() == 2000 {
            return Leaving { overlap: sum / crowd.tick() as f32, ticks: crowd.tick() };
        }
        for (i, a) in agents.iter().enumerate() {
            let depth = |b: &Agent<Vec2>| {
                (a.radius() + b.radius() - (a.position - b.position).length()).max(0.0)
            };
            sum += agents[..i].iter().map(depth).sum::<f32>();
        }
        crowd.step();
    }
}

#[test]
fn queueing_at_a_doorway_costs_time_and_saves_overlap_and_separation_saves_nearly_all_of_it() {
    for seed in [7, 1, 2, 3, 4] {
        let [free, hard, brake, both, apart] = [
            "doorway-free",
            "doorway-hard-stop",
            "doorway-brake",
            "doorway-brake-and-stop",
            "doorway-separation",
        ]
        .map(|name| leaving(name, seed));
        let all = format!(
            "seed {seed}: free {free:?}, hard stop {hard:?}, brake {brake:?}, both {both:?}, with \
             separation {apart:?}"
        );
        assert!(brake.overlap < free.overlap && hard.overlap < brake.overlap, "{all}");
        assert!(apart.overlap < 0.5 * hard.overlap, "{all}");
        assert!(
            [free, brake, both, apart].iter().all(|other| other.ticks < hard.ticks)
                && hard.ticks < 2000,
            "{all}"
        );
    }
}

#[test]
fn the_doorways_differ_in_nothing_but_how_they_queue() {
    let rest = |name| {
        let lines = bundled(name).unwrap().text.lines();
        lines
            .filter(|line| {
                !["#", "title", "duration", "    { queue", "    { separation"]
                    .iter()
                    .any(|start| line.starts_with(start))
            })
            .collect::<Vec<_>>()
    };
    for name in
        ["doorway-hard-stop", "doorway-brake", "doorway-brake-and-stop", "doorway-separation"]
    {
        assert_eq!(rest(name), rest("doorway-free"), "{name}");
    }
}

#[test]
fn everybody_leaves_through_the_doorway_and_nobody_jams_behind_it() {
    let scene = scene("doorway-separation");
    let ticks = scene.ticks();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    // Who is in the strip behind the door, and since when.
    let mut since = [None; 40];
    let mut longest = 0;
    for tick in 0..ticks {
        crowd.step();
        for (id, agent) in crowd.agents() {
            let since = &mut since[id as usize];
            match agent.position.y > DOOR && agent.position.y < DOOR + 40.0 {
                true => longest = longest.max(tick - *since.get_or_insert(tick)),
                false => *since = None,
            }
        }
    }
    assert_eq!((crowd.len(), crowd.lines()[0].left), (40, 40));
    assert!(crowd.agents().all(|(_, agent)| agent.position.y > 300.0));
    // The strip is 40 wide, and the slowest walk at 1.6.
    assert!(longest < 50, "somebody stays behind the door for {longest} ticks");
}

#[test]
fn a_door_of_one_metre_passes_as_many_as_measured() {
    let mut crowd = Crowd::new(scene("doorway-150").setup).unwrap();
    let mut times = Vec::new();
    let mut walls = 0;
    for _ in 0..2400 {
        crowd.step();
        for event in crowd.events() {
            if let Event::Crossed { to_left: true, .. } = event {
                times.push(crowd.time());
            }
        }
        // The middle of the wall, outside the door.
        walls += crowd
            .agents()
            .filter(|(_, a)| (a.position.y - 10.15).abs() < 0.1 && (a.position.x - 7.0).abs() > 0.5)
            .count();
    }
    assert_eq!(times.len(), 150, "all go through the door, and back through it nobody");
    assert!(walls < 20, "somebody is inside the wall, in {walls} agent ticks of 360,000");
    let flow = 120.0 / (times[134] - times[14]);
    assert!((1.3..1.95).contains(&flow), "{flow} persons a second");
}

#[test]
fn hunters_tire_and_rest_and_some_prey_is_caught_and_some_is_not() {
    let setup = scene("hunter-and-prey").setup;
    let group = |name: &str| setup.groups.iter().position(|group| group.name == name).unwrap();
    let (hunters, prey) = (group("hunter"), group("prey"));
    let caught = setup.groups[prey].states.iter().position(|state| state.name == "caught").unwrap();
    let ways = |g: usize| {
        let of = move |(from, state): (usize, &wayfare::crowd::State<_>)| {
            state
                .leave
                .iter()
                .filter_map(|way| Some((g, from, way.to.state()?)))
                .collect::<Vec<_>>()
        };
        setup.groups[g].states.iter().enumerate().flat_map(of)
    };
    let mut untaken: BTreeSet<_> = ways(hunters).chain(ways(prey)).collect();
    assert_eq!(untaken.len(), 12, "each way from a state to another is written once");
    let count = setup.groups[prey].count;
    let mut crowd = Crowd::new(setup).unwrap();
    let mut was_caught = BTreeSet::new();
    let (mut least, mut most) = (f32::INFINITY, 0.0_f32);
    for _ in 0..3000 {
        crowd.step();
        for event in crowd.events() {
            if let Event::StateChanged { id, from, to } = *event {
                let group = crowd.get(id).unwrap().group;
                untaken.remove(&(group, from, to));
                if (group, to) == (prey, caught) {
                    was_caught.insert(id);
                }
            }
        }
        for stamina in (0..crowd.len() as u32)
            .map(|place| crowd.at(place))
            .filter(|member| member.group == hunters)
            .map(|hunter| hunter.stats[0])
        {
            (least, most) = (least.min(stamina), most.max(stamina));
        }
    }
    assert_eq!((least, most), (0.0, 200.0), "stamina is used up, and filled again");
    assert!(untaken.is_empty(), "never happened: {untaken:?}");
    assert!(
        !was_caught.is_empty() && was_caught.len() < count,
        "{} of {count} were caught",
        was_caught.len()
    );
}

/// The wandering of each group of the scene `wander`, with the group's mass, top speed and force
/// limit.
fn wanderers() -> Vec<(Wander, [f32; 3])> {
    let same = |spread| if let Distribution::Same(x) = spread { x } else { panic!("a range") };
    let groups = scene("wander").setup.groups.into_iter();
    let found = groups.map(|group| {
        let Some(Behavior::Wander(wander)) = group.steer.behaviors().next() else {
            panic!("{} does not wander", group.name)
        };
        (*wander, [same(group.mass), same(group.max_speed), same(group.max_force)])
    });
    found.collect()
}

#[test]
fn the_angle_of_wander_takes_uniform_steps() {
    const DRAWS: usize = 100_000;
    for (parameters, _) in wanderers() {
        let width = f64::from(parameters.angle_change);
        let mut steps = Vec::with_capacity(DRAWS);
        for id in 0..100 {
            let host = Agent::new(Vec2::ZERO, 2.0);
            let mut angle = Some(0.0_f32);
            for tick in 0..DRAWS as u64 / 100 {
                let before = angle.unwrap();
                let _ =
                    wander(&host, &parameters, &mut angle, &mut Random::new(11, id, tick, 0), 1.0);
                let step = f64::from(angle.unwrap()) - f64::from(before);
                // The angle is kept within a turn.
                steps.push(step - std::f64::consts::TAU * (step / std::f64::consts::TAU).round());
            }
        }
        let n = DRAWS as f64;
        // Angles up to pi are kept to some 2e-7.
        let rounding = 1e-6;
        assert!(steps.iter().all(|step| step.abs() <= width / 2.0 + rounding));
        // Uniform: mean 0 with the variance w^2 / 12 / n, variance w^2 / 12 with the variance (w^4
        // / 80 - w^4 / 144) / n. Four sigma.
        let mean = steps.iter().sum::<f64>() / n;
        assert!(mean.abs() < 4.0 * width / (12.0 * n).sqrt(), "mean {mean}");
        let variance = steps.iter().map(|step| (step - mean).powi(2)).sum::<f64>() / n;
        let off = (variance - width * width / 12.0).abs();
        assert!(
            off < 4.0 * width * width * ((1.0 / 80.0 - 1.0 / 144.0) / n).sqrt(),
            "variance {variance}"
        );
        // One step says nothing of the next: the products of neighbors have the mean 0 and the
        // variance (w^2 / 12)^2.
        let together = steps.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / n;
        assert!(together.abs() < 4.0 * width * width / 12.0 / n.sqrt(), "correlation {together}");
        // Kolmogorov and Smirnov: the largest distance between the distributions is above 1.95 /
        // sqrt(n) once in a thousand.
        steps.sort_unstable_by(f64::total_cmp);
        let distance = steps
            .iter()
            .enumerate()
            .map(|(i, step)| ((step / width + 0.5) - (i as f64 + 0.5) / n).abs())
            .fold(0.0, f64::max);
        assert!(distance < 1.95 / n.sqrt(), "distance {distance}");
    }
}

#[test]
fn nobody_who_wanders_turns_more_sharply_than_the_force_allows() {
    let scene = scene("wander");
    let ticks = scene.ticks();
    let counts: Vec<usize> = scene.setup.groups.iter().map(|group| group.count).collect();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    let (mut way, mut sharpest) = (vec![0.0; crowd.len()], vec![0.0_f32; crowd.len()]);
    let velocities = |crowd: &Crowd<Vec2>| {
        let mut all = vec![Vec2::ZERO; crowd.len()];
        crowd.agents().for_each(|(id, agent)| all[id as usize] = agent.velocity);
        all
    };
    let bounds: Vec<_> = wanderers()
        .into_iter()
        .zip(counts)
        .flat_map(|(bound, count)| std::iter::repeat_n(bound, count))
        .collect();
    for _ in 0..ticks {
        let before = velocities(&crowd);
        crowd.step();
        for (id, (v, (wander, [mass, _, max_force]))) in
            velocities(&crowd).into_iter().zip(&bounds).enumerate()
        {
            way[id] += v.length();
            let push = (wander.circle_distance + wander.circle_radius).min(*max_force) / mass;
            // The sharpest turn that a push of this length can make: at a right angle to the
            // velocity that comes out, and any turn of who is slower than the push.
            let speed = before[id].length();
            let allowed = if push < speed { (push / speed).asin() } else { std::f32::consts::PI };
            let turn = before[id].angle_to(v).abs();
            assert!(turn <= allowed + 1e-4, "{id} turns by {turn} of {allowed}");
            sharpest[id] = sharpest[id].max(turn / allowed);
        }
    }
    for (id, (wander, _)) in bounds.iter().enumerate() {
        assert!(way[id] > 50.0 * wander.circle_radius, "{id} walked {}", way[id]);
        assert!(sharpest[id] > 0.3, "{id} hardly turns: the bound says nothing");
    }
}

#[test]
fn the_corrections_of_avoid_obstacles_keep_guests_out_of_rocks_and_let_them_come_to_rest() {
    let ends = ["avoid-uncorrected", "avoid-corrected"].map(|name| {
        let scene = scene(name);
        let ticks = scene.ticks();
        let mut crowd = Crowd::new(scene.setup).unwrap();
        (0..ticks).for_each(|_| crowd.step());
        let depth = |id: u32| {
            let position = crowd.get(id).unwrap().agent.position;
            crowd
                .obstacles()
                .iter()
                .map(|rock| rock.distance(position))
                .fold(f32::INFINITY, f32::min)
        };
        let place = crowd.get(1).unwrap().agent.position;
        ([depth(0), depth(1)], (place - Vec2::new(355.0, 334.0)).length())
    });
    let [(before, _), (after, off)] = ends;
    assert!(before.iter().all(|&outside| outside < 0.0), "before: {before:?} outside of the rocks");
    assert!(after.iter().all(|&outside| outside > 0.0), "after: {after:?} outside of the rocks");
    assert!(off < 1.0, "it rests {off} beside its place");
}

#[test]
fn everybody_of_the_ring_comes_to_the_opposite_place() {
    let scene = scene("ring-200");
    let ticks = scene.ticks();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    let start: Vec<_> = crowd.agents().collect();
    (0..ticks).for_each(|_| crowd.step());
    for (id, agent) in start {
        let end = crowd.get(id).unwrap().agent;
        assert!(
            (end.position + agent.position).length() < 0.5,
            "{id} started at {} and is at {}",
            agent.position,
            end.position
        );
        assert!(end.velocity.length() < 0.1, "{id} still moves");
    }
}
