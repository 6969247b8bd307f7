//! krABMaga's flock: its field, its schedule, and the rules of its Flockers model (separation,
//! cohesion, alignment and momentum) with the parameters of its example. Its torus does not look
//! across the edge: agents there see fewer neighbors.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};

use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{
    Field2D, Location2D, toroidal_distance, toroidal_transform,
};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use wayfare::random::Random;

use crate::{Engine, side};

const RADIUS: f32 = 10.0;
const JUMP: f32 = 0.7;

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    place: Real2D,
    last: Real2D,
}

struct World {
    field: Field2D<Bird>,
    side: f32,
    count: usize,
    /// How many neighbors were seen, and by how many agents.
    seen: Cell<(u64, u64)>,
}

pub(crate) struct Flockers {
    schedule: Schedule,
    world: World,
}

impl Flockers {
    pub(crate) fn new(count: usize) -> Self {
        let side = side(count, 0.1) as f32;
        let mut world = World {
            field: Field2D::new(side, side, RADIUS / 1.5, true),
            side,
            count,
            seen: Cell::new((0, 0)),
        };
        let mut schedule = Schedule::new();
        world.init(&mut schedule);
        Self { schedule, world }
    }
}

impl Engine for Flockers {
    fn step(&mut self) {
        self.schedule.step(&mut self.world);
    }
    fn mean_neighbors(&self) -> f64 {
        let (seen, by) = self.world.seen.get();
        seen as f64 / by as f64
    }
}

impl State for World {
    fn init(&mut self, schedule: &mut Schedule) {
        for id in 0..self.count as u32 {
            let mut random = Random::new(1, id, 0, 0);
            let place =
                Real2D { x: random.between(0.0, self.side), y: random.between(0.0, self.side) };
            let bird = Bird { id, place, last: Real2D { x: 0.0, y: 0.0 } };
            self.field.set_object_location(bird, place);
            schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_state_mut(&mut self) -> &mut dyn State {
        self
    }
    fn as_state(&self) -> &dyn State {
        self
    }
    fn reset(&mut self) {}
    fn update(&mut self, _: u64) {
        self.field.lazy_update();
    }
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let Some(world) = state.as_any().downcast_ref::<World>() else { return };
        let neighbors = world.field.get_neighbors_within_distance(self.place, RADIUS);
        let (mut away, mut way, mut velocity, mut count) = ([0.0; 2], [0.0; 2], [0.0; 2], 0_u32);
        for other in neighbors.iter().filter(|other| other.id != self.id) {
            let d = [
                toroidal_distance(self.place.x, other.place.x, world.side),
                toroidal_distance(self.place.y, other.place.y, world.side),
            ];
            let squared = d[0] * d[0] + d[1] * d[1];
            count += 1;
            for i in 0..2 {
                away[i] += d[i] / (squared * squared + 1.0);
                way[i] += d[i];
            }
            velocity[0] += other.last.x;
            velocity[1] += other.last.y;
        }
        let mean = if count > 0 { 1.0 / count as f32 } else { 0.0 };
        let mut random = Random::new(1, self.id, world.seen.get().1, 1);
        let jitter = [random.between(-0.05, 0.05), random.between(-0.05, 0.05)];
        let last = [self.last.x, self.last.y];
        let [dx, dy] = [0, 1].map(|i| {
            400.0 * away[i] * mean - 0.8 * way[i] * mean / 10.0
                + 0.7 * velocity[i] * mean
                + 1.1 * jitter[i]
                + last[i]
        });
        let length = (dx * dx + dy * dy).sqrt();
        let scale = if length > 0.0 { JUMP / length } else { 0.0 };
        self.last = Real2D { x: dx * scale, y: dy * scale };
        self.place = Real2D {
            x: toroidal_transform(self.place.x + self.last.x, world.side),
            y: toroidal_transform(self.place.y + self.last.y, world.side),
        };
        let (seen, by) = world.seen.get();
        world.seen.set((seen + u64::from(count), by + 1));
        world.field.set_object_location(*self, self.place);
    }
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.place
    }
    fn set_location(&mut self, place: Real2D) {
        self.place = place;
    }
}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Bird {}

impl fmt::Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}
