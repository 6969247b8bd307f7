//! The agents at one tick, in the order of their ids: what all measures of a run share.

use std::collections::HashMap;
use std::sync::Arc;

use wayfare::crowd::{Event, Setup};
use wayfare::geometry::obstacle::Shape;
use wayfare::route::RouteState;
use wayfare::{Crowd, Vector};

use crate::row::Moment;
use crate::world::{Flat, MeasuredWorld, outline, point};

/// An agent at a tick, in the world with z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub(crate) id: u32,
    /// The number of respawns of the agent: a displacement between two episodes is no motion.
    pub(crate) episode: u32,
    pub(crate) group: u32,
    pub(crate) position: [f64; 3],
    pub(crate) velocity: [f64; 3],
    pub(crate) radius: f64,
    pub(crate) max_speed: f64,
    /// Whether it arrived in this tick.
    pub(crate) arrived: bool,
    /// The state of its route, and the length that is left of it, if it has one.
    pub(crate) route: Option<(RouteState, f64)>,
}

impl Body {
    /// The position on the ground.
    pub(crate) fn flat(&self) -> Flat {
        [self.position[0], self.position[1]]
    }

    /// The agent's group and id.
    pub(crate) fn names(&self) -> (u32, u32) {
        (self.group, self.id)
    }
}

/// The crowd at a tick.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) at: Moment,
    /// In the order of ids.
    pub(crate) bodies: Vec<Body>,
    pub(crate) world: Arc<MeasuredWorld>,
}

impl Frame {
    pub(crate) fn find(&self, id: u32) -> Option<&Body> {
        self.bodies.binary_search_by_key(&id, |body| body.id).ok().map(|i| &self.bodies[i])
    }

    /// The same agent in this frame, if it was not put elsewhere in between.
    pub(crate) fn same(&self, body: &Body) -> Option<&Body> {
        self.find(body.id).filter(|other| other.episode == body.episode)
    }
}

/// Makes the frames of a run.
#[derive(Clone, Debug)]
pub(crate) struct Camera<V> {
    world: Arc<MeasuredWorld>,
    /// The obstacles whose outlines the world has.
    shapes: Vec<Shape<V>>,
    /// The episodes of agents that were respawned.
    episodes: HashMap<u32, u32>,
    order: Vec<u32>,
}

impl<V: Vector> Camera<V> {
    pub(crate) fn new(setup: &Setup<V>) -> Self {
        Self {
            world: Arc::new(MeasuredWorld::of(setup)),
            shapes: setup.obstacles.clone(),
            episodes: HashMap::new(),
            order: Vec::new(),
        }
    }

    pub(crate) fn world(&self) -> &MeasuredWorld {
        &self.world
    }

    /// The crowd as it is now.
    pub(crate) fn frame(&mut self, crowd: &Crowd<V>) -> Frame {
        let up = self.world.up;
        // A command may have changed the obstacles.
        let shapes = crowd.obstacles().iter().map(|obstacle| obstacle.shape());
        if !shapes.clone().eq(self.shapes.iter()) {
            self.shapes = shapes.cloned().collect();
            let walls = self.shapes.iter().map(|shape| outline(up, shape)).collect();
            self.world = Arc::new(MeasuredWorld { walls, ..(*self.world).clone() });
        }
        let mut arrived = Vec::new();
        for event in crowd.events() {
            match event {
                // Only a respawned agent is still in the crowd.
                Event::Left { id, .. } | Event::Gone { id, .. } if crowd.get(*id).is_some() => {
                    *self.episodes.entry(id.0).or_default() += 1;
                }
                Event::Arrived { id } => arrived.push(id.0),
                _ => {}
            }
        }
        arrived.sort_unstable();
        crowd.rows_by_id(&mut self.order);
        let agents = self.order.iter().filter_map(|&row| crowd.agent_at_row(row));
        let bodies = agents
            .map(|agent_ref| {
                let agent = &agent_ref.agent;
                let id = agent_ref.id.0;
                Body {
                    id,
                    episode: self.episodes.get(&id).copied().unwrap_or_default(),
                    group: agent_ref.group.0 as u32,
                    position: point(up, agent.position),
                    velocity: point(up, agent.velocity),
                    radius: f64::from(agent.radius),
                    max_speed: f64::from(agent.max_speed),
                    arrived: arrived.binary_search(&id).is_ok(),
                    route: crowd.route(agent_ref.id).map(|route| {
                        (route.state, route.aim.map_or(f64::INFINITY, |aim| aim.left.into()))
                    }),
                }
            })
            .collect();
        let at = Moment { tick: crowd.tick(), time: crowd.time() };
        Frame { at, bodies, world: self.world.clone() }
    }
}
