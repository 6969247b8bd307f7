//! What a person can take hold of and drag: an agent, a point of a path, an obstacle.

use wayfare::crowd::Command;
use wayfare::geometry::obstacle::{Obstacle, Shape};
use wayfare::glam::Vec2;
use wayfare::{Crowd, Vector};

/// Something that can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    Agent(u32),
    /// A path and a point of it, by their indices.
    Point(usize, usize),
    Obstacle(usize),
}

impl Hold {
    /// What lies at a place of the world: the nearest agent or point of a path within `reach`
    /// (length), or else the obstacle there.
    pub(crate) fn at<V: Vector>(crowd: &Crowd<V>, at: Vec2, reach: f32) -> Option<Self> {
        let agents = crowd.agents().map(|(id, agent)| {
            (agent.position.flat().distance(at) - agent.radius, Self::Agent(id))
        });
        // A curve has been made into very many points, which nobody wants to drag one by one.
        let paths = crowd.paths().iter().enumerate().filter(|(_, path)| path.points.len() <= 40);
        let points = paths.flat_map(|(i, path)| {
            path.points
                .iter()
                .enumerate()
                .map(move |(k, p)| (p.flat().distance(at), Self::Point(i, k)))
        });
        let near = agents
            .chain(points)
            .filter(|(distance, _)| *distance <= reach)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        near.map(|(_, hold)| hold).or_else(|| Self::obstacle(crowd, at, 0.5 * reach))
    }

    /// The obstacle at a place of the world, or at most `reach` away (length): of several the last.
    pub(crate) fn obstacle<V: Vector>(crowd: &Crowd<V>, at: Vec2, reach: f32) -> Option<Self> {
        let over = |obstacle: &Obstacle<V>| {
            let (low, high) = obstacle.shape().extent();
            // In space from above: as high as the shape is itself.
            let p = V::from_fn(|i| if i < 2 { at[i] } else { 0.5 * (low.axis(i) + high.axis(i)) });
            obstacle.distance(p) <= reach
        };
        crowd.obstacles().iter().rposition(over).map(Self::Obstacle)
    }
}

/// What is held, and where it was before.
#[derive(Clone, Debug)]
pub(crate) enum Held<V: Vector> {
    Agent { id: u32, position: V, velocity: V },
    Point { path: String, point: usize, position: V },
    Obstacle { index: usize, shape: Shape<V> },
}

impl<V: Vector> Held<V> {
    /// Takes hold; `None` if it has gone.
    pub(crate) fn new(crowd: &Crowd<V>, hold: Hold) -> Option<Self> {
        Some(match hold {
            Hold::Agent(id) => {
                let agent = crowd.get(id)?.agent;
                Self::Agent { id, position: agent.position, velocity: agent.velocity }
            }
            Hold::Point(path, point) => {
                let position = *crowd.paths().get(path)?.points.get(point)?;
                Self::Point { path: crowd.path_names().nth(path)?.to_string(), point, position }
            }
            Hold::Obstacle(index) => {
                Self::Obstacle { index, shape: crowd.obstacles().get(index)?.shape().clone() }
            }
        })
    }

    /// Puts it so far from where it was.
    pub(crate) fn moved(&self, way: V) -> Command<V> {
        match self {
            Self::Agent { id, position, .. } => {
                Command::Move { id: *id, position: *position + way, velocity: None }
            }
            Self::Point { path, point, position } => {
                Command::MovePoint { path: path.clone(), point: *point, position: *position + way }
            }
            Self::Obstacle { index, shape } => Command::SetObstacle(*index, shape.shifted(way)),
        }
    }

    /// Puts it back to where it was.
    pub(crate) fn back(self) -> Command<V> {
        match self {
            Self::Agent { id, position, velocity } => {
                Command::Move { id, position, velocity: Some(velocity) }
            }
            Self::Point { path, point, position } => Command::MovePoint { path, point, position },
            Self::Obstacle { index, shape } => Command::SetObstacle(index, shape),
        }
    }
}
