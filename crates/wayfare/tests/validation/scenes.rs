//! Rooms, corridors and doors, and the people in them.

use wayfare::annotation::DebugDraw;
use wayfare::behavior::Steer;
use wayfare::crowd::{Bodies, Distribution, Exit, ExitAction, Group, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::Groups;
use wayfare::random::Random;
use wayfare::registry::Behavior;
use wayfare::solve::Pedestrian;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Agent, Crowd, List, Memory, SteerContext};

/// The radius of a body (length).
pub(crate) const RADIUS: f32 = 0.1756;
/// The tick (time).
pub(crate) const DT: f32 = 0.05;

/// A door between two points, which is behind a walker on the side of `through`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    pub(crate) through: Vec2,
}

/// Walks through gates one after another, by the nearest point of each that leaves room for the
/// body, and then in a direction.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) gates: Vec<Gate>,
    pub(crate) then: Vec2,
    /// The room for the body beside a gate (length).
    pub(crate) margin: f32,
}

impl Way {
    /// Always in one direction.
    pub(crate) fn along(direction: Vec2) -> Self {
        Self { gates: Vec::new(), then: direction, margin: 0.0 }
    }
}

impl Steer<Vec2> for Way {
    fn force(
        &self,
        host: &Agent<Vec2>,
        memory: &mut Memory<Vec2>,
        _: &mut SteerContext<'_, Vec2>,
        _: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        let p = host.position;
        let next = &mut memory.own[0];
        let gate = loop {
            match self.gates.get(*next as usize) {
                Some(gate) if (p - gate.from).dot(gate.through) > 0.0 => *next += 1.0,
                gate => break gate,
            }
        };
        let direction = gate.map_or(self.then, |gate| {
            let (along, length) =
                ((gate.to - gate.from).normalize(), (gate.to - gate.from).length());
            let margin = self.margin.min(length * 0.5);
            let at = (p - gate.from).dot(along).clamp(margin, length - margin);
            (gate.from + along * at - p).try_normalize().unwrap_or(gate.through)
        });
        direction * host.max_speed - host.velocity
    }
    fn remembers(&self) -> bool {
        true
    }
}

/// `count` points in a box at random, as far apart as they fit: the points of a triangular lattice,
/// moved a little.
pub(crate) fn filled(seed: u64, min: Vec2, max: Vec2, count: usize) -> Vec<Vec2> {
    let size = max - min;
    let mut spacing = (size.x * size.y / count as f32 * 1.1547).sqrt();
    let lattice = |spacing: f32| {
        let mut points = Vec::new();
        let (mut row, mut y) = (0, min.y + spacing * 0.25);
        while y <= max.y - spacing * 0.2 {
            let mut x = min.x + if row % 2 == 0 { 0.25 } else { 0.75 } * spacing;
            while x <= max.x - spacing * 0.2 {
                points.push(vec2(x, y));
                x += spacing;
            }
            (row, y) = (row + 1, y + spacing * 0.866_025_4);
        }
        points
    };
    let mut points = lattice(spacing);
    while points.len() < count {
        spacing *= 0.99;
        points = lattice(spacing);
    }
    let mut random = Random::new(seed, 0, 0, 0);
    for i in (1..points.len()).rev() {
        points.swap(i, ((i + 1) as f32 * random.unit()) as usize);
    }
    let far = (spacing - 2.0 * RADIUS).max(0.0) * 0.35;
    let mut moved = |p: Vec2| {
        let by = vec2(random.between(-far, far), random.between(-far, far));
        (p + by).clamp(min, max)
    };
    points.truncate(count);
    points.iter().map(|&p| moved(p)).collect()
}

/// A world without people: walls, and where people leave.
pub(crate) fn world(seed: u64, walls: &[(Vec2, Vec2)], out: Option<(Vec2, Vec2)>) -> Setup<Vec2> {
    let wall = |&(from, to): &(Vec2, Vec2)| Shape::Segment { from, to, thickness: 0.0 };
    let exit = |(min, max)| Exit {
        shape: Shape::box_between(min, max),
        groups: Groups::All,
        then: ExitAction::Remove,
    };
    Setup {
        seed,
        dt: f64::from(DT),
        bodies: Bodies { solid: true, ..Bodies::default() },
        obstacles: walls.iter().map(wall).collect(),
        exits: out.into_iter().map(exit).collect(),
        ..Setup::default()
    }
}

/// People at these points who go this way.
pub(crate) fn people(points: Vec<Vec2>, way: Way, pedestrian: Pedestrian) -> Group<Vec2> {
    let mut group = Group::new("people", points.len(), Spawn::Points(points), 1.34);
    group.max_speed = Distribution::Uniform(1.14, 1.54);
    group.radius = Distribution::Same(RADIUS);
    group.steer = List::default().with(Behavior::own("way", way)).with(pedestrian);
    group
}

/// A room `length` x `height` whose door of the width `door` is in the middle of x = 0, and the way
/// through it; the passage is `depth` long.
pub(crate) struct Room {
    pub(crate) length: f32,
    pub(crate) height: f32,
    pub(crate) door: f32,
    pub(crate) depth: f32,
    /// The y of the middle of the door.
    pub(crate) middle: f32,
}

impl Room {
    pub(crate) fn world(&self, seed: u64) -> Setup<Vec2> {
        let (l, h, depth) = (self.length, self.height * 0.5, self.depth);
        let (low, high) = (self.middle - self.door * 0.5, self.middle + self.door * 0.5);
        let walls = [
            (vec2(-l, -h), vec2(0.0, -h)),
            (vec2(-l, h), vec2(0.0, h)),
            (vec2(-l, -h), vec2(-l, h)),
            (vec2(0.0, -h), vec2(0.0, low)),
            (vec2(0.0, high), vec2(0.0, h)),
            (vec2(0.0, high), vec2(depth, high)),
            (vec2(0.0, low), vec2(depth, low)),
            (vec2(depth, high), vec2(depth, h)),
            (vec2(depth, low), vec2(depth, -h)),
        ];
        world(seed, &walls, Some((vec2(depth + 3.0, -20.0), vec2(depth + 9.0, 20.0))))
    }

    pub(crate) fn way(&self) -> Way {
        let gate = |x: f32| Gate {
            from: vec2(x, self.middle - self.door * 0.5),
            to: vec2(x, self.middle + self.door * 0.5),
            through: Vec2::X,
        };
        let gates = vec![gate(0.0), gate(self.depth)];
        Way { gates, then: Vec2::X, margin: RADIUS + 0.02 }
    }
}

/// The times at which `count` people first hold `passed`, in order, of those who did in `limit`
/// (time) and without a pause of a minute; and the deepest overlap of bodies, in radii.
pub(crate) fn passing_times(
    setup: Setup<Vec2>,
    limit: f32,
    passed: impl Fn(Vec2) -> bool,
) -> (Vec<f32>, f32) {
    let mut crowd = Crowd::new(setup).expect("the setup is valid");
    let count = crowd.len();
    let (mut times, mut done, mut deepest) = (Vec::new(), vec![false; count], 0.0_f32);
    let mut time = 0.0;
    while times.len() < count && time < limit && time - times.last().unwrap_or(&0.0) < 60.0 {
        crowd.step();
        time += DT;
        let mut here = vec![false; count];
        for (id, agent) in crowd.agents() {
            here[id.0 as usize] = !passed(agent.position);
        }
        for (done, here) in done.iter_mut().zip(here) {
            if !here && !*done {
                *done = true;
                times.push(time);
            }
        }
        if time > 1.0 {
            deepest = deepest.max(crowd.deepest_overlap().unwrap_or(0.0));
        }
    }
    (times, deepest)
}

/// A corridor along x that wraps after `length` (length), with walls at y = 0 and `width`.
pub(crate) fn corridor(seed: u64, length: f32, width: f32) -> Setup<Vec2> {
    let wall = |y| (vec2(-5.0, y), vec2(length + 5.0, y));
    // Wide enough that no pedestrian sees across the edge in y.
    let (min, max) = (vec2(0.0, -3.0), vec2(length, width + 3.0));
    let bounds = Some(Bounds { min, max, edge: Edge::Wrap });
    Setup { bounds, ..world(seed, &[wall(0.0), wall(width)], None) }
}

/// A group that starts with this velocity.
pub(crate) fn moving(group: Group<Vec2>, velocity: Vec2) -> Group<Vec2> {
    Group { velocity: StartVelocity::Same(velocity), ..group }
}
